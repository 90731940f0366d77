// SPDX-License-Identifier: Apache-2.0
#include "berth/integrate/combine.h"

#include <cstring>

namespace berth::detail {
namespace {

#if defined(__x86_64__)

// The same for the registers of newer processors. A function with a target of its own takes in no template
// that was not compiled for it: so it is text, once for each. Four registers side by side where there are as
// many states left, then one after the other.
#define BERTH_COMBINE_ROWS(name, isa, bytes)                                                 \
  [[gnu::target(isa)]] void name(const Coefficient* weights, std::size_t count, double h,    \
                                 const double* base, const double* rows, std::size_t stride, \
                                 double* out, std::size_t n) {                               \
    using Register [[gnu::vector_size(bytes)]] = double;                                     \
    constexpr std::size_t width = (bytes) / sizeof(double);                                  \
    Register r;                                                                              \
    std::size_t i = 0;                                                                       \
    for (; i + 4 * width <= n; i += 4 * width) {                                             \
      Register s_0{}, s_1{}, s_2{}, s_3{};                                                   \
      for (std::size_t k = 0; k < count; ++k) {                                              \
        const double w = weights[k].value;                                                   \
        const double* row = rows + static_cast<std::size_t>(weights[k].column) * stride + i; \
        std::memcpy(&r, row, sizeof r);                                                      \
        s_0 += w * r;                                                                        \
        std::memcpy(&r, row + width, sizeof r);                                              \
        s_1 += w * r;                                                                        \
        std::memcpy(&r, row + 2 * width, sizeof r);                                          \
        s_2 += w * r;                                                                        \
        std::memcpy(&r, row + 3 * width, sizeof r);                                          \
        s_3 += w * r;                                                                        \
      }                                                                                      \
      s_0 = h * s_0;                                                                         \
      s_1 = h * s_1;                                                                         \
      s_2 = h * s_2;                                                                         \
      s_3 = h * s_3;                                                                         \
      if (base) {                                                                            \
        std::memcpy(&r, base + i, sizeof r);                                                 \
        s_0 += r;                                                                            \
        std::memcpy(&r, base + i + width, sizeof r);                                         \
        s_1 += r;                                                                            \
        std::memcpy(&r, base + i + 2 * width, sizeof r);                                     \
        s_2 += r;                                                                            \
        std::memcpy(&r, base + i + 3 * width, sizeof r);                                     \
        s_3 += r;                                                                            \
      }                                                                                      \
      std::memcpy(out + i, &s_0, sizeof r);                                                  \
      std::memcpy(out + i + width, &s_1, sizeof r);                                          \
      std::memcpy(out + i + 2 * width, &s_2, sizeof r);                                      \
      std::memcpy(out + i + 3 * width, &s_3, sizeof r);                                      \
    }                                                                                        \
    for (; i < n; i += width) {                                                              \
      Register s{};                                                                          \
      for (std::size_t k = 0; k < count; ++k) {                                              \
        std::memcpy(&r, rows + static_cast<std::size_t>(weights[k].column) * stride + i,     \
                    sizeof r);                                                               \
        s += weights[k].value * r;                                                           \
      }                                                                                      \
      s = h * s;                                                                             \
      if (base) {                                                                            \
        std::memcpy(&r, base + i, sizeof r);                                                 \
        s += r;                                                                              \
      }                                                                                      \
      std::memcpy(out + i, &s, sizeof r);                                                    \
    }                                                                                        \
  }

BERTH_COMBINE_ROWS(combine_avx2, "avx2", 32)
BERTH_COMBINE_ROWS(combine_avx512, "avx512f", 64)
#undef BERTH_COMBINE_ROWS

#endif

using CombineRows = decltype(&combine_rows<double>);

CombineRows choose_combine_rows() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return combine_avx512;
  if (__builtin_cpu_supports("avx2")) return combine_avx2;
#endif
  return combine_rows<double>;
}

}  // namespace

const CombineRows kCombineRows = choose_combine_rows();

}  // namespace berth::detail
