// SPDX-License-Identifier: Apache-2.0

// A probe in a cone as theory/hil_contact.md has it, through the scenario files and their settings.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/simulate.h"
#include "tests/support/process.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
std::string set(const std::string& key, double value) {
  return fmt::format("contact.probe.{}={:.17g}", key, value);
}

// A shipped scenario, set and run.
struct Touched {
  Touched(const std::string& scenario, const Words& settings) {
    ReadScenario read = read_scenario(test::shipped_scenario(scenario), settings);
    const BuiltScenario story = build_scenario(read.scenario, read.problems);
    for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
    if (!read.problems.empty()) return;
    summary = simulate(read.scenario, story, {});
    EXPECT_TRUE(summary.outcome.completed()) << summary.outcome.reason;
    // In parts of the energy, a third of a joule; methods of lower order keep it less well.
    const bool high = read.scenario.integrator.method == "dop853";
    const double fine = std::max(3e-11, read.scenario.integrator.tolerance) * (high ? 1 : 100);
    EXPECT_LT(summary.audit.energy, fine);
    EXPECT_LT(summary.audit.linear_momentum, 1e-11);
    EXPECT_LT(summary.audit.angular_momentum, high ? 1e-11 : 1e-10);
  }
  const Happening& find(const std::string& kind, int count = 1) const {
    for (const Happening& h : summary.events)
      if (h.kind == kind && --count == 0) return h;
    throw std::runtime_error("no " + kind);
  }
  double time(const std::string& kind, int count = 1) const { return find(kind, count).t; }
  // E1: what the contact gave until the last delayed force of it had come.
  double settled() const { return find("contact_settled").number("energy"); }
  // Where it touches, from the target's centre of mass.
  Vec3<double> point(int count) const {
    const auto p = to_value(find("contact_on", count))["point_T"].get<std::vector<double>>();
    return {p[0], p[1], p[2]};
  }
  const ContactTrack& track() const { return summary.contacts.at(0).track; }
  Summary summary;
};

// --- §5: first contact ---------------------------------------------------------------------------

struct First {
  double b, h, t_off_adhesive, E_adhesive, t_off_repulsive, E_repulsive;
};
const First kFirst[] = {
    {0, 0, 5.875454005, 0, 5.875454005, 0},
    {200, 0, 5.934111838, -4.6072617380e-3, 5.717751354, -4.2710019373e-3},
    {200, 0.004, 5.92781153, -4.582530303e-3, 5.71230445, -4.231654162e-3},
    {200, 0.016, 5.909467218, -4.5000192823e-3, 5.696603586, -4.1004232591e-3},
    {200, 0.064, 5.84692620, -3.991129698e-3, 5.64575446, -3.296947101e-3},
    {200, 0.15, 5.80008816, -1.518663357e-3, 5.62081018, 4.186242637e-4},
    {200, 0.2, 5.814854781, 1.7618794639e-3, 5.645275305, 5.0428590156e-3},
};

TEST(HilContact, FirstContactIsThatOfThePage) {
  for (const First& row : kFirst)
    for (const bool adhesive : {false, true}) {
      SCOPED_TRACE(testing::Message() << "b " << row.b << " h " << row.h << " " << adhesive);
      const Touched run(
          "hil_contact",
          {set("law.damping", row.b), set("delay", row.h), "time.stop=6.5",
           fmt::format("contact.probe.release={}", adhesive ? "adhesive" : "repulsive")});
      const double t_off = adhesive ? row.t_off_adhesive : row.t_off_repulsive;
      const double E_1 = adhesive ? row.E_adhesive : row.E_repulsive;
      EXPECT_NEAR(run.time("contact_on"), 4.895823307, 1e-9);
      EXPECT_NEAR(run.time("contact_off"), t_off, 1e-7);
      EXPECT_NEAR(run.time("contact_settled"), t_off + row.h, 1e-7);
      EXPECT_NEAR(run.settled(), E_1, 1e-7 * std::fabs(E_1) + 1e-12);
      EXPECT_LT(norm(run.point(1) - Vec3<double>{1.43508353, 0.02447912, 0.25}), 1e-8);
      EXPECT_NEAR(run.find("contact_on").number("penetration_rate"), 0.01042197, 1e-8);
    }
}

// The same with every explicit method, as far as its order carries.
TEST(HilContact, FirstContactDoesNotDependOnTheMethod) {
  const Words late{set("delay", 0.016), "time.stop=6"};
  for (const char* method : {"dopri5", "rkf45", "rk4"}) {
    Words settings = with(late, {std::string("integrator.method=") + method});
    if (method == std::string("rk4")) settings.push_back("integrator.step=0.002");
    const Touched run("hil_contact", settings);
    EXPECT_NEAR(run.time("contact_off"), 5.696603586, 1e-6) << method;
    EXPECT_NEAR(run.settled(), -4.1004232591e-3, 1e-6 * 4.1e-3) << method;
  }
}

// Steps that outrun the delay find the same as steps that do not.
TEST(HilContact, TolerancesAgreeHoweverShortTheDelay) {
  for (const double h : {1e-6, 1e-4, 1e-3, 0.004}) {
    const auto settled = [&](double tolerance) {
      return Touched("hil_contact", {set("delay", h), "time.stop=6",
                                     fmt::format("integrator.tolerance={}", tolerance)})
          .settled();
    };
    const double tight = settled(1e-12);
    EXPECT_NEAR(settled(1e-8), tight, 1e-9) << h;
    // The energy of a short delay is that of none and a little more.
    EXPECT_NEAR(tight, -4.2710019373e-3 + h * (-4.231654162e-3 + 4.2710019373e-3) / 0.004,
                3e-7 * h / 1e-3 + 1e-11)
        << h;
  }
}

TEST(HilContact, OnAComplianceDeviceItIsThatOfThePage) {
  const Touched ideal("hil_compliance", {set("delay", 0), "time.stop=7"});
  EXPECT_NEAR(ideal.time("contact_off"), 6.362687757, 1e-6);
  EXPECT_NEAR(ideal.settled(), -4.755781000e-3, 1e-6 * 4.8e-3);
  const Touched late("hil_compliance", {"time.stop=7"});
  EXPECT_NEAR(late.time("contact_off"), 6.363285061, 1e-6);
  EXPECT_NEAR(late.settled(), -4.283604153e-3, 1e-6 * 4.3e-3);
}

// --- §5: later contacts --------------------------------------------------------------------------

TEST(HilContact, SecondAndThirdPointOnAComplianceDevice) {
  const Touched run("hil_compliance", {});
  EXPECT_LT(norm(run.point(2) - Vec3<double>{1.152141, 0.056989, -0.066842}), 1e-4);
  EXPECT_NEAR(run.time("contact_on", 2), 20.154440, 1e-3);
  EXPECT_LT(norm(run.point(3) - Vec3<double>{1.077612, -0.042168, 0.015158}), 1e-4);
  EXPECT_NEAR(run.time("contact_on", 3), 24.536733, 1e-3);
}

TEST(HilContact, SecondPointOnASpringAndDamper) {
  const Touched adhesive("hil_contact", {"contact.probe.release=adhesive", "time.stop=21"});
  EXPECT_LT(norm(adhesive.point(2) - Vec3<double>{1.145001, 0.078317, 0.029577}), 1e-4);
  EXPECT_NEAR(adhesive.time("contact_on", 2), 20.208432, 1e-3);
  const Touched repulsive("hil_contact", {"time.stop=21"});
  EXPECT_LT(norm(repulsive.point(2) - Vec3<double>{1.136487, 0.078332, 0.008585}), 1e-4);
  EXPECT_NEAR(repulsive.time("contact_on", 2), 20.685408, 1e-3);
}

TEST(HilContact, SecondPointMovesWithFrictionAsInThePaper) {
  const auto second = [](double mu) {
    return Touched("hil_compliance", {set("friction", mu), "time.stop=21"}).point(2);
  };
  const Vec3<double> none = second(0), some = second(0.1), more = second(0.2);
  EXPECT_LT(norm(none - Vec3<double>{1.155984, 0.063975, -0.063384}), 1e-4);
  EXPECT_LT(norm(more - Vec3<double>{1.148718, 0.049904, -0.069871}), 1e-4);
  for (int i = 0; i < 3; ++i) {
    EXPECT_GT(none[i], some[i]);
    EXPECT_GT(some[i], more[i]);
  }
}

TEST(HilContact, SecondPointMovesWithTheSpringsAsInThePaper) {
  const auto second = [](double k) {
    return Touched("hil_compliance", {set("law.stiffness", k), "time.stop=21"}).point(2);
  };
  const Vec3<double> soft = second(500), stiff = second(2000);
  EXPECT_LT(norm(soft - Vec3<double>{1.147461, 0.056670, -0.063536}), 1e-4);
  EXPECT_LT(norm(stiff - Vec3<double>{1.156374, 0.056872, -0.070118}), 1e-4);
}

// --- §4: energy pumped round the cone ------------------------------------------------------------

const Words kMinute{"time.stop=60", "integrator.tolerance=1e-9"};

TEST(HilContact, ALateVectorPumpsEnergyRoundTheCone) {
  const auto energy = [](double h) {
    return Touched("hil_contact",
                   with(kMinute, {set("delay", h), "contact.probe.release=adhesive"}))
        .track()
        .energy;
  };
  EXPECT_NEAR(energy(0), -2.548087e-2, 0.01 * 2.548087e-2);
  EXPECT_NEAR(energy(0.004), 1.900945e-2, 0.01 * 1.900945e-2);
  EXPECT_NEAR(energy(0.016), 2.006473e-1, 0.01 * 2.006473e-1);
}

// The page has −2.279e-2; the run without any loop is what it has to come to.
TEST(HilContact, AlongTheNormalOfNowNothingIsPumped) {
  const Words sampled = with(kMinute, {"contact.probe.sample_time=0.001"});
  const double ideal = Touched("hil_contact", with(kMinute, {set("delay", 0)})).track().energy;
  EXPECT_NEAR(ideal, -2.785e-2, 2e-5);
  const Touched normal("hil_contact", with(sampled, {"contact.probe.feedback=normal"}));
  EXPECT_NEAR(normal.track().energy, ideal, 0.01 * 2.785e-2);
  EXPECT_EQ(normal.track().verdict(), "passive");
  const Touched continuous("hil_contact", with(kMinute, {"contact.probe.feedback=normal"}));
  EXPECT_NEAR(continuous.track().energy, ideal, 0.01 * 2.785e-2);
  const Touched vector("hil_contact", sampled);
  EXPECT_NEAR(vector.track().energy, 2.04e-1, 0.01 * 2.04e-1);
  EXPECT_EQ(vector.track().verdict(), "active");
}

// --- §6: compensation ----------------------------------------------------------------------------

TEST(HilContact, CompensationBringsBackTheEnergyOfThePage) {
  const auto energy = [](const std::string& how) {
    return Touched("hil_compensated", {"time.stop=9", "contact.probe.compensation=" + how})
        .track()
        .energy;
  };
  EXPECT_NEAR(energy("none"), 5.09e-3, 1e-4);
  EXPECT_NEAR(energy("lead"), -3.0e-3, 1e-4);
  EXPECT_NEAR(energy("{type=\"model\",stiffness=1000,damping=200}"), -4.27e-3, 5e-5);
  EXPECT_NEAR(energy("{type=\"model\",stiffness=800,damping=160}"), -4.11e-3, 5e-5);
}

TEST(HilContact, ThePassivityControllerKeepsAMinutePassive) {
  for (const double h : {0.016, 0.032, 0.2}) {
    const Touched run("hil_compensated", {"time.stop=60", set("delay", h)});
    EXPECT_LT(run.track().energy_max, 1e-5) << h;
    EXPECT_NE(run.track().verdict(), "active") << h;
  }
}

TEST(HilContact, TheSummaryTellsTheErrorOfRestitution) {
  const Touched late("hil_contact", {set("delay", 0.2), "time.stop=9"});
  const ContactSummary& c = late.summary.contacts.at(0);
  EXPECT_FALSE(c.ideal);
  // ½ m† (1 − e²) v²: the ideal contact comes back slower, this one faster than it came.
  EXPECT_GT(c.track.restitution(), 1);
  EXPECT_LT(c.restitution_ideal, 0.9);
  EXPECT_EQ(c.track.verdict(), "active");
  const Json json = Json::parse(to_json(late.summary, false))["contacts"]["probe"];
  EXPECT_DOUBLE_EQ(json["restitution_error"].get<double>(),
                   c.track.restitution() - c.restitution_ideal);
  EXPECT_DOUBLE_EQ(json["energy"].get<double>(), c.track.energy);
  EXPECT_GT(json["force_peak"].get<double>(), 0);
  EXPECT_GT(json["penetration_peak"].get<double>(), 0);
}

// A driven contact keeps its verdict and its books to the end, whatever the scenario.
TEST(HilContact, ShippedScenariosMeetTheirExpectations) {
  for (const char* name : {"hil_contact", "hil_compliance", "hil_stability", "hil_compensated"})
    EXPECT_TRUE(Touched(name, {}).summary.as_expected()) << name;
}

}  // namespace
}  // namespace berth
