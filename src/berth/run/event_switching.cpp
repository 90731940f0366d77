// SPDX-License-Identifier: Apache-2.0

// The event engine: arming, noticing, acting.
//
// Each comparison of an armed condition is a margin of its own. Its crossings are located on the near
// side: the state an event acts on has not passed the limit. Until the motion has left that edge, the
// comparison counts as crossed.

#include <algorithm>
#include <cmath>
#include <utility>

#include "berth/run/switching.h"

namespace berth {
namespace {

EventWatch& watch_of(Core& core, int k) { return core.s.watches[index(k)]; }

bool holds_now(Core& core, const Event& e) {
  fill_row_now(core, e.when->places());
  return e.when->holds_at(core.row);
}

// The condition of an armed event begins or ceases to hold.
void notice(Core& core, int k, bool holds) {
  const Event& e = core.events[index(k)];
  EventWatch& w = watch_of(core, k);
  if (holds == w.holds) return;
  w.holds = holds;
  if (holds) ++w.tries;
  if (e.on_false) {
    if (!holds) core.pending.push_back(k);
  } else if (holds && e.hold > 0) {
    core.s.event_queue.add({core.s.t + e.hold, Due::hold_over, k, w.tries});
  } else if (holds) {
    core.pending.push_back(k);
  }
}

// What armed events name, into core.row.
void fill_armed(Core& core) {
  std::vector<int> places;
  for (int k = 0; k < count_of(core.events); ++k) {
    if (!watch_of(core, k).armed) continue;
    const std::vector<int>& named = core.events[index(k)].when->places();
    places.insert(places.end(), named.begin(), named.end());
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (!places.empty()) fill_row_now(core, places);
}

// Truth of every comparison at core.row; on an edge it stays as it was located.
void judge(Core& core, int k) {
  const std::vector<Inequality>& list = core.events[index(k)].when->inequalities();
  EventWatch& w = watch_of(core, k);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const double left = core.row[index(list[i].place)], margin = list[i].margin(left);
    const double scale = std::fabs(list[i].value) + std::fabs(left);
    if (margin == 0 || std::fabs(margin - w.edge[i]) <= 1e-12 * scale) continue;
    w.truth[i] = margin > 0;
    w.edge[i] = NAN;
  }
}

void arm(Core& core, int k) {
  EventWatch& w = watch_of(core, k);
  const Condition& when = *core.events[index(k)].when;
  w.armed = true;
  w.holds = false;
  w.truth.resize(when.inequalities().size());
  w.edge.assign(when.inequalities().size(), NAN);
  if (w.best.empty())
    w.best.assign(w.truth.size(), -INFINITY), w.best_t.assign(w.truth.size(), NAN);
  fill_row_now(core, when.places());
  for (std::size_t i = 0; i < w.truth.size(); ++i) {
    const Inequality& c = when.inequalities()[i];
    w.truth[i] = c.margin(core.row[index(c.place)]) >= 0;
  }
  notice(core, k, when.holds(w.truth));
}

// The time of an event has come: it acts, or begins to watch its condition. It may have acted before
// when the event it waits for repeats.
void trigger(Core& core, int k) {
  const Event& e = core.events[index(k)];
  if (!e.repeat && watch_of(core, k).acted > 0) return;
  if (e.when && !e.at_once) return arm(core, k);
  if (!e.when || holds_now(core, e)) core.pending.push_back(k);
}

Needs needs_of(const Core& core, std::size_t margin) {
  const auto& m = core.watch.event_margins[margin];
  return core.events[index(m.event)].when->inequalities()[index(m.inequality)].needs;
}

// [s] until an action can act: one that needs a mechanism may have to wait, or wait in vain.
double find_wait(const Core& core, const Action& action) {
  return std::visit(
      [&]<class A>(const A& a) {
        if constexpr (Waits<A, Core>) {
          return a.find_wait(core);
        } else {
          return 0.0;
        }
      },
      action);
}
void put_off(Core& core, int k, std::size_t i, double wait) {
  const Event& e = core.events[index(k)];
  std::visit(
      [&]<class A>(const A& a) {
        if constexpr (Waits<A, Core>) a.report_wait(core, e, wait);
      },
      e.actions[i]);
  if (!std::isfinite(wait)) return;
  watch_of(core, k).waiting = i + 1;
  core.s.event_queue.add({core.s.t + wait, Due::event, k, kWaited});
}

// What an event does, in order, or what is left of it after a wait. False: the rest
// waits, or is never done.
bool perform(Core& core, int k) {
  const Event& e = core.events[index(k)];
  const std::size_t waited = std::exchange(watch_of(core, k).waiting, 0);
  watch_of(core, k).goes_on = false;
  if (!e.actions.empty()) core.changes = take_number();
  for (std::size_t i = waited > 0 ? waited - 1 : 0; i < e.actions.size(); ++i) {
    const double wait = find_wait(core, e.actions[i]);
    const bool has_waited = i + 1 == waited && std::isfinite(wait);
    if (wait > 0 && !has_waited) {
      put_off(core, k, i, wait);
      return false;
    }
    std::visit([&](const auto& a) { a.act(core, e); }, e.actions[i]);
  }
  return true;
}

// Everything that is to act now, in the order of the file.
void fire_pending(Core& core) {
  std::sort(core.pending.begin(), core.pending.end());
  core.pending.erase(std::unique(core.pending.begin(), core.pending.end()), core.pending.end());
  const std::vector<int> now = std::move(core.pending);
  core.pending.clear();
  for (int k : now) {
    const Event& e = core.events[index(k)];
    EventWatch& w = watch_of(core, k);
    if (w.waiting > 0 && !w.goes_on) continue;  // an action of it is on its way
    const bool too_late = !w.goes_on && e.unless >= 0 && watch_of(core, e.unless).acted > 0;
    if (!e.repeat || too_late) w.armed = false;
    if (too_late) continue;
    // Numbers of the state the event was judged by.
    std::vector<NamedValue> values;
    if (!e.reported.empty()) {
      fill_row_now(core, e.reported_places);
      for (std::size_t i = 0; i < e.reported.size(); ++i)
        values.push_back(named(e.reported[i], core.row[index(e.reported_places[i])]));
    }
    if (!perform(core, k)) continue;
    ++w.acted;
    report(core, "event", e.name, std::move(values));
    for (int j = 0; j < count_of(core.events); ++j) {
      if (core.events[index(j)].after != k) continue;
      core.s.event_queue.add({core.s.t + core.events[index(j)].delay, Due::event, j});
    }
  }
}

}  // namespace

void EventSwitching::start(Core& core) {
  core.s.watches.assign(core.events.size(), {});
  for (int k = 0; k < count_of(core.events); ++k) {
    const Event& e = core.events[index(k)];
    if (e.at) {
      core.s.event_queue.add({*e.at, Due::event, k});
    } else if (e.after < 0 && e.hit < 0 && (e.when || !e.commanded)) {
      trigger(core, k);
    }
  }
}

void EventSwitching::watch(Core& core) {
  core.watch.event_margins.clear();
  core.watch.places.clear();
  for (int k = 0; k < count_of(core.events); ++k) {
    if (!watch_of(core, k).armed) continue;
    for (const Inequality& c : core.events[index(k)].when->inequalities())
      if (c.kind != Kind::flag) core.watch.places.push_back(c.place);
  }
  std::sort(core.watch.places.begin(), core.watch.places.end());
  core.watch.places.erase(std::unique(core.watch.places.begin(), core.watch.places.end()),
                          core.watch.places.end());
  core.watch.names_idle =
      std::any_of(core.watch.places.begin(), core.watch.places.end(),
                  [&](int place) { return core.channels.at(place).needs == Needs::idle; });
  for (int k = 0; k < count_of(core.events); ++k) {
    if (!watch_of(core, k).armed) continue;
    const std::vector<Inequality>& list = core.events[index(k)].when->inequalities();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].kind == Kind::flag) continue;  // jumps where something happens, and only there
      const auto at =
          std::lower_bound(core.watch.places.begin(), core.watch.places.end(), list[i].place);
      core.watch.event_margins.push_back(
          {k, static_cast<int>(i), static_cast<int>(at - core.watch.places.begin())});
    }
  }
}

Need EventSwitching::need(const Core& core, std::size_t i) {
  return needs_of(core, i) == Needs::loads ? Need::loads : Need::motion;
}
bool EventSwitching::sees_idle(const Core& core, std::size_t i) {
  return needs_of(core, i) == Needs::idle;
}

int EventSwitching::sign(const Core& core, std::size_t i, double) {
  const auto& m = core.watch.event_margins[i];
  return core.s.watches[index(m.event)].truth[index(m.inequality)] ? 1 : -1;
}
double EventSwitching::noise(const Core& core, std::size_t i) {
  const auto& m = core.watch.event_margins[i];
  const Inequality& q = core.events[index(m.event)].when->inequalities()[index(m.inequality)];
  const double limit = std::fabs(q.value) > 0 ? std::fabs(q.value) : 1;
  return 1e-12 * (q.kind == Kind::norm && q.value > 0 ? limit * limit : limit);
}
bool EventSwitching::decides(const Core& core, std::size_t i, double) {
  return core.events[index(core.watch.event_margins[i].event)].when->inequalities().size() == 1;
}

// A statement of `and` and `or` is as true as its comparisons: where it does not change with all that
// may cross on the side it is not on, no crossing of them matters.
void EventSwitching::narrow(Core& core, std::vector<std::size_t>& near) {
  std::size_t kept = 0;
  std::vector<char>& trial = core.trial_truth;
  for (std::size_t a = 0, b = 0; a < near.size(); a = b) {
    const int k = core.watch.event_margins[near[a]].event;
    while (b < near.size() && core.watch.event_margins[near[b]].event == k) ++b;
    const EventWatch& w = watch_of(core, k);
    trial.assign(w.truth.begin(), w.truth.end());
    for (std::size_t j = a; j < b; ++j)
      trial[index(core.watch.event_margins[near[j]].inequality)] = !w.holds;
    if (core.events[index(k)].when->holds(trial) == w.holds) continue;
    for (std::size_t j = a; j < b; ++j) near[kept++] = near[j];
  }
  near.resize(kept);
}

// A statement that has changed all the same, on its edge by rounding, is noticed here. Mostly nothing has: a
// comparison that is as it was known, and was not just located, changes nothing.
bool EventSwitching::settle(Core& core, std::span<const double> ends) {
  int before = -1;  // margins of an event are neighbours
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto& m = core.watch.event_margins[i];
    EventWatch& w = watch_of(core, m.event);
    const std::size_t c = index(m.inequality);
    const bool holds = ends[i] > 0;
    if ((w.truth[c] != 0) == holds && std::isnan(w.edge[c])) continue;
    if (!(std::fabs(ends[i]) > noise(core, i))) continue;
    w.edge[c] = NAN;
    if ((std::exchange(w.truth[c], holds) != 0) == holds) continue;
    if (std::exchange(before, m.event) != m.event) core.trial_events.push_back(m.event);
  }
  for (const int k : core.trial_events)
    if (core.events[index(k)].when->holds(watch_of(core, k).truth) != watch_of(core, k).holds)
      core.changed_events.push_back(k);
  core.trial_events.clear();
  return !core.changed_events.empty();
}

bool EventSwitching::pass(Core& core, std::size_t i, bool rising) {
  const auto& m = core.watch.event_margins[i];
  EventWatch& w = watch_of(core, m.event);
  const auto c = index(m.inequality);
  w.truth[c] = rising;
  w.edge[c] = 0;  // to be set where the step is cut
  if (core.events[index(m.event)].when->holds(w.truth) == w.holds) return false;
  core.changed_events.push_back(m.event);
  return true;
}

void EventSwitching::switch_mode(Core& core) {
  const std::vector<int> changed = std::move(core.changed_events);
  core.changed_events.clear();
  if (changed.empty()) return;
  fill_armed(core);
  for (int k = 0; k < count_of(core.events); ++k) {
    EventWatch& w = watch_of(core, k);
    for (std::size_t i = 0; w.armed && i < w.edge.size(); ++i) {
      const Inequality& c = core.events[index(k)].when->inequalities()[i];
      if (!std::isnan(w.edge[i])) w.edge[i] = c.margin(core.row[index(c.place)]);
    }
  }
  for (const int k : changed)
    notice(core, k, core.events[index(k)].when->holds(watch_of(core, k).truth));
}

bool EventSwitching::follows_best(const Core& core, std::size_t i) {
  const auto& m = core.watch.event_margins[i];
  return core.events[index(m.event)].follows_best;
}

double EventSwitching::best(const Core& core, std::size_t i) {
  const auto& m = core.watch.event_margins[i];
  return core.s.watches[index(m.event)].best[index(m.inequality)];
}

void EventSwitching::note_best(Core& core, std::size_t i, double margin, double t) {
  const auto& m = core.watch.event_margins[i];
  EventWatch& w = watch_of(core, m.event);
  const auto k = index(m.inequality);
  if (!(margin > w.best[k])) return;
  w.best[k] = margin;
  w.best_t[k] = t;
}

bool EventSwitching::due(Core& core, const Entry& entry) {
  if (entry.due == Due::event && entry.count == kCommanded) {
    if (core.events[index(entry.index)].repeat || watch_of(core, entry.index).acted == 0)
      core.pending.push_back(entry.index);
  } else if (entry.due == Due::event && entry.count == kWaited) {
    watch_of(core, entry.index).goes_on = true;
    core.pending.push_back(entry.index);
  } else if (entry.due == Due::event) {
    trigger(core, entry.index);
  } else if (entry.due == Due::hold_over) {
    const EventWatch& w = watch_of(core, entry.index);
    if (w.armed && w.holds && w.tries == entry.count) core.pending.push_back(entry.index);
  } else {
    return false;
  }
  return true;
}

void EventSwitching::trigger_hit(Core& core, int contact) {
  for (int k = 0; k < count_of(core.events); ++k) {
    const Event& e = core.events[index(k)];
    if (e.hit < 0 || (!e.repeat && watch_of(core, k).acted > 0)) continue;
    // Any corner of a polygon will do.
    if (core.system.contacts[index(e.hit)].report_name() !=
        core.system.contacts[index(contact)].report_name())
      continue;
    if (!e.when || holds_now(core, e)) core.pending.push_back(k);
  }
}

bool EventSwitching::follow(Core& core) {
  fill_armed(core);
  for (int k = 0; k < count_of(core.events); ++k) {
    if (!watch_of(core, k).armed) continue;
    judge(core, k);
    notice(core, k, core.events[index(k)].when->holds(watch_of(core, k).truth));
  }
  const bool acts = !core.pending.empty();
  fire_pending(core);
  return acts;
}

}  // namespace berth
