// SPDX-License-Identifier: Apache-2.0

// Peaks are properties of the motion: not below any value it had, not above what it reached.

#include <gtest/gtest.h>

#include "tests/run/slope.h"
#include "tests/support/shipped.h"

namespace berth::test::peaks_test {
namespace {

// Loads at many places inside every step.
struct LoadsInside : Observer {
  std::vector<double> force, torque, contact, depth;
  int places;
  explicit LoadsInside(int n) : places(n) {}
  void add(HybridRun& run, double t, std::span<const double> x) {
    const Workspace<double>& w = run.observe(t, x);
    const auto raise = [](std::vector<double>& to, std::size_t k, double v) {
      if (to.size() <= k) to.resize(k + 1, 0.0);
      to[k] = std::max(to[k], v);
    };
    for (std::size_t k = 0; k < w.docks.size(); ++k) {
      if (!run.system().docks[k].engaged) continue;
      raise(force, k, norm(w.docks[k].wrench.force));
      raise(torque, k, norm(w.docks[k].wrench.torque));
    }
    for (std::size_t k = 0; k < w.contacts.size(); ++k) {
      raise(contact, k, norm(w.contacts[k].force_N()));
      if (run.mode().contacts[k].now.touching) raise(depth, k, -w.contacts[k].gap);
    }
  }
  bool step(HybridRun& run) override {
    std::vector<double> x(run.x().size());
    for (int i = 1; i < places; ++i) {
      const double t = run.t_previous() + (run.t() - run.t_previous()) * i / places;
      run.interpolate(t, x);
      add(run, t, x);
    }
    add(run, run.t(), run.x());
    return true;
  }
  void after(HybridRun& run) override { add(run, run.t(), run.x()); }
};

class Peaks : public testing::TestWithParam<const char*> {};

TEST_P(Peaks, AreTheLargestValuesOfTheMotion) {
  ReadScenario read = read_scenario(shipped_file(GetParam()));
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  HybridRun run(built.system, built.options);
  run.set_events(built.events);
  LoadsInside seen(64);
  run.advance(std::min(read.scenario.time.stop, 400.0), &seen);
  const auto check = [](double peak, const std::vector<double>& values, std::size_t k) {
    if (k >= values.size()) return;
    EXPECT_GE(peak, values[k] * (1 - 1e-9)) << k;
    EXPECT_LE(peak, values[k] * (1 + 1e-3) + 1e-9) << k;  // 64 places a step
  };
  for (std::size_t k = 0; k < run.dock_tracks().size(); ++k) {
    check(run.dock_tracks()[k].force_peak(), seen.force, k);
    check(run.dock_tracks()[k].torque_peak(), seen.torque, k);
  }
  for (std::size_t k = 0; k < run.contact_tracks().size(); ++k) {
    check(run.contact_tracks()[k].force_peak, seen.contact, k);
    check(run.contact_tracks()[k].penetration_peak, seen.depth, k);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenario, Peaks,
                         testing::Values("capture_envelope", "docked_tumble", "docked_components",
                                         "docked_orbit_maneuver", "hil_contact", "hil_compliance",
                                         "servicer_despin", "tug_debris", "undock"),
                         [](const auto& p) { return std::string(p.param); });

// A joint that lets go at a load has never carried more.
TEST(Peaks, NeverExceedTheLimitOfTheEventThatEndedThem) {
  for (const double limit : {0.54, 0.55, 0.58}) {
    ReadScenario read = read_scenario(shipped_file("docked_tumble"));
    EventSpec& e = read.scenario.event.emplace_back();
    e.name = "break";
    e.when = fmt::format("joint.force > {}", limit);
    e.actions.emplace_back().part = ReleaseAction{"joint"};
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    ASSERT_TRUE(read.problems.empty());
    HybridRun run(built.system, built.options);
    run.set_events(built.events);
    run.advance(read.scenario.time.stop);
    ASSERT_FALSE(run.event_records().empty());
    EXPECT_LE(run.dock_tracks()[0].force_peak(), limit * (1 + 1e-12));
    EXPECT_GT(run.dock_tracks()[0].force_peak(), limit * (1 - 1e-9));
  }
}

// Fuel swings in a block that rests: how hard it is pressed on is greatest between two states.
TEST(Peaks, OfAProbeAtRestLieInsideStepsToo) {
  System<double> system = block().build();
  SloshMass<double> fuel;
  fuel.axis = {1, 0, 0};
  fuel.mass = 0.5;
  fuel.stiffness = 50;
  fuel.displacement = -0.05;
  system.add_component(fuel, 1, "body.fuel");
  HybridRun run(system, with_tolerance(1e-8));
  LoadsInside seen(64);
  ASSERT_TRUE(run.advance(3, &seen).completed());
  for (std::size_t k = 0; k < seen.contact.size(); ++k) {
    EXPECT_GT(seen.contact[k], 1) << k;
    EXPECT_GE(run.contact_tracks()[k].force_peak, seen.contact[k] * (1 - 1e-9)) << k;
    EXPECT_LE(run.contact_tracks()[k].force_peak, seen.contact[k] * (1 + 1e-3)) << k;
  }
}

}  // namespace
}  // namespace berth::test::peaks_test
