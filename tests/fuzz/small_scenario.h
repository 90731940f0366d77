// SPDX-License-Identifier: Apache-2.0
#pragma once

// What settings and conditions are laid on: short, since it is read with every input, and yet with a list of parts, a
// vector, a contact, an event.

#include <string_view>

namespace berth::fuzz {

inline constexpr std::string_view kSmallScenario = R"(title = "Small"
[time]
stop = 10
[[spacecraft]]
name = "craft"
mass = 10
inertia = [3, 4, 5]
[spacecraft.state]
omega_BN_B = [0.1, 0.2, 0.3]
[[spacecraft.component]]
type = "hinged_panel"
name = "panel"
axis = [0, 1, 0]
outward = [1, 0, 0]
mass = 2
centre_of_mass = [0.5, 0, 0]
inertia = [0.1, 0.2, 0.3]
stiffness = 3
[[body]]
name = "wall"
joint = "fixed"
mass = 1
inertia = [1, 1, 1]
[[body.port]]
name = "face"
position = [-3, 0, 0]
[[contact]]
name = "tip"
between = ["craft", "wall.face"]
surface = "half_space"
law = { type = "spring_dashpot", stiffness = 1000, damping = 20 }
[[event]]
name = "calm"
when = "craft.rate < 0.01 and system.energy_lost > 0"
do = [{ stop = "calm" }]
)";

}  // namespace berth::fuzz
