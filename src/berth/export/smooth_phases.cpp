// SPDX-License-Identifier: Apache-2.0
#include "berth/export/smooth_phases.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "berth/ensemble/run_graphs.h"
#include "berth/integrate/adaptive.h"
#include "berth/run/run.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

bool have_same_bits(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

std::vector<std::string> list_joined(const System<double>& system, const Mode<double>& mode) {
  std::vector<std::string> out;
  for (const Dock<double>& d : system.docks)
    if (d.engaged) out.push_back(d.name);
  for (std::size_t k = 0; k < system.contacts.size(); ++k)
    if (mode.contacts[k].now.touching || mode.contacts[k].then.touching)
      out.push_back(system.contacts[k].name);
  return out;
}

// Sees every step of a run and computes none of them.
class PhaseFinder : public StepServer, public Observer {
 public:
  PhaseFinder(const PhaseOptions& options, double step) : options_(options) { out_.step = step; }

  std::optional<double> try_step(Core& core, const Mode<double>& mode,
                                 const Trial& trial) override {
    core_ = &core;
    step_.t = trial.t;
    step_.t_end = trial.t_end;
    step_.t_limit = std::min(options_.t_stop, core.s.event_queue.next_time());
    step_.x.assign(trial.x.begin(), trial.x.end());
    find_key(core, mode, step_.key);
    find_inputs(core, mode, trial.t, step_.u[0]);
    if (core.s.delays.active) {
      find_inputs(core, mode, trial.t + 0.5 * (trial.t_end - trial.t), step_.u[1]);
      find_inputs(core, mode, trial.t_end, step_.u[2]);
    } else {
      step_.u[1] = step_.u[2] = step_.u[0];
    }
    // A force that comes back within the step is not known before it is made.
    step_.is_known = !core.s.delays.active || core.s.delays.shortest >= trial.t_end - trial.t;
    step_.phase = find_phase(core, mode, trial);
    if (std::exchange(is_transition_open_, false)) finish_transition(core, mode, trial);
    return {};
  }
  bool extend(const Core&, const Mode<double>&, const Extension&) override { return false; }
  bool find_rate(const Core&, const Mode<double>&, double, std::span<const double>,
                 std::span<double>) override {
    return false;
  }
  bool find_numbers(const Core&, const Mode<double>&, std::span<const double>,
                    std::span<const double>, std::span<const std::size_t>, bool,
                    std::span<double>) override {
    return false;
  }
  bool find_channels(const Core&, const Mode<double>&, double, std::span<const double>,
                     std::span<const int>, std::span<double>) override {
    return false;
  }
  bool find_end(const Core&, const Mode<double>&, double, std::span<const double>,
                std::span<double>, std::span<double>, StepEnd<double>&) override {
    return false;
  }
  bool pull_onto_rows(const Core&, Mode<double>&, double, std::span<double>) override {
    return false;
  }

  bool step(HybridRun& run) override {
    if (step_.phase < 0) return true;
    SmoothPhase& phase = out_.phases[index(step_.phase)];
    ++phase.steps;
    if (!step_.is_known) phase.hindrance = "a force comes back within a step; take a shorter one";
    if (phase.obstacle.empty() && is_whole(run)) {
      add_step(phase, run);
    } else {
      keep_stretch();
    }
    return true;
  }

  void before(HybridRun& run) override {
    if (!core_) return;  // at the start
    if (!system_before_ || changes_before_ != core_->changes) system_before_ = core_->system;
    changes_before_ = core_->changes;
    mode_before_ = run.mode();
    x_before_.assign(run.x().begin(), run.x().end());
    joints_.clear();
  }
  void event(HybridRun&, const EventRecord& what) override {
    const bool latches = what.kind == "latch";
    if (!core_ || (!latches && what.kind != "release")) return;
    JointChange change{0, latches, false};
    while (core_->system.docks[index(change.dock)].name != what.name) ++change.dock;
    for (const NamedValue& v : what.values)
      if (const auto* text = std::get_if<std::string>(&v.value); text && v.name == "lock")
        change.nominal = *text == "nominal";
    joints_.push_back(change);
  }
  void after(HybridRun& run) override {
    if (joints_.empty() || count_of(out_.transitions) == options_.most_transitions) return;
    Transition t;
    t.t = run.t();
    t.x = x_before_;
    for (const JointChange& c : joints_) {
      t.what.push_back((c.latches ? "latch " : "release ") +
                       core_->system.docks[index(c.dock)].name);
      t.is_frozen |= c.latches && !c.nominal;
    }
    try {
      t.recorded = record_transition(*system_before_, mode_before_, joints_, t.t, x_before_);
    } catch (const CannotRecord& e) {
      t.obstacle = e.what();
    }
    out_.transitions.push_back(std::move(t));
    is_transition_open_ = true;
  }

  SmoothPhases finish(const Outcome& outcome) {
    keep_stretch();
    out_.outcome = outcome;
    return std::move(out_);
  }

 private:
  struct Step {
    double t = 0, t_end = 0, t_limit = 0;
    std::vector<double> x;
    std::vector<double> u[3];  // at its beginning, middle and end
    std::string key;
    bool is_known = true;
    int phase = -1;
  };

  void find_key(const Core& core, const Mode<double>& mode, std::string& key) {
    if (changes_ != core.changes || system_key_.empty()) {
      const SystemNotes notes = find_notes(core.system);
      std::string bytes = notes.structure;
      bytes.append(reinterpret_cast<const char*>(notes.numbers.data()),
                   notes.numbers.size() * sizeof(double));
      const std::size_t number =
          systems_.try_emplace(std::move(bytes), systems_.size()).first->second;
      system_key_.assign(reinterpret_cast<const char*>(&number), sizeof number);
      changes_ = core.changes;
    }
    key = system_key_;
    add_structure(core, mode, key);
  }

  void find_inputs(Core& core, const Mode<double>& mode, double t, std::vector<double>& u) {
    if (core.s.delays.active) find_arriving(core, mode, t, core.w);
    u = list_input_numbers(mode, core.w.arriving);
  }

  // The phase of a step that is tried, recorded when it is new; −1: left out.
  int find_phase(const Core& core, const Mode<double>& mode, const Trial& trial) {
    for (const int p : known_[step_.key]) {
      const SmoothPhase& phase = out_.phases[index(p)];
      if (!phase.obstacle.empty() || phase.recorded.holds(mode.t_from)) return p;
    }
    if (count_of(out_.phases) == options_.most_phases) {
      if (left_out_.insert(step_.key).second) ++out_.left_out;
      return -1;
    }
    SmoothPhase phase;
    phase.t_first = trial.t;
    phase.joined = list_joined(core.system, mode);
    try {
      phase.recorded = record_phase(core, mode, trial.t, trial.x);
    } catch (const CannotRecord& e) {
      phase.obstacle = e.what();
    }
    out_.phases.push_back(std::move(phase));
    known_[step_.key].push_back(count_of(out_.phases) - 1);
    return known_[step_.key].back();
  }

  // The run goes on after it: is that where its function leads?
  void finish_transition(const Core& core, const Mode<double>& mode, const Trial& trial) {
    Transition& t = out_.transitions.back();
    t.x_after.assign(trial.x.begin(), trial.x.end());
    t.phase_after = step_.phase;
    if (!t.obstacle.empty() || t.phase_after < 0 || t.t != trial.t) return;
    const SmoothPhase& phase = out_.phases[index(t.phase_after)];
    if (!phase.obstacle.empty()) return;
    t.u_after = choose_numbers(phase, step_.u[0]);
    std::vector<double> in{t.t}, x(t.x.size());
    in.insert(in.end(), t.x.begin(), t.x.end());
    interpret(t.recorded.change, in, x);
    Mode<double> projected = mode;
    Workspace<double> w(core.system);
    project(core.system, t.t, x, projected, w);
    t.is_repeated = have_same_bits(x, t.x_after);
  }

  // Made to its end, with nothing in between that a function of (t, x, u) does not do.
  bool is_whole(HybridRun& run) {
    if (run.t_previous() != step_.t || run.t() != step_.t_end || !step_.is_known) return false;
    if (find_fixed_step_end(step_.t, step_.t_limit, out_.step) != step_.t_end) return false;
    find_key(*core_, run.mode(), key_after_);
    if (key_after_ != step_.key) return false;  // its end was brought back along other rows
    // The frame was moved to the craft.
    for (const Body<double>& b : core_->system.model.bodies)
      for (int k = 0; core_->system.in_orbit && b.joint == JointType::free && k < 3; ++k)
        if (std::fabs(run.x()[index(b.q + k)] - step_.x[index(b.q + k)]) >
            0.1 * core_->options.recentre_beyond)
          return false;
    return true;
  }

  void add_step(const SmoothPhase& phase, HybridRun& run) {
    PhaseStretch& s = stretch_;
    const bool goes_on = phase_ == step_.phase && s.steps > 0 && s.t_end == step_.t &&
                         have_same_bits(s.x_end, step_.x) && s.steps < options_.most_steps &&
                         s.u.size() * phase.recorded.inputs.size() < options_.most_numbers;
    if (!goes_on) {
      keep_stretch();
      phase_ = step_.phase;
      s.t = step_.t;
      s.x = step_.x;
    }
    int rows[3];
    for (int k = 0; k < 3; ++k) rows[k] = add_row(phase, step_.u[k]);
    const bool is_same = !s.segments.empty() && s.segments.back().t_limit == step_.t_limit &&
                         s.segments.back().u_begin == rows[0] && rows[0] == rows[1] &&
                         rows[1] == rows[2];
    if (!is_same) s.segments.push_back({step_.t_limit, 0, rows[0], rows[1], rows[2]});
    ++s.segments.back().steps;
    ++s.steps;
    s.t_end = run.t();
    s.x_end.assign(run.x().begin(), run.x().end());
  }

  // What the phase reads of these inputs.
  static std::vector<double> choose_numbers(const SmoothPhase& phase,
                                            const std::vector<double>& all) {
    std::vector<double> u;
    for (const int k : phase.recorded.inputs) u.push_back(all[index(k)]);
    return u;
  }
  int add_row(const SmoothPhase& phase, const std::vector<double>& all) {
    std::vector<double> u = choose_numbers(phase, all);
    if (stretch_.u.empty() || !have_same_bits(stretch_.u.back(), u))
      stretch_.u.push_back(std::move(u));
    return count_of(stretch_.u) - 1;
  }

  void keep_stretch() {
    if (phase_ >= 0 && stretch_.steps > out_.phases[index(phase_)].stretch.steps)
      out_.phases[index(phase_)].stretch = std::move(stretch_);
    stretch_ = {};
    phase_ = -1;
  }

  const PhaseOptions& options_;
  SmoothPhases out_;
  const Core* core_ = nullptr;
  std::uint64_t changes_ = std::numeric_limits<std::uint64_t>::max();
  std::map<std::string, std::size_t> systems_;
  std::string system_key_, key_after_;
  std::map<std::string, std::vector<int>> known_;
  std::set<std::string> left_out_;
  // Before what happens at an instant, and what of it joins or parts.
  std::optional<System<double>> system_before_;
  std::uint64_t changes_before_ = 0;
  Mode<double> mode_before_;
  std::vector<double> x_before_;
  std::vector<JointChange> joints_;
  bool is_transition_open_ = false;
  Step step_;  // tried last
  PhaseStretch stretch_;
  int phase_ = -1;  // of the stretch
};

}  // namespace

SmoothPhases find_smooth_phases(const System<double>& system, const RunOptions& options,
                                const std::vector<Event>& events, const PhaseOptions& wanted) {
  HybridRun run(system, options);
  run.set_events(events);
  run.interrupted = wanted.interrupted;
  PhaseFinder finder(wanted, options.integrator.step);
  run.serve(&finder);
  const Outcome outcome = run.advance(wanted.t_stop, &finder);
  run.serve(nullptr);
  return finder.finish(outcome);
}

}  // namespace berth
