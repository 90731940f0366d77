// SPDX-License-Identifier: Apache-2.0

// A run is bytes: saved, restored into another run of the same scenario and continued, it goes on bit
// for bit. Bytes that are damaged or belong to something else change nothing.

#include "berth/run/archive.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "berth/scenario/scenario.h"
#include "berth/system/docks.h"
#include "tests/run/contact_runs.h"
#include "tests/support/runs.h"
#include "tests/support/shipped.h"

namespace berth::test::archive_test {
namespace {

using Settings = std::vector<std::string>;

HybridRun shipped(const std::string& name, const Settings& settings = {}) {
  ReadScenario read = read_scenario(shipped_file(name), settings);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  HybridRun run(built.system, built.options);
  run.set_events(built.events);
  return run;
}

Event at(double t, const std::string& name, Action action) {
  Event e;
  e.name = name;
  e.at = t;
  e.actions.push_back(std::move(action));
  return e;
}

// A ball on a wall whose force comes late; while it is on its way another craft is welded to the ball,
// and cut loose again.
HybridRun welded_with_delays() {
  System<double> s = ball(0.01, 0.1, 1000, 5);
  s.contacts[0].delay = 0.004;
  const int other = add_craft(s, "other", {1, 0.2, 0}, {-0.1, 0, 0}, 0.5, 0.2);
  Dock<double> d;
  d.name = "joint";
  d.port_1 = {1, {0.5, 0, 0}, Mat3<double>::identity()};
  d.port_2 = {other, {-0.5, 0, 0}, Mat3<double>::identity()};
  d.constraint = Rigid<double>{};
  d.enforce = Enforce::fused;
  d.engaged = false;
  s.add_dock(d);
  HybridRun run(s, with_tolerance(1e-10));
  run.set_events({at(0.12, "join", LatchAction{"joint"}), at(0.125, "part", ReleaseAction{"joint"}),
                  at(0.127, "join again", LatchAction{"joint"})});
  return run;
}

// A pendulum of a spring whose condition holds again and again; and one that is only approached.
HybridRun repeating() {
  System<double> s;
  add_craft(s, "ball", {1, 0, 0}, {}, 1, 1);
  SpringDamper<double> spring;
  spring.name = "spring";
  spring.body_1 = "ball";
  spring.stiffness = 40;
  spring.damping = 0.1;
  spring.length = 0.5;
  s.add_force(spring);
  const Channels channels(s);
  Event often, held, never;
  often.name = "often";
  often.when.emplace("spring.length < 0.6 and spring.length > 0.45", channels);
  often.repeat = true;
  held.name = "held";
  held.when.emplace("spring.length > 0.7", channels);
  held.hold = 0.2;
  held.repeat = true;
  held.actions.push_back(RecordAction{0.5});
  never.name = "never";
  never.when.emplace("spring.length < 0.02", channels);
  never.follows_best = never.may_wait = true;
  HybridRun run(s, with_tolerance(1e-10));
  run.set_events({often, held, never, at(1.5, "off", ForceAction{"spring", false}),
                  at(1.6, "on", ForceAction{"spring", true})});
  return run;
}

// A sampled controller that is given another reference, put to sleep and woken.
HybridRun given_a_reference() {
  System<double> s;
  add_craft(s, "ball", {}, {}, 1, 1);
  Thrust<double> burn;
  burn.name = "burn";
  burn.body = "ball";
  burn.force.value = 1;
  burn.sample_time = 0.1;
  burn.latency = 0.03;
  s.add_control(burn);
  Profile<double> turn;
  turn.type = "quintic";
  turn.from = 1;
  turn.to = -2;
  turn.start = 0.1;
  turn.duration = 0.5;
  HybridRun run(s, with_tolerance(1e-10));
  run.set_events({at(0.5, "turn", ControlAction{"burn", {}, {turn}}),
                  at(0.9, "off", ControlAction{"burn", false}),
                  at(1.05, "on", ControlAction{"burn", true})});
  return run;
}

// A jet that sticks open and another that sticks closed, a latch that waits, and a ball on a wall whose
// force sensor is biased; all of them are repaired.
HybridRun failing() {
  System<double> s = ball(0.01, 0.1, 1000, 5);
  s.contacts[0].delay = 0.004;
  const int other = add_craft(s, "other", {1, 0.2, 0}, {-0.1, 0, 0}, 0.5, 0.2);
  Dock<double> d;
  d.name = "joint";
  d.port_1 = {1, {0.5, 0, 0}, Mat3<double>::identity()};
  d.port_2 = {other, {-0.5, 0, 0}, Mat3<double>::identity()};
  d.constraint = Rigid<double>{};
  d.engaged = false;
  s.add_dock(d);
  ThrusterSet<double> jets;
  jets.name = "jets";
  jets.body = "other";
  jets.sample_time = 0.05;
  jets.thruster = {{{-1, 0.1, 0}, {1, 0, 0}, 0.2}, {{-1, -0.1, 0}, {1, 0, 0}, 0.2}};
  s.add_force(jets);
  Thrust<double> burn;
  burn.name = "burn";
  burn.body = "other";
  burn.thrusters = "jets";
  burn.force.value = 0.1;
  s.add_control(burn);
  HybridRun run(s, with_tolerance(1e-10));
  run.set_events({at(0.06, "valve", FailAction{"jets.1", Failure::stuck_on}),
                  at(0.08, "other valve", FailAction{"jets.2", Failure::stuck_off}),
                  at(0.09, "late", FailAction{"joint", Failure::late, {0.2}}),
                  at(0.105, "biased", FailAction{"probe", Failure::biased, {0.5, 0.1, 0}}),
                  at(0.15, "join", LatchAction{"joint"}),
                  at(0.4, "repaired", FailAction{"jets.1", Failure::working}),
                  at(0.42, "straight", FailAction{"probe", Failure::working})});
  return run;
}

struct Case {
  std::string name;
  std::function<HybridRun()> make;
  std::vector<double> save_at;  // [s]
  double stop;                  // [s]
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> all_cases() {
  const auto of = [](std::string name, std::vector<double> save_at, double stop,
                     Settings settings = {}, const std::string& label = "") {
    return Case{label.empty() ? name : label, [=] { return shipped(name, settings); },
                std::move(save_at), stop};
  };
  return {
      of("capture_envelope", {4.1, 8}, 12),
      of("docking", {331, 338}, 346),
      of("docking", {331, 338}, 346, {"dock.joint.enforce=fused"}, "docking_fused"),
      of("hil_contact", {5, 7}, 10),
      of("hil_compensated", {5}, 10),
      of("iss_arm_latch", {20, 50}, 60),
      of("bouncing_ball", {1, 2.5}, 3),
      of("newton_cradle", {0.7}, 2),
      of("double_pendulum_wall", {2}, 4),
      of("servicer_despin_stiff", {2}, 4),
      of("docked_components", {100}, 150),
      of("docked_components", {0.5}, 1, {"integrator.method=radau"}, "docked_components_radau"),
      of("undock", {10, 20, 50}, 60),
      of("undock", {10, 20, 50}, 60, {"dock.joint.enforce=fused"}, "undock_fused"),
      of("dual_arm_free", {1}, 2),
      of("tumbling_body", {10, 10.02}, 20),
      of("bouncing_ball", {1, 2.5}, 3, {"integrator.method=variational4", "integrator.step=0.01"},
         "bouncing_ball_variational"),
      of("tug_debris", {30, 31.3}, 40),
      of("slew", {365}, 420),
      of("jitter", {3}, 8),
      {"welded_with_delays", welded_with_delays, {0.11, 0.121, 0.126, 0.129, 0.2}, 0.5},
      {"failing", failing, {0.05, 0.07, 0.1, 0.13, 0.2, 0.37, 0.41}, 0.6},
      {"repeating", repeating, {0.3, 0.85, 1.55}, 3},
      {"given_a_reference", given_a_reference, {0.3, 0.515, 0.95, 1.03, 1.1}, 2},
  };
}

void expect_same(HybridRun& a, HybridRun& b) {
  EXPECT_EQ(a.t(), b.t());
  EXPECT_EQ(a.t_previous(), b.t_previous());
  EXPECT_EQ(copy(a.x()), copy(b.x()));
  ASSERT_EQ(a.event_records().size(), b.event_records().size());
  EXPECT_EQ(a.warnings(), b.warnings());
  EXPECT_EQ(a.verdict(), b.verdict());
  EXPECT_EQ(a.waiting_events(), b.waiting_events());
  EXPECT_EQ(a.record_interval(), b.record_interval());
  const StepCounters m = a.counters(), n = b.counters();
  EXPECT_EQ(m.accepted, n.accepted);
  EXPECT_EQ(m.rejected, n.rejected);
  EXPECT_EQ(m.rhs, n.rhs);
  EXPECT_EQ(m.jacobian, n.jacobian);
  EXPECT_EQ(m.factorisation, n.factorisation);
  const auto best_a = a.best_reached(), best_b = b.best_reached();
  ASSERT_EQ(best_a.size(), best_b.size());
  for (std::size_t i = 0; i < best_a.size(); ++i)
    EXPECT_TRUE(best_a[i].best == best_b[i].best ||
                (std::isnan(best_a[i].best) && std::isnan(best_b[i].best)));
  // Ledgers, peaks, event queue, memory of step control: whatever is saved.
  EXPECT_TRUE(a.save() == b.save());
}

// Inside the last step, and what is observed there. Not before the first step, nor after an event.
void expect_same_inside(HybridRun& a, HybridRun& b) {
  const double t = 0.3 * a.t_previous() + 0.7 * a.t();
  std::vector<double> x(a.x().size()), y(x), row(static_cast<std::size_t>(a.channels().width())),
      other(row);
  a.fill_row(a.t(), a.x(), row);
  b.fill_row(b.t(), b.x(), other);
  EXPECT_EQ(std::memcmp(row.data(), other.data(), row.size() * sizeof(double)), 0);
  try {
    a.interpolate(t, x);
  } catch (const std::logic_error&) {
    EXPECT_THROW(b.interpolate(t, y), std::logic_error);
    return;
  }
  b.interpolate(t, y);
  EXPECT_EQ(x, y);
  a.fill_row(t, x, row);
  b.fill_row(t, y, other);
  EXPECT_EQ(std::memcmp(row.data(), other.data(), row.size() * sizeof(double)), 0);
  if (!(a.t_previous() < a.t())) return;
  a.find_state(t, x);
  b.find_state(t, y);
  EXPECT_EQ(x, y);
}

class SavedRun : public testing::TestWithParam<Case> {};

TEST_P(SavedRun, GoesOnAsTheOriginalDoes) {
  const Case& p = GetParam();
  std::vector<double> times = p.save_at;
  times.insert(times.begin(), 0.0);  // before the first advance
  times.push_back(p.stop);
  for (const double t : times) {
    SCOPED_TRACE(t);
    HybridRun original = p.make(), restored = p.make();
    if (t > 0) original.advance(t);
    const std::string bytes = original.save();
    restored.restore(bytes);
    EXPECT_TRUE(restored.save() == bytes);
    expect_same_inside(original, restored);
    const Outcome a = original.advance(p.stop), b = restored.advance(p.stop);
    EXPECT_EQ(a.ending, b.ending);
    EXPECT_EQ(a.t, b.t);
    EXPECT_EQ(a.reason, b.reason);
    expect_same(original, restored);
    expect_same_inside(original, restored);
    if (testing::Test::HasFailure()) return;
  }
}

// A run that is elsewhere in the meantime, or has been elsewhere, is taken back all the same.
TEST_P(SavedRun, ComesBackFromAnywhere) {
  const Case& p = GetParam();
  HybridRun run = p.make();
  run.advance(p.save_at.front());
  const std::string bytes = run.save();
  HybridRun twin(run);
  EXPECT_TRUE(twin.save() == bytes);
  run.advance(p.stop);
  const std::string end = run.save();
  EXPECT_FALSE(end == bytes);
  run.restore(bytes);
  EXPECT_TRUE(run.save() == bytes);
  run.advance(p.stop);
  twin.advance(p.stop);
  expect_same(run, twin);
  EXPECT_TRUE(run.save() == end);
}

// After each of some steps, by an observer that stops the run there: as if nobody had.
struct StopsAfter : Observer {
  int left = 0;
  bool step(HybridRun&) override { return --left > 0; }
};

TEST_P(SavedRun, InManyPiecesIsTheSameRun) {
  const Case& p = GetParam();
  HybridRun whole = p.make(), passed_on = p.make();
  whole.advance(p.stop);
  StopsAfter stops;
  for (int piece = 0; piece < 40 && passed_on.t() < p.stop; ++piece) {
    stops.left = 1 + (piece * 7) % 13;
    const Outcome outcome = passed_on.advance(p.stop, &stops);
    if (outcome.reason != "stopped by observer") break;
    HybridRun next = p.make();
    next.restore(passed_on.save());
    passed_on = next;
  }
  passed_on.advance(p.stop);
  expect_same(whole, passed_on);
}

INSTANTIATE_TEST_SUITE_P(Scenario, SavedRun, testing::ValuesIn(all_cases()),
                         [](const auto& p) { return p.param.name; });

TEST(SavedRun, IsNotSavedInTheMiddleOfAStep) {
  struct Saves : Observer {
    bool step(HybridRun& run) override {
      EXPECT_THROW(run.save(), std::logic_error);
      EXPECT_THROW(run.restore("berthrun"), std::logic_error);
      return true;
    }
  } saves;
  HybridRun run = repeating();
  run.advance(0.1, &saves);
  EXPECT_FALSE(run.save().empty());
}

// What the two runs built here are for.
TEST(SavedRun, CoversWeldsUnderDelayAndEventsThatRepeat) {
  HybridRun welded = welded_with_delays(), events = repeating();
  welded.advance(0.5);
  events.advance(3);
  const auto count = [](const HybridRun& run, const std::string& kind, const std::string& name) {
    return std::count_if(
        run.event_records().begin(), run.event_records().end(),
        [&](const EventRecord& h) { return h.kind == kind && (name.empty() || h.name == name); });
  };
  EXPECT_EQ(count(welded, "latch", ""), 2);
  EXPECT_EQ(count(welded, "release", ""), 1);
  EXPECT_LT(time_of(welded, "contact_on"), 0.12);
  EXPECT_GT(time_of(welded, "contact_settled"), 0.127);
  EXPECT_GT(count(events, "event", "often"), 3);
  EXPECT_GT(count(events, "event", "held"), 1);
  EXPECT_TRUE(std::isfinite(events.best_reached().at(0).best));
}

// --- bytes that are no saved run -------------------------------------------------------------------

std::string refusal(HybridRun& run, std::string_view bytes) {
  try {
    run.restore(bytes);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(SavedRun, DamagedBytesAreRefusedAndChangeNothing) {
  HybridRun run = repeating();
  run.advance(0.3);
  const std::string bytes = run.save();
  run.advance(0.6);
  const std::string now = run.save();
  for (std::size_t n = 0; n < bytes.size(); ++n)
    ASSERT_NE(refusal(run, std::string_view(bytes).substr(0, n)), "") << n;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    ASSERT_NE(refusal(run, flipped), "") << i;
  }
  std::mt19937 random(1);
  for (std::size_t n = 0; n < 3000; n += 7) {
    std::string garbage(n, ' ');
    for (char& c : garbage) c = static_cast<char>(random());
    ASSERT_NE(refusal(run, garbage), "");
    ASSERT_NE(refusal(run, bytes.substr(0, 12) + garbage), "");
    ASSERT_NE(refusal(run, bytes + garbage + "."), "");
  }
  EXPECT_EQ(run.save(), now);
}

// Whoever can compute a checksum can write anything: it is refused, or it is a run.
TEST(SavedRun, ForgedBytesDoNoHarm) {
  std::mt19937 random(2);
  for (const auto& make : {repeating, welded_with_delays}) {
    HybridRun original = make();
    original.advance(0.126);
    const std::string bytes = original.save();
    int refused = 0, taken = 0;
    for (int i = 0; i < 3000; ++i) {
      std::string forged = bytes.substr(0, bytes.size() - 8);
      const int changes = 1 + i % 3;
      for (int c = 0; c < changes; ++c)
        forged[12 + random() % (forged.size() - 12)] = static_cast<char>(random());
      if (i % 5 == 0) forged.resize(forged.size() - random() % 100);
      Fnv sum;
      sum.add(forged.data(), forged.size());
      const std::uint64_t value = sum.value();
      forged.append(reinterpret_cast<const char*>(&value), sizeof value);
      HybridRun run = make();
      if (!refusal(run, forged).empty()) {
        ++refused;
        continue;
      }
      ++taken;
      try {
        StopsAfter few;
        few.left = 4;
        run.advance(run.t() + 0.01, &few);
      } catch (const std::exception&) {
      }
    }
    EXPECT_GT(refused, 100);
    EXPECT_GT(taken, 100);
  }
}

TEST(SavedRun, BytesOfAnotherScenarioSayWhatDiffers) {
  const auto expect_words = [](HybridRun saved, HybridRun here, const std::string& words) {
    const std::string bytes = saved.save(), before = here.save();
    const std::string why = refusal(here, bytes);
    EXPECT_NE(why.find(words), std::string::npos) << why;
    EXPECT_EQ(here.save(), before);
  };
  expect_words(shipped("undock"), shipped("undock", {"dock.joint.enforce=fused"}),
               "other docks: joint (rigid, exact); here joint (rigid, fused)");
  expect_words(shipped("undock"), shipped("undock", {"integrator.tolerance=1e-9"}),
               "other integrator: dop853, tolerance 1e-10; here dop853, tolerance 1e-09");
  expect_words(shipped("undock"), shipped("undock", {"spacecraft.servicer.mass=751"}),
               "other numbers in its bodies (");
  expect_words(shipped("hil_contact"), shipped("undock"), "other bodies: ");
  HybridRun other = repeating();
  other.set_events({});
  expect_words(repeating(), other, "other events: often, held, never, off, on; here none");
  HybridRun run = repeating();
  std::string newer = run.save();
  newer[8] = 99;
  EXPECT_EQ(refusal(run, newer), "a run saved in format 99; this program reads format 4");
  EXPECT_EQ(refusal(run, "a summary"), "these bytes are no saved run");
}

// A budget ends a run and does not bend it: more of it may be given later.
TEST(SavedRun, GoesOnWithALargerBudget) {
  RunOptions little = with_tolerance(1e-10), enough = little;
  little.integrator.max_steps = 5;
  HybridRun short_of(ball(0.01, 0.1, 1000, 5), little), whole(ball(0.01, 0.1, 1000, 5), enough),
      rich(ball(0.01, 0.1, 1000, 5), enough);
  EXPECT_EQ(short_of.advance(1).ending, Ending::too_many_steps);
  rich.restore(short_of.save());
  rich.advance(1);
  whole.advance(1);
  EXPECT_EQ(copy(rich.x()), copy(whole.x()));
}

// --- archives ---------------------------------------------------------------------------------------

TEST(Archive, KeepsEveryBitOfANumber) {
  std::vector<double> list{0.0, -0.0, 1e-310, INFINITY, NAN};
  const std::uint64_t payload = 0x7ff8dead0000beefULL;
  double odd;
  std::memcpy(&odd, &payload, sizeof odd);
  list.push_back(odd);
  ByteWriter out;
  const std::optional<double> none;
  const std::string text("a\0b", 3);
  out(list, none, text);
  std::vector<double> read;
  std::optional<double> some = 1;
  std::string word;
  ByteReader in(out.bytes());
  in(read, some, word);
  EXPECT_EQ(in.left(), 0U);
  ASSERT_EQ(read.size(), list.size());
  EXPECT_EQ(std::memcmp(read.data(), list.data(), list.size() * sizeof(double)), 0);
  EXPECT_FALSE(some.has_value());
  EXPECT_EQ(word, text);
}

TEST(Archive, ALengthBeyondTheEndAllocatesNothing) {
  const std::uint64_t huge = std::uint64_t(1) << 60;
  ByteWriter out;
  out(huge);
  std::vector<double> numbers;
  std::vector<std::string> words;
  ByteReader a(out.bytes()), b(out.bytes());
  EXPECT_THROW(a(numbers), std::runtime_error);
  EXPECT_THROW(b(words), std::runtime_error);
  EXPECT_EQ(numbers.capacity(), 0U);
  EXPECT_EQ(words.capacity(), 0U);
}

}  // namespace
}  // namespace berth::test::archive_test
