// SPDX-License-Identifier: Apache-2.0

// The paper's rule for impacts inside a step: what is conserved is not the size of the speed but the energy
// of the steps on both sides (Fetecau and others; Gibson and Murphey's equations 4, corrected).
//
//   E = Σ ½ tr(D M Dᵀ) + ½(V_a + V_b)             of a step from a to b: −∂L_d/∂h               (1)
//   p⁺ = p⁻ + s Gᵀλ,    E⁺(s) = E⁻ + ½(W⁻ + W⁺)                                                (2)
//
// λ is the impulse of the reflection, E⁻ and W⁻ energy of the step to the impact and what was put in on
// it, losses taken off; ⁺ those of the step after. Both energies belong to the middles of their
// steps: half of each W lies between them. Without W the order of the method drops to one wherever
// something damps. s = 0, through the wall, nearly solves (2) too; the other root is near one.

#include "berth/run/paper_rule.h"

#include <cmath>

#include "berth/run/derivative.h"

namespace berth {

double find_paper_scale(Core& core, std::span<const double> reflected, bool with_work) {
  RunState& now = core.s;
  if (!(now.t > now.t_previous)) return 1;
  const Derivative f{core, now.mode};
  VariationalStepper& steps = now.stepper->variational();
  struct Ledgers {
    double potential, work;
  };
  const auto read_ledgers = [&](double t, std::span<const double> x) {
    evaluate(core, now.mode, t, x, Need::commands, core.w);
    const Balance<double> b = find_balance<double>(core.system, x, core.w);
    return Ledgers{b.potential, b.supplied - b.lost};
  };
  std::vector<double> x(now.x.size());
  now.stepper->interpolate(f, now.t_previous, x);
  const Ledgers begin = read_ledgers(now.t_previous, x), here = read_ledgers(now.t, now.x);
  const double energy = steps.find_kinetic_to(f, now.t) + 0.5 * (begin.potential + here.potential);
  const double h = std::min(steps.find_next(now.t), now.event_queue.next_time()) - now.t;
  const auto v = static_cast<std::size_t>(core.w.layout.v);
  const auto find_off = [&](double s) {  // (2)
    std::copy(now.x.begin(), now.x.end(), x.begin());
    for (std::size_t i = 0; i < reflected.size(); ++i) x[v + i] += s * (reflected[i] - x[v + i]);
    const double kinetic = steps.find_kinetic_from(f, now.t, h, x);
    const Ledgers end = read_ledgers(now.t + h, x);
    const double work = with_work ? 0.5 * (end.work - begin.work) : 0;
    return kinetic + 0.5 * (here.potential + end.potential) - energy - work;
  };
  // Secants from the reflection: off by O(h²).
  double s0 = 1, s1 = 1.001, off0 = find_off(s0), off1 = find_off(s1);
  for (int tries = 0; tries < 30 && std::fabs(s1 - s0) > 1e-14 && off1 != off0; ++tries) {
    const double s2 = s1 - off1 * (s1 - s0) / (off1 - off0);
    if (!(s2 > 0.5 && s2 < 2)) break;
    s0 = s1, off0 = off1;
    s1 = s2, off1 = find_off(s1);
  }
  evaluate_now(core, Need::commands);
  return std::isfinite(off1) && std::fabs(s1 - s0) < 1e-6 ? s1 : 1;
}

}  // namespace berth
