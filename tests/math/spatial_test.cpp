// SPDX-License-Identifier: Apache-2.0
#include "berth/math/spatial.h"

#include <gtest/gtest.h>

#include "tests/support/dense.h"
#include "tests/support/random.h"

namespace berth::spatial_test {
namespace {

using test::Random;
using test::to_eigen;
using V = Vec3<double>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 stack(const V& a, const V& b) {
  Vector6 v;
  v << to_eigen(a), to_eigen(b);
  return v;
}
Matrix6 to_eigen(const Inertia6<double>& A) {
  Matrix6 m;
  m << to_eigen(full(A.I)), to_eigen(A.H), to_eigen(A.H).transpose(), to_eigen(full(A.M));
  return m;
}
// Motion at Q => motion at P, r = r_PQ:  a_P = a_Q + α × r.
Matrix6 motion_shift(const V& r) {
  Matrix6 X = Matrix6::Identity();
  X.bottomLeftCorner<3, 3>() = -to_eigen(cross_matrix(r));
  return X;
}

// A random symmetric positive definite 6×6, as articulated inertias are: rigid bodies here and
// there with some of their freedom taken away.
Inertia6<double> random_inertia(Random& random) {
  Inertia6<double> A = rigid_inertia(random.number(1, 5), random.vector(), random.inertia(2));
  for (int i = 0; i < 2; ++i)
    A += shift(rigid_inertia(random.number(0.5, 2), random.vector(), random.inertia()),
               random.vector(2));
  A.M += 0.3 * outer(random.vector());  // mass that differs with direction
  return A;
}

TEST(Spatial, RigidInertiaGivesForceAndTorqueOfNewtonAndEuler) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const double m = random.number(0.5, 4);
    const V c = random.vector(), alpha = random.vector(), a = random.vector();
    const Sym3<double> I_C = random.inertia();
    const Wrench<double> w = rigid_inertia(m, c, I_C) * Motion6<double>{alpha, a};
    const V f = m * (a + cross(alpha, c));
    EXPECT_LT(norm(w.force - f), 1e-14);
    EXPECT_LT(norm(w.torque - (I_C * alpha + cross(c, f))), 1e-14);
  }
}

TEST(Spatial, InertiaTimesMotionIsTheSixBySixProduct) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Inertia6<double> A = random_inertia(random);
    const Motion6<double> m{random.vector(), random.vector()};
    const Wrench<double> w = A * m;
    EXPECT_LT((stack(w.torque, w.force) - to_eigen(A) * stack(m.angular, m.linear)).norm(), 1e-13);
  }
}

TEST(Spatial, ShiftedInertiaIsTheCongruenceWithTheMotionShift) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Inertia6<double> A = random_inertia(random);
    const V r = random.vector(3);
    const Matrix6 X = motion_shift(r);
    const Matrix6 wanted = X.transpose() * to_eigen(A) * X;
    EXPECT_LT((to_eigen(shift(A, r)) - wanted).cwiseAbs().maxCoeff(), 1e-13 * wanted.norm());
  }
}

TEST(Spatial, ShiftedRigidInertiaIsThatOfTheBodyFartherAway) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const double m = random.number(0.5, 4);
    const V c = random.vector(), r = random.vector(3);
    const Sym3<double> I_C = random.inertia();
    const Matrix6 a = to_eigen(shift(rigid_inertia(m, c, I_C), r));
    const Matrix6 b = to_eigen(rigid_inertia(m, c + r, I_C));
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-13 * b.norm());
  }
}

TEST(Spatial, ShiftThereAndBackIsNoShift) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Inertia6<double> A = random_inertia(random);
    const V r = random.vector();
    EXPECT_LT((to_eigen(shift(shift(A, r), -r)) - to_eigen(A)).norm(), 1e-13 * to_eigen(A).norm());
    const Wrench<double> w{random.vector(), random.vector()};
    const Wrench<double> w_back = shift(shift(w, r), -r);
    EXPECT_LT(norm(w_back.torque - w.torque), 1e-15);
    EXPECT_EQ(w_back.force, w.force);
    const Motion6<double> m{random.vector(), random.vector()};
    const Motion6<double> m_back = shift(shift(m, r), -r);
    EXPECT_LT(norm(m_back.linear - m.linear), 1e-15);
    EXPECT_EQ(m_back.angular, m.angular);
  }
}

// f = A a before the shift stays f′ = A′ a′ after it; so does the power.
TEST(Spatial, ShiftsOfInertiaMotionAndWrenchBelongTogether) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const Inertia6<double> A = random_inertia(random);
    const V r_PQ = random.vector(2);
    const Motion6<double> at_Q{random.vector(), random.vector()};
    const Motion6<double> at_P = shift(at_Q, r_PQ);
    const Wrench<double> w = A * at_P;
    const Wrench<double> moved = shift(w, r_PQ), direct = shift(A, r_PQ) * at_Q;
    EXPECT_LT(norm(moved.torque - direct.torque) + norm(moved.force - direct.force), 1e-12);
    EXPECT_NEAR(power(w, at_P), power(moved, at_Q), 1e-12);
  }
}

TEST(Spatial, SolveGivesWhatEigenGives) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    Inertia6<double> A = random_inertia(random);
    if (i % 2) A = shift(A, random.vector(10));
    const Wrench<double> w{random.vector(), random.vector()};
    const Motion6<double> m = solve(A, w);
    const Vector6 x = test::solve_definite(to_eigen(A), stack(w.torque, w.force)).col(0);
    EXPECT_LT((stack(m.angular, m.linear) - x).norm(), 1e-11 * x.norm());
  }
}

TEST(Spatial, SolveIsTheInverseOfTimes) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    const Inertia6<double> A = random_inertia(random);
    const Motion6<double> m{random.vector(), random.vector()};
    const Motion6<double> back = solve(A, A * m);
    EXPECT_LT(norm(back.angular - m.angular) + norm(back.linear - m.linear), 1e-12);
  }
}

TEST(Spatial, WrenchesAddAndSubtract) {
  const Wrench<double> a{{1, 2, 3}, {4, 5, 6}}, b{{10, 20, 30}, {40, 50, 60}};
  Wrench<double> c = a;
  c += b;
  EXPECT_EQ(c.torque, (V{11, 22, 33}));
  EXPECT_EQ(c.force, (a + b).force);
  c -= b;
  EXPECT_EQ(c.torque, a.torque);
  EXPECT_EQ((-a).force, (V{-4, -5, -6}));
  EXPECT_EQ((-a).torque, (V{-1, -2, -3}));
}

}  // namespace
}  // namespace berth::spatial_test
