// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "berth/scalar/pack.h"

namespace berth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class ScalarPack : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  }
};

// The same bits; one NaN is as good as another.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

Pack pack(double a, double b, double c, double d) { return Pack(Lanes{a, b, c, d}); }

// Numbers of every size, and the odd ones: zeros of both signs, subnormals, infinities, NaN.
std::vector<double> numbers() {
  std::vector<double> out = {0.0,    -0.0,   1.0,     -1.0,     kInfinity, -kInfinity,
                             kNaN,   5e-324, -3e-310, 1e308,    -1e308,    1.6e6,
                             -1.6e6, 1e17,   0.5,     M_PI / 2, M_PI / 4,  -M_PI};
  std::mt19937_64 engine(7);
  while (out.size() < 400) {
    const double uniform = static_cast<double>(engine() >> 11) * 0x1p-53;
    const double size = std::exp(40 * (uniform - 0.5));
    out.push_back((engine() & 1) ? size : -size);
    if (out.size() % 10 == 0) out.push_back(std::bit_cast<double>(engine()));
  }
  return out;
}

template <class F>
void expect_one_argument_agrees(const char* what, F&& f) {
  const std::vector<double> xs = numbers();
  for (std::size_t i = 0; i + 3 < xs.size(); ++i) {
    const Pack all_four = f(pack(xs[i], xs[i + 1], xs[i + 2], xs[i + 3]));
    for (int k = 0; k < kLanes; ++k) {
      const double x = xs[i + static_cast<std::size_t>(k)];
      ASSERT_TRUE(same(lane(all_four, k), f(x)))
          << what << "(" << x << ") lane " << k << ": " << lane(all_four, k) << " not " << f(x);
    }
  }
}

template <class F>
void expect_two_arguments_agree(const char* what, F&& f) {
  const std::vector<double> xs = numbers();
  for (std::size_t i = 0; i + 3 < xs.size(); ++i) {
    for (std::size_t j = i % 7; j + 3 < xs.size(); j += 7) {
      const Pack a = pack(xs[i], xs[i + 1], xs[i + 2], xs[i + 3]);
      const Pack b = pack(xs[j], xs[j + 1], xs[j + 2], xs[j + 3]);
      const Pack all_four = f(a, b);
      for (int k = 0; k < kLanes; ++k) {
        const double alone = f(lane(a, k), lane(b, k));
        ASSERT_TRUE(same(lane(all_four, k), alone))
            << what << "(" << lane(a, k) << ", " << lane(b, k) << ") lane " << k << ": "
            << lane(all_four, k) << " not " << alone;
      }
    }
  }
}

TEST_F(ScalarPack, ArithmeticGivesTheBitsOfDoubleInEveryLane) {
  expect_two_arguments_agree("+", [](const auto& a, const auto& b) { return a + b; });
  expect_two_arguments_agree("-", [](const auto& a, const auto& b) { return a - b; });
  expect_two_arguments_agree("*", [](const auto& a, const auto& b) { return a * b; });
  expect_two_arguments_agree("/", [](const auto& a, const auto& b) { return a / b; });
  expect_one_argument_agrees("-", [](const auto& a) { return -a; });
}

TEST_F(ScalarPack, CompoundAssignmentGivesTheBitsOfDoubleInEveryLane) {
  expect_two_arguments_agree("+=", [](auto a, const auto& b) { return a += b, a; });
  expect_two_arguments_agree("-=", [](auto a, const auto& b) { return a -= b, a; });
  expect_two_arguments_agree("*=", [](auto a, const auto& b) { return a *= b, a; });
  expect_two_arguments_agree("/=", [](auto a, const auto& b) { return a /= b, a; });
}

TEST_F(ScalarPack, MixedWithADoubleItIsAPackOfThatNumber) {
  expect_one_argument_agrees("2.5*", [](const auto& a) { return 2.5 * a; });
  expect_one_argument_agrees("*2.5", [](const auto& a) { return a * 2.5; });
  expect_one_argument_agrees("1/", [](const auto& a) { return 1.0 / a; });
  expect_one_argument_agrees("-0.1", [](const auto& a) { return a - 0.1; });
}

TEST_F(ScalarPack, FunctionsGiveTheBitsOfDoubleInEveryLane) {
  expect_one_argument_agrees("sqrt", [](const auto& a) { return sqrt(a); });
  expect_one_argument_agrees("abs", [](const auto& a) { return abs(a); });
  expect_one_argument_agrees("exp", [](const auto& a) { return exp(a); });
  expect_one_argument_agrees("square", [](const auto& a) { return square(a); });
  expect_two_arguments_agree("atan2", [](const auto& a, const auto& b) { return atan2(a, b); });
}

TEST_F(ScalarPack, SineAndCosineGiveTheBitsOfDoubleInEveryLane) {
  expect_one_argument_agrees("sin", [](const auto& a) { return sin_cos(a).sin; });
  expect_one_argument_agrees("cos", [](const auto& a) { return sin_cos(a).cos; });
  std::mt19937_64 engine(8);
  for (int i = 0; i < 20000; ++i) {
    Pack x;
    for (int k = 0; k < kLanes; ++k) {
      const double range = k == 3 ? 1.7e6 : 20;  // the last lane leaves the fast road at times
      set_lane(x, k, range * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1));
    }
    const SinCos<Pack> sc = sin_cos(x);
    for (int k = 0; k < kLanes; ++k) {
      const SinCos<double> one = sin_cos(lane(x, k));
      ASSERT_TRUE(same(lane(sc.sin, k), one.sin)) << lane(x, k);
      ASSERT_TRUE(same(lane(sc.cos, k), one.cos)) << lane(x, k);
    }
  }
}

TEST_F(ScalarPack, MinMaxAndClampGiveTheBitsOfDoubleInEveryLane) {
  expect_two_arguments_agree("min", [](const auto& a, const auto& b) { return min(a, b); });
  expect_two_arguments_agree("max", [](const auto& a, const auto& b) { return max(a, b); });
  expect_two_arguments_agree("clamp", [](const auto& a, const auto& b) {
    using T = std::remove_cvref_t<decltype(a)>;
    return clamp(a, T(-abs(b)), T(abs(b)));
  });
}

TEST_F(ScalarPack, ComparisonsDecideLaneByLane) {
  const auto pick = [](auto compare) {
    return [compare](const auto& a, const auto& b) {
      using T = std::remove_cvref_t<decltype(a)>;
      return select(compare(a, b), T(1.0), T(0.0));
    };
  };
  expect_two_arguments_agree("<", pick([](const auto& a, const auto& b) { return a < b; }));
  expect_two_arguments_agree(">", pick([](const auto& a, const auto& b) { return a > b; }));
  expect_two_arguments_agree("<=", pick([](const auto& a, const auto& b) { return a <= b; }));
  expect_two_arguments_agree(">=", pick([](const auto& a, const auto& b) { return a >= b; }));
  expect_two_arguments_agree("!<", pick([](const auto& a, const auto& b) { return !(a < b); }));
  expect_two_arguments_agree("&&",
                             pick([](const auto& a, const auto& b) { return a < b && b > 0.0; }));
  expect_two_arguments_agree("||",
                             pick([](const auto& a, const auto& b) { return a < b || b > 0.0; }));
}

// All sixteen masks of four lanes.
TEST_F(ScalarPack, AnyAndAllCountTheLanes) {
  for (int bits = 0; bits < 16; ++bits) {
    Pack x;
    for (int k = 0; k < kLanes; ++k) set_lane(x, k, (bits >> k) & 1 ? 1.0 : -1.0);
    EXPECT_EQ(any(x > 0.0), bits != 0);
    EXPECT_EQ(all(x > 0.0), bits == 15);
    EXPECT_EQ(any(!(x > 0.0)), bits != 15);
    EXPECT_EQ(all(!(x > 0.0)), bits == 0);
    const Pack chosen = select(x > 0.0, pack(1, 2, 3, 4), pack(-1, -2, -3, -4));
    for (int k = 0; k < kLanes; ++k)
      EXPECT_EQ(lane(chosen, k), ((bits >> k) & 1 ? 1 : -1) * (k + 1));
  }
}

TEST_F(ScalarPack, SelectDoesNotLetTheOtherRoadIn) {
  const Pack x = pack(0, 4, 0, 9);
  const Pack y = select(x > 0.0, 1.0 / x, Pack(7.0));
  EXPECT_EQ(y, pack(7, 0.25, 7, 1.0 / 9));
}

TEST_F(ScalarPack, EqualMeansEqualInAllLanes) {
  EXPECT_TRUE(pack(1, 2, 3, 4) == pack(1, 2, 3, 4));
  for (int k = 0; k < kLanes; ++k) {
    Pack x = pack(1, 2, 3, 4);
    set_lane(x, k, 9);
    EXPECT_FALSE(x == pack(1, 2, 3, 4)) << k;
    set_lane(x, k, kNaN);
    EXPECT_FALSE(x == x) << k;
  }
}

TEST_F(ScalarPack, LargestIsTheLargestLaneAndNaNInAnyLaneIsNaN) {
  std::array<double, 4> v = {-3, 5, 0.5, -7};
  for (int turn = 0; turn < 4; ++turn) {
    EXPECT_EQ(largest(pack(v[0], v[1], v[2], v[3])), 5.0);
    std::array<double, 4> w = v;
    for (double& bad : w) {
      const double kept = std::exchange(bad, kNaN);
      EXPECT_TRUE(std::isnan(largest(pack(w[0], w[1], w[2], w[3]))));
      bad = kept;
    }
    std::rotate(v.begin(), v.begin() + 1, v.end());
  }
  EXPECT_EQ(largest(pack(-4, -3, -2, -5)), -2.0);
  EXPECT_EQ(largest(pack(1, kInfinity, 2, 3)), kInfinity);
  EXPECT_TRUE(std::isnan(largest(pack(kInfinity, kNaN, kInfinity, 1))));
}

TEST_F(ScalarPack, OneLostLaneIsNotFinite) {
  EXPECT_TRUE(is_finite(pack(1, 2, 3, 4)));
  for (double bad : {kNaN, kInfinity, -kInfinity})
    for (int k = 0; k < kLanes; ++k) {
      Pack x(1.0);
      set_lane(x, k, bad);
      EXPECT_FALSE(is_finite(x)) << k;
    }
}

TEST_F(ScalarPack, ALaneIsSetAlone) {
  EXPECT_EQ(lanes<Pack>, 4);
  Pack x;
  EXPECT_EQ(x, Pack(0.0));
  set_lane(x, 2, 5.0);
  EXPECT_EQ(x, pack(0, 0, 5, 0));
  EXPECT_EQ(value(pack(9, 1, 2, 3)), 9.0);
}

TEST_F(ScalarPack, ALostLaneOfAnAngleLeavesTheOthersAlone) {
  const SinCos<Pack> sc = sin_cos(pack(0.3, kNaN, -2.0, kInfinity));
  EXPECT_EQ(lane(sc.sin, 0), sin_cos(0.3).sin);
  EXPECT_EQ(lane(sc.cos, 2), sin_cos(-2.0).cos);
  EXPECT_TRUE(std::isnan(lane(sc.sin, 1)) && std::isnan(lane(sc.cos, 3)));
}

}  // namespace
}  // namespace berth
