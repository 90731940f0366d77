// SPDX-License-Identifier: Apache-2.0
#include "berth/math/nonnegative.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/dense.h"
#include "tests/support/random.h"

namespace berth::nonnegative_test {
namespace {

using test::Random;

struct Problem {
  std::vector<Column6> A;
  Column6 b{};

  int count() const { return static_cast<int>(A.size()); }
  Eigen::MatrixXd matrix() const {
    Eigen::MatrixXd m(kRows, count());
    for (int i = 0; i < count(); ++i)
      for (int r = 0; r < kRows; ++r)
        m(r, i) = A[static_cast<std::size_t>(i)][static_cast<std::size_t>(r)];
    return m;
  }
  Eigen::VectorXd rhs() const { return Eigen::Map<const Eigen::VectorXd>(b.data(), kRows); }
};

struct Solved {
  PassiveSet P;
  Eigen::VectorXd x;
  double residual;
};

Solved solve(const Problem& p) {
  std::vector<double> x(static_cast<std::size_t>(kMaxColumns), 77.0);
  const PassiveSet P = solve_nonnegative(p.count(), p.A.data(), p.b, x.data());
  const Eigen::VectorXd e = Eigen::Map<Eigen::VectorXd>(x.data(), p.count());
  return {P, e, (test::product(p.matrix(), e) - p.rhs()).norm()};
}

// The smallest residual over all sets of columns whose free solution is not negative.
double find_least_residual(const Problem& p) {
  const Eigen::MatrixXd A = p.matrix();
  const Eigen::VectorXd b = p.rhs();
  double least = b.norm();
  for (unsigned set = 1; set < (1u << p.count()); ++set) {
    if (__builtin_popcount(set) > kRows) continue;
    std::vector<int> columns;
    for (int i = 0; i < p.count(); ++i)
      if (set >> i & 1) columns.push_back(i);
    Eigen::MatrixXd part(kRows, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k)
      part.col(static_cast<Eigen::Index>(k)) = A.col(columns[k]);
    const std::optional<Eigen::VectorXd> y = test::solve_least_squares(part, b);
    if (!y || (y->array() < -1e-12 * b.norm()).any()) continue;
    least = std::min(least, (test::product(part, *y) - b).norm());
  }
  return least;
}

// Karush–Kuhn–Tucker: x ≥ 0, no column still points downhill, used columns are at the bottom.
// Large weights that cancel (columns almost dependent) leave rounding errors of their own size.
::testing::AssertionResult is_optimal(const Problem& p, const Solved& s, double slack = 1e-9) {
  const Eigen::MatrixXd A = p.matrix();
  const Eigen::VectorXd slope =
      test::product(A.transpose(), p.rhs() - test::product(A, s.x)).col(0);
  const double scale = p.rhs().norm() + A.colwise().norm().dot(s.x.cwiseAbs()) + 1e-300;
  for (int i = 0; i < p.count(); ++i) {
    const double size = A.col(i).norm() * scale;
    if (s.x[i] < -1e-14 * scale)
      return ::testing::AssertionFailure() << "x[" << i << "] = " << s.x[i];
    if (slope[i] > slack * size)
      return ::testing::AssertionFailure() << "column " << i << " goes down by " << slope[i];
    if (s.x[i] > 0 && std::fabs(slope[i]) > slack * size)
      return ::testing::AssertionFailure() << "used column " << i << " has slope " << slope[i];
  }
  return ::testing::AssertionSuccess();
}

Problem random_problem(Random& random, int columns) {
  Problem p;
  p.A.resize(static_cast<std::size_t>(columns));
  for (Column6& c : p.A)
    for (double& a : c) a = random.number();
  for (double& b : p.b) b = random.number();
  return p;
}

// Small whole numbers: dependent columns, ties and zeros abound.
Problem degenerate_problem(Random& random, int columns) {
  Problem p;
  p.A.resize(static_cast<std::size_t>(columns));
  for (Column6& c : p.A)
    for (double& a : c) a = random.integer(-1, 1);
  for (double& b : p.b) b = random.integer(-2, 2);
  return p;
}

RC_GTEST_PROP(SolveNonnegative, FindsTheBestOfAllActiveSets, (unsigned seed)) {
  Random random(seed);
  const Problem p = random_problem(random, random.integer(1, 10));
  const Solved s = solve(p);
  RC_ASSERT(bool(is_optimal(p, s)));
  RC_ASSERT(s.residual <= find_least_residual(p) + 1e-10 * (1 + s.x.norm()));
}

RC_GTEST_PROP(SolveNonnegative, FindsTheBestOfAllActiveSetsAmongDependentColumns, (unsigned seed)) {
  Random random(seed);
  const Problem p = degenerate_problem(random, random.integer(1, 10));
  const Solved s = solve(p);
  RC_ASSERT(s.residual <= find_least_residual(p) + 1e-10);
  RC_ASSERT(bool(is_optimal(p, s)));
}

TEST(SolveNonnegative, MeetsTheOptimalityConditionsOnManyThrusters) {
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    const Problem p = i % 2 ? random_problem(random, random.integer(11, kMaxColumns))
                            : degenerate_problem(random, random.integer(11, kMaxColumns));
    const Solved s = solve(p);
    ASSERT_TRUE(is_optimal(p, s)) << "problem " << i;
  }
}

TEST(SolveNonnegative, NeverGivesANegativeNumberHoweverSmall) {
  Random random(4);
  for (int i = 0; i < 20000; ++i) {
    const Problem p = degenerate_problem(random, random.integer(3, 16));
    const Solved s = solve(p);
    ASSERT_GE(s.x.minCoeff(), 0) << "problem " << i;
  }
}

TEST(SolveNonnegative, TheSolutionIsABasicOne) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Problem p = random_problem(random, 24);
    const Solved s = solve(p);
    EXPECT_LE(s.P.size, kRows);
    EXPECT_EQ((s.x.array() > 0).count(), s.P.size);
    for (int k = 0; k < s.P.size; ++k) EXPECT_GT(s.x[s.P.column[static_cast<std::size_t>(k)]], 0);
  }
}

TEST(SolveNonnegative, AReachableWrenchIsReached) {
  Random random(6);
  for (int i = 0; i < 500; ++i) {
    Problem p = random_problem(random, random.integer(6, 20));
    p.b = {};
    for (const Column6& c : p.A) {
      const double f = random.integer(0, 1) * random.number(0.1, 2);
      for (std::size_t r = 0; r < kRows; ++r) p.b[r] += f * c[r];
    }
    EXPECT_LT(solve(p).residual, 1e-10) << "problem " << i;
  }
}

TEST(SolveNonnegative, NothingIsAskedNothingIsGiven) {
  Random random(7);
  Problem p = random_problem(random, 12);
  p.b = {};
  const Solved s = solve(p);
  EXPECT_EQ(s.P.size, 0);
  EXPECT_EQ(s.x.norm(), 0);
  Problem none;
  none.b = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(solve_nonnegative(0, nullptr, none.b, nullptr).size, 0);
}

TEST(SolveNonnegative, WhatPointsTheOtherWayIsNotUsed) {
  Problem p;
  p.A = {{-1, 0, 0, 0, 0, 0}, {0, -1, 0, 0, 0, 0}, {-1, -1, 0, 0, 0, 1e-3}};
  p.b = {1, 2, 0, 0, 0, 0};
  EXPECT_EQ(solve(p).x.norm(), 0);
}

TEST(SolveNonnegative, EqualColumnsShareOneSolution) {
  Problem p;
  for (int i = 0; i < 5; ++i) p.A.push_back({1, 0, 0, 0, 0, 1});
  p.b = {3, 0, 0, 0, 0, 3};
  const Solved s = solve(p);
  EXPECT_NEAR(s.residual, 0, 1e-14);
  EXPECT_NEAR(s.x.sum(), 3, 1e-14);
  EXPECT_EQ(s.P.size, 1);
}

TEST(SolveNonnegative, AColumnOfZerosIsNeverUsed) {
  Problem p;
  p.A = {{0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  p.b = {2, 1, 0, 0, 0, 0};
  const Solved s = solve(p);
  EXPECT_EQ(s.x[0], 0);
  EXPECT_NEAR(s.x[1], 2, 1e-15);
  EXPECT_EQ(s.x[2], 0);
}

TEST(SolveNonnegative, ColumnsAlmostAlikeDoNotUpsetIt) {
  Random random(8);
  for (int i = 0; i < 500; ++i) {
    Problem p = random_problem(random, 4);
    const double apart = std::pow(10.0, -random.number(3, 15));
    for (int k = 0; k < 4; ++k) {
      Column6 c = p.A[static_cast<std::size_t>(k)];
      for (double& a : c) a += apart * random.number();
      p.A.push_back(c);
    }
    const Solved s = solve(p);
    ASSERT_TRUE(s.x.allFinite());
    ASSERT_GE(s.x.minCoeff(), 0);
    // Passing over a column within a millionth of the others costs no more than that.
    Problem half = p;
    half.A.resize(4);
    EXPECT_LE(s.residual, solve(half).residual + 2e-6 * (1 + s.x.norm()));
  }
}

// Scaling a column divides its weight and changes nothing else; so does scaling the wrench.
TEST(SolveNonnegative, ScalesAsItShould) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const Problem p = random_problem(random, 9);
    const Solved s = solve(p);
    Problem q = p;
    std::vector<double> k;
    for (Column6& c : q.A) {
      k.push_back(std::pow(2.0, random.integer(-12, 12)));
      for (double& a : c) a *= k.back();
    }
    const double up = std::pow(2.0, random.integer(-30, 30));
    for (double& b : q.b) b *= up;
    const Solved t = solve(q);
    EXPECT_NEAR(t.residual, up * s.residual, 1e-9 * up);
    for (int c = 0; c < 9; ++c)
      EXPECT_NEAR(t.x[c] * k[static_cast<std::size_t>(c)] / up, s.x[c], 1e-8);
  }
}

TEST(SolveCholesky, SolvesAndSaysWhenItCannot) {
  Random random(10);
  for (int n = 1; n <= kRows; ++n) {
    Eigen::MatrixXd B(n, n);
    for (int i = 0; i < n * n; ++i) B.data()[i] = random.number();
    const Eigen::MatrixXd S =
        test::product(B, B.transpose()) + 0.1 * Eigen::MatrixXd::Identity(n, n);
    double s[kRows][kRows] = {}, c[kRows] = {};
    Eigen::VectorXd rhs(n);
    for (int i = 0; i < n; ++i) {
      rhs[i] = c[i] = random.number();
      for (int j = 0; j < n; ++j) s[i][j] = S(i, j);
    }
    ASSERT_TRUE(solve_cholesky(n, s, c));
    const Eigen::VectorXd x = test::solve_definite(S, rhs).col(0);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(c[i], x[i], 1e-12);
  }
  double singular[kRows][kRows] = {{1, 1}, {1, 1}}, rhs[kRows] = {1, 1};
  EXPECT_FALSE(solve_cholesky(2, singular, rhs));
  double negative[kRows][kRows] = {{-1}}, one[kRows] = {1};
  EXPECT_FALSE(solve_cholesky(1, negative, one));
}

}  // namespace
}  // namespace berth::nonnegative_test
