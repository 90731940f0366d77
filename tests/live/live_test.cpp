// SPDX-License-Identifier: Apache-2.0

// berth live and berth facility as two processes that talk over sockets; and a peer that is hostile.

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/live/facility.h"
#include "berth/live/udp_socket.h"
#include "berth/math/philox.h"
#include "berth/record/hdf5_reader.h"
#include "tests/support/process.h"

namespace berth::live_test {
namespace {

using namespace berth::test;
using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::string kScenario = shipped_scenario("facility");

// A facility in a process of its own, and where it listens.
struct Laboratory {
  TemporaryFolder folder;
  Process process;
  std::string address;

  explicit Laboratory(const Arguments& more = {})
      : process(Arguments{"facility", kScenario, "--timeout", "2", "--wait", "30", "-o",
                          (folder / "lab.h5").string()} +
                    more,
                {.folder = folder.path(), .standard_output = (folder / "out").string()}) {
    for (int i = 0; i < 500 && address.empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::ifstream in(folder / "out");
      std::string line;
      if (std::getline(in, line) && in.good()) address = line.substr(line.rfind(' ') + 1);
    }
  }
};

Json run_live(const std::string& address, const Arguments& more, int code = 0) {
  const Ended ended =
      run_berth(Arguments{"live", kScenario, "--udp", address, "--json", "--quiet"} + more);
  EXPECT_EQ(ended.code, code) << ended.err;
  return ended.out.empty() ? Json() : Json::parse(ended.out);
}

// Time and energy of the first event of a kind.
std::pair<double, double> find_event(const Json& summary, const std::string& kind) {
  for (const Json& e : summary.at("events"))
    if (e.at("kind") == kind) return {e.at("t"), e.at("energy")};
  ADD_FAILURE() << "no " << kind;
  return {NAN, NAN};
}

TEST(Live, FeelsTheContactThatTheSampledLoopOfARunHas) {
  for (const char* rate : {"250", "1000"}) {
    Laboratory lab({"--no-out"});
    const Json live =
        run_live(lab.address, {"--lockstep", "--rate", rate, "--no-out", "--set", "time.stop=7"});
    EXPECT_EQ(lab.process.wait().code, 0);
    const Ended ended =
        run_berth({"run", std::string(BERTH_SOURCE_DIR) + "/papers/contact/hil_contact.toml",
                   "--no-out", "--json", "--quiet", "--set", "time.stop=7", "--set",
                   "contact.probe.sample_time=" + std::to_string(1 / std::stod(rate))});
    const Json run = Json::parse(ended.out);
    EXPECT_NEAR(find_event(live, "contact_off").first, find_event(run, "contact_off").first, 1e-8);
    EXPECT_NEAR(find_event(live, "contact_settled").second,
                find_event(run, "contact_settled").second, 1e-9);
    EXPECT_EQ(live.at("live").at("unanswered"), 0);
    EXPECT_LE(live.at("live").at("ticks_with_allocations").get<int>(), 100);
  }
}

// Where bounces begin to gain energy; the hold counts as half a period of delay.
TEST(Live, BouncesGainEnergyBeyondTheDelayThatStabilityStates) {
  const auto find_energy = [](double delay) {
    Laboratory lab({"--no-out"});
    return find_event(
               run_live(lab.address, {"--lockstep", "--rate", "1000", "--no-out", "--set",
                                      "time.stop=7", "--set", "external.lab.silent.hold=1", "--set",
                                      "external.lab.latency=" + std::to_string(delay)}),
               "contact_settled")
        .second;
  };
  constexpr double h_E = 0.1438, half = 0.0005;
  EXPECT_LT(find_energy(0.97 * h_E - half), 0);
  EXPECT_GT(find_energy(1.03 * h_E - half), 0);
}

TEST(Live, IsMadeAgainBitForBitFromItsRecordedInputs) {
  Laboratory lab({"--set", "facility.sensor.noise=0.01"});
  const std::string live = (lab.folder / "live.h5").string(),
                    again = (lab.folder / "again.h5").string();
  run_live(lab.address, {"--lockstep", "-o", live, "--no-html", "--set", "time.stop=6"});
  EXPECT_EQ(run_berth({"run", live, "-o", again, "--no-html", "--quiet"}).code, 0);
  EXPECT_EQ(read_bytes(live), read_bytes(again));
}

TEST(Live, KeepsTimeAndStatesHowWell) {
  Laboratory lab({"--no-out"});
  const Json live =
      run_live(lab.address, {"--rate", "250", "--no-out", "--set", "time.stop=1"}).at("live");
  EXPECT_EQ(live.at("ticks"), 251);
  EXPECT_EQ(live.at("jitter").at("count"), 251);
  EXPECT_GT(live.at("round_trip").at("count").get<int>(), 0);
  EXPECT_LT(live.at("drift").get<double>(), 1);
}

TEST(Live, EndsWithAVerdictAndAWholeFileWhereTheOtherSideIsKilled) {
  Laboratory lab;
  const std::string h5 = (lab.folder / "live.h5").string();
  Process live({"live", kScenario, "--udp", lab.address, "-o", h5, "--no-html"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  lab.process.send(SIGKILL);
  const Ended ended = live.wait();
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.out.find("silent"), std::string::npos) << ended.out << ended.err;
  EXPECT_EQ(run_berth({"report", h5, "-o", (lab.folder / "page.html").string()}).code, 0);
  EXPECT_EQ(run_berth({"run", h5, "-o", (lab.folder / "again.h5").string(), "--no-html"}).code, 0);
  EXPECT_EQ(read_bytes(h5), read_bytes(lab.folder / "again.h5"));
}

TEST(Facility, EndsWithAVerdictAndAWholeFileWhereTheOtherSideIsKilled) {
  Laboratory lab;
  Process live({"live", kScenario, "--udp", lab.address, "--no-out"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  live.send(SIGKILL);
  EXPECT_EQ(lab.process.wait().code, 1);
  EXPECT_NE(read_bytes(lab.folder / "out").find("silent"), std::string::npos);
  EXPECT_GT(Hdf5Reader((lab.folder / "lab.h5").string()).extent("/time").rows, 10u);
}

TEST(Facility, RefusesAnotherScenario) {
  Laboratory lab({"--set", "spacecraft.chaser.mass=2999", "--no-out"});
  const Ended ended = run_berth({"live", kScenario, "--udp", lab.address, "--no-out"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("another scenario"), std::string::npos) << ended.err;
  EXPECT_EQ(lab.process.wait().code, 1);
}

TEST(Facility, StopsTheRunBeyondItsWorkspace) {
  Laboratory lab({"--set", "facility.robot.1.base=[4.5, 0, 0.25]", "--set",
                  "facility.robot.1.reach=1", "--no-out"});
  const Json live = run_live(lab.address, {"--lockstep", "--no-out"}, 1);
  EXPECT_EQ(live.at("verdict"), "stopped_by_peer");
  EXPECT_EQ(lab.process.wait().code, 1);
  EXPECT_NE(read_bytes(lab.folder / "out").find("workspace"), std::string::npos);
}

TEST(Live, IdentifiesDeadTimeAndLag) {
  Laboratory lab({"--set", "facility.delay=0.0217", "--no-out"});
  const std::string loop = (lab.folder / "loop.toml").string();
  const Ended ended =
      run_berth({"live", kScenario, "--udp", lab.address, "--lockstep", "--identify", "-o", loop});
  ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
  const std::string text = read_bytes(loop);
  const std::size_t at = text.find("\ndelay = ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_NEAR(std::stod(text.substr(at + 9)), 0.016 + 0.0217, 0.0004);
  EXPECT_EQ(run_berth({"check", loop}).code, 0);
}

TEST(Live, NeedsLimitsAndSomebodyWhoAnswers) {
  const Ended no_limit = run_berth(
      {"live", kScenario, "--udp", "5999", "--set", "external.lab.commands.touch.limit=0"});
  EXPECT_EQ(no_limit.code, 2);
  EXPECT_NE(no_limit.err.find("limit"), std::string::npos);
  EXPECT_EQ(run_berth({"live", kScenario, "--udp", "nowhere"}).code, 2);
  EXPECT_EQ(run_berth({"live", shipped_scenario("slew"), "--udp", "5999"}).code, 2);
  const Ended nobody = run_berth({"live", kScenario, "--udp", "127.0.0.1:9", "--wait", "0.2"});
  EXPECT_EQ(nobody.code, 1);
  EXPECT_NE(nobody.err.find("nobody"), std::string::npos);
}

// --- a hostile peer -----------------------------------------------------------------------------------

// Answers as a facility does, and sends much else besides.
class HostilePeer {
 public:
  explicit HostilePeer(int hostility, double wild = 0) : wild_(wild), hostility_(hostility) {
    ReadScenario read = read_scenario(kScenario);
    setup_ = build_live(std::move(read.scenario), {}, read.problems);
    facility_ = Facility::build(*setup_, read.problems);
    thread_ = std::thread([this] { serve(); });
  }
  ~HostilePeer() {
    over_ = true;
    thread_.join();
  }
  std::string address() const { return socket_.local().text(); }
  std::uint64_t sent() const { return sent_; }

 private:
  void send(const Datagram& d) {
    const std::size_t n = write_datagram(d, nullptr, bytes_);
    socket_.send(client_, std::span(bytes_).first(n));
  }
  double draw() { return find_uniform(1, counter_++, 0); }
  void attack(const Datagram& answer) {
    for (int i = 0; i < hostility_; ++i, ++sent_) {
      Datagram d = answer;
      const int kind = static_cast<int>(8 * draw());
      if (kind == 0) d.header.answered += 1 + static_cast<std::uint64_t>(1e6 * draw());
      if (kind == 1) d.header.answered -= std::min<std::uint64_t>(d.header.answered, 3);
      if (kind == 2) d.numbers[0] = NAN;
      if (kind == 3) d.header.run ^= 1;
      if (kind == 4) d.header.tick_ns += 1;
      if (kind == 5) d.numbers[1] = INFINITY;
      std::size_t n = write_datagram(d, nullptr, bytes_);
      if (kind == 6) n = static_cast<std::size_t>(static_cast<double>(n) * draw());
      if (kind == 7) bytes_[static_cast<std::size_t>(static_cast<double>(n) * draw())] ^= 0x10;
      socket_.send(client_, std::span(bytes_).first(n));
    }
  }
  void serve() {
    std::array<char, kMostDatagramBytes> buffer{};
    UdpSocket::Received got;
    Datagram in;
    std::vector<double> commands(setup_->layout.command_count());
    while (!over_) {
      if (!socket_.receive(buffer, find_clock_ns() + 50'000'000, got)) continue;
      if (read_datagram(std::span(buffer).first(got.size), nullptr, in) != DatagramFault::none)
        continue;
      client_ = got.from;
      Datagram out;
      out.header = in.header;
      out.header.peer = 77;
      out.header.count = 0;
      if (in.header.kind == static_cast<std::uint16_t>(DatagramKind::arm)) {
        facility_->arm(in.numbers[kArmSampleTime]);
        out.header.kind = static_cast<std::uint16_t>(DatagramKind::ready);
        send(out);
      }
      if (in.header.kind != static_cast<std::uint16_t>(DatagramKind::tick)) continue;
      facility_->answer(in.header.sequence, 1e-9 * static_cast<double>(in.header.tick_ns),
                        std::span<const double>(in.numbers).first(in.header.count), commands);
      out.header.kind = static_cast<std::uint16_t>(DatagramKind::answer);
      out.header.answered = in.header.sequence;
      out.header.count = static_cast<std::uint32_t>(commands.size());
      std::copy(commands.begin(), commands.end(), out.numbers.begin());
      if (wild_ > 0 && in.header.sequence == 100) out.numbers[0] = wild_;
      attack(out);
      send(out);
      attack(out);
    }
  }

  std::optional<LiveSetup> setup_;
  std::optional<Facility> facility_;
  UdpSocket socket_{UdpAddress::find("127.0.0.1:0")};
  UdpAddress client_;
  std::array<char, kMostDatagramBytes> bytes_{};
  std::uint64_t counter_ = 0;
  std::atomic<std::uint64_t> sent_ = 0;
  std::atomic<bool> over_ = false;
  double wild_;
  int hostility_;
  std::thread thread_;
};

Json run_against(HostilePeer& peer, const Arguments& more, int code = 0) {
  Json out = run_live(peer.address(),
                      Arguments{"--lockstep", "--no-out", "--set", "time.stop=7"} + more, code);
  return out;
}

TEST(LiveHostile, WhatIsRefusedChangesNothing) {
  HostilePeer kind(0), hostile(6);
  Json calm = run_against(kind, {}), attacked = run_against(hostile, {});
  EXPECT_GT(hostile.sent(), 20000u);
  std::uint64_t refused = 0;
  for (const auto& [reason, count] : attacked.at("live").at("refused").items())
    refused += count.get<std::uint64_t>();
  EXPECT_GT(refused, 15000u);
  for (Json* j : {&calm, &attacked}) {
    j->erase("live");
    j->erase("wall_seconds");
    if (j->contains("statistics")) (*j)["statistics"].erase("wall_seconds");
  }
  EXPECT_EQ(calm.at("final"), attacked.at("final"));
  EXPECT_EQ(calm.at("events"), attacked.at("events"));
  EXPECT_EQ(calm.at("contacts"), attacked.at("contacts"));
}

TEST(LiveHostile, AWildForceFollowsTheRule) {
  {
    HostilePeer peer(0, 1e300);
    const Json live = run_against(peer, {}, 1);
    EXPECT_EQ(live.at("verdict"), "excess");
    EXPECT_NEAR(live.at("time").get<double>(), 100 * 0.004 + 0.016, 0.005);
  }
  {
    HostilePeer peer(0, 1e300);
    const Json live = run_against(peer, {"--set", "live.excess=drop"});
    EXPECT_EQ(live.at("live").at("refused").at("excess"), 1);
    EXPECT_EQ(live.at("live").at("unanswered"), 1);
  }
}

}  // namespace
}  // namespace berth::live_test
