// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/correlation.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "berth/sampling/distribution.h"
#include "berth/sampling/normal_distribution.h"
#include "berth/sampling/sample_design.h"

namespace berth::correlation_test {
namespace {

Eigen::MatrixXd to_matrix(const MatrixRows& rows) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd m(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

Eigen::MatrixXd lower_of(const CorrelatedGroup& group) {
  const auto n = static_cast<Eigen::Index>(group.members.size());
  Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n);
  std::size_t k = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) L(i, j) = group.lower[k++];
  EXPECT_EQ(k, group.lower.size());
  return L;
}

const MatrixRows kCovariance = {
    {4, 1.2, -0.9, 0.5}, {1.2, 1, 0.1, 0.2}, {-0.9, 0.1, 9, 1.1}, {0.5, 0.2, 1.1, 0.25}};

TEST(Correlation, HasAFactorWhoseSquareIsTheMatrix) {
  const BuiltGroup built = build_from_covariance({0, 1, 2, 3}, kCovariance);
  ASSERT_EQ(built.fault.value_or(""), "");
  EXPECT_EQ(built.deviations, (std::vector<double>{2, 1, 3, 0.5}));
  const Eigen::MatrixXd L = lower_of(built.group);
  const Eigen::VectorXd s = Eigen::Map<const Eigen::VectorXd>(built.deviations.data(), 4);
  const Eigen::MatrixXd C = s.asDiagonal() * (L * L.transpose()) * s.asDiagonal();
  EXPECT_LT((C - to_matrix(kCovariance)).cwiseAbs().maxCoeff(), 1e-15 * 9);
}

TEST(Correlation, ChangesItsMembersAlone) {
  const BuiltGroup built = build_from_correlation({4, 1}, {{1, 0.6}, {0.6, 1}});
  ASSERT_EQ(built.fault.value_or(""), "");
  std::vector<double> z = {1, 2, 3, 4, 5};
  built.group.correlate(z);
  EXPECT_EQ(z[0], 1);
  EXPECT_EQ(z[2], 3);
  EXPECT_EQ(z[3], 4);
  EXPECT_EQ(z[4], 5);
  EXPECT_DOUBLE_EQ(z[1], 0.6 * 5 + 0.8 * 2);
  EXPECT_EQ(built.deviations, (std::vector<double>{1, 1}));
}

TEST(Correlation, OfNothingDoesNothing) {
  const BuiltGroup built = build_from_correlation({}, {});
  EXPECT_FALSE(built.fault);
  std::vector<double> z = {1, 2};
  built.group.correlate(z);
  EXPECT_EQ(z, (std::vector<double>{1, 2}));
}

// z₁ = z₀, z₂ = −z₀, and z₄ = (z₀ + z₃)/√2.
TEST(Correlation, MayBeComplete) {
  const double h = std::sqrt(0.5);
  const MatrixRows P = {
      {1, 1, -1, 0, h}, {1, 1, -1, 0, h}, {-1, -1, 1, 0, -h}, {0, 0, 0, 1, h}, {h, h, -h, h, 1}};
  const BuiltGroup built = build_from_correlation({0, 1, 2, 3, 4}, P);
  ASSERT_EQ(built.fault.value_or(""), "");
  std::vector<double> z = {0.7, 3, -2, 1.1, 5};
  built.group.correlate(z);
  EXPECT_EQ(z[0], 0.7);
  EXPECT_EQ(z[1], 0.7);
  EXPECT_EQ(z[2], -0.7);
  EXPECT_EQ(z[3], 1.1);
  EXPECT_NEAR(z[4], h * (0.7 + 1.1), 1e-15);
}

// W = L⁻¹ S L⁻ᵀ of the covariance S of n draws is the unit matrix but for its noise:
//   n (½ Σ (W_ii − 1)² + Σ_(i<j) W_ij²)  is χ² distributed with p (p + 1)/2 degrees of freedom.
// Of ten, 0.1 % lies above 29.6.
TEST(Correlation, IsThatOfDraws) {
  const BuiltGroup built = build_from_covariance({0, 1, 2, 3}, kCovariance);
  const Eigen::MatrixXd L = to_matrix(kCovariance).llt().matrixL();
  for (const Design kind : {Design::random, Design::lhs, Design::sobol, Design::halton}) {
    constexpr int draws = 16 * 256;
    const SampleDesign design(kind, 5, 4, draws);
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(4, 4);
    for (std::uint64_t i = 0; i < draws; ++i) {
      std::vector<double> z;
      for (std::uint32_t j = 0; j < 4; ++j) z.push_back(design.normal(i, j));
      built.group.correlate(z);
      Eigen::Vector4d x;
      for (std::size_t j = 0; j < 4; ++j)
        x[static_cast<Eigen::Index>(j)] =
            Distribution::normal(0, built.deviations[j]).from_normal(z[j]);
      S += x * x.transpose() / draws;
    }
    const Eigen::MatrixXd W = L.inverse() * S * L.inverse().transpose();
    double chi_squared = 0;
    for (int i = 0; i < 4; ++i) {
      chi_squared += draws * 0.5 * (W(i, i) - 1) * (W(i, i) - 1);
      for (int j = 0; j < i; ++j) chi_squared += draws * W(i, j) * W(i, j);
    }
    EXPECT_LT(chi_squared, 29.6) << name_of(kind);
    if (kind == Design::random) {
      EXPECT_GT(chi_squared, 1.5) << "0.1 % lies below";
    }
  }
}

// Marginals stay what they are: the share below each quantile.
TEST(Correlation, LeavesDistributionsAsTheyAre) {
  const BuiltGroup built = build_from_correlation({0, 1}, {{1, -0.9}, {-0.9, 1}});
  const Distribution triangle = Distribution::triangular(0, 1, 4);
  const SampleDesign design(Design::sobol, 2, 2, 0);
  int below[4] = {};
  constexpr int draws = 16 * 512;
  for (std::uint64_t i = 0; i < draws; ++i) {
    std::vector<double> z = {design.normal(i, 0), design.normal(i, 1)};
    built.group.correlate(z);
    const double x = triangle.from_normal(z[1]);
    for (int k = 0; k < 4; ++k) below[k] += x < triangle.quantile(0.2 * (k + 1));
  }
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(below[k] / double{draws}, 0.2 * (k + 1), 0.004) << k;
}

TEST(Correlation, ReportsWhatIsWrong) {
  const std::pair<BuiltGroup, const char*> cases[] = {
      {build_from_correlation({0, 1}, {{1}}), "2 inputs need a matrix of 2 rows, not 1"},
      {build_from_correlation({0, 1}, {{1, 0}, {0}}), "not square: row 2 of 2 has 1 numbers"},
      {build_from_correlation({0, 1}, {{1, std::nan("")}, {0, 1}}), "nan is not a finite number"},
      {build_from_correlation({3, 3}, {{1, 0}, {0, 1}}), "an input is twice in the group"},
      {build_from_correlation({0, 1}, {{1, 0.5}, {0.4, 1}}),
       "not symmetric: row 2, column 1 is 0.4, but row 1, column 2 is 0.5"},
      {build_from_correlation({0, 1}, {{1, 0}, {0, 2}}),
       "number 2 of the diagonal is 2; that of correlations is 1"},
      {build_from_covariance({0, 1}, {{1, 0}, {0, 0}}), "number 2 of the diagonal is 0"},
      {build_from_covariance({0, 1}, {{1, 0}, {0, -1}}), "it must be above 0"},
      {build_from_covariance({0, 1}, {{4, 5}, {5, 4}}),
       "row 2, column 1: a correlation of 1.25 is beyond 1"},
      {build_from_correlation({0, 1, 2}, {{1, 0.9, -0.9}, {0.9, 1, 0.9}, {-0.9, 0.9, 1}}),
       "not positive semidefinite: the smallest eigenvalue of its correlations is -0.8"},
      {build_from_covariance({0, 1}, {{4, 1}, {1, 9}}, {2, 2}),
       "number 2 of the diagonal is 9, the square of 3; the standard deviation is 2"},
      {build_from_covariance({0, 1}, {{4, 1}, {1, 9}}, {2}), "1 standard deviations for 2 inputs"},
  };
  for (const auto& [built, text] : cases) {
    EXPECT_NE(built.fault.value_or("").find(text), std::string::npos)
        << built.fault.value_or("none") << " instead of " << text;
    EXPECT_TRUE(built.group.members.empty());
  }
  EXPECT_FALSE(build_from_covariance({0, 1}, {{4, 1}, {1, 9}}, {2, 3}).fault);
  // Rounded in the tenth digit it is still symmetric, and complete.
  EXPECT_FALSE(build_from_correlation({0, 1}, {{1, 1.0000000001}, {1, 1}}).fault);
}

}  // namespace
}  // namespace berth::correlation_test
