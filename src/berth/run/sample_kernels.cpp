// SPDX-License-Identifier: Apache-2.0
#include "berth/run/sample_kernels.h"

#include <algorithm>
#include <cmath>

#include "berth/scalar/wide.h"

namespace berth {
namespace {

template <std::size_t bytes>
BERTH_INLINE void find_ranges(const SampleRows& rows, double* lo, double* hi, double* ends) {
  using W = Wide<bytes>;
  using Number = typename W::Number;
  for (std::size_t k = 0; k < rows.numbers; k += W::width) {
    Number begin, end, least, most, lost{}, v;
    W::load(rows.first + k, begin);
    W::load(rows.last + k, end);
    least = most = begin;
    const auto offer = [&] {
      least = v < least ? v : least;
      most = v > most ? v : most;
      lost += v - v;
    };
    v = begin;
    offer();
    for (std::size_t i = 1; i <= rows.inside; ++i) {
      W::load(rows.first + i * rows.numbers + k, v);
      offer();
    }
    v = end;
    offer();
    least = lost == 0 ? least : Number{} - INFINITY;
    most = lost == 0 ? most : Number{} + INFINITY;
    W::store(least, lo + k);
    W::store(most, hi + k);
    Number change = end - begin;
    W::load(rows.before + k, v);
    v = begin - v;
    W::make_positive(change);
    W::make_positive(v);
    W::store((begin > end ? begin : end) + (change + rows.continues * v), ends + k);
  }
}

template <std::size_t bytes>
BERTH_INLINE PolynomialRange find_polynomial(const double* grid, const double* samples,
                                             std::size_t count) {
  using W = Wide<bytes>;
  using Number = typename W::Number;
  double p[kSampleGridRoom], of_lane[W::width];
  Number least = Number{} + INFINITY, most = Number{} - INFINITY;
  for (std::size_t j = 0; j < kSampleGridRoom; j += W::width) {
    Number sum{}, weight;
    for (std::size_t i = 0; i < count; ++i) {
      W::load(grid + i * kSampleGridRoom + j, weight);
      sum += weight * samples[i];
    }
    least = sum < least ? sum : least;
    most = sum > most ? sum : most;
    W::store(sum, p + j);
  }
  PolynomialRange out{p[0], p[kSampleGridRoom - 1], INFINITY, -INFINITY};
  W::store(least, of_lane);
  for (const double y : of_lane) out.least = std::min(out.least, y);
  W::store(most, of_lane);
  for (const double y : of_lane) out.most = std::max(out.most, y);
  return out;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void find_ranges_avx512(const SampleRows& rows, double* lo, double* hi,
                                                   double* ends) {
  find_ranges<64>(rows, lo, hi, ends);
}
[[gnu::target("avx512f")]] PolynomialRange find_polynomial_avx512(const double* grid,
                                                                  const double* samples,
                                                                  std::size_t count) {
  return find_polynomial<64>(grid, samples, count);
}
[[gnu::target("avx2")]] void find_ranges_avx2(const SampleRows& rows, double* lo, double* hi,
                                              double* ends) {
  find_ranges<32>(rows, lo, hi, ends);
}
[[gnu::target("avx2")]] PolynomialRange find_polynomial_avx2(const double* grid,
                                                             const double* samples,
                                                             std::size_t count) {
  return find_polynomial<32>(grid, samples, count);
}
#endif

SampleKernels choose_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {find_ranges_avx512, find_polynomial_avx512};
  if (__builtin_cpu_supports("avx2")) return {find_ranges_avx2, find_polynomial_avx2};
#endif
  return {find_ranges<16>, find_polynomial<16>};
}

}  // namespace

const SampleKernels kSampleKernels = choose_kernels();

}  // namespace berth
