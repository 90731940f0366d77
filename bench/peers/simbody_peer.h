// SPDX-License-Identifier: Apache-2.0
//
// The benchmark models in Simbody; the library itself is hidden. The interfaces of the stack and of
// the chain are MujocoStack's and MujocoChain's.
#pragma once

#include <memory>
#include <vector>

#include "../chain.h"
#include "../dual_arm.h"
#include "../stack.h"

namespace berth::bench {

// The stack. Docking::one_tree holds hub 2 by a Weld mobilizer, Docking::weld by Constraint::Weld.
class SimbodyStack {
 public:
  SimbodyStack(const StackNumbers& numbers, Docking docking, Outfit outfit = Outfit::complete,
               bool in_orbit = false);
  ~SimbodyStack();
  SimbodyStack(SimbodyStack&&) noexcept;
  SimbodyStack& operator=(SimbodyStack&&) noexcept;

  int velocities() const;       // Simbody's nu
  int constraint_rows() const;  // acceleration-level constraint equations

  void set_state(const StackState& s);  // Docking::one_tree reads hub 2 from hub 1
  StackState state() const;

  void forward();  // positions touched, then realize(Acceleration): every stage is done again
  StackAcceleration accelerations() const;  // of the last forward()

  // Integrates by `seconds` with Runge–Kutta–Merson at Simbody's relative `accuracy`.
  // Returns the number of realizations.
  long run(double seconds, double accuracy);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class SimbodyChain {
 public:
  explicit SimbodyChain(std::size_t links);
  ~SimbodyChain();

  void set_state(const ChainState& s);
  void forward();
  std::vector<double> accelerations() const;  // [rad/s²]

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The servicer of dual_arm.h at its start, its hands held together by Constraint::Weld.
class SimbodyDualArm {
 public:
  SimbodyDualArm();
  ~SimbodyDualArm();

  int velocities() const;
  int constraint_rows() const;  // after forward()

  void forward();
  DualArmAcceleration accelerations() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::bench
