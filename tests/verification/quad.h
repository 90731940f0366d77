// SPDX-License-Identifier: Apache-2.0
#pragma once

// The other road: quadruple precision (34 digits), its own vectors and its own integrator.
//
//   Quad             __float128; sums and products come with the compiler, the root is Newton's
//   Quad3            vectors, apart from berth's on purpose
//   solve_in_quad    Gragg–Bulirsch–Stoer: midpoint rule with 2, 4, …, 2K substeps, extrapolated to
//                    substep zero; order 2K, nothing shared with Runge–Kutta

#include <array>
#include <cmath>
#include <vector>

#include "berth/math/vec3.h"

namespace berth::test {

using Quad = __float128;

inline double to_double(Quad x) { return static_cast<double>(x); }

// Two Newton steps from the double root: 16, 32, all digits.
inline Quad root(Quad x) {
  if (!(x > 0)) return 0;
  Quad y = std::sqrt(to_double(x));
  for (int i = 0; i < 2; ++i) y = (y + x / y) / 2;
  return y;
}

struct Quad3 {
  Quad x = 0, y = 0, z = 0;

  Quad3() = default;
  Quad3(Quad a, Quad b, Quad c) : x(a), y(b), z(c) {}
  explicit Quad3(const Vec3<double>& v) : x(v.x), y(v.y), z(v.z) {}
  explicit Quad3(const Quad* p) : x(p[0]), y(p[1]), z(p[2]) {}
  void write(Quad* p) const { p[0] = x, p[1] = y, p[2] = z; }
};
inline Quad3 operator+(const Quad3& a, const Quad3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Quad3 operator-(const Quad3& a, const Quad3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Quad3 operator*(Quad s, const Quad3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Quad dot(const Quad3& a, const Quad3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Quad3 cross(const Quad3& a, const Quad3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Quad norm(const Quad3& a) { return root(dot(a, a)); }
inline Vec3<double> to_double(const Quad3& a) {
  return {to_double(a.x), to_double(a.y), to_double(a.z)};
}

// The distance between berth's vector and the reference, formed before anything is rounded.
inline double distance(const Vec3<double>& ours, const Quad3& theirs) {
  return to_double(norm(Quad3(ours) - theirs));
}

// A 3×3 by rows; `turn` takes B components to N for a unit quaternion (w, x, y, z).
struct Quad33 {
  Quad3 a, b, c;
};
inline Quad3 operator*(const Quad33& m, const Quad3& v) {
  return {dot(m.a, v), dot(m.b, v), dot(m.c, v)};
}
inline Quad33 turn(const Quad* q) {
  const Quad w = q[0], x = q[1], y = q[2], z = q[3];
  return {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
          {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
          {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
}
// q̇ = ½ q ⊗ (0, ω_B)
inline void quaternion_rate(const Quad* q, const Quad3& omega, Quad* rate) {
  const Quad3 v(q + 1);
  const Quad3 d = q[0] * omega + cross(v, omega);
  rate[0] = -dot(v, omega) / 2;
  ((1 / Quad(2)) * d).write(rate + 1);
}
inline Quad33 transpose(const Quad33& m) {
  return {{m.a.x, m.b.x, m.c.x}, {m.a.y, m.b.y, m.c.y}, {m.a.z, m.b.z, m.c.z}};
}
inline Quad33 symmetric(const Sym3<double>& s) {
  return {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
}
// Cramer's rule.
inline Quad3 solve(const Quad33& m, const Quad3& v) {
  const Quad33 t = transpose(m);
  const Quad3 bc = cross(t.b, t.c);
  const Quad inv = 1 / dot(t.a, bc);
  return {inv * dot(v, bc), inv * dot(t.a, cross(v, t.c)), inv * dot(t.a, cross(t.b, v))};
}
// Largest difference between the nine numbers.
inline double distance(const Mat3<double>& ours, const Quad33& theirs) {
  const Vec3<double> rows[3] = {
      {ours.xx, ours.xy, ours.xz}, {ours.yx, ours.yy, ours.yz}, {ours.zx, ours.zy, ours.zz}};
  return std::fmax(distance(rows[0], theirs.a),
                   std::fmax(distance(rows[1], theirs.b), distance(rows[2], theirs.c)));
}

struct QuadSolution {
  std::vector<Quad> x;
  double error = 0;  // sum over the steps of the last correction of the extrapolation
};

// x(t_1) of ẋ = f(t, x) in equal steps; f(t, x, x_dot) on pointers. Check `error`.
template <class F>
QuadSolution solve_in_quad(F&& f, std::vector<Quad> x, Quad t_0, Quad t_1, int steps) {
  constexpr int kColumns = 12;
  const std::size_t n = x.size();
  std::array<std::vector<Quad>, kColumns> table;
  std::vector<Quad> before(n), now(n), rate_0(n), rate(n);
  const Quad H = (t_1 - t_0) / steps;
  double error = 0;
  for (int step = 0; step < steps; ++step) {
    const Quad t = t_0 + step * H;
    f(t, x.data(), rate_0.data());
    for (int j = 0; j < kColumns; ++j) {
      // The midpoint rule with 2 (j + 1) substeps.
      const int m = 2 * (j + 1);
      const Quad h = H / m;
      before = x;
      for (std::size_t i = 0; i < n; ++i) now[i] = x[i] + h * rate_0[i];
      for (int k = 1; k < m; ++k) {
        f(t + k * h, now.data(), rate.data());
        for (std::size_t i = 0; i < n; ++i) {
          const Quad next = before[i] + 2 * h * rate[i];
          before[i] = now[i];
          now[i] = next;
        }
      }
      // Neville: table[l] becomes the extrapolate of the last j − l + 1 results.
      table[std::size_t(j)] = now;
      for (int l = j - 1; l >= 0; --l) {
        const Quad ratio = Quad((j + 1) * (j + 1)) / ((l + 1) * (l + 1));
        Quad correction = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const Quad d = (table[std::size_t(l) + 1][i] - table[std::size_t(l)][i]) / (ratio - 1);
          table[std::size_t(l)][i] = table[std::size_t(l) + 1][i] + d;
          correction += d * d;
        }
        if (j == kColumns - 1 && l == 0) error += to_double(root(correction));
      }
    }
    x = table[0];
  }
  return {x, error};
}

}  // namespace berth::test
