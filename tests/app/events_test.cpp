// SPDX-License-Identifier: Apache-2.0

// Events from file to summary: each fires when it should, does what it says, and decides how the run
// ends. Two small worlds with solutions in closed form.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/record/read_back.h"
#include "tests/support/process.h"

namespace berth::test::events_test {
namespace {

using Json = nlohmann::ordered_json;

// x = ½ t along x: a craft of 2 kg that drifts, and a load of 4 N on it that nothing has switched on.
const std::string kDrift = R"(
[time]
stop = 10
[record]
interval = 1
[[spacecraft]]
name = "craft"
mass = 2
inertia = [1, 2, 3]
[spacecraft.state]
velocity = [0.5, 0, 0]
[[force]]
type = "external_load"
name = "push"
body = "craft"
force = [4, 0, 0]
axes = "inertial"
[[event]]
name = "off"
at = 0
do = [{ force = "push", enable = false }]
)";

// x = cos 2πt: a mass of 1 kg on a spring, period 1 s.
const std::string kSwing = R"(
[time]
stop = 5
[integrator]
tolerance = 1e-12
[[body]]
name = "mass"
joint = "prismatic"
axis = [1, 0, 0]
mass = 1
inertia = [1, 1, 1]
q = [1]
[[force]]
type = "spring_damper"
name = "spring"
body_1 = "ground"
point_1 = [-10, 0, 0]
body_2 = "mass"
stiffness = 39.478417604357434
length = 10
)";

class Events : public testing::Test {
 protected:
  // Runs a world with events; `code_` is how it ended.
  Json run(const std::string& text, const std::vector<std::string>& more = {}) {
    write_bytes(folder_ / "x.toml", text);
    std::vector<std::string> words{"run", "x.toml", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended end = run_berth(words, {.folder = folder_.path()});
    code_ = end.code;
    EXPECT_NE(end.code, 2) << end.err;
    return end.out.empty() ? Json() : Json::parse(end.out);
  }
  // When the event of this name acted.
  static std::vector<double> times(const Json& j, const std::string& name) {
    std::vector<double> out;
    for (const Json& e : j["events"])
      if (e["name"] == name) out.push_back(e["t"]);
    return out;
  }
  static void expect_times(const Json& j, const std::string& name,
                           const std::vector<double>& wanted, double tolerance = 1e-9) {
    const std::vector<double> got = times(j, name);
    ASSERT_EQ(got.size(), wanted.size()) << j["events"];
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], tolerance) << name;
  }
  static std::vector<std::string> names(const Json& j) {
    std::vector<std::string> out;
    for (const Json& e : j["events"]) out.push_back(e["name"]);
    return out;
  }

  TemporaryFolder folder_;
  int code_ = -1;
};

// --- triggers ------------------------------------------------------------------------------------

TEST_F(Events, AtATimeSwitchAForce) {
  const Json j = run(kDrift + R"(
[[event]]
name = "on"
at = 2
do = [{ force = "push", enable = true }]
[[event]]
name = "off_again"
at = 5
do = [{ force = "push", enable = false }]
)");
  EXPECT_EQ(code_, 0);
  EXPECT_EQ(times(j, "on"), std::vector<double>{2});
  const Json& end = j["final"]["craft"];
  EXPECT_NEAR(end["v_BN_N"][0], 0.5 + 2 * 3, 1e-9);  // 4 N on 2 kg for 3 s
  EXPECT_NEAR(end["r_BN_N"][0], 0.5 * 10 + 0.5 * 2 * 9 + 6 * 5, 1e-8);
  EXPECT_LT(j["audit"]["energy"], 1e-9) << "the work of the load is in the ledger";
  EXPECT_LT(j["audit"]["linear_momentum"], 1e-9);
}

TEST_F(Events, AtTheVeryStartAndTheVeryEnd) {
  const Json j = run(kDrift + R"(
[[event]]
name = "first"
at = 0
do = [{ record = 2 }]
[[event]]
name = "last"
at = 10
do = [{ stop = "the end" }]
)");
  EXPECT_EQ(code_, 0);
  EXPECT_EQ(times(j, "first"), std::vector<double>{0});
  EXPECT_EQ(times(j, "last"), std::vector<double>{10});
  EXPECT_EQ(j["verdict"], "the end");
}

TEST_F(Events, AfterAnotherWithADelay) {
  const Json j = run(kDrift + R"(
[[event]]
name = "third"
after = "second"
delay = 0.5
do = [{ record = 1 }]
[[event]]
name = "second"
after = "first"
delay = 1.25
do = [{ record = 1 }]
[[event]]
name = "first"
at = 1
do = [{ record = 1 }]
[[event]]
name = "too_late"
after = "first"
delay = 100
do = [{ record = 1 }]
)");
  EXPECT_EQ(times(j, "second"), std::vector<double>{2.25});
  EXPECT_EQ(times(j, "third"), std::vector<double>{2.75});
  EXPECT_EQ(j["warnings"], Json::array({"event too_late never happened"}));
}

TEST_F(Events, WhenAConditionBeginsToHoldLocatedInTime) {
  const Json j = run(kDrift + R"(
[[event]]
name = "passing"
when = "craft.rho_BO_N.x > 1.25"
do = [{ strike = "craft", impulse = [3, 0, 0] }]
)");
  expect_times(j, "passing", {2.5});
  const Json& end = j["final"]["craft"];
  EXPECT_NEAR(end["v_BN_N"][0], 0.5 + 1.5, 1e-9);
  EXPECT_NEAR(end["r_BN_N"][0], 1.25 + 2 * 7.5, 1e-8);
}

TEST_F(Events, WhenWithDirectionRepeatAndHold) {
  const Json j = run(kSwing + R"(
[[event]]
name = "once"
when = "mass.travel < 0"
do = [{ record = 0.01 }]
[[event]]
name = "always"
when = "mass.travel < 0"
repeat = true
do = [{ record = 0.01 }]
[[event]]
name = "leaving"
when = "mass.travel > 0.5"
direction = "ends"
repeat = true
do = [{ record = 0.01 }]
[[event]]
name = "held"
when = "mass.travel < 0"
hold = 0.3
do = [{ record = 0.01 }]
[[event]]
name = "held_again"
when = "mass.travel < 0"
hold = 0.3
repeat = true
do = [{ record = 0.01 }]
[[event]]
name = "held_too_long"
when = "mass.travel < 0"
hold = 0.6
do = [{ record = 0.01 }]
[[event]]
name = "both"
when = "mass.travel < 0 and mass.speed > 0"
do = [{ record = 0.01 }]
[[event]]
name = "either"
when = "(mass.travel < -0.99999) or mass.speed > 3"
do = [{ record = 0.01 }]
[[event]]
name = "from_the_start"
when = "mass.travel > 0"
do = [{ record = 0.01 }]
[[event]]
name = "armed_later"
after = "held"
when = "mass.travel < 0.5"
do = [{ record = 0.01 }]
)");
  EXPECT_EQ(code_, 0);
  const double sixth = 1.0 / 6;  // cos 2πt = ½
  expect_times(j, "once", {0.25});
  expect_times(j, "always", {0.25, 1.25, 2.25, 3.25, 4.25});
  expect_times(j, "leaving", {sixth, 1 + sixth, 2 + sixth, 3 + sixth, 4 + sixth});
  expect_times(j, "held", {0.55});
  expect_times(j, "held_again", {0.55, 1.55, 2.55, 3.55, 4.55});
  expect_times(j, "held_too_long", {});
  expect_times(j, "both", {0.5}, 1e-7);
  expect_times(j, "either", {std::acos(-0.99999) / (2 * M_PI)}, 1e-6);
  expect_times(j, "from_the_start", {0});
  expect_times(j, "armed_later", {0.55});  // true already when it is armed
  EXPECT_EQ(j["warnings"], Json::array({"event held_too_long never happened"}));
}

TEST_F(Events, OneThatFollowsARepeatedOneActsOnceUnlessItRepeatsToo) {
  const Json j = run(kSwing + R"(
[[event]]
name = "always"
when = "mass.travel < 0"
repeat = true
do = [{ record = 0.1 }]
[[event]]
name = "once"
after = "always"
delay = 0.1
do = [{ record = 0.1 }]
[[event]]
name = "each"
after = "always"
delay = 0.2
repeat = true
do = [{ record = 0.1 }]
)");
  expect_times(j, "once", {0.35});
  expect_times(j, "each", {0.45, 1.45, 2.45, 3.45, 4.45});
}

TEST_F(Events, DueTogetherActInTheOrderOfTheFile) {
  const Json j = run(kDrift + R"(
[[event]]
name = "b"
at = 3
do = [{ strike = "craft", impulse = [1, 0, 0] }]
[[event]]
name = "follows"
after = "b"
do = [{ record = 1 }]
[[event]]
name = "a"
at = 3
do = [{ record = 1 }]
[[event]]
name = "seen"
when = "craft.rho_BO_N.x > 1.5"
do = [{ record = 1 }]
)");
  EXPECT_EQ(names(j), (std::vector<std::string>{"off", "b", "a", "seen", "follows"}))
      << j["events"];
  for (const char* name : {"a", "b", "follows", "seen"}) expect_times(j, name, {3});
}

TEST_F(Events, FixedStepsEndOnTheEvent) {
  const Json j = run(kDrift + R"(
[[event]]
name = "on"
at = 3.3333
do = [{ force = "push", enable = true }]
)",
                     {"--set", "integrator.method=rk4", "--set", "integrator.step=0.7"});
  EXPECT_EQ(times(j, "on"), std::vector<double>{3.3333});
  EXPECT_NEAR(j["final"]["craft"]["v_BN_N"][0], 0.5 + 2 * (10 - 3.3333), 1e-9);
}

// --- actions -------------------------------------------------------------------------------------

const std::string kArm = R"(
[time]
stop = 4
[[spacecraft]]
name = "craft"
mass = 1e6
inertia = [1e6, 1e6, 1e6]
[[spacecraft.component]]
type = "robot_arm"
name = "arm"
[[spacecraft.component.link]]
axis = [0, 0, 1]
mass = 1
centre_of_mass = [0, 0, 0]
inertia = [1, 1, 1]
[[control]]
type = "joint_pd"
name = "drive"
joints = ["arm.link1"]
stiffness = 100
damping = 20
reference = [{ value = 0.5 }]
enabled = false
)";

TEST_F(Events, KickSetsOrAddsARate) {
  const Json j = run(kArm + R"(
[[event]]
name = "set"
at = 1
do = [{ kick = "craft.arm.link1", rate = 0.5 }]
[[event]]
name = "add"
at = 3
do = [{ kick = "craft.arm.link1", add = 0.25 }]
)");
  const Json& joint = j["final"]["craft"]["joints"]["arm.link1"];
  EXPECT_NEAR(joint["v"], 0.75, 1e-5);
  EXPECT_NEAR(joint["q"], 0.5 * 2 + 0.75, 1e-4);
  EXPECT_LT(j["audit"]["angular_momentum"], 1e-9) << "the kick is in the ledger";
}

TEST_F(Events, ControllerIsSwitchedAndGetsANewReference) {
  const Json off = run(kArm, {"--at", "4"});
  EXPECT_EQ(off["final"]["craft"]["joints"]["arm.link1"]["q"], 0.0);
  const Json on = run(kArm + R"(
[[event]]
name = "on"
at = 0.5
do = [{ control = "drive", enable = true }]
[[event]]
name = "other"
at = 2
do = [{ control = "drive", reference = [{ type = "step", from = 0.5, to = -0.25, start = 0.5 }] }]
)",
                      {"--at", "2,2.5,4"});
  const auto angle = [&](std::size_t i) {
    return on["samples"][i]["craft.arm.link1.angle"].get<double>();
  };
  EXPECT_NEAR(angle(0), 0.5, 1e-4);
  EXPECT_NEAR(angle(1), 0.5, 1e-4) << "its start is counted from the event";
  EXPECT_NEAR(angle(2), -0.25, 1e-4);
}

TEST_F(Events, RecordChangesHowOftenRowsAreWritten) {
  run(kDrift + R"(
[[event]]
name = "finer"
at = 4
do = [{ record = 0.25 }]
[[event]]
name = "coarser"
at = 6
do = [{ record = 2 }]
)");
  const record_test::ReadBack file(folder_ / "x.h5");
  // One row before an event and one after it.
  EXPECT_EQ(file.numbers("/time"), (std::vector<double>{0, 0, 1, 2, 3, 4, 4, 4.25, 4.5, 4.75, 5,
                                                        5.25, 5.5, 5.75, 6, 6, 8, 10}));
  EXPECT_EQ(file.numbers("/events/time"), (std::vector<double>{0, 4, 6}));
  EXPECT_EQ(file.texts("/events/name"), (std::vector<std::string>{"off", "finer", "coarser"}));
}

TEST_F(Events, HaveARowOfTheirOwnUnlessSwitchedOff) {
  const std::string event = "[[event]]\nname = \"e\"\nat = 2.5\ndo = [{ record = 1 }]\n";
  run(kDrift + event);
  EXPECT_EQ(record_test::ReadBack(folder_ / "x.h5").numbers("/time").size(), 14u)
      << "at the start, where a row is due, and two rows at the event";
  run(kDrift + event, {"--set", "record.at_events=false"});
  EXPECT_EQ(record_test::ReadBack(folder_ / "x.h5").numbers("/time").size(), 11u);
}

// --- how it ends ---------------------------------------------------------------------------------

const std::string kStop = R"(
[[event]]
name = "arrived"
when = "craft.rho_BO_N.x > 2"
do = [{ stop = "captured" }]
)";

TEST_F(Events, StopEndsTheRunWithAVerdict) {
  const Json j = run(kDrift + kStop);
  EXPECT_EQ(code_, 0);
  EXPECT_EQ(j["outcome"], "stopped");
  EXPECT_EQ(j["verdict"], "captured");
  EXPECT_NEAR(j["time"], 4, 1e-9);
  EXPECT_NEAR(j["final"]["craft"]["r_BN_N"][0], 2, 1e-9);
  EXPECT_NEAR(record_test::ReadBack(folder_ / "x.h5").numbers("/time").back(), 4, 1e-9);
}

TEST_F(Events, ExpectationsDecideTheExitCode) {
  struct Case {
    const char* expect;
    int code;
  };
  for (const Case& c : {Case{"verdict = \"captured\"", 0}, Case{"verdict = \"missed\"", 1},
                        Case{"outcome = \"stopped\"", 0}, Case{"outcome = \"reached_end\"", 1},
                        Case{"final = [\"craft.rho_BO_N.x > 1.9\", \"craft.rate < 1\"]", 0},
                        Case{"final = [\"craft.rho_BO_N.x > 1.9\", \"craft.rate > 1\"]", 1},
                        Case{"energy = 1e-9\nlinear_momentum = 1e-9", 0}}) {
    const Json j = run(kDrift + kStop + "[expect]\n" + c.expect + "\n");
    EXPECT_EQ(code_, c.code) << c.expect;
    bool met = true;
    for (const Json& e : j["expectations"]) met = met && e["met"].get<bool>();
    EXPECT_EQ(met, c.code == 0) << c.expect;
  }
}

TEST_F(Events, VerdictThatNeverCameFails) {
  run(kDrift + kStop + "[expect]\nverdict = \"captured\"\n", {"--set", "time.stop=3"});
  EXPECT_EQ(code_, 1);
}

TEST_F(Events, StopWithoutAVerdictIsCalledAfterItsEvent) {
  const Json j = run(kDrift + "[[event]]\nname = \"enough\"\nat = 2\ndo = [{ stop = \"\" }]\n");
  EXPECT_EQ(j["verdict"], "enough");
  EXPECT_EQ(j["time"], 2.0);
}

// Two events that undo each other at the same moment: the run goes on, and ends.
TEST_F(Events, ThatTriggerEachOtherDoNotHang) {
  const std::string text = kSwing + R"(
[[event]]
name = "there"
when = "mass.speed > 0.1"
repeat = true
do = [{ kick = "mass", rate = -1 }]
[[event]]
name = "back"
when = "mass.speed < -0.1"
repeat = true
do = [{ kick = "mass", rate = 1 }]
)";
  const Json j = run(text, {"--set", "time.stop=0.1"});
  EXPECT_GT(j["events"].size(), 100u);
  // The summary does not list them all.
  const Ended end = run_berth({"run", "x.toml", "--no-out", "--set", "time.stop=0.1"},
                              {.folder = folder_.path()});
  EXPECT_NE(end.out.find(" more events"), std::string::npos) << end.out.substr(0, 1000);
  EXPECT_LT(end.out.size(), 5000u);
}

}  // namespace
}  // namespace berth::test::events_test
