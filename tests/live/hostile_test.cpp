// SPDX-License-Identifier: Apache-2.0

// Both ends of a live session, in one process and under the sanitizers, against a peer that lies.

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "berth/live/facility_session.h"
#include "berth/live/live_source.h"
#include "berth/live/session.h"
#include "tests/live/hostile_peer.h"
#include "tests/support/process.h"

namespace berth::hostile_test {
namespace {

using namespace berth::test;

const LiveKey kKey = "sixteen bytes or more, shared";

LiveSetup build_setup() {
  ReadScenario read = read_scenario(shipped_scenario("facility"));
  std::optional<LiveSetup> setup =
      build_live(std::move(read.scenario), {.rate = {}, .lockstep = true}, read.problems);
  if (!setup) throw std::runtime_error("facility.toml cannot be run live");
  return std::move(*setup);
}

// What is answered to tick k: its own number, so that none can be taken for another.
double answer_to(std::uint64_t tick, std::size_t i) {
  return 10 * std::sin(0.1 * static_cast<double>(tick) + static_cast<double>(i));
}
void answer_by_number(const Datagram& tick, std::span<double> commands) {
  for (std::size_t i = 0; i < commands.size(); ++i)
    commands[i] = answer_to(tick.header.sequence, i);
}

// Asks `ticks` times in lockstep and expects the genuine answers.
LiveStatistics ask(const LiveSetup& setup, HostilePeer& peer, LiveOptions options,
                   std::uint64_t ticks) {
  options.lockstep = true;
  LiveSource source(setup, UdpAddress::find(peer.address()), std::move(options), nullptr);
  source.arm();
  source.start();
  const std::vector<double> measured(setup.layout.measure_count(), 0.5);
  std::vector<double> commands(setup.layout.command_count());
  for (std::uint64_t k = 0; k < ticks; ++k) {
    const double t = setup.served().sample_time * static_cast<double>(k);
    source.ask(k, t, measured, commands);
    std::fill(commands.begin(), commands.end(), NAN);
    if (!source.collect(k, t, commands)) {
      ADD_FAILURE() << "tick " << k << " is not answered";
      break;
    }
    for (std::size_t i = 0; i < commands.size(); ++i) EXPECT_EQ(commands[i], answer_to(k, i)) << k;
  }
  source.stop();
  return source.statistics();
}

std::uint64_t count(const LiveStatistics& s, Refused reason) {
  return s.refused[static_cast<std::size_t>(reason)];
}
std::uint64_t count_refused(const LiveStatistics& s) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : s.refused) sum += n;
  return sum;
}

TEST(LiveHostile, OnlyTheGenuineAnswersAreTaken) {
  const LiveSetup setup = build_setup();
  HostilePeer peer(setup, {.hostility = 25}, answer_by_number);
  const LiveStatistics s = ask(setup, peer, {}, 300);
  EXPECT_EQ(s.answered, 300u);
  EXPECT_EQ(s.unanswered, 0u);
  EXPECT_GT(peer.sent(), 14000u);
  // Those behind the last answer may not have been taken out of the socket.
  EXPECT_GE(count_refused(s) + 50, peer.sent());
  for (const Refused reason :
       {Refused::stranger, Refused::unreadable, Refused::damaged, Refused::session,
        Refused::unasked, Refused::late, Refused::not_finite})
    EXPECT_GT(count(s, reason), 50u) << describe(reason);
  EXPECT_EQ(count(s, Refused::excess), 0u);
}

TEST(LiveHostile, WithAKeyForgedAndReplayedOnesAreRefusedToo) {
  const LiveSetup setup = build_setup();
  std::vector<std::string> recorded;
  {
    HostilePeer peer(setup, {.key = kKey}, answer_by_number);
    ask(setup, peer, {.key = kKey}, 100);
    recorded = peer.answers();
  }
  ASSERT_EQ(recorded.size(), 100u);
  HostilePeer peer(setup, {.hostility = 25, .key = kKey, .replayed = recorded}, answer_by_number);
  const LiveStatistics s = ask(setup, peer, {.key = kKey}, 200);
  EXPECT_EQ(s.answered, 200u);
  EXPECT_GT(count(s, Refused::forged), 50u);
  EXPECT_GT(count(s, Refused::session), 300u);  // replayed ones among them
  EXPECT_GE(count_refused(s) + 50, peer.sent());
}

TEST(LiveHostile, AWildForceEndsTheRunAtItsTick) {
  const LiveSetup setup = build_setup();
  HostilePeer peer(setup, {.wild = 1e300}, answer_by_number);
  LiveSource source(setup, UdpAddress::find(peer.address()), {.lockstep = true}, nullptr);
  source.arm();
  source.start();
  const std::vector<double> measured(setup.layout.measure_count(), 0.0);
  std::vector<double> commands(setup.layout.command_count());
  std::uint64_t k = 0;
  try {
    for (; k < 200; ++k) {
      source.ask(k, 0.004 * static_cast<double>(k), measured, commands);
      source.collect(k, 0.004 * static_cast<double>(k), commands);
    }
    ADD_FAILURE() << "nothing ended it";
  } catch (const ExternalStop& stop) {
    EXPECT_EQ(stop.verdict, "excess");
    EXPECT_EQ(k, 100u);
  }
}

// --- the facility ---------------------------------------------------------------------------------------

// Who simulates, and lies: a session of `ticks` ticks of a chaser that presses, with hostile datagrams around
// each. Returns what was answered.
class HostileClient {
 public:
  HostileClient(const LiveSetup& setup, const UdpAddress& facility, int hostility)
      : setup_(setup), facility_(facility), hostility_(hostility) {}

  std::vector<std::vector<double>> run(std::uint64_t ticks) {
    Datagram d;
    d.header.digest = setup_.layout.digest;
    d.header.run = draw_session_number();
    d.header.flags = kFlagLockstep;
    d.header.kind = static_cast<std::uint16_t>(DatagramKind::arm);
    d.header.count = kArmCount;
    d.numbers[kArmSampleTime] = setup_.served().sample_time;
    send(d);
    Datagram in;
    if (!receive(in, DatagramKind::ready, 0)) return {};
    d.header.peer = in.header.peer;
    std::vector<std::vector<double>> answers;
    for (std::uint64_t k = 0; k < ticks; ++k) {
      make_tick(d, k);
      attack(d);
      send(d);
      attack(d);
      if (!receive(in, DatagramKind::answer, k)) break;
      answers.emplace_back(in.numbers.begin(), in.numbers.begin() + in.header.count);
    }
    d.header.kind = static_cast<std::uint16_t>(DatagramKind::stop);
    d.header.count = 0;
    send(d);
    return answers;
  }
  std::uint64_t sent() const { return sent_; }

 private:
  void make_tick(Datagram& d, std::uint64_t k) {
    d.header.kind = static_cast<std::uint16_t>(DatagramKind::tick);
    d.header.sequence = k;
    d.header.tick_ns = to_ns(setup_.served().sample_time) * static_cast<std::int64_t>(k);
    d.header.count = static_cast<std::uint32_t>(setup_.layout.measure_count());
    std::size_t first = 0;
    for (const Simulation::Signal& s : setup_.layout.measures) {
      const auto n = static_cast<std::size_t>(s.width);
      std::fill_n(d.numbers.begin() + static_cast<std::ptrdiff_t>(first), n, 0.0);
      if (s.name == "chaser.rho_BO_N")
        d.numbers[first] = 2.95 + 0.01 * std::sin(0.05 * static_cast<double>(k));
      if (s.name == "chaser.quaternion_BN") d.numbers[first + 3] = 1;
      if (s.name == "target.quaternion_BN") d.numbers[first] = 1;
      first += n;
    }
  }
  void attack(const Datagram& tick) {
    for (int i = 0; i < hostility_; ++i, ++sent_) {
      Datagram d = tick;
      const int kind =
          static_cast<int>(draws_ = (draws_ * 25214903917u + 11) % (1ull << 48), draws_ >> 20) % 10;
      UdpSocket* from = &socket_;
      if (kind == 0) d.header.run ^= 4;
      if (kind == 1) d.header.peer ^= 4;
      if (kind == 2) d.header.digest ^= 4;
      if (kind == 3) d.numbers[0] = NAN;
      if (kind == 4)
        d.header.sequence -= std::min<std::uint64_t>(d.header.sequence, 3), d.header.tick_ns -= 1;
      if (kind == 5) d.header.count -= 1;
      if (kind == 6) d.numbers[0] = 1e300, from = &stranger_;
      if (kind == 7) d.header.kind = static_cast<std::uint16_t>(DatagramKind::answer);
      std::size_t n = write_datagram(d, nullptr, bytes_);
      if (kind == 8) n = static_cast<std::size_t>(draws_ >> 16) % n;
      if (kind == 9) bytes_[static_cast<std::size_t>(draws_ >> 16) % n] ^= 0x20;
      // Below the first tick there is nothing that would be out of order.
      if (kind == 4 && tick.header.sequence < 4) continue;
      from->send(facility_, std::span(bytes_).first(n));
    }
  }
  void send(const Datagram& d) {
    socket_.send(facility_, std::span(bytes_).first(write_datagram(d, nullptr, bytes_)));
  }
  bool receive(Datagram& in, DatagramKind kind, std::uint64_t answered) {
    const std::int64_t until = find_clock_ns() + 2'000'000'000;
    while (socket_.receive(bytes_, until, got_))
      if (read_datagram(std::span(bytes_).first(got_.size), nullptr, in) == DatagramFault::none &&
          in.header.kind == static_cast<std::uint16_t>(kind) && in.header.answered == answered)
        return true;
    return false;
  }

  const LiveSetup& setup_;
  UdpAddress facility_;
  int hostility_;
  UdpSocket socket_{UdpAddress::find("127.0.0.1:0")}, stranger_{UdpAddress::find("127.0.0.1:0")};
  std::array<char, kMostDatagramBytes> bytes_{};
  UdpSocket::Received got_;
  std::uint64_t draws_ = 4711, sent_ = 0;
};

struct Served {
  std::vector<std::vector<double>> answers;
  FacilityStatistics numbers;
  FacilitySession::End end;
  std::uint64_t hostile = 0;
};
Served serve(const LiveSetup& setup, int hostility, std::uint64_t ticks) {
  Problems problems;
  std::optional<Facility> facility = Facility::build(setup, problems);
  UdpSocket socket(UdpAddress::find("127.0.0.1:0"));
  FacilitySession session(setup, *facility, socket, {.wait = 5, .timeout = 1});
  Served out;
  HostileClient client(setup, socket.local(), hostility);
  std::thread thread([&] { out.answers = client.run(ticks); });
  out.end = session.serve(nullptr, 0);
  thread.join();
  out.numbers = session.statistics();
  out.hostile = client.sent();
  return out;
}

TEST(FacilityHostile, RobotsAreMovedByTheGenuineTicksAlone) {
  const LiveSetup setup = build_setup();
  const Served calm = serve(setup, 0, 300), attacked = serve(setup, 25, 300);
  ASSERT_EQ(calm.answers.size(), 300u);
  EXPECT_EQ(calm.answers, attacked.answers);
  EXPECT_EQ(attacked.numbers.ticks, 300u);
  EXPECT_EQ(attacked.end.verdict, "stopped_by_peer");
  EXPECT_GT(attacked.hostile, 14000u);
  EXPECT_GT(attacked.numbers.refused + attacked.numbers.strangers + attacked.numbers.repeated,
            attacked.hostile * 9 / 10);
}

// What is not of the session does not keep it alive.
TEST(FacilityHostile, SilenceIsSilenceThroughAllNoise) {
  const LiveSetup setup = build_setup();
  Problems problems;
  std::optional<Facility> facility = Facility::build(setup, problems);
  UdpSocket socket(UdpAddress::find("127.0.0.1:0")), client(UdpAddress::find("127.0.0.1:0"));
  const UdpAddress there = socket.local();
  FacilitySession session(setup, *facility, socket, {.wait = 5, .timeout = 0.3});
  std::atomic<bool> over = false;
  std::thread noise([&] {
    std::array<char, kMostDatagramBytes> bytes{};
    Datagram d;
    d.header.digest = setup.layout.digest;
    d.header.run = 5;
    d.header.kind = static_cast<std::uint16_t>(DatagramKind::arm);
    d.header.count = kArmCount;
    d.numbers[kArmSampleTime] = 0.004;
    client.send(there, std::span(bytes).first(write_datagram(d, nullptr, bytes)));
    d.header.run = 6;  // another session, from the same address
    const std::int64_t until = find_clock_ns() + 5'000'000'000;
    while (!over && find_clock_ns() < until) {
      client.send(there, std::span(bytes).first(write_datagram(d, nullptr, bytes)));
      UdpSocket::sleep_until(find_clock_ns() + 1'000'000);
    }
  });
  const std::int64_t begin = find_clock_ns();
  EXPECT_EQ(session.serve(nullptr, 0).verdict, "silent");
  EXPECT_LT(find_clock_ns() - begin, 2'000'000'000);
  over = true;
  noise.join();
}

}  // namespace
}  // namespace berth::hostile_test
