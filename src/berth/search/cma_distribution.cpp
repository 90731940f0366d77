// SPDX-License-Identifier: Apache-2.0
#include "berth/search/cma_distribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "berth/scalar/elementary.h"

namespace berth {

namespace {

constexpr double kLargestCondition = 1e14;  // of C

}  // namespace

CmaDistribution::Weights CmaDistribution::find_weights(std::size_t inputs, std::size_t population) {
  Weights w{};
  const double n = static_cast<double>(inputs), lambda = static_cast<double>(population);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < population / 2; ++i) {
    w.of_rank.push_back(log((lambda + 1) / 2) - log(static_cast<double>(i + 1)));
    sum += w.of_rank.back();
  }
  for (double& share : w.of_rank) share /= sum, squares += share * share;
  const double mu = w.effective = 1 / squares;
  w.c_sigma = (mu + 2) / (n + mu + 5);
  w.damping = 1 + 2 * std::max(0.0, std::sqrt((mu - 1) / (n + 1)) - 1) + w.c_sigma;
  w.c_c = (4 + mu / n) / (n + 4 + 2 * mu / n);
  w.c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu);
  w.c_mu = std::min(1 - w.c_1, 2 * (mu - 2 + 1 / mu) / ((n + 2) * (n + 2) + mu));
  w.chi = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));  // mean length of z
  return w;
}

CmaDistribution::CmaDistribution(std::vector<double> mean, double step, std::size_t population)
    : weights_(find_weights(mean.size(), population)),
      mean_(std::move(mean)),
      step_(step),
      covariance_(SquareMatrix::identity(mean_.size())),
      axes_(covariance_),
      lengths_(mean_.size(), 1.0),
      path_sigma_(mean_.size()),
      path_c_(mean_.size()) {}

std::vector<double> CmaDistribution::find_sample(std::span<const double> z) const {
  std::vector<double> x = mean_;
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step_ * axes_(i, k) * lengths_[k] * z[k];
  return x;
}

std::vector<double> CmaDistribution::find_white(std::span<const double> y) const {
  std::vector<double> white(y.size());
  for (std::size_t k = 0; k < y.size(); ++k) {
    double along = 0;
    for (std::size_t i = 0; i < y.size(); ++i) along += axes_(i, k) * y[i];
    for (std::size_t i = 0; i < y.size(); ++i) white[i] += axes_(i, k) * along / lengths_[k];
  }
  return white;
}

void CmaDistribution::update(std::span<const std::vector<double>> best_first) {
  const std::size_t n = mean_.size();
  const Weights& w = weights_;
  ++generation_;
  std::vector<std::vector<double>> y;
  std::vector<double> y_mean(n);
  for (std::size_t i = 0; i < w.of_rank.size(); ++i) {
    y.push_back(best_first[i]);
    for (std::size_t k = 0; k < n; ++k) {
      y[i][k] = (y[i][k] - mean_[k]) / step_;
      y_mean[k] += w.of_rank[i] * y[i][k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) mean_[k] += step_ * y_mean[k];  // (2)

  const std::vector<double> white = find_white(y_mean);
  const double fresh = std::sqrt(w.c_sigma * (2 - w.c_sigma) * w.effective);
  double squares = 0;
  for (std::size_t k = 0; k < n; ++k) {
    path_sigma_[k] = (1 - w.c_sigma) * path_sigma_[k] + fresh * white[k];  // (3)
    squares += path_sigma_[k] * path_sigma_[k];
  }
  const double length = std::sqrt(squares);

  // While the step size grows fast, the path of C waits.
  const double begun = 1 - pow(1 - w.c_sigma, 2.0 * generation_);
  const bool is_slow = length / std::sqrt(begun) < (1.4 + 2 / (static_cast<double>(n) + 1)) * w.chi;
  const double h = is_slow ? 1 : 0;
  for (std::size_t k = 0; k < n; ++k)
    path_c_[k] = (1 - w.c_c) * path_c_[k] +
                 h * std::sqrt(w.c_c * (2 - w.c_c) * w.effective) * y_mean[k];  // (4)
  update_covariance(y, h);
  step_ *= exp(std::min(1.0, w.c_sigma / w.damping * (length / w.chi - 1)));  // (3)
  decompose();
}

void CmaDistribution::update_covariance(std::span<const std::vector<double>> y, double h) {
  const Weights& w = weights_;
  const std::size_t n = mean_.size();
  const double old = 1 - w.c_1 - w.c_mu + (1 - h) * w.c_1 * w.c_c * (2 - w.c_c);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < y.size(); ++k) sum += w.of_rank[k] * y[k][i] * y[k][j];
      covariance_(i, j) = covariance_(j, i) =
          old * covariance_(i, j) + w.c_1 * path_c_[i] * path_c_[j] + w.c_mu * sum;  // (5)
    }
}

// As often as C changes by a tenth or so: B and D are the expensive part.
void CmaDistribution::decompose() {
  const double often =
      1 / (10 * static_cast<double>(mean_.size()) * (weights_.c_1 + weights_.c_mu));
  if (static_cast<double>(generation_ - decomposed_) < often) return;
  decomposed_ = generation_;
  SymmetricEigen eigen = solve_symmetric_eigen(covariance_);
  const double largest = *std::max_element(eigen.values.begin(), eigen.values.end());
  for (std::size_t k = 0; k < mean_.size(); ++k)
    lengths_[k] = std::sqrt(std::max(eigen.values[k], largest / kLargestCondition));
  axes_ = std::move(eigen.vectors);
}

double CmaDistribution::spread() const {
  double largest = 0;
  for (std::size_t i = 0; i < mean_.size(); ++i) largest = std::max(largest, covariance_(i, i));
  return step_ * std::sqrt(largest);
}

}  // namespace berth
