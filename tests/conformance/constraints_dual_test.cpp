// SPDX-License-Identifier: Apache-2.0

// Constraints on Dual numbers: exact derivatives along any motion of the pair.
//
//   claims of model/constraint.h   rate (1), second derivative (2), potentials of unit springs

#include <gtest/gtest.h>

#include "berth/scalar/dual.h"
#include "berth/system/ledger.h"
#include "berth/system/lift_system.h"
#include "berth/system/linearised.h"
#include "tests/support/docked.h"

namespace berth::test::constraints_dual_test {
namespace {

Vec3<Dual> moving(const Vec3<double>& at, const Vec3<double>& rate) {
  Vec3<Dual> out{at.x, at.y, at.z};
  for (int k = 0; k < 3; ++k) set_slope(out[k], 0, rate[k]);
  return out;
}

// A pair and its time derivative: slopes are d/dt, as seen in B1.
struct Moving {
  PairMotion<Dual> m;
  Vec3<double> d_ddot, omega_dot;
};
Moving random_motion(const Vec3<double>& arm, double off, double turn, Random& random) {
  Moving out;
  const Vec3<double> d_dot = random.vector(1), omega = random.vector(1);
  out.d_ddot = random.vector(1);
  out.omega_dot = random.vector(1);
  out.m.arm = moving(arm, {});
  out.m.d = moving(arm + random.vector(off), d_dot);
  out.m.d_dot = moving(d_dot, out.d_ddot);
  out.m.omega = moving(omega, out.omega_dot);
  const Mat3<double> R = rotation_about(random.direction(), turn * random.number());
  out.m.R = Mat3<Dual>::columns(moving(R.column_x(), cross(omega, R.column_x())),
                                moving(R.column_y(), cross(omega, R.column_y())),
                                moving(R.column_z(), cross(omega, R.column_z())));
  return out;
}

// A constraint with random inputs, its arm, and the same on Dual numbers.
template <class C>
struct Bound {
  using D = typename Rebind<C, Dual>::type;
  explicit Bound(Random& random) {
    C c;
    fill_part(c, random);
    const Vec3<double> outward = random.direction();
    const Vec3<double> given = random.vector(1);
    dual = lift<D>(c);
    arm = c.bind(given, outward);
    dual.bind(moving(given, {}), moving(outward, {}));
    plain = c;
  }
  C plain;
  D dual;
  Vec3<double> arm;
};

TEST(ConstraintConformance, RateIsTheDerivativeOfTheViolation) {
  Random random(1);
  for_each_constraint([&]<class C>() {
    for (int i = 0; i < 200; ++i) {
      const Bound<C> c(random);
      // Force rows anywhere; torque rows where they are mated.
      for (const bool mated : {false, true}) {
        const Moving p = random_motion(c.arm, 1, mated ? 0 : 2, random);
        Rows<Dual> rows;
        c.dual.find_rows(p.m, rows);
        for (int r = 0; r < (mated ? C::forces + C::torques : C::forces); ++r) {
          const Row<Dual>& row = rows.row[static_cast<std::size_t>(r)];
          EXPECT_NEAR(slope(row.violation), value(row.rate), 1e-14 * 10) << "row " << r;
        }
      }
    }
  });
}

TEST(ConstraintConformance, RateIsAlongTheDirectionOfTheRow) {
  Random random(2);
  for_each_constraint([&]<class C>() {
    for (int i = 0; i < 200; ++i) {
      const Bound<C> c(random);
      const Moving p = random_motion(c.arm, 1, 2, random);
      Rows<Dual> rows;
      c.dual.find_rows(p.m, rows);
      for (int r = 0; r < C::forces + C::torques; ++r) {
        const Row<Dual>& row = rows.row[static_cast<std::size_t>(r)];
        const Dual along = dot(row.direction, r < C::forces ? p.m.d_dot : p.m.omega);
        EXPECT_NEAR(value(along), value(row.rate), 1e-14) << "row " << r;
      }
    }
  });
}

TEST(ConstraintConformance, SecondDerivativeIsTheAccelerationAlongTheRowAndItsCurvature) {
  Random random(3);
  for_each_constraint([&]<class C>() {
    for (int i = 0; i < 200; ++i) {
      const Bound<C> c(random);
      const Moving p = random_motion(c.arm, 0.2, 2, random);
      if (norm(c.arm) < 0.5) continue;  // the curvature of a rod grows with 1/|d|
      Rows<Dual> rows;
      c.dual.find_rows(p.m, rows);
      for (int r = 0; r < C::forces + C::torques; ++r) {
        const Row<Dual>& row = rows.row[static_cast<std::size_t>(r)];
        const Vec3<double> n{value(row.direction.x), value(row.direction.y),
                             value(row.direction.z)};
        const double wanted = dot(n, r < C::forces ? p.d_ddot : p.omega_dot) + value(row.curvature);
        EXPECT_NEAR(slope(row.rate), wanted, 1e-13 * (1 + std::fabs(wanted))) << "row " << r;
      }
    }
  });
}

// d/dt of the potentials is the power of the violations as forces, at any violation.
TEST(ConstraintConformance, ViolationsAreTheGradientsOfTheirPotentials) {
  Random random(4);
  for_each_constraint([&]<class C>() {
    for (int i = 0; i < 200; ++i) {
      const Bound<C> c(random);
      const Moving p = random_motion(c.arm, 1, 2.5, random);
      Rows<Dual> rows;
      c.dual.find_rows(p.m, rows);
      double push = 0, turn = 0;
      for (int r = 0; r < C::forces + C::torques; ++r) {
        const Row<Dual>& row = rows.row[static_cast<std::size_t>(r)];
        (r < C::forces ? push : turn) += value(row.violation) * value(row.rate);
      }
      EXPECT_NEAR(slope(rows.strain), push, 1e-13 * (1 + std::fabs(push)));
      EXPECT_NEAR(slope(rows.twist), turn, 1e-13 * (1 + std::fabs(turn)));
      EXPECT_GE(value(rows.strain), 0);
      EXPECT_GE(value(rows.twist), 0);
    }
  });
}

TEST(ConstraintConformance, EachGivesTheSameNumberInDouble) {
  Random random(5);
  for_each_constraint([&]<class C>() {
    for (int i = 0; i < 50; ++i) {
      const Bound<C> c(random);
      const Moving p = random_motion(c.arm, 1, 2, random);
      Rows<Dual> dual;
      c.dual.find_rows(p.m, dual);
      PairMotion<double> m;
      for (int k = 0; k < 3; ++k) {
        m.d[k] = value(p.m.d[k]);
        m.d_dot[k] = value(p.m.d_dot[k]);
        m.omega[k] = value(p.m.omega[k]);
        m.arm[k] = value(p.m.arm[k]);
      }
      const auto plain = [](const Vec3<Dual>& v) {
        return Vec3<double>{value(v.x), value(v.y), value(v.z)};
      };
      m.R = Mat3<double>::columns(plain(p.m.R.column_x()), plain(p.m.R.column_y()),
                                  plain(p.m.R.column_z()));
      Rows<double> rows;
      c.plain.find_rows(m, rows);
      for (std::size_t r = 0; r < static_cast<std::size_t>(C::forces + C::torques); ++r) {
        EXPECT_EQ(rows.row[r].violation, value(dual.row[r].violation));
        EXPECT_EQ(rows.row[r].rate, value(dual.row[r].rate));
        EXPECT_EQ(rows.row[r].curvature, value(dual.row[r].curvature));
        EXPECT_EQ(rows.row[r].direction, plain(dual.row[r].direction));
      }
      EXPECT_EQ(rows.strain, value(dual.strain));
      EXPECT_EQ(rows.twist, value(dual.twist));
    }
  });
}

// --- in a pair of complete craft -----------------------------------------------------------------

// The system once more on Dual numbers, x seeded with ẋ.
struct Flying {
  Flying(const System<double>& from, std::vector<double> state)
      : now(from, std::move(state)), system(lift_system<Dual>(from)), w(system) {
    std::vector<Dual> x(now.x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = now.x[i];
      set_slope(x[i], 0, now.x_dot[i]);
    }
    const Mode<Dual> mode = lift_mode<Dual>(now.mode);
    motion_stage<Dual>(system, 0.0, x, mode, w);
    command_stage<Dual>(system, x, mode, w);
    balance = find_balance<Dual>(system, x, w);
  }
  Evaluated now;
  System<Dual> system;
  Workspace<Dual> w;
  Balance<Dual> balance;
};
Vec3<double> slope_of(const Vec3<Dual>& v) { return {slope(v.x), slope(v.y), slope(v.z)}; }

TEST(ConstraintConformance, HeldExactlyNoRowAccelerates) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (unsigned seed = 1; seed <= 5; ++seed) {
        // The rows' rates need not vanish for that, nor their violations.
        const System<double> s = random_docked<C>(seed, {}, ports, 0.2, 0.5);
        const Flying f(s, find_initial_state(s));
        for (const ActiveRow& at : f.now.mode.rows) {
          const Row<Dual>& row = f.w.docks[0].rows.row[static_cast<std::size_t>(at.row)];
          EXPECT_LT(std::fabs(slope(row.rate)), 1e-11);
        }
      }
  });
}

TEST(ConstraintConformance, HeldByBaumgarteEveryRowIsADampedOscillator) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (unsigned seed = 1; seed <= 5; ++seed) {
        const System<double> s =
            random_docked<C>(seed, {Enforce::baumgarte, false}, ports, 0.2, 0.5);
        const Flying f(s, find_initial_state(s));
        const Dock<double>& d = s.docks[0];
        for (const ActiveRow& at : f.now.mode.rows) {
          const Row<Dual>& row = f.w.docks[0].rows.row[static_cast<std::size_t>(at.row)];
          const double wanted =
              -2 * d.beta * value(row.rate) - d.alpha * d.alpha * value(row.violation);
          EXPECT_LT(std::fabs(slope(row.rate) - wanted), 1e-11);
        }
      }
  });
}

// Issue criterion: momentum of the joint to 1e-12 of lever × force, at any state and violation.
TEST(ConstraintConformance, NoneTakesMomentumFromThePair) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (const Hold hold : kHolds)
        for (unsigned seed = 1; seed <= 4; ++seed) {
          const System<double> s = random_docked<C>(seed, hold, ports, 0.5, 1.5);
          const Flying f(s, busy_state(s));
          const double scale = 1 + lever_times_force(f.now.w.docks[0]);
          EXPECT_LT(norm(slope_of(f.balance.linear) - slope_of(f.balance.impulse)), 1e-12 * scale);
          EXPECT_LT(norm(slope_of(f.balance.angular) - slope_of(f.balance.angular_impulse)),
                    1e-12 * scale);
          if (s.docks[0].port_1.body == kGround) continue;
          EXPECT_EQ(norm(slope_of(f.balance.impulse)), 0);
          EXPECT_EQ(norm(slope_of(f.balance.angular_impulse)), 0);
        }
  });
}

TEST(ConstraintConformance, EachStoresLosesAndSuppliesWhatItSays) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (const Hold hold : kHolds)
        for (unsigned seed = 1; seed <= 4; ++seed) {
          const System<double> s = random_docked<C>(seed, hold, ports, 0.5, 1.5);
          // Multipliers do no work where the rows are at rest; springs whatever the rows do.
          std::vector<double> x = busy_state(s);
          Workspace<double> w(s);
          Mode<double> mode = open_mode(w);
          if (s.docks[0].has_multipliers()) stop_rates(s, 0.0, x, mode, w);
          const Flying f(s, x);
          const Balance<Dual>& b = f.balance;
          const double size = std::fabs(slope(b.kinetic)) + std::fabs(slope(b.potential)) +
                              std::fabs(slope(b.supplied)) + slope(b.lost);
          EXPECT_LT(
              std::fabs(slope(b.kinetic) + slope(b.potential) - slope(b.supplied) + slope(b.lost)),
              1e-12 * (1 + size) + 1e-13 * lever_times_force(f.now.w.docks[0]));
          EXPECT_GE(slope(b.lost), 0);
        }
  });
}

}  // namespace
}  // namespace berth::test::constraints_dual_test
