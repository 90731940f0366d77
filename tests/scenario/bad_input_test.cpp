// SPDX-License-Identifier: Apache-2.0

// Every mistake an author makes is told: what is wrong, where it stands, what may be meant.
//
// Each row is an edit of one valid scenario. The mark § in the edit is where the message must point;
// without a mark it points nowhere in the file.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "berth/scenario/scenario.h"
#include "tests/support/process.h"

namespace berth {
namespace {

const std::string kBase = R"(title = "Base"
[time]
stop = 10
[integrator]
method = "dop853"
tolerance = 1e-9
[record]
interval = 0.1
channels = ["craft.*", "system.*"]
[[record.group]]
name = "fast"
interval = 0.01
channels = ["craft.rate"]
[[spacecraft]]
name = "craft"
mass = 10
inertia = [3, 4, 5]
centre_of_mass = [0.1, 0, 0]
[spacecraft.state]
position = [1, 2, 3]
quaternion_BN = [1, 0, 0, 0]
omega_BN_B = [0.1, 0.2, 0.3]
[[spacecraft.port]]
name = "probe"
position = [1, 0, 0]
axes = [[1, 0, 0], [0, 0, 1]]
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel1"
axis = [1, 0, 0]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
speed_rpm = 100
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel2"
axis = [0, 1, 0]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel3"
axis = [0, 0, 1]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
[[spacecraft.component]]
type = "hinged_panel"
name = "panel"
axis = [0, 1, 0]
outward = [1, 0, 0]
mass = 2
centre_of_mass = [0.5, 0, 0]
inertia = [0.1, 0.2, 0.3]
stiffness = 3
[[spacecraft.component]]
type = "robot_arm"
name = "arm"
on = "panel"
[[spacecraft.component.link]]
axis = [0, 0, 1]
mass = 0.5
centre_of_mass = [0.2, 0, 0]
inertia = [0.01, 0.01, 0.01]
[[body]]
name = "ball"
joint = "spherical"
mass = 2
inertia = [1, 1, 1]
q = [1, 0, 0, 0]
v = [0, 0, 1]
[[force]]
type = "spring_damper"
name = "tether"
body_1 = "craft"
body_2 = "ball"
stiffness = 1
length = 0.5
[[force]]
type = "external_load"
name = "push"
body = "craft"
force = [0.1, 0, 0]
schedule = [[1, 2], [3, 4]]
[[force]]
type = "thruster_set"
name = "jets"
body = "craft"
sample_time = 0.5
[[force.thruster]]
position = [1, 0, 0]
direction = [0, 1, 0]
thrust = 1
[[control]]
type = "attitude"
name = "pointing"
body = "craft"
wheels = ["wheel1", "wheel2", "wheel3"]
K = 0.1
P = 0.5
angle = { type = "quintic", from = 0, to_deg = 10, start = 1, duration = 5 }
[[control]]
type = "joint_pd"
name = "drive"
joints = ["arm.link1"]
stiffness = 1
damping = 0.5
reference = [{ type = "constant", value = 0.1 }]
sample_time = 0.1
latency = 0.05
[[event]]
name = "begin"
at = 2
do = [{ control = "drive", enable = false }]
[[event]]
name = "later"
after = "begin"
delay = 1
do = [{ force = "push", enable = false }]
[[event]]
name = "calm"
when = "craft.rate < 0.01 and system.energy_lost > 0"
hold = 1
do = [{ stop = "calm" }]
[expect]
outcome = "reached_end"
energy = 1e-6
final = ["craft.rate < 1"]
)";

struct Mistake {
  const char* name;
  std::string from, to;  // an edit of the base; empty `from` adds at the end
  const char* message;   // a part of the message
};

// What the edit makes of the base, and where its mark stands.
struct Edited {
  std::string text;
  int line = 0, column = 0;
};
Edited edit(const Mistake& m) {
  const std::string mark = "§";
  Edited out{kBase};
  if (m.from.empty()) {
    out.text += m.to;
  } else {
    const std::size_t at = out.text.find(m.from);
    if (at == std::string::npos) throw std::runtime_error("not in the base: " + m.from);
    out.text.replace(at, m.from.size(), m.to);
  }
  const std::size_t at = out.text.find(mark);
  if (at == std::string::npos) return out;
  out.text.erase(at, mark.size());
  const std::string before = out.text.substr(0, at);
  out.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  out.column = static_cast<int>(at - (before.find_last_of('\n') + 1)) + 1;
  return out;
}

std::vector<Problem> find_problems(const std::string& text,
                                   const std::filesystem::path& folder = ".") {
  ReadScenario read = read_scenario_text(text, "base.toml", {}, folder);
  build_story(read.scenario, read.problems);
  return read.problems.list;
}

std::string all_of(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& p : problems) out += describe(p) + "\n";
  return out;
}

TEST(BadInputBase, IsValid) { EXPECT_EQ(all_of(find_problems(kBase)), ""); }

class BadInput : public testing::TestWithParam<Mistake> {};

TEST_P(BadInput, IsToldWithItsPlace) {
  const Mistake& m = GetParam();
  const Edited edited = edit(m);
  const std::vector<Problem> problems = find_problems(edited.text);
  const std::string told = all_of(problems);
  ASSERT_EQ(problems.size(), 1u) << told;
  EXPECT_NE(problems[0].message.find(m.message), std::string::npos) << told;
  EXPECT_EQ(problems[0].place.line, edited.line) << told;
  EXPECT_EQ(problems[0].place.column, edited.column) << told;
  EXPECT_EQ(problems[0].file, "base.toml") << told;
}

// clang-format off
const Mistake kSyntax[] = {
    {"ValueMissing", "mass = 10", "mass = §", "value"},
    {"StringNotClosed", "\"craft\"", "\"craft§", "string"},
    {"BracketNotClosed", "[3, 4, 5]\n", "[3, 4, 5\n§", "array"},
    {"KeyTwice", "mass = 10", "mass = 10\nmass = §11", "redefine"},
    {"TableTwice", "", "§[time]\nstop = 3\n", "redefine"},
    {"NoTomlAtAll", "title = \"Base\"", "Dear §simulator, please fly", "expected"},
    {"LeadingZeros", "mass = 10", "mass = 010§", "leading"},
};
const Mistake kKeys[] = {
    {"UnknownKey", "mass = 10", "mass = 10\nmas = §3", "did you mean \"mass\" [kg]?"},
    {"UnknownKeyOfPart", "stiffness = 3", "stiffnes = §3",
     "no such input of hinged_panel; did you mean \"stiffness\" [N·m/rad]?"},
    {"UnknownKeyLikeNoOther", "mass = 10", "mass = 10\nzzz = §3", "there is name, from, mass"},
    {"MisspeltTable", "[integrator]", "§[integrater]", "did you mean \"integrator\"?"},
    {"MisspeltList", "", "§[[evnt]]\nname = \"x\"\n", "did you mean \"event\"?"},
    {"UnknownSuffix", "speed_rpm = 100", "speed_rpn = §100", "did you mean \"speed\" [rad/s]?"},
    {"SuffixOfAnotherUnit", "stop = 10", "stop = 10\nstop_deg = §3", "no such input"},
    {"SuffixOnAWord", "method = ", "method_deg = §", "no such input"},
    {"TwoUnits", "speed_rpm = 100", "speed = 10\nspeed_rpm = §100", "given twice"},
    {"MissingStop", "[time]\nstop = 10", "§[time]", "is missing: when the run ends [s]"},
    {"MissingMass", "[[spacecraft]]\nname = \"craft\"\nmass = 10",
     "§[[spacecraft]]\nname = \"craft\"", "is missing: of the hub alone [kg]"},
    {"MissingAxis", "[[spacecraft.component]]\ntype = \"hinged_panel\"\nname = \"panel\"\naxis = [0, 1, 0]",
     "§[[spacecraft.component]]\ntype = \"hinged_panel\"\nname = \"panel\"", "is missing: hinge axis"},
    {"MissingName", "[[spacecraft.component]]\ntype = \"hinged_panel\"\nname = \"panel\"",
     "§[[spacecraft.component]]\ntype = \"hinged_panel\"", "is missing: what all else calls it"},
    {"MissingType", "", "§[[control]]\nname = \"x\"\n",
     "is missing: one of attitude, joint_pd, computed_torque"},
    {"UnknownType", "type = \"hinged_panel\"", "type = §\"hinged_pannel\"",
     "did you mean \"hinged_panel\"?"},
    {"UnknownTypeLikeNoOther", "type = \"hinged_panel\"", "type = §\"sail\"",
     "is not one of reaction_wheel, hinged_panel"},
    {"MissingReferenceOfControl", "[[control]]\ntype = \"joint_pd\"\nname = \"drive\"\njoints = [\"arm.link1\"]",
     "§[[control]]\ntype = \"joint_pd\"\nname = \"drive\"", "is missing: joints to drive"},
};
const Mistake kValues[] = {
    {"WordForNumber", "mass = 10", "mass = §\"heavy\"", "'heavy' is not a number"},
    {"NumberForWord", "name = \"probe\"", "name = §3", "is not a word in quotes"},
    {"NumberForBool", "tolerance = 1e-9", "tolerance = §true", "is not a number"},
    {"DateForNumber", "mass = 10", "mass = §2020-01-01", "is not a number"},
    {"BoolInList", "[0.1, 0.2, 0.3]", "§[0.1, true, 0.3]", "is not a list of 3 numbers"},
    {"NumberForTable", "[spacecraft.state]\nposition = [1, 2, 3]\nquaternion_BN = [1, 0, 0, 0]\nomega_BN_B = [0.1, 0.2, 0.3]",
     "state = §3", "is not a table"},
    {"TableForList", "wheels = [\"wheel1\", \"wheel2\", \"wheel3\"]", "wheels = §{ a = 1 }", "is not a list"},
    {"NotANumber", "mass = 10", "mass = §nan", "is not a finite number"},
    {"Infinite", "mass = 10", "mass = §inf", "is not a finite number"},
    {"InfiniteInList", "[0.1, 0.2, 0.3]", "§[0.1, -inf, 0.3]", "is not a finite number"},
    {"NegativeMass", "mass = 10", "mass = §-10", "-10 kg must be positive"},
    {"ZeroMass", "mass = 10", "mass = §0", "0 kg must be positive"},
    {"NegativeStiffness", "stiffness = 3", "stiffness = §-3", "must not be negative"},
    {"ListTooShort", "[0.1, 0.2, 0.3]", "§[0.1, 0.2]", "is not a list of 3 numbers"},
    {"ListTooLong", "[0.1, 0.2, 0.3]", "§[0.1, 0.2, 0.3, 0.4]", "is not a list of 3 numbers"},
    {"QuaternionTooShort", "quaternion_BN = [1, 0, 0, 0]", "quaternion_BN = §[1, 0, 0]",
     "is not a list of 4 numbers"},
    {"QuaternionNotUnit", "quaternion_BN = [1, 0, 0, 0]", "quaternion_BN = §[1, 1, 0, 0]",
     "is not a unit quaternion"},
    {"QuaternionAndSigma", "[spacecraft.state]\nposition = [1, 2, 3]",
     "§[spacecraft.state]\nposition = [1, 2, 3]\nsigma_BN = [0, 0, 0]", "are both given"},
    {"ZeroAxis", "name = \"wheel1\"\naxis = [1, 0, 0]", "name = \"wheel1\"\naxis = §[0, 0, 0]",
     "its length is zero"},
    {"InertiaNotPositive", "inertia = [3, 4, 5]", "inertia = §[3, -4, 5]", "is not positive definite"},
    {"InertiaIndefinite", "inertia = [3, 4, 5]", "inertia = §[[3, 9, 0], [9, 4, 0], [0, 0, 5]]",
     "is not positive definite"},
    {"InertiaTriangle", "inertia = [3, 4, 5]", "inertia = §[1, 1, 5]",
     "one principal moment exceeds the sum of the other two"},
    {"InertiaTriangleTurned", "inertia = [3, 4, 5]",
     "inertia = §[[3, 2, 0], [2, 3, 0], [0, 0, 0.5]]", "one principal moment exceeds"},
    {"InertiaNotSymmetric", "inertia = [3, 4, 5]", "inertia = §[[3, 1, 0], [0, 4, 0], [0, 0, 5]]",
     "is not symmetric"},
    {"InertiaTwoRows", "inertia = [3, 4, 5]", "inertia = §[[3, 1, 0], [0, 4, 0]]",
     "3 principal moments or a 3×3 matrix"},
    {"InertiaRowShort", "inertia = [3, 4, 5]", "inertia = [[3, 0, 0], §[0, 4], [0, 0, 5]]",
     "is not a list of 3 numbers"},
    {"InertiaZero", "inertia = [3, 4, 5]", "inertia = §[0, 0, 0]", "a hub needs an inertia"},
    {"InertiaOfARod", "[[spacecraft]]\nname = \"craft\"\nmass = 10\ninertia = [3, 4, 5]",
     "[[spacecraft]]\nname = \"rod\"\nmass = 1\ninertia = §[1, 0, 0]\n[[spacecraft]]\nname = \"craft\"\nmass = 10\ninertia = [3, 4, 5]",
     "one principal moment exceeds"},
    {"StopZero", "stop = 10", "stop = §0", "must be positive"},
    {"ToleranceTooTight", "tolerance = 1e-9", "tolerance = §1e-20", "is not between 1e-15 and 0.1"},
    {"TooManyRows", "interval = 0.1", "interval = §1e-9", "makes over 1e+08 rows"},
    {"TooManySamples", "sample_time = 0.5", "sample_time = §1e-300", "makes over 1e+09 samples"},
    {"TooManySteps", "tolerance = 1e-9", "tolerance = 1e-9\nmax_step = §1e-12", "makes over 1e+09 steps"},
    {"PortAxesParallel", "axes = [[1, 0, 0], [0, 0, 1]]", "axes = §[[1, 0, 0], [2, 0, 0]]",
     "x and z must not be parallel"},
    {"PortOneAxis", "axes = [[1, 0, 0], [0, 0, 1]]", "axes = §[[1, 0, 0]]", "two directions are needed"},
    {"ScheduleReversed", "[[1, 2], [3, 4]]", "§[[1, 2], [4, 3]]", "[4, 3] ends before it begins"},
    {"ScheduleNoPairs", "[[1, 2], [3, 4]]", "[[1, 2], §[3]]", "is not a list of 2 numbers"},
    {"WheelBeyondNature", "[[spacecraft.component]]\ntype = \"reaction_wheel\"\nname = \"wheel1\"\naxis = [1, 0, 0]\nmass = 1\ninertia_spin = 0.02",
     "§[[spacecraft.component]]\ntype = \"reaction_wheel\"\nname = \"wheel1\"\naxis = [1, 0, 0]\nmass = 1\ninertia_spin = 2",
     "exceeds twice inertia_transverse"},
    {"OutwardAlongAxis", "[[spacecraft.component]]\ntype = \"hinged_panel\"\nname = \"panel\"\naxis = [0, 1, 0]\noutward = [1, 0, 0]",
     "§[[spacecraft.component]]\ntype = \"hinged_panel\"\nname = \"panel\"\naxis = [0, 1, 0]\noutward = [0, -2, 0]",
     "outward and axis must not be parallel"},
    {"ArmWithoutLinks", "", "[[spacecraft]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[[spacecraft.component]]\ntype = \"robot_arm\"\nname = \"arm\"\nlink = §[]\n",
     "an arm has at least one link"},
    {"JointWithoutInertia", "", "§[[body]]\nname = \"needle\"\njoint = \"revolute\"\nmass = 1\ninertia = [0, 0, 0]\n",
     "its first acceleration is not finite"},
    {"CoordinatesOfWrongCount", "", "§[[body]]\nname = \"b\"\njoint = \"revolute\"\nmass = 1\ninertia = [1, 1, 1]\nq = [1, 2]\n",
     "a revolute joint has 1 coordinates"},
    {"SpeedsOfWrongCount", "", "§[[body]]\nname = \"b\"\njoint = \"planar\"\nmass = 1\ninertia = [1, 1, 1]\nv = [1]\n",
     "a planar joint has 3 speeds"},
    {"BodyQuaternionNotUnit", "q = [1, 0, 0, 0]", "q = §[1, 0, 1, 0]",
     "its quaternion must have unit length"},
    {"FreeJointOnABody", "", "§[[body]]\nname = \"b\"\nparent = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n",
     "a free joint has the ground as parent"},
    {"ProfileUnknown", "[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"wheel3\"]\nK = 0.1\nP = 0.5\nangle = { type = \"quintic\"",
     "§[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"wheel3\"]\nK = 0.1\nP = 0.5\nangle = { type = \"cubic\"",
     "type is constant, step, quintic, rate, glideslope or table, not cubic"},
    {"LatencyWithoutSampling", "sample_time = 0.1\nlatency = 0.05", "latency = §0.05", "needs a sample_time"},
    {"UnknownMethod", "method = \"dop853\"", "method = §\"dop583\"", "did you mean dop853?"},
    {"FixedStepsWithoutStep", "[integrator]\nmethod = \"dop853\"", "§[integrator]\nmethod = \"rk4\"",
     "rk4 takes fixed steps: give one [s]"},
    {"UnknownOutcome", "outcome = \"reached_end\"", "outcome = §\"reached\"", "no run ends as \"reached\""},
    {"AxesOfLoadUnknown", "[[force]]\ntype = \"external_load\"\nname = \"push\"",
     "§[[force]]\ntype = \"external_load\"\nname = \"push\"\naxes = \"world\"",
     "axes is body, inertial or orbit, not world"},
};
const Mistake kNames[] = {
    {"CraftTwice", "", "§[[spacecraft]]\nname = \"craft\"\nmass = 1\ninertia = [1, 1, 1]\n",
     "the name craft is used twice"},
    {"BodyNamedLikeACraft", "", "§[[body]]\nname = \"craft\"\nmass = 1\ninertia = [1, 1, 1]\n",
     "the name craft is used twice"},
    {"CraftNamedGround", "", "§[[spacecraft]]\nname = \"ground\"\nmass = 1\ninertia = [1, 1, 1]\n",
     "the name ground is taken"},
    {"ComponentTwice", "[[spacecraft.component]]\ntype = \"robot_arm\"\nname = \"arm\"",
     "§[[spacecraft.component]]\ntype = \"robot_arm\"\nname = \"panel\"", "the name panel is used twice"},
    {"PortTwice", "[[spacecraft.component]]\ntype = \"robot_arm\"",
     "§[[spacecraft.port]]\nname = \"probe\"\n[[spacecraft.component]]\ntype = \"robot_arm\"",
     "the name probe is used twice"},
    {"ControlTwice", "", "§[[control]]\ntype = \"attitude\"\nname = \"drive\"\nbody = \"craft\"\nK = 1\nP = 1\n",
     "the name drive is used twice"},
    {"ControlNamedLikeAForce", "", "§[[control]]\ntype = \"attitude\"\nname = \"push\"\nbody = \"craft\"\nK = 1\nP = 1\n",
     "the name push is used twice"},
    {"EventTwice", "", "§[[event]]\nname = \"calm\"\nat = 1\ndo = [{ record = 1 }]\n",
     "the name calm is used twice"},
    {"GroupTwice", "", "§[[record.group]]\nname = \"fast\"\ninterval = 1\nchannels = [\"*\"]\n",
     "the name fast is used twice"},
    {"EmptyName", "", "§[[event]]\nname = \"\"\nat = 1\ndo = [{ record = 1 }]\n", "\"\" is no name"},
    {"NameWithDot", "", "§[[event]]\nname = \"a.b\"\nat = 1\ndo = [{ record = 1 }]\n", "\"a.b\" is no name"},
    {"NameWithSlash", "", "§[[spacecraft]]\nname = \"a/b\"\nmass = 1\ninertia = [1, 1, 1]\n",
     "letters, digits, _ and - only"},
    {"NameWithUmlaut", "", "§[[spacecraft]]\nname = \"Köln\"\nmass = 1\ninertia = [1, 1, 1]\n",
     "letters, digits, _ and - only"},
    {"JointListedTwice", "joints = [\"arm.link1\"]", "joints = §[\"arm.link1\", \"craft.arm.link1\"]",
     "craft.arm.link1 is listed twice"},
};
const Mistake kReferences[] = {
    {"UnknownBodyOfForce", "name = \"push\"\nbody = \"craft\"", "name = \"push\"\nbody = §\"carft\"",
     "no body named carft; did you mean craft?"},
    {"UnknownBodyOfSpring", "body_2 = \"ball\"", "body_2 = §\"balls\"", "did you mean ball?"},
    {"UnknownBodyOfControl", "name = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"wheel3\"]",
     "name = \"pointing\"\nbody = §\"ctaft\"", "did you mean craft?"},
    {"ControlOfTheGround", "name = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"wheel3\"]",
     "name = \"pointing\"\nbody = §\"ground\"", "the ground does not move"},
    {"UnknownWheel", "wheels = [\"wheel1\", \"wheel2\", \"wheel3\"]", "wheels = §[\"wheel1\", \"wheel2\", \"wheel4\"]",
     "no body named wheel4; did you mean wheel1?"},
    {"PanelAsAWheel", "[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"wheel3\"]",
     "§[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"arm.link1\"]",
     "is not a wheel on craft"},
    {"TwoWheels", "[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"wheel3\"]",
     "§[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\"]",
     "needs three wheels"},
    {"UnknownThrusterSet", "[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nwheels = [\"wheel1\", \"wheel2\", \"wheel3\"]",
     "§[[control]]\ntype = \"attitude\"\nname = \"pointing\"\nbody = \"craft\"\nthrusters = \"jet\"",
     "no thruster set named jet"},
    {"UnknownJoint", "joints = [\"arm.link1\"]", "joints = §[\"arm.link2\"]", "no body named arm.link2; did you mean arm.link1?"},
    {"HubAsAJoint", "[[control]]\ntype = \"joint_pd\"\nname = \"drive\"\njoints = [\"arm.link1\"]",
     "§[[control]]\ntype = \"joint_pd\"\nname = \"drive\"\njoints = [\"ball\"]",
     "ball is not a revolute or prismatic joint"},
    {"ReferencesOfWrongCount", "[[control]]\ntype = \"joint_pd\"\nname = \"drive\"\njoints = [\"arm.link1\"]",
     "§[[control]]\ntype = \"joint_pd\"\nname = \"drive\"\njoints = [\"arm.link1\", \"panel\"]",
     "needs one reference per joint"},
    {"UnknownParent", "joint = \"spherical\"", "joint = \"spherical\"\nparent = §\"grund\"",
     "no body grund before this one; did you mean ground?"},
    {"UnknownJointType", "joint = \"spherical\"", "joint = §\"sphericl\"", "did you mean spherical?"},
    {"OnAnUnknownComponent", "on = \"panel\"", "on = §\"pannel\"", "no component pannel before this one; did you mean panel?"},
    {"OnALaterComponent", "name = \"wheel1\"", "name = \"wheel1\"\non = §\"panel\"", "panel must stand before what it carries"},
    {"ChannelNotThere", "channels = [\"craft.*\", \"system.*\"]", "channels = §[\"craft.*\", \"sytem.energy_lost\"]",
     "no channel fits sytem.energy_lost; did you mean system.energy_lost?"},
    {"ChannelPatternNotThere", "channels = [\"craft.rate\"]", "channels = §[\"crft.*\"]", "no channel fits crft.*"},
};
const Mistake kOrbit[] = {
    {"OrbitAndGravity", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "[orbit]\nsemi_major_axis_km = 7000\n§[gravity]\nuniform = [0, 0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "exclude each other"},
    {"GravityWithoutValue", "", "§[gravity]\n", "is missing: acceleration of gravity [m/s²]"},
    {"OrbitIncomplete", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "§[orbit]\nposition_km = [7000, 0, 0]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "either position and velocity, or semi_major_axis"},
    {"OrbitTwice", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "§[orbit]\nposition_km = [7000, 0, 0]\nvelocity = [0, 7500, 0]\neccentricity = 0.1\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "either position and velocity, or semi_major_axis"},
    {"OrbitNotClosed", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "[orbit]\nsemi_major_axis_km = 7000\neccentricity = §1\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "1 must be below 1"},
    {"OrbitWithoutPlane", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "§[orbit]\nposition_km = [7000, 0, 0]\nvelocity = [7500, 0, 0]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "no orbit plane"},
    {"GroundInOrbit", "joint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "joint = §\"spherical\"\nmass = 2\ninertia = [1, 1, 1]\n[orbit]\nsemi_major_axis_km = 7000",
     "in an orbit nothing stands on the ground"},
    {"SpringToGroundInOrbit", "joint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]\n[[force]]\ntype = \"spring_damper\"\nname = \"tether\"\nbody_1 = \"craft\"\nbody_2 = \"ball\"",
     "mass = 2\ninertia = [1, 1, 1]\n[orbit]\nsemi_major_axis_km = 7000\n§[[force]]\ntype = \"spring_damper\"\nname = \"tether\"\nbody_1 = \"craft\"\nbody_2 = \"ground\"",
     "in an orbit there is no ground to hold on to"},
    {"HillAxesWithoutOrbit", "omega_BN_B = [0.1, 0.2, 0.3]", "axes = §\"hill\"", "hill axes need an [orbit]"},
    {"AxesUnknown", "omega_BN_B = [0.1, 0.2, 0.3]", "axes = §\"ric\"", "is not inertial, hill or lvlh"},
    {"EarthWithoutOrbit", "omega_BN_B = [0.1, 0.2, 0.3]", "relative_to = §\"earth\"", "needs an [orbit]"},
    {"RelativeToSomething", "omega_BN_B = [0.1, 0.2, 0.3]", "relative_to = §\"mars\"", "no port mars"},
    {"OrbitAxesOfLoadWithoutOrbit", "force = [0.1, 0, 0]", "force = [0.1, 0, 0]\naxes = §\"orbit\"",
     "orbit axes need an [orbit]"},
};
const Mistake kEvents[] = {
    {"NoTrigger", "[[event]]\nname = \"begin\"\nat = 2", "§[[event]]\nname = \"begin\"", "needs one trigger"},
    {"TwoTriggers", "[[event]]\nname = \"begin\"\nat = 2", "§[[event]]\nname = \"begin\"\nat = 2\nafter = \"later\"",
     "needs one trigger"},
    {"AtNegative", "at = 2", "at = §-2", "must not be negative"},
    {"UnknownEvent", "after = \"begin\"", "after = §\"begun\"", "no event begun; did you mean begin?"},
    {"AfterItself", "after = \"begin\"", "after = §\"later\"", "cannot wait for itself"},
    {"DelayOfNothing", "at = 2", "at = 2\ndelay = §1", "say which with after"},
    {"HoldOfNothing", "at = 2", "at = 2\nhold = §1", "say when"},
    {"DirectionOfNothing", "at = 2", "at = 2\ndirection = §\"ends\"", "say when"},
    {"DirectionUnknown", "hold = 1", "direction = §\"up\"", "is not \"begins\", \"ends\" or \"now\""},
    {"HoldOfAnEnd", "hold = 1", "direction = \"ends\"\nhold = §1", "only a condition that begins to hold"},
    {"DoesNothing", "at = 2\ndo = [{ control = \"drive\", enable = false }]", "at = 2\ndo = §[]", "does nothing"},
    {"ActionOfNoKind", "{ control = \"drive\", enable = false }", "§{ enable = false }",
     "needs exactly one of control, force, kick, strike, latch, release, record, verdict, stop"},
    {"ActionOfTwoKinds", "{ control = \"drive\", enable = false }", "§{ record = 1, stop = \"x\" }",
     "needs exactly one of"},
    {"ActionKeyUnknown", "{ control = \"drive\", enable = false }", "{ control = \"drive\", enabled = §false }",
     "did you mean \"enable\"?"},
    {"ActionKeyOfAnother", "{ stop = \"calm\" }", "§{ stop = \"calm\", rate = 3 }", "rate belongs to kick"},
    {"ControlUnknown", "control = \"drive\"", "control = §\"drives\"", "there is no drives; did you mean drive?"},
    {"ControlWithoutOrder", "{ control = \"drive\", enable = false }", "{ control = §\"drive\" }",
     "needs enable = true | false, a reference or a task"},
    {"ForceUnknown", "force = \"push\"", "force = §\"pull\"", "did you mean push?"},
    {"ForceWithoutOrder", "{ force = \"push\", enable = false }", "{ force = §\"push\" }", "needs enable"},
    {"KickUnknown", "{ stop = \"calm\" }", "{ kick = §\"craft.panl\", rate = 1 }", "did you mean craft.panel?"},
    {"KickOfAHub", "{ stop = \"calm\" }", "{ kick = §\"craft\", rate = 1 }", "has no joint with one speed"},
    {"KickWithoutRate", "{ stop = \"calm\" }", "{ kick = §\"craft.panel\" }", "needs either rate or add"},
    {"StrikeUnknown", "{ stop = \"calm\" }", "{ strike = §\"crft\", impulse = [1, 0, 0] }", "did you mean craft?"},
    {"StrikeTheGround", "{ stop = \"calm\" }", "{ strike = §\"ground\", impulse = [1, 0, 0] }", "the ground does not move"},
    {"StrikeWithoutImpulse", "{ stop = \"calm\" }", "{ strike = §\"craft\" }", "needs an impulse"},
    {"RecordTooOften", "{ stop = \"calm\" }", "{ record = §1e-300 }", "makes over 1e+08 rows"},
    {"ReferenceOfWrongCount", "{ stop = \"calm\" }", "{ control = \"pointing\", reference = §[{ value = 1 }, { value = 2 }] }",
     "pointing wants 1 profiles, not 2"},
    {"ReferenceUnknown", "{ stop = \"calm\" }", "{ control = \"pointing\", reference = §[{ type = \"jump\" }] }",
     "type is constant, step, quintic, rate, glideslope or table, not jump"},
};
const Mistake kConditions[] = {
    {"ChannelUnknown", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"crft.rate < 1\"",
     "no channel named crft.rate; near it is craft.rho_BO_N"},
    {"ChannelOfAVector", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.omega_BN_B < 1\"",
     "craft.omega_BN_B has 3 numbers; name one, as in craft.omega_BN_B.x"},
    {"ComponentUnknown", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.omega_BN_B.w < 1\"",
     "no channel named craft.omega_BN_B.w"},
    {"ComparisonMissing", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate\"",
     "expected < or > at character 11"},
    {"ComparisonUnknown", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate = 1\"",
     "expected < or > at character 12"},
    {"NumberMissing", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate <\"",
     "expected a number at character 13"},
    {"NumberInfinite", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate < inf\"",
     "expected a number"},
    {"NumberTooLarge", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate < 1e999\"",
     "expected a number"},
    {"ChannelOnTheRight", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate < system.energy_lost\"",
     "expected a number"},
    {"JoinedByNothing", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate < 1 craft.rate > 0\"",
     "expected 'and' or 'or' at character 16"},
    {"EndsWithAnd", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate < 1 and\"",
     "expected the name of a channel"},
    {"ParenthesisOpen", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"(craft.rate < 1\"",
     "a closing parenthesis is missing"},
    {"ParenthesisClosed", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", "when = §\"craft.rate < 1)\"",
     "expected 'and' or 'or'"},
    {"ParenthesesWithoutEnd", "when = \"craft.rate < 0.01 and system.energy_lost > 0\"", std::string("when = §\"") + std::string(200, '(') + "craft.rate < 1\"",
     "too many parentheses"},
    {"InExpect", "final = [\"craft.rate < 1\"]", "final = §[\"craft.rte < 1\"]", "no channel named craft.rte"},
};
// clang-format on

std::string name_of(const testing::TestParamInfo<Mistake>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Syntax, BadInput, testing::ValuesIn(kSyntax), name_of);
INSTANTIATE_TEST_SUITE_P(Keys, BadInput, testing::ValuesIn(kKeys), name_of);
INSTANTIATE_TEST_SUITE_P(Values, BadInput, testing::ValuesIn(kValues), name_of);
INSTANTIATE_TEST_SUITE_P(Names, BadInput, testing::ValuesIn(kNames), name_of);
INSTANTIATE_TEST_SUITE_P(References, BadInput, testing::ValuesIn(kReferences), name_of);
INSTANTIATE_TEST_SUITE_P(Orbit, BadInput, testing::ValuesIn(kOrbit), name_of);
INSTANTIATE_TEST_SUITE_P(Events, BadInput, testing::ValuesIn(kEvents), name_of);
INSTANTIATE_TEST_SUITE_P(Conditions, BadInput, testing::ValuesIn(kConditions), name_of);

// --- whole files ---------------------------------------------------------------------------------

TEST(BadFile, HasAllItsProblemsToldAtOnce) {
  // Two found while reading, three only by building; none hides another.
  std::string text = kBase;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("inertia = [3, 4, 5]", "inertia = [1, 1, 5]");
  replace("stiffness = 3", "stifness = 3");
  replace("method = \"dop853\"", "method = \"euler\"");
  replace("body_2 = \"ball\"", "body_2 = \"bal\"");
  replace("joints = [\"arm.link1\"]", "joints = [\"arm.link7\"]");
  const std::vector<Problem> problems = find_problems(text);
  const std::string told = all_of(problems);
  EXPECT_EQ(problems.size(), 5u) << told;
  for (const char* part : {"base.toml:17:11  spacecraft.craft.inertia", "stifness — no such input",
                           "base.toml:5:10  integrator.method", "did you mean ball?", "arm.link7"})
    EXPECT_NE(told.find(part), std::string::npos) << part << "\n" << told;
}

TEST(BadFile, DoesNotComplainOfWhatFollowsFromAMistake) {
  // The craft's inertia cannot be read; that a hub needs one is no news.
  std::string text = kBase;
  const std::string from = "inertia = [3, 4, 5]";
  text.replace(text.find(from), from.size(), "inertia = \"round\"");
  EXPECT_EQ(find_problems(text).size(), 1u);
}

TEST(BadFile, EmptyLacksTimeAndACraft) {
  const std::string told = all_of(find_problems(""));
  EXPECT_NE(told.find("time — is missing: how long"), std::string::npos) << told;
  EXPECT_NE(told.find("nothing to simulate"), std::string::npos) << told;
}

TEST(BadFile, NestedWithoutEndIsRefused) {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  std::string brackets(100000, '[');
  for (const std::string& text : {key + " = 1\n", "[" + key + "]\n", "a = " + brackets})
    EXPECT_EQ(find_problems(text).size(), 1u);
}

TEST(BadFile, LineEndsOfWindowsAndAByteOrderMarkAreNoMistake) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : kBase) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(all_of(find_problems(text)), "");
  const std::string from = "mass = 10";
  text.replace(text.find(from), from.size(), "mass = -1");
  const std::vector<Problem> problems = find_problems(text);
  ASSERT_EQ(problems.size(), 1u) << all_of(problems);
  EXPECT_EQ(problems[0].place.line, 16);
  EXPECT_EQ(problems[0].place.column, 8);
}

TEST(BadFile, ManyNumbersOnALineAreNotDeep) {
  std::string list = "0.5";
  for (int i = 1; i < 1000; ++i) list += ", " + std::to_string(i) + ".5";
  std::string text = kBase + "# " + std::string(500, '.') + "\n";
  const std::string from = "{ type = \"constant\", value = 0.1 }";
  text.replace(text.find(from), from.size(),
               "{ type = \"table\", times = [" + list + "], values = [" + list + "] }");
  EXPECT_EQ(all_of(find_problems(text)), "");
}

// --- from = "file.toml" --------------------------------------------------------------------------

class BadSource : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    test::write_bytes(folder_ / name, text);
  }
  std::vector<Problem> find(const std::string& text) { return find_problems(text, folder_.path()); }

  const std::string craft_ = "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\nfrom = ";
  test::TemporaryFolder folder_;
};

TEST_F(BadSource, MissingFileIsTold) {
  const std::vector<Problem> problems = find(craft_ + "\"nobody.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("\"nobody.toml\" there is no such file"), std::string::npos);
  EXPECT_EQ(problems[0].place.line, 5);
  EXPECT_EQ(problems[0].place.column, 8);
}

TEST_F(BadSource, FileThatIncludesItselfIsTold) {
  write("self.toml", "from = \"self.toml\"\nmass = 1\n");
  const std::vector<Problem> problems = find(craft_ + "\"self.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("\"self.toml\" includes itself"), std::string::npos);
}

TEST_F(BadSource, MistakeInsideIsToldWithItsFileAndPlace) {
  write("other.toml", "mass = 3\ninertia = [1, 1, 1]\ncentre_of_mass = [1, 2]\n");
  const std::vector<Problem> problems = find(craft_ + "\"other.toml\"\n");
  ASSERT_EQ(problems.size(), 1u) << all_of(problems);
  EXPECT_EQ(problems[0].file, (folder_ / "other.toml").string());
  EXPECT_EQ(problems[0].place.line, 3);
  EXPECT_EQ(problems[0].place.column, 18);
}

TEST_F(BadSource, SyntaxErrorInsideIsTold) {
  write("other.toml", "mass = \n");
  const std::vector<Problem> problems = find(craft_ + "\"other.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("\"other.toml\""), std::string::npos) << all_of(problems);
}

TEST_F(BadSource, FileWithTwoCraftIsTold) {
  write("two.toml", "[[spacecraft]]\nname = \"a\"\n[[spacecraft]]\nname = \"b\"\n");
  const std::vector<Problem> problems = find(craft_ + "\"two.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("must hold exactly one spacecraft"), std::string::npos);
}

TEST_F(BadSource, FolderIsTold) {
  const std::vector<Problem> problems = find(craft_ + "\".\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("is a folder"), std::string::npos) << all_of(problems);
}

}  // namespace
}  // namespace berth
