// SPDX-License-Identifier: Apache-2.0
#pragma once

// Work that has nothing to show until it is done ends when somebody asks for it: every loop of it that may
// take long calls
//
//   stop_if_interrupted();   // throws Interrupted
//
// Who is asked is said once, by the program around; without one nothing is stopped. What keeps what it has
// so far (a run, a sweep) has an `interrupted` of its own among its options and throws nothing. Such work
// must not call this: a case of a sweep would take it for its own failure.

#include <stdexcept>

namespace berth {

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

void set_interruption(bool (*is_asked)());
// From any thread.
void stop_if_interrupted();

}  // namespace berth
