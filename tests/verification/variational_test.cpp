// SPDX-License-Identifier: Apache-2.0

// Variational steps: order, what they keep, and impacts on the way.

#include <cmath>

#include "tests/support/docked.h"
#include "tests/support/reference.h"
#include "tests/support/shipped.h"

namespace berth::variational_test {
namespace {

using Settings = std::vector<std::string>;
using Change = std::function<void(Scenario&)>;
using test::number;
using test::run_shipped;

// Everything a scenario expects of an adaptive method is too much for steps of a given length.
void expect_nothing(Scenario& s) { s.expect = {}; }

struct Study {
  std::string file;
  double t;
  Settings channels, settings = {};
  Change change = {};
};
Summary fly(const Study& study, const std::string& method, double step) {
  Settings settings = study.settings;
  settings.push_back("integrator.method=" + method);
  settings.push_back(fmt::format("integrator.step={}", step));
  settings.push_back(fmt::format("time.stop={}", study.t));
  settings.push_back("integrator.tolerance=1e-13");
  return run_shipped(study.file, {0.25 * study.t, 0.5 * study.t, 0.75 * study.t, study.t}, settings,
                     [&](Scenario& s) {
                       expect_nothing(s);
                       if (study.change) study.change(s);
                     });
}
double find_error(const Study& study, const Summary& a, const Summary& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.samples.size(); ++i)
    for (const std::string& c : study.channels) sum += square(number(a, i, c) - number(b, i, c));
  return std::sqrt(sum);
}
double find_order(const Study& study, const std::string& method, double step) {
  const Summary truth = fly(study, "dop853", 0);
  const double coarse = find_error(study, fly(study, method, step), truth);
  const double fine = find_error(study, fly(study, method, 0.5 * step), truth);
  return std::log2(coarse / fine);
}

const Study kPendulum{"double_pendulum_wall", 4, {"upper.angle", "lower.angle"}};

TEST(Variational, IsOfItsOrderThroughImpacts) {
  EXPECT_NEAR(find_order(kPendulum, "variational2", 0.002), 2, 0.05);
  EXPECT_NEAR(find_order(kPendulum, "variational4", 0.01), 4, 0.1);
}

void add_brake(Scenario& s) {
  JointPd<double> brake;
  brake.joints = {"upper", "lower"};
  brake.damping = 0.2;
  brake.reference.resize(2);
  ControlSpec spec;
  spec.name = "brake";
  spec.part = brake;
  s.control.push_back(spec);
}
TEST(Variational, IsOfItsOrderWithDamping) {
  Study damped = kPendulum;
  damped.change = add_brake;
  EXPECT_NEAR(find_order(damped, "variational2", 0.002), 2, 0.05);
  EXPECT_NEAR(find_order(damped, "variational4", 0.01), 4, 0.1);
}

// Impacts by the rule of the paper, which keeps the energy of the steps; "paper" as a scenario may
// say it, and any other rule without the work done on the way. Its error depends on where in a step
// the impact falls: at a part `alpha` of it, whatever the step.
double find_order_of_rule(const std::string& rule, bool damped, double alpha) {
  struct End {
    std::vector<double> angles;
    double hit = NAN;
  };
  const auto fly_by = [&](const std::string& method, double step) {
    ReadScenario read = read_scenario(test::shipped_file("double_pendulum_wall"), {});
    if (damped) add_brake(read.scenario);
    read.scenario.integrator.method = method;
    read.scenario.integrator.step = step;
    read.scenario.integrator.tolerance = 1e-13;
    BuiltScenario built = build_scenario(read.scenario, read.problems);
    for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
    if (method == "variational2")
      std::get<Impact<double>>(built.system.contacts.at(0).law).rule =
          rule == "paper without work" ? OneOf<ImpactRule>(static_cast<ImpactRule>(2))
                                       : OneOf<ImpactRule>(rule);
    HybridRun run(built.system, built.options);
    EXPECT_TRUE(run.advance(2).completed());
    End end;
    for (const char* joint : {"upper", "lower"})
      end.angles.push_back(run.x()[static_cast<std::size_t>(
          built.system.model.body(built.system.model.find_body(joint)).q)]);
    EXPECT_EQ(run.event_records().size(), 1u);
    if (!run.event_records().empty()) end.hit = run.event_records()[0].t;
    return end;
  };
  const End truth = fly_by("dop853", 0);
  const auto find_log_error = [&](double step) {
    const End end = fly_by("variational2", step);
    return std::log(std::hypot(end.angles[0] - truth.angles[0], end.angles[1] - truth.angles[1]));
  };
  const double coarse = truth.hit / (400 + alpha), fine = truth.hit / (800 + alpha);
  return (find_log_error(coarse) - find_log_error(fine)) / std::log(coarse / fine);
}
TEST(Variational, BothRulesOfImpactsAreOfSecondOrder) {
  for (const char* rule : {"reflect", "paper"})
    for (const bool damped : {false, true})
      for (const double alpha : {0.1, 0.5, 0.9})
        EXPECT_NEAR(find_order_of_rule(rule, damped, alpha), 2, 0.05)
            << rule << " " << damped << " " << alpha;
}
// A guard for the above: the work is what makes it of second order.
TEST(Variational, ThePapersRuleWithoutTheWorkIsOfFirstOrder) {
  for (const double alpha : {0.1, 0.5, 0.9})
    EXPECT_NEAR(find_order_of_rule("paper without work", true, alpha), 1, 0.1) << alpha;
}
TEST(Variational, ThePapersRuleIsRefusedWhereItMeansNothing) {
  const auto text = [](const Settings& more) {
    Settings all{"integrator.method=variational2", "integrator.step=0.01",
                 "contact.wall.law.rule=paper"};
    all.insert(all.end(), more.begin(), more.end());
    return test::find_problems("double_pendulum_wall", all);
  };
  EXPECT_EQ(text({}), "");
  EXPECT_NE(text({"contact.wall.law.restitution=0.9"}).find("needs restitution = 1"),
            std::string::npos);
  EXPECT_NE(text({"contact.wall.law.friction=0.1"}).find("no friction"), std::string::npos);
  EXPECT_NE(text({"integrator.method=variational4"}).find("the method variational4 has none"),
            std::string::npos);
  EXPECT_NE(text({"contact.wall.law.rule=newton"}).find("is not one of reflect, paper"),
            std::string::npos);
}

// Dampers for which half a step is longer than what they take to stop.
TEST(Variational, TakesStrongDampers) {
  for (const double step : {0.05, 0.1}) {
    const Summary s = run_shipped(
        "docked_nadir", {},
        {"dock.joint.enforce=penalty", "dock.joint.alpha=10", "integrator.method=variational2",
         fmt::format("integrator.step={}", step), "time.stop=60"},
        expect_nothing);
    EXPECT_TRUE(s.outcome.completed()) << step;
    EXPECT_LT(s.audit.energy, 1e-5);
  }
}

// A jump at the impact that is wrong by O(h) would show as order one: a guard for the two above.
TEST(Variational, AWrongImpactWouldShow) {
  Study wrong = kPendulum;
  const Summary truth = fly(wrong, "dop853", 0);
  const auto error = [&](double step) {
    wrong.settings = {fmt::format("contact.wall.law.restitution={}", 1 - 0.1 * step)};
    return find_error(wrong, fly(wrong, "variational2", step), truth);
  };
  EXPECT_LT(std::log2(error(0.002) / error(0.001)), 1.9);
}

TEST(Variational, TakesLoopsAlong) {
  const Study crank{"slider_crank", 1, {"crank.angle"}};
  EXPECT_NEAR(find_order(crank, "variational2", 0.001), 2, 0.05);
  EXPECT_NEAR(find_order(crank, "variational4", 0.002), 4, 0.1);
  const Summary s = fly(crank, "variational2", 0.001);
  EXPECT_LT(s.constraint_position, 1e-14);
}

TEST(Variational, StationArmHitsInTime) {
  const Study arm{"iss_arm", 40, {"psi.angle", "alpha.angle", "beta.angle"}};
  const test::Reference ref("impacts");
  const Summary truth = fly(arm, "dop853", 0);
  const auto impacts = [](const Summary& s) {
    std::vector<EventRecord> out;
    for (const EventRecord& h : s.events)
      if (h.kind == "impact") out.push_back(h);
    return out;
  };
  ASSERT_EQ(impacts(truth).size(), 3u);
  EXPECT_NEAR(impacts(truth)[0].t, ref("station.first"), 1e-9);
  EXPECT_NEAR(impacts(truth)[2].t, ref("station.third"), 1e-9);
  EXPECT_NEAR(impacts(truth)[0].number("impulse"), ref("station.impulse"), 1e-8);
  const Summary steps = fly(arm, "variational2", 0.01);
  ASSERT_EQ(impacts(steps).size(), 3u);
  EXPECT_NEAR(impacts(steps)[0].t, ref("station.first"), 1e-5);
  EXPECT_LT(find_error(arm, steps, truth), 1e-5);
  EXPECT_NEAR(find_order(arm, "variational2", 0.02), 2, 0.02);
  EXPECT_LT(steps.audit.linear_momentum, 1e-14);
  EXPECT_LT(steps.audit.angular_momentum, 2e-14);
}

TEST(Variational, AgreesWithOthersOnRestitutionAndFriction) {
  for (const auto& [e, mu] : {std::pair(0.8, 0.0), {0.5, 0.0}, {0.5, 0.3}}) {
    Study arm{"iss_arm", 40, {"psi.angle", "alpha.angle", "beta.angle"}};
    for (const char* wall : {"wall_near", "floor"}) {
      arm.settings.push_back(fmt::format("contact.{}.law.restitution={}", wall, e));
      arm.settings.push_back(fmt::format("contact.{}.law.friction={}", wall, mu));
    }
    const Summary truth = fly(arm, "dop853", 0), steps = fly(arm, "variational4", 0.02);
    EXPECT_LT(find_error(arm, steps, truth), 1e-7) << e << " " << mu;
    EXPECT_LT(steps.audit.energy, 1e-9);
  }
}

// In free space not one bit of the momentum changes, whatever is hit.
struct Carried : Observer {
  bool step(HybridRun& run) override {
    const auto now = run.carried_momenta();
    const int hub = run.system().model.find_body("iss");
    const Vec3<double> p = now[static_cast<std::size_t>(hub)].force;
    if (steps++ == 0) first = p;
    changed += p != first;
    return true;
  }
  Vec3<double> first;
  int steps = 0, changed = 0;
};
BuiltScenario free_station(const Settings& settings = {}) {
  ReadScenario read = read_scenario(test::shipped_file("iss_arm"), settings);
  read.scenario.orbit.reset();
  read.scenario.control.clear();
  read.scenario.integrator.method = "variational2";
  read.scenario.integrator.step = 0.01;
  read.scenario.expect = {};
  for (FreeBodySpec& b : read.scenario.body)
    if (b.name == "psi") b.v = {-0.03};
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  return built;
}
TEST(Variational, CarriesMomentumBitForBitThroughImpacts) {
  const BuiltScenario built = free_station({"spacecraft.iss.state.velocity=[0.3,-0.2,0]"});
  HybridRun run(built.system, built.options);
  Carried carried;
  EXPECT_TRUE(run.advance(120, &carried).completed());
  std::size_t impacts = 0;
  for (const EventRecord& h : run.event_records()) impacts += h.kind == "impact";
  EXPECT_GE(impacts, 2u);
  EXPECT_GT(carried.steps, 10000);
  EXPECT_EQ(carried.changed, 0);
  EXPECT_LT(run.audit().linear_momentum, 1e-13);
}

// What moves along with everything else is not moved.
TEST(Variational, DoesNotMindABoost) {
  std::array<double, 2> error{};
  for (const int boosted : {0, 1}) {
    std::array<std::vector<double>, 2> end;
    for (const int truth : {0, 1}) {
      BuiltScenario built = free_station(
          {fmt::format("spacecraft.iss.state.velocity=[0,{},0]", boosted ? 7706.6 : 0.0)});
      if (truth) {
        built.options.method = "dop853";
        built.options.integrator.tolerance = 1e-13;
      }
      HybridRun run(built.system, built.options);
      EXPECT_TRUE(run.advance(30).completed());
      for (const char* joint : {"psi", "alpha", "beta"})
        end[static_cast<std::size_t>(truth)].push_back(run.x()[static_cast<std::size_t>(
            built.system.model.body(built.system.model.find_body(joint)).q)]);
    }
    for (std::size_t k = 0; k < 3; ++k)
      error[static_cast<std::size_t>(boosted)] =
          std::max(error[static_cast<std::size_t>(boosted)], std::fabs(end[0][k] - end[1][k]));
  }
  EXPECT_GT(error[0], 0);
  EXPECT_NEAR(error[1], error[0], 0.1 * error[0]);
}

// --- for as long as one likes --------------------------------------------------------------------

void expect_steady_tumble(int steps) {
  const Summary s = run_shipped(
      "tumbling_body", {}, {fmt::format("time.stop={}", 0.05 * steps), "record.interval=1000"});
  EXPECT_EQ(s.steps.accepted, static_cast<std::uint64_t>(steps));
  EXPECT_LT(s.audit.energy, 1e-12);
  EXPECT_LT(s.audit.angular_momentum, 1e-12);
}
TEST(Variational, ATumblingBodyKeepsEverything) { expect_steady_tumble(100000); }
TEST(VariationalSoak, ATumblingBodyKeepsEverything) { expect_steady_tumble(1000000); }

// Four bodies on joints of every kind, flying free: energy swings and does not drift.
void expect_no_trend(int steps) {
  test::Random random(7);
  System<double> s;
  const test::CraftBodies craft = test::add_random_craft(s, "craft", {}, random);
  (void)craft;
  for (auto& arm : std::get<std::vector<RobotArm<double>>>(s.components))
    for (ArmLink<double>& link : arm.link) link.friction = 0;
  for (auto& panel : std::get<std::vector<HingedPanel<double>>>(s.components)) panel.damping = 0;
  for (auto& fuel : std::get<std::vector<SloshMass<double>>>(s.components)) fuel.damping = 0;
  RunOptions options;
  options.method = "variational2";
  options.integrator.step = 0.02;
  HybridRun run(s, options);
  struct Energy : Observer {
    bool step(HybridRun& d) override {
      const Balance<double> b = find_balance<double>(d.system(), d.x(), d.observe());
      E.push_back(b.kinetic + b.potential);
      return true;
    }
    std::vector<double> E;
  } energy;
  ASSERT_TRUE(run.advance(0.02 * steps, &energy).completed());
  EXPECT_LT(run.audit().linear_momentum, 1e-10);
  EXPECT_LT(run.audit().angular_momentum, 1e-10);
  const std::size_t n = energy.E.size(), part = n / 4;
  const auto mean = [&](std::size_t from) {
    double sum = 0;
    for (std::size_t i = from; i < from + part; ++i) sum += energy.E[i];
    return sum / static_cast<double>(part);
  };
  const auto [low, high] = std::minmax_element(energy.E.begin(), energy.E.end());
  EXPECT_GT(*high - *low, 0) << "it swings";
  EXPECT_LT(std::fabs(mean(n - part) - mean(0)), 0.2 * (*high - *low));
}
TEST(Variational, ATreeHasNoTrendOfEnergy) { expect_no_trend(10000); }
TEST(VariationalSoak, ATreeHasNoTrendOfEnergy) { expect_no_trend(200000); }

TEST(Variational, RefusesWhatItCannotTakeAlong) {
  const auto text = [](const Settings& more) {
    Settings all = more;
    all.push_back("integrator.method=variational2");
    all.push_back("integrator.step=0.01");
    return test::find_problems("slew", all);
  };
  EXPECT_NE(text({"control.pointing.sample_time=0.1"}).find("knows no samples"), std::string::npos)
      << text({"control.pointing.sample_time=0.1"});
  const std::string no_step = test::find_problems("tumbling_body", {"integrator.step=0"});
  EXPECT_NE(no_step.find("takes fixed steps: give one [s]"), std::string::npos) << no_step;
}

}  // namespace
}  // namespace berth::variational_test
