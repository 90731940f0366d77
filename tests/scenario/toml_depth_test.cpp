// SPDX-License-Identifier: Apache-2.0

// How deep a text nests, against texts whose depth is known because they were made that deep.

#include "berth/scenario/read/toml_depth.h"

#include <algorithm>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

namespace berth::toml_depth_test {
namespace {

std::string repeat(std::string_view what, int times, std::string_view between = "") {
  std::string all;
  for (int i = 0; i < times; ++i) all += std::string(i ? between : "") + std::string(what);
  return all;
}

bool is_too_deep(const std::string& text) { return find_too_deep(text).has_value(); }

// Each way to nest, as deep as is asked.
struct Way {
  const char* name;
  std::string (*make)(int depth);
};

const Way kWays[] = {
    {"dots of a key", [](int n) { return repeat("a", n, ".") + " = 1\n"; }},
    {"quoted words",
     [](int n) { return repeat("\"a.b\"", n - 1, " . ") + " . 'c[.d' = 1.5 # e.f.g\n"; }},
    {"a header", [](int n) { return "[" + repeat("a", n, ".") + "]\n"; }},
    {"keys below a header",
     [](int n) {
       return "[" + repeat("a", 20, ".") + "]\n" + repeat("b", n - 20, ".") + " = 1\n";
     }},
    {"a list of tables", [](int n) { return "[[ " + repeat("a", n - 1, ".") + " ]]\n"; }},
    {"lists",
     [](int n) { return "a = " + repeat("[\n", n - 1) + "1.5" + repeat("]", n - 1) + "\n"; }},
    {"tables in tables",
     [](int n) {
       return "a = " + repeat("{ b = ", (n - 2) / 2) + (n % 2 ? "[{}]" : "{}") +
              repeat("}", (n - 2) / 2) + "\n";
     }},
    {"dots in tables in lists",
     [](int n) { return "a.b = [1, {c = 3}, { " + repeat("d", n - 4, ".") + " = 2.5 }]\n"; }},
};

TEST(TomlDepth, IsFoundFromBothSidesOfTheLimit) {
  for (const Way& way : kWays) {
    const std::string deepest = way.make(kDeepestToml), deeper = way.make(kDeepestToml + 1);
    EXPECT_NO_THROW(toml::parse(deepest)) << way.name;
    EXPECT_FALSE(is_too_deep(deepest)) << way.name << "\n" << deepest;
    EXPECT_TRUE(is_too_deep(deeper)) << way.name << "\n" << deeper;
    EXPECT_TRUE(is_too_deep(way.make(100000))) << way.name;
  }
}

TEST(TomlDepth, IsNotOfDotsAndBracketsInTextsNumbersAndComments) {
  const std::string marks = repeat("a.[{", 200);
  for (const std::string& text : {
           "a = \"" + marks + "\"\n",
           "a = '" + marks + "'\n",
           "a = \"\"\"\n" + marks + "\\\"\"\" still \"\"\"\"\"\n",
           "a = '''\n" + marks + "'' still '''''\n",
           "# " + marks + "\n",
           "a = [ # " + marks + "\n 1 ]\n",
           "a = [" + repeat("1.5", 1000, ", ") + "]\n",
           "a = [" + repeat("\"body.rate\"", 1000, ", ") + "]\n",
           "a = [" + repeat("{ b.c = [1.5, 2.5] }", 1000, ", ") + "]\n",
           repeat("[[a.b]]\nc.d = 1979-05-27T07:32:00.999\n", 1000),
       }) {
    EXPECT_NO_THROW(toml::parse(text)) << text.substr(0, 40);
    EXPECT_FALSE(is_too_deep(text)) << text.substr(0, 40);
  }
}

TEST(TomlDepth, CannotBeHiddenBehindTexts) {
  const std::string deep = "\n" + repeat("a", 100000, ".") + " = 1\n";
  for (const char* before :
       {"b = \"\\\"\"", "b = '\\'", "b = \"\"", "b = ''", "b = \"\"\"\"\"\"",
        "b = \"\"\"x\"\"\"\"\"", "b = '''x'''''", "b = '''\\'''", "b = \"\"\"\\\\\"\"\"",
        "b = ['#', \"#\"] # '\"[{", "b = \"#\"", "['b\"']", "[\"b'\"]", "\"'\" = 1", "'\"' = 1"}) {
    EXPECT_NO_THROW(toml::parse(before)) << before;
    EXPECT_TRUE(is_too_deep(before + deep)) << before;
  }
}

TEST(TomlDepth, HasAPlace) {
  const std::string text = "a = 1\nb = 2\n  c." + repeat("d", 64, ".") + " = 1\n";
  const std::optional<TomlPlace> place = find_too_deep(text);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, 3);
  EXPECT_EQ(place->column, 3 + 2 * 64);
}

// The depth of what toml++ has read, where a word of a key or a bracket is a level. Only for texts whose
// tables are all written with one word a level.
int depth_of(const toml::node& node) {
  int deepest = 0;
  if (const toml::table* table = node.as_table())
    for (auto&& [key, value] : *table) deepest = std::max(deepest, 1 + depth_of(value));
  if (const toml::array* list = node.as_array()) {
    deepest = 1;
    for (const toml::node& member : *list) deepest = std::max(deepest, 1 + depth_of(member));
  }
  return deepest;
}

// Random keys, headers and lists around the limit, with texts and comments between them.
TEST(TomlDepth, IsThatOfTheTablesThatAreRead) {
  std::mt19937_64 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int deep = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (int line = 0; line < 6; ++line) {
      const auto words = [&](const char* name, int n) {
        std::string key = fmt::format("{}{}", name, line);
        for (int i = 1; i < n; ++i) key += below(4) ? ".a" : " . \"b.'c\"";
        return key;
      };
      const auto value = [&](int lists) {
        const char* inside[] = {"1.5", "\"a.b.c\"", "'[[{'", "\"\"\"x\\\"\n[{\"\"\"", "-1.5e3"};
        return repeat("[", lists) + inside[below(5)] + repeat("]", lists);
      };
      if (!below(4)) text += "[" + words("table", 1 + below(30)) + "]\n";
      text +=
          words("key", 1 + below(40)) + " = " + value(below(20)) + (below(3) ? "\n" : " # a.b['\n");
    }
    toml::table read;
    ASSERT_NO_THROW(read = toml::parse(text)) << text;
    const int depth = depth_of(read);
    deep += depth > kDeepestToml;
    ASSERT_EQ(is_too_deep(text), depth > kDeepestToml) << depth << "\n" << text;
  }
  EXPECT_GT(deep, 100);
  EXPECT_LT(deep, 1900);
}

}  // namespace
}  // namespace berth::toml_depth_test
