// SPDX-License-Identifier: Apache-2.0

// Files that are wrong as a whole, with many mistakes, or in what they take from others.

#include "tests/scenario/bad_input.h"
#include "tests/support/process.h"

namespace berth::bad_file_test {
namespace {

using namespace test;

TEST(BadFile, HasAllItsProblemsReportedAtOnce) {
  // Two found while reading, three only by building; none hides another.
  std::string text = kBase;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("inertia = [3, 4, 5]", "inertia = [1, 1, 5]");
  replace("stiffness = 3", "stifness = 3");
  replace("method = \"dop853\"", "method = \"euler\"");
  replace("body_2 = \"ball\"", "body_2 = \"bal\"");
  replace("joints = [\"arm.link1\"]", "joints = [\"arm.link7\"]");
  const std::vector<Problem> problems = find_problems(text);
  const std::string reported = all_of(problems);
  EXPECT_EQ(problems.size(), 5u) << reported;
  for (const char* part : {"base.toml:17:11  spacecraft.craft.inertia", "stifness — no such input",
                           "base.toml:5:10  integrator.method", "did you mean ball?", "arm.link7"})
    EXPECT_NE(reported.find(part), std::string::npos) << part << "\n" << reported;
}

// Ten mistakes of different kinds, in tables and parts: none hides another, each has its line.
TEST(BadFile, WithTenMistakesHasAllTenReported) {
  struct Slip {
    const char *from, *to, *path, *words;
  };
  const Slip slips[] = {
      {"tolerance = 1e-9", "tolerance = 1", "integrator.tolerance", "1 is not between"},
      {"inertia_spin = 0.02\ninertia_transverse = 0.015\nspeed_rpm",
       "inertia_spin = 2\ninertia_transverse = 0.015\nspeed_rpm",
       "spacecraft.craft.component.wheel1.inertia_spin", "exceeds twice inertia_transverse"},
      {"outward = [1, 0, 0]", "outward = [0, 1, 0]", "spacecraft.craft.component.panel.outward",
       "must not be parallel"},
      {"stiffness = 3", "stiffness_mm = 3", "spacecraft.craft.component.panel.stiffness_mm",
       "stiffness is in N·m/rad, or with _Nm_rad"},
      {"body_2 = \"ball\"", "body_2 = \"bal\"", "force.tether.body_2", "did you mean ball?"},
      {"schedule = [[1, 2], [3, 4]]", "schedule = [[2, 1]]", "force.push.schedule",
       "[2, 1] ends before it begins"},
      {"sample_time = 0.5", "sample_time = 0.5\nminimum_on_time = 1", "force.jets.minimum_on_time",
       "longer than sample_time"},
      {"angle = { type = \"quintic\"", "angle = { type = \"cubic\"", "control.pointing.angle.type",
       "\"cubic\" is not one of constant"},
      {"control = \"drive\", enable = false", "control = \"drive\"", "event.begin.do.1.control",
       "needs enable"},
      {"system.energy_lost > 0", "system.energy_lst > 0", "event.calm.when",
       "no channel named system.energy_lst"},
  };
  std::string text = kBase;
  for (const Slip& s : slips) {
    const std::size_t at = text.find(s.from);
    ASSERT_NE(at, std::string::npos) << s.from;
    text.replace(at, std::string(s.from).size(), s.to);
  }
  // Only what names no craft is known of channels, since something is wrong with the craft.
  const std::string whole = "craft.rate < 0.01 and system";
  text.replace(text.find(whole), whole.size(), "system");
  const std::vector<Problem> problems = find_problems(text);
  const std::string reported = all_of(problems);
  EXPECT_EQ(problems.size(), std::size(slips)) << reported;
  for (const Slip& s : slips) {
    const auto p = std::find_if(problems.begin(), problems.end(),
                                [&](const Problem& x) { return x.path == s.path; });
    ASSERT_NE(p, problems.end()) << s.path << "\n" << reported;
    EXPECT_NE(p->message.find(s.words), std::string::npos) << reported;
    const std::size_t at = text.find(s.to);
    const auto first = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    const auto lines = std::count(s.to, s.to + std::string(s.to).size(), '\n');
    EXPECT_GE(p->place.line, first) << reported;
    EXPECT_LE(p->place.line, first + lines) << reported;
  }
}

TEST(BadFile, DoesNotComplainOfWhatFollowsFromAMistake) {
  // The craft's inertia cannot be read; that a hub needs one is no news.
  std::string text = kBase;
  const std::string from = "inertia = [3, 4, 5]";
  text.replace(text.find(from), from.size(), "inertia = \"round\"");
  EXPECT_EQ(find_problems(text).size(), 1u);
}

TEST(BadFile, EmptyLacksTimeAndACraft) {
  const std::string reported = all_of(find_problems(""));
  EXPECT_NE(reported.find("time — is missing: how long"), std::string::npos) << reported;
  EXPECT_NE(reported.find("nothing to simulate"), std::string::npos) << reported;
}

TEST(BadFile, NestedWithoutEndIsRefused) {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  std::string brackets(100000, '[');
  for (const std::string& text : {key + " = 1\n", "[" + key + "]\n", "a = " + brackets})
    EXPECT_EQ(find_problems(text).size(), 1u);
}

TEST(BadFile, LineEndsOfWindowsAndAByteOrderMarkAreNoMistake) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : kBase) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(all_of(find_problems(text)), "");
  const std::string from = "mass = 10";
  text.replace(text.find(from), from.size(), "mass = -1");
  const std::vector<Problem> problems = find_problems(text);
  ASSERT_EQ(problems.size(), 1u) << all_of(problems);
  EXPECT_EQ(problems[0].place.line, 16);
  EXPECT_EQ(problems[0].place.column, 8);
}

TEST(BadFile, ManyNumbersOnALineAreNotDeep) {
  std::string list = "0.5";
  for (int i = 1; i < 1000; ++i) list += ", " + std::to_string(i) + ".5";
  std::string text = kBase + "# " + std::string(500, '.') + "\n";
  const std::string from = "{ type = \"constant\", value = 0.1 }";
  text.replace(text.find(from), from.size(),
               "{ type = \"table\", times = [" + list + "], values = [" + list + "] }");
  EXPECT_EQ(all_of(find_problems(text)), "");
}

// --- from = "file.toml" --------------------------------------------------------------------------

class BadSource : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    test::write_bytes(folder_ / name, text);
  }
  std::vector<Problem> find(const std::string& text) { return find_problems(text, folder_.path()); }

  const std::string craft_ = "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\nfrom = ";
  test::TemporaryFolder folder_;
};

TEST_F(BadSource, MissingFileIsReported) {
  const std::vector<Problem> problems = find(craft_ + "\"nobody.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("\"nobody.toml\" there is no such file"), std::string::npos);
  EXPECT_EQ(problems[0].place.line, 5);
  EXPECT_EQ(problems[0].place.column, 8);
}

TEST_F(BadSource, FileThatIncludesItselfIsReported) {
  write("self.toml", "from = \"self.toml\"\nmass = 1\n");
  const std::vector<Problem> problems = find(craft_ + "\"self.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("\"self.toml\" includes itself"), std::string::npos);
}

TEST_F(BadSource, MistakeInsideIsReportedWithItsFileAndPlace) {
  write("other.toml", "mass = 3\ninertia = [1, 1, 1]\ncentre_of_mass = [1, 2]\n");
  const std::vector<Problem> problems = find(craft_ + "\"other.toml\"\n");
  ASSERT_EQ(problems.size(), 1u) << all_of(problems);
  EXPECT_EQ(problems[0].file, (folder_ / "other.toml").string());
  EXPECT_EQ(problems[0].place.line, 3);
  EXPECT_EQ(problems[0].place.column, 18);
}

TEST_F(BadSource, SyntaxErrorInsideIsReported) {
  write("other.toml", "mass = \n");
  const std::vector<Problem> problems = find(craft_ + "\"other.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("\"other.toml\""), std::string::npos) << all_of(problems);
}

TEST_F(BadSource, FileWithTwoCraftIsReported) {
  write("two.toml", "[[spacecraft]]\nname = \"a\"\n[[spacecraft]]\nname = \"b\"\n");
  const std::vector<Problem> problems = find(craft_ + "\"two.toml\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("must hold exactly one spacecraft"), std::string::npos);
}

TEST_F(BadSource, FolderIsReported) {
  const std::vector<Problem> problems = find(craft_ + "\".\"\n");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("is a folder"), std::string::npos) << all_of(problems);
}

}  // namespace
}  // namespace berth::bad_file_test
