// SPDX-License-Identifier: Apache-2.0
#include "berth/system/dynamics.h"

#include <gtest/gtest.h>

#include "berth/system/kinematics.h"
#include "tests/support/dense.h"
#include "tests/support/numbers.h"
#include "tests/support/random.h"

namespace berth::dynamics_test {
namespace {

using test::largest_difference;
using test::Random;
using test::random_forest;

// A forest at its initial state with random loads, accelerations solved.
struct Case {
  explicit Case(unsigned seed, int bodies = 12, bool on_ground_too = true)
      : model(random_forest(seed, bodies, on_ground_too)) {
    motion.bodies.resize(model.bodies.size());
    find_motion<double>(model, model.q0, model.v0, motion);
    effort.resize(model);
    Random random(seed + 1000);
    for (double& t : effort.tau) t = random.number();
    for (auto& w : effort.wrenches) w = {random.vector(), random.vector()};
    work.resize(model);
    v_dot.resize(model.v0.size());
    solve_accelerations<double>(model, motion, effort, work, v_dot);
  }
  Eigen::MatrixXd mass_matrix() const { return test::find_dense_mass_matrix(model, motion); }
  Model<double> model;
  Motion<double> motion;
  Effort<double> effort;
  Articulated<double> work;
  std::vector<double> v_dot;
};

TEST(Dynamics, InverseDynamicsGivesBackTheJointEfforts) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    Case c(seed);
    std::vector<double> tau(c.v_dot.size());
    find_joint_efforts<double>(c.model, c.motion, c.effort, c.v_dot, tau);
    double scale = 1;
    for (double a : c.v_dot) scale = std::max(scale, std::fabs(a));
    EXPECT_LT(largest_difference(tau, c.effort.tau), 1e-11 * scale) << "seed " << seed;
  }
}

TEST(Dynamics, MassMatrixTimesAccelerationIsEffortMinusBias) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    Case c(seed);
    const auto n = static_cast<Eigen::Index>(c.v_dot.size());
    std::vector<double> zero(c.v_dot.size(), 0.0), bias(c.v_dot.size());
    find_joint_efforts<double>(c.model, c.motion, c.effort, zero, bias);
    const Eigen::Map<Eigen::VectorXd> tau(c.effort.tau.data(), n), b(bias.data(), n),
        a(c.v_dot.data(), n);
    const Eigen::VectorXd residual = test::product(c.mass_matrix(), a) - (tau - b);
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-11 * (1 + a.cwiseAbs().maxCoeff()))
        << "seed " << seed;
  }
}

TEST(Dynamics, KineticEnergyIsHalfOfSpeedsTimesMassMatrixTimesSpeeds) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Case c(seed);
    const Eigen::Map<const Eigen::VectorXd> v(c.model.v0.data(),
                                              static_cast<Eigen::Index>(c.model.v0.size()));
    const double T = find_kinetic_energy(c.model, c.motion);
    EXPECT_NEAR(T, 0.5 * v.dot(test::product(c.mass_matrix(), v).col(0)), 1e-13 * T);
  }
}

TEST(Dynamics, JacobianTimesSpeedsIsTheMotionOfThePoint) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Case c(seed);
    Random random(seed);
    const std::size_t n = c.model.v0.size();
    for (int body = 1; body < c.model.body_count(); ++body) {
      const Vec3<double> r_PB_B = random.vector();
      std::vector<double> J(6 * n);
      find_jacobian<double>(c.model, c.motion, body, r_PB_B, J);
      const BodyMotion<double>& m = c.motion.body(body);
      const Vec3<double> v = m.velocity_at(m.R_NB * r_PB_B);
      for (std::size_t row = 0; row < 6; ++row) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += J[row * n + k] * c.model.v0[k];
        const double wanted =
            row < 3 ? m.omega_BN_N[static_cast<int>(row)] : v[static_cast<int>(row) - 3];
        EXPECT_NEAR(sum, wanted, 1e-13 * 50);
      }
    }
  }
}

TEST(Dynamics, PrescribedAccelerationsComeBackAndTheirEffortsReproduceThem) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Case c(seed);
    Random random(seed + 7);
    Prescribed<double> given;
    given.is.assign(c.model.bodies.size(), 0);
    given.acceleration.assign(c.model.bodies.size(), 0.0);
    for (int i = 1; i < c.model.body_count(); ++i) {
      if (shape(c.model.body(i).joint).speeds != 1) continue;
      given.is[static_cast<std::size_t>(i)] = 1;
      given.acceleration[static_cast<std::size_t>(i)] = random.number();
    }
    std::vector<double> with_given(c.v_dot.size());
    solve_accelerations<double>(c.model, c.motion, c.effort, c.work, with_given, &given);
    // Put the efforts those joints needed on the joints and let all of them free again.
    for (int i = 1; i < c.model.body_count(); ++i) {
      if (!given.is[static_cast<std::size_t>(i)]) continue;
      const Wrench<double> w = find_joint_wrench(c.model, c.motion, c.work, i);
      const Vec3<double>& a = c.motion.body(i).axis_N;
      const bool turns = c.model.body(i).joint == JointType::revolute;
      c.effort.joint(c.model.body(i).v) = dot(a, turns ? w.torque : w.force);
    }
    solve_accelerations<double>(c.model, c.motion, c.effort, c.work, c.v_dot);
    double scale = 1;
    for (double a : c.v_dot) scale = std::max(scale, std::fabs(a));
    EXPECT_LT(largest_difference(c.v_dot, with_given), 1e-11 * scale) << "seed " << seed;
  }
}

// The whole machinery against the definition: differentiate the momentum numerically.
TEST(Dynamics, FreeForestKeepsItsMomentum) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Case c(seed, 12, false);
    c.effort.clear();
    solve_accelerations<double>(c.model, c.motion, c.effort, c.work, c.v_dot);
    std::vector<double> q_dot(c.model.q0.size());
    find_rates<double>(c.model, c.model.q0, c.model.v0, q_dot);
    const auto momentum_at = [&](double h) {
      std::vector<double> q = c.model.q0, v = c.model.v0;
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * q_dot[i];
      for (std::size_t i = 0; i < v.size(); ++i) v[i] += h * c.v_dot[i];
      Motion<double> m;
      m.bodies.resize(c.model.bodies.size());
      find_motion<double>(c.model, q, v, m);
      return find_momentum(c.model, m);
    };
    const double h = 1e-5;
    const Momentum<double> a = momentum_at(h), b = momentum_at(-h);
    EXPECT_LT(norm(a.linear - b.linear) / (2 * h), 1e-6);
    EXPECT_LT(norm(a.angular - b.angular) / (2 * h), 1e-6);
  }
}

}  // namespace
}  // namespace berth::dynamics_test
