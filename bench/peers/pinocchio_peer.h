// SPDX-License-Identifier: Apache-2.0
//
// The stack of stack.h, two free craft, in Pinocchio; the library itself is hidden.
#pragma once

#include <memory>

#include "../stack.h"

namespace berth::bench {

class PinocchioStack {
 public:
  explicit PinocchioStack(const StackNumbers& numbers);
  ~PinocchioStack();

  void set_state(const StackState& s);
  void forward();  // efforts of springs and dampers, then one articulated-body algorithm
  // The same by the C that Pinocchio generates of its algorithm for this model, compiled as it compiles it.
  void generate();
  void forward_generated();
  StackAcceleration accelerations() const;  // of the last forward()

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::bench
