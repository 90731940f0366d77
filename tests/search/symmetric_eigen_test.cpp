// SPDX-License-Identifier: Apache-2.0

// Eigenvalues of symmetric matrices: closed forms, and A = V diag(w) Vᵀ of random ones.

#include "berth/search/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::symmetric_eigen_test {
namespace {

// A chain of masses and springs: 2 − 2 cos(kπ/(n+1)).
TEST(SymmetricEigen, OfAChainIsKnown) {
  constexpr std::size_t n = 12;
  SquareMatrix a(n);
  for (std::size_t i = 0; i < n; ++i) {
    a(i, i) = 2;
    if (i + 1 < n) a(i, i + 1) = a(i + 1, i) = -1;
  }
  std::vector<double> w = solve_symmetric_eigen(a).values;
  std::sort(w.begin(), w.end());
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(w[k], 2 - 2 * std::cos(static_cast<double>(k + 1) * 3.14159265358979 / (n + 1)),
                1e-14);
}

TEST(SymmetricEigen, VectorsAreOrthogonalAndRebuildTheMatrix) {
  for (const std::size_t n : {1, 2, 5, 40}) {
    SquareMatrix a(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        a(i, j) = a(j, i) = find_normal(n, i, static_cast<std::uint32_t>(j));
    const SymmetricEigen e = solve_symmetric_eigen(a);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double rebuilt = 0, product = 0;
        for (std::size_t k = 0; k < n; ++k) {
          rebuilt += e.vectors(i, k) * e.values[k] * e.vectors(j, k);
          product += e.vectors(k, i) * e.vectors(k, j);
        }
        EXPECT_NEAR(rebuilt, a(i, j), 1e-13);
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-14);
      }
  }
}

TEST(SymmetricEigen, OfDiagonalIsUnchanged) {
  SquareMatrix a(3);
  a(0, 0) = 1e-12, a(1, 1) = 1, a(2, 2) = 1e12;
  const SymmetricEigen e = solve_symmetric_eigen(a);
  EXPECT_EQ(e.values, (std::vector<double>{1e-12, 1, 1e12}));
  EXPECT_EQ(e.vectors.entries, SquareMatrix::identity(3).entries);
}

}  // namespace
}  // namespace berth::symmetric_eigen_test
