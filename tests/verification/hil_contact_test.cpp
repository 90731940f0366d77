// SPDX-License-Identifier: Apache-2.0

// A probe in a cone as theory/hil_contact.md has it, through the scenario files and their settings.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/simulate.h"
#include "tests/support/process.h"
#include "tests/support/reference.h"
#include "tests/support/text.h"

namespace berth::hil_contact_test {
namespace {

using test::Strings;
using test::with;
using Json = nlohmann::ordered_json;

std::string set(const std::string& key, double value) {
  return fmt::format("contact.probe.{}={:.17g}", key, value);
}

// A shipped scenario, set and run.
struct Touched {
  Touched(const std::string& scenario, const Strings& settings) {
    ReadScenario read = read_scenario(test::shipped_scenario(scenario), settings);
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
    if (!read.problems.empty()) return;
    summary = simulate(read.scenario, built, {});
    EXPECT_TRUE(summary.outcome.completed()) << summary.outcome.reason;
    // In parts of the energy, a third of a joule; methods of lower order keep it less well.
    const bool high = read.scenario.integrator.method == "dop853";
    const double fine = std::max(3e-11, read.scenario.integrator.tolerance) * (high ? 1 : 100);
    EXPECT_LT(summary.audit.energy, fine);
    EXPECT_LT(summary.audit.linear_momentum, 1e-11);
    EXPECT_LT(summary.audit.angular_momentum, high ? 1e-11 : 1e-10);
  }
  const EventRecord& find(const std::string& kind, int count = 1) const {
    for (const EventRecord& h : summary.events)
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

const test::Reference ref("contact");

TEST(HilContact, FirstContactIsThatOfThePage) {
  for (const bool damped : {false, true})
    for (const char* h : {"0", "0.004", "0.016", "0.064", "0.15", "0.2"})
      for (const char* release : {"repulsive", "adhesive"}) {
        const double delay = std::stod(h);
        if (!damped && delay > 0) continue;
        SCOPED_TRACE(testing::Message() << "damped " << damped << " h " << h << " " << release);
        const Touched run("hil_contact",
                          {set("law.damping", damped ? 200 : 0), set("delay", delay),
                           "time.stop=6.5", fmt::format("contact.probe.release={}", release)});
        const std::string row = fmt::format("{}.{}.", release, h);
        const double t_off = ref(damped ? row + "off" : "elastic.off");
        const double E_1 = damped ? ref(row + "energy") : 0;
        EXPECT_NEAR(run.time("contact_on"), ref("touch"), 1e-9);
        EXPECT_NEAR(run.time("contact_off"), t_off, 1e-7);
        EXPECT_NEAR(run.time("contact_settled"), t_off + delay, 1e-7);
        EXPECT_NEAR(run.settled(), E_1, 1e-7 * std::fabs(E_1) + 1e-12);
        EXPECT_LT(norm(run.point(1) - ref.vector("touch.point")), 1e-8);
        EXPECT_NEAR(run.find("contact_on").number("penetration_rate"), ref("touch.rate"), 1e-8);
      }
}

// The same with every explicit method, as far as its order carries.
TEST(HilContact, FirstContactDoesNotDependOnTheMethod) {
  const Strings late{set("delay", 0.016), "time.stop=6"};
  for (const char* method : {"dopri5", "rkf45", "rk4"}) {
    Strings settings = with(late, {std::string("integrator.method=") + method});
    if (method == std::string("rk4")) settings.push_back("integrator.step=0.002");
    const Touched run("hil_contact", settings);
    EXPECT_NEAR(run.time("contact_off"), ref("repulsive.0.016.off"), 1e-6) << method;
    EXPECT_NEAR(run.settled(), ref("repulsive.0.016.energy"), 1e-6 * 4.1e-3) << method;
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
    const double none = ref("repulsive.0.energy"), some = ref("repulsive.0.004.energy");
    EXPECT_NEAR(tight, none + h * (some - none) / 0.004, 3e-7 * h / 1e-3 + 1e-11) << h;
  }
}

TEST(HilContact, OnAComplianceDeviceItIsThatOfThePage) {
  const Touched ideal("hil_compliance", {set("delay", 0), "time.stop=7"});
  EXPECT_NEAR(ideal.time("contact_off"), ref("device.ideal.off"), 1e-6);
  EXPECT_NEAR(ideal.settled(), ref("device.ideal.energy"), 1e-6 * 4.8e-3);
  const Touched late("hil_compliance", {"time.stop=7"});
  EXPECT_NEAR(late.time("contact_off"), ref("device.off"), 1e-6);
  EXPECT_NEAR(late.settled(), ref("device.energy"), 1e-6 * 4.3e-3);
}

// --- §5: later contacts --------------------------------------------------------------------------

TEST(HilContact, SecondAndThirdPointOnAComplianceDevice) {
  const Touched run("hil_compliance", {});
  EXPECT_LT(norm(run.point(2) - ref.vector("device.second.point")), 1e-4);
  EXPECT_NEAR(run.time("contact_on", 2), ref("device.second"), 1e-3);
  EXPECT_LT(norm(run.point(3) - ref.vector("device.third.point")), 1e-4);
  EXPECT_NEAR(run.time("contact_on", 3), ref("device.third"), 1e-3);
}

TEST(HilContact, SecondPointOnASpringAndDamper) {
  const Touched adhesive("hil_contact", {"contact.probe.release=adhesive", "time.stop=21"});
  EXPECT_LT(norm(adhesive.point(2) - ref.vector("adhesive.second.point")), 1e-4);
  EXPECT_NEAR(adhesive.time("contact_on", 2), ref("adhesive.second"), 1e-3);
  const Touched repulsive("hil_contact", {"time.stop=21"});
  EXPECT_LT(norm(repulsive.point(2) - ref.vector("repulsive.second.point")), 1e-4);
  EXPECT_NEAR(repulsive.time("contact_on", 2), ref("repulsive.second"), 1e-3);
}

TEST(HilContact, SecondPointMovesWithFrictionAsInThePaper) {
  const auto second = [](double mu) {
    return Touched("hil_compliance", {set("friction", mu), "time.stop=21"}).point(2);
  };
  const Vec3<double> none = second(0), some = second(0.1), more = second(0.2);
  EXPECT_LT(norm(none - ref.vector("device.second.point.no_friction")), 1e-4);
  EXPECT_LT(norm(more - ref.vector("device.second.point.more_friction")), 1e-4);
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
  EXPECT_LT(norm(soft - ref.vector("device.second.point.soft")), 1e-4);
  EXPECT_LT(norm(stiff - ref.vector("device.second.point.stiff")), 1e-4);
}

// --- §4: energy pumped round the cone ------------------------------------------------------------

const Strings kMinute{"time.stop=60", "integrator.tolerance=1e-9"};

TEST(HilContact, ALateVectorPumpsEnergyRoundTheCone) {
  const auto energy = [](double h) {
    return Touched("hil_contact",
                   with(kMinute, {set("delay", h), "contact.probe.release=adhesive"}))
        .track()
        .energy;
  };
  for (const char* h : {"0", "0.004", "0.016"}) {
    const double wanted = ref(std::string("minute.") + h);
    EXPECT_NEAR(energy(std::stod(h)), wanted, 0.01 * std::fabs(wanted)) << h;
  }
}

// The page has −2.279e-2; the run without any loop is what it has to come to.
TEST(HilContact, AlongTheNormalOfNowNothingIsPumped) {
  const Strings sampled = with(kMinute, {"contact.probe.sample_time=0.001"});
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

TEST(HilContact, TheSummaryReportsTheErrorOfRestitution) {
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

// A driven contact keeps its verdict and its ledger to the end, whatever the scenario.
TEST(HilContact, ShippedScenariosMeetTheirExpectations) {
  for (const char* name : {"hil_contact", "hil_compliance", "hil_stability", "hil_compensated"})
    EXPECT_TRUE(Touched(name, {}).summary.as_expected()) << name;
}

}  // namespace
}  // namespace berth::hil_contact_test
