// SPDX-License-Identifier: Apache-2.0
#pragma once

// Driver — integrate, stop exactly where something happens, act, continue.
//
//   Driver driver(system, options);
//   Outcome outcome = driver.run(1000.0);        // [s]; may be called again to go on
//
// Between two entries of the agenda everything is smooth: schedules, held controller outputs and
// valves do not change (Mode). An observer sees every accepted step and may look inside it.

#include <functional>
#include <string>

#include "berth/integrate/adaptive.h"
#include "berth/run/agenda.h"
#include "berth/run/outcome.h"
#include "berth/system/ledger.h"
#include "berth/system/system.h"

namespace berth {

struct RunOptions {
  std::string method = "dop853";  // any of integrate/methods.h
  IntegratorOptions integrator;
  // The frame is moved to the craft when they are farther than this from its origin [m].
  double recentre_beyond = 1000;
};

class Driver;

// Looks on while a run proceeds. `step` is called after every accepted step; returning false ends
// the run there with Ending::stopped.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual bool step(Driver& driver) = 0;
};

class Driver {
 public:
  // The system must outlive the driver. Throws std::invalid_argument on options that cannot work.
  Driver(const System<double>& system, const RunOptions& options);

  Outcome run(double t_stop, Observer* observer = nullptr);

  // When this returns true the run ends after the step in hand: wired to signals by the program.
  std::function<bool()> interrupted;

  double t() const { return stepper_.t(); }
  double t_previous() const { return stepper_.t_previous(); }
  std::span<const double> x() const { return stepper_.x(); }
  // The state inside the last step.
  void interpolate(double t, std::span<double> x);

  // Poses, rates and commands at the present state, or at any (t, x) inside the last step.
  const Workspace<double>& observe() { return observe(t(), x()); }
  const Workspace<double>& observe(double t, std::span<const double> x);

  const System<double>& system() const { return system_; }
  const Mode<double>& mode() const { return mode_; }
  Audit audit() const { return ledger_.audit(); }
  StepCounters counters() const { return stepper_.counters(); }

 private:
  void fill_agenda();
  void act(double t);
  void act_on(const Entry& entry, std::vector<double>& x);
  void sample(const Entry& entry, std::vector<double>& x);
  void open_valves(const Entry& entry, std::span<const double> x);
  bool tidy();
  void book();

  const System<double>& system_;
  RunOptions options_;
  Workspace<double> work_;     // of the derivative
  Workspace<double> looking_;  // of observers and sampling
  Mode<double> mode_;
  Agenda agenda_;
  Adaptive<double> stepper_;
  Ledger ledger_;
  bool dense_ready_ = false;
};

// Blocks of the error norm: one per position, attitude, velocity and rate; rotor angles and ledgers
// ride along.
std::vector<Block> find_error_blocks(const System<double>& system);

}  // namespace berth
