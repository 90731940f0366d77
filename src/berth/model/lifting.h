// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lifting — what a system is made of, noted while it is lifted to Trace (lift.h).
//
//   numbers     every double that becomes a Trace, in the order of the lift
//   structure   everything else, as bytes: topology, keywords, switches, times that stay doubles
//
//     Lifting noted;
//     lift_system<Trace>(system);
//     noted.numbers();                               // a mass is always at the same place
//
// Two systems of the same structure have the same list of numbers. A program recorded from the one, with
// those numbers that differ as inputs, is a program of the other:
//
//     Lifting again(replacements);                   // number k becomes replacements[k]
//     const System<Trace> lifted = lift_system<Trace>(system);

#include <array>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "berth/scalar/trace.h"

namespace berth {

class Lifting {
 public:
  Lifting() : Lifting(std::span<const Trace>()) {}  // one at a time in a thread
  explicit Lifting(std::span<const Trace> replacements);
  ~Lifting();
  Lifting(const Lifting&) = delete;
  Lifting& operator=(const Lifting&) = delete;

  const std::vector<double>& numbers() const { return numbers_; }
  const std::string& structure() const { return structure_; }

  // As long as it lives, nothing is noted: of inputs that no rate depends on.
  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Lifting* paused_;
  };

  static Trace number(double x);
  static bool notes();
  static void add_bytes(const void* data, std::size_t size);

  // Anything that is no number of the mechanics.
  template <class X>
  static void add(const X& x) {
    if constexpr (std::is_arithmetic_v<X> || std::is_enum_v<X>) {
      add_bytes(&x, sizeof x);
    } else if constexpr (requires {
                           x.index;
                           x.name;
                         }) {  // a reference
      add(x.index);
    } else if constexpr (requires { x.keyword(); }) {
      add(x.keyword());
    } else if constexpr (requires {
                           x.has_value();
                           *x;
                         }) {
      add(x.has_value());
      if (x) add(*x);
    } else {
      add(x.size());  // texts and lists
      for (const auto& part : x) add(part);
    }
  }

 private:
  std::span<const Trace> replacements_;
  std::vector<double> numbers_;
  std::string structure_;
};

}  // namespace berth
