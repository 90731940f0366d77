// SPDX-License-Identifier: Apache-2.0

// --set table.name.key=VALUE reaches every input of a scenario, and says so when it does not.

#include <gtest/gtest.h>

#include "berth/scenario/scenario.h"

namespace berth::override_test {
namespace {

const std::string kBase = R"(title = "Base"
[time]
stop = 10
[orbit]
semi_major_axis_km = 7000
inclination_deg = 30
[[spacecraft]]
name = "chaser"
mass = 10
inertia = [3, 4, 5]
[spacecraft.state]
quaternion_BN = [0.8, 0.6, 0, 0]
omega_BN_B = [0.1, 0.2, 0.3]
[[spacecraft.port]]
name = "probe"
position = [1, 0, 0]
axes = [[1, 0, 0], [0, 0, 1]]
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel"
axis = [1, 0, 0]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
speed_rpm = 60
[[spacecraft.component]]
type = "robot_arm"
name = "arm"
[[spacecraft.component.link]]
axis = [0, 0, 1]
mass = 0.5
centre_of_mass = [0.2, 0, 0]
inertia = [0.01, 0.01, 0.01]
[[spacecraft]]
name = "target"
mass = 20
inertia = [3, 4, 5]
[[force]]
type = "external_load"
name = "push"
body = "chaser"
force = [1, 0, 0]
[[control]]
type = "attitude"
name = "pointing"
body = "chaser"
K = 1
P = 2
angle = { type = "quintic", to_deg = 90, duration = 5 }
[[event]]
name = "finish"
at = 5
do = [{ record = 1 }, { stop = "done" }]
)";

ReadScenario read(const std::vector<std::string>& settings, const std::string& text = kBase) {
  ReadScenario out = read_scenario_text(text, "base.toml", settings);
  build_scenario(out.scenario, out.problems);
  return out;
}
std::string problems_of(const std::vector<std::string>& settings, const std::string& text = kBase) {
  std::string out;
  for (const Problem& p : read(settings, text).problems.list) out += describe(p) + "\n";
  return out;
}
// The scenario with one setting, which must be a good one.
Scenario with(const std::string& setting) {
  ReadScenario out = read({setting});
  for (const Problem& p : out.problems.list) ADD_FAILURE() << describe(p);
  return out.scenario;
}
const ReactionWheel<double>& wheel_of(const Scenario& s) {
  return std::get<ReactionWheel<double>>(s.spacecraft.at(0).component.at(0).part);
}

constexpr double kDegree = M_PI / 180;

TEST(Override, ReachesTheInputsOfACraftByItsName) {
  EXPECT_EQ(with("spacecraft.chaser.mass=12.5").spacecraft[0].mass, 12.5);
  EXPECT_EQ(with("spacecraft.target.mass=7").spacecraft[1].mass, 7);
  EXPECT_EQ(with("spacecraft.target.mass=7").spacecraft[0].mass, 10);
  EXPECT_EQ(with("spacecraft.chaser.inertia=[1, 1.5, 2]").spacecraft[0].inertia,
            Sym3<double>::diagonal(1, 1.5, 2));
  EXPECT_EQ(
      with("spacecraft.chaser.inertia=[[3,0.1,0],[0.1,4,0],[0,0,5]]").spacecraft[0].inertia.xy,
      0.1);
  EXPECT_EQ(with("spacecraft.chaser.centre_of_mass=[0.1, 0, 0]").spacecraft[0].centre_of_mass.x,
            0.1);
}

TEST(Override, ReachesTheState) {
  const auto state = [](const std::string& setting) { return *with(setting).spacecraft[0].state; };
  EXPECT_EQ(state("spacecraft.chaser.state.omega_BN_B=[1,2,3]").omega_BN_B,
            (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(state("spacecraft.chaser.state.position=[1,2,3]").position, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(state("spacecraft.chaser.state.velocity=[0,0,1]").velocity, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(state("spacecraft.chaser.state.axes=hill").axes, "hill");
}

TEST(Override, ReachesSingleComponents) {
  const auto state = [](const std::string& setting) { return *with(setting).spacecraft[0].state; };
  EXPECT_EQ(state("spacecraft.chaser.state.omega_BN_B.y=7").omega_BN_B,
            (Vec3<double>{0.1, 7, 0.3}));
  const ReadScenario both = read({"spacecraft.chaser.state.quaternion_BN.w=0.6",
                                  "spacecraft.chaser.state.quaternion_BN.x=0.8"});
  EXPECT_TRUE(both.problems.empty());
  EXPECT_EQ(both.scenario.spacecraft[0].state->quaternion_BN->x, 0.8);
  EXPECT_EQ(with("spacecraft.chaser.inertia.z=4.5").spacecraft[0].inertia,
            Sym3<double>::diagonal(3, 4, 4.5));
}

TEST(Override, MakesTheStateOfACraftThatHasNone) {
  const Scenario s = with("spacecraft.target.state.position_mm=[1000,0,0]");
  ASSERT_TRUE(s.spacecraft[1].state);
  EXPECT_EQ(s.spacecraft[1].state->position.x, 1);
}

TEST(Override, ReachesPortsComponentsAndTheirLists) {
  EXPECT_EQ(with("spacecraft.chaser.port.probe.position=[2,0,0]").spacecraft[0].port[0].position.x,
            2);
  EXPECT_EQ(
      with("spacecraft.chaser.port.probe.axes=[[0,1,0],[1,0,0]]").spacecraft[0].port[0].axes[0].y,
      1);
  EXPECT_EQ(wheel_of(with("spacecraft.chaser.component.wheel.mass=3")).mass, 3);
  EXPECT_EQ(wheel_of(with("spacecraft.chaser.component.wheel.max_torque=0.2")).max_torque, 0.2)
      << "not in the file";
  const Scenario s = with("spacecraft.chaser.component.arm.link.1.mass=0.75");
  EXPECT_EQ(std::get<RobotArm<double>>(s.spacecraft[0].component[1].part).link[0].mass, 0.75)
      << "what has no name is called by its number";
}

TEST(Override, ReachesPlainTables) {
  EXPECT_EQ(with("time.stop=20").time.stop, 20);
  EXPECT_EQ(with("title=A new title").title, "A new title");
  EXPECT_EQ(with("orbit.gravity_gradient=false").orbit->gravity_gradient, false);
  EXPECT_EQ(with("orbit.eccentricity=0.01").orbit->eccentricity, 0.01);
}

TEST(Override, MakesTablesTheFileLeavesOut) {
  EXPECT_EQ(with("integrator.method=dopri5").integrator.method, "dopri5");
  EXPECT_EQ(with("integrator.tolerance=1e-7").integrator.tolerance, 1e-7);
  EXPECT_EQ(with("integrator.step=0.1").integrator.step, 0.1);
  EXPECT_EQ(with("record.interval=0.25").record.interval, 0.25);
  EXPECT_EQ(*with("expect.verdict=done").expect.verdict, "done");
}

TEST(Override, ReachesForcesControllersAndEvents) {
  EXPECT_EQ(std::get<ExternalLoad<double>>(with("force.push.force=[0,5,0]").force[0].part).force.y,
            5);
  EXPECT_EQ(std::get<ExternalLoad<double>>(with("force.push.schedule=[[1,2]]").force[0].part)
                .schedule.size(),
            1u);
  const auto control = [](const std::string& setting) {
    return std::get<AttitudeControl<double>>(with(setting).control[0].part);
  };
  EXPECT_EQ(control("control.pointing.K=7").K, 7);
  EXPECT_EQ(control("control.pointing.angle.duration=2").angle.duration, 2);
  EXPECT_EQ(with("control.pointing.enabled=false").control[0].enabled, false);
  EXPECT_EQ(*with("event.finish.at=3").event[0].at, 3);
  EXPECT_EQ(std::get<RecordAction>(with("event.finish.do.1.record=0.5").event[0].actions[0].part)
                .interval,
            0.5);
  EXPECT_EQ(
      std::get<StopAction>(with("event.finish.do.2.stop=other").event[0].actions[1].part).verdict,
      "other");
}

TEST(Override, WithAnotherUnitReplacesTheOneInTheFile) {
  EXPECT_DOUBLE_EQ(wheel_of(with("spacecraft.chaser.component.wheel.speed=5")).speed, 5);
  EXPECT_DOUBLE_EQ(wheel_of(with("spacecraft.chaser.component.wheel.speed_rpm=30")).speed, M_PI);
  EXPECT_DOUBLE_EQ(wheel_of(with("spacecraft.chaser.component.wheel.speed_deg_s=90")).speed,
                   M_PI / 2);
  EXPECT_DOUBLE_EQ(*with("orbit.semi_major_axis=7.1e6").orbit->semi_major_axis, 7.1e6);
  EXPECT_DOUBLE_EQ(with("orbit.inclination=0.5").orbit->inclination, 0.5);
  EXPECT_DOUBLE_EQ(
      with("spacecraft.chaser.state.omega_BN_B_deg_s=[1,2,3]").spacecraft[0].state->omega_BN_B.z,
      3 * kDegree);
  const Scenario s = with("control.pointing.angle.to=0.25");
  EXPECT_EQ(std::get<AttitudeControl<double>>(s.control[0].part).angle.to, 0.25);
}

TEST(Override, WithTheAttitudeInOtherNumbersReplacesTheOneInTheFile) {
  const StateSpec state = *with("spacecraft.chaser.state.sigma_BN=[0.1,0,0]").spacecraft[0].state;
  EXPECT_FALSE(state.quaternion_BN);
  EXPECT_EQ(state.sigma_BN->x, 0.1);
  const ReadScenario back = read({"spacecraft.chaser.state.sigma_BN=[0.1,0,0]",
                                  "spacecraft.chaser.state.quaternion_BN=[1,0,0,0]"});
  EXPECT_TRUE(back.problems.empty());
  EXPECT_FALSE(back.scenario.spacecraft[0].state->sigma_BN);
}

TEST(Override, TakesInlineTables) {
  const Scenario s = with("control.pointing.angle={type=\"step\", to=0.1, start=2}");
  EXPECT_EQ(std::get<AttitudeControl<double>>(s.control[0].part).angle.type, "step");
  EXPECT_EQ(with("event.finish.do=[{stop=\"x\"}]").event[0].actions.size(), 1u);
}

TEST(Override, TakesTextsWithAndWithoutQuotes) {
  EXPECT_EQ(with("title=word").title, "word");
  EXPECT_EQ(with("title=\"two words\"").title, "two words");
  EXPECT_EQ(with("title='it''s'").title, "'it''s'") << "no TOML, so a word as it stands";
  EXPECT_EQ(with("title=a=b").title, "a=b");
  EXPECT_EQ(with("title=").title, "");
  EXPECT_EQ(with("title=1\nother = 2").title, "1\nother = 2") << "one value, not two keys";
}

TEST(Override, LaterOnesWin) {
  const ReadScenario out = read({"time.stop=20", "time.stop=30"});
  EXPECT_EQ(out.scenario.time.stop, 30);
}

TEST(Override, ReachesAListWrittenAsOneTable) {
  const std::string text =
      "[time]\nstop = 1\n[spacecraft]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n"
      "[spacecraft.port]\nname = \"p\"\nposition = [1, 0, 0]\n";
  const ReadScenario out =
      read({"spacecraft.a.mass=4", "spacecraft.a.port.p.position=[0,0,2]"}, text);
  ASSERT_TRUE(out.problems.empty()) << describe(out.problems.list[0]);
  EXPECT_EQ(out.scenario.spacecraft[0].mass, 4);
  EXPECT_EQ(out.scenario.spacecraft[0].port[0].position.z, 2);
}

// --- what is wrong -------------------------------------------------------------------------------

TEST(BadOverride, UnknownNameIsReportedWithTheNearest) {
  EXPECT_EQ(problems_of({"spacecraft.chasser.mass=1"}),
            "--set  spacecraft.chasser.mass — no spacecraft named chasser; did you mean chaser?\n");
  EXPECT_EQ(problems_of({"spacecraft.chaser.component.weel.mass=1"}),
            "--set  spacecraft.chaser.component.weel.mass — no component named weel; did you mean "
            "wheel?\n");
  EXPECT_EQ(problems_of({"event.zzzzzz.at=1"}),
            "--set  event.zzzzzz.at — no event named zzzzzz; there is finish\n");
}

TEST(BadOverride, UnknownKeyIsReportedWithTheNearest) {
  EXPECT_EQ(problems_of({"spacecraft.chaser.mas=1"}),
            "--set  spacecraft.chaser.mas — no such input here; did you mean \"mass\" [kg]?\n");
  EXPECT_EQ(problems_of({"spacecraft.chaser.component.wheel.sped_rpm=1"}),
            "--set  spacecraft.chaser.component.wheel.sped_rpm — no such input of reaction_wheel; "
            "did you mean \"speed\" [rad/s]?\n");
  EXPECT_EQ(problems_of({"tme.stop=1"}),
            "--set  tme — no such input here; did you mean \"time\"?\n");
  EXPECT_EQ(problems_of({"time.stpo=1"}),
            "--set  time.stpo — no such input here; did you mean \"stop\" [s]?\n");
}

TEST(BadOverride, ValueIsCheckedLikeTheFiles) {
  EXPECT_EQ(problems_of({"spacecraft.chaser.mass=-1"}),
            "--set  spacecraft.chaser.mass — -1 kg must be positive\n");
  EXPECT_EQ(problems_of({"spacecraft.chaser.mass=heavy"}),
            "--set  spacecraft.chaser.mass — 'heavy' is not a number\n");
  EXPECT_EQ(problems_of({"time.stop=inf"}), "--set  time.stop — inf s is not a finite number\n");
  EXPECT_EQ(
      problems_of({"spacecraft.chaser.inertia=[1,1,9]"}),
      "--set  spacecraft.chaser.inertia — [ 1, 1, 9 ] is not an inertia: one principal moment "
      "exceeds the sum of the other two\n");
  EXPECT_EQ(problems_of({"integrator.method=rk5"}),
            "--set  integrator.method — no method rk5; did you mean rk4?\n");
  // An event after the end is no mistake: a run may be cut short to try something.
  EXPECT_EQ(problems_of({"event.finish.at=99"}), "");
}

TEST(BadOverride, ComponentsHaveTheirLetters) {
  EXPECT_EQ(problems_of({"spacecraft.chaser.state.omega_BN_B.w=1"}),
            "--set  spacecraft.chaser.state.omega_BN_B.w — the components of "
            "spacecraft.chaser.state.omega_BN_B are x, y, z\n");
  EXPECT_NE(problems_of({"spacecraft.chaser.state.omega_BN_B.x.y=1"}), "");
  EXPECT_NE(problems_of({"spacecraft.chaser.state.omega_BN_B.x=fast"}), "");
  EXPECT_NE(problems_of({"spacecraft.chaser.state.velocity.x=1"}), "") << "not in the file";
}

TEST(BadOverride, FormIsReported) {
  EXPECT_EQ(problems_of({"time.stop"}), "--set  time.stop — write it as table.name.key=VALUE\n");
  EXPECT_EQ(problems_of({"=3"}), "--set  =3 — write it as table.name.key=VALUE\n");
  EXPECT_EQ(problems_of({"time.=3"}), "--set  time. — the key is empty\n");
  EXPECT_EQ(problems_of({"spacecraft.chaser=3"}),
            "--set  spacecraft.chaser — spacecraft is a list: name one of its members\n");
  EXPECT_EQ(problems_of({"time.stop.now=3"}), "--set  time.stop.now — time.stop is not a table\n");
  EXPECT_EQ(problems_of({"spacecraft=3"}), "--set  spacecraft — 3 is not a list\n");
  EXPECT_EQ(problems_of({"title=\xe6no"}), "--set  a setting is text in UTF-8\n");
  // One line each, whatever stands in them.
  EXPECT_EQ(problems_of({"a\nb"}), "--set  a\\nb — write it as table.name.key=VALUE\n");
}

TEST(BadOverride, PathWithoutEndIsRefused) {
  const auto path_of = [](int words) {
    std::string path = "a";
    for (int i = 1; i < words; ++i) path += ".a";
    return path;
  };
  const std::string too_deep = "--set  the setting is nested over 64 levels deep\n";
  for (const int words : {65, 50000}) {
    EXPECT_EQ(problems_of({path_of(words) + "=1"}), too_deep);
    EXPECT_EQ(problems_of({"title={" + path_of(words) + "=1}"}), too_deep);
  }
  const std::string of_a_key = problems_of({path_of(64) + "=1"});
  EXPECT_NE(of_a_key, "");
  EXPECT_EQ(of_a_key.find("levels"), std::string::npos) << of_a_key;
  EXPECT_EQ(problems_of({"title=" + path_of(50000)}), "") << "a text has no levels";
}

TEST(BadOverride, AllAreReportedAtOnceWithWhatIsWrongInTheFile) {
  const std::string text = kBase + "[record]\nintervall = 1\n";
  const std::string reported =
      problems_of({"spacecraft.chaser.mass=0", "tme.stop=3", "control.poynting.K=1"}, text);
  EXPECT_EQ(std::count(reported.begin(), reported.end(), '\n'), 4) << reported;
  EXPECT_NE(reported.find("base.toml:55:13  record.intervall"), std::string::npos) << reported;
}

}  // namespace
}  // namespace berth::override_test
