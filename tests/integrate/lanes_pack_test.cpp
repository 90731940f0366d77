// SPDX-License-Identifier: Apache-2.0

#include "tests/integrate/lanes.h"

#include <gtest/gtest.h>

#include "berth/scalar/pack.h"

namespace berth::lanes_run {
namespace {

TEST(LanesOfAPack, FourEqualLanesGiveTheBitsOfADouble) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  for (const Tableau* m : kExplicitMethods) {
    const std::vector<double> start = problems::Pleiades::start();
    const std::vector<double> expected = run_in_double(*m, start);
    const std::vector<Pack> four = run(*m, std::vector<Pack>(start.begin(), start.end()));
    ASSERT_EQ(four.size(), expected.size()) << m->name;
    for (std::size_t i = 0; i < four.size(); ++i) {
      for (int k = 0; k < kLanes; ++k) ASSERT_EQ(lane(four[i], k), expected[i]) << m->name;
    }
  }
}

TEST(LanesOfAPack, TheHardestLaneSetsTheStep) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  // Circular to very eccentric orbits abreast: each meets the tolerance.
  const std::array<double, kLanes> e = {0.0, 0.3, 0.6, 0.9};
  std::vector<Pack> x(4);
  for (int k = 0; k < kLanes; ++k) {
    const std::vector<double> x_0 = problems::Kepler::exact(e[std::size_t(k)], 0);
    for (std::size_t i = 0; i < 4; ++i) set_lane(x[i], k, x_0[i]);
  }
  Adaptive<Pack> a(kDop853, 4, {{0, 2, 1.0}, {2, 2, 1.0}}, {.tolerance = 1e-11});
  a.start(0, x);
  while (a.t() < 7) ASSERT_EQ(a.step(problems::Kepler{}, 7.0), StepOutcome::accepted);
  for (int k = 0; k < kLanes; ++k) {
    const std::vector<double> exact = problems::Kepler::exact(e[std::size_t(k)], 7);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(lane(a.x()[i], k), exact[i], 1e-7) << e[std::size_t(k)];
  }
}

TEST(LanesOfAPack, ALostLaneStopsAllWithTheStateKept) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  // ẋ = x²: the lane that starts at 2 ends at t = 0.5, the others much later.
  const auto f = [](double, std::span<const Pack> x, std::span<Pack> rate) {
    rate[0] = x[0] * x[0];
  };
  std::vector<Pack> x = {Pack(0.1)};
  set_lane(x[0], 2, 2.0);
  Adaptive<Pack> a(kDop853, 1, {{0, 1, 1.0}}, {.tolerance = 1e-8});
  a.start(0, x);
  StepOutcome outcome = StepOutcome::accepted;
  while (a.t() < 1 && outcome == StepOutcome::accepted) outcome = a.step(f, 1.0);
  EXPECT_NE(outcome, StepOutcome::accepted);
  EXPECT_NEAR(a.t(), 0.5, 1e-5);
  EXPECT_NEAR(lane(a.x()[0], 0), 1 / (10 - a.t()), 1e-9);
  EXPECT_TRUE(is_finite(a.x()[0]));
}

}  // namespace
}  // namespace berth::lanes_run
