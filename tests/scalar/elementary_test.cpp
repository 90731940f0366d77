// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/elementary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace berth::elementary_test {
namespace {

using Long = long double;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kPi = 3.141592653589793;
constexpr int kCount = 100000;

// Distance from what is right in units of the last place; of the smallest number, below the normal ones.
double find_error(double found, Long wanted) {
  const double nearest = static_cast<double>(wanted);
  if (std::isnan(nearest)) return std::isnan(found) ? 0 : kInfinity;
  if (std::isinf(nearest) || std::isinf(found)) return found == nearest ? 0 : kInfinity;
  int exponent = 0;
  (void)std::frexp(wanted, &exponent);
  const Long unit = std::ldexp(Long(1), std::max(exponent - 53, -1074));
  return static_cast<double>(std::fabs(static_cast<Long>(found) - wanted) / unit);
}

class Arguments {
 public:
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  // ±, of all sizes between 2^low and 2^high.
  double of_size(double low, double high) {
    return between(-1, 1) * std::exp2(std::floor(between(low, high)));
  }
  // Any finite number.
  double any() {
    for (;;)
      if (const double x = std::bit_cast<double>(engine_()); std::isfinite(x)) return x;
  }
  double subnormal() { return std::bit_cast<double>(engine_() >> (12 + engine_() % 51)); }

 private:
  std::mt19937_64 engine_{7};
};

struct Worst {
  double error = 0, x = 0, y = 0;
};
void PrintTo(const Worst& w, std::ostream* out) {
  out->precision(17);
  *out << w.error << " ulp at " << w.x << ", " << w.y;
}

template <class F, class Exact, class Draw>
Worst find_worst(F f, Exact exact, Draw draw) {
  Worst worst;
  for (int i = 0; i < kCount; ++i) {
    const double x = draw();
    if (const double e = find_error(f(x), exact(static_cast<Long>(x))); !(e <= worst.error))
      worst = {e, x, 0};
  }
  return worst;
}
template <class F, class Exact, class Draw>
Worst find_worst_of_two(F f, Exact exact, Draw draw) {
  Worst worst;
  for (int i = 0; i < kCount; ++i) {
    const auto [x, y] = draw();
    const double e = find_error(f(x, y), exact(static_cast<Long>(x), static_cast<Long>(y)));
    if (!(e <= worst.error)) worst = {e, x, y};
  }
  return worst;
}

#define EXPECT_WITHIN(most, ...)                                   \
  do {                                                             \
    const Worst worst = __VA_ARGS__;                               \
    EXPECT_LE(worst.error, most) << testing::PrintToString(worst); \
  } while (false)

// Both zeros are distinguished.
::testing::AssertionResult is_same(double found, double wanted) {
  if (std::isnan(wanted)
          ? std::isnan(found)
          : std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(wanted))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << found << " instead of " << wanted;
}

double exp_of(double x) { return berth::exp(x); }
Long long_exp(Long x) { return std::exp(x); }
double log_of(double x) { return berth::log(x); }
Long long_log(Long x) { return std::log(x); }

TEST(Elementary, ExpIsExactToTheLastPlace) {
  Arguments a;
  EXPECT_WITHIN(0.8, find_worst(exp_of, long_exp, [&] { return a.between(-746, 710); }));
  EXPECT_WITHIN(0.7, find_worst(exp_of, long_exp, [&] { return a.between(-708, 709); }));
  EXPECT_WITHIN(0.7, find_worst(exp_of, long_exp, [&] { return a.of_size(-60, 2); }));
}

TEST(Elementary, ExpFadesThroughSubnormalNumbersAndOverflows) {
  EXPECT_EQ(berth::exp(0.0), 1);
  EXPECT_EQ(berth::exp(-0.0), 1);
  EXPECT_EQ(berth::exp(1.0), std::numbers::e);
  EXPECT_EQ(berth::exp(709.8), kInfinity);
  EXPECT_LT(berth::exp(709.78), kInfinity);
  EXPECT_EQ(berth::exp(kInfinity), kInfinity);
  EXPECT_EQ(berth::exp(-745.0), kLeast);
  EXPECT_EQ(berth::exp(-746.0), 0);
  EXPECT_EQ(berth::exp(-kLargest), 0);
  EXPECT_EQ(berth::exp(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(berth::exp(kNaN)));
}

TEST(Elementary, ExpLessOneKeepsSmallArguments) {
  Arguments a;
  const auto f = [](double x) { return berth::expm1(x); };
  const auto exact = [](Long x) { return std::expm1(x); };
  EXPECT_WITHIN(1.2, find_worst(f, exact, [&] { return a.between(-2, 2); }));
  EXPECT_WITHIN(1.2, find_worst(f, exact, [&] { return a.between(-60, 710); }));
  EXPECT_WITHIN(1.2, find_worst(f, exact, [&] { return a.of_size(-1070, 0); }));
  for (const double x : {0.0, -0.0, kInfinity, kNaN}) EXPECT_TRUE(is_same(berth::expm1(x), x));
  EXPECT_EQ(berth::expm1(-kInfinity), -1);
}

TEST(Elementary, HyperbolicTangentIsExactToTwoPlaces) {
  Arguments a;
  const auto f = [](double x) { return berth::tanh(x); };
  const auto exact = [](Long x) { return std::tanh(x); };
  EXPECT_WITHIN(1.5, find_worst(f, exact, [&] { return a.between(-3, 3); }));
  EXPECT_WITHIN(1.5, find_worst(f, exact, [&] { return a.between(-30, 30); }));
  EXPECT_WITHIN(1.5, find_worst(f, exact, [&] { return a.of_size(-1070, 1); }));
  for (const double x : {0.0, -0.0, kNaN}) EXPECT_TRUE(is_same(berth::tanh(x), x));
  EXPECT_EQ(berth::tanh(kInfinity), 1);
  EXPECT_EQ(berth::tanh(-kLargest), -1);
}

TEST(Elementary, LogIsExactToTheLastPlace) {
  Arguments a;
  EXPECT_WITHIN(0.85, find_worst(log_of, long_log, [&] { return std::fabs(a.any()); }));
  EXPECT_WITHIN(0.85, find_worst(log_of, long_log, [&] { return a.between(0.5, 2); }));
  EXPECT_WITHIN(0.85, find_worst(log_of, long_log, [&] { return 1 + a.of_size(-50, -1); }));
  EXPECT_WITHIN(0.85, find_worst(log_of, long_log, [&] { return a.subnormal(); }));
  EXPECT_TRUE(is_same(berth::log(1.0), 0.0));
  EXPECT_EQ(berth::log(0.0), -kInfinity);
  EXPECT_EQ(berth::log(-0.0), -kInfinity);
  EXPECT_EQ(berth::log(kInfinity), kInfinity);
  for (const double x : {-kLeast, -1.0, -kInfinity, kNaN}) EXPECT_TRUE(std::isnan(berth::log(x)));
}

TEST(Elementary, LogOfOneMoreKeepsSmallArguments) {
  Arguments a;
  const auto f = [](double x) { return berth::log1p(x); };
  const auto exact = [](Long x) { return std::log1p(x); };
  EXPECT_WITHIN(0.9, find_worst(f, exact, [&] { return a.between(-1, 4); }));
  EXPECT_WITHIN(0.9, find_worst(f, exact, [&] { return a.of_size(-1070, 0); }));
  EXPECT_WITHIN(0.9, find_worst(f, exact, [&] { return std::fabs(a.any()); }));
  for (const double x : {0.0, -0.0, kInfinity, kNaN}) EXPECT_TRUE(is_same(berth::log1p(x), x));
  EXPECT_EQ(berth::log1p(-1.0), -kInfinity);
  EXPECT_TRUE(std::isnan(berth::log1p(-1.1)));
}

TEST(Elementary, DecimalLogarithmIsRoundedToNearest) {
  Arguments a;
  const auto f = [](double x) { return berth::log10(x); };
  const auto exact = [](Long x) { return std::log10(x); };
  EXPECT_WITHIN(0.502, find_worst(f, exact, [&] { return std::fabs(a.any()); }));
  EXPECT_WITHIN(0.502, find_worst(f, exact, [&] { return a.between(0.5, 2); }));
  for (int k = -307; k <= 308; ++k) EXPECT_EQ(berth::log10(std::stod("1e" + std::to_string(k))), k);
  EXPECT_EQ(berth::log10(0.0), -kInfinity);
  EXPECT_EQ(berth::log10(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(berth::log10(-1.0)));
}

double pow_of(double x, double y) { return berth::pow(x, y); }
Long long_pow(Long x, Long y) { return std::pow(x, y); }

TEST(Elementary, PowIsExactToTheLastPlaceUpToTheLargestExponents) {
  Arguments a;
  EXPECT_WITHIN(0.8, find_worst_of_two(pow_of, long_pow, [&] {
                  return std::pair{a.between(0, 10), a.between(-10, 10)};
                }));
  EXPECT_WITHIN(0.8, find_worst_of_two(pow_of, long_pow, [&] {
                  const double x = std::fabs(a.any());
                  return std::pair{x, a.between(-708, 709) / std::log(x)};
                }));
  EXPECT_WITHIN(0.8, find_worst_of_two(pow_of, long_pow, [&] {
                  const double x = 1 + a.of_size(-52, -2);
                  return std::pair{x, x == 1 ? 1 : a.between(-708, 709) / std::log(x)};
                }));
  EXPECT_WITHIN(0.8, find_worst_of_two(pow_of, long_pow, [&] {
                  return std::pair{std::fabs(a.any()), a.of_size(-60, 0)};
                }));
  EXPECT_WITHIN(1.1, find_worst_of_two(pow_of, long_pow, [&] {  // subnormal results
                  const double x = std::fabs(a.any());
                  return std::pair{x, a.between(-746, -708) / std::log(x)};
                }));
}

TEST(Elementary, PowOfIntegersIsExactWhereItFits) {
  for (int x = 2; x < 200; ++x) {
    double wanted = x;
    for (int y = 1; wanted < 0x1p53; ++y, wanted *= x) {
      EXPECT_EQ(berth::pow(x, y), wanted) << x << "^" << y;
      EXPECT_EQ(berth::pow(-x, y), y % 2 ? -wanted : wanted) << -x << "^" << y;
    }
  }
  for (int k = -20; k <= 22; ++k)
    EXPECT_EQ(berth::pow(10.0, k), std::stod("1e" + std::to_string(k)));
  for (int k = -1074; k <= 1023; ++k) EXPECT_EQ(berth::pow(2.0, k), std::ldexp(1, k));
}

TEST(Elementary, PowOfSpecialValuesIsThatOfC) {
  const double values[] = {0.0,    -0.0,       kLeast,     -kLeast,   0.5,        -0.5,      1.0,
                           -1.0,   2.0,        -2.0,       3.0,       -3.0,       2.5,       -2.5,
                           1e20,   -1e20,      1e300,      -1e300,    kLargest,   -kLargest, 0x1p52,
                           0x1p53, 0x1p53 - 1, 1 - 0x1p53, kInfinity, -kInfinity, kNaN};
  for (const double x : values)
    for (const double y : values)
      EXPECT_TRUE(
          find_error(berth::pow(x, y), std::pow(static_cast<Long>(x), static_cast<Long>(y))) < 1 ||
          is_same(berth::pow(x, y), std::pow(x, y)))
          << x << "^" << y << " is not " << berth::pow(x, y);
  // Signs of zeros and infinities too.
  for (const double x : {0.0, -0.0, kInfinity, -kInfinity})
    for (const double y : {-3.0, -2.0, -0.5, 0.5, 2.0, 3.0, kInfinity, -kInfinity})
      EXPECT_TRUE(is_same(berth::pow(x, y), std::pow(x, y))) << x << "^" << y;
}

TEST(Elementary, CubeRootAndHypotenuseAreExactToTwoPlaces) {
  Arguments a;
  const auto cube_root = [](double x) { return berth::cbrt(x); };
  const auto long_cube_root = [](Long x) { return std::cbrt(x); };
  EXPECT_WITHIN(1, find_worst(cube_root, long_cube_root, [&] { return a.any(); }));
  EXPECT_WITHIN(1, find_worst(cube_root, long_cube_root, [&] { return a.subnormal(); }));
  for (const double x : {0.0, -0.0, kInfinity, -kInfinity, kNaN})
    EXPECT_TRUE(is_same(berth::cbrt(x), x));

  const auto hypotenuse = [](double x, double y) { return berth::hypot(x, y); };
  const auto exact = [](Long x, Long y) { return std::sqrt(x * x + y * y); };
  EXPECT_WITHIN(1.3, find_worst_of_two(hypotenuse, exact, [&] {
                  return std::pair{a.between(-1, 1), a.between(-1, 1)};
                }));
  EXPECT_WITHIN(1.3, find_worst_of_two(hypotenuse, exact, [&] {
                  const double x = a.any();
                  return std::pair{x, std::clamp(x * a.of_size(-4, 4), -kLargest, kLargest)};
                }));
  EXPECT_WITHIN(1.3, find_worst_of_two(hypotenuse, exact, [&] {
                  return std::pair{a.subnormal(), a.subnormal()};
                }));
  EXPECT_EQ(berth::hypot(kInfinity, kNaN), kInfinity);
  EXPECT_EQ(berth::hypot(kNaN, -kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(berth::hypot(kNaN, 1)));
  EXPECT_TRUE(is_same(berth::hypot(-0.0, -0.0), 0.0));
}

TEST(Elementary, AngleOfAPointIsExactToTwoPlaces) {
  Arguments a;
  const auto f = [](double y, double x) { return berth::atan2(y, x); };
  const auto exact = [](Long y, Long x) { return std::atan2(y, x); };
  EXPECT_WITHIN(1.6, find_worst_of_two(f, exact, [&] {
                  return std::pair{a.between(-1, 1), a.between(-1, 1)};
                }));
  EXPECT_WITHIN(1.6, find_worst_of_two(f, exact, [&] {
                  const double x = a.any();
                  return std::pair{std::clamp(x * a.of_size(-60, 60), -kLargest, kLargest), x};
                }));
  EXPECT_WITHIN(1.6, find_worst_of_two(f, exact, [&] { return std::pair{a.any(), a.any()}; }));
  EXPECT_WITHIN(1.6, find_worst_of_two(f, exact, [&] {
                  return std::pair{a.subnormal(), -a.subnormal()};
                }));
}

TEST(Elementary, AngleOfSpecialPointsIsThatOfC) {
  for (const double y : {0.0, kLeast, 1.0, kLargest, kInfinity})
    for (const double x : {0.0, kLeast, 1.0, kLargest, kInfinity})
      for (const double sign_y : {1.0, -1.0})
        for (const double sign_x : {1.0, -1.0})
          EXPECT_TRUE(is_same(berth::atan2(sign_y * y, sign_x * x),
                              static_cast<double>(std::atan2(static_cast<Long>(sign_y * y),
                                                             static_cast<Long>(sign_x * x)))))
              << sign_y * y << ", " << sign_x * x;
  EXPECT_EQ(berth::atan2(0.0, -1.0), kPi);
  for (const double x : {0.0, 1.0, kInfinity, kNaN}) {
    EXPECT_TRUE(std::isnan(berth::atan2(x, kNaN)));
    EXPECT_TRUE(std::isnan(berth::atan2(kNaN, x)));
  }
}

}  // namespace
}  // namespace berth::elementary_test
