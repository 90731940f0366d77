// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two — two numbers abreast. Two doubles are a register as every machine has it. A choice between
// them is a mask, never a jump: code that takes a fixed list of candidates runs straight through it.

#include <cmath>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "berth/scalar/scalar.h"

namespace berth {

namespace detail {

// Any other number, element by element as the register does it.
template <class N>
struct TwoNumbers {
  N of[2];

  template <class Condition>
  struct Mask {
    Condition of[2];
  };

  const N& operator[](int i) const { return of[i]; }
  TwoNumbers& operator-=(const TwoNumbers& b) { return *this = *this - b; }

  friend TwoNumbers operator-(const TwoNumbers& a) { return {-a.of[0], -a.of[1]}; }
  friend TwoNumbers operator+(const TwoNumbers& a, const TwoNumbers& b) {
    return {a.of[0] + b.of[0], a.of[1] + b.of[1]};
  }
  friend TwoNumbers operator-(const TwoNumbers& a, const TwoNumbers& b) {
    return {a.of[0] - b.of[0], a.of[1] - b.of[1]};
  }
  friend TwoNumbers operator*(const TwoNumbers& a, const TwoNumbers& b) {
    return {a.of[0] * b.of[0], a.of[1] * b.of[1]};
  }
  friend TwoNumbers operator/(const TwoNumbers& a, const TwoNumbers& b) {
    return {a.of[0] / b.of[0], a.of[1] / b.of[1]};
  }
  friend TwoNumbers operator+(const TwoNumbers& a, const N& b) { return a + TwoNumbers{b, b}; }
  friend TwoNumbers operator-(const TwoNumbers& a, const N& b) { return a - TwoNumbers{b, b}; }
  friend TwoNumbers operator*(const TwoNumbers& a, const N& b) { return a * TwoNumbers{b, b}; }
  friend TwoNumbers operator/(const TwoNumbers& a, const N& b) { return a / TwoNumbers{b, b}; }
  friend TwoNumbers operator+(const N& a, const TwoNumbers& b) { return TwoNumbers{a, a} + b; }
  friend TwoNumbers operator-(const N& a, const TwoNumbers& b) { return TwoNumbers{a, a} - b; }
  friend TwoNumbers operator*(const N& a, const TwoNumbers& b) { return TwoNumbers{a, a} * b; }
  friend TwoNumbers operator/(const N& a, const TwoNumbers& b) { return TwoNumbers{a, a} / b; }
  friend auto operator<(const TwoNumbers& a, const TwoNumbers& b) {
    return Mask<decltype(a.of[0] < b.of[0])>{{a.of[0] < b.of[0], a.of[1] < b.of[1]}};
  }
  friend auto operator>(const TwoNumbers& a, const TwoNumbers& b) { return b < a; }
  friend TwoNumbers select(const auto& mask, const TwoNumbers& a, const TwoNumbers& b) {
    return {select(mask.of[0], a.of[0], b.of[0]), select(mask.of[1], a.of[1], b.of[1])};
  }
  friend TwoNumbers min(const TwoNumbers& a, const TwoNumbers& b) { return select(a < b, a, b); }
  friend TwoNumbers max(const TwoNumbers& a, const TwoNumbers& b) { return select(a > b, a, b); }
  friend TwoNumbers min(const TwoNumbers& a, const N& b) { return min(a, TwoNumbers{b, b}); }
  friend TwoNumbers max(const TwoNumbers& a, const N& b) { return max(a, TwoNumbers{b, b}); }
  friend TwoNumbers abs(const TwoNumbers& a) { return max(a, -a); }
  friend TwoNumbers sqrt(const TwoNumbers& a) { return {sqrt(a.of[0]), sqrt(a.of[1])}; }
};

template <class N>
struct TwoOf {
  using type = TwoNumbers<N>;
};
template <>
struct TwoOf<double> {
  using type = double __attribute__((vector_size(16)));
};

}  // namespace detail

template <class N>
using Two = typename detail::TwoOf<N>::type;

template <class N>
BERTH_INLINE Two<N> both(const std::type_identity_t<N>& x) {
  return Two<N>{x, x};
}

template <class Mask>
BERTH_INLINE Two<double> select(const Mask& mask, const Two<double>& a, const Two<double>& b) {
  return mask ? a : b;
}
BERTH_INLINE Two<double> min(const Two<double>& a, const Two<double>& b) { return a < b ? a : b; }
BERTH_INLINE Two<double> max(const Two<double>& a, const Two<double>& b) { return a > b ? a : b; }
BERTH_INLINE Two<double> min(const Two<double>& a, double b) { return min(a, both<double>(b)); }
BERTH_INLINE Two<double> max(const Two<double>& a, double b) { return max(a, both<double>(b)); }
BERTH_INLINE Two<double> abs(const Two<double>& a) { return max(a, -a); }
BERTH_INLINE Two<double> sqrt(const Two<double>& a) {
#ifdef __SSE2__
  return _mm_sqrt_pd(a);
#else
  return Two<double>{std::sqrt(a[0]), std::sqrt(a[1])};
#endif
}

}  // namespace berth
