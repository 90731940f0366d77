// SPDX-License-Identifier: Apache-2.0
#pragma once

// StepServer — who computes for a run in place of the loop: compiled programs, many cases abreast.
//
// The loop asks for whole pieces of work. Each may be declined, and is then done as without a server; the
// numbers are the same bit for bit.

#include <optional>
#include <span>

#include "berth/integrate/trial.h"
#include "berth/run/step_end.h"
#include "berth/system/system.h"

namespace berth {

struct Core;

class StepServer {
 public:
  virtual ~StepServer() = default;

  // The error ratio of a step; what is watched goes into core.samples.
  virtual std::optional<double> try_step(Core& core, const Mode<double>& mode,
                                         const Trial& trial) = 0;
  // The stages that dense output takes beside those of the step.
  virtual bool extend(const Core& core, const Mode<double>& mode, const Extension& extension) = 0;
  virtual bool find_rate(const Core& core, const Mode<double>& mode, double t,
                         std::span<const double> x, std::span<double> rate) = 0;
  // Some of what is watched, at states inside a step, one after the other; whether open docks and contacts
  // are among it.
  virtual bool find_numbers(const Core& core, const Mode<double>& mode, std::span<const double> t,
                            std::span<const double> x, std::span<const std::size_t> wanted,
                            bool sees_idle, std::span<double> numbers) = 0;
  // Numbers of a row of channels, at a state the mode of which has just been changed.
  virtual bool find_channels(const Core& core, const Mode<double>& mode, double t,
                             std::span<const double> x, std::span<const int> places,
                             std::span<double> numbers) = 0;
  // All of it, the slope, and what the loop has to know of the end of a step.
  virtual bool find_end(const Core& core, const Mode<double>& mode, double t,
                        std::span<const double> x, std::span<double> numbers,
                        std::span<double> rate, StepEnd<double>& end) = 0;
  // The state back on what holds the craft, and the strengths of the rows of the mode, as by project().
  virtual bool pull_onto_rows(const Core& core, Mode<double>& mode, double t,
                              std::span<double> x) = 0;
};

// The one a run has, which a copy of the run does not.
class OwnServer {
 public:
  OwnServer() = default;
  OwnServer(const OwnServer&) {}
  OwnServer& operator=(const OwnServer&) {
    server_ = nullptr;
    return *this;
  }
  void set(StepServer* server) { server_ = server; }
  explicit operator bool() const { return server_ != nullptr; }
  StepServer* operator->() const { return server_; }

 private:
  StepServer* server_ = nullptr;
};

}  // namespace berth
