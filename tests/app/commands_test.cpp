// SPDX-License-Identifier: Apache-2.0

// `berth check`, `describe`, `new`, and what the program says to things it does not understand.

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/scenario/describe.h"
#include "berth/system/system.h"
#include "tests/support/process.h"
#include "tests/support/scenario_files.h"
#include "tests/support/text.h"

namespace berth::test::commands_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::Test;

// --- check ---------------------------------------------------------------------------------------

TEST(Check, AddsUpTheWholeCraft) {
  const Ended end = run_berth({"check", shipped_scenario("slew"), "--json"});
  ASSERT_EQ(end.code, 0) << end.err;
  const Json j = Json::parse(end.out);
  const Json& servicer = j["spacecraft"]["servicer"];
  EXPECT_NEAR(servicer["mass"], 750 + 4 * 10 + 2 * 25 + 60, 1e-9);
  // c.m. along x: hub 0.02 × 750, nothing else off the axis.
  EXPECT_NEAR(servicer["centre_of_mass"][0], 0.02 * 750 / 900, 1e-12);
  EXPECT_NEAR(servicer["centre_of_mass"][2], (-0.01 * 750 - 0.4 * 40 + 0.35 * 60) / 900, 1e-12);
  EXPECT_EQ(j["degrees_of_freedom"], 6 + 4 + 2 + 3);
  ASSERT_EQ(j["modes"].size(), 4u);
  for (const Json& m : j["modes"]) {
    EXPECT_GT(m["frequency"], 0.0);
    EXPECT_GT(m["damping"], 0.0);
  }
}

// Two bodies on a spring: clamped ω² = k/m, as mounted ω² = k (1/m + 1/M).
TEST(Check, FindsModesAsMountedNotAsClamped) {
  const TemporaryFolder folder;
  write_bytes(folder / "x.toml", R"(
[time]
stop = 1
[[spacecraft]]
name = "hub"
mass = 3
inertia = [1, 1, 1]
[[spacecraft.component]]
type = "slosh_mass"
name = "fuel"
axis = [1, 0, 0]
mass = 1
stiffness = 12
damping = 0.8
)");
  const Ended end = run_berth({"check", (folder / "x.toml").string(), "--json"});
  ASSERT_EQ(end.code, 0) << end.err;
  const Json j = Json::parse(end.out);
  ASSERT_EQ(j["modes"].size(), 1u);
  const double omega = std::sqrt(12 * (1 + 1.0 / 3));
  EXPECT_NEAR(j["modes"][0]["frequency"], omega / (2 * M_PI), 1e-9);
  EXPECT_NEAR(j["modes"][0]["damping"], 0.8 * (1 + 1.0 / 3) / (2 * omega), 1e-9);
  EXPECT_EQ(j["modes"][0]["joint"], "hub.fuel");
}

TEST(Check, WarnsOfAWheelBeyondItsLimit) {
  const Ended end = run_berth({"check", shipped_scenario("slew"), "--set",
                               "spacecraft.servicer.component.wheel1.speed_rpm=4000"});
  EXPECT_EQ(end.code, 0);
  EXPECT_TRUE(contains(end.out, "warning: servicer.wheel1 starts at or beyond its speed limit"))
      << end.out;
}

TEST(Check, RefusesBadInputWithTwo) {
  const Ended end =
      run_berth({"check", shipped_scenario("slew"), "--set", "spacecraft.servicer.mass=0"});
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.out, "");
  EXPECT_TRUE(contains(end.err, "--set  spacecraft.servicer.mass — 0 kg must be positive"));
}

// --- describe ------------------------------------------------------------------------------------

TEST(Describe, ListsEveryPart) {
  const Ended end = run_berth({"describe"});
  EXPECT_EQ(end.code, 0);
  const auto expect = [&]<class Part>() {
    EXPECT_TRUE(contains(end.out, std::string(Part::type))) << Part::type;
  };
  for_each_type(Components<double>{}, expect);
  for_each_type(Controls<double>{}, expect);
  for (const char* name : {"spring_damper", "external_load", "thruster_set", "time", "integrator",
                           "orbit", "gravity", "record", "spacecraft", "state", "port", "body",
                           "event", "action", "expect", "profile", "link", "thruster"})
    EXPECT_TRUE(contains(end.out, name)) << name;
}

// The page of a part names every input with its unit.
TEST(Describe, HasAPageForEveryPart) {
  const auto expect = [&]<class Part>() {
    const Ended end = run_berth({"describe", std::string(Part::type)});
    EXPECT_EQ(end.code, 0) << Part::type;
    Part part{};
    for_each_field(part, [&](const auto& field, const auto&) {
      EXPECT_TRUE(contains(end.out, std::string(field.name))) << Part::type << "." << field.name;
      EXPECT_TRUE(contains(end.out, std::string(field.meaning))) << Part::type << "." << field.name;
    });
    EXPECT_TRUE(contains(end.out, "Example:")) << Part::type;
  };
  for_each_type(Components<double>{}, expect);
  for_each_type(Controls<double>{}, expect);
  expect.operator()<SpringDamper<double>>();
  expect.operator()<ExternalLoad<double>>();
  expect.operator()<ThrusterSet<double>>();
}

TEST(Describe, HasAPageForEverythingItLists) {
  for (const std::string& name : describable()) {
    const auto page = describe_one(name);
    ASSERT_TRUE(page) << name;
    EXPECT_TRUE(page->starts_with(name + " — ")) << *page;
  }
  EXPECT_EQ(run_berth({"describe", "record.group"}).code, 0);
}

TEST(Describe, SuggestsWhatMayBeMeant) {
  const Ended end = run_berth({"describe", "hinged_pannel"});
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(contains(end.err, "did you mean hinged_panel?")) << end.err;
  EXPECT_EQ(run_berth({"describe", "zzzzzzzz"}).code, 2);
}

TEST(Describe, ListsTheChannelsOfAFile) {
  const Ended end = run_berth({"describe", "channels", shipped_scenario("slew")});
  EXPECT_EQ(end.code, 0);
  for (const char* name :
       {"servicer.omega_BN_B ", "servicer.rate ", "servicer.wheel1.torque ", "servicer.fuel.",
        "servicer.panel_left.angle ", "pointing.sigma_BR ", "orbit.r_OE_N ", "system.energy_lost "})
    EXPECT_TRUE(contains(end.out, name)) << name << end.out;
  // What is listed is what is recorded.
  const Ended run = run_berth({"run", shipped_scenario("slew"), "--no-out", "--json", "--at", "1"});
  const Json sample = Json::parse(run.out)["samples"][0];
  EXPECT_EQ(static_cast<std::size_t>(std::count(end.out.begin(), end.out.end(), '\n')),
            sample.size() - 1);
  for (const auto& item : sample.items()) {
    EXPECT_TRUE(item.key() == "t" || contains(end.out, item.key() + " ")) << item.key();
  }
}

TEST(Describe, ChannelsNeedAFile) {
  EXPECT_EQ(run_berth({"describe", "channels"}).code, 2);
  EXPECT_EQ(run_berth({"describe", "channels", "nobody.toml"}).code, 2);
}

// --- new -----------------------------------------------------------------------------------------

TEST(New, WritesAFileThatChecksAndRuns) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  for (const std::string& name : built_in_scenarios()) {
    const Ended end = run_berth({"new", "mine_" + name, "--from", name}, here);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_TRUE(contains(end.out, "berth run mine_" + name + ".toml")) << end.out;
    EXPECT_EQ(run_berth({"check", "mine_" + name + ".toml"}, here).code, 0) << name;
    EXPECT_EQ(read_bytes(folder / ("mine_" + name + ".toml")), read_bytes(shipped_scenario(name)));
  }
  EXPECT_EQ(run_berth({"new", "first"}, here).code, 0) << "without --from";
  EXPECT_EQ(run_berth({"run", "first.toml", "--quiet"}, here).code, 0);
  EXPECT_EQ(run_berth({"new", "second.toml"}, here).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "second.toml"));
}

TEST(New, StartsFromADockingAndListsTheOthers) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  EXPECT_EQ(run_berth({"new", "mine"}, here).code, 0);
  EXPECT_EQ(read_bytes(folder / "mine.toml"), read_bytes(shipped_scenario("docking")));
  const Ended list = run_berth({"new", "--list"}, here);
  EXPECT_EQ(list.code, 0);
  for (const std::string& name : shipped_scenarios())
    EXPECT_TRUE(contains("\n" + list.out, "\n" + name + " ")) << name;
  EXPECT_TRUE(contains(list.out, "Bouncing ball")) << list.out;
}

TEST(New, OffersEveryShippedScenario) { EXPECT_EQ(built_in_scenarios(), list_scenarios()); }

TEST(New, DoesNotOverwrite) {
  const TemporaryFolder folder;
  write_bytes(folder / "mine.toml", "precious");
  const Ended end = run_berth({"new", "mine"}, {.folder = folder.path()});
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(contains(end.err, "mine.toml")) << end.err;
  EXPECT_EQ(read_bytes(folder / "mine.toml"), "precious");
}

TEST(New, RefusesWhatItCannotDo) {
  const TemporaryFolder folder;
  const ProcessOptions here{.folder = folder.path()};
  const Ended name = run_berth({"new", "mine", "--from", "free_bdy"}, here);
  EXPECT_EQ(name.code, 2);
  EXPECT_TRUE(contains(name.err, "did you mean free_body?")) << name.err;
  EXPECT_EQ(run_berth({"new", ""}, here).code, 2);
  EXPECT_EQ(run_berth({"new"}, here).code, 2);
  EXPECT_EQ(run_berth({"new", "no/such/folder/x"}, here).code, 1);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{}));
}

// --- the program ---------------------------------------------------------------------------------

TEST(Program, ReportsItsVersionAndItsHelp) {
  const Ended version = run_berth({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("berth ")) << version.out;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"check", "--help"}}) {
    const Ended end = run_berth(words);
    EXPECT_EQ(end.code, 0);
    EXPECT_FALSE(end.out.empty());
  }
}

TEST(Program, RefusesArgumentsItDoesNotKnowWithTwo) {
  const Ended end = run_berth({"rnu", "x.toml"});
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(contains(end.err, "no command rnu; did you mean run?")) << end.err;
  EXPECT_EQ(run_berth({}).code, 2);
  EXPECT_EQ(run_berth({"run"}).code, 2);
  EXPECT_EQ(run_berth({"run", shipped_scenario("free_body"), "--fast"}).code, 2);
  EXPECT_EQ(run_berth({"run", shipped_scenario("free_body"), "other.toml"}).code, 2);
  EXPECT_EQ(run_berth({"run", shipped_scenario("free_body"), "--set"}).code, 2);
  EXPECT_EQ(run_berth({"run", shipped_scenario("free_body"), "--out"}).code, 2);
  EXPECT_EQ(run_berth({"--quiet"}).code, 2);
}

TEST(Program, SuggestsTheNearestFile) {
  const TemporaryFolder folder;
  write_bytes(folder / "docking.toml", "");
  const Ended end = run_berth({"run", "dcoking.toml"}, {.folder = folder.path()});
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(contains(end.err, "dcoking.toml  there is no such file; did you mean docking.toml?"))
      << end.err;
  const Ended bare = run_berth({"run", "docking"}, {.folder = folder.path()});
  EXPECT_EQ(bare.code, 2);
  EXPECT_TRUE(contains(bare.err, "did you mean docking.toml?")) << bare.err;
}

// --- help in other forms -------------------------------------------------------------------------

const std::vector<std::string> kCommands{"run",   "check",     "describe", "new", "compare",
                                         "sweep", "stability", "report",   "plot"};

TEST(Completion, OfBashIsAScriptThatCompletes) {
  const TemporaryFolder folder;
  const Ended script = run_berth({"completion", "bash"});
  ASSERT_EQ(script.code, 0) << script.err;
  write_bytes(folder / "berth.bash", script.out);
  write_bytes(folder / "a.toml", "");
  write_bytes(folder / "a.txt", "");
  const auto complete = [&](const std::string& words, int at) {
    const std::string file = (folder / "said").string();
    const std::string command =
        "cd '" + folder.path().string() + "' && bash -c 'source berth.bash; COMP_WORDS=(" + words +
        "); COMP_CWORD=" + std::to_string(at) + "; _berth; echo ${COMPREPLY[@]}' > said 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << words;
    return read_bytes(file);
  };
  EXPECT_EQ(complete("berth sw", 1), "sweep\n");
  EXPECT_EQ(complete("berth run --no-h", 2), "--no-html\n");
  EXPECT_EQ(complete("berth run a", 2), "a.toml\n");
}

TEST(Completion, KnowsEveryCommandInEveryShell) {
  for (const char* shell : {"bash", "zsh"}) {
    const Ended script = run_berth({"completion", shell});
    EXPECT_EQ(script.code, 0) << script.err;
    for (const std::string& command : kCommands)
      EXPECT_TRUE(contains(script.out, "    " + command + ")")) << shell << " " << command;
    EXPECT_TRUE(contains(script.out, "--no-html")) << shell;
  }
  EXPECT_EQ(run_berth({"completion", "fish"}).code, 2);
}

TEST(Man, SaysWhatHelpSays) {
  const Ended man = run_berth({"man"});
  ASSERT_EQ(man.code, 0) << man.err;
  EXPECT_TRUE(man.out.starts_with(".TH BERTH 1")) << man.out.substr(0, 100);
  for (const std::string& command : kCommands) {
    EXPECT_TRUE(contains(man.out, ".SS berth " + command)) << command;
    const Ended help = run_berth({command, "--help"});
    // Every long option, with the dashes of roff.
    for (std::size_t at = 0; (at = help.out.find("--", at)) != std::string::npos;) {
      std::size_t end = at + 2;
      while (end < help.out.size() &&
             (std::isalpha(static_cast<unsigned char>(help.out[end])) != 0 || help.out[end] == '-'))
        ++end;
      std::string word = help.out.substr(at, end - at);
      const bool is_option = at < 2 || help.out[at - 1] == ' ' || help.out[at - 1] == ',';
      at = end;
      if (!is_option || word.size() < 4) continue;
      for (std::size_t k = 0; (k = word.find('-', k)) != std::string::npos; k += 2)
        word.insert(k, "\\");
      EXPECT_TRUE(contains(man.out, word)) << command << ": " << word;
    }
  }
}

TEST(Out, HasAShortFormOnEveryCommandThatWrites) {
  for (const char* command : {"run", "sweep", "report", "plot"})
    EXPECT_TRUE(contains(run_berth({command, "--help"}).out, "-o,--out")) << command;
}

}  // namespace
}  // namespace berth::test::commands_test
