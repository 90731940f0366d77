// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/row_pull.h"

#include <algorithm>
#include <optional>

#include "berth/math/ldl.h"
#include "berth/system/docks.h"
#include "berth/system/jumps.h"

namespace berth {

PullSize find_pull_size(const System<double>& system, const Mode<double>& mode) {
  if (!has_plain_rows(system, mode)) return {};
  const Layout at = system.layout();
  return {static_cast<int>(mode.rows.size()), at.v, at.z - at.v};
}

std::vector<Trace> record_pull(const System<Trace>& system, const Mode<Trace>& mode, const Trace& t,
                               std::vector<Trace> x) {
  Workspace<Trace> w(system);
  motion_stage<Trace>(system, t, x, mode, w);
  find_rows<Trace>(system, mode, w);
  const std::size_t n = mode.rows.size();
  std::vector<Trace>& S = w.multipliers.S;
  std::vector<Trace> out;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) out.push_back(S[i * n + j]);
  for (const ActiveRow& at : mode.rows)
    out.push_back(closure_at(w, at.closure).rows.row[static_cast<std::size_t>(at.row)].violation);
  factor_ldl(S.data(), n);
  const auto v = x.begin() + w.layout.v, z = x.begin() + w.layout.z;
  const std::vector<Trace> before(v, z);
  pull_rates<Trace>(system, x, mode, w);
  out.insert(out.end(), v, z);
  std::copy(before.begin(), before.end(), v);
  pull_positions<Trace>(system, t, x, mode, w, 1);
  pull_rates<Trace>(system, x, mode, w);
  out.insert(out.end(), x.begin(), z);
  return out;
}

bool apply_pull(const System<double>& system, const PullSize& size, std::span<const double> found,
                Mode<double>& mode, std::span<double> x) {
  const auto n = static_cast<std::size_t>(size.rows);
  std::vector<double> S(n * n);
  const double* next = found.data();
  for (std::size_t i = 0; i < n; next += ++i) std::copy_n(next, i + 1, S.data() + i * n);
  const std::optional<int> steps = choose_newton_steps(system, mode, S, {next, n});
  if (!steps || *steps > 1) return false;
  next += n;
  if (*steps == 0) {
    std::copy_n(next, size.speeds, x.begin() + size.coordinates);
  } else {
    std::copy_n(next + size.speeds, size.coordinates + size.speeds, x.begin());
  }
  return true;
}

}  // namespace berth
