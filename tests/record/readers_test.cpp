// SPDX-License-Identifier: Apache-2.0

// Other people's programs open our files. What each reader is given here stands in the manual too.

#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/record/support.h"

namespace berth::record_test::readers_test {
namespace {

struct Said {
  int status;
  std::string output;  // both streams
};

Said run(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  Said said{};
  std::array<char, 4096> some{};
  while (std::fgets(some.data(), static_cast<int>(some.size()), pipe)) said.output += some.data();
  said.status = ::pclose(pipe);
  return said;
}

// Longer than a block, and not: two ways of storing.
class Reader : public testing::TestWithParam<std::size_t> {
 protected:
  // The reader's script gets the file's name and the number of rows, and says "as expected".
  void expect_read(const std::string& program, const std::string& script) {
    const Folder folder;
    write_craft(folder / "x.h5", GetParam(), 7);
    write_bytes(folder / "script", script);
    const Said said = run("cd '" + folder.path().string() + "' && " + program + " script x.h5 " +
                          std::to_string(GetParam()));
    EXPECT_NE(said.output.find("as expected"), std::string::npos) << said.output;
  }
};

class H5py : public Reader {};

TEST_P(H5py, ReadsAResult) {
  const std::string python = "/usr/bin/python3";
  if (run(python + " -c 'import h5py'").status != 0)
    GTEST_SKIP() << "no h5py here (Debian: python3-h5py)";
  expect_read(python, R"py(
import json, sys
import h5py, numpy as np
n = int(sys.argv[2])
with h5py.File(sys.argv[1]) as f:
    t = f["time"][:]
    omega = f["channels/servicer.omega_BN_B"]
    i = np.arange(n)
    assert np.array_equal(t, 0.1 * i)
    assert omega.shape == (n, 3) and omega.dtype == np.float64
    k = np.arange(1, 4)
    assert np.allclose(omega[:], np.sin(0.1 * i[:, None] + k / 3), atol=1e-14)
    facts = lambda d: {k: v.decode() for k, v in d.attrs.items()}
    assert facts(omega) == dict(unit="rad/s", frame="B", description="angular velocity")
    effort = f["channels/servicer.wheel1.effort"]
    assert effort.shape == (n,)
    assert facts(effort) == dict(unit="N·m", frame="", description="motor − friction")
    assert list(f["channels"]) == ["servicer.rate", "servicer.omega_BN_B",
                                   "servicer.quaternion_BN", "servicer.wheel1.effort"]
    assert f["groups/contact/channels/servicer.omega_BN_B"].shape == (7, 3)
    events = f["events"]
    assert events["time"][:].tolist() == [1.5, 2.25]
    assert events["kind"].asstr()[:].tolist() == ["contact", "latch"]
    assert events["name"].asstr()[:].tolist() == ["probe", "joint"]
    assert json.loads(events["details"][0]) == dict(speed=0.031, note="Öse → Kegel")
    assert f["scenario"].asstr()[()] == 'title = "Docking"\n'
    assert json.loads(f["summary"][()]) == dict(verdict="captured", site="Köln")
    assert f.attrs["format"] == 2 and f.attrs["berth_version"].decode()
print("as expected")
)py");
}

class Octave : public Reader {};

TEST_P(Octave, ReadsAResult) {
  const std::string octave = "octave-cli --no-init-file --quiet";
  if (run(octave + " --eval 1").status != 0) GTEST_SKIP() << "no octave-cli here (Debian: octave)";
  expect_read(octave, R"m(
arguments = argv();
n = str2double(arguments{end});
s = load("-hdf5", arguments{end - 1});
omega = s.channels.servicer_omega_BN_B;   % a vector in each column
i = 0:n-1;
assert(s.time(:)', 0.1 * i);
assert(size(omega), [3, n]);
assert(omega, sin(0.1 * i + (1:3)' / 3), 1e-14);
assert(numel(s.channels.servicer_wheel1_effort), n);
assert(size(s.groups.contact.channels.servicer_omega_BN_B), [3, 7]);
assert(s.events.time(:)', [1.5, 2.25]);
assert(strtrim(cellstr(s.events.kind))', {"contact", "latch"});
assert(jsondecode(strtrim(s.events.details(1, :))).speed, 0.031);
assert(s.scenario, "title = \"Docking\"\n");
assert(jsondecode(s.summary).verdict, "captured");
disp("as expected")
)m");
}

std::string rows(const testing::TestParamInfo<std::size_t>& info) {
  return std::to_string(info.param) + "rows";
}
INSTANTIATE_TEST_SUITE_P(Of, H5py, testing::Values(300, 3000), rows);
INSTANTIATE_TEST_SUITE_P(Of, Octave, testing::Values(300, 3000), rows);

}  // namespace
}  // namespace berth::record_test::readers_test
