// SPDX-License-Identifier: Apache-2.0
#include "berth/math/rotation.h"

#include <cmath>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/dense.h"
#include "tests/support/random.h"

namespace berth::rotation_test {
namespace {

using test::Random;
using test::to_eigen;
using Q = Quaternion<double>;
using V = Vec3<double>;
using M = Mat3<double>;

double distance(const M& a, const M& b) {
  return (to_eigen(a) - to_eigen(b)).cwiseAbs().maxCoeff();
}
// Between the rotations, whatever the signs.
double distance(const Q& a, const Q& b) { return distance(rotation_matrix(a), rotation_matrix(b)); }

// Attitudes of every kind: any, half turns about any axis and about the coordinate axes, almost
// half turns, almost none, none.
std::vector<Q> attitudes() {
  Random random(1);
  std::vector<Q> all = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (int i = 0; i < 300; ++i) all.push_back(random.quaternion());
  for (int i = 0; i < 100; ++i) {
    const V a = random.direction();
    all.push_back({0, a.x, a.y, a.z});
    for (double from_half : {1e-3, 1e-6, 1e-9, 1e-14, 1e-17}) {
      const double s = std::cos(from_half), c = std::sin(from_half);
      all.push_back({c, s * a.x, s * a.y, s * a.z});
    }
    for (double half : {0.3, 1e-2, 1e-4, 0.7e-4, 0.4e-4, 1e-6, 1e-9, 1e-15, 1e-200}) {
      const double c = std::cos(half), s = std::sin(half);
      all.push_back({c, s * a.x, s * a.y, s * a.z});
    }
  }
  return all;
}

TEST(Rotation, MatrixAgreesWithEigen) {
  for (const Q& q : attitudes()) {
    const Eigen::Matrix3d R = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    EXPECT_LT((to_eigen(rotation_matrix(q)) - R).cwiseAbs().maxCoeff(), 3e-15);
  }
}

TEST(Rotation, MatrixTakesBodyComponentsToInertialOnes) {
  // A quarter turn about z takes body x to inertial y.
  const double h = std::sqrt(0.5);
  const V v = rotation_matrix(Q{h, 0, 0, h}) * V{1, 0, 0};
  EXPECT_NEAR(v.x, 0, 1e-16);
  EXPECT_NEAR(v.y, 1, 1e-15);
  EXPECT_NEAR(v.z, 0, 1e-16);
}

TEST(Rotation, MatrixIsTheSandwichProduct) {
  Random random(2);
  for (const Q& q : attitudes()) {
    const V v = random.vector();
    const Q turned = q * Q{0, v.x, v.y, v.z} * conjugate(q);
    const V w = rotation_matrix(q) * v;
    EXPECT_LT(norm(w - V{turned.x, turned.y, turned.z}), 2e-15);
    EXPECT_NEAR(turned.w, 0, 1e-15);
  }
}

TEST(Rotation, MatrixOfAProductIsTheProductOfMatrices) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Q a = random.quaternion(), b = random.quaternion();
    EXPECT_LT(distance(rotation_matrix(a * b), rotation_matrix(a) * rotation_matrix(b)), 2e-15);
    EXPECT_LT(distance(rotation_matrix(conjugate(a)), transpose(rotation_matrix(a))), 1e-15);
  }
}

TEST(Rotation, MatrixIsProperForAQuaternionOfAnyLength) {
  Random random(4);
  for (double length : {1e-3, 0.999, 1.0, 1.001, 1e3}) {
    const Q u = random.quaternion();
    const Q q{length * u.w, length * u.x, length * u.y, length * u.z};
    const Eigen::Matrix3d R = to_eigen(rotation_matrix(q));
    EXPECT_LT((R * R.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
    EXPECT_LT(distance(q, u), 1e-14);
  }
}

TEST(Rotation, QuaternionOfAMatrixGivesTheMatrixBack) {
  for (const Q& q : attitudes()) {
    const M R = rotation_matrix(q);
    const Q back = quaternion(R);
    EXPECT_LT(distance(rotation_matrix(back), R), 2e-15);
    EXPECT_NEAR(norm_squared(back), 1, 1e-15);
    EXPECT_GE(back.w, 0);
  }
}

// Attitude from matrix loses half the digits of a small angle in naive formulas; not here.
TEST(Rotation, QuaternionOfAMatrixKeepsSmallAngles) {
  Random random(5);
  for (double half : {1e-3, 1e-6, 1e-10, 1e-14}) {
    const V a = random.direction();
    const Q q{std::cos(half), std::sin(half) * a.x, std::sin(half) * a.y, std::sin(half) * a.z};
    const Q back = quaternion(rotation_matrix(q));
    EXPECT_LT(norm(V{back.x - q.x, back.y - q.y, back.z - q.z}), 1e-15 * half + 1e-30);
  }
}

TEST(Rotation, CanonicalFormHasUnitLengthAndNoNegativeScalarPart) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const double size = std::exp(random.number(-5, 5));
    const Q q{size * random.number(), size * random.number(), size * random.number(),
              size * random.number()};
    const Q c = canonical(q);
    EXPECT_GE(c.w, 0);
    EXPECT_NEAR(norm_squared(c), 1, 4e-16 * 2);
    EXPECT_LT(distance(c, q), 1e-14);
    EXPECT_LT(distance(canonical(Q{-q.w, -q.x, -q.y, -q.z}), c), 1e-15);
    const Q again = canonical(c);
    EXPECT_LT(std::fabs(again.w - c.w) + std::fabs(again.x - c.x), 4e-16);
  }
}

TEST(Rotation, RodriguesParametersAreTheTangentOfAQuarterOfTheAngle) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const V a = random.direction();
    const double angle = i < 10 ? std::pow(10.0, -i) : random.number(0, M_PI);
    const V sigma = mrp(quaternion_from_rotation_vector(angle * a));
    EXPECT_LT(norm(sigma - std::tan(angle / 4) * a), 4e-16 * (1 + std::tan(angle / 4)));
  }
}

TEST(Rotation, RodriguesParametersNeverExceedOneAndForgetTheSignOfTheQuaternion) {
  for (const Q& q : attitudes()) {
    const V sigma = mrp(q);
    EXPECT_LE(norm(sigma), 1 + 4e-16);
    const V other = mrp(Q{-q.w, -q.x, -q.y, -q.z});
    // At a half turn both signs are the same attitude; there σ may be either of the two.
    if (q.w != 0) {
      EXPECT_EQ(other, sigma);
    }
    EXPECT_LT(distance(quaternion_from_mrp(other), q), 4e-15);
  }
}

TEST(Rotation, RodriguesParametersOfAQuaternionOfAnyLengthAreThoseOfTheUnitOne) {
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    const Q q = random.quaternion();
    const double k = std::exp(random.number(-3, 3)) * (i % 2 ? 1 : -1);
    EXPECT_LT(norm(mrp(Q{k * q.w, k * q.x, k * q.y, k * q.z}) - mrp(q)), 1e-15);
  }
}

TEST(Rotation, EveryKindComesBackThroughEveryOther) {
  for (const Q& q : attitudes()) {
    const M R = rotation_matrix(q);
    EXPECT_LT(distance(quaternion_from_mrp(mrp(q)), q), 4e-15);
    EXPECT_LT(distance(quaternion_from_mrp(mrp(R)), q), 4e-15);
    EXPECT_LT(distance(quaternion_from_rotation_vector(rotation_vector(q)), q), 4e-15);
    EXPECT_LT(distance(quaternion_from_rotation_vector(rotation_vector(quaternion(R))), q), 4e-15);
    const V phi = rotation_vector(q);
    EXPECT_LE(norm(phi), M_PI + 1e-15);
    const Q p = quaternion_from_mrp(mrp(quaternion_from_rotation_vector(phi)));
    EXPECT_LT(distance(rotation_matrix(p), R), 6e-15);
  }
}

TEST(Rotation, RotationVectorIsAngleTimesAxis) {
  Random random(9);
  for (int i = 0; i < 300; ++i) {
    const V a = random.direction();
    // Both sides of where the series hands over to the closed form, and far below.
    const double angle = i < 100   ? random.number(0, 3.14)
                         : i < 200 ? random.number(0.5e-4, 3e-4)
                                   : std::pow(10.0, -random.number(3, 300));
    const Eigen::Quaterniond e(Eigen::AngleAxisd(angle, Eigen::Vector3d(a.x, a.y, a.z)));
    const Q q = quaternion_from_rotation_vector(angle * a);
    EXPECT_NEAR(q.w, e.w(), 3e-16);
    EXPECT_LT(norm(V{q.x - e.x(), q.y - e.y(), q.z - e.z()}), 3e-16 * std::min(1.0, 4 * angle));
    EXPECT_LT(norm(rotation_vector(q) - angle * a), 2e-15 * angle) << angle;
  }
}

TEST(Rotation, RotationVectorBeyondAHalfTurnComesBackAsTheShortWay) {
  Random random(10);
  const V a = random.direction();
  for (double angle : {3.2, 4.0, 6.0, 7.0, 20.0}) {
    const V phi = rotation_vector(quaternion_from_rotation_vector(angle * a));
    EXPECT_NEAR(dot(phi, a), std::remainder(angle, 2 * M_PI), 1e-14);
    EXPECT_LT(norm(cross(phi, a)), 1e-14);
  }
}

TEST(Rotation, NoRotationIsExactlyNoRotationInEveryKind) {
  const Q none{1, 0, 0, 0};
  EXPECT_EQ(rotation_matrix(none), M::identity());
  EXPECT_EQ(quaternion(M::identity()), none);
  EXPECT_EQ(mrp(none), V{});
  EXPECT_EQ(rotation_vector(none), V{});
  EXPECT_EQ(quaternion_from_mrp(V{}), none);
  EXPECT_EQ(quaternion_from_rotation_vector(V{}), none);
}

// q(t + h) by turning on with ω for ±h, differentiated.
TEST(Rotation, QuaternionRateIsTheSlopeOfASteadyTurn) {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    const Q q = random.quaternion();
    const V omega_BN_B = random.vector(2);
    const auto at = [&](double h) { return q * quaternion_from_rotation_vector(h * omega_BN_B); };
    const double h = 1e-4;
    const Q a = at(h), b = at(-h), d = quaternion_rate(q, omega_BN_B);
    const auto slope = [&](double x, double y) { return (x - y) / (2 * h); };
    EXPECT_NEAR(d.w, slope(a.w, b.w), 1e-8);
    EXPECT_NEAR(d.x, slope(a.x, b.x), 1e-8);
    EXPECT_NEAR(d.y, slope(a.y, b.y), 1e-8);
    EXPECT_NEAR(d.z, slope(a.z, b.z), 1e-8);
    EXPECT_NEAR(q.w * d.w + q.x * d.x + q.y * d.y + q.z * d.z, 0, 1e-15);
  }
}

// Ṙ_NB = R_NB [ω_BN_B]: rates given in body axes.
TEST(Rotation, QuaternionRateMovesTheMatrixAsBodyRatesDo) {
  Random random(12);
  for (int i = 0; i < 50; ++i) {
    const Q q = random.quaternion();
    const V omega_BN_B = random.vector(2);
    const Q d = quaternion_rate(q, omega_BN_B);
    const auto at = [&](double h) {
      return rotation_matrix(Q{q.w + h * d.w, q.x + h * d.x, q.y + h * d.y, q.z + h * d.z});
    };
    const double h = 1e-4;
    const M slope = (1 / (2 * h)) * (at(h) - at(-h));
    EXPECT_LT(distance(slope, rotation_matrix(q) * cross_matrix(omega_BN_B)), 1e-7);
  }
}

TEST(Rotation, RotationAboutAnAxisIsThatOfItsRotationVector) {
  Random random(13);
  for (int i = 0; i < 200; ++i) {
    const V a = random.direction();
    const double angle = random.number(-7, 7);
    EXPECT_LT(distance(rotation_about(a, angle),
                       rotation_matrix(quaternion_from_rotation_vector(angle * a))),
              3e-15);
  }
}

TEST(Rotation, AxesFromXAndZAreARightHandedTriad) {
  Random random(14);
  for (int i = 0; i < 100; ++i) {
    const V x = random.vector(3), z = random.vector(2);
    if (norm(cross(x, z)) < 0.1) continue;
    const Eigen::Matrix3d R = to_eigen(axes_from_x_and_z(x, z));
    EXPECT_LT((R * R.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1, 1e-14);
    const M m = axes_from_x_and_z(x, z);
    EXPECT_LT(norm(m.column_x() - normalised(x)), 1e-15);
    EXPECT_GT(dot(m.column_z(), z), 0);
    // z lies in the plane of x and the hint.
    EXPECT_NEAR(dot(m.column_y(), z), 0, 1e-14);
  }
}

RC_GTEST_PROP(Rotation, AttitudeErrorsAreTheSameHoweverTheyAreFormed, (unsigned seed)) {
  Random random(seed);
  const Q q_ref = random.quaternion(), q = random.quaternion();
  const V by_matrix = mrp(transpose(rotation_matrix(q_ref)) * rotation_matrix(q));
  const V by_quaternion = mrp(conjugate(q_ref) * q);
  // Next to a half turn the two may choose opposite ways round.
  RC_PRE(norm(by_quaternion) < 0.999);
  RC_ASSERT(norm(by_matrix - by_quaternion) < 1e-14);
}

}  // namespace
}  // namespace berth::rotation_test
