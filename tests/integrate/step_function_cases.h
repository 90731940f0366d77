// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random functions of time inside a step, and what holds of every list of sign changes.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <rapidcheck.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "berth/integrate/step_functions.h"

namespace berth::step_test {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Uniform random numbers, from a seed that rapidcheck chooses.
class Numbers {
 public:
  Numbers() : engine_(*rc::gen::arbitrary<unsigned>()) {}
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double logarithmic(double low, double high) {
    return std::exp((*this)(std::log(low), std::log(high)));
  }
  double sign() { return (*this)(-1, 1) < 0 ? -1 : 1; }

 private:
  std::mt19937 engine_;
};

template <class G>
std::vector<SignChange> changes(G&& g, double t_0, double t_1,
                                const StepFunctionOptions& options = {}) {
  std::vector<SignChange> out;
  find_sign_changes(g, t_0, t_1, out, options);
  return out;
}

// Neighbouring doubles, the old sign before and the new one (or zero) after; alternating; in order.
template <class G>
bool are_sound(G&& g, const std::vector<SignChange>& found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const SignChange& c = found[i];
    const double s = c.rising ? 1 : -1;
    if (std::nextafter(c.before, INFINITY) != c.after) return false;
    if (!(s * g(c.before) <= 0 && s * g(c.after) >= 0)) return false;
    if (i > 0 && (c.before < found[i - 1].after || c.rising == found[i - 1].rising)) return false;
  }
  return true;
}

// Does one of the pairs of changes enclose `t`, in the direction `s` of a dip from s to −s and back?
inline bool encloses(const std::vector<SignChange>& found, double t, double s) {
  for (std::size_t i = 0; i + 1 < found.size(); ++i) {
    if (found[i].rising == (s < 0) && found[i].after <= t && t <= found[i + 1].before) return true;
  }
  return false;
}

template <class G>
auto counted(G g, int& count) {
  return [g, &count](double t) {
    ++count;
    return g(t);
  };
}

// Three masses on springs, linear or hardening, with a little damping.
struct Masses {
  std::array<double, 3> stiffness, damping;
  double hardening, coupling;

  template <Scalar T>
  void operator()(double, std::span<const T> x, std::span<T> rate) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const T q = x[i], next = x[(i + 1) % 3];
      rate[i] = x[3 + i];
      rate[3 + i] = -stiffness[i] * q - hardening * q * q * q - damping[i] * x[3 + i] +
                    coupling * (next - q) * (hardening > 0 ? next : T(1.0));
    }
  }
};

class Trajectory {
 public:
  explicit Trajectory(Numbers& number)
      : integrator_(kDop853, 6, {{0, 3, 1.0}, {3, 3, 1.0}},
                    {.tolerance = number.logarithmic(1e-12, 1e-5)}) {
    for (std::size_t i = 0; i < 3; ++i) {
      masses_.stiffness[i] = number.logarithmic(0.1, 100);
      masses_.damping[i] = number(0, 0.5);
    }
    masses_.hardening = number.sign() > 0 ? number(0, 2) : 0;
    masses_.coupling = number(0, 1);
    std::vector<double> x(6);
    for (double& v : x) v = number(-1, 1);
    const double t_0 = number(0, 1e4);
    integrator_.start(t_0, x);
    const int steps = 2 + int(number(0, 10));
    for (int i = 0; i < steps; ++i) integrator_.step(masses_, t_0 + 1000);
    integrator_.prepare_dense(masses_);
  }
  double t_0() const { return integrator_.t_previous(); }
  double t_1() const { return integrator_.t(); }
  std::array<double, 6> operator()(double t) const {
    std::array<double, 6> x;
    integrator_.interpolate(t, x);
    return x;
  }

 private:
  Masses masses_;
  Adaptive<double> integrator_;
};

// A function of the state: linear, squared norm of a distance, or product.
class Observed {
 public:
  Observed(const Trajectory& trajectory, Numbers& number)
      : trajectory_(trajectory), kind_(int(number(0, 3))) {
    for (double& v : a_) v = number(-1, 1);
    for (double& v : b_) v = number(-1, 1);
  }
  double operator()(double t) const {
    const std::array<double, 6> x = trajectory_(t);
    double along = 0, across = 0, squares = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      along += a_[i] * x[i];
      across += b_[i] * x[i];
      if (i < 3) squares += (x[i] - b_[i]) * (x[i] - b_[i]);
    }
    return kind_ == 0 ? along : kind_ == 1 ? squares : along * across;
  }

 private:
  const Trajectory& trajectory_;
  int kind_;
  std::array<double, 6> a_, b_;
};

// A turning point t of `f` inside the step, by a fine grid and the secant of central differences.
struct Turn {
  double t, value, s;  // s: +1 for a minimum
};
template <class F>
std::vector<Turn> turns(const F& f, double t_0, double t_1) {
  std::vector<Turn> found;
  constexpr int n = 400;
  const double dt = (t_1 - t_0) / n;
  for (int i = 1; i < n; ++i) {
    const double t = t_0 + i * dt, v = f(t), l = f(t - dt), r = f(t + dt);
    if ((l - v) * (r - v) <= 0) continue;
    double a = t - dt, b = t + dt;
    const double s = l > v ? 1 : -1;
    for (int k = 0; k < 60; ++k) {
      const double x = a + 0.381966 * (b - a), y = b - 0.381966 * (b - a);
      (s * f(x) < s * f(y) ? b : a) = s * f(x) < s * f(y) ? y : x;
    }
    found.push_back({0.5 * (a + b), f(0.5 * (a + b)), s});
  }
  return found;
}

}  // namespace berth::step_test
