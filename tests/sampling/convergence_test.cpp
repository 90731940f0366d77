// SPDX-License-Identifier: Apache-2.0

// Integrals over the unit cube, which are known, as means over samples: how fast errors fall with
// their number. The functions are those of Genz ("Testing multidimensional integration routines",
// 1984).

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "berth/sampling/sample_design.h"

namespace berth::convergence_test {
namespace {

constexpr std::size_t kDimensions = 5;
using Point = std::array<double, kDimensions>;
constexpr Point a = {1.5, 1.2, 0.9, 0.7, 0.5};
constexpr Point b = {0.6, 0.48, 0.36, 0.28, 0.2};  // of the corner peak, which is the steepest
constexpr Point w = {0.31, 0.63, 0.47, 0.72, 0.22};

double product(const std::function<double(std::size_t)>& factor) {
  double p = 1;
  for (std::size_t i = 0; i < kDimensions; ++i) p *= factor(i);
  return p;
}
double sum(const std::function<double(std::size_t)>& term) {
  double s = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) s += term(i);
  return s;
}

struct Integral {
  std::string name;
  std::function<double(const Point&)> f;
  double value;
  bool is_smooth;
};

// Σ over the corners of the cube of ± 1/(1 + Σ bᵢ), divided by 5! Π bᵢ
double find_corner_peak() {
  double total = 0;
  for (unsigned corner = 0; corner < 32; ++corner) {
    const double s = sum([&](std::size_t i) { return corner >> i & 1 ? b[i] : 0; });
    total += (__builtin_popcount(corner) % 2 == 0 ? 1 : -1) / (1 + s);
  }
  return total / (120 * product([](std::size_t i) { return b[i]; }));
}

std::vector<Integral> integrals() {
  constexpr double pi = std::numbers::pi;
  const auto square = [](double x) { return x * x; };
  const auto cut = [](std::size_t i) { return i < 2 ? w[i] : 1; };
  return {
      {"oscillatory",
       [](const Point& x) {
         return std::cos(2 * pi * w[0] + sum([&](std::size_t i) { return a[i] * x[i]; }));
       },
       std::cos(2 * pi * w[0] + sum([](std::size_t i) { return a[i] / 2; })) *
           product([](std::size_t i) { return 2 * std::sin(a[i] / 2) / a[i]; }),
       true},
      {"product peak",
       [=](const Point& x) {
         return product(
             [&](std::size_t i) { return 1 / (1 / square(a[i]) + square(x[i] - w[i])); });
       },
       product([](std::size_t i) {
         return a[i] * (std::atan(a[i] * (1 - w[i])) + std::atan(a[i] * w[i]));
       }),
       true},
      {"corner peak",
       [](const Point& x) {
         return std::pow(1 + sum([&](std::size_t i) { return b[i] * x[i]; }), -6);
       },
       find_corner_peak(), true},
      {"Gaussian",
       [=](const Point& x) {
         return std::exp(-sum([&](std::size_t i) { return square(a[i] * (x[i] - w[i])); }));
       },
       product([](std::size_t i) {
         return std::sqrt(pi) / (2 * a[i]) * (std::erf(a[i] * (1 - w[i])) + std::erf(a[i] * w[i]));
       }),
       true},
      {"continuous",
       [](const Point& x) {
         return std::exp(-sum([&](std::size_t i) { return a[i] * std::abs(x[i] - w[i]); }));
       },
       product([](std::size_t i) {
         return (2 - std::exp(-a[i] * w[i]) - std::exp(-a[i] * (1 - w[i]))) / a[i];
       }),
       false},
      {"discontinuous",
       [](const Point& x) {
         if (x[0] > w[0] || x[1] > w[1]) return 0.0;
         return std::exp(sum([&](std::size_t i) { return a[i] * x[i]; }));
       },
       product([=](std::size_t i) { return (std::exp(a[i] * cut(i)) - 1) / a[i]; }), false},
      {"additive",
       [](const Point& x) { return sum([&](std::size_t i) { return std::exp(a[i] * x[i]); }); },
       sum([](std::size_t i) { return (std::exp(a[i]) - 1) / a[i]; }), true},
  };
}

constexpr std::uint32_t kRandomisations = 16;
constexpr int kFirst = 6, kLast = 12;  // powers of 2

// Root mean squares over the randomisations of the errors with 2^m points, per integral and m.
using Errors = std::vector<std::vector<double>>;

Errors find_errors(Design kind, std::uint64_t seed) {
  const std::vector<Integral> all = integrals();
  Errors errors(all.size(), std::vector<double>(kLast - kFirst + 1));
  for (int m = kFirst; m <= kLast; ++m) {
    const std::uint64_t points = std::uint64_t{1} << m;
    const SampleDesign design(kind, seed, kDimensions, points * kRandomisations, kRandomisations);
    for (std::uint32_t r = 0; r < kRandomisations; ++r) {
      std::vector<double> sums(all.size());
      for (std::uint64_t n = 0; n < points; ++n) {
        Point x;
        for (std::uint32_t d = 0; d < kDimensions; ++d)
          x[d] = design.uniform(n * kRandomisations + r, d);
        for (std::size_t k = 0; k < all.size(); ++k) sums[k] += all[k].f(x);
      }
      for (std::size_t k = 0; k < all.size(); ++k) {
        const double error = sums[k] / static_cast<double>(points) - all[k].value;
        errors[k][static_cast<std::size_t>(m - kFirst)] += error * error / kRandomisations;
      }
    }
  }
  for (std::vector<double>& of_one : errors)
    for (double& e : of_one) e = std::sqrt(e);
  return errors;
}

// Those of random draws, which all are compared with.
const Errors& errors_of_draws() {
  static const Errors errors = find_errors(Design::random, 1);
  return errors;
}

// p of error ~ n^(−p), by least squares of the logarithms.
double find_order(const std::vector<double>& errors) {
  double top = 0, below = 0;
  const double middle = (static_cast<double>(errors.size()) - 1) / 2;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const double t = static_cast<double>(k) - middle;
    top -= t * std::log2(errors[k]);
    below += t * t;
  }
  return top / below;
}

TEST(Convergence, OfRandomDrawsHasOrderOneHalf) {
  const Errors& errors = errors_of_draws();
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const double order = find_order(errors[k]);
    EXPECT_TRUE(order > 0.35 && order < 0.65) << integrals()[k].name << " " << order;
  }
}

// Latin hypercubes remove what is additive; the rest remains as it was.
TEST(Convergence, OfLatinHypercubesIsFastForSumsOfFunctions) {
  const Errors errors = find_errors(Design::lhs, 1);
  const Errors& draws = errors_of_draws();
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const bool is_additive = integrals()[k].name == "additive";
    const double order = find_order(errors[k]);
    EXPECT_GT(order, is_additive ? 1.3 : 0.35) << integrals()[k].name << " " << order;
    EXPECT_LT(errors[k].back(), (is_additive ? 1e-3 : 1) * draws[k].back()) << integrals()[k].name;
  }
}

TEST(Convergence, OfSobolPointsIsFast) {
  const Errors errors = find_errors(Design::sobol, 1);
  const Errors& draws = errors_of_draws();
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const bool is_smooth = integrals()[k].is_smooth;
    const double order = find_order(errors[k]);
    EXPECT_GT(order, is_smooth ? 0.9 : 0.6) << integrals()[k].name << " " << order;
    EXPECT_LT(errors[k].back(), (is_smooth ? 0.03 : 0.3) * draws[k].back()) << integrals()[k].name;
  }
}

TEST(Convergence, OfHaltonPointsIsFast) {
  const Errors errors = find_errors(Design::halton, 1);
  const Errors& draws = errors_of_draws();
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const bool is_smooth = integrals()[k].is_smooth;
    const double order = find_order(errors[k]);
    EXPECT_GT(order, is_smooth ? 0.8 : 0.6) << integrals()[k].name << " " << order;
    EXPECT_LT(errors[k].back(), (is_smooth ? 0.1 : 0.3) * draws[k].back()) << integrals()[k].name;
  }
}

}  // namespace
}  // namespace berth::convergence_test
