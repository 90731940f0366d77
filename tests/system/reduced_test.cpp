// SPDX-License-Identifier: Apache-2.0

// Reduced equations against multipliers: one motion, one load, found in two ways.

#include <gtest/gtest.h>

#include "berth/math/qr.h"
#include "tests/support/docked.h"

namespace berth::reduced_test {
namespace {

using test::Evaluated;
using test::for_each_constraint;
using test::Ports;
using test::random_docked;

constexpr Ports kPorts[] = {Ports::hub_hub, Ports::hub_panel, Ports::tip_hub, Ports::tip_panel};

TEST(Qr, SolvesWithTheMatrixAndItsTranspose) {
  constexpr std::size_t m = 4, n = 6;
  const auto element = [](std::size_t i, std::size_t j) {
    return (i == j ? 1.0 : 0.0) - 1 / static_cast<double>(i + 2 * j + 1);
  };
  std::vector<double> A(m * n), diagonal(m), y{1, -2, 3, 0.5};
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] = element(i, j);
  factor_qr(A.data(), m, n, diagonal.data());
  std::vector<double> z = y;
  solve_transposed(A.data(), m, n, diagonal.data(), z.data());
  for (std::size_t k = m; k < n; ++k) solve_upper(A.data(), m, n, diagonal.data(), k);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = m; k < n; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < m; ++j) sum += element(i, j) * A[j * n + k];
      EXPECT_NEAR(sum, element(i, k), 1e-14);
    }
    double sum = 0;
    for (std::size_t j = 0; j < m; ++j) sum += element(j, i) * z[j];
    EXPECT_NEAR(sum, y[i], 1e-13);
  }
}

// Closed or far open, at rest or in a hurry: the equations do not ask.
TEST(Reduced, EqualsMultipliers) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (unsigned seed = 1; seed <= 5; ++seed) {
        System<double> s = random_docked<C>(seed, {Enforce::exact}, ports, 0.5, 1.5);
        const std::vector<double> x = test::busy_state(s);
        const Evaluated exact(s, x);
        s.docks[0].enforce = Enforce::reduced;
        const Evaluated reduced(s, x);
        double scale = 1;
        for (const double a : exact.v_dot()) scale = std::max(scale, std::fabs(a));
        for (std::size_t i = 0; i < exact.v_dot().size(); ++i) {
          EXPECT_NEAR(exact.v_dot()[i], reduced.v_dot()[i], 1e-12 * scale);
          EXPECT_NEAR(reduced.w.v_dot[i], reduced.v_dot()[i], 1e-14 * scale);
        }
        const Wrench<double>&a = exact.w.docks[0].wrench, &b = reduced.w.docks[0].wrench;
        const double load = 1 + test::lever_times_force(exact.w.docks[0]);
        EXPECT_LT(norm(a.force - b.force) + norm(a.torque - b.torque), 1e-10 * load);
        for (std::size_t i = 0; i < s.model.bodies.size(); ++i)
          EXPECT_LT(norm(exact.w.articulated.bodies[i].a.linear -
                         reduced.w.articulated.bodies[i].a.linear),
                    1e-11 * scale);
      }
  });
}

// One reduced dock takes the others along, and what Baumgarte asks for stays asked for.
TEST(Reduced, TakesBaumgarteAlong) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    System<double> s = test::random_group(seed);
    const std::vector<double> x = test::busy_state(s);
    const Evaluated exact(s, x);
    bool changed = false;
    for (Dock<double>& d : s.docks)
      if (d.engaged && d.enforce == Enforce::exact) d.enforce = Enforce::reduced, changed = true;
    ASSERT_TRUE(changed);
    const Evaluated reduced(s, x);
    ASSERT_FALSE(reduced.mode.speeds.empty());
    double scale = 1;
    for (const double a : exact.v_dot()) scale = std::max(scale, std::fabs(a));
    for (std::size_t i = 0; i < exact.v_dot().size(); ++i)
      EXPECT_NEAR(exact.v_dot()[i], reduced.v_dot()[i], 1e-11 * scale);
  }
}

}  // namespace
}  // namespace berth::reduced_test
