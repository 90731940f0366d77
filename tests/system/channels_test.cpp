// SPDX-License-Identifier: Apache-2.0
#include "berth/system/channels.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/built.h"
#include "tests/support/shipped.h"

namespace berth::channels_test {
namespace {

using test::build_shipped;

const std::vector<std::string> kScenarios{"docking",      "dual_arm_free", "hil_contact",
                                          "berthing",     "heavy_top",     "servicer_despin",
                                          "bouncing_ball"};

TEST(Channels, SingleNumbersAreThoseOfTheRow) {
  for (const std::string& name : kScenarios) {
    SCOPED_TRACE(name);
    const BuiltScenario built = build_shipped(name).built;
    HybridRun run(built.system, built.options);
    run.advance(0.5);
    const Channels& channels = run.channels();
    const auto width = static_cast<std::size_t>(channels.width());
    std::vector<double> row(width);
    run.fill_row(run.t(), run.x(), row);
    const Workspace<double>& w = run.observe();
    // One by one, and a few of each owner backwards.
    std::vector<int> places;
    for (int p = 0; p < channels.width(); ++p) {
      double one = NAN;
      channels.fill<double>(std::span(&p, 1), run.system(), run.x(), w, {&one, 1});
      EXPECT_EQ(one, row[static_cast<std::size_t>(p)]) << channels.at(p).name;
      places.insert(places.begin(), p);
    }
    std::vector<double> out(width);
    channels.fill<double>(places, run.system(), run.x(), w, out);
    std::reverse(out.begin(), out.end());
    EXPECT_EQ(out, row);
  }
}

TEST(Channels, WhatNeedsTheMotionAloneDoesNotReadLoads) {
  for (const std::string& name : kScenarios) {
    SCOPED_TRACE(name);
    const BuiltScenario built = build_shipped(name).built;
    HybridRun run(built.system, built.options);
    run.advance(0.5);
    if (run.mode().contacts.size() > 0 && run.system().contacts[0].is_delayed()) continue;
    const Channels& channels = run.channels();
    std::vector<double> row(static_cast<std::size_t>(channels.width()));
    run.fill_row(run.t(), run.x(), row);
    Workspace<double> w(run.system());  // nothing but the first stage
    motion_stage<double>(run.system(), run.t(), run.x(), run.mode(), w);
    for (const Channel& c : channels.list()) {
      if (c.needs == Needs::loads) continue;
      for (int p = c.first; p < c.first + c.width; ++p) {
        double one = NAN;
        channels.fill<double>(std::span(&p, 1), run.system(), run.x(), w, {&one, 1});
        EXPECT_EQ(one, row[static_cast<std::size_t>(p)]) << c.name;
      }
    }
  }
}

TEST(Channels, NormsAreNeverNegativeAndFlagsAreZeroOrOne) {
  for (const std::string& name : kScenarios) {
    SCOPED_TRACE(name);
    const BuiltScenario built = build_shipped(name).built;
    HybridRun run(built.system, built.options);
    run.advance(0.5);
    std::vector<double> row(static_cast<std::size_t>(run.channels().width()));
    run.fill_row(run.t(), run.x(), row);
    for (const Channel& c : run.channels().list()) {
      const double value = row[static_cast<std::size_t>(c.first)];
      if (c.kind == Kind::smooth) continue;
      EXPECT_EQ(c.width, 1) << c.name;
      EXPECT_GE(value, 0) << c.name;
      EXPECT_TRUE(c.kind != Kind::flag || value == 0 || value == 1) << c.name;
    }
  }
}

// The list is made anew only when it is another one.
TEST(Channels, AreSharedBySystemsThatDifferByNumbersAlone) {
  const Channels one(build_shipped("docking").built.system),
      other(build_shipped("docking", {"spacecraft.servicer.mass=700"}).built.system),
      third(build_shipped("slew").built.system);
  EXPECT_EQ(&one.list(), &other.list());
  EXPECT_NE(&one.list(), &third.list());
}

TEST(Channels, AreThoseOfTheSystemWhateverWasMadeBefore) {
  const auto list_names = [](const std::string& scenario) {
    const Channels channels(build_shipped(scenario).built.system);
    std::string all;
    for (const Channel& c : channels.list()) {
      all += fmt::format("{} {} {} {} {}\n", c.name, c.unit, c.frame, c.width, c.first);
      EXPECT_EQ(channels.find(c.name), &c);
    }
    return all;
  };
  std::vector<std::string> forth, back;
  for (const std::string& name : kScenarios) forth.push_back(list_names(name));
  for (auto name = kScenarios.rbegin(); name != kScenarios.rend(); ++name)
    back.insert(back.begin(), list_names(*name));
  EXPECT_EQ(forth, back);
}

TEST(Channels, AFreeContactHasADepthBelowZeroBeforeItIsCut) {
  const BuiltScenario built = build_shipped("hil_contact").built;
  HybridRun run(built.system, built.options);
  const Channels& channels = run.channels();
  const std::string& name = run.system().contacts.at(0).name;
  const int depth = channels.find_number(name + ".penetration")->place;
  const int gap = channels.find_number(name + ".gap")->place;
  EXPECT_EQ(channels.at(depth).kind, Kind::clipped);
  const Workspace<double>& w = run.observe();
  const int places[] = {depth, gap};
  double cut[2], uncut[2];
  channels.fill<double>(places, run.system(), run.x(), w, cut);
  channels.fill<double>(places, run.system(), run.x(), w, uncut, Cut::undone);
  EXPECT_GE(cut[0], 0);
  EXPECT_EQ(uncut[0], -uncut[1]);
  EXPECT_EQ(cut[1], uncut[1]);
}

TEST(Channels, ACaptureCountsItsAttitudeFromTheMatedOne) {
  const Summary s = test::run_shipped("docking", {0.5, 1, 2, 2.5, 3}, {}, [](Scenario& to) {
    to.time.stop = 3.5;
    to.expect = {};
  });
  for (std::size_t k = 0; k < s.samples.size(); ++k) {
    EXPECT_LT(test::number(s, k, "capture.angle"), 0.1);
    EXPECT_GT(test::number(s, k, "capture.quaternion"), 0.99);
    // To first order the angle is made of tilt and roll.
    EXPECT_NEAR(test::number(s, k, "capture.angle"),
                std::hypot(test::number(s, k, "capture.tilt"), test::number(s, k, "capture.roll")),
                1e-3);
  }
}

// d/dt of a velocity channel by central differences of rows beside it.
void expect_slope(const std::string& scenario, const std::vector<std::string>& settings,
                  const std::string& rate, const std::string& acceleration, double t,
                  double tolerance) {
  SCOPED_TRACE(fmt::format("{} {}", scenario, acceleration));
  constexpr double h = 1e-3;
  const Summary s = test::run_shipped(scenario, {t - h, t, t + h}, settings,
                                      [&](Scenario& to) { to.time.stop = t + 2 * h; });
  const auto at = [&](std::size_t k, const std::string& name, int i) {
    return test::number(s, k, name, i);
  };
  int width = 0;
  for (const Channel& c : s.channels)
    if (c.name == acceleration) width = c.width;
  ASSERT_GT(width, 0);
  for (int i = 0; i < width; ++i)
    EXPECT_NEAR(at(1, acceleration, i), (at(2, rate, i) - at(0, rate, i)) / (2 * h), tolerance);
}

TEST(Channels, AccelerationsAreTheRatesOfVelocitiesHoweverTheDockIsHeld) {
  for (const char* enforce : {"exact", "reduced", "baumgarte", "fused"}) {
    SCOPED_TRACE(enforce);
    const std::vector<std::string> how{fmt::format("dock.joint.enforce={}", enforce),
                                       "integrator.tolerance=1e-12"};
    for (const char* craft : {"servicer", "target"}) {
      const std::string c = craft;
      expect_slope("docked_tumble", how, c + ".rhodot_BO_N", c + ".rhoddot_BO_N", 20, 1e-7);
      expect_slope("docked_tumble", how, c + ".v_BN_N", c + ".a_BN_N", 20, 1e-6);
      expect_slope("docked_tumble", how, c + ".omega_BN_B", c + ".alpha_BN_B", 20, 1e-8);
    }
  }
}

}  // namespace
}  // namespace berth::channels_test
