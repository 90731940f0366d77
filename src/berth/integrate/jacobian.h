// SPDX-License-Identifier: Apache-2.0
#pragma once

// The Jacobian J = ∂f/∂x that implicit methods need.
//
//   exact         f.jacobian(t, x, J), where f has such a member
//   differences   J_·j ≈ (f(t, x + δⱼ eⱼ) − f(t, x)) / δⱼ,     δⱼ = √ε (s + ‖x‖)              (1)
//
// with scale s and norm of the block that holds state j (error_norm.h); for a state in no block,
// s = 1 and its own magnitude. (1) leaves errors of the order δ ∂²f/∂x²: a spring of stiffness k
// and length l is wrong by δ k/l across its axis. Where that is no longer small against m/h², with
// h the step the motion alone would allow, the iteration of an implicit method needs the exact J.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "berth/integrate/error_norm.h"
#include "berth/integrate/integrator.h"
#include "berth/integrate/rate_function.h"

namespace berth {

template <class F>
concept HasJacobian = requires(F& f, double t, std::span<const double> x, Eigen::MatrixXd& J) {
  f.jacobian(t, x, J);
};

class JacobianFinder {
 public:
  JacobianFinder(std::size_t n, std::span<const Block> blocks)
      : blocks_(blocks.begin(), blocks.end()), x_(n), rate_(n), delta_(n) {}

  // At (t, x), where f is known to be `rate`; J is n by n already.
  template <RateFunction<double> F>
  void find(F& f, double t, std::span<const double> x, std::span<const double> rate,
            Eigen::MatrixXd& J, StepCounters& counters) {
    ++counters.jacobian;
    if constexpr (HasJacobian<F>) {
      f.jacobian(t, x, J);
    } else {
      find_by_differences(f, t, x, rate, J);
      counters.rhs += x.size();
    }
  }

 private:
  template <class F>
  void find_by_differences(F& f, double t, std::span<const double> x, std::span<const double> rate,
                           Eigen::MatrixXd& J) {
    find_increments(x);
    std::ranges::copy(x, x_.begin());
    for (std::size_t j = 0; j < x.size(); ++j) {
      x_[j] = x[j] + delta_[j];
      const double delta = x_[j] - x[j];  // as it came out in x
      f(t, std::span<const double>(x_), std::span<double>(rate_));
      for (std::size_t i = 0; i < x.size(); ++i) {
        J(Eigen::Index(i), Eigen::Index(j)) = (rate_[i] - rate[i]) / delta;  // (1)
      }
      x_[j] = x[j];
    }
  }

  void find_increments(std::span<const double> x) {
    static const double root = std::sqrt(std::numeric_limits<double>::epsilon());
    for (std::size_t j = 0; j < x.size(); ++j) delta_[j] = root * (1 + std::fabs(x[j]));
    for (const Block& b : blocks_) {
      double sum = 0;
      for (std::size_t j = b.first; j < b.first + b.size; ++j) sum += x[j] * x[j];
      for (std::size_t j = b.first; j < b.first + b.size; ++j) {
        delta_[j] = root * (b.scale + std::sqrt(sum));
      }
    }
  }

  std::vector<Block> blocks_;
  std::vector<double> x_, rate_, delta_;
};

}  // namespace berth
