// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/elementary_text.h"

#include <stdexcept>

namespace berth {

namespace {

constexpr std::string_view kText =
#include "berth/elementary_text.inc"
    ;

constexpr std::string_view kOne = R"text(#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double berth_number;
typedef uint64_t berth_bits;
typedef int berth_mask;

#define BERTH_LANES 1
#define BERTH_ELEMENTARY static inline
#define BERTH_ALL(mask) (mask)

static inline double berth_select(int mask, double a, double b) { return mask ? a : b; }
static inline uint64_t berth_to_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline double berth_from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline double berth_sqrt(double x) { return sqrt(x); }
static inline double berth_splat(double x) { return x; }

)text";

// C has no `mask ? a : b` of vectors. Square roots take the instruction of the lanes' width, or go in
// pieces of a width that there is.
constexpr std::string_view kAbreast = R"text(#include <math.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi"
typedef double berth_number __attribute__((vector_size(8 * BERTH_LANES)));
typedef uint64_t berth_bits __attribute__((vector_size(8 * BERTH_LANES)));
typedef int64_t berth_mask __attribute__((vector_size(8 * BERTH_LANES)));

#define BERTH_ELEMENTARY static inline __attribute__((always_inline))
#define BERTH_ALL(mask) 0

BERTH_ELEMENTARY berth_number berth_select(berth_mask mask, berth_number a, berth_number b) {
  return (berth_number)((mask & (berth_mask)a) | (~mask & (berth_mask)b));
}
BERTH_ELEMENTARY berth_bits berth_to_bits(berth_number x) { return (berth_bits)x; }
BERTH_ELEMENTARY berth_number berth_from_bits(berth_bits bits) { return (berth_number)bits; }
BERTH_ELEMENTARY berth_number berth_splat(double x) { return x - (berth_number){0}; }
BERTH_ELEMENTARY berth_number berth_sqrt(berth_number x) {
#if defined __clang__
  for (int i = 0; i < BERTH_LANES; ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
#elif BERTH_LANES == 8 && defined __AVX512F__
  return __builtin_ia32_sqrtpd512_mask(x, x, (unsigned char)-1, 4);
#elif BERTH_LANES >= 4 && defined __AVX__
  typedef double part __attribute__((vector_size(32)));
  part parts[BERTH_LANES / 4];
  memcpy(parts, &x, sizeof x);
  for (int i = 0; i < BERTH_LANES / 4; ++i) parts[i] = __builtin_ia32_sqrtpd256(parts[i]);
  memcpy(&x, parts, sizeof x);
  return x;
#elif defined __SSE2__
  typedef double part __attribute__((vector_size(16)));
  part parts[BERTH_LANES / 2];
  memcpy(parts, &x, sizeof x);
  for (int i = 0; i < BERTH_LANES / 2; ++i) parts[i] = __builtin_ia32_sqrtpd(parts[i]);
  memcpy(&x, parts, sizeof x);
  return x;
#else
  for (int i = 0; i < BERTH_LANES; ++i) x[i] = sqrt(x[i]);
  return x;
#endif
}

)text";

}  // namespace

std::string elementary_c_prologue(int lanes) {
  if (lanes == 1) return std::string(kOne);
  if (lanes != 2 && lanes != 4 && lanes != 8)
    throw std::invalid_argument("elementary_c_prologue: there are 1, 2, 4 or 8 lanes");
  return "#define BERTH_LANES " + std::to_string(lanes) + "\n" + std::string(kAbreast);
}

std::string_view elementary_c_text() { return kText; }

}  // namespace berth
