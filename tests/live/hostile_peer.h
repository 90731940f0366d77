// SPDX-License-Identifier: Apache-2.0
#pragma once

// HostilePeer — the other side of `berth live` in a thread of its own: it answers every tick as set, and
// sends much else besides, from its own address and from a stranger's.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "berth/live/live_scenario.h"
#include "berth/live/udp_socket.h"

namespace berth::test {

struct HostilePeerOptions {
  int hostility = 0;  // hostile datagrams before each answer, and as many behind it
  double flood = 0;   // [1/s] hostile datagrams beside, whatever the ticks do
  double wild = 0;    // [N] answered to tick 100 in truth
  std::optional<std::uint64_t> silent_from = {};  // tick from which it does not answer
  std::optional<LiveKey> key = {};
  std::vector<std::string> replayed = {};  // datagrams of another session, sent again in this
};

class HostilePeer {
 public:
  // The commands of a tick, in truth.
  using Answer = std::function<void(const Datagram& tick, std::span<double> commands)>;

  HostilePeer(const LiveSetup& setup, HostilePeerOptions options, Answer answer);
  ~HostilePeer();

  std::string address() const { return socket_.local().text(); }
  std::uint64_t sent() const { return sent_; }  // of what is hostile
  // The genuine answers of this session, as they were sent; the first 1000.
  std::vector<std::string> answers() const;

 private:
  void serve();
  void flood();
  void attack(const Datagram& answer);
  void send_hostile(Datagram d, int kind);
  void send(const Datagram& d);
  double draw() { return draws_(); }

  struct Draws {
    std::uint64_t key, counter = 0;
    double operator()();
    std::size_t below(std::size_t n) {
      return static_cast<std::size_t>((*this)() * static_cast<double>(n));
    }
  };

  const LiveSetup& setup_;
  HostilePeerOptions options_;
  Answer answer_;
  UdpSocket socket_{UdpAddress::find("127.0.0.1:0")}, stranger_{UdpAddress::find("127.0.0.1:0")};
  UdpAddress client_;  // set before armed_
  Draws draws_{1}, flood_draws_{2};
  std::array<char, kMostDatagramBytes> bytes_{};
  mutable std::mutex guard_;
  std::vector<std::string> answers_;
  std::atomic<std::uint64_t> sent_ = 0;
  std::atomic<bool> over_ = false, armed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace berth::test
