// SPDX-License-Identifier: Apache-2.0

// A docking from 20 m out to the departure, in one run: its ledgers at every phase boundary, its
// latch as a plastic impact, its independence of tolerance and of the way the joint is held. Then
// the other scenarios of capture, shortly.

#include <algorithm>
#include <cmath>
#include <map>

#include "berth/system/docks.h"
#include "tests/support/dense.h"
#include "tests/support/process.h"
#include "tests/support/runs.h"
#include "tests/support/shipped.h"

namespace berth::docking_test {
namespace {

using Settings = std::vector<std::string>;
using V = Vec3<double>;
using test::balance;
using test::number;
using test::run_shipped;

V vector(const Summary& s, std::size_t sample, const std::string& channel) {
  return {number(s, sample, channel, 0), number(s, sample, channel, 1),
          number(s, sample, channel, 2)};
}
std::vector<std::string> events_of(const std::vector<EventRecord>& all) {
  std::vector<std::string> out;
  for (const EventRecord& h : all)
    if (h.kind == "event") out.push_back(h.name);
  return out;
}
double time_of(const std::vector<EventRecord>& all, const std::string& name) {
  for (const EventRecord& h : all)
    if (h.kind == "event" && h.name == name) return h.t;
  throw std::runtime_error("no event " + name);
}

BuiltScenario build_of(const std::string& text, const Settings& settings) {
  ReadScenario read = text.find('\n') == std::string::npos
                          ? read_scenario(test::shipped_file(text), settings)
                          : read_scenario_text(text, "base.toml", settings);
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  return built;
}

// Remembers the balances on both sides of everything that happens. Ends the run after `until`.
struct Watcher : Observer {
  struct Moment {
    EventRecord what;
    Balance<double> before, after;
    std::vector<double> x_before;
    std::vector<double> x_after;
  };
  std::vector<Moment> moments;
  std::string until;
  Balance<double> last;
  std::vector<double> x;
  bool over = false;

  bool step(HybridRun& driver) override {
    last = balance(driver);
    x.assign(driver.x().begin(), driver.x().end());
    return !over;
  }
  void event(HybridRun& driver, const EventRecord& h) override {
    const Balance<double> now = balance(driver);
    std::vector<double> x_now(driver.x().begin(), driver.x().end());
    moments.push_back({h, last, now, x, x_now});
    last = now;
    x = std::move(x_now);
    over = over || (h.kind == "event" && h.name == until);
  }
  const Moment& at(const std::string& kind, const std::string& name) const {
    for (const Moment& m : moments)
      if (m.what.kind == kind && m.what.name == name) return m;
    throw std::runtime_error("no " + kind + " " + name);
  }
};

// What a plastic impact of this dock takes, mated where it is.
double find_loss(System<double> system, const std::string& dock, std::span<const double> x) {
  std::size_t k = 0;
  while (system.docks[k].name != dock) ++k;
  Workspace<double> w(system);
  motion_stage<double>(system, 0.0, x, idle_mode(w), w);
  lock_here(system.docks[k], w.docks[k].pair);
  return test::find_impact_loss(system, k, x);
}

// --- the whole run -------------------------------------------------------------------------------

const std::vector<std::string> kPhases{
    "go",   "capture_touch", "touch", "capture_inside", "capture_soft", "capture_hard", "damp",
    "slew", "slew_back",     "raise", "burned",         "undock",       "retreat",      "departed"};

void expect_conserved(const Audit& audit) {
  EXPECT_LT(audit.energy, 1e-8);
  EXPECT_LT(audit.linear_momentum, 1e-10);
  EXPECT_LT(audit.angular_momentum, 1e-10);
}

// One run, checked from all sides: it takes more than a second.
TEST(Docking, FromApproachToDeparture) {
  const BuiltScenario built = build_of("docking", {});
  HybridRun driver(built.system, built.options);
  driver.set_events(built.events);
  Watcher seen;
  seen.until = "undock";
  EXPECT_EQ(driver.advance(3900, &seen).ending, Ending::stopped);

  // The craft have just been let go. Free bodies from this state, with no dock anywhere.
  System<double> free = driver.system();
  free.docks.clear();
  const Layout at = driver.system().layout(), bare = free.layout();
  const auto copy = [&](int from, int to, std::vector<double>& out) {
    out.assign(driver.x().begin() + from, driver.x().begin() + to);
  };
  copy(at.q, at.v, free.model.q0);
  copy(at.v, at.z, free.model.v0);
  const double* o = driver.x().data() + at.orbit;
  free.r_OE_N = V{o[0], o[1], o[2]} + V{o[6], o[7], o[8]};
  free.v_OE_N = V{o[3], o[4], o[5]} + V{o[9], o[10], o[11]};
  HybridRun alone(free, built.options);
  // Until shortly before the thrusters push again.
  const double now = driver.t(), until = time_of(driver.event_records(), "undock") + 4.9;
  ASSERT_GT(until - now, 2);
  ASSERT_TRUE(alone.advance(until - now).completed());
  seen.over = false;
  seen.until = "";
  ASSERT_TRUE(driver.advance(until, &seen).completed());
  for (int i = 0; i < bare.z; ++i)
    EXPECT_NEAR(driver.x()[static_cast<std::size_t>(i)], alone.x()[static_cast<std::size_t>(i)],
                1e-9)
        << "entry " << i;
  for (const DockMotion<double>& d : driver.observe().docks) EXPECT_EQ(norm(d.wrench.force), 0);

  // To the end: an hour and more, all phases, the ledgers balanced.
  ASSERT_TRUE(driver.advance(3900, &seen).completed());
  EXPECT_GE(driver.t(), 3600);
  EXPECT_EQ(driver.verdict(), "captured");
  EXPECT_EQ(events_of(driver.event_records()), kPhases);
  EXPECT_TRUE(driver.warnings().empty());
  EXPECT_TRUE(driver.waiting_events().empty());
  expect_conserved(driver.audit());
  EXPECT_LT(driver.counters().accepted, 30'000u) << "three seconds on a small machine";

  // Nothing that happens takes momentum from anywhere, nor energy but what is counted.
  for (const Watcher::Moment& m : seen.moments) {
    SCOPED_TRACE(m.what.kind + " " + m.what.name);
    EXPECT_LT(norm(m.after.linear - m.before.linear), 1e-12 * m.before.linear_scale);
    EXPECT_LT(norm(m.after.angular - m.before.angular), 1e-12 * m.before.angular_scale);
    const auto sum = [](const Balance<double>& b) {
      return b.kinetic + b.potential - b.supplied + b.lost;
    };
    EXPECT_LT(std::fabs(sum(m.after) - sum(m.before)), 1e-9);
  }

  // The springs catch, and take with them what they are stretched by.
  const Watcher::Moment& soft = seen.at("latch", "soft");
  EXPECT_EQ(soft.after.kinetic, soft.before.kinetic) << "a spring makes no impulse";
  EXPECT_GT(soft.after.potential - soft.before.potential, 1e-4);
  EXPECT_NEAR(soft.after.supplied - soft.before.supplied,
              soft.after.potential - soft.before.potential, 1e-12);

  // The joint closes by a plastic impact.
  const Watcher::Moment& hard = seen.at("latch", "joint");
  const double loss = find_loss(built.system, "joint", hard.x_before);
  const double reported = hard.what.number("energy_lost");
  EXPECT_GT(loss, 1e-9);
  EXPECT_NEAR(reported, loss, 1e-12 + 1e-9 * loss);
  EXPECT_NEAR(hard.before.kinetic - hard.after.kinetic, loss, 1e-11);
  EXPECT_NEAR(hard.after.lost - hard.before.lost, loss, 1e-11);
  for (int i = 0; i < at.v; ++i)
    EXPECT_NEAR(hard.x_after[static_cast<std::size_t>(i)],
                hard.x_before[static_cast<std::size_t>(i)], 1e-12)
        << "nobody is moved";

  // And opens without any.
  const Watcher::Moment& open = seen.at("release", "joint");
  EXPECT_EQ(open.what.number("energy_lost"), 0);
  for (int i = 0; i < at.z; ++i)
    EXPECT_EQ(open.x_after[static_cast<std::size_t>(i)],
              open.x_before[static_cast<std::size_t>(i)]);
}

// What each phase is for.
TEST(Docking, DoesWhatItsPhasesAreFor) {
  // Shorter waits; the times are counted from hard capture.
  const Settings settings{"event.slew.delay=100",  "event.slew_back.delay=450",
                          "event.raise.delay=450", "event.burned.delay=100",
                          "event.undock.delay=50", "time.stop=2050"};
  const Summary first =
      run_shipped("docking", {}, {"time.stop=400"}, [](Scenario& s) { s.expect.outcome.reset(); });
  const double t = time_of(first.events, "capture_hard"), slew = t + 105, raise = slew + 900;
  const double undock = raise + 150;
  const Summary s = run_shipped("docking",
                                {59, 200, time_of(first.events, "capture_touch"), slew - 1,
                                 slew + 449, raise - 1, raise + 99, undock - 1, undock + 400, 2050},
                                settings);
  ASSERT_EQ(events_of(s.events), kPhases);
  ASSERT_EQ(s.samples.size(), 10u);
  // At 20 m, then on the way along V-bar, then at the cone at the speed that is wanted.
  EXPECT_NEAR(number(s, 0, "approach.position", 0), -20, 0.1);
  EXPECT_LT(number(s, 1, "approach.position", 0), -5);
  EXPECT_GT(number(s, 1, "approach.velocity", 0), 0.05);
  EXPECT_LT(std::hypot(number(s, 1, "approach.position", 1), number(s, 1, "approach.position", 2)),
            0.1);
  EXPECT_NEAR(number(s, 2, "capture.closing"), 0.055, 0.01);
  EXPECT_LT(number(s, 2, "capture.lateral"), 0.1);
  // Joined and calm, turned by 22.5° about z, and back.
  const auto turn = [&](std::size_t sample) { return number(s, sample, "stack.sigma_BR", 2); };
  for (const std::size_t i : {3u, 4u, 5u}) {
    EXPECT_EQ(number(s, i, "joint.engaged"), 1);
    EXPECT_LT(std::fabs(turn(i)), 5e-3) << i;
    EXPECT_LT(number(s, i, "joint.violation_position"), 1e-12);
  }
  const V omega = vector(s, 4, "servicer.omega_BN_B");
  EXPECT_LT(std::fabs(omega.z), 2e-4) << "the slew is over";
  // The burn raises the orbit: 2 N on 2750 kg, and the joint carries the target's part of it.
  EXPECT_NEAR(number(s, 6, "joint.force"), 2.0 * 2000 / 2750, 0.03);
  EXPECT_LT(number(s, 7, "joint.force"), 0.05);
  const V before = vector(s, 5, "target.v_BN_N"), after = vector(s, 6, "target.v_BN_N");
  const double mu = 3.986004415e14;
  const auto energy = [&](std::size_t i, const V& v) {
    return 0.5 * norm_squared(v) - mu / norm(vector(s, i, "target.r_BN_N"));
  };
  EXPECT_NEAR(energy(6, after) - energy(5, before), 2.0 / 2750 * 99 * norm(before), 20);
  // Let go, and gone to 20 m.
  EXPECT_EQ(number(s, 8, "joint.engaged"), 0);
  EXPECT_NEAR(number(s, 8, "approach.position", 0), -20, 0.2);
  EXPECT_EQ(number(s, 9, "joint.force"), 0);
}

// --- accuracy ------------------------------------------------------------------------------------

// Thrusters that follow what is asked, navigation without samples and noise.
const Settings kIdeal{"force.jets.sample_time=0",           "control.approach.sample_time=0",
                      "control.approach.latency=0",         "sensor.navigation.noise_position=0",
                      "sensor.navigation.noise_velocity=0", "time.stop=400"};

TEST(Docking, ToleranceMovesNoEvent) {
  const auto run = [](const char* tolerance) {
    Settings settings = kIdeal;
    settings.push_back(std::string("integrator.tolerance=") + tolerance);
    return run_shipped("docking", {400}, settings);
  };
  const Summary loose = run("1e-8"), tight = run("1e-11");
  ASSERT_EQ(loose.events.size(), tight.events.size());
  EXPECT_EQ(loose.verdict, "captured");
  for (std::size_t i = 0; i < tight.events.size(); ++i) {
    EXPECT_EQ(loose.events[i].name, tight.events[i].name);
    EXPECT_EQ(loose.events[i].kind, tight.events[i].kind);
    EXPECT_LT(std::fabs(loose.events[i].t - tight.events[i].t), 1e-6) << loose.events[i].name;
  }
  EXPECT_GT(time_of(tight.events, "capture_hard"), 300);
  EXPECT_LT(norm(vector(loose, 0, "servicer.rho_BO_N") - vector(tight, 0, "servicer.rho_BO_N")),
            1e-7);
}

// Changing only how the joint is held: the same mission.
TEST(Docking, IsTheSameHoweverTheJointIsHeld) {
  const Settings shorter{"event.slew.delay=60",   "event.slew_back.delay=420",
                         "event.raise.delay=420", "event.burned.delay=100",
                         "event.undock.delay=50", "time.stop=1900"};
  const std::vector<double> times{345, 500, 800, 1100, 1280, 1400, 1500, 1600, 1900};
  const auto run = [&](const Settings& how) {
    Settings settings = shorter;
    settings.insert(settings.end(), how.begin(), how.end());
    return run_shipped("docking", times, settings);
  };
  const Summary exact = run({});
  EXPECT_EQ(events_of(exact.events), kPhases);
  struct Way {
    Settings settings;
    double accuracy;  // [m], [rad]
  };
  const Way ways[] = {
      {{"dock.joint.enforce=reduced"}, 1e-9},
      {{"dock.joint.enforce=fused"}, 1e-9},
      {{"dock.joint.enforce=baumgarte", "dock.joint.alpha=4"}, 1e-8},
  };
  for (const Way& way : ways) {
    SCOPED_TRACE(way.settings[0]);
    const Summary s = run(way.settings);
    EXPECT_TRUE(s.warnings.empty());
    expect_conserved(s.audit);
    ASSERT_EQ(s.events.size(), exact.events.size());
    for (std::size_t i = 0; i < s.events.size(); ++i) {
      EXPECT_EQ(s.events[i].name, exact.events[i].name);
      EXPECT_LT(std::fabs(s.events[i].t - exact.events[i].t), 1e-9);
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      SCOPED_TRACE(times[i]);
      for (const char* channel : {"servicer.rho_BO_N", "target.rho_BO_N", "approach.position"})
        EXPECT_LT(norm(vector(s, i, channel) - vector(exact, i, channel)), way.accuracy) << channel;
      for (const char* channel : {"servicer.sigma_BN", "servicer.omega_BN_B", "target.omega_BN_B"})
        EXPECT_LT(norm(vector(s, i, channel) - vector(exact, i, channel)), way.accuracy) << channel;
      EXPECT_NEAR(number(s, i, "servicer.panel_left.angle"),
                  number(exact, i, "servicer.panel_left.angle"), way.accuracy);
      EXPECT_NEAR(number(s, i, "servicer.wheel1.rate"), number(exact, i, "servicer.wheel1.rate"),
                  1e-5);
      EXPECT_LT(norm(vector(s, i, "joint.force_N") - vector(exact, i, "joint.force_N")), 1e-6);
      EXPECT_EQ(number(s, i, "joint.engaged"), number(exact, i, "joint.engaged"));
    }
  }
}

// --- the same again ------------------------------------------------------------------------------

TEST(Docking, SameSeedSameBytes) {
  const test::TemporaryFolder folder;
  const auto run = [&](const std::string& name, const Settings& more) {
    Settings settings{"time.stop=90"};
    settings.insert(settings.end(), more.begin(), more.end());
    ReadScenario read = read_scenario(test::shipped_file("docking"), settings);
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    EXPECT_TRUE(read.problems.empty());
    SimulateOptions options;
    options.h5 = folder / name;
    simulate(read.scenario, built, options);
    return test::read_bytes(folder / name);
  };
  const std::string one = run("a.h5", {}), two = run("b.h5", {});
  EXPECT_GT(one.size(), 10'000u);
  EXPECT_TRUE(one == two);
  // The seed is in the file; so check the craft.
  const auto end = [](const char* seed) {
    const Summary s = run_shipped("docking", {90}, {"time.stop=90", seed},
                                  [](Scenario& x) { x.expect.verdict.reset(); });
    return vector(s, 0, "servicer.rho_BO_N");
  };
  EXPECT_EQ(end("sensor.navigation.seed=1"), end("sensor.navigation.seed=1"));
  EXPECT_NE(end("sensor.navigation.seed=1"), end("sensor.navigation.seed=2"));
}

// --- two bodies ----------------------------------------------------------------------------------

const std::string kPair = R"(
[time]
stop = 3
[integrator]
tolerance = 1e-12
[[spacecraft]]
name = "target"
mass = 2000
inertia = [1500, 1900, 1700]
centre_of_mass = [0.2, 0.1, 0]
state = { omega_BN_B = [0.01, 0.03, -0.02] }
[[spacecraft.port]]
name = "cone"
position = [-1.2, 0, 0]
axes = [[-1, 0, 0], [0, 0, 1]]
[[spacecraft]]
name = "chaser"
mass = 750
inertia = [210, 260, 300]
[spacecraft.state]
relative_to = "target.cone"
port = "probe"
axes = "port"
position = [0.2, 0.04, 0.02]
velocity = [-0.07, 0.03, 0]
attitude = "mated"
sigma_BN = [0.01, -0.02, 0]
omega_BN_B = [0.02, 0.01, -0.03]
[[spacecraft.port]]
name = "probe"
position = [1.3, 0, 0]
[[dock]]
name = "joint"
type = "rigid"
between = ["chaser.probe", "target.cone"]
engaged = false
[[event]]
name = "latch"
at = 1
do = [{ latch = "joint" }]
[[event]]
name = "release"
at = 2
do = [{ release = "joint" }]
)";

// Two bodies become one: all that is left is p²/2m and the spin of the whole.
TEST(PlasticLatch, LeavesTheEnergyOfOneRigidBody) {
  for (const char* enforce : {"exact", "reduced", "baumgarte", "fused"}) {
    SCOPED_TRACE(enforce);
    const BuiltScenario built = build_of(kPair, {std::string("dock.joint.enforce=") + enforce});
    HybridRun driver(built.system, built.options);
    driver.set_events(built.events);
    Watcher seen;
    ASSERT_TRUE(driver.advance(1, &seen).completed());
    const Watcher::Moment& m = seen.at("latch", "joint");

    // Inertia of the whole about its own centre of mass.
    const Motion<double>& motion = driver.observe().motion;
    const double mass[] = {2000, 750};
    V centre{};
    for (int i = 0; i < 2; ++i)
      centre += (mass[i] / 2750) * (motion.body(i + 1).r_BN_N + motion.body(i + 1).r_CB_N);
    Sym3<double> I{};
    for (int i = 0; i < 2; ++i) {
      const BodyMotion<double>& b = motion.body(i + 1);
      I += b.I_C_N + point_inertia(mass[i], b.r_BN_N + b.r_CB_N - centre);
    }
    const V p = m.before.linear, h = m.before.angular - cross(centre, p);
    Eigen::Matrix3d whole;
    whole << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    const Eigen::Vector3d spin{h.x, h.y, h.z};
    const double left =
        norm_squared(p) / (2 * 2750) + 0.5 * spin.dot(test::solve_dense(whole, spin));
    const double loss = m.before.kinetic - left;
    EXPECT_GT(loss, 0.5);
    EXPECT_NEAR(m.after.kinetic, left, 1e-11);
    EXPECT_NEAR(m.what.number("energy_lost"), loss, 1e-11);
    EXPECT_NEAR(find_loss(built.system, "joint", m.x_before), loss, 1e-11);
    EXPECT_LT(norm(m.after.linear - m.before.linear), 1e-11);
    EXPECT_LT(norm(m.after.angular - m.before.angular), 1e-11);

    // Released, each keeps its momentum: two free bodies, whose centres go straight on.
    ASSERT_TRUE(driver.advance(2, &seen).completed());
    const auto centre_of = [&](int i) {
      const BodyMotion<double>& b = driver.observe().motion.body(i);
      return std::pair{b.r_BN_N + b.r_CB_N, b.velocity_at(b.r_CB_N)};
    };
    const auto t_2 = centre_of(1), c_2 = centre_of(2);
    ASSERT_TRUE(driver.advance(3, &seen).completed());
    EXPECT_LT(norm(centre_of(1).first - t_2.first - t_2.second), 1e-11);
    EXPECT_LT(norm(centre_of(2).first - c_2.first - c_2.second), 1e-11);
    EXPECT_LT(driver.audit().energy, 1e-10);
    EXPECT_LT(driver.audit().linear_momentum, 1e-12);
    EXPECT_LT(driver.audit().angular_momentum, 1e-12);
  }
}

// On one line without turning: ½ μ v², the reduced mass of the two.
TEST(PlasticLatch, OnOneLineTakesTheEnergyOfTheReducedMass) {
  const BuiltScenario built = build_of(
      kPair,
      {"spacecraft.target.centre_of_mass=[0,0,0]", "spacecraft.target.state.omega_BN_B=[0,0,0]",
       "spacecraft.chaser.state.position=[0.2,0,0]", "spacecraft.chaser.state.sigma_BN=[0,0,0]",
       "spacecraft.chaser.state.velocity=[-0.07,0,0]",
       "spacecraft.chaser.state.omega_BN_B=[0,0,0]"});
  HybridRun driver(built.system, built.options);
  driver.set_events(built.events);
  Watcher seen;
  ASSERT_TRUE(driver.advance(1, &seen).completed());
  const double reported = seen.at("latch", "joint").what.number("energy_lost");
  EXPECT_NEAR(reported, 0.5 * (2000.0 * 750 / 2750) * 0.07 * 0.07, 1e-14);
}

// --- the others ----------------------------------------------------------------------------------

TEST(TugAndDebris, StopsTheSpin) {
  const Summary first = run_shipped("tug_debris", {}, {});
  const double hard = time_of(first.events, "capture_hard"),
               gripped = time_of(first.events, "gripped");
  EXPECT_EQ(first.verdict, "captured");
  EXPECT_TRUE(first.warnings.empty());
  EXPECT_LT(time_of(first.events, "capture_soft"), hard);
  expect_conserved(first.audit);
  const Summary s = run_shipped("tug_debris", {0, hard - 15, gripped - 1, 900});
  const double spin = 3 * 0.017453292519943295;
  // Both turn at 3 °/s, the tug in step with the stage; the thrusters have stopped them in the end.
  EXPECT_NEAR(number(s, 0, "stage.rate"), spin, 2e-3);
  EXPECT_NEAR(number(s, 1, "tug.rate"), number(s, 1, "stage.rate"), 2e-3);
  EXPECT_NEAR(number(s, 2, "stage.rate"), spin, 3e-3)
      << "gripped, and nothing has been stopped yet";
  EXPECT_LT(number(s, 3, "stage.rate"), 0.005);
  EXPECT_NEAR(number(s, 3, "tug.rate"), number(s, 3, "stage.rate"), 1e-12) << "one body now";
  EXPECT_EQ(number(s, 3, "joint.engaged"), 1);
}

TEST(Berthing, BringsTheFlyerHomeAndLetsGo) {
  const Summary s = run_shipped("berthing", {0, 500});
  EXPECT_EQ(s.verdict, "captured");
  EXPECT_TRUE(s.warnings.empty());
  expect_conserved(s.audit);
  const double touch = time_of(s.events, "capture_touch"), hard = time_of(s.events, "capture_hard"),
               let_go = time_of(s.events, "let_go");
  EXPECT_LT(touch, hard);
  EXPECT_LT(hard, let_go);
  EXPECT_EQ(number(s, 0, "grapple.engaged"), 1);
  EXPECT_EQ(number(s, 0, "joint.engaged"), 0);
  EXPECT_EQ(number(s, 1, "grapple.engaged"), 0);
  EXPECT_EQ(number(s, 1, "joint.engaged"), 1);
  EXPECT_LT(number(s, 1, "joint.violation_position"), 1e-12);
  EXPECT_NEAR(number(s, 1, "flyer.rate"), number(s, 1, "station.rate"), 1e-12);
}

TEST(CaptureEnvelope, CatchesSomeAndNotOthers) {
  const auto verdict = [](const Settings& settings) {
    const Summary s = run_shipped("capture_envelope", {}, settings,
                                  [](Scenario& x) { x.expect.verdict.reset(); });
    expect_conserved(s.audit);
    return s.verdict;
  };
  const std::string chaser = "spacecraft.chaser.state.";
  EXPECT_EQ(verdict({}), "captured");
  EXPECT_EQ(verdict({chaser + "position.y=0.4"}), "missed");
  EXPECT_EQ(verdict({chaser + "velocity.x=-0.001"}), "missed");
  EXPECT_EQ(verdict({"capture.capture.force_max=10"}), "overload");
  EXPECT_EQ(verdict({chaser + "position.y=0.19", chaser + "position.z=0",
                     chaser + "velocity.x=-0.2", "contact.tip.law.damping=0",
                     "contact.shaft.law.damping=0", "capture.capture.zone_depth=0"}),
            "bounced_off");
}

}  // namespace
}  // namespace berth::docking_test
