// SPDX-License-Identifier: Apache-2.0

// What a run has come to: how it ended, what nearly happened, who is still waited for.

#include <cmath>

#include "berth/run/core.h"
#include "berth/run/run.h"

namespace berth {

// Of a run that ended by what it is.
Outcome HybridRun::find_ending() const {
  const RunState& s = core_->s;
  if (core_->failure) {
    std::string reason = "an external failed";
    try {
      std::rethrow_exception(core_->failure);
    } catch (const std::exception& e) {
      reason = e.what();
    } catch (...) {
    }
    return {Ending::broken_off, s.t, reason};
  }
  if (s.stopped) return {Ending::stopped, s.t, s.stop_reason.empty() ? s.verdict : s.stop_reason};
  return {Ending::reached_end, s.t, ""};
}

std::vector<HybridRun::BestReached> HybridRun::best_reached() const {
  std::vector<BestReached> out;
  for (std::size_t k = 0; k < core_->events.size(); ++k) {
    const Event& e = core_->events[k];
    if (!e.follows_best) continue;
    const EventWatch* w = k < core_->s.watches.size() ? &core_->s.watches[k] : nullptr;
    for (std::size_t i = 0; i < e.when->inequalities().size(); ++i) {
      const Inequality& q = e.when->inequalities()[i];
      const bool known = w && i < w->best.size() && std::isfinite(w->best[i]);
      out.push_back({e.name, core_->channels.at(q.place).name, q.value, q.greater,
                     known ? q.left_at(w->best[i]) : NAN, known ? w->best_t[i] : NAN,
                     known && w->best[i] >= 0});
    }
  }
  return out;
}

std::vector<std::string> HybridRun::waiting_events() const {
  const auto& watches = core_->s.watches;
  const auto has_acted = [&](std::size_t k) { return k < watches.size() && watches[k].acted > 0; };
  std::vector<std::string> names;
  for (std::size_t k = 0; k < core_->events.size(); ++k) {
    const Event& e = core_->events[k];
    if (e.may_wait || has_acted(k) || (e.unless >= 0 && has_acted(index(e.unless)))) continue;
    names.push_back(e.name);
  }
  return names;
}

}  // namespace berth
