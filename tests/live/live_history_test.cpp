// SPDX-License-Identifier: Apache-2.0

// The last half minute as points: nothing lost that is an extreme, nothing where it was not.

#include "berth/live/live_history.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "berth/live/live_ring.h"

namespace berth::test::live_history_test {
namespace {

using Json = nlohmann::json;

LiveFrame tick(std::uint64_t n, double period) {
  LiveFrame f;
  f.t = period * static_cast<double>(n);
  f.clock = f.t;
  f.ticks = n + 1;
  return f;
}

// Points of a trace in a message, in order.
std::vector<std::pair<double, double>> points_in(const Json& message, std::size_t trace) {
  std::vector<std::pair<double, double>> out;
  const Json& t = message["traces"][trace][0];
  const Json& v = message["traces"][trace][1];
  EXPECT_EQ(t.size(), v.size());
  for (std::size_t k = 0; k < t.size(); ++k)
    out.emplace_back(t[k].get<double>(), v[k].is_null() ? kUnknown : v[k].get<double>());
  return out;
}

// Whatever comes, at whatever rate: every extreme of a whole stretch is a point, at its own time.
RC_GTEST_PROP(LiveHistory, KeepsEveryExtremeAtItsOwnTime, ()) {
  const double period = *rc::gen::element(0.00025, 0.001, 0.004, 0.1);
  LiveHistory history({});
  const auto forces = *rc::gen::container<std::vector<int>>(*rc::gen::inRange<std::size_t>(1, 290),
                                                            rc::gen::inRange(-1000, 1000));
  std::map<double, double> sent;
  for (std::size_t n = 0; n < forces.size(); ++n) {
    LiveFrame f = tick(n, period);
    f.force = forces[n];
    sent[f.t] = f.force;
    history.add(f, {});
  }
  history.close_stretch();
  const auto& points = history.points(0);
  const double stretch = kLiveWindow / kLiveStretches;
  std::map<double, std::pair<double, double>> extremes;  // of a stretch, by its number
  for (const auto& [t, force] : sent) {
    auto [at, fresh] = extremes.try_emplace(std::floor(t / stretch), force, force);
    at->second.first = std::min(at->second.first, force);
    at->second.second = std::max(at->second.second, force);
  }
  double last = -1;
  for (const auto& p : points) {
    RC_ASSERT(sent.contains(p.t));
    RC_ASSERT(sent[p.t] == p.value);
    RC_ASSERT(p.t > last);
    last = p.t;
    auto& e = extremes[std::floor(p.t / stretch)];
    RC_ASSERT(p.value == e.first || p.value == e.second);
    if (p.value == e.first) e.first = kUnknown;
    if (p.value == e.second) e.second = kUnknown;
  }
  for (const auto& [number, e] : extremes) RC_ASSERT(std::isnan(e.first) && std::isnan(e.second));
  RC_ASSERT(points.size() <= 2 * extremes.size());
}

TEST(LiveHistory, ForgetsWhatIsOlderThanItsWindow) {
  LiveHistory history({});
  for (std::uint64_t n = 0; n < 100000; ++n) {
    LiveFrame f = tick(n, 0.001);
    f.force = std::sin(0.01 * static_cast<double>(n));
    history.add(f, {});
  }
  const auto& points = history.points(0);
  EXPECT_GT(points.front().t, 100 - kLiveWindow - 0.1);
  EXPECT_LT(points.front().t, 100 - kLiveWindow);
  EXPECT_LE(points.size(), 2U * (kLiveStretches + 2));
}

// Slow motion has as many points on the screen as a run at full speed.
TEST(LiveHistory, IsAsFineInSlowMotion) {
  LiveDescription d;
  d.factor = 0.1;
  LiveHistory history(d);
  for (std::uint64_t n = 0; n < 12000; ++n) {
    LiveFrame f = tick(n, 0.00025);
    f.gap = static_cast<double>(n % 7);
    history.add(f, {});
  }
  EXPECT_GT(history.points(1).size(), 2.0 * 0.9 * kLiveStretches);
  EXPECT_LE(history.points(1).size(), 2U * (kLiveStretches + 2));
}

// An answer that did not come is a gap in the curve, not a line across it.
TEST(LiveHistory, InterruptsACurveWhereThereIsNoNumber) {
  LiveHistory history({});
  for (std::uint64_t n = 0; n < 300; ++n) {
    LiveFrame f = tick(n, 0.001);
    f.round_trip = n < 100 || n >= 200 ? 5e-4 : kUnknown;
    history.add(f, {});
  }
  history.close_stretch();
  int gaps = 0;
  for (const auto& p : history.points(5)) {
    if (!std::isnan(p.value)) continue;
    ++gaps;
    EXPECT_GE(p.t, 0.1);
    EXPECT_LT(p.t, 0.2);
  }
  EXPECT_EQ(gaps, 1);
}

TEST(LiveMessages, CountTimesOfAllFrames) {
  LiveHistory history({});
  LiveHistory::Reader reader;
  std::uint64_t n = 0;
  for (const double s : {-1e-6, 0.9e-6, 1.1e-6, 3e-6, 1e300, kUnknown}) {
    LiveFrame f = tick(n++, 0.001);
    f.jitter = s;
    history.add(f, {});
  }
  const Json message = Json::parse(history.build_message(reader, {}, 0));
  const Json& bins = message["jitters"];
  ASSERT_EQ(bins.size(), TimeHistogram::kBins);
  EXPECT_EQ(bins[0], 2);
  EXPECT_EQ(bins[1], 1);  // 1 … √2 µs
  EXPECT_EQ(bins[4], 1);  // 2√2 … 4 µs
  EXPECT_EQ(bins[TimeHistogram::kBins - 1], 1);
  for (const Json& count : message["round_trips"]) EXPECT_EQ(count, 0);
}

TEST(LiveMessages, GiveEachReaderEveryPointOnce) {
  LiveDescription d;
  d.more = {{"tip.speed", "m/s"}};
  LiveHistory history(d);
  LiveHistory::Reader early, late;
  std::vector<std::pair<double, double>> seen;
  for (std::uint64_t n = 0; n < 1000; ++n) {
    LiveFrame f = tick(n, 0.001);
    f.more[0] = static_cast<double>(n % 13);
    history.add(f, {});
    if (n % 97 != 0) continue;
    history.close_stretch();
    const Json message = Json::parse(history.build_message(early, {}, 0));
    EXPECT_EQ(message["first"], n == 0);
    for (const auto& p : points_in(message, 6)) seen.push_back(p);
  }
  history.close_stretch();
  for (const auto& p : points_in(Json::parse(history.build_message(early, {}, 0)), 6))
    seen.push_back(p);
  EXPECT_EQ(seen, points_in(Json::parse(history.build_message(late, {}, 0)), 6));
  EXPECT_GT(seen.size(), 50U);
  EXPECT_TRUE(points_in(Json::parse(history.build_message(late, {}, 0)), 6).empty());
}

TEST(LiveMessages, SayHowTheRunStandsInJson) {
  LiveDescription d;
  d.scene = "{}";
  d.scene_width = 3;
  d.refusals = {"crc", "tag"};
  LiveHistory history(d);
  LiveHistory::Reader reader;
  const LiveStatus armed;
  Json message = Json::parse(history.build_message(reader, armed, 0));
  EXPECT_EQ(message["state"], "armed");
  EXPECT_FALSE(message.contains("now"));

  LiveFrame f = tick(41, 0.001);
  f.force = 12.5, f.gap = -0.0031, f.jitter = 12e-6, f.energy = INFINITY, f.touching = true;
  f.late = 2, f.lost = 3, f.refused = {7, 8, 9};
  f.pose = {1.5F, -2.25F, 1e-7F, 99.0F};
  history.add(f, {.force = {30, 0.02}, .energy = {}, .jitter = {12e-6, 0.041}, .round_trip = {}});
  const LiveStatus stopped{LiveState::stopped, "force \"beyond\" its limit\n<b>", LiveLevel::bad};
  message = Json::parse(history.build_message(reader, stopped, 11));
  EXPECT_EQ(message["state"], "stopped");
  EXPECT_EQ(message["verdict"], "force \"beyond\" its limit\n<b>");
  EXPECT_EQ(message["level"], "bad");
  EXPECT_EQ(message["dropped"], 11);
  const Json& now = message["now"];
  EXPECT_EQ(now["t"], 0.041);
  EXPECT_EQ(now["force"], 12.5);
  EXPECT_EQ(now["gap"], -0.0031);
  EXPECT_TRUE(now["energy"].is_null());
  EXPECT_TRUE(now["round_trip"].is_null());
  EXPECT_EQ(now["touching"], true);
  EXPECT_EQ(now["ticks"], 42);
  EXPECT_EQ(now["refused"], Json({7, 8}));
  EXPECT_EQ(now["peaks"]["force"], Json({30.0, 0.02}));
  EXPECT_TRUE(now["peaks"]["energy"][0].is_null());
  ASSERT_EQ(now["pose"].size(), 3U);
  EXPECT_EQ(now["pose"][1], -2.25);
  EXPECT_EQ(static_cast<float>(now["pose"][2].get<double>()), 1e-7F);
  // One line: an event of a stream ends at a line's end.
  LiveHistory::Reader other;
  EXPECT_EQ(history.build_message(other, stopped, 11).find('\n'), std::string::npos);
  // What a reader has is not sent again.
  EXPECT_FALSE(Json::parse(history.build_message(reader, stopped, 11)).contains("now"));
}

}  // namespace
}  // namespace berth::test::live_history_test
