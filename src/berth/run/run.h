// SPDX-License-Identifier: Apache-2.0
#pragma once

// HybridRun — a hybrid run: integrate, locate the first thing that happens, act, record, continue.
//
//   HybridRun run(system, options);
//   Outcome outcome = run.advance(1000.0);        // [s]; may be called again to go on
//
// Between two events everything is smooth: schedules, held controller outputs and valves do not
// change (Mode). What happens at a known time stands in the event queue; what happens when a margin
// crosses zero is located inside the step. One step, with the functions by name:
// docs/architecture.md.

#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/integrate/error_norm.h"
#include "berth/run/event.h"
#include "berth/run/external.h"
#include "berth/run/observer.h"
#include "berth/run/options.h"
#include "berth/run/outcome.h"
#include "berth/system/channels.h"
#include "berth/system/contact_track.h"
#include "berth/system/dock_track.h"
#include "berth/system/ledger.h"
#include "berth/system/thruster_track.h"

namespace berth {

struct Core;
class Progress;
class StepServer;

class HybridRun {
 public:
  // The run has its own copy of the system: events switch parts of it.
  // Throws std::invalid_argument on options that cannot work.
  HybridRun(System<double> system, const RunOptions& options);
  ~HybridRun();
  // A copy goes on as the original would, bit for bit.
  HybridRun(const HybridRun& other);
  HybridRun& operator=(const HybridRun& other);

  // Before the first advance.
  void set_events(std::vector<Event> events);

  // A step that reaches beyond `pause` is made, but nobody sees it and nothing happens at its end before
  // advance() is called again: is_ahead().
  Outcome advance(double t_stop, Observer* observer = nullptr, double pause = INFINITY);
  bool is_ahead() const { return ahead_ != Ahead::no; }

  // Who computes in place of the loop, as long as the run lives; null: nobody. A copy has none.
  void serve(StepServer* server);
  // Who takes part as the external of this number; null: nobody. Copies share it.
  void connect(std::size_t external, std::shared_ptr<const ExternalSource> source);
  // Between two calls of advance(): goes on with another system of the same structure, where `from` is the
  // one it was made of, before any event. Throws std::invalid_argument, with the reason, where a state of
  // the one is none of the other; the run is then as it was.
  void change(const System<double>& from, System<double> to, const RunOptions& options,
              const std::vector<Event>& events, Observer* observer = nullptr);
  // That reason; empty where there is none.
  std::string find_obstacle(const System<double>& from, const System<double>& to,
                            const RunOptions& options, const std::vector<Event>& events) const;
  // What an external has thrown, where it broke off the run.
  std::exception_ptr failure() const;

  // The complete state between two calls of advance() as bytes. A run made of the same system, options
  // and events goes on from them as this one does, bit for bit; budgets may differ. An observer that
  // wants a state saved on the way returns false from step(): the run is saved and advanced again.
  // From inside advance(), or ahead, both throw std::logic_error.
  std::string save() const;
  // Throws std::runtime_error when the bytes are damaged or belong to another run, and says what
  // differs; the run is then as it was.
  void restore(std::string_view bytes);

  // When this returns true the run ends after the step in hand: wired to signals by the program.
  std::function<bool()> interrupted;

  double t() const;
  double t_previous() const;
  // [s] No step made next is longer than about this; 0: not known.
  double next_step() const;
  // [s] At which the next step ends at the latest, since something is known to happen there.
  double next_instant() const;
  std::span<const double> x() const;
  // The state inside the last step, by its dense output; observers may ask.
  void interpolate(double t, std::span<double> x);
  // The same by a step of the method itself from where the last step began: to all its digits.
  void find_state(double t, std::span<double> x);

  // Everything up to the accelerations at the present state, or at any (t, x) in the last step.
  const Workspace<double>& observe() { return observe(t(), x()); }
  const Workspace<double>& observe(double t, std::span<const double> x);
  // As it was last observed; blank after restore().
  const Workspace<double>& observed() const { return seen_; }

  const Channels& channels() const;
  // All channels at (t, x).
  void fill_row(double t, std::span<const double> x, std::span<double> row);

  const System<double>& system() const;
  const Mode<double>& mode() const;
  Audit audit() const;
  StepCounters counters() const;
  // Of free trees, as variational steps carry them (moser_veselov.h), by body; else empty.
  std::span<const Wrench<double>> carried_momenta() const;
  const std::vector<DockTrack>& dock_tracks() const;
  const std::vector<ContactTrack>& contact_tracks() const;
  const std::vector<ThrusterTrack>& thruster_tracks() const;
  const std::vector<EventRecord>& event_records() const;
  // What a user should know of: a latch that was refused.
  const std::vector<std::string>& warnings() const;
  const std::string& verdict() const;
  // Of events that follow it: how near each inequality came to holding.
  struct BestReached {
    std::string event, channel;
    double limit;
    bool greater;    // above the limit, or below it
    double best, t;  // in the unit of the channel; [s]; NaN before anything was watched
    bool met;
  };
  std::vector<BestReached> best_reached() const;
  // Events that have not acted so far.
  std::vector<std::string> waiting_events() const;
  // Set by an event that changes how often is recorded.
  std::optional<double> record_interval() const;

 private:
  template <class A, class Run>
  static void visit_state(A& a, Run& run);
  void start(double t_stop);
  StepOutcome make_step(double t_limit);
  void take_back_step();
  void cut_step(double t);
  void evaluate_end();
  bool serve_end();
  void log_end();
  Outcome find_ending() const;
  std::optional<Outcome> go_on(double t_stop, const Progress& progress, bool& happens);
  bool act(bool happens);
  bool settle_instant();
  void watch();
  bool tidy();
  bool project_end();

  std::unique_ptr<Core> core_;
  Workspace<double> seen_;  // of observers
  Mode<double> seen_mode_;
  bool inside_is_mode_ = false;  // core_.inside is what the next step is made in
  bool advancing_ = false;       // no state to save or to replace
  enum class Ahead : unsigned char { no, quiet, happens } ahead_ = Ahead::no;
};

// Blocks of the error norm: one per position, attitude, velocity and rate; rotor angles and ledgers
// ride along.
std::vector<Block> find_error_blocks(const System<double>& system);

}  // namespace berth
