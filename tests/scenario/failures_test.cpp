// SPDX-License-Identifier: Apache-2.0

// Failures written in scenarios: what is refused and where, captures whose latches fail, and what a run
// with failures is compiled to.

#include <algorithm>

#include "tests/ensemble/examiner.h"
#include "tests/scenario/scenario_runs.h"
#include "tests/support/built.h"

namespace berth::failures_test {
namespace {

using namespace test;

// A tug with jets of both kinds and a camera, and debris before it that a contact with a loop touches.
const std::string kTug = R"(
[time]
stop = 12
[integrator]
tolerance = 1e-9
[[spacecraft]]
name = "tug"
mass = 100
inertia = [30, 40, 50]
[spacecraft.state]
position = [0, 0, 0]
velocity = [0.05, 0, 0]
[[spacecraft.port]]
name = "nose"
position = [1, 0, 0]
[[spacecraft]]
name = "debris"
mass = 300
inertia = [80, 90, 100]
[spacecraft.state]
position = [2.2, 0, 0]
[[spacecraft.port]]
name = "tail"
position = [-1, 0, 0]
axes = [-1, 0, 0]
[[contact]]
name = "tip"
between = ["tug.nose", "debris.tail"]
surface = "half_space"
law = { type = "spring_dashpot", stiffness = 500, damping = 50 }
filter_time = 0.01
[[contact]]
name = "guide"
between = ["tug.nose", "debris.tail"]
surface = "half_space"
law = { type = "spring_dashpot", stiffness = 5, damping = 1 }
[[contact]]
name = "estimated"
between = ["tug.nose", "debris.tail"]
surface = "half_space"
law = { type = "spring_dashpot", stiffness = 5, damping = 1 }
sample_time = 0.1
compensation = { type = "model", stiffness = 5, damping = 1 }
[[dock]]
name = "joint"
type = "rigid"
between = ["tug.nose", "debris.tail"]
engaged = false
[[force]]
type = "thruster_set"
name = "jets"
body = "tug"
thruster = [{ position = [-1, 0.5, 0], direction = [1, 0, 0], thrust = 2 },
            { position = [-1, -0.5, 0], direction = [1, 0, 0], thrust = 2 }]
[[force]]
type = "thruster_set"
name = "pulses"
body = "tug"
sample_time = 0.5
thruster = [{ position = [1, 0, 0], direction = [0, 1, 0], thrust = 1 },
            { position = [1, 0, 0], direction = [0, -1, 0], thrust = 1 }]
[[sensor]]
type = "gyro"
name = "gyro"
body = "tug"
sample_time = 0.2
latency = 0.1
[[sensor]]
type = "gyro"
name = "ideal"
body = "tug"
[[control]]
type = "thrust"
name = "burn"
body = "tug"
thrusters = "jets"
force = { value = 0.5 }
[[control]]
type = "attitude"
name = "hold"
body = "tug"
thrusters = "pulses"
gyro = "gyro"
K = 5
P = 20
)";

std::string fail(const std::string& action) {
  return kTug + event("fault", "at = 3", "do = [{ " + action + " }]");
}

// --- refused -------------------------------------------------------------------------------------

struct Refused {
  std::string action, at, rule;
};
TEST(Failures, ThatCannotBeAreRefusedWithTheRule) {
  const Refused cases[] = {
      {"fail = \"jets.3\", as = \"stuck_on\"", "fail",
       "no thruster, sensor, dock, capture or contact named jets.3; did you mean jets.1?"},
      {"fail = \"gyros\", as = \"out\"", "fail", "named gyros; did you mean gyro?"},
      {"fail = \"tug\", as = \"out\"", "fail",
       "no thruster, sensor, dock, capture or contact named tug"},
      {"fail = \"jets.1\"", "as", "is missing: in which way"},
      {"fail = \"jets.1\", as = \"broken\"", "as",
       "\"broken\" is not one of stuck_on, stuck_off, out, late, stuck_open, biased, working"},
      {"fail = \"jets.1\", as = \"out\"", "as",
       "a thruster does not fail as \"out\"; jets.1 can be stuck_on, stuck_off, working"},
      {"fail = \"gyro\", as = \"stuck_on\"", "as",
       "a sensor does not fail as \"stuck_on\"; gyro can be out, working"},
      {"fail = \"joint\", as = \"out\"", "as",
       "a dock does not fail as \"out\"; joint can be late, stuck_open, working"},
      {"fail = \"tip\", as = \"stuck_open\"", "as",
       "a contact does not fail as \"stuck_open\"; tip can be biased, working"},
      {"fail = \"joint\", as = \"late\"", "by", "late by one number, in seconds"},
      {"fail = \"joint\", as = \"late\", by = [1, 2, 3]", "by", "late by one number, in seconds"},
      {"fail = \"joint\", as = \"late\", by = -1", "by",
       "-1 s: a latch cannot close before it is commanded"},
      {"fail = \"tip\", as = \"biased\"", "by", "biased by three numbers, in newtons"},
      {"fail = \"tip\", as = \"biased\", by = 2", "by", "biased by three numbers, in newtons"},
      {"fail = \"jets.1\", as = \"stuck_on\", by = 2", "by",
       "belongs to late and biased, not to stuck_on"},
      {"fail = \"guide\", as = \"biased\", by = [1, 0, 0]", "fail",
       "guide has no loop: no force is measured and fed back"},
      {"fail = \"estimated\", as = \"biased\", by = [1, 0, 0]", "fail",
       "estimated feeds back the force of its compensation \"model\""},
      {"fail = \"ideal\", as = \"out\"", "fail",
       "ideal is continuous: it has no last reading to hold"},
  };
  for (const Refused& c : cases) {
    const std::string text = fail(c.action), problems = problems_of(text);
    SCOPED_TRACE(c.action + "\n" + problems);
    EXPECT_EQ(std::count(problems.begin(), problems.end(), '\n'), 1) << "one problem";
    EXPECT_NE(problems.find(fmt::format("base.toml:{}", line_of(text, "do = ["))),
              std::string::npos);
    EXPECT_NE(problems.find("event.fault.do.1." + c.at), std::string::npos);
    EXPECT_NE(problems.find(c.rule), std::string::npos);
  }
}

TEST(Failures, AreRefusedAllAtOnce) {
  const std::string problems =
      problems_of(kTug + event("fault", "at = 3",
                               "do = [{ fail = \"jet.1\", as = \"stuck_on\" }, { fail = \"gyro\", "
                               "as = \"late\", by = 1 },\n"
                               "      { fail = \"guide\", as = \"biased\", by = [1, 2] }]"));
  for (const char* part :
       {"did you mean jets.1?", "gyro can be out", "guide has no loop", "by three numbers"})
    EXPECT_NE(problems.find(part), std::string::npos) << part << "\n" << problems;
}

// --- in a whole run ------------------------------------------------------------------------------

// Everything fails, one after the other, and is repaired.
const std::string kFaults =
    event("valve", "at = 1.234", "do = [{ fail = \"jets.2\", as = \"stuck_on\" }]") +
    event("pulses", "at = 2.1", "do = [{ fail = \"pulses.1\", as = \"stuck_off\" }]") +
    event("blind", "at = 2.77", "do = [{ fail = \"gyro\", as = \"out\" }]") +
    event("drift", "at = 3.5",
          "do = [{ fail = \"tip\", as = \"biased\", by = [0.3, 0.1, -0.2] }]") +
    event("latch", "at = 4", "do = [{ fail = \"joint\", as = \"late\", by = 0.8 }]") +
    event(
        "repaired", "at = 6.3",
        "do = [{ fail = \"jets.2\", as = \"working\" }, { fail = \"gyro\", as = \"working\" },\n"
        "      { fail = \"tip\", as = \"working\" }, { fail = \"pulses.1\", as = \"working\" }]") +
    event("berth", "at = 8", "do = [{ latch = \"joint\" }]");

TEST(Failures, OfEveryKindLeaveTheLedgersInBalance) {
  const Ran r = run(kTug + kFaults);
  EXPECT_EQ(r.outcome(), "reached_end");
  EXPECT_EQ(r.time_of("berth"), 8 + 0.8);
  for (const char* ledger : {"energy", "linear_momentum", "angular_momentum"})
    EXPECT_LT(r.json.at("audit").at(ledger).get<double>(), 1e-12) << ledger;
}

// What is stuck, biased or out is structure or a number of the recorded program, never a decision in it.
TEST(Failures, AreRecordedWithTheBitsOfDouble) {
  for (const bool free : {false, true}) {
    const Built built(kTug + kFaults);
    ASSERT_EQ(built.problems(), "");
    Examiner examiner({.visits = 16, .all_numbers_free = free});
    SimulateOptions options;
    options.server = &examiner;
    simulate(built.read.scenario, built.built, options);
    EXPECT_EQ(examiner.difference(), "");
    EXPECT_TRUE(examiner.refused().empty());
    EXPECT_EQ(examiner.declined(), 0);
    EXPECT_GT(examiner.structures(), 6) << "each failure is one of its own";
  }
}

}  // namespace
}  // namespace berth::failures_test
