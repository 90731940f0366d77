// SPDX-License-Identifier: Apache-2.0

// berth live and berth facility as two processes that talk over sockets; and a peer that is hostile.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/live/facility.h"
#include "berth/record/hdf5_reader.h"
#include "tests/live/hostile_peer.h"
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

  // It waits [s] for answers that do not come, and for somebody who begins.
  explicit Laboratory(const Arguments& more = {}, const char* timeout = "2",
                      const char* wait = "30")
      : process(Arguments{"facility", kScenario, "--timeout", timeout, "--wait", wait, "-o",
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

// Ends with this code; with none given 0 or 1.
Json run_live(const std::string& address, const Arguments& more, std::optional<int> code = 0) {
  const Ended ended =
      run_berth(Arguments{"live", kScenario, "--udp", address, "--json", "--quiet"} + more);
  EXPECT_EQ(ended.code, code.value_or(std::min(std::max(ended.code, 0), 1))) << ended.err;
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

// Held for long: other processes may keep both sides from the processor for more than 0.1 s.
TEST(Live, KeepsTimeAndStatesHowWell) {
  Laboratory lab({"--no-out"}, "30");
  const Json live = run_live(lab.address, {"--rate", "250", "--no-out", "--set", "time.stop=1",
                                           "--set", "external.lab.silent.hold=30"})
                        .at("live");
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
  // Held for long: a run that other processes keep from the processor would end of itself, and say so.
  Process live({"live", kScenario, "--udp", lab.address, "--no-out", "--set",
                "external.lab.silent.hold=30"});
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

// Dead time within 1 %, or a tenth of a tick, whatever lag and filter there are beside it.
struct LoopCase {
  double delay, frequency, damping, filter, noise, rate;
};
class LiveIdentify : public testing::TestWithParam<LoopCase> {};
TEST_P(LiveIdentify, FindsTheDeadTime) {
  const LoopCase& c = GetParam();
  const auto set = [](const std::string& name, double value) {
    return Arguments{"--set", name + "=" + fmt::format("{}", value)};
  };
  Laboratory lab(set("facility.delay", c.delay) + set("facility.robot_frequency", c.frequency) +
                 set("facility.robot_damping", c.damping) +
                 set("facility.sensor.filter_time", c.filter) +
                 set("facility.sensor.noise", c.noise) +
                 set("external.lab.sample_time", 1 / c.rate) + Arguments{"--no-out"});
  const std::string loop = (lab.folder / "loop.toml").string();
  const Ended ended = run_berth(
      Arguments{"live", kScenario, "--udp", lab.address, "--lockstep", "--identify", "-o", loop} +
      set("external.lab.sample_time", 1 / c.rate));
  ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
  const std::string text = read_bytes(loop);
  const std::size_t at = text.find("\ndelay = ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_NEAR(std::stod(text.substr(at + 9)) - 0.016, c.delay,
              std::max(0.01 * c.delay, 0.1 / c.rate));
  EXPECT_EQ(run_berth({"check", loop}).code, 0);
}
INSTANTIATE_TEST_SUITE_P(Loops, LiveIdentify,
                         testing::Values(LoopCase{0.021, 80, 0.8, 0.004, 0.02, 250},
                                         LoopCase{0.0317, 0, 1, 0.002, 0.05, 1000},
                                         LoopCase{0.05, 30, 0.9, 0, 0.02, 100},
                                         LoopCase{0.0217, 0, 1, 0, 0, 250},
                                         LoopCase{0.009, 60, 0.7, 0.006, 0.03, 500}));

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
class HostileLaboratory {
 public:
  explicit HostileLaboratory(HostilePeerOptions options)
      : setup_(build_setup()), facility_(build_facility(setup_)) {
    peer_.emplace(setup_, std::move(options), [this](const Datagram& in, std::span<double> out) {
      if (out.empty()) return facility_.arm(in.numbers[kArmSampleTime]);
      facility_.answer(in.header.sequence, 1e-9 * static_cast<double>(in.header.tick_ns),
                       std::span<const double>(in.numbers).first(in.header.count), out);
    });
  }
  const HostilePeer& peer() const { return *peer_; }

  Json run(const Arguments& more, std::optional<int> code = 0) {
    return run_live(peer_->address(), Arguments{"--no-out"} + more, code);
  }

 private:
  static LiveSetup build_setup() {
    ReadScenario read = read_scenario(kScenario);
    return std::move(*build_live(std::move(read.scenario), {}, read.problems));
  }
  static Facility build_facility(const LiveSetup& setup) {
    Problems problems;
    return *Facility::build(setup, problems);
  }

  LiveSetup setup_;
  Facility facility_;
  std::optional<HostilePeer> peer_;
};

const Arguments kLockstep{"--lockstep", "--set", "time.stop=7"};

std::uint64_t count_refused(const Json& live) {
  std::uint64_t sum = 0;
  for (const auto& [reason, count] : live.at("live").at("refused").items())
    sum += count.get<std::uint64_t>();
  return sum;
}

// The run with `hostility` is the one without.
void expect_nothing_changes(const HostilePeerOptions& options, const Arguments& more) {
  HostilePeerOptions none = options;
  none.hostility = 0;
  HostileLaboratory kind(none), hostile(options);
  const Json calm = kind.run(kLockstep + more), attacked = hostile.run(kLockstep + more);
  EXPECT_GE(count_refused(attacked), hostile.peer().sent() * 99 / 100);
  EXPECT_EQ(attacked.at("live").at("unanswered"), 0);
  for (const char* part : {"final", "events", "contacts"})
    EXPECT_EQ(calm.at(part), attacked.at(part));
}

TEST(LiveProcess, WhatIsRefusedChangesNothing) { expect_nothing_changes({.hostility = 6}, {}); }

TEST(LiveProcess, AWildForceFollowsTheRule) {
  {
    HostileLaboratory lab({.wild = 1e300});
    const Json live = lab.run(kLockstep, 1);
    EXPECT_EQ(live.at("verdict"), "excess");
    EXPECT_NEAR(live.at("time").get<double>(), 100 * 0.004 + 0.016, 0.005);
  }
  {
    HostileLaboratory lab({.wild = 1e300});
    const Json live = lab.run(kLockstep + Arguments{"--set", "live.excess=drop"});
    EXPECT_EQ(live.at("live").at("refused").at("excess"), 1);
    EXPECT_EQ(live.at("live").at("unanswered"), 1);
  }
}

// From tick 100 on nobody answers: the last answer holds for 0.1 s from where the next would have acted.
TEST(LiveProcess, SilenceFollowsTheRule) {
  HostileLaboratory lab({.silent_from = 100});
  const Json live = lab.run(kLockstep, 1);
  EXPECT_EQ(live.at("verdict"), "silent");
  EXPECT_NEAR(live.at("time").get<double>(), 100 * 0.004 + 0.016 + 0.1, 0.0041);
}

// By the clock, through a flood: numbers of the run, null where there are none. Answers may be lost in it,
// and the last one holds [s].
Json run_through_flood(double rate, const char* seconds, const char* hold) {
  HostileLaboratory lab({.flood = rate});
  const Json live = lab.run({"--rate", "250", "--set", std::string("time.stop=") + seconds, "--set",
                             std::string("external.lab.silent.hold=") + hold},
                            {});
  if (live.is_null()) return live;
  const Json& n = live.at("live");
  EXPECT_GT(count_refused(live), lab.peer().sent() / 2);
  std::printf("flood: %llu datagrams, %llu refused; %d ticks, %d unanswered, %d late, verdict %s\n",
              static_cast<unsigned long long>(lab.peer().sent()),
              static_cast<unsigned long long>(count_refused(live)), n.at("ticks").get<int>(),
              n.at("unanswered").get<int>(), n.at("late_ticks").get<int>(),
              live.at("verdict").get<std::string>().c_str());
  return n;
}

TEST(LiveProcess, GoesOnThroughAFlood) {
  const Json n = run_through_flood(50e3, "1", "30");
  EXPECT_EQ(n.at("ticks"), 251);
  EXPECT_GT(n.at("answered").get<int>(), 0);
}

// --- for make soak ------------------------------------------------------------------------------------

TEST(LiveHostileSoak, AMillionDatagramsChangeNothing) {
  expect_nothing_changes({.hostility = 300}, {});  // 1751 ticks, twice 300 each
}

TEST(LiveHostileSoak, AMillionDatagramsChangeNothingWithAKey) {
  const TemporaryFolder folder;
  const std::string file = (folder / "key").string(), key = "sixteen bytes or more, shared";
  std::ofstream(file) << key;
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  expect_nothing_changes({.hostility = 300, .key = key}, {"--key", file});
}

TEST(LiveHostileSoak, GoesOnThroughAMillionInTenSeconds) {
  const Json n = run_through_flood(100e3, "10", "0.1");
  EXPECT_GE(n.at("answered").get<int>(), n.at("ticks").get<int>() / 2);
}

// Either side is killed at any time, before it has begun too: the other ends with a verdict and a
// file that opens.
TEST(LiveKilledSoak, TheOtherSideEndsWithItsVerdictAndAWholeFile) {
  std::mt19937 random(4711);
  int with_files = 0;
  for (int i = 0; i < 100; ++i) {
    Laboratory lab({}, "0.5", "2");
    ASSERT_FALSE(lab.address.empty());
    const std::string h5 = (lab.folder / "live.h5").string();
    Process live({"live", kScenario, "--udp", lab.address, "-o", h5, "--no-html", "--wait", "1",
                  "--set", "time.stop=4"});  // later than any kill and the hold behind it
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 2'000'000));
    const bool kills_lab = random() % 2 == 0;
    Process &killed = kills_lab ? lab.process : live, &other = kills_lab ? live : lab.process;
    killed.send(SIGKILL);
    const bool was_killed = killed.wait().signal == SIGKILL;
    const Ended ended = other.wait();
    SCOPED_TRACE(i);
    EXPECT_EQ(ended.signal, 0);
    EXPECT_TRUE(ended.code == 1 || !was_killed) << ended.out << ended.err;
    const std::string file = kills_lab ? h5 : (lab.folder / "lab.h5").string();
    const std::string said = ended.out + ended.err + read_bytes(lab.folder / "out");
    if (was_killed) {
      EXPECT_TRUE(said.find("silent") != std::string::npos ||
                  said.find("nobody") != std::string::npos ||
                  said.find("stopped_by_peer") != std::string::npos)
          << said;
    }
    if (!std::filesystem::exists(file)) continue;  // it had not begun
    ++with_files;
    EXPECT_GT(Hdf5Reader(file).extent("/time").rows, 0u);
    if (kills_lab) {
      EXPECT_EQ(run_berth({"report", file, "-o", (lab.folder / "page.html").string()}).code, 0);
    }
  }
  EXPECT_GT(with_files, 60);
}

}  // namespace
}  // namespace berth::live_test
