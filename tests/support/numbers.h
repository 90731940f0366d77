// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers and lists of them.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace berth::test {

// The same bits, or both are NaN.
inline bool are_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

inline std::vector<double> copy(std::span<const double> x) { return {x.begin(), x.end()}; }

inline double size_of(std::span<const double> v) {
  double size = 0;
  for (double a : v) size = std::max(size, std::fabs(a));
  return size;
}
inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::fabs(a[i] - b[i]));
  return d;
}

}  // namespace berth::test
