// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens to a state in an instant: x⁻ => x⁺. Like the derivative, functions of (t, x, mode) for any
// scalar, without a branch on a value: the rows are those of the mode, chosen before (choose_rows), and
// the number of Newton steps is given.
//
//   find_rows          S of mode.rows                                      expects the motion at x
//   factor_rows        the same, factored                                  likewise
//   pull_positions     q −= M⁻¹JᵀS⁻¹ψ, a few times                          expects S
//   pull_rates         v −= M⁻¹JᵀS⁻¹ψ̇, with friction of what slides         likewise
//   stop_rows          the same twice, and the impulses it takes           likewise
//   restore_momentum   after a gap that was closed in flight
//   write_hub          the state of a hub that was welded, from its motion
//
// latch.h and docks.h put them together and make the choices in between.

#include <vector>

#include "berth/math/ldl.h"
#include "berth/system/docks.h"

namespace berth {

// For who starts far off; one step leaves rounding of what a step of the integrator leaves.
inline constexpr int kNewtonSteps = 6;
// The largest violation of what is projected: up to here it is rounding and nothing is pulled; from there
// on one step is not enough.
inline constexpr double kViolationOfRounding = 4e-16, kViolationFar = 1e-8;

template <Scalar T>
void find_rows(const System<T>& system, const Mode<T>& mode, Workspace<T>& w);
template <Scalar T>
void factor_rows(const System<T>& system, const Mode<T>& mode, Workspace<T>& w);

// Only docks that are projected, and probes at rest.
template <Scalar T>
void pull_positions(const System<T>& system, const T& t, std::span<T> x, const Mode<T>& mode,
                    Workspace<T>& w, int newton_steps);
template <Scalar T>
void pull_rates(const System<T>& system, std::span<T> x, const Mode<T>& mode, Workspace<T>& w);

// Every row. `impulses` per dock on B2 at P2, N axes.
template <Scalar T>
void stop_rows(const System<T>& system, const T& t, std::span<T> x, const Mode<T>& mode,
               Workspace<T>& w, std::span<Wrench<T>> impulses);

// Craft that multipliers hold together with a dock, as one body. No hubs where one of them stands on
// the ground, which takes any momentum.
template <Scalar T>
struct Group {
  std::vector<int> hubs;
  T mass{};
  Vec3<T> r_CN_N;               // [m] centre of mass
  Sym3<T> I_C_N;                // [kg·m²] about it
  Vec3<T> linear_N, angular_N;  // momentum, about the origin of N
};
template <Scalar T>
Group<T> find_group(const System<T>& system, const Mode<T>& mode, int dock,
                    const Motion<T>& motion);

// Shifts and turns the group that `was` as one body until it has the centre of mass and the momentum
// it had: a gap that is closed while craft fly changes r × p.
template <Scalar T>
void restore_momentum(const System<T>& system, const Mode<T>& mode, int dock, const Group<T>& was,
                      const Motion<T>& motion, std::span<T> q, std::span<T> v);

template <Scalar T>
void write_hub(const Model<T>& model, int hub, const Motion<T>& motion, std::span<T> q,
               std::span<T> v);

// Moves q by a small displacement given like speeds.
template <Scalar T>
void displace(const Model<T>& model, std::span<const T> delta, std::span<T> q);

// λ = S⁻¹ of what pick(row, its state) gives for each row, S factored or with friction; then the
// response of the trees.
template <Scalar T, class Pick>
void respond(const System<T>& system, const Mode<T>& mode, Workspace<T>& w, Pick&& pick,
             bool with_drag = false) {
  for (std::size_t i = 0; i < mode.rows.size(); ++i) {
    const ActiveRow& at = mode.rows[i];
    w.multipliers.lambda[i] =
        pick(at, closure_at(w, at.closure).rows.row[static_cast<std::size_t>(at.row)]);
  }
  if (with_drag) {
    solve_sliding(mode, w);
  } else {
    solve_ldl(w.multipliers.S.data(), mode.rows.size(), w.multipliers.lambda.data());
  }
  find_load_response<T>(system, mode, w, with_drag);
}

// f(place) for every speed that held closures can change.
template <Scalar T, class F>
void for_each_speed(const System<T>& system, const Mode<T>& mode, F&& f) {
  for (const int i : mode.touched) {
    const Body<T>& b = system.model.body(i);
    for (int s = 0; s < shape(b.joint).speeds; ++s) f(static_cast<std::size_t>(b.v + s));
  }
}

template <Scalar T>
bool is_projected(const System<T>& system, const ActiveRow& row) {
  const Dock<T>* d = find_dock(system, row.closure);
  return !d || ((d->enforce == Enforce::exact || d->enforce == Enforce::reduced) && d->projected);
}

}  // namespace berth
