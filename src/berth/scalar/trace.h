// SPDX-License-Identifier: Apache-2.0
#pragma once

// Trace — a number that records what is done with it.
//
// While a Tape lives, inputs drawn from it and everything computed from them become nodes of a
// Graph. A function written for a Scalar and called once yields its straight-line program: for a
// system the derivative of this very scenario in one mode. Numbers that depend on no input stay
// numbers.
//
//     Tape tape;
//     const Trace x = tape.input();
//     const Graph graph = tape.finish(std::array{f(x)});
//     interpret(graph, std::array{0.3}, y);                           // the bits of f(0.3)
//
// A recorded number has no value yet. Whoever asks for it, or branches on a comparison, would freeze
// one case into the program: that throws BranchOnValue. So recording a part shows that it keeps the
// rule `select` instead of `if`.
//
// What stays as it is while a program is in use, a mass or the start of a smooth stretch, is drawn as a
// parameter: an input whose value is known. What depends on parameters alone may be branched on; each
// such decision becomes a guard, and the program holds where all its guards do.
//
// Equal operations on equal operands are one node. Rewritten is only what gives the same bits for
// every operand (the sign of a NaN aside; no such thing is x + 0 → x, wrong for x = −0, or 0 x → 0):
//
//     a + b = b + a    a b = b a    a + (−b) = a − b    a − (−b) = a + b    −(−x) = x
//     1 x = x    −1 x = −x    x/1 = x    x − 0 = x    x + (−0) = x    select(c, x, x) = x
//     x + 0 = x        where x is never −0: |y|, y y, eʸ, and a sum of which one part is never −0

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "berth/scalar/graph.h"
#include "berth/scalar/scalar.h"

namespace berth {

class BranchOnValue : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

class Trace {
 public:
  Trace() = default;
  Trace(double x) : constant_(x) {}

  bool is_constant() const { return node_ < 0; }

  Trace& operator+=(const Trace& b);
  Trace& operator-=(const Trace& b);
  Trace& operator*=(const Trace& b);
  Trace& operator/=(const Trace& b);

 private:
  friend class Tape;
  friend double value(const Trace& x);

  double constant_ = 0;
  int node_ = -1;           // of a recorded number
  std::uint32_t tape_ = 0;  // which it belongs to
};

// A comparison of recorded numbers.
class TracedCondition {
 public:
  explicit TracedCondition(const Trace& truth) : truth_(truth) {}

  operator bool() const;  // throws BranchOnValue, unless parameters alone are compared
  const Trace& truth() const { return truth_; }

 private:
  Trace truth_;  // 1 or 0
};

// A decision on parameters: the node had this value.
struct Guard {
  Trace number;
  double value = 0;
};

class Tape {
 public:
  Tape();  // one at a time in a thread
  ~Tape();
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  Trace input();
  Trace parameter(double value);
  // All operations so far as `double` would do them: each as often as it was asked for.
  int operations() const;
  const std::vector<Guard>& guards() const;
  // What leads to these outputs.
  Graph finish(std::span<const Trace> outputs);

  // One operation, on the tape of its operands.
  static Trace record(Operation operation, const Trace& a, const Trace& b = {},
                      const Trace& c = {});
  static void call(const OpaqueFunction& function, std::span<const Trace> in, std::span<Trace> out);
  static std::string describe(const Trace& x);
  // The value of what depends on parameters alone, which becomes a guard; else nothing.
  static std::optional<double> decide(const Trace& x);

 private:
  struct Store;
  static Trace make(Operation operation, const Trace& a, const Trace& b, const Trace& c);
  int node_of(const Trace& x);
  Trace number(int node) const;
  std::unique_ptr<Store> store_;
};

Trace operator+(const Trace& a, const Trace& b);
Trace operator-(const Trace& a, const Trace& b);
Trace operator*(const Trace& a, const Trace& b);
Trace operator/(const Trace& a, const Trace& b);
Trace operator-(const Trace& a);
TracedCondition operator<(const Trace& a, const Trace& b);
TracedCondition operator>(const Trace& a, const Trace& b);
TracedCondition operator<=(const Trace& a, const Trace& b);
TracedCondition operator>=(const Trace& a, const Trace& b);
TracedCondition operator==(const Trace& a, const Trace& b);
TracedCondition operator!=(const Trace& a, const Trace& b);
TracedCondition operator&&(const TracedCondition& a, const TracedCondition& b);
TracedCondition operator||(const TracedCondition& a, const TracedCondition& b);
TracedCondition operator!(const TracedCondition& a);
Trace select(const TracedCondition& condition, const Trace& a, const Trace& b);
Trace select(bool condition, const Trace& a, const Trace& b);

Trace sqrt(const Trace& x);
Trace abs(const Trace& x);
Trace copysign(const Trace& size, const Trace& sign);
Trace atan2(const Trace& y, const Trace& x);
Trace exp(const Trace& x);
Trace log(const Trace& x);
SinCos<Trace> sin_cos(const Trace& x);

// Throw BranchOnValue, unless x depends on parameters alone.
double value(const Trace& x);
bool is_finite(const Trace& x);
// A recorded number has no slopes to lose.
inline const Trace& plain(const Trace& x) { return x; }

// A function that decides on values, as one node.
template <>
inline constexpr bool records<Trace> = true;
inline void record_call(const OpaqueFunction& function, std::span<const Trace> in,
                        std::span<Trace> out) {
  Tape::call(function, in, out);
}

static_assert(Scalar<Trace>);

}  // namespace berth
