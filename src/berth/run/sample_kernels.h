// SPDX-License-Identifier: Apache-2.0
#pragma once

// What StepSamples asks of many numbers after every step, in the widest registers that the processor has.
// Each number is worked as alone: the same bits in all of them.

#include <cstddef>

namespace berth {

// Lists that are worked have room for so many numbers beyond their own.
inline constexpr std::size_t kSampleChunk = 8;

// Of all numbers at one time a row; rows inside the step follow each other and the first.
struct SampleRows {
  const double *first, *last;
  const double* before;  // the end of the step before the one that ends where this begins
  std::size_t numbers, inside;
  double continues;  // 1: there was a step before; 0: none, or it says nothing
};

// The polynomial through the samples of one number, at kSampleGrid times inside the step; the last one fills
// what registers have room for.
inline constexpr std::size_t kSampleGrid = 20, kSampleGridRoom = 24;
struct PolynomialRange {
  double front, back, least, most;
};

struct SampleKernels {
  // Least and greatest sample (−∞ and ∞ where one was lost); the higher end, and how far it and the ends
  // before lie apart.
  void (*find_ranges)(const SampleRows& rows, double* lo, double* hi, double* ends);
  // grid: kSampleGridRoom weights of each sample.
  PolynomialRange (*find_polynomial)(const double* grid, const double* samples, std::size_t count);
};
extern const SampleKernels kSampleKernels;

}  // namespace berth
