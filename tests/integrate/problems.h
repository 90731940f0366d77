// SPDX-License-Identifier: Apache-2.0
#pragma once

// Initial value problems with known solutions.

#include <cmath>
#include <span>
#include <vector>

#include "berth/scalar/scalar.h"

namespace berth::problems {

struct NoRate {
  void operator()(double, std::span<const double>, std::span<double>) const {}
};

// A derivative that is finite only up to a time or a state; ẋ = x² from 1 ends at t = 1.
inline void blow_up(double, std::span<const double> x, std::span<double> rate) {
  rate[0] = x[0] * x[0];
}

// Nonlinear, coupled and dependent on time, so that every kind of order condition counts:
//
//   ẋ = x² cos t                    x = 1/(2 − sin t)
//   ẏ = −½ y³ x (2 − sin t)         y = 1/√(t + 4)
struct Coupled {
  template <Scalar T>
  void operator()(double t, std::span<const T> x, std::span<T> rate) const {
    rate[0] = x[0] * x[0] * std::cos(t);
    rate[1] = -0.5 * (x[1] * x[1] * x[1]) * x[0] * (2 - std::sin(t));
  }
  static std::vector<double> exact(double t) {
    return {1 / (2 - std::sin(t)), 1 / std::sqrt(t + 4)};
  }
};

// Motion about a fixed centre, μ = 1, semi-major axis 1, from periapsis on the x axis.
struct Kepler {
  template <Scalar T>
  void operator()(double, std::span<const T> x, std::span<T> rate) const {
    const T r_2 = x[0] * x[0] + x[1] * x[1];
    const T a = -1.0 / (r_2 * sqrt(r_2));
    rate[0] = x[2];
    rate[1] = x[3];
    rate[2] = a * x[0];
    rate[3] = a * x[1];
  }
  static std::vector<double> exact(double e, double t) {
    // Kepler's equation E − e sin E = t, by Newton from a start that always converges.
    const double mean = std::remainder(t, 2 * M_PI);
    double E = mean < 0 ? -M_PI : M_PI;
    for (int i = 0; i < 60; ++i) E -= (E - e * std::sin(E) - mean) / (1 - e * std::cos(E));
    const double b = std::sqrt(1 - e * e);
    const double E_dot = 1 / (1 - e * std::cos(E));
    return {std::cos(E) - e, b * std::sin(E), -std::sin(E) * E_dot, b * std::cos(E) * E_dot};
  }
};

// The restricted three-body orbit of Arenstorf (Hairer, Nørsett and Wanner, II.0), closed after one
// period.
struct Arenstorf {
  static constexpr double mu = 0.012277471;
  static constexpr double period = 17.0652165601579625588917206249;

  template <Scalar T>
  void operator()(double, std::span<const T> x, std::span<T> rate) const {
    const T to_earth = x[0] + mu;
    const T to_moon = x[0] - (1 - mu);
    const T d_1 = to_earth * to_earth + x[1] * x[1];
    const T d_2 = to_moon * to_moon + x[1] * x[1];
    const T g_1 = (1 - mu) / (d_1 * sqrt(d_1));
    const T g_2 = mu / (d_2 * sqrt(d_2));
    rate[0] = x[2];
    rate[1] = x[3];
    rate[2] = x[0] + 2.0 * x[3] - g_1 * to_earth - g_2 * to_moon;
    rate[3] = x[1] - 2.0 * x[2] - (g_1 + g_2) * x[1];
  }
  static std::vector<double> start() { return {0.994, 0, 0, -2.00158510637908252240537862224}; }
};

// The seven stars of the Pleiades problem (ibid., II.10): 28 states, close encounters.
struct Pleiades {
  template <Scalar T>
  void operator()(double, std::span<const T> x, std::span<T> rate) const {
    for (std::size_t i = 0; i < 14; ++i) rate[i] = x[14 + i];
    for (std::size_t i = 0; i < 7; ++i) {
      T ax(0.0), ay(0.0);
      for (std::size_t j = 0; j < 7; ++j) {
        if (j == i) continue;
        const T dx = x[j] - x[i], dy = x[7 + j] - x[7 + i];
        const T r_2 = dx * dx + dy * dy;
        const T w = double(j + 1) / (r_2 * sqrt(r_2));
        ax = ax + w * dx;
        ay = ay + w * dy;
      }
      rate[14 + i] = ax;
      rate[21 + i] = ay;
    }
  }
  static std::vector<double> start() {
    return {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
            0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0};
  }
};

inline double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace berth::problems
