// SPDX-License-Identifier: Apache-2.0
#include "berth/integrate/combine.h"

#include "berth/scalar/wide.h"

namespace berth::detail {
namespace {

#if defined(__x86_64__)

// The same for the registers of newer processors. Four side by side where there are as many states left, then
// one after the other.
template <std::size_t bytes>
BERTH_INLINE void combine_wide(const Coefficient* weights, std::size_t count, double h,
                               const double* base, const double* rows, std::size_t stride,
                               double* out, std::size_t n) {
  using W = Wide<bytes>;
  constexpr std::size_t width = W::width;
  typename W::Number r;
  const auto finish = [&](typename W::Number& s, std::size_t i) {
    s = h * s;
    if (base) {
      W::load(base + i, r);
      s += r;
    }
    W::store(s, out + i);
  };
  std::size_t i = 0;
  for (; i + 4 * width <= n; i += 4 * width) {
    typename W::Number s_0{}, s_1{}, s_2{}, s_3{};
    for (std::size_t k = 0; k < count; ++k) {
      const double w = weights[k].value;
      const double* row = rows + static_cast<std::size_t>(weights[k].column) * stride + i;
      W::load(row, r);
      s_0 += w * r;
      W::load(row + width, r);
      s_1 += w * r;
      W::load(row + 2 * width, r);
      s_2 += w * r;
      W::load(row + 3 * width, r);
      s_3 += w * r;
    }
    finish(s_0, i);
    finish(s_1, i + width);
    finish(s_2, i + 2 * width);
    finish(s_3, i + 3 * width);
  }
  for (; i < n; i += width) {
    typename W::Number s{};
    for (std::size_t k = 0; k < count; ++k) {
      W::load(rows + static_cast<std::size_t>(weights[k].column) * stride + i, r);
      s += weights[k].value * r;
    }
    finish(s, i);
  }
}

[[gnu::target("avx2")]] void combine_avx2(const Coefficient* weights, std::size_t count, double h,
                                          const double* base, const double* rows,
                                          std::size_t stride, double* out, std::size_t n) {
  combine_wide<32>(weights, count, h, base, rows, stride, out, n);
}
[[gnu::target("avx512f")]] void combine_avx512(const Coefficient* weights, std::size_t count,
                                               double h, const double* base, const double* rows,
                                               std::size_t stride, double* out, std::size_t n) {
  combine_wide<64>(weights, count, h, base, rows, stride, out, n);
}

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
