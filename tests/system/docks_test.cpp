// SPDX-License-Identifier: Apache-2.0
#include "berth/system/docks.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "berth/system/jumps.h"
#include "tests/support/allocations.h"
#include "tests/support/docked.h"

namespace berth {
namespace {

using test::Evaluated;
using test::for_each_constraint;
using test::Hold;
using test::kHolds;
using test::kPorts;
using test::Ports;
using test::Random;
using test::random_docked;
using test::random_group;
using Index = Eigen::Index;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double size_of(std::span<const double> v) {
  double size = 0;
  for (double a : v) size = std::max(size, std::fabs(a));
  return size;
}
double largest_difference(std::span<const double> a, std::span<const double> b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::fabs(a[i] - b[i]));
  return d;
}

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

    Dense J(m, n);
    std::vector<double> x = e.x;
    std::fill(x.begin() + at.v, x.begin() + at.z, 0.0);
    for (Index k = 0; k < n; ++k) {
      x[first + static_cast<std::size_t>(k)] = 1;
      J.col(k) = find_rates_of_rows(system, e.mode, x, w);
      x[first + static_cast<std::size_t>(k)] = 0;
    }
    const auto along = [&](double h) {
      std::vector<double> y = e.x;
      for (std::size_t i = 0; i < first; ++i) y[i] += h * e.x_dot[i];
      return find_rates_of_rows(system, e.mode, y, w);
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

    Dense M(n, n);
    find_mass_matrix<double>(model, w.motion, {M.data(), static_cast<std::size_t>(n * n)});
    std::vector<double> zero(static_cast<std::size_t>(n), 0.0), bias(zero);
    find_joint_efforts<double>(model, w.motion, e.w.total, zero, bias);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd right(n + m);
    K.topLeftCorner(n, n) = M;
    K.topRightCorner(n, m) = -J.transpose();
    K.bottomLeftCorner(m, n) = J;
    for (Index i = 0; i < n; ++i)
      right(i) = e.w.total.tau[static_cast<std::size_t>(i)] - bias[static_cast<std::size_t>(i)];
    right.tail(m) = -gamma;
    const Eigen::VectorXd all = K.fullPivLu().solve(right);
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
  test::look_at_docks(s, find_initial_state(s), w);
  const Index n = s.model.speed_count();
  Dense M(n, n);
  find_mass_matrix<double>(s.model, w.motion, {M.data(), static_cast<std::size_t>(n * n)});
  EXPECT_GT(Eigen::LLT<Dense>(M).info() == Eigen::Success
                ? M.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff()
                : 0,
            1e-3);
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

// Two or three craft on rigid docks, mated and at rest against each other.
struct Mated {
  explicit Mated(unsigned seed, int craft = 2, bool on_parts = false) {
    Random random(seed);
    std::vector<test::CraftBodies> bodies;
    for (int i = 0; i < craft; ++i)
      bodies.push_back(
          add_random_craft(exact, "craft" + std::to_string(i), {2.0 * i, 0, 0}, random));
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const int from = on_parts ? bodies[i - 1].tip : bodies[i - 1].hub;
      // Either port may be the one whose hub is welded.
      const bool reversed = on_parts && i % 2 == 1;
      exact
          .add_dock(test::random_dock<Rigid<double>>(reversed ? bodies[i].hub : from,
                                                     reversed ? from : bodies[i].hub, {}, random))
          .name = "dock" + std::to_string(i);
    }
    mate_at_start(exact, 0, 0, random);
    x = find_initial_state(exact);
    Workspace<double> w(exact);
    Mode<double> mode = test::open_mode(w);
    stop_rates(exact, 0.0, x, mode, w);
  }
  System<double> exact;
  std::vector<double> x;
};

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
    // What the ground gives is booked alike.
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
    test::look_at_docks(ring, m.x, w);
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
    std::vector<double> y = x;
    std::fill(y.begin() + w.layout.v, y.begin() + w.layout.z, 0.0);
    Dense J(static_cast<Index>(mode.rows.size()), s.model.speed_count());
    for (Index k = 0; k < J.cols(); ++k) {
      y[static_cast<std::size_t>(w.layout.v + k)] = 1;
      J.col(k) = find_rates_of_rows(s, mode, y, w);
      y[static_cast<std::size_t>(w.layout.v + k)] = 0;
    }
    EXPECT_GT(Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues().minCoeff(), 1e-3);
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
    EXPECT_EQ(redundant_of(s), C::forces + C::turns);
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
      test::look_at_docks(s, m.x, w);
      lock_here(s.docks[1], w.docks[1].pair);
      const Evaluated e(s, m.x);
      EXPECT_EQ(e.choice.redundant, C::forces + C::turns);
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

// --- projection ----------------------------------------------------------------------------------

struct Bent {
  System<double> system;
  std::vector<double> x;
};
// A mated pair whose state is displaced by so much.
template <class C>
Bent bend(unsigned seed, Ports ports, double by) {
  Bent out{random_docked<C>(seed, {}, ports), {}};
  out.x = find_initial_state(out.system);
  Workspace<double> w(out.system);
  Mode<double> mode = test::open_mode(w);
  stop_rates(out.system, 0.0, out.x, mode, w);
  Random random(seed + 20);
  std::vector<double> delta(static_cast<std::size_t>(out.system.model.speed_count()));
  for (double& d : delta) d = by * random.number();
  displace<double>(out.system.model, delta,
                   std::span(out.x).first(static_cast<std::size_t>(w.layout.v)));
  for (int i = w.layout.v; i < w.layout.z; ++i)
    out.x[static_cast<std::size_t>(i)] += by * random.number();
  return out;
}

TEST(Projection, TakesSmallViolationsAway) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (const double by : {1e-12, 1e-9, 1e-6, 1e-4}) {
        Bent b = bend<C>(5, ports, by);
        Workspace<double> w(b.system);
        Mode<double> mode = test::open_mode(w);
        const std::vector<double> before = b.x;
        motion_stage<double>(b.system, 0.0, b.x, mode, w);
        const Momentum<double> p = find_momentum(b.system.model, w.motion);
        const CentreOfMass<double> c = find_centre_of_mass(b.system.model, w.motion);
        EXPECT_TRUE(project(b.system, 0.0, b.x, mode, w));
        EXPECT_LT(largest_difference(before, b.x), 30 * by) << "no more than was needed";
        test::look_at_docks(b.system, b.x, w);
        for (int r = 0; r < w.docks[0].count; ++r) {
          const Row<double>& row = w.docks[0].rows.row[static_cast<std::size_t>(r)];
          // Every solution with the matrix of the bent pair leaves `by` of what it removes: there are
          // several of the positions, and one of the rates.
          EXPECT_LT(std::fabs(row.violation), by > 1e-6 ? 1e-10 : 3e-15) << by;
          EXPECT_LT(std::fabs(row.rate), 3e-15 + 1000 * by * by) << by;
        }
        // Internal impulses: the centre of mass stays. Its velocity changes by what the speeds of
        // the moved bodies mean in their new pose.
        if (b.system.docks[0].port_1.body == kGround) continue;
        const CentreOfMass<double> after = find_centre_of_mass(b.system.model, w.motion);
        EXPECT_LT(norm(after.r_N - c.r_N), 1e-15 + 10 * by * by);
        EXPECT_LT(norm(find_momentum(b.system.model, w.motion).linear - p.linear),
                  (1e-13 + 0.1 * by) * c.mass);
      }
  });
}

// Hubs alone, with their centres of mass at their origins: their speeds are their momentum.
TEST(Projection, KeepsTheLinearMomentumOfBareCraft) {
  for_each_constraint([]<class C>() {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Random random(seed);
      System<double> s;
      int hubs[2];
      for (int k = 0; k < 2; ++k) {
        BodySpec<double> hub = test::hub_spec<double>("craft" + std::to_string(k),
                                                      random.number(50, 100), random.inertia(40));
        hub.q = {2.0 * k, 0, 0, 1, 0, 0, 0};
        for (int i = 0; i < 6; ++i) hub.v.push_back(random.number());
        hubs[k] = s.model.add_body(hub);
      }
      s.add_dock(test::random_dock<C>(hubs[0], hubs[1], {}, random));
      mate_at_start(s, 1e-3, 1e-3, random);
      std::vector<double> x = find_initial_state(s);
      Workspace<double> w(s);
      Mode<double> mode = test::open_mode(w);
      test::look_at_docks(s, x, w);
      const Momentum<double> before = find_momentum(s.model, w.motion);
      EXPECT_TRUE(project(s, 0.0, x, mode, w));
      test::look_at_docks(s, x, w);
      EXPECT_LT(norm(find_momentum(s.model, w.motion).linear - before.linear), 1e-12);
      EXPECT_LT(find_violation(s.docks[0], w.docks[0]).position, 1e-12);
    }
  });
}

TEST(Projection, OfAProjectedStateChangesNothingToSpeakOf) {
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts) {
      Bent b = bend<C>(6, ports, 1e-7);
      Workspace<double> w(b.system);
      Mode<double> mode = test::open_mode(w);
      project(b.system, 0.0, b.x, mode, w);
      std::vector<double> again = b.x;
      project(b.system, 0.0, again, mode, w);
      EXPECT_LT(largest_difference(b.x, again), 1e-11);
    }
  });
}

TEST(Projection, WorksOnRingsToo) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Mated m(seed, 3);
    System<double> ring = m.exact;
    Random random(seed);
    ring.add_dock(test::random_dock<Rigid<double>>(ring.model.find_body("craft2"),
                                                   ring.model.find_body("craft0"), {}, random));
    Workspace<double> w(ring);
    test::look_at_docks(ring, m.x, w);
    lock_here(ring.docks.back(), w.docks.back().pair);
    std::vector<double> delta(m.exact.model.v0.size());
    for (double& d : delta) d = 1e-8 * random.number();
    displace<double>(ring.model, delta, std::span(m.x).first(static_cast<std::size_t>(w.layout.v)));
    Mode<double> mode = test::open_mode(w);
    project(ring, 0.0, m.x, mode, w);
    test::look_at_docks(ring, m.x, w);
    for (const DockMotion<double>& d : w.docks)
      for (int r = 0; r < d.count; ++r)
        EXPECT_LT(std::fabs(d.rows.row[static_cast<std::size_t>(r)].violation), 1e-14);
  }
}

TEST(Projection, LeavesADockAloneThatIsNotProjected) {
  Bent b = bend<Rigid<double>>(8, Ports::hub_hub, 1e-6);
  b.system.docks[0].projected = false;
  Workspace<double> w(b.system);
  Mode<double> mode = test::open_mode(w);
  const std::vector<double> before = b.x;
  EXPECT_FALSE(project(b.system, 0.0, b.x, mode, w));
  EXPECT_EQ(before, b.x);
}

// --- welding -------------------------------------------------------------------------------------

// Parents before children, every body once; leaves carry nothing.
void expect_sound(const Model<double>& model) {
  ASSERT_EQ(model.order.size(), static_cast<std::size_t>(model.body_count() - 1));
  std::vector<char> seen(static_cast<std::size_t>(model.body_count()), 0);
  std::vector<char> carries(seen);
  seen[kGround] = 1;
  for (const int i : model.order) {
    EXPECT_FALSE(seen[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(seen[static_cast<std::size_t>(model.body(i).parent)]) << i;
    seen[static_cast<std::size_t>(i)] = 1;
    carries[static_cast<std::size_t>(model.body(i).parent)] = 1;
  }
  for (int i = 1; i < model.body_count(); ++i)
    EXPECT_EQ(model.body(i).leaf, !carries[static_cast<std::size_t>(i)]) << i;
}

TEST(Welding, AndCuttingAgainChangesNoMotion) {
  for (const int craft : {2, 3})
    for (const bool on_parts : {false, true})
      for (unsigned seed = 1; seed <= 4; ++seed) {
        const Mated m(seed, craft, on_parts);
        System<double> s = m.exact;
        Workspace<double> before(s);
        test::look_at_docks(s, m.x, before);
        for (Dock<double>& d : s.docks) {
          d.enforce = Enforce::fused;
          weld(s.model, d);
          expect_sound(s.model);
        }
        Workspace<double> w(s);
        const auto expect_unmoved = [&](std::span<const double> x) {
          test::look_at_docks(s, x, w);
          for (int i = 1; i < s.model.body_count(); ++i) {
            const BodyMotion<double>&a = before.motion.body(i), &b = w.motion.body(i);
            EXPECT_LT(norm(a.r_BN_N - b.r_BN_N), 2e-14) << s.model.names[std::size_t(i)];
            EXPECT_LT(norm(a.v_BN_N - b.v_BN_N), 3e-15);
            EXPECT_LT(norm(a.omega_BN_N - b.omega_BN_N), 2e-14);
            for (int k = 0; k < 3; ++k) {
              const Vec3<double> e{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
              EXPECT_LT(norm(a.R_NB * e - b.R_NB * e), 3e-15);
            }
          }
        };
        expect_unmoved(m.x);
        // The idle states of welded hubs may hold anything.
        std::vector<double> x = m.x;
        for (const Body<double>& b : s.model.bodies)
          if (b.hub && b.joint == JointType::fixed) {
            for (int k = 0; k < 7; ++k) x[static_cast<std::size_t>(b.q + k)] = 99;
            for (int k = 0; k < 6; ++k) x[static_cast<std::size_t>(w.layout.v + b.v + k)] = 99;
          }
        expect_unmoved(x);
        const std::span<double> all(x);
        const auto nq = static_cast<std::size_t>(w.layout.v);
        const auto nv = static_cast<std::size_t>(w.layout.z - w.layout.v);
        for (Dock<double>& d : s.docks) {
          test::look_at_docks(s, x, w);
          cut(s.model, d, w.motion, all.first(nq), all.subspan(nq, nv));
          d.engaged = false;
          expect_sound(s.model);
        }
        expect_unmoved(x);
        // And the same state, but for the sign of a quaternion.
        for (const Body<double>& b : s.model.bodies) {
          if (!b.hub) continue;
          const auto at = static_cast<std::size_t>(b.q + 3);
          double along = 0;
          for (std::size_t k = 0; k < 4; ++k) along += x[at + k] * m.x[at + k];
          if (along < 0)
            for (std::size_t k = 0; k < 4; ++k) x[at + k] = -x[at + k];
        }
        EXPECT_LT(largest_difference(x, m.x), 3e-15);
      }
}

TEST(Welding, IsRefusedWhereCraftAreJoinedAlready) {
  Mated m(1, 3);
  System<double> s = test::fused(m.exact);
  Random random(2);
  Dock<double> ring = test::random_dock<Rigid<double>>(
      s.model.find_body("craft2"), s.model.find_body("craft0"), {Enforce::fused}, random);
  EXPECT_THROW(s.add_dock(ring), std::invalid_argument);
  EXPECT_EQ(s.docks.size(), 2u);
  expect_sound(s.model);
  // Nor where no port is on a hub.
  Dock<double> tips = test::random_dock<Rigid<double>>(s.model.find_body("craft0.arm.link2"),
                                                       s.model.find_body("craft1.arm.link2"),
                                                       {Enforce::fused}, random);
  EXPECT_THROW(s.add_dock(tips), std::invalid_argument);
}

TEST(Welding, OfTheMiddleOfAChainTurnsItsTreeRound) {
  // (0,1) and then (2,1): the second finds craft 1 welded already and takes craft 2 instead.
  Mated m(3, 3);
  System<double> s = m.exact;
  std::swap(s.docks[1].port_1, s.docks[1].port_2);
  Workspace<double> w(s);
  test::look_at_docks(s, m.x, w);
  lock_here(s.docks[1], w.docks[1].pair);
  s = test::fused(s);
  expect_sound(s.model);
  EXPECT_EQ(s.model.body(s.model.find_body("craft2")).joint, JointType::fixed);
  EXPECT_EQ(s.model.root_of(s.model.find_body("craft2")), s.model.find_body("craft0"));
  Workspace<double> after(s);
  test::look_at_docks(s, m.x, after);
  for (int i = 1; i < s.model.body_count(); ++i)
    EXPECT_LT(norm(after.motion.body(i).r_BN_N - w.motion.body(i).r_BN_N), 2e-14);
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
      s.docks[0].push = {2e6, 3e3, 5e5};
      s.docks[0].turn = {1e6, 2e3, 4e5};
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
}  // namespace berth
