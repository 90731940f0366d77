// SPDX-License-Identifier: Apache-2.0
#include "berth/run/run.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/methods.h"
#include "tests/run/run_cases.h"
#include "tests/support/allocations.h"
#include "tests/support/craft.h"
#include "tests/support/runs.h"

namespace berth::run_run_test {
namespace {

using namespace run_cases;
using test::copy;
using test::with_tolerance;

// A craft with everything that acts at a time: windows, samples, pulses.
System<double> busy_craft() {
  System<double> system = test::complete_craft<double>(false);
  system.add_force(push({1, 2, -1}, {{0.35, 0.8}, {1.1, 1.25}}));
  ThrusterSet<double> set;
  set.name = "rcs";
  set.body = "servicer";
  const V e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k)
    for (double side : {1.0, -1.0})
      for (double turn : {1.0, -1.0})
        set.thruster.push_back({side * e[(k + 1) % 3], (side * turn) * e[(k + 2) % 3], 5.0});
  set.sample_time = 0.25;
  system.add_force(set);
  AttitudeControl<double> c;
  c.body = "servicer";
  c.thrusters = "rcs";
  c.K = 100;
  c.P = 300;
  c.Ki = 1;
  c.sample_time = 0.125;
  c.latency = 0.03;
  system.add_control(c);
  return system;
}

// --- running -------------------------------------------------------------------------------------

TEST(HybridRun, LandsOnTheTimesItIsGiven) {
  HybridRun driver(busy_craft(), {});
  for (double t : {0.1, 0.3, 0.35, 1.0, 1.0 / 3 + 1}) {
    const Outcome outcome = driver.advance(t);
    EXPECT_EQ(outcome.ending, Ending::reached_end);
    EXPECT_EQ(outcome.t, t);
    EXPECT_EQ(driver.t(), t);
    EXPECT_TRUE(outcome.completed());
  }
}

TEST(HybridRun, InTwoPiecesTheRunIsTheSame) {
  for (const System<double>& system : {test::complete_craft<double>(true), busy_craft()}) {
    HybridRun once(system, with_tolerance(1e-11)), twice(system, with_tolerance(1e-11));
    ASSERT_TRUE(once.advance(2).completed());
    for (double t : {0.35, 0.7, 0.75, 2.0}) ASSERT_TRUE(twice.advance(t).completed());
    EXPECT_LT(largest_difference(system, once.x(), twice.x()), 1e-9);
  }
}

TEST(HybridRun, GivenATimeThatHasPassedItStaysWhereItIs) {
  HybridRun driver(busy_craft(), {});
  ASSERT_TRUE(driver.advance(1).completed());
  const std::vector<double> x = copy(driver.x());
  for (double t : {1.0, 0.5, 0.0}) {
    EXPECT_EQ(driver.advance(t).ending, Ending::reached_end);
    EXPECT_EQ(driver.t(), 1.0);
    EXPECT_EQ(copy(driver.x()), x);
  }
}

TEST(HybridRun, TheSameRunGivesTheSameBits) {
  HybridRun a(busy_craft(), {}), b(busy_craft(), {});
  ASSERT_TRUE(a.advance(2).completed());
  ASSERT_TRUE(b.advance(2).completed());
  EXPECT_EQ(copy(a.x()), copy(b.x()));
}

TEST(HybridRun, EveryMethodArrivesAtTheSameState) {
  const System<double> system = test::complete_craft<double>(false);
  HybridRun reference(system, with_tolerance(1e-12));
  ASSERT_TRUE(reference.advance(1).completed());
  for (const Tableau* m : kExplicitMethods) {
    RunOptions options = with_tolerance(1e-9);
    options.method = std::string(m->name);
    options.integrator.step = 1e-3;
    HybridRun driver(system, options);
    ASSERT_TRUE(driver.advance(1).completed()) << m->name;
    EXPECT_LT(largest_difference(system, driver.x(), reference.x()), 1e-7) << m->name;
  }
}

TEST(HybridRun, OptionsThatCannotWorkAreRefused) {
  const System<double> system = test::complete_craft<double>(false);
  RunOptions options;
  options.method = "euler";
  EXPECT_THROW(HybridRun(system, options), std::invalid_argument);
  options.method = "rk4";  // needs a step
  EXPECT_THROW(HybridRun(system, options), std::invalid_argument);
  EXPECT_THROW(HybridRun(system, with_tolerance(0)), std::invalid_argument);
  EXPECT_THROW(HybridRun(system, with_tolerance(std::nan(""))), std::invalid_argument);
}

TEST(HybridRun, TheLedgersOfABusyRunBalance) {
  HybridRun driver(busy_craft(), with_tolerance(1e-11));
  ASSERT_TRUE(driver.advance(3).completed());
  EXPECT_LT(driver.audit().energy, 1e-9);
  EXPECT_LT(driver.audit().linear_momentum, 1e-9);
  EXPECT_LT(driver.audit().angular_momentum, 1e-9);
}

TEST(HybridRun, QuaternionsStayUnitVectors) {
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub", 10, Sym3<double>::diagonal(3, 2, 1.5));
  hub.v = {0, 0, 0, 2, 0.1, -1};
  system.model.add_body(hub);
  HybridRun driver(system, with_tolerance(1e-5));
  ASSERT_TRUE(driver.advance(500).completed());
  const auto q = driver.x().subspan(3, 4);
  EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 2e-9);
}

// --- steps ---------------------------------------------------------------------------------------

TEST(HybridRun, ErrorIsMeasuredOnEveryStateOnceButRotorAnglesAndLedgers) {
  System<double> system = busy_craft();
  system.set_orbit({}, {7e6, 0, 0}, {0, 7500, 0});
  const Layout at = system.layout();
  std::vector<int> covered(static_cast<std::size_t>(at.size), 0);
  for (const Block& b : find_error_blocks(system)) {
    EXPECT_EQ(b.scale, 1.0);
    for (std::size_t i = b.first; i < b.first + b.size; ++i) ++covered[i];
  }
  for (int i = 0; i < at.size; ++i) {
    bool rotor = false;
    for (const Body<double>& b : system.model.bodies) rotor |= b.spins && at.q + b.q == i;
    EXPECT_EQ(covered[static_cast<std::size_t>(i)], rotor || i >= at.ledger ? 0 : 1) << i;
  }
}

struct StepsSeen : Observer {
  std::vector<double> ends;
  bool joined = true;
  bool step(HybridRun& driver) override {
    joined &= driver.t_previous() == (ends.empty() ? 0.0 : ends.back());
    joined &= driver.t() > driver.t_previous();
    ends.push_back(driver.t());
    return true;
  }
};

TEST(HybridRun, AnObserverSeesEveryStepAndTheyFollowEachOther) {
  HybridRun driver(busy_craft(), {});
  StepsSeen seen;
  ASSERT_TRUE(driver.advance(1.5, &seen).completed());
  EXPECT_TRUE(seen.joined);
  EXPECT_EQ(seen.ends.size(), driver.counters().accepted);
  EXPECT_EQ(seen.ends.back(), 1.5);
  // Among them everything that stands in the event queue.
  for (double t : {0.125, 0.155, 0.25, 0.35, 0.8, 1.1, 1.25})
    EXPECT_TRUE(std::find(seen.ends.begin(), seen.ends.end(), t) != seen.ends.end()) << t;
}

// Inside the steps, and at their ends.
struct SamplesInside : Observer {
  std::vector<std::pair<double, std::vector<double>>> seen;
  bool step(HybridRun& driver) override {
    std::vector<double> x(driver.x().size());
    const double h = driver.t() - driver.t_previous();
    for (double s : {0.1, 0.5, 0.9}) {
      const double t = driver.t_previous() + s * h;
      driver.interpolate(t, x);
      seen.emplace_back(t, x);
      driver.observe(t, x);
    }
    driver.interpolate(driver.t(), x);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], driver.x()[i], 1e-14 * (1 + std::fabs(x[i])));
    return true;
  }
};

TEST(HybridRun, TheStateInsideAStepIsThatOfARunThatStopsThere) {
  const System<double> system = busy_craft();
  HybridRun driver(system, with_tolerance(1e-11));
  SamplesInside samples;
  ASSERT_TRUE(driver.advance(0.6, &samples).completed());
  ASSERT_GT(samples.seen.size(), 10u);
  for (std::size_t i = 0; i < samples.seen.size(); i += 7) {
    HybridRun other(system, with_tolerance(1e-11));
    ASSERT_TRUE(other.advance(samples.seen[i].first).completed());
    EXPECT_LT(largest_difference(system, samples.seen[i].second, other.x()), 1e-8)
        << samples.seen[i].first;
  }
}

TEST(HybridRun, ObservingChangesNothing) {
  HybridRun alone(busy_craft(), {}), watched(busy_craft(), {});
  ASSERT_TRUE(alone.advance(2).completed());
  SamplesInside samples;
  ASSERT_TRUE(watched.advance(2, &samples).completed());
  EXPECT_EQ(copy(alone.x()), copy(watched.x()));
}

TEST(HybridRun, ObservingChangesNothingInAnOrbitEither) {
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub");
  hub.v = {3, 4, 0, 0.01, 0, 0};
  system.model.add_body(hub);
  system.set_orbit({}, {7e6, 0, 0}, {0, 7546, 0});
  RunOptions options;
  options.recentre_beyond = 30;
  HybridRun alone(system, options), watched(system, options);
  ASSERT_TRUE(alone.advance(600).completed());
  SamplesInside samples;
  ASSERT_TRUE(watched.advance(600, &samples).completed());
  EXPECT_EQ(copy(alone.x()), copy(watched.x()));
}

// A corner of the force (a motor leaves its limit) shortens the steps around it, not those after.
TEST(HybridRun, BehindACornerTheStepsGrowAgain) {
  ReactionWheel<double> w = test::wheel<double>({0, 0, 1}, 0);
  w.max_torque = 0.3;
  System<double> system;
  const int hub = system.model.add_body(test::hub_spec<double>("hub"));
  system.add_component(w, hub, "wheel");
  JointPd<double> c;
  c.joints = {"wheel"};
  c.damping = 0.05;
  Profile<double> ramp;
  ramp.type = "table";
  ramp.times = {0, 1e6};
  ramp.values = {0, 2e7};  // 20 rad/s: saturated above an error of 6
  c.reference = {ramp};
  system.add_control(c);
  for (double start = 0; start < 2; start += 0.1) {
    System<double> shifted = system;
    shifted.model.v0.back() = start;
    HybridRun driver(shifted, with_tolerance(1e-10));
    ASSERT_TRUE(driver.advance(100).completed());
    EXPECT_LT(driver.counters().accepted + driver.counters().rejected, 400u) << start;
  }
}

// --- endings -------------------------------------------------------------------------------------

TEST(HybridRun, AnInterruptedRunKeepsItsStateAndGoesOn) {
  const System<double> system = busy_craft();
  HybridRun driver(system, {});
  int calls = 0;
  driver.interrupted = [&] { return ++calls > 5; };
  const Outcome outcome = driver.advance(2);
  EXPECT_EQ(outcome.ending, Ending::interrupted);
  EXPECT_FALSE(outcome.completed());
  EXPECT_EQ(outcome.t, driver.t());
  EXPECT_GT(driver.t(), 0);
  EXPECT_LT(driver.t(), 2);
  EXPECT_EQ(driver.counters().accepted, 5u);
  driver.interrupted = nullptr;
  ASSERT_TRUE(driver.advance(2).completed());
  HybridRun other(system, {});
  ASSERT_TRUE(other.advance(2).completed());
  EXPECT_EQ(copy(driver.x()), copy(other.x()));
}

TEST(HybridRun, AnObserverEndsTheRunAndItCanGoOn) {
  const System<double> system = test::complete_craft<double>(false);
  HybridRun driver(system, {}), other(system, {});
  StopsAt stop(0.4);
  const Outcome outcome = driver.advance(2, &stop);
  EXPECT_EQ(outcome.ending, Ending::stopped);
  EXPECT_GE(driver.t(), 0.4);
  EXPECT_LT(driver.t(), 2);
  ASSERT_TRUE(driver.advance(2).completed());
  ASSERT_TRUE(other.advance(2).completed());
  EXPECT_LT(largest_difference(system, driver.x(), other.x()), 1e-9);
}

// Stopped on a step that ends where the event queue has something to do: it is done before going on.
TEST(HybridRun, AnObserverEndsTheRunAtAnEntryOfTheEventQueueAndItCanGoOn) {
  const System<double> system = busy_craft();
  for (double t : {0.35, 0.25, 0.8}) {
    HybridRun driver(system, {}), other(system, {});
    StopsAt stop(t);
    ASSERT_EQ(driver.advance(2, &stop).ending, Ending::stopped);
    ASSERT_EQ(driver.t(), t);
    ASSERT_NO_THROW(driver.advance(2));
    EXPECT_EQ(driver.t(), 2);
    ASSERT_TRUE(other.advance(2).completed());
    EXPECT_LT(largest_difference(system, driver.x(), other.x()), 1e-9) << t;
  }
}

TEST(HybridRun, AForceThatIsNoNumberEndsTheRunWithTheStateBefore) {
  System<double> system = test::complete_craft<double>(false);
  system.add_force(push({std::nan(""), 0, 0}, {{0.7, 1.0}}));
  HybridRun driver(system, {});
  const Outcome outcome = driver.advance(2);
  EXPECT_EQ(outcome.ending, Ending::non_finite);
  EXPECT_EQ(name(outcome.ending), "non_finite");
  EXPECT_NE(outcome.reason.find("infinities or NaN"), std::string::npos) << outcome.reason;
  EXPECT_EQ(outcome.t, 0.7);
  EXPECT_EQ(driver.t(), 0.7);
  HybridRun other(test::complete_craft<double>(false), {});
  ASSERT_TRUE(other.advance(0.7).completed());
  EXPECT_LT(largest_difference(system, driver.x(), other.x()), 1e-12);
}

// Falling straight into the centre: a singularity at π/2 √(r³/2μ).
TEST(HybridRun, ASingularityEndsTheRunBeforeItWithAFiniteState) {
  System<double> system;
  system.model.add_body(test::hub_spec<double>("hub"));
  OrbitalGravity<double> g;
  g.gravity_gradient = false;
  system.set_orbit(g, {7e6, 0, 0}, {0, 1e-9, 0});
  HybridRun driver(system, {});
  const Outcome outcome = driver.advance(1e5);
  EXPECT_FALSE(outcome.completed());
  EXPECT_TRUE(outcome.ending == Ending::step_too_small || outcome.ending == Ending::non_finite)
      << name(outcome.ending);
  const double collapse = M_PI / 2 * std::sqrt(std::pow(7e6, 3) / (2 * g.mu));
  EXPECT_NEAR(outcome.t, collapse, 1e-3);
  EXPECT_LE(outcome.t, collapse * (1 + 1e-12));
  for (double x : driver.x()) EXPECT_TRUE(std::isfinite(x));
}

TEST(HybridRun, StepsBelowTheShortestAllowedEndTheRun) {
  System<double> system = test::complete_craft<double>(true);
  RunOptions options = with_tolerance(1e-11);
  options.integrator.min_step = 0.2;  // the imbalanced wheels need 0.01
  HybridRun driver(system, options);
  const Outcome outcome = driver.advance(5);
  EXPECT_EQ(outcome.ending, Ending::step_too_small);
  for (double x : driver.x()) EXPECT_TRUE(std::isfinite(x));
}

TEST(HybridRun, StepsAreCounted) {
  RunOptions options;
  options.integrator.max_steps = 7;
  HybridRun driver(test::complete_craft<double>(true), options);
  const Outcome outcome = driver.advance(5);
  EXPECT_EQ(outcome.ending, Ending::too_many_steps);
  EXPECT_EQ(driver.counters().accepted + driver.counters().rejected, 7u);
}

// --- in orbit ------------------------------------------------------------------------------------

V reported(HybridRun& driver, const std::string& channel) {
  std::vector<double> row(static_cast<std::size_t>(driver.channels().width()));
  driver.fill_row(driver.t(), driver.x(), row);
  const Channel* c = driver.channels().find(channel);
  EXPECT_NE(c, nullptr) << channel;
  if (!c) return {};
  const auto i = static_cast<std::size_t>(c->first);
  return {row[i], row[i + 1], row[i + 2]};
}

TEST(HybridRun, MovingTheFrameIsNotNoticedInAnyOutput) {
  System<double> system = test::complete_craft<double>(false);
  system.model.v0[0] = 2;
  system.model.v0[1] = -3;
  OrbitalGravity<double> g;
  g.j2 = 1.08e-3;
  system.set_orbit(g, {5e6, 3e6, 4e6}, {-4000, 6000, 500});
  RunOptions near = with_tolerance(1e-12), far = with_tolerance(1e-12);
  near.recentre_beyond = 10;
  far.recentre_beyond = 1e12;
  HybridRun a(system, near), b(system, far);
  for (double t : {10.0, 30.0, 100.0}) {
    ASSERT_TRUE(a.advance(t).completed());
    ASSERT_TRUE(b.advance(t).completed());
    EXPECT_LT(norm(reported(a, "servicer.rho_BO_N") - reported(b, "servicer.rho_BO_N")), 1e-8) << t;
    EXPECT_LT(norm(reported(a, "servicer.rhodot_BO_N") - reported(b, "servicer.rhodot_BO_N")), 1e-9)
        << t;
    EXPECT_LT(norm(reported(a, "servicer.omega_BN_B") - reported(b, "servicer.omega_BN_B")), 1e-10)
        << t;
    EXPECT_LT(norm(reported(a, "system.angular_momentum") - reported(b, "system.angular_momentum")),
              1e-8 * norm(reported(b, "system.angular_momentum")));
  }
  // It was moved: C is no longer at O.
  const auto orbit = static_cast<std::size_t>(system.layout().orbit);
  EXPECT_GT(std::fabs(a.x()[orbit + 6]), 10);
  EXPECT_EQ(b.x()[orbit + 6], 0);
  EXPECT_LT(a.audit().linear_momentum, 1e-10);
  EXPECT_LT(a.audit().angular_momentum, 1e-10);
}

TEST(HybridRun, ACraftAtTheOriginOfItsOrbitStaysThere) {
  System<double> system;
  system.model.add_body(test::hub_spec<double>("hub", 100, Sym3<double>::diagonal(10)));
  OrbitalGravity<double> g;
  g.j2 = 1.08e-3;
  system.set_orbit(g, {7e6, 0, 1e6}, {0, 7300, 1000});
  HybridRun driver(system, {});
  ASSERT_TRUE(driver.advance(6000).completed());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(driver.x()[i], 0);
}

// --- the derivative ------------------------------------------------------------------------------

TEST(Derivative, AllocatesNothing) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers count for themselves";
  System<double> system = busy_craft();
  const int hub = system.model.find_body("servicer");
  RobotArm<double> arm;
  for (int i = 0; i < 3; ++i) {
    ArmLink<double> l;
    l.mass = 5;
    l.centre_of_mass = {0.4, 0, 0};
    l.inertia = Sym3<double>::diagonal(0.1, 0.5, 0.5);
    arm.link.push_back(l);
  }
  system.add_component(arm, hub, "arm");
  SloshPendulum<double> bob;
  bob.stiffness = 3;
  system.add_component(bob, hub, "bob");
  RigidPayload<double> box;
  box.inertia = Sym3<double>::diagonal(1);
  system.add_component(box, hub, "box");
  SpringDamper<double> spring;
  spring.body_1 = "servicer";
  spring.point_1 = {1, 0, 0};
  spring.body_2 = "arm.link3";
  spring.stiffness = 1;
  system.add_force(spring);
  // A second set, fed continuously.
  ThrusterSet<double> fine = std::get<std::vector<ThrusterSet<double>>>(system.forces)[0];
  fine.name = "fine";
  fine.sample_time = 0;
  system.add_force(fine);
  AttitudeControl<double> attitude;
  attitude.body = "servicer";
  attitude.thrusters = "fine";
  attitude.K = attitude.P = attitude.Ki = 10;
  attitude.attitude = quaternion_from_rotation_vector(V{0.3, 0.2, 0.1});
  attitude.angle.type = "quintic";
  attitude.angle.to = 1;
  system.add_control(attitude);
  JointPd<double> pd;
  pd.joints = {"arm.link3"};
  pd.reference.resize(1);
  pd.reference[0].type = "table";
  pd.reference[0].times = {0, 1};
  pd.reference[0].values = {0, 1};
  system.add_control(pd);
  ComputedTorque<double> ct;
  ct.joints = {"arm.link1", "arm.link2"};
  ct.reference.resize(2);
  system.add_control(ct);
  system.set_orbit({}, {7e6, 0, 0}, {0, 7500, 0});

  Workspace<double> w(system);
  const std::vector<double> x = find_initial_state(system);
  std::vector<double> x_dot(x.size());
  Mode<double> mode;
  mode.held.assign(w.outputs.size(), 0.1);
  mode.levels.assign(w.command.levels.size(), 1.0);
  const long before = test::count_allocations();
  for (int i = 0; i < 10; ++i) find_derivative<double>(system, 0.1 * i, x, mode, w, x_dot);
  EXPECT_EQ(test::count_allocations() - before, 0);
  for (double rate : x_dot) EXPECT_TRUE(std::isfinite(rate));
}

}  // namespace
}  // namespace berth::run_run_test
