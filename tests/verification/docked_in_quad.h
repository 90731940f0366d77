// SPDX-License-Identifier: Apache-2.0
#pragma once

// The docked pair of papers/post_docking/docked_nadir.toml and docked_tumble.toml once more, in quadruple
// precision and with nothing of berth's: two rigid bodies in a free-falling frame, tidal gravity as
// a plain difference (27 digits are left), multipliers in inertial axes by elimination.
//
//   direction   0 = c̈            c = r₂ + R₂ p₂ − r₁ − R₁ (p₁ + arm)                            (1)
//   rigid       and 0 = ω̇₂ − ω̇₁                                                                (2)
//   length      0 = d̂·d̈ + (|ḋ|² − (d̂·ḋ)²)/|d|      d = r₂ + R₂ p₂ − r₁ − R₁ p₁               (3)

#include "tests/verification/quad.h"

namespace berth::test {

enum class QuadJoint { rigid, direction, length };

struct QuadPair {
  static constexpr double mass = 750;
  static constexpr double mu = 3.986004415e14;
  QuadJoint joint = QuadJoint::rigid;
  bool gravity_gradient = true;
  Quad3 inertia{900, 800, 600};
  Quad3 port_1{1, 0, 0}, port_2{-1, 0, 0}, arm{Quad(1) / 10, 0, 0};

  // x = [ρ₁ v₁ q₁ ω₁ | ρ₂ v₂ q₂ ω₂ | R V], body rates in body axes.
  static constexpr int body_size = 13, orbit = 2 * body_size;

  std::vector<Quad> start(const Vec3<double>& position, const Vec3<double>& velocity,
                          const Vec3<double>& omega) const {
    std::vector<Quad> x(32);
    const Quad3 s(
        Vec3<double>{5.0593897504879037e-2, 1.2214447352959327e-1, -6.4402643249395653e-2});
    const Quad s2 = dot(s, s);
    Quad q[4] = {(1 - s2) / (1 + s2), 0, 0, 0};
    ((2 / (1 + s2)) * s).write(q + 1);
    const Quad33 R = turn(q);
    const Quad3 w(omega), rho(position), v(velocity);
    // The second craft stands along x with the same attitude.
    const Quad3 offset = port_1 + arm - port_2;
    for (int k = 0; k < 2; ++k) {
      Quad* b = x.data() + k * body_size;
      (k == 0 ? rho : rho + R * offset).write(b);
      (k == 0 ? v : v + R * cross(w, offset)).write(b + 3);
      for (int i = 0; i < 4; ++i) b[6 + i] = q[i];
      w.write(b + 10);
    }
    Quad3(Vec3<double>{-5.7874158943712397e6, 1.3157053000720485e6, 3.2735193517710271e6})
        .write(x.data() + orbit);
    Quad3(Vec3<double>{-2.2216239079130748e3, -7.2728926431384180e3, -9.8869130869506983e2})
        .write(x.data() + orbit + 3);
    return x;
  }

  struct Body {
    Quad33 R;
    Quad3 r, v, omega, lever;  // N axes
    Quad3 a, alpha;            // accelerations, N axes
  };
  static Quad3 gravity(const Quad3& r) {
    const Quad n = norm(r);
    return (-Quad(mu) / (n * n * n)) * r;
  }
  // I⁻¹ t, N axes
  Quad3 turned(const Body& b, const Quad3& t) const {
    const Quad3 l = transpose(b.R) * t;
    return b.R * Quad3(l.x / inertia.x, l.y / inertia.y, l.z / inertia.z);
  }

  // Fills x_dot and gives the force on the second craft, N axes.
  Quad3 rates(const Quad* x, Quad* x_dot) const {
    const Quad3 R_O(x + orbit);
    Body b[2];
    for (int k = 0; k < 2; ++k) {
      const Quad* s = x + k * body_size;
      const Quad3 w(s + 10);
      b[k].R = turn(s + 6);
      b[k].r = Quad3(s);
      b[k].v = Quad3(s + 3);
      b[k].omega = b[k].R * w;
      b[k].lever = b[k].R * (k == 1 ? port_2 : joint == QuadJoint::length ? port_1 : port_1 + arm);
      b[k].a = gravity(R_O + b[k].r) - gravity(R_O);
      const Quad3 h(inertia.x * w.x, inertia.y * w.y, inertia.z * w.z);
      Quad3 torque = Quad(-1) * cross(w, h);
      if (gravity_gradient) {
        const Quad3 r = transpose(b[k].R) * (R_O + b[k].r);
        const Quad n = norm(r);
        torque = torque + (3 * Quad(mu) / (n * n * n * n * n)) *
                              cross(r, {inertia.x * r.x, inertia.y * r.y, inertia.z * r.z});
      }
      b[k].alpha = b[k].R * Quad3(torque.x / inertia.x, torque.y / inertia.y, torque.z / inertia.z);
    }
    // Rows: forces along axes, then torques.
    std::vector<Quad3> along{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Quad3 d = b[1].r + b[1].lever - b[0].r - b[0].lever;
    const Quad3 d_dot =
        b[1].v + cross(b[1].omega, b[1].lever) - b[0].v - cross(b[0].omega, b[0].lever);
    Quad curvature = 0;
    if (joint == QuadJoint::length) {
      const Quad n = norm(d);
      along = {(1 / n) * d};
      const Quad rate = dot(along[0], d_dot);
      curvature = (dot(d_dot, d_dot) - rate * rate) / n;
    }
    const std::size_t forces = along.size();
    if (joint == QuadJoint::rigid) along.insert(along.end(), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    const std::size_t n = along.size();
    const auto point = [](const Body& c) {
      return c.a + cross(c.alpha, c.lever) + cross(c.omega, cross(c.omega, c.lever));
    };
    // S λ = −(free acceleration), the columns by unit loads.
    std::vector<std::vector<Quad>> S(n, std::vector<Quad>(n + 1));
    for (std::size_t j = 0; j < n; ++j) {
      Quad3 a[2], alpha[2];
      for (int k = 0; k < 2; ++k) {
        const Quad sign = k == 1 ? 1 : -1;
        if (j < forces) {
          a[k] = (sign / mass) * along[j];
          alpha[k] = sign * turned(b[k], cross(b[k].lever, along[j]));
        } else {
          alpha[k] = sign * turned(b[k], along[j]);
        }
      }
      for (std::size_t i = 0; i < n; ++i)
        S[i][j] = i < forces ? dot(along[i], a[1] + cross(alpha[1], b[1].lever) - a[0] -
                                                 cross(alpha[0], b[0].lever))
                             : dot(along[i], alpha[1] - alpha[0]);
    }
    for (std::size_t i = 0; i < n; ++i)
      S[i][n] = -(i < forces ? dot(along[i], point(b[1]) - point(b[0])) + curvature
                             : dot(along[i], b[1].alpha - b[0].alpha));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        if (i == j) continue;
        const Quad f = S[i][j] / S[j][j];
        for (std::size_t k = j; k <= n; ++k) S[i][k] -= f * S[j][k];
      }
    Quad3 force, torque;
    for (std::size_t i = 0; i < n; ++i)
      (i < forces ? force : torque) =
          (i < forces ? force : torque) + (S[i][n] / S[i][i]) * along[i];

    for (int k = 0; k < 2; ++k) {
      const Quad sign = k == 1 ? 1 : -1;
      const Quad* s = x + k * body_size;
      Quad* out = x_dot + k * body_size;
      b[k].v.write(out);
      (b[k].a + (sign / mass) * force).write(out + 3);
      quaternion_rate(s + 6, Quad3(s + 10), out + 6);
      (transpose(b[k].R) * (b[k].alpha + sign * turned(b[k], cross(b[k].lever, force) + torque)))
          .write(out + 10);
    }
    Quad3(x + orbit + 3).write(x_dot + orbit);
    gravity(R_O).write(x_dot + orbit + 3);
    return force;
  }
};

}  // namespace berth::test
