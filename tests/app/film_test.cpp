// SPDX-License-Identifier: Apache-2.0

// `berth film` as a user runs it: frames that a player finds, and what is said where it cannot be made.

#include <cstdio>

#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace berth::test::film_test {
namespace {

// What ffprobe says of the first stream.
std::string probe(const std::filesystem::path& film, const std::string& entry) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=" + entry +
      " -of csv=p=0 '" + film.string() + "'";
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  char bytes[256];
  while (std::fgets(bytes, sizeof bytes, pipe)) out += bytes;
  ::pclose(pipe);
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

class Film : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_berth({"run", shipped_scenario("free_body"), "--quiet", "--set", "time.stop=2",
                         "--no-html", "--out", result()})
                  .code,
              0);
  }
  std::string result() const { return (folder_ / "a.h5").string(); }
  Ended film(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"film", result(), "-o", (folder_ / "a.mp4").string()};
    words.insert(words.end(), more.begin(), more.end());
    return run_berth(words, {.patience = 240});
  }
  TemporaryFolder folder_;
};

TEST_F(Film, HasItsFramesAndItsSize) {
  const Ended end = film({"--width", "640", "--height", "360", "--rate", "10", "--from", "0.5",
                          "--to", "1.5", "--speed", "0.5"});
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(probe(folder_ / "a.mp4", "width,height,nb_read_frames"), "640,360,21");
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"a.h5", "a.mp4"})) << "nothing else is left";
}

TEST_F(Film, SaysWhatIsWrong) {
  const auto has = [](const Ended& end, const std::string& part) {
    return end.err.find(part) != std::string::npos;
  };
  EXPECT_EQ(film({"--from", "3", "--to", "2"}).code, 2);
  EXPECT_EQ(film({"--width", "641"}).code, 2);
  EXPECT_TRUE(has(film({"--speed", "1e-6"}), "too long for a film"));
  EXPECT_EQ(film({"--view", "above"}).code, 2);
  EXPECT_EQ(run_berth({"film", result(), "-o", (folder_ / "a.gif").string()}).code, 2);
  EXPECT_EQ(run_berth({"film", shipped_scenario("free_body")}).code, 2);
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"a.h5"}));
}

TEST_F(Film, NamesWhatIsNotInstalled) {
  const char* path = std::getenv("PATH");
  const std::string before = path ? path : "";
  ::setenv("PATH", folder_.path().c_str(), 1);
  const Ended end = film({});
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(end.code, 1);
  EXPECT_NE(end.err.find("chromium and ffmpeg"), std::string::npos) << end.err;
}

}  // namespace
}  // namespace berth::test::film_test
