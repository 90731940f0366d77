// SPDX-License-Identifier: Apache-2.0
#pragma once

// FacilitySession — a facility behind a socket: armed, started, asked tick by tick, stopped.
//
// Robots are moved once by every tick: one that is repeated gets the same answer again, older ones are
// dropped, and over ticks that were lost the robots go on smoothly to the next. Who is not the one that armed
// it is counted and dropped.

#include <functional>
#include <optional>

#include "berth/live/facility.h"
#include "berth/live/udp_socket.h"
#include "berth/record/row_sink.h"

namespace berth {

struct FacilityStatistics {
  std::uint64_t ticks = 0, repeated = 0, lost = 0, refused = 0, strangers = 0;
  double force_peak = 0;      // [N] answered
  double tracking_error = 0;  // [m] largest distance of a robot from where it was commanded to be
};

struct FacilityOptions {
  double wait = 60;    // [s] to be armed
  double timeout = 5;  // [s] without anything before it takes the other side for gone
  std::optional<LiveKey> key = {};
  std::function<bool()> interrupted = {};
};

class FacilitySession {
 public:
  FacilitySession(const LiveSetup& setup, Facility& facility, UdpSocket& socket,
                  FacilityOptions options);

  // What a row of its record holds.
  static std::vector<Channel> channels();

  // One session, from arm to its end. Rows go to the sink, if there is one.
  struct End {
    std::string verdict;  // stopped_by_peer, silent, workspace, refused, interrupted
    std::string reason;
    double t = 0;  // [s] of the last tick
  };
  End serve(RowSink* sink, int group);
  const FacilityStatistics& statistics() const { return numbers_; }

 private:
  void send(DatagramKind kind, std::uint64_t answered, std::int64_t tick_ns, std::size_t count);
  bool receive(std::int64_t until_ns);
  bool take_arm();
  void take_tick();
  void answer_tick();
  void write_row(double t);
  void send_due(bool all);

  const LiveSetup& setup_;
  Facility& facility_;
  UdpSocket& socket_;
  FacilityOptions options_;
  FacilityStatistics numbers_;
  RowSink* sink_ = nullptr;
  int group_ = 0;

  UdpAddress client_;
  std::uint64_t run_ = 0, peer_ = 0, sent_ = 0;
  bool lockstep_ = false;
  std::optional<std::uint64_t> last_;  // tick
  std::optional<End> end_;
  double t_ = 0;
  Datagram in_, out_;
  std::array<char, kMostDatagramBytes> in_bytes_{}, out_bytes_{};
  UdpSocket::Received received_;
  std::vector<double> last_answer_, row_;
  // Answers that leave later.
  struct Waiting {
    std::int64_t due_ns = 0;
    std::size_t size = 0;
    std::array<char, kMostDatagramBytes> bytes{};
  };
  std::vector<Waiting> waiting_;
  std::size_t waiting_count_ = 0;
};

}  // namespace berth
