// SPDX-License-Identifier: Apache-2.0

// Delayed contacts: the past they depend on, and when their changes arrive.
//
// A change of a contact at t reaches the force at t + h. The motion has a kink there, a kink of its
// rate at t + 2h and so on, ever weaker: no step straddles the first few.

#include <cmath>

#include "berth/run/core.h"

namespace berth {
namespace {

constexpr int kEchoes = 4;

}  // namespace

// A force may be on its way: the contact touches, did so a delay ago, or its filter holds some.
bool is_awake(const Core& core, int k) {
  if (core.system.contacts[index(k)].is_impact()) return false;
  const ContactMode<double>& m = core.s.mode.contacts[index(k)];
  return m.now.touching || m.then.touching || core.s.t + 1e-9 < core.s.loops[index(k)].filter_empty;
}

void start_delays(Core& core) {
  DelayLine& line = core.s.delays;
  line.shortest = INFINITY;
  for (const Contact<double>& c : core.system.contacts) {
    if (!c.is_delayed()) continue;
    line.shortest = std::min(line.shortest, c.delay);
    line.longest = std::max(line.longest, c.delay);
  }
}

void find_arriving(Core& core, const Mode<double>& mode, double t, Workspace<double>& w) {
  const DelayLine& line = core.s.delays;
  const System<double>& system = core.system;
  double found = NAN;
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const Contact<double>& c = system.contacts[k];
    w.arriving[k] = {};
    if (!c.is_delayed()) continue;
    const Grip& then = mode.contacts[k].then;
    if (!then.touching && !(c.has_filter() && is_awake(core, static_cast<int>(k)))) continue;
    if (line.past.empty() || t - c.delay < line.past.begin() - 1e-9) continue;
    // At the beginning of a piece of the solution the past is that after its events: slip jumps
    // where sticking begins.
    const double after = t <= mode.t_from ? 4e-16 * (1 + std::fabs(t)) : 0;
    if (t - c.delay + after != found) {
      found = t - c.delay + after;
      line.past.find(found, std::span(core.past_x).first(index(w.layout.orbit)));
      // The trees as they were then.
      const Model<double>* model = &system.model;
      for (auto it = line.former.rbegin(); it != line.former.rend(); ++it)
        if (found <= it->until) model = &it->model;
      const std::span<const double> x(core.past_x);
      const Layout& at = w.layout;
      find_motion<double>(*model, x.first(index(at.v)), x.subspan(index(at.v), index(at.z - at.v)),
                          core.past_motion);
    }
    const double* states = core.past_x.data() + w.layout.contacts + c.first_state;
    w.arriving[k] = find_contact_motion(c, core.past_motion, states, then).signal;
  }
}

void send_echo(Core& core, int k) {
  const Contact<double>& c = core.system.contacts[index(k)];
  if (!c.is_delayed()) return;
  DelayLine& line = core.s.delays;
  const Grip& grip = core.s.mode.contacts[index(k)].now;
  if (!line.active) {
    line.active = true;
    line.past.start(core.s.t);
  }
  ++core.s.loops[index(k)].echoes;
  core.s.event_queue.add({core.s.t + c.delay,
                          Due::echo,
                          k,
                          0,
                          {grip.touching ? 1.0 : 0.0, grip.sticking ? 1.0 : 0.0}});
  for (int i = 2; i <= kEchoes; ++i)
    core.s.event_queue.add({core.s.t + i * c.delay, Due::switching});
}

void stop_delays(Core& core) {
  // Of a touch shorter than its delay nothing is awake until its force comes.
  for (int k = 0; k < count_of(core.system.contacts); ++k)
    if (core.system.contacts[index(k)].is_delayed() &&
        (is_awake(core, k) || core.s.loops[index(k)].echoes > 0))
      return;
  core.s.delays.active = false;
  core.work.arriving.assign(core.work.arriving.size(), {});
  core.w.arriving = core.work.arriving;
}

void remember_model(Core& core) {
  DelayLine& line = core.s.delays;
  while (!line.former.empty() && line.former.front().until < core.s.t - 2 * line.longest)
    line.former.erase(line.former.begin());
  if (line.active) line.former.push_back({core.s.t, core.system.model});
}

}  // namespace berth
