// SPDX-License-Identifier: Apache-2.0

// One rigid body, or the same body sawn into welded halves: the results must not differ.
//
// In orbit every body feels the field at its c.m. and the gravity-gradient torque of its own
// inertia. What is neglected per body, and so changes when it is sawn, is
//
//   torque of third order      ~ L/R of the gravity-gradient torque                             (1)
//   force of second order      F₂ = −(3μ/r⁴) [I u + ½ (tr I − 5 u·I u) u]                       (2)

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/verification/mass_properties.h"

namespace berth::split_body_test {
namespace {

using test::hub_after;
using test::Piece;

constexpr double kRadius = 6.878e6, kMu = 3.986004415e14;
const double kRate = std::sqrt(kMu / kRadius) / kRadius;

// Two unlike halves some L apart, of size L.
std::vector<Piece> random_halves(test::Random& random, double L) {
  const Vec3<double> d = random.direction();
  return {{random.number(100, 300), L * d, random.inertia(20 * L * L)},
          {random.number(300, 600), -0.7 * L * d, random.inertia(40 * L * L)}};
}

struct Start {
  Quaternion<double> attitude;
  Vec3<double> omega_B;
};

BodySpec<double> hub(const Piece& p, const Start& start) {
  BodySpec<double> b;
  b.name = "hub";
  b.mass = p.mass;
  b.r_CB_B = p.centre;
  b.I_C_B = p.inertia;
  const Quaternion<double>& q = start.attitude;
  b.q = {0, 0, 0, q.w, q.x, q.y, q.z};
  b.v = {0, 0, 0, start.omega_B.x, start.omega_B.y, start.omega_B.z};
  return b;
}

System<double> one_body(const std::vector<Piece>& pieces, const Start& start) {
  System<double> system;
  system.model.add_body(hub(test::weld(pieces), start));
  return system;
}

// The second half as a payload in axes of its own.
System<double> with_payload(const std::vector<Piece>& pieces, const Start& start) {
  System<double> system;
  const int b = system.model.add_body(hub(pieces[0], start));
  RigidPayload<double> half;
  half.position = {0.3, -0.2, 0.1};
  half.rotation = {0.5, -1.1, 0.7};
  const Mat3<double> R = rotation_matrix(quaternion_from_rotation_vector(half.rotation));
  half.mass = pieces[1].mass;
  half.centre_of_mass = transposed_times(R, pieces[1].centre - half.position);
  half.inertia = rotate(transpose(R), pieces[1].inertia);
  system.add_component(half, b, "half");
  return system;
}

// A chain of fixed joints: hub without mass to speak of, both halves one after the other.
System<double> in_a_chain(const std::vector<Piece>& pieces, const Start& start) {
  System<double> system;
  // An eighth of the first half stays in the hub, so that the hub is a body at all.
  Piece small = pieces[0], rest = pieces[0];
  small.mass *= 0.125, small.inertia = 0.125 * small.inertia;
  rest.mass *= 0.875, rest.inertia = 0.875 * rest.inertia;
  int parent = system.model.add_body(hub(small, start));
  Vec3<double> origin{};
  Mat3<double> R = Mat3<double>::identity();
  for (const Piece& p : {rest, pieces[1]}) {
    BodySpec<double> b;
    b.name = "piece" + std::to_string(parent);
    b.parent = parent;
    b.joint = JointType::fixed;
    b.r_FP_P = {0.4, 0.1, -0.3};
    b.R_PF = rotation_about<double>(normalised(Vec3<double>{1, 2, -1}), 0.9);
    origin += R * b.r_FP_P;
    R = R * b.R_PF;
    b.mass = p.mass;
    b.r_CB_B = transposed_times(R, p.centre - origin);
    b.I_C_B = rotate(transpose(R), p.inertia);
    parent = system.model.add_body(b);
  }
  return system;
}

// Largest column of the difference: the angle between the two attitudes, when small.
double angle_between(const BodyMotion<double>& a, const BodyMotion<double>& b) {
  const Mat3<double> d = a.R_NB - b.R_NB;
  return std::max({norm(d.column_x()), norm(d.column_y()), norm(d.column_z())});
}

TEST(SplitBody, MovesAsOneInFreeSpace) {
  test::Random random(1);
  for (int i = 0; i < 10; ++i) {
    const std::vector<Piece> halves = random_halves(random, 1);
    const Start start{random.quaternion(), random.vector(0.5)};
    const BodyMotion<double> one = hub_after(one_body(halves, start), 50);
    for (const auto& system : {with_payload(halves, start), in_a_chain(halves, start)}) {
      const BodyMotion<double> split = hub_after(system, 50);
      EXPECT_LT(norm(split.r_BN_N - one.r_BN_N), 1e-11);
      EXPECT_LT(norm(split.v_BN_N - one.v_BN_N), 1e-11);
      EXPECT_LT(norm(split.omega_BN_N - one.omega_BN_N), 1e-11);
      EXPECT_LT(angle_between(split, one), 1e-11);
    }
  }
}

System<double> put_in_orbit(System<double> system, bool gravity_gradient, double j2 = 0) {
  system.set_orbit(test::earth_gravity(gravity_gradient, j2), {kRadius, 0, 0},
                   {0, 0.6 * kRate * kRadius, 0.8 * kRate * kRadius});
  return system;
}

// The angle that sawing makes after one orbit.
double angle_of_sawing(const std::vector<Piece>& halves, const Start& start, bool gravity_gradient,
                       double j2 = 0) {
  const double orbit = 2 * 3.141592653589793 / kRate;
  const auto after = [&](const System<double>& system) {
    return hub_after(put_in_orbit(system, gravity_gradient, j2), orbit);
  };
  return angle_between(after(one_body(halves, start)), after(with_payload(halves, start)));
}

TEST(SplitBody, ChangesItsAttitudeInOrbitOnlyByNeglectedTermsOfTheField) {
  for (unsigned seed = 2; seed <= 4; ++seed) {
    double before = 0;
    for (const double L : {1.0, 10.0, 100.0}) {
      test::Random random(seed);
      const std::vector<Piece> halves = random_halves(random, L);
      const Start start{random.quaternion(), random.vector(2 * kRate)};
      const double on = angle_of_sawing(halves, start, true);
      const double off = angle_of_sawing(halves, start, false);
      // (1): L/R times a number of order one to ten, the growth over an orbit …
      EXPECT_LT(on, 50 * L / kRadius) << "L = " << L;
      if (before > 0) {
        EXPECT_NEAR(on / before, 10, 1) << "L = " << L;
      }
      // … where leaving the torque out turns the body a different way altogether.
      EXPECT_GT(off, 0.1);
      before = on;
    }
  }
}

// Total external load on a system at t = 0, about O: the rates of the ledger's impulses.
Wrench<double> external_load(const System<double>& system) {
  Workspace<double> w(system);
  const std::vector<double> x = find_initial_state(system);
  std::vector<double> x_dot(x.size());
  find_derivative<double>(system, 0, x, Mode<double>{}, w, x_dot);
  const double* f = x_dot.data() + w.layout.ledger + 2;
  return {{f[3], f[4], f[5]}, {f[0], f[1], f[2]}};
}

TEST(SplitBody, FeelsTheForceOfSecondOrderThatOneBodyNeglects) {
  test::Random random(5);
  for (int i = 0; i < 10; ++i) {
    const double L = 10;
    const std::vector<Piece> halves = random_halves(random, L);
    const Start start{random.quaternion(), {}};
    const Vec3<double> extra =
        external_load(put_in_orbit(with_payload(halves, start), true)).force -
        external_load(put_in_orbit(one_body(halves, start), true)).force;

    // (2) with the inertia that only the distance between the halves makes.
    const Piece whole = test::weld(halves);
    const Mat3<double> R = rotation_matrix(start.attitude);
    const Sym3<double> I = rotate(R, whole.inertia - halves[0].inertia - halves[1].inertia);
    const Vec3<double> r = Vec3<double>{kRadius, 0, 0} + R * whole.centre;
    const Vec3<double> u = normalised(r);
    const double k = -3 * kMu / (norm_squared(r) * norm_squared(r));
    const Vec3<double> wanted = k * (I * u + (0.5 * (trace(I) - 5 * dot(u, I * u))) * u);
    EXPECT_LT(norm(extra - wanted) / norm(wanted), 20 * L / kRadius) << "case " << i;
  }
}

// The gradient of J2's field turns a body too; with it, sawing changes the torque of an oblate field
// only by what is neglected of the next order, like that of the central one.
TEST(SplitBody, SawingChangesNothingInAnOblateFieldEither) {
  constexpr double kJ2 = 1.0826355254e-3;
  test::Random random(6);
  double largest = 0, largest_angle = 0;
  for (int i = 0; i < 20; ++i) {
    const std::vector<Piece> halves = random_halves(random, 1);
    const Start start{random.quaternion(), random.vector(2 * kRate)};
    const Vec3<double> extra =
        external_load(put_in_orbit(with_payload(halves, start), true, kJ2)).torque -
        external_load(put_in_orbit(one_body(halves, start), true, kJ2)).torque;
    const Piece whole = test::weld(halves);
    const double arm = norm_squared(halves[0].centre - halves[1].centre);
    const double reduced = halves[0].mass * halves[1].mass / whole.mass;
    largest = std::max(largest, norm(extra) / (1.5 * kRate * kRate * reduced * arm));
    largest_angle = std::max(largest_angle, angle_of_sawing(halves, start, true, kJ2));
  }
  EXPECT_LT(largest, 1e-6);
  EXPECT_LT(largest_angle, 1e-5);
}

}  // namespace
}  // namespace berth::split_body_test
