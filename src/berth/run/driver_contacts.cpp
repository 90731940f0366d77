// SPDX-License-Identifier: Apache-2.0

// Contacts of the driver: opening and closing, the past that delayed ones look back on, the samples
// of those that are sampled.
//
// A change of a contact at t reaches the force at t + h. The motion has a kink there, a kink of its
// rate at t + 2h and so on, ever weaker: no step straddles the first few.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/integrate/crossing.h"
#include "berth/math/philox.h"
#include "berth/run/driver.h"
#include "berth/system/contacts.h"

namespace berth {
namespace {

constexpr int kEchoes = 4;

std::vector<double> pack(const ContactSignal<double>& s) {
  return {s.normal,       s.normal_N.x,   s.normal_N.y,  s.normal_N.z,
          s.friction_N.x, s.friction_N.y, s.friction_N.z};
}
ContactSignal<double> unpack(const std::vector<double>& v) {
  return {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6]}};
}

}  // namespace

// A force may be on its way: the contact touches, did so a delay ago, or its filter holds some.
bool Driver::is_awake(int k) const {
  const ContactMode<double>& m = mode_.contacts[index(k)];
  return m.now.touching || m.then.touching || t_ + 1e-9 < contact_tracks_[index(k)].filter_empty;
}

void Driver::stop_looking_back() {
  // Of a touch shorter than its delay nothing is awake until its force comes.
  for (int k = 0; k < static_cast<int>(system_.contacts.size()); ++k)
    if (system_.contacts[index(k)].is_delayed() &&
        (is_awake(k) || contact_tracks_[index(k)].echoes > 0))
      return;
  looks_back_ = false;
  work_.arriving.assign(work_.arriving.size(), {});
  looking_.arriving = work_.arriving;
}

void Driver::start_contacts() {
  contact_tracks_.assign(system_.contacts.size(), {});
  if (system_.contacts.empty()) return;
  past_x_.resize(x_.size());
  past_motion_.bodies.resize(system_.model.bodies.size());
  shortest_delay_ = INFINITY;
  for (const Contact<double>& c : system_.contacts) {
    if (!c.is_delayed()) continue;
    if (stepper_.is_stiff())
      throw std::invalid_argument("contact " + c.name + ": " + std::string(kRadauName) +
                                  " cannot look back; a delay needs an explicit method");
    shortest_delay_ = std::min(shortest_delay_, c.delay);
    longest_delay_ = std::max(longest_delay_, c.delay);
  }
}

// --- looking back --------------------------------------------------------------------------------

// The step just made joins the past.
void Driver::keep_past() {
  if (!dense_ready_) stepper_.prepare_dense(Rate{*this});
  dense_ready_ = true;
  past_.add(stepper_.dense());
  past_.forget(t_previous_ - longest_delay_);
}

void Driver::find_arriving(double t, Workspace<double>& w) {
  double found = NAN;
  for (std::size_t k = 0; k < system_.contacts.size(); ++k) {
    const Contact<double>& c = system_.contacts[k];
    w.arriving[k] = {};
    if (!c.is_delayed()) continue;
    const Grip& then = mode_.contacts[k].then;
    if (!then.touching && !(c.has_filter() && is_awake(static_cast<int>(k)))) continue;
    if (past_.empty() || t - c.delay < past_.begin() - 1e-9) continue;
    if (t - c.delay != found) {
      found = t - c.delay;
      past_.find(found, std::span(past_x_).first(index(w.layout.orbit)));
      // The trees as they were then.
      const Model<double>* model = &system_.model;
      for (auto it = former_models_.rbegin(); it != former_models_.rend(); ++it)
        if (found <= it->until) model = &it->model;
      const std::span<const double> x(past_x_);
      const Layout& at = w.layout;
      find_motion<double>(*model, x.first(index(at.v)), x.subspan(index(at.v), index(at.z - at.v)),
                          past_motion_);
    }
    const double* states = past_x_.data() + w.layout.contacts + c.first_state;
    w.arriving[k] = find_contact_motion(c, past_motion_, states, then).signal;
  }
}

// Whether a contact exactly at its edge begins: pressed on, or about to be.
bool Driver::begins_touching(int k) {
  find_contacts(0, x_);
  if (system_.contacts[index(k)].is_impact()) {
    const ContactMotion<double>& m = looking_.contacts[index(k)];
    return m.gap <= 0 && m.gap_rate <= 0;
  }
  const ContactMotion<double>& m = looking_.contacts[index(k)];
  const double margin = find_touch_margin(system_.contacts[index(k)], m);
  if (margin != 0 || m.in.rate != 0) return margin > 0 || (margin == 0 && m.in.rate > 0);
  // At rest: by where it is going.
  std::vector<double> x_dot(x_.size()), x(x_);
  find_derivative<double>(system_, 0.0, x_, mode_, looking_, x_dot);
  constexpr double soon = 1e-6;  // [s]
  for (int i = looking_.layout.v; i < looking_.layout.z; ++i) x[index(i)] += soon * x_dot[index(i)];
  find_contacts(0, x);
  return looking_.contacts[index(k)].in.rate > 0;
}

// Before a hub is welded or cut loose.
void Driver::remember_model() {
  while (!former_models_.empty() && former_models_.front().until < t_ - 2 * longest_delay_)
    former_models_.erase(former_models_.begin());
  if (looks_back_) former_models_.push_back({t_, system_.model});
}

// --- opening and closing -------------------------------------------------------------------------

// Motion and contacts alone.
void Driver::find_contacts(double t, std::span<const double> x) {
  const Layout& at = looking_.layout;
  find_motion<double>(system_.model, x.first(index(at.v)),
                      x.subspan(index(at.v), index(at.z - at.v)), looking_.motion);
  looking_.motion.t = t;
  contact_stage<double>(system_, x, mode_, looking_);
}

// Of every contact in looking_: touching, then sticking.
void Driver::find_contact_margins(std::span<double> g) {
  for (std::size_t k = 0; k < system_.contacts.size(); ++k) {
    if (system_.contacts[k].is_impact()) {
      const int i = static_cast<int>(k);
      g[2 * k] = is_resting(i) ? -find_press(i) : -looking_.contacts[k].gap - skin_[k];
      if (looking_.motion.t < free_until_[k]) g[2 * k] = -1e-300;
      g[2 * k + 1] = 1;
      continue;
    }
    g[2 * k] = find_touch_margin(system_.contacts[k], looking_.contacts[k]);
    g[2 * k + 1] =
        find_stick_margin(system_.contacts[k], looking_.contacts[k], mode_.contacts[k].now);
  }
}

// At the end of a step without a crossing: a contact that began exactly at its edge has none, and one
// that slides to rest without having been fast enough neither.
void Driver::correct_contacts() {
  if (system_.contacts.empty()) return;
  find_contacts(t_, x_);
  for (std::size_t k = 0; k < system_.contacts.size(); ++k) {
    const Contact<double>& c = system_.contacts[k];
    const ContactMotion<double>& m = looking_.contacts[k];
    const Grip& grip = mode_.contacts[k].now;
    if (c.is_impact()) {
      if (m.gap < -skin_[k] && m.gap_rate < 0 && !is_resting(static_cast<int>(k)))
        turned_.push_back(2 * k);
      continue;
    }
    const double margin = find_touch_margin(c, m);
    if (margin != 0 && (margin > 0) != grip.touching) turned_.push_back(2 * k);
    double& last = contact_tracks_[k].last_slip;
    const double slip = norm(m.slip_S);
    // Slow and not getting faster, friction holds it; beyond its limit it does not.
    if (can_stick(c) && grip.touching && (grip.sticking || slip <= 1.001 * last) &&
        find_stick_margin(c, m, grip) < 0)
      turned_.push_back(2 * k + 1);
    last = slip;
  }
}

void Driver::turn_contacts() {
  std::sort(turned_.begin(), turned_.end());
  const std::vector<std::size_t> turned = std::move(turned_);
  turned_.clear();
  bool hit = false;
  for (std::size_t i : turned) {
    const int k = static_cast<int>(i / 2);
    if (system_.contacts[index(k)].is_impact()) {
      if (is_resting(k)) {
        lift_off(k);
      } else {
        hit = true;
      }
    } else if (i % 2 == 0) {
      turn_contact(static_cast<int>(i / 2));
    } else {
      turn_stick(static_cast<int>(i / 2));
    }
  }
  if (hit) collide();
}

void Driver::turn_contact(int k) {
  const Contact<double>& c = system_.contacts[index(k)];
  ContactTrack& track = contact_tracks_[index(k)];
  Grip& grip = mode_.contacts[index(k)].now;
  find_contacts(t_, x_);
  const ContactMotion<double>& m = looking_.contacts[index(k)];
  if (!grip.touching) {
    grip = {};
    grip.touching = true;
    grip.sticking = can_stick(c) && find_stick_margin(c, m, grip) < 0;
    grip.anchor_S = m.point_S;
    track.friction_work_before = x_[index(looking_.layout.contacts + c.first_state + 1)];
    if (track.touches++ == 0) track.speed_in = m.in.rate;
    if (c.is_sampled() && !track.sampling) {
      track.sampling = true;
      // The next sample of a raster that began at zero.
      const double count = std::ceil(t_ / c.sample_time * (1 - 1e-12));
      agenda_.add(
          {count * c.sample_time, Due::contact_sample, k, static_cast<std::uint64_t>(count)});
    }
    if (c.is_delayed() && !looks_back_) {
      looks_back_ = true;
      past_.start(t_);
    }
  } else {
    grip = {};
    const double last = t_ + (c.is_sampled() ? 0 : c.delay) + 30 * c.filter_time;
    if (c.has_filter()) track.filter_empty = last;
    if (!c.is_sampled()) agenda_.add({last, Due::settled, k, track.touches});
  }
  if (c.is_delayed()) {
    ++track.echoes;
    agenda_.add({t_ + c.delay,
                 Due::echo,
                 k,
                 0,
                 {grip.touching ? 1.0 : 0.0, grip.sticking ? 1.0 : 0.0, grip.anchor_S.x,
                  grip.anchor_S.y, grip.anchor_S.z}});
    for (int i = 2; i <= kEchoes; ++i) agenda_.add({t_ + i * c.delay, Due::switching});
  }
  tell_contact(grip.touching ? "contact_on" : "contact_off", k);
}

void Driver::turn_stick(int k) {
  const Contact<double>& c = system_.contacts[index(k)];
  Grip& grip = mode_.contacts[index(k)].now;
  if (!grip.touching) return;
  find_contacts(t_, x_);
  grip.sticking = !grip.sticking;
  const ContactMotion<double>& m = looking_.contacts[index(k)];
  grip.anchor_S = m.point_S;
  if (grip.sticking) {
    // It goes on with the force it slid with, as far as the spring behind that holds no more than
    // friction has taken since the touch: so it stays passive.
    const double taken = contact_tracks_[index(k)].friction_work_before -
                         x_[index(looking_.layout.contacts + c.first_state + 1)];
    const double stiffness = find_grip_stiffness(c);
    const Vec3<double> f_S = transposed_times(m.R_NS, m.raw.friction_N);
    const double held = 0.99 * norm(f_S) - find_grip_damping(c) * norm(m.slip_S);
    const double stretch =
        std::min(std::max(held, 0.0) / stiffness, std::sqrt(2 * std::max(taken, 0.0) / stiffness));
    if (stretch > 0) grip.anchor_S += (stretch / norm(f_S)) * f_S;
  }
  contact_tracks_[index(k)].last_slip = 0;
  if (!c.is_delayed()) return;
  ++contact_tracks_[index(k)].echoes;
  agenda_.add(
      {t_ + c.delay,
       Due::echo,
       k,
       0,
       {1.0, grip.sticking ? 1.0 : 0.0, grip.anchor_S.x, grip.anchor_S.y, grip.anchor_S.z}});
}

void Driver::echo(const Entry& entry) {
  Grip& then = mode_.contacts[index(entry.index)].then;
  const std::vector<double>& v = entry.output;
  then = {v[0] != 0, v[1] != 0, {v[2], v[3], v[4]}};
  --contact_tracks_[index(entry.index)].echoes;
  stop_looking_back();
}

// --- sampled -------------------------------------------------------------------------------------

void Driver::sample_contact(const Entry& entry) {
  const int k = entry.index;
  const Contact<double>& c = system_.contacts[index(k)];
  ContactTrack& track = contact_tracks_[index(k)];
  find_contacts(entry.t, x_);
  ContactSignal<double> word = looking_.contacts[index(k)].signal;
  const bool awake = is_awake(k);
  if (const auto* lead = std::get_if<LeadCompensation<double>>(&c.compensation)) {
    const double time = lead->time > 0 ? lead->time : c.delay;
    const ContactSignal<double> raw = word;
    if (!track.sampled) track.last_word = {};
    if (awake) word = word + (time / c.sample_time) * (raw - track.last_word);
    if (word.normal > 0 && !c.adhesive) word = {};  // no probe is pulled
    track.last_word = raw;
  }
  track.sampled = awake;
  const double late =
      c.delay + c.jitter * (c.jitter > 0 ? find_uniform(c.seed, entry.count, 0) : 0);
  std::vector<double> output = pack(word);
  output.push_back(awake ? 1 : 0);
  agenda_.add({entry.t + late, Due::contact_word, k, entry.count, std::move(output)});
  // The word that says the contact is lost is the last one.
  track.sampling = awake;
  if (awake)
    agenda_.add({static_cast<double>(entry.count + 1) * c.sample_time, Due::contact_sample, k,
                 entry.count + 1});
  feed_back(k);
}

void Driver::receive_word(const Entry& entry) {
  const int k = entry.index;
  ContactTrack& track = contact_tracks_[index(k)];
  // With jitter a word may be overtaken by a later one: then it is no news.
  if (track.heard > entry.count) return;
  track.heard = entry.count;
  track.arrived = unpack(entry.output);
  feed_back(k);
  if (entry.output.back() != 0 || is_awake(k)) return;
  mode_.contacts[index(k)].held = {};  // a controller has its last word with it
  settle({entry.t, Due::settled, k, track.touches});
}

// What acts until the next sample or word: the word that arrived last, compensated for being late.
void Driver::feed_back(int k) {
  const Contact<double>& c = system_.contacts[index(k)];
  ContactMode<double>& mode = mode_.contacts[index(k)];
  find_contacts(t_, x_);
  const ContactMotion<double>& m = looking_.contacts[index(k)];
  mode.held = contact_tracks_[index(k)].arrived;
  if (has_model(c)) mode.held = find_model_signal(c, m, mode.now);
  if (c.along_normal) mode.held.friction_N = {};  // that of now acts; beside it a controller's
  if (!std::holds_alternative<PassivityCompensation<double>>(c.compensation)) return;
  // What the contact will have given by the next sample, if nothing is done.
  find_contacts(t_, x_);
  const double* states = x_.data() + looking_.layout.contacts + c.first_state;
  const double given = states[0] + states[1] + m.power() * c.sample_time;
  const double way = norm_squared(m.v_N) * c.sample_time;
  if (given > 0 && way > 0) mode.held.friction_N -= (given / way) * m.v_N;
}

// After the last that a lost contact has to say.
void Driver::settle(const Entry& entry) {
  const int k = entry.index;
  ContactTrack& track = contact_tracks_[index(k)];
  if (track.touches != entry.count || mode_.contacts[index(k)].now.touching) return;
  find_contacts(t_, x_);
  const double* states =
      x_.data() + looking_.layout.contacts + system_.contacts[index(k)].first_state;
  track.settle(states[0] + states[1], looking_.contacts[index(k)].gap_rate);
  tell_contact("contact_settled", k);
  if (looks_back_) stop_looking_back();
}

// --- looking on ----------------------------------------------------------------------------------

// Peaks inside the step: at even times, and where the probe turns back.
void Driver::track_contacts() {
  if (system_.contacts.empty()) return;
  bool any = false;
  for (int k = 0; k < static_cast<int>(system_.contacts.size()); ++k)
    any |= is_awake(k) || norm_squared(mode_.contacts[index(k)].held.normal_N) > 0;
  if (!any) return;
  std::vector<double> x(x_.size());
  const auto add = [&](double t) {
    if (t == t_) {
      std::copy(x_.begin(), x_.end(), x.begin());
    } else {
      interpolate(t, x);
    }
    if (looks_back_) find_arriving(t, looking_);
    find_contacts(t, x);
    for (std::size_t k = 0; k < system_.contacts.size(); ++k) {
      const double* states = x.data() + looking_.layout.contacts + system_.contacts[k].first_state;
      contact_tracks_[k].add(looking_.contacts[k], states[0] + states[1]);
    }
  };
  const bool sampled = std::all_of(system_.contacts.begin(), system_.contacts.end(),
                                   [](const auto& c) { return c.is_sampled(); });
  if (!sampled) {  // whose steps are short as they are
    constexpr int looks = 4;
    for (int i = 0; i < looks; ++i) add(t_previous_ + (t_ - t_previous_) * i / looks);
    for (std::size_t k = 0; k < system_.contacts.size(); ++k) {
      const auto rate = [&](double t) {
        interpolate(t, x);
        find_contacts(t, x);
        return looking_.contacts[k].gap_rate;
      };
      if (!mode_.contacts[k].now.touching) continue;
      if (const auto turn = find_crossing(rate, t_previous_, t_, Way::rising, {.samples = 0}))
        add(*turn);
    }
  }
  add(t_);
}

void Driver::tell_contact(const char* kind, int k) {
  const ContactMotion<double>& m = looking_.contacts[index(k)];
  const Contact<double>& c = system_.contacts[index(k)];
  const BodyMotion<double>& b2 = looking_.motion.body(c.port_2.body);
  const Vec3<double> p = transposed_times(b2.R_NB, m.lever_2 - b2.r_CB_N);
  const double* states = x_.data() + looking_.layout.contacts + c.first_state;
  tell(kind, c.name,
       {named("point_T", p), named("penetration_rate", -m.gap_rate),
        named("energy", states[0] + states[1])});
}

}  // namespace berth
