// SPDX-License-Identifier: Apache-2.0

// Scenarios with random damage. Whatever a file says, the program refuses it, or runs it and comes to
// an end: no signal, no exception, no case that hangs.
//
// A case is made from its number alone, so a failure names all that is needed to see it again. Cases
// run one after the other in a worker process, which a supervisor watches; a case that kills the
// worker or does not end is reported, and a new worker goes on after it.

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "berth/analysis/check.h"
#include "berth/scenario/describe.h"
#include "berth/simulate.h"
#include "tests/app/damage.h"
#include "tests/support/allocations.h"
#include "tests/support/process.h"

namespace berth::test::fuzz_test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// --- running a case ------------------------------------------------------------------------------

// What the program does with a file, but for a few steps only; false when the file is refused. Throws
// when something is not right.
bool run_case(std::uint64_t number, const TemporaryFolder& folder) {
  const std::string text = damaged_scenario(number);
  ReadScenario read = read_scenario_text(text, "case.toml", {}, folder.path());
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  for (const Problem& p : read.problems.list)
    if (describe(p).empty()) throw std::logic_error("a problem without words");
  if (!read.problems.empty()) return false;

  // What was accepted comes back from its own words.
  const std::string written = write_scenario(read.scenario);
  ReadScenario again = read_scenario_text(written, "again.toml");
  build_scenario(again.scenario, again.problems);
  if (!again.problems.empty())
    throw std::logic_error("written out, it is refused: " + describe(again.problems.list[0]));
  if (write_scenario(again.scenario) != written)
    throw std::logic_error("it changes when rewritten");

  if (describe(check(read.scenario, built)).empty()) throw std::logic_error("nothing to report");

  const Clock::time_point begin = Clock::now();
  int steps = 0;
  SimulateOptions options;
  options.interrupted = [&] { return ++steps > 100 || seconds_since(begin) > 0.3; };
  if (number % 8 == 0) options.h5 = folder / "case.h5";
  if (number % 16 == 0) options.csv = folder / "case.csv";
  if (number % 4 == 0) options.at = {0, read.scenario.time.stop / 3, read.scenario.time.stop};
  const Summary summary = simulate(read.scenario, built, options);
  if (describe(summary).empty() || to_json(summary, true).empty())
    throw std::logic_error("nothing to report");
  return true;
}

// What worker and supervisor both see.
struct Shared {
  std::atomic<std::uint64_t> number{0};  // of the case in hand
  std::atomic<std::uint64_t> done{0}, accepted{0};
  char words[500] = {};  // of what went wrong
};

constexpr int kNotRight = 3;

[[noreturn]] void work(std::uint64_t first, std::uint64_t last, Shared& shared) {
  const ::rlimit memory{4ull << 30, 4ull << 30};
  if (!kSanitized) ::setrlimit(RLIMIT_AS, &memory);
  const ::rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  int code = 0;
  {
    const TemporaryFolder folder;
    for (std::uint64_t n = first; code == 0 && n <= last; ++n) {
      shared.number = n;
      try {
        if (run_case(n, folder)) ++shared.accepted;
        ++shared.done;
      } catch (const std::exception& e) {
        std::strncpy(shared.words, e.what(), sizeof shared.words - 1);
        code = kNotRight;
      }
    }
  }
  ::_exit(code);
}

// Runs the cases `first` to `last`, and reports those that go wrong.
void fuzz(std::uint64_t first, std::uint64_t last) {
  corpus();  // made once, before any worker
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  Shared& shared = *new (memory) Shared;
  int failures = 0;
  const auto fail = [&](const std::string& how) {
    const std::uint64_t number = shared.number;
    std::string text = damaged_scenario(number);
    const std::string name = fmt::format("berth_fuzz_{}.toml", number);
    const std::filesystem::path kept = std::filesystem::temp_directory_path() / name;
    write_bytes(kept, text);
    ADD_FAILURE() << "case " << number << " " << how << "; the scenario is in " << kept;
    ++failures;
  };

  shared.number = first;
  while (shared.number <= last && failures < 10) {
    std::fflush(nullptr);
    const std::uint64_t begin_at = shared.number;
    const ::pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) work(begin_at, last, shared);

    // The worker has ten seconds for a case.
    std::uint64_t seen = shared.number;
    Clock::time_point since = Clock::now();
    int status = 0;
    bool hung = false;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (shared.number != seen) {
        seen = shared.number;
        since = Clock::now();
      } else if (!hung && seconds_since(since) > 10) {
        ::kill(child, SIGKILL);
        hung = true;
      }
    }
    if (hung) {
      fail("does not end");
    } else if (WIFSIGNALED(status)) {
      fail(fmt::format("ends with signal {}", WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == kNotRight) {
      fail(fmt::format("is not right: {}", static_cast<const char*>(shared.words)));
    } else if (WEXITSTATUS(status) != 0) {
      fail(fmt::format("ends with code {}", WEXITSTATUS(status)));
    } else {
      break;
    }
    ++shared.number;
  }
  fmt::print("{} cases, {} of them accepted and run\n", shared.done.load(), shared.accepted.load());
  EXPECT_GT(shared.accepted.load(), 20u);
  shared.~Shared();
  ::munmap(memory, sizeof(Shared));
}

// The same damage to the program itself: interrupted after a second, it ends with 0, 1 or 2.
void fuzz_program(std::uint64_t first, std::uint64_t last) {
  const TemporaryFolder folder;
  for (std::uint64_t n = first; n <= last; ++n) {
    write_bytes(folder / "case.toml", damaged_scenario(n));
    Process process({"run", "case.toml", "--at", "0"}, {.folder = folder.path(), .patience = 10});
    for (int i = 0; i < 500 && process.is_running(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    process.send(SIGINT);
    const Ended end = process.wait();
    EXPECT_EQ(end.signal, 0) << "case " << n << (end.killed ? " does not end" : "");
    EXPECT_TRUE(end.code >= 0 && end.code <= 2) << "case " << n << ": " << end.err;
    EXPECT_TRUE(end.code != 2 || !end.err.empty()) << "case " << n << " is refused without a word";
  }
}

// Runs with numbers of any size that may take `budget` seconds of the clock, and two more for what is not
// stepping: reading, checks, the file, the page.
void fuzz_budget(std::uint64_t first, std::uint64_t last, double budget) {
  const TemporaryFolder folder;
  const std::string setting = fmt::format("integrator.max_wall_time={}", budget);
  int run = 0, out_of_time = 0;
  for (std::uint64_t n = first; n <= last; ++n) {
    const std::string text = damaged_numbers(n);
    write_bytes(folder / "case.toml", text);
    const Clock::time_point begin = Clock::now();
    const Ended end = run_berth({"run", "case.toml", "--json", "--no-out", "--set", setting},
                                {.folder = folder.path(), .patience = 60});
    const double took = seconds_since(begin);
    EXPECT_TRUE(end.signal == 0 && end.code >= 0 && end.code <= 2)
        << "case " << n << ": " << end.err << text;
    EXPECT_LT(took, (kSanitized ? 10 : 1) * (budget + 2)) << "case " << n << ": " << text;
    run += end.code != 2;
    out_of_time += end.out.find("\"out_of_time\"") != std::string::npos;
  }
  fmt::print("{} of {} cases accepted, {} out of time\n", run, last - first + 1, out_of_time);
  EXPECT_GT(run, static_cast<int>((last - first) / 10));
}

TEST(ScenarioFuzz, BeginsWithGoodScenarios) {
  for (const std::string& text : corpus()) {
    ReadScenario read = read_scenario_text(text, "x.toml");
    build_scenario(read.scenario, read.problems);
    for (const Problem& p : read.problems.list) ADD_FAILURE() << describe(p);
  }
}
// Under the sanitizers a case takes ten times as long; `make test` asks for fewer there.
TEST(ScenarioFuzz, NoDamageEndsInASignalOrWithoutEnd) {
  const char* cases = std::getenv("BERTH_FUZZ_CASES");
  fuzz(1, cases ? std::strtoull(cases, nullptr, 10) : 5000);
}
TEST(ScenarioFuzz, NoDamageToAFileEndsTheProgramBadly) { fuzz_program(1000000, 1000080); }

TEST(ScenarioFuzz, NoNumberOutlivesTheBudget) { fuzz_budget(2000000, 2000120, 0.2); }

// More than a hundred thousand of them are accepted and run.
TEST(ScenarioFuzzSoak, NoDamageEndsInASignalOrWithoutEnd) { fuzz(10000000, 11059999); }
TEST(ScenarioFuzzSoak, NoDamageToAFileEndsTheProgramBadly) { fuzz_program(20000000, 20001500); }
TEST(ScenarioFuzzSoak, NoNumberOutlivesTheBudget) { fuzz_budget(30000000, 30004000, 5); }

}  // namespace
}  // namespace berth::test::fuzz_test
