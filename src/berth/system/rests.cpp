// SPDX-License-Identifier: Apache-2.0
#include "berth/system/rests.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "berth/math/ldl.h"
#include "berth/system/docks_impl.h"

namespace berth {

void share_friction(const System<double>& system, Mode<double>& mode, Workspace<double>& w) {
  const std::size_t n = mode.rows.size();
  for (RowShare& s : mode.shares) solve_ldl(w.multipliers.S.data(), n, s.relieves.data());
  // What reaches into other rows than those of friction stays as it is.
  std::erase_if(mode.shares, [&](const RowShare& s) {
    for (std::size_t i = 0; i < n; ++i)
      if (!is_friction(system, mode.rows[i]) && std::fabs(s.relieves[i]) > 1e-9) return true;
    return false;
  });
  if (mode.shares.empty()) return;
  const auto weight = [&](const ActiveRow& row) {
    const auto rest = static_cast<std::size_t>(row.closure) - system.docks.size();
    const auto contact = static_cast<std::size_t>(system.rests[rest].contact);
    return 1 / std::max(mode.contacts[contact].press, 1e-30);
  };
  const auto m = static_cast<Eigen::Index>(mode.shares.size());
  Eigen::MatrixXd A(m, m), B(m, static_cast<Eigen::Index>(n));
  for (Eigen::Index l = 0; l < m; ++l) {
    const RowShare& a = mode.shares[static_cast<std::size_t>(l)];
    for (Eigen::Index k = 0; k < m; ++k) {
      const RowShare& b = mode.shares[static_cast<std::size_t>(k)];
      A(l, k) = l == k ? weight(a.row) : 0;
      for (std::size_t i = 0; i < n; ++i)
        if (is_friction(system, mode.rows[i]))
          A(l, k) += weight(mode.rows[i]) * a.relieves[i] * b.relieves[i];
    }
    for (std::size_t i = 0; i < n; ++i)
      B(l, static_cast<Eigen::Index>(i)) =
          is_friction(system, mode.rows[i]) ? weight(mode.rows[i]) * a.relieves[i] : 0;
  }
  const Eigen::MatrixXd Z = A.ldlt().solve(B);
  for (Eigen::Index l = 0; l < m; ++l)
    for (std::size_t i = 0; i < n; ++i)
      mode.shares[static_cast<std::size_t>(l)].taken.push_back(Z(l, static_cast<Eigen::Index>(i)));
}

Vec3<double> find_slip_acceleration(const System<double>& system, std::size_t k,
                                    const Workspace<double>& w) {
  const Rest<double>& rest = system.rests[k];
  const RestMotion<double>& m = w.rests[k];
  const PairAcceleration<double> a =
      find_pair_acceleration<double>(rest, m, system.model, w.motion, w.articulated);
  const auto along = [&](std::size_t r) {
    return dot(m.rows.row[r].direction, a.d) + m.rows.row[r].curvature;
  };
  return along(1) * rest.across.first + along(2) * rest.across.second;
}

}  // namespace berth
