// SPDX-License-Identifier: Apache-2.0
#pragma once

// Wide — numbers side by side in registers of so many bytes. What is written with it is taken whole into a
// function for the processors that have such registers:
//
//   template <std::size_t bytes>
//   BERTH_INLINE void add(const double* a, double* b, std::size_t n) { … Wide<bytes> … }
//
//   [[gnu::target("avx512f")]] void add_avx512(const double* a, double* b, std::size_t n) { add<64>(a, b, n); }
//
// Each number is worked as alone: the same bits whatever the width, where products and sums are not contracted
// (-ffp-contract=off).

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "berth/scalar/scalar.h"

namespace berth {

template <std::size_t bytes>
struct Wide {
  using Number [[gnu::vector_size(bytes)]] = double;
  using Bits [[gnu::vector_size(bytes)]] = std::int64_t;
  static constexpr std::size_t width = bytes / sizeof(double);

  BERTH_INLINE static void load(const double* from, Number& to) {
    std::memcpy(&to, from, sizeof to);
  }
  BERTH_INLINE static void store(const Number& from, double* to) {
    std::memcpy(to, &from, sizeof from);
  }
  BERTH_INLINE static void make_positive(Number& x) {
    x = reinterpret_cast<Number>(reinterpret_cast<Bits>(x) & INT64_MAX);
  }
};

}  // namespace berth
