// SPDX-License-Identifier: Apache-2.0
#pragma once

// Radau IIA of order 5 as data (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.5
// and IV.8).
//
//   ẋ = f(t, x),   a step of h [s] from (t₀, x₀), three stages zᵢ = xᵢ − x₀:
//
//   stages      zᵢ = h Σⱼ aᵢⱼ f(t₀ + cⱼ h, x₀ + zⱼ)             i = 1, 2, 3                   (1)
//   solution    x₁ = x₀ + z₃                                    c₃ = 1, row 3 of a: b         (2)
//   inverse     (1/h) Σⱼ dᵢⱼ zⱼ = f(t₀ + cᵢ h, x₀ + zᵢ)         d = a⁻¹                       (3)
//   error       e = (γ/h − J)⁻¹ (f(t₀, x₀) + (1/h) Σⱼ eⱼ zⱼ)    γ: the real eigenvalue of d   (4)
//   dense       x(θ) = x₀ + Σⱼ ℓⱼ(θ) zⱼ,   t = t₀ + θ h         ℓⱼ(θ): 1 at cⱼ, 0 at          (5)
//                                                               0 and the other two
//
// The stages are the values of the collocation polynomial (5), a cubic that satisfies the equation
// at three times. Each is accurate to h⁴, however stiff f is; this stage order keeps the steps long
// on a stiff rotating spring, where methods of stage order 1 and 2 lose their order.
//
//   d = T Λ T⁻¹,   Λ = γ  ⊕  ( α −β ; β α )                                                   (6)
//
// takes linear equations of three coupled stages apart into a real and a complex one of size n.

#include <array>

namespace berth::radau_table {

using Matrix3 = std::array<std::array<double, 3>, 3>;

inline constexpr double kRoot6 = 2.4494897427831780982;

inline constexpr std::array<double, 3> c = {(4 - kRoot6) / 10, (4 + kRoot6) / 10, 1};

inline constexpr Matrix3 a = {{
    {(88 - 7 * kRoot6) / 360, (296 - 169 * kRoot6) / 1800, (-2 + 3 * kRoot6) / 225},
    {(296 + 169 * kRoot6) / 1800, (88 + 7 * kRoot6) / 360, (-2 - 3 * kRoot6) / 225},
    {(16 - kRoot6) / 36, (16 + kRoot6) / 36, 1.0 / 9},
}};

inline constexpr Matrix3 d = {{
    {3.2247448713915890491, 1.1678400846904054949, -0.25319726474218082619},
    {-3.5678400846904054949, 0.7752551286084109509, 1.0531972647421808262},
    {5.5319726474218082619, -7.5319726474218082619, 5},
}};

inline constexpr double gamma = 3.6378342527444957322;
inline constexpr double alpha = 2.6810828736277521339;
inline constexpr double beta = 3.0504301992474105694;

inline constexpr Matrix3 T = {{
    {0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0},
}};
inline constexpr Matrix3 T_inverse = {{
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497},
}};

inline constexpr std::array<double, 3> e = {-(13 + 7 * kRoot6) / 3, (-13 + 7 * kRoot6) / 3,
                                            -1.0 / 3};

// ℓ₁, ℓ₂, ℓ₃ of (5); θ beyond 1 extrapolates.
constexpr std::array<double, 3> find_basis(double theta) {
  std::array<double, 3> l{};
  for (std::size_t j = 0; j < 3; ++j) {
    l[j] = theta / c[j];
    for (std::size_t m = 0; m < 3; ++m) {
      if (m != j) l[j] *= (theta - c[m]) / (c[j] - c[m]);
    }
  }
  return l;
}

// --- proof ---------------------------------------------------------------------------------------

constexpr bool near(double x, double y) { return x - y < 1e-13 && y - x < 1e-13; }

constexpr double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }

constexpr bool equal(const Matrix3& x, const Matrix3& y) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (!near(x[i][j], y[i][j])) return false;
    }
  }
  return true;
}

constexpr Matrix3 product(const Matrix3& x, const Matrix3& y) {
  Matrix3 p{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t m = 0; m < 3; ++m) p[i][j] += x[i][m] * y[m][j];
    }
  }
  return p;
}

inline constexpr Matrix3 kUnit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
inline constexpr Matrix3 kLambda = {{{gamma, 0, 0}, {0, alpha, -beta}, {0, beta, alpha}}};

// Σⱼ aᵢⱼ cⱼ^(q−1) = cᵢ^q / q: each stage integrates polynomials of degree q − 1.
constexpr bool integrates(std::size_t i, int q) {
  double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) sum += a[i][j] * power(c[j], q - 1);
  return near(sum, power(c[i], q) / q);
}

// The bracket of (4) on x = t^q, h = 1.
constexpr double error_of_power(int q) {
  double sum = q == 1 ? 1 : 0;
  for (std::size_t j = 0; j < 3; ++j) sum += e[j] * power(c[j], q);
  return sum;
}

static_assert(near(kRoot6 * kRoot6, 6));
static_assert(integrates(0, 1) && integrates(0, 2) && integrates(0, 3), "stage order 3");
static_assert(integrates(1, 1) && integrates(1, 2) && integrates(1, 3), "stage order 3");
static_assert(integrates(2, 1) && integrates(2, 2) && integrates(2, 3) && integrates(2, 4) &&
                  integrates(2, 5) && !integrates(2, 6),
              "order 5");
static_assert(equal(product(a, d), kUnit));
static_assert(equal(product(T, T_inverse), kUnit));
static_assert(equal(product(d, T), product(T, kLambda)));
static_assert(near(error_of_power(1), 0) && near(error_of_power(2), 0) &&
                  near(error_of_power(3), 0) && !near(error_of_power(4), 0),
              "the estimate is of order 3");

}  // namespace berth::radau_table
