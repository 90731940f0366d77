// SPDX-License-Identifier: Apache-2.0
#include "agree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace berth::bench {
namespace {

constexpr double kFloor = 1e-6;  // m/s² or rad/s²

// Largest difference and largest value of a group of numbers. A NaN anywhere must not pass for
// agreement, and max() would drop it.
struct Group {
  double difference = 0., value = 0.;
  bool finite = true;

  void add(double a, double b) {
    difference = std::max(difference, std::abs(a - b));
    value = std::max({value, std::abs(a), std::abs(b)});
    finite = finite && std::isfinite(a) && std::isfinite(b);
  }
  double relative() const {
    if (!finite) return std::numeric_limits<double>::infinity();
    return difference / std::max(value, kFloor);
  }
};

}  // namespace

double largest_disagreement(const StackAcceleration& a, const StackAcceleration& b) {
  Group linear, angular, wheels, panels, slosh;
  for (std::size_t c = 0; c < 2; ++c) {
    const CraftAcceleration& x = a.craft[c];
    const CraftAcceleration& y = b.craft[c];
    for (std::size_t i = 0; i < 3; ++i) {
      linear.add(x.v[i], y.v[i]);
      angular.add(x.omega[i], y.omega[i]);
    }
    for (std::size_t p = 0; p < kParts; ++p)
      (p < kPanel ? wheels : p < kSlosh ? panels : slosh).add(x.xdd[p], y.xdd[p]);
  }
  return std::max({linear.relative(), angular.relative(), wheels.relative(), panels.relative(),
                   slosh.relative()});
}

double largest_disagreement(const DualArmAcceleration& a, const DualArmAcceleration& b) {
  Group linear, angular, joints;
  for (std::size_t i = 0; i < 3; ++i) {
    linear.add(a.v[i], b.v[i]);
    angular.add(a.omega[i], b.omega[i]);
  }
  for (std::size_t arm = 0; arm < 2; ++arm)
    for (std::size_t j = 0; j < kArmJoints; ++j) joints.add(a.xdd[arm][j], b.xdd[arm][j]);
  return std::max({linear.relative(), angular.relative(), joints.relative()});
}

double largest_distance(const StackState& a, const StackState& b) {
  Group all;
  for (std::size_t c = 0; c < 2; ++c) {
    const CraftState& x = a.craft[c];
    const CraftState& y = b.craft[c];
    for (std::size_t i = 0; i < 3; ++i) all.add(x.r[i], y.r[i]);
    double cosine = 0.;  // of half the angle between the attitudes, ±
    for (std::size_t i = 0; i < 4; ++i) cosine += x.q[i] * y.q[i];
    for (std::size_t i = 0; i < 4; ++i) all.add(x.q[i], std::copysign(1., cosine) * y.q[i]);
    for (std::size_t p = 0; p < kParts; ++p) all.add(x.x[p], y.x[p]);
  }
  return all.finite ? all.difference : std::numeric_limits<double>::infinity();
}

double largest_disagreement(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  Group all;
  for (std::size_t i = 0; i < a.size(); ++i) all.add(a[i], b[i]);
  return all.relative();
}

}  // namespace berth::bench
