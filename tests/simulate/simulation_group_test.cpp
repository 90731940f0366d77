// SPDX-License-Identifier: Apache-2.0

// Simulations side by side: the bits of each alone, whatever becomes of the others.

#include "berth/simulate/simulation_group.h"

#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace berth::test::simulation_group_test {
namespace {

using Commands = Simulation::Commands;
using Measurements = Simulation::Measurements;

// A craft with a panel that an external pushes; its mass differs from member to member.
Simulation make(std::size_t i) {
  Simulation s = Simulation::from_text(R"(
[time]
stop = 6
[[spacecraft]]
name = "craft"
mass = 10
inertia = [2, 3, 4]
[[spacecraft.component]]
type = "hinged_panel"
name = "panel"
mass = 1
inertia = [0.1, 0.2, 0.3]
axis = [1, 0, 0]
outward = [0, 1, 0]
centre_of_mass = [0.8, 0, 0]
stiffness = 4
damping = 0.02
[[external]]
name = "gnc"
sample_time = 0.5
measures = ["craft.v_BN_N"]
commands = [{ name = "u", to = "craft", as = "force" }]
)");
  s.set("spacecraft.craft.mass", 10 + 0.5 * static_cast<double>(i));
  s.connect("gnc", [i](double t, const Measurements& m) {
    const double v = m["craft.v_BN_N"][0];
    return std::optional(Commands{{"u", {1 - v, 0.1 * static_cast<double>(i), t}}});
  });
  return s;
}
std::vector<double> read(Simulation& s) {
  std::vector<double> out = s.values("craft.v_BN_N");
  for (const double x : s.values("craft.omega_BN_B")) out.push_back(x);
  out.push_back(s.t());
  return out;
}

class SimulationGroups : public testing::TestWithParam<Computing> {
 protected:
  static constexpr std::size_t kSize = 11;
  SimulationGroups() : group(kSize, GetParam()) {
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::size_t i : all) {
      group.replace(i, make(i));
      alone.push_back(make(i));
    }
  }
  void expect_same() {
    for (const std::size_t i : all) EXPECT_EQ(read(group[i]), read(alone[i])) << "member " << i;
  }
  void go_on(double t) {
    for (const auto& thrown : group.for_each(all, [&](auto, Simulation& s) { s.run_until(t); }))
      EXPECT_FALSE(thrown);
    for (Simulation& s : alone)
      if (!s.is_over()) s.run_until(t);
  }

  SimulationGroup group;
  std::vector<Simulation> alone;
  std::vector<std::size_t> all = std::vector<std::size_t>(kSize);
};

TEST_P(SimulationGroups, HaveTheBitsOfEachAlone) {
  for (const double t : {0.5, 1.0, 1.2, 3.7, 5.0}) {
    go_on(t);
    expect_same();
  }
  // Members are simulations as any: alone, changed, saved, and to the end.
  EXPECT_EQ(group[3].run_until(5.2), alone[3].run_until(5.2));
  for (Simulation* s : {&group[4], &alone[4]}) s->set("spacecraft.craft.mass", 33);
  EXPECT_EQ(group[5].save_state(), alone[5].save_state());
  group[6].restore_state(alone[6].save_state());
  go_on(6);
  expect_same();
  EXPECT_TRUE(group[0].is_over());
  EXPECT_EQ(group[0].summary().json(), alone[0].summary().json());
}

TEST_P(SimulationGroups, GoOnWhereOneOfThemThrows) {
  go_on(1);
  group[2].connect("gnc", [](double, const Measurements&) -> std::optional<Commands> {
    throw std::runtime_error("no answer");
  });
  const auto thrown = group.for_each(all, [&](std::size_t i, Simulation& s) {
    if (i == 7) throw std::logic_error("of the work");
    s.run_until(2);
  });
  for (const std::size_t i : all) EXPECT_EQ(static_cast<bool>(thrown[i]), i == 2 || i == 7) << i;
  EXPECT_THROW(std::rethrow_exception(thrown[2]), std::runtime_error);
  EXPECT_EQ(group[2].summary().outcome(), "broken_off");
  alone[2] = make(2), group.replace(2, make(2));
  go_on(3);
  expect_same();
}

TEST_P(SimulationGroups, TakeOtherMembersOnTheWay) {
  go_on(1.5);
  for (const std::size_t i : {std::size_t{0}, std::size_t{4}, std::size_t{10}}) {
    group.replace(i, make(i + 20));
    alone[i] = make(i + 20);
  }
  go_on(3);
  expect_same();
  group.replace(1, std::nullopt);
  const std::vector<std::size_t> some{0, 1, 2};
  const auto thrown = group.for_each(some, [](auto, Simulation& s) { s.run_until(3.5); });
  EXPECT_FALSE(thrown[0]);
  EXPECT_THROW(std::rethrow_exception(thrown[1]), std::logic_error);
  EXPECT_EQ(group[2].t(), 3.5);
  EXPECT_EQ(group[3].t(), 3.0);
}

// Whoever serves a member knows the one that takes its place from the one before, however alike they have gone.
TEST_P(SimulationGroups, GoOnFromStatesOfOtherSettings) {
  go_on(1);
  for (const std::size_t shift : {3, 5, 1}) {
    for (const std::size_t i : all) {
      Simulation other = make(i + shift);
      other.run_until(2);
      group[i].restore_state(other.save_state());
      alone[i].restore_state(other.save_state());
    }
    go_on(4);
    expect_same();
  }
}

INSTANTIATE_TEST_SUITE_P(All, SimulationGroups,
                         testing::Values(Computing::compile, Computing::interpret));

}  // namespace
}  // namespace berth::test::simulation_group_test
