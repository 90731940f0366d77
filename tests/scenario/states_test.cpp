// SPDX-License-Identifier: Apache-2.0

// Where craft start that stand to others: ports where they are stated, velocities seen in axes that
// turn, attitudes counted from the orbit or from a port, and what is refused.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/math/kepler.h"
#include "berth/simulate.h"
#include "tests/support/built.h"
#include "tests/support/text.h"

namespace berth::states_test {
namespace {

using test::all_of;
using test::Built;
using test::contains;
using V = Vec3<double>;

// --- a target that tumbles, a chaser that stands to it -------------------------------------------

const std::string kHead = "[time]\nstop = 10\n[integrator]\ntolerance = 1e-12\n";
const std::string kOrbit =
    "[orbit]\nsemi_major_axis = 7000000\neccentricity = 0.1\ninclination_deg = 50\nnode_deg = 30\n"
    "periapsis_deg = 40\nanomaly_deg = 70\n";

const std::string kTarget = R"(
[[spacecraft]]
name = "target"
mass = 2000
inertia = [1500, 1900, 1700]
centre_of_mass = [0.1, 0, 0.05]
[spacecraft.state]
position = [1, 2, 3]
velocity = [0.1, -0.2, 0.05]
sigma_BN = [0.1, -0.2, 0.3]
omega_BN_B = [0.02, 0.05, -0.03]
[[spacecraft.port]]
name = "cone"
position = [-1.2, 0.3, 0.1]
axes = [[-1, 0.2, 0], [0, 0.1, 1]]
)";

std::string chaser(const std::string& state, const std::string& more = "") {
  return fmt::format(R"(
[[spacecraft]]
name = "chaser"
mass = 750
inertia = [210, 260, 300]
centre_of_mass = [0, 0.1, 0]
[spacecraft.state]
{}
{}
[[spacecraft.port]]
name = "probe"
position = [1.3, 0.1, -0.2]
axes = [[1, 0.1, 0], [0.2, 0, 1]]
)",
                     state, more);
}
const std::string kMeasure =
    "[[measure]]\nname = \"seen\"\nbetween = [\"target.cone\", \"chaser.probe\"]\n";
const std::string kPlace = "position = [5, -2, 1]\nvelocity = [-0.3, 0.1, 0.2]\n";
const V kWhere{5, -2, 1}, kSpeed{-0.3, 0.1, 0.2};

// Ports as the file has them.
Mat3<double> axes_of(const V& x, const V& z) {
  const V ex = normalised(x), ey = normalised(cross(z, ex));
  return Mat3<double>::columns(ex, ey, cross(ex, ey));
}
const V kCone{-1.2, 0.3, 0.1}, kProbe{1.3, 0.1, -0.2};
const Mat3<double> kConeAxes = axes_of({-1, 0.2, 0}, {0, 0.1, 1}),
                   kProbeAxes = axes_of({1, 0.1, 0}, {0.2, 0, 1});

// The probe from the cone, in N.
struct Relative {
  V r, v;
};
Relative find_relative(const Built& b, const V& own = kProbe, const V& other = kCone) {
  const BodyMotion<double>&a = b.body("chaser"), &t = b.body("target");
  const V l1 = a.R_NB * own, l2 = t.R_NB * other;
  return {a.r_BN_N + l1 - t.r_BN_N - l2, a.velocity_at(l1) - t.velocity_at(l2)};
}

// Hill axes of the orbit above, by the textbook.
struct Hill {
  Mat3<double> R;
  V omega;
};
Hill find_hill() {
  const double deg = 0.017453292519943295;
  const OrbitState o =
      find_orbit_state({7e6, 0.1, 50 * deg, 30 * deg, 40 * deg, 70 * deg}, 3.986004415e14);
  const V up = normalised(o.r_N), normal = normalised(cross(o.r_N, o.v_N));
  return {Mat3<double>::columns(up, cross(normal, up), normal),
          (dot(cross(o.r_N, o.v_N), normal) / norm_squared(o.r_N)) * normal};
}
Mat3<double> lvlh_of(const Hill& h) {
  return Mat3<double>::columns(h.R.column_y(), -h.R.column_z(), -h.R.column_x());
}

TEST(RelativeState, PutsThePortWhereItIsStatedInAllAxes) {
  const Hill hill = find_hill();
  for (const std::string axes : {"inertial", "hill", "lvlh", "port"}) {
    SCOPED_TRACE(axes);
    const Built b(kHead + kOrbit + kTarget +
                  chaser(fmt::format("relative_to = \"target.cone\"\nport = \"probe\"\naxes = "
                                     "\"{}\"\n{}sigma_BN = [0.2, 0.1, 0]\n"
                                     "omega_BN_B = [0.01, 0.02, 0.03]\n",
                                     axes, kPlace)));
    ASSERT_EQ(all_of(b.read.problems), "");
    const BodyMotion<double>& t = b.body("target");
    const Mat3<double> R = axes == "inertial" ? Mat3<double>::identity()
                           : axes == "hill"   ? hill.R
                           : axes == "lvlh"   ? lvlh_of(hill)
                                              : t.R_NB * kConeAxes;
    const V w = axes == "inertial" ? V{} : axes == "port" ? t.omega_BN_N : hill.omega;
    const Relative is = find_relative(b);
    EXPECT_LT(norm(is.r - R * kWhere), 1e-14 * 10);
    EXPECT_LT(norm(is.v - R * kSpeed - cross(w, R * kWhere)), 1e-14);
    // Attitude and rate are against N.
    EXPECT_LT(norm(mrp(b.body("chaser").R_NB) - V{0.2, 0.1, 0}), 1e-14);
    EXPECT_LT(
        norm(transpose(b.body("chaser").R_NB) * b.body("chaser").omega_BN_N - V{0.01, 0.02, 0.03}),
        1e-15);
    // The target is where it was.
    EXPECT_LT(norm(t.r_BN_N - V{1, 2, 3}), 1e-15);
  }
}

// By the other road: what a measure shows is what the file says, and the axes turn with the target.
TEST(RelativeState, InPortAxesIsWhatAMeasureShows) {
  const Built b(
      kHead + kTarget +
      chaser("relative_to = \"target.cone\"\nport = \"probe\"\naxes = \"port\"\n" + kPlace) +
      kMeasure);
  ASSERT_EQ(all_of(b.read.problems), "");
  SimulateOptions options;
  options.at = {0, 1e-3};
  const Summary s = simulate(b.read.scenario, b.built, options);
  const auto vector = [&](std::size_t sample, const std::string& name) {
    for (const Channel& c : s.channels)
      if (c.name == name) {
        const double* x = s.samples.at(sample).row.data() + c.first;
        return V{x[0], x[1], x[2]};
      }
    ADD_FAILURE() << name;
    return V{};
  };
  EXPECT_LT(norm(vector(0, "seen.position") - kWhere), 1e-13);
  EXPECT_LT(norm(vector(0, "seen.velocity") - kSpeed), 1e-14);
  EXPECT_LT(norm(1e3 * (vector(1, "seen.position") - vector(0, "seen.position")) - kSpeed), 1e-4);
}

// Likewise in LVLH: what the approach controller sees.
TEST(RelativeState, InLvlhIsWhatAnApproachSees) {
  const Built b(
      kHead + kOrbit + kTarget +
      chaser("relative_to = \"target.cone\"\nport = \"probe\"\naxes = \"lvlh\"\n" + kPlace) +
      "[[control]]\ntype = \"approach\"\nname = \"near\"\nbetween = [\"chaser.probe\", "
      "\"target.cone\"]\ndistance = { value = 5 }\nK = 0\nP = 0\n");
  ASSERT_EQ(all_of(b.read.problems), "");
  SimulateOptions options;
  options.at = {0};
  const Summary s = simulate(b.read.scenario, b.built, options);
  for (const Channel& c : s.channels) {
    const double* x = s.samples.at(0).row.data() + c.first;
    if (c.name == "near.position") {
      EXPECT_LT(norm(V{x[0], x[1], x[2]} - kWhere), 1e-13);
    }
    if (c.name == "near.velocity") {
      EXPECT_LT(norm(V{x[0], x[1], x[2]} - kSpeed), 1e-13);
    }
  }
}

TEST(RelativeState, CountsFromHubsWhenNoPortIsNamed) {
  const Built b(kHead + kTarget + chaser("relative_to = \"target\"\n" + kPlace));
  ASSERT_EQ(all_of(b.read.problems), "");
  EXPECT_LT(norm(find_relative(b, {}, {}).r - kWhere), 1e-14);
  EXPECT_LT(norm(find_relative(b, {}, {}).v - kSpeed), 1e-15);
  // In its axes, which turn: the frame of the hub.
  const Built c(kHead + kTarget +
                chaser("relative_to = \"target\"\nport = \"probe\"\naxes = \"port\"\n" + kPlace));
  ASSERT_EQ(all_of(c.read.problems), "");
  const BodyMotion<double>& t = c.body("target");
  EXPECT_LT(norm(transpose(t.R_NB) * find_relative(c, kProbe, {}).r - kWhere), 1e-14);
  const Relative is = find_relative(c, kProbe, {});
  EXPECT_LT(norm(transpose(t.R_NB) * (is.v - cross(t.omega_BN_N, is.r)) - kSpeed), 1e-14);
}

TEST(RelativeState, MatedFacesThePortAndTurnsWithIt) {
  for (const bool more : {false, true}) {
    const Built b(
        kHead + kTarget +
        chaser("relative_to = \"target.cone\"\nport = \"probe\"\naxes = \"port\"\n"
               "attitude = \"mated\"\n" +
               kPlace +
               (more ? "sigma_BN = [0.05, 0.02, -0.1]\nomega_BN_B = [0.01, 0, 0.02]\n" : "")));
    ASSERT_EQ(all_of(b.read.problems), "");
    const BodyMotion<double>&a = b.body("chaser"), &t = b.body("target");
    // Without more x stands against x and z along z; with it the body is turned from there.
    const Mat3<double> extra =
        more ? rotation_matrix(quaternion_from_mrp(V{0.05, 0.02, -0.1})) : Mat3<double>::identity();
    const Mat3<double> R_NP = a.R_NB * transpose(extra) * kProbeAxes, R_NC = t.R_NB * kConeAxes;
    EXPECT_LT(norm(R_NP.column_x() + R_NC.column_x()), 1e-14);
    EXPECT_LT(norm(R_NP.column_z() - R_NC.column_z()), 1e-14);
    const V omega = more ? V{0.01, 0, 0.02} : V{};
    EXPECT_LT(norm(transpose(a.R_NB) * (a.omega_BN_N - t.omega_BN_N) - omega), 1e-15);
    // And the port is where it is stated all the same.
    EXPECT_LT(norm(transpose(R_NC) * find_relative(b).r - kWhere), 1e-14 * 10);
    const Relative is = find_relative(b);
    EXPECT_LT(norm(transpose(R_NC) * (is.v - cross(t.omega_BN_N, is.r)) - kSpeed), 1e-14);
  }
}

TEST(RelativeState, AttitudeIsCountedFromTheOrbit) {
  const Hill hill = find_hill();
  const Mat3<double> L = lvlh_of(hill);
  // Of a craft alone, and of one that stands to another.
  const std::string attitude =
      "attitude = \"lvlh\"\nsigma_BN = [0.1, 0.2, 0]\n"
      "omega_BN_B = [0, 0.01, 0.02]\n";
  for (const std::string& from :
       {std::string(), std::string("relative_to = \"target.cone\"\nport = \"probe\"\n"),
        std::string("axes = \"hill\"\n")}) {
    const Built b(kHead + kOrbit + kTarget + chaser(from + attitude + kPlace));
    ASSERT_EQ(all_of(b.read.problems), "");
    const BodyMotion<double>& a = b.body("chaser");
    EXPECT_LT(norm(mrp(transpose(L) * a.R_NB) - V{0.1, 0.2, 0}), 1e-14);
    EXPECT_LT(norm(transpose(a.R_NB) * (a.omega_BN_N - hill.omega) - V{0, 0.01, 0.02}), 1e-15);
  }
  // With nothing said: x along the orbit, z down, and turning with it.
  const Built bare(kHead + kOrbit + kTarget + chaser("attitude = \"lvlh\"\n"));
  ASSERT_EQ(all_of(bare.read.problems), "");
  const BodyMotion<double>& a = bare.body("chaser");
  for (int k = 0; k < 3; ++k) {
    V e{};
    e[k] = 1;
    EXPECT_LT(norm(a.R_NB * e - L * e), 1e-14);
  }
  EXPECT_LT(norm(a.omega_BN_N - hill.omega), 1e-17);
}

// --- parts that move -----------------------------------------------------------------------------

const std::string kPanel = R"(
[[spacecraft.component]]
type = "hinged_panel"
name = "panel"
position = [0, 1, 0.5]
axis = [1, 0.2, 0]
outward = [0, 1, 0]
mass = 10
centre_of_mass = [0.5, 0, 0]
inertia = [2, 3, 2]
stiffness = 100
angle = 0.4
rate = 0.3
[[spacecraft.port]]
name = "tip"
on = "panel"
position = [1, 0, 0.1]
axes = [[1, 0.5, 0], [0, 0, 1]]
)";

// From a port on the target's panel, with the velocity of its tip.
TEST(RelativeState, CountsFromPortsOnPartsThatMove) {
  for (const std::string other : {"target.tip", "target.panel"}) {
    const Built b(kHead + kTarget + kPanel +
                  chaser("relative_to = \"" + other + "\"\nport = \"probe\"\n" + kPlace));
    ASSERT_EQ(all_of(b.read.problems), "");
    const BodyMotion<double>&a = b.body("chaser"), &p = b.body("target.panel");
    const V l1 = a.R_NB * kProbe, l2 = p.R_NB * (other == "target.tip" ? V{1, 0, 0.1} : V{});
    EXPECT_LT(norm(a.r_BN_N + l1 - p.r_BN_N - l2 - kWhere), 1e-14);
    EXPECT_LT(norm(a.velocity_at(l1) - p.velocity_at(l2) - kSpeed), 1e-14);
  }
}

// The own port on a panel: it is put there; attitude and rate are the hub's own.
TEST(RelativeState, TakesTheHubsAttitudeWhenThePortIsOnAPart) {
  const Built b(kHead + kTarget +
                chaser("relative_to = \"target.cone\"\nport = \"tip\"\n" + kPlace +
                       "sigma_BN = [0.2, 0.1, 0]\nomega_BN_B = [0.01, 0.02, 0.03]\n") +
                kPanel);
  ASSERT_EQ(all_of(b.read.problems), "");
  const BodyMotion<double>&p = b.body("chaser.panel"), &t = b.body("target");
  const V l1 = p.R_NB * V{1, 0, 0.1}, l2 = t.R_NB * kCone;
  EXPECT_LT(norm(p.r_BN_N + l1 - t.r_BN_N - l2 - kWhere), 1e-13);
  EXPECT_LT(norm(p.velocity_at(l1) - t.velocity_at(l2) - kSpeed), 1e-13);
  const BodyMotion<double>& hub = b.body("chaser");
  EXPECT_LT(norm(mrp(hub.R_NB) - V{0.2, 0.1, 0}), 1e-13);
  EXPECT_LT(norm(transpose(hub.R_NB) * hub.omega_BN_N - V{0.01, 0.02, 0.03}), 1e-14);
}

// --- chains --------------------------------------------------------------------------------------

std::string link(const std::string& name, const std::string& state) {
  return fmt::format(R"(
[[spacecraft]]
name = "{}"
mass = 100
inertia = [30, 40, 50]
state = {{ {} }}
[[spacecraft.port]]
name = "fore"
position = [1, 0.1, 0]
[[spacecraft.port]]
name = "aft"
position = [-1, 0.2, 0]
axes = [[-1, 0.3, 0], [0, 1, 1]]
)",
                     name, state);
}

TEST(RelativeState, DoesNotDependOnTheOrderOfTheFile) {
  const auto behind = [](const std::string& other) {
    return fmt::format(
        "relative_to = \"{}.fore\", port = \"aft\", axes = \"port\", position = "
        "[3, 1, 0], velocity = [0.1, 0, 0], attitude = \"mated\", omega_BN_B = "
        "[0, 0.02, 0]",
        other);
  };
  const std::string crafts[] = {
      link("a", "position = [1, 2, 3], sigma_BN = [0.1, 0.2, 0.3], omega_BN_B = [0.1, 0, 0.05]"),
      link("b", behind("a")), link("c", behind("b")), link("d", behind("c"))};
  std::vector<std::size_t> order{0, 1, 2, 3};
  std::optional<Built> first;
  do {
    std::string text = kHead;
    for (const std::size_t i : order) text += crafts[i];
    const Built b(text);
    ASSERT_EQ(all_of(b.read.problems), "");
    if (!first) first.emplace(text);
    for (const char* name : {"a", "b", "c", "d"}) {
      EXPECT_EQ(b.body(name).r_BN_N, first->body(name).r_BN_N);
      EXPECT_EQ(b.body(name).v_BN_N, first->body(name).v_BN_N);
      EXPECT_EQ(b.body(name).R_NB, first->body(name).R_NB);
      EXPECT_EQ(b.body(name).omega_BN_N, first->body(name).omega_BN_N);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_GT(norm(first->body("d").r_BN_N - first->body("a").r_BN_N), 8);
}

// A craft that is docked to one which stands to another comes along.
TEST(RelativeState, CarriesAlongWhatIsDockedToIt) {
  const Built b(
      kHead + "[[dock]]\nname = \"joint\"\ntype = \"rigid\"\nbetween = [\"b.fore\", \"c.aft\"]\n" +
      link("a", "omega_BN_B = [0, 0, 0.1]") +
      link("b", "relative_to = \"a.fore\", port = \"aft\", axes = \"port\", position = [2, 0, 0]") +
      R"(
[[spacecraft]]
name = "c"
mass = 100
inertia = [30, 40, 50]
placement = { docked_to = "b.fore" }
[[spacecraft.port]]
name = "aft"
position = [-1, 0.2, 0]
axes = [[-1, 0.3, 0], [0, 1, 1]]
)");
  ASSERT_EQ(all_of(b.read.problems), "");
  const BodyMotion<double>&m = b.body("b"), &c = b.body("c");
  EXPECT_LT(norm(m.r_BN_N + m.R_NB * V{1, 0.1, 0} - c.r_BN_N - c.R_NB * V{-1, 0.2, 0}), 1e-14);
  EXPECT_LT(norm(m.omega_BN_N - c.omega_BN_N), 1e-15);
}

// And the other way round: one may stand to a craft that is docked to another.
TEST(RelativeState, MayBeCountedFromACraftThatIsDocked) {
  const Built b(
      kHead + "[[dock]]\nname = \"joint\"\ntype = \"rigid\"\nbetween = [\"a.fore\", \"b.aft\"]\n" +
      link("c", "relative_to = \"b.fore\", port = \"aft\", position = [3, 0, 0]") + R"(
[[spacecraft]]
name = "b"
mass = 100
inertia = [30, 40, 50]
placement = { docked_to = "a.fore" }
[[spacecraft.port]]
name = "fore"
position = [1, 0, 0]
[[spacecraft.port]]
name = "aft"
position = [-1, 0, 0]
axes = [[-1, 0, 0], [0, 0, 1]]
)" + link("a", "position = [7, 0, 0], omega_BN_B = [0.1, 0, 0.2]"));
  ASSERT_EQ(all_of(b.read.problems), "");
  const BodyMotion<double>&m = b.body("b"), &c = b.body("c");
  const V l1 = c.R_NB * V{-1, 0.2, 0}, l2 = m.R_NB * V{1, 0, 0};
  EXPECT_GT(norm(m.omega_BN_N), 0.2);
  EXPECT_LT(norm(c.r_BN_N + l1 - m.r_BN_N - l2 - V{3, 0, 0}), 1e-13);
  EXPECT_LT(norm(c.velocity_at(l1) - m.velocity_at(l2)), 1e-14);
}

// --- mistakes ------------------------------------------------------------------------------------

struct Mistake {
  const char* name;
  std::string state;  // of the chaser
  const char* path;   // after spacecraft.chaser.state
  const char* words;
};
class StateMistake : public testing::TestWithParam<Mistake> {};

TEST_P(StateMistake, IsReportedWithItsLine) {
  const Mistake& m = GetParam();
  const Built b(kHead + kTarget + chaser(m.state));
  const std::string reported = all_of(b.read.problems);
  ASSERT_EQ(b.read.problems.list.size(), 1u) << reported;
  EXPECT_EQ(b.read.problems.list[0].path, std::string("spacecraft.chaser.state") + m.path)
      << reported;
  EXPECT_TRUE(contains(b.read.problems.list[0].message, m.words)) << reported;
  EXPECT_GT(b.read.problems.list[0].place.line, 20) << reported;
}

// clang-format off
const Mistake kMistakes[] = {
    {"PortUnknown", "relative_to = \"target.con\"\n", ".relative_to", "no port target.con; did you mean target.cone?"},
    {"CraftUnknown", "relative_to = \"tarjet.cone\"\n", ".relative_to", "no port tarjet.cone; did you mean target.cone?"},
    {"OwnPortUnknown", "relative_to = \"target.cone\"\nport = \"prob\"\n", ".port", "no port chaser.prob; did you mean chaser.probe?"},
    {"PortAlone", "port = \"probe\"\n", ".port", "goes with relative_to another craft"},
    {"MatedAlone", "attitude = \"mated\"\n", ".attitude", "mated goes with relative_to another craft"},
    {"PortAxesAlone", "axes = \"port\"\n", ".axes", "port goes with relative_to another craft"},
    {"AxesUnknown", "relative_to = \"target\"\naxes = \"body\"\n", ".axes", "\"body\" is not one of inertial, hill, lvlh, port"},
    {"AttitudeUnknown", "relative_to = \"target\"\nattitude = \"docked\"\n", ".attitude", "\"docked\" is not one of inertial"},
    {"HillWithoutOrbit", "relative_to = \"target\"\naxes = \"hill\"\n", ".axes", "hill axes need an [orbit]"},
    {"LvlhWithoutOrbit", "attitude = \"lvlh\"\n", ".attitude", "lvlh axes need an [orbit]"},
    {"ToItself", "relative_to = \"chaser.probe\"\n", ".relative_to", "circle"},
    {"TwoAttitudes", "relative_to = \"target\"\nsigma_BN = [0, 0, 0.1]\nquaternion_BN = [1, 0, 0, 0]\n", "", "one attitude is enough"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(Of, StateMistake, testing::ValuesIn(kMistakes),
                         [](const auto& p) { return std::string(p.param.name); });

TEST(StateMistakes, CraftThatStandToEachOtherGoRoundInACircle) {
  const Built b(kHead + link("a", "relative_to = \"c.fore\"") +
                link("b", "relative_to = \"a.fore\"") + link("c", "relative_to = \"b\"") +
                link("d", "relative_to = \"a\"") + link("e", ""));
  ASSERT_EQ(b.read.problems.list.size(), 4u) << all_of(b.read.problems);
  const char* names[] = {"a", "b", "c", "d"};
  for (std::size_t i = 0; i < 4; ++i) {
    const Problem& p = b.read.problems.list[i];
    EXPECT_EQ(p.path, fmt::format("spacecraft.{}.state.relative_to", names[i]));
    EXPECT_EQ(p.message, "goes round in a circle: one craft needs a state of its own");
    EXPECT_GT(p.place.line, 4);
  }
}

// Controllers that need an orbit or ports, asked for in a file.
TEST(ControlMistakes, OfRelativeFlightAreReportedWithTheirLine) {
  const std::string base = kHead + kTarget + chaser("position = [9, 0, 0]") + R"(
[[force]]
type = "thruster_set"
name = "jets"
body = "target"
thruster = [{ position = [0, 0, 0], direction = [1, 0, 0], thrust = 1 }]
)";
  const auto approach = [](const std::string& more) {
    return "[[control]]\ntype = \"approach\"\nname = \"c\"\ndistance = { value = 5 }\nK = 1\nP = "
           "1\n" +
           more;
  };
  const std::string ports = "between = [\"chaser.probe\", \"target.cone\"]\n",
                    in_port = "axes = \"port\"\n";
  const auto attitude = [](const std::string& more) {
    return "[[control]]\ntype = \"attitude\"\nname = \"c\"\nbody = \"chaser\"\nK = 1\nP = 1\n" +
           more;
  };
  struct Case {
    std::string control, path, words;
  };
  const Case cases[] = {
      {approach(ports), "control.c.axes", "\"lvlh\" needs an [orbit]"},
      {approach(in_port + "between = [\"chaser.prob\", \"target.cone\"]\n"), "control.c.between",
       "no port chaser.prob; did you mean chaser.probe?"},
      {approach(in_port + ports + "thrusters = \"jets\"\n"), "control.c.thrusters",
       "the thrusters jets are on target, which it does not push"},
      {approach(in_port + ports + "latency = 0.1\n"), "control.c.latency", "needs a sample_time"},
      {"[[sensor]]\ntype = \"relative_pose\"\nname = \"c\"\n" + in_port + ports +
           "noise_position = 0.1\n",
       "sensor.c.sample_time", "noise, dropouts and limits of sight need a sample_time"},
      {approach(in_port + "between = [\"chaser.probe\"]\n"), "control.c.between",
       "two ports are needed"},
      {"[[sensor]]\ntype = \"relative_pose\"\nname = \"c\"\n" + in_port +
           "betwen = [\"chaser.probe\", \"target.cone\"]\n",
       "sensor.c.betwen", "did you mean \"between\"?"},
      {attitude("follow = \"lvlh\"\n"), "control.c.follow", "\"lvlh\" needs an [orbit]"},
      {attitude("follow = \"mated\"\nports = [\"chaser.probe\", \"target.con\"]\n"),
       "control.c.ports", "no port target.con; did you mean target.cone?"},
      {attitude("follow = \"mated\"\n"), "control.c.ports", "goes with two ports"},
      {attitude("thrusters = \"jets\"\n"), "control.c.thrusters",
       "the thrusters jets are on target"},
      {"[[control]]\ntype = \"thrust\"\nname = \"c\"\nbody = \"chaser\"\naxes = \"lvlh\"\nforce = "
       "{ "
       "value = 1 }\n",
       "control.c.axes", "\"lvlh\" needs an [orbit]"},
  };
  EXPECT_EQ(all_of(Built(base + approach(in_port + ports)).read.problems), "");
  for (const Case& c : cases) {
    const Built b(base + c.control);
    const std::string reported = all_of(b.read.problems);
    ASSERT_EQ(b.read.problems.list.size(), 1u) << c.control << reported;
    EXPECT_EQ(b.read.problems.list[0].path, c.path) << reported;
    EXPECT_TRUE(contains(b.read.problems.list[0].message, c.words)) << reported;
    EXPECT_GT(b.read.problems.list[0].place.line, 30) << reported;
  }
}

// What has no name may lack anything else: it is refused, not built.
TEST(Parts, WithoutNamesAreRefused) {
  for (const auto& [table, rest] : std::multimap<std::string, std::string>{
           {"sensor", "stop = 60\n"},
           {"sensor", "type = \"relative_pose\"\n"},
           {"control", "type = \"attitude\"\nbody = \"a\"\nfollow = \"mated\"\nK = 1\nP = 1\n"},
           {"force", "type = \"thrusters\"\n"},
           {"external", "sample_time = 1\n"}}) {
    ReadScenario read = read_scenario_text(
        "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[" + table +
            "]\n" + rest,
        "s.toml");
    build_scenario(read.scenario, read.problems);
    ASSERT_FALSE(read.problems.empty()) << table;
    EXPECT_EQ(read.problems.list[0].path, table + ".name");
  }
}

}  // namespace
}  // namespace berth::states_test
