// SPDX-License-Identifier: Apache-2.0
#pragma once

// Docked craft for tests: two random craft with something of everything on them, and any constraint
// between any two of their bodies or the ground, held in any way.

#include <gtest/gtest.h>

#include "berth/system/docks.h"
#include "tests/support/craft.h"
#include "tests/support/filled_part.h"

namespace berth::test {

// A way of holding a dock.
struct Hold {
  Enforce enforce = Enforce::exact;
  bool integrates = false;
};
inline constexpr Hold kHolds[] = {
    {Enforce::exact, false},   {Enforce::reduced, false}, {Enforce::baumgarte, false},
    {Enforce::penalty, false}, {Enforce::penalty, true},
};

// Calls visit.operator()<C>() for every kind of constraint there is.
template <class Visit>
void for_each_constraint(Visit&& visit) {
  for_each_type(Constraints<double>{}, [&]<class C>() {
    SCOPED_TRACE(C::type);
    visit.template operator()<C>();
  });
}

struct CraftBodies {
  int hub, panel, tip;
};

// A tumbling hub with an imbalanced wheel, a swinging panel, sloshing fuel and a moving arm.
CraftBodies add_random_craft(System<double>& system, const std::string& name,
                             const Vec3<double>& where, Random& random);

// A constraint with numbers in all its inputs, bound to the ports of the dock. What else there is to
// a dock does not depend on its kind and is compiled once.
using Constrain = void (*)(Dock<double>&, Random&);
template <class C>
void constrain(Dock<double>& d, Random& random) {
  C constraint;
  fill_part(constraint, random);
  d.arm = constraint.bind(random.vector(0.5), d.port_1.R_BP.column_x());
  d.constraint = constraint;
}

// A dock with ports anywhere on two bodies and numbers in all its inputs.
Dock<double> random_dock(Constrain constrain, int body_1, int body_2, Hold hold, Random& random);
template <class C>
Dock<double> random_dock(int body_1, int body_2, Hold hold, Random& random) {
  return random_dock(constrain<C>, body_1, body_2, hold, random);
}

Mode<double> open_mode(const Workspace<double>& w);

// Poses and rates of every dock at a state.
const std::vector<DockMotion<double>>& evaluate_docks(const System<double>& system,
                                                      std::span<const double> x,
                                                      Workspace<double>& w);

// Makes the pose at the start the mated one, then bends it by up to so much [m], [rad].
void mate_at_start(System<double>& system, double off, double turn, Random& random);

// Where the ports are: on hubs, on what they carry, or on the ground.
enum class Ports { hub_hub, hub_panel, tip_hub, tip_panel, ground_hub, ground_tip };
inline constexpr Ports kPorts[] = {Ports::hub_hub,   Ports::hub_panel,  Ports::tip_hub,
                                   Ports::tip_panel, Ports::ground_hub, Ports::ground_tip};

// Two random craft and a dock, bent by `off` and `turn` from mated. At rest against each other or
// not, as they come.
System<double> random_docked(Constrain constrain, unsigned seed, Hold hold, Ports ports, double off,
                             double turn);
template <class C>
System<double> random_docked(unsigned seed, Hold hold, Ports ports = Ports::hub_hub, double off = 0,
                             double turn = 0) {
  return random_docked(constrain<C>, seed, hold, ports, off, turn);
}

// The same system with its docks welded. Only for docks that are mated.
System<double> fused(System<double> system);

// Three craft and the ground on five docks of all kinds, a soft one and a welded one among them.
System<double> random_group(unsigned seed);

// The same in orbit, without the ground, with thrusters, a spring, and controllers at work.
System<double> busy_group(unsigned seed);

// x at the start with integral states that are not zero.
std::vector<double> busy_state(const System<double>& system);

// Two or three craft on rigid docks, mated and at rest against each other.
struct Mated {
  explicit Mated(unsigned seed, int craft = 2, bool on_parts = false);
  System<double> exact;
  std::vector<double> x;
};

// ẋ with all that was found on the way.
struct Evaluated {
  Evaluated(const System<double>& system, std::vector<double> state);
  std::span<const double> v_dot() const;
  Workspace<double> w;
  Mode<double> mode;
  std::vector<double> x, x_dot;
  RowChoice choice;
};

// What a load at a dock is compared with: force times the longest lever, and torque.
double lever_times_force(const DockMotion<double>& m);

}  // namespace berth::test
