// SPDX-License-Identifier: Apache-2.0
#include "berth/scalar/trace.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "berth/contact/law.h"
#include "tests/support/random.h"

namespace berth::trace_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string bits_of(double x) {
  return std::isnan(x) ? "nan" : std::to_string(std::bit_cast<std::uint64_t>(x));
}

// f(x, y), once recorded.
template <class F>
Graph record(F&& f) {
  Tape tape;
  const Trace x = tape.input(), y = tape.input();
  return tape.finish(std::array{Trace(f(x, y))});
}

double interpreted(const Graph& graph, double x, double y) {
  double out;
  interpret(graph, std::array{x, y}, std::span(&out, 1));
  return out;
}

const std::vector<double>& special_numbers() {
  static const std::vector<double> all = {0.0,    -0.0,    1.0,    -1.0,  0.3,       -2.7,
                                          1e-310, -1e-310, 1e8,    -1e8,  kInfinity, -kInfinity,
                                          kNaN,   1e300,   -1e300, 5e-324};
  return all;
}

template <class F>
void expect_same_bits(F&& f, const char* what) {
  const Graph graph = record(f);
  test::Random random(1);
  const auto expect = [&](double x, double y) {
    EXPECT_EQ(bits_of(interpreted(graph, x, y)), bits_of(f(x, y)))
        << what << " of " << x << ", " << y;
  };
  for (const double x : special_numbers())
    for (const double y : special_numbers()) expect(x, y);
  for (int i = 0; i < 100; ++i) expect(random.number(-3, 3), random.number(-3, 3));
}
// An expression of x and y, on Trace and on double.
#define SAME(expression)                                  \
  expect_same_bits(                                       \
      [](const auto& x, [[maybe_unused]] const auto& y) { \
        using T = std::remove_cvref_t<decltype(x)>;       \
        return T(expression);                             \
      },                                                  \
      #expression)

TEST(Trace, EveryOperationGivesTheBitsOfDouble) {
  SAME(x + y);
  SAME(x - y);
  SAME(x * y);
  SAME(x / y);
  SAME(-x);
  SAME(sqrt(x));
  SAME(abs(x));
  SAME(copysign(x, y));
  SAME(atan2(x, y));
  SAME(exp(x));
  SAME(log(x));
  SAME(sin_cos(x).sin);
  SAME(sin_cos(x).cos);
  SAME(min(x, y));
  SAME(max(x, y));
  SAME(clamp(x, T(-1.0), y));
  SAME(select(x < y, x, y));
  SAME(select(x <= y, x, y));
  SAME(select(x > y, x, y));
  SAME(select(x >= y, x, y));
  SAME(select(x == y, T(1.0), T(2.0)));
  SAME(select(x != y, T(1.0), T(2.0)));
  SAME(select(x < y && x > T(0.0), x, y));
  SAME(select(x < y || x > T(0.0), x, y));
  SAME(select(!(x < y), x, y));
}

TEST(Trace, WhatIsRewrittenKeepsItsBits) {
  SAME(x + 0.0);
  SAME(0.0 + x);
  SAME(x + T(-0.0));
  SAME(T(-0.0) + x);
  SAME(x - 0.0);
  SAME(x - T(-0.0));
  SAME(0.0 - x);
  SAME(T(-0.0) - x);
  SAME(0.0 * x);
  SAME(1.0 * x);
  SAME(x * -1.0);
  SAME(x / 1.0);
  SAME(x / -1.0);
  SAME(-(-x));
  SAME(-(x - y));
  SAME(x + -y);
  SAME(-x + y);
  SAME(x - -y);
  SAME(-x - y);
  SAME(x - x);
  SAME(abs(x) + 0.0);
  SAME(x * x + 0.0);
  SAME(exp(x) + 0.0);
  SAME(sqrt(x) + 0.0);
  SAME(sqrt(abs(x)) + 0.0);
  SAME((0.0 + x) + 0.0);
  SAME((0.0 + x * y) + y + 0.0);
  SAME((x - y) + 0.0);
  SAME((1.0 - y) + 0.0);
  SAME((0.0 + x - y) + 0.0);
  SAME(select(x < y, abs(x), T(1.0)) + 0.0);
  SAME(select(x < y, x, T(1.0)) + 0.0);
  SAME(select(x < y, x, x));
}

TEST(Trace, SharesWhatIsEqualAndDropsWhatNobodyNeeds) {
  Tape tape;
  const Trace x = tape.input(), y = tape.input();
  const Trace a = sqrt(x * y + 2.0), b = sqrt(y * x + 2.0);
  [[maybe_unused]] const Trace unused = sin_cos(x).sin;
  const Trace product = a * b;
  EXPECT_EQ(tape.operations(), 9);
  const Graph graph = tape.finish(std::array{product});
  EXPECT_EQ(graph.operation_count(), 4);
  EXPECT_EQ(graph.input_count, 2);
  EXPECT_EQ(graph.constants, std::vector{2.0});
}

TEST(Trace, NumbersWithoutInputsStayNumbers) {
  const Trace two = 2.0;
  EXPECT_EQ(value(sqrt(two * two) + 1.0), 3.0);
  EXPECT_TRUE(two < 3.0);
  EXPECT_TRUE(is_finite(two));
  Tape tape;
  const Trace x = tape.input();
  EXPECT_EQ(value(select(two > 1.0, two, Trace(5.0))), 2.0);
  const Graph graph = tape.finish(std::array{x, Trace(7.0)});
  EXPECT_EQ(graph.operation_count(), 0);
  std::array<double, 2> out{};
  interpret(graph, std::array{3.0}, out);
  EXPECT_EQ(out, (std::array{3.0, 7.0}));
}

// Toys that break the rule.
template <class T>
T branching(const T& x) {
  if (x > 0.0) return x;
  return -x;
}
template <class T>
T choosing(const T& x) {
  return x * 2.0 < 1.0 ? x : T(1.0);
}
template <class T>
T peeping(const T& x) {
  return value(x) > 0 ? x : T(0.0);
}
template <class T>
T equating(const T& x) {
  return x == T(0.0) ? T(1.0) : x;
}

// A part that any list would take.
template <Scalar T>
struct BranchingLaw {
  static constexpr std::string_view type = "branching";
  static constexpr auto fields() { return Schema{}; }
  T find_force(const Penetration<T>& p) const { return p.depth > T(0.0) ? -p.depth : T(0.0); }
  T find_stiffness() const { return T(1.0); }
  T find_press(const Penetration<T>&, const T& force) const { return -force; }
  void settle() {}
};
static_assert(ContactLaw<BranchingLaw<Trace>, Trace>);

template <class F>
std::string find_complaint(F&& f) {
  Tape tape;
  try {
    f(tape.input());
  } catch (const BranchOnValue& e) {
    return e.what();
  }
  return "none";
}

TEST(Trace, RefusesToBranchOnAValue) {
  const auto mentions = [](const std::string& text, const char* word) {
    return text.find(word) != std::string::npos;
  };
  EXPECT_TRUE(mentions(find_complaint(branching<Trace>), "less(0.000000, input)"));
  EXPECT_TRUE(mentions(find_complaint(choosing<Trace>), "less(multiply, 1.000000)"));
  EXPECT_TRUE(mentions(find_complaint(peeping<Trace>), "value of a recorded number"));
  EXPECT_TRUE(mentions(find_complaint(equating<Trace>), "equal("));
  EXPECT_TRUE(mentions(find_complaint([](const Trace& x) {
                         return BranchingLaw<Trace>{}.find_force({x, Trace(0.0), {}});
                       }),
                       "less(0.000000, input)"));
  EXPECT_EQ(find_complaint([](const Trace& x) { return max(x, -x); }), "none");
  EXPECT_THROW(
      {
        Tape tape;
        is_finite(tape.input());
      },
      BranchOnValue);
}

TEST(Trace, CallsAFunctionThatDecidesAsAWhole) {
  static const OpaqueFunction sort{"sort", [](std::span<const double> in, std::span<double> out) {
                                     out[0] = std::min(in[0], in[1]);
                                     out[1] = std::max(in[0], in[1]);
                                   }};
  Tape tape;
  const Trace x = tape.input(), y = tape.input();
  std::array<Trace, 2> once, twice;
  record_call(sort, std::array{x * 2.0, y}, once);
  record_call(sort, std::array{x * 2.0, y}, twice);
  const Graph graph = tape.finish(std::array{once[1] - once[0], twice[0]});
  EXPECT_EQ(graph.calls.size(), 1u);
  std::array<double, 2> out{};
  interpret(graph, std::array{3.0, 4.0}, out);
  EXPECT_EQ(out, (std::array{2.0, 4.0}));
}

TEST(Trace, TapesDoNotMix) {
  Trace left_over;
  {
    Tape tape;
    left_over = tape.input();
    EXPECT_THROW(Tape(), std::logic_error);
  }
  EXPECT_THROW(left_over + 1.0, std::logic_error);
  Tape tape;
  tape.input();
  EXPECT_THROW(left_over + 1.0, std::logic_error);
}

}  // namespace
}  // namespace berth::trace_test
