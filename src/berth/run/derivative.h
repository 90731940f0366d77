// SPDX-License-Identifier: Apache-2.0
#pragma once

// Derivative — ẋ = f(t, x) of a run in one mode, as the stepper sees it. At some stages it leaves a
// sample of what is watched (step_samples.h).

#include "berth/run/core.h"

namespace berth {

struct Derivative {
  Core& core;
  const Mode<double>& in_mode;
  bool watched = true;  // leaves samples, and itself in core.work; else it works in core.w

  void operator()(double t, std::span<const double> x, std::span<double> x_dot) const {
    if (!watched && core.server && core.server->find_rate(core, in_mode, t, x, x_dot)) return;
    Workspace<double>& w = watched ? core.work : core.w;
    if (core.s.delays.active) find_arriving(core, in_mode, t, w);
    find_derivative(core.system, t, x, in_mode, w, x_dot);
    if (!watched) return;
    core.stage_x = x;
    core.stage_rate = x_dot;
  }
  void jacobian(double t, std::span<const double> x, std::span<double> J) const;

  Past<double>* past() const { return core.s.delays.active ? &core.s.delays.past : nullptr; }
  double shortest_delay() const { return core.s.delays.shortest; }
  const System<double>& system() const { return core.system; }
  const Mode<double>& mode() const { return in_mode; }

  std::optional<double> try_step(const Trial& trial) const {
    if (!watched || !core.server) return {};
    return core.server->try_step(core, in_mode, trial);
  }
  bool extend(const Extension& extension) const {
    return core.server && core.server->extend(core, in_mode, extension);
  }
  void begin_trial() const {
    if (watched) core.samples.begin_trial();
  }
  void sample(double t) const {
    if (watched && core.samples.size() > 0)
      fill_numbers(core, in_mode, core.stage_x, core.work, core.samples.add(t), core.far);
  }
};

}  // namespace berth
