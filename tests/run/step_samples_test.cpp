// SPDX-License-Identifier: Apache-2.0

// What samples of a step promise of the rest of it: nothing that crosses or peaks may be screened out,
// and what plainly does not should be.

#include "berth/run/step_samples.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::test::step_samples_test {
namespace {

// Of the whole range from the first case on.
rc::Gen<int> whole(int from, int to) { return rc::gen::resize(100, rc::gen::inRange(from, to)); }

// The stages of dop853 that are sampled lie about here.
constexpr std::array kTheta{0.118, 0.266, 0.333, 0.5, 0.601, 0.857};

StepSamples samples_of(const std::function<double(double)>& g, double t_0 = 3, double h = 0.7) {
  StepSamples s;
  s.reset(1);
  s.first()[0] = g(0);
  s.begin_trial();
  for (const double theta : kTheta) s.add(t_0 + theta * h)[0] = g(theta);
  s.last()[0] = g(1);
  s.prepare(t_0, t_0 + h);
  return s;
}

TEST(StepSamples, SeesWhatIsPlainlyAway) {
  const auto away = samples_of([](double s) { return 5 + std::sin(s); });
  EXPECT_FALSE(away.may_cross(0));
  EXPECT_FALSE(away.may_exceed(0, 7));
  // A turning point below the peak so far, and one that ends at its largest.
  EXPECT_FALSE(samples_of([](double s) { return 4 * s * (1 - s); }).may_exceed(0, 1.5));
  EXPECT_FALSE(samples_of([](double s) { return s; }).may_exceed(0, 0.5));
}

TEST(StepSamples, SeesChangesOfSignAndPeaks) {
  EXPECT_TRUE(samples_of([](double s) { return s - 0.01; }).may_cross(0));
  EXPECT_TRUE(samples_of([](double s) { return 4 * s * (1 - s); }).may_exceed(0, 0.99));
  EXPECT_TRUE(samples_of([](double) { return NAN; }).may_cross(0));
}

// A parabola that dips below zero for as little as 1e-4 of the step, anywhere in it, with a smooth
// companion as large as itself.
RC_GTEST_PROP(StepSamples, LosesNoShortVisit, ()) {
  const double at = *whole(200, 9800) * 1e-4;
  const double width = std::pow(10.0, -*whole(0, 401) * 0.01);  // 1 … 1e-4
  const double bend = *rc::gen::element(-1.0, 1.0) * std::pow(10.0, *whole(-6, 7));
  const double cubic = *whole(-50, 51) * 0.01;
  const auto g = [&](double s) {
    const double d = s - at;
    return bend * (d * d - 0.25 * width * width) * (1 + cubic * d);
  };
  RC_ASSERT(samples_of(g).may_cross(0));
}

// The largest of a quartic that turns inside is not screened out against what the ends have reached.
RC_GTEST_PROP(StepSamples, LosesNoPeak, ()) {
  const double at = *whole(200, 9800) * 1e-4, size = std::pow(10.0, *whole(-6, 7));
  const double cubic = *whole(-40, 41) * 0.01, quartic = *whole(-40, 41) * 0.01;
  const auto g = [&](double s) {
    const double d = s - at;
    return size * (2 - d * d * (1 + d * (cubic + d * quartic)));
  };
  RC_ASSERT(samples_of(g).may_exceed(0, std::max(g(0), g(1))));
}

// Of variational steps the ends alone are known, and those of the step before.
RC_GTEST_PROP(StepSamples, LosesNoShortVisitBetweenEnds, ()) {
  const double at = *whole(200, 9800) * 1e-4;
  const double width = std::pow(10.0, -*whole(0, 401) * 0.01);
  const double sign = *rc::gen::element(-1.0, 1.0), cubic = *whole(-10, 11) * 0.01;
  const auto g = [&](double s) {
    const double d = s - at;
    return sign * (d * d - 0.25 * width * width) * (1 + cubic * d);
  };
  StepSamples s;
  s.reset(1);
  s.first()[0] = g(-1);
  s.last()[0] = g(0);
  s.prepare(-1, 0);
  s.begin_next();
  s.last()[0] = g(1);
  s.prepare(0, 1);
  RC_ASSERT(s.may_cross(0));
}
TEST(StepSamples, KnowsBetweenEndsWhatIsPlainlyAway) {
  StepSamples s;
  s.reset(1);
  s.first()[0] = 5.0;
  s.last()[0] = 5.1;
  s.prepare(-1, 0);
  s.begin_next();
  s.last()[0] = 5.3;
  s.prepare(0, 1);
  EXPECT_FALSE(s.may_cross(0));
  EXPECT_FALSE(s.may_exceed(0, 5.2));
}

// Implicit methods leave no samples at stages: those of an earlier step must not pass for theirs.
TEST(StepSamples, ForgetsTheInsideOfTheStepBefore) {
  StepSamples s = samples_of([](double theta) { return 1 + theta; });
  EXPECT_TRUE(s.has_inside());
  s.begin_next();
  EXPECT_FALSE(s.has_inside());
  StepSamples afresh = samples_of([](double theta) { return 1 + theta; });
  afresh.begin_afresh();
  EXPECT_FALSE(afresh.has_inside());
}

// Stages of a step that stability limits scatter about the motion: they are not taken for it.
TEST(StepSamples, MistrustsStagesThatScatter) {
  StepSamples s;
  s.reset(1);
  const auto step = [&](double from, double to, double scatter) {
    s.begin_trial();
    double side = 1;
    for (const double theta : kTheta) {
      s.add(theta)[0] = from + theta * (to - from) + (side *= -1) * scatter;
    }
    s.last()[0] = to;
    s.prepare(0, 1);
  };
  s.first()[0] = 10;
  step(10, 10.1, 5);
  s.begin_next();
  step(10.1, 10.2, 5);
  EXPECT_FALSE(s.may_exceed(0, 10.15));
}

}  // namespace
}  // namespace berth::test::step_samples_test
