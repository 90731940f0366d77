// SPDX-License-Identifier: Apache-2.0

// Two free craft two metres apart in low orbit, simulated from the free-falling frame, against each
// one's ABSOLUTE motion about the Earth in quadruple precision: R + ρ formed before anything else,
//
//   r̈ = −μ r/r³ + J2                               c.m. of each craft                          (1)
//   I ω̇ = (Iω) × ω + ∫ ρ × (∇g ρ) dm               body axes                                   (2)
//   J2: a_xy = −k (x, y) (1 − 5 z²/r²)/r⁵,  a_z = −k z (3 − 5 z²/r²)/r⁵,  k = 3/2 J2 μ R_E²     (3)

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/support/runs.h"
#include "tests/verification/quad.h"

namespace berth::two_bodies_in_orbit_test {
namespace {

using test::Quad;
using test::Quad3;

const Vec3<double> kOrbitPosition{-5.7874158943712397e6, 1.3157053000720485e6,
                                  3.2735193517710271e6};
const Vec3<double> kOrbitVelocity{-2.2216239079130748e3, -7.2728926431384180e3,
                                  -9.8869130869506983e2};
constexpr double kOrbit = 5554;  // [s] once around

struct Craft {
  double mass;
  Sym3<double> inertia;
  Vec3<double> centre;  // of mass, body axes
  Vec3<double> rho, rho_dot, omega;
  Quaternion<double> attitude;
};

Craft random_craft(test::Random& random, const Vec3<double>& place) {
  Craft c;
  c.mass = random.number(100, 1000);
  c.inertia = random.inertia(300);
  c.centre = random.vector(0.4);
  c.rho = place;
  c.rho_dot = random.vector(1e-3);
  c.omega = random.vector(0.02);
  c.attitude = random.quaternion();
  return c;
}

// Without size: nothing turns, and the c.m. is the origin.
Craft point(Craft c) {
  c.inertia = Sym3<double>::diagonal(1);
  c.centre = c.omega = {};
  c.attitude = {};
  return c;
}

System<double> in_orbit(const std::vector<Craft>& fleet, const OrbitalGravity<double>& gravity) {
  System<double> system;
  for (const Craft& c : fleet) {
    BodySpec<double> b;
    b.name = "craft" + std::to_string(system.model.body_count());
    b.mass = c.mass;
    b.r_CB_B = c.centre;
    b.I_C_B = c.inertia;
    b.q = {c.rho.x, c.rho.y, c.rho.z, c.attitude.w, c.attitude.x, c.attitude.y, c.attitude.z};
    b.v = {c.rho_dot.x, c.rho_dot.y, c.rho_dot.z, c.omega.x, c.omega.y, c.omega.z};
    system.model.add_body(b);
  }
  system.set_orbit(gravity, kOrbitPosition, kOrbitVelocity);
  return system;
}

// The absolute problem of one rigid body: r, v of the c.m., quaternion, ω.
struct Absolute {
  Quad mu, k;  // of (3)
  bool torque;
  test::Quad33 I;

  Quad3 field(const Quad3& r) const {
    const Quad r2 = dot(r, r), r1 = test::root(r2), r5 = r2 * r2 * r1;
    const Quad u = 5 * r.z * r.z / r2;
    const Quad central = -mu / (r2 * r1);
    return {(central - k * (1 - u) / r5) * r.x, (central - k * (1 - u) / r5) * r.y,
            (central - k * (3 - u) / r5) * r.z};
  }
  // ∫ ρ × G ρ dm = Σ (P e) × (G e) over the body axes e, with P = ½ tr(I) 1 − I and the slope G e of
  // the field by central differences over two metres: right to (1 m/r)², 2e-14.
  Quad3 gradient_torque(const Quad3& r, const test::Quad33& R) const {
    const Quad3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Quad half_trace = 0;
    for (const Quad3& e : axes) half_trace += dot(e, I * e) / 2;
    Quad3 sum{0, 0, 0};
    for (const Quad3& e : axes) {
      const Quad3 d = R * e;
      const Quad3 slope = Quad(0.5) * (field(r + d) - field(r - d));
      sum = sum + cross(half_trace * e - I * e, transpose(R) * slope);
    }
    return sum;
  }
  void operator()(Quad, const Quad* x, Quad* rate) const {
    const Quad3 r(x), v(x + 3), omega(x + 10);
    v.write(rate);
    field(r).write(rate + 3);
    test::quaternion_rate(x + 6, omega, rate + 6);
    Quad3 n = cross(I * omega, omega);
    if (torque) n = n + gradient_torque(r, test::turn(x + 6));
    solve(I, n).write(rate + 10);
  }
};

struct Pose {
  Quad3 r, r_C;
  test::Quad33 R;
};

Pose solve_absolute(const Craft& c, const OrbitalGravity<double>& g, double t, int steps) {
  const Quad k =
      Quad(3) / 2 * Quad(g.j2) * Quad(g.mu) * Quad(g.equatorial_radius) * Quad(g.equatorial_radius);
  const Absolute f{g.mu, k, g.gravity_gradient, test::symmetric(c.inertia)};
  // Unit length to all digits, not to the sixteen of a double.
  std::vector<Quad> x(13);
  Quad* q = x.data() + 6;
  q[0] = c.attitude.w, q[1] = c.attitude.x, q[2] = c.attitude.y, q[3] = c.attitude.z;
  const Quad size = test::root(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) q[i] /= size;
  const test::Quad33 R = test::turn(q);
  (Quad3(kOrbitPosition) + Quad3(c.rho) + R * Quad3(c.centre)).write(x.data());
  (Quad3(kOrbitVelocity) + Quad3(c.rho_dot) + R * cross(Quad3(c.omega), Quad3(c.centre)))
      .write(x.data() + 3);
  Quad3(c.omega).write(x.data() + 10);
  const test::QuadSolution s = test::solve_in_quad(f, x, 0, t, steps);
  EXPECT_LT(s.error, 1e-12);
  const test::Quad33 R_end = test::turn(s.x.data() + 6);
  return {Quad3(s.x.data()) - R_end * Quad3(c.centre), Quad3(s.x.data()), R_end};
}

void expect_the_absolute_motion(const std::vector<Craft>& fleet,
                                const OrbitalGravity<double>& gravity, int steps) {
  const System<double> system = in_orbit(fleet, gravity);
  HybridRun run(system, test::with_tolerance(1e-13));
  ASSERT_TRUE(run.advance(kOrbit).completed());
  const auto& motion = run.observe().motion;
  const test::OrbitState o = test::orbit_state(run);
  const Pose first = solve_absolute(fleet[0], gravity, kOrbit, steps);
  const Pose second = solve_absolute(fleet[1], gravity, kOrbit, steps);

  // Between the craft, metres: to a tenth of a nanometre.
  const Vec3<double> r = motion.body(2).r_BN_N - motion.body(1).r_BN_N;
  const Vec3<double> r_C = r + (motion.body(2).r_CB_N - motion.body(1).r_CB_N);
  EXPECT_LT(test::distance(r_C, second.r_C - first.r_C), 1e-10);
  EXPECT_LT(test::distance(r, second.r - first.r), 1e-10);
  // From the Earth's centre, megametres: to a micrometre.
  const Quad3 to_frame = Quad3(o.r_OE_N) + Quad3(o.r_CO_N);
  EXPECT_LT(test::distance(motion.body(1).r_BN_N, first.r - to_frame), 1e-6);
  EXPECT_LT(test::distance(motion.body(2).r_BN_N, second.r - to_frame), 1e-6);
  EXPECT_LT(test::distance(motion.body(1).R_NB, first.R), 1e-11);
  EXPECT_LT(test::distance(motion.body(2).R_NB, second.R), 1e-11);
  EXPECT_LT(run.audit().energy, 1e-12);
  EXPECT_LT(run.audit().linear_momentum, 1e-12);
  EXPECT_LT(run.audit().angular_momentum, 1e-12);
}

std::vector<Craft> random_pair(unsigned seed) {
  test::Random random(seed);
  const Vec3<double> half = random.direction();
  return {random_craft(random, half), random_craft(random, -half)};
}

TEST(TwoBodiesInOrbit, PointsFlyTheirOwnTwoBodyOrbits) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::vector<Craft> pair = random_pair(seed);
    for (Craft& c : pair) c = point(c);
    expect_the_absolute_motion(pair, test::earth_gravity(false), 20);
  }
}

TEST(TwoBodiesInOrbit, TumblingCraftWithoutGravityGradientDoToo) {
  expect_the_absolute_motion(random_pair(4), test::earth_gravity(false), 150);
}

TEST(TwoBodiesInOrbit, GravityGradientTurnsThemAsInTheAbsoluteProblem) {
  expect_the_absolute_motion(random_pair(5), test::earth_gravity(true), 150);
}

TEST(TwoBodiesInOrbit, OblatenessActsAsInTheAbsoluteProblem) {
  const OrbitalGravity<double> oblate = test::earth_gravity(true, 1.0826355254e-3);
  std::vector<Craft> points = random_pair(6);
  for (Craft& c : points) c = point(c);
  expect_the_absolute_motion(points, oblate, 20);
  expect_the_absolute_motion(random_pair(7), oblate, 150);
}

}  // namespace
}  // namespace berth::two_bodies_in_orbit_test
