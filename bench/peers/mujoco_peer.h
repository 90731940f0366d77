// SPDX-License-Identifier: Apache-2.0
//
// The benchmark models in MuJoCo. Generated MJCF, contacts, gravity and actuators off; the library
// itself is hidden.
#pragma once

#include <memory>
#include <vector>

#include "../chain.h"
#include "../stack.h"

namespace berth::bench {

// The stack. Docking::weld uses the default Newton solver. MuJoCo's weld is soft by design: at its
// stiffest (impedance 0.9999) the accelerations of a pair at rest are off by 3e-4. Of a turning
// pair the centripetal part ω × (ω × d) is missing as well (its rows seem to leave out J̇ q̇) until
// the weld has stretched to supply it: 3e-3 at the nominal state, four times that at twice ω.
class MujocoStack {
 public:
  MujocoStack(const StackNumbers& numbers, Docking docking, Outfit outfit = Outfit::complete);
  ~MujocoStack();
  MujocoStack(MujocoStack&&) noexcept;
  MujocoStack& operator=(MujocoStack&&) noexcept;

  int velocities() const;       // length of MuJoCo's qvel
  int constraint_rows() const;  // active at the last forward()

  void set_state(const StackState& s);  // Docking::one_tree reads hub 2 from hub 1
  StackState state() const;

  void forward();  // one mj_forward: everything from positions to accelerations
  StackAcceleration accelerations() const;  // of the last forward()

  // In an orbit (tide.h) from now on.
  void set_in_orbit();

  // Integrates with the built-in RK4 at a fixed `step` [s], `seconds` rounded to whole steps.
  // Returns the number of forward dynamics.
  long run(double seconds, double step);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class MujocoChain {
 public:
  explicit MujocoChain(std::size_t links);
  ~MujocoChain();

  void set_state(const ChainState& s);
  void forward();
  std::vector<double> accelerations() const;  // [rad/s²]

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::bench
