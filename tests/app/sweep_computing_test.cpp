// SPDX-License-Identifier: Apache-2.0

// `berth sweep` has the same bytes whatever computes the cases: interpreted, compiled, in lanes of any
// width, on one thread or two, killed and gone on with; and a case that is run again has its row.

#include <gtest/gtest.h>

#include "tests/app/sweeps.h"
#include "tests/compile/compiled.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::sweep_computing_test {
namespace {

using Json = nlohmann::ordered_json;

// One sweep computed in several ways, with a cache of its own.
class Computed {
 public:
  explicit Computed(const Strings& words)
      : words_(with({"sweep"}, with(words, {"--csv", "--no-html", "--quiet", "--collect", "*",
                                            "--out", "x.h5"}))),
        cache_setting_("BERTH_CACHE", (cache_ / "cache").string()) {
    std::filesystem::create_directory(cache_ / "cache");
    std::filesystem::permissions(cache_ / "cache", std::filesystem::perms::owner_all);
    interpreted_ = find_bytes({"--interpret"}, whole_);
    EXPECT_EQ(count_entries(), 0u);
  }

  // The table and, as far as the same numbers make the same file, the result.
  struct Bytes {
    std::string csv, h5;
    bool operator==(const Bytes&) const = default;
  };
  const Bytes& interpreted() const { return interpreted_; }
  const TemporaryFolder& folder() const { return whole_; }
  std::size_t count_entries() const {
    std::size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(cache_ / "cache"))
      n += entry.path().extension() == ".berth";
    return n;
  }

  Bytes find_bytes(const Strings& more, const TemporaryFolder& in) const {
    const Ended end = run_berth(with(words_, more), {.folder = in.path(), .patience = 600});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(end.signal, 0);
    return {read_bytes(in / "x.csv"), read_bytes(in / "x.h5")};
  }
  void expect_same(const Strings& more) const {
    const TemporaryFolder folder;
    EXPECT_TRUE(find_bytes(more, folder) == interpreted_);
  }
  // By every set of instructions there is among these, each with programs of its own.
  void expect_same_by(const Strings& names) const {
    for (const InstructionSet& set : list_instructions()) {
      if (std::find(names.begin(), names.end(), set.name) == names.end()) continue;
      SCOPED_TRACE(std::string(set.name));
      const EnvironmentVariable instructions("BERTH_INSTRUCTIONS", std::string(set.name));
      const std::size_t before = count_entries();
      expect_same({"--compile", "--threads", "2"});
      EXPECT_GT(count_entries(), before) << "nothing was compiled";
    }
  }
  // After so many lines of the journal, the first being its header.
  void expect_same_when_killed_after(std::size_t lines) const {
    const TemporaryFolder folder;
    Process process(with(words_, {"--compile", "--threads", "2"}), {.folder = folder.path()});
    wait_for_lines(folder / "x.h5.journal", lines, process);
    process.send(SIGKILL);
    ASSERT_EQ(process.wait().signal, SIGKILL) << "it was faster";
    EXPECT_FALSE(std::filesystem::exists(folder / "x.h5"));
    const std::size_t done = count_lines(folder / "x.h5.journal") - 1;
    EXPECT_GE(done + 1, lines);
    EXPECT_TRUE(find_bytes({"--compile", "--threads", "1"}, folder) == interpreted_);
  }
  void expect_same_rows(const std::vector<std::size_t>& rows) const {
    for (const std::size_t row : rows) {
      const Ended replay =
          run_berth({"run", "--case", std::to_string(row), "x.h5", "--json", "--no-out"},
                    {.folder = whole_.path()});
      EXPECT_NE(replay.code, 2) << replay.err;
      expect_row(whole_ / "x.h5", row, Json::parse(replay.out));
    }
  }

 private:
  Strings words_;
  TemporaryFolder cache_, whole_;
  EnvironmentVariable cache_setting_;
  Bytes interpreted_;
};

// --- short ones ----------------------------------------------------------------------------------

const Strings kProbe{shipped_scenario("hil_compensated"), "--vary",
                     "contact.probe.law.stiffness=lin(800,1200,6)", "--vary",
                     "spacecraft.chaser.mass=[2900,3100]"};

// Numbers of the system are inputs of the programs.
TEST(SweepComputing, OfAMassAndAStiffnessHasTheSameBytes) {
  const Computed sweep(kProbe);
  sweep.expect_same_by({"scalar", "sse2", "neon", "avx2", "avx512"});
  sweep.expect_same({"--compile", "--threads", "1"});
  sweep.expect_same({"--threads", "2"});
  sweep.expect_same_when_killed_after(4);
  sweep.expect_same_rows({0, 7});
}

TEST(SweepComputing, OfImpactsHasTheSameBytes) {
  const Computed sweep({shipped_scenario("double_pendulum_wall"), "--set", "time.stop=2", "--vary",
                        "integrator.tolerance=log(1e-10,1e-8,5)"});
  sweep.expect_same({"--compile", "--threads", "1"});
  EXPECT_GT(sweep.count_entries(), 0u);
}

// Steps in lanes are compiled for each method; those of radau and variational methods are interpreted.
TEST(SweepComputing, OfEveryMethodHasTheSameBytes) {
  const Computed sweep({shipped_scenario("capture_envelope"), "--set", "integrator.step=0.01",
                        "--set", "integrator.tolerance=1e-7", "--vary",
                        "integrator.method=[dop853,dopri5,rkf45,rk4,radau,variational2]", "--vary",
                        "integrator.norm=[largest,mean]"});
  sweep.expect_same({"--compile", "--threads", "1"});
  EXPECT_GT(sweep.count_entries(), 0u);
}

TEST(SweepComputing, OfCapturesHasTheSameBytes) {
  const Computed sweep({shipped_scenario("capture_envelope"), "--samples", "120"});
  sweep.expect_same({"--compile", "--threads", "1"});
  EXPECT_GT(sweep.count_entries(), 0u);
  sweep.expect_same({"--compile", "--threads", "2"});
  sweep.expect_same_rows({0, 17, 119});
}

// A jet that sticks open at a drawn time, two structures for all cases.
const std::string kStuckValve = R"(
[[force]]
type = "thruster_set"
name = "jets"
body = "chaser"
thruster = [{ position = [-1, 0.5, 0], direction = [1, 0, 0], thrust = 0.2 },
            { position = [-1, -0.5, 0], direction = [1, 0, 0], thrust = 0.2 }]
[[event]]
name = "valve"
at = 2
do = [{ fail = "jets.2", as = "stuck_on" }]
)";

TEST(SweepComputing, OfDrawnFailuresHasTheSameBytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "fault.toml", R"(
[time]
stop = 10
[[spacecraft]]
name = "chaser"
mass = 100
inertia = [30, 40, 50]
[spacecraft.state]
omega_BN_B = [0.01, 0.02, -0.03]
)" + kStuckValve);
  const Computed sweep({(folder / "fault.toml").string(), "--samples", "12", "--vary",
                        "event.valve.at=uniform(0,9)"});
  sweep.expect_same({"--compile", "--threads", "1"});
  EXPECT_GT(sweep.count_entries(), 0u);
  sweep.expect_same_rows({0, 11});
}

// And latches that are late by as much as is drawn.
TEST(SweepComputingSoak, OfCapturesWithDrawnFailuresHasTheSameBytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "fault.toml",
              read_bytes(shipped_scenario("capture_envelope")) + kStuckValve + R"(
[[event]]
name = "latch"
at = 0
do = [{ fail = "capture", as = "late", by = 0.3 }]
)");
  const Computed sweep({(folder / "fault.toml").string(), "--samples", "200", "--vary",
                        "event.valve.at=uniform(0,12)", "--vary",
                        "event.latch.do.1.by=uniform(0,0.5)"});
  sweep.expect_same({"--compile", "--threads", "1"});
  EXPECT_GT(sweep.count_entries(), 0u);
  sweep.expect_same({"--compile", "--threads", "2"});
  sweep.expect_same_rows({0, 17, 199});
}

// Up to the capture: contacts that slide, latches, sampled sensors and controllers, thrusters.
const Strings kDocking{shipped_scenario("docking"), "--set", "time.stop=345", "--vary",
                       "sensor.navigation.seed=[1,2,3]"};

TEST(SweepComputingSoak, OfDockingsHasTheSameBytes) {
  const Computed sweep(kDocking);
  sweep.expect_same({"--compile", "--threads", "1"});
  EXPECT_GT(sweep.count_entries(), 0u);
  sweep.expect_same_rows({2});
}

// --- long ones -----------------------------------------------------------------------------------

TEST(SweepComputingSoak, OfDockingsHasTheSameBytesWithAllInstructions) {
  const Computed sweep(kDocking);
  sweep.expect_same_by({"scalar", "sse2", "neon", "avx2", "avx512"});
  sweep.expect_same_when_killed_after(2);
}

TEST(SweepComputingSoak, OfTheWholeDockingHasTheSameBytes) {
  const Computed sweep({shipped_scenario("docking"), "--vary",
                        "sensor.navigation.seed=[1,2,3,4,5,6]", "--vary",
                        "spacecraft.servicer.mass=[640,650]"});
  sweep.expect_same({"--compile", "--threads", "1"});
  sweep.expect_same({"--compile", "--threads", "2"});
  sweep.expect_same_rows({3, 11});
}

TEST(SweepComputingSoak, OfManyCapturesHasTheSameBytesWithAllInstructions) {
  const Computed sweep({shipped_scenario("capture_envelope"), "--samples", "2000"});
  sweep.expect_same_by({"scalar", "sse2", "neon", "avx2", "avx512"});
  sweep.expect_same({"--threads", "2"});
  // Few abreast, so that cases end one after the other.
  const EnvironmentVariable instructions("BERTH_INSTRUCTIONS", "scalar");
  sweep.expect_same_when_killed_after(15);
}

// --- without a compiler --------------------------------------------------------------------------

TEST(SweepWithoutCompiler, WorksAndHasTheSameBytes) {
  const Computed sweep(kProbe);
  for (const char* none : {"/nonexistent", "/bin/false"}) {
    const EnvironmentVariable compiler("BERTH_CC", none);
    sweep.expect_same({"--compile", "--threads", "2"});
    sweep.expect_same({"--threads", "1"});
  }
  EXPECT_EQ(sweep.count_entries(), 0u);
}

TEST(SweepWithoutCompiler, SaysSoOnce) {
  const TemporaryFolder folder;
  const EnvironmentVariable compiler("BERTH_CC", "/nonexistent");
  const Ended end = run_berth(with({"sweep"}, kProbe), {.folder = folder.path()});
  EXPECT_EQ(end.code, 0);
  const std::string all = end.out + end.err, sentence = "BERTH_CC = /nonexistent is no program";
  const std::size_t at = all.find(sentence);
  ASSERT_NE(at, std::string::npos) << all;
  EXPECT_EQ(all.find(sentence, at + 1), std::string::npos) << all;
}

}  // namespace
}  // namespace berth::test::sweep_computing_test
