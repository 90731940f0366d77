// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <fmt/format.h>

#include "berth/math/complex.h"
#include "berth/math/eigen_system.h"
#include "berth/record/json_text.h"

namespace berth {
namespace {

using Index = Eigen::Index;

constexpr double kZeroEntry = 1e-13;  // of the largest entry that could stand there
constexpr double kAtZero = 1e-7;      // of the scale: what is left of a double root at zero

// States whose column or row is zero have their root at zero, whatever the others do: they go, and with
// them what led to them alone. What is left has no Jordan block of a craft that drifts.
std::vector<Index> leave_out_drift(const Eigen::MatrixXd& A) {
  std::vector<Index> left;
  for (Index i = 0; i < A.rows(); ++i) left.push_back(i);
  // Rounding is measured by the row and the column of an entry.
  const Eigen::VectorXd rows = A.cwiseAbs().rowwise().maxCoeff();
  const Eigen::RowVectorXd columns = A.cwiseAbs().colwise().maxCoeff();
  const auto is_zero = [&](Index i, Index j) {
    return std::fabs(A(i, j)) <= kZeroEntry * std::max(rows(i), columns(j));
  };
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const Index s = left[k];
      const bool drives =
          std::any_of(left.begin(), left.end(), [&](Index i) { return !is_zero(i, s); });
      const bool moves =
          std::any_of(left.begin(), left.end(), [&](Index j) { return !is_zero(s, j); });
      if (drives && moves) continue;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
      again = true;
      break;
    }
  }
  return left;
}

// "servicer.panel" of "servicer.panel.angle", "servicer" of "servicer.theta_B.x".
std::string part_of(const std::string& state) {
  std::string part = state.substr(0, state.find_last_of('.'));
  const std::string last = state.substr(state.find_last_of('.') + 1);
  if (last.size() == 1) part = part.substr(0, part.find_last_of('.'));
  return part;
}

std::vector<OscillationMode::Share> find_shares(const LinearModel& model,
                                                const std::vector<Index>& states,
                                                const Eigen::VectorXcd& left,
                                                const Eigen::VectorXcd& right) {
  std::vector<OscillationMode::Share> out;
  double all = 0;
  for (Index i = 0; i < right.size(); ++i) {
    const double share = abs(left(i) * right(i));
    const std::string part =
        part_of(model.states[static_cast<std::size_t>(states[static_cast<std::size_t>(i)])].name);
    all += share;
    auto at = std::find_if(out.begin(), out.end(), [&](const auto& s) { return s.part == part; });
    if (at == out.end()) at = out.insert(out.end(), {part, 0});
    at->share += share;
  }
  for (auto& s : out) s.share /= all;
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return out;
}

}  // namespace

Modes find_modes(const LinearModel& model) {
  Modes out;
  out.t = model.t;
  const std::vector<Index> states = leave_out_drift(model.A);
  const auto n = static_cast<Index>(states.size());
  out.zeros = static_cast<int>(model.A.rows() - n);
  if (n == 0) return out;
  const Eigen::MatrixXd A = model.A(states, states);
  const EigenSystem system = find_eigen_system(A);
  const Eigen::MatrixXcd left = system.vectors.inverse();
  const double scale = std::sqrt(A.cwiseAbs().maxCoeff());
  for (Index k = 0; k < n; ++k) {
    const std::complex<double> root = system.values(k);
    if (abs(root) <= kAtZero * scale) {
      ++out.zeros;
    } else if (root.imag() >= 0) {
      out.modes.push_back(
          {root, find_shares(model, states, left.row(k).transpose(), system.vectors.col(k))});
    }
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const auto& a, const auto& b) { return a.frequency() < b.frequency(); });
  return out;
}

std::string describe(const Modes& r) {
  std::string out =
      fmt::format("Modes at {:.9g} s, beside {} at zero (free motion).\n", r.t, r.zeros);
  if (r.modes.empty()) return out + "There are no others.\n";
  out += fmt::format("  {:>13} {:>13} {:>11}  {}\n", "frequency", "", "damping", "what moves");
  out += fmt::format("  {:>13} {:>13} {:>11}\n", "[Hz]", "[rad/s]", "ratio [-]");
  for (const OscillationMode& m : r.modes) {
    std::string parts;
    for (const auto& s : m.shares)
      if (s.share >= 0.02)
        parts += fmt::format("{}{} {:.0f} %", parts.empty() ? "" : ", ", s.part, 100 * s.share);
    out +=
        fmt::format("  {:13.6g} {:13.6g} {:11.5f}  {}{}\n", m.frequency() / (2 * std::numbers::pi),
                    m.frequency(), m.damping_ratio() + 0.0, parts,
                    m.root.imag() == 0 ? m.root.real() > 0 ? " (grows)" : " (no oscillation)"
                    : m.root.real() > 1e-9 * m.frequency() ? " (grows)"
                                                           : "");
  }
  return out;
}

std::string to_json(const Modes& r) {
  nlohmann::ordered_json out{{"t", r.t}, {"zeros", r.zeros}};
  out["modes"] = nlohmann::ordered_json::array();
  for (const OscillationMode& m : r.modes) {
    nlohmann::ordered_json one{{"frequency", m.frequency() / (2 * std::numbers::pi)},
                               {"omega", m.frequency()},
                               {"damping_ratio", m.damping_ratio()},
                               {"root", {m.root.real(), m.root.imag()}}};
    for (const auto& s : m.shares) one["shares"][s.part] = s.share;
    out["modes"].push_back(std::move(one));
  }
  return to_text(out, 2);
}

}  // namespace berth
