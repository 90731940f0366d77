// SPDX-License-Identifier: Apache-2.0

// The loop of a facility around a contact: samples, lag, filter, compensation.

#include "tests/run/contact_runs.h"

namespace berth::contact_loop_test {
namespace {

using namespace test;

TEST(ContactLoop, JitterIsReproducibleBySeed) {
  const auto energy = [](std::uint64_t seed, double jitter) {
    System<double> s = ball(0.5, 2, 100, 4);
    Contact<double>& c = s.contacts[0];
    c.sample_time = 0.002;
    c.delay = 0.01;
    c.jitter = jitter;
    c.seed = seed;
    HybridRun run(s, with_tolerance(1e-10));
    EXPECT_TRUE(run.advance(2).completed());
    EXPECT_EQ(kinds_of(run), kOnce);
    return work_of(run);
  };
  EXPECT_EQ(energy(1, 0.02), energy(1, 0.02));
  EXPECT_NE(energy(1, 0.02), energy(2, 0.02));
  EXPECT_EQ(energy(1, 0), energy(2, 0));
  // More delay on the whole, but less than if all had the most.
  for (const std::uint64_t seed : {1u, 2u, 3u}) EXPECT_GT(energy(seed, 0.02), energy(1, 0));
}

// Every stage that becomes fast becomes invisible.
TEST(ContactLoop, AFastFacilityIsTheIdealContact) {
  const auto energy = [](auto change) {
    System<double> s = probe_in_cone();
    change(s.contacts[0]);
    HybridRun run(s, with_tolerance(1e-11));
    EXPECT_TRUE(run.advance(1.5).completed());
    return work_of(run);
  };
  const double ideal = energy([](auto&) {});
  const auto off = [&](auto change) { return std::fabs(energy(change) / ideal - 1); };
  const auto expect_first_order = [](double slow, double fast, const char* what) {
    EXPECT_LT(slow, 0.1) << what;
    EXPECT_NEAR(slow / fast, 4, 0.8) << what;
  };
  const auto lag = [&](double w) { return off([&](auto& c) { c.robot_frequency = w; }); };
  const auto filter = [&](double T) { return off([&](auto& c) { c.filter_time = T; }); };
  const auto delay = [&](double h) { return off([&](auto& c) { c.delay = h; }); };
  const auto samples = [&](double h) { return off([&](auto& c) { c.sample_time = h; }); };
  expect_first_order(lag(500), lag(2000), "lag");
  expect_first_order(filter(4e-3), filter(1e-3), "filter");
  expect_first_order(delay(4e-3), delay(1e-3), "delay");
  expect_first_order(samples(4e-3), samples(1e-3), "samples");
}

// Whatever is in the loop, a contact that is lost falls silent and says so.
TEST(ContactLoop, EveryLoopSettlesAndIsSilentAfterwards) {
  for (const double sample_time : {0.0, 0.002})
    for (const double filter : {0.0, 0.005})
      for (const double delay : {0.0, 0.1, 0.15})
        for (const auto& compensation : all_compensations(sample_time > 0, 100, 4)) {
          SCOPED_TRACE(testing::Message()
                       << "sample " << sample_time << " filter " << filter << " delay " << delay
                       << " compensation " << compensation.index());
          System<double> s = ball(0.5, 2, 100, 4);
          Contact<double>& c = s.contacts[0];
          c.sample_time = sample_time;
          c.filter_time = filter;
          c.delay = delay;
          c.compensation = compensation;
          HybridRun run(s, with_tolerance(1e-10));
          ASSERT_TRUE(run.advance(2).completed());
          EXPECT_EQ(kinds_of(run), kOnce);
          EXPECT_LT(norm(run.observe().contacts[0].force_N()), filter > 0 ? 1e-9 : 1e-300);
        }
}

// Sampling goes on as it was after contacts that follow one another: between two walls every bounce
// takes the same part of the energy.
TEST(ContactLoop, LeadIsTheSameInEveryTouch) {
  for (const double filter : {0.0, 2e-3}) {
    System<double> s = ball(0.5, 2, 100, 4);
    Contact<double> other = s.contacts[0];
    other.name = "far";
    other.port_2 = {kGround, {1, 0, 0}, kBack};
    s.add_contact(other);
    for (Contact<double>& c : s.contacts) {
      c.sample_time = 1e-3;
      c.filter_time = filter;
      c.delay = 0.05;
      c.compensation = LeadCompensation<double>{};
    }
    System<double> fresh;
    fresh.model = s.model;
    for (const Contact<double>& c : s.contacts) fresh.add_contact(c);
    HybridRun run(fresh, with_tolerance(1e-10));
    std::vector<double> speeds;
    const std::size_t v = static_cast<std::size_t>(fresh.layout().v);
    for (int i = 0; i < 4000 && speeds.size() < 5; ++i) {
      ASSERT_TRUE(run.advance(0.01 * (i + 1)).completed());
      const double x = run.x()[0];
      if (x > 0.35 && x < 0.65 && (speeds.empty() || (speeds.size() % 2 == 0) == (run.x()[v] < 0)))
        speeds.push_back(std::fabs(run.x()[v]));
    }
    ASSERT_EQ(speeds.size(), 5u);
    for (std::size_t i = 1; i < 5; ++i)
      EXPECT_NEAR(speeds[i] / speeds[i - 1], speeds[1] / speeds[0], 0.02) << filter << " " << i;
  }
}

TEST(ContactLoop, ThePassivityControllerBrakesWithAnyFeedbackAndFriction) {
  for (const bool along : {false, true})
    for (const auto& friction : all_frictions()) {
      System<double> s = probe_in_cone(1);
      Contact<double>& c = s.contacts[0];
      c.sample_time = 1e-3;
      c.delay = 0.3;
      c.along_normal = along;
      c.friction = friction;
      const auto most = [&] {
        HybridRun run(s, with_tolerance(1e-9));
        EXPECT_TRUE(run.advance(8).completed());
        return run.contact_tracks()[0].energy_max;
      };
      const double without = most();
      c.compensation = PassivityCompensation<double>{};
      if (friction.index() == 0) {
        EXPECT_GT(without, 1e-3);
      }
      EXPECT_LT(most(), 1e-5) << along << " " << friction.index();
    }
}

TEST(ContactLoop, ARunInPiecesIsTheRunInOne) {
  for (const double sample_time : {0.0, 0.005}) {
    System<double> s = probe_in_cone();
    Contact<double>& c = s.contacts[0];
    c.delay = 0.03;
    c.sample_time = sample_time;
    c.friction = Coulomb<double>{0.1};
    HybridRun whole(s, with_tolerance(1e-12)), pieces(s, with_tolerance(1e-12));
    ASSERT_TRUE(whole.advance(2).completed());
    for (int i = 1; i <= 160; ++i) ASSERT_TRUE(pieces.advance(0.0125 * i).completed());
    ASSERT_EQ(whole.t(), pieces.t());
    for (std::size_t i = 0; i < whole.x().size(); ++i)
      EXPECT_NEAR(whole.x()[i], pieces.x()[i], 1e-10) << i;
    ASSERT_EQ(kinds_of(whole), kinds_of(pieces));
    for (std::size_t i = 0; i < contacts_of(whole).size(); ++i)
      EXPECT_NEAR(contacts_of(whole)[i].t, contacts_of(pieces)[i].t, 1e-10);
    EXPECT_NEAR(whole.contact_tracks()[0].force_peak, pieces.contact_tracks()[0].force_peak, 1e-2);
  }
}

TEST(ContactLoop, RadauAgreesWithoutDelayAndRefusesOne) {
  for (const double filter : {0.0, 0.01})
    for (const double sample_time : {0.0, 0.01}) {
      System<double> s = probe_in_cone();
      s.contacts[0].friction = Coulomb<double>{0.1, 5e-3};
      s.contacts[0].filter_time = filter;
      s.contacts[0].sample_time = sample_time;
      s.contacts[0].delay = sample_time;
      HybridRun a(s, with_tolerance(1e-12)), b(s, with_tolerance(1e-9, "radau"));
      ASSERT_TRUE(a.advance(1).completed());
      ASSERT_TRUE(b.advance(1).completed());
      EXPECT_EQ(kinds_of(a), kinds_of(b));
      for (std::size_t i = 0; i < a.x().size(); ++i) EXPECT_NEAR(a.x()[i], b.x()[i], 1e-6) << i;
    }
  System<double> s = probe_in_cone();
  s.contacts[0].delay = 0.01;
  EXPECT_THROW(HybridRun(s, with_tolerance(1e-8, "radau")), std::invalid_argument);
}

}  // namespace
}  // namespace berth::contact_loop_test
