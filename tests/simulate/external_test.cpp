// SPDX-License-Identifier: Apache-2.0

// Somebody else takes part: samples out, commands in, silence, failures, and the bits of it all.

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/control/profile.h"
#include "berth/simulation.h"
#include "tests/support/process.h"
#include "tests/support/scenario_files.h"
#include "tests/support/text.h"

namespace berth::test::external_test {
namespace {

using Commands = Simulation::Commands;
using Measurements = Simulation::Measurements;
using Answer = std::optional<Commands>;

std::string read_text(const std::string& name) {
  std::ifstream in(find_scenario_file(name));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}
template <class E, class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing is thrown";
  return {};
}

// A craft of 10 kg on which nothing acts but what an external commands.
std::string one_craft(const std::string& external, const std::string& more = "") {
  return R"(
[time]
stop = 4
[record]
interval = 0.25
[[spacecraft]]
name = "craft"
mass = 10
inertia = [2, 3, 4]
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel"
axis = [0, 0, 1]
mass = 1
inertia_spin = 0.5
inertia_transverse = 0.3
max_torque = 0.4
[[force]]
type = "thruster_set"
name = "jets"
body = "craft"
thruster = [
  { position = [0, 0, 0], direction = [1, 0, 0], thrust = 2 },
  { position = [0, 0, 0], direction = [-1, 0, 0], thrust = 2 },
]
[[force]]
type = "thruster_set"
name = "pulsed"
body = "craft"
sample_time = 0.5
minimum_on_time = 0.05
thruster = [{ position = [0, 0, 0], direction = [0, 1, 0], thrust = 2 }]
[[external]]
name = "gnc"
)" + external +
         more;
}
Simulation from(const std::string& text) { return Simulation::from_text(text); }

// Of the craft with its wheel: 11 kg.
double speed(Simulation& s, int k = 0) {
  return s.values("craft.v_BN_N")[static_cast<std::size_t>(k)];
}

const std::string kForce = R"(
sample_time = 0.5
measures = ["craft.v_BN_N", "craft.omega_BN_B.z"]
commands = [{ name = "u", to = "craft", as = "force" }]
)";
Answer push(double f) { return Commands{{"u", {f, 0, 0}}}; }

// --- what it sees and says ---------------------------------------------------------------------------

TEST(External, ListsWhatIsMeasuredAndCommanded) {
  Simulation s = from(one_craft(kForce));
  const auto list = s.externals();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].name, "gnc");
  EXPECT_EQ(list[0].sample_time, 0.5);
  ASSERT_EQ(list[0].measures.size(), 2u);
  EXPECT_EQ(list[0].measures[0].width, 3);
  EXPECT_EQ(list[0].measures[0].unit, "m/s");
  EXPECT_EQ(list[0].measures[1].width, 1);
  ASSERT_EQ(list[0].commands.size(), 1u);
  EXPECT_EQ(list[0].commands[0].unit, "N");
  EXPECT_EQ(list[0].commands[0].width, 3);
  EXPECT_TRUE(contains(message<std::out_of_range>([&] { s.connect("gcn", {}); }), "gnc"));
}

TEST(External, IsAskedAtItsSamplesAndActsALatencyLater) {
  Simulation s = from(one_craft(kForce + "offset = 0.25\nlatency = 0.7\n"));
  std::vector<double> times;
  s.connect("gnc", [&](double t, const Measurements& m) -> Answer {
    times.push_back(t);
    EXPECT_EQ(m["craft.v_BN_N"].size(), 3u);
    EXPECT_EQ(m.number("craft.omega_BN_B.z"), 0);
    EXPECT_THROW(m["craft.v"], std::out_of_range);
    return push(t == 0.25 ? 11 : 22);
  });
  EXPECT_TRUE(s.run_until(0.2));
  EXPECT_TRUE(times.empty()) << "nobody is asked before the time";
  s.run_until(0.25);
  EXPECT_EQ(times, (std::vector<double>{0.25}));
  s.run_until(0.9);
  EXPECT_EQ(speed(s), 0);
  EXPECT_EQ(s.value("gnc.u.x"), 0);
  s.run_until(1.2);  // 11 N from 0.95 on
  EXPECT_EQ(s.value("gnc.u.x"), 11);
  EXPECT_NEAR(speed(s), 0.25, 1e-12);
  s.run_until(2.45);  // 22 N from 1.45 on
  EXPECT_NEAR(speed(s), 0.5 + 2, 1e-12);
  s.run();
  ASSERT_EQ(times.size(), 8u);
  EXPECT_EQ(times[7], 3.75);
  EXPECT_LT(s.summary().number("audit.energy"), 1e-12);
  EXPECT_LT(s.summary().number("audit.linear_momentum"), 1e-12);
}

TEST(External, CommandsWhatControllersCommand) {
  Simulation s = from(one_craft(R"(
sample_time = 0.5
commands = [
  { name = "to_jets", to = "jets", as = "force" },
  { name = "turn", to = "craft", as = "torque" },
  { name = "motor", to = "craft.wheel", as = "torque" },
  { name = "on", to = "pulsed", as = "on_time" },
]
)"));
  ASSERT_EQ(s.externals()[0].commands[2].width, 1);
  ASSERT_EQ(s.externals()[0].commands[3].width, 1);
  EXPECT_EQ(s.externals()[0].commands[3].unit, "s");
  // Pushes at 0 s; turns at 1 s, by the motor more than it can.
  s.connect("gnc", [](double t, const Measurements&) -> Answer {
    if (t == 0) return Commands{{"to_jets", {1.1, 0, 0}}, {"on", {0.1}}};
    if (t == 1) return Commands{{"turn", {0.2, 0, 0}}, {"motor", {1}}};
    return std::nullopt;
  });
  s.run_until(0.9999);
  EXPECT_NEAR(speed(s, 0), 0.09999, 1e-12) << "allocated to a thruster";
  EXPECT_NEAR(s.value("jets.level1"), 0.55, 1e-12);
  EXPECT_NEAR(speed(s, 1), 2 * 2 * 0.1 / 11, 1e-12) << "two pulses of 0.1 s with 2 N";
  EXPECT_EQ(s.value("gnc.on1"), 0.1);
  EXPECT_EQ(s.values("craft.omega_BN_B")[0], 0);
  s.run_until(2);
  EXPECT_NEAR(s.value("craft.wheel.torque"), 0.4, 1e-12) << "limited as the motor is";
  EXPECT_NEAR(s.values("craft.omega_BN_B")[0], 0.2 / 2.3, 1e-3);
  EXPECT_NEAR(s.value("jets.level1"), 0.55, 1e-12) << "what is left out stays";
  s.run();
  EXPECT_LT(s.summary().number("audit.energy"), 1e-10);
  EXPECT_LT(s.summary().number("audit.angular_momentum"), 1e-10);
}

TEST(External, OpensValvesOnTopOfWhatIsAllocated) {
  Simulation s = from(one_craft(R"(
sample_time = 0.5
commands = [
  { name = "u", to = "jets", as = "force", limit = 1 },
  { name = "valves", to = "jets", as = "level" },
]
)"));
  s.connect("gnc", [](double, const Measurements&) -> Answer {
    return Commands{{"u", {5, 0, 0}}, {"valves", {0.25, 0.5}}};
  });
  s.run_until(1);
  EXPECT_NEAR(s.value("gnc.u.x"), 1, 1e-15) << "its limit";
  EXPECT_NEAR(s.value("jets.level1"), 0.75, 1e-12);
  EXPECT_NEAR(s.value("jets.level2"), 0.5, 1e-12);
  EXPECT_NEAR(speed(s), (1.5 - 1) / 11, 1e-12);
}

TEST(External, TurnsVectorsIntoTheAxesOfTheBody) {
  const double quarter_turn = std::tan(M_PI / 8);
  Simulation s = from(one_craft(R"(
sample_time = 0.5
commands = [{ name = "u", to = "jets", as = "force", axes = "inertial" }]
)"));
  s.set("spacecraft.craft.state", fmt::format("{{ sigma_BN = [0, 0, {}] }}", quarter_turn));
  s.connect("gnc", [](double, const Measurements&) -> Answer {
    return Commands{{"u", {0, 1, 0}}};
  });
  s.run_until(1);
  EXPECT_NEAR(speed(s, 1), 1.0 / 11, 1e-9);
  EXPECT_NEAR(s.value("gnc.u.x"), 1, 1e-9) << "x of the body";
}

TEST(External, TriggersEvents) {
  const std::string event = R"(
[[event]]
name = "abort"
do = [{ stop = "aborted" }]
)";
  const std::string text = one_craft(R"(
sample_time = 0.5
latency = 0.1
commands = [{ name = "abort", to = "abort", as = "event" }]
)",
                                     event);
  Simulation s = from(one_craft(kForce, event));
  EXPECT_THROW(s.check(), ScenarioError) << "nobody triggers it";
  Simulation a = from(text);
  a.connect("gnc", [](double t, const Measurements&) -> Answer {
    return Commands{{"abort", {t >= 2 ? 1.0 : 0.0}}};
  });
  const auto r = a.run();
  EXPECT_EQ(r.verdict(), "aborted");
  EXPECT_NEAR(r.t(), 2.1, 1e-12);
  EXPECT_EQ(from(text).run().outcome(), "reached_end");
}

// --- in place of a contact's law ---------------------------------------------------------------------

const char* const kPair = R"(
[time]
stop = 4
[[spacecraft]]
name = "a"
mass = 4
inertia = [1, 1, 1]
state = { position = [-0.5, 0, 0], velocity = [0.2, 0, 0] }
[[spacecraft.port]]
name = "tip"
position = [0.1, 0, 0]
[[spacecraft]]
name = "b"
mass = 6
inertia = [1, 1, 1]
[[spacecraft.port]]
name = "wall"
position = [-0.1, 0, 0]
axes = [[-1, 0, 0], [0, 0, 1]]
[[contact]]
name = "touch"
between = ["a.tip", "b.wall"]
surface = "half_space"
law = { type = "spring_dashpot", stiffness = 100, damping = 0 }
[[external]]
name = "robot"
sample_time = 0.001
measures = ["touch.gap"]
commands = [
  { name = "f", to = "touch", as = "contact", axes = "inertial" },
  { name = "n", to = "touch", as = "contact_torque", axes = "inertial" },
]
)";

TEST(External, GivesTheForceOfAContactInPlaceOfItsLaw) {
  Simulation law = from(replaced(kPair, "name = \"robot\"", "name = \"robot\"\nenabled = false"));
  Simulation given = from(kPair);
  const double normal = law.values("b.r_BN_N")[0] > law.values("a.r_BN_N")[0] ? 1 : -1;
  given.connect("robot", [&](double, const Measurements& m) -> Answer {
    const double depth = std::fmax(-m.number("touch.gap"), 0);
    return Commands{{"f", {-normal * 100 * depth, 0, 0}}, {"n", {0, 0, depth > 0 ? 0.01 : 0.0}}};
  });
  const auto a = law.run(), b = given.run();
  ASSERT_EQ(a.events()[0].kind, "contact_on");
  ASSERT_EQ(b.events()[0].kind, "contact_on");
  EXPECT_NEAR(a.events()[0].t, b.events()[0].t, 1e-9);
  EXPECT_NEAR(law.values("a.v_BN_N")[0], given.values("a.v_BN_N")[0], 2e-3) << "a force held 1 ms";
  EXPECT_GT(given.values("a.omega_BN_B")[2], 1e-3);
  EXPECT_NEAR(given.values("a.omega_BN_B")[2], -given.values("b.omega_BN_B")[2], 1e-9);
  EXPECT_LT(b.number("audit.energy"), 1e-9);
  EXPECT_LT(b.number("audit.linear_momentum"), 1e-12);
  EXPECT_LT(b.number("audit.angular_momentum"), 1e-12);
  EXPECT_GT(b.number("contacts.touch.force_peak"), 1);
}

// --- silence -----------------------------------------------------------------------------------------

TEST(External, ThatIsSilentFollowsItsRule) {
  const auto run = [](const std::string& then, int answers) {
    Simulation s = from(one_craft(kForce + "silent = { hold = 1.2, then = \"" + then + "\" }\n"));
    int n = 0;
    s.connect("gnc", [&n, answers](double t, const Measurements&) -> Answer {
      // Heard again from 3 s on.
      if (n++ < answers || t >= 3) return push(t >= 3 ? 22 : 11);
      return std::nullopt;
    });
    s.run();
    return s;
  };
  Simulation zero = run("zero", 2);  // the last acts at 0.5: silent from 1.7 to 3
  EXPECT_NEAR(speed(zero), 1.7 + 2, 1e-12);
  ASSERT_EQ(zero.events().size(), 1u);
  EXPECT_EQ(zero.events()[0].kind, "external_silent");
  EXPECT_NEAR(zero.events()[0].t, 1.7, 1e-12);
  Simulation hold = run("hold", 2);
  EXPECT_NEAR(speed(hold), 3 + 2, 1e-12);
  EXPECT_TRUE(hold.events().empty());
  Simulation freeze = run("freeze", 2);
  EXPECT_NEAR(speed(freeze), 4, 1e-12) << "not asked any more";
  Simulation stop = run("stop", 2);
  EXPECT_NEAR(stop.summary().t(), 1.7, 1e-12);
  EXPECT_EQ(stop.summary().outcome(), "stopped");
  EXPECT_TRUE(contains(stop.summary().reason(), "gnc")) << stop.summary().reason();
  // Nobody at all.
  Simulation nobody = from(one_craft(kForce + "silent = { hold = 1.2, then = \"stop\" }\n"));
  EXPECT_NEAR(nobody.run().t(), 1.2, 1e-12);
  EXPECT_TRUE(
      contains(message<ScenarioError>([] {
                 from(one_craft(kForce + "silent = { hold = 0.1, then = \"zero\" }")).check();
               }),
               "sample_time"));
}

TEST(External, IsSwitchedByEvents) {
  Simulation s = from(one_craft(kForce, R"(
[[event]]
name = "off"
at = 1
do = [{ external = "gnc", enable = false }]
[[event]]
name = "on"
at = 2.75
do = [{ external = "gnc", enable = true }]
)"));
  std::vector<double> times;
  s.connect("gnc", [&](double t, const Measurements&) -> Answer {
    times.push_back(t);
    return push(11);
  });
  s.run();
  EXPECT_EQ(times, (std::vector<double>{0, 0.5, 3, 3.5, 4})) << "events come first, at 1 s";
  EXPECT_NEAR(speed(s), 1 + 1, 1e-12);
}

// --- what goes wrong ---------------------------------------------------------------------------------

TEST(External, ThatThrowsEndsTheRunWithAReadableResult) {
  struct Mine : std::runtime_error {
    using runtime_error::runtime_error;
  };
  const TemporaryFolder folder;
  Simulation s = from(one_craft(kForce));
  s.keep_result().write_result(folder / "x.h5").connect("gnc", [](double t, const Measurements&) {
    if (t >= 2) throw Mine("the controller has diverged");
    return push(11);
  });
  EXPECT_EQ(message<Mine>([&] { s.run(); }), "the controller has diverged");
  EXPECT_TRUE(s.is_over());
  EXPECT_EQ(s.t(), 2);
  EXPECT_EQ(s.summary().outcome(), "broken_off");
  EXPECT_EQ(s.summary().reason(), "the controller has diverged");
  EXPECT_FALSE(s.summary().completed());
  const Result r = Result::open(folder / "x.h5");
  EXPECT_EQ(r.times().back(), 2);
  EXPECT_EQ(r.summary().outcome(), "broken_off");
  EXPECT_EQ(s.result().times().size(), r.times().size());
  EXPECT_FALSE(s.run_until(10)) << "thrown once";
}

TEST(External, RefusesAnswersThatAreNone) {
  const auto refused = [](const Commands& answer) {
    Simulation s = from(one_craft(kForce));
    s.connect("gnc", [answer](double, const Measurements&) -> Answer { return answer; });
    return message<std::invalid_argument>([&] { s.run(); });
  };
  const std::string size = refused({{"u", {1}}});
  EXPECT_TRUE(contains(size, "gnc") && contains(size, "u takes 3 numbers [N], not 1")) << size;
  const std::string key = refused({{"v", {1, 2, 3}}});
  EXPECT_TRUE(contains(key, "no command v")) << key;
  const std::string nan = refused({{"u", {1, NAN, 0}}});
  EXPECT_TRUE(contains(nan, "not finite")) << nan;
}

TEST(External, SaysWhatIsWrongWithATable) {
  const auto problems = [](const std::string& external) {
    return message<ScenarioError>([&] { from(one_craft(external)).check(); });
  };
  const auto with = [&](const std::string& command) {
    return problems("sample_time = 1\ncommands = [{ name = \"u\", " + command + " }]\n");
  };
  EXPECT_TRUE(contains(with("to = \"jet\", as = \"level\""), "no thruster set named jet"));
  EXPECT_TRUE(contains(with("to = \"craf\", as = \"force\""), "craft"));
  EXPECT_TRUE(contains(with("to = \"jets\", as = \"on_time\""), "needs pulses"));
  EXPECT_TRUE(contains(with("to = \"tip\", as = \"contact\""), "no contact tip"));
  EXPECT_TRUE(contains(with("to = \"bang\", as = \"event\""), "no event bang"));
  EXPECT_TRUE(contains(with("to = \"jets\", as = \"force\", axes = \"port\""), "whose axes"));
  EXPECT_TRUE(contains(with("to = \"jets\", as = \"force\", axes = \"lvlh\""), "[orbit]"));
  EXPECT_TRUE(contains(problems("sample_time = 1\nmeasures = [\"craft.v_BN\"]\n"), "craft.v_BN"));
  EXPECT_TRUE(contains(problems("latency = 1\n"), "sample_time"));
}

// --- the bits ----------------------------------------------------------------------------------------

// A controller without memory, for the shipped scenario; its answers take longer than a sample.
void connect(Simulation& s) {
  s.connect("gnc", [](double t, const Measurements& m) -> Answer {
    if (std::fmod(t, 7) < 0.15) return std::nullopt;
    std::vector<double> u(3);
    for (std::size_t k = 0; k < 3; ++k)
      u[k] = -6 * (m["nav.position"][k] - (k == 0 ? 1 : 0)) - 120 * m["nav.velocity"][k];
    return Commands{{"u", u}};
  });
}
Simulation load() {
  Simulation s = Simulation::load(find_scenario_file("own_controller"));
  s.set("external.gnc.latency", 0.27).set("time.stop", 3);
  return s;
}

RC_GTEST_PROP(ExternalBits, AreThoseOfOneRunInWhateverPieces, ()) {
  static const std::string wanted = [] {
    Simulation s = load();
    connect(s);
    return s.run().json();
  }();
  auto s = std::make_unique<Simulation>(load());
  connect(*s);
  const auto piece = rc::gen::map(rc::gen::inRange(1, 1500), [](int n) { return 1e-3 * n; });
  while (s->step(*piece)) {
    if (*rc::gen::arbitrary<bool>()) s->values("gnc.u");
    if (!*rc::gen::arbitrary<bool>()) continue;
    // Goes on as another object, made of the file anew.
    const std::string bytes = s->save_state();
    const double t = s->t();
    const std::vector<double> u = s->values("gnc.u"), r = s->values("servicer.r_BN_N");
    s = std::make_unique<Simulation>(Simulation::load(find_scenario_file("own_controller")));
    connect(*s);
    s->restore_state(bytes);
    RC_ASSERT(s->t() == t);
    RC_ASSERT(s->values("gnc.u") == u);
    RC_ASSERT(s->values("servicer.r_BN_N") == r);
  }
  RC_ASSERT(s->summary().json() == wanted);
}

// What `approach` computes (approach.h), from what it measures.
class OwnApproach {
 public:
  explicit OwnApproach(Simulation& s) : s_(s) {
    wanted_.value = 20;
    go_.type = "glideslope";
    go_.from = 20, go_.to = 0.06, go_.rate_from = -0.1, go_.rate_to = -0.052, go_.start = 60;
    leave_.type = "quintic";
    leave_.from = 0.1, leave_.to = 20, leave_.duration = 350;
  }
  Answer operator()(double t, const Measurements& m) {
    const Profile<double>* p = t > 60 ? &go_ : &wanted_;
    for (const auto& e : s_.events())
      if (e.name == "retreat") leave_.start = e.t, p = &leave_;
    const auto s = p->at(t, t);
    const double K = 1.9, P = 68, mass = 750;
    const Vec3<double> direction{-1, 0, 0};
    const auto vec = [&](const char* name) {
      return Vec3<double>{m[name][0], m[name][1], m[name][2]};
    };
    const Vec3<double> r = vec("orbit.r_OE_N"), v = vec("orbit.v_OE_N");
    const Vec3<double> radial = normalised(r), h = cross(r, v), normal = normalised(h);
    const auto R_NH = Mat3<double>::columns(radial, cross(normal, radial), normal);
    const auto R_NF = Mat3<double>::columns(R_NH.column_y(), -R_NH.column_z(), -R_NH.column_x());
    const Vec3<double> w = (1.0 / norm_squared(r)) * h;
    const Vec3<double> e = vec("navigation.position") - s.value * direction;
    const Vec3<double> e_dot = vec("navigation.velocity") - s.rate * direction;
    const Vec3<double> d = vec("servicer.rho_BO_N") - vec("target.rho_BO_N");
    const Vec3<double> line_N = R_NF * direction;
    Vec3<double> a = s.acceleration * line_N + cross(w, 2.0 * (s.rate * line_N) + cross(w, d));
    const Vec3<double> up = R_NH.column_x();
    a -= norm_squared(w) * (3.0 * dot(up, d) * up - d);
    const Vec3<double> f = mass * a - R_NF * (K * e + P * e_dot);
    return Commands{{"u", {f.x, f.y, f.z}}};
  }

 private:
  Simulation& s_;
  Profile<double> wanted_, go_, leave_;
};

// docking.toml, with `approach` switched off for good, and an external in its place.
TEST(ExternalBits, OfAControllerThatRepeatsApproachAreThoseOfApproach) {
  const std::string text = read_text("docking");
  std::string own = replaced(text, "name = \"approach\"", "name = \"approach\"\nenabled = false");
  own = replaced(own, "{ control = \"approach\", enable = false }",
                 "{ external = \"gnc\", enable = false }");
  own = replaced(own, "{ control = \"approach\", enable = true }",
                 "{ external = \"gnc\", enable = true }");
  own = replaced(own, "{ control = \"approach\", enable = false }",
                 "{ external = \"gnc\", enable = false }");
  own += R"(
[[external]]
name = "gnc"
sample_time = 0.2
latency = 0.2
measures = ["navigation.position", "navigation.velocity", "orbit.r_OE_N", "orbit.v_OE_N",
  "servicer.rho_BO_N", "target.rho_BO_N"]
commands = [{ name = "u", to = "jets", as = "force", axes = "inertial", limit = 3 }]
silent = { hold = 1, then = "zero" }
)";
  const auto set = [](Simulation& s) {
    for (const char* noise : {"noise_position", "noise_velocity"})
      s.set(std::string("sensor.navigation.") + noise, 0);
  };
  Simulation built_in = from(text), external = from(own);
  set(built_in), set(external);
  external.connect("gnc", OwnApproach(external));
  for (const double t : {30.0, 130.0, 400.0, 800.0, 2000.0, 3900.0}) {
    built_in.run_until(t), external.run_until(t);
    for (const char* name : {"servicer.rho_BO_N", "servicer.rhodot_BO_N", "servicer.quaternion_BN",
                             "servicer.omega_BN_B", "target.rho_BO_N", "target.quaternion_BN"})
      EXPECT_EQ(built_in.values(name), external.values(name)) << name << " " << t;
  }
  EXPECT_EQ(external.summary().verdict(), "captured");
  EXPECT_EQ(built_in.summary().number("docks.joint.force_peak"),
            external.summary().number("docks.joint.force_peak"));
}

}  // namespace
}  // namespace berth::test::external_test
