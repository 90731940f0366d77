// SPDX-License-Identifier: Apache-2.0
#pragma once

// StiffStepper — Radau behind a wall: its linear algebra takes a compiler longer to read than all of
// the mechanics, and whoever runs a scenario includes this.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "berth/integrate/error_norm.h"
#include "berth/integrate/integrator.h"

namespace berth {

template <class Bytes>
class Archive;  // archive.h
class WrittenBytes;
class ReadBytes;

// ẋ = f(t, x) and its Jacobian, n × n, column by column.
struct StiffRate {
  std::function<void(double, std::span<const double>, std::span<double>)> f;
  std::function<void(double, std::span<const double>, std::span<double>)> jacobian;
};

class StiffStepper {
 public:
  StiffStepper(std::size_t n, std::vector<Block> blocks, const IntegratorOptions& options);
  ~StiffStepper();
  StiffStepper(const StiffStepper&);
  StiffStepper& operator=(const StiffStepper&);
  StiffStepper(StiffStepper&&) noexcept;
  StiffStepper& operator=(StiffStepper&&) noexcept;

  void start(double t, std::span<const double> x);
  void restart(double t, std::span<const double> x);
  void replace_state(std::span<const double> x);
  StepOutcome step(const StiffRate& rate, double t_limit);
  void interpolate(double t, std::span<double> out) const;
  double t() const;
  double t_previous() const;
  std::span<const double> x() const;
  std::span<const double> x_previous() const;
  StepCounters counters() const;

  static void visit_state(Archive<WrittenBytes>& a, const StiffStepper& self);
  static void visit_state(Archive<ReadBytes>& a, StiffStepper& self);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth
