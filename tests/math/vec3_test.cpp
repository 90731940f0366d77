// SPDX-License-Identifier: Apache-2.0
#include "berth/math/vec3.h"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tests/support/dense.h"
#include "tests/support/random.h"

namespace berth::vec3_test {
namespace {

using test::Random;
using test::to_eigen;
using V = Vec3<double>;
using M = Mat3<double>;
using S = Sym3<double>;

Eigen::Matrix3d to_eigen(const S& s) { return to_eigen(full(s)); }

template <class A, class B>
double off(const A& a, const B& b) {
  return (to_eigen(a) - b).cwiseAbs().maxCoeff();
}

M random_matrix(Random& r) { return M::columns(r.vector(), r.vector(), r.vector()); }
S random_symmetric(Random& r) {
  return {r.number(), r.number(), r.number(), r.number(), r.number(), r.number()};
}

constexpr double kRound = 2e-15;

TEST(Vec3, OperationsAreThoseOfEigen) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const V a = random.vector(), b = random.vector();
    const Eigen::Vector3d A = to_eigen(a), B = to_eigen(b);
    EXPECT_EQ(off(a + b, A + B), 0);
    EXPECT_EQ(off(a - b, A - B), 0);
    EXPECT_EQ(off(-a, -A), 0);
    EXPECT_EQ(off(2.5 * a, 2.5 * A), 0);
    EXPECT_NEAR(dot(a, b), A.dot(B), kRound);
    EXPECT_LT(off(cross(a, b), A.cross(B)), kRound);
    EXPECT_NEAR(norm(a), A.norm(), kRound);
    EXPECT_LT(off(normalised(a), A.normalized()), kRound);
    V c = a;
    c += b;
    EXPECT_EQ(c, a + b);
    c -= b;
    EXPECT_LT(norm(c - a), kRound);
  }
}

TEST(Vec3, IndexCountsXYZ) {
  V v{1, 2, 3};
  EXPECT_EQ(v[0], 1);
  EXPECT_EQ(v[1], 2);
  EXPECT_EQ(v[2], 3);
  v[1] = 7;
  EXPECT_EQ(v, (V{1, 7, 3}));
}

TEST(Mat3, OperationsAreThoseOfEigen) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const M a = random_matrix(random), b = random_matrix(random);
    const V v = random.vector();
    const Eigen::Matrix3d A = to_eigen(a), B = to_eigen(b);
    EXPECT_LT(off(a * b, A * B), kRound);
    EXPECT_EQ(off(a + b, A + B), 0);
    EXPECT_EQ(off(a - b, A - B), 0);
    EXPECT_EQ(off(0.3 * a, 0.3 * A), 0);
    EXPECT_LT(off(a * v, A * to_eigen(v)), kRound);
    EXPECT_LT(off(transposed_times(a, v), A.transpose() * to_eigen(v)), kRound);
    EXPECT_EQ(off(transpose(a), A.transpose()), 0);
  }
}

TEST(Mat3, ColumnsAreColumns) {
  const M m = M::columns({1, 2, 3}, {4, 5, 6}, {7, 8, 9});
  EXPECT_EQ(m.column_x(), (V{1, 2, 3}));
  EXPECT_EQ(m.column_y(), (V{4, 5, 6}));
  EXPECT_EQ(m.column_z(), (V{7, 8, 9}));
  EXPECT_EQ(m * (V{1, 0, 0}), m.column_x());
  EXPECT_EQ(m.xy, 4);
}

TEST(Mat3, CrossMatrixTimesAVectorIsTheCrossProduct) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const V a = random.vector(), b = random.vector();
    const M m = random_matrix(random);
    const S s = random_symmetric(random);
    EXPECT_LT(norm(cross_matrix(a) * b - cross(a, b)), kRound);
    EXPECT_LT(off(cross(a, m), to_eigen(cross_matrix(a)) * to_eigen(m)), kRound);
    EXPECT_LT(off(cross(a, s), to_eigen(cross_matrix(a)) * to_eigen(s)), kRound);
  }
}

TEST(Sym3, OperationsAreThoseOfTheFullMatrix) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const S a = random_symmetric(random), b = random_symmetric(random);
    const V v = random.vector(), w = random.vector();
    EXPECT_EQ(off(a + b, to_eigen(a) + to_eigen(b)), 0);
    EXPECT_EQ(off(a - b, to_eigen(a) - to_eigen(b)), 0);
    EXPECT_EQ(off(3.0 * a, 3.0 * to_eigen(a)), 0);
    EXPECT_LT(off(a * v, to_eigen(a) * to_eigen(v)), kRound);
    EXPECT_LT(off(outer(v), to_eigen(v) * to_eigen(v).transpose()), kRound);
    EXPECT_LT(off(outer(v, w), to_eigen(v) * to_eigen(w).transpose()), kRound);
    EXPECT_NEAR(trace(a), to_eigen(a).trace(), kRound);
    S c = a;
    c += b;
    EXPECT_EQ(c, a + b);
  }
  EXPECT_EQ(S::diagonal(2), S::diagonal(2, 2, 2));
}

// R need not be a rotation for the formula to hold.
TEST(Sym3, RotateIsTheTripleProduct) {
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const M R = i % 2 ? random.rotation() : random_matrix(random);
    const S s = random_symmetric(random);
    EXPECT_LT(off(rotate(R, s), to_eigen(R) * to_eigen(s) * to_eigen(R).transpose()), 4 * kRound);
  }
}

TEST(Sym3, RotationKeepsPrincipalMoments) {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const S s = random.inertia(10);
    const Eigen::VectorXd before = test::symmetric_eigenvalues(to_eigen(s));
    const Eigen::VectorXd after =
        test::symmetric_eigenvalues(to_eigen(rotate(random.rotation(), s)));
    EXPECT_LT((before - after).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(Sym3, PointInertiaIsMinusMassTimesCrossMatrixSquared) {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const V r = random.vector(3);
    const double m = random.number(0.1, 10);
    const Eigen::Matrix3d X = to_eigen(cross_matrix(r));
    EXPECT_LT(off(point_inertia(m, r), -m * X * X), 1e-13);
  }
  // A kilogram two metres up the x axis turns about y and z only.
  EXPECT_EQ(point_inertia(1.0, V{2, 0, 0}), S::diagonal(0, 4, 4));
  // Products of inertia are matrix entries: −∫xy dm.
  EXPECT_EQ(point_inertia(2.0, V{1, 3, 0}).xy, -6);
}

TEST(Sym3Factor, SolvesWhatEigenSolves) {
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    const S s = random.inertia(std::exp(random.number(-10, 10)));
    const V b = random.vector();
    const Eigen::Vector3d x = to_eigen(s).ldlt().solve(to_eigen(b));
    EXPECT_LT(off(Sym3Factor<double>(s).solve(b), x), 1e-14 * (x.norm() + 1e-300) * 20);
  }
}

TEST(Sym3Factor, LeavesASmallResidualOnIllConditionedMatrices) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const double spread = std::pow(10.0, random.number(0, 10));
    const S s = rotate(random.rotation(), S::diagonal(1, spread, std::sqrt(spread)));
    const V b = random.vector();
    const V x = Sym3Factor<double>(s).solve(b);
    EXPECT_LT(norm(s * x - b), 1e-14 * (spread * norm(x) + norm(b)));
  }
}

}  // namespace
}  // namespace berth::vec3_test
