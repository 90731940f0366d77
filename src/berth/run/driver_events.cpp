// SPDX-License-Identifier: Apache-2.0

// The event engine of the driver: arming, locating and acting.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "berth/run/driver.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

// Calls f(part) for the controller or force of this name.
template <class F>
void with_named(System<double>& system, const std::string& name, F&& f) {
  const auto offer = [&](auto& part) {
    if constexpr (requires { part.name; }) {
      if (part.name == name) f(part);
    }
  };
  for_each_part(system.controls, offer);
  for_each_part(system.forces, offer);
}

int find_dock(const System<double>& system, const std::string& name) {
  for (std::size_t k = 0; k < system.docks.size(); ++k)
    if (system.docks[k].name == name) return static_cast<int>(k);
  throw std::invalid_argument("no dock named " + name);
}

}  // namespace

void Driver::find_row() { fill_row(t_, x_, row_); }

void Driver::start_events() {
  watches_.assign(events_.size(), {});
  for (int k = 0; k < static_cast<int>(events_.size()); ++k) {
    const Event& e = events_[index(k)];
    if (e.at) {
      agenda_.add({*e.at, Due::event, k});
    } else if (e.after < 0 && e.hit < 0) {
      trigger(k);
    }
  }
}

// The time of an event has come: it acts, or begins to watch its condition. It may have acted before
// when the event it waits for repeats.
void Driver::trigger(int k) {
  if (!events_[index(k)].repeat && watches_[index(k)].acted > 0) return;
  const Event& e = events_[index(k)];
  if (e.when && !e.at_once) return arm(k);
  if (e.when) find_row();
  if (!e.when || e.when->margin(row_) >= 0) pending_.push_back(k);
}

// A contact is about to be hit: conditions are judged by the state in which it is.
void Driver::trigger_hit(int contact) {
  bool looked = false;
  for (int k = 0; k < static_cast<int>(events_.size()); ++k) {
    const Event& e = events_[index(k)];
    if (e.hit < 0 || (!e.repeat && watches_[index(k)].acted > 0)) continue;
    // Any corner of a polygon will do.
    if (system_.contacts[index(e.hit)].told_as() != system_.contacts[index(contact)].told_as())
      continue;
    if (e.when && !std::exchange(looked, true)) find_row();
    if (!e.when || e.when->margin(row_) >= 0) pending_.push_back(k);
  }
}

void Driver::arm(int k) {
  Watch& w = watches_[index(k)];
  w.armed = true;
  w.holds = false;
  finder_.reset();
  find_row();
  notice(k, events_[index(k)].when->margin(row_) >= 0);
}

// The condition of an armed event begins or ceases to hold.
void Driver::notice(int k, bool holds) {
  const Event& e = events_[index(k)];
  Watch& w = watches_[index(k)];
  if (holds == w.holds) return;
  w.holds = holds;
  if (holds) ++w.tries;
  if (e.on_false) {
    if (!holds) pending_.push_back(k);
  } else if (holds && e.hold > 0) {
    agenda_.add({t_ + e.hold, Due::hold_over, k, w.tries});
  } else if (holds) {
    pending_.push_back(k);
  }
}

// After a jump of the state: conditions may have changed without crossing anything.
void Driver::notice_all() {
  bool looked = false;
  for (int k = 0; k < static_cast<int>(events_.size()); ++k) {
    if (!watches_[index(k)].armed) continue;
    if (!looked) find_row();
    looked = true;
    // Exactly on the edge nothing changes.
    const double margin = events_[index(k)].when->margin(row_);
    if (margin != 0) notice(k, margin > 0);
  }
}

// Looks for conditions that change inside the step just made; cuts the step short at the first.
bool Driver::locate_event() {
  const std::size_t contacts = 2 * system_.contacts.size();
  if (!finder_) {
    watched_.clear();
    for (int k = 0; k < static_cast<int>(events_.size()); ++k)
      if (watches_[index(k)].armed) watched_.push_back(k);
    std::vector<Way> ways(contacts + watched_.size(), Way::either);
    for (std::size_t i = 1; i < contacts; i += 2) ways[i] = Way::falling;
    for (std::size_t k = 0; k < system_.contacts.size(); ++k)
      if (system_.contacts[k].is_impact()) ways[2 * k] = Way::rising;
    finder_.emplace(std::move(ways));
  }
  if (watched_.empty() && contacts == 0) return false;
  std::vector<double> x(x_.size());
  // Inside a variational step every look is a step of its own: none without need.
  int samples = CrossingOptions{}.samples;
  if (stepper_.is_variational()) {
    const Pass pass = contacts > 0 ? find_pass(x) : Pass::clear;
    seen_ = pass == Pass::clear && watched_.empty();
    if (seen_) return false;
    samples = pass == Pass::inside ? 2 : 0;
  }
  const auto margins = [&](double t, std::span<double> g) {
    interpolate(t, x);
    if (!watched_.empty()) {
      fill_row(t, x, row_);
    } else if (any_resting()) {
      observe(t, x);
    } else {
      find_contacts(t, x);
    }
    find_contact_margins(g.first(contacts));
    for (std::size_t i = 0; i < watched_.size(); ++i)
      g[contacts + i] = events_[index(watched_[i])].when->margin(row_);
  };
  find_bounces(x);
  const std::optional<double> found = finder_->find(margins, t_previous_, t_, samples);
  if (!found) {
    correct_contacts();
    return !turned_.empty();
  }
  if (*found < t_) {
    // The state of the dense output, not of a step made again to that time: it is this state the
    // condition was judged by, and another one may lie on the near side still.
    interpolate(*found, x_);
    t_ = *found;
    if (looks_back_) past_.cut(t_);
  }
  for (std::size_t i : finder_->fired()) {
    if (i < contacts) {
      turned_.push_back(i);
    } else {
      const int k = watched_[i - contacts];
      notice(k, !watches_[index(k)].holds);
    }
  }
  return true;
}

// Everything that is to act now, in the order of the file.
void Driver::fire_pending() {
  std::sort(pending_.begin(), pending_.end());
  pending_.erase(std::unique(pending_.begin(), pending_.end()), pending_.end());
  const std::vector<int> now = std::move(pending_);
  pending_.clear();
  for (int k : now) {
    const Event& e = events_[index(k)];
    Watch& w = watches_[index(k)];
    const bool too_late = e.unless >= 0 && watches_[index(e.unless)].acted > 0;
    if ((!e.repeat || too_late) && w.armed) {
      w.armed = false;
      finder_.reset();
    }
    if (too_late) continue;
    ++w.acted;
    // Numbers of the state the event was judged by.
    std::vector<NamedValue> numbers;
    if (!e.told.empty()) {
      find_row();
      for (std::size_t i = 0; i < e.told.size(); ++i)
        numbers.push_back(named(e.told[i], row_[index(e.told_places[i])]));
    }
    for (const Action& a : e.actions) perform(a, e);
    tell("event", e.name, std::move(numbers));
    for (int j = 0; j < static_cast<int>(events_.size()); ++j) {
      if (events_[index(j)].after != k) continue;
      agenda_.add({t_ + events_[index(j)].delay, Due::event, j});
    }
  }
}

// A change from outside — speeds, or a spring that appears — booked as work and impulse.
void Driver::strike(const std::function<void(std::vector<double>&)>& change) {
  look(t_, x_);
  const Balance<double> before = find_balance<double>(system_, x_, looking_);
  change(x_);
  look(t_, x_);
  const Balance<double> after = find_balance<double>(system_, x_, looking_);
  double* ledger = x_.data() + looking_.layout.ledger;
  ledger[0] += (after.kinetic - before.kinetic) + (after.potential - before.potential);
  for (int k = 0; k < 3; ++k) {
    ledger[2 + k] += after.linear[k] - before.linear[k];
    ledger[5 + k] += after.angular[k] - before.angular[k];
  }
}

void Driver::tell(std::string kind, const std::string& name, std::vector<NamedValue> values) {
  happenings_.push_back({t_, std::move(kind), name, std::move(values)});
  if (observer_) observer_->happened(*this, happenings_.back());
}

// Joins a dock. With multipliers the ports stop moving against each other at once: internal impulses,
// whose loss of energy goes to the books as any other. A spring takes them as they come.
void Driver::latch(int k, bool nominal) {
  Dock<double>& dock = system_.docks[index(k)];
  if (dock.engaged) return;
  look(t_, x_);
  const Violation off = find_violation(dock, looking_.docks[index(k)]);
  if (nominal && (off.position > dock.gap || off.attitude > dock.gap_angle)) {
    warnings_.push_back(fmt::format(
        "{} did not latch at {:.6g} s: the ports were {:.3g} m and {:.3g} rad from mated, beyond "
        "its gap of {:.3g} m and {:.3g} rad",
        dock.name, t_, off.position, off.attitude, dock.gap, dock.gap_angle));
    return tell("latch_refused", dock.name,
                {named("gap", off.position), named("gap_angle", off.attitude)});
  }
  if (dock.enforce == Enforce::fused && find_weldable_hub(system_.model, dock) < 0) {
    warnings_.push_back(fmt::format(
        "{} is held exactly from {:.6g} s on: it cannot be fused, its craft being joined already "
        "or neither port on a free hub",
        dock.name, t_));
    dock.enforce = Enforce::exact;
  }
  const Balance<double> before = find_balance<double>(system_, x_, looking_);
  if (!nominal) lock_here(dock, looking_.docks[index(k)].pair);
  if (dock.first_state >= 0)
    std::fill_n(x_.begin() + looking_.layout.docks + dock.first_state, dock.row_count(), 0.0);
  double lost = 0;
  Wrench<double> impulse;
  if (dock.enforce == Enforce::penalty) {
    // A spring that appears stretched brings its energy along.
    strike([&](std::vector<double>&) { dock.engaged = true; });
  } else {
    dock.engaged = true;
    // Baumgarte and fused docks join like exact ones.
    const Enforce enforce = std::exchange(dock.enforce, Enforce::exact);
    std::vector<Wrench<double>> impulses;
    const Group group = find_group(system_, k, looking_.motion);
    if (nominal) close_gap(system_, t_, x_, mode_, looking_);
    look(t_, x_);
    const double closed = find_balance<double>(system_, x_, looking_).kinetic;
    stop_rates(system_, t_, x_, mode_, looking_, &impulses);
    impulse = impulses[index(k)];
    // Where a joint stands on the ground, the ground takes part of the blow.
    const bool grounded = mode_.grounded;
    look(t_, x_);
    lost = closed - find_balance<double>(system_, x_, looking_).kinetic;
    // Closing the gap moved masses across their own velocities; the stack makes up for it.
    if (nominal) {
      const Layout& at = looking_.layout;
      const std::span<double> all(x_);
      restore_momentum(system_, k, group, looking_.motion, all.first(index(at.v)),
                       all.subspan(index(at.v), index(at.z - at.v)));
    }
    dock.enforce = enforce;
    if (enforce == Enforce::fused) {
      remember_model();
      weld(system_.model, dock);
    }
    look(t_, x_);
    const Balance<double> after = find_balance<double>(system_, x_, looking_);
    double* ledger = x_.data() + looking_.layout.ledger;
    ledger[1] += (before.kinetic + before.potential) - (after.kinetic + after.potential);
    for (int i = 0; grounded && i < 3; ++i) {
      ledger[2 + i] += after.linear[i] - before.linear[i];
      ledger[5 + i] += after.angular[i] - before.angular[i];
    }
  }
  choose_rows(system_, t_, x_, mode_, looking_);
  tell("latch", dock.name,
       {named("lock", std::string(nominal ? "nominal" : "current")), named("energy_lost", lost),
        named("impulse_N", impulse.force), named("angular_impulse_N", impulse.torque)});
}

// Lets go. What a soft dock had stored is lost with it.
void Driver::release(int k) {
  Dock<double>& dock = system_.docks[index(k)];
  if (!dock.engaged) return;
  look(t_, x_);
  const double stored = find_energy(dock, looking_.docks[index(k)]);
  if (dock.enforce == Enforce::fused) {
    const Layout& at = looking_.layout;
    const std::span<double> all(x_);
    remember_model();
    cut(system_.model, dock, looking_.motion, all.first(index(at.v)),
        all.subspan(index(at.v), index(at.z - at.v)));
  }
  dock.engaged = false;
  x_[index(looking_.layout.ledger) + 1] += stored;
  choose_rows(system_, t_, x_, mode_, looking_);
  tell("release", dock.name, {named("energy_lost", stored)});
}

void Driver::perform(const Action& action, const Event& event) {
  const auto do_switch = [&](const SwitchAction& a) {
    strike([&](std::vector<double>&) {
      with_named(system_, a.name, [&](auto& part) { part.enabled = a.enable; });
    });
    if (a.enable) wake(a.name);
  };
  const auto do_reference = [&](const ReferenceAction& a) {
    with_named(system_, a.name, [&](auto& part) {
      std::vector<Profile<double>> fresh = a.reference;
      for (Profile<double>& p : fresh) {
        p.start += t_;
        for (double& t : p.times) t += t_;
      }
      if constexpr (requires { part.angle; }) {
        part.angle = fresh.front();
      } else if constexpr (requires { part.distance.at(0.0, 0.0); }) {
        part.distance = fresh.front();
      } else if constexpr (requires { part.force.at(0.0, 0.0); }) {
        part.force = fresh.front();
      } else if constexpr (requires { part.reference; }) {
        part.reference = fresh;
      }
      std::vector<double> times;
      for (const Profile<double>& p : fresh) p.add_times(times);
      for (double t : times)
        if (t > t_) agenda_.add({t, Due::switching});
    });
  };
  const auto warn = [&](const Event& e, const char* does, const std::string& dock, const char* is) {
    warnings_.push_back(fmt::format("event {} ({}) {} {} at {:.6g} s, which is {}", e.name, e.where,
                                    does, dock, t_, is));
  };
  const auto do_kick = [&](const KickAction& a) {
    const Body<double>& b = system_.model.body(system_.model.find_body(a.joint));
    const std::size_t at = index(looking_.layout.v + b.v);
    strike([&](std::vector<double>& x) {
      x[at] = a.rate + (a.add ? x[at] : 0);
      stop_rates(system_, t_, x, mode_, looking_);  // docked craft pass it on at once
    });
  };
  const auto do_impulse = [&](const ImpulseAction& a) {
    // An impulse is a force whose velocity-free acceleration is the jump of the speeds.
    const int i = system_.model.find_body(a.body);
    strike([&](std::vector<double>& x) {
      Workspace<double> still(system_);
      std::vector<double> rest = x;
      std::fill(rest.begin() + still.layout.v, rest.begin() + still.layout.z, 0.0);
      motion_stage<double>(system_, t_, rest, mode_, still);
      still.total.clear();
      const Mat3<double>& R_NB = still.motion.body(i).R_NB;
      still.total.add_force_at(i, R_NB * a.point, R_NB * a.impulse);
      still.total.body(i).torque += R_NB * a.angular_impulse;
      solve_accelerations<double>(system_.model, still.motion, still.total, still.articulated,
                                  still.v_dot);
      for (std::size_t k = 0; k < still.v_dot.size(); ++k)
        x[index(still.layout.v) + k] += still.v_dot[k];
      stop_rates(system_, t_, x, mode_, looking_);
    });
  };
  std::visit(
      [&](const auto& a) {
        using A = std::remove_cvref_t<decltype(a)>;
        if constexpr (std::same_as<A, SwitchAction>) do_switch(a);
        if constexpr (std::same_as<A, ReferenceAction>) do_reference(a);
        if constexpr (std::same_as<A, KickAction>) do_kick(a);
        if constexpr (std::same_as<A, ImpulseAction>) do_impulse(a);
        if constexpr (std::same_as<A, LatchAction>) {
          const int k = find_dock(system_, a.dock);
          if (system_.docks[index(k)].engaged) warn(event, "latches", a.dock, "joined already");
          latch(k, a.nominal);
        }
        if constexpr (std::same_as<A, ReleaseAction>) {
          const int k = find_dock(system_, a.dock);
          if (!system_.docks[index(k)].engaged) warn(event, "releases", a.dock, "open already");
          release(k);
        }
        if constexpr (std::same_as<A, RecordAction>) record_interval_ = a.interval;
        if constexpr (std::same_as<A, VerdictAction>) {
          stopped_ = stopped_ || a.stops;
          verdict_ = a.verdict.empty() ? event.name : a.verdict;
        }
      },
      action);
}

std::vector<std::string> Driver::waiting_events() const {
  const auto has_acted = [&](std::size_t k) {
    return k < watches_.size() && watches_[k].acted > 0;
  };
  std::vector<std::string> names;
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const Event& e = events_[k];
    if (e.may_wait || has_acted(k) || (e.unless >= 0 && has_acted(index(e.unless)))) continue;
    names.push_back(e.name);
  }
  return names;
}

}  // namespace berth
