// SPDX-License-Identifier: Apache-2.0
#include "berth/math/ldl.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "berth/scalar/dual.h"
#include "tests/support/dense.h"
#include "tests/support/random.h"

namespace berth::ldl_test {
namespace {

using test::Random;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Positive definite, with eigenvalues over six decades, and noise above the diagonal, which nobody
// is to be used.
struct Case {
  explicit Case(unsigned seed, Eigen::Index n) : S(n, n), b(n) {
    Random random(seed);
    Square A(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) A(i, j) = random.number();
    for (Eigen::Index i = 0; i < n; ++i) {
      A.row(i) *= std::pow(10, random.number(-1.5, 1.5));
      b(i) = random.number();
    }
    S = test::product(A, A.transpose()) + 1e-3 * Eigen::MatrixXd::Identity(n, n);
    given.assign(S.data(), S.data() + n * n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = i + 1; j < n; ++j)
        given[static_cast<std::size_t>(i * n + j)] = std::nan("");
  }
  Square S;
  Eigen::VectorXd b;
  std::vector<double> given;
};

RC_GTEST_PROP(Ldl, SolvesWhatADenseSolverSolves, ()) {
  const auto seed = static_cast<unsigned>(*rc::gen::inRange(0, 100000));
  const Eigen::Index n = *rc::gen::inRange(1, 25);
  Case c(seed, n);
  factor_ldl(c.given.data(), static_cast<std::size_t>(n));
  Eigen::VectorXd x = c.b;
  solve_ldl(c.given.data(), static_cast<std::size_t>(n), x.data());
  const Eigen::VectorXd residual = test::product(c.S, x).col(0) - c.b;
  RC_ASSERT(residual.cwiseAbs().maxCoeff() <=
            1e-13 * test::product(c.S.cwiseAbs(), x.cwiseAbs()).maxCoeff() + 1e-13);
}

RC_GTEST_PROP(Ldl, FactorIsThatOfADenseSolver, ()) {
  const auto seed = static_cast<unsigned>(*rc::gen::inRange(0, 100000));
  const Eigen::Index n = *rc::gen::inRange(1, 12);
  Case c(seed, n);
  const Eigen::MatrixXd L = test::lower_factor(c.S);
  factor_ldl(c.given.data(), static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double got = c.given[static_cast<std::size_t>(i * n + j)];
      const double wanted = i == j ? 1 / (L(i, i) * L(i, i)) : L(i, j) / L(j, j);
      RC_ASSERT(std::fabs(got - wanted) <= 1e-8 * (1e-3 + std::fabs(wanted)));
    }
}

// The slope of S⁻¹b is S⁻¹(db − dS S⁻¹b).
TEST(Ldl, CarriesSlopes) {
  constexpr Eigen::Index n = 7;
  const Case c(11, n), change(12, n);
  std::vector<Dual> S(n * n), x(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      S[static_cast<std::size_t>(i * n + j)] = c.S(i, j);
      set_slope(S[static_cast<std::size_t>(i * n + j)], 1, change.S(i, j));
    }
    x[static_cast<std::size_t>(i)] = c.b(i);
    set_slope(x[static_cast<std::size_t>(i)], 1, change.b(i));
  }
  factor_ldl(S.data(), n);
  solve_ldl(S.data(), n, x.data());
  const Eigen::VectorXd plain = test::solve_dense(c.S, c.b);
  const Eigen::VectorXd wanted =
      test::solve_dense(c.S, change.b - test::product(change.S, plain).col(0));
  for (Eigen::Index i = 0; i < n; ++i)
    EXPECT_NEAR(slope(x[static_cast<std::size_t>(i)], 1), wanted(i),
                1e-8 * wanted.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace berth::ldl_test
