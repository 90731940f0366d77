// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one inner loop of every explicit method: a weighted sum of rows.
//
//   outᵢ = baseᵢ + h Σⱼ wⱼ rowsⱼᵢ          j over the nonzero weights, i over the states        (1)
//
// Rows are contiguous and padded to whole chunks, so that a chunk of the sum stays in registers
// while the weights go by. Leaving this to the vectoriser fails at -O2: it refuses loops whose
// length it does not know. Each state is summed in the order of the weights, the same for a
// double and for a Dual: the same bits.

#include <cstring>
#include <span>
#include <type_traits>

#include "berth/integrate/tableau.h"
#include "berth/scalar/scalar.h"

namespace berth {

namespace detail {

// The register that T is worked in. For a double it is the 16 bytes every x86-64 has: wider vectors
// are split where AVX is off, and their halves go through memory.
template <Scalar T>
struct RowRegister {
  using Type = T;
  static constexpr std::size_t size = 1;
  BERTH_INLINE static Type load(const T* p) { return *p; }
  BERTH_INLINE static void store(T* p, const Type& r) { *p = r; }
};

template <>
struct RowRegister<double> {
  using Type [[gnu::vector_size(16)]] = double;
  static constexpr std::size_t size = 2;
  BERTH_INLINE static Type load(const double* p) {
    Type r;
    std::memcpy(&r, p, sizeof r);
    return r;
  }
  BERTH_INLINE static void store(double* p, const Type& r) { std::memcpy(p, &r, sizeof r); }
};

// Four registers to a chunk: enough sums side by side to hide the latency of an addition.
template <Scalar T>
inline constexpr std::size_t kRowChunk = 4 * RowRegister<T>::size;

}  // namespace detail

// The length of a row that holds n states.
template <Scalar T>
constexpr std::size_t padded(std::size_t n) {
  return (n + detail::kRowChunk<T> - 1) / detail::kRowChunk<T> * detail::kRowChunk<T>;
}

namespace detail {

template <Scalar T>
void combine_rows(const Coefficient* weights, std::size_t count, double h, const T* base,
                  const T* rows, std::size_t stride, T* out, std::size_t n) {
  using R = RowRegister<T>;
  using Register = typename R::Type;
  constexpr std::size_t width = R::size;
  for (std::size_t i = 0; i < n; i += kRowChunk<T>) {
    Register s_0{}, s_1{}, s_2{}, s_3{};
    for (std::size_t k = 0; k < count; ++k) {
      const Coefficient& w = weights[k];
      const T* row = rows + std::size_t(w.column) * stride + i;
      s_0 += w.value * R::load(row);
      s_1 += w.value * R::load(row + width);
      s_2 += w.value * R::load(row + 2 * width);
      s_3 += w.value * R::load(row + 3 * width);
    }
    s_0 = h * s_0;
    s_1 = h * s_1;
    s_2 = h * s_2;
    s_3 = h * s_3;
    if (base) {
      s_0 += R::load(base + i);
      s_1 += R::load(base + i + width);
      s_2 += R::load(base + i + 2 * width);
      s_3 += R::load(base + i + 3 * width);
    }
    R::store(out + i, s_0);
    R::store(out + i + width, s_1);
    R::store(out + i + 2 * width, s_2);
    R::store(out + i + 3 * width, s_3);
  }
}

// For a double the widest registers that the processor has (combine.cpp): the same sums.
extern const decltype(&combine_rows<double>) kCombineRows;

}  // namespace detail

// (1) for n states, n a multiple of the chunk (see `padded`); base may be null: zero. `out` is none of the
// others.
template <Scalar T>
void combine(std::span<const Coefficient> weights, double h, const T* base, const T* rows,
             std::size_t stride, T* out, std::size_t n) {
  if constexpr (std::is_same_v<T, double>) {
    detail::kCombineRows(weights.data(), weights.size(), h, base, rows, stride, out, n);
  } else {
    detail::combine_rows(weights.data(), weights.size(), h, base, rows, stride, out, n);
  }
}

// (1) into an output of n states without padding: the last ones go through a buffer.
template <Scalar T>
void combine_unpadded(std::span<const Coefficient> weights, double h, const T* base, const T* rows,
                      std::size_t stride, std::span<T> out) {
  constexpr std::size_t chunk = detail::kRowChunk<T>;
  const std::size_t whole = out.size() / chunk * chunk;
  combine(weights, h, base, rows, stride, out.data(), whole);
  if (whole == out.size()) return;
  T last[chunk];
  combine(weights, h, base ? base + whole : nullptr, rows + whole, stride, last, chunk);
  for (std::size_t i = whole; i < out.size(); ++i) out[i] = last[i - whole];
}

}  // namespace berth
