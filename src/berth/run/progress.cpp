// SPDX-License-Identifier: Apache-2.0
#include "berth/run/progress.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace berth {
namespace {

constexpr std::uint64_t kWindow = 100'000;  // steps
constexpr double kHopeless = 1e9;           // steps for the rest at the present rate
constexpr std::uint64_t kMostAtInstant = 1000;

std::uint64_t steps_of(const Core& core) {
  const StepCounters c = core.s.stepper->counters();
  return c.accepted + c.rejected;
}

}  // namespace

Progress::Progress(const Core& core, double t_stop)
    : core_(core), t_stop_(t_stop), steps_(steps_of(core)), t_(core.s.t), last_t_(core.s.t) {}

std::optional<Outcome> Progress::check() {
  const double t = core_.s.t;
  const RunOptions& options = core_.options;
  if (core_.s.run_log.event_records.size() >= options.max_events)
    return Outcome{Ending::too_many_events, t,
                   fmt::format("{} events, as many as integrator.max_events allows; most often "
                               "{}",
                               core_.s.run_log.event_records.size(), find_busiest_event())};
  // Steps that are cut at their very beginning.
  standing_ = t > last_t_ ? 0 : standing_ + 1;
  last_t_ = t;
  if (standing_ > kMostAtInstant) return stuck_at_instant();
  const std::uint64_t steps = steps_of(core_);
  if (steps - steps_ >= kWindow) {
    const double rate = (t - t_) / static_cast<double>(steps - steps_);  // [s] a step
    if (!((t_stop_ - t) < kHopeless * rate))
      return Outcome{Ending::stuck, t,
                     fmt::format("{} steps advanced it by {:.3g} s; {}", steps - steps_, t - t_,
                                 find_culprit())};
    steps_ = steps;
    t_ = t;
  }
  if (std::isfinite(options.max_wall_time) && calls_++ % 16 == 0 &&
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() >
          options.max_wall_time)
    return Outcome{Ending::out_of_time, t,
                   fmt::format("integrator.max_wall_time of {} s is used up; {}",
                               options.max_wall_time, find_culprit())};
  return std::nullopt;
}

Outcome Progress::explain(StepOutcome outcome) const {
  const double t = core_.s.t;
  switch (outcome) {
    case StepOutcome::step_too_small:
      return {Ending::step_too_small, t,
              "the tolerance asks for steps below the resolution of time; " + find_culprit()};
    case StepOutcome::non_finite:
      return {Ending::non_finite, t, "infinities or NaN in the derivative; " + find_culprit()};
    case StepOutcome::too_many_steps:
      return {Ending::too_many_steps, t,
              fmt::format("{} steps, as many as integrator.max_steps allows; {}", steps_of(core_),
                          find_culprit())};
    case StepOutcome::no_solution:
      return {Ending::no_solution, t, "a step of this length has no solution: shorten it"};
    default: return {Ending::reached_end, t, ""};
  }
}

Outcome Progress::stuck_at_instant() const {
  return {Ending::stuck, core_.s.t,
          fmt::format("events at one instant undo each other without end; most often {}: give "
                      "conditions that differ, a hold, or no repeat",
                      find_busiest_event())};
}

// The most frequent of the last events.
std::string Progress::find_busiest_event() const {
  const auto& all = core_.s.run_log.event_records;
  std::map<std::string, std::size_t> count;
  for (std::size_t i = all.size() > 1000 ? all.size() - 1000 : 0; i < all.size(); ++i)
    ++count[all[i].kind + " " + all[i].name];
  std::string best = "none";
  std::size_t most = 0;
  for (const auto& [name, n] : count)
    if (n > most) best = name, most = n;
  return best;
}

// Who keeps the steps short: a contact that touches, or the joint or craft whose speed changes
// fastest.
std::string Progress::find_culprit() const {
  for (std::size_t k = 0; k < core_.system.contacts.size(); ++k) {
    if (core_.system.contacts[k].is_impact() || !core_.s.mode.contacts[k].now.touching) continue;
    return fmt::format("contact {} touches: soften it, give it damping, or loosen the tolerance",
                       core_.system.contacts[k].name);
  }
  std::vector<double> x_dot(core_.s.x.size());
  Workspace<double> w(core_.system);
  find_derivative<double>(core_.system, core_.s.t, core_.s.x, core_.s.mode, w, x_dot);
  int fastest = -1;
  double most = -1;
  for (int i = 1; i < core_.system.model.body_count(); ++i) {
    const Body<double>& b = core_.system.model.body(i);
    for (int k = 0; k < shape(b.joint).speeds; ++k) {
      const auto at = static_cast<std::size_t>(w.layout.v + b.v + k);
      const double rate = std::fabs(x_dot[at]) / (1 + std::fabs(core_.s.x[at]));
      if (std::isnan(rate) || rate > most) fastest = i, most = std::isnan(rate) ? INFINITY : rate;
    }
  }
  if (fastest < 0) return "nothing moves";
  return fmt::format(
      "the fastest change is that of {}: check what pushes it, its stiffness, mass "
      "and units",
      core_.system.model.names[static_cast<std::size_t>(fastest)]);
}

}  // namespace berth
