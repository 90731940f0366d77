// SPDX-License-Identifier: Apache-2.0

// Sobol indices of functions that have closed forms of them.

#include "berth/statistics/sensitivity.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "berth/math/philox.h"

namespace berth::statistics_sensitivity_test {
namespace {

struct Known {
  std::size_t inputs;
  double (*function)(const double* x);  // of numbers between 0 and 1
  std::vector<double> first, total;
};

constexpr double pi = 3.14159265358979323846;

// Ishigami and Homma, 1990: sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁ between −π and π.
double ishigami(const double* u) {
  const double x = pi * (2 * u[0] - 1), y = pi * (2 * u[1] - 1), z = pi * (2 * u[2] - 1);
  const double s = std::sin(y);
  return std::sin(x) * (1 + 0.1 * z * z * z * z) + 7 * s * s;
}
Known find_ishigami() {
  const double of_1 = 0.5 * std::pow(1 + 0.1 * std::pow(pi, 4) / 5, 2), of_2 = 49.0 / 8;
  const double of_13 = 0.01 * std::pow(pi, 8) * 8 / 225, all = of_1 + of_2 + of_13;
  return {
      3, ishigami, {of_1 / all, of_2 / all, 0}, {(of_1 + of_13) / all, of_2 / all, of_13 / all}};
}

// Sobol's g: the product of (|4x − 2| + a)/(1 + a).
constexpr double g_weights[] = {0, 1, 4.5, 9, 99, 99, 99, 99};
double find_g(const double* u) {
  double product = 1;
  for (int i = 0; i < 8; ++i)
    product *= (std::abs(4 * u[i] - 2) + g_weights[i]) / (1 + g_weights[i]);
  return product;
}
Known find_g_indices() {
  Known g = {8, find_g, {}, {}};
  double all = 1;
  for (const double a : g_weights) all *= 1 + 1 / (3 * (1 + a) * (1 + a));
  for (const double a : g_weights) {
    const double part = 1 / (3 * (1 + a) * (1 + a));
    g.first.push_back(part / (all - 1));
    g.total.push_back(part / (1 + part) * all / (all - 1));
  }
  return g;
}

std::vector<double> evaluate(const Known& known, std::uint64_t seed, std::uint64_t rows) {
  std::vector<double> values, a(known.inputs), b(known.inputs);
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < known.inputs; ++k) {
      const auto [u, v] = find_uniform_pair(seed, i, static_cast<std::uint32_t>(k));
      a[k] = u, b[k] = v;
    }
    values.push_back(known.function(a.data()));
    values.push_back(known.function(b.data()));
    for (std::size_t k = 0; k < known.inputs; ++k) {
      std::swap(a[k], b[k]);
      values.push_back(known.function(a.data()));
      std::swap(a[k], b[k]);
    }
  }
  return values;
}

bool holds(const Interval& i, double x) { return i.low <= x && x <= i.high; }

TEST(Sensitivity, OfKnownFunctionsLiesInTheIntervals) {
  for (const Known& known : {find_ishigami(), find_g_indices()}) {
    const auto found = find_sobol_indices(evaluate(known, 1, 4096), known.inputs, 32, 0.999);
    ASSERT_EQ(found.size(), known.inputs);
    for (std::size_t k = 0; k < known.inputs; ++k) {
      EXPECT_TRUE(holds(found[k].first, known.first[k])) << k << " " << found[k].first.value;
      EXPECT_TRUE(holds(found[k].total, known.total[k])) << k << " " << found[k].total.value;
      EXPECT_LT(found[k].first.high - found[k].first.low, 0.15);
      EXPECT_LT(found[k].total.high - found[k].total.low, 0.17);
    }
    if (known.inputs == 3) continue;
    // Inputs without effect: what A and B have in common by chance is subtracted.
    for (std::size_t k = 4; k < 8; ++k) EXPECT_LT(found[k].first.high - found[k].first.low, 0.003);
  }
}

// Of 1000 studies, how many have a 95 % interval that holds the index?
void check_coverage(const Known& known) {
  std::vector<int> first(known.inputs), total(known.inputs);
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const auto found = find_sobol_indices(evaluate(known, seed, 512), known.inputs, 16);
    for (std::size_t k = 0; k < known.inputs; ++k) {
      first[k] += holds(found[k].first, known.first[k]);
      total[k] += holds(found[k].total, known.total[k]);
    }
  }
  for (std::size_t k = 0; k < known.inputs; ++k) {
    EXPECT_GE(first[k], 930) << k;
    EXPECT_GE(total[k], 930) << k;
    EXPECT_LE(first[k], 970) << k;
    EXPECT_LE(total[k], 970) << k;
  }
}

TEST(Sensitivity, IntervalsCover) {
  check_coverage(find_ishigami());
  check_coverage(find_g_indices());
}

TEST(Sensitivity, DoesNotDependOnScaleAndShift) {
  const Known known = find_ishigami();
  std::vector<double> values = evaluate(known, 5, 512);
  const auto before = find_sobol_indices(values, 3);
  for (double& v : values) v = 1e6 - 3 * v;
  const auto after = find_sobol_indices(values, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(after[k].first.low, before[k].first.low, 1e-8);
    EXPECT_NEAR(after[k].total.high, before[k].total.high, 1e-8);
  }
}

TEST(Sensitivity, OfOneInputIsAll) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const double a = find_uniform(3, i, 0), b = find_uniform(3, i, 1);
    values.insert(values.end(), {a, b, b, a});  // the second input has no effect
  }
  const auto found = find_sobol_indices(values, 2, 8);
  EXPECT_NEAR(found[0].first.value, 1, 0.1);
  EXPECT_NEAR(found[0].total.value, 1, 0.3);
  EXPECT_EQ(found[1].total.value, 0);
  EXPECT_EQ(found[1].total.high, 0);
  EXPECT_NEAR(found[1].first.value, 0, 1e-12);
}

TEST(Sensitivity, LeavesOutWhatIsNotANumber) {
  const Known known = find_ishigami();
  std::vector<double> values = evaluate(known, 5, 500);
  const std::vector<double> clean(values.begin(), values.begin() + 480 * 5);
  // The last 20 rows, each with one that is missing, in turns.
  for (std::size_t i = 480; i < 500; ++i)
    values[i * 5 + i % 5] =
        i % 2 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  EXPECT_EQ(count_left_out(values, 3), 20u);
  EXPECT_EQ(count_left_out(clean, 3), 0u);
  const auto found = find_sobol_indices(values, 3), wanted = find_sobol_indices(clean, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k].first.low, wanted[k].first.low, 1e-12);
    EXPECT_NEAR(found[k].total.high, wanted[k].total.high, 1e-12);
  }
}

TEST(Sensitivity, OfLittle) {
  const auto constant = find_sobol_indices(std::vector<double>(40, 3.0), 2);
  EXPECT_EQ(constant[0].first.value, 0);
  EXPECT_EQ(constant[0].first.low, 0);
  EXPECT_EQ(constant[1].total.high, 1);
  EXPECT_EQ(find_sobol_indices({}, 2)[1].total.high, 1);
  // One group: no spread.
  const auto one = find_sobol_indices(evaluate(find_ishigami(), 1, 64), 3, 1);
  EXPECT_EQ(one[0].total.high, std::numeric_limits<double>::infinity());
  EXPECT_THROW(find_sobol_indices(std::vector<double>(7), 2), std::invalid_argument);
  EXPECT_THROW(find_sobol_indices(std::vector<double>(8), 2, 0), std::invalid_argument);
}

}  // namespace
}  // namespace berth::statistics_sensitivity_test
