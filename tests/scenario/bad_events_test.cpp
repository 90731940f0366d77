// SPDX-License-Identifier: Apache-2.0

// The same of orbits, events and the conditions they act on.

#include "tests/scenario/bad_input.h"

namespace berth::bad_events_test {
namespace {

using namespace test;

class BadEvents : public testing::TestWithParam<Mistake> {};
TEST_P(BadEvents, IsReportedWithItsPlace) { expect_reported(GetParam()); }

// clang-format off
const Mistake kOrbit[] = {
    {"OrbitAndGravity", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "[orbit]\nsemi_major_axis_km = 7000\n§[gravity]\nuniform = [0, 0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "exclude each other"},
    {"GravityWithoutValue", "", "§[gravity]\n", "is missing: acceleration of gravity [m/s²]"},
    {"OrbitIncomplete", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "§[orbit]\nposition_km = [7000, 0, 0]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "either position and velocity, or altitude or semi_major_axis"},
    {"OrbitTwice", "[[body]]\nname = \"ball\"\njoint = \"spherical\"\nmass = 2\ninertia = [1, 1, 1]\nq = [1, 0, 0, 0]\nv = [0, 0, 1]",
     "§[orbit]\nposition_km = [7000, 0, 0]\nvelocity = [0, 7500, 0]\neccentricity = 0.1\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]",
     "either position and velocity, or altitude or semi_major_axis"},
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
    {"AxesUnknown", "omega_BN_B = [0.1, 0.2, 0.3]", "axes = §\"ric\"", "is not one of inertial, hill, lvlh, port"},
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
    {"DirectionUnknown", "hold = 1", "direction = §\"up\"", "\"up\" is not one of begins, ends, now"},
    {"HoldOfAnEnd", "hold = 1", "direction = \"ends\"\nhold = §1", "only a condition that begins to hold"},
    {"DoesNothing", "at = 2\ndo = [{ control = \"drive\", enable = false }]", "at = 2\ndo = §[]", "does nothing"},
    {"ActionOfNoKind", "{ control = \"drive\", enable = false }", "§{ enable = false }",
     "needs exactly one of control, force, sensor, external, kick, strike, latch, release, fail, record, verdict, stop"},
    {"ActionOfTwoKinds", "{ control = \"drive\", enable = false }", "§{ record = 1, stop = \"x\" }",
     "needs exactly one of"},
    {"ActionKeyUnknown", "{ control = \"drive\", enable = false }", "{ control = \"drive\", enabled = §false }",
     "did you mean \"enable\"?"},
    {"ActionKeyOfAnother", "{ stop = \"calm\" }", "{ stop = \"calm\", rate = §3 }", "rate belongs to kick"},
    {"ControlUnknown", "control = \"drive\"", "control = §\"drives\"", "no control drives; did you mean drive?"},
    {"ControlWithoutOrder", "{ control = \"drive\", enable = false }", "{ control = §\"drive\" }",
     "needs enable = true | false, a reference or a task"},
    {"ForceUnknown", "force = \"push\"", "force = §\"pull\"", "did you mean push?"},
    {"ForceWithoutOrder", "{ force = \"push\", enable = false }", "{ force = §\"push\" }", "needs enable"},
    {"KickUnknown", "{ stop = \"calm\" }", "{ kick = §\"craft.panl\", rate = 1 }", "did you mean craft.panel?"},
    {"KickOfAHub", "{ stop = \"calm\" }", "{ kick = §\"craft\", rate = 1 }", "craft is not a revolute or prismatic joint"},
    {"KickWithoutRate", "{ stop = \"calm\" }", "{ kick = §\"craft.panel\" }", "needs either rate or add"},
    {"StrikeUnknown", "{ stop = \"calm\" }", "{ strike = §\"crft\", impulse = [1, 0, 0] }", "did you mean craft?"},
    {"StrikeTheGround", "{ stop = \"calm\" }", "{ strike = §\"ground\", impulse = [1, 0, 0] }", "the ground does not move"},
    {"StrikeWithoutImpulse", "{ stop = \"calm\" }", "{ strike = §\"craft\" }", "needs an impulse"},
    {"RecordTooOften", "{ stop = \"calm\" }", "{ record = §1e-300 }", "makes over 1e+08 rows"},
    {"ReferenceOfWrongCount", "{ stop = \"calm\" }", "{ control = \"pointing\", reference = §[{ value = 1 }, { value = 2 }] }",
     "pointing wants 1 profiles, not 2"},
    {"ReferenceUnknown", "{ stop = \"calm\" }", "{ control = \"pointing\", reference = [{ type = §\"jump\" }] }",
     "\"jump\" is not one of constant, step, quintic"},
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

INSTANTIATE_TEST_SUITE_P(Orbit, BadEvents, testing::ValuesIn(kOrbit), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Events, BadEvents, testing::ValuesIn(kEvents), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Conditions, BadEvents, testing::ValuesIn(kConditions), name_of_mistake);

}  // namespace
}  // namespace berth::bad_events_test
