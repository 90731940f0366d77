// SPDX-License-Identifier: Apache-2.0
#pragma once

// ChebyshevSeries — the polynomial through samples at the Chebyshev–Lobatto points, n = 8 or 16.
//
//   points         x_j = −cos(π j/n),  j = 0 … n               ascending, in [−1, 1]            (1)
//   series         p(x) = Σ c_k T_k(x)                                                          (2)
//   coefficients   c_k = (2/n) (−1)^k Σ'' v_j cos(π j k/n)     '' halves the first and last term;
//                                                              c_0 and c_n are halved           (3)
//   derivative     c'_{k−1} = c'_{k+1} + 2 k c_k,  c'_0 halved                                  (4)
//   bend           |d²p/dθ²| ≤ M = Σ k² |c_k|,  x = −cos θ: between neighbouring points, π/n apart
//                  in θ, p leaves the chord by no more than M (π/n)²/8                          (5)
//
// The last coefficients measure what the series does not resolve: for a smooth function they decay
// geometrically, for a kink like 1/k², for a jump like 1/k.
//
// Turning points are found with certainty, without eigenvalues: the roots of p⁽ᵏ⁾ divide [−1, 1]
// into intervals on which p⁽ᵏ⁻¹⁾ is monotone and has at most one root. Starting from the first
// derivative that keeps its sign, |c_0| > Σ |c_k|, level by level, down to p′.

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "berth/integrate/root.h"

namespace berth {

inline constexpr std::size_t kMaxDegree = 16;

namespace detail {

// cos(π i/16), i = 0 … 8, exact to the last bit; the rest by symmetry.
inline constexpr std::array<double, 9> kCosines = {1,
                                                   0.98078528040323044913,
                                                   0.92387953251128675613,
                                                   0.83146961230254523708,
                                                   0.70710678118654752440,
                                                   0.55557023301960222474,
                                                   0.38268343236508977173,
                                                   0.19509032201612826785,
                                                   0};

// cos(π i/16) for any i ≥ 0.
constexpr double cosine_16(std::size_t i) {
  i %= 32;
  if (i > 16) i = 32 - i;
  return i <= 8 ? kCosines[i] : -kCosines[16 - i];
}

}  // namespace detail

// x_j of n + 1 points (1).
constexpr double chebyshev_point(std::size_t j, std::size_t n) {
  return -detail::cosine_16(j * (16 / n));
}

struct TurningPoints {
  std::array<double, kMaxDegree> x;
  std::size_t count = 0;
};

class ChebyshevSeries {
 public:
  ChebyshevSeries() = default;

  // From v_0 … v_n, n = 8 or 16.
  explicit ChebyshevSeries(std::span<const double> v) : degree_(v.size() - 1) {
    const std::size_t n = degree_, stride = 16 / n;
    for (std::size_t k = 0; k <= n; ++k) {
      double sum = 0.5 * (v[0] + (k % 2 ? -v[n] : v[n]));
      for (std::size_t j = 1; j < n; ++j) sum += v[j] * detail::cosine_16(j * k * stride);
      c_[k] = (k % 2 ? -2.0 : 2.0) / double(n) * sum;  // (3)
    }
    c_[0] *= 0.5;
    c_[n] *= 0.5;
  }

  std::size_t degree() const { return degree_; }
  double operator[](std::size_t k) const { return c_[k]; }

  double operator()(double x) const {
    double b_1 = 0, b_2 = 0;  // Clenshaw
    for (std::size_t k = degree_; k > 0; --k) {
      const double b = 2 * x * b_1 - b_2 + c_[k];
      b_2 = b_1;
      b_1 = b;
    }
    return x * b_1 - b_2 + c_[0];
  }

  // Σ |c_k|, k = first … last.
  double sum(std::size_t first, std::size_t last) const {
    double total = 0;
    for (std::size_t k = first; k <= last; ++k) total += std::fabs(c_[k]);
    return total;
  }

  // By how much p leaves the chord between two of n + 1 neighbouring points, at most.
  double find_bend(std::size_t n) const {
    double m = 0;
    for (std::size_t k = 1; k <= degree_; ++k) m += double(k * k) * std::fabs(c_[k]);
    const double spacing = M_PI / double(n);
    return m * spacing * spacing / 8;  // (5)
  }

  ChebyshevSeries derivative() const {
    ChebyshevSeries d;
    if (degree_ == 0) return d;
    d.degree_ = degree_ - 1;
    for (std::size_t k = degree_; k > 0; --k) {
      d.c_[k - 1] = (k + 1 <= d.degree_ ? d.c_[k + 1] : 0) + 2 * double(k) * c_[k];  // (4)
    }
    d.c_[0] *= 0.5;
    return d;
  }

  // Drops the last terms as long as they change p by no more than `allowed` together.
  void trim(double allowed) {
    double dropped = 0;
    while (degree_ > 0 && (dropped += std::fabs(c_[degree_])) <= allowed) --degree_;
  }

  // Where p′ changes sign inside (−1, 1), ascending.
  TurningPoints find_turning_points() const {
    TurningPoints found;
    std::array<ChebyshevSeries, kMaxDegree + 1> derivatives;  // by order
    std::size_t k = 1;
    for (derivatives[1] = derivative(); !derivatives[k].keeps_sign() && k < degree_; ++k)
      derivatives[k + 1] = derivatives[k].derivative();
    // That of order k has no root.
    while (--k > 0) found = find_roots(derivatives[k], found);
    return found;
  }

 private:
  // By its coefficients, |T_k| ≤ 1; the last derivative, a constant, does, and so does zero.
  bool keeps_sign() const { return degree_ == 0 || std::fabs(c_[0]) > 1.001 * sum(1, degree_); }

  // The roots of p, which is monotone between the knots.
  static TurningPoints find_roots(const ChebyshevSeries& p, const TurningPoints& knots) {
    constexpr double kTolerance = 1e-14;  // in x
    TurningPoints roots;
    double a = -1, p_a = p(a);
    for (std::size_t i = 0; i <= knots.count; ++i) {
      const double b = i < knots.count ? knots.x[i] : 1.0;
      const double p_b = p(b);
      const bool crosses = (p_a < 0 && p_b >= 0) || (p_a > 0 && p_b <= 0);
      if (crosses && a < b) {
        const double x = solve_root(p, a, b, p_a, p_b, kTolerance).after;
        if (x < 1) roots.x[roots.count++] = x;
      }
      a = b;
      p_a = p_b;
    }
    return roots;
  }

  std::size_t degree_ = 0;
  std::array<double, kMaxDegree + 1> c_{};
};

}  // namespace berth
