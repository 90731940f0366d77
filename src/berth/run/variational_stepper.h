// SPDX-License-Identifier: Apache-2.0
#pragma once

// VariationalStepper — steps of a fixed length by Moser and Veselov's mechanics.
//
//   variational2   one step of h
//   variational4   five of them, γh γh (1 − 4γ)h γh γh with γ = 1/(4 − 4^⅓)   (Suzuki)
//
// Steps end on multiples of h; one that is cut short by something that happens is followed by the
// rest of it. The state inside a step is that of a shorter step from its beginning: an impact is
// found by the same mechanics that goes on after it.

#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include "berth/integrate/integrator.h"
#include "berth/scalar/elementary.h"
#include "berth/system/discrete/moser_veselov.h"

namespace berth {

class VariationalStepper {
 public:
  VariationalStepper(bool fourth, const IntegratorOptions& options)
      : fourth_(fourth), options_(options) {
    if (!(options.step > 0)) throw std::invalid_argument("variational steps need a step [s]");
  }

  void start(double t, std::span<const double> x) {
    steps_ = 0;
    restart(t, x);
  }
  void restart(double t, std::span<const double> x) {
    t_ = t_previous_ = t;
    replace_state(x);
  }
  void replace_state(std::span<const double> x) {
    x_.assign(x.begin(), x.end());
    fresh_ = true;
  }

  // f.system(), f.mode()
  template <class F>
  StepOutcome step(const F& f, double t_limit) {
    if (steps_ >= options_.max_steps) return StepOutcome::too_many_steps;
    if (!mechanics_) mechanics_.emplace(f.system());
    if (fresh_) mechanics_->set_momenta(f.system(), x_);
    fresh_ = false;
    begin_ = mechanics_->momenta();
    x_begin_ = x_;
    const double end = std::min(find_next(t_), t_limit);
    const std::uint64_t before = mechanics_->evaluations();
    const bool found = advance(f, t_, end - t_, x_);
    evaluations_ += mechanics_->evaluations() - before;
    if (!found) {
      x_ = x_begin_;
      return StepOutcome::no_solution;
    }
    t_previous_ = t_;
    t_ = end;
    ++steps_;
    return StepOutcome::accepted;
  }

  template <class F>
  void interpolate(const F& f, double t, std::span<double> out) {
    if (t == t_) {
      std::copy(x_.begin(), x_.end(), out.begin());
      return;
    }
    std::copy(x_begin_.begin(), x_begin_.end(), out.begin());
    if (t == t_previous_) return;
    const MoserVeselov::Momenta end = mechanics_->momenta();
    mechanics_->restore(begin_);
    advance(f, t_previous_, t - t_previous_, out);
    mechanics_->restore(end);
  }

  // The end of the step that begins at t.
  double find_next(double t) const {
    const double h = options_.step;
    return h * (std::floor(t / h * (1 + 1e-14) + 1e-9) + 1);
  }
  // [J] kinetic energy of the step's own mechanics (MoserVeselov::find_kinetic), of one step: from the
  // beginning of the last to t; and of h from x at t, which becomes the state after it. NaN where
  // it has no solution.
  template <class F>
  double find_kinetic_to(const F& f, double t) {
    std::vector<double> x = x_begin_;
    return find_kinetic(f, t_previous_, t - t_previous_, x, [&] { mechanics_->restore(begin_); });
  }
  template <class F>
  double find_kinetic_from(const F& f, double t, double h, std::span<double> x) {
    return find_kinetic(f, t, h, x, [&] { mechanics_->set_momenta(f.system(), x); });
  }

  double t() const { return t_; }
  double t_previous() const { return t_previous_; }
  std::span<const double> x() const { return x_; }
  std::span<const double> x_previous() const { return x_begin_; }
  StepCounters counters() const { return {steps_, 0, evaluations_, 0, 0}; }
  // Momenta as they are carried; empty before the first step.
  std::span<const Wrench<double>> carried() const {
    if (!mechanics_) return {};
    return mechanics_->momenta().carried;
  }

  // Mechanics are made when they are first needed.
  static void visit_state(auto& a, auto& self, const System<double>& system) {
    auto& [fourth, options, mechanics, begin, x, x_begin, t, t_previous, fresh, steps,
           evaluations] = self;
    a(t, t_previous, fresh, steps, evaluations);
    a.fixed(x);
    bool is_made = mechanics.has_value();
    a(is_made);
    if constexpr (std::remove_cvref_t<decltype(a)>::reads) {
      mechanics.reset();
      if (is_made) mechanics.emplace(system);
    }
    if (!is_made) return;
    a(*mechanics, begin, x_begin);
    a.check(mechanics->fits(begin) && x_begin.size() == x.size(), "momenta of other bodies");
  }

 private:
  template <class F, class Start>
  double find_kinetic(const F& f, double t, double h, std::span<double> x, Start&& start) {
    const MoserVeselov::Momenta kept = mechanics_->momenta();
    start();
    const bool found = mechanics_->advance(f.system(), f.mode(), t, h, x);
    const double kinetic = mechanics_->find_kinetic(f.system());
    mechanics_->restore(kept);
    return found ? kinetic : NAN;
  }
  template <class F>
  bool advance(const F& f, double t, double h, std::span<double> x) {
    if (!fourth_) return mechanics_->advance(f.system(), f.mode(), t, h, x);
    const double gamma = 1 / (4 - cbrt(4.0));
    for (const double part : {gamma, gamma, 1 - 4 * gamma, gamma, gamma}) {
      if (!mechanics_->advance(f.system(), f.mode(), t, part * h, x)) return false;
      t += part * h;
    }
    return true;
  }

  bool fourth_;
  IntegratorOptions options_;
  std::optional<MoserVeselov> mechanics_;
  MoserVeselov::Momenta begin_;
  std::vector<double> x_, x_begin_;
  double t_ = 0, t_previous_ = 0;
  bool fresh_ = true;
  std::uint64_t steps_ = 0, evaluations_ = 0;  // evaluations that made steps
};

}  // namespace berth
