// SPDX-License-Identifier: Apache-2.0
#include "berth/forces/spring_damper.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"
#include "tests/support/runs.h"

namespace berth::spring_damper_test {
namespace {

using test::tight;
using V = Vec3<double>;

BodySpec<double> ball(const std::string& name, double mass, const V& at, const V& velocity = {}) {
  BodySpec<double> b = test::hub_spec<double>(name, mass, Sym3<double>::diagonal(1));
  b.q = {at.x, at.y, at.z, 1, 0, 0, 0};
  b.v = {velocity.x, velocity.y, velocity.z, 0, 0, 0};
  return b;
}

SpringDamper<double> spring(const std::string& a, const std::string& b, double k, double length) {
  SpringDamper<double> s;
  s.body_1 = a;
  s.body_2 = b;
  s.stiffness = k;
  s.length = length;
  return s;
}

TEST(SpringDamper, TwoBodiesSwingWithTheReducedMass) {
  const double m1 = 3, m2 = 5, k = 40, omega = std::sqrt(k * (1 / m1 + 1 / m2));
  System<double> system;
  system.model.add_body(ball("a", m1, {0, 0, 0}));
  system.model.add_body(ball("b", m2, {2.5, 0, 0}));
  system.add_force(spring("a", "b", k, 2));
  HybridRun run(system, tight());
  for (double t : {0.3, 2.0, 17.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    EXPECT_NEAR(run.x()[7] - run.x()[0], 2 + 0.5 * std::cos(omega * t), 1e-9);
    EXPECT_NEAR((m1 * run.x()[0] + m2 * run.x()[7]) / (m1 + m2), 2.5 * m2 / (m1 + m2), 1e-11);
  }
  EXPECT_LT(run.audit().energy, 1e-11);
}

TEST(SpringDamper, DampedTwoBodiesDieOutAsTheTextbookSays) {
  const double m1 = 3, m2 = 5, k = 40, c = 4, inv = 1 / m1 + 1 / m2;
  System<double> system;
  system.model.add_body(ball("a", m1, {0, 0, 0}));
  system.model.add_body(ball("b", m2, {0, 2.5, 0}));
  SpringDamper<double> s = spring("a", "b", k, 2);
  s.damping = c;
  system.add_force(s);
  HybridRun run(system, tight());
  const double decay = 0.5 * c * inv, omega = std::sqrt(k * inv - decay * decay);
  for (double t : {0.3, 1.0, 4.0}) {
    ASSERT_TRUE(run.advance(t).completed());
    const double wanted =
        0.5 * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
    EXPECT_NEAR(run.x()[8] - run.x()[1] - 2, wanted, 1e-10);
  }
  EXPECT_LT(run.audit().energy, 1e-11);
}

// Two balls round each other: k (ℓ − ℓ₀) = μ ℓ Ω².
TEST(SpringDamper, HoldsTwoBodiesOnACircle) {
  const double k = 50, rest = 1, Omega = 1.5, mu = 1.0;  // two of 2 kg
  const double length = k * rest / (k - mu * Omega * Omega);
  System<double> system;
  system.model.add_body(ball("a", 2, {-length / 2, 0, 0}, {0, -Omega * length / 2, 0}));
  system.model.add_body(ball("b", 2, {length / 2, 0, 0}, {0, Omega * length / 2, 0}));
  system.add_force(spring("a", "b", k, rest));
  HybridRun run(system, tight());
  ASSERT_TRUE(run.advance(20).completed());
  EXPECT_NEAR(run.x()[7], length / 2 * std::cos(Omega * 20), 1e-8);
  EXPECT_NEAR(run.x()[8], length / 2 * std::sin(Omega * 20), 1e-8);
}

TEST(SpringDamper, PullsTheEndsTogetherAndAnchorsToTheGround) {
  System<double> system;
  const int a = system.model.add_body(ball("a", 3, {0, 0, 0}));
  SpringDamper<double> s = spring("ground", "a", 10, 1);
  s.point_1 = {0, 0, 3};
  s.point_2 = {0.5, 0, 0};
  system.add_force(s);
  HybridRun run(system, {});
  const Workspace<double>& w = run.observe();
  const V d = V{0, 0, 3} - V{0.5, 0, 0};
  const V f = (10 * (norm(d) - 1) / norm(d)) * d;
  EXPECT_LT(norm(w.internal.body(a).force - f), 1e-13);
  EXPECT_LT(norm(w.internal.body(a).torque - cross(V{0.5, 0, 0}, f)), 1e-13);
  // What the ground gives, it takes.
  EXPECT_LT(norm(w.internal.body(kGround).force + f), 1e-13);
}

TEST(SpringDamper, PairTakesNoMomentumFromTheWorldOnTumblingBodies) {
  test::Random random(1);
  for (int i = 0; i < 20; ++i) {
    System<double> system;
    for (const char* name : {"a", "b"}) {
      BodySpec<double> b = test::hub_spec<double>(name, random.number(1, 5), random.inertia());
      const Quaternion<double> q = random.quaternion();
      b.q = {random.number(), random.number(), random.number(), q.w, q.x, q.y, q.z};
      for (int k = 0; k < 6; ++k) b.v.push_back(random.number());
      system.model.add_body(b);
    }
    SpringDamper<double> s = spring("a", "b", 7, 0.3);
    s.damping = 2;
    s.point_1 = random.vector();
    s.point_2 = random.vector();
    const SpringDamper<double> bound = system.add_force(s);
    HybridRun run(system, {});
    const Workspace<double>& w = run.observe();
    const Wrench<double>&a = w.internal.body(1), &b = w.internal.body(2);
    EXPECT_LT(norm(a.force + b.force), 1e-14);
    const auto about_origin = [&](int k) {
      return w.internal.body(k).torque + cross(w.motion.body(k).r_BN_N, w.internal.body(k).force);
    };
    EXPECT_LT(norm(about_origin(1) + about_origin(2)), 1e-13);
    // Power into the bodies is what the spring gives up less what is lost.
    const Instant<double> now{system.model, w.motion, w.command};
    const double h = 1e-6;
    const auto stored = [&](double ahead) {
      std::vector<double> x = find_initial_state(system);
      std::vector<double> rate(static_cast<std::size_t>(system.layout().v));
      find_rates<double>(system.model, system.model.q0, system.model.v0, rate);
      for (std::size_t k = 0; k < rate.size(); ++k) x[k] += ahead * rate[k];
      Workspace<double> later(system);
      motion_stage<double>(system, 0, x, {}, later);
      return bound.energy({system.model, later.motion, later.command});
    };
    const double power_in = power(a, w.motion.body(1).rates()) + power(b, w.motion.body(2).rates());
    const double stored_rate = (stored(h) - stored(-h)) / (2 * h);
    EXPECT_NEAR(power_in, -stored_rate - bound.power_lost(now), 1e-8);
  }
}

TEST(SpringDamper, EndsInOnePlaceLoseNoNumber) {
  System<double> system;
  system.model.add_body(ball("a", 1, {1, 2, 3}));
  system.model.add_body(ball("b", 1, {1, 2, 3}));
  SpringDamper<double> s = spring("a", "b", 100, 0);
  s.damping = 5;
  system.add_force(s);
  HybridRun run(system, {});
  ASSERT_TRUE(run.advance(1).completed());
  EXPECT_EQ(run.x()[0], 1);
  EXPECT_EQ(run.x()[7], 1);
}

TEST(SpringDamper, BodiesThatAreNotThereAreRefusedByName) {
  System<double> system;
  system.model.add_body(ball("a", 1, {}));
  const auto refusal = [&](const SpringDamper<double>& s) -> std::string {
    try {
      system.add_force(s);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(spring("x", "a", 1, 1)), "spring_damper: no body named x; did you mean a?");
  EXPECT_EQ(refusal(spring("a", "y", 1, 1)), "spring_damper: no body named y; did you mean a?");
  EXPECT_EQ(refusal(spring("ground", "a", 1, 1)), "");
}

}  // namespace
}  // namespace berth::spring_damper_test
