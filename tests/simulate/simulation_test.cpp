// SPDX-License-Identifier: Apache-2.0
#include "berth/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "berth/simulate.h"
#include "tests/support/process.h"
#include "tests/support/shipped.h"

namespace berth::test::simulation_test {
namespace {

const double kForever = std::numeric_limits<double>::infinity();

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
// What it says when it throws an E.
template <class E, class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing is thrown";
  return {};
}

Simulation load(const std::string& name) { return Simulation::load(shipped_file(name)); }

TEST(Simulation, IsWatchedAndEnded) {
  Simulation whole = load("docked_tumble");
  std::vector<double> seen;
  whole.set("time.stop", 100).keep_result().watch([&](double t) {
    seen.push_back(t);
    return true;
  });
  const Simulation::Summary wanted = whole.run();
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 100);

  Simulation s = load("docked_tumble");
  s.set("time.stop", 100).keep_result().watch([](double t) { return t < 20; });
  EXPECT_TRUE(s.run_until(10));
  const Simulation::Summary got = s.run();
  EXPECT_EQ(got.outcome(), "interrupted");
  EXPECT_FALSE(got.completed());
  EXPECT_GE(got.t(), 20);
  EXPECT_LT(got.t(), 100);
  EXPECT_EQ(s.result().times().back(), got.t());
  EXPECT_TRUE(s.is_over());
}

TEST(Simulation, RunsAsTheCommandDoes) {
  const Summary wanted = run_shipped("docked_tumble", {}, {"time.stop=100"});
  Simulation s = load("docked_tumble");
  const Simulation::Summary got = s.set("time.stop", 100).run();
  EXPECT_EQ(got.json(), to_json(wanted, false));
  EXPECT_EQ(got.outcome(), "reached_end");
  EXPECT_EQ(got.t(), 100);
  EXPECT_TRUE(got.completed());
  EXPECT_TRUE(got.as_expected());
  EXPECT_EQ(got.number("docks.joint.force_peak"), find_number(wanted, "docks.joint.force_peak"));
  EXPECT_EQ(got.text("docks.joint.type"), "rigid");
  EXPECT_TRUE(got.has("audit.energy"));
  EXPECT_EQ(got.fields().size(), list_values(wanted).size());
  EXPECT_TRUE(s.is_over());
}

// In pieces, whatever their length, and however often values are read.
TEST(Simulation, InPiecesHasTheBitsOfOneRun) {
  for (const char* name : {"hil_contact", "bouncing_ball", "iss_arm"}) {
    SCOPED_TRACE(name);
    Simulation whole = load(name);
    const std::string wanted = whole.run().json();
    for (const double piece : {0.0371, 0.9, 7.0}) {
      Simulation s = load(name);
      double sum = 0;
      while (s.step(piece)) sum += s.values("system.angular_momentum")[0];
      EXPECT_EQ(s.summary().json(), wanted) << piece;
      EXPECT_TRUE(std::isfinite(sum));
    }
  }
}

// At any time a value is that of `--at`, to the last bit.
TEST(Simulation, ValuesAreThoseOfSamples) {
  const std::vector<double> at{0.3, 1.7, 1.71, 1.72, 5.2, 5.6, 9.99, 10};
  const Summary wanted = run_shipped("hil_contact", at, {"time.stop=10"});
  Simulation s = load("hil_contact");
  s.set("time.stop", 10);
  for (std::size_t i = 0; i < at.size(); ++i) {
    s.run_until(at[i]);
    EXPECT_EQ(s.t(), at[i]);
    for (const char* name : {"chaser.r_BN_N", "chaser.quaternion_BN"}) {
      const std::vector<double> v = s.values(name);
      for (std::size_t k = 0; k < v.size(); ++k)
        EXPECT_EQ(v[k], number(wanted, i, name, static_cast<int>(k))) << name << " " << at[i];
    }
    EXPECT_EQ(s.value("probe.gap"), number(wanted, i, "probe.gap")) << at[i];
    EXPECT_EQ(s.value("chaser.r_BN_N.y"), number(wanted, i, "chaser.r_BN_N", 1));
  }
  EXPECT_EQ(s.unit("probe.gap"), "m");
  EXPECT_EQ(s.unit("chaser.v_BN_N.x"), "m/s");
}

TEST(Simulation, StopsAtAnEventAndGoesOn) {
  Simulation s = load("hil_contact");
  const std::string wanted = load("hil_contact").run().json();
  ASSERT_TRUE(s.run_to_event("contact_on"));
  ASSERT_EQ(s.events().size(), 1u);
  EXPECT_EQ(s.events()[0].t, s.t());
  EXPECT_EQ(s.events()[0].name, "probe");
  EXPECT_NEAR(s.value("probe.gap"), 0, 1e-12);
  EXPECT_NEAR(s.events()[0].number("penetration_rate"), s.value("probe.penetration_rate"), 1e-12);
  ASSERT_TRUE(s.run_to_event("contact_off"));
  EXPECT_EQ(s.events().back().kind, "contact_off");
  EXPECT_FALSE(s.run_to_event("latch"));
  EXPECT_TRUE(s.is_over());
  EXPECT_EQ(s.summary().json(), wanted);
}

TEST(Simulation, TimeRunsForward) {
  Simulation s = load("free_body");
  EXPECT_EQ(s.t(), 0);
  EXPECT_NEAR(s.value("body.omega_BN_B.y"), 15, 1e-12) << "before the first step";
  EXPECT_TRUE(s.run_until(2));
  EXPECT_TRUE(s.run_until(2)) << "no step at all";
  EXPECT_THROW(s.run_until(1), std::invalid_argument);
  EXPECT_THROW(s.run_until(std::nan("")), std::invalid_argument);
  EXPECT_THROW(s.summary(), std::logic_error);
  EXPECT_FALSE(s.run_until(kForever));
  EXPECT_EQ(s.t(), s.summary().t());
  EXPECT_FALSE(s.run_until(kForever)) << "over is over";
}

TEST(Simulation, IsSetBeforeItBegins) {
  Simulation s = load("free_body");
  s.check();
  s.set("spacecraft.body.mass", 3).set("time.stop", "1");
  EXPECT_TRUE(has(s.scenario(), "stop = 1"));
  s.step(0.5);
  EXPECT_THROW(s.set("spacecraft.body.state.position", "[1, 0, 0]"), std::logic_error);
  EXPECT_THROW(s.write_result("x.h5"), std::logic_error);
  EXPECT_THROW(s.keep_result(), std::logic_error);
}

TEST(Simulation, ListsAllProblems) {
  Simulation s = load("free_body");
  s.set("spacecraft.body.mas", 3).set("time.stop", -1);
  try {
    s.run();
    ADD_FAILURE() << "nothing is thrown";
  } catch (const ScenarioError& e) {
    ASSERT_EQ(e.problems().size(), 2u) << e.what();
    EXPECT_TRUE(has(e.what(), "mas") && has(e.what(), "time.stop")) << e.what();
  }
  EXPECT_THROW(Simulation::load("nowhere.toml"), ScenarioError);
  Simulation text = Simulation::from_text("[time]\nstop = 1\nstart = 2\n", "mine.toml");
  try {
    text.check();
    ADD_FAILURE() << "nothing is thrown";
  } catch (const ScenarioError& e) {
    ASSERT_FALSE(e.problems().empty());
    EXPECT_EQ(e.problems()[0].file, "mine.toml");
    EXPECT_EQ(e.problems()[0].line, 3);
    EXPECT_EQ(e.problems()[0].path, "time.start");
  }
}

TEST(Simulation, SuggestsNames) {
  Simulation s = load("free_body");
  EXPECT_TRUE(has(message<std::out_of_range>([&] { s.value("body.rat"); }), "body.rate"));
  EXPECT_TRUE(has(message<std::out_of_range>([&] { s.value("body.omega_BN_B"); }), "values()"));
  EXPECT_TRUE(has(message<std::out_of_range>([&] { s.values("bodi.omega_BN_B"); }), "body."));
  const Simulation::Summary r = s.run();
  EXPECT_TRUE(has(message<std::out_of_range>([&] { r.number("audit.enrgy"); }), "audit.energy"));
  EXPECT_TRUE(has(message<std::out_of_range>([&] { r.text("audit.energy"); }), "a number"));
  EXPECT_FALSE(s.channels().empty());
}

TEST(Simulation, WritesTheResultThatTheCommandWrites) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_berth({"run", shipped_file("hil_contact"), "--csv", "--no-html", "--out", "a.h5"},
                      {.folder = folder.path()})
                .code,
            0);
  Simulation s = load("hil_contact");
  s.write_result(folder / "b.csv");
  while (s.step(0.7)) {
  }
  EXPECT_TRUE(read_bytes(folder / "b.csv") == read_bytes(folder / "a.csv"));
  EXPECT_THROW(load("hil_contact").write_result("b.txt"), std::invalid_argument);
}

// --- set between steps -------------------------------------------------------------------------------

TEST(Simulation, IsSetBetweenSteps) {
  // A spring that becomes stiffer on the way: energy from outside, and another frequency.
  const std::string text = R"(
[time]
stop = 10
[[body]]
name = "ball"
joint = "prismatic"
axis = [1, 0, 0]
inertia = [1, 1, 1]
mass = 2
stiffness = 8
q = [0.1]
)";
  Simulation s = Simulation::from_text(text);
  const double omega = 2, harder = 4;  // [rad/s] √(k/m)
  const double t = 1.3;
  s.run_until(t);
  const double x = s.value("ball.travel"), v = s.value("ball.speed");
  EXPECT_NEAR(x, 0.1 * std::cos(omega * t), 1e-9);
  s.set("body.ball.stiffness", 32);
  EXPECT_EQ(s.value("ball.travel"), x);
  s.run_until(t + 0.9);
  EXPECT_NEAR(s.value("ball.travel"),
              x * std::cos(harder * 0.9) + v / harder * std::sin(harder * 0.9), 1e-9);
  EXPECT_THROW(s.set("body.ball.joint", "revolute"), std::logic_error);
  EXPECT_THROW(s.set("integrator.tolerance", 1e-6), std::logic_error);
  EXPECT_THROW(s.set("body.ball.mas", 1), ScenarioError);
  s.set("time.stop", 5);
  // And saved: the settings come along.
  Simulation other = Simulation::from_text(text);
  other.restore_state(s.save_state());
  EXPECT_EQ(other.t(), s.t());
  EXPECT_EQ(other.run().json(), s.run().json());
  EXPECT_EQ(s.t(), 5);
  EXPECT_LT(s.summary().number("audit.energy"), 1e-9);
}

// The reference of a controller that an event has replaced stays, unless it is what is set.
TEST(Simulation, SetsGainsAndReferencesOfControllers) {
  Simulation plain = load("docking"), s = load("docking");
  s.run_until(100);
  s.set("control.approach.K", 2.5);
  plain.run_until(110), s.run_until(110);
  EXPECT_LT(plain.value("approach.wanted"), 19);
  EXPECT_EQ(s.value("approach.wanted"), plain.value("approach.wanted"));
  EXPECT_NE(s.values("servicer.r_BN_N"), plain.values("servicer.r_BN_N"));
  s.set("control.approach.distance.value", 15);
  EXPECT_EQ(s.value("approach.wanted"), 15);
  EXPECT_THROW(s.set("control.approach.sample_time", 0.4), std::logic_error);
  EXPECT_THROW(s.set("event.go.at", 50), std::logic_error);
  s.run_until(120);
  EXPECT_EQ(s.value("approach.wanted"), 15);
}

TEST(Simulation, StatesAreRefusedWhereTheyDoNotBelong) {
  Simulation s = load("hil_contact");
  s.run_until(3);
  const std::string bytes = s.save_state();
  Simulation other = load("free_body");
  EXPECT_THROW(other.restore_state(bytes), std::runtime_error);
  EXPECT_THROW(other.restore_state("nonsense"), std::runtime_error);
  std::string damaged = bytes;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  Simulation same = load("hil_contact");
  EXPECT_THROW(same.restore_state(damaged), std::runtime_error);
  EXPECT_EQ(same.t(), 0);
  same.restore_state(bytes);
  EXPECT_EQ(same.t(), 3);
  EXPECT_EQ(same.run().json(), s.run().json());
}

// --- threads and processes ---------------------------------------------------------------------------

TEST(Simulation, SeveralWriteResultsInThreads) {
  const TemporaryFolder folder;
  const auto run = [&](int i) {
    Simulation s = load("hil_contact");
    s.set("time.stop", 8).write_result(folder / (std::to_string(i) + ".h5"));
    while (s.step(0.5)) {
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(run, i);
  for (std::thread& t : threads) t.join();
  for (int i = 1; i < 4; ++i)
    EXPECT_TRUE(read_bytes(folder / "0.h5") == read_bytes(folder / (std::to_string(i) + ".h5")));
}

TEST(Simulation, GoesOnInAForkedProcess) {
  const TemporaryFolder folder;
  Simulation plain = load("hil_contact"), writes = load("hil_contact");
  plain.set("time.stop", 8).run_until(3);
  writes.set("time.stop", 8).write_result(folder / "x.h5").run_until(3);
  const ::pid_t child = ::fork();
  if (child == 0) {
    int code = 0;
    try {
      plain.run();
      code |= plain.t() == 8 ? 0 : 1;
      try {
        writes.run();
        code |= 2;
      } catch (const std::runtime_error&) {
      }
      { const Simulation gone = std::move(writes); }
    } catch (...) {
      code |= 4;
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(plain.run().json(), writes.run().json());
  EXPECT_EQ(Result::open(folder / "x.h5").summary().outcome(), "reached_end");
}

}  // namespace
}  // namespace berth::test::simulation_test
