// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpringPair — two point masses in a plane, joined by a spring and damper as stiff as one likes.
//
//   state      r₁, r₂ [m], v₁, v₂ [m/s], energy lost E [J]:  9 numbers
//   axis       d = r₂ − r₁,  n = d/‖d‖,  u = n·(v₂ − v₁)
//   tension    F = k (‖d‖ − l) + c u,    k = ½ m α²,  c = m α:  critical damping                (1)
//   motion     m v̇₁ = F n,   m v̇₂ = −F n,   Ė = c u²                                            (2)
//   Jacobian   ∂(F n)/∂d = (F/‖d‖)(1 − n nᵀ) + n (k n + c u′)ᵀ,   ∂(F n)/∂v₂ = c n nᵀ         (3)
//              u′ = ∂u/∂d = (v₂ − v₁ − u n)/‖d‖
//   circling   about the common centre at ω, stretched to ½ m ω² ‖d‖ = k (‖d‖ − l)              (4)

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "berth/integrate/error_norm.h"

namespace berth::problems {

struct SpringPair {
  double alpha;    // rate at which the spring works [1/s]
  double m = 750;  // each [kg]
  double l = 2.1;  // length without load [m]

  double k() const { return 0.5 * m * alpha * alpha; }
  double c() const { return m * alpha; }

  static std::vector<Block> blocks() {
    return {{0, 2, 1.0}, {2, 2, 1.0}, {4, 2, 1.0}, {6, 2, 1.0}};
  }

  void operator()(double, std::span<const double> x, std::span<double> rate) const {
    const Axis a(x);
    const double F = tension(a);
    for (std::size_t i = 0; i < 4; ++i) rate[i] = x[4 + i];
    for (std::size_t i = 0; i < 2; ++i) {
      rate[4 + i] = F * a.n[i] / m;  // (2)
      rate[6 + i] = -rate[4 + i];
    }
    rate[8] = c() * a.u * a.u;
  }

  void jacobian(double, std::span<const double> x, Eigen::MatrixXd& J) const {
    const Axis a(x);
    const double F = tension(a);
    J.setZero();
    for (int i = 0; i < 4; ++i) J(i, 4 + i) = 1;
    for (int j = 0; j < 2; ++j) {
      const double n_j = a.n[std::size_t(j)];
      const double slope = (a.dv[std::size_t(j)] - a.u * n_j) / a.length;
      for (int i = 0; i < 2; ++i) {
        const double n_i = a.n[std::size_t(i)];
        const double by_d =
            F / a.length * ((i == j) - n_i * n_j) + n_i * (k() * n_j + c() * slope);  // (3)
        set(J, 4 + i, j, by_d / m);
        set(J, 4 + i, 4 + j, c() * n_i * n_j / m);
      }
      J(8, 2 + j) = 2 * c() * a.u * slope;
      J(8, j) = -J(8, 2 + j);
      J(8, 6 + j) = 2 * c() * a.u * n_j;
      J(8, 4 + j) = -J(8, 6 + j);
    }
  }

  std::vector<double> circling(double omega, double t) const {
    const double r = 0.5 * l / (1 - 0.5 * m * omega * omega / k());  // (4)
    const double x = r * std::cos(omega * t), y = r * std::sin(omega * t);
    return {-x, -y, x, y, omega * y, -omega * x, -omega * y, omega * x, 0};
  }

  double energy(std::span<const double> x) const {
    const Axis a(x);
    double sum = k() * (a.length - l) * (a.length - l);
    for (std::size_t i = 4; i < 8; ++i) sum += m * x[i] * x[i];
    return 0.5 * sum;
  }

 private:
  struct Axis {
    explicit Axis(std::span<const double> x)
        : dv{x[6] - x[4], x[7] - x[5]}, length(std::hypot(x[2] - x[0], x[3] - x[1])) {
      n = {(x[2] - x[0]) / length, (x[3] - x[1]) / length};
      u = n[0] * dv[0] + n[1] * dv[1];
    }
    std::array<double, 2> dv, n;
    double length, u;
  };

  double tension(const Axis& a) const { return k() * (a.length - l) + c() * a.u; }  // (1)

  // By what the second mass does, on the first; the other three pairs follow by symmetry.
  static void set(Eigen::MatrixXd& J, int i, int j, double value) {
    J(i, j + 2) = value;
    J(i, j) = -value;
    J(i + 2, j + 2) = -value;
    J(i + 2, j) = value;
  }
};

}  // namespace berth::problems
