// SPDX-License-Identifier: Apache-2.0

// The triggers and actions of events that captures are made of.

#include "tests/scenario/scenario_runs.h"

namespace berth::events_scenario_test {
namespace {

using namespace test;

// x = ½ t along x.
const std::string kDrift = R"(
[time]
stop = 10
[[spacecraft]]
name = "craft"
mass = 2
inertia = [1, 2, 3]
[spacecraft.state]
velocity = [0.5, 0, 0]
)";
std::string beyond(double x) { return fmt::format("when = \"craft.rho_BO_N.x > {}\"", x); }

TEST(EventUnless, DoesNotActOnceTheOtherHas) {
  const Ran r =
      run(kDrift + event("first", "at = 3") + event("time", "at = 5\nunless = \"first\"") +
          event("before", "at = 2\nunless = \"first\"") +
          event("condition", beyond(2) + "\nunless = \"first\"") +
          event("follows", "after = \"first\"\ndelay = 1\nunless = \"first\"") +
          event("other", "at = 6\nunless = \"time\""));
  EXPECT_EQ(r.names(), (Strings{"before", "first", "other"}));
  EXPECT_TRUE(r.warnings.empty()) << "that they never happened is no news: " << r.warnings[0];
}

TEST(EventUnless, EndsARepeatAndAHold) {
  const Ran r = run(kDrift + event("first", "at = 3") +
                    event("held", beyond(1) + "\nhold = 2\nunless = \"first\"") +
                    event("short", beyond(1) + "\nhold = 0.5\nunless = \"first\""));
  EXPECT_EQ(r.names(), (Strings{"short", "first"}));
}

// Due at one moment: the order of the file decides.
TEST(EventUnless, AtOneMomentFollowsTheFile) {
  const std::string a = event("a", "at = 3"), b = event("b", "at = 3\nunless = \"a\"");
  EXPECT_EQ(run(kDrift + a + b).names(), (Strings{"a"}));
  EXPECT_EQ(run(kDrift + b + a).names(), (Strings{"b", "a"}));
  // Two that exclude each other.
  const std::string c = event("a", "at = 3\nunless = \"b\"");
  EXPECT_EQ(run(kDrift + c + b).names(), (Strings{"a"}));
}

TEST(EventNow, ActsAtOnceOrNever) {
  const Ran r =
      run(kDrift + event("first", "at = 4") +
          event("holds", "at = 4\ndirection = \"now\"\n" + beyond(1.9)) +
          event("does_not", "at = 4\ndirection = \"now\"\n" + beyond(2.1)) +
          event("follows", "after = \"first\"\ndirection = \"now\"\n" + beyond(1.9)) +
          event("late", "after = \"first\"\ndelay = 1\ndirection = \"now\"\n" + beyond(2.4)) +
          event("never", "after = \"first\"\ndelay = 1\ndirection = \"now\"\n" + beyond(2.6)));
  EXPECT_EQ(r.names(), (Strings{"first", "holds", "follows", "late"}));
  EXPECT_EQ(r.time_of("follows"), 4);
  EXPECT_EQ(r.time_of("late"), 5);
  ASSERT_EQ(r.warnings.size(), 2u);
  EXPECT_EQ(r.warnings[0], "event does_not never happened");
}

TEST(EventAt, WithWhenWatchesFromThenOn) {
  const Ran r =
      run(kDrift + event("holds", "at = 4\n" + beyond(1)) + event("comes", "at = 4\n" + beyond(3)) +
          event("was", "at = 4\nwhen = \"craft.rho_BO_N.x < 1\"") +
          event("ends", "at = 4\ndirection = \"ends\"\nwhen = \"craft.rho_BO_N.x < 4\"") +
          event("held", "at = 4\nhold = 1\n" + beyond(1)));
  EXPECT_EQ(r.names(), (Strings{"holds", "held", "comes", "ends"}));
  EXPECT_EQ(r.time_of("holds"), 4);
  EXPECT_EQ(r.time_of("held"), 5) << "counted from when it is watched";
  EXPECT_NEAR(r.time_of("comes"), 6, 1e-9);
  EXPECT_NEAR(r.time_of("ends"), 8, 1e-9);
}

TEST(EventReport, KeepsTheNumbersOfTheStateItWasJudgedBy) {
  const Ran r = run(kDrift +
                    event("reported", beyond(2),
                          "report = [\"craft.rho_BO_N.x\", \"craft.v_BN_N.x\"]\ndo = [{ "
                          "strike = \"craft\", impulse = [6, 0, 0] }]") +
                    event("behind", "at = 5", "report = [\"craft.v_BN_N.x\"]"));
  EXPECT_NEAR(r.event("reported").at("craft.rho_BO_N.x").get<double>(), 2, 1e-9);
  EXPECT_NEAR(r.event("reported").at("craft.v_BN_N.x").get<double>(), 0.5, 1e-12) << "not after it";
  EXPECT_NEAR(r.event("behind").at("craft.v_BN_N.x").get<double>(), 3.5, 1e-12);
}

TEST(EventVerdict, LetsTheRunGoOnAndTheLastVerdictCounts) {
  const Ran one = run(kDrift + event("a", "at = 3", "do = [{ verdict = \"good\" }]") +
                      "[expect]\nverdict = \"good\"\noutcome = \"reached_end\"\n");
  EXPECT_EQ(one.verdict(), "good");
  EXPECT_EQ(one.outcome(), "reached_end");
  EXPECT_EQ(one.json.at("time"), 10);
  EXPECT_TRUE(one.as_expected);
  const Ran two = run(kDrift + event("a", "at = 3", "do = [{ verdict = \"good\" }]") +
                      event("b", "at = 5", "do = [{ verdict = \"\" }]"));
  EXPECT_EQ(two.verdict(), "b") << "the name of the event where nothing is said";
  const Ran stopped = run(kDrift + event("a", "at = 3", "do = [{ verdict = \"good\" }]") +
                          event("b", "at = 5", "do = [{ stop = \"bad\" }]"));
  EXPECT_EQ(stopped.verdict(), "bad");
  EXPECT_EQ(stopped.outcome(), "stopped");
  EXPECT_EQ(stopped.json.at("time"), 5);
}

TEST(EventMistakes, AreReportedWithTheirLine) {
  struct Case {
    std::string event, path, words;
  };
  const Case cases[] = {
      {event("x", "at = 1\nunless = \"nobody\""), "event.x.unless", "nobody"},
      {event("x", "direction = \"now\"\n" + beyond(1)), "event.x.direction",
       "\"now\" goes with at or after"},
      {event("x", "at = 1\ndirection = \"now\""), "event.x.direction",
       "belongs to a condition: say when"},
      {event("x", "at = 1\nhold = 2\ndirection = \"now\"\n" + beyond(1)), "event.x.hold",
       "only a condition that begins to hold can be held"},
      {event("x", "at = 1\ndirection = \"soon\"\n" + beyond(1)), "event.x.direction",
       "\"soon\" is not one of begins, ends, now"},
      {event("x", "at = 1", "report = [\"craft.rho\"]"), "event.x.report", "craft.rho"},
      {event("x", "at = 1", "report = [\"craft.rho_BO_N\"]"), "event.x.report",
       "no number craft.rho_BO_N among the channels"},
      {event("x", "at = 1", ""), "event.x.do", "does nothing"},
      {event("x", "at = 1", "do = [{ verdict = \"a\", stop = \"b\" }]"), "event.x.do.1",
       "needs exactly one of"},
      {event("x", "at = 1\nafter = \"y\"") + event("y", "at = 2"), "event.x", "needs one trigger"},
  };
  for (const Case& c : cases) {
    const std::string text = kDrift + c.event;
    ReadScenario read = read_scenario_text(text, "base.toml");
    build_scenario(read.scenario, read.problems);
    const std::string reported = all_of(read.problems);
    ASSERT_EQ(read.problems.list.size(), 1u) << reported;
    EXPECT_EQ(read.problems.list[0].path, c.path) << reported;
    EXPECT_TRUE(contains(read.problems.list[0].message, c.words)) << reported;
    EXPECT_GE(read.problems.list[0].place.line, line_of(text, "[[event]]")) << reported;
  }
}

}  // namespace
}  // namespace berth::events_scenario_test
