// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fibers — many functions under way in one thread, each with a stack of its own.
//
//   Fibers fibers;
//   fibers.start([&] { … fibers.park(); … });      // runs until it parks or ends
//   fibers.resume(f);                              // goes on where it parked
//
// Boost.Context switches stacks in some ten nanoseconds. Sanitizers know of every switch.

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace berth {

class Fiber;

class Fibers {
 public:
  Fibers();
  ~Fibers();  // all must have ended
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  // Runs `work` up to its first park(); the fiber, or null when it has ended already. What `work` throws
  // ends the program.
  Fiber* start(std::function<void()> work);
  // False: it has ended, and is gone.
  bool resume(Fiber* fiber);
  // From inside a fiber: back to whoever started or resumed it.
  void park();
  Fiber* current() const { return current_; }

 private:
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> idle_;  // their stacks are free
  Fiber* current_ = nullptr;
};

}  // namespace berth
