// SPDX-License-Identifier: Apache-2.0
#include "papers/gallery/expression.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace berth::test::expression_test {
namespace {

// Two runs of three rows; the second has rows of its own times.
class Expressions : public testing::Test {
 protected:
  Expressions()
      : one("time [s],a.x [m],b [1]\n0,1,-3\n1,2,4\n2,4,0\n"), two("time [s],b [1]\n0,0\n2,8\n") {
    one.summary.events = {{0.5, "impact", "wall", {named("impulse", 7.0)}},
                          {1.5, "impact", "w", {}}};
    one.numbers = {{"mass", 2.0}};
    cases = {{"first", {{"alpha", 10}}, &one}, {"second", {}, &two}};
  }
  ExpressionValue find(const std::string& text, std::size_t which = 0) {
    return evaluate(text, {cases, which});
  }
  double number(const std::string& text) {
    const ExpressionValue v = find(text);
    EXPECT_FALSE(v.column) << text;
    return v.rows.at(0);
  }
  RunTable one, two;
  std::vector<FigureRun> cases;
};

TEST_F(Expressions, ReckonRowByRow) {
  EXPECT_EQ(find("2 * a.x - b / 2").rows, (std::vector<double>{3.5, 2, 8}));
  EXPECT_EQ(find("-(a.x + 1) * alpha").rows, (std::vector<double>{-20, -30, -50}));
  EXPECT_EQ(find("hypot(3 * a.x, 4 * a.x)").rows, (std::vector<double>{5, 10, 20}));
  EXPECT_EQ(find("abs(b)").rows, (std::vector<double>{3, 4, 0}));
  EXPECT_EQ(number("2 - 3 - 4"), -5);
  EXPECT_EQ(number("12 / 3 / 2 * mass"), 4);
  EXPECT_NEAR(number("4 * atan(1) - pi"), 0, 1e-15);
}

TEST_F(Expressions, ReduceToOneNumber) {
  EXPECT_EQ(number("largest(b)"), 4);
  EXPECT_EQ(number("largest(b, 0, 0.5)"), 3);
  EXPECT_EQ(number("least(b)"), -3);
  EXPECT_EQ(number("most(b)"), 4);
  EXPECT_EQ(number("last(a.x)"), 4);
  EXPECT_EQ(number("at(a.x, 1.5)"), 3);
  EXPECT_EQ(number("at(a.x, 9)"), 4);
  EXPECT_NEAR(number("rms(b, 0, 1)"), std::sqrt(12.5), 1e-15);
  EXPECT_EQ(number("event(impact, 2)"), 1.5);
  EXPECT_EQ(number("event(impact, 1, impulse)"), 7);
}

TEST_F(Expressions, TakeOtherCasesAtTheTimesOfTheirs) {
  EXPECT_EQ(find("b - of(2, b)").rows, (std::vector<double>{-3, 0, -8}));
  EXPECT_EQ(number("of(2, last(b))"), 8);
}

TEST_F(Expressions, AtAnInstantAndAlongAParameter) {
  EXPECT_EQ(evaluate("a.x * 2", {cases, 0, {}, 1.5}).rows, (std::vector<double>{6}));
  EXPECT_EQ(evaluate("s + mass", {cases, 0, 3.0}).rows, (std::vector<double>{5}));
}

TEST_F(Expressions, FillTexts) {
  EXPECT_EQ(fill_text("at most {largest(b):.2f} m", cases), "at most 4.00 m");
  EXPECT_EQ(fill_text("[[{last(b):g} of {case}]], done", cases), "0 of first, 8 of second, done");
  EXPECT_EQ(fill_text("{1.5e-6} m", cases), "1.5×10⁻⁶ m");
}

TEST_F(Expressions, NameWhatIsWrong) {
  for (const char* text : {"", "a.y", "1 +", "(1", "largest()", "sinus(1)", "of(3, b)", "1 2",
                           "hypot(1)", "largest(b, 5, 6)"})
    EXPECT_THROW(find(text), std::runtime_error) << text;
  EXPECT_THROW(fill_text("{b", cases), std::runtime_error);
  EXPECT_THROW(fill_text("[[{b}", cases), std::runtime_error);
}

}  // namespace
}  // namespace berth::test::expression_test
