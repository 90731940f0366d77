// SPDX-License-Identifier: Apache-2.0

// Contacts that open and close while everything moves.

#include "berth/simulate/summary.h"
#include "tests/run/contact_runs.h"

namespace berth::contact_events_test {
namespace {

using namespace test;

// --- a ball and a wall: closed forms -------------------------------------------------------------

TEST(ContactEvents, ASpringGivesTheBallBackAfterHalfAPeriod) {
  HybridRun run(ball(0.5, 2, 100, 0), with_tolerance(1e-12));
  ASSERT_TRUE(run.advance(2).completed());
  EXPECT_EQ(kinds_of(run), kOnce);
  EXPECT_NEAR(time_of(run, "contact_on"), 0.25, 1e-12);
  EXPECT_NEAR(time_of(run, "contact_off"), 0.25 + M_PI / 10, 1e-10);
  EXPECT_EQ(time_of(run, "contact_settled"), time_of(run, "contact_off"));
  EXPECT_NEAR(x_of(run, 0), 2 * (2 - 0.25 - M_PI / 10), 1e-10);
  EXPECT_NEAR(run.contact_tracks()[0].penetration_peak, 0.2, 1e-8);
  EXPECT_NEAR(run.contact_tracks()[0].force_peak, 20, 1e-6);
  EXPECT_NEAR(run.contact_tracks()[0].restitution(), 1, 1e-10);
  EXPECT_EQ(run.contact_tracks()[0].verdict(), "lossless");
  EXPECT_LT(run.audit().energy, 1e-11);
  EXPECT_LT(run.audit().linear_momentum, 1e-11) << "the ground takes it";
}

// Damped: ẋ and x of the free oscillation, released where k d + b ḋ = 0 or where d = 0.
TEST(ContactEvents, ADamperLetsGoEarlierWhenItMayNotPull) {
  const double k = 100, b = 4, w = std::sqrt(k - b * b / 4), v = 2;
  const auto depth = [&](double t) { return v / w * std::exp(-b / 2 * t) * std::sin(w * t); };
  const auto rate = [&](double t) {
    return v * std::exp(-b / 2 * t) * (std::cos(w * t) - b / (2 * w) * std::sin(w * t));
  };
  for (const bool adhesive : {true, false}) {
    System<double> s = ball(0.5, v, k, b);
    s.contacts[0].adhesive = adhesive;
    HybridRun run(s, with_tolerance(1e-12));
    ASSERT_TRUE(run.advance(2).completed());
    EXPECT_EQ(kinds_of(run), kOnce);
    const double t = time_of(run, "contact_off") - time_of(run, "contact_on");
    if (adhesive) {
      EXPECT_NEAR(t, M_PI / w, 1e-10);
    } else {
      EXPECT_NEAR(k * depth(t) + b * rate(t), 0, 1e-8);
    }
    EXPECT_NEAR(x_of(run, run.system().layout().v), -rate(t), 1e-10);
    EXPECT_EQ(run.contact_tracks()[0].verdict(), "passive");
  }
}

// f(t) = k x(t − h), first piece by piece in closed form: free for h, then pushed by a parabola of
// the free flight.
TEST(ContactEvents, ALateForceIsThatOfThePast) {
  const double k = 10, v = 2, h = 0.1;
  System<double> s = ball(0.5, v, k, 0);
  s.contacts[0].delay = h;
  HybridRun run(s, with_tolerance(1e-12));
  ASSERT_TRUE(run.advance(0.25 + h).completed());
  EXPECT_NEAR(x_of(run, 0), -v * h, 1e-12);
  EXPECT_NEAR(work_of(run), 0, 1e-14);
  ASSERT_TRUE(run.advance(0.25 + 2 * h).completed());
  EXPECT_NEAR(x_of(run, 0), -v * 2 * h + k * v * h * h * h / 6, 1e-12);
  ASSERT_TRUE(run.advance(0.25 + 3 * h).completed());
  EXPECT_NEAR(x_of(run, 0),
              -v * 3 * h + k * v * 8 * h * h * h / 6 - k * k * v * std::pow(h, 5) / 120, 1e-12);
}

// Wherever it is evaluated: inside steps, at their ends, in the step an event has cut short.
TEST(ContactEvents, ForcesSeenInsideStepsAreThoseOfThePast) {
  struct ForceSamples : Observer {
    bool step(HybridRun& run) override {
      std::vector<double> x(run.x().size());
      for (int i = 1; i <= 4; ++i) {
        const double from = run.t_previous(), t = from + (run.t() - from) * i / 4;
        if (i < 4) {
          run.interpolate(t, x);
        } else {
          std::copy(run.x().begin(), run.x().end(), x.begin());
        }
        forces.push_back({t, run.observe(t, x).contacts[0].force_N().x});
      }
      return true;
    }
    std::vector<std::pair<double, double>> forces;
  };
  for (const double h : {0.003, 0.1}) {
    System<double> s = ball(0.5, 2, 100, 0);
    s.contacts[0].delay = h;
    // The same again, evaluated only where the first asks for: depth a delay before each sample.
    HybridRun run(s, with_tolerance(1e-11));
    ForceSamples samples;
    ASSERT_TRUE(run.advance(0.9, &samples).completed());
    HybridRun again(s, with_tolerance(1e-11));
    const double on = time_of(run, "contact_on"), off = time_of(run, "contact_off");
    for (const auto& [t, force] : samples.forces) {
      if (t - h <= again.t()) continue;
      ASSERT_TRUE(again.advance(t - h).completed());
      // At the very ends the sample may be of before or after.
      if (std::fabs(t - h - on) < 1e-9 || std::fabs(t - h - off) < 1e-9) continue;
      const bool then = t - h > on && t - h < off;
      EXPECT_NEAR(force, then ? -100 * again.x()[0] : 0, 1e-7) << h << " " << t;
    }
  }
}

TEST(ContactEvents, SettlesAfterTheLastLateForce) {
  System<double> s = ball(0.5, 2, 100, 4);
  s.contacts[0].delay = 0.03;
  HybridRun run(s, with_tolerance(1e-12));
  ASSERT_TRUE(run.advance(2).completed());
  EXPECT_EQ(kinds_of(run), kOnce);
  EXPECT_NEAR(time_of(run, "contact_settled"), time_of(run, "contact_off") + 0.03, 1e-14);
  // Nothing pushes any more.
  const double E = work_of(run);
  ASSERT_TRUE(run.advance(3).completed());
  EXPECT_EQ(work_of(run), E);
}

TEST(ContactEvents, HuntCrossleyGivesBackAsItsTheorySays) {
  for (const double c : {0.0, 0.02, 0.05}) {
    System<double> s = ball(0.1, 1, 0, 0);
    s.contacts[0].law = HuntCrossley<double>{1e4, 1.5, c};
    HybridRun run(s, with_tolerance(1e-12));
    ASSERT_TRUE(run.advance(1).completed());
    EXPECT_EQ(kinds_of(run), kOnce);
    EXPECT_NEAR(run.contact_tracks()[0].restitution(), 1 - 2.0 / 3 * c, c * c + 1e-9) << c;
  }
}

// --- at the edge ---------------------------------------------------------------------------------

TEST(ContactEvents, StartingAtTheEdgeAndApproachingTouchesAtOnce) {
  for (const bool adhesive : {false, true})
    for (const double b : {0.0, 4.0}) {
      System<double> s = ball(0, 2, 100, b);
      s.contacts[0].adhesive = adhesive;
      HybridRun run(s, with_tolerance(1e-12));
      ASSERT_TRUE(run.advance(2).completed());
      EXPECT_EQ(kinds_of(run), kOnce);
      EXPECT_EQ(time_of(run, "contact_on"), 0);
      HybridRun shifted(ball(0.5, 2, 100, b), with_tolerance(1e-12));
      ASSERT_TRUE(shifted.advance(2.25).completed());
      if (!adhesive) {
        EXPECT_NEAR(x_of(run, 0), x_of(shifted, 0), 1e-10);
      }
    }
}

TEST(ContactEvents, StartingAtTheEdgeAndLeavingIsFreeFlight) {
  for (const bool adhesive : {false, true})
    for (const double b : {0.0, 4.0})
      for (const double delay : {0.0, 0.02}) {
        System<double> s = ball(0, -2, 100, b);
        s.contacts[0].adhesive = adhesive;
        s.contacts[0].delay = delay;
        HybridRun run(s, with_tolerance(1e-12));
        ASSERT_TRUE(run.advance(2).completed());
        EXPECT_NEAR(x_of(run, 0), 4, 1e-12) << adhesive << " " << b << " " << delay;
        EXPECT_NEAR(work_of(run), 0, 1e-14);
      }
}

// The edge is taken for touching, and the spring pulls until the first step is over.
TEST(ContactEvents, StartingAtTheEdgeAtRestAndPulledAwayIsFreeFall) {
  for (const double b : {0.0, 4.0}) {
    System<double> s = ball(0, 0, 100, b);
    UniformGravity<double> away;
    away.uniform = {1, 0, 0};
    s.add_force(away);
    HybridRun run(s, with_tolerance(1e-12));
    ASSERT_TRUE(run.advance(2).completed());
    EXPECT_NEAR(x_of(run, 0), 2, 1e-10) << b;
  }
}

TEST(ContactEvents, StartingAtTheEdgeAtRestStaysThere) {
  for (const bool adhesive : {false, true})
    for (const double delay : {0.0, 0.02}) {
      System<double> s = ball(0, 0, 100, 4);
      s.contacts[0].adhesive = adhesive;
      s.contacts[0].delay = delay;
      HybridRun run(s, with_tolerance(1e-12));
      ASSERT_TRUE(run.advance(5).completed());
      EXPECT_EQ(x_of(run, 0), 0);
      EXPECT_LE(run.event_records().size(), 1u);
    }
}

// A sphere that flies past the edge of a post: by a hair it touches or does not.
TEST(ContactEvents, GrazingTouchesOnlyWhenItIsDeepEnough) {
  for (const double miss : {1e-3, 1e-5, -1e-5, -1e-3}) {
    System<double> s;
    const int target = add_craft(s, "target", {}, {});
    const int chaser = add_craft(s, "chaser", {0.1 + miss, -1, 0}, {0, 0.5, 0}, 10, 5);
    Contact<double> c = touching(chaser, {}, target);
    c.surface = Plane<double>{0.3};
    c.probe = SphereProbe<double>{0.1};
    s.add_contact(c);
    RunOptions options = with_tolerance(1e-11);
    HybridRun run(s, options);
    ASSERT_TRUE(run.advance(4).completed());
    const ContactTrack& track = run.contact_tracks()[0];
    EXPECT_EQ(track.touches > 0, miss < 0) << miss;
    if (track.touches > 0) {
      // It comes over the edge of the post: the corner is round for a ball.
      const double along = std::sqrt(0.01 - (0.1 + miss) * (0.1 + miss));
      EXPECT_NEAR(time_of(run, "contact_on"), (1 - 0.3 - along) / 0.5, 1e-9);
    }
    EXPECT_LT(run.audit().energy, 1e-11);
  }
}

// --- capsule and rim -----------------------------------------------------------------------------

TEST(ContactEvents, AShaftTouchesWithItsDeepestPoint) {
  // The shaft lies along the axis of the cone, tip half a metre in, and comes sideways to the wall.
  System<double> s;
  const int target = add_craft(s, "target", {}, {});
  const double rim = std::tan(M_PI / 6);
  const int chaser = add_craft(s, "chaser", {2.5, 0, 0}, {0, 0, 0.1}, 100, 50);
  Contact<double> c = touching(chaser, {-2, 0, 0}, target);
  c.surface = Cone<double>{M_PI / 6, 1, 0};
  c.probe = CapsuleProbe<double>{0.05, 1.2};
  s.add_contact(c);
  HybridRun tip_first(s, with_tolerance(1e-11));
  ASSERT_TRUE(tip_first.advance(5).completed());
  const double d = 0.05 / std::cos(M_PI / 6);
  EXPECT_NEAR(time_of(tip_first, "contact_on"), (0.5 * rim - d) / 0.1, 1e-8);

  // The other way round: tip outside at 1.6, the end of the shaft in the cone at 0.4.
  s.contacts[0].port_1.R_BP = Mat3<double>::identity();
  s.contacts[0].port_1.r_PB_B = {-0.9, 0, 0};
  HybridRun other_way(s, with_tolerance(1e-11));
  ASSERT_TRUE(other_way.advance(5).completed());
  EXPECT_NEAR(time_of(other_way, "contact_on"), (0.4 * rim - d) / 0.1, 1e-8)
      << "the end of the shaft is the deepest";
  EXPECT_LT(other_way.audit().angular_momentum, 1e-11);
}

// A rod across the mouth comes down on the rim in two places at once; one is the deepest, the other
// follows. The ledgers balance all the same.
TEST(ContactEvents, ARodAcrossTheMouthRattlesWithBalancedLedgers) {
  System<double> s;
  const int target = add_craft(s, "target", {}, {});
  BodySpec<double> rod = test::hub_spec<double>("rod", 50, Sym3<double>::diagonal(20, 10, 15));
  rod.q = {1.2, 0, 0.05, 1, 0, 0, 0};
  rod.v = {-0.1, 0, 0, 0, 0.02, 0};
  const int chaser = s.model.add_body(rod);
  Contact<double> c = touching(chaser, {0, 0, 1}, target);
  c.port_1.R_BP = rotation_about(Vec3<double>{0, 1, 0}, -M_PI / 2);  // x of the port along +z
  c.surface = Cone<double>{M_PI / 6, 1, 0.05};
  c.probe = CapsuleProbe<double>{0.05, 2};
  c.law = SpringDashpot<double>{2000, 50};
  s.add_contact(c);
  HybridRun run(s, with_tolerance(1e-10));
  ASSERT_TRUE(run.advance(6).completed());
  EXPECT_GE(run.contact_tracks()[0].touches, 1u);
  const auto on = to_value(run.event_records()[0]);
  const double rho = std::hypot(on["point_T"][1].get<double>(), on["point_T"][2].get<double>());
  EXPECT_NEAR(rho, std::tan(M_PI / 6), 0.06) << "on the rim";
  EXPECT_LT(run.audit().linear_momentum, 1e-11);
  EXPECT_LT(run.audit().angular_momentum, 1e-10);
}

// --- rates ---------------------------------------------------------------------------------------

// Of every probe against every surface, both tumbling: what is reported as rates of gap and slip is
// how gap and points move.
TEST(ContactEvents, GapRateIsTheRateOfTheGap) {
  test::Random random(7);
  const VariantOf<Probes<double>>::type probes[] = {PointProbe<double>{}, SphereProbe<double>{0.05},
                                                    CapsuleProbe<double>{0.05, 0.4}};
  const VariantOf<Surfaces<double>>::type surfaces[] = {
      Cone<double>{0.5, 1, 0}, Cone<double>{0.5, 1, 0.1}, Plane<double>{0.4}, HalfSpace<double>{}};
  int bent = 0, samples = 0;
  for (const auto& probe : probes)
    for (const auto& surface : surfaces)
      for (int i = 0; i < 20; ++i) {
        System<double> s;
        for (const char* name : {"a", "b"}) {
          BodySpec<double> hub = test::hub_spec<double>(name, 1, random.inertia());
          const Quaternion<double> q = random.quaternion();
          const double n = 1 / std::sqrt(norm_squared(q));
          const Vec3<double> r = random.vector(0.5);
          hub.q = {r.x, r.y, r.z, n * q.w, n * q.x, n * q.y, n * q.z};
          for (int k = 0; k < 6; ++k) hub.v.push_back(random.number());
          s.model.add_body(hub);
        }
        Contact<double> c = touching(1, random.vector(0.5), 2, random.vector(0.5));
        c.port_1.R_BP = random.rotation();
        c.port_2.R_BP = random.rotation();
        c.probe = probe;
        c.surface = surface;
        // Forces that are nothing: they fly as they are.
        c.law = SpringDashpot<double>{1e-12, 0};
        s.add_contact(c);
        HybridRun run(s, with_tolerance(1e-12));
        const double h = 1e-4;
        std::vector<double> gaps;
        double rate = 0;
        for (int k = 1; k <= 3; ++k) {
          ASSERT_TRUE(run.advance(h * k).completed());
          const ContactMotion<double>& m = run.observe().contacts[0];
          gaps.push_back(m.gap);
          if (k == 2) rate = m.gap_rate;
          EXPECT_NEAR(dot(m.slip_N, m.n_N), 0, 1e-14);
          EXPECT_NEAR(norm(m.n_N), 1, 1e-12);
        }
        ++samples;
        if (std::fabs((gaps[2] - gaps[0]) / (2 * h) - rate) > 1e-5) ++bent;
      }
  EXPECT_LE(bent, samples / 50) << "beside edges only";
}

// A shaft touches where it is deepest, also where it comes near the surface in two places.
TEST(ContactEvents, AShaftIsAsDeepAsItsDeepestPoint) {
  test::Random random(8);
  const VariantOf<Surfaces<double>>::type surfaces[] = {
      Cone<double>{0.5, 1, 0}, Cone<double>{0.5, 1, 0.02}, Plane<double>{0.1}, HalfSpace<double>{}};
  for (const auto& surface : surfaces)
    for (int i = 0; i < 300; ++i) {
      System<double> s;
      // Anywhere, or across the mouth of the cone.
      const bool across = i % 3 == 0;
      const Vec3<double> tip =
          across ? Vec3<double>{random.number(1, 1.06), 0, random.number(0.7, 1.3)}
                 : random.vector(1);
      const int shaft = add_craft(s, "shaft", tip, {});
      const int target = add_craft(s, "target", {}, {});
      Contact<double> c = touching(shaft, {}, target);
      c.port_1.R_BP =
          across ? rotation_about(Vec3<double>{0, 1, 0}, -M_PI / 2 + random.number(-0.02, 0.02))
                 : random.rotation();
      c.surface = surface;
      c.probe = CapsuleProbe<double>{0.05, 2};
      s.add_contact(c);
      Motion<double> motion;
      motion.bodies.resize(s.model.bodies.size());
      find_motion<double>(s.model, s.model.q0, s.model.v0, motion);
      const double states[2] = {};
      const ContactMotion<double> m = find_contact_motion(c, motion, states, Grip{});
      double least = INFINITY;
      for (int k = 0; k <= 2000; ++k) {
        const Vec3<double> p = motion.body(shaft).r_BN_N - (1e-3 * k) * c.port_1.R_BP.column_x();
        std::visit(
            [&](const auto& f) { least = std::min(least, f.find_gap(surface_point(p)).v - 0.05); },
            surface);
      }
      EXPECT_LE(m.gap, least + 1e-12) << surface.index() << " " << i;
      EXPECT_GT(m.gap, least - 1e-3);
    }
}

// --- several -------------------------------------------------------------------------------------

// Two balls on one wall, mirror images: both at the same instants.
TEST(ContactEvents, TwoContactsAtOnceAreBothSeen) {
  for (const double delay : {0.0, 0.02}) {
    System<double> s;
    for (int i = 0; i < 2; ++i) {
      const int craft = add_craft(s, i ? "b" : "a", {0.5, i ? 1.0 : -1.0, 0}, {-2, 0, 0}, 1, 1);
      Contact<double> c = touching(craft, {}, kGround);
      c.name = i ? "right" : "left";
      c.law = SpringDashpot<double>{100, 4};
      c.delay = delay;
      s.add_contact(c);
    }
    HybridRun run(s, with_tolerance(1e-12));
    ASSERT_TRUE(run.advance(2).completed());
    const std::vector<ReportedContact> reported = contacts_of(run);
    ASSERT_EQ(reported.size(), 6u);
    EXPECT_EQ(kinds_of(run), (Strings{"contact_on", "contact_on", "contact_off", "contact_off",
                                      "contact_settled", "contact_settled"}));
    for (std::size_t i = 0; i < 6; i += 2) {
      EXPECT_NEAR(reported[i].t, reported[i + 1].t, 1e-12);
      EXPECT_NE(reported[i].name, reported[i + 1].name);
    }
    EXPECT_NEAR(x_of(run, 0), x_of(run, 7), 1e-12);
    System<double> alone = ball(0.5, 2, 100, 4);
    alone.contacts[0].delay = delay;
    HybridRun one(alone, with_tolerance(1e-12));
    ASSERT_TRUE(one.advance(2).completed());
    EXPECT_NEAR(x_of(run, 0), x_of(one, 0), 1e-10);
  }
}

// Pairs that have nothing to do with each other, with delays of their own, do what each does alone.
TEST(ContactEvents, DelaysOfSeveralCraftDoNotDisturbEachOther) {
  struct Pair {
    double gap, delay, k;
  };
  const Pair pairs[] = {{0.2, 0.2, 20}, {0.5, 0.01, 900}, {0.4, 0.05, 100}, {0.1, 0, 50}};
  const auto alone = [&](const Pair& p) {
    System<double> s = ball(p.gap, 2, p.k, 2);
    s.contacts[0].delay = p.delay;
    HybridRun run(s, with_tolerance(1e-12));
    EXPECT_TRUE(run.advance(3).completed());
    return std::pair(x_of(run, 0), work_of(run));
  };
  System<double> s;
  int i = 0;
  for (const Pair& p : pairs) {
    const int craft =
        add_craft(s, "ball" + std::to_string(i), {p.gap, 5.0 * i, 0}, {-2, 0, 0}, 1, 1);
    Contact<double> c = touching(craft, {}, kGround);
    c.name = "wall" + std::to_string(i++);
    c.law = SpringDashpot<double>{p.k, 2};
    c.delay = p.delay;
    s.add_contact(c);
  }
  HybridRun run(s, with_tolerance(1e-12));
  ASSERT_TRUE(run.advance(3).completed());
  for (int k = 0; k < 4; ++k) {
    const auto [x, E] = alone(pairs[k]);
    EXPECT_NEAR(x_of(run, 7 * k), x, 1e-9) << k;
    EXPECT_NEAR(run.contact_tracks()[static_cast<std::size_t>(k)].energy, E, 1e-9) << k;
  }
}

// A touch shorter than its own delay: while its force is on the way nothing is awake, yet the past
// must be kept, whatever other contacts say in the meantime.
TEST(ContactEvents, ATouchShorterThanItsDelayIsNotForgotten) {
  const auto build = [](bool others) {
    System<double> s;
    const int post = add_craft(s, "post", {}, {}, 1000, 1000);
    // A ball that flies over the rim of a post from 0.906 s to 1.094 s, felt from 1.406 s on.
    const int craft = add_craft(s, "ball", {0.09, -1, 0}, {0, 1, 0}, 1, 1);
    Contact<double> c = touching(craft, {}, post);
    c.surface = Plane<double>{0.05};
    c.probe = SphereProbe<double>{0.1};
    c.law = SpringDashpot<double>{100, 0};
    c.delay = 0.5;
    s.add_contact(c);
    // One is over, and felt, at 1.17 s; another begins at 1.3 s.
    for (const double gap : {1.7, 2.6}) {
      if (!others) break;
      const int other =
          add_craft(s, "other" + std::to_string(gap), {gap, 50 * gap, 0}, {-2, 0, 0}, 1, 1);
      Contact<double> d = touching(other, {}, kGround);
      d.name = "wall" + std::to_string(gap);
      d.law = SpringDashpot<double>{100, 0};
      d.delay = 0.01;
      s.add_contact(d);
    }
    return s;
  };
  HybridRun alone(build(false), with_tolerance(1e-12)), both(build(true), with_tolerance(1e-12));
  ASSERT_TRUE(alone.advance(4).completed());
  ASSERT_TRUE(both.advance(4).completed());
  ASSERT_EQ(kinds_of(alone), kOnce);
  EXPECT_GT(std::fabs(alone.contact_tracks()[0].energy), 1e-6);
  for (int i = 0; i < 14; ++i) EXPECT_NEAR(x_of(alone, i), x_of(both, i), 1e-9) << i;
  EXPECT_NEAR(alone.contact_tracks()[0].energy, both.contact_tracks()[0].energy, 1e-9);
}

// What was found of the past is read with the model of now: of a hub that was welded then, or is
// now, it has the wrong pose.
TEST(ContactEvents, AWeldDoesNotChangeWhatIsOnItsWay) {
  const auto gap = [](Enforce enforce) {
    System<double> s = probe_in_cone();
    s.contacts[0].delay = 0.1;
    Dock<double> d;
    d.name = "joint";
    d.port_1 = s.contacts[0].port_2;
    d.port_2 = s.contacts[0].port_1;
    d.constraint = Rigid<double>{};
    d.enforce = enforce;
    d.engaged = false;
    s.add_dock(d);
    Event latch, release;
    latch.name = "latch";
    latch.at = 0.3;
    latch.actions.push_back(LatchAction{"joint"});
    release.name = "release";
    release.at = 0.8;
    release.actions.push_back(ReleaseAction{"joint"});
    HybridRun run(s, with_tolerance(1e-11));
    run.set_events({latch, release});
    EXPECT_TRUE(run.advance(1.5).completed());
    return run.observe().contacts[0].gap;
  };
  EXPECT_NEAR(gap(Enforce::fused), gap(Enforce::exact), 1e-9);
}

// --- elsewhere -----------------------------------------------------------------------------------

TEST(ContactEvents, InOrbitTheFirstContactIsThatOfFreeSpace) {
  System<double> s = probe_in_cone();
  s.contacts[0].delay = 0.016;
  HybridRun free(s, with_tolerance(1e-12));
  ASSERT_TRUE(free.advance(1.5).completed());
  s.set_orbit({}, {7e6, 0, 0}, {0, 7546, 0});
  HybridRun orbit(s, with_tolerance(1e-12));
  ASSERT_TRUE(orbit.advance(1.5).completed());
  EXPECT_EQ(kinds_of(orbit), kinds_of(free));
  EXPECT_NEAR(time_of(orbit, "contact_on"), time_of(free, "contact_on"), 1e-4);
  EXPECT_NEAR(work_of(orbit), work_of(free), 1e-3 * std::fabs(work_of(free)));
  EXPECT_LT(orbit.audit().energy, 1e-11);
  EXPECT_LT(orbit.audit().angular_momentum, 1e-11);
}

TEST(ContactEvents, OnAPanelItBendsThePanel) {
  for (const double delay : {0.0, 0.02}) {
    System<double> s;
    const int target = add_craft(s, "target", {}, {}, 300, 200);
    HingedPanel<double> panel;
    panel.position = {0.5, 0, 0};
    panel.axis = {0, 1, 0};
    panel.outward = {0, 0, 1};
    panel.mass = 10;
    panel.centre_of_mass = {0.5, 0, 0};
    panel.inertia = Sym3<double>::diagonal(1, 2, 1);
    panel.stiffness = 50;
    panel.damping = 1;
    const int wing = s.add_component(panel, target, "target.wing").last_body();
    const int chaser = add_craft(s, "chaser", {1.6, 0, 0.8}, {-0.5, 0, 0}, 20, 5);
    // The panel lies along z: a face whose x is that of the hub.
    Contact<double> c = touching(chaser, {-1, 0, 0}, wing);
    c.port_2.r_PB_B = {0.8, 0, 0};
    c.port_2.R_BP = rotation_about(Vec3<double>{0, 1, 0}, M_PI / 2);
    Workspace<double> w(s);
    Mode<double> mode = idle_mode(w);
    motion_stage<double>(s, 0.0, find_initial_state(s), mode, w);
    c.port_2.R_BP = transpose(w.motion.body(wing).R_NB);
    c.surface = Plane<double>{0.3};
    c.delay = delay;
    s.add_contact(c);
    HybridRun run(s, with_tolerance(1e-11));
    ASSERT_TRUE(run.advance(1.5).completed());
    EXPECT_GE(run.contact_tracks()[0].touches, 1u);
    EXPECT_NEAR(time_of(run, "contact_on"), 0.2, 1e-10);
    EXPECT_GT(std::fabs(x_of(run, 7)), 1e-3) << "bent";
    EXPECT_LT(run.audit().energy, 1e-11);
    EXPECT_LT(run.audit().linear_momentum, 1e-11);
    EXPECT_LT(run.audit().angular_momentum, 1e-11);
  }
}

}  // namespace
}  // namespace berth::contact_events_test
