// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/truncated_normal.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "berth/sampling/normal_distribution.h"
#include "berth/scalar/elementary.h"

namespace berth {

namespace {

struct GaussPoint {
  double place, weight;
};
constexpr std::array<GaussPoint, 8> kGaussPoints = {{
    {0.095012509837637440185, 0.18945061045506849629},
    {0.28160355077925891323, 0.18260341504492358887},
    {0.45801677765722738634, 0.16915651939500253819},
    {0.61787624440264374845, 0.14959598881657673208},
    {0.7554044083550030339, 0.12462897125553387205},
    {0.86563120238783174388, 0.09515851168249278481},
    {0.94457502307323257608, 0.062253523938647892863},
    {0.9894009349916499326, 0.027152459411754094852},
}};

constexpr double kNarrow = 1;

double find_middle(const TruncatedNormal& n) { return n.a + 0.5 * n.width; }

// M₀, M₁, M₂ of (5)
std::array<double, 3> find_moments(const TruncatedNormal& n) {
  const double m = find_middle(n), h = 0.5 * n.width;
  std::array<double, 3> moments{};
  for (const GaussPoint& point : kGaussPoints)
    for (const double t : {-point.place, point.place}) {
      const double density = point.weight * exp(-h * t * (m + 0.5 * h * t));
      moments[0] += density;
      moments[1] += density * t;
      moments[2] += density * t * t;
    }
  return moments;
}

}  // namespace

double TruncatedNormal::probability() const {
  if (width < kNarrow)
    return 0.5 * width * find_normal_density(find_middle(*this)) * find_moments(*this)[0];
  if (a > 0) return find_normal_complement(a) - find_normal_complement(b);
  return find_normal_cumulative(b) - find_normal_cumulative(a);
}

double TruncatedNormal::quantile(Tails u) const {
  const double below = find_normal_cumulative(a) * u.above + find_normal_cumulative(b) * u.below;
  const double above = find_normal_complement(a) * u.above + find_normal_complement(b) * u.below;
  const double z = below < above ? find_normal_quantile(below) : -find_normal_quantile(above);
  return std::clamp(z, a, b);
}

double TruncatedNormal::mean() const {
  if (width < kNarrow) {
    const auto [m_0, m_1, m_2] = find_moments(*this);
    return find_middle(*this) + 0.5 * width * (m_1 / m_0);
  }
  return (find_normal_density(a) - find_normal_density(b)) / probability();
}

double TruncatedNormal::deviation() const {
  if (width < kNarrow) {
    const auto [m_0, m_1, m_2] = find_moments(*this);
    return 0.5 * width * std::sqrt(m_2 / m_0 - m_1 * m_1 / (m_0 * m_0));
  }
  const double mu = mean();
  const double slope = a * find_normal_density(a) - b * find_normal_density(b);
  return std::sqrt(1 + slope / probability() - mu * mu);
}

}  // namespace berth
