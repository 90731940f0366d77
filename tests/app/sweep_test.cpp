// SPDX-License-Identifier: Apache-2.0

// `berth sweep` as a user runs it: killed and gone on with, on any number of threads, replayed.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/app/sweeps.h"
#include "tests/record/read_back.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::app_sweep_test {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

const std::string kFreeBody = shipped_scenario("free_body");

// A sweep of the free body that takes a millisecond or so for each case.
Strings sweep_words(const Strings& more) {
  Strings words{"sweep", kFreeBody, "--set", "time.stop=2", "--set", "record.interval=1"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
Strings monte_carlo(const std::string& samples, const Strings& more = {}) {
  Strings words = sweep_words({"--vary", "spacecraft.body.state.omega_BN_B.x=normal(0.1,0.05)",
                               "--vary", "spacecraft.body.mass=normal(2,1)", "--samples", samples,
                               "--out", "x.h5", "--csv"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// --- bytes ---------------------------------------------------------------------------------------

TEST(SweepBytes, AreTheSameForAnyNumberOfThreads) {
  std::array<std::string, 4> h5, csv, page;
  const std::array<const char*, 4> threads{"1", "2", "3", "7"};
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const TemporaryFolder folder;
    const Ended end =
        run_berth(monte_carlo("60", {"--threads", threads[i]}), {.folder = folder.path()});
    ASSERT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(folder.files(), (Strings{"x.csv", "x.h5", "x.html"}));
    h5[i] = read_bytes(folder / "x.h5");
    csv[i] = read_bytes(folder / "x.csv");
    page[i] = read_bytes(folder / "x.html");
  }
  EXPECT_GT(h5[0].size(), 5000u);
  EXPECT_EQ(std::count(csv[0].begin(), csv[0].end(), '\n'), 61);
  for (std::size_t i = 1; i < threads.size(); ++i) {
    EXPECT_TRUE(h5[0] == h5[i]) << threads[i];
    EXPECT_TRUE(csv[0] == csv[i]) << threads[i];
    EXPECT_TRUE(page[0] == page[i]) << threads[i];
  }
}

TEST(SweepOutput, HasAPageUnlessNoneIsWanted) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  const Ended end = run_berth(monte_carlo("20"), here);
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(contains(end.out, "\n  page in x.html\n")) << end.out;
  const std::string page = read_bytes(folder / "x.html");
  EXPECT_FALSE(contains(page, "@BERTH_"));
  EXPECT_TRUE(contains(page, R"("kind":"sweep")"));
  // berth report makes the same one, and finds the page of a case that was run since.
  ASSERT_EQ(run_berth({"report", "x.h5"}, here).code, 0);
  EXPECT_TRUE(read_bytes(folder / "x.html") == page);
  ASSERT_EQ(run_berth({"run", "--case", "7", "x.h5", "--quiet"}, here).code, 0);
  ASSERT_EQ(run_berth({"report", "x.h5"}, here).code, 0);
  EXPECT_TRUE(contains(read_bytes(folder / "x.html"), R"("case_pages":[7])"));

  const TemporaryFolder without;
  const Ended bare = run_berth(monte_carlo("20", {"--no-html"}), {.folder = without.path()});
  EXPECT_EQ(without.files(), (Strings{"x.csv", "x.h5"}));
  EXPECT_FALSE(contains(bare.out, "page in")) << bare.out;
}

TEST(SweepKilled, GoesOnWithoutRepeatingAndEndsWithTheSameBytes) {
  const TemporaryFolder whole, killed;
  ASSERT_EQ(run_berth(monte_carlo("400", {"--threads", "1"}), {.folder = whole.path()}).code, 0);

  // Three kills, each after some more cases; then to the end.
  std::mt19937 random(4711);
  std::size_t finished = 0;
  int kills = 0;
  bool ended = false;
  for (int attempt = 0; attempt < 3 && !ended; ++attempt) {
    Process process(monte_carlo("400", {"--threads", "2"}), {.folder = killed.path()});
    wait_for_lines(killed / "x.h5.journal", finished + 2 + random() % 60, process);
    process.send(SIGKILL);
    const Ended end = process.wait();
    ended = end.signal != SIGKILL;  // it was faster
    if (ended) break;
    ++kills;
    EXPECT_FALSE(std::filesystem::exists(killed / "x.h5"));
    ASSERT_TRUE(std::filesystem::exists(killed / "x.h5.journal"));
    const std::size_t lines = count_lines(killed / "x.h5.journal");
    EXPECT_GT(lines, finished + 1) << "nothing is lost, something was added";
    finished = lines - 1;
  }
  EXPECT_GE(kills, 1);
  if (!ended) {
    const Ended end =
        run_berth(monte_carlo("400", {"--threads", "2", "--json"}), {.folder = killed.path()});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(Json::parse(end.out)["taken_over"], finished);
  }
  EXPECT_EQ(killed.files(), (Strings{"x.csv", "x.h5", "x.html"}));
  EXPECT_TRUE(read_bytes(whole / "x.h5") == read_bytes(killed / "x.h5"));
  EXPECT_TRUE(read_bytes(whole / "x.csv") == read_bytes(killed / "x.csv"));
}

class SweepInterrupt : public testing::TestWithParam<int> {};

TEST_P(SweepInterrupt, FinishesTheCasesInHandAndSaysHowToGoOn) {
  const TemporaryFolder folder;
  Process process(monte_carlo("5000"), {.folder = folder.path()});
  wait_for_lines(folder / "x.h5.journal", 10, process);
  process.send(GetParam());
  const Ended end = process.wait();
  EXPECT_EQ(end.code, 1) << end.err;
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(folder.files(), (Strings{"x.h5.journal"}));
  EXPECT_TRUE(contains(end.err, "kept in x.h5.journal; the same command goes on from there"))
      << end.err;
  // Whole lines only.
  EXPECT_TRUE(read_bytes(folder / "x.h5.journal").ends_with("\n"));
}
INSTANTIATE_TEST_SUITE_P(By, SweepInterrupt, testing::Values(SIGINT, SIGTERM), [](const auto& p) {
  return std::string(p.param == SIGINT ? "CtrlC" : "Terminate");
});

// --- the journal of another sweep ----------------------------------------------------------------

TEST(SweepJournalOfAnother, IsRefusedUnlessFresh) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  {
    Process process(monte_carlo("5000"), here);
    wait_for_lines(folder / "x.h5.journal", 5, process);
    process.send(SIGKILL);
    process.wait();
  }
  const std::string journal = read_bytes(folder / "x.h5.journal");
  const Ended seed = run_berth(monte_carlo("5000", {"--seed", "2"}), here);
  EXPECT_EQ(seed.code, 2);
  EXPECT_TRUE(contains(seed.err, "seed was 1, is 2")) << seed.err;
  EXPECT_TRUE(contains(seed.err, "--fresh discards it")) << seed.err;
  const Ended samples = run_berth(monte_carlo("7"), here);
  EXPECT_EQ(samples.code, 2);
  EXPECT_TRUE(contains(samples.err, "samples was 5000, is 7")) << samples.err;
  const Ended setting = run_berth(monte_carlo("5000", {"--set", "time.stop=3"}), here);
  EXPECT_EQ(setting.code, 2);
  EXPECT_TRUE(contains(setting.err, "the scenario or its settings (--set) are others"));
  EXPECT_EQ(read_bytes(folder / "x.h5.journal"), journal) << "left as it was";

  const Ended fresh = run_berth(monte_carlo("7", {"--fresh", "--json"}), here);
  EXPECT_EQ(fresh.code, 0) << fresh.err;
  EXPECT_EQ(Json::parse(fresh.out)["taken_over"], 0);
  EXPECT_EQ(folder.files(), (Strings{"x.csv", "x.h5", "x.html"}));
}

// --- replaying a case ----------------------------------------------------------------------------

TEST(SweepReplay, GivesTheRowBitForBitWithoutTheScenarioFile) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  // A craft from another file, a setting, words, numbers with a unit suffix, random numbers.
  std::string text = read_bytes(kFreeBody);
  const std::size_t mass = text.find("mass = 1 "), end_of_mass = text.find('\n', mass);
  text.replace(mass, end_of_mass - mass, "from = \"craft.toml\"");
  write_bytes(folder / "s.toml", text);
  write_bytes(folder / "craft.toml", "name = \"body\"\nmass = 3\ninertia = [1, 2, 2.5]\n");
  const Ended sweep = run_berth(
      {"sweep", "s.toml", "--set", "time.stop=1.5", "--vary", "integrator.method=[dopri5,dop853]",
       "--vary", "spacecraft.body.state.omega_BN_B_deg_s=[[1,200,3],[700,2,5]]", "--vary",
       "integrator.tolerance=log(1e-12,1e-8,3)", "--vary", "spacecraft.body.mass=uniform(1,2)",
       "--samples", "2", "--collect", "steps,audit,time,final"},
      here);
  ASSERT_EQ(sweep.code, 0) << sweep.err;
  std::filesystem::remove(folder / "s.toml");
  std::filesystem::remove(folder / "craft.toml");
  for (const std::size_t row : {0u, 7u, 13u, 23u}) {
    const Ended replay =
        run_berth({"run", "--case", std::to_string(row), "s_sweep.h5", "--json", "--csv"}, here);
    EXPECT_EQ(replay.code, 0) << replay.err;
    expect_row(folder / "s_sweep.h5", row, Json::parse(replay.out));
    EXPECT_TRUE(std::filesystem::exists(folder / ("s_sweep_case" + std::to_string(row) + ".h5")));
    EXPECT_TRUE(std::filesystem::exists(folder / ("s_sweep_case" + std::to_string(row) + ".csv")));
  }
}

TEST(SweepReplay, GivesContactsPeaksAndConditionsBitForBit) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  const Ended sweep = run_berth({"sweep", shipped_scenario("capture_envelope"), "--samples", "9",
                                 "--threads", "2", "--collect", "*"},
                                here);
  ASSERT_NE(sweep.code, 2) << sweep.err;
  for (const std::size_t row : {0u, 3u, 8u}) {
    const Ended replay = run_berth(
        {"run", "--case", std::to_string(row), "capture_envelope_sweep.h5", "--json"}, here);
    EXPECT_NE(replay.code, 2) << replay.err;
    expect_row(folder / "capture_envelope_sweep.h5", row, Json::parse(replay.out));
  }
}

TEST(SweepReplay, IsWhatSettingsByHandGive) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  const std::string slew = shipped_scenario("slew");
  ASSERT_EQ(
      run_berth({"sweep", slew, "--set", "time.stop=20", "--vary",
                 "spacecraft.servicer.component.wheel1.speed_rpm=lin(100,300,3)", "--collect", "*"},
                here)
          .code,
      0);
  const Strings by_hand{"run",    slew,
                        "--set",  "time.stop=20",
                        "--set",  "spacecraft.servicer.component.wheel1.speed_rpm=300",
                        "--json", "--no-out"};
  expect_row(folder / "slew_sweep.h5", 2, Json::parse(run_berth(by_hand, here).out));
}

TEST(SweepReplay, RefusesWhatIsNotThere) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  ASSERT_EQ(
      run_berth(sweep_words({"--vary", "spacecraft.body.mass=[1,2,3]", "--out", "x.h5"}), here)
          .code,
      0);
  for (const char* number : {"3", "-1", "99999999999"}) {
    const Ended end = run_berth({"run", "--case", number, "x.h5"}, here);
    EXPECT_EQ(end.code, 2);
    EXPECT_TRUE(contains(end.err, "0…2")) << end.err;
  }
  ASSERT_EQ(run_berth({"run", kFreeBody, "--out", "run.h5"}, here).code, 0);
  const std::array<std::array<std::string, 2>, 3> files{
      {{"run.h5", "is no sweep"}, {"none.h5", "there is no such file"}, {kFreeBody, "HDF5"}}};
  for (const auto& [file, why] : files) {
    const Ended end = run_berth({"run", "--case", "0", file}, here);
    EXPECT_EQ(end.code, 2) << file;
    EXPECT_TRUE(contains(end.err, why)) << end.err;
  }
  EXPECT_EQ(run_berth({"run", "--case", "0", "x.h5", "--out", "x.h5"}, here).code, 2);
}

// --- what it prints ------------------------------------------------------------------------------

TEST(SweepSummary, ReportsOutcomesAndTheProbabilityOfSuccess) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  const Ended text = run_berth(monte_carlo("50"), here);
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.err, "");
  for (const char* part : {"50 of 50 cases: ", "with 95 % confidence, between ", "steps.accepted",
                           "recorded in x.h5; berth run --case N x.h5 replays a case"})
    EXPECT_TRUE(contains(text.out, part)) << part << "\n" << text.out;

  const Json j = Json::parse(run_berth(monte_carlo("50", {"--json"}), here).out);
  const record_test::ReadBack file(folder / "x.h5");
  const std::vector<std::string> outcomes = file.texts("/cases/outcome");
  const auto refused = std::count(outcomes.begin(), outcomes.end(), "refused");
  EXPECT_EQ(j["outcomes"]["reached_end"], 50 - refused);
  EXPECT_EQ(j["as_expected"]["count"], 50 - refused);
  EXPECT_EQ(j["seed"], 1);
  std::vector<double> rhs = file.numbers("/cases/steps.rhs");
  std::erase_if(rhs, [](double x) { return std::isnan(x); });
  EXPECT_EQ(j["columns"]["steps.rhs"]["max"], *std::max_element(rhs.begin(), rhs.end()));
  EXPECT_EQ(j["columns"]["steps.rhs"]["count"], rhs.size());
  const auto worst = j["columns"]["audit.energy"]["max_case"].get<std::size_t>();
  EXPECT_EQ(file.numbers("/cases/audit.energy").at(worst), j["columns"]["audit.energy"]["max"]);

  const Json facts = Json::parse(file.texts("/summary").at(0));
  EXPECT_EQ(facts["samples"], 50);
  EXPECT_EQ(facts["seed"], 1);
  EXPECT_EQ(facts["settings"], (Json{"time.stop=2", "record.interval=1"}));
  EXPECT_EQ(facts["vary"][1], "spacecraft.body.mass=normal(2,1)");
  EXPECT_FALSE(facts.contains("wall_seconds"));
}

TEST(SweepSummary, IsLeftOutWhenQuiet) {
  const TemporaryFolder folder;
  const Ended end = run_berth(monte_carlo("5", {"--quiet"}), {.folder = folder.path()});
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.out + end.err, "");
}

TEST(SweepSummary, HasABarOnATerminal) {
  const TemporaryFolder folder;
  const std::string out = (folder / "x.h5").string();
  int terminal = -1;
  const ::pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::execl(kProgram, kProgram, "sweep", kFreeBody.c_str(), "--vary",
            "spacecraft.body.mass=lin(1,2,100000)", "--out", out.c_str(),
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  // Reads until a bar has come, then interrupts and reads the rest.
  std::string seen;
  std::array<char, 4096> some{};
  bool interrupted = false;
  for (::ssize_t n = 0; (n = ::read(terminal, some.data(), some.size())) > 0;) {
    seen.append(some.data(), static_cast<std::size_t>(n));
    if (!interrupted && contains(seen, " s left")) {
      interrupted = true;
      const char ctrl_c = 3;
      EXPECT_EQ(::write(terminal, &ctrl_c, 1), 1);
    }
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_TRUE(contains(seen, " of 100000 cases  ")) << seen;
  EXPECT_TRUE(contains(seen, "Interrupted: ")) << seen;
}

// --- mistakes ------------------------------------------------------------------------------------

TEST(SweepErrors, EndWithTwoBeforeAnythingRuns) {
  const TemporaryFolder folder;
  const std::vector<std::pair<Strings, std::string>> cases{
      {{"sweep", kFreeBody}, "nothing is varied"},
      {{"sweep", kFreeBody, "--vary", "spacecraft.body.mas=[1,2]"}, "did you mean \"mass\""},
      {{"sweep", kFreeBody, "--vary", "spacecraft.bdy.mass=[1,2]"}, "did you mean body?"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1,soon]"}, "'soon' is not a number"},
      {{"sweep", kFreeBody, "--vary", "integrator.method=[dop853,rk45]"}, "--vary  integrator."},
      {{"sweep", kFreeBody, "--vary", "time.stop=normal(5,1)"}, "--samples  is missing"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1]", "--samples", "9"}, "nothing is random"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1]", "--threads", "0"}, "--threads"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1]", "--samples", "0"}, "--samples"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1]", "--out", kFreeBody}, "scenario itself"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1]", "--out", "a.csv", "--csv"}, "would replace"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1]", "--out", "/dev/null"}, "ordinary file"},
      {{"sweep", kFreeBody, "--vary", "time.stop=[1]", "--collect", "audit.enery"},
       "did you mean audit.energy?"},
      {{"sweep", "nobody.toml", "--vary", "time.stop=[1]"}, "there is no such file"},
  };
  for (const auto& [words, message] : cases) {
    const Ended end = run_berth(words, {.folder = folder.path()});
    EXPECT_EQ(end.code, 2) << words.back() << end.err;
    EXPECT_TRUE(contains(end.err, message)) << message << "\n" << end.err;
    EXPECT_EQ(end.out, "");
  }
  EXPECT_EQ(folder.files(), (Strings{}));
}

TEST(SweepErrors, AreReportedAllAtOnce) {
  const Ended end = run_berth({"sweep", kFreeBody, "--vary", "spacecraft.body.mas=[1,2]", "--vary",
                               "integrator.method=[dop853,rk45]", "--set", "time.stop=-1"});
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(contains(end.err, "3 problems")) << end.err;
  EXPECT_TRUE(contains(end.err, "--set  time.stop")) << end.err;
}

TEST(SweepErrors, FilesThatCannotBeWrittenEndWithOne) {
  const TemporaryFolder folder;
  const Strings vary{"--vary", "spacecraft.body.mass=[1,2,3,4,5,6,7,8]", "--out"};
  const auto sweep_to = [&](const std::string& out, std::uint64_t limit) {
    Strings words = sweep_words(vary);
    words.push_back(out);
    return run_berth(words, {.folder = folder.path(), .file_size_limit = limit});
  };
  const Ended nowhere = sweep_to("no/such/folder/x.h5", 0);
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_TRUE(contains(nowhere.err, "no/such/folder/x.h5")) << nowhere.err;
  EXPECT_EQ(folder.files(), (Strings{}));
  // No room for the journal; then room for it, but not for the result: nothing done is lost.
  EXPECT_EQ(sweep_to("x.h5", 600).code, 1);
  const Ended full = sweep_to("x.h5", 4000);
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(contains(full.err, "x.h5: cannot write")) << full.err;
  EXPECT_EQ(folder.files(), (Strings{"x.h5.journal"}));
  const Ended end = sweep_to("x.h5", 0);
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(contains(end.out, "(8 taken over")) << end.out;
}

}  // namespace
}  // namespace berth::test::app_sweep_test
