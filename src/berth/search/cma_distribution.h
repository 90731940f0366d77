// SPDX-License-Identifier: Apache-2.0
#pragma once

// The normal distribution of CMA-ES, and what a ranked generation makes of it (Hansen, "The CMA evolution
// strategy: a tutorial", arXiv 1604.00772; weights of the better half only).
//
//   sample      x = m + σ y,   y = B D z,   C = B D² Bᵀ,   z normal                                 (1)
//   mean        m ← m + σ ȳ,   ȳ = Σ wᵢ yᵢ   over the μ best                                        (2)
//   step size   p ← (1−c) p + √(c(2−c)μ_eff) C^(−1/2) ȳ,   σ ← σ exp(c/d (|p|/χ − 1))               (3)
//   covariance  q ← (1−c_c) q + h √(c_c(2−c_c)μ_eff) ȳ                                              (4)
//               C ← (1 − c₁ − c_μ + δ) C + c₁ q qᵀ + c_μ Σ wᵢ yᵢ yᵢᵀ                                (5)
//
//   CmaDistribution d(start, 0.3, 12);
//   d.update(twelve samples, best first);

#include <cstdint>
#include <span>
#include <vector>

#include "berth/search/symmetric_eigen.h"

namespace berth {

class CmaDistribution {
 public:
  CmaDistribution(std::vector<double> mean, double step, std::size_t population);

  std::vector<double> find_sample(std::span<const double> z) const;  // (1)
  void update(std::span<const std::vector<double>> best_first);      // (2) … (5)
  void scale_step(double factor) { step_ *= factor; }

  const std::vector<double>& mean() const { return mean_; }
  double step() const { return step_; }
  // The largest standard deviation of an input.
  double spread() const;

 private:
  struct Weights {
    std::vector<double> of_rank;
    double effective, c_sigma, damping, c_c, c_1, c_mu, chi;
  };
  static Weights find_weights(std::size_t inputs, std::size_t population);
  std::vector<double> find_white(std::span<const double> y) const;  // C^(−1/2) y
  void update_covariance(std::span<const std::vector<double>> y, double h);
  void decompose();

  Weights weights_;
  std::vector<double> mean_;
  double step_;
  SquareMatrix covariance_, axes_;  // C, B
  std::vector<double> lengths_;     // D
  std::vector<double> path_sigma_, path_c_;
  int generation_ = 0, decomposed_ = 0;
};

}  // namespace berth
