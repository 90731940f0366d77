// SPDX-License-Identifier: Apache-2.0

// States brought back onto their constraints; trees welded together and cut again.

#include <gtest/gtest.h>

#include "berth/system/docks.h"
#include "berth/system/jumps.h"
#include "tests/support/docked.h"
#include "tests/support/numbers.h"

namespace berth::projection_test {
namespace {

using test::Evaluated;
using test::for_each_constraint;
using test::Hold;
using test::kPorts;
using test::largest_difference;
using test::Mated;
using test::Ports;
using test::Random;
using test::random_docked;
using test::random_group;
using test::size_of;

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
        test::evaluate_docks(b.system, b.x, w);
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
      test::evaluate_docks(s, x, w);
      const Momentum<double> before = find_momentum(s.model, w.motion);
      EXPECT_TRUE(project(s, 0.0, x, mode, w));
      test::evaluate_docks(s, x, w);
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
    test::evaluate_docks(ring, m.x, w);
    lock_here(ring.docks.back(), w.docks.back().pair);
    std::vector<double> delta(m.exact.model.v0.size());
    for (double& d : delta) d = 1e-8 * random.number();
    displace<double>(ring.model, delta, std::span(m.x).first(static_cast<std::size_t>(w.layout.v)));
    Mode<double> mode = test::open_mode(w);
    project(ring, 0.0, m.x, mode, w);
    test::evaluate_docks(ring, m.x, w);
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
        test::evaluate_docks(s, m.x, before);
        for (Dock<double>& d : s.docks) {
          d.enforce = Enforce::fused;
          weld(s.model, d);
          expect_sound(s.model);
        }
        Workspace<double> w(s);
        const auto expect_unmoved = [&](std::span<const double> x) {
          test::evaluate_docks(s, x, w);
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
          test::evaluate_docks(s, x, w);
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
  test::evaluate_docks(s, m.x, w);
  lock_here(s.docks[1], w.docks[1].pair);
  s = test::fused(s);
  expect_sound(s.model);
  EXPECT_EQ(s.model.body(s.model.find_body("craft2")).joint, JointType::fixed);
  EXPECT_EQ(s.model.root_of(s.model.find_body("craft2")), s.model.find_body("craft0"));
  Workspace<double> after(s);
  test::evaluate_docks(s, m.x, after);
  for (int i = 1; i < s.model.body_count(); ++i)
    EXPECT_LT(norm(after.motion.body(i).r_BN_N - w.motion.body(i).r_BN_N), 2e-14);
}

}  // namespace
}  // namespace berth::projection_test
