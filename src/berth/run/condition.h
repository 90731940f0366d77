// SPDX-License-Identifier: Apache-2.0
#pragma once

// Condition — a Boolean statement about channels.
//
//   "servicer.rate < 0.001 and servicer.panel.angle > 0.1 or system.energy_lost > 5"
//
//   comparison   margin = right − left for <,  left − right for >;  it holds while not negative   (1)
//   norms        margin = ± (left² − right²): smooth where the norm itself has a kink             (2)
//   `and` binds before `or`; parentheses group
//
// The event engine locates the crossings of each comparison and evaluates the statement between them:
// the smallest of several margins would hide an `and` that holds briefly.

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "berth/system/channels.h"

namespace berth {

// A condition that cannot be read: where in its text, what is wrong, what may be meant.
struct ConditionError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Inequality {
  int place = 0;     // of the channel's number in a row
  double value = 0;  // compared with
  bool greater = false;
  Kind kind = Kind::smooth;
  Needs needs = Needs::motion;

  // (1)
  template <class T>
  T margin(const T& left) const {
    return greater ? left - value : value - left;
  }
  // The channel's value at a smooth margin.
  double left_at(double smooth) const {
    if (kind != Kind::norm || !(value > 0)) return greater ? value + smooth : value - smooth;
    const double square = value * value + (greater ? smooth : -smooth);
    return square > 0 ? std::sqrt(square) : 0;
  }
  // (1) or (2): of the same sign, and smooth.
  template <class T>
  T smooth_margin(const T& left) const {
    if (kind == Kind::clipped && value < 0) return margin(select(left > T(0.0), left, T(0.0)));
    if (kind != Kind::norm || !(value > 0)) return margin(left);
    // As a product, whose sign is that of (1) to the last bit.
    return greater ? (left - value) * (left + value) : (value - left) * (value + left);
  }
};

class Condition {
 public:
  // Throws ConditionError.
  Condition(std::string_view text, const Channels& channels);

  const std::vector<Inequality>& inequalities() const { return inequalities_; }
  // Places of a row it names, each once, in order.
  const std::vector<int>& places() const { return places_; }
  // By which of its inequalities hold.
  bool holds(std::span<const char> truth) const;
  // At a row of all channels.
  bool holds_at(std::span<const double> row) const;
  // By how much it holds there: the smallest margin of an `and`, the largest of an `or`.
  double margin(std::span<const double> row) const;

  static void visit_state(auto& a, auto& self) { a(self.inequalities_, self.steps_); }

 private:
  // Reverse Polish: inequalities push, and/or join the last two.
  struct Step {
    enum Kind { compare, join_and, join_or } kind;
    int comparison = 0;
    static void visit_state(auto& a, auto& self) {
      a.choice(self.kind, join_or), a(self.comparison);
    }
  };
  template <class T, class Get, class And, class Or>
  T evaluate(Get&& get, And&& both, Or&& either) const;

  std::vector<Inequality> inequalities_;
  std::vector<int> places_;
  std::vector<Step> steps_;

  class Reader;
};

}  // namespace berth
