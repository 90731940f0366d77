// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs that vary together: a Gaussian copula.
//
//   z' = L z,       L Lᵀ = P                                                                (1)
//   x_i = F_i⁻¹(Φ(z'_i))                                                                    (2)
//
// z are independent standard normal numbers, P is the matrix of correlations of z', and F_i is the
// distribution of input i, which (2) leaves as it is. Where all F_i are normal the inputs have the
// covariance C_ij = P_ij σ_i σ_j; where they are not, P is their correlation up to monotonic
// functions.
//
//   const BuiltGroup built = build_from_correlation({0, 3}, {{1, 0.5}, {0.5, 1}});
//   if (!built.fault) built.group.correlate(z);      // z[3] ← 0.5 z[0] + √0.75 z[3]
//
// P may be singular: correlations of ±1, or inputs that are a sum of others. L is then found by the
// same recurrence, columns whose pivot vanishes being zero.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace berth {

struct CorrelatedGroup {
  std::vector<std::size_t> members;  // which numbers of z
  std::vector<double> lower;  // L row by row, up to the diagonal: L₀₀, L₁₀, L₁₁, L₂₀, …

  // (1) in place, for the members alone.
  void correlate(std::span<double> z) const;
};

struct BuiltGroup {
  CorrelatedGroup group{};
  std::vector<double> deviations{};    // σ_i = √C_ii; 1 where correlations were given
  std::optional<std::string> fault{};  // what is wrong with the matrix; the group is empty then
};

using MatrixRows = std::vector<std::vector<double>>;

BuiltGroup build_from_correlation(std::vector<std::size_t> members, const MatrixRows& correlation);

// `deviations`: those the members have anyway, which the diagonal must agree with; empty when it
// states them.
BuiltGroup build_from_covariance(std::vector<std::size_t> members, const MatrixRows& covariance,
                                 const std::vector<double>& deviations = {});

}  // namespace berth
