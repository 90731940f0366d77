// SPDX-License-Identifier: Apache-2.0

// Contacts with a force: opening and closing, sticking, and the samples of those that are sampled.
//
//   touching   depth ≥ 0 and the law pushes; adhesive: depth ≥ 0; bilateral: once touched          (1)
//   sticking   begins where sliding is slower than v_s, ends where the spring exceeds μ |f_n|      (2)
//
// Both parts of (1) are margins of their own. Whether the law pushes matters inside alone: outside, the
// depth is watched, and the law asked where it becomes positive.

#include <algorithm>
#include <cmath>
#include <utility>

#include "berth/math/philox.h"
#include "berth/run/switching.h"

namespace berth {
namespace {

using Margin = Watch::ContactMargin;

// And whether the contact touches.
std::vector<double> pack(Core& core, const ContactSignal<double>& s, bool awake) {
  std::vector<double> out = take_output(core, 8);
  const double numbers[] = {s.normal,       s.normal_N.x,   s.normal_N.y,   s.normal_N.z,
                            s.friction_N.x, s.friction_N.y, s.friction_N.z, awake ? 1.0 : 0.0};
  std::copy(std::begin(numbers), std::end(numbers), out.begin());
  return out;
}
ContactSignal<double> unpack(const std::vector<double>& v) {
  return {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6]}};
}

const ContactMotion<double>& motion_now(Core& core, int k) {
  return evaluate_now(core, Need::motion).contacts[index(k)];
}
double* states_of(Core& core, const Contact<double>& c) {
  return core.s.x.data() + core.w.layout.contacts + c.first_state;
}
// Whether (1) has it touching by what is known of its margins.
bool wants_touch(const Contact<double>& c, const LoopState& loop, const Grip& grip) {
  if (c.bilateral && grip.touching) return true;
  return loop.inside && (c.adhesive || loop.pressing);
}

void report_contact(Core& core, const char* kind, int k) {
  const ContactMotion<double>& m = motion_now(core, k);
  const Contact<double>& c = core.system.contacts[index(k)];
  const BodyMotion<double>& b2 = core.w.motion.body(c.port_2.body);
  const Vec3<double> p = transposed_times(b2.R_NB, m.lever_2 - b2.r_CB_N);
  const double* work = states_of(core, c);
  report(core, kind, c.name,
         {named("point_T", p), named("penetration_rate", -m.gap_rate),
          named("energy", work[0] + work[1])});
}

void set_slip(Core& core, const Contact<double>& c, const Vec3<double>& s) {
  double* to = core.s.x.data() + core.w.layout.contacts + c.slip_state();
  for (int i = 0; c.can_stick() && i < 3; ++i) to[i] = s[i];
}

void switch_touch(Core& core, int k) {
  const Contact<double>& c = core.system.contacts[index(k)];
  ContactTrack& track = core.s.run_log.contacts[index(k)];
  LoopState& loop = core.s.loops[index(k)];
  Grip& grip = core.s.mode.contacts[index(k)].now;
  const ContactMotion<double>& m = motion_now(core, k);
  if (!grip.touching) {
    grip = {};
    grip.touching = true;
    grip.sticking = c.can_stick() && find_stick_margin(c, m, grip) < 0;
    set_slip(core, c, {});
    loop.friction_work_before = states_of(core, c)[1];
    loop.last_slip = 0;
    if (track.touches++ == 0) track.speed_in = m.in.rate;
    if (c.external) loop.sampling = true;  // until a force is measured that is none
    if (c.is_sampled() && !loop.sampling) {
      loop.sampling = true;
      // The next sample of a raster that began at zero.
      const double count = std::ceil(core.s.t / c.sample_time * (1 - 1e-12));
      core.s.event_queue.add(
          {count * c.sample_time, Due::contact_sample, k, static_cast<std::uint64_t>(count)});
    }
  } else {
    grip = {};
    const double last = core.s.t + (c.is_sampled() ? 0 : c.delay) + 30 * c.filter_time;
    if (c.has_filter()) loop.filter_empty = last;
    if (!c.is_sampled() && !core.s.mode.contacts[index(k)].given)
      core.s.event_queue.add({last, Due::settled, k, track.touches});
  }
  send_echo(core, k);
  report_contact(core, grip.touching ? "contact_on" : "contact_off", k);
}

void switch_stick(Core& core, int k) {
  const Contact<double>& c = core.system.contacts[index(k)];
  Grip& grip = core.s.mode.contacts[index(k)].now;
  if (!grip.touching) return;
  const ContactMotion<double>& m = motion_now(core, k);
  grip.sticking = !grip.sticking;
  if (grip.sticking) {
    const double taken = core.s.loops[index(k)].friction_work_before - states_of(core, c)[1];
    set_slip(core, c, find_first_slip(c, m, taken));
  }
  core.s.loops[index(k)].last_slip = 0;
  send_echo(core, k);
}

// --- sampled -------------------------------------------------------------------------------------

// What acts until the next sample or arrival: what arrived last, compensated for being late.
void feed_back(Core& core, int k) {
  const Contact<double>& c = core.system.contacts[index(k)];
  ContactMode<double>& mode = core.s.mode.contacts[index(k)];
  const ContactMotion<double>& m = motion_now(core, k);
  mode.held = core.s.loops[index(k)].arrived;
  if (has_model(c)) mode.held = find_model_signal(c, m, mode.now);
  if (c.along_normal) mode.held.friction_N = {};  // that of now acts; beside it a controller's
  with_part(c.compensation, [&](const auto& compensation) {
    if constexpr (std::remove_cvref_t<decltype(compensation)>::brakes) {
      // What the contact will have given by the next sample, if nothing is done.
      motion_now(core, k);
      const double* work = states_of(core, c);
      const double period = c.feedback_period();
      const double given = work[0] + work[1] + m.power() * period;
      mode.held.friction_N += compensation.find_brake(given, m.v_N, period);
    }
  });
}

// What is fed back of a sample in place of what was measured, `period` after the one before.
ContactSignal<double> extrapolate(const Contact<double>& c, LoopState& loop,
                                  const ContactSignal<double>& raw, bool touches, double period) {
  ContactSignal<double> signal = raw;
  with_part(c.compensation, [&](const auto& compensation) {
    if constexpr (std::remove_cvref_t<decltype(compensation)>::extrapolates) {
      if (!loop.sampled) loop.last_measured = {};
      if (touches)
        signal = compensation.extrapolate(raw, loop.last_measured, c.feedback_delay(), period);
      if (signal.normal > 0 && !c.adhesive) signal = {};  // no probe is pulled
      loop.last_measured = raw;
    }
  });
  loop.sampled = touches;
  return signal;
}

void sample(Core& core, const Entry& entry) {
  const int k = entry.index;
  const Contact<double>& c = core.system.contacts[index(k)];
  LoopState& loop = core.s.loops[index(k)];
  evaluate(core, core.s.mode, entry.t, core.s.x, Need::motion, core.w);
  const bool awake = is_awake(core, k);
  const ContactSignal<double> signal =
      extrapolate(c, loop, core.w.contacts[index(k)].signal, awake, c.sample_time);
  const double late =
      c.delay + c.jitter * (c.jitter > 0 ? find_uniform(c.seed, entry.count, 0) : 0);
  core.s.event_queue.add(
      {entry.t + late, Due::contact_signal, k, entry.count, pack(core, signal, awake)});
  // The one that says the contact is lost is the last.
  loop.sampling = awake;
  if (awake)
    core.s.event_queue.add({static_cast<double>(entry.count + 1) * c.sample_time,
                            Due::contact_sample, k, entry.count + 1});
  feed_back(core, k);
}

// After the last that a lost contact has to give.
void report_settled(Core& core, const Entry& entry) {
  const int k = entry.index;
  ContactTrack& track = core.s.run_log.contacts[index(k)];
  if (track.touches != entry.count || core.s.mode.contacts[index(k)].now.touching) return;
  const ContactMotion<double>& m = motion_now(core, k);
  const double* work = states_of(core, core.system.contacts[index(k)]);
  track.settle(work[0] + work[1], m.gap_rate);
  report_contact(core, "contact_settled", k);
  if (core.s.delays.active) stop_delays(core);
}

void receive(Core& core, const Entry& entry) {
  const int k = entry.index;
  LoopState& loop = core.s.loops[index(k)];
  // With jitter a signal may be overtaken by a later one: then it is no news.
  if (loop.latest > entry.count) return;
  loop.latest = entry.count;
  loop.arrived = unpack(entry.output);
  feed_back(core, k);
  if (entry.output.back() != 0 || is_awake(core, k)) return;
  core.s.mode.contacts[index(k)].held = {};
  report_settled(core, {entry.t, Due::settled, k, core.s.run_log.contacts[index(k)].touches});
}

// The bounce is over for who counts energies once nothing is measured any more: a thousandth of the peak
// is what sensors leave.
void settle_given(Core& core, int k) {
  constexpr double nothing = 1e-3;
  LoopState& loop = core.s.loops[index(k)];
  const ContactTrack& track = core.s.run_log.contacts[index(k)];
  if (!loop.sampling || core.s.mode.contacts[index(k)].now.touching) return;
  if (norm(loop.arrived.normal_N) > nothing * track.force_peak) return;
  loop.sampling = false;
  report_settled(core, {core.s.t, Due::settled, k, track.touches});
}

void echo(Core& core, const Entry& entry) {
  Grip& then = core.s.mode.contacts[index(entry.index)].then;
  then = {entry.output[0] != 0, entry.output[1] != 0};
  --core.s.loops[index(entry.index)].echoes;
  stop_delays(core);
}

// Whether a contact exactly at its edge begins: pressed on, or about to be.
bool begins_touching(Core& core, int k) {
  const Contact<double>& c = core.system.contacts[index(k)];
  const ContactMotion<double> m = motion_now(core, k);
  LoopState& loop = core.s.loops[index(k)];
  loop.inside = m.in.depth > 0 || (m.in.depth == 0 && m.in.rate > 0);
  loop.pressing = find_press_margin(c, m) >= 0;
  if (m.in.depth == 0 && m.in.rate == 0) {
    // At rest: by where it is going.
    std::vector<double> x_dot(core.size()), x(core.s.x);
    find_derivative<double>(core.system, core.s.t, core.s.x, core.s.mode, core.w, x_dot);
    constexpr double soon = 1e-6;  // [s]
    for (int i = core.w.layout.v; i < core.w.layout.z; ++i) x[index(i)] += soon * x_dot[index(i)];
    evaluate(core, core.s.mode, core.s.t, x, Need::motion, core.w);
    loop.inside = loop.pressing = core.w.contacts[index(k)].in.rate > 0;
  }
  return wants_touch(c, loop, {});
}

}  // namespace

void give_force(Core& core, int k, const Vec3<double>& force_N, std::uint64_t sample) {
  const Contact<double>& c = core.system.contacts[index(k)];
  LoopState& loop = core.s.loops[index(k)];
  const Vec3<double> n_N = motion_now(core, k).n_N;
  const double samples = loop.latest < sample ? static_cast<double>(sample - loop.latest) : 1;
  loop.arrived = extrapolate(c, loop, {dot(n_N, force_N), force_N, {}}, norm_squared(force_N) > 0,
                             samples * c.given_period);
  loop.latest = sample;
  feed_back(core, k);
  settle_given(core, k);
}

void take_force(Core& core, int k) {
  LoopState& loop = core.s.loops[index(k)];
  loop.arrived = loop.last_measured = {};
  loop.sampled = false;
  core.s.mode.contacts[index(k)].held = {};
  settle_given(core, k);
}

void compensate_given(Core& core, int k) { feed_back(core, k); }

void ContactSwitching::start(Core& core) {
  core.s.loops.assign(core.system.contacts.size(), {});
  if (core.system.contacts.empty()) return;
  start_delays(core);
  for (int k = 0; k < count_of(core.system.contacts); ++k)
    if (!core.system.contacts[index(k)].is_impact() && begins_touching(core, k))
      core.switched_contacts.push_back({Margin::depth, k});
}

// What is known of the margins after a jump: by their sign, unless they are on the edge.
bool ContactSwitching::sees_idle(const Core& core, std::size_t i) {
  const auto k = index(core.watch.contact_margins[i].contact);
  return is_idle(core.system.contacts[k], core.inside.contacts[k]);
}

void ContactSwitching::watch(Core& core) {
  core.watch.contact_margins.clear();
  for (int k = 0; k < count_of(core.system.contacts); ++k) {
    const Contact<double>& c = core.system.contacts[index(k)];
    const Grip& grip = core.s.mode.contacts[index(k)].now;
    if (c.is_impact()) continue;
    if (!(c.bilateral && grip.touching)) {
      core.watch.contact_margins.push_back({Margin::depth, k});
      if (!c.adhesive && core.s.loops[index(k)].inside)
        core.watch.contact_margins.push_back({Margin::press, k});
    }
    if (grip.touching && c.can_stick()) core.watch.contact_margins.push_back({Margin::stick, k});
  }
}

int ContactSwitching::sign(const Core& core, std::size_t i, double) {
  const Margin& m = core.watch.contact_margins[i];
  const LoopState& loop = core.s.loops[index(m.contact)];
  if (m.kind == Margin::stick) return core.s.mode.contacts[index(m.contact)].now.sticking ? 1 : 0;
  return (m.kind == Margin::depth ? loop.inside : loop.pressing) ? 1 : -1;
}

double ContactSwitching::noise(const Core& core, std::size_t i) {
  constexpr double nothing = 1e-12;  // [m]
  const Margin& m = core.watch.contact_margins[i];
  if (m.kind == Margin::stick) return 0;
  return m.kind == Margin::depth
             ? nothing
             : nothing * find_law_stiffness(core.system.contacts[index(m.contact)]);
}

// Of sliding only the end does.
bool ContactSwitching::decides(const Core& core, std::size_t i, double) {
  const Margin& m = core.watch.contact_margins[i];
  return m.kind != Margin::stick || core.s.mode.contacts[index(m.contact)].now.sticking;
}

bool ContactSwitching::may_meet(const Core& core, std::size_t i, double h) {
  const Margin& m = core.watch.contact_margins[i];
  return m.kind == Margin::depth && may_close(core, m.contact, h);
}

bool ContactSwitching::pass(Core& core, std::size_t i, bool rising) {
  const Margin& m = core.watch.contact_margins[i];
  LoopState& loop = core.s.loops[index(m.contact)];
  if (m.kind == Margin::stick) {
    if (!rising) core.switched_contacts.push_back(m);
    return !rising;
  }
  bool& known = m.kind == Margin::depth ? loop.inside : loop.pressing;
  if (std::exchange(known, rising) == rising) return false;
  if (m.kind == Margin::depth && rising) loop.asks = true;
  core.switched_contacts.push_back({Margin::depth, m.contact});
  return true;
}

bool ContactSwitching::agrees(const Core& core, std::size_t i, double value) {
  if (core.watch.contact_margins[i].kind == Margin::stick) return true;  // by crossings, and settle
  return !(std::fabs(value) > noise(core, i)) || (sign(core, i) > 0) == (value > 0);
}

void ContactSwitching::switch_mode(Core& core) {
  std::vector<Margin> switched = std::move(core.switched_contacts);
  core.switched_contacts.clear();
  std::sort(switched.begin(), switched.end(), [](const Margin& a, const Margin& b) {
    return std::pair(a.contact, a.kind) < std::pair(b.contact, b.kind);
  });
  for (std::size_t i = 0; i < switched.size(); ++i) {
    const int k = switched[i].contact;
    if (i > 0 && switched[i - 1].contact == k && switched[i - 1].kind == switched[i].kind) continue;
    LoopState& loop = core.s.loops[index(k)];
    if (std::exchange(loop.asks, false)) {
      const ContactMotion<double>& m = motion_now(core, k);
      loop.pressing = m.in.rate > 0 || find_press_margin(core.system.contacts[index(k)], m) >= 0;
    }
    if (switched[i].kind == Margin::stick) {
      switch_stick(core, k);
    } else if (wants_touch(core.system.contacts[index(k)], core.s.loops[index(k)],
                           core.s.mode.contacts[index(k)].now) !=
               core.s.mode.contacts[index(k)].now.touching) {
      switch_touch(core, k);
    }
  }
}

bool ContactSwitching::settle(Core& core, std::span<const double>) {
  for (int k = 0; k < count_of(core.system.contacts); ++k) {
    const Contact<double>& c = core.system.contacts[index(k)];
    const Grip& grip = core.s.mode.contacts[index(k)].now;
    if (c.is_impact() || !c.can_stick() || !grip.touching) continue;
    const auto& [gap, gap_rate, fastest, slip, stick] = core.end.contacts[index(k)];
    double& last = core.s.loops[index(k)].last_slip;
    // Slow and not getting faster, friction holds it; beyond its limit it does not.
    if ((grip.sticking || slip <= 1.001 * last) && stick < 0)
      core.switched_contacts.push_back({Margin::stick, k});
    last = slip;
  }
  return !core.switched_contacts.empty();
}

bool ContactSwitching::due(Core& core, const Entry& entry) {
  switch (entry.due) {
    case Due::echo: echo(core, entry); return true;
    case Due::contact_sample: sample(core, entry); return true;
    case Due::contact_signal: receive(core, entry); return true;
    case Due::settled: report_settled(core, entry); return true;
    default: return false;
  }
}

}  // namespace berth
