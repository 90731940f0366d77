// SPDX-License-Identifier: Apache-2.0

// [[dock]] and placement in scenario files: where craft are put, what is refused, what is warned of.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/analysis/check.h"
#include "berth/simulate.h"
#include "berth/system/docks.h"
#include "tests/support/built.h"
#include "tests/support/filled_part.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::docks_scenario_test {
namespace {

using test::all_of;
using test::Built;
using test::contains;
using test::Strings;

// Position, attitude and rates of every dock, worst of all.
double find_opening(const System<double>& system) {
  Workspace<double> w(system);
  Mode<double> mode;
  const std::vector<double> x = find_initial_state(system);
  motion_stage<double>(system, 0.0, x, mode, w);
  double worst = 0;
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Violation<double> v = find_violation(system.docks[k], w.docks[k]);
    worst = std::max({worst, v.position, v.attitude});
    for (int r = 0; r < w.docks[k].count; ++r)
      worst = std::max(worst, std::fabs(w.docks[k].rows.row[static_cast<std::size_t>(r)].rate));
  }
  return worst;
}

// --- placement -----------------------------------------------------------------------------------

std::string craft(const std::string& name, const std::string& more) {
  return fmt::format(R"(
[[spacecraft]]
name = "{}"
mass = 100
inertia = [30, 40, 50]
centre_of_mass = [0.1, 0, 0.05]
{}
[[spacecraft.port]]
name = "fore"
position = [1, 0.1, 0]
axes = [[1, 0, 0], [0, 0, 1]]
[[spacecraft.port]]
name = "aft"
position = [-1, 0.2, 0]
axes = [[-1, 0.3, 0], [0, 1, 1]]
)",
                     name, more);
}
std::string dock(const std::string& name, const std::string& a, const std::string& b,
                 const std::string& more = "type = \"rigid\"\n") {
  return fmt::format("[[dock]]\nname = \"{}\"\nbetween = [\"{}\", \"{}\"]\n{}\n", name, a, b, more);
}
const std::string kTime = "[time]\nstop = 10\n";
const std::string kMoving =
    "state = { position = [1, 2, 3], velocity = [0.1, 0, -0.2], sigma_BN = [0.1, -0.2, 0.3], "
    "omega_BN_B = [0.1, 0.2, -0.1] }\n";
std::string placed(const std::string& port) {
  return fmt::format("placement = {{ docked_to = \"{}\" }}\n", port);
}
// A panel at an angle and moving, with a port on it.
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

TEST(Placement, PutsAChainTogetherInAnyOrderOfTheFile) {
  const std::string crafts[] = {craft("a", kMoving), craft("b", placed("a.fore")),
                                craft("c", placed("b.fore")), craft("d", placed("c.fore"))};
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    std::string text = kTime;
    for (const std::size_t i : order) text += crafts[i];
    text += dock("cd", "c.fore", "d.aft") +
            dock("ab", "b.aft", "a.fore", "type = \"rigid\"\narm = [0.2, 0.1, 0]") +
            dock("bc", "b.fore", "c.aft");
    const Built b(text);
    ASSERT_EQ(all_of(b.read.problems), "");
    EXPECT_LT(find_opening(b.system()), 2e-15);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Placement, UsesPortsOnPartsThatMove) {
  // The placed craft may be the first or the second of the dock, the moving part on either.
  for (const bool second : {false, true})
    for (const bool on_placed : {false, true}) {
      const std::string from = on_placed ? "a.fore" : "a.tip", to = on_placed ? "b.tip" : "b.aft";
      const std::string text =
          kTime + craft("a", kMoving) + kPanel + craft("b", placed(from)) + kPanel +
          (second ? dock("joint", from, to, "type = \"rigid\"\narm = [0.3, 0.1, 0]")
                  : dock("joint", to, from, "type = \"rigid\"\narm = [0.3, 0.1, 0]"));
      const Built b(text);
      ASSERT_EQ(all_of(b.read.problems), "");
      EXPECT_LT(find_opening(b.system()), 2e-15);
    }
}

TEST(Placement, SuitsEveryTypeAndEveryWayOfHolding) {
  for (const char* type : {"rigid", "direction", "length", "hinge", "slider"})
    for (const char* enforce : {"exact", "baumgarte", "penalty", "fused"}) {
      if (std::string(enforce) == "fused" && std::string(type) != "rigid") continue;
      const Built b(kTime + craft("a", kMoving) + kPanel + craft("b", placed("a.tip")) +
                    dock("joint", "a.tip", "b.aft",
                         fmt::format("type = \"{}\"\nenforce = \"{}\"\narm = [0.3, 0.1, 0]\n"
                                     "warm_start = false",
                                     type, enforce)));
      ASSERT_EQ(all_of(b.read.problems), "") << type << " " << enforce;
      EXPECT_LT(find_opening(b.system()), 2e-15) << type << " " << enforce;
    }
}

TEST(Placement, OfARodStandsAtItsLength) {
  const Built b(kTime + craft("a", kMoving) + craft("b", placed("a.fore")) +
                dock("joint", "a.fore", "b.aft", "type = \"length\"\nlength = 2.5"));
  ASSERT_EQ(all_of(b.read.problems), "");
  EXPECT_LT(find_opening(b.system()), 2e-15);
  Workspace<double> w(b.system());
  Mode<double> mode;
  motion_stage<double>(b.system(), 0.0, find_initial_state(b.system()), mode, w);
  EXPECT_NEAR(norm(w.docks[0].pair.d), 2.5, 1e-14);
}

TEST(Placement, WhatCraftCarryNeverShiftsADock) {
  const std::string fuel = R"(
[[spacecraft.component]]
type = "slosh_mass"
name = "fuel"
axis = [1, 0, 0]
mass = 50
)";
  const auto pose = [&](const std::string& a, const std::string& b) {
    const Built built(kTime + craft("a", kMoving) + a + craft("b", placed("a.fore")) + b +
                      dock("joint", "a.fore", "b.aft"));
    EXPECT_EQ(all_of(built.read.problems), "");
    const Model<double>& model = built.system().model;
    Motion<double> motion;
    motion.bodies.resize(model.bodies.size());
    find_motion<double>(model, model.q0, model.v0, motion);
    return motion.body(model.find_body("b"));
  };
  const BodyMotion<double> bare = pose("", "");
  for (const std::string& a : {std::string(), kPanel})
    for (const std::string& b : {std::string(), kPanel, fuel, kPanel + fuel}) {
      const BodyMotion<double> m = pose(a, b);
      EXPECT_EQ(m.r_BN_N, bare.r_BN_N);
      EXPECT_EQ(m.v_BN_N, bare.v_BN_N);
      EXPECT_EQ(m.omega_BN_N, bare.omega_BN_N);
      EXPECT_EQ(m.R_NB, bare.R_NB);
    }
}

// --- mistakes ------------------------------------------------------------------------------------

const std::string kPair = kTime + craft("a", kMoving) + craft("b", placed("a.fore")) +
                          dock("joint", "a.fore", "b.aft", "type = \"rigid\"\narm = [0.1, 0, 0]");

struct Mistake {
  const char* name;
  std::string from, to;  // an edit of the pair; empty `from` adds at the end
  const char* path;
  const char* message;  // a part of the message
};

void expect_reported(const std::string& text, const Mistake& m) {
  const Built b(text);
  const std::string reported = all_of(b.read.problems);
  ASSERT_EQ(b.read.problems.list.size(), 1u) << reported;
  EXPECT_EQ(b.read.problems.list[0].path, m.path) << reported;
  EXPECT_TRUE(contains(b.read.problems.list[0].message, m.message)) << reported;
  EXPECT_GT(b.read.problems.list[0].place.line, 0) << reported;
}

std::string edit(std::string text, const Mistake& m) {
  if (m.from.empty()) return text + m.to;
  const std::size_t at = text.find(m.from);
  if (at == std::string::npos) throw std::runtime_error("not in the base: " + m.from);
  return text.replace(at, m.from.size(), m.to);
}

class DockMistake : public testing::TestWithParam<Mistake> {};

TEST_P(DockMistake, IsReported) { expect_reported(edit(kPair, GetParam()), GetParam()); }

// clang-format off
const std::string kBetween = "between = [\"a.fore\", \"b.aft\"]";
const Mistake kMistakes[] = {
    {"PortUnknown", "", dock("other", "a.for", "b.aft", "type = \"rigid\"\nengaged = false\n"),
     "dock.other.between", "no port a.for; did you mean a.fore?"},
    {"OnePort", "", dock("other", "a.fore", "b.aft", "type = \"rigid\"\nengaged = false\n") + "[[dock]]\nname = \"half\"\ntype = \"rigid\"\nbetween = [\"a.fore\"]\n",
     "dock.half.between", "two ports are needed"},
    {"PortsOnOneBody", "", dock("self", "a.fore", "a.aft"), "dock.self.between", "both ports are on one body"},
    {"FusedHinge", "type = \"rigid\"", "type = \"hinge\"\nenforce = \"fused\"", "dock.joint.enforce",
     "only a rigid dock can be fused, not hinge"},
    {"RodWithoutLength", "", dock("rod", "a.aft", "b.fore", "type = \"length\"\nengaged = false"), "dock.rod.length",
     "a rod needs a length: give length or arm"},
    {"EnforceUnknown", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nenforce = \"exactly\"", "dock.joint.enforce",
     "\"exactly\" is not one of exact, reduced, baumgarte, penalty, fused"},
    {"GainsUnknown", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nenforce = \"penalty\"\ngains = \"alphabeta\"",
     "dock.joint.gains", "\"alphabeta\" is not one of normalised, alpha_beta, physical; did you mean alpha_beta?"},
    {"LawUnknown", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nenforce = \"penalty\"\nlaw = \"pi\"", "dock.joint.law",
     "\"pi\" is not one of pd, pid; did you mean pd?"},
    {"PhysicalWithoutStiffness", "arm = [0.1, 0, 0]",
     "arm = [0.1, 0, 0]\nenforce = \"penalty\"\ngains = \"physical\"\nstiffness_rotation = 3", "dock.joint.stiffness",
     "is missing: physical gains need it [N/m]"},
    {"PhysicalWithoutTorsion", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nenforce = \"penalty\"\nstiffness = 3",
     "dock.joint.stiffness_rotation", "is missing: a rigid joint turns against it [N·m/rad]"},
    {"PhysicalAndNormalised", "arm = [0.1, 0, 0]",
     "arm = [0.1, 0, 0]\nenforce = \"penalty\"\ngains = \"normalised\"\nstiffness = 3\nstiffness_rotation = 3",
     "dock.joint.gains", "stiffness, damping and integral are physical gains, not normalised"},
    {"AlphaZero", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nalpha = 0", "dock.joint.alpha", "must be positive"},
    {"StiffnessNegative", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nstiffness = -1", "dock.joint.stiffness",
     "must not be negative"},
    {"TypeUnknown", "type = \"rigid\"", "type = \"rigit\"", "dock.joint.type", "did you mean \"rigid\"?"},
    {"KeyUnknown", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nenforc = \"exact\"", "dock.joint.enforc",
     "did you mean \"enforce\""},
    {"KeyOfAnotherType", "arm = [0.1, 0, 0]", "arm = [0.1, 0, 0]\nlength = 3", "dock.joint.length", "no such input"},
    {"NameTwice", "", dock("joint", "a.aft", "b.fore", "type = \"rigid\"\nengaged = false"), "dock.joint", "joint"},
    {"NameOfACraft", "", dock("a", "a.aft", "b.fore", "type = \"rigid\"\nengaged = false"), "dock.a", "a"},
    {"StateAndPlacement", "placement = { docked_to", "state = { position = [0, 0, 0] }\nplacement = { docked_to",
     "spacecraft.b.placement", "state and placement exclude each other"},
    {"PlacedAtNoPort", "docked_to = \"a.fore\"", "docked_to = \"a.for\"", "spacecraft.b.placement.docked_to",
     "no port a.for; did you mean a.fore?"},
    {"PlacedByNoDock", "docked_to = \"a.fore\"", "docked_to = \"a.aft\"", "spacecraft.b.placement.docked_to",
     "no [[dock]] joins a.aft to b"},
    {"LatchUnknown", "", "[[event]]\nname = \"e\"\nat = 1\ndo = [{ latch = \"joit\" }]\n", "event.e.do.1.latch",
     "did you mean joint?"},
    {"ReleaseUnknown", "", "[[event]]\nname = \"e\"\nat = 1\ndo = [{ release = \"joit\" }]\n", "event.e.do.1.release",
     "did you mean joint?"},
    {"LockUnknown", "", "[[event]]\nname = \"e\"\nat = 1\ndo = [{ latch = \"joint\", lock = \"now\" }]\n",
     "event.e.do.1.lock", "\"now\" is not one of nominal, current"},
};
// clang-format on
INSTANTIATE_TEST_SUITE_P(Of, DockMistake, testing::ValuesIn(kMistakes),
                         [](const auto& p) { return std::string(p.param.name); });

TEST(DockMistakes, TwoCraftPlacedAtEachOtherGoRoundInACircle) {
  const Built b(kTime + craft("a", placed("b.aft")) + craft("b", placed("a.fore")) +
                dock("joint", "a.fore", "b.aft"));
  ASSERT_EQ(b.read.problems.list.size(), 2u) << all_of(b.read.problems);
  for (const Problem& p : b.read.problems.list)
    EXPECT_TRUE(contains(p.message, "goes round in a circle")) << p.message;
}

TEST(DockMistakes, AStartThatIsOpenIsRefusedByName) {
  const std::string two = kTime + craft("a", "") + craft("b", "state = { position = [9, 0, 0] }\n");
  for (const char* enforce : {"exact", "baumgarte", "fused"}) {
    const Built b(two + dock("joint", "a.fore", "b.aft",
                             fmt::format("type = \"rigid\"\nenforce = \"{}\"", enforce)));
    ASSERT_EQ(b.read.problems.list.size(), 1u) << all_of(b.read.problems);
    EXPECT_EQ(b.read.problems.list[0].path, "dock.joint");
    EXPECT_TRUE(contains(b.read.problems.list[0].message, "its ports start")) << enforce;
  }
  // Open for the time being is all right.
  EXPECT_EQ(
      all_of(Built(two + dock("joint", "a.fore", "b.aft", "type = \"rigid\"\nengaged = false"))
                 .read.problems),
      "");
}

// A warm start would put the craft where the file did not: the spring pulls them together instead.
TEST(DockMistakes, AWarmStartDoesNotMoveCraftThatStandApart) {
  const std::string two = kTime + craft("a", "") + craft("b", "state = { position = [9, 0, 0] }\n");
  const Built b(two +
                dock("joint", "a.fore", "b.aft", "type = \"direction\"\nenforce = \"penalty\""));
  ASSERT_EQ(all_of(b.read.problems), "");
  EXPECT_EQ(b.system().model.q0[static_cast<std::size_t>(b.system().model.body(2).q)], 9);
  const std::vector<std::string> reported = check(b.read.scenario, b.built).warnings;
  EXPECT_TRUE(std::any_of(reported.begin(), reported.end(), [](const std::string& w) {
    return contains(w, "dock joint starts stretched by 7");
  }));
}

TEST(DockMistakes, AStartThatMovesApartIsRefusedByName) {
  const std::string apart =
      kTime + craft("a", "") +
      craft("b", "state = { position = [2, 0.1, 0], velocity = [0, 0, 0.1] }\n");
  const Built b(apart +
                dock("joint", "a.fore", "b.aft", "type = \"direction\"\narm = [0, 0.2, 0]"));
  ASSERT_EQ(b.read.problems.list.size(), 1u) << all_of(b.read.problems);
  EXPECT_EQ(b.read.problems.list[0].path, "dock.joint");
  EXPECT_TRUE(contains(b.read.problems.list[0].message, "moving against each other by 0.1"))
      << all_of(b.read.problems);
}

TEST(DockMistakes, ARingThatDoesNotCloseIsRefusedByName) {
  const std::string chain = kTime + craft("a", kMoving) + craft("b", placed("a.fore")) +
                            craft("c", placed("b.fore")) + dock("ab", "a.fore", "b.aft") +
                            dock("bc", "b.fore", "c.aft");
  for (const char* enforce : {"exact", "fused"}) {
    const Built b(chain + dock("ca", "c.fore", "a.aft",
                               fmt::format("type = \"rigid\"\nenforce = \"{}\"", enforce)));
    ASSERT_EQ(b.read.problems.list.size(), 1u) << all_of(b.read.problems);
    EXPECT_EQ(b.read.problems.list[0].path, "dock.ca");
  }
}

TEST(DockMistakes, InOrbitThereIsNoGround) {
  const std::string orbit = "[orbit]\nsemi_major_axis = 7e6\n";
  const Built b(kTime + orbit + craft("a", "") + dock("joint", "ground", "a.aft"));
  ASSERT_EQ(b.read.problems.list.size(), 1u) << all_of(b.read.problems);
  EXPECT_EQ(b.read.problems.list[0].path, "dock.joint.between");
  EXPECT_TRUE(contains(b.read.problems.list[0].message, "no ground to dock to"));
}

TEST(DockMistakes, OfAPlacedCraftDoNotDragOthersIntoACircle) {
  // b's dock names a port that is not there; c, placed at b, is innocent.
  const Built b(kTime + craft("c", placed("b.fore")) + craft("a", kMoving) +
                craft("b", placed("a.fore")) + dock("bc", "b.fore", "c.aft") +
                dock("ab", "a.fore", "b.nose"));
  EXPECT_FALSE(contains(all_of(b.read.problems), "circle")) << all_of(b.read.problems);
  EXPECT_TRUE(contains(all_of(b.read.problems), "no port b.nose")) << all_of(b.read.problems);
}

// --- on the ground -------------------------------------------------------------------------------

TEST(DockToTheGround, HoldsACraft) {
  for (const char* enforce : {"exact", "fused"}) {
    Built b(kTime + "[integrator]\ntolerance = 1e-12\n[gravity]\nuniform = [0, 0, -9.81]\n" +
            craft("a", "placement = { docked_to = \"ground\" }\n") + kPanel +
            dock("joint", "ground", "a.aft",
                 fmt::format("type = \"rigid\"\nenforce = \"{}\"", enforce)));
    ASSERT_EQ(all_of(b.read.problems), "");
    EXPECT_LT(find_opening(b.system()), 2e-15);
    const Summary s = simulate(b.read.scenario, b.built, {});
    EXPECT_TRUE(s.outcome.completed());
    EXPECT_LT(s.audit.linear_momentum, 1e-11);
    EXPECT_LT(s.audit.angular_momentum, 1e-11);
    EXPECT_GT(s.docks.front().track.force_peak(), 110 * 9.81);
    EXPECT_LT(s.docks.front().track.violation().position, 5e-15);
  }
}

// --- files ---------------------------------------------------------------------------------------

TEST(DockSpecs, EveryKeyComesBackFromAFile) {
  test::Random random(1);
  Scenario s;
  s.time.stop = 1;
  for_each_type(Constraints<double>{}, [&]<class C>() {
    DockSpec d;
    d.name = std::string(C::type);
    C part;
    test::fill_part(part, random);
    d.part = part;
    const std::string name = d.name;
    test::fill_part(d, random);
    d.name = name;
    s.dock.push_back(d);
  });
  const std::string text = write_scenario(s);
  const ReadScenario again = read_scenario_text(text, "again.toml");
  ASSERT_EQ(all_of(again.problems), "");
  ASSERT_EQ(again.scenario.dock.size(), s.dock.size());
  for (std::size_t k = 0; k < s.dock.size(); ++k) {
    const DockSpec &a = s.dock[k], &b = again.scenario.dock[k];
    EXPECT_EQ(a.name, b.name);
    ASSERT_EQ(a.part.index(), b.part.index());
    EXPECT_EQ(test::find_differences(a, b), Strings{});
    std::visit(
        [&](const auto& part) {
          using C = std::remove_cvref_t<decltype(part)>;
          EXPECT_EQ(test::find_differences(part, std::get<C>(b.part)), Strings{});
        },
        a.part);
  }
  EXPECT_EQ(write_scenario(again.scenario), text);
}

// A direction that was left open has no length; written out it must not be one without length.
TEST(DocksScenario, ADirectionLeftOpenStaysOpen) {
  Scenario s;
  s.time.stop = 1;
  s.loop.emplace_back().name = "pin";
  s.loop.back().part = Hinge<double>{};
  const ReadScenario again = read_scenario_text(write_scenario(s), "again.toml");
  EXPECT_EQ(all_of(again.problems), "");
  EXPECT_EQ(write_scenario(again.scenario), write_scenario(s));
}

class DockedScenario : public testing::TestWithParam<std::string> {
 protected:
  // Reads, builds and takes a few steps.
  static std::string try_out(const Strings& settings) {
    Built b(read_scenario(test::shipped_scenario(GetParam()), settings));
    if (!b.read.problems.empty()) return all_of(b.read.problems);
    int steps = 0;
    SimulateOptions options;
    options.interrupted = [&] { return ++steps > 5; };
    const Summary s = simulate(b.read.scenario, b.built, options);
    if (s.outcome.ending != Ending::interrupted && !s.outcome.completed()) return s.outcome.reason;
    return std::isfinite(s.audit.energy) ? "" : "not finite";
  }
  Strings docks() const {
    Strings names;
    for (const DockSpec& d : read_scenario(test::shipped_scenario(GetParam())).scenario.dock)
      names.push_back(d.name);
    return names;
  }
};

TEST_P(DockedScenario, TakesEveryWayOfHoldingByOneKeyword) {
  for (const std::string_view word : kEnforcements) {
    Strings settings;
    for (const std::string& d : docks())
      settings.push_back(fmt::format("dock.{}.enforce={}", d, word));
    EXPECT_EQ(try_out(settings), "") << word;
  }
}

TEST_P(DockedScenario, TakesEveryTypeByOneKeyword) {
  for (const char* type : {"rigid", "direction", "length", "hinge", "slider"})
    EXPECT_EQ(try_out({std::string("dock.joint.type=") + type}), "") << type;
}

INSTANTIATE_TEST_SUITE_P(Shipped, DockedScenario,
                         testing::Values("docked_nadir", "docked_tumble", "docked_light",
                                         "docked_components", "docked_orbit_maneuver",
                                         "docked_orbit_maneuver_complex",
                                         "docked_attitude_maneuver",
                                         "docked_attitude_maneuver_complex", "docked_panels",
                                         "gain_study", "three_craft", "undock"),
                         [](const auto& p) { return p.param; });

// --- warnings ------------------------------------------------------------------------------------

std::string warnings_of(const std::string& scenario, const Strings& settings) {
  const Built b(read_scenario(test::shipped_scenario(scenario), settings));
  EXPECT_EQ(all_of(b.read.problems), "");
  if (!b.read.problems.empty()) return "";
  std::string out;
  for (const std::string& w : check(b.read.scenario, b.built).warnings) out += w + "\n";
  return out;
}
std::string pid(double alpha) {
  return warnings_of("gain_study",
                     {"dock.joint.law=pid", fmt::format("dock.joint.alpha={}", alpha)});
}

// Unstable below m/20 = 18.75 in translation and J/2 = 225 in rotation.
TEST(DockWarnings, UnstablePidIsAnnouncedOnBothSidesOfItsLimit) {
  EXPECT_TRUE(contains(pid(18.7), "dock joint: the integral gain makes it unstable"));
  EXPECT_FALSE(contains(pid(18.8), "dock joint: the integral gain makes it unstable"));
  EXPECT_TRUE(contains(pid(224.9), "dock joint in rotation: the integral gain makes it unstable"));
  EXPECT_FALSE(contains(pid(225.1), "unstable"));
  for (const char* alpha : {"0.1", "10", "1000"})
    EXPECT_FALSE(
        contains(warnings_of("gain_study", {"dock.joint.law=pid", "dock.joint.gains=normalised",
                                            std::string("dock.joint.alpha=") + alpha}),
                 "unstable"))
        << alpha;
  EXPECT_FALSE(contains(warnings_of("gain_study", {"dock.joint.alpha=1"}), "unstable")) << "PD";
}

// What is announced does happen, and what is not does not: the swing after five minutes.
TEST(DockWarnings, AnUnstablePidRunsAway) {
  const auto swing = [](double alpha) {
    Built b(
        read_scenario(test::shipped_scenario("gain_study"),
                      {"dock.joint.type=length", "dock.joint.law=pid", "time.stop=300",
                       "integrator.tolerance=1e-10", fmt::format("dock.joint.alpha={}", alpha)}));
    const Summary s = simulate(b.read.scenario, b.built, {});
    const bool announced = std::any_of(s.warnings.begin(), s.warnings.end(),
                                       [](const auto& w) { return contains(w, "unstable"); });
    EXPECT_EQ(announced, alpha < 18.75) << "run says it too";
    return s.constraint_position;
  };
  EXPECT_GT(swing(9), 50 * swing(36) * 16);
}

TEST(DockWarnings, BadlyDampedAndTooStiffAreAnnounced) {
  const std::string paper = warnings_of("gain_study", {});
  EXPECT_TRUE(contains(paper, "dock joint rings: damping ratio 0.052")) << paper;
  EXPECT_FALSE(contains(paper, "stiff"));
  const std::string normalised = warnings_of("gain_study", {"dock.joint.gains=normalised"});
  EXPECT_FALSE(contains(normalised, "rings")) << normalised;
  const Strings stiff{"dock.joint.alpha=1e4", "dock.joint.gains=normalised"};
  EXPECT_TRUE(contains(warnings_of("gain_study", stiff), "dock joint is stiff"));
  Strings radau = stiff;
  radau.push_back("integrator.method=radau");
  EXPECT_FALSE(contains(warnings_of("gain_study", radau), "stiff"));
  EXPECT_EQ(warnings_of("docked_nadir", {}), "");
  EXPECT_EQ(warnings_of("docked_components", {}), "");
}

TEST(DockWarnings, OverConstrainedIsAnnouncedWithItsDocks) {
  // From side to side of the stack: 3.9 m along it.
  const std::string reported =
      warnings_of("three_craft",
                  {"dock.strut.engaged=true", "dock.strut.type=length", "dock.strut.length=3.9"});
  EXPECT_TRUE(contains(reported, "over-constrained: 1 of 13 rows say nothing new (in strut)"))
      << reported;
  EXPECT_EQ(warnings_of("three_craft", {}), "");
}

TEST(DockWarnings, ACraftThatNothingJoinsIsAnnounced) {
  const Built b(kPair + craft("lost", "state = { position = [30, 0, 0] }\n"));
  ASSERT_EQ(all_of(b.read.problems), "");
  const std::vector<std::string> reported = check(b.read.scenario, b.built).warnings;
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_TRUE(contains(reported[0], "lost is not joined to anything")) << reported[0];
}

TEST(DockWarnings, AStretchedStartIsAnnounced) {
  const Built b(
      kTime + craft("a", "") + craft("b", "state = { position = [2, 0.1, 0.5] }\n") +
      dock("joint", "a.fore", "b.aft",
           "type = \"direction\"\narm = [0, 0.2, 0]\nenforce = \"penalty\"\nwarm_start = false"));
  ASSERT_EQ(all_of(b.read.problems), "");
  const std::vector<std::string> reported = check(b.read.scenario, b.built).warnings;
  EXPECT_TRUE(std::any_of(reported.begin(), reported.end(), [](const std::string& w) {
    return contains(w, "dock joint starts stretched by 0.5 m");
  }));
}

}  // namespace
}  // namespace berth::docks_scenario_test
