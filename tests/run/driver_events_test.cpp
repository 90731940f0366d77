// SPDX-License-Identifier: Apache-2.0

// Events of a run: when conditions come true, what follows what, what actions do.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/run/run_cases.h"
#include "tests/support/craft.h"
#include "tests/support/runs.h"

namespace berth::driver_events_test {
namespace {

using namespace run_cases;
using test::with_tolerance;

// A cart on a spring: x = x₀ cos t + v₀ sin t.
System<double> cart(double at, double speed = 0) {
  SloshMass<double> c;
  c.axis = {1, 0, 0};
  c.mass = c.stiffness = 2;
  c.displacement = at;
  c.rate = speed;
  System<double> system;
  system.add_component(c, kGround, "cart");
  return system;
}

// Runs the cart with these events and says what happened when.
struct EventRun {
  HybridRun driver;
  std::vector<Event> events;

  explicit EventRun(const System<double>& system) : driver(system, with_tolerance(1e-12)) {}
  Event& add(const std::string& name) {
    events.emplace_back();
    events.back().name = name;
    return events.back();
  }
  Event& add_when(const std::string& name, const std::string& condition) {
    Event& e = add(name);
    e.when.emplace(condition, driver.channels());
    return e;
  }
  Outcome advance(double t) {
    driver.set_events(events);
    return driver.advance(t);
  }
  std::vector<double> times(const std::string& name) const {
    std::vector<double> t;
    for (const EventRecord& h : driver.event_records())
      if (h.name == name) t.push_back(h.t);
    return t;
  }
};
void expect_times(const std::vector<double>& seen, const std::vector<double>& wanted) {
  ASSERT_EQ(seen.size(), wanted.size());
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_NEAR(seen[i], wanted[i], 1e-10);
}

TEST(DriverEvents, AConditionIsFoundWhereItBeginsToHold) {
  EventRun s(cart(0.5));
  s.add_when("once", "cart.travel < 0.25");
  s.add_when("every time", "cart.travel < 0").repeat = true;
  Event& ends = s.add_when("ends", "cart.travel < 0");
  ends.on_false = ends.repeat = true;
  ASSERT_TRUE(s.advance(12).completed());
  expect_times(s.times("once"), {std::acos(0.5)});
  expect_times(s.times("every time"), {M_PI / 2, 2.5 * M_PI});
  expect_times(s.times("ends"), {1.5 * M_PI, 3.5 * M_PI});
}

TEST(DriverEvents, AConditionThatHoldsFromTheStartActsAtOnce) {
  EventRun s(cart(0.5));
  s.add_when("there", "cart.travel > 0.1");
  s.add_when("not there", "cart.travel > 0.6");
  ASSERT_TRUE(s.advance(5).completed());
  expect_times(s.times("there"), {0});
  EXPECT_TRUE(s.times("not there").empty());
  EXPECT_EQ(s.driver.waiting_events(), (std::vector<std::string>{"not there"}));
}

// On the very edge at the start, leaving to the one side or the other: the count must not get out
// of step with the condition.
TEST(DriverEvents, FromTheVeryEdgeTheConditionIsFollowedRight) {
  for (double speed : {1.0, -1.0}) {
    EventRun s(cart(0, speed));
    s.add_when("right", "cart.travel > 0").repeat = true;
    s.add_when("left", "cart.travel < 0").repeat = true;
    ASSERT_TRUE(s.advance(12).completed());
    // x = ± sin t. On the edge both hold, as margins of zero do.
    const std::vector<double> first = {0, 2 * M_PI}, second = {0, M_PI, 3 * M_PI};
    expect_times(s.times("right"), speed > 0 ? first : second);
    expect_times(s.times("left"), speed > 0 ? second : first);
  }
}

TEST(DriverEvents, AConditionMustHoldWithoutABreak) {
  EventRun s(cart(1));
  // Holds for π at a time: longer than 3, shorter than 3.2.
  s.add_when("short enough", "cart.travel < 0").hold = 3;
  s.add_when("too long", "cart.travel < 0").hold = 3.2;
  ASSERT_TRUE(s.advance(30).completed());
  expect_times(s.times("short enough"), {M_PI / 2 + 3});
  EXPECT_TRUE(s.times("too long").empty());
}

TEST(DriverEvents, OneFollowsAnotherWithItsDelay) {
  EventRun s(cart(1));
  Event& last = s.add("last");
  last.after = 1;
  last.delay = 0.5;
  s.add("first").at = 2.0;
  Event& at_once = s.add("at once");
  at_once.after = 1;
  Event& watch = s.add_when("watched from then", "cart.travel > 0");
  watch.after = 1;
  ASSERT_TRUE(s.advance(10).completed());
  expect_times(s.times("first"), {2});
  expect_times(s.times("last"), {2.5});
  expect_times(s.times("at once"), {2});
  expect_times(s.times("watched from then"), {1.5 * M_PI});
}

TEST(DriverEvents, AtOneMomentTheyActInTheOrderOfTheFile) {
  EventRun s(cart(1));
  for (const char* name : {"a", "b", "c"}) s.add(name).at = 1.0;
  s.add_when("d", "cart.travel > 0").at.reset();
  ASSERT_TRUE(s.advance(2).completed());
  std::vector<std::string> order;
  for (const EventRecord& h : s.driver.event_records()) order.push_back(h.name);
  EXPECT_EQ(order, (std::vector<std::string>{"d", "a", "b", "c"}));
}

TEST(DriverEvents, AStopEndsTheRunThereWithItsVerdict) {
  EventRun s(cart(1));
  Event& stop = s.add_when("home", "cart.travel < 0");
  stop.actions = {StopAction{"arrived"}};
  const Outcome outcome = s.advance(10);
  EXPECT_EQ(outcome.ending, Ending::stopped);
  EXPECT_EQ(outcome.reason, "arrived");
  EXPECT_NEAR(outcome.t, M_PI / 2, 1e-10);
  EXPECT_NEAR(s.driver.x()[0], 0, 1e-10);
  EXPECT_EQ(s.driver.verdict(), "arrived");
}

TEST(DriverEvents, AKickSetsOrAddsToASpeedAndIsCounted) {
  for (bool add : {true, false}) {
    EventRun s(cart(1));
    Event& kick = s.add_when("kick", "cart.travel < 0");
    kick.actions = {add ? KickAction{"cart", {}, 0.25} : KickAction{"cart", 0.25}};
    ASSERT_TRUE(s.advance(3).completed());
    const double speed = add ? -1 + 0.25 : 0.25;
    EXPECT_NEAR(s.driver.x()[0], speed * std::sin(3 - M_PI / 2), 1e-10);
    EXPECT_LT(s.driver.audit().energy, 1e-11);
    EXPECT_LT(s.driver.audit().linear_momentum, 1e-11);
  }
}

// An impulse on a body of a tree moves the tree as a very short, very strong push does.
TEST(DriverEvents, AnImpulseIsTheLimitOfAShortPush) {
  System<double> system = test::complete_craft<double>(false);
  const V impulse{3, -2, 1}, point{0.4, 0.1, -0.3};
  EventRun s(system);
  Event& impulsive = s.add("impulsive");
  impulsive.at = 0.5;
  impulsive.actions = {StrikeAction{"servicer.panel", impulse, point, {}}};
  ASSERT_TRUE(s.advance(0.6).completed());
  EXPECT_LT(s.driver.audit().linear_momentum, 1e-11);
  EXPECT_LT(s.driver.audit().energy, 1e-10);

  const double width = 1e-6;
  ExternalLoad<double> push_it;
  push_it.body = "servicer.panel";
  push_it.force = (1 / width) * impulse;
  push_it.point = point;
  push_it.schedule = {{0.5, 0.5 + width}};
  System<double> pushed = system;
  pushed.add_force(push_it);
  HybridRun other(pushed, with_tolerance(1e-12));
  ASSERT_TRUE(other.advance(0.6).completed());
  EXPECT_LT(largest_difference(system, s.driver.x(), other.x()), 1e-5);
}

TEST(DriverEvents, ASwitchedForceActsFromThenOn) {
  System<double> system;
  system.model.add_body(test::hub_spec<double>("servicer", 10));
  ExternalLoad<double> load = push({10, 0, 0}, {});
  load.name = "leak";
  load.axes = "inertial";
  load.enabled = false;
  system.add_force(load);
  EventRun s(system);
  Event& on = s.add("on");
  on.at = 1.0;
  on.actions = {ForceAction{"leak", true}};
  Event& off = s.add("off");
  off.after = 0;
  off.delay = 0.25;
  off.actions = {ForceAction{"leak", false}};
  ASSERT_TRUE(s.advance(3).completed());
  EXPECT_NEAR(s.driver.x()[7], 0.25, 1e-13);
  EXPECT_LT(s.driver.audit().linear_momentum, 1e-12);
}

TEST(DriverEvents, AnObserverEndsTheRunAtAnEventAndItCanGoOn) {
  EventRun s(cart(1)), other(cart(1));
  for (EventRun* each : {&s, &other}) {
    Event& kick = each->add_when("kick", "cart.travel < 0");
    kick.actions = {KickAction{"cart", 0.25}};
    each->driver.set_events(each->events);
  }
  StopsAt stop(M_PI / 2 - 1e-6);
  ASSERT_EQ(s.driver.advance(3, &stop).ending, Ending::stopped);
  ASSERT_NO_THROW(s.driver.advance(3));
  ASSERT_TRUE(other.driver.advance(3).completed());
  EXPECT_EQ(s.times("kick").size(), 1u);
  EXPECT_NEAR(s.driver.x()[0], other.driver.x()[0], 1e-9);
}

}  // namespace
}  // namespace berth::driver_events_test
