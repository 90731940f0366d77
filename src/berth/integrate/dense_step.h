// SPDX-License-Identifier: Apache-2.0
#pragma once

// DenseStep — the solution inside one accepted step, as a polynomial.
//
//   x(θ) = x₀ + Σᵣ φᵣ(θ) Fᵣ,     θ = (t − t₀)/h                                               (1)
//   φ₀ = θ,  φ₁ = θ(1−θ),  φ₂ = θ²(1−θ),  φ₃ = θ²(1−θ)², …   (4) of tableau.h, multiplied out
//   ẋ(θ) = Σᵣ φᵣ′(θ) Fᵣ / h                                                                   (2)
//
// Stands on its own once built: a delay history keeps copies.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "berth/integrate/combine.h"

namespace berth {

template <Scalar T>
class DenseStep {
 public:
  DenseStep(const Tableau& method, std::size_t n)
      : n_(n),
        stride_(padded<T>(n)),
        rows_(3 + std::size_t(method.dense_rows())),
        x_0_(stride_, T(0.0)),
        x_1_(stride_, T(0.0)),
        F_(rows_ * stride_, T(0.0)) {}

  double t_begin() const { return t_0_; }
  double t_end() const { return t_1_; }

  // From both ends of the step and its stages k (padded rows, as the stepper keeps them).
  void build(const Tableau& method, double t_0, double t_1, const T* x_0, const T* x_1,
             const T* k) {
    t_0_ = t_0;
    t_1_ = t_1;
    const double h = t_1 - t_0;
    const T* k_first = k;
    const T* k_last = k + std::size_t(method.stages) * stride_;
    T* F = F_.data();
    for (std::size_t i = 0; i < n_; ++i) {
      x_0_[i] = x_0[i];
      x_1_[i] = x_1[i];
      const T dx = x_1[i] - x_0[i];
      F[i] = dx;
      F[stride_ + i] = h * k_first[i] - dx;
      F[2 * stride_ + i] = 2.0 * dx - h * (k_first[i] + k_last[i]);
    }
    for (std::size_t r = 3; r < rows_; ++r) {
      const T* zero = nullptr;
      combine(find_row(method.dense, int(r) - 3), h, zero, k, stride_, F + r * stride_, stride_);
    }
  }

  // (1); both ends come out bit for bit. A shorter `out` gets as many states as it has room for.
  void interpolate(double t, std::span<T> out) const {
    const std::size_t n = std::min(n_, out.size());
    if (t == t_1_) {
      for (std::size_t i = 0; i < n; ++i) out[i] = x_1_[i];
      return;
    }
    const double theta = (t - t_0_) / (t_1_ - t_0_);
    std::array<Coefficient, kRows> phi;
    double p = 1;
    for (std::size_t r = 0; r < rows_; ++r) {
      p *= r % 2 == 0 ? theta : 1 - theta;
      phi[r] = {0, int(r), p};
    }
    combine_unpadded(std::span<const Coefficient>(phi.data(), rows_), 1.0, x_0_.data(), F_.data(),
                     stride_, out.first(n));
  }

  // (2), one order less accurate than (1).
  void interpolate_rate(double t, std::span<T> out) const {
    const double h = t_1_ - t_0_;
    const double theta = (t - t_0_) / h;
    std::array<Coefficient, kRows> slope;
    double p = 1, dp = 0;
    for (std::size_t r = 0; r < rows_; ++r) {
      const double factor = r % 2 == 0 ? theta : 1 - theta;
      dp = dp * factor + (r % 2 == 0 ? p : -p);
      p *= factor;
      slope[r] = {0, int(r), dp};
    }
    const T* zero = nullptr;
    combine_unpadded(std::span<const Coefficient>(slope.data(), rows_), 1 / h, zero, F_.data(),
                     stride_, out.first(n_));
  }

  static void visit_state(auto& a, auto& self) {
    auto& [n, stride, rows, t_0, t_1, x_0, x_1, F] = self;
    a(t_0, t_1);
    a.fixed(std::span(x_0).first(n));
    a.fixed(std::span(x_1).first(n));
    for (std::size_t r = 0; r < rows; ++r) a.fixed(std::span(F).subspan(r * stride, n));
  }

 private:
  static constexpr std::size_t kRows = 3 + kMaxDenseRows;

  std::size_t n_, stride_, rows_;
  double t_0_ = 0, t_1_ = 0;
  std::vector<T> x_0_, x_1_, F_;
};

}  // namespace berth
