// SPDX-License-Identifier: Apache-2.0
#include "berth/system/docks.h"

#include <gtest/gtest.h>

#include "berth/system/jumps.h"
#include "tests/support/allocations.h"
#include "tests/support/dense.h"
#include "tests/support/docked.h"
#include "tests/support/numbers.h"

namespace berth::docks_test {
namespace {

using test::Evaluated;
using test::for_each_constraint;
using test::Hold;
using test::kHolds;
using test::kPorts;
using test::largest_difference;
using test::Mated;
using test::Ports;
using test::Random;
using test::random_docked;
using test::random_group;
using test::size_of;
using Index = Eigen::Index;

// --- against a dense solution --------------------------------------------------------------------

// The rates of all rows of all docks, by way of the violations' own definition.
Eigen::VectorXd find_rates_of_rows(const System<double>& system, const Mode<double>& mode,
                                   std::span<const double> x, Workspace<double>& w) {
  motion_stage<double>(system, 0.0, x, mode, w);
  Eigen::VectorXd out(static_cast<Index>(mode.rows.size()));
  for (std::size_t i = 0; i < mode.rows.size(); ++i)
    out(static_cast<Index>(i)) = w.docks[static_cast<std::size_t>(mode.rows[i].closure)]
                                     .rows.row[static_cast<std::size_t>(mode.rows[i].row)]
                                     .rate;
  return out;
}

// [M −Jᵀ; J 0] [v̇; λ] = [τ − bias; −γ − 2β ψ̇ − α² ψ]. J from unit speeds, in which rates are linear;
// γ from the rates' change along q̇.
struct Reference {
  Reference(const System<double>& system, const Evaluated& e) {
    const Layout& at = e.w.layout;
    const Model<double>& model = system.model;
    const Index n = model.speed_count(), m = static_cast<Index>(e.mode.rows.size());
    Workspace<double> w(system);
    const auto first = static_cast<std::size_t>(at.v);

    const auto rates = [&](std::span<const double> x) {
      return find_rates_of_rows(system, e.mode, x, w);
    };
    const Eigen::MatrixXd J = test::find_speed_jacobian(at, e.x, rates);
    const auto along = [&](double h) {
      std::vector<double> y = e.x;
      for (std::size_t i = 0; i < first; ++i) y[i] += h * e.x_dot[i];
      return rates(y);
    };
    const double h = 2e-3;
    Eigen::VectorXd gamma = (45 * (along(h) - along(-h)) - 9 * (along(2 * h) - along(-2 * h)) +
                             (along(3 * h) - along(-3 * h))) /
                            (60 * h);
    motion_stage<double>(system, 0.0, e.x, e.mode, w);
    for (Index i = 0; i < m; ++i) {
      const ActiveRow& a = e.mode.rows[static_cast<std::size_t>(i)];
      const Dock<double>& d = system.docks[static_cast<std::size_t>(a.closure)];
      const Row<double>& row =
          w.docks[static_cast<std::size_t>(a.closure)].rows.row[static_cast<std::size_t>(a.row)];
      if (d.enforce == Enforce::baumgarte)
        gamma(i) += 2 * d.beta * row.rate + d.alpha * d.alpha * row.violation;
    }

    std::vector<double> zero(static_cast<std::size_t>(n), 0.0), bias(zero);
    find_joint_efforts<double>(model, w.motion, e.w.total, zero, bias);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd right(n + m);
    K.topLeftCorner(n, n) = test::find_dense_mass_matrix(model, w.motion);
    K.topRightCorner(n, m) = -J.transpose();
    K.bottomLeftCorner(m, n) = J;
    for (Index i = 0; i < n; ++i)
      right(i) = e.w.total.tau[static_cast<std::size_t>(i)] - bias[static_cast<std::size_t>(i)];
    right.tail(m) = -gamma;
    const Eigen::VectorXd all = test::solve_dense(K, right);
    v_dot = all.head(n);
    lambda = all.tail(m);
  }
  Eigen::VectorXd v_dot, lambda;
};

void expect_dense_solution(const System<double>& system, const std::vector<double>& x) {
  const Evaluated e(system, x);
  const Reference wanted(system, e);
  const double size = 1 + size_of(e.v_dot());
  for (Index i = 0; i < wanted.v_dot.size(); ++i)
    EXPECT_LT(std::fabs(wanted.v_dot(i) - e.v_dot()[static_cast<std::size_t>(i)]), 1e-10 * size)
        << "speed " << i;
  const double load = 1 + wanted.lambda.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < e.mode.rows.size(); ++i) {
    const ActiveRow& a = e.mode.rows[i];
    EXPECT_LT(
        std::fabs(
            wanted.lambda(static_cast<Index>(i)) -
            e.w.docks[static_cast<std::size_t>(a.closure)].load[static_cast<std::size_t>(a.row)]),
        1e-10 * load)
        << "row " << i;
  }
}

TEST(Docks, MultipliersAreThoseOfTheDenseEquations) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (const Enforce enforce : {Enforce::exact, Enforce::baumgarte})
        for (unsigned seed = 1; seed <= 3; ++seed) {
          SCOPED_TRACE(static_cast<int>(ports));
          const System<double> s = random_docked<C>(seed, {enforce, false}, ports, 0.3, 1);
          expect_dense_solution(s, find_initial_state(s));
        }
  });
}

TEST(Docks, SeveralInOneGroupAreSolvedTogether) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const System<double> s = random_group(seed);
    const Evaluated e(s, test::busy_state(s));
    EXPECT_EQ(e.choice.redundant, 0);
    EXPECT_EQ(e.choice.rows, 3 + 1 + 5);
    // The mass matrix has empty rows for the idle speeds of the welded hub: checked with them fixed.
    const Layout& at = e.w.layout;
    const Body<double>& idle = s.model.body(s.model.find_body("target"));
    ASSERT_EQ(idle.joint, JointType::fixed);
    for (int k = 0; k < 6; ++k)
      EXPECT_EQ(e.x_dot[static_cast<std::size_t>(at.v + idle.v + k)], 0) << "idle speeds rest";
    expect_dense_solution(s, test::busy_state(s));
  }
}

TEST(Docks, MassMatrixOfAWeldedTreeIsInvertible) {
  const System<double> s = random_group(3);
  Workspace<double> w(s);
  test::evaluate_docks(s, find_initial_state(s), w);
  const Eigen::MatrixXd M = test::find_dense_mass_matrix(s.model, w.motion);
  EXPECT_GT(test::symmetric_eigenvalues(M)(0), 1e-3);
}

// A dock between a hub and its own panel holds the hinge.
TEST(Docks, BetweenBodiesOfOneCraftItLocksTheirJoint) {
  Random random(4);
  System<double> s;
  const test::CraftBodies a = add_random_craft(s, "servicer", {0, 0, 0}, random);
  s.add_dock(test::random_dock<Rigid<double>>(a.hub, a.panel, {}, random));
  mate_at_start(s, 0, 0, random);
  std::vector<double> x = find_initial_state(s);
  const Body<double>& hinge = s.model.body(a.panel);
  x[static_cast<std::size_t>(s.layout().v + hinge.v)] = 0;
  const Evaluated e(s, x);
  EXPECT_EQ(e.choice.redundant, 5);
  EXPECT_LT(std::fabs(e.v_dot()[static_cast<std::size_t>(hinge.v)]), 1e-12);
  expect_dense_solution(s, x);
}

// --- fused and exact -----------------------------------------------------------------------------

TEST(Docks, FusedAccelerationsAndLoadsAreThoseOfExactOnes) {
  for (const int craft : {2, 3})
    for (const bool on_parts : {false, true})
      for (unsigned seed = 1; seed <= 5; ++seed) {
        const Mated m(seed, craft, on_parts);
        const System<double> one = test::fused(m.exact);
        const Evaluated a(m.exact, m.x), b(one, m.x);
        EXPECT_EQ(b.mode.rows.size(), 0u);
        const double size = 1 + size_of(a.v_dot());
        for (int i = 1; i < one.model.body_count(); ++i) {
          const Body<double>& body = one.model.body(i);
          if (body.hub && body.joint == JointType::fixed) continue;
          for (int k = 0; k < shape(body.joint).speeds; ++k) {
            const auto at = static_cast<std::size_t>(body.v + k);
            EXPECT_LT(std::fabs(a.v_dot()[at] - b.v_dot()[at]), 1e-12 * size);
          }
        }
        for (std::size_t k = 0; k < one.docks.size(); ++k) {
          const DockMotion<double>&p = a.w.docks[k], &q = b.w.docks[k];
          const double load = 1 + norm(p.wrench.force) + norm(p.wrench.torque);
          EXPECT_LT(norm(p.wrench.force - q.wrench.force), 1e-12 * load);
          EXPECT_LT(norm(p.wrench.torque - q.wrench.torque), 1e-12 * load);
        }
      }
}

TEST(Docks, WeldedToTheGroundIsHeldAsExactly) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const System<double> exact = random_docked<Rigid<double>>(seed, {}, Ports::ground_hub);
    std::vector<double> x = find_initial_state(exact);
    Workspace<double> w(exact);
    Mode<double> mode = test::open_mode(w);
    stop_rates(exact, 0.0, x, mode, w);
    const System<double> one = test::fused(exact);
    const Evaluated a(exact, x), b(one, x);
    const double load = 1 + norm(a.w.docks[0].wrench.force) + norm(a.w.docks[0].wrench.torque);
    EXPECT_LT(norm(a.w.docks[0].wrench.force - b.w.docks[0].wrench.force), 1e-12 * load);
    EXPECT_LT(norm(a.w.docks[0].wrench.torque - b.w.docks[0].wrench.torque), 1e-12 * load);
    // What the ground gives is counted alike.
    const auto at = static_cast<std::size_t>(a.w.layout.ledger);
    for (std::size_t k = 2; k < 8; ++k)
      EXPECT_LT(std::fabs(a.x_dot[at + k] - b.x_dot[at + k]), 1e-12 * load) << k;
  }
}

// --- redundant rows ------------------------------------------------------------------------------

TEST(Docks, ARingHasTheAccelerationsOfTheChain) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Mated m(seed, 3);
    const Evaluated chain(m.exact, m.x);
    EXPECT_EQ(chain.choice.rows, 12);
    EXPECT_EQ(chain.choice.redundant, 0);
    // The third side, locked where it stands.
    System<double> ring = m.exact;
    Random random(seed + 50);
    ring.add_dock(test::random_dock<Rigid<double>>(ring.model.find_body("craft2"),
                                                   ring.model.find_body("craft0"), {}, random));
    Workspace<double> w(ring);
    test::evaluate_docks(ring, m.x, w);
    lock_here(ring.docks.back(), w.docks.back().pair);
    const Evaluated e(ring, m.x);
    EXPECT_EQ(e.choice.rows, 18);
    EXPECT_EQ(e.choice.redundant, 6);
    EXPECT_EQ(e.mode.rows.size(), 12u);
    EXPECT_LT(largest_difference(e.v_dot(), chain.v_dot()), 1e-11 * (1 + size_of(chain.v_dot())));
  }
}

TEST(Docks, ExactlyTheRowsThatSayNothingNewAreLeftOut) {
  const auto redundant_of = [](const System<double>& s) {
    Workspace<double> w(s);
    Mode<double> mode = test::open_mode(w);
    const std::vector<double> x = find_initial_state(s);
    const RowChoice choice = choose_rows(s, 0.0, x, mode, w);
    EXPECT_EQ(choice.rows, choice.redundant + static_cast<int>(mode.rows.size()));
    // What is left is independent by any measure: the smallest singular value of its Jacobian.
    const Eigen::MatrixXd J = test::find_speed_jacobian(
        w.layout, x, [&](std::span<const double> y) { return find_rates_of_rows(s, mode, y, w); });
    EXPECT_GT(test::singular_values(J).minCoeff(), 1e-3);
    return choice.redundant;
  };
  // A second dock of each kind beside a rigid one adds nothing; beside a ball joint, what it does
  // not hold yet.
  for_each_constraint([&]<class C>() {
    Random random(7);
    System<double> s;
    const test::CraftBodies a = add_random_craft(s, "servicer", {0, 0, 0}, random);
    const test::CraftBodies b = add_random_craft(s, "target", {2, 0, 0}, random);
    s.add_dock(test::random_dock<Rigid<double>>(a.hub, b.hub, {}, random));
    s.add_dock(test::random_dock<C>(a.hub, b.hub, {}, random));
    mate_at_start(s, 0, 0, random);
    EXPECT_EQ(redundant_of(s), C::forces + C::torques);
    s.docks[0].engaged = false;
    EXPECT_EQ(redundant_of(s), 0);
    // Two ball joints apart from each other leave one turn free: five of six rows.
    Dock<double> ball = test::random_dock<Direction<double>>(a.hub, b.hub, {}, random);
    s.docks[0] = ball;
    s.docks[1] = test::random_dock<Direction<double>>(a.hub, b.hub, {}, random);
    mate_at_start(s, 0, 0, random);
    EXPECT_EQ(redundant_of(s), 1);
  });
}

// Rows that cannot move at all have nothing but rounding in S.
TEST(Docks, BetweenCraftThatAreWeldedTogetherSayNothing) {
  for_each_constraint([]<class C>() {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const Mated m(seed);
      System<double> s = test::fused(m.exact);
      const Evaluated alone(s, m.x);
      Random random(seed);
      s.add_dock(test::random_dock<C>(s.model.find_body("craft0"), s.model.find_body("craft1"), {},
                                      random))
          .name = "strut";
      Workspace<double> w(s);
      test::evaluate_docks(s, m.x, w);
      lock_here(s.docks[1], w.docks[1].pair);
      const Evaluated e(s, m.x);
      EXPECT_EQ(e.choice.redundant, C::forces + C::torques);
      EXPECT_EQ(e.mode.rows.size(), 0u);
      EXPECT_LT(largest_difference(e.v_dot(), alone.v_dot()), 1e-12 * (1 + size_of(e.v_dot())));
    }
  });
}

TEST(Docks, AlongTheAxesOfAJointTheyHoldTheOneMotionThereIs) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    System<double> s;
    BodySpec<double> hub = test::hub_spec<double>("hub");
    const Quaternion<double> q = random.quaternion();
    const double n = 1 / std::sqrt(norm_squared(q));
    hub.q = {0, 0, 0, n * q.w, n * q.x, n * q.y, n * q.z};
    hub.v = {0, 0, 0, 0.1, 0.2, 0.3};
    const int b = s.model.add_body(hub);
    HingedPanel<double> p = test::panel<double>();
    p.rate = 0;
    p.angle = 0.1;
    const int leaf = s.add_component(p, b, "panel").last_body();
    Dock<double> d;
    d.name = "joint";
    d.port_1.body = b;
    d.port_2.body = leaf;
    s.add_dock(d);
    mate_at_start(s, 0, 0, random);
    const Evaluated e(s, find_initial_state(s));
    EXPECT_EQ(e.choice.redundant, 5) << "seed " << seed;
    const auto hinge = static_cast<std::size_t>(s.model.body(leaf).v);
    EXPECT_LT(std::fabs(e.v_dot()[hinge]), 1e-12);
    EXPECT_LT(size_of(e.v_dot()), 1) << "seed " << seed;
  }
}

// A pendulum on the ground, docked to the ground.
TEST(Docks, OnAMechanismOfTheGroundTheyHoldTheOneMotionThereIs) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    System<double> s;
    BodySpec<double> b = test::hub_spec<double>("pendulum", 3, Sym3<double>::diagonal(1, 1.2, 0.9));
    b.joint = JointType::revolute;
    b.axis = {0, 1, 0};
    b.R_PF = seed % 2 ? random.rotation() : Mat3<double>::identity();
    b.r_CB_B = {0.5, 0, 0};
    b.q = {0.3};
    s.model.add_body(b);
    UniformGravity<double> gravity;
    gravity.uniform = {0, 0, -9.81};
    s.add_force(gravity);
    s.add_dock(test::random_dock<Rigid<double>>(kGround, 1, {}, random));
    mate_at_start(s, 0, 0, random);
    const Evaluated e(s, find_initial_state(s));
    EXPECT_EQ(e.choice.redundant, 5) << "seed " << seed;
    EXPECT_LT(size_of(e.v_dot()), 1e-13);
  }
}

// --- the rest ------------------------------------------------------------------------------------

// What a dock does to a free pair is the difference it makes, and that has no momentum.
TEST(Docks, AddNoMomentumToAFreePair) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : {Ports::hub_hub, Ports::hub_panel, Ports::tip_hub, Ports::tip_panel})
      for (const Hold hold : kHolds)
        for (unsigned seed = 1; seed <= 3; ++seed) {
          System<double> s = random_docked<C>(seed, hold, ports, 0.5, 1.5);
          const Evaluated on(s, test::busy_state(s));
          s.docks[0].engaged = false;
          const Evaluated off(s, test::busy_state(s));
          std::vector<double> q(on.x.begin(), on.x.begin() + on.w.layout.v), v(on.v_dot().size());
          for (std::size_t i = 0; i < v.size(); ++i) v[i] = on.v_dot()[i] - off.v_dot()[i];
          Motion<double> motion;
          motion.bodies.resize(s.model.bodies.size());
          find_motion<double>(s.model, q, v, motion);
          const Momentum<double> rate = find_momentum(s.model, motion);
          const double scale = 1 + test::lever_times_force(on.w.docks[0]);
          EXPECT_GT(scale, 1.01) << "the dock carries something";
          EXPECT_LT(norm(rate.linear), 1e-12 * scale);
          EXPECT_LT(norm(rate.angular), 1e-12 * scale);
        }
  });
}

TEST(Docks, OpenTheyDoNothing) {
  for (const Hold hold : kHolds) {
    System<double> s = random_docked<Rigid<double>>(2, hold, Ports::tip_hub, 0.3, 1);
    s.docks[0].engaged = false;
    System<double> without = s;
    without.docks.clear();
    const Evaluated a(s, find_initial_state(s)), b(without, find_initial_state(without));
    EXPECT_EQ(std::vector<double>(a.v_dot().begin(), a.v_dot().end()),
              std::vector<double>(b.v_dot().begin(), b.v_dot().end()));
    EXPECT_EQ(norm(a.w.docks[0].wrench.force), 0);
    const Layout at = s.layout();
    for (int i = at.docks; i < at.orbit; ++i) EXPECT_EQ(a.x_dot[static_cast<std::size_t>(i)], 0);
  }
}

TEST(Docks, EvaluationAllocatesNothing) {
  if (!test::kCountsAllocations) GTEST_SKIP();
  const System<double> s = random_group(2);
  Evaluated e(s, test::busy_state(s));
  const long before = test::count_allocations();
  for (int i = 0; i < 10; ++i) find_derivative<double>(s, 0.0, e.x, e.mode, e.w, e.x_dot);
  EXPECT_EQ(test::count_allocations(), before);
}

// Warm, a penalty dock starts with the load the exact one carries.
TEST(WarmStart, CarriesTheLoadOfTheExactJoint) {
  for_each_constraint([]<class C>() {
    for (const bool pid : {false, true}) {
      System<double> s = random_docked<C>(9, {Enforce::penalty, pid}, Ports::tip_hub);
      s.docks[0].warm = true;
      s.docks[0].force_gains = {2e6, 3e3, 5e5};
      s.docks[0].torque_gains = {1e6, 2e3, 4e5};
      System<double> exact = s;
      exact.docks[0].enforce = Enforce::exact;
      exact.docks[0].first_state = -1;
      // Started at rest against each other, as a scenario would.
      std::vector<double> x = find_initial_state(exact);
      Workspace<double> w(exact);
      Mode<double> mode = test::open_mode(w);
      stop_rates(exact, 0.0, x, mode, w);
      std::copy_n(x.begin() + w.layout.v, s.model.v0.size(), s.model.v0.begin());
      const Evaluated wanted(exact, x);
      warm_start(s);
      const Evaluated got(s, find_initial_state(s));
      const double load =
          norm(wanted.w.docks[0].wrench.force) + norm(wanted.w.docks[0].wrench.torque);
      EXPECT_LT(norm(got.w.docks[0].wrench.force - wanted.w.docks[0].wrench.force), 1e-4 * load);
      EXPECT_LT(norm(got.w.docks[0].wrench.torque - wanted.w.docks[0].wrench.torque), 1e-4 * load);
    }
  });
}

}  // namespace
}  // namespace berth::docks_test
