// SPDX-License-Identifier: Apache-2.0
#pragma once

// LiveSource — an external of a run whose answers come over a socket, paced by the clock.
//
//   ask       waits until the tick is due, sends it; what arrives meanwhile is taken in
//   collect   waits until the answer is there, at most until the clock has reached t_k + latency
//
// The run computes ahead of the clock: when a tick is due its state is there already. In lockstep there is
// no clock: a tick is sent when the answer of the one before has acted.
//
// An answer is taken where it comes from the peer, belongs to this session and to a tick that still waits
// for one, and all its numbers are finite and within their limits. Everything else is counted by reason and
// changes nothing.

#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "berth/live/live_scenario.h"
#include "berth/live/tick_schedule.h"
#include "berth/live/time_histogram.h"
#include "berth/live/udp_socket.h"
#include "berth/run/external.h"
#include "berth/simulate/input_log.h"

namespace berth {

// Why a datagram was refused.
enum class Refused : unsigned char {
  stranger,    // not from the peer's address
  unreadable,  // size, magic, version, kind, count
  damaged,     // CRC
  forged,      // tag
  session,     // digest, run or peer of another
  unasked,     // an answer to no tick that was sent, or with another time
  repeated,    // that tick has been answered
  late,        // its time to act is over
  not_finite,  // a number that is none
  excess,      // beyond its limit
  count
};
std::string_view describe(Refused reason);

struct LiveStatistics {
  std::uint64_t ticks = 0, answered = 0, unanswered = 0;
  std::uint64_t late_ticks = 0, overruns = 0, caught_up = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(Refused::count)> refused{};
  TimeHistogram jitter, round_trip;               // how late ticks left; from tick to answer
  double last_jitter = 0, last_round_trip = NAN;  // [s] of the last tick, of the last answer
  double slip = 0;                                // [s] by which the schedule was moved
  double drift = 0;  // [s] how far the last tick was behind the schedule without slipping
  std::uint64_t allocations = 0, ticks_with_allocations = 0;
};
std::string describe(const LiveStatistics& statistics, double period);
std::string to_json(const LiveStatistics& statistics);

struct LiveOptions {
  bool lockstep = false;
  double factor = 1;   // simulated seconds in one of the clock
  double wait = 10;    // [s] for the other side to be ready
  double timeout = 2;  // [s] lockstep: that an answer may take
  std::optional<LiveKey> key = {};
  std::function<bool()> interrupted = {};
  std::uint64_t (*count_allocations)() = nullptr;  // of this thread so far; null: not counted
  // Called at every tick after it was sent, with the commands that acted last.
  std::function<void(double t, std::span<const double> acted, const LiveStatistics&)> watch = {};
};

class LiveSource : public ExternalSource {
 public:
  LiveSource(const LiveSetup& setup, const UdpAddress& peer, LiveOptions options, InputLog* inputs);
  ~LiveSource() override;

  // Until the other side is ready. Throws std::runtime_error with what hindered it.
  void arm();
  // The schedule begins now.
  void start();
  // It is over: the other side is informed.
  void stop();

  Reply ask(std::uint64_t sample, double t, std::span<const double> measured,
            std::span<double> commands) const override;
  bool collect(std::uint64_t sample, double t, std::span<double> commands) const override;

  const LiveStatistics& statistics() const;
  UdpAddress local() const;

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace berth
