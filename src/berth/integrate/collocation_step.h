// SPDX-License-Identifier: Apache-2.0
#pragma once

// CollocationStep — the solution inside one accepted Radau step, as a polynomial.
//
//   x(θ) = x₀ + Σⱼ ℓⱼ(θ) zⱼ,     θ = (t − t₀)/h            (5) of radau_table.h               (1)
//
// Its error inside the step is of order h⁴, about what the error estimate says. Continued beyond
// the step it is the first guess of the next one's stages.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "berth/integrate/radau_table.h"

namespace berth {

// The three stages of a step, one column each.
using Stages = Eigen::Matrix<double, Eigen::Dynamic, 3>;

class CollocationStep {
 public:
  explicit CollocationStep(std::size_t n)
      : x_0_(n), x_1_(n), z_(Stages::Zero(Eigen::Index(n), 3)) {}

  double t_begin() const { return t_0_; }
  double t_end() const { return t_1_; }
  std::span<const double> x_begin() const { return x_0_; }

  void build(double t_0, double t_1, std::span<const double> x_0, std::span<const double> x_1,
             const Stages& z) {
    t_0_ = t_0;
    t_1_ = t_1;
    std::ranges::copy(x_0, x_0_.begin());
    std::ranges::copy(x_1, x_1_.begin());
    z_ = z;
  }

  // (1); both ends come out bit for bit.
  void interpolate(double t, std::span<double> out) const {
    if (t == t_1_) {
      std::ranges::copy(x_1_, out.begin());
      return;
    }
    const std::array<double, 3> l = find_basis(t);
    for (std::size_t i = 0; i < x_0_.size(); ++i) {
      const auto z = z_.row(Eigen::Index(i));
      out[i] = x_0_[i] + (l[0] * z[0] + l[1] * z[1] + l[2] * z[2]);
    }
  }

  // x(t + cᵢ h) − x(t), each stage of a step of h from t.
  void extrapolate(double t, double h, Stages& z) const {
    const std::array<double, 3> from = find_basis(t);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::array<double, 3> to = find_basis(t + radau_table::c[i] * h);
      z.col(Eigen::Index(i)) = (to[0] - from[0]) * z_.col(0) + (to[1] - from[1]) * z_.col(1) +
                               (to[2] - from[2]) * z_.col(2);
    }
  }

  static void visit_state(auto& a, auto& self) {
    auto& [t_0, t_1, x_0, x_1, z] = self;
    a(t_0, t_1);
    a.fixed(x_0);
    a.fixed(x_1);
    a.fixed(std::span(z.data(), 3 * x_0.size()));
  }

 private:
  std::array<double, 3> find_basis(double t) const {
    return radau_table::find_basis((t - t_0_) / (t_1_ - t_0_));
  }

  double t_0_ = 0, t_1_ = 0;
  std::vector<double> x_0_, x_1_;
  Stages z_;
};

}  // namespace berth
