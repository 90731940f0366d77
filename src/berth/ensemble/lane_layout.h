// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lists of numbers, one for each lane, into lane layout and back: number i of lane l stands at i·lanes + l.
// Two lanes and two numbers at a time, which halves the loads and stores.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "berth/scalar/scalar.h"

namespace berth {

namespace detail {

using LanePair [[gnu::vector_size(16)]] = double;

BERTH_INLINE LanePair load_pair(const double* p) {
  LanePair r;
  std::memcpy(&r, p, sizeof r);
  return r;
}
BERTH_INLINE void store_pair(double* p, const LanePair& r) { std::memcpy(p, &r, sizeof r); }

}  // namespace detail

// from: of every lane.
inline void put_in_lanes(std::span<const double* const> from, std::size_t count, double* to) {
  using namespace detail;
  const std::size_t lanes = from.size();
  if (lanes == 1) return void(std::copy_n(from[0], count, to));
  std::size_t i = 0;
  for (; i + 2 <= count && lanes % 2 == 0; i += 2) {
    double* const row = to + i * lanes;
    for (std::size_t l = 0; l < lanes; l += 2) {
      const LanePair a = load_pair(from[l] + i), b = load_pair(from[l + 1] + i);
      store_pair(row + l, LanePair{a[0], b[0]});
      store_pair(row + lanes + l, LanePair{a[1], b[1]});
    }
  }
  for (; i < count; ++i)
    for (std::size_t l = 0; l < lanes; ++l) to[i * lanes + l] = from[l][i];
}

// to: of the first lanes; the others are not asked for.
inline void take_from_lanes(const double* from, std::size_t count, std::size_t lanes,
                            std::span<double* const> to) {
  using namespace detail;
  if (lanes == 1) return void(std::copy_n(from, count, to[0]));
  const std::size_t paired = lanes % 2 == 0 ? to.size() / 2 * 2 : 0;
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2) {
    const double* const row = from + i * lanes;
    for (std::size_t l = 0; l < paired; l += 2) {
      const LanePair a = load_pair(row + l), b = load_pair(row + lanes + l);
      store_pair(to[l] + i, LanePair{a[0], b[0]});
      store_pair(to[l + 1] + i, LanePair{a[1], b[1]});
    }
    for (std::size_t l = paired; l < to.size(); ++l) {
      to[l][i] = row[l];
      to[l][i + 1] = row[lanes + l];
    }
  }
  for (; i < count; ++i)
    for (std::size_t l = 0; l < to.size(); ++l) to[l][i] = from[i * lanes + l];
}

}  // namespace berth
