// SPDX-License-Identifier: Apache-2.0

// [[contact]] in scenario files: what is read, refused, written out, and set.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/simulate.h"
#include "tests/support/built.h"
#include "tests/support/filled_part.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::contacts_scenario_test {
namespace {

using test::all_of;
using test::Built;
using test::Strings;

// Two craft and a contact with these lines, which stand in the place of the law if they name one.
std::string scenario(const std::string& contact, const std::string& more = "") {
  const bool own_law = contact.find("law") != std::string::npos;
  return fmt::format(R"(
[time]
stop = 10
{}
[[spacecraft]]
name = "target"
mass = 100
inertia = [30, 30, 30]
[[spacecraft.port]]
name = "cone"
position = [1, 0, 0]
[[spacecraft]]
name = "chaser"
mass = 100
inertia = [30, 30, 30]
state = {{ position = [4, 0, 0], quaternion_BN = [0, 0, 0, 1] }}
[[spacecraft.port]]
name = "tip"
position = [2, 0, 0]
[[spacecraft.port]]
name = "side"
position = [0, 1, 0]
[[contact]]
name = "probe"
{}
{}
)",
                     more, own_law ? "" : "law = { type = \"spring_dashpot\", stiffness = 1000 }",
                     contact);
}
const std::string kBetween = "between = [\"chaser.tip\", \"target.cone\"]\n";
const std::string kCone = kBetween + "surface = \"cone\"\nhalf_angle_deg = 30\nlength = 2\n";

Built build(const std::string& text, const Strings& settings = {}) {
  return Built(read_scenario_text(text, "contact.toml", settings));
}

// --- bad input -----------------------------------------------------------------------------------

struct Bad {
  const char* name;
  std::string text;
  Strings reported;  // all of these
};

class BadContact : public testing::TestWithParam<Bad> {};

TEST_P(BadContact, IsRefusedWithPathAndRule) {
  const Bad& bad = GetParam();
  const Built b = build(bad.text);
  const std::string reported = b.problems();
  EXPECT_FALSE(reported.empty());
  for (const Problem& p : b.read.problems.list) EXPECT_GT(p.place.line, 0) << describe(p);
  for (const std::string& part : bad.reported)
    EXPECT_NE(reported.find(part), std::string::npos) << "no \"" << part << "\" in\n" << reported;
  EXPECT_LE(b.read.problems.list.size(), 2u) << reported;
}

const Bad kBad[] = {
    {"NegativeDelay", scenario(kCone + "delay = -0.1"), {"contact.toml:", "probe.delay", "-0.1"}},
    {"TinyDelay", scenario(kCone + "delay = 1e-12"), {"probe.delay", "nanosecond"}},
    {"InfiniteDelay", scenario(kCone + "delay = inf"), {"delay"}},
    {"NanDelay", scenario(kCone + "delay = nan"), {"delay"}},
    {"TextAsDelay", scenario(kCone + "delay = \"late\""), {"delay", "number"}},
    {"Cone90",
     scenario(kBetween + "surface = \"cone\"\nhalf_angle_deg = 90\nlength = 1"),
     {"probe.half_angle", "90"}},
    {"Cone120",
     scenario(kBetween + "surface = \"cone\"\nhalf_angle_deg = 120\nlength = 1"),
     {"probe.half_angle", "below 90"}},
    {"Cone0",
     scenario(kBetween + "surface = \"cone\"\nhalf_angle_deg = 0\nlength = 1"),
     {"probe.half_angle"}},
    {"NoHalfAngle", scenario(kBetween + "surface = \"cone\"\nlength = 1"), {"half_angle"}},
    {"NoLength", scenario(kBetween + "surface = \"cone\"\nhalf_angle_deg = 30"), {"length"}},
    {"NegativeThickness", scenario(kCone + "thickness = -1"), {"thickness", "-1"}},
    {"PlaneWithoutRadius", scenario(kBetween + "surface = \"plane\""), {"radius"}},
    {"ZeroStiffness", scenario(kCone + "law = { stiffness = 0 }"), {"law.stiffness", "0"}},
    {"NegativeStiffness", scenario(kCone + "law = { stiffness = -5 }"), {"law.stiffness", "-5"}},
    {"NegativeDamping",
     scenario(kCone + "law = { stiffness = 5, damping = -1 }"),
     {"law.damping", "-1"}},
    {"NoStiffness", scenario(kCone + "law = { type = \"spring_dashpot\" }"), {"law.stiffness"}},
    {"NoSurface", scenario(kBetween), {"probe.surface", "cone", "plane", "half_space"}},
    {"UnknownSurface", scenario(kBetween + "surface = \"cona\""), {"surface", "cone"}},
    {"UnknownLaw",
     scenario(kCone + "law = { type = \"spring_dashpod\", stiffness = 1 }"),
     {"law.type", "spring_dashpot"}},
    {"LawOfAnotherWorld",
     scenario(kCone + "law = { type = \"magic\", stiffness = 1 }"),
     {"law.type", "magic", "hunt_crossley"}},
    {"UnknownFriction",
     scenario(kCone + "friction = { type = \"coulom\", coefficient = 0.1 }"),
     {"friction.type", "coulomb"}},
    {"UnknownCompensation",
     scenario(kCone + "compensation = \"pasivity\"\nsample_time = 0.01"),
     {"compensation.type", "passivity"}},
    {"UnknownProbe", scenario(kCone + "probe = \"capsul\""), {"probe.type", "capsule"}},
    {"UnknownRelease",
     scenario(kCone + "release = \"sticky\""),
     {"probe.release", "sticky", "repulsive", "adhesive"}},
    {"UnknownFeedback",
     scenario(kCone + "feedback = \"scalar\""),
     {"probe.feedback", "scalar", "vector", "normal"}},
    {"OnePort",
     scenario("between = [\"chaser.tip\"]\nsurface = \"half_space\""),
     {"probe.between", "two ports"}},
    {"ThreePorts",
     scenario("between = [\"chaser.tip\", \"target.cone\", \"chaser.side\"]\n"
              "surface = \"half_space\""),
     {"probe.between", "two ports"}},
    {"NoPorts", scenario("surface = \"half_space\""), {"between"}},
    {"UnknownPort",
     scenario("between = [\"chaser.top\", \"target.cone\"]\nsurface=\"half_space\""),
     {"probe.between", "chaser.top", "chaser.tip"}},
    {"BothPortsOnOneBody",
     scenario("between = [\"chaser.tip\", \"chaser.side\"]\nsurface = \"half_space\""),
     {"probe.between", "one body"}},
    {"TipInsideTheWall",
     scenario(kCone, "").replace(scenario(kCone, "").find("[4, 0, 0]"), 9, "[4, 2, 0]"),
     {"contact.probe", "starts", "inside"}},
    {"JitterWithoutSamples", scenario(kCone + "jitter = 0.01"), {"probe.jitter", "sample_time"}},
    {"LeadWithoutSamples",
     scenario(kCone + "compensation = \"lead\""),
     {"probe.compensation", "sample_time"}},
    {"PassivityWithoutSamples",
     scenario(kCone + "compensation = \"passivity\""),
     {"probe.compensation", "sample_time"}},
    {"ModelWithoutStiffness",
     scenario(kCone + "compensation = \"model\""),
     {"compensation.stiffness"}},
    {"TooManySamples", scenario(kCone + "sample_time = 1e-10"), {"probe.sample_time", "samples"}},
    {"NegativeSampleTime", scenario(kCone + "sample_time = -1"), {"sample_time", "-1"}},
    {"NegativeJitter", scenario(kCone + "sample_time = 0.1\njitter = -1"), {"jitter", "-1"}},
    {"NegativeFilter", scenario(kCone + "filter_time = -1"), {"filter_time", "-1"}},
    {"NegativeRobot", scenario(kCone + "robot_frequency = -1"), {"robot_frequency", "-1"}},
    {"UndampedRobot",
     scenario(kCone + "robot_frequency = 1\nrobot_damping = 0"),
     {"robot_damping"}},
    {"RadauWithDelay",
     scenario(kCone + "delay = 0.1", "[integrator]\nmethod = \"radau\""),
     {"probe.delay", "radau", "dop853"}},
    {"FrictionTypeWithoutCoefficient",
     scenario(kCone + "friction = \"coulomb\""),
     {"friction.coefficient"}},
    {"NegativeFriction", scenario(kCone + "friction = -0.1"), {"friction.coefficient", "-0.1"}},
    {"FrictionAsFlag", scenario(kCone + "friction = true"), {"friction"}},
    {"ProbeWithoutRadius", scenario(kCone + "probe = \"sphere\""), {"probe.radius"}},
    {"NoSprings",
     scenario(kCone + "law = { type = \"compliance_device\", stiffness = 1, springs = [] }"),
     {"law.springs", "at least one"}},
    {"RatioOfOne",
     scenario(kCone + "law = { type = \"compliance_device\", stiffness = 1, ratio = 1, springs = "
                      "[[0, 0, 0]] }"),
     {"law.ratio", "below 1"}},
    {"MisspeltKey", scenario(kCone + "dealy = 0.1"), {"dealy", "delay"}},
    {"MisspeltKeyOfTheLaw",
     scenario(kCone + "law = { stifness = 1000 }"),
     {"stifness", "stiffness"}},
    {"KeyOfAnotherSurface", scenario(kCone + "radius = 1"), {"radius"}},
    {"NegativeSeed", scenario(kCone + "sample_time = 0.1\njitter = 0.1\nseed = -1"), {"seed"}},
};

INSTANTIATE_TEST_SUITE_P(Contacts, BadContact, testing::ValuesIn(kBad),
                         [](const auto& p) { return p.param.name; });

TEST(ContactScenario, AMissingLawIsReported) {
  std::string text = scenario(kCone);
  const std::string law = "law = { type = \"spring_dashpot\", stiffness = 1000 }";
  text.erase(text.find(law), law.size());
  const std::string reported = build(text).problems();
  EXPECT_NE(reported.find("probe.law"), std::string::npos) << reported;
  EXPECT_NE(reported.find("spring_dashpot"), std::string::npos) << reported;
}

TEST(ContactScenario, TwoOfOneNameAreReported) {
  const std::string text = scenario(kCone);
  const std::string reported = build(text + text.substr(text.find("[[contact]]"))).problems();
  EXPECT_NE(reported.find("probe"), std::string::npos) << reported;
}

TEST(ContactScenario, AllProblemsAreReportedAtOnce) {
  const std::string reported =
      build(scenario(kBetween + "surface = \"cone\"\nhalf_angle_deg = 95\nlength = -1\n"
                                "delay = -1\nrelease = \"x\""))
          .problems();
  for (const char* part : {"length", "delay"})
    EXPECT_NE(reported.find(part), std::string::npos) << part << " not in\n" << reported;
}

// --- good input ----------------------------------------------------------------------------------

TEST(ContactScenario, TakesFrictionAsNumberKeywordOrTable) {
  const auto friction = [](const std::string& line) {
    const Built b = build(scenario(kCone + line));
    EXPECT_EQ(b.problems(), "") << line;
    return b.contact().friction;
  };
  EXPECT_TRUE(std::holds_alternative<NoFriction<double>>(friction("")));
  EXPECT_TRUE(std::holds_alternative<NoFriction<double>>(friction("friction = \"none\"")));
  EXPECT_EQ(std::get<Coulomb<double>>(friction("friction = 0.25")).coefficient, 0.25);
  EXPECT_EQ(std::get<Coulomb<double>>(friction("friction = 1")).coefficient, 1);
  EXPECT_EQ(std::get<Coulomb<double>>(friction("friction = { coefficient = 0.3 }")).coefficient,
            0.3);
  const auto stick = std::get<Stick<double>>(
      friction("friction = { type = \"stick\", coefficient = 0.3, speed = 0.001 }"));
  EXPECT_EQ(stick.coefficient, 0.3);
  EXPECT_EQ(stick.speed, 0.001);
}

TEST(ContactScenario, ALawWithoutTypeIsASpringAndDamper) {
  const Built b = build(scenario(kCone + "law = { stiffness = 70, damping = 3 }"));
  ASSERT_EQ(b.problems(), "");
  EXPECT_EQ(std::get<SpringDashpot<double>>(b.contact().law).stiffness, 70);
  EXPECT_EQ(std::get<SpringDashpot<double>>(b.contact().law).damping, 3);
}

TEST(ContactScenario, RadauMayHaveSampledDelays) {
  EXPECT_EQ(
      build(scenario(kCone + "delay = 0.1\nsample_time = 0.01", "[integrator]\nmethod = \"radau\""))
          .problems(),
      "");
}

TEST(ContactScenario, AProbeMayStartJustTouching) {
  std::string text = scenario(kBetween + "surface = \"half_space\"");
  text.replace(text.find("[4, 0, 0]"), 9, "[3, 0, 0]");
  EXPECT_EQ(build(text).problems(), "");
}

TEST(ContactScenario, EveryKindComesBackFromAFile) {
  test::Random random(1);
  Scenario s = read_scenario_text(scenario(kCone), "contact.toml").scenario;
  s.contact.clear();
  const auto add = [&](auto part, auto member) {
    ContactSpec c;
    c.name = fmt::format("contact{}", s.contact.size());
    Cone<double> cone;
    test::fill_part(cone, random);
    c.surface = cone;
    SpringDashpot<double> law;
    test::fill_part(law, random);
    c.law = law;
    const std::string name = c.name;
    test::fill_part(c, random);
    c.name = name;
    test::fill_part(part, random);
    c.*member = part;
    s.contact.push_back(c);
  };
  for_each_type(Surfaces<double>{}, [&]<class P>() { add(P{}, &ContactSpec::surface); });
  for_each_type(Probes<double>{}, [&]<class P>() { add(P{}, &ContactSpec::probe); });
  for_each_type(ContactLaws<double>{}, [&]<class P>() { add(P{}, &ContactSpec::law); });
  for_each_type(Frictions<double>{}, [&]<class P>() { add(P{}, &ContactSpec::friction); });
  for_each_type(Compensations<double>{}, [&]<class P>() { add(P{}, &ContactSpec::compensation); });
  const std::string text = write_scenario(s);
  const ReadScenario again = read_scenario_text(text, "again.toml");
  ASSERT_EQ(all_of(again.problems), "");
  ASSERT_EQ(again.scenario.contact.size(), s.contact.size());
  const auto expect_same = [](const auto& a, const auto& b) {
    ASSERT_EQ(a.index(), b.index());
    std::visit(
        [&](const auto& part) {
          using P = std::remove_cvref_t<decltype(part)>;
          EXPECT_EQ(test::find_differences(part, std::get<P>(b)), Strings{});
        },
        a);
  };
  for (std::size_t k = 0; k < s.contact.size(); ++k) {
    const ContactSpec &a = s.contact[k], &b = again.scenario.contact[k];
    SCOPED_TRACE(a.name);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(test::find_differences(a, b), Strings{});
    expect_same(a.surface, b.surface);
    expect_same(a.probe, b.probe);
    expect_same(a.law, b.law);
    expect_same(a.friction, b.friction);
    expect_same(a.compensation, b.compensation);
  }
  EXPECT_EQ(write_scenario(again.scenario), text);
}

TEST(ContactScenario, ShippedOnesComeBackFromTheirOwnText) {
  for (const char* name : {"hil_contact", "hil_compliance", "hil_stability", "hil_compensated"}) {
    const ReadScenario read = read_scenario(test::shipped_scenario(name));
    ASSERT_EQ(all_of(read.problems), "") << name;
    const std::string text = write_scenario(read.scenario);
    const Built again(read_scenario_text(text, "again.toml"));
    EXPECT_EQ(again.problems(), "") << name;
    EXPECT_EQ(write_scenario(again.read.scenario), text) << name;
  }
}

// --- settings ------------------------------------------------------------------------------------

TEST(ContactSettings, ReachEveryValue) {
  const auto set = [](const std::string& setting, const std::string& file = "hil_contact") {
    Built b(read_scenario(test::shipped_scenario(file), {setting}));
    EXPECT_EQ(b.problems(), "") << setting;
    return b;
  };
  const auto contact = [&](const std::string& setting) {
    return set("contact.probe." + setting).built.system.contacts.at(0);
  };
  EXPECT_EQ(contact("delay=0.25").delay, 0.25);
  EXPECT_TRUE(contact("release=adhesive").adhesive);
  EXPECT_FALSE(contact("release=repulsive").adhesive);
  EXPECT_TRUE(contact("feedback=normal").along_normal);
  EXPECT_EQ(contact("sample_time=0.002").sample_time, 0.002);
  EXPECT_EQ(contact("robot_frequency=40").robot_frequency, 40);
  EXPECT_EQ(contact("robot_damping=0.7").robot_damping, 0.7);
  EXPECT_EQ(contact("filter_time=0.003").filter_time, 0.003);
  EXPECT_EQ(contact("seed=12").seed, 12u);
  EXPECT_EQ(std::get<Coulomb<double>>(contact("friction=0.2").friction).coefficient, 0.2);
  EXPECT_TRUE(std::holds_alternative<NoFriction<double>>(contact("friction=none").friction));
  EXPECT_EQ(std::get<Stick<double>>(contact("friction={type=\"stick\",coefficient=0.4}").friction)
                .coefficient,
            0.4);
  EXPECT_EQ(std::get<SpringDashpot<double>>(contact("law.stiffness=5").law).stiffness, 5);
  EXPECT_EQ(std::get<SpringDashpot<double>>(contact("law.damping=6").law).damping, 6);
  EXPECT_NEAR(std::get<Cone<double>>(contact("half_angle_deg=35").surface).half_angle,
              35 * M_PI / 180, 1e-15);
  EXPECT_NEAR(std::get<Cone<double>>(contact("half_angle=0.6").surface).half_angle, 0.6, 1e-15);
  EXPECT_EQ(std::get<Cone<double>>(contact("length=3").surface).length, 3);
  EXPECT_EQ(std::get<Cone<double>>(contact("thickness=0.1").surface).thickness, 0.1);
  EXPECT_EQ(
      std::get<SphereProbe<double>>(contact("probe={type=\"sphere\",radius=0.01}").probe).radius,
      0.01);
  EXPECT_TRUE(std::holds_alternative<ModelCompensation<double>>(
      contact("compensation={type=\"model\",stiffness=1,damping=2}").compensation));
  EXPECT_EQ(set("spacecraft.chaser.port.tip.position=[1.9,0,0]").contact().port_1.r_PB_B.x, 1.9);
  EXPECT_EQ(set("spacecraft.target.port.cone.position=[0.5,0,0]").contact().port_2.r_PB_B.x, 0.5);
  EXPECT_EQ(set("spacecraft.target.mass=77").built.system.model.body(1).mass, 77);
  EXPECT_EQ(set("spacecraft.target.inertia=[1,1.5,2]").built.system.model.body(1).I_C_B.yy, 1.5);
  const Built device = set("contact.probe.law.stiffness=500", "hil_compliance");
  EXPECT_EQ(std::get<ComplianceDevice<double>>(device.contact().law).stiffness, 500);
  const Built mu = set("contact.probe.friction.coefficient=0.3", "hil_compliance");
  EXPECT_EQ(std::get<Coulomb<double>>(mu.contact().friction).coefficient, 0.3);
  EXPECT_EQ(set("stability.contact_distance=0.25", "hil_stability")
                .read.scenario.stability.contact_distance,
            0.25);
}

TEST(ContactSettings, ThatMissAreReported) {
  for (const char* setting :
       {"contact.prob.delay=1", "contact.probe.delai=1", "contact.probe.law.stifness=1",
        "contact.probe.release=bouncy", "contact.probe.delay=-1"})
    EXPECT_NE(Built(read_scenario(test::shipped_scenario("hil_contact"), {setting})).problems(), "")
        << setting;
}

}  // namespace
}  // namespace berth::contacts_scenario_test
