// SPDX-License-Identifier: Apache-2.0
#pragma once

// Docks and probes at rest in the equations of motion.
//
//   closure_stage       poses, rates => violations, rows, levers of every dock and rest
//   push_docks          penalty docks => effort
//   solve_multipliers   free accelerations => λ, and the accelerations they leave                (1)
//   solve_reduced       the same from independent speeds, λ on demand (reduced_impl.h)
//   find_fused_loads    accelerations => wrenches through welded docks
//
// With the rows J of all exact and Baumgarte docks and of all probes at rest, S = J M⁻¹Jᵀ from O(n) responses of the trees:
//
//   S λ = −(J a_free + γ [+ 2β ψ̇ + α² ψ]),     a = a_free + M⁻¹Jᵀλ                              (1)
//
// A probe that slides at rest has friction beside its normal load: Jᵀ becomes (J − μ Ĵ_s)ᵀ there (rest.h)
// and S is not symmetric; projection goes along J alone.
//
// Rows that say nothing new (a ring of rigid docks has six too many) make S singular. Which rows
// are solved for is therefore chosen between steps (choose_rows) and frozen within one, in Mode.
// Where one dock is reduced, all rows are solved for that way, and which speeds are independent is
// chosen and frozen likewise.

#include <optional>
#include <span>

#include "berth/system/system.h"

namespace berth {

// Closures are numbered through: docks, then rests.
template <Scalar T>
int closure_count(const System<T>& system) {
  return static_cast<int>(system.docks.size() + system.rests.size());
}
template <Scalar T>
BERTH_INLINE const Closure<T>& closure_at(const System<T>& system, int k) {
  const auto at = static_cast<std::size_t>(k), docks = system.docks.size();
  if (at < docks) return system.docks[at];
  return system.rests[at - docks];
}
template <Scalar T>
BERTH_INLINE ClosureMotion<T>& closure_at(Workspace<T>& w, int k) {
  const auto at = static_cast<std::size_t>(k), docks = w.docks.size();
  if (at < docks) return w.docks[at];
  return w.rests[at - docks];
}
template <Scalar T>
BERTH_INLINE const ClosureMotion<T>& closure_at(const Workspace<T>& w, int k) {
  const auto at = static_cast<std::size_t>(k), docks = w.docks.size();
  if (at < docks) return w.docks[at];
  return w.rests[at - docks];
}
// The dock this closure is; null: a rest.
template <Scalar T>
BERTH_INLINE const Dock<T>* find_dock(const System<T>& system, int k) {
  const auto at = static_cast<std::size_t>(k);
  return at < system.docks.size() ? &system.docks[at] : nullptr;
}
template <Scalar T>
BERTH_INLINE bool is_resting(const Rest<T>& rest, const Mode<T>& mode) {
  return mode.contacts[static_cast<std::size_t>(rest.contact)].now.touching;
}
// f(k) for every closure that multipliers hold.
template <Scalar T, class F>
BERTH_INLINE void for_each_held(const System<T>& system, const Mode<T>& mode, F&& f) {
  int k = 0;
  for (const Dock<T>& d : system.docks) {
    if (d.has_multipliers()) f(k);
    ++k;
  }
  for (const Rest<T>& r : system.rests) {
    if (is_resting(r, mode)) f(k);
    ++k;
  }
}
template <Scalar T>
bool has_multipliers(const System<T>& system, const Mode<T>& mode) {
  bool any = false;
  for_each_held(system, mode, [&](int) { any = true; });
  return any;
}

template <Scalar T>
void closure_stage(const System<T>& system, std::span<const T> x, const Mode<T>& mode,
                   Workspace<T>& w);

template <Scalar T>
void push_docks(const System<T>& system, Workspace<T>& w);

// With the accelerations of joints given, rows they leave nothing to move carry no load: joints that
// obey a reference in which the loop is closed need none.
template <Scalar T>
void solve_multipliers(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                       std::span<T> v_dot, bool joints_given = false);

template <Scalar T>
void find_fused_loads(const System<T>& system, Workspace<T>& w);

// What observers see beside the equations of motion: loads through welded docks, forces of probes at
// rest. After acceleration_stage.
template <Scalar T>
void find_observed_loads(const System<T>& system, const Mode<T>& mode, Workspace<T>& w);

// What the trees do under the loads in w.multipliers.lambda along mode.rows, into w.response; with the
// friction those loads bring about.
template <Scalar T>
void find_load_response(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                        bool with_drag = false);

// S of mode.rows into w.multipliers.S, row-major: J M⁻¹Jᵀ, only the lower triangle; or all of it, with
// friction. Expects solve_accelerations to have run.
template <Scalar T>
void find_row_matrix(const System<T>& system, const Mode<T>& mode, Workspace<T>& w,
                     bool with_drag = false);
// S with friction, and in w.multipliers.lambda a right-hand side => λ. By reflections, not by LU: they
// need no pivots, which would be a choice by value.
template <Scalar T>
void solve_sliding(const Mode<T>& mode, Workspace<T>& w);

// J of mode.rows over mode.speeds: row-major, rows `width` apart, zero after the last speed.
template <Scalar T>
void find_row_jacobian(const System<T>& system, const Mode<T>& mode, const Workspace<T>& w, T* C,
                       std::size_t width);

// What a penalty dock stores, loses and feeds in.
template <Scalar T>
T find_energy(const Dock<T>& dock, const DockMotion<T>& m);
template <Scalar T>
T find_power_lost(const Dock<T>& dock, const DockMotion<T>& m);
template <Scalar T>
T find_power_supplied(const Dock<T>& dock, const DockMotion<T>& m);

// --- between steps, in double --------------------------------------------------------------------

// Bodies that held closures push, their ancestors, and the trees they belong to.
void find_chain(const System<double>& system, Mode<double>& mode);

// Every row of held closures, independent or not.
void list_rows(const System<double>& system, Mode<double>& mode);

struct RowChoice {
  int rows = 0;            // there are
  int redundant = 0;       // left out
  std::vector<int> docks;  // that own them
};
// Keeps a largest set of independent rows in `mode`: pivoted Cholesky of S scaled to unit diagonal.
RowChoice choose_rows(const System<double>& system, double t, std::span<const double> x,
                      Mode<double>& mode, Workspace<double>& w);

// Pulls x back to ψ = 0 and ψ̇ = 0 by internal impulses: q −= M⁻¹JᵀS⁻¹ψ, v −= M⁻¹JᵀS⁻¹ψ̇. Docks that
// are not projected keep their violation. Chooses rows anew on the way. True when x was changed.
bool project(const System<double>& system, double t, std::span<double> x, Mode<double>& mode,
             Workspace<double>& w);
// The decisions of project() where S, row-major and its lower triangle, and the violations of all rows
// were found elsewhere. plain: every row of exact docks is in `mode`, nothing else is held, and one of them
// is projected. Then how many Newton steps there are, and the strengths of rows; nothing where rows are to be
// left out.
bool has_plain_rows(const System<double>& system, const Mode<double>& mode);
std::optional<int> choose_newton_steps(const System<double>& system, Mode<double>& mode,
                                       std::span<const double> S,
                                       std::span<const double> violations);
// Positions alone.
void close_gap(const System<double>& system, double t, std::span<double> x, Mode<double>& mode,
               Workspace<double>& w);

// Velocities alone: the impulses that stop every row, per dock on B2 at P2, N axes.
void stop_rates(const System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                Workspace<double>& w, std::vector<Wrench<double>>* impulses = nullptr);

// Preloads the penalty docks that ask for it with the load an exact joint would carry at the start:
// deflected by λ/k, or with ∫ψ = −λ/k_I. Changes q0 and v0 of the model and the docks' integrals.
void warm_start(System<double>& system);

// [m] and [rad]: how far a dock is from being mated.
template <Scalar T>
struct Violation {
  T position{}, attitude{};
};
template <Scalar T>
Violation<T> find_violation(const Dock<T>& dock, const DockMotion<T>& m);

// The axes in which a dock's load is given: of a loop those of the body that carries both its
// members (of two free craft, of the first port), of a dock N.
template <Scalar T>
struct LoadAxes {
  Mat3<T> R_NA = Mat3<T>::identity();
  std::string name = "N";
};
template <Scalar T>
LoadAxes<T> find_load_axes(const Model<T>& model, const Dock<T>& dock, const Motion<T>& motion);

// Present pose of the pair becomes the mated one.
void lock_here(Dock<double>& dock, const PairMotion<double>& pair);

// Welds the pair of a fused dock: the second hub to the first body, or the other way round where
// the second is no free hub. Throws std::invalid_argument when neither can.
template <Scalar T>
void weld(Model<T>& model, const Dock<T>& dock);
// Cuts it, and writes the hub's own state from the motion it had.
void cut(Model<double>& model, const Dock<double>& dock, const Motion<double>& motion,
         std::span<double> q, std::span<double> v);
// The hub it would weld: the second, unless that is part of another tree already; else the first.
// −1 when neither can be: their craft are joined, or neither port is on a free hub.
template <Scalar T>
int find_weldable_hub(const Model<T>& model, const Dock<T>& dock);

}  // namespace berth
