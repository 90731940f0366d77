// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stepper — the integrator a run was asked for, by name: an explicit method, Radau, or variational
// steps.

#include <optional>
#include <string>
#include <variant>

#include "berth/integrate/adaptive.h"
#include "berth/run/methods.h"
#include "berth/run/stiff_stepper.h"
#include "berth/run/variational_stepper.h"

namespace berth {

class Stepper {
 public:
  // Throws std::invalid_argument when there is no such method.
  Stepper(const std::string& method, std::size_t n, std::vector<Block> blocks,
          const IntegratorOptions& options)
      : any_(build(method, n, std::move(blocks), options)) {}

  bool is_stiff() const { return std::holds_alternative<StiffStepper>(any_); }
  bool is_variational() const { return std::holds_alternative<VariationalStepper>(any_); }

  void start(double t, std::span<const double> x) {
    std::visit([&](auto& s) { s.start(t, x); }, any_);
  }
  void restart(double t, std::span<const double> x) {
    std::visit([&](auto& s) { s.restart(t, x); }, any_);
  }
  void replace_state(std::span<const double> x) {
    std::visit([&](auto& s) { s.replace_state(x); }, any_);
  }
  // f(t, x, ẋ), and f.jacobian(t, x, J) for stiff methods.
  template <class F>
  StepOutcome step(const F& f, double t_limit) {
    if (auto* stiff = std::get_if<StiffStepper>(&any_)) return stiff->step(as_stiff(f), t_limit);
    if (auto* steps = std::get_if<VariationalStepper>(&any_)) return steps->step(f, t_limit);
    return std::get<Adaptive<double>>(any_).step(f, t_limit);
  }
  // Back to where the last step began, of an explicit method.
  void take_back() { std::get<Adaptive<double>>(any_).take_back(); }
  // Evaluates f at the present state if the next step needs it there anyway. False: it does not.
  template <class F>
  bool evaluate_here(const F& f) {
    auto* explicit_steps = std::get_if<Adaptive<double>>(&any_);
    if (!explicit_steps || explicit_steps->rate_known()) return false;
    explicit_steps->rate(f);
    return true;
  }
  // The state inside the last step, which f made.
  template <class F>
  void interpolate(const F& f, double t, std::span<double> out) {
    if (auto* explicit_steps = std::get_if<Adaptive<double>>(&any_)) {
      explicit_steps->prepare_dense(f);
      explicit_steps->interpolate(t, out);
    } else if (auto* stiff = std::get_if<StiffStepper>(&any_)) {
      stiff->interpolate(t, out);
    } else {
      std::get<VariationalStepper>(any_).interpolate(f, t, out);
    }
  }
  // The length of the next step as far as accuracy goes; 0: not known.
  double natural_step() const {
    const auto* explicit_steps = std::get_if<Adaptive<double>>(&any_);
    return explicit_steps ? explicit_steps->natural_step() : 0;
  }
  // Where the last step began.
  std::span<const double> x_previous() const {
    return std::visit([](const auto& s) { return s.x_previous(); }, any_);
  }
  // Of explicit methods.
  template <class F>
  const DenseStep<double>& dense(const F& f) {
    auto& explicit_steps = std::get<Adaptive<double>>(any_);
    explicit_steps.prepare_dense(f);
    return explicit_steps.dense();
  }
  std::span<const Wrench<double>> carried_momenta() const {
    const auto* steps = std::get_if<VariationalStepper>(&any_);
    return steps ? steps->carried() : std::span<const Wrench<double>>();
  }
  VariationalStepper& variational() { return std::get<VariationalStepper>(any_); }
  double t() const {
    return std::visit([](const auto& s) { return s.t(); }, any_);
  }
  double t_previous() const {
    return std::visit([](const auto& s) { return s.t_previous(); }, any_);
  }
  std::span<const double> x() const {
    return std::visit([](const auto& s) { return s.x(); }, any_);
  }
  StepCounters counters() const {
    return std::visit([](const auto& s) { return s.counters(); }, any_);
  }

  // Of which kind it is, the method says.
  static void visit_state(auto& a, auto& self, const System<double>& system) {
    std::visit(
        [&](auto& s) {
          if constexpr (std::same_as<std::remove_cvref_t<decltype(s)>, VariationalStepper>) {
            VariationalStepper::visit_state(a, s, system);
          } else {
            a(s);
          }
        },
        self.any_);
  }
  // Any step of an explicit method, else null.
  const DenseStep<double>* blank() const {
    const auto* explicit_steps = std::get_if<Adaptive<double>>(&any_);
    return explicit_steps ? &explicit_steps->dense() : nullptr;
  }

 private:
  template <class F>
  static StiffRate as_stiff(const F& f) {
    return {f,
            [f](double t, std::span<const double> x, std::span<double> J) { f.jacobian(t, x, J); }};
  }
  using Any = std::variant<Adaptive<double>, StiffStepper, VariationalStepper>;
  static Any build(const std::string& method, std::size_t n, std::vector<Block> blocks,
                   const IntegratorOptions& options) {
    if (method == kRadauName)
      return Any(std::in_place_type<StiffStepper>, n, std::move(blocks), options);
    if (is_variational_method(method))
      return Any(std::in_place_type<VariationalStepper>, method == kVariationalNames[1], options);
    const Tableau* table = find_method(method);
    if (!table) throw std::invalid_argument("integrator: no method named " + method);
    return Any(std::in_place_type<Adaptive<double>>, *table, n, std::move(blocks), options);
  }
  Any any_;
};

}  // namespace berth
