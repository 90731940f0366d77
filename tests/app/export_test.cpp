// SPDX-License-Identifier: Apache-2.0

// `berth export c` as a user runs it: what it writes compiles without a warning and repeats the run.

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/compile/program.h"
#include "tests/compile/compiled.h"
#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::export_test {
namespace {

Ended run_other(const std::string& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder) {
  ProcessOptions options;
  options.program = program.c_str();
  options.folder = folder;
  options.patience = 600;
  return run_berth(arguments, options);
}

// Strict, with a bound on every frame; what it says, if anything.
std::string compile_plant(const std::filesystem::path& folder, const char* level = "-O2") {
  std::vector<std::string> arguments{"-std=c99",  "-Wall",
                                     "-Wextra",   "-Werror",
                                     "-pedantic", "-Wframe-larger-than=65536",
                                     level,       "-ffp-contract=off",
                                     "-o",        "repeat"};
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".c") arguments.push_back(entry.path().filename().string());
  arguments.push_back("-lm");
  const Ended ended = run_other(system_compiler().program, arguments, folder);
  return ended.code == 0 ? ended.err : fmt::format("exit code {}: {}", ended.code, ended.err);
}

// The plant of a scenario in a folder, compiled; what its main.c says.
std::string repeat(const std::vector<std::string>& arguments, const TemporaryFolder& folder) {
  std::vector<std::string> all{"export", "c"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"-o", folder.path().string()});
  ProcessOptions patient;
  patient.patience = 600;
  const Ended exported = run_berth(all, patient);
  EXPECT_EQ(exported.code, 0) << exported.err;
  EXPECT_NE(exported.out.find("_derivative"), std::string::npos) << exported.out;
  EXPECT_EQ(compile_plant(folder.path()), "");
  const Ended repeated = run_other((folder / "repeat").string(), {}, folder.path());
  EXPECT_EQ(repeated.code, 0) << repeated.out;
  return repeated.out;
}

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

constexpr const char* kSame = "the states of the run, bit for bit";

TEST(ExportProgram, RepeatsTheDockedPhaseBitForBit) {
  const TemporaryFolder folder;
  const std::string said = repeat(
      {shipped_scenario("docking"), "--step", "0.05", "--phase", "8", "--set", "time.stop=420"},
      folder);
  EXPECT_EQ(count(said, kSame), 1) << said;
  EXPECT_NE(said.find("phase 8: 1516 steps until 420 s"), std::string::npos) << said;
}

TEST(ExportProgram, RepeatsAClosedChainBitForBit) {
  const TemporaryFolder folder;
  const std::string said = repeat(
      {shipped_scenario("servicer_despin"), "--step", "0.02", "--set", "time.stop=20"}, folder);
  EXPECT_EQ(count(said, kSame), 1) << said;
  EXPECT_NE(said.find("phase 1: 1000 steps until 20 s"), std::string::npos) << said;
  // Nothing that a call could leave behind for the next.
  run_other(system_compiler().program,
            {"-std=c99", "-c", "berth_servicer_despin_phase1.c", "-o", "phase.o"}, folder.path());
  const Ended symbols = run_other(find_program({"nm"}), {"phase.o"}, folder.path());
  ASSERT_EQ(symbols.code, 0) << symbols.err;
  for (const char* kind : {" d ", " D ", " b ", " B ", " C "})
    EXPECT_EQ(count(symbols.out, kind), 0) << kind << symbols.out;
  EXPECT_EQ(count(symbols.out, "malloc"), 0);
  EXPECT_GT(count(symbols.out, " T "), 5);
}

TEST(ExportProgram, RepeatsAContactWhoseForceComesBackLate) {
  const TemporaryFolder folder;
  const std::string said =
      repeat({shipped_scenario("hil_contact"), "--step", "0.002", "--set", "time.stop=6"}, folder);
  EXPECT_EQ(count(said, kSame), 4) << said;
  EXPECT_EQ(count(said, " but "), 0) << said;
  const std::string header = read_bytes(folder / "berth_hil_contact.h");
  EXPECT_NE(header.find("/* probe.arriving.normal_N.x [N] */"), std::string::npos);
  EXPECT_NE(header.find("/* chaser.omega_BN_B.z [rad/s] */"), std::string::npos);

  // And says so where it does not.
  std::string other = read_bytes(folder / "main.c");
  const std::string step = "ceil(left / STEP";
  ASSERT_NE(other.find(step), std::string::npos);
  other.replace(other.find(step), step.size(), "ceil(left / 2 / STEP");
  write_bytes(folder / "main.c", other);
  ASSERT_EQ(compile_plant(folder.path()), "");
  const Ended repeated = run_other((folder / "repeat").string(), {}, folder.path());
  EXPECT_EQ(repeated.code, 1);
  EXPECT_GT(count(repeated.out, " but "), 0);
}

TEST(ExportProgram, SaysWhatCannotBeExported) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& wanted) {
    std::vector<std::string> all{"export"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"-o", (folder / "plant").string()});
    const Ended ended = run_berth(all);
    EXPECT_EQ(ended.code, 2) << wanted;
    EXPECT_NE(ended.err.find(wanted), std::string::npos) << ended.err;
  };
  expect({"c", shipped_scenario("own_controller")}, "somebody else takes part");
  expect({"fortran", shipped_scenario("docking")}, "fortran");
  expect({"c", shipped_scenario("hil_contact"), "--phase", "9", "--set", "time.stop=1"},
         "--phase 9: there is none, the last one is 1");
  EXPECT_FALSE(std::filesystem::exists(folder / "plant"));
}

TEST(ExportProgramSoak, RepeatsEveryShippedScenario) {
  int repeated = 0;
  for (const std::string& name : shipped_scenarios()) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    ProcessOptions patient;
    patient.patience = 600;
    const Ended exported = run_berth(
        {"export", "c", shipped_scenario(name), "-o", folder.path().string(), "--step", "0.02"},
        patient);
    ASSERT_GE(exported.code, 0) << exported.err;
    if (exported.code == 2) continue;
    EXPECT_EQ(compile_plant(folder.path(), "-O0"), "");
    const Ended said = run_other((folder / "repeat").string(), {}, folder.path());
    EXPECT_EQ(said.code, 0) << said.out;
    repeated += count(said.out, kSame) > 0;
  }
  EXPECT_GE(repeated, 30);
}

// All phases and transitions of a docking: a minute of compiling.
TEST(ExportProgramSoak, RepeatsEveryPhaseOfADocking) {
  const TemporaryFolder folder;
  const std::string said = repeat({shipped_scenario("docking"), "--step", "0.05"}, folder);
  EXPECT_EQ(count(said, kSame), 16 + 3) << said;
}
TEST(ExportProgramSoak, RepeatsAFusedDocking) {
  const TemporaryFolder folder;
  const std::string said = repeat({shipped_scenario("docking"), "--step", "0.05", "--set",
                                   "dock.joint.enforce=fused", "--set", "time.stop=700"},
                                  folder);
  EXPECT_GE(count(said, kSame), 8) << said;
  EXPECT_NE(said.find("transition 2"), std::string::npos) << said;
}

}  // namespace
}  // namespace berth::test::export_test
