// SPDX-License-Identifier: Apache-2.0
#include "berth/live/loop_stimulus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/scalar/elementary.h"

namespace berth {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

// A value with its first two derivatives by time.
struct Jet {
  double v, d, dd;
};
Jet operator*(const Jet& a, const Jet& b) {
  return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}

// From 0 to 1 as t goes from 0 to `rise`, three derivatives zero at both ends. Its greatest slope is
// 35/16 / rise, its greatest curvature 84/(5√5) / rise².
constexpr double kSteepest = 35.0 / 16, kMostCurved = 7.5132;
Jet smooth_rise(double t, double rise) {
  const double x = t / rise;
  if (x <= 0) return {0, 0, 0};
  if (x >= 1) return {1, 0, 0};
  const double y = 1 - x, xy = x * y;
  return {x * x * x * x * (35 + x * (-84 + x * (70 - 20 * x))), 140 * xy * xy * xy / rise,
          420 * xy * xy * (1 - 2 * x) / (rise * rise)};
}

// Levels in amplitudes, and how long each is held in the mean of the holds.
struct Level {
  double level, hold;
};
constexpr std::array<Level, 8> kLevels{
    {{1, 1}, {-1, 1.4}, {1, .8}, {0, 1}, {-1, .9}, {.5, 1.2}, {-.5, .7}, {0, 1}}};
constexpr double kHold = 0.3;                     // [s]
constexpr double kWidestStep = 2;                 // [amplitudes]
constexpr double kLongestRise = 0.3;              // [s] longer ones move too little of the band
constexpr double kOvershoot = 1.25;               // of a lag with a damping of 0.5
constexpr double kFadeIn = 0.7, kFadeOut = 0.25;  // [s]
// What fading and the change of a(ω) add to rate and acceleration of the chirp.
constexpr double kMargin = 0.95;

// The amplitude that leaves k u + b u̇ > 0 with rates v, both lowered together: the rise of a step of
// 2 A takes as long as kLongestRise, A = c v, and v = s (D − 1.25 c v) / damping_time.
void limit_rates(LoopStimulusOptions& o) {
  constexpr double share = 0.7;
  const double c = kLongestRise / (kSteepest * kWidestStep);
  const bool chosen = o.amplitude > 0;
  if (!chosen) o.amplitude = 0.4 * o.depth;
  if (o.damping_time > 0) {
    const double v = chosen ? share * (o.depth - kOvershoot * o.amplitude) / o.damping_time
                            : std::max(share * o.depth / (o.damping_time + share * kOvershoot * c),
                                       share * 0.5 * o.depth / o.damping_time);
    o.rate = std::min(o.rate, v);
  }
  if (!chosen) o.amplitude = std::min(o.amplitude, c * o.rate);
}

void check(const LoopStimulusOptions& o) {
  const auto refuse = [](const char* what, double value, const char* rule) {
    throw std::invalid_argument(fmt::format("stimulus: {} = {}: {}", what, value, rule));
  };
  const auto positive = [&](const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value)) refuse(what, value, "must be above zero");
  };
  const auto not_negative = [&](const char* what, double value) {
    if (!(value >= 0) || !std::isfinite(value)) refuse(what, value, "must not be negative");
  };
  positive("sample_time", o.sample_time);
  positive("depth", o.depth);
  not_negative("clearance", o.clearance);
  not_negative("amplitude", o.amplitude);
  positive("rate", o.rate);
  positive("acceleration", o.acceleration);
  not_negative("damping_time", o.damping_time);
  positive("approach_rate", o.approach_rate);
  not_negative("settle_time", o.settle_time);
  not_negative("rise_time", o.rise_time);
  positive("low_frequency", o.low_frequency);
  not_negative("high_frequency", o.high_frequency);
  if (!(o.chirp_time >= 2)) refuse("chirp_time", o.chirp_time, "must be 2 s at least");
  not_negative("tail_time", o.tail_time);
  if (o.amplitude * kOvershoot >= o.depth)
    refuse("amplitude", o.amplitude, "a robot that overshoots would lose contact; below 0.8 depth");
}

}  // namespace

LoopStimulus::LoopStimulus(const LoopStimulusOptions& options) : o_(options) {
  check(o_);
  if (o_.high_frequency == 0) o_.high_frequency = std::min(40.0, 0.16 / o_.sample_time);
  if (!(o_.high_frequency > o_.low_frequency && o_.high_frequency <= 0.25 / o_.sample_time))
    throw std::invalid_argument(
        fmt::format("stimulus: high_frequency = {} Hz: must be above low_frequency, {} Hz, and at "
                    "most a quarter of the ticks, {} Hz",
                    o_.high_frequency, o_.low_frequency, 0.25 / o_.sample_time));
  limit_rates(o_);
  const double widest = kWidestStep * o_.amplitude;
  const double shortest =
      std::max({kSteepest * widest / o_.rate, std::sqrt(kMostCurved * widest / o_.acceleration)});
  if (o_.rise_time == 0) o_.rise_time = std::max({0.06, 8 * o_.sample_time, shortest});
  if (o_.rise_time < shortest * (1 - 1e-12))
    throw std::invalid_argument(
        fmt::format("stimulus: rise_time = {} s: steps of {} m take {} s within the rate and the "
                    "acceleration",
                    o_.rise_time, widest, shortest));

  const double way = o_.depth + o_.clearance;
  approach_time_ = std::max({kSteepest * way / std::min(o_.approach_rate, o_.rate),
                             std::sqrt(kMostCurved * way / o_.acceleration), o_.rise_time});
  steps_at_ = approach_time_ + o_.settle_time;
  chirp_at_ = steps_at_;
  for (const Level& l : kLevels) chirp_at_ += o_.rise_time + kHold * l.hold;
  end_ = chirp_at_ + o_.chirp_time + o_.tail_time;
  sweep_ = kTwoPi * (o_.high_frequency - o_.low_frequency) / o_.chirp_time;
}

LoopStimulus::Point LoopStimulus::at(double t) const {
  if (t < approach_time_) {
    const double way = o_.depth + o_.clearance;
    const Jet s = smooth_rise(t, approach_time_);
    return {way * s.v - o_.clearance, way * s.d, way * s.dd};
  }
  if (t >= chirp_at_) return chirp(t - chirp_at_);
  double begin = steps_at_, level = 0;
  for (const Level& l : kLevels) {
    const double next = begin + o_.rise_time + kHold * l.hold;
    if (t < next) {
      const double step = o_.amplitude * (l.level - level);
      const Jet s = smooth_rise(t - begin, o_.rise_time);
      return {o_.depth + o_.amplitude * level + step * s.v, step * s.d, step * s.dd};
    }
    begin = next;
    level = l.level;
  }
  return {o_.depth, 0, 0};
}

LoopStimulus::Point LoopStimulus::chirp(double t) const {
  if (t >= o_.chirp_time) return {o_.depth, 0, 0};
  // (1)
  const double low = kTwoPi * o_.low_frequency, omega = low + sweep_ * t;
  const auto [s, c] = sin_cos((low + sweep_ * t / 2) * t);
  const Jet wave{s, omega * c, sweep_ * c - omega * omega * s};
  // (2): a = S^{−1/4}.
  const auto fourth = [](double x) { return x * x * x * x; };
  const double g = sweep_ / omega;  // ω̇/ω
  const double by_rate = fourth(omega / (kMargin * o_.rate)),
               by_acceleration = fourth(omega * omega / (kMargin * o_.acceleration)),
               S = fourth(1 / o_.amplitude) + by_rate + by_acceleration,
               S_rate = g * (4 * by_rate + 8 * by_acceleration) / S,
               S_second = g * g * (12 * by_rate + 56 * by_acceleration) / S,
               a = 1 / std::sqrt(std::sqrt(S));
  const Jet size{a, -a * S_rate / 4, a * (5 * S_rate * S_rate / 16 - S_second / 4)};
  const Jet in = smooth_rise(t, kFadeIn), out = smooth_rise(o_.chirp_time - t, kFadeOut);
  const Jet sum = size * wave * in * Jet{out.v, -out.d, out.dd};
  return {o_.depth + sum.v, sum.d, sum.dd};
}

}  // namespace berth
