// SPDX-License-Identifier: Apache-2.0

// Docked systems on Dual numbers: the same values, and slopes that are difference quotients.

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "berth/system/ledger.h"
#include "berth/system/lift_system.h"
#include "berth/system/linearised.h"
#include "tests/support/docked.h"

namespace berth::docks_dual_test {
namespace {

using test::busy_group;
using test::Evaluated;
using test::for_each_constraint;
using test::kHolds;
using test::Ports;
using test::random_docked;

void expect_same_values(const System<double>& s) {
  const Evaluated e(s, test::busy_state(s));
  const System<Dual> lifted = lift_system<Dual>(s);
  Workspace<Dual> w(lifted);
  std::vector<Dual> x(e.x.begin(), e.x.end()), x_dot(x.size());
  find_derivative<Dual>(lifted, 0.0, x, lift_mode<Dual>(e.mode), w, x_dot);
  ASSERT_EQ(find_initial_state(lifted).size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_LE(std::fabs(e.x_dot[i] - value(x_dot[i])), 1e-15 * (1 + std::fabs(e.x_dot[i])))
        << "entry " << i;
}

TEST(LiftedSystem, GivesTheSameNumbersInDual) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    expect_same_values(busy_group(seed));
    expect_same_values(test::random_group(seed));
  }
  for_each_constraint([]<class C>() {
    for (const test::Hold hold : kHolds)
      expect_same_values(random_docked<C>(4, hold, Ports::tip_panel, 0.2, 0.7));
  });
}

TEST(LiftedSystem, StartsWhereTheOriginalStarts) {
  const System<double> s = busy_group(1);
  const System<Dual> lifted = lift_system<Dual>(s);
  const std::vector<double> x = find_initial_state(s);
  const std::vector<Dual> y = find_initial_state(lifted);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], value(y[i])) << i;
}

void expect_difference_quotients(const System<double>& s, double tolerance) {
  const Evaluated e(s, test::busy_state(s));
  const auto n = static_cast<Eigen::Index>(e.x.size());
  Eigen::MatrixXd J(n, n);
  Linearised(s).find_jacobian(0.0, e.x, e.mode, {J.data(), static_cast<std::size_t>(J.size())});
  Workspace<double> w(s);
  const auto along = [&](std::size_t k, double h) {
    std::vector<double> x = e.x, x_dot(x.size());
    x[k] += h;
    find_derivative<double>(s, 0.0, x, e.mode, w, x_dot);
    return x_dot;
  };
  for (int k = 0; k < e.w.layout.ledger; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double h = 1e-4 * (1 + std::fabs(e.x[at]));
    const std::vector<double> a = along(at, h), b = along(at, -h), c = along(at, 2 * h),
                              d = along(at, -2 * h);
    for (std::size_t i = 0; i < e.x.size(); ++i) {
      const double wanted = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * h);
      const double size = 1 + std::fabs(wanted) + std::fabs(e.x_dot[i]);
      EXPECT_LT(std::fabs(J(static_cast<Eigen::Index>(i), k) - wanted), tolerance * size)
          << "row " << i << ", column " << k;
    }
  }
  for (Eigen::Index k = e.w.layout.ledger; k < n; ++k)
    EXPECT_EQ(J.col(k).cwiseAbs().maxCoeff(), 0) << "ledgers drive nothing";
}

TEST(Linearised, JacobianIsTheDifferenceQuotientOfTheDerivative) {
  expect_difference_quotients(busy_group(2), 1e-7);
  for_each_constraint([]<class C>() {
    for (const test::Hold hold : kHolds)
      expect_difference_quotients(random_docked<C>(5, hold, Ports::tip_hub, 0.2, 0.7), 1e-7);
  });
  expect_difference_quotients(test::fused(random_docked<Rigid<double>>(5, {}, Ports::tip_hub)),
                              1e-7);
}

TEST(Linearised, RefreshedItKnowsWhatHasChanged) {
  System<double> s = random_docked<Rigid<double>>(6, {}, Ports::hub_hub);
  Linearised l(s);
  s.docks[0].engaged = false;
  l.refresh(s);
  const Evaluated e(s, find_initial_state(s));
  const auto n = static_cast<Eigen::Index>(e.x.size());
  Eigen::MatrixXd J(n, n), wanted(n, n);
  l.find_jacobian(0.0, e.x, e.mode, {J.data(), static_cast<std::size_t>(J.size())});
  Linearised(s).find_jacobian(0.0, e.x, e.mode,
                              {wanted.data(), static_cast<std::size_t>(wanted.size())});
  EXPECT_EQ((J - wanted).cwiseAbs().maxCoeff(), 0);
}

// A fused pair in any motion keeps its momentum, though it is one tree.
TEST(FusedDock, KeepsMomentum) {
  for (const Ports ports : {Ports::hub_hub, Ports::tip_hub, Ports::hub_panel})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const System<double> s = test::fused(random_docked<Rigid<double>>(seed, {}, ports, 0.3, 1));
      const Evaluated e(s, find_initial_state(s));
      const System<Dual> lifted = lift_system<Dual>(s);
      Workspace<Dual> w(lifted);
      std::vector<Dual> x(e.x.begin(), e.x.end());
      for (std::size_t i = 0; i < x.size(); ++i) set_slope(x[i], 0, e.x_dot[i]);
      motion_stage<Dual>(lifted, 0.0, x, lift_mode<Dual>(e.mode), w);
      const Balance<Dual> b = find_balance<Dual>(lifted, x, w);
      const double scale = 1 + test::lever_times_force(e.w.docks[0]);
      for (int k = 0; k < 3; ++k) {
        EXPECT_LT(std::fabs(slope(b.linear[k])), 1e-12 * scale);
        EXPECT_LT(std::fabs(slope(b.angular[k])), 1e-12 * scale);
      }
    }
}

}  // namespace
}  // namespace berth::docks_dual_test
