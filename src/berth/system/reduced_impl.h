// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reduced equations (Kane): only independent speeds are solved for.
//
// With the free accelerations a of the trees and the rows C of all docks, the speeds split into
// dependent ones D, as many as rows, and independent ones I (mode.speeds, chosen between steps):
//
//   C v̇ = −γ           =>   v̇_D = a_D + A δ + b,   A = −C_D⁻¹C_I,   b = −C_D⁻¹(C a + γ)         (1)
//   no load along I      =>   [I Aᵀ] M [I; A] δ = −[I Aᵀ] M [0; b],   v̇_I = a_I + δ             (2)
//   loads, when asked    =>   C_Dᵀ λ = (M (v̇ − a))_D                                            (3)
//
// (2) is as small as the motion that is left; λ costs nothing until somebody asks.

#include "berth/math/ldl.h"
#include "berth/math/qr.h"
#include "berth/system/docks_impl.h"
#include "berth/system/dynamics_impl.h"

namespace berth {

// f(speed, value) for the generalised force of `wrench` on B2 at a point, and of its reaction on B1;
// levers to the point from the bodies' origins. Above their common ancestor the two cancel.
template <Scalar T, class F>
void for_each_moved_speed(const Model<T>& model, const Motion<T>& motion, int b1,
                          const Vec3<T>& lever_1, int b2, const Vec3<T>& lever_2,
                          const Wrench<T>& wrench, F&& f) {
  const int top = model.common_ancestor(b1, b2);
  const auto climb = [&](int body, Wrench<T> load) {
    for (int i = body; i != top; i = model.body(i).parent) {
      const Body<T>& b = model.body(i);
      const BodyMotion<T>& parent = motion.body(b.parent);
      for_each_push(b, motion.body(i), parent, load,
                    [&](int k, const T& x) { f(static_cast<std::size_t>(b.v + k), x); });
      load = shift(load, motion.body(i).r_BN_N - parent.r_BN_N);
    }
  };
  climb(b2, shift(wrench, lever_2));
  climb(b1, -shift(wrench, lever_1));
}

template <Scalar T>
void find_row_jacobian(const System<T>& system, const Mode<T>& mode, const Workspace<T>& w, T* C,
                       std::size_t width) {
  for (std::size_t i = 0; i < mode.rows.size(); ++i) {
    const Closure<T>& c = closure_at(system, mode.rows[i].closure);
    const ClosureMotion<T>& m = closure_at(w, mode.rows[i].closure);
    T* const row = C + i * width;
    for (std::size_t j = 0; j < width; ++j) row[j] = T(0.0);
    for_each_moved_speed(system.model, w.motion, c.port_1.body, m.lever_1, c.port_2.body, m.lever_2,
                         find_unit_load(system, mode.rows[i], w),
                         [&](std::size_t speed, const T& x) { row[mode.column[speed]] += x; });
  }
}

template <Scalar T>
void solve_reduced(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                   std::span<T> v_dot, bool with_loads) {
  const std::size_t m = mode.rows.size(), n = mode.speeds.size(), p = n - m, width = n + 1;
  if (m == 0) return;
  auto& r = w.reduced;
  const auto nv = static_cast<std::size_t>(system.model.speed_count());
  find_mass_matrix<T>(system.model, w.motion, r.composite, r.M);
  const auto mass = [&](std::size_t i, std::size_t j) -> const T& {
    return r.M[static_cast<std::size_t>(mode.speeds[i]) * nv +
               static_cast<std::size_t>(mode.speeds[j])];
  };

  // [C_D C_I | −(C a + γ)], then A and b of (1) in place of the last columns.
  T* const C = r.C.data();
  find_row_jacobian(system, mode, w, C, width);
  find_row_targets(system, mode, w, [&](std::size_t i, const T& x) { C[i * width + n] = x; });
  factor_qr(C, m, width, r.diagonal.data());
  for (std::size_t k = m; k <= n; ++k) solve_upper(C, m, width, r.diagonal.data(), k);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = m; k < n; ++k) C[i * width + k] = -C[i * width + k];
  const auto A = [&](std::size_t i, std::size_t k) -> const T& { return C[i * width + m + k]; };
  const auto b = [&](std::size_t i) -> const T& { return C[i * width + n]; };

  // (2); W = M_DI + M_DD A, with M_DD b as its last column.
  T* const W = r.W.data();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < p; ++k) {
      T sum = mass(i, m + k);
      for (std::size_t j = 0; j < m; ++j) sum += mass(i, j) * A(j, k);
      W[i * (p + 1) + k] = sum;
    }
    T sum(0.0);
    for (std::size_t j = 0; j < m; ++j) sum += mass(i, j) * b(j);
    W[i * (p + 1) + p] = sum;
  }
  T *const G = r.G.data(), *const delta = r.delta.data();  // dependent first, like mode.speeds
  T* const free = delta + m;
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      T sum = mass(m + i, m + k);
      for (std::size_t j = 0; j < m; ++j)
        sum += mass(m + i, j) * A(j, k) + A(j, i) * W[j * (p + 1) + k];
      G[i * p + k] = sum;
    }
    T sum(0.0);
    for (std::size_t j = 0; j < m; ++j) sum += mass(m + i, j) * b(j) + A(j, i) * W[j * (p + 1) + p];
    free[i] = -sum;
  }
  factor_ldl(G, p);
  solve_ldl(G, p, free);
  for (std::size_t i = 0; i < m; ++i) {
    delta[i] = b(i);
    for (std::size_t k = 0; k < p; ++k) delta[i] += A(i, k) * free[k];
  }
  for (std::size_t i = 0; i < n; ++i) v_dot[static_cast<std::size_t>(mode.speeds[i])] += delta[i];
  if (!with_loads) return;

  T* const lambda = w.multipliers.lambda.data();
  for (std::size_t i = 0; i < m; ++i) {  // (3)
    lambda[i] = T(0.0);
    for (std::size_t j = 0; j < n; ++j) lambda[i] += mass(i, j) * delta[j];
  }
  solve_transposed(C, m, width, r.diagonal.data(), lambda);
  factor_hubs(system.model, w.articulated, mode.touched, w.response);
  find_load_response(system, mode, w);
  feel_loads(system.model, mode, w);
}

}  // namespace berth
