// SPDX-License-Identifier: Apache-2.0

// Docks that latch and let go while everything moves.

#include <cmath>

#include <gtest/gtest.h>

#include "berth/run/run.h"
#include "berth/simulate/summary.h"
#include "tests/support/dense.h"
#include "tests/support/docked.h"
#include "tests/support/runs.h"

namespace berth::dock_events_test {
namespace {

using test::balance;
using test::copy;
using test::for_each_constraint;
using test::Hold;
using test::Random;
using test::tight;

// Every way a dock of this kind can be held.
template <class C>
std::vector<Hold> holds_of() {
  std::vector<Hold> out(std::begin(test::kHolds), std::end(test::kHolds));
  if (std::same_as<C, Rigid<double>>) out.push_back({Enforce::fused, false});
  return out;
}

Event at(double t, Action action) {
  Event e;
  e.name = "event at " + std::to_string(t);
  e.at = t;
  e.actions.push_back(std::move(action));
  return e;
}
Event latch(double t, bool nominal, const std::string& dock = "joint") {
  return at(t, LatchAction{dock, nominal ? Lock::nominal : Lock::current});
}
Event release(double t, const std::string& dock = "joint") { return at(t, ReleaseAction{dock}); }

// Two craft on their way; the pose they have at `t`, bent by so much, is the mated one.
template <class C>
System<double> meeting(unsigned seed, Hold hold, double off, double turn, double t = 1) {
  Random random(seed);
  System<double> s;
  const test::CraftBodies a = add_random_craft(s, "servicer", {0, 0, 0}, random);
  const test::CraftBodies b = add_random_craft(s, "target", {2, 0, 0}, random);
  HybridRun free(s, tight());
  EXPECT_TRUE(free.advance(t).completed());
  Dock<double> d = test::random_dock<C>(seed % 2 == 0 ? a.hub : a.tip, b.hub, hold, random);
  d.engaged = false;
  s.add_dock(d);
  Workspace<double> w(s);
  std::vector<double> x = find_initial_state(s);
  std::copy_n(free.x().begin(), w.layout.z, x.begin());
  test::evaluate_docks(s, x, w);
  lock_here(s.docks[0], w.docks[0].pair);
  s.docks[0].arm = s.docks[0].arm + off * random.direction();
  s.docks[0].R_12 = rotation_about(random.direction(), turn) * s.docks[0].R_12;
  return s;
}

void expect_conserved(const HybridRun& driver, double tolerance = 1e-11) {
  EXPECT_LT(driver.audit().energy, tolerance);
  EXPECT_LT(driver.audit().linear_momentum, tolerance);
  EXPECT_LT(driver.audit().angular_momentum, tolerance);
}

const EventRecord& find_record(const HybridRun& driver, const std::string& kind) {
  for (const EventRecord& h : driver.event_records())
    if (h.kind == kind) return h;
  throw std::runtime_error("no " + kind);
}

// --- latching ------------------------------------------------------------------------------------

TEST(Latch, IsAPlasticImpactThatKeepsMomentum) {
  for_each_constraint([]<class C>() {
    for (const Hold hold : holds_of<C>()) {
      if (hold.enforce == Enforce::penalty) continue;
      for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(name(hold.enforce));
        const System<double> s = meeting<C>(seed, hold, 0.05, 0.05);
        HybridRun before(s, tight()), after(s, tight());
        ASSERT_TRUE(before.advance(1).completed());
        after.set_events({latch(1, false)});
        ASSERT_TRUE(after.advance(1).completed());
        ASSERT_TRUE(after.system().docks[0].engaged);

        // The poses stay, the rows stop.
        const Workspace<double>& w = after.observe();
        for (int i = 1; i < s.model.body_count(); ++i)
          EXPECT_LT(norm(w.motion.body(i).r_BN_N - before.observe().motion.body(i).r_BN_N), 1e-14);
        for (int r = 0; r < w.docks[0].count; ++r) {
          EXPECT_LT(std::fabs(w.docks[0].rows.row[static_cast<std::size_t>(r)].violation), 1e-14);
          EXPECT_LT(std::fabs(w.docks[0].rows.row[static_cast<std::size_t>(r)].rate), 1e-14);
        }
        const Balance<double> a = balance(before), b = balance(after);
        EXPECT_LT(norm(a.linear - b.linear), 1e-14 * a.linear_scale * 10);
        EXPECT_LT(norm(a.angular - b.angular), 1e-14 * a.angular_scale * 10);

        // The loss, by another road. Only the poses of the dock's rows matter, not the bend.
        System<double> locked = s;
        Workspace<double> work(locked);
        lock_here(locked.docks[0], test::evaluate_docks(locked, before.x(), work)[0].pair);
        const double loss = test::find_impact_loss(locked, 0, before.x());
        const auto reported = to_value(find_record(after, "latch"));
        EXPECT_EQ(reported["lock"], "current");
        EXPECT_GT(loss, 1e-3);
        EXPECT_LT(std::fabs(reported["energy_lost"].get<double>() - loss), 1e-11 * (1 + loss));
        EXPECT_LT(std::fabs(a.kinetic - b.kinetic - loss), 1e-11 * (1 + loss));
      }
    }
  });
}

TEST(Latch, TheImpulseItReportsIsWhatEachCraftReceives) {
  const System<double> s = meeting<Rigid<double>>(2, {}, 0, 0);
  HybridRun before(s, tight()), after(s, tight());
  ASSERT_TRUE(before.advance(1).completed());
  after.set_events({latch(1, false)});
  ASSERT_TRUE(after.advance(1).completed());
  const auto momentum_of = [&](HybridRun& d, const std::string& craft) {
    const Workspace<double>& w = d.observe();
    Vec3<double> p{};
    const int hub = s.model.find_body(craft);
    for (int i = 1; i < s.model.body_count(); ++i)
      if (s.model.hangs_on(i, hub))
        p += s.model.body(i).mass * w.motion.body(i).velocity_at(w.motion.body(i).r_CB_N);
    return p;
  };
  const auto reported = to_value(find_record(after, "latch"));
  const auto j = reported["impulse_N"].get<std::vector<double>>();
  const Vec3<double> impulse{j[0], j[1], j[2]};
  EXPECT_GT(norm(impulse), 1);
  EXPECT_LT(norm(momentum_of(after, "target") - momentum_of(before, "target") - impulse), 1e-11);
  EXPECT_LT(norm(momentum_of(after, "servicer") - momentum_of(before, "servicer") + impulse),
            1e-11);
}

TEST(Latch, WhereTheyStandTheLedgersBalanceForEveryWayOfHolding) {
  for_each_constraint([]<class C>() {
    for (const Hold hold : holds_of<C>()) {
      SCOPED_TRACE(name(hold.enforce));
      HybridRun driver(meeting<C>(3, hold, 0, 0), tight());
      driver.set_events({latch(1, false)});
      ASSERT_TRUE(driver.advance(3).completed());
      expect_conserved(driver);
    }
  });
}

TEST(Latch, AsDesignedItClosesTheGap) {
  for_each_constraint([]<class C>() {
    for (const Hold hold : holds_of<C>()) {
      if (hold.enforce == Enforce::penalty) continue;
      SCOPED_TRACE(name(hold.enforce));
      const System<double> s = meeting<C>(4, hold, 1e-3, 1e-3);
      HybridRun before(s, tight()), driver(s, tight());
      ASSERT_TRUE(before.advance(1).completed());
      driver.set_events({latch(1, true)});
      ASSERT_TRUE(driver.advance(1).completed());
      ASSERT_TRUE(driver.system().docks[0].engaged);
      const Workspace<double>& w = driver.observe();
      const Violation<double> off = find_violation(driver.system().docks[0], w.docks[0]);
      // What is left of a millimetre; exact docks take that away with every step.
      EXPECT_LT(off.position, 1e-11);
      EXPECT_LT(off.attitude, 1e-11);
      // Nothing but the two craft took part in it.
      const Balance<double> a = balance(before), b = balance(driver);
      EXPECT_LT(norm(a.linear - b.linear), 1e-12 * a.linear_scale);
      EXPECT_LT(norm(a.angular - b.angular), 1e-12 * a.angular_scale);
      // It costs what the impact costs, but for the little the gap changes.
      const double loss = test::find_impact_loss(s, 0, before.x());
      const auto reported = to_value(find_record(driver, "latch"));
      EXPECT_EQ(reported["lock"], "nominal");
      EXPECT_LT(std::fabs(reported["energy_lost"].get<double>() / loss - 1), 0.02);
      EXPECT_LT(std::fabs((a.kinetic - b.kinetic) / loss - 1), 0.02);
      ASSERT_TRUE(driver.advance(3).completed());
      expect_conserved(driver);
    }
  });
}

TEST(Latch, OfASpringThatIsBentCountsTheEnergyItAppearsWith) {
  for_each_constraint([]<class C>() {
    for (const bool pid : {false, true}) {
      const System<double> s = meeting<C>(5, {Enforce::penalty, pid}, 0.02, 0.02);
      HybridRun driver(s, tight());
      driver.set_events({latch(1, true)});
      ASSERT_TRUE(driver.advance(1).completed());
      EXPECT_GT(balance(driver).supplied, 1e-5) << "somebody drew the spring";
      ASSERT_TRUE(driver.advance(3).completed());
      expect_conserved(driver);
    }
  });
}

TEST(Latch, BeyondTheGapIsRefusedAndSaid) {
  for_each_constraint([]<class C>() {
    for (const Hold hold : holds_of<C>()) {
      System<double> s = meeting<C>(6, hold, 0.05, 0.05);
      s.docks[0].gap = s.docks[0].gap_angle = 1e-4;
      // A constraint that does not act where it is bent is not bent.
      Workspace<double> w(s);
      HybridRun free(s, tight()), driver(s, tight());
      ASSERT_TRUE(free.advance(1).completed());
      test::evaluate_docks(s, free.x(), w);
      ASSERT_GT(find_violation(s.docks[0], w.docks[0]).position, 1e-3);
      ASSERT_TRUE(free.advance(2).completed());
      driver.set_events({latch(1, true)});
      ASSERT_TRUE(driver.advance(2).completed());
      EXPECT_FALSE(driver.system().docks[0].engaged);
      const auto reported = to_value(find_record(driver, "latch_refused"));
      EXPECT_GT(reported["gap"].get<double>(), 1e-3);
      ASSERT_EQ(driver.warnings().size(), 1u);
      EXPECT_NE(driver.warnings()[0].find("joint did not latch at 1 s"), std::string::npos)
          << driver.warnings()[0];
      // They fly on as if nothing had been.
      for (int i = 0; i < w.layout.z; ++i)
        EXPECT_NEAR(driver.x()[static_cast<std::size_t>(i)], free.x()[static_cast<std::size_t>(i)],
                    1e-9);
      expect_conserved(driver);
    }
  });
}

TEST(Latch, OfWhatIsLatchedDoesNothing) {
  const System<double> s = meeting<Rigid<double>>(7, {}, 0, 0);
  HybridRun once(s, tight()), twice(s, tight());
  once.set_events({latch(1, false)});
  twice.set_events({latch(1, false), latch(1, true)});
  ASSERT_TRUE(once.advance(2).completed());
  ASSERT_TRUE(twice.advance(2).completed());
  EXPECT_EQ(copy(once.x()), copy(twice.x()));
}

TEST(Latch, ToTheGroundCountsWhatTheGroundTakes) {
  for (const Enforce enforce : {Enforce::exact, Enforce::baumgarte, Enforce::fused}) {
    Random random(3);
    System<double> s;
    const test::CraftBodies a = add_random_craft(s, "servicer", {0, 0, 0}, random);
    Dock<double> d = test::random_dock<Rigid<double>>(kGround, a.hub, {enforce}, random);
    d.engaged = false;
    s.add_dock(d);
    HybridRun driver(s, tight());
    driver.set_events({latch(0.5, false), release(1.5)});
    ASSERT_TRUE(driver.advance(2.5).completed());
    expect_conserved(driver);
  }
}

// --- letting go ----------------------------------------------------------------------------------

// Issue criterion: two free runs started from that state.
TEST(Release, LeavesTwoCraftThatFlyFreely) {
  for_each_constraint([]<class C>() {
    for (const Hold hold : holds_of<C>())
      for (unsigned seed = 1; seed <= 2; ++seed) {
        SCOPED_TRACE(name(hold.enforce));
        System<double> s = meeting<C>(seed, hold, 0, 0, 0.5);
        RunOptions options = tight();
        options.integrator.tolerance = 1e-13;
        HybridRun driver(s, options);
        driver.set_events({latch(0.5, false), release(1.5)});
        ASSERT_TRUE(driver.advance(1.5).completed());
        EXPECT_FALSE(driver.system().docks[0].engaged);

        System<double> free = s;
        free.docks.clear();
        std::copy_n(driver.x().begin(), free.model.q0.size(), free.model.q0.begin());
        std::copy_n(driver.x().begin() + free.layout().v, free.model.v0.size(),
                    free.model.v0.begin());
        HybridRun alone(free, options);
        ASSERT_TRUE(alone.advance(4).completed());
        ASSERT_TRUE(driver.advance(5.5).completed());
        for (int i = 0; i < free.layout().z; ++i)
          EXPECT_LT(std::fabs(driver.x()[static_cast<std::size_t>(i)] -
                              alone.x()[static_cast<std::size_t>(i)]),
                    1e-10)
              << "entry " << i;
        EXPECT_EQ(norm(driver.observe().docks[0].wrench.force), 0);
        expect_conserved(driver);
      }
  });
}

TEST(Release, OfASpringCountsWhatItHadStored) {
  for_each_constraint([]<class C>() {
    for (const bool pid : {false, true}) {
      const System<double> s = meeting<C>(8, {Enforce::penalty, pid}, 0, 0, 0.5);
      HybridRun held(s, tight()), driver(s, tight());
      held.set_events({latch(0.5, false)});
      ASSERT_TRUE(held.advance(0.6).completed());
      const double stored = find_energy(held.system().docks[0], held.observe().docks[0]);
      driver.set_events({latch(0.5, false), release(0.6)});
      ASSERT_TRUE(driver.advance(2).completed());
      const double reported = find_record(driver, "release").number("energy_lost");
      EXPECT_GT(stored, 1e-4);
      EXPECT_LT(std::fabs(reported - stored), 1e-11 * (1 + stored));
      expect_conserved(driver);
    }
  });
}

TEST(Release, AndLatchAgainAsOftenAsOneLikes) {
  for_each_constraint([]<class C>() {
    for (const Hold hold : holds_of<C>()) {
      SCOPED_TRACE(name(hold.enforce));
      HybridRun driver(meeting<C>(9, hold, 0, 0, 0.5), tight());
      std::vector<Event> events;
      for (int k = 0; k < 4; ++k) {
        events.push_back(latch(0.5 + k, false));
        events.push_back(release(1 + k));
      }
      driver.set_events(events);
      for (int k = 0; k < 4; ++k) {
        ASSERT_TRUE(driver.advance(0.75 + k).completed());
        EXPECT_TRUE(driver.system().docks[0].engaged);
        const Violation<double> off =
            find_violation(driver.system().docks[0], driver.observe().docks[0]);
        if (hold.enforce != Enforce::penalty) {
          EXPECT_LT(off.position, 1e-9);
          EXPECT_LT(off.attitude, 1e-9);
        }
        ASSERT_TRUE(driver.advance(1.25 + k).completed());
        EXPECT_FALSE(driver.system().docks[0].engaged);
      }
      expect_conserved(driver);
    }
  });
}

// A dock that opens and closes at one moment leaves everything as it is, but for what an impact
// takes, and the two are the same at once again.
TEST(Release, AtTheMomentOfLatchingKeepsTheCraftApart) {
  for (const Hold hold : holds_of<Rigid<double>>()) {
    SCOPED_TRACE(name(hold.enforce));
    HybridRun driver(meeting<Rigid<double>>(10, hold, 0, 0), tight());
    Event both = latch(1, false);
    both.actions.push_back(ReleaseAction{"joint"});
    driver.set_events({both});
    ASSERT_TRUE(driver.advance(2).completed());
    EXPECT_FALSE(driver.system().docks[0].engaged);
    expect_conserved(driver);
  }
}

// --- groups --------------------------------------------------------------------------------------

// Three craft in a chain, and the third side of the ring open.
System<double> open_ring(unsigned seed, Enforce enforce) {
  Random random(seed);
  System<double> s;
  std::vector<int> hubs;
  for (int i = 0; i < 3; ++i)
    hubs.push_back(add_random_craft(s, "craft" + std::to_string(i), {2.0 * i, 0, 0}, random).hub);
  for (std::size_t k = 0; k < 3; ++k)
    s.add_dock(test::random_dock<Rigid<double>>(hubs[k], hubs[(k + 1) % 3], {}, random)).name =
        "side" + std::to_string(k);
  mate_at_start(s, 0, 0, random);
  s.docks[2].engaged = false;
  std::vector<double> x = find_initial_state(s);
  Workspace<double> w(s);
  Mode<double> mode = test::open_mode(w);
  stop_rates(s, 0.0, x, mode, w);
  std::copy_n(x.begin() + w.layout.v, s.model.v0.size(), s.model.v0.begin());
  for (Dock<double>& d : s.docks) {
    d.enforce = enforce;
    if (enforce == Enforce::fused && d.engaged) weld(s.model, d);
  }
  return s;
}

TEST(Ring, ClosedInFlightItMovesLikeTheChain) {
  const System<double> s = open_ring(1, Enforce::exact);
  HybridRun chain(s, tight()), ring(s, tight());
  ring.set_events({latch(1, true, "side2"), release(2, "side0")});
  ASSERT_TRUE(ring.advance(1.5).completed());
  EXPECT_EQ(ring.mode().rows.size(), 12u);
  EXPECT_TRUE(ring.system().docks[2].engaged);
  const double lost = find_record(ring, "latch").number("energy_lost");
  EXPECT_LT(std::fabs(lost), 1e-12) << "it was closed already";
  ASSERT_TRUE(ring.advance(3).completed());
  ASSERT_TRUE(chain.advance(3).completed());
  EXPECT_EQ(ring.mode().rows.size(), 12u);
  for (int i = 0; i < s.layout().z; ++i)
    EXPECT_NEAR(ring.x()[static_cast<std::size_t>(i)], chain.x()[static_cast<std::size_t>(i)],
                1e-9);
  expect_conserved(ring);
  // The chain the other way round holds too.
  const Violation<double> off = find_violation(ring.system().docks[0], ring.observe().docks[0]);
  EXPECT_LT(off.position, 1e-9);
}

// Nothing can be welded between craft that are one tree already: the last side is held exactly, and
// holds when another opens.
TEST(Ring, OfFusedDocksIsClosedExactlyAndSaid) {
  const System<double> s = open_ring(2, Enforce::fused), exact = open_ring(2, Enforce::exact);
  HybridRun driver(s, tight()), other(exact, tight());
  for (HybridRun* d : {&driver, &other}) {
    d->set_events({latch(1, true, "side2"), release(2, "side0")});
    Outcome outcome;
    ASSERT_NO_THROW(outcome = d->advance(3));
    ASSERT_TRUE(outcome.completed());
    EXPECT_TRUE(d->system().docks[2].engaged);
    expect_conserved(*d);
  }
  EXPECT_TRUE(other.warnings().empty());
  ASSERT_EQ(driver.warnings().size(), 1u);
  EXPECT_NE(driver.warnings()[0].find("side2 is held exactly from 1 s on"), std::string::npos);
  for (int i = 1; i < s.model.body_count(); ++i)
    EXPECT_LT(norm(driver.observe().motion.body(i).r_BN_N - other.observe().motion.body(i).r_BN_N),
              1e-10);
}

TEST(Ring, OfFusedDocksCanTakeTheFreedSide) {
  const System<double> s = open_ring(3, Enforce::fused);
  HybridRun driver(s, tight());
  driver.set_events({release(1, "side0"), latch(1.5, false, "side2"), release(2, "side1"),
                     latch(2.5, false, "side0")});
  ASSERT_TRUE(driver.advance(3).completed());
  EXPECT_TRUE(driver.system().docks[0].engaged);
  EXPECT_FALSE(driver.system().docks[1].engaged);
  EXPECT_TRUE(driver.system().docks[2].engaged);
  EXPECT_TRUE(driver.warnings().empty());
  expect_conserved(driver);
}

// --- what observers see --------------------------------------------------------------------------

// Rows right after every event.
struct Rows : Observer {
  bool step(HybridRun&) override { return true; }
  void event(HybridRun& driver, const EventRecord& h) override {
    std::vector<double> row(static_cast<std::size_t>(driver.channels().width()));
    driver.fill_row(driver.t(), driver.x(), row);
    rows.push_back({h.kind, row});
  }
  std::vector<std::pair<std::string, std::vector<double>>> rows;
};

TEST(Latch, TheRowBehindItIsTheStateThatGoesOn) {
  for (const Hold hold : holds_of<Rigid<double>>()) {
    SCOPED_TRACE(name(hold.enforce));
    HybridRun driver(meeting<Rigid<double>>(11, hold, 0, 0), tight());
    Rows seen;
    driver.set_events({latch(1, false)});
    ASSERT_TRUE(driver.advance(1, &seen).completed());
    std::vector<double> now(static_cast<std::size_t>(driver.channels().width()));
    driver.fill_row(driver.t(), driver.x(), now);
    ASSERT_EQ(seen.rows.size(), 2u);  // the latch, and the event it belongs to
    double size = 1;
    for (double x : now) size = std::max(size, std::fabs(x));
    for (const auto& [kind, row] : seen.rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        EXPECT_LT(std::fabs(row[i] - now[i]), 1e-11 * size) << kind << ", column " << i;
  }
}

// One dock welded, the other held by multipliers: the rows of the first are gone at once.
TEST(Latch, OfAFusedDockLeavesTheLoadsOfOthersRight) {
  System<double> s = open_ring(5, Enforce::exact);
  s.docks[2].enforce = Enforce::fused;
  s.docks[0].engaged = false;
  HybridRun driver(s, tight());
  Rows seen;
  driver.set_events({latch(1, false, "side2")});
  ASSERT_TRUE(driver.advance(1, &seen).completed());
  ASSERT_TRUE(driver.system().docks[2].engaged);
  std::vector<double> now(static_cast<std::size_t>(driver.channels().width()));
  driver.fill_row(driver.t(), driver.x(), now);
  for (const auto& [kind, row] : seen.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      EXPECT_LT(std::fabs(row[i] - now[i]), 1e-9) << kind << ", column " << i;
  ASSERT_TRUE(driver.advance(2).completed());
  expect_conserved(driver);
}

TEST(Release, TheRowBehindItShowsTheLoadsThatAreLeft) {
  for (const Enforce enforce : {Enforce::exact, Enforce::baumgarte, Enforce::fused}) {
    SCOPED_TRACE(name(enforce));
    const System<double> s = open_ring(4, enforce);
    HybridRun driver(s, tight());
    Rows seen;
    driver.set_events({release(1, "side0")});
    ASSERT_TRUE(driver.advance(1, &seen).completed());
    std::vector<double> now(static_cast<std::size_t>(driver.channels().width()));
    driver.fill_row(driver.t(), driver.x(), now);
    double size = 1;
    for (double x : now) size = std::max(size, std::fabs(x));
    ASSERT_EQ(seen.rows.size(), 2u);
    for (const auto& [kind, row] : seen.rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        EXPECT_LT(std::fabs(row[i] - now[i]), 1e-11 * size) << kind << ", column " << i;
    EXPECT_GT(norm(driver.observe().docks[1].wrench.force), 1e-3);
  }
}

TEST(Latch, WorksUnderAStiffMethodToo) {
  for (const Hold hold : holds_of<Rigid<double>>()) {
    SCOPED_TRACE(name(hold.enforce));
    const System<double> s = meeting<Rigid<double>>(12, hold, 0, 0, 0.5);
    RunOptions options = tight();
    options.method = "radau";
    options.integrator.tolerance = 1e-9;
    HybridRun stiff(s, options), fine(s, tight());
    for (HybridRun* d : {&stiff, &fine}) {
      d->set_events({latch(0.5, false), release(1)});
      ASSERT_TRUE(d->advance(1.5).completed());
    }
    for (int i = 0; i < s.layout().z; ++i)
      EXPECT_NEAR(stiff.x()[static_cast<std::size_t>(i)], fine.x()[static_cast<std::size_t>(i)],
                  1e-6);
  }
}

}  // namespace
}  // namespace berth::dock_events_test
