// SPDX-License-Identifier: Apache-2.0

// `berth linearise` and `berth modes` as a user runs them, and the files other programs read.

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/text.h"

namespace berth::test::linearise_test {
namespace {

using Json = nlohmann::ordered_json;

std::string docking() { return shipped_scenario("docking"); }

// What another program makes of a file.
Ended run_other(const char* program, const std::vector<std::string>& arguments) {
  ProcessOptions options;
  options.program = program;
  return run_berth(arguments, options);
}

TEST(LineariseProgram, WritesTheSameNumbersInEveryFormat) {
  const TemporaryFolder folder;
  Ended json;
  for (const char* file : {"m.mat", "m.npz", "m.h5", "m.json"}) {
    json =
        run_berth({"linearise", docking(), "--input", "servicer.force", "--output",
                   "servicer.omega_BN_B", "servicer.rhoddot_BO_N", "--json", "-o", folder / file});
    ASSERT_EQ(json.code, 0) << json.err;
  }
  EXPECT_EQ(read_bytes(folder / "m.json"), json.out);
  const Json m = Json::parse(json.out);
  ASSERT_EQ(m["A"].size(), m["states"].size());
  ASSERT_EQ(m["B"][0].size(), 3u);
  EXPECT_EQ(m["inputs"][2], "servicer.force.z");
  EXPECT_EQ(m["output_units"][5], "m/s²");

  if (run_other("/usr/bin/python3", {"-c", "import h5py, numpy"}).code == 0) {
    const Ended ended =
        run_other("/usr/bin/python3", {"-c", R"(
import sys, json, h5py, numpy as np
want, npz, h5 = json.load(open(sys.argv[1])), np.load(sys.argv[2]), h5py.File(sys.argv[3])
for name in 'ABCD':
    assert np.array_equal(npz[name], want[name]) and np.array_equal(h5[name][()], want[name]), name
assert list(npz['states']) == want['states'] and list(npz['output_units']) == want['output_units']
assert [s.decode() for s in h5['inputs']] == want['inputs']
)",
                                       folder / "m.json", folder / "m.npz", folder / "m.h5"});
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  if (run_other("/usr/bin/octave-cli", {"--version"}).code == 0) {
    const Ended ended =
        run_other("/usr/bin/octave-cli",
                  {"--no-init-file", "--quiet", "--eval",
                   "m = load('" + (folder / "m.mat").string() +
                       "');"
                       "printf('%d %d %s %.17g', rows(m.A), columns(m.C), m.states{1}, "
                       "m.B(find(m.B, 1)))"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    double first = 0;
    for (std::size_t j = 0; j < 3 && first == 0; ++j)
      for (std::size_t i = 0; i < m["B"].size() && first == 0; ++i) first = m["B"][i][j];
    char wanted[200];
    std::snprintf(wanted, sizeof wanted, "%zu %zu %s %.17g", m["A"].size(), m["C"][0].size(),
                  m["states"][0].get<std::string>().c_str(), first);
    EXPECT_EQ(ended.out, wanted);
  }
}

TEST(LineariseProgram, NamesWhatIsWrong) {
  const auto expect = [](const std::vector<std::string>& arguments, const std::string& text) {
    const Ended ended = run_berth(arguments);
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(contains(ended.err, text)) << ended.err;
  };
  expect({"linearise", docking(), "--input", "servicer.forec"}, "did you mean servicer.force");
  expect({"linearise", docking(), "--output", "servicer.omega"}, "no channel servicer.omega");
  expect({"linearise", docking(), "--at", "-1"}, "--at -1 is not within");
  expect({"linearise", docking(), "-o", "x.txt"}, "written as .mat, .npz, .h5, .json");
  expect({"modes", shipped_scenario("slew"), "--joined"}, "no dock latches");
}

TEST(ModesProgram, FindsThePanelsOfAServicer) {
  const Ended ended = run_berth({"modes", shipped_scenario("jitter"), "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json modes = Json::parse(ended.out)["modes"];
  bool panel = false, fuel = false;
  for (const Json& m : modes) {
    panel |= m["shares"].items().begin().key().find("panel") != std::string::npos;
    fuel |= m["shares"].items().begin().key().find("fuel") != std::string::npos;
    EXPECT_GT(m["frequency"], 0);
  }
  EXPECT_TRUE(panel && fuel) << ended.out;
}

}  // namespace
}  // namespace berth::test::linearise_test
