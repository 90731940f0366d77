// SPDX-License-Identifier: Apache-2.0
#include "tests/app/damage.h"

#include <cmath>
#include <cstdlib>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "berth/simulate.h"
#include "tests/support/process.h"

namespace berth::test {
namespace {

// One scenario with every kind of part and of event, besides those we ship.
const std::string kEverything = R"toml(title = "Everything"
[time]
stop = 20
[integrator]
tolerance = 1e-8
[record]
interval = 0.5
channels = ["craft.*", "system.*"]
[[record.group]]
name = "fast"
interval = 0.1
channels = ["craft.rate"]
[[spacecraft]]
name = "craft"
mass = 100
inertia = [[30, 1, 0], [1, 40, 0], [0, 0, 50]]
centre_of_mass = [0.1, 0, 0]
[spacecraft.state]
position = [1, 2, 3]
sigma_BN = [0.1, 0.2, -0.1]
omega_BN_B_deg_s = [1, 2, 3]
[[spacecraft.port]]
name = "probe"
position = [1, 0, 0]
axes = [[1, 0, 0], [0, 0, 1]]
[[spacecraft.component]]
type = "reaction_wheel"
name = "wheel"
axis = [1, 0, 0]
mass = 1
inertia_spin = 0.02
inertia_transverse = 0.015
static_imbalance = 1e-6
speed_rpm = 100
max_speed_rpm = 3000
coulomb_friction = 1e-3
[[spacecraft.component]]
type = "hinged_panel"
name = "panel"
axis = [0, 1, 0]
outward = [1, 0, 0]
mass = 2
centre_of_mass = [0.5, 0, 0]
inertia = [0.1, 0.2, 0.3]
stiffness = 3
damping = 0.1
[[spacecraft.component]]
type = "slosh_pendulum"
name = "fuel"
direction = [0, 0, 1]
length = 0.3
mass = 5
stiffness = 1
[[spacecraft.component]]
type = "slosh_mass"
name = "more_fuel"
axis = [0, 1, 0]
mass = 3
stiffness = 10
damping = 1
[[spacecraft.component]]
type = "rigid_payload"
name = "box"
on = "panel"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[spacecraft.component]]
type = "robot_arm"
name = "arm"
[[spacecraft.component.link]]
axis = [0, 0, 1]
mass = 0.5
centre_of_mass = [0.2, 0, 0]
inertia = [0.01, 0.01, 0.01]
[[spacecraft.component.link]]
position = [0.4, 0, 0]
axis = [0, 1, 0]
mass = 0.5
centre_of_mass = [0.2, 0, 0]
inertia = [0.01, 0.01, 0.01]
max_torque = 2
[[body]]
name = "base"
joint = "fixed"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "rocker"
parent = "base"
joint = "revolute"
axis = [0, 1, 0]
position = [0, 0, 2]
mass = 2
inertia = [1, 1, 1]
centre_of_mass = [0.2, 0, 0]
q = [0.3]
[[body]]
name = "sled"
joint = "planar"
mass = 2
inertia = [1, 1, 1]
v = [0.1, 0.2, 0.3]
[[body]]
name = "stone"
mass = 3
inertia = [1, 2, 2.5]
q = [5, 5, 5, 1, 0, 0, 0]
v = [0, 0, 0, 1, 2, 3]
[gravity]
uniform = [0, 0, -0.01]
[[force]]
type = "spring_damper"
name = "tether"
body_1 = "craft"
body_2 = "stone"
point_1 = [0, 1, 0]
stiffness = 1
damping = 0.1
length = 5
[[force]]
type = "external_load"
name = "push"
body = "craft"
force = [0.1, 0, 0]
torque = [0, 0.01, 0]
axes = "inertial"
schedule = [[1, 2], [3, 4]]
[[force]]
type = "thruster_set"
name = "jets"
body = "craft"
sample_time = 0.5
minimum_on_time = 0.02
[[force.thruster]]
position = [1, 0, 0]
direction = [0, 1, 0]
thrust = 1
[[force.thruster]]
position = [-1, 0, 0]
direction = [0, -1, 0]
thrust = 1
[[force.thruster]]
position = [0, 1, 0]
direction = [0, 0, 1]
thrust = 1
[[control]]
type = "attitude"
name = "pointing"
body = "craft"
thrusters = "jets"
K = 1
P = 5
Ki = 0.1
integral_limit = 3
max_torque = 1
angle = { type = "quintic", from = 0, to_deg = 10, start = 1, duration = 5 }
[[control]]
type = "joint_pd"
name = "drive"
joints = ["arm.link1"]
stiffness = 1
damping = 0.5
reference = [{ type = "table", times = [0, 5, 10], values = [0, 0.2, 0.1] }]
sample_time = 0.1
latency = 0.05
[[control]]
type = "computed_torque"
name = "follow"
joints = ["arm.link2"]
frequency = 1
reference = [{ type = "step", from = 0, to = 0.1, start = 3 }]
enabled = false
[[event]]
name = "begin"
at = 2
do = [{ control = "follow", enable = true }, { control = "pointing", reference = [{ value = 0.1 }] }]
[[event]]
name = "later"
after = "begin"
delay = 1
do = [{ force = "push", enable = false }, { kick = "craft.panel", add = 0.1 }]
[[event]]
name = "swing"
when = "craft.panel.angle > 0 and (craft.rate < 1 or system.energy_lost > 0.1)"
repeat = true
do = [{ record = 0.2 }]
[[event]]
name = "hit"
when = "craft.omega_BN_B.x < 0"
direction = "ends"
do = [{ strike = "craft", impulse = [0.1, 0, 0], point = [0, 1, 0], angular_impulse = [0, 0, 0.1] }]
[[event]]
name = "calm"
after = "later"
when = "craft.rate < 0.01"
hold = 1
do = [{ stop = "calm" }]
[expect]
outcome = "reached_end"
energy = 1e-6
final = ["craft.rate < 1"]
)toml";

class Damage {
 public:
  explicit Damage(std::uint64_t number) : random_(number * 2654435761u + 1) {
    text_ = pick(corpus());
  }

  std::string apply_to_numbers() {
    for (std::size_t i = 1 + below(4); i > 0; --i)
      below(2) == 0 ? extreme_number() : scale_number();
    return text_;
  }
  std::string apply() {
    const std::size_t times = 1 + below(below(3) == 0 ? 12 : 3);
    for (std::size_t i = 0; i < times && text_.size() < 200000; ++i) apply_one();
    return text_;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  const std::string& pick(const std::vector<std::string>& list) { return list[below(list.size())]; }

  void apply_one() {
    switch (below(14)) {
      case 0: return flip_bytes();
      case 1: return insert_bytes();
      case 2: return delete_line();
      case 3: return copy_line();
      case 4: return swap_tokens();
      case 5: return replace_token();
      case 6: return copy_table();
      case 7: return delete_table();
      case 8: return import_table();
      case 9: return nest();
      case 10: return cut();
      case 11: return scale_number();
      default: return extreme_number();
    }
  }

  void flip_bytes() {
    for (std::size_t n = 1 + below(6); n > 0 && !text_.empty(); --n)
      text_[below(text_.size())] = static_cast<char>(below(3) == 0 ? random_() : 32 + below(95));
  }
  void insert_bytes() {
    static const std::vector<std::string> bits{
        "[", "]",  "\"", "'",  "=",    "{",      "}",
        ",", "\n", "#",  ".",  "\\",   "\"\"\"", "-",
        "e", "_",  "\t", "\r", "\xff", "§",      std::string(1, '\0')};
    text_.insert(below(text_.size() + 1), pick(bits));
  }

  // [from, to) of a random line, its end included.
  std::pair<std::size_t, std::size_t> line() {
    const std::size_t at = below(text_.size());
    const std::size_t before = text_.rfind('\n', at), after = text_.find('\n', at);
    const std::size_t from = before == std::string::npos || at == 0 ? 0 : before + 1;
    const std::size_t to = after == std::string::npos ? text_.size() : after + 1;
    return {std::min(from, to), to};
  }
  void delete_line() {
    const auto [from, to] = line();
    text_.erase(from, to - from);
  }
  void copy_line() {
    const auto [from, to] = line();
    const std::string copy = text_.substr(from, to - from);
    text_.insert(line().first, copy);
  }

  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' ||
           c == '+';
  }
  static std::vector<std::pair<std::size_t, std::size_t>> tokens(const std::string& text) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      if (end > i) out.emplace_back(i, end - i);
      i = end + 1;
    }
    return out;
  }
  void replace(std::pair<std::size_t, std::size_t> token, const std::string& by) {
    text_.replace(token.first, token.second, by);
  }
  void swap_tokens() {
    const auto all = tokens(text_);
    if (all.size() < 2) return;
    auto a = all[below(all.size())], b = all[below(all.size())];
    if (a.first > b.first) std::swap(a, b);
    if (a.first == b.first) return;
    const std::string at_a = text_.substr(a.first, a.second),
                      at_b = text_.substr(b.first, b.second);
    replace(b, at_a);
    replace(a, at_b);
  }
  void replace_token() {
    const auto all = tokens(text_);
    const std::string& other = pick(corpus());
    const auto theirs = tokens(other);
    if (all.empty() || theirs.empty()) return;
    const auto [from, size] = theirs[below(theirs.size())];
    replace(all[below(all.size())], other.substr(from, size));
  }

  std::vector<std::pair<std::size_t, std::size_t>> numbers() {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (const auto& t : tokens(text_)) {
      char* end = nullptr;
      const std::string word = text_.substr(t.first, t.second);
      std::strtod(word.c_str(), &end);
      if (*end == '\0' && word.find_first_of("0123456789") != std::string::npos) out.push_back(t);
    }
    return out;
  }
  void extreme_number() {
    static const std::vector<std::string> values{"1e308",
                                                 "-1e308",
                                                 "-1",
                                                 "0",
                                                 "nan",
                                                 "inf",
                                                 "-inf",
                                                 "1e-308",
                                                 "5e-324",
                                                 "1e-12",
                                                 "1e-9",
                                                 "1e12",
                                                 "1e20",
                                                 "1e100",
                                                 "-1e100",
                                                 "1e400",
                                                 "9223372036854775807",
                                                 "-9223372036854775808",
                                                 "99999999999999999999",
                                                 "0x7fffffffffffffff",
                                                 "-0.0",
                                                 "true",
                                                 "[]",
                                                 "{}",
                                                 "\"\"",
                                                 "[1, 2, 3]",
                                                 "2020-01-01",
                                                 "0.1",
                                                 "1",
                                                 "3",
                                                 "1000000"};
    const auto all = numbers();
    if (!all.empty()) replace(all[below(all.size())], pick(values));
  }
  void scale_number() {
    const auto all = numbers();
    if (all.empty()) return;
    const auto n = all[below(all.size())];
    const double value = std::strtod(text_.substr(n.first, n.second).c_str(), nullptr);
    const double by = std::pow(10.0, static_cast<double>(below(25)) - 12);
    replace(n, fmt::format("{:e}", (below(4) == 0 ? -1 : 1) * value * by));
  }

  // [from, to) of a random table with its header.
  static std::pair<std::size_t, std::size_t> table_in(const std::string& text, std::size_t choice) {
    std::vector<std::size_t> heads;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '[' && (i == 0 || text[i - 1] == '\n')) heads.push_back(i);
    if (heads.empty()) return {0, 0};
    const std::size_t k = choice % heads.size();
    return {heads[k], k + 1 < heads.size() ? heads[k + 1] : text.size()};
  }
  void copy_table() {
    const auto [from, to] = table_in(text_, random_());
    const std::string copy = text_.substr(from, to - from);
    const std::size_t at = below(2) ? text_.size() : table_in(text_, random_()).first;
    for (std::size_t n = below(10) == 0 ? 1 + below(50) : 1; n > 0; --n) text_.insert(at, copy);
  }
  void delete_table() {
    const auto [from, to] = table_in(text_, random_());
    text_.erase(from, to - from);
  }
  void import_table() {
    const std::string& other = pick(corpus());
    const auto [from, to] = table_in(other, random_());
    const std::size_t at = below(2) ? text_.size() : table_in(text_, random_()).first;
    text_.insert(at, other.substr(from, to - from) + "\n");
  }
  void nest() {
    const std::size_t depth = std::size_t{1} << below(16);
    std::string deep;
    switch (below(4)) {
      case 0: deep = std::string(depth, '[') + std::string(below(2) ? depth : 0, ']'); break;
      case 1:
        deep = "a";
        for (std::size_t i = 0; i < depth; ++i) deep += ".a";
        deep += " = 1\n";
        break;
      case 2:
        for (std::size_t i = 0; i < depth; ++i) deep += "{ a = ";
        break;
      default: deep = std::string(depth, '('); break;
    }
    text_.insert(below(text_.size() + 1), deep);
  }
  void cut() { text_.resize(text_.size() - below(text_.size() / 4 + 1)); }

  std::mt19937_64 random_;
  std::string text_;
};

}  // namespace

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all{kEverything};
    for (const std::string& name : shipped_scenarios())
      all.push_back(read_bytes(shipped_scenario(name)));
    // Scenarios with all defaults written out name keys that people leave away.
    for (std::size_t i = 0, n = all.size(); i < n; ++i)
      all.push_back(write_scenario(read_scenario_text(all[i], "x.toml").scenario));
    return all;
  }();
  return texts;
}

std::string damaged_scenario(std::uint64_t number) { return Damage(number).apply(); }
std::string damaged_numbers(std::uint64_t number) { return Damage(number).apply_to_numbers(); }

}  // namespace berth::test
