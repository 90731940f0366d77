// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stepper — the integrator a run was asked for, by name: an explicit method or Radau.

#include <optional>
#include <string>
#include <variant>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "berth/integrate/radau.h"

namespace berth {

inline constexpr std::string_view kRadauName = "radau";

// Every method a scenario may name.
inline std::vector<std::string> list_methods() {
  std::vector<std::string> names;
  for (const Tableau* m : kExplicitMethods) names.emplace_back(m->name);
  names.emplace_back(kRadauName);
  return names;
}
inline bool is_stiff_method(std::string_view name) { return name == kRadauName; }

class Stepper {
 public:
  // Throws std::invalid_argument when there is no such method.
  Stepper(const std::string& method, std::size_t n, std::vector<Block> blocks,
          const IntegratorOptions& options)
      : any_(build(method, n, std::move(blocks), options)) {}

  bool is_stiff() const { return std::holds_alternative<Radau>(any_); }

  void start(double t, std::span<const double> x) {
    std::visit([&](auto& s) { s.start(t, x); }, any_);
  }
  void restart(double t, std::span<const double> x) {
    std::visit([&](auto& s) { s.restart(t, x); }, any_);
  }
  void replace_state(std::span<const double> x) {
    std::visit([&](auto& s) { s.replace_state(x); }, any_);
  }
  template <class F>
  StepOutcome step(F&& f, double t_limit) {
    return std::visit([&](auto& s) { return s.step(f, t_limit); }, any_);
  }
  template <class F>
  void prepare_dense(F&& f) {
    std::visit([&](auto& s) { s.prepare_dense(f); }, any_);
  }
  void interpolate(double t, std::span<double> out) const {
    std::visit([&](const auto& s) { s.interpolate(t, out); }, any_);
  }
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

 private:
  using Any = std::variant<Adaptive<double>, Radau>;
  static Any build(const std::string& method, std::size_t n, std::vector<Block> blocks,
                   const IntegratorOptions& options) {
    if (method == kRadauName) return Any(std::in_place_type<Radau>, n, std::move(blocks), options);
    const Tableau* table = find_method(method);
    if (!table) throw std::invalid_argument("integrator: no method named " + method);
    return Any(std::in_place_type<Adaptive<double>>, *table, n, std::move(blocks), options);
  }
  Any any_;
};

}  // namespace berth
