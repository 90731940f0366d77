// SPDX-License-Identifier: Apache-2.0
#pragma once

// LiveFrame — what one tick of a live run shows, of fixed size; LiveDescription — what stays the same from
// tick to tick: names, limits, what there is to draw, and what the delay of the loop is made of.
//
//   energy balance    E(t) = ∫ power of the contact on both craft dt                        (1)
//                     below zero the contact takes energy, above zero the loop feeds it
//   margin            h* − Σ delays, h_E − Σ delays; see docs/stability.md                  (2)
//
// A number that is not known, or of which a tick has none, is NaN.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace berth {

inline constexpr std::size_t kMostLivePose = 512;   // of a scene; a larger one is not drawn
inline constexpr std::size_t kMostLiveNumbers = 8;  // that a run adds to those of every run
inline constexpr std::size_t kMostRefusalKinds = 16;
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct LiveFrame {
  double t = 0;      // [s] simulated time of the tick
  double clock = 0;  // [s] of the machine, since the start

  // Of the contact that is closed over the loop.
  double force = kUnknown;   // [N] magnitude
  double gap = kUnknown;     // [m] below zero where it touches
  double energy = kUnknown;  // [J] (1)
  bool touching = false;

  double jitter = kUnknown;  // [s] the tick began this much after it was due
  double round_trip =
      kUnknown;  // [s] from sending a tick to its answer, which came since the last frame
  std::array<double, kMostLiveNumbers> more{};  // those of LiveDescription::more

  // Since the start.
  std::uint64_t ticks = 0;
  std::uint64_t late = 0;                                  // ticks that began too late
  std::uint64_t lost = 0;                                  // ticks without an answer
  std::array<std::uint64_t, kMostRefusalKinds> refused{};  // datagrams; LiveDescription::refusals

  std::array<float, kMostLivePose> pose{};  // a row of Scene::fill
};

// A number that a run adds: "capture.closing", "m/s".
struct LiveNumber {
  std::string name, unit;
};

// What is counted into the delay of the loop: "latency", 0.016 s.
struct LiveDelay {
  std::string name;
  double seconds = 0;
};

struct LiveDescription {
  std::string title;
  std::string contact;  // whose force, gap and energy are shown

  // What there is to draw: Scene::model(), Scene::width(), facts of scenario/scene_facts.h, models (.glb).
  // Without a model no scene is shown, and `scene_note` says why.
  std::string scene, facts;
  std::size_t scene_width = 0;
  std::vector<std::string> models;
  std::string scene_note;

  double sample_time = kUnknown;  // [s]
  double latency = kUnknown;      // [s] from a sample to the action of its answer
  double factor = 1;              // simulated seconds per second of the clock
  bool lockstep = false;          // as fast as the other side answers

  double force_limit = kUnknown;  // [N] beyond which the run stops
  double late_after = kUnknown;   // [s] of jitter from which a tick counts as late

  double h_star = kUnknown;       // [s] beyond which the loop is unstable
  double h_E = kUnknown;          // [s] beyond which the first bounce gains energy
  std::vector<LiveDelay> delays;  // latency, half a period of the hold, dead time …; (2)

  std::vector<LiveNumber> more;       // at most kMostLiveNumbers; further ones are left out
  std::vector<std::string> refusals;  // why datagrams are refused; at most kMostRefusalKinds
};

enum class LiveState : unsigned char { armed, running, stopped };
enum class LiveLevel : unsigned char { none, good, warn, bad };

// How a run stands, in words: "captured", or why it stopped.
struct LiveStatus {
  LiveState state = LiveState::armed;
  std::string verdict;
  LiveLevel level = LiveLevel::none;
};

// The largest so far and when: in simulated time [s]. NaN where there was no number yet.
struct LivePeak {
  double value = kUnknown;
  double t = kUnknown;
};
struct LivePeaks {
  LivePeak force, energy, jitter, round_trip;
};

}  // namespace berth
