// SPDX-License-Identifier: Apache-2.0
#include "berth/forces/orbital_gravity.h"

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"
#include "tests/verification/quad.h"

namespace berth::orbital_gravity_test {
namespace {

using test::Quad;
using test::Quad3;
using test::Random;
using V = Vec3<double>;

// The absolute field in quadruple precision, from the potential's textbook gradient.
Quad3 field(const OrbitalGravity<double>& g, const Quad3& r) {
  const Quad n = test::norm(r), mu = g.mu, j2 = g.j2, Re = g.equatorial_radius;
  const Quad k = Quad(3) / 2 * j2 * mu * Re * Re / (n * n * n * n * n);
  const Quad s = 5 * r.z * r.z / (n * n);
  const Quad central = -mu / (n * n * n);
  return {(central + k * (s - 1)) * r.x, (central + k * (s - 1)) * r.y,
          (central + k * (s - 3)) * r.z};
}
Quad potential(const OrbitalGravity<double>& g, const Quad3& r) {
  const Quad n = test::norm(r), ratio = Quad(g.equatorial_radius) / n, s = r.z / n;
  return Quad(g.mu) / n * (1 - Quad(g.j2) * ratio * ratio * (3 * s * s - 1) / 2);
}

OrbitalGravity<double> earth(double j2 = 1.08262668e-3) {
  OrbitalGravity<double> g;
  g.j2 = j2;
  return g;
}

TEST(OrbitalGravity, FieldIsTheGradientOfThePotential) {
  Random random(1);
  for (double j2 : {0.0, 1.08262668e-3, 0.5}) {
    const OrbitalGravity<double> g = earth(j2);
    for (int i = 0; i < 30; ++i) {
      const V R = random.number(6.6e6, 4.2e7) * random.direction();
      const V ours = g.acceleration(R);
      const Quad3 exact = field(g, Quad3(R));
      EXPECT_LT(test::distance(ours, exact), 2e-15 * norm(ours));
      const Quad h = 1e-3;
      const auto slope = [&](const Quad3& e) {
        return (potential(g, Quad3(R) + h * e) - potential(g, Quad3(R) - h * e)) / (2 * h);
      };
      const Quad3 gradient{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
      EXPECT_LT(test::distance(ours, gradient), 1e-14 * norm(ours));
    }
  }
}

// The difference of two absolute fields, sixteen digits of it, from a millimetre to a thousand km.
TEST(OrbitalGravity, TidalFieldIsTheDifferenceOfAbsoluteFieldsToTheLastDigits) {
  Random random(2);
  double worst = 0;
  for (double j2 : {0.0, 1.08262668e-3}) {
    const OrbitalGravity<double> g = earth(j2);
    for (int i = 0; i < 3000; ++i) {
      const V R = random.number(6.6e6, 4.2e7) * random.direction();
      const V rho = std::pow(10.0, random.number(-3, 6)) * random.direction();
      const V ours = g.tidal(g.find_field(R), rho);
      const Quad3 exact = field(g, Quad3(R) + Quad3(rho)) - field(g, Quad3(R));
      worst = std::max(worst, test::distance(ours, exact) / test::to_double(test::norm(exact)));
    }
  }
  EXPECT_LT(worst, 2e-15);
}

// Oblateness alone, made so large that the central field cannot hide its errors.
TEST(OrbitalGravity, TidalFieldOfOblatenessAloneIsAsExact) {
  Random random(3);
  OrbitalGravity<double> g = earth(1e12);
  g.mu = 1;
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const V R = random.number(6.6e6, 4.2e7) * random.direction();
    const V rho = std::pow(10.0, random.number(-3, 6)) * random.direction();
    const V ours = g.tidal(g.find_field(R), rho);
    const Quad3 exact = field(g, Quad3(R) + Quad3(rho)) - field(g, Quad3(R));
    // Its terms cancel in part; they are measured against their own size, 1/R⁴ of the distance.
    const double size =
        1.5 * g.j2 * std::pow(g.equatorial_radius, 2) * norm(rho) / std::pow(norm(R), 5);
    worst = std::max(worst, test::distance(ours, exact) / size);
  }
  EXPECT_LT(worst, 4e-14);
}

TEST(OrbitalGravity, AtTheOriginNothingIsFelt) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const OrbitalGravity<double> g = earth();
    const V R = random.number(6.6e6, 4.2e7) * random.direction();
    EXPECT_EQ(g.tidal(g.find_field(R), V{}), V{});
  }
}

// Hill's matrix: twice the pull along the radius, once against it across, for a small distance.
TEST(OrbitalGravity, NextToTheOriginItStretchesAlongTheRadiusAndSqueezesAcross) {
  const OrbitalGravity<double> g = earth(0);
  const V R{7e6, 0, 0};
  const double n2 = g.mu / (7e6 * 7e6 * 7e6);
  EXPECT_NEAR(g.tidal(g.find_field(R), {1, 0, 0}).x, 2 * n2, 1e-6 * n2);
  EXPECT_NEAR(g.tidal(g.find_field(R), {0, 1, 0}).y, -n2, 1e-6 * n2);
  EXPECT_NEAR(g.tidal(g.find_field(R), {0, 0, 1}).z, -n2, 1e-6 * n2);
}

TEST(OrbitalGravity, GravityGradientTorqueIsThatOfTheClosedForm) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const Sym3<double> I = random.inertia(500);
    const Quaternion<double> q = random.quaternion();
    const V R = 7e6 * random.direction();
    const V v = std::sqrt(3.986004415e14 / 7e6) * normalised(cross(R, random.direction()));
    BodySpec<double> hub = test::hub_spec<double>("hub", 100, I);
    hub.q = {0, 0, 0, q.w, q.x, q.y, q.z};
    for (bool on : {true, false}) {
      System<double> system;
      const int body = system.model.add_body(hub);
      OrbitalGravity<double> g = earth(0);
      g.gravity_gradient = on;
      system.set_orbit(g, R, v);
      HybridRun run(system, {});
      const Wrench<double>& w = run.observe().external.body(body);
      const V I_R = rotation_matrix(q) * (I * transposed_times(rotation_matrix(q), R));
      const V wanted = (3 * g.mu / std::pow(7e6, 5)) * cross(R, I_R);
      EXPECT_LT(norm(w.torque - (on ? wanted : V{})), 1e-14 * norm(wanted));
      EXPECT_EQ(w.force, V{});
    }
  }
}

// Two halves of a dumbbell each feel their own field: the torque of the closed form comes out of
// forces alone.
TEST(OrbitalGravity, TheTorqueOnADumbbellComesOutOfItsForces) {
  const V R{7e6, 0, 0};
  const OrbitalGravity<double> g = earth(0);
  const double m = 10, arm = 2;
  const V d = normalised(V{1, 1, 0.3});
  const OrbitalGravity<double>::Field0 at = g.find_field(R);
  const V torque =
      m * (cross(arm * d, g.tidal(at, arm * d)) + cross(-arm * d, g.tidal(at, -arm * d)));
  const Sym3<double> I = 2.0 * point_inertia(m, arm * d);
  const V closed = (3 * g.mu / std::pow(7e6, 5)) * cross(R, I * R);
  EXPECT_LT(norm(torque - closed), 1e-6 * norm(closed));
}

// The same with oblateness, made large: six points have any inertia one likes, and the gravity of an
// oblate Earth turns them as (2) and (4) say.
TEST(OrbitalGravity, TheTorqueOfAnOblateEarthComesOutOfForcesToo) {
  Random random(6);
  for (double j2 : {1.08262668e-3, 0.3}) {
    for (int i = 0; i < 10; ++i) {
      const OrbitalGravity<double> g = earth(j2);
      const V R = random.number(6.6e6, 8e6) * random.direction();
      const Mat3<double> axes = random.rotation();
      const double m = 5, arm[3] = {0.5, 1.1, 1.9};
      const V e[3] = {axes.column_x(), axes.column_y(), axes.column_z()};
      V torque{};
      Sym3<double> I{};
      for (int k = 0; k < 3; ++k) {
        I += 2.0 * point_inertia(m, arm[k] * e[k]);
        for (double side : {1.0, -1.0}) {
          const V r = (side * arm[k]) * e[k];
          torque += m * cross(r, g.tidal(g.find_field(R), r));
        }
      }
      System<double> system;
      const int body = system.model.add_body(test::hub_spec<double>("hub", 6 * m, I));
      const V across = cross(R, random.direction());
      system.set_orbit(g, R, std::sqrt(g.mu / norm(R)) * normalised(across));
      HybridRun run(system, {});
      const V ours = run.observe().external.body(body).torque;
      EXPECT_LT(norm(ours - torque), 1e-6 * norm(torque)) << "J2 = " << j2;
    }
  }
}

TEST(OrbitalGravity, PullsEveryBodyAtItsOwnCentreOfMass) {
  System<double> system;
  BodySpec<double> hub = test::hub_spec<double>("hub", 20);
  hub.q = {10, -20, 30, 1, 0, 0, 0};
  hub.r_CB_B = {0.1, 0.5, -0.2};
  const int body = system.model.add_body(hub);
  OrbitalGravity<double> g = earth();
  g.gravity_gradient = false;
  const V R{3e6, 4e6, 5e6};
  system.set_orbit(g, R, {0, 0, 7000});
  HybridRun run(system, {});
  const Wrench<double>& w = run.observe().external.body(body);
  const V f = 20.0 * g.tidal(g.find_field(R), V{10.1, -19.5, 29.8});
  EXPECT_LT(norm(w.force - f), 1e-14 * norm(f));
  EXPECT_LT(norm(w.torque - cross(hub.r_CB_B, f)), 1e-14 * norm(f));
}

}  // namespace
}  // namespace berth::orbital_gravity_test
