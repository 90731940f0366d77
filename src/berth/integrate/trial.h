// SPDX-License-Identifier: Apache-2.0
#pragma once

// Trial — one step that a Runge–Kutta method tries, all of it at once: for whoever makes it in place of
// the method, many abreast or by a compiled program (RungeKutta::try_step). Extension — the stages that
// dense output takes beside those of the step (RungeKutta::prepare_dense).

#include <cstddef>
#include <optional>
#include <span>

#include "berth/integrate/error_norm.h"
#include "berth/integrate/tableau.h"

namespace berth {

struct Trial {
  const Tableau& method;
  const ErrorNorm& norm;
  double t, t_end;
  std::span<const double> x, rate;  // where it begins
  std::span<const bool> is_sample;  // of each stage: what is watched is asked for there
  // To be filled: of all stages but the first those that dense output takes, the slope at the end where the
  // estimate needs it, and the end.
  double* k;  // rows
  std::size_t stride;
  std::span<double> x_end;
};

struct Extension {
  const Tableau& method;
  double t, t_end;
  std::span<const double> x;  // where the step began
  double* k;                  // rows: those behind the step's own are to be filled
  std::size_t stride;
};

// A derivative that makes trials and extensions itself, or not: then it gives no error ratio, or false.
template <class F>
concept MakesTrials = requires(F& f, const Trial& trial, const Extension& extension) {
  { f.try_step(trial) } -> std::same_as<std::optional<double>>;
  { f.extend(extension) } -> std::same_as<bool>;
};

}  // namespace berth
