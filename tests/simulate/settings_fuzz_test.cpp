// SPDX-License-Identifier: Apache-2.0

// Settings of any kind, before a run and between its steps: each is taken, or refused with a sentence. A
// case is made from its number alone.

#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <typeinfo>

#include <gtest/gtest.h>

#include "berth/simulation.h"
#include "tests/support/random.h"
#include "tests/support/shipped.h"

namespace berth::test::settings_fuzz_test {
namespace {

// Where settings act: the keys of a scenario that is written out, lists by the names of their members.
std::vector<std::string> list_paths(const std::string& toml) {
  std::map<std::string, std::string> member;  // of each list, the one that is being written
  std::map<std::string, int> members;
  std::vector<std::string> paths, keys;
  std::string table;
  const auto finish_table = [&] {
    std::string walked, path;
    std::istringstream segments(table);
    for (std::string segment; std::getline(segments, segment, '.');) {
      walked += (walked.empty() ? "" : ".") + segment;
      path += segment + ".";
      if (member.contains(walked)) path += member[walked] + ".";
    }
    for (const std::string& key : keys) paths.push_back(path + key);
    keys.clear();
  };
  std::istringstream lines(toml);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    const std::size_t equals = line.find(" = ");
    if (line.starts_with('[')) {
      finish_table();
      const std::size_t brackets = line.find_first_not_of('[');
      table = line.substr(brackets, line.find(']') - brackets);
      if (brackets == 1) continue;
      std::erase_if(members, [&](const auto& m) { return m.first.starts_with(table + "."); });
      member[table] = std::to_string(++members[table]);
    } else if (equals != std::string::npos) {
      keys.push_back(line.substr(0, equals));
      if (keys.back() == "name" && member.contains(table))
        member[table] = line.substr(equals + 4, line.size() - equals - 5);
    }
  }
  finish_table();
  return paths;
}

class Case {
 public:
  Case(unsigned number, const std::vector<std::string>& paths) : random_(number), paths_(paths) {}

  int below(int n) { return random_.integer(0, n - 1); }

  std::string path() {
    std::string path = pick(paths_);
    if (below(5) == 0)
      path.insert(static_cast<std::size_t>(below(static_cast<int>(path.size()) + 1)), pick(kStray));
    if (below(20) == 0) path = path.substr(0, path.rfind('.'));  // a whole table
    if (below(50) == 0) path = repeat("a.", 1 + below(2000)) + path;
    return path;
  }

  double number() { return below(2) == 0 ? pick(kNumbers) : random_.number(-1e3, 1e3); }

  std::string value(int depth = 0) {
    switch (below(depth < 4 ? 9 : 6)) {
      case 0: return pick(kTexts);
      case 1: return fmt::format("{}", number());
      case 2: return std::to_string(random_.integer(-5, 5));
      case 3: return below(2) == 0 ? "true" : "false";
      case 4: {
        std::string text(static_cast<std::size_t>(below(13)), ' ');
        for (char& c : text) c = pick(kLetters);
        return text;
      }
      case 5: return '"' + pick(paths_) + '"';
      case 6: return fmt::format("{{ {} = {} }}", pick(kStray), value(depth + 1));
      case 7: return fmt::format("{{ type = {}, a = {} }}", value(depth + 1), value(depth + 1));
      default: {
        std::string list;
        for (int k = below(5); k > 0; --k) list += (list.empty() ? "" : ", ") + value(depth + 1);
        return '[' + list + ']';
      }
    }
  }

  void set(Simulation& s) {
    const std::string key = path();
    if (below(4) == 0) {
      s.set(key, number());
    } else {
      s.set(key, value());
    }
  }

 private:
  static std::string repeat(const std::string& text, int times) {
    std::string all;
    for (int k = 0; k < times; ++k) all += text;
    return all;
  }
  template <class List>
  const typename List::value_type& pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  static inline const std::vector<double> kNumbers = {
      NAN,   INFINITY, -INFINITY, 0.0,  -0.0,    1e308,        -1e308, 5e-324,
      1e-30, 1,        -1,        1e30, 1 << 30, 4294967297.0, 9.3e18, -9.3e18};
  static inline const std::vector<std::string> kStray = {
      "", ".", "x", "=", "\n", "9", "ä", "\"", "[", "#", "/", "\x01", "\xff\xfe\xfd", "..", " "};
  static inline const std::vector<std::string> kTexts = {
      "",
      "nan",
      "-inf",
      "1e400",
      "99999999999999999999",
      "0x7fffffffffffffff",
      "1979-05-27T07:32:00Z",
      "fused",
      "ground",
      "servicer.probe",
      "10 deg",
      "[1,2",
      "{a=1}",
      "{}",
      "[]",
      "[[]]",
      "[{}, {}]",
      "1\nother = 2",
      "'''",
      "\"\\ud800\"",
      "\"\\u0000\"",
      std::string("a\0b", 3),
      "\xff\xfe",
      "/proc/self/mem",
      "..",
      "file:///",
      std::string(100000, 'a'),
      std::string(100000, '['),
      repeat("[", 120) + repeat("]", 120),
      repeat("{a=", 120) + "1" + repeat("}", 120),
      "{" + repeat("a.", 3000) + "a = 1}",
      "[" + repeat("1e9, ", 20000) + "1]",
  };
  static constexpr std::string_view kLetters = "ab[]{}=\"'.,\n# 01";

  Random random_;
  const std::vector<std::string>& paths_;
};

// A sentence, and not one of the standard library's.
void expect_words(const std::exception& e) {
  const std::string what = e.what();
  const bool is_meant =
      dynamic_cast<const std::runtime_error*>(&e) || typeid(e) == typeid(std::logic_error) ||
      typeid(e) == typeid(std::invalid_argument) || typeid(e) == typeid(std::out_of_range);
  EXPECT_TRUE(is_meant) << typeid(e).name() << " " << what;
  EXPECT_FALSE(what.empty());
  for (const char* part : {"_M_", "::at", "std::", "basic_string", "stod", "bad_"})
    EXPECT_EQ(what.find(part), std::string::npos) << what;
}

struct Counts {
  int refused = 0, ran = 0, refused_later = 0, changed = 0;
};

// Up to two settings before the run, four between its steps, each refused or not.
void fuzz(const std::string& file, unsigned first, unsigned cases, Counts& counts) {
  const std::string text = Simulation::load(file).scenario();
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  const std::vector<std::string> paths = list_paths(text);
  for (unsigned number = first; number < first + cases; ++number) {
    SCOPED_TRACE(fmt::format("{}, case {}", file, number));
    Case c(number, paths);
    const auto is_taken = [](auto&& f) {
      try {
        f();
        return true;
      } catch (const std::exception& e) {
        expect_words(e);
        return false;
      }
    };
    Simulation s = Simulation::from_text(text, "case.toml", folder);
    int steps = 0;
    const bool runs = is_taken([&] {
      for (int k = c.below(3); k > 0; --k) c.set(s);
      s.set("integrator.max_wall_time", 0.2).check();
      s.watch([&](double) { return ++steps < 10; });
      s.run_until(1e-3);
    });
    ++(runs ? counts.ran : counts.refused);
    for (int k = 0; runs && k < 4; ++k)
      ++(is_taken([&] { c.set(s); }) ? counts.changed : counts.refused_later);
    if (runs) is_taken([&] { s.run(); });
  }
}

TEST(SettingsFuzz, KnowsThePathsOfAScenario) {
  const std::vector<std::string> all =
      list_paths(Simulation::load(shipped_file("docking")).scenario());
  const std::set<std::string> paths(all.begin(), all.end());
  for (const char* path :
       {"time.stop", "spacecraft.servicer.mass", "spacecraft.servicer.component.fuel.length",
        "spacecraft.target.state.attitude", "contact.tip.law.stiffness", "control.approach.K"})
    EXPECT_TRUE(paths.contains(path)) << path << "\n" << fmt::format("{}", fmt::join(all, "\n"));
}

TEST(SettingsFuzz, WhatIsSetIsTakenOrRefusedInWords) {
  Counts counts;
  fuzz(shipped_file("bouncing_ball"), 1, 300, counts);
  fuzz(shipped_file("docking"), 1001, 30, counts);
  fmt::print("{} refused, {} run; between steps {} refused, {} changed\n", counts.refused,
             counts.ran, counts.refused_later, counts.changed);
  EXPECT_GT(counts.refused, 100);
  EXPECT_GT(counts.ran, 100);
  EXPECT_GT(counts.refused_later, 100);
  EXPECT_GT(counts.changed, 10);
}

}  // namespace
}  // namespace berth::test::settings_fuzz_test
