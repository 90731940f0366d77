// SPDX-License-Identifier: Apache-2.0
#pragma once

// A valid scenario with something of everything, and mistakes made in it.
//
// Each mistake is an edit of the scenario. The mark § in the edit is where the message must point;
// without a mark it points nowhere in the file.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "berth/scenario/scenario.h"

namespace berth::test {

inline const std::string kBase = R"(title = "Base"
[time]
stop = 10
[integrator]
method = "dop853"
tolerance = 1e-9
[record]
interval = 0.1
channels = ["craft.*", "system.*"]
[[record.group]]
name = "fast"
interval = 0.01
channels = ["craft.rate"]
[[spacecraft]]
name = "craft"
mass = 10
inertia = [3, 4, 5]
centre_of_mass = [0.1, 0, 0]
[spacecraft.state]
position = [1, 2, 3]
quaternion_BN = [1, 0, 0, 0]
omega_BN_B = [0.1, 0.2, 0.3]
[[spacecraft.port]]
name = "probe"
position = [1, 0, 0]
axes = [[1, 0, 0], [0, 0, 1]]
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel1"
axis = [1, 0, 0]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
speed_rpm = 100
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel2"
axis = [0, 1, 0]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel3"
axis = [0, 0, 1]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
[[spacecraft.component]]
type = "hinged_panel"
name = "panel"
axis = [0, 1, 0]
outward = [1, 0, 0]
mass = 2
centre_of_mass = [0.5, 0, 0]
inertia = [0.1, 0.2, 0.3]
stiffness = 3
[[spacecraft.component]]
type = "robot_arm"
name = "arm"
on = "panel"
[[spacecraft.component.link]]
axis = [0, 0, 1]
mass = 0.5
centre_of_mass = [0.2, 0, 0]
inertia = [0.01, 0.01, 0.01]
[[body]]
name = "ball"
joint = "spherical"
mass = 2
inertia = [1, 1, 1]
q = [1, 0, 0, 0]
v = [0, 0, 1]
[[force]]
type = "spring_damper"
name = "tether"
body_1 = "craft"
body_2 = "ball"
stiffness = 1
length = 0.5
[[force]]
type = "external_load"
name = "push"
body = "craft"
force = [0.1, 0, 0]
schedule = [[1, 2], [3, 4]]
[[force]]
type = "thruster_set"
name = "jets"
body = "craft"
sample_time = 0.5
[[force.thruster]]
position = [1, 0, 0]
direction = [0, 1, 0]
thrust = 1
[[control]]
type = "attitude"
name = "pointing"
body = "craft"
wheels = ["wheel1", "wheel2", "wheel3"]
K = 0.1
P = 0.5
angle = { type = "quintic", from = 0, to_deg = 10, start = 1, duration = 5 }
[[control]]
type = "joint_pd"
name = "drive"
joints = ["arm.link1"]
stiffness = 1
damping = 0.5
reference = [{ type = "constant", value = 0.1 }]
sample_time = 0.1
latency = 0.05
[[event]]
name = "begin"
at = 2
do = [{ control = "drive", enable = false }]
[[event]]
name = "later"
after = "begin"
delay = 1
do = [{ force = "push", enable = false }]
[[event]]
name = "calm"
when = "craft.rate < 0.01 and system.energy_lost > 0"
hold = 1
do = [{ stop = "calm" }]
[expect]
outcome = "reached_end"
energy = 1e-6
final = ["craft.rate < 1"]
)";

struct Mistake {
  const char* name;
  std::string from, to;  // an edit of the base; empty `from` adds at the end
  const char* message;   // a part of the message
};

// What the edit makes of the base, and where its mark stands.
struct Edited {
  std::string text;
  int line = 0, column = 0;
};
inline Edited edit(const Mistake& m) {
  const std::string mark = "§";
  Edited out{kBase};
  if (m.from.empty()) {
    out.text += m.to;
  } else {
    const std::size_t at = out.text.find(m.from);
    if (at == std::string::npos) throw std::runtime_error("not in the base: " + m.from);
    out.text.replace(at, m.from.size(), m.to);
  }
  const std::size_t at = out.text.find(mark);
  if (at == std::string::npos) return out;
  out.text.erase(at, mark.size());
  const std::string before = out.text.substr(0, at);
  out.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  out.column = static_cast<int>(at - (before.find_last_of('\n') + 1)) + 1;
  return out;
}

inline std::vector<Problem> find_problems(const std::string& text,
                                          const std::filesystem::path& folder = ".") {
  ReadScenario read = read_scenario_text(text, "base.toml", {}, folder);
  build_scenario(read.scenario, read.problems);
  return read.problems.list;
}

inline std::string all_of(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& p : problems) out += describe(p) + "\n";
  return out;
}

// The one problem of an edit, at its mark, with the words that were promised.
inline void expect_reported(const Mistake& m) {
  const Edited edited = edit(m);
  const std::vector<Problem> problems = find_problems(edited.text);
  const std::string reported = all_of(problems);
  ASSERT_EQ(problems.size(), 1u) << reported;
  EXPECT_NE(problems[0].message.find(m.message), std::string::npos) << reported;
  EXPECT_EQ(problems[0].place.line, edited.line) << reported;
  EXPECT_EQ(problems[0].place.column, edited.column) << reported;
  EXPECT_EQ(problems[0].file, "base.toml") << reported;
}
inline std::string name_of_mistake(const testing::TestParamInfo<Mistake>& info) {
  return info.param.name;
}

}  // namespace berth::test
