// SPDX-License-Identifier: Apache-2.0

// What fails during a run, each failure against a closed form.

#include "berth/run/actions/fail.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/run/contact_runs.h"

namespace berth::test::fail_test {
namespace {

using V = Vec3<double>;

Event at(double t, const std::string& name, std::vector<Action> actions) {
  Event e;
  e.name = name;
  e.at = t;
  e.actions = std::move(actions);
  return e;
}
Event failing(double t, FailAction action) {
  return at(t, "failure at " + std::to_string(t), {action});
}

void expect_conserved(const HybridRun& run, double tolerance = 1e-12) {
  EXPECT_LT(run.audit().energy, tolerance);
  EXPECT_LT(run.audit().linear_momentum, tolerance);
  EXPECT_LT(run.audit().angular_momentum, tolerance);
}

// --- thrusters -----------------------------------------------------------------------------------

// A craft of 100 kg, 50 kg·m² about z. Jet 1 pushes through its centre; jets 2 and 3 push along x, half a
// metre to the left and to the right.
constexpr double kMass = 100, kInertia = 50;
System<double> with_jets(double sample_time) {
  System<double> s;
  BodySpec<double> hub = hub_spec<double>("tug", kMass, Sym3<double>::diagonal(30, 40, kInertia));
  s.model.add_body(hub);
  ThrusterSet<double> jets;
  jets.name = "jets";
  jets.body = "tug";
  jets.sample_time = sample_time;
  jets.thruster = {
      {{-1, 0, 0}, {1, 0, 0}, 3}, {{-1, 0.5, 0}, {1, 0, 0}, 2}, {{-1, -0.5, 0}, {1, 0, 0}, 2}};
  s.add_force(jets);
  return s;
}
const BodyMotion<double>& tug(HybridRun& run) { return run.observe().motion.body(1); }

// Δv = F t / m from the event on, until it is repaired; impulse and on-time are counted as of any other.
TEST(Fail, AJetThatIsStuckOnPushesTheCraft) {
  for (const double sample_time : {0.0, 0.7}) {
    SCOPED_TRACE(sample_time);
    HybridRun run(with_jets(sample_time), tight());
    run.set_events(
        {failing(1.3, {"jets.1", Failure::stuck_on}), failing(6.1, {"jets.1", Failure::working})});
    ASSERT_TRUE(run.advance(1.2).completed());
    EXPECT_EQ(norm(tug(run).v_BN_N), 0);
    ASSERT_TRUE(run.advance(5).completed());
    EXPECT_NEAR(tug(run).v_BN_N.x, 3 * (5 - 1.3) / kMass, 1e-15);
    EXPECT_NEAR(tug(run).r_BN_N.x, 3 * (5 - 1.3) * (5 - 1.3) / (2 * kMass), 1e-14);
    EXPECT_EQ(run.observe().command.levels, (std::vector<double>{1, 0, 0}));
    ASSERT_TRUE(run.advance(9).completed());
    EXPECT_NEAR(tug(run).v_BN_N.x, 3 * (6.1 - 1.3) / kMass, 1e-15);
    EXPECT_EQ(run.observe().command.levels, (std::vector<double>{0, 0, 0}));
    EXPECT_NEAR(run.thruster_tracks()[0].impulse(), 3 * (6.1 - 1.3), 1e-13);
    EXPECT_NEAR(run.thruster_tracks()[0].on_time(), 6.1 - 1.3, 1e-13);
    EXPECT_NEAR(run.thruster_tracks()[0].delta_v(), 3 * (6.1 - 1.3) / kMass, 1e-15);
    expect_conserved(run);
  }
}

// ω = r × F t / I: a principal axis, so that nothing else turns.
TEST(Fail, AJetThatIsStuckOnTurnsTheCraft) {
  HybridRun run(with_jets(0), tight());
  run.set_events({failing(2, {"jets.2", Failure::stuck_on})});
  ASSERT_TRUE(run.advance(7).completed());
  EXPECT_NEAR(tug(run).omega_BN_N.z, -0.5 * 2 * 5 / kInertia, 1e-14);
  EXPECT_NEAR(tug(run).omega_BN_N.x, 0, 1e-16);
  EXPECT_NEAR(run.thruster_tracks()[0].impulse(), 2 * 5, 1e-12);
  expect_conserved(run);
}

// The allocation counts on both jets: half of what is asked for is missing, and a torque is there.
TEST(Fail, TheAllocationDoesNotKnowOfAJetThatIsStuckOff) {
  for (const double sample_time : {0.0, 0.5}) {
    SCOPED_TRACE(sample_time);
    System<double> s = with_jets(sample_time);
    auto& jets = std::get<std::vector<ThrusterSet<double>>>(s.forces)[0];
    jets.thruster.erase(jets.thruster.begin());
    Findings none;
    jets.bind(s.model, none);
    Thrust<double> burn;
    burn.name = "burn";
    burn.body = "tug";
    burn.thrusters = "jets";
    burn.force.value = 1;
    s.add_control(burn);
    HybridRun whole(s, tight()), run(s, tight());
    run.set_events({failing(0, {"jets.2", Failure::stuck_off})});
    ASSERT_TRUE(whole.advance(4).completed());
    ASSERT_TRUE(run.advance(4).completed());
    EXPECT_NEAR(tug(whole).v_BN_N.x, 4 / kMass, 1e-15);
    EXPECT_NEAR(tug(run).omega_BN_N.z, -0.5 * 0.5 * 4 / kInertia, 1e-14);
    EXPECT_NEAR(run.thruster_tracks()[0].impulse(), 0.5 * 4, 1e-12);
    EXPECT_EQ(run.observe().command.levels[1], 0);
    expect_conserved(run);
  }
}

// Its isolation valve, so to speak.
TEST(Fail, ASetThatIsSwitchedOffStopsAJetThatIsStuckOn) {
  HybridRun run(with_jets(0), tight());
  run.set_events(
      {failing(1, {"jets.1", Failure::stuck_on}), at(3, "isolated", {ForceAction{"jets", false}})});
  ASSERT_TRUE(run.advance(6).completed());
  EXPECT_NEAR(tug(run).v_BN_N.x, 3 * 2 / kMass, 1e-15);
  EXPECT_NEAR(run.thruster_tracks()[0].impulse(), 3 * 2, 1e-13);
}

// --- sensors -------------------------------------------------------------------------------------

// Samples every 0.2 s arrive 0.3 s late. What was measured before the failure still arrives; the sample
// of 1.2 s is missing, and that is known at 1.5 s, as of a dropout.
TEST(Fail, ASensorThatIsOutHoldsItsLastReading) {
  System<double> s;
  const int chaser = add_craft(s, "chaser", {10, 0, 0}, {0.1, 0, 0}),
            target = add_craft(s, "target", {}, {});
  s.model.ports.push_back({"chaser.probe", {chaser, {}, kBack}});
  s.model.ports.push_back({"target.cone", {target, {}, Mat3<double>::identity()}});
  RelativePose<double> camera;
  camera.name = "camera";
  camera.between = {"chaser.probe", "target.cone"};
  camera.axes = RelativeAxes::port;
  camera.sample_time = 0.2;
  camera.latency = 0.3;
  s.add_sensor(camera);
  HybridRun run(s, tight());
  run.set_events(
      {failing(1.05, {"camera", Failure::out}), failing(2.05, {"camera", Failure::working})});
  struct Expected {
    double t, valid, measured;
  };
  for (const Expected& e : {Expected{1.25, 1, 0.8},
                            {1.35, 1, 1.0},
                            {1.45, 1, 1.0},
                            {1.55, 0, 1.0},
                            {2.0, 0, 1.0},
                            {2.45, 0, 1.0},
                            {2.55, 1, 2.2},
                            {2.75, 1, 2.4}}) {
    ASSERT_TRUE(run.advance(e.t).completed());
    EXPECT_EQ(run.observe().readings[9], e.valid) << e.t;
    EXPECT_NEAR(run.observe().readings[0], 10 + 0.1 * e.measured, 1e-12) << e.t;
  }
}

// --- latches -------------------------------------------------------------------------------------

// Two craft that drift past each other, and an open dock between them.
System<double> meeting() {
  System<double> s;
  const int a = add_craft(s, "a", {}, {0, 0.02, 0}, 100, 50),
            b = add_craft(s, "b", {2, 0, 0}, {-0.01, 0, 0}, 300, 80);
  Dock<double> d;
  d.name = "joint";
  d.port_1 = {a, {1, 0, 0}, Mat3<double>::identity()};
  d.port_2 = {b, {-1, 0, 0}, Mat3<double>::identity()};
  d.constraint = Rigid<double>{};
  d.engaged = false;
  s.add_dock(d);
  return s;
}
// Something before the latch and something behind it.
Event berth(double t) {
  return at(t, "berth",
            {RecordAction{2}, LatchAction{"joint"}, RecordAction{3}, VerdictAction{"berthed"}});
}
Event after(int event, double delay, const std::string& name) {
  Event e;
  e.name = name;
  e.after = event;
  e.delay = delay;
  return e;
}
double time_of_record(const HybridRun& run, const std::string& kind, const std::string& name) {
  for (const EventRecord& r : run.event_records())
    if (r.kind == kind && r.name == name) return r.t;
  return NAN;
}

TEST(Fail, ALateLatchClosesSoMuchLater) {
  System<double> s = meeting();
  HybridRun run(s, tight()), prompt(s, tight());
  run.set_events({failing(0.5, {"joint", Failure::late, {0.8}}), berth(1), after(1, 0.5, "then")});
  prompt.set_events({berth(1 + 0.8)});
  ASSERT_TRUE(run.advance(1.5).completed());
  EXPECT_EQ(run.record_interval(), 2) << "what stands before the latch is done";
  EXPECT_EQ(run.verdict(), "");
  EXPECT_FALSE(run.system().docks[0].engaged);
  ASSERT_TRUE(run.advance(4).completed());
  ASSERT_TRUE(prompt.advance(4).completed());
  EXPECT_EQ(time_of_record(run, "latch_late", "joint"), 1);
  EXPECT_EQ(time_of_record(run, "latch", "joint"), 1 + 0.8);
  EXPECT_EQ(time_of_record(run, "event", "berth"), 1 + 0.8);
  EXPECT_EQ(time_of_record(run, "event", "then"), 1 + 0.8 + 0.5) << "it waits for the latch";
  EXPECT_EQ(run.verdict(), "berthed");
  EXPECT_EQ(run.record_interval(), 3);
  for (std::size_t i = 0; i < run.x().size(); ++i)
    EXPECT_NEAR(run.x()[i], prompt.x()[i], 1e-12) << i;
  expect_conserved(run);
}

TEST(Fail, ALatchThatIsStuckOpenNeverCloses) {
  Event give_up = at(3, "give_up", {StopAction{"missed"}});
  give_up.unless = 1;
  HybridRun run(meeting(), tight());
  run.set_events(
      {failing(0.5, {"joint", Failure::stuck_open}), berth(1), after(1, 0, "then"), give_up});
  EXPECT_EQ(run.advance(4).ending, Ending::stopped);
  EXPECT_EQ(run.verdict(), "missed") << "the event that should have latched has not acted";
  EXPECT_EQ(run.t(), 3);
  EXPECT_FALSE(run.system().docks[0].engaged);
  EXPECT_EQ(time_of_record(run, "latch_stuck", "joint"), 1);
  EXPECT_EQ(run.waiting_events(), (Strings{"berth", "then"}));
  ASSERT_EQ(run.warnings().size(), 1u);
  EXPECT_NE(run.warnings()[0].find("joint did not latch at 1 s"), std::string::npos);
}

TEST(Fail, ALatchMayBeRepairedInTimeOrFailOnItsWay) {
  HybridRun repaired(meeting(), tight()), failed(meeting(), tight());
  repaired.set_events({failing(0.5, {"joint", Failure::stuck_open}),
                       failing(0.9, {"joint", Failure::working}), berth(1)});
  failed.set_events({failing(0.5, {"joint", Failure::late, {0.8}}), berth(1),
                     failing(1.5, {"joint", Failure::stuck_open})});
  ASSERT_TRUE(repaired.advance(2).completed());
  ASSERT_TRUE(failed.advance(3).completed());
  EXPECT_EQ(time_of_record(repaired, "latch", "joint"), 1);
  EXPECT_EQ(time_of_record(failed, "latch_stuck", "joint"), 1 + 0.8);
  EXPECT_FALSE(failed.system().docks[0].engaged);
}

// What is joined has no latch to wait for.
TEST(Fail, ALatchThatHasClosedCannotFail) {
  HybridRun run(meeting(), tight());
  run.set_events({berth(1), failing(1.5, {"joint", Failure::stuck_open}),
                  at(2, "again", {LatchAction{"joint"}, VerdictAction{"still berthed"}})});
  ASSERT_TRUE(run.advance(3).completed());
  EXPECT_TRUE(run.system().docks[0].engaged);
  EXPECT_EQ(run.verdict(), "still berthed");
  ASSERT_EQ(run.warnings().size(), 1u);
  EXPECT_NE(run.warnings()[0].find("which is joined already"), std::string::npos);
}

// A pendulum of a spring commands the latch in every period of 2π/√40 s, the first time after a quarter of
// one. A latch that is on its way is not commanded again.
TEST(Fail, AnEventThatRepeatsWaitsOnce) {
  System<double> s = meeting();
  add_craft(s, "ball", {1, 5, 0}, {}, 1, 1);
  SpringDamper<double> spring;
  spring.name = "spring";
  spring.body_1 = "ball";
  spring.stiffness = 40;
  spring.length = norm(V{1, 5, 0}) - 0.1;
  s.add_force(spring);
  Event often = berth(0);
  often.at.reset();
  often.when.emplace(fmt::format("spring.length < {:.17g}", spring.length), Channels(s));
  often.repeat = true;
  HybridRun run(s, tight());
  run.set_events({failing(0, {"joint", Failure::late, {1.5}}), often});
  ASSERT_TRUE(run.advance(2).completed());
  EXPECT_EQ(std::count_if(run.event_records().begin(), run.event_records().end(),
                          [](const EventRecord& r) { return r.kind == "latch_late"; }),
            1);
  EXPECT_NEAR(time_of_record(run, "latch", "joint"), 0.5 * M_PI / std::sqrt(40) + 1.5, 1e-9);
}

// --- force sensors -------------------------------------------------------------------------------

// A ball of 1 kg, pressed on a wall by 2 N: it rests where k d = 2 N, and with a bias b out of the wall
// where k d + b = 2 N, so b/k farther out.
TEST(Fail, ABiasMovesTheRestPositionOfTheContact) {
  const double k = 1000, force = 2, bias = 0.5;
  for (const Loop& loop : all_loops()) {
    const bool is_ideal = loop.delay == 0 && loop.sample_time == 0 && loop.robot_frequency == 0 &&
                          loop.filter_time == 0;
    if (is_ideal || loop.adhesive) continue;
    SCOPED_TRACE(testing::Message()
                 << loop.delay << " " << loop.sample_time << " " << loop.robot_frequency << " "
                 << loop.filter_time << " " << loop.along_normal);
    System<double> s = ball(1e-3, 0, k, 40);
    Contact<double> c = s.contacts[0];
    c.law = SpringDashpot<double>{k, 40};
    // Faster than those, so that it comes to rest soon.
    c.delay = 0.3 * loop.delay;
    c.sample_time = 0.2 * loop.sample_time;
    c.robot_frequency = 3 * loop.robot_frequency;
    c.filter_time = loop.filter_time;
    c.along_normal = loop.along_normal;
    s.contacts.clear();
    s.add_contact(c);
    ExternalLoad<double> press;
    press.name = "press";
    press.body = "ball";
    press.force = {-force, 0, 0};
    s.add_force(press);
    HybridRun run(s, with_tolerance(1e-10));
    run.set_events({failing(1, {"probe", Failure::biased, {bias, 0, 0}}),
                    failing(2, {"probe", Failure::working})});
    ASSERT_TRUE(run.advance(1 - 1e-6).completed());
    EXPECT_NEAR(run.x()[0], -force / k, 1e-8);
    ASSERT_TRUE(run.advance(2 - 1e-6).completed());
    EXPECT_NEAR(run.x()[0], -(force - bias) / k, 1e-8);
    EXPECT_NEAR(run.observe().contacts[0].force_N().x, force, 1e-5);
    ASSERT_TRUE(run.advance(3).completed());
    EXPECT_NEAR(run.x()[0], -force / k, 1e-8);
    expect_conserved(run, 1e-9);
  }
}

// It is there before anything touches: v = b t / m of either craft, in axes of the surface's port, and
// what one gains the other loses.
TEST(Fail, ABiasActsOnCraftThatDoNotTouch) {
  System<double> s;
  const int chaser = add_craft(s, "chaser", {3, 0, 0}, {}, 10, 1e9),
            target = add_craft(s, "target", {}, {}, 40, 1e9);
  Contact<double> c = touching(chaser, {-1, 0, 0}, target, {1, 0, 0});
  c.port_2.R_BP = rotation_about(V{0, 0, 1}, M_PI / 2);  // its x is y of the target
  c.port_2.r_PB_B = {0, -5, 0};
  c.delay = 0.01;
  s.add_contact(c);
  HybridRun run(s, tight());
  run.set_events({failing(1, {"probe", Failure::biased, {0.2, 0, 0}})});
  ASSERT_TRUE(run.advance(6).completed());
  const Workspace<double>& w = run.observe();
  EXPECT_FALSE(w.contacts[0].touching);
  EXPECT_NEAR(w.motion.body(chaser).v_BN_N.y, 0.2 * 5 / 10, 1e-9);
  EXPECT_NEAR(w.motion.body(target).v_BN_N.y, -0.2 * 5 / 40, 1e-9);
  EXPECT_GT(run.contact_tracks()[0].force_peak, 0.2 - 1e-9);
  expect_conserved(run);
}

// The contact that a loop is compared with has no force sensor.
TEST(Fail, AContactWithoutALoopIsNotBiased) {
  HybridRun run(ball(1, 0, 1000, 40), tight());
  run.set_events({failing(0.1, {"probe", Failure::biased, {5, 0, 0}})});
  ASSERT_TRUE(run.advance(1).completed());
  EXPECT_EQ(run.x()[0], 1);
}

}  // namespace
}  // namespace berth::test::fail_test
