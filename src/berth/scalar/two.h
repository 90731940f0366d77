// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two — two doubles abreast, as every machine has them. A choice between them is a mask, never a
// jump: code that takes a fixed list of candidates runs straight through it.

#include <cmath>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "berth/scalar/scalar.h"

namespace berth {

using Two = double __attribute__((vector_size(16)));

BERTH_INLINE Two both(double x) { return Two{x, x}; }
template <class Mask>
BERTH_INLINE Two select(const Mask& mask, const Two& a, const Two& b) {
  return mask ? a : b;
}
BERTH_INLINE Two min(const Two& a, const Two& b) { return a < b ? a : b; }
BERTH_INLINE Two max(const Two& a, const Two& b) { return a > b ? a : b; }
BERTH_INLINE Two min(const Two& a, double b) { return min(a, both(b)); }
BERTH_INLINE Two max(const Two& a, double b) { return max(a, both(b)); }
BERTH_INLINE Two abs(const Two& a) { return max(a, -a); }
BERTH_INLINE Two sqrt(const Two& a) {
#ifdef __SSE2__
  return _mm_sqrt_pd(a);
#else
  return Two{std::sqrt(a[0]), std::sqrt(a[1])};
#endif
}

}  // namespace berth
