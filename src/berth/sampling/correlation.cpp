// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/correlation.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

namespace berth {

namespace {

using MatrixFault = std::optional<std::string>;

// Entries are written with so many digits: what is within it of a limit is taken to be on it.
constexpr double kEntryTolerance = 1e-9;
// A pivot that is rounding error. Rows below it would be its noise divided by its root.
constexpr double kPivotTolerance = 1e-13;

MatrixFault find_shape_fault(const std::vector<std::size_t>& members, const MatrixRows& rows) {
  if (rows.size() != members.size())
    return fmt::format("{} inputs need a matrix of {} rows, not {}", members.size(), members.size(),
                       rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.size())
      return fmt::format("the matrix is not square: row {} of {} has {} numbers", i + 1,
                         rows.size(), rows[i].size());
    for (const double x : rows[i])
      if (!std::isfinite(x)) return fmt::format("{} is not a finite number", x);
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    if (std::count(members.begin(), members.end(), members[i]) > 1)
      return "an input is twice in the group";
  return std::nullopt;
}

// Of a covariance; correlations are one whose diagonal is 1.
MatrixFault find_entry_fault(const MatrixRows& C) {
  for (std::size_t i = 0; i < C.size(); ++i)
    if (!(C[i][i] > 0))
      return fmt::format("number {} of the diagonal is {}; it must be above 0", i + 1, C[i][i]);
  for (std::size_t i = 0; i < C.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double scale = std::sqrt(C[i][i]) * std::sqrt(C[j][j]);
      if (std::abs(C[i][j] - C[j][i]) > kEntryTolerance * scale)
        return fmt::format(
            "the matrix is not symmetric: row {}, column {} is {}, but row {}, column {} is {}",
            i + 1, j + 1, C[i][j], j + 1, i + 1, C[j][i]);
      if (std::abs(C[i][j]) > (1 + kEntryTolerance) * scale)
        return fmt::format("row {}, column {}: a correlation of {:.10g} is beyond 1", i + 1, j + 1,
                           C[i][j] / scale);
    }
  return std::nullopt;
}

MatrixFault find_deviation_fault(const MatrixRows& C, const std::vector<double>& deviations) {
  if (deviations.empty()) return std::nullopt;
  if (deviations.size() != C.size())
    return fmt::format("{} standard deviations for {} inputs", deviations.size(), C.size());
  for (std::size_t i = 0; i < C.size(); ++i)
    if (!(std::abs(std::sqrt(C[i][i]) - deviations[i]) <= 1e-6 * deviations[i]))
      return fmt::format(
          "number {} of the diagonal is {}, the square of {:.10g}; the standard deviation is {}",
          i + 1, C[i][i], std::sqrt(C[i][i]), deviations[i]);
  return std::nullopt;
}

Eigen::MatrixXd find_correlations(const MatrixRows& C) {
  const auto n = static_cast<Eigen::Index>(C.size());
  Eigen::MatrixXd P = Eigen::MatrixXd::Identity(n, n);
  for (std::size_t i = 0; i < C.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double scale = std::sqrt(C[i][i]) * std::sqrt(C[j][j]);
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      const double mean = 0.5 * C[i][j] + 0.5 * C[j][i];
      P(row, column) = P(column, row) = std::clamp(mean / scale, -1.0, 1.0);
    }
  return P;
}

MatrixFault find_eigenvalue_fault(const Eigen::MatrixXd& P) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(P, Eigen::EigenvaluesOnly);
  const double least = solver.eigenvalues()[0];
  if (least >= -kEntryTolerance * static_cast<double>(P.rows())) return std::nullopt;
  return fmt::format(
      "the matrix is not positive semidefinite: the smallest eigenvalue of its correlations is "
      "{:.6g}",
      least);
}

// Cholesky's recurrence, row by row.
std::vector<double> find_lower(const Eigen::MatrixXd& P) {
  const Eigen::Index n = P.rows();
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n);
  std::vector<double> lower;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      double rest = P(i, j);
      for (Eigen::Index k = 0; k < j; ++k) rest -= L(i, k) * L(j, k);
      if (i == j) {
        L(i, i) = rest > kPivotTolerance ? std::sqrt(rest) : 0;
      } else {
        L(i, j) = L(j, j) > 0 ? rest / L(j, j) : 0;
      }
      lower.push_back(L(i, j));
    }
  return lower;
}

BuiltGroup build_correlated(std::vector<std::size_t> members, const MatrixRows& C,
                            const std::vector<double>& deviations) {
  BuiltGroup built;
  built.fault = find_shape_fault(members, C);
  if (!built.fault) built.fault = find_entry_fault(C);
  if (!built.fault) built.fault = find_deviation_fault(C, deviations);
  if (built.fault || C.empty()) return built;
  const Eigen::MatrixXd P = find_correlations(C);
  built.fault = find_eigenvalue_fault(P);
  if (built.fault) return built;
  built.group = {std::move(members), find_lower(P)};
  for (std::size_t i = 0; i < C.size(); ++i) built.deviations.push_back(std::sqrt(C[i][i]));
  return built;
}

}  // namespace

// From the last row to the first: each needs those before it as they were.
void CorrelatedGroup::correlate(std::span<double> z) const {
  for (std::size_t i = members.size(); i > 0; --i) {
    const double* const row = lower.data() + i * (i - 1) / 2;
    double sum = 0;
    for (std::size_t j = 0; j < i; ++j) sum += row[j] * z[members[j]];
    z[members[i - 1]] = sum;  // (1)
  }
}

BuiltGroup build_from_correlation(std::vector<std::size_t> members, const MatrixRows& correlation) {
  for (std::size_t i = 0; i < correlation.size(); ++i)
    if (i < correlation[i].size() && std::abs(correlation[i][i] - 1) > kEntryTolerance)
      return {.fault = fmt::format("number {} of the diagonal is {}; that of correlations is 1",
                                   i + 1, correlation[i][i])};
  return build_correlated(std::move(members), correlation, {});
}

BuiltGroup build_from_covariance(std::vector<std::size_t> members, const MatrixRows& covariance,
                                 const std::vector<double>& deviations) {
  return build_correlated(std::move(members), covariance, deviations);
}

}  // namespace berth
