// SPDX-License-Identifier: Apache-2.0

// The paper's rule for blows inside a step: what is kept is not the size of the speed but the energy
// of the steps on both sides (Fetecau and others; Gibson and Murphey's equations 4, corrected).
//
//   E = Σ ½ tr(D M Dᵀ) + ½(V_a + V_b)             of a step from a to b: −∂L_d/∂h               (1)
//   p⁺ = p⁻ + s Gᵀλ,    E⁺(s) = E⁻ + ½(W⁻ + W⁺)                                                (2)
//
// λ is the impulse of the reflection, E⁻ and W⁻ energy of the step to the blow and what was put in on
// it, losses taken off; ⁺ those of the step behind. Both energies belong to the middles of their
// steps: half of each W lies between them. Without W the order of the method drops to one wherever
// something damps. s = 0, through the wall, nearly solves (2) too; the other root is near one.

#include <cmath>

#include "berth/run/driver.h"

namespace berth {

double Driver::find_paper_scale(std::span<const double> reflected, bool with_work) {
  if (!(t_ > t_previous_)) return 1;
  const Rate f{*this};
  VariationalStepper& steps = stepper_.variational();
  struct Books {
    double potential, work;
  };
  const auto open_books = [&](double t, std::span<const double> x) {
    look(t, x);
    const Balance<double> b = find_balance<double>(system_, x, looking_);
    return Books{b.potential, b.supplied - b.lost};
  };
  std::vector<double> x(x_.size());
  stepper_.interpolate(t_previous_, x);
  const Books begin = open_books(t_previous_, x), here = open_books(t_, x_);
  const double energy = steps.find_kinetic_to(f, t_) + 0.5 * (begin.potential + here.potential);
  const double h = std::min(steps.find_next(t_), agenda_.next_time()) - t_;
  const auto v = static_cast<std::size_t>(looking_.layout.v);
  const auto find_off = [&](double s) {  // (2)
    std::copy(x_.begin(), x_.end(), x.begin());
    for (std::size_t i = 0; i < reflected.size(); ++i) x[v + i] += s * (reflected[i] - x[v + i]);
    const double kinetic = steps.find_kinetic_from(f, t_, h, x);
    const Books end = open_books(t_ + h, x);
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
  look(t_, x_);
  return std::isfinite(off1) && std::fabs(s1 - s0) < 1e-6 ? s1 : 1;
}

}  // namespace berth
