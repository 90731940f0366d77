// SPDX-License-Identifier: Apache-2.0

// What a command reads is a file, and is not written over; without locks it is written all the same.

#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::inputs_and_outputs_test {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

const char* const kCraft = "mass = 1\ninertia = [1, 1, 1]\n";
const std::string kFree =
    std::string("[time]\nstop = 1\n[[spacecraft]]\nname = \"body\"\n") + kCraft;

// --- what is no file -----------------------------------------------------------------------------

struct Kind {
  const char *what, *message;
};
const Kind kKinds[] = {{"pipe", "is a pipe"},
                       {"device", "is a device"},
                       {"socket", "is a socket"},
                       {"folder", "is a folder"}};

void make(const std::string& what, const fs::path& path) {
  if (what == "pipe") {
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
  if (what == "device") fs::create_symlink("/dev/zero", path);
  if (what == "folder") fs::create_directory(path);
  if (what != "socket") return;
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ::sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.string().size(), sizeof address.sun_path);
  path.string().copy(address.sun_path, path.string().size());
  EXPECT_EQ(::bind(socket, reinterpret_cast<const ::sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
}

class NoFile : public testing::TestWithParam<Kind> {
 protected:
  // Refused at once; `message` where ours is not that of the program.
  void expect_refused(const Strings& words, const std::string& message = GetParam().message) {
    const Ended end = run_berth(words, {.folder = folder.path(), .patience = 10});
    EXPECT_FALSE(end.killed) << words.front();
    EXPECT_EQ(end.code, 2) << words.front() << end.err;
    EXPECT_TRUE(contains(end.err, message)) << words.front() << end.err;
  }
  TemporaryFolder folder;
};

TEST_P(NoFile, IsReadAsAScenario) {
  make(GetParam().what, folder / "n.toml");
  for (const Strings& words : {Strings{"run", "n.toml"},
                               {"check", "n.toml"},
                               {"describe", "channels", "n.toml"},
                               {"sweep", "n.toml", "--vary", "time.stop=[1]"},
                               {"optimise", "n.toml"},
                               {"compare", "n.toml"},
                               {"stability", "n.toml"},
                               {"linearise", "n.toml"},
                               {"modes", "n.toml"},
                               {"export", "c", "n.toml", "--out", "f"},
                               {"watch", "n.toml", "--no-browser"},
                               {"facility", "n.toml"},
                               {"live", "n.toml", "--udp", "9"}})
    expect_refused(words);
}

TEST_P(NoFile, IsReadAsACraftOrAModelOrATable) {
  make(GetParam().what, folder / "n");
  write_bytes(folder / "from.toml",
              "[time]\nstop = 1\n[[spacecraft]]\nname = \"body\"\nfrom = \"n\"\n");
  expect_refused({"check", "from.toml"});
  write_bytes(folder / "model.toml", kFree + "shape = { gltf = \"n\" }\n");
  expect_refused({"check", "model.toml"});
  write_bytes(folder / "x.toml", kFree);
  expect_refused({"sweep", "x.toml", "--vary", "time.stop=table(n)", "--samples", "2"});
}

TEST_P(NoFile, IsReadAsAKey) {
  make(GetParam().what, folder / "n");
  const std::string facility = shipped_scenario("facility");
  expect_refused({"facility", facility, "--key", "n", "--listen", "0"});
  expect_refused({"live", facility, "--key", "n", "--udp", "9"});
}

TEST_P(NoFile, IsReadAsAResult) {
  make(GetParam().what, folder / "n.h5");
  for (const Strings& words : {Strings{"report", "n.h5"},
                               {"plot", "n.h5", "body.rate"},
                               {"film", "n.h5"},
                               {"merge", "n.h5", "--out", "all.h5"},
                               {"run", "n.h5"},
                               {"run", "--case", "1", "n.h5"}})
    expect_refused(words, "n.h5");
}

TEST_P(NoFile, IsGoneOnWithAsAJournal) {
  make(GetParam().what, folder / "x.h5.journal");
  write_bytes(folder / "x.toml", kFree);
  const Ended end = run_berth({"sweep", "x.toml", "--vary", "time.stop=[1,2]", "--out", "x.h5"},
                              {.folder = folder.path(), .patience = 10});
  EXPECT_FALSE(end.killed);
  EXPECT_NE(end.code, 0);
  EXPECT_TRUE(contains(end.err, "x.h5.journal")) << end.err;
  EXPECT_FALSE(fs::exists(folder / "x.h5"));
}

INSTANTIATE_TEST_SUITE_P(Of, NoFile, testing::ValuesIn(kKinds),
                         [](const auto& p) { return std::string(p.param.what); });

// --- inputs stay as they are ---------------------------------------------------------------------

class InputFiles : public testing::Test {
 protected:
  InputFiles() {
    write_bytes(folder / "x.toml", kFree);
    write_bytes(folder / "x.html", kFree);
    write_bytes(folder / "x.csv", kFree);
    write_bytes(folder / "x.json", kFree);
    write_bytes(folder / "q.journal", kFree);
    write_bytes(folder / "craft.toml", kCraft);
    write_bytes(folder / "from.toml",
                "[time]\nstop = 1\n[[spacecraft]]\nname = \"body\"\nfrom = \"craft.toml\"\n");
    write_bytes(folder / "draws.csv", "1\n2\n3\n");
    fs::create_hard_link(folder / "x.toml", folder / "hard.h5");
    fs::create_symlink("x.toml", folder / "soft.h5");
    fs::create_symlink("x.html", folder / "soft.html");
    fs::create_directory(folder / "f");
    write_bytes(folder / "f/plant.h", kFree);
  }
  // All that is in the folder.
  std::string all() const {
    std::string text;
    for (const std::string& name : folder.files())
      text += name + "\n" + (fs::is_directory(folder / name) ? "" : read_bytes(folder / name));
    return text;
  }
  void expect_kept(const Strings& words, const std::string& message) const {
    const std::string before = all();
    const Ended end = run_berth(words, {.folder = folder.path(), .patience = 20});
    EXPECT_EQ(end.code, 2) << message << end.out << end.err;
    EXPECT_TRUE(contains(end.err, message)) << message << "\n" << end.err;
    EXPECT_EQ(all(), before) << message;
  }
  TemporaryFolder folder;
};

TEST_F(InputFiles, AreNotWrittenOver) {
  for (const auto& [words, message] : std::initializer_list<std::pair<Strings, const char*>>{
           {{"run", "x.toml", "--out", "x.toml"}, "the result x.toml is the scenario itself"},
           {{"run", "x.html", "--out", "x.h5"}, "the page x.html is the scenario itself"},
           {{"run", "x.html", "--out", "soft.h5x"}, "the page soft.html is the scenario x.html"},
           {{"run", "x.csv", "--csv", "--out", "x.h5"}, "the table x.csv is the scenario itself"},
           {{"run", "x.csv", "--csv", "--no-out"}, "the table x.csv is the scenario itself"},
           {{"run", "x.toml", "--out", "hard.h5"},
            "the result hard.h5 is the scenario x.toml itself"},
           {{"run", "x.toml", "--out", "soft.h5"},
            "the result soft.h5 is the scenario x.toml itself"},
           {{"run", "from.toml", "--out", "craft.toml"},
            "the result craft.toml is the craft itself"},
           {{"run", "x.toml", "--csv", "--out", "a.csv"},
            "the table a.csv would replace the result"},
           {{"watch", "x.html", "--no-browser"}, "the page x.html is the scenario itself"},
           {{"sweep", "q.journal", "--out", "q", "--fresh", "--vary", "time.stop=[1,2]"},
            "the journal q.journal is the scenario itself"},
           {{"sweep", "x.html", "--out", "x.h5", "--vary", "time.stop=[1,2]"}, "the page x.html"},
           {{"sweep", "x.csv", "--out", "x.h5", "--csv", "--vary", "time.stop=[1,2]"},
            "the table x.csv"},
           {{"sweep", "x.toml", "--out", "draws.h5", "--csv", "--vary",
             "time.stop=table(draws.csv)", "--samples", "2"},
            "the table draws.csv is the table itself"},
           {{"sweep", "from.toml", "--out", "craft.toml", "--vary", "time.stop=[1,2]"},
            "the result craft.toml is the craft itself"},
           {{"optimise", "q.journal", "--out", "q", "--fresh"}, "the journal q.journal"},
           {{"stability", "x.csv", "--map", "time.stop=[1]", "time.stop=[2]", "--csv", "x.csv"},
            "the table x.csv is the scenario itself"},
           {{"linearise", "x.json", "--out", "./x.json"}, "is the scenario x.json itself"}}) {
    expect_kept(words, message);
  }
}

TEST_F(InputFiles, ThatAreResultsAreNotWrittenOver) {
  const fs::path here = folder.path();
  ASSERT_EQ(run_berth({"run", "x.toml", "--out", "r.h5"}, {.folder = here}).code, 0);
  for (const char* name : {"r.html", "r.svg", "r.mp4", "r_again.h5"}) {
    fs::remove(folder / name);
    fs::create_hard_link(folder / "r.h5", folder / name);
  }
  expect_kept({"report", "r.h5"}, "the page r.html is the result r.h5 itself");
  expect_kept({"report", "r.h5", "--out", "r.h5"}, "the page r.h5 is the result itself");
  expect_kept({"plot", "r.h5", "body.rate"}, "the picture r.svg is the result r.h5 itself");
  expect_kept({"film", "r.h5"}, "the film r.mp4 is the result r.h5 itself");
  expect_kept({"run", "r.h5"}, "the result r_again.h5 is the result r.h5 itself");
  expect_kept({"merge", "r.h5", "--out", "r.h5"}, "the result r.h5 is the part itself");
  // A case that would be kept has the name of the scenario.
  write_bytes(folder / "s_case1.html", kFree);
  expect_kept({"sweep", "s_case1.html", "--out", "s.h5", "--vary", "time.stop=[1,2]", "--keep-runs",
               "worst:1"},
              "the kept run s_case1.html is the scenario itself");
}

// Other results are.
TEST_F(InputFiles, AreAllThatIsSpared) {
  const fs::path here = folder.path();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(run_berth({"run", "x.toml", "--out", "r.h5"}, {.folder = here}).code, 0);
    EXPECT_EQ(run_berth({"report", "r.h5"}, {.folder = here}).code, 0);
  }
}

// --- file systems without locks ------------------------------------------------------------------

TEST_F(InputFiles, ARunEndsWellWithoutLocks) {
  const Ended end = run_berth({"run", "x.toml", "--out", "r.h5"},
                              {.folder = folder.path(), .without_locks = true});
  if (end.code == 125) GTEST_SKIP() << "the system has no filter for its calls";
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(end.err, "");
  EXPECT_TRUE(fs::exists(folder / "r.html"));
}

TEST_F(InputFiles, ASweepWithoutLocksKeepsOthersOutByAFile) {
  const Strings words{"sweep", shipped_scenario("free_body"), "--vary", "time.stop=[1e9]",
                      "--set", "record.interval=1e6",         "--out",  "s.h5"};
  const ProcessOptions options{.folder = folder.path(), .without_locks = true};
  Process first(words, options);
  for (int i = 0; i < 5000 && first.is_running() && !fs::exists(folder / "s.h5.journal.lock"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!first.is_running() && first.wait().code == 125) GTEST_SKIP() << "no filter";
  ASSERT_TRUE(fs::exists(folder / "s.h5.journal.lock"));
  const Ended second = run_berth(words, options);
  EXPECT_EQ(second.code, 1) << second.out;
  EXPECT_TRUE(contains(
      second.err, "another sweep is writing it: process " + std::to_string(first.id()) + " of "))
      << second.err;
  // What a killed one has left is taken over, and goes at the end.
  first.send(SIGKILL);
  first.wait();
  EXPECT_TRUE(fs::exists(folder / "s.h5.journal.lock"));
  const Ended third = run_berth(
      {"sweep", "x.toml", "--vary", "time.stop=[1,2]", "--out", "s.h5", "--fresh"}, options);
  EXPECT_EQ(third.code, 0) << third.err;
  EXPECT_FALSE(fs::exists(folder / "s.h5.journal.lock"));
  EXPECT_FALSE(fs::exists(folder / "s.h5.journal"));
}

}  // namespace
}  // namespace berth::test::inputs_and_outputs_test
