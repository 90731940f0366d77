// SPDX-License-Identifier: Apache-2.0

// Delay margins against the published table, and against the nonlinear simulation: at h* a small
// oscillation of the probe in the wall neither grows nor decays.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/analysis/stability.h"
#include "berth/analysis/stability_map.h"
#include "berth/system/contacts.h"
#include "tests/math/delay_cases.h"
#include "tests/support/scenario_files.h"

namespace berth::delay_stability_test {
namespace {

using Settings = std::vector<std::string>;

struct Loaded {
  Scenario scenario;
  BuiltScenario built;
};
Loaded load(const std::string& name, const Settings& settings) {
  ReadScenario read = read_scenario(test::find_scenario_file(name), settings);
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  return {read.scenario, std::move(built)};
}
StabilityResult find(const std::string& name, const Settings& settings, bool energy = false) {
  const Loaded l = load(name, settings);
  Problems problems;
  StabilityOptions options;
  options.energy = energy;
  StabilityResult r = find_stability(l.scenario, l.built, options, problems);
  for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
  return r;
}

const test::Reference ref("contact");

TEST(DelayStability, ReproducesTheTable) {
  for (const test::StabilityCase& row : test::stability_cases) {
    const auto set = [](const char* key, double x) { return fmt::format("{}={}", key, x); };
    const StabilityResult r = find(
        "hil_stability",
        {set("contact.probe.law.stiffness", row.k), set("contact.probe.law.damping", row.b),
         fmt::format("spacecraft.chaser.port.tip.position=[{},0,0]", row.probe),
         set("contact.probe.half_angle_deg", row.angle),
         set("stability.contact_distance", row.along), "spacecraft.chaser.state.position=[3,0,0]"});
    EXPECT_NEAR(1 / r.loop.mass, row.inverse_mass(), 1e-9 * row.inverse_mass());
    EXPECT_NEAR(r.omega_critical, row.frequency(), 1e-9 * row.frequency());
    EXPECT_NEAR(r.h_critical, row.delay(), 1e-9 * row.delay());
    EXPECT_NEAR(r.h_loop, row.delay(), 1e-9 * row.delay()) << "the whole loop has no other mode";
    EXPECT_EQ(r.zero_roots, 16);
  }
}

TEST(DelayStability, ReproducesTheRoots) {
  for (const char* h : test::root_delays) {
    const std::complex<double> root = test::reference_root(h);
    const StabilityResult r = find("hil_stability", {fmt::format("contact.probe.delay={}", h)});
    ASSERT_GE(r.roots.size(), 2u);
    EXPECT_NEAR(r.roots[0].real(), root.real(), 1e-8);
    EXPECT_NEAR(r.roots[0].imag(), root.imag(), 1e-8);
    EXPECT_EQ(r.roots[1], std::conj(r.roots[0]));
  }
}

TEST(DelayStability, OfThePublishedGeometryUsesTheLeverAboutTheCentreOfMass) {
  const StabilityResult r = find("hil_contact", {}, true);
  EXPECT_NEAR(r.h_critical, ref("tables.delay"), 1e-8);
  EXPECT_NEAR(r.h_energy, ref("tables.energy_delay"), 1e-7);
  EXPECT_EQ(r.zero_roots, 16);
  EXPECT_NEAR(r.at.t, ref("touch"), 1e-8);
  EXPECT_NEAR(r.at.point_T.x, ref.vector("touch.point").x, 1e-8);
}

TEST(DelayStability, BounceOfOneDimension) {
  EXPECT_NEAR(find("hil_stability", {"contact.probe.release=adhesive"}, true).h_energy_1d,
              ref("bounce.adhesive"), 1e-9);
  EXPECT_NEAR(find("hil_stability", {}, true).h_energy_1d, ref("bounce.repulsive"), 1e-9);
}

// Growth rate of a small oscillation of the probe about the wall, by its amplitude at two times.
double find_growth(const Loaded& l, const ContactLoop& loop, double omega) {
  const double period = 2 * M_PI / omega;
  HybridRun run(l.built.system, l.built.options);
  const auto amplitude = [&](double t) {
    run.advance(t);
    const ContactMotion<double>& m = run.observe().contacts[0];
    EXPECT_TRUE(m.touching);
    return std::hypot(m.gap, m.gap_rate / std::sqrt(loop.normal.stiffness));
  };
  const double t_1 = 20 + 3 * period, t_2 = t_1 + 10 * period;
  const double before = amplitude(t_1), after = amplitude(t_2);
  return std::log(after / before) / (t_2 - t_1);
}

// At any geometry: full inertia tensors, ports off the axis, the cone away from the target's c.m.
TEST(DelayStability, IsWhereTheNonlinearSimulationCrosses) {
  const Settings cases[] = {
      {},
      {"spacecraft.chaser.inertia=[[700,60,-40],[60,500,30],[-40,30,600]]",
       "spacecraft.target.inertia=[[900,-80,20],[-80,650,50],[20,50,800]]",
       "spacecraft.chaser.port.tip.position=[1.6,0.1,-0.2]",
       "spacecraft.target.port.cone.position=[0.8,-0.1,0.15]", "spacecraft.chaser.mass=1200",
       "spacecraft.chaser.state.position=[3.1,0.15,0.6]"},
  };
  for (Settings settings : cases) {
    settings.insert(settings.end(), {"contact.probe.release=bilateral", "time.stop=1e6",
                                     "spacecraft.chaser.state.velocity=[-0.0005,0,0.0005]",
                                     "integrator.tolerance=1e-12"});
    const StabilityResult r = find("hil_contact", settings);
    const auto growth = [&](double h) {
      Settings late = settings;
      late.push_back(fmt::format("contact.probe.delay={}", h));
      Loaded l = load("hil_contact", late);
      // From the first touch on: approach takes a while at this speed.
      Problems problems;
      ContactState at = find_contact_state(l.scenario, l.built, 0, problems);
      const Layout layout = l.built.system.layout();
      Model<double>& model = l.built.system.model;
      std::copy_n(at.x.begin(), model.q0.size(), model.q0.begin());
      std::fill(model.v0.begin(), model.v0.end(), 0.0);
      // A push along the normal alone: nothing slides.
      const Body<double>& chaser = model.body(model.find_body("chaser"));
      Motion<double> motion;
      motion.bodies.resize(model.bodies.size());
      find_motion<double>(model, model.q0, model.v0, motion);
      const Contact<double>& c = l.built.system.contacts[0];
      const ContactMotion<double> m =
          find_contact_motion(c, motion, at.x.data() + layout.contacts, Grip{});
      for (int i = 0; i < 3; ++i)
        model.v0[static_cast<std::size_t>(chaser.v + i)] = 1e-6 * m.n_N[i];
      return find_growth(l, r.loop, r.omega_critical);
    };
    // The zero of a line through both sides.
    const double low = r.h_critical * (1 - 2e-3), high = r.h_critical * (1 + 2e-3);
    const double below = growth(low), above = growth(high);
    EXPECT_LT(below, 0);
    EXPECT_GT(above, 0);
    const double crossing = low + (high - low) * below / (below - above);
    EXPECT_NEAR(crossing, r.h_critical, 1e-4 * r.h_critical);
  }
}

TEST(DelayStability, PressedOnALateVectorFeedsTheSidewaysSwing) {
  const Settings heavy{"stability.preload=100", "spacecraft.chaser.inertia=[1e12,1e12,1e12]",
                       "spacecraft.target.inertia=[1e12,1e12,1e12]"};
  // ω² = P/(m_r R), R = m* tan θ + d*; it grows with ω² h/2.
  const double R = 0.5 * std::tan(M_PI / 6) + 100.0 / 1000, omega_2 = 100 / (1500 * R);
  const auto swing = [&](const char* feedback) {
    Settings s = heavy;
    s.push_back(std::string("contact.probe.feedback=") + feedback);
    const StabilityResult r = find("hil_stability", s);
    double real = NAN;
    for (const std::complex<double>& root : r.roots)
      if (std::fabs(root.imag() - std::sqrt(omega_2)) < 1e-3) real = root.real();
    return real;
  };
  EXPECT_NEAR(swing("vector"), omega_2 * 0.016 / 2, 1e-4 * omega_2 * 0.016);
  EXPECT_NEAR(swing("normal"), 0, 1e-9);
}

TEST(DelayStability, SlidingFrictionChangesTheMassFelt) {
  const double without = find("hil_contact", {}).loop.mass;
  const double with = find("hil_contact", {"contact.probe.friction=0.3"}).loop.mass;
  EXPECT_GT(std::fabs(with / without - 1), 1e-3);
}

// In orbit nothing but the contact and the controllers is judged: craft at rest beside each other fall
// apart at the orbital rate whatever the contact does.
TEST(DelayStability, InOrbitIsThatOfTheContact) {
  const StabilityResult tug = find("tug_debris", {});
  EXPECT_NEAR(tug.h_loop, tug.h_critical, 1e-6 * tug.h_critical);
  EXPECT_LT(tug.growth(), 0);
  // Panels, fuel and controllers move it a little.
  const StabilityResult docking = find("docking", {});
  EXPECT_NEAR(docking.h_loop, docking.h_critical, 0.05 * docking.h_critical);
  EXPECT_LT(docking.growth(), 0);
  // Free motion gives zeros however the state at contact is rounded.
  for (const char* tolerance : {"1.1e-9", "9e-10", "1e-10", "3e-11", "1e-11"})
    EXPECT_EQ(find("docking", {std::string("integrator.tolerance=") + tolerance}).zero_roots,
              docking.zero_roots)
        << tolerance;
  // What grows is the contact's: far beyond its critical delay the loop is unstable there too.
  EXPECT_GT(find("docking", {"contact.tip.delay=0.2"}).growth(), 0.1);
}

TEST(DelayStability, ACompensatingModelHasNoLateForce) {
  const StabilityResult r = find(
      "hil_stability", {"contact.probe.delay=0.5",
                        "contact.probe.compensation={type=\"model\",stiffness=1000,damping=200}"});
  EXPECT_LT(r.growth(), 0);
  EXPECT_TRUE(std::isnan(r.h_loop));
}

TEST(StabilityMap, ClosedFormAndRootsAgreeOnWhatIsStable) {
  const std::string file = test::find_scenario_file("hil_stability");
  const Settings keys{"contact.probe.law.stiffness=lin(200,4000,5)",
                      "contact.probe.delay=lin(0.02,0.5,6)"};
  Problems problems;
  MapOptions closed, roots;
  roots.by = "roots";
  const StabilityMap a = find_stability_map(file, {}, keys, closed, problems);
  const StabilityMap b = find_stability_map(file, {}, keys, roots, problems);
  ASSERT_TRUE(problems.empty());
  ASSERT_EQ(a.value.size(), 30u);
  ASSERT_EQ(b.value.size(), 30u);
  int stable = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(a.is_good(a.value[i]), b.is_good(b.value[i])) << i;
    stable += a.is_good(a.value[i]);
  }
  EXPECT_GT(stable, 0);
  EXPECT_LT(stable, 30);
}

}  // namespace
}  // namespace berth::delay_stability_test
