// SPDX-License-Identifier: Apache-2.0
#include "berth/run/driver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "berth/system/contacts.h"
#include "berth/system/docks.h"
#include "berth/system/linearised.h"

namespace berth {
namespace {

// A run is judged by what thousands of steps add up to, so each step is held to a tenth of the
// tolerance; with an eighth-order method that costs a third more steps. Who asks for the norm of the
// literature gets its tolerance too.
IntegratorOptions per_step(IntegratorOptions options) {
  if (!options.mean_error) options.tolerance *= 0.1;
  return options;
}

Ending ending_of(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::step_too_small: return Ending::step_too_small;
    case StepOutcome::non_finite: return Ending::non_finite;
    case StepOutcome::too_many_steps: return Ending::too_many_steps;
    case StepOutcome::no_solution: return Ending::no_solution;
    default: return Ending::reached_end;
  }
}

}  // namespace

std::vector<Block> find_error_blocks(const System<double>& system) {
  const Layout at = system.layout();
  std::vector<Block> blocks;
  const auto add = [&](int first, int size) {
    blocks.push_back({static_cast<std::size_t>(first), static_cast<std::size_t>(size), 1.0});
  };
  for (const Body<double>& b : system.model.bodies) {
    const int q = at.q + b.q, v = at.v + b.v;
    // A welded hub may be cut loose later.
    switch (b.hub ? JointType::free : b.joint) {
      case JointType::free: add(q, 3), add(q + 3, 4), add(v, 3), add(v + 3, 3); break;
      case JointType::spherical: add(q, 4), add(v, 3); break;
      case JointType::planar: add(q, 2), add(q + 2, 1), add(v, 2), add(v + 2, 1); break;
      case JointType::revolute:
      case JointType::prismatic:
        if (!b.spins) add(q, 1);
        add(v, 1);
        break;
      case JointType::fixed: break;
    }
  }
  for (int i = at.z; i < at.contacts; ++i) add(i, 1);
  for (const Contact<double>& c : system.contacts) {
    add(at.contacts + c.first_state, 2);  // its work, by which it is judged
    const int lag = at.contacts + c.lag_state(), filter = at.contacts + c.filter_state();
    if (c.can_stick()) add(at.contacts + c.slip_state(), 3);
    if (c.has_lag()) add(lag, 3), add(lag + 3, 3);
    if (c.has_filter()) add(filter, 1), add(filter + 1, 3), add(filter + 4, 3);
  }
  for (int i = at.orbit; i < at.ledger; i += 3) add(i, 3);
  return blocks;
}

namespace {

// The channel list needs one look at the system.
Channels build_channels(const System<double>& system, Workspace<double>& w) {
  const std::vector<double> x = find_initial_state(system);
  Mode<double> mode = idle_mode(w);
  motion_stage<double>(system, 0.0, x, mode, w);
  command_stage<double>(system, x, mode, w);
  effort_stage(system, w);
  return Channels(system, x, w);
}

}  // namespace

Driver::Driver(System<double> system, const RunOptions& options)
    : system_(std::move(system)),
      options_(options),
      work_(system_),
      looking_(system_),
      stepper_(options.method, index(system_.layout().size), find_error_blocks(system_),
               per_step(options.integrator)),
      channels_(build_channels(system_, looking_)),
      x_(find_initial_state(system_)),
      row_(index(channels_.width())) {
  mode_ = idle_mode(work_);
  work_.sees_impacts = false;
  choose_rows(system_, 0.0, x_, mode_, looking_);  // whoever looks before the run sees loads too
  stepper_.start(0.0, x_);
  fill_agenda();
  start_contacts();
}

Driver::~Driver() = default;

void Driver::Rate::jacobian(double t, std::span<const double> x, std::span<double> J) const {
  driver.linearised_->find_jacobian(t, x, driver.mode_, J);
}

void Driver::fill_agenda() {
  std::vector<double> times;
  const auto ask = [&](const auto& part) {
    if constexpr (HasSchedule<std::remove_cvref_t<decltype(part)>>) part.add_times(times);
  };
  for_each_part(system_.components, ask);
  for_each_part(system_.forces, ask);
  for_each_part(system_.controls, ask);
  for (double t : times)
    if (t > 0 && std::isfinite(t)) agenda_.add({t, Due::switching});

  int i = 0;
  for_each_part(system_.controls, [&](const auto& c) {
    if (c.sample_time > 0) agenda_.add({0.0, Due::sample, i});
    if (c.latency > 0 && !(c.sample_time > 0))
      throw std::invalid_argument("a controller with latency needs a sample_time");
    ++i;
  });
  int set = 0;
  for (const auto& s : std::get<std::vector<ThrusterSet<double>>>(system_.forces)) {
    if (s.sample_time > 0) agenda_.add({0.0, Due::thruster_cycle, set});
    ++set;
  }
}

void Driver::add_looks(std::span<const double> times) {
  for (double t : times)
    if (t > 0 && std::isfinite(t)) agenda_.add({t, Due::look});
}

// --- looking -------------------------------------------------------------------------------------

// Poses, rates and commands.
void Driver::look(double t, std::span<const double> x) {
  if (looks_back_) find_arriving(t, looking_);
  motion_stage(system_, t, x, mode_, looking_);
  command_stage(system_, x, mode_, looking_);
}

const Workspace<double>& Driver::observe(double t, std::span<const double> x) {
  look(t, x);
  effort_stage(system_, looking_);
  acceleration_stage<double>(system_, mode_, looking_, looking_.v_dot);
  find_fused_loads(system_, looking_);
  for (std::size_t k = 0; k < system_.docks.size(); ++k) {
    if (system_.docks[k].contact < 0 || !system_.docks[k].engaged) continue;
    ContactMotion<double>& m = looking_.contacts[index(system_.docks[k].contact)];
    m.touching = true;
    m.normal_N = looking_.docks[k].wrench.force;
    m.signal.normal = -looking_.docks[k].load[0];
  }
  return looking_;
}

void Driver::fill_row(double t, std::span<const double> x, std::span<double> row) {
  channels_.fill(system_, x, observe(t, x), row);
  for (std::size_t k = 0; k < dock_tracks_.size(); ++k)
    dock_tracks_[k].add_load(looking_.docks[k].wrench);
}

void Driver::interpolate(double t, std::span<double> x) {
  if (!dense_ready_) {
    stepper_.prepare_dense(Rate{*this});
    dense_ready_ = true;
  }
  stepper_.interpolate(t, x);
}

// --- what stands on the agenda -------------------------------------------------------------------

// A controller measures: its law now, its integral states one period on, its word on the way.
void Driver::sample(const Entry& entry) {
  look(entry.t, x_);
  find_outputs<double>(system_, x_, mode_, looking_);
  const Instant<double> now{system_.model, looking_.motion, looking_.command};
  int i = 0, output = 0, state = looking_.layout.z;
  for_each_part(system_.controls, [&](const auto& c) {
    const bool is_it = i++ == entry.index;
    if (is_it && !c.enabled) {
      asleep_.insert(c.name);  // until an event wakes it
    } else if (is_it) {
      const auto from = looking_.outputs.begin() + output;
      std::vector<double> z_dot(index(c.state_count()));
      c.find_state_rate(now, x_.data() + state, z_dot.data());
      for (std::size_t k = 0; k < z_dot.size(); ++k)
        x_[index(state) + k] += c.sample_time * z_dot[k];
      if constexpr (requires { c.limit_state(x_.data()); }) c.limit_state(x_.data() + state);
      agenda_.add({entry.t + c.latency, Due::actuation, output, 0,
                   std::vector<double>(from, from + c.output_count())});
      const double next = static_cast<double>(entry.count + 1) * c.sample_time;
      agenda_.add({next, Due::sample, entry.index, entry.count + 1});
    }
    output += c.output_count();
    state += c.state_count();
  });
}

// A sampled part that was switched off and is switched on goes on with its raster. What it said
// before is out of date.
void Driver::wake(const std::string& name) {
  if (asleep_.erase(name) == 0) return;
  const auto add_next = [&](double period, Due due, int i) {
    const double count = std::ceil(t_ / period - 1e-9);
    agenda_.add({count * period, due, i, static_cast<std::uint64_t>(count)});
  };
  int i = 0, output = 0, set = 0;
  for_each_part(system_.controls, [&](const auto& c) {
    if (c.name == name) {
      add_next(c.sample_time, Due::sample, i);
      std::fill_n(mode_.held.begin() + output, c.output_count(), 0.0);
    }
    ++i;
    output += c.output_count();
  });
  for (const auto& s : std::get<std::vector<ThrusterSet<double>>>(system_.forces)) {
    if (s.name == name) {
      add_next(s.sample_time, Due::thruster_cycle, set);
      std::fill_n(mode_.levels.begin() + s.first_level, s.thruster.size(), 0.0);
    }
    ++set;
  }
}

// A pulsed thruster set turns what is asked of it into pulses of one period.
void Driver::open_valves(const Entry& entry) {
  const auto& set = std::get<std::vector<ThrusterSet<double>>>(system_.forces)[index(entry.index)];
  if (!set.enabled) return void(asleep_.insert(set.name));
  look(entry.t, x_);
  std::vector<double> levels(set.thruster.size());
  set.find_levels(looking_.command.thrusters[index(entry.index)], levels.data());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double on = set.find_on_time(levels[i]);
    mode_.levels[index(set.first_level) + i] = on > 0 ? 1.0 : 0.0;
    // A pulse as long as the period simply stays on into the next decision.
    if (on > 0 && on < set.sample_time)
      agenda_.add({entry.t + on, Due::valve_closes, set.first_level + static_cast<int>(i)});
  }
  const double next = static_cast<double>(entry.count + 1) * set.sample_time;
  agenda_.add({next, Due::thruster_cycle, entry.index, entry.count + 1});
}

void Driver::do_entry(const Entry& entry) {
  switch (entry.due) {
    case Due::look:
    case Due::switching: break;
    case Due::valve_closes: mode_.levels[index(entry.index)] = 0.0; break;
    case Due::event: trigger(entry.index); break;
    case Due::hold_over: {
      const Watch& w = watches_[index(entry.index)];
      if (w.armed && w.holds && w.tries == entry.count) pending_.push_back(entry.index);
      break;
    }
    case Due::echo: echo(entry); break;
    case Due::contact_sample: sample_contact(entry); break;
    case Due::contact_word: receive_word(entry); break;
    case Due::settled: settle(entry); break;
    case Due::sample: sample(entry); break;
    case Due::actuation:
      std::copy(entry.output.begin(), entry.output.end(), mode_.held.begin() + entry.index);
      break;
    case Due::thruster_cycle: open_valves(entry); break;
  }
}

// Everything due at t, then everything that follows from it; the integrator starts afresh behind.
void Driver::act(double t) {
  gaps_.clear();
  mode_.t_from = std::max(mode_.t_from, t);
  turn_contacts();
  std::vector<Entry> due;
  for (int rounds = 0; rounds < 1000; ++rounds) {
    // Times that differ in their last digits are one moment: the kind decides the order, and what
    // an entry brings about at once takes its place among the others.
    for (;;) {
      while (agenda_.is_due(t)) due.push_back(agenda_.take());
      if (due.empty()) break;
      const auto first = std::min_element(
          due.begin(), due.end(), [](const Entry& a, const Entry& b) { return a.due < b.due; });
      const Entry entry = std::move(*first);
      due.erase(first);
      mode_.t_from = std::max(mode_.t_from, entry.t);
      do_entry(entry);
    }
    lift_off_all();
    notice_all();  // what is held, switched or open may have jumped
    if (pending_.empty()) break;
    fire_pending();
  }
  project(system_, t, x_, mode_, looking_);
  if (stepper_.is_stiff()) linearised_ = std::make_unique<Linearised>(system_);
  stepper_.restart(t, x_);
}

// --- between steps -------------------------------------------------------------------------------

// Housekeeping: unit quaternions, and the frame near the craft. True when x was changed.
bool Driver::tidy() {
  const Layout& at = work_.layout;
  bool drifted = false, far = false;
  for (const Body<double>& b : system_.model.bodies) {
    if (b.joint != JointType::free && b.joint != JointType::spherical) continue;
    const double* q = x_.data() + b.q + (b.joint == JointType::free ? 3 : 0);
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    drifted |= std::fabs(n - 1) > 1e-9;
    // The centre of mass is looked at once a hub is far enough out to matter.
    const double* r = x_.data() + b.q;
    far |= b.joint == JointType::free &&
           norm(Vec3<double>{r[0], r[1], r[2]}) > 0.5 * options_.recentre_beyond;
  }
  CentreOfMass<double> cm{};
  if (system_.in_orbit && far) {
    look(t_, x_);
    cm = find_centre_of_mass(system_.model, looking_.motion);
  }
  far = norm(cm.r_N) > options_.recentre_beyond;
  if (drifted) normalise_quaternions<double>(system_.model, std::span(x_).first(index(at.v)));
  if (far) recentre<double>(system_, cm.r_N, cm.v_N, x_);
  return drifted || far;
}

void Driver::book() {
  const bool seen = std::exchange(seen_, false);
  if (std::any_of(system_.docks.begin(), system_.docks.end(),
                  [](const Dock<double>& d) { return d.engaged; })) {
    observe(t_, x_);
  } else if (!seen) {
    look(t_, x_);
  }
  ledger_.add(find_balance<double>(system_, x_, looking_));
  for (const Dock<double>& d : system_.docks) {
    if (d.contact < 0 || !d.engaged) continue;
    double& peak = contact_tracks_[index(d.contact)].force_peak;
    peak = std::max(peak, norm(looking_.contacts[index(d.contact)].normal_N));
  }
  for (std::size_t k = 0; k < dock_tracks_.size(); ++k) {
    if (system_.docks[k].engaged) {
      dock_tracks_[k].add(t_, find_violation(system_.docks[k], looking_.docks[k]),
                          looking_.docks[k].wrench);
    } else {
      dock_tracks_[k].pause();
    }
  }
}

Outcome Driver::run(double t_stop, Observer* observer) {
  const Rate f{*this};
  observer_ = observer;
  if (!started_) {
    started_ = true;
    dock_tracks_.assign(system_.docks.size(), DockTrack(0.5 * t_stop));
    start_events();
    for (std::size_t k = 0; k < system_.contacts.size(); ++k)
      if (begins_touching(static_cast<int>(k))) turned_.push_back(2 * k);
    act(0);
  }
  book();
  while (t_ < t_stop && !stopped_) {
    if (interrupted && interrupted()) return {Ending::interrupted, t_, "interrupted"};

    const double limit = std::min(t_stop, agenda_.next_time());
    dense_ready_ = false;
    t_previous_ = t_;
    const StepOutcome outcome = stepper_.step(f, limit);
    if (outcome != StepOutcome::accepted)
      return {ending_of(outcome), t_, std::string(name(outcome))};
    t_ = stepper_.t();
    std::copy(stepper_.x().begin(), stepper_.x().end(), x_.begin());

    if (looks_back_) keep_past();
    const bool event = locate_event();
    // Where an event cut the step short, act() hands its state to the stepper.
    const bool cut_short = t_ < stepper_.t();
    track_contacts();
    const bool pulled = project(system_, t_, x_, mode_, looking_);
    if (pulled) gaps_.clear();
    book();
    const bool go_on = !observer || observer->step(*this);
    if ((tidy() || pulled) && !cut_short) stepper_.replace_state(x_);
    if (event || agenda_.is_due(t_)) act(t_);
    if (!go_on) return {Ending::stopped, t_, "stopped by observer"};
  }
  if (stopped_) return {Ending::stopped, t_, verdict_};
  return {Ending::reached_end, t_, ""};
}

}  // namespace berth
