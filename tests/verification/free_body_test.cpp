// SPDX-License-Identifier: Apache-2.0

// A free rigid body: flips about the intermediate axis, Jacobi's elliptic functions, and any other
// body and rate against Euler's equations in quadruple precision.

#include <algorithm>
#include <array>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/support/reference.h"
#include "tests/support/runs.h"
#include "tests/verification/closed_forms.h"
#include "tests/verification/quad.h"

namespace berth::free_body_test {
namespace {

using test::Quad;
using test::Quad3;

System<double> free_body(const Sym3<double>& inertia, const Vec3<double>& omega,
                         const Vec3<double>& centre = {}) {
  System<double> system;
  BodySpec<double> body;
  body.name = "body";
  body.mass = 3;
  body.r_CB_B = centre;
  body.I_C_B = inertia;
  // The c.m. stays at rest: the origin B circles around it.
  const Vec3<double> v = -cross(omega, centre);
  body.q = {-centre.x, -centre.y, -centre.z, 1, 0, 0, 0};
  body.v = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
  system.model.add_body(body);
  return system;
}

Vec3<double> omega_B(HybridRun& run) {
  const BodyMotion<double>& b = run.observe().motion.body(1);
  return transposed_times(b.R_NB, b.omega_BN_N);
}

// Quaternion and ω in body axes at t, from Euler's equations.
test::QuadSolution solve_euler(const Sym3<double>& inertia, const Vec3<double>& omega, double t,
                               int steps) {
  const test::Quad33 I = test::symmetric(inertia);
  const auto f = [&](Quad, const Quad* x, Quad* rate) {
    const Quad3 w(x + 4);
    test::quaternion_rate(x, w, rate);
    solve(I, cross(I * w, w)).write(rate + 4);
  };
  return test::solve_in_quad(f, {1, 0, 0, 0, omega.x, omega.y, omega.z}, 0, t, steps);
}

TEST(FreeBody, FlipsAboutItsIntermediateAxisAsPublished) {
  const Vec3<double> start{0.1, 15, 0.1};
  const System<double> system = free_body(Sym3<double>::diagonal(0.3, 0.35, 0.4), start);
  HybridRun run(system, test::with_tolerance(1e-13));
  run.advance(10);
  const Vec3<double> at_ten = omega_B(run);
  const test::QuadSolution reference = solve_euler(system.model.body(1).I_C_B, start, 10, 400);
  ASSERT_LT(reference.error, 1e-16);
  // Close to the separatrix: rounding of T and h is magnified 2e4 times in the time of a flip.
  EXPECT_LT(test::distance(at_ten, Quad3(reference.x.data() + 4)), 1e-8);
  const test::Reference ref("benchmarks");
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(at_ten[k], ref.vector("flip.10")[k], 1.5e-8);
  // The period is printed to a nanosecond, in which ω moves by less than 1e-9 rad/s here.
  run.advance(ref("flip.period"));
  EXPECT_LT(norm(omega_B(run) - start), 1e-8);
}

// With ω₂(0) = 0 and I₁ < I₂ < I₃ the phase is zero: ω = (a cn, b sn, c dn) when the motion circles
// the third axis, (a dn, b sn, c cn) when it circles the first.
struct Elliptic {
  double I[3], a, c;  // moments; ω₁(0), ω₃(0)

  double energy2() const { return I[0] * a * a + I[2] * c * c; }
  double momentum2() const { return I[0] * I[0] * a * a + I[2] * I[2] * c * c; }
  bool circles_third() const { return momentum2() > energy2() * I[1]; }
  // First and third axes change roles in the other case.
  int inner() const { return circles_third() ? 0 : 2; }
  int outer() const { return circles_third() ? 2 : 0; }

  double speed() const {  // of the argument of sn, cn, dn
    const double s = (I[outer()] - I[1]) * (momentum2() - energy2() * I[inner()]);
    return std::sqrt(s / (I[0] * I[1] * I[2]));
  }
  double parameter() const {
    return (I[1] - I[inner()]) * (energy2() * I[outer()] - momentum2()) /
           ((I[outer()] - I[1]) * (momentum2() - energy2() * I[inner()]));
  }
  double period() const {
    return 2 * std::numbers::pi / (speed() * test::agm(1, std::sqrt(1 - parameter())));
  }
  Vec3<double> at(double t) const {
    const test::Jacobi j = test::jacobi(speed() * t, parameter());
    const double b =
        std::sqrt((energy2() * I[outer()] - momentum2()) / (I[1] * (I[outer()] - I[1])));
    return circles_third() ? Vec3<double>{a * j.cn, b * j.sn, c * j.dn}
                           : Vec3<double>{a * j.dn, b * j.sn, c * j.cn};
  }
};

TEST(FreeBody, TurnsByJacobisEllipticFunctions) {
  test::Random random(3);
  int third = 0;
  for (int i = 0; i < 20; ++i) {
    // Moments a + b of three positive lengths obey the triangle inequality.
    std::array<double, 3> part{random.number(0.2, 2), random.number(0.2, 2), random.number(0.2, 2)};
    std::sort(part.begin(), part.end());
    const Elliptic e{{part[0] + part[1], part[0] + part[2], part[1] + part[2]},
                     random.number(0.1, 3),
                     random.number(0.1, 3)};
    third += e.circles_third();
    const System<double> system =
        free_body(Sym3<double>::diagonal(e.I[0], e.I[1], e.I[2]), {e.a, 0, e.c}, {0.3, -0.2, 0.5});
    HybridRun run(system, test::with_tolerance(1e-13));
    for (const double t : {1.0, 3.0, 10.0}) {
      run.advance(t);
      EXPECT_LT(norm(omega_B(run) - e.at(t)), 1e-11) << "case " << i << ", t = " << t;
    }
    // Long periods lie near the separatrix, where every error grows.
    if (e.period() > 40) continue;
    run.advance(10 + e.period());
    EXPECT_LT(norm(omega_B(run) - e.at(10)), 1e-11) << "case " << i;
  }
  EXPECT_GT(third, 3);
  EXPECT_LT(third, 17);
}

TEST(FreeBody, FollowsEulersEquationsInQuadruplePrecision) {
  test::Random random(4);
  for (int i = 0; i < 8; ++i) {
    const Sym3<double> inertia = random.inertia(2);
    const Vec3<double> omega = random.vector(4), centre = random.vector(0.5);
    const test::QuadSolution reference = solve_euler(inertia, omega, 10, 25);
    ASSERT_LT(reference.error, 1e-15);

    const System<double> system = free_body(inertia, omega, centre);
    HybridRun run(system, test::with_tolerance(1e-13));
    run.advance(10);
    const BodyMotion<double>& b = run.observe().motion.body(1);
    const test::Quad33 R = test::turn(reference.x.data());
    EXPECT_LT(test::distance(b.R_NB, R), 1e-12) << "case " << i;
    EXPECT_LT(test::distance(omega_B(run), Quad3(reference.x.data() + 4)), 1e-11);
    // The origin hangs on the c.m., which has stayed where it was.
    EXPECT_LT(test::distance(b.r_BN_N, Quad(-1) * (R * Quad3(centre))), 1e-11);
    EXPECT_LT(run.audit().energy, 1e-13);
    EXPECT_LT(run.audit().angular_momentum, 1e-13);
  }
}

}  // namespace
}  // namespace berth::free_body_test
