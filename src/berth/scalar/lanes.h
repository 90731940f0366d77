// SPDX-License-Identifier: Apache-2.0
#pragma once

// Four doubles side by side: the SIMD register behind Pack and behind the slopes of a Dual.
// GCC vectors become AVX2 where the translation unit allows it and pairs of SSE2 elsewhere; the
// alignment is spelled out because it would follow the same difference.

#include <immintrin.h>

#include "berth/scalar/scalar.h"

namespace berth {

inline constexpr int kLanes = 4;

using Lanes [[gnu::vector_size(32), gnu::aligned(32)]] = double;
using LaneMask [[gnu::vector_size(32), gnu::aligned(32)]] = long long;

BERTH_INLINE Lanes fill_lanes(double x) { return Lanes{x, x, x, x}; }

BERTH_INLINE Lanes sqrt_lanes(const Lanes& x) {
#ifdef __AVX__
  return reinterpret_cast<Lanes>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x)));
#else
  return Lanes{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}

// One function of the C library applied to each lane.
template <class F>
BERTH_INLINE Lanes each_lane(const Lanes& x, F&& f) {
  return Lanes{f(x[0]), f(x[1]), f(x[2]), f(x[3])};
}

}  // namespace berth
