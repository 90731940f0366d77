// SPDX-License-Identifier: Apache-2.0

// A scenario of which only changed numbers are read is the one that is read as a whole.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <toml++/toml.h>

#include "berth/scenario/scenario.h"
#include "tests/support/shipped.h"

namespace berth::read_numbers_test {
namespace {

struct Source {
  std::string name;
  std::vector<std::string> numbers;  // paths to all of them
  ParsedScenario parsed;
};

void list_numbers(const toml::node& node, const std::string& path, std::vector<std::string>& to) {
  const auto inside = [&](std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  };
  if (node.is_number()) to.push_back(path);
  if (const toml::table* table = node.as_table())
    for (const auto& [key, value] : *table) list_numbers(value, inside(key.str()), to);
  if (const toml::array* list = node.as_array())
    for (std::size_t i = 0; i < list->size(); ++i) {
      const toml::node& member = (*list)[i];
      const toml::table* table = member.as_table();
      const auto name = table ? (*table)["name"].value<std::string>() : std::nullopt;
      const bool is_component = member.is_number() && list->size() == 3;
      list_numbers(member,
                   inside(name           ? *name
                          : is_component ? std::string(1, "xyz"[i])
                                         : std::to_string(i + 1)),
                   to);
    }
}

Source parse_shipped(const std::string& name) {
  Problems problems;
  const std::filesystem::path file = test::shipped_file(name);
  const std::optional<std::string> text = read_scenario_file(file, problems);
  const std::string whole = expand_scenario(*text, name, {}, file.parent_path(), problems);
  EXPECT_TRUE(problems.empty());
  Source out{name, {}, ParsedScenario(whole, name)};
  list_numbers(toml::parse(whole), "", out.numbers);
  return out;
}

const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    std::vector<Source> list;
    for (const char* name : {"capture_envelope", "docking", "berthing", "hil_compensated", "jitter",
                             "tug_debris", "andrews", "own_controller"})
      list.push_back(parse_shipped(name));
    return list;
  }();
  return all;
}

RC_GTEST_PROP(ReadNumbers, IsTheScenarioReadAsAWhole, ()) {
  const Source& source = sources()[*rc::gen::inRange<std::size_t>(0, sources().size())];
  std::vector<std::string> settings;
  const int count = *rc::gen::inRange(1, 5);
  for (int i = 0; i < count; ++i) {
    std::string path = *rc::gen::elementOf(source.numbers);
    // Now and then in another unit, which may be none of the input's.
    path += *rc::gen::weightedElement<std::string>({{20, ""}, {1, "_deg"}, {1, "_mm"}});
    const std::string odd = *rc::gen::element<std::string>(
        "05", "+3", "1_000", "0x10", "1e400", "1e-400", "nan", "inf", ".5", "5.", "true", "word",
        "[1, 2, 3]", "9223372036854775808", "-0", "1e3", "2E-2", " 4", "4 ", "");
    const double number = *rc::gen::arbitrary<double>();
    const int whole = *rc::gen::arbitrary<int>();
    settings.push_back(
        path + "=" +
        *rc::gen::weightedElement<std::string>(
            {{8, fmt::format("{}", number)}, {8, fmt::format("{}", whole)}, {3, odd}}));
  }
  const ReadScenario full = source.parsed.read(settings);
  const std::optional<ReadScenario> quick = source.parsed.read_numbers(settings);
  RC_CLASSIFY(quick.has_value(), "numbers alone");
  RC_CLASSIFY(!full.problems.empty(), "refused");
  if (!quick) return;
  RC_ASSERT(full.problems.empty());
  RC_ASSERT(quick->problems.file == full.problems.file);
  RC_ASSERT(write_scenario(quick->scenario) == write_scenario(full.scenario));
}

TEST(ReadNumbers, TakesWhatSweepsVary) {
  const auto takes = [](const std::string& scenario, const std::vector<std::string>& settings) {
    return parse_shipped(scenario).parsed.read_numbers(settings).has_value();
  };
  EXPECT_TRUE(takes("capture_envelope", {}));
  EXPECT_TRUE(
      takes("capture_envelope",
            {"spacecraft.chaser.state.position.y=0.1", "spacecraft.chaser.state.position.z=-3e-2",
             "contact.tip.half_angle_deg=25", "contact.tip.friction=0.2",
             "contact.tip.law.stiffness=4000", "time.stop=20"}));
  // An input in another unit takes the place of a key of another name.
  EXPECT_FALSE(takes("capture_envelope", {"contact.tip.half_angle=0.5"}));
  EXPECT_FALSE(takes("capture_envelope", {"contact.tip.surface=\"cone\""}));
  EXPECT_FALSE(takes("capture_envelope", {"spacecraft.chaser.mass=-1"}));
  EXPECT_FALSE(takes("capture_envelope", {"spacecraft.nobody.mass=1"}));
}

TEST(ReadNumbers, SettingsOfOneListAddUp) {
  const Source source = parse_shipped("capture_envelope");
  const auto read = source.parsed.read_numbers(
      {"spacecraft.chaser.state.position.y=0.1", "spacecraft.chaser.state.position.z=0.2"});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->scenario.spacecraft[1].state->position, (Vec3<double>{0.45, 0.1, 0.2}));
}

}  // namespace
}  // namespace berth::read_numbers_test
