// SPDX-License-Identifier: Apache-2.0

// A run that does not get on says so, and who holds it up.

#include <gtest/gtest.h>

#include "tests/run/contact_runs.h"

namespace berth::test::endings_test {
namespace {

Event repeated(const HybridRun& run, const std::string& name, const std::string& when,
               double impulse) {
  Event e;
  e.name = name;
  e.when.emplace(when, run.channels());
  e.repeat = true;
  e.actions.push_back(StrikeAction{"ball", {impulse, 0, 0}, {}, {}});
  return e;
}

// Each sees to it that the other acts.
TEST(Endings, TwoEventsThatUndoEachOtherAtOneInstantAreStuck) {
  HybridRun run(ball(1, 0, 100, 0), {});
  run.set_events({repeated(run, "push", "ball.rhodot_BO_N.x > -1", -3),
                  repeated(run, "pull", "ball.rhodot_BO_N.x < -1", 3)});
  const Outcome outcome = run.advance(10);
  EXPECT_EQ(outcome.ending, Ending::stuck);
  EXPECT_NE(outcome.reason.find("event pu"), std::string::npos) << outcome.reason;
  EXPECT_FALSE(outcome.completed());
}

TEST(Endings, AContactFarTooStiffIsNamed) {
  System<double> s = ball(1e-3, 1, 1e300, 0);
  RunOptions options;
  options.integrator.max_steps = 5000;
  HybridRun run(s, options);
  const Outcome outcome = run.advance(10);
  EXPECT_FALSE(outcome.completed());
  EXPECT_NE(outcome.reason.find("probe"), std::string::npos) << outcome.reason;
}

TEST(Endings, BudgetsOfStepsEventsAndTimeAreKept) {
  RunOptions options;
  options.integrator.max_steps = 3;
  options.integrator.max_step = 0.01;
  HybridRun few(ball(10, 1, 100, 0), options);
  EXPECT_EQ(few.advance(5).ending, Ending::too_many_steps);

  options = {};
  options.max_events = 7;
  System<double> s;  // falls on the ground and comes back for ever
  UniformGravity<double> g;
  g.uniform = {-9.81, 0, 0};
  s.add_force(g);
  const int craft = add_craft(s, "ball", {1, 0, 0}, {}, 1, 1);
  s.add_contact(touching(craft, {}, kGround)).law = SpringDashpot<double>{1e4, 0};
  HybridRun bounces(s, options);
  const Outcome many = bounces.advance(100);
  EXPECT_EQ(many.ending, Ending::too_many_events);
  EXPECT_NE(many.reason.find("probe"), std::string::npos) << many.reason;

  options = {};
  options.max_wall_time = 0.05;
  options.integrator.max_step = 1e-6;
  HybridRun slow(ball(10, 1, 100, 0), options);
  EXPECT_EQ(slow.advance(5).ending, Ending::out_of_time);
  EXPECT_GT(slow.t(), 0);
}

}  // namespace
}  // namespace berth::test::endings_test
