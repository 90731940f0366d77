// SPDX-License-Identifier: Apache-2.0

// What happens around the program: signals, kills, full disks, files that are no scenarios. A result
// under its name is whole; everything else is reported.

#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/record/read_back.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::trouble_test {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

// Hours of work, in x.h5.
std::vector<std::string> long_run(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"run",   shipped_scenario("free_body"), "--set", "time.stop=1e7",
                                 "--set", "record.interval=1",           "--out", "x.h5"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Waits until the process has begun to write.
void wait_for_part(const TemporaryFolder& folder, Process& process) {
  const auto is_part = [](const std::string& name) { return name.starts_with(".x.h5.part-"); };
  for (int i = 0; i < 20000 && process.is_running(); ++i) {
    const std::vector<std::string> files = folder.files();
    if (std::any_of(files.begin(), files.end(), is_part)) return;
    std::this_thread::sleep_for(milliseconds(1));
  }
  ADD_FAILURE() << "nothing is written: " << process.wait().err;
}

class Interrupt : public testing::TestWithParam<int> {};

TEST_P(Interrupt, LeavesAReadableFileAndEndsWithOne) {
  const TemporaryFolder folder;
  Process process(long_run({"--json", "--csv"}), {.folder = folder.path()});
  wait_for_part(folder, process);
  std::this_thread::sleep_for(milliseconds(200));
  process.send(GetParam());
  const Ended end = process.wait();
  EXPECT_EQ(end.code, 1) << end.err;
  EXPECT_EQ(end.signal, 0);
  const Json j = Json::parse(end.out);
  EXPECT_EQ(j["outcome"], "interrupted");
  EXPECT_GT(j["time"], 0.0);
  EXPECT_LT(j["time"], 1e7);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"x.csv", "x.h5", "x.html"}));
  const record_test::ReadBack file(folder / "x.h5");
  const std::vector<double> time = file.numbers("/time");
  ASSERT_GT(time.size(), 1u);
  EXPECT_EQ(time.back(), j["time"]) << "a last row where it was stopped";
  EXPECT_EQ(file.numbers("/channels/body.omega_BN_B").size(), 3 * time.size());
  EXPECT_EQ(Json::parse(file.texts("/summary").at(0))["outcome"], "interrupted");
}

TEST_P(Interrupt, SaysSoInTheSummary) {
  const TemporaryFolder folder;
  Process process(long_run(), {.folder = folder.path()});
  wait_for_part(folder, process);
  process.send(GetParam());
  const Ended end = process.wait();
  EXPECT_EQ(end.code, 1) << end.err;
  EXPECT_TRUE(contains(end.out, "Interrupted at ")) << end.out;
}

INSTANTIATE_TEST_SUITE_P(By, Interrupt, testing::Values(SIGINT, SIGTERM), [](const auto& p) {
  return std::string(p.param == SIGINT ? "CtrlC" : "Terminate");
});

TEST(Kill, LeavesNoFileUnderTheFinalName) {
  std::mt19937 random(4711);
  for (int i = 0; i < 10; ++i) {
    const TemporaryFolder folder;
    write_bytes(folder / "x.csv", "an older result");
    Process process(long_run({"--csv"}), {.folder = folder.path()});
    std::this_thread::sleep_for(milliseconds(random() % 300));
    process.send(SIGKILL);
    EXPECT_EQ(process.wait().signal, SIGKILL);
    EXPECT_FALSE(std::filesystem::exists(folder / "x.h5"));
    EXPECT_EQ(read_bytes(folder / "x.csv"), "an older result");
    // The next run with that name clears up.
    if (i % 3 > 0) continue;
    const Ended end = run_berth({"run", shipped_scenario("free_body"), "--out", "x.h5", "--csv"},
                                {.folder = folder.path()});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"x.csv", "x.h5", "x.html"}));
  }
}

// Around the very end too: what has the final name is whole.
TEST(Kill, NearTheEndLeavesAWholeFileOrNone) {
  std::mt19937 random(4712);
  const TemporaryFolder once;
  const std::vector<std::string> words{"run", shipped_scenario("free_body"), "--out", "x.h5"};
  const double whole = run_berth(words, {.folder = once.path()}).seconds;
  for (int i = 0; i < 10; ++i) {
    const TemporaryFolder folder;
    Process process(words, {.folder = folder.path()});
    const double wait = whole * (0.5 + static_cast<double>(random() % 1000) / 1000);
    std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    process.send(SIGKILL);
    process.wait();
    if (!std::filesystem::exists(folder / "x.h5")) continue;
    EXPECT_TRUE(read_bytes(folder / "x.h5") == read_bytes(once / "x.h5"));
  }
}

// --- full disks ----------------------------------------------------------------------------------

TEST(FullDisk, OfTheResultEndsWithOneAndAMessage) {
  for (const std::uint64_t limit : {1u, 1000u, 20000u, 60000u}) {
    const TemporaryFolder folder;
    const Ended end = run_berth({"run", shipped_scenario("free_body"), "--out", "x.h5"},
                                {.folder = folder.path(), .file_size_limit = limit});
    EXPECT_EQ(end.code, 1) << limit << end.out;
    EXPECT_EQ(end.signal, 0) << limit;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.h5")) << limit;
    EXPECT_TRUE(limit < 1000 || contains(end.err, "x.h5: cannot write")) << end.err;
  }
}

// The page is larger than the result here: it does not fit, and the result stays.
TEST(FullDisk, OfThePageEndsWithOneAndKeepsTheResult) {
  const TemporaryFolder folder;
  const Ended plain =
      run_berth({"run", shipped_scenario("free_body"), "--no-html"}, {.folder = folder.path()});
  ASSERT_EQ(plain.code, 0) << plain.err;
  const std::uint64_t size = std::filesystem::file_size(folder / "free_body.h5");
  const Ended end = run_berth(
      {"run", shipped_scenario("free_body"), "--out", "x.h5", "--set", "record.channels=[\"*\"]"},
      {.folder = folder.path(), .file_size_limit = size + size / 4});
  if (end.code == 0) GTEST_SKIP() << "the page is smaller";
  EXPECT_EQ(end.code, 1) << end.out;
  EXPECT_TRUE(contains(end.err, "x.html")) << end.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"free_body.h5", "x.h5"}));
}

TEST(FullDisk, OfTheTableEndsWithOneAndAMessage) {
  const TemporaryFolder folder;
  const Ended end = run_berth({"run", shipped_scenario("free_body"), "--no-out", "--csv"},
                              {.folder = folder.path(), .file_size_limit = 20000});
  EXPECT_EQ(end.code, 1) << end.out;
  EXPECT_TRUE(contains(end.err, "free_body.csv")) << end.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{}));
}

TEST(FullDisk, BehindStandardOutputEndsWithOneAndAMessage) {
  const std::string file = shipped_scenario("slew");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", file, "--no-out"},
        {"run", file, "--no-out", "--json"},
        {"run", file, "--no-out", "--json", "--at", "1,2,3,4,5,6,7,8,9,10"},
        {"check", file},
        {"describe"},
        {"describe", "reaction_wheel"},
        {"describe", "channels", file}}) {
    const Ended end = run_berth(words, {.standard_output = "/dev/full"});
    EXPECT_EQ(end.code, 1) << words[0];
    EXPECT_TRUE(contains(end.err, "standard output: No space left on device")) << end.err;
  }
}

TEST(FullDisk, BehindStandardErrorLeavesTheExitCode) {
  const auto code = [](std::vector<std::string> words) {
    return run_berth(words, {.standard_error = "/dev/full"}).code;
  };
  EXPECT_EQ(code({"run", "nobody.toml"}), 2);
  EXPECT_EQ(code({"rnu"}), 2);
  EXPECT_EQ(code({"run", shipped_scenario("free_body"), "--out", "/no/such/folder/x.h5"}), 1);
  EXPECT_EQ(code({"run", shipped_scenario("free_body"), "--no-out"}), 0);
}

// --- files that are no scenarios -----------------------------------------------------------------

class NoScenario : public testing::Test {
 protected:
  // Refused by every command that reads a file, at once, with a message.
  void expect_refused(const std::string& file, const std::string& why) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"run", file, "--no-out"},
                                                  {"check", file},
                                                  {"describe", "channels", file}}) {
      const Ended end = run_berth(words, {.patience = 20});
      EXPECT_EQ(end.code, 2) << file << end.out;
      EXPECT_LT(end.seconds, 2) << file;
      EXPECT_TRUE(contains(end.err, file)) << end.err;
      EXPECT_TRUE(contains(end.err, why)) << end.err;
      EXPECT_LT(end.err.size(), 2000u) << "the message is shorter than the file";
    }
  }
  TemporaryFolder folder_;
};

TEST_F(NoScenario, LargeFile) {
  std::string text;
  while (text.size() < 50'000'000) text += "[[spacecraft]]\nname = \"body\"\nmass = 1\n";
  write_bytes(folder_ / "large.toml", text);
  expect_refused((folder_ / "large.toml").string(), "a scenario has at most 4 MB");
}

TEST_F(NoScenario, BinaryFile) {
  std::mt19937 random(1);
  std::string bytes(1'000'000, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  write_bytes(folder_ / "noise.toml", bytes);
  expect_refused((folder_ / "noise.toml").string(), "is not a text file");
  expect_refused(kProgram, "");
}

// Of any size.
TEST_F(NoScenario, ResultFile) {
  const std::string file = (folder_ / "run.dat").string();
  const std::string h5 = (folder_ / "run.h5").string();
  ASSERT_EQ(run_berth({"run", shipped_scenario("free_body"), "--quiet", "--out", h5}).code, 0);
  write_bytes(file, read_bytes(h5));
  expect_refused(file, "is a result, not a scenario");
  write_bytes(file, read_bytes(h5) + std::string(8'000'000, ' '));
  expect_refused(file, "is a result, not a scenario");
}

// One that has its name is made once more.
TEST_F(NoScenario, ResultFileIsMadeAgain) {
  const std::string h5 = (folder_ / "run.h5").string(), again = (folder_ / "again.h5").string();
  ASSERT_EQ(run_berth({"run", shipped_scenario("free_body"), "--quiet", "--out", h5}).code, 0);
  ASSERT_EQ(run_berth({"run", h5, "--quiet", "--out", again}).code, 0);
  EXPECT_EQ(read_bytes(h5), read_bytes(again));
}

// Not a single zero byte in it, and no text either.
TEST_F(NoScenario, NoiseWithoutZeros) {
  std::mt19937 random(2);
  std::string bytes(1'000'000, '\0');
  for (char& c : bytes) c = static_cast<char>(1 + random() % 255);
  write_bytes(folder_ / "noise.toml", bytes);
  expect_refused((folder_ / "noise.toml").string(), "");
}

TEST_F(NoScenario, ManyMegabytesOfValidToml) {
  // Below the limit of size, and nothing but unknown keys.
  std::string text;
  for (int i = 0; text.size() < 3'900'000; ++i) text += "key" + std::to_string(i) + " = 1\n";
  write_bytes(folder_ / "keys.toml", text);
  const Ended end = run_berth({"check", (folder_ / "keys.toml").string()});
  EXPECT_EQ(end.code, 2);
  EXPECT_LT(end.seconds, 60);
  EXPECT_LT(std::count(end.err.begin(), end.err.end(), '\n'), 300) << "nobody reads them all";
}

TEST_F(NoScenario, FolderAndDevices) {
  expect_refused(folder_.path().string(), "is a folder");
  expect_refused("/dev/zero", "is a device");
  expect_refused("/dev/null", "is a device");
  expect_refused((folder_ / "nobody.toml").string(), "there is no such file");
}

TEST_F(NoScenario, EmptyFile) {
  write_bytes(folder_ / "empty.toml", "");
  expect_refused((folder_ / "empty.toml").string(), "nothing to simulate");
}

TEST_F(NoScenario, EndlessNesting) {
  std::string key = "a";
  for (int i = 0; i < 200000; ++i) key += ".a";
  write_bytes(folder_ / "keys.toml", key + " = 1\n");
  expect_refused((folder_ / "keys.toml").string(), "nested");
  write_bytes(folder_ / "tables.toml", "[" + key + "]\n");
  expect_refused((folder_ / "tables.toml").string(), "nested");
  write_bytes(folder_ / "lists.toml", "a = " + std::string(200000, '['));
  expect_refused((folder_ / "lists.toml").string(), "nested");
}

TEST_F(NoScenario, FileNobodyMayRead) {
  write_bytes(folder_ / "secret.toml", "title = 'x'\n");
  std::filesystem::permissions(folder_ / "secret.toml", std::filesystem::perms::none);
  if (!read_bytes(folder_ / "secret.toml").empty()) GTEST_SKIP() << "root reads everything";
  expect_refused((folder_ / "secret.toml").string(), "cannot be read");
}

}  // namespace
}  // namespace berth::test::trouble_test
