// SPDX-License-Identifier: Apache-2.0

// Impacts in a run: times, rest, lifting off, corners, latching.

#include <cmath>

#include "berth/forces/list.h"
#include "tests/support/process.h"
#include "tests/support/random.h"
#include "tests/support/reference.h"
#include "tests/support/shipped.h"

namespace berth::run_impacts_test {
namespace {

using Settings = std::vector<std::string>;
using test::find_problems;
using test::number;
using test::run_shipped;

std::vector<EventRecord> of_kind(const Summary& s, const std::string& kind) {
  std::vector<EventRecord> out;
  for (const EventRecord& h : s.events)
    if (h.kind == kind) out.push_back(h);
  return out;
}

TEST(BouncingBall, BouncesInTimeAndLiesStill) {
  const test::Reference ref("benchmarks");
  for (const char* method : {"dop853", "radau", "variational2", "variational4"}) {
    SCOPED_TRACE(method);
    const Summary s = run_shipped(
        "bouncing_ball", {5, 6},
        {std::string("integrator.method=") + method, "integrator.step=0.01", "expect.energy=1e-9"});
    const auto hits = of_kind(s, "impact");
    ASSERT_GE(hits.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(hits[i].t, ref(fmt::format("ball.{}", i + 1)), 1e-9);
    const auto first = to_value(hits[0]);
    EXPECT_NEAR(first["normal_speed_before"], -std::sqrt(2 * 9.81), 1e-9);
    EXPECT_NEAR(first["normal_speed_after"], 0.8 * std::sqrt(2 * 9.81), 1e-9);
    EXPECT_NEAR(first["impulse"], 1.8 * std::sqrt(2 * 9.81), 1e-9);
    EXPECT_NEAR(first["energy_change"], -0.36 * 9.81, 1e-9);
    for (const std::size_t i : {0u, 1u}) {
      EXPECT_LT(std::fabs(number(s, i, "ball.travel")), 1e-14);
      EXPECT_NEAR(number(s, i, "bounce.normal_force"), -9.81, 1e-12) << "it lies there";
    }
  }
}

TEST(BouncingBall, RestsByZenosTime) {
  for (const double e : {0.5, 0.8, 0.9})
    for (const double slow : {1e-3, 1e-5, 1e-6}) {
      const Summary s =
          run_shipped("bouncing_ball", {},
                      {fmt::format("contact.bounce.law.restitution={}", e),
                       fmt::format("contact.bounce.law.rest_speed={}", slow), "time.stop=10"});
      const double zeno = std::sqrt(2 / 9.81) * (1 + e) / (1 - e);
      ASSERT_EQ(of_kind(s, "rest").size(), 1u);
      EXPECT_NEAR(of_kind(s, "rest")[0].t, zeno, 2.1 * slow / (9.81 * (1 - e)));
    }
}

TEST(BouncingBall, ThrustLiftsItExactly) {
  for (const char* method : {"dop853", "variational2"}) {
    const Summary s = run_shipped(
        "bouncing_ball", {5, 5.7},
        {std::string("integrator.method=") + method, "integrator.step=0.01", "expect.energy=1e-8"},
        [](Scenario& scenario) {
          ExternalLoad<double> thrust;
          thrust.body = "ball";
          thrust.force = {0, 2 * 9.81, 0};
          thrust.schedule = {{5, 100}};
          ForceSpec spec;
          spec.name = "thrust";
          spec.part = thrust;
          scenario.force.push_back(spec);
        });
    ASSERT_EQ(of_kind(s, "lift_off").size(), 1u);
    EXPECT_NEAR(of_kind(s, "lift_off")[0].t, 5, 1e-9);
    EXPECT_NEAR(number(s, 1, "ball.travel"), 0.5 * 9.81 * 0.7 * 0.7, 1e-9);
  }
}

// However it gets there: pressed on and not moving, it stays.
TEST(BouncingBall, AtRestFromTheStartItStays) {
  for (const char* e : {"0", "0.5", "1"}) {
    const Summary s =
        run_shipped("bouncing_ball", {5},
                    {std::string("contact.bounce.law.restitution=") + e, "body.ball.q=[0]"});
    EXPECT_LT(std::fabs(number(s, 0, "ball.travel")), 1e-12);
    EXPECT_NEAR(number(s, 0, "bounce.force"), 9.81, 1e-12);
    ASSERT_EQ(s.contacts.size(), 1u);
    EXPECT_NEAR(s.contacts[0].track.force_peak, 9.81, 1e-12);
  }
}

TEST(NewtonsCradle, PassesTheImpulseOnOrSharesIt) {
  const auto speeds = [](const char* how) {
    const Summary s = run_shipped("newton_cradle", {2},
                                  {std::string("contact.gap12.law.simultaneous=") + how,
                                   std::string("contact.gap23.law.simultaneous=") + how});
    return std::array{number(s, 0, "ball1.speed"), number(s, 0, "ball2.speed"),
                      number(s, 0, "ball3.speed")};
  };
  const auto one = speeds("sequential"), all = speeds("moreau");
  const double handed_on[] = {0, 0, 1}, shared[] = {-1.0 / 3, 2.0 / 3, 2.0 / 3};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(one[i], handed_on[i], 1e-13);
    EXPECT_NEAR(all[i], shared[i], 1e-13);
  }
}

// A ball thrown into a corner of two walls and a floor, anyhow: it never gets through, never gains,
// and the run comes to an end.
void throw_into_corners(unsigned count) {
  std::size_t impacts = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    test::Random random(seed);
    System<double> s;
    BodySpec<double> ball;
    ball.name = "ball";
    ball.joint = JointType::free;
    ball.mass = 1;
    ball.I_C_B = Sym3<double>{0.1, 0.1, 0.1};
    ball.q = {1, 1, 1, 1, 0, 0, 0};
    for (int k = 0; k < 6; ++k) ball.v.push_back(random.number(-2, 2));
    s.model.add_body(ball);
    UniformGravity<double> gravity;
    gravity.uniform = {-9.81, random.number(-3, 0), random.number(-3, 0)};
    s.add_force(gravity);
    const double e = seed % 4 == 0 ? 1.0 : random.number(0, 0.95);
    const double mu = seed % 3 == 0 ? 0.0 : random.number(0, 1);
    for (int k = 0; k < 3; ++k) {
      Contact<double> c;
      c.name = fmt::format("wall{}", k);
      Vec3<double> n{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      n = normalised(n + random.vector(0.3));
      const Normals<double> across = find_normals(n);
      c.port_1 = {1, {}, Mat3<double>::identity()};
      c.port_2 = {kGround, {}, Mat3<double>::columns(n, across.first, across.second)};
      c.probe = SphereProbe<double>{0.1};
      c.surface = HalfSpace<double>{};
      Impact<double> law;
      law.restitution = e;
      law.friction = mu;
      law.rest_speed = 1e-4;
      if (seed % 5 == 0) law.simultaneous = "sequential";
      c.law = law;
      s.add_contact(c);
    }
    RunOptions options;
    options.integrator.tolerance = 1e-8;
    options.integrator.max_steps = 20000;
    HybridRun run(s, options);
    struct Watch : Observer {
      bool step(HybridRun& d) override {
        const Workspace<double>& w = d.observe();
        for (const ContactMotion<double>& m : w.contacts) deepest = std::max(deepest, -m.gap);
        const Balance<double> b = find_balance<double>(d.system(), d.x(), w);
        if (std::isnan(lost)) lost = b.lost;
        worst = std::max(worst, lost - b.lost);
        lost = b.lost;
        return true;
      }
      double deepest = 0, lost = NAN, worst = 0;
    } watch;
    const Outcome end = run.advance(1.5, &watch);
    EXPECT_TRUE(end.completed()) << seed << " " << end.reason << " at " << end.t;
    EXPECT_LT(watch.deepest, 1e-9) << seed;
    EXPECT_LT(watch.worst, 1e-10) << seed;
    EXPECT_LT(run.audit().energy, 1e-7) << seed;
    for (const EventRecord& h : run.event_records()) impacts += h.kind == "impact";
  }
  EXPECT_GT(impacts, 2 * count);
}
TEST(Corner, HoldsWhatIsThrownIntoIt) { throw_into_corners(300); }
TEST(CornerSoak, HoldsWhatIsThrownIntoIt) { throw_into_corners(10000); }

// The tip of a rod that turns dips into the floor for less than a step.
TEST(Impacts, AVisitWithinAStepIsSeen) {
  for (const double depth : {1e-5, 1e-6, 1e-8}) {
    System<double> s;
    BodySpec<double> rod;
    rod.name = "rod";
    rod.joint = JointType::revolute;
    rod.axis = {0, 0, 1};
    rod.mass = 1;
    rod.I_C_B = Sym3<double>{0.1, 0.1, 0.1};
    rod.q = {-0.511};
    rod.v = {1};
    const int body = s.model.add_body(rod);
    Contact<double> c;
    c.name = "floor";
    c.port_1 = {body, {0, -1, 0}, Mat3<double>::identity()};
    c.port_2 = {
        kGround, {0, -1 + depth, 0}, Mat3<double>::columns({0, 1, 0}, {-1, 0, 0}, {0, 0, 1})};
    c.surface = HalfSpace<double>{};
    Impact<double> law;
    law.restitution = 1;
    c.law = law;
    s.add_contact(c);
    for (const char* method : {"variational2", "variational4"}) {
      RunOptions options;
      options.method = method;
      options.integrator.step = 0.02;
      HybridRun run(s, options);
      ASSERT_TRUE(run.advance(1).completed());
      ASSERT_EQ(run.event_records().size(), 1u) << method << " " << depth;
      const double far = std::string_view(method) == "variational2" ? 1e-4 : 1e-8;
      EXPECT_NEAR(run.event_records()[0].t, 0.511 - std::acos(1 - depth), far);
      EXPECT_LT(run.x()[static_cast<std::size_t>(run.system().layout().v)], 0);
    }
  }
}

// A plate as a polygon, or as four points: the same to the last bit, and reported as one contact.
TEST(Polygon, IsHitWhereItsCornersAre) {
  const std::string world = R"(
[time]
stop = 3
[gravity]
uniform = [0, -9.81, 0]
[[body]]
name = "plate"
joint = "planar"
mass = 2
inertia = [0.1, 0.1, 0.15]
q = [0, 1, 0.3]
v = [0.2, 0, 1]
[[body.port]]
name = "middle"
[[body]]
name = "house"
joint = "fixed"
mass = 1
inertia = [1, 1, 1]
[[body.port]]
name = "floor"
axes = [[0, 1, 0], [0, 0, 1]]
)";
  const std::string law = "law = { type = \"impact\", restitution = 0.6, friction = 0.2 }\n";
  const std::string polygon =
      "[[contact]]\nname = \"land\"\nbetween = [\"plate.middle\", \"house.floor\"]\n"
      "surface = \"half_space\"\nprobe = { type = \"polygon\", vertices = [[0.3, 0.2, 0], "
      "[-0.3, 0.2, 0], [-0.3, -0.2, 0], [0.3, -0.2, 0]] }\n" +
      law;
  std::string points, ports;
  const char* corners[] = {"[0.3, 0.2, 0]", "[-0.3, 0.2, 0]", "[-0.3, -0.2, 0]", "[0.3, -0.2, 0]"};
  for (int k = 0; k < 4; ++k) {
    ports += fmt::format("[[body.port]]\nname = \"c{}\"\nposition = {}\n", k, corners[k]);
    points += fmt::format(
        "[[contact]]\nname = \"land{0}\"\nbetween = [\"plate.c{0}\", \"house.floor\"]\n"
        "surface = \"half_space\"\n{1}",
        k, law);
  }
  std::string with_ports = world;
  with_ports.insert(with_ports.find("[[body]]\nname = \"house\""), ports);
  const test::TemporaryFolder folder;
  const auto fly = [&](const std::string& text, const char* method) {
    test::write_bytes(folder / "plate.toml", text);
    ReadScenario read =
        read_scenario(folder / "plate.toml",
                      {std::string("integrator.method=") + method, "integrator.step=0.01"});
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
    SimulateOptions options;
    options.at = {1, 2, 3};
    return simulate(read.scenario, built, options);
  };
  for (const char* method : {"dop853", "variational2"}) {
    SCOPED_TRACE(method);
    const Summary one = fly(world + polygon, method), four = fly(with_ports + points, method);
    EXPECT_TRUE(one.outcome.completed()) << describe(one);
    for (const std::size_t i : {0u, 1u, 2u})
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(number(one, i, "plate.rho_BO_N", k), number(four, i, "plate.rho_BO_N", k));
    const auto hits = of_kind(one, "impact");
    EXPECT_GT(hits.size(), 4u);
    EXPECT_EQ(hits.size(), of_kind(four, "impact").size());
    for (const EventRecord& h : hits) {
      EXPECT_EQ(h.name, "land");
      EXPECT_GE(to_value(h)["corner"].get<int>(), 1);
    }
    // It comes to lie on its long side: two corners rest.
    EXPECT_NEAR(number(one, 2, "land.corner3.force") + number(one, 2, "land.corner4.force") +
                    number(one, 2, "land.corner1.force") + number(one, 2, "land.corner2.force"),
                2 * 9.81, 1e-6);
  }
}

TEST(LatchOnImpact, HoldsAndLosesWhatAPlasticImpactWould) {
  for (const char* method : {"dop853", "variational2"}) {
    SCOPED_TRACE(method);
    const Summary s = run_shipped(
        "iss_arm_latch", {20, 29, 60, 120},
        {std::string("integrator.method=") + method, "integrator.step=0.01", "expect.energy=1e-7"});
    const auto latch = of_kind(s, "latch"), hit = of_kind(s, "impact"),
               let_go = of_kind(s, "release");
    ASSERT_EQ(latch.size(), 1u);
    ASSERT_EQ(let_go.size(), 1u);
    EXPECT_EQ(hit.back().name, "floor");
    EXPECT_EQ(hit.back().t, latch[0].t);
    for (const DockSummary& d : s.docks)
      if (d.name == "latch") {
        EXPECT_LT(d.track.violation().position, 1e-13);
      }
    EXPECT_LT(number(s, 3, "latch.violation_position"), 1e-13);
    EXPECT_GT(number(s, 3, "gripper.distance"), 0.5) << "the arm went back";
    // Impact and latch together lose what a latch alone, without a bounce before it, would.
    const double lost = latch[0].number("energy_lost") - hit.back().number("energy_change");
    const Summary plastic =
        run_shipped("iss_arm_latch", {},
                    {std::string("integrator.method=") + method, "integrator.step=0.01",
                     "time.stop=30", "contact.floor.law.restitution=0", "expect.energy=1e-7"});
    const auto other = of_kind(plastic, "latch"), impact = of_kind(plastic, "impact");
    ASSERT_EQ(other.size(), 1u);
    EXPECT_NEAR(other[0].number("energy_lost") - impact.back().number("energy_change"), lost, 1e-9);
  }
}

TEST(ImpactLaw, IsRefusedWhatItCannotBe) {
  const auto text = [](const Settings& settings) {
    return find_problems("bouncing_ball", settings);
  };
  const std::pair<Settings, const char*> wrong[] = {
      {{"contact.bounce.law.restitution=1.2"}, "above 1"},
      {{"contact.bounce.law.simultaneous=both"}, "is not one of moreau, sequential"},
      {{"contact.bounce.probe={type=\"polygon\",vertices=[[0,0,0],[1,0,0]]}"}, "three at least"},
      {{"contact.bounce.delay=0.01"}, "no force that a loop could feed back"},
      {{"contact.bounce.friction=0.3"}, "law.friction"},
      {{"contact.bounce.surface=cone", "contact.bounce.half_angle_deg=30",
        "contact.bounce.length=1"},
       "impacts need a half_space"},
  };
  for (const auto& [settings, rule] : wrong)
    EXPECT_NE(text(settings).find(rule), std::string::npos) << text(settings);
}

}  // namespace
}  // namespace berth::run_impacts_test
