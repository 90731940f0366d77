// SPDX-License-Identifier: Apache-2.0

// [[capture]]: what it is written out as, each of its verdicts reached by two bodies in free space,
// the numbers reported with them.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/scenario/build/build_capture.h"
#include "tests/scenario/scenario_runs.h"
#include "tests/support/process.h"

namespace berth::capture_test {
namespace {

using namespace test;
using Json = Ran::Json;

// --- two bodies ----------------------------------------------------------------------------------

// A probe 0.45 m before the apex of a cone, coming in at 7 cm/s and 3 cm off its axis.
const std::string kMeeting = R"(
[time]
stop = 60
[integrator]
tolerance = 1e-9
[record]
interval = 1
[[spacecraft]]
name = "target"
mass = 2000
inertia = [1500, 1900, 1900]
state = {}
[[spacecraft.port]]
name = "cone"
position = [-1.2, 0, 0]
axes = [[-1, 0, 0], [0, 0, 1]]
[[spacecraft]]
name = "chaser"
mass = 750
inertia = [490, 270, 550]
[spacecraft.state]
relative_to = "target.cone"
port = "probe"
axes = "port"
position = [0.45, 0.03, 0]
velocity = [-0.07, 0, 0]
attitude = "mated"
sigma_BN = [0, 0, 0]
omega_BN_B = [0, 0, 0]
[[spacecraft.port]]
name = "probe"
position = [1.3, 0, 0]
[[contact]]
name = "tip"
between = ["chaser.probe", "target.cone"]
surface = "cone"
half_angle_deg = 30
length = 0.35
thickness = 0.05
probe = { type = "sphere", radius = 0.03 }
law = { type = "spring_dashpot", stiffness = 5000, damping = 600 }
friction = 0.1
[[dock]]
name = "soft"
type = "rigid"
between = ["chaser.probe", "target.cone"]
arm = [0.07, 0, 0]
enforce = "penalty"
gains = "physical"
stiffness = 200
damping = 400
stiffness_rotation = 100
damping_rotation = 400
gap = 0.5
gap_angle_deg = 10
engaged = false
[[dock]]
name = "joint"
type = "rigid"
between = ["chaser.probe", "target.cone"]
engaged = false
[[capture]]
name = "capture"
between = ["chaser.probe", "target.cone"]
contacts = ["tip"]
soft = "soft"
dock = "joint"
zone_depth = 0.1
zone_radius = 0.05
hard_gap = 0.08
hard_lateral = 0.01
hard_speed = 0.002
hard_hold = 1
mouth_depth = 0.3
mouth_radius = 0.2
bounce_distance = 0.6
force_max = 500
[expect]
verdict = "captured"
)";

const char* const kReported[] = {"gap",  "closing", "lateral", "lateral_speed",
                                 "tilt", "roll",    "rate"};

TEST(Capture, TouchesIsDrawnInAndLatched) {
  const Ran r = run(kMeeting);
  EXPECT_EQ(r.verdict(), "captured");
  EXPECT_EQ(r.outcome(), "reached_end") << "the run goes on";
  EXPECT_TRUE(r.as_expected);
  EXPECT_EQ(r.names(),
            (Strings{"capture_touch", "capture_inside", "capture_soft", "capture_hard"}));
  EXPECT_TRUE(r.warnings.empty()) << r.warnings[0];
  // What was reported at each moment is what decided it.
  for (const std::string& name : r.names()) {
    const Json e = r.event(name);
    for (const char* quantity : kReported)
      EXPECT_TRUE(e.contains(std::string("capture.") + quantity)) << name << " " << quantity;
    EXPECT_TRUE(e.contains("tip.force")) << name;
  }
  const auto reported = [&](const char* event, const char* channel) {
    return r.event(event).at(channel).get<double>();
  };
  EXPECT_NEAR(reported("capture_touch", "capture.closing"), 0.07, 1e-9);
  EXPECT_NEAR(reported("capture_touch", "capture.lateral"), 0.03, 1e-9);
  // The ball of 3 cm meets the wall of 30° where x sin 30° − y cos 30° = 3 cm.
  const double touch = (0.03 + 0.03 * std::cos(M_PI / 6)) / std::sin(M_PI / 6);
  EXPECT_NEAR(reported("capture_touch", "capture.gap"), touch, 1e-8);
  EXPECT_EQ(r.time_of("capture_inside"), r.time_of("capture_touch"));
  EXPECT_LT(reported("capture_soft", "capture.gap"), 0.1 + 1e-9);
  EXPECT_LT(reported("capture_soft", "capture.lateral"), 0.05 + 1e-9);
  EXPECT_LT(reported("capture_hard", "capture.gap"), 0.08 + 1e-9);
  EXPECT_LT(reported("capture_hard", "capture.lateral"), 0.01 + 1e-9);
  // Soft first, then hard, and soft lets go.
  EXPECT_EQ(r.event("soft", "latch").at("t"), r.time_of("capture_soft"));
  EXPECT_EQ(r.event("soft", "latch").at("lock"), "nominal");
  EXPECT_EQ(r.event("joint", "latch").at("t"), r.time_of("capture_hard"));
  EXPECT_EQ(r.event("joint", "latch").at("lock"), "current");
  EXPECT_EQ(r.event("soft", "release").at("t"), r.time_of("capture_hard"));
  EXPECT_LT(r.json.at("audit").at("energy").get<double>(), 1e-8);
  EXPECT_LT(r.json.at("audit").at("linear_momentum").get<double>(), 1e-10);
  EXPECT_LT(r.json.at("audit").at("angular_momentum").get<double>(), 1e-10);
}

TEST(Capture, MayEndTheRun) {
  const Ran r = run(kMeeting, {"capture.capture.stop=true"});
  EXPECT_EQ(r.outcome(), "stopped");
  EXPECT_EQ(r.verdict(), "captured");
  EXPECT_EQ(r.json.at("time"), r.time_of("capture_hard"));
}

// A wall without a damper and a zone out of reach: in it goes and out again.
TEST(Capture, BouncesOff) {
  const Ran r = run(kMeeting, {"contact.tip.law.damping=0", "contact.tip.friction=0",
                               "capture.capture.zone_depth=-1"});
  EXPECT_EQ(r.verdict(), "bounced_off");
  EXPECT_EQ(r.outcome(), "stopped");
  EXPECT_FALSE(r.as_expected);
  const Json e = r.event("capture_bounced_off");
  EXPECT_NEAR(e.at("capture.gap").get<double>(), 0.6, 1e-6);
  EXPECT_LT(e.at("capture.closing").get<double>(), 0) << "it goes away";
  EXPECT_FALSE(r.has("capture_soft"));
}

TEST(Capture, PassesBeside) {
  const Ran r = run(kMeeting, {"spacecraft.chaser.state.position.y=0.4"});
  EXPECT_EQ(r.verdict(), "missed");
  EXPECT_EQ(r.outcome(), "stopped");
  const Json e = r.event("capture_missed");
  EXPECT_NEAR(e.at("capture.gap").get<double>(), 0.3, 1e-8);
  EXPECT_NEAR(e.at("capture.lateral").get<double>(), 0.4, 1e-8);
  EXPECT_NEAR(e.at("t").get<double>(), 0.15 / 0.07, 1e-6);
  EXPECT_FALSE(r.has("capture_touch"));
}

TEST(Capture, ComesTooLate) {
  const Ran r = run(
      kMeeting, {"spacecraft.chaser.state.velocity.x=-0.001", "capture.capture.give_up_after=20"});
  EXPECT_EQ(r.verdict(), "missed");
  EXPECT_EQ(r.json.at("time"), 20);
  EXPECT_NEAR(r.event("capture_late").at("capture.gap").get<double>(), 0.43, 1e-8);
  // In time is in time.
  EXPECT_EQ(run(kMeeting, {"capture.capture.give_up_after=40"}).verdict(), "captured");
}

// --- with latches that fail ----------------------------------------------------------------------

std::string with_failure(const std::string& of, const std::string& as) {
  return kMeeting +
         event("fault", "at = 0.5", fmt::format("do = [{{ fail = \"{}\", {} }}]", of, as));
}

// The condition is met when it was; the dock joins, the spring lets go and the verdict comes so much later.
TEST(Capture, WithALateLatchIsCapturedLater) {
  const Ran prompt = run(kMeeting), late = run(with_failure("joint", "as = \"late\", by = 0.8"));
  const double commanded = late.event("joint", "latch_late").at("t");
  EXPECT_NEAR(commanded, prompt.time_of("capture_hard"), 1e-6);
  EXPECT_EQ(late.time_of("capture_hard"), commanded + 0.8);
  EXPECT_EQ(late.event("joint", "latch").at("t"), commanded + 0.8);
  EXPECT_EQ(late.event("soft", "release").at("t"), commanded + 0.8);
  EXPECT_EQ(late.verdict(), "captured");
  // A limit in between is missed.
  const Ran missed = run(with_failure("joint", "as = \"late\", by = 0.8"),
                         {fmt::format("capture.capture.give_up_after={}", commanded + 0.4)});
  EXPECT_EQ(missed.verdict(), "missed");
}

TEST(Capture, WithALatchStuckOpenEndsAsItsConditionsSay) {
  const Ran hard = run(with_failure("joint", "as = \"stuck_open\""));
  EXPECT_EQ(hard.verdict(), "not_captured");
  EXPECT_EQ(hard.outcome(), "reached_end");
  EXPECT_TRUE(hard.has("capture_soft"));
  EXPECT_FALSE(hard.has("capture_hard"));
  EXPECT_TRUE(hard.event("soft", "release").is_null()) << "soft still holds it";
  EXPECT_EQ(hard.warnings.size(), 1u);
  const Ran given_up =
      run(with_failure("joint", "as = \"stuck_open\""), {"capture.capture.give_up_after=40"});
  EXPECT_EQ(given_up.verdict(), "missed");
  // By the name of the capture both: nothing holds the probe, and it leaves the cone again.
  const Ran both = run(with_failure("capture", "as = \"stuck_open\""),
                       {"contact.tip.law.damping=0", "contact.tip.friction=0"});
  EXPECT_EQ(both.verdict(), "bounced_off");
  EXPECT_FALSE(both.has("capture_soft"));
}

TEST(Capture, IsOverloadedByAContact) {
  const Ran r = run(kMeeting, {"capture.capture.force_max=15", "contact.tip.law.damping=0"});
  EXPECT_EQ(r.verdict(), "overload");
  EXPECT_EQ(r.outcome(), "stopped");
  EXPECT_NEAR(r.event("capture_overload").at("tip.force").get<double>(), 15, 0.01);
}

// The spring is what pulls too hard: the number that decided is reported.
TEST(Capture, IsOverloadedByTheSoftDock) {
  const Ran r = run(kMeeting, {"capture.capture.force_max=100", "dock.soft.stiffness=20000",
                               "dock.soft.damping=8000"});
  EXPECT_EQ(r.verdict(), "overload");
  const Json e = r.event("capture_overload");
  ASSERT_LT(e.at("tip.force").get<double>(), 99) << "it is not the contact";
  ASSERT_TRUE(e.contains("soft.force")) << "the deciding value is not reported: " << e;
  EXPECT_GT(e.at("soft.force").get<double>(), 99.9);
}

// Each limit of the envelope alone: outside of it nothing is said to be inside.
TEST(Capture, ReportsWhetherTheTouchWasInsideTheEnvelope) {
  const auto is_inside = [](Strings settings) {
    settings.push_back("time.stop=7");
    const Ran r = run(kMeeting, settings);
    EXPECT_TRUE(r.has("capture_touch")) << settings[0];
    return r.has("capture_inside");
  };
  const std::string chaser = "spacecraft.chaser.state.", aside = chaser + "position.z=-0.18";
  EXPECT_TRUE(is_inside({}));
  EXPECT_FALSE(is_inside({"capture.capture.envelope.closing_min=0.071"}));
  EXPECT_FALSE(is_inside({"capture.capture.envelope.closing_max=0.069"}));
  EXPECT_FALSE(is_inside({"capture.capture.envelope.offset=0.029"}));
  // Of speed across, tilt, roll either way and rate: 4 cm/s, 4° or tan 1° as MRP, 0.2 °/s.
  for (const char* key : {"sigma_BN.x=", "sigma_BN.x=-", "sigma_BN.y=", "sigma_BN.z=-"}) {
    EXPECT_TRUE(is_inside({chaser + key + "0.017"})) << key;
    EXPECT_FALSE(is_inside({chaser + key + "0.018"})) << key;
  }
  EXPECT_TRUE(is_inside({chaser + "velocity.z=0.038", aside}));
  EXPECT_FALSE(is_inside({chaser + "velocity.z=0.042", aside}));
  EXPECT_TRUE(is_inside({chaser + "omega_BN_B.x=0.0034"}));
  EXPECT_FALSE(is_inside({chaser + "omega_BN_B.x=0.0036"}));
}

// Inside the zone but too fast, too tilted: no soft capture until the motion is inside too.
TEST(Capture, SoftCaptureWaitsForTheMotion) {
  const Ran r = run(kMeeting, {"time.stop=10", "capture.capture.envelope.closing_max=0.051",
                               "spacecraft.chaser.state.position.y=0"});
  // On the axis the ball touches the apex region first of all, at a gap of 6 cm: in the zone before.
  EXPECT_GT(r.time_of("capture_soft"), r.time_of("capture_touch"));
  EXPECT_LT(r.event("capture_soft").at("capture.gap").get<double>(), 0.1);
  EXPECT_NEAR(r.event("capture_soft").at("capture.closing").get<double>(), 0.051, 1e-6);
}

TEST(Capture, WithoutSpringsFrictionHolds) {
  const Ran r = run(kMeeting, {"capture.capture.soft=\"\"", "spacecraft.chaser.state.position.y=0",
                               "contact.tip.law.damping=4000", "capture.capture.hard_hold=0"});
  EXPECT_EQ(r.verdict(), "captured");
  EXPECT_FALSE(r.has("capture_soft"));
  EXPECT_TRUE(r.event("soft", "latch").is_null());
  EXPECT_FALSE(r.event("joint", "latch").is_null());
}

// --- what it is written out as -------------------------------------------------------------------

TEST(Capture, IsAMeasureAndEvents) {
  const auto expanded = [](const Strings& settings) {
    ReadScenario read = read_scenario_text(kMeeting, "base.toml", settings);
    const Scenario s = expand_captures(read.scenario, read.problems);
    EXPECT_EQ(all_of(read.problems), "");
    EXPECT_EQ(s.measure.size(), 1u);
    EXPECT_EQ(s.measure[0].name, "capture");
    EXPECT_EQ(s.measure[0].between, (std::vector<PortRef>{"target.cone", "chaser.probe"}));
    Strings names;
    for (const EventSpec& e : s.event) {
      EXPECT_TRUE(e.may_wait);
      names.push_back(e.name.substr(8));
    }
    return names;
  };
  EXPECT_EQ(expanded({}),
            (Strings{"touch", "inside", "soft", "hard", "bounced_off", "missed", "overload"}));
  EXPECT_EQ(expanded({"capture.capture.soft=\"\"", "capture.capture.contacts=[]",
                      "capture.capture.mouth_radius=0", "capture.capture.force_max=0",
                      "capture.capture.give_up_after=9"}),
            (Strings{"hard", "late"}));
}

// The scenario that is kept with a result is the one of the file, not the expanded one.
TEST(Capture, StaysOneTableInTheScenarioThatIsKept) {
  const ReadScenario read = read_scenario_text(kMeeting, "base.toml");
  const std::string text = write_scenario(read.scenario);
  EXPECT_TRUE(contains(text, "[[capture]]"));
  EXPECT_FALSE(contains(text, "capture_touch"));
  const ReadScenario again = read_scenario_text(text, "again.toml");
  EXPECT_EQ(all_of(again.problems), "");
  EXPECT_EQ(write_scenario(again.scenario), text);
}

TEST(Capture, ChannelsAreThoseOfAMeasure) {
  const Ran r = run(kMeeting + R"(
[[event]]
name = "near"
when = "capture.gap < 0.4 and capture.closing > 0.01"
report = ["capture.gap", "chaser.rho_BO_N.x"]
[[event]]
name = "behind"
after = "capture_touch"
delay = 0.5
do = [{ record = 0.5 }]
)");
  EXPECT_NEAR(r.time_of("near"), 0.05 / 0.07, 1e-8);
  EXPECT_NEAR(r.event("near").at("capture.gap").get<double>(), 0.4, 1e-9);
  EXPECT_NEAR(r.time_of("behind"), r.time_of("capture_touch") + 0.5, 1e-12);
}

// --- mistakes ------------------------------------------------------------------------------------

struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* path;
  const char* words;
};
class CaptureMistake : public testing::TestWithParam<Mistake> {};

std::string edited(const char* from, const char* to) {
  std::string text = kMeeting;
  const std::size_t at = text.rfind(from);
  if (at == std::string::npos) throw std::runtime_error(std::string("not in the base: ") + from);
  return text.replace(at, std::string(from).size(), to);
}

TEST_P(CaptureMistake, IsReportedWithItsLine) {
  const Mistake& m = GetParam();
  const std::string text = edited(m.from, m.to);
  ReadScenario read = read_scenario_text(text, "base.toml");
  build_scenario(read.scenario, read.problems);
  const std::string reported = all_of(read.problems);
  ASSERT_EQ(read.problems.list.size(), 1u) << reported;
  EXPECT_EQ(read.problems.list[0].path, m.path) << reported;
  EXPECT_TRUE(contains(read.problems.list[0].message, m.words)) << reported;
  EXPECT_GE(read.problems.list[0].place.line, line_of(text, "[[capture]]")) << reported;
}

// clang-format off
const Mistake kMistakes[] = {
    {"ContactUnknown", "contacts = [\"tip\"]", "contacts = [\"tipp\"]", "capture.capture.contacts", "no contact tipp; did you mean tip?"},
    {"DockUnknown", "dock = \"joint\"", "dock = \"joit\"", "capture.capture.dock", "no dock joit; did you mean joint?"},
    {"SoftUnknown", "soft = \"soft\"", "soft = \"sof\"", "capture.capture.soft", "no dock sof; did you mean soft?"},
    {"SoftIsHard", "soft = \"soft\"", "soft = \"joint\"", "capture.capture.soft", "one and the same"},
    {"OnePort", "between = [\"chaser.probe\", \"target.cone\"]", "between = [\"chaser.probe\"]", "capture.capture.between", "two ports are needed"},
    {"PortUnknown", "between = [\"chaser.probe\", \"target.cone\"]", "between = [\"chaser.probe\", \"target.con\"]", "capture.capture.between", "no port target.con; did you mean target.cone?"},
    {"LimitsCrossed", "soft = \"soft\"", "soft = \"soft\"\nenvelope = { closing_min = 0.2 }", "capture.capture.envelope.closing_min", "0.2 is not below closing_max = 0.1"},
    {"KeyUnknown", "zone_depth", "zone_dept", "capture.capture.zone_dept", "did you mean \"zone_depth\""},
    {"LimitNegative", "hard_gap = 0.08", "hard_gap = -0.08", "capture.capture.hard_gap", "must be positive"},
    {"NameTaken", "name = \"capture\"", "name = \"tip\"", "capture.tip", "tip"},
    {"NameOfAMeasure", "[expect]", "[[measure]]\nname = \"capture\"\nbetween = [\"chaser\", \"target\"]\n[expect]", "measure.capture", "capture"},
    {"EventNameTaken", "[expect]", "[[event]]\nname = \"capture_touch\"\nat = 1\ndo = [{ stop = \"\" }]\n[expect]", "event.capture_touch", "capture_touch"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(Of, CaptureMistake, testing::ValuesIn(kMistakes),
                         [](const auto& p) { return std::string(p.param.name); });

TEST(CaptureMistakes, MissingInputsAreNamed) {
  const std::string reported = problems_of(edited("dock = \"joint\"\n", ""));
  EXPECT_TRUE(contains(reported, "capture.capture.dock")) << reported;
  EXPECT_TRUE(contains(reported, "is missing")) << reported;
}

// --- contradictions ------------------------------------------------------------------------------

TEST(Contradictions, LatchingTwiceAndReleasingTwiceAreWarnedOfByEventAndLine) {
  const std::string text =
      kMeeting + event("shut", "at = 0.5", "do = [{ latch = \"joint\" }]") +
      event("again", "at = 1", "do = [{ latch = \"joint\" }]") +
      event("open", "at = 1.5", "do = [{ release = \"joint\" }]") +
      event("twice", "at = 2", "do = [{ release = \"joint\" }, { release = \"soft\" }]");
  const Ran r = run(text, {"time.stop=2.5", "capture=[]"});
  ASSERT_EQ(r.warnings.size(), 3u);
  const auto line = [&](const char* name) {
    return line_of(text, fmt::format("[[event]]\nname = \"{}\"", name));
  };
  const auto one_of_two = [&](const std::string& warning, const char* name,
                              const std::string& rest) {
    // The table's line, or that of its name.
    const bool fits =
        warning == fmt::format("event {} (base.toml:{}) {}", name, line(name), rest) ||
        warning == fmt::format("event {} (base.toml:{}) {}", name, line(name) + 1, rest);
    EXPECT_TRUE(fits) << warning << " — expected line " << line(name);
  };
  one_of_two(r.warnings[0], "again", "latches joint at 1 s, which is joined already");
  one_of_two(r.warnings[1], "twice", "releases joint at 2 s, which is open already");
  one_of_two(r.warnings[2], "twice", "releases soft at 2 s, which is open already");
  // Nothing else came of it.
  EXPECT_EQ(r.names(), (Strings{"shut", "again", "open", "twice"}));
  EXPECT_LT(r.json.at("audit").at("energy").get<double>(), 1e-9);
}

// Events of a capture stand in no line of their own: the capture's is reported.
TEST(Contradictions, OfACaptureNameItsLine) {
  const std::string text =
      kMeeting +
      event("first",
            "after = \"capture_soft\"\nwhen = \"capture.gap < 0.08 and capture.lateral < "
            "0.01 and capture.speed < 0.002\"",
            "do = [{ latch = \"joint\" }]");
  const Ran r = run(text, {"time.stop=20"});
  ASSERT_TRUE(r.has("capture_hard"));
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_TRUE(contains(r.warnings[0], fmt::format("event capture_hard (base.toml:{})",
                                                  line_of(text, "[[capture]]"))))
      << r.warnings[0];
  EXPECT_TRUE(contains(r.warnings[0], "latches joint")) << r.warnings[0];
}

TEST(Contradictions, AnUndefinedDockIsRefusedByNameAndLine) {
  for (const char* action : {"latch", "release"}) {
    const std::string text =
        kMeeting + event("e", "at = 1", fmt::format("do = [{{ {} = \"joit\" }}]", action));
    ReadScenario read = read_scenario_text(text, "base.toml");
    build_scenario(read.scenario, read.problems);
    ASSERT_EQ(read.problems.list.size(), 1u) << all_of(read.problems);
    const Problem& p = read.problems.list[0];
    EXPECT_EQ(p.path, fmt::format("event.e.do.1.{}", action));
    EXPECT_TRUE(contains(p.message, "joit")) << p.message;
    EXPECT_TRUE(contains(p.message, "did you mean joint?")) << p.message;
    EXPECT_EQ(p.place.line, line_of(text, "joit"));
  }
}

// --- the program ---------------------------------------------------------------------------------

TEST(CaptureProgram, TheExitCodeSaysWhetherItWasCaptured) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "meeting.toml", kMeeting);
  const auto run_with = [&](const Strings& more) {
    Strings words{"run", "meeting.toml", "--no-out", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return test::run_berth(words, {.folder = folder.path()});
  };
  const test::Ended captured = run_with({});
  EXPECT_EQ(captured.code, 0) << captured.err;
  EXPECT_EQ(Json::parse(captured.out)["verdict"], "captured");
  const test::Ended missed = run_with({"--set", "spacecraft.chaser.state.position.y=0.4"});
  EXPECT_EQ(missed.code, 1) << missed.err;
  const Json j = Json::parse(missed.out);
  EXPECT_EQ(j["verdict"], "missed");
  EXPECT_EQ(j["events"].back()["name"], "capture_missed");
  EXPECT_NEAR(j["events"].back()["capture.lateral"].get<double>(), 0.4, 1e-8);
  EXPECT_EQ(j["expectations"][0]["wanted"], "captured");
  EXPECT_EQ(j["expectations"][0]["met"], false);
  // Refused is something else.
  EXPECT_EQ(run_with({"--set", "capture.capture.dock=joit"}).code, 2);
}

// Warnings reach the one who runs it.
TEST(CaptureProgram, ContradictionsAreInTheSummary) {
  const test::TemporaryFolder folder;
  test::write_bytes(folder / "meeting.toml",
                    kMeeting + event("again", "after = \"capture_hard\"\ndelay = 1",
                                     "do = [{ release = \"soft\" }]"));
  const test::Ended end =
      test::run_berth({"run", "meeting.toml", "--no-out"}, {.folder = folder.path()});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(contains(end.out, "warning: event again (meeting.toml:")) << end.out;
  EXPECT_TRUE(contains(end.out, "releases soft at ")) << end.out;
}

}  // namespace
}  // namespace berth::capture_test
