// SPDX-License-Identifier: Apache-2.0

// Started without standard input, output or error, the program has no other file in their place; and what it
// says there cannot command a terminal.

#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::standard_streams_test {
namespace {

using Strings = std::vector<std::string>;

// Every choice of the three but none.
const std::vector<std::vector<int>> kClosed{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};

std::string name_of(const std::vector<int>& streams) {
  std::string out;
  for (const int s : streams) out += std::to_string(s);
  return out;
}

// Waits until the process has a file open besides the standard streams and those it came with.
void wait_for_file(const TemporaryFolder& folder, Process& process) {
  for (int i = 0; i < 20000 && process.is_running() && folder.files().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void expect_nothing_open(const Process& process, const std::vector<int>& streams) {
  for (const int s : streams) {
    const std::string link = "/proc/" + std::to_string(process.id()) + "/fd/" + std::to_string(s);
    std::error_code error;
    EXPECT_EQ(std::filesystem::read_symlink(link, error), "/dev/null") << name_of(streams);
  }
}

TEST(ClosedStreams, AreNotTheFilesOfARun) {
  const Strings words{"run", shipped_scenario("free_body"), "--out", "x.h5", "--csv", "--json"};
  const TemporaryFolder plain;
  ASSERT_EQ(run_berth(words, {.folder = plain.path()}).code, 0);
  for (const std::vector<int>& closed : kClosed) {
    const TemporaryFolder folder;
    const Ended end = run_berth(words, {.folder = folder.path(), .closed = closed});
    EXPECT_EQ(end.code, 0) << name_of(closed) << end.err;
    for (const char* file : {"x.h5", "x.csv", "x.html"})
      EXPECT_TRUE(read_bytes(folder / file) == read_bytes(plain / file)) << name_of(closed) << file;
  }
}

TEST(ClosedStreams, AreNotTheTableOfALongRunNorTheJournalOfASweep) {
  const std::string scenario = shipped_scenario("free_body"), rows = "record.interval=1e6";
  for (const Strings& words :
       {Strings{"run", scenario, "--csv", "--out", "x.h5", "--set", rows, "--set", "time.stop=1e9"},
        {"sweep", scenario, "--vary", "time.stop=[1e9]", "--set", rows, "--out", "x.h5"}})
    for (const std::vector<int>& closed : {std::vector<int>{2}, {0, 1, 2}}) {
      const TemporaryFolder folder;
      Process process(words, {.folder = folder.path(), .closed = closed});
      wait_for_file(folder, process);
      expect_nothing_open(process, closed);
      process.send(SIGKILL);
      process.wait();
    }
}

TEST(ClosedStreams, LeaveTheResultOfASweepAsItIs) {
  const Strings words{"sweep",  shipped_scenario("free_body"),
                      "--vary", "spacecraft.body.mass=[1,2]",
                      "--out",  "x.h5",
                      "--csv"};
  const TemporaryFolder plain;
  ASSERT_EQ(run_berth(words, {.folder = plain.path()}).code, 0);
  for (const std::vector<int>& closed : kClosed) {
    const TemporaryFolder folder;
    EXPECT_EQ(run_berth(words, {.folder = folder.path(), .closed = closed}).code, 0);
    for (const char* file : {"x.h5", "x.csv"})
      EXPECT_TRUE(read_bytes(folder / file) == read_bytes(plain / file)) << name_of(closed) << file;
  }
}

// --- control characters ---------------------------------------------------------------------------

// A title that clears the screen, a name that sets the title of the window, one that is read backwards, C1.
const char* const kTitle = "title = \"a\\u001b[2Jb\\u202ec\\u009bd\\u007fe\"\n[time]\nstop = 1\n";
const std::string kScenario =
    kTitle +
    std::string(
        "[[spacecraft]]\nname = \"x\\u001b]0;PWN\\u0007y\"\nmass = 1\ninertia = [1, 1, 1]\n");
// A name that is one.
const std::string kTitled =
    kTitle + std::string("[[spacecraft]]\nname = \"x\"\nmass = 1\ninertia = [1, 1, 1]\n");

void expect_harmless(const std::string& text) {
  for (const char c : text)
    EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)) << text;
  for (const char* const command : {"\xc2\x9b", "\u202e", "\u2066"})
    EXPECT_FALSE(contains(text, command)) << text;
}

TEST(ControlCharacters, OfScenariosAreShown) {
  const TemporaryFolder folder;
  write_bytes(folder / "esc.toml", kScenario);
  write_bytes(folder / "bad.toml", kScenario + "mas\u202e = 1\n\"\\u001b[2J\" = 2\n");
  bool is_shown = false;
  for (const Strings& words : {Strings{"check", "esc.toml"},
                               {"run", "esc.toml"},
                               {"describe", "channels", "esc.toml"},
                               {"compare", "esc.toml"},
                               {"sweep", "esc.toml", "--vary", "time.stop=[1,2]"},
                               {"linearise", "esc.toml"},
                               {"modes", "esc.toml"},
                               {"report", "esc.h5"},
                               {"check", "bad.toml"},
                               {"check", "\033[2J.toml"},
                               {"check", "\x9b.toml"},
                               {"\033[2J"},
                               {"describe", "\033[2J"}}) {
    const Ended end = run_berth(words, {.folder = folder.path()});
    EXPECT_EQ(end.signal, 0) << words.front();
    expect_harmless(end.out);
    expect_harmless(end.err);
    is_shown |= contains(end.out + end.err, "\\x1b[2J");
  }
  EXPECT_TRUE(is_shown);
}

TEST(ControlCharacters, LeaveJsonWhatItIs) {
  const TemporaryFolder folder;
  write_bytes(folder / "esc.toml", kTitled);
  for (const Strings& words : {Strings{"check", "esc.toml", "--json"},
                               {"run", "esc.toml", "--no-out", "--json"},
                               {"compare", "esc.toml", "--steppers", "--json"},
                               {"modes", "esc.toml", "--json"}}) {
    const Ended end = run_berth(words, {.folder = folder.path()});
    expect_harmless(end.out);
    const auto json = nlohmann::json::parse(end.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << words.front() << end.out;
    if (words.front() == "compare") {
      EXPECT_EQ(json["title"], "a\u001b[2Jb\u202ec\u009bd\u007fe");
    }
  }
}

}  // namespace
}  // namespace berth::test::standard_streams_test
