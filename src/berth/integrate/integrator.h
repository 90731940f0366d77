// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the run of a run may ask of an integrator, whatever its kind.
//
//   step(f, t_limit)       one step forward, never beyond t_limit; lands on it bit for bit
//   prepare_dense(f)       then interpolate(t, x) inside the step just made: outputs, events
//   replace_state(x)       the same moment, a slightly different state: projection
//   restart(t, x)          another moment or another f: an event was handled
//
// A failed step leaves t and x where they were.

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "berth/scalar/scalar.h"

namespace berth {

enum class StepOutcome {
  accepted,
  step_too_small,  // the tolerance asks for steps below the resolution of t: a singularity?
  non_finite,      // the derivative gives infinities or NaN however small the step
  too_many_steps,  // options.max_steps is used up
  no_solution,     // an implicit step of a given length has none that is found: too long
};

constexpr std::string_view name(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::accepted: return "accepted";
    case StepOutcome::step_too_small: return "step_too_small";
    case StepOutcome::non_finite: return "non_finite";
    case StepOutcome::too_many_steps: return "too_many_steps";
    case StepOutcome::no_solution: return "no_solution";
  }
  return "unknown";
}

struct IntegratorOptions {
  // Error of one step relative to (scale + |x|) of each block; 1e-12 is about the floor of doubles.
  double tolerance = 1e-10;
  // How errors of blocks count together: the largest, or the root of their mean square.
  bool mean_error = false;
  // Step of the methods without error estimate [s]; they need it, the others ignore it.
  double step = 0;
  // Longest step [s]: lower it when f has features that a long step would jump over.
  double max_step = std::numeric_limits<double>::infinity();
  // Shortest step [s], besides 16 ulps of t: raise it to give up early.
  double min_step = 0;
  // First step [s]; 0: found from f at the start, for two evaluations.
  double first_step = 0;
  // Steps tried, accepted or not, since `start`.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
};

struct StepCounters {
  std::uint64_t accepted = 0;
  std::uint64_t rejected = 0;
  std::uint64_t rhs = 0;  // evaluations of f, those for dense output and the first step included
  std::uint64_t jacobian = 0;       // of ∂f/∂x; implicit methods only, like the next
  std::uint64_t factorisation = 0;  // of a matrix as large as the state or a multiple of it
};

template <class I, class T, class F>
concept Integrator = Scalar<T> &&
    requires(I i, const I& c, F& f, double t, std::span<const T> x, std::span<T> out) {
  i.start(t, x);
  i.restart(t, x);
  i.replace_state(x);
  { i.step(f, t) } -> std::same_as<StepOutcome>;
  i.prepare_dense(f);
  c.interpolate(t, out);
  { c.t() } -> std::same_as<double>;
  { c.t_previous() } -> std::same_as<double>;
  { c.x() } -> std::same_as<std::span<const T>>;
  { c.counters() } -> std::same_as<StepCounters>;
};

}  // namespace berth
