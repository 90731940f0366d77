// SPDX-License-Identifier: Apache-2.0

// The first SIGTERM ends whatever goes on: within a second, with exit code 1 and no half file.

#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::stopping_test {
namespace {

using Strings = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

constexpr double kPatience = 1;  // [s]

// Runs of 1e7 s take minutes on any machine. Longer ones are stopped as stuck before the signal comes.

// Until the program listens to SIGTERM: before that it simply dies.
void wait_until_it_listens(Process& process) {
  const std::string file = "/proc/" + std::to_string(process.id()) + "/status";
  for (int i = 0; i < 20000 && process.is_running(); ++i) {
    std::ifstream status(file);
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigCgt:") &&
          (std::stoull(line.substr(7), nullptr, 16) >> (SIGTERM - 1) & 1) != 0)
        return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

class Stopping : public testing::Test {
 protected:
  // After so many seconds of work.
  void expect_stopped(const Strings& words, double after, int code = 1) {
    Process process(words, {.folder = folder.path()});
    wait_until_it_listens(process);
    std::this_thread::sleep_for(std::chrono::duration<double>(after));
    const Clock::time_point sent = Clock::now();
    process.send(SIGTERM);
    const Ended end = process.wait();
    const double seconds = std::chrono::duration<double>(Clock::now() - sent).count();
    EXPECT_LT(seconds, kPatience) << words[0] << " " << words[1];
    EXPECT_EQ(end.signal, 0) << words[0];
    EXPECT_EQ(end.code, code) << words[0] << " " << words[1] << end.out << end.err;
    for (const std::string& file : folder.files())
      EXPECT_FALSE(contains(file, ".part")) << words[0] << " left " << file;
  }
  TemporaryFolder folder;
};

TEST_F(Stopping, ASweepWhileOneLongCaseRuns) {
  const std::string scenario = shipped_scenario("free_body");
  for (const char* how : {"--interpret", "--compile"})
    for (const char* cases : {"time.stop=[1e7]", "time.stop=[1,1e7]"}) {
      expect_stopped({"sweep", scenario, "--vary", cases, "--set", "record.interval=1e4", "--out",
                      "s.h5", "--fresh", how},
                     0.2);
      EXPECT_FALSE(std::filesystem::exists(folder / "s.h5"));
    }
}

// As large as a run can make it in a second.
TEST_F(Stopping, WhatIsMadeOfALargeResult) {
  const std::string scenario = shipped_scenario("free_body");
  expect_stopped({"run", scenario, "--set", "time.stop=1e7", "--set", "record.interval=0.1",
                  "--no-html", "--out", "x.h5"},
                 0.8);
  for (const Strings& words :
       {Strings{"report", "x.h5"}, {"plot", "x.h5", "body.rate", "body.sigma_BN"}}) {
    expect_stopped(words, 0);
    EXPECT_EQ(folder.files(), (Strings{"x.h5"}));
  }
}

TEST_F(Stopping, AllThatComputes) {
  const std::string body = shipped_scenario("free_body");
  const Strings longer{"--set", "time.stop=1e7", "--set", "record.interval=1e4"};
  for (Strings words : {Strings{"run", body, "--no-out"},
                        {"compare", body, "--steppers"},
                        {"linearise", body, "--at", "1e6"},
                        {"modes", body, "--at", "1e6"},
                        {"export", "c", body, "--out", "f", "--step", "0.1"}}) {
    words.insert(words.end(), longer.begin(), longer.end());
    expect_stopped(words, 0.1);
  }
  expect_stopped({"optimise", shipped_scenario("design_capture")}, 0.2);
}

}  // namespace
}  // namespace berth::test::stopping_test
