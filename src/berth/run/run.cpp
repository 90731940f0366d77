// SPDX-License-Identifier: Apache-2.0
#include "berth/run/run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "berth/run/derivative.h"
#include "berth/run/locate.h"
#include "berth/run/progress.h"
#include "berth/run/switching.h"
#include "berth/system/docks.h"
#include "berth/system/linearised.h"

namespace berth {

std::uint64_t take_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

namespace {

// A run is judged by what thousands of steps add up to, so each step is held to a tenth of the
// tolerance; with an eighth-order method that costs a third more steps. Who asks for the norm of the
// literature gets its tolerance too.
IntegratorOptions per_step(IntegratorOptions options) {
  if (!options.mean_error) options.tolerance *= 0.1;
  return options;
}

// What cannot work, found before the first step.
void check(const Core& core) {
  for_each_part(core.system.controls, [](const auto& c) {
    if (c.latency > 0 && !(c.sample_time > 0))
      throw std::invalid_argument("a controller with latency needs a sample_time");
  });
  for (const Contact<double>& c : core.system.contacts)
    if (c.is_delayed() && core.s.stepper->is_stiff())
      throw std::invalid_argument("contact " + c.name + ": " + std::string(kRadauName) +
                                  " cannot handle delays; a delay needs an explicit method");
}

}  // namespace

void fill_schedule(Core& core) {
  std::vector<double> times;
  const auto ask = [&](const auto& part) {
    if constexpr (HasSchedule<std::remove_cvref_t<decltype(part)>>) part.add_times(times);
  };
  for_each_part(core.system.components, ask);
  for_each_part(core.system.forces, ask);
  for_each_part(core.system.controls, ask);
  for (double t : times)
    if (t > core.s.t && std::isfinite(t)) core.s.event_queue.add({t, Due::switching});
}

void Derivative::jacobian(double t, std::span<const double> x, std::span<double> J) const {
  core.linearised.get(core.system).find_jacobian(t, x, in_mode, J);
}

Core::Core(System<double> of, const RunOptions& run_options)
    : options(run_options),
      identity(find_identity(of, run_options)),
      system(std::move(of)),
      channels(system),
      work(system),
      w(system) {
  s.x = find_initial_state(system);
  s.mode = idle_mode(w);
  s.stepper.emplace(options.method, s.x.size(), find_error_blocks(system),
                    per_step(options.integrator));
  s.stepper->start(0.0, s.x);
  s.loops.assign(system.contacts.size(), {});
  s.run_log.start(system, 0);
  past_x.resize(s.x.size());
  past_motion.bodies.resize(system.model.bodies.size());
  row.resize(index(channels.width()));
  work.sees_idle = false;  // but where samples are taken
  end = StepEnd<double>(system);
  check(*this);
  find_measured(*this);
  // Whoever observes before the run sees loads too.
  choose_rows(system, 0.0, s.x, s.mode, w);
}

HybridRun::HybridRun(System<double> system, const RunOptions& options)
    : core_(std::make_unique<Core>(std::move(system), options)), seen_(core_->system) {}
HybridRun::~HybridRun() = default;
HybridRun::HybridRun(const HybridRun& other)
    : interrupted(other.interrupted),
      core_(std::make_unique<Core>(*other.core_)),
      seen_(other.seen_),
      seen_mode_(other.seen_mode_),
      inside_is_mode_(other.inside_is_mode_),
      ahead_(other.ahead_) {}
HybridRun& HybridRun::operator=(const HybridRun& other) {
  HybridRun copy(other);
  interrupted = std::move(copy.interrupted);
  core_ = std::move(copy.core_);
  seen_ = std::move(copy.seen_);
  seen_mode_ = std::move(copy.seen_mode_);
  inside_is_mode_ = copy.inside_is_mode_;
  ahead_ = copy.ahead_;
  return *this;
}

void HybridRun::set_events(std::vector<Event> events) { core_->events = std::move(events); }
double HybridRun::t() const { return core_->s.t; }
double HybridRun::next_step() const { return core_->s.stepper->natural_step(); }
double HybridRun::next_instant() const { return core_->s.event_queue.next_time(); }
double HybridRun::t_previous() const { return core_->s.t_previous; }
std::span<const double> HybridRun::x() const { return core_->s.x; }
const Channels& HybridRun::channels() const { return core_->channels; }
const System<double>& HybridRun::system() const { return core_->system; }
const Mode<double>& HybridRun::mode() const { return core_->s.mode; }
Audit HybridRun::audit() const { return core_->s.run_log.ledger.audit(); }
StepCounters HybridRun::counters() const { return core_->s.stepper->counters(); }
std::span<const Wrench<double>> HybridRun::carried_momenta() const {
  return core_->s.stepper->carried_momenta();
}
const std::vector<DockTrack>& HybridRun::dock_tracks() const { return core_->s.run_log.docks; }
const std::vector<ThrusterTrack>& HybridRun::thruster_tracks() const {
  return core_->s.run_log.thrusters;
}
const std::vector<ContactTrack>& HybridRun::contact_tracks() const {
  return core_->s.run_log.contacts;
}
const std::vector<EventRecord>& HybridRun::event_records() const {
  return core_->s.run_log.event_records;
}
const std::vector<std::string>& HybridRun::warnings() const { return core_->s.run_log.warnings; }
const std::string& HybridRun::verdict() const { return core_->s.verdict; }
std::optional<double> HybridRun::record_interval() const { return core_->s.record_interval; }

// --- seen by observers -----------------------------------------------------------------------------

void HybridRun::interpolate(double t, std::span<double> x) {
  if (t == core_->s.t) {
    std::copy(core_->s.x.begin(), core_->s.x.end(), x.begin());
  } else {
    core_->s.stepper->interpolate(Derivative{*core_, core_->inside, false}, t, x);
  }
}

void HybridRun::find_state(double t, std::span<double> x) {
  RunState& s = core_->s;
  const Derivative f{*core_, core_->inside, false};
  if (t == s.t || s.stepper->is_variational()) return interpolate(t, x);
  IntegratorOptions options = per_step(core_->options.integrator);
  options.first_step = t - s.t_previous;
  Stepper side(core_->options.method, s.x.size(), find_error_blocks(core_->system), options);
  side.start(s.t_previous, s.stepper->x_previous());
  while (side.t() < t)
    if (side.step(f, t) != StepOutcome::accepted) return interpolate(t, x);
  std::copy(side.x().begin(), side.x().end(), x.begin());
  seen_mode_ = core_->inside;
  project(core_->system, t, x, seen_mode_, seen_);
}

const Workspace<double>& HybridRun::observe(double t, std::span<const double> x) {
  const bool inside = t < core_->s.t && t >= core_->s.t_previous;
  evaluate(*core_, inside ? core_->inside : core_->s.mode, t, x, Need::loads, seen_);
  return seen_;
}

void HybridRun::fill_row(double t, std::span<const double> x, std::span<double> row) {
  core_->channels.fill(core_->system, x, observe(t, x), row);
}

// --- one instant -----------------------------------------------------------------------------------

// What is watched until something happens next, and the first sample of it.
void HybridRun::watch() {
  RunState& s = core_->s;
  std::size_t n = 0;
  for_each_switching(*core_, [&](auto part, std::size_t) { part.watch(*core_); });
  for_each_switching(*core_, [&](auto part, std::size_t) { n += part.count(core_->watch); });
  bool awake = false;
  for (int k = 0; k < count_of(core_->system.contacts); ++k)
    awake |= is_awake(*core_, k) || core_->system.contacts[index(k)].biased ||
             norm_squared(s.mode.contacts[index(k)].held.normal_N) > 0;
  if (core_->options.follow_peaks) s.run_log.watch(core_->system, s.mode, awake);
  core_->samples.reset(n + s.run_log.watched().size());
  core_->work.sees_loads = has_loads(core_->system, s.mode);
  core_->watches = take_number();
}

// What the loop has to know of the present state into core.end, and the last sample of what is watched.
void HybridRun::evaluate_end() {
  RunState& s = core_->s;
  if (serve_end()) {
    if (!s.event_queue.is_due(s.t))
      s.stepper->evaluate_here([&](double, std::span<const double>, std::span<double> x_dot) {
        std::copy(core_->end_rate.begin(), core_->end_rate.end(), x_dot.begin());
      });
    std::copy(core_->end_numbers.begin(), core_->end_numbers.end(), core_->samples.last().begin());
    return;
  }
  const Derivative f{*core_, s.mode};
  const bool goes_on = !s.event_queue.is_due(s.t) && s.stepper->evaluate_here(f);
  if (!goes_on) {
    const bool loads = has_loads(core_->system, s.mode) || core_->samples.size() > 0;
    evaluate(*core_, s.mode, s.t, s.x, loads ? Need::loads : Need::commands, core_->work);
    core_->stage_x = s.x;
    core_->stage_rate = {};
  }
  fill_end(*core_, s.mode, core_->stage_x, core_->work);
  std::copy(core_->end_numbers.begin(), core_->end_numbers.end(), core_->samples.last().begin());
}

void HybridRun::log_end() {
  RunState& s = core_->s;
  const std::size_t peaks = s.run_log.watched().size();
  s.run_log.add(core_->system, core_->work.layout, s.t, s.x, core_->end,
                std::span(core_->end_numbers).last(peaks));
}

// What a jump has changed without crossing anything. True: something more happens.
bool HybridRun::settle_instant() {
  bool acts = false;
  for_each_switching(*core_, [&](auto part, std::size_t first) {
    for (std::size_t i = 0; i < part.count(core_->watch); ++i) {
      const double value = core_->samples.last()[first + i];
      if (!part.agrees(*core_, i, value)) acts |= part.pass(*core_, i, value > 0);
    }
  });
  return acts;
}

// Everything due at t, then everything that follows from it; the integrator starts afresh after it.
// `happens`: something was located in the step that ends here. False: it does not come to an end.
bool HybridRun::act(bool happens) {
  constexpr int most_rounds = 1000;
  RunState& s = core_->s;
  const std::size_t before = s.run_log.event_records.size();
  if (core_->observer) core_->observer->before(*this);
  s.mode.t_from = std::max(s.mode.t_from, s.t);
  std::vector<Entry>& due = core_->due;
  due.clear();
  core_->motion_is_known = false;
  bool moves = happens;
  int rounds = 0;
  for (bool again = true; again && rounds < most_rounds;) {
    for_each_switching(*core_, [&](auto part, std::size_t) { part.switch_mode(*core_); });
    for (; rounds < most_rounds; ++rounds) {
      // Times that differ in their last digits are one moment: the kind decides the order, and what
      // an entry brings about at once takes its place among the others.
      for (;;) {
        while (s.event_queue.is_due(s.t)) due.push_back(s.event_queue.take());
        if (due.empty()) break;
        const auto first = std::min_element(
            due.begin(), due.end(), [](const Entry& a, const Entry& b) { return a.due < b.due; });
        Entry entry = std::move(*first);
        due.erase(first);
        s.mode.t_from = std::max(s.mode.t_from, entry.t);
        bool taken = false;
        for_each_switching(*core_, [&](auto part, std::size_t) {
          if (!taken) taken = part.due(*core_, entry);
        });
        const bool holds = only_holds(entry.due);
        core_->motion_is_known &= holds;
        moves |= !holds;
        keep_output(*core_, std::move(entry.output));
      }
      bool followed = false;  // what is held, switched or open may have jumped
      for_each_switching(*core_, [&](auto part, std::size_t) { followed |= part.follow(*core_); });
      if (!followed) break;
      core_->motion_is_known = false;
      moves = true;
    }
    // A step ends on the constraints.
    if (std::exchange(moves, true)) project(core_->system, s.t, s.x, s.mode, core_->w);
    core_->linearised.reset();
    s.stepper->restart(s.t, s.x);
    watch();
    evaluate_end();
    again = settle_instant();
    ++rounds;
  }
  core_->samples.begin_afresh();
  for_each_switching(*core_, [&](auto part, std::size_t first) {
    for (std::size_t i = 0; i < part.count(core_->watch); ++i)
      if (part.follows_best(*core_, i))
        part.note_best(*core_, i, core_->samples.first_value(first + i), s.t);
  });
  keep_gaps(*core_);
  log_end();
  inside_is_mode_ = false;
  if (core_->observer && s.run_log.event_records.size() > before) core_->observer->after(*this);
  return rounds < most_rounds;
}

void HybridRun::start(double t_stop) {
  RunState& s = core_->s;
  s.started = true;
  core_->run = this;
  s.run_log.start(core_->system, 0.5 * t_stop);
  fill_schedule(*core_);
  for_each_switching(*core_, [&](auto part, std::size_t) { part.start(*core_); });
}

// --- steps -----------------------------------------------------------------------------------------

// A smooth step from the present state, its end back on the constraints, and the samples of it.
StepOutcome HybridRun::make_step(double t_limit) {
  RunState& s = core_->s;
  const Derivative f{*core_, core_->inside}, dense{*core_, core_->inside, false};
  expect_far(*core_);
  const StepOutcome outcome = s.stepper->step(f, t_limit);
  if (outcome != StepOutcome::accepted) return outcome;
  if (s.stepper->t() < s.t_previous) return StepOutcome::step_too_small;  // forged bytes
  s.t = s.stepper->t();
  std::copy(s.stepper->x().begin(), s.stepper->x().end(), s.x.begin());
  if (s.delays.active) {
    s.delays.past.add(s.stepper->dense(dense));
    s.delays.past.forget(s.t_previous - s.delays.longest);
  }
  const bool pulled = project_end();
  inside_is_mode_ = !has_multipliers(core_->system, s.mode);
  const bool tidied = tidy();
  if (pulled || tidied) s.stepper->replace_state(s.x);
  evaluate_end();
  if (core_->samples.size() > 0) {
    check_far(*core_, s.t - s.t_previous);
    complete_samples(*core_, dense, s.t_previous, s.t);
    core_->samples.prepare(s.t_previous, s.t);
  }
  return outcome;
}

// As if it had not been made.
void HybridRun::take_back_step() {
  RunState& s = core_->s;
  s.stepper->take_back();
  s.t = s.t_previous;
  std::copy(s.stepper->x().begin(), s.stepper->x().end(), s.x.begin());
  if (s.delays.active) s.delays.past.take_back();
  s.mode = core_->inside;
}

// The step ends earlier: something happens there.
void HybridRun::cut_step(double t) {
  RunState& s = core_->s;
  // The state of the dense output, not of a step made again to that time: it is this state that was
  // judged, and another one may lie beyond the edge.
  s.stepper->interpolate(Derivative{*core_, core_->inside, false}, t, s.x);
  s.t = t;
  if (s.delays.active) s.delays.past.cut(t);
  s.mode = core_->inside;
  project_end();
  if (serve_end()) return;
  evaluate(*core_, s.mode, s.t, s.x, Need::loads, core_->work);
  core_->stage_rate = {};
  fill_end(*core_, s.mode, s.x, core_->work);
}

// One smooth step, up to the next entry of the event queue at most, and what happened inside it first.
// Nothing: it was made.
std::optional<Outcome> HybridRun::go_on(double t_stop, const Progress& progress, bool& happens) {
  RunState& s = core_->s;
  if (!std::exchange(inside_is_mode_, true)) core_->inside = s.mode;
  const Derivative dense{*core_, core_->inside, false};
  s.t_previous = s.t;
  StepOutcome outcome = make_step(std::min(t_stop, s.event_queue.next_time()));
  if (outcome != StepOutcome::accepted) return progress.explain(outcome);

  // What happened inside, and where first.
  if (core_->samples.size() > 0) {
    constexpr double coarse = 1e-4;  // of a step
    const bool again = is_long(*core_, s.t_previous, s.t);
    std::vector<Crossing> crossings =
        find_crossings(*core_, dense, s.t_previous, s.t, again ? coarse * (s.t - s.t_previous) : 0);
    if (again && !crossings.empty()) {
      double reach = 0;
      if (const auto t = find_better_end(crossings, s.t_previous, s.t)) {
        take_back_step();
        outcome = make_step(*t);
        if (outcome != StepOutcome::accepted) return progress.explain(outcome);
        reach = kBeyond * (*t - s.t_previous);
      }
      crossings = refine_crossings(*core_, dense, crossings, s.t_previous, s.t, reach);
    }
    const std::optional<double> first = pass_first(*core_, crossings, s.t_previous, s.t);
    happens = first.has_value();
    const bool cut = first && *first < s.t;
    if (cut) cut_step(*first);
    raise_peaks(*core_, dense, s.t_previous, s.t, cut);
    if (!happens)
      for_each_switching(*core_, [&](auto part, std::size_t i) {
        happens |= part.settle(*core_, core_->samples.last().subspan(i, part.count(core_->watch)));
      });
  }
  log_end();
  return std::nullopt;
}

Outcome HybridRun::advance(double t_stop, Observer* observer, double pause) {
  RunState& s = core_->s;
  const struct Advancing {
    bool& is;
    explicit Advancing(bool& flag) : is(flag) { is = true; }
    ~Advancing() { is = false; }
  } advancing(advancing_);
  core_->run = this;
  core_->observer = observer;
  Progress progress(*core_, t_stop);
  if (!s.started) {
    start(t_stop);
    if (!act(true)) return progress.stuck_at_instant();
  }
  while ((s.t < t_stop || is_ahead()) && !s.stopped) {
    if (!is_ahead()) {
      if (interrupted && interrupted()) return {Ending::interrupted, s.t, "interrupted"};
      if (const auto over = progress.check()) return *over;
      bool happens = false;
      if (const auto over = go_on(t_stop, progress, happens)) return *over;
      ahead_ = happens ? Ahead::happens : Ahead::quiet;
    }
    if (s.t > pause) return {Ending::stopped, s.t, "ahead"};
    const bool happens = std::exchange(ahead_, Ahead::no) == Ahead::happens;
    const bool wants_more = !observer || observer->step(*this);
    if (happens || s.event_queue.is_due(s.t)) {
      if (!act(happens)) return progress.stuck_at_instant();
    } else {
      core_->samples.begin_next();
      keep_gaps(*core_);
    }
    if (!wants_more) return {Ending::stopped, s.t, "stopped by observer"};
  }
  return find_ending();
}

}  // namespace berth
