// SPDX-License-Identifier: Apache-2.0

// Externals: asked at their samples, heard a latency later, and what follows when they are silent.
//
// That one will be silent at D = last + hold is known at the sample after which no command can act
// before D; only then it stands in the event queue, so that nobody's answers cut a step for nothing.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/run/switching.h"

namespace berth {
namespace {

const std::vector<External<double>>& externals_of(const Core& core) {
  return std::get<std::vector<External<double>>>(core.system.controls);
}

// Its first output among all that are held. Externals come last of the controllers.
std::size_t find_first_output(const Core& core, std::size_t k) {
  std::size_t first = core.w.outputs.size();
  for (std::size_t i = externals_of(core).size(); i-- > k;)
    first -= index(externals_of(core)[i].output_count());
  return first;
}

double find_sample(const External<double>& e, std::uint64_t count) {
  return e.offset + static_cast<double>(count) * e.sample_time;  // (1)
}

// The contacts that a command gives a force or torque to.
template <class F>
void for_each_given(Core& core, const ExternalCommand<double>& c, F&& f) {
  for (int i = 0; c.is_of_contact() && i < count_of(core.system.contacts); ++i)
    if (core.system.contacts[index(i)].report_name() == c.to.name) f(i);
}
void clear_contacts(Core& core, const External<double>& e) {
  for (const ExternalCommand<double>& c : e.commands)
    for_each_given(core, c, [&](int i) {
      core.s.mode.contacts[index(i)].torque = {};
      take_force(core, i);
    });
}

void clear_commands(Core& core, std::size_t k) {
  const External<double>& e = externals_of(core)[k];
  const auto first = static_cast<std::ptrdiff_t>(find_first_output(core, k));
  std::fill_n(core.s.mode.held.begin() + first, e.output_count(), 0.0);
  clear_contacts(core, e);
}

using Reply = ExternalSource::Reply;

void check_answer(const External<double>& e, std::span<const double> answer) {
  for (const double x : answer)
    if (std::isinf(x))
      throw std::invalid_argument("external " + e.name + ": a command is infinite");
}

// What it says of this sample into `core.answer`, or how that turns.
Reply ask(Core& core, std::size_t k, std::uint64_t sample, double t) {
  const External<double>& e = externals_of(core)[k];
  if (k >= core.sources.size() || !core.sources[k]) return Reply::none;
  const std::vector<int>& places = core.measured[k];
  fill_row_now(core, places);
  core.measured_now.clear();
  for (const int place : places) core.measured_now.push_back(core.row[index(place)]);
  core.answer.assign(index(e.output_count()), NAN);
  const Reply reply = core.sources[k]->ask(sample, t, core.measured_now, core.answer);
  if (reply == Reply::none) return reply;
  const Workspace<double>& w = evaluate_now(core, Need::motion);
  const Instant<double> now{core.system.model, w.motion, w.command, w.readings.data()};
  if (reply == Reply::later) {
    core.answer.resize(e.axes_count());
    e.find_axes(now, core.answer.data());
  } else {
    check_answer(e, core.answer);
    e.turn(now, core.answer.data());
  }
  return reply;
}

// What was thrown outside ends the run.
template <class F>
void guard(Core& core, const Entry& entry, F&& f) {
  try {
    f();
  } catch (const ExternalStop& stop) {
    core.s.stopped = true;
    core.s.verdict = stop.verdict;
    core.s.stop_reason = stop.what();
    report(core, "external_stop", externals_of(core)[index(entry.index)].name,
           {named("sample", static_cast<double>(entry.count)),
            named("collected", entry.due == Due::external_answer ? 1.0 : 0.0),
            named("verdict", stop.verdict), named("reason", core.s.stop_reason)});
  } catch (...) {
    core.failure = std::current_exception();
    core.s.stopped = true;
  }
}

// Whether its rule will act before another answer could, at `next`.
void judge_silence(Core& core, int k, double t, double next) {
  const External<double>& e = externals_of(core)[index(k)];
  ExternalState& state = core.s.externals[index(k)];
  const double deadline = state.last + e.silent.hold;
  const bool is_known = e.silent.then == Silence::hold || state.judged == state.last;
  if (is_known || !(deadline < next)) return;
  state.judged = state.last;
  core.s.event_queue.add({std::max(deadline, t), Due::external_silence, k, state.turns});
}

void take_part(Core& core, const Entry& entry) {
  const auto k = index(entry.index);
  const External<double>& e = externals_of(core)[k];
  ExternalState& state = core.s.externals[k];
  if (!e.enabled || state.frozen) return void(core.s.asleep.insert(e.name));  // until it is woken
  // Events of this instant come first, and what follows from them.
  constexpr std::uint64_t most_rounds = 1000;
  const std::uint64_t rounds = entry.output.empty() ? 0 : entry.output.size();
  if (rounds < most_rounds && EventSwitching::follow(core)) {
    Entry again = entry;
    again.output.push_back(0);
    return core.s.event_queue.add(std::move(again));
  }
  if (core.s.stopped) return;
  if (!e.enabled) return void(core.s.asleep.insert(e.name));
  const double next = find_sample(e, entry.count + 1);
  core.s.event_queue.add({next, Due::external_sample, entry.index, entry.count + 1});
  guard(core, entry, [&] {
    for (const ExternalCommand<double>& c : e.commands)
      if (c.as == CommandKind::contact)
        for_each_given(core, c, [&](int i) { compensate_given(core, i); });
    const Reply reply = ask(core, k, entry.count, entry.t);
    if (reply == Reply::none) return judge_silence(core, entry.index, entry.t, next + e.latency);
    if (reply == Reply::ready) state.last = entry.t + e.latency;
    std::vector<double> output = take_output(core, core.answer.size());
    std::copy(core.answer.begin(), core.answer.end(), output.begin());
    core.s.event_queue.add({entry.t + e.latency,
                            reply == Reply::ready ? Due::external_command : Due::external_answer,
                            entry.index, entry.count, std::move(output)});
  });
}

// An answer acts. NaN: that command stays as it is.
void act_on(Core& core, const Entry& entry, std::span<const double> answer) {
  const auto k = index(entry.index);
  const External<double>& e = externals_of(core)[k];
  if (core.s.externals[k].frozen) return;
  double* held = core.s.mode.held.data() + find_first_output(core, k);
  for (const ExternalCommand<double>& c : e.commands) {
    const double* u = answer.data() + c.first;
    if (std::isnan(u[0])) continue;
    std::copy_n(u, c.width, held + c.first);
    if (!e.enabled) continue;
    for_each_given(core, c, [&](int i) {
      const Vec3<double> v_N{u[0], u[1], u[2]};
      if (c.as == CommandKind::contact) give_force(core, i, v_N, entry.count);
      if (c.as == CommandKind::contact_torque) core.s.mode.contacts[index(i)].torque = v_N;
    });
    if (c.as != CommandKind::event || u[0] == 0) continue;
    for (int j = 0; j < count_of(core.events); ++j)
      if (core.events[index(j)].name == c.to.name)
        core.s.event_queue.add({entry.t, Due::event, j, kCommanded});
  }
}

// What has come by now of an answer that was promised.
void collect(Core& core, const Entry& entry) {
  const auto k = index(entry.index);
  const External<double>& e = externals_of(core)[k];
  ExternalState& state = core.s.externals[k];
  if (state.frozen || !e.enabled || !core.sources[k]) return;
  guard(core, entry, [&] {
    core.answer.assign(index(e.output_count()), NAN);
    if (!core.sources[k]->collect(entry.count, entry.t, core.answer))
      return judge_silence(core, entry.index, entry.t, entry.t + e.sample_time);
    check_answer(e, core.answer);
    e.turn(entry.output.data(), core.answer.data());
    state.last = entry.t;
    act_on(core, entry, core.answer);
  });
}

void fall_silent(Core& core, const Entry& entry) {
  const auto k = index(entry.index);
  const External<double>& e = externals_of(core)[k];
  ExternalState& state = core.s.externals[k];
  if (!e.enabled || state.turns != entry.count) return;
  if (e.silent.then == Silence::zero) clear_commands(core, k);
  report(core, "external_silent", e.name, {});
  state.frozen = e.silent.then == Silence::freeze;
  if (e.silent.then == Silence::stop) {
    core.s.stopped = true;
    core.s.stop_reason = fmt::format("external {} is silent since {} s", e.name, state.judged);
    if (core.s.verdict.empty()) core.s.verdict = "silent";
  }
}

// Whether the law of its contacts acts, or what it commands.
void set_contacts(Core& core) {
  for (const External<double>& e : externals_of(core))
    for (const ExternalCommand<double>& c : e.commands)
      for (std::size_t i = 0; c.is_of_contact() && i < core.system.contacts.size(); ++i)
        if (core.system.contacts[i].report_name() == c.to.name)
          core.s.mode.contacts[i].given = e.enabled;
}

}  // namespace

void ExternalSampling::start(Core& core) {
  const std::size_t n = externals_of(core).size();
  core.s.externals.assign(n, {});
  for (std::size_t k = 0; k < n; ++k)
    core.s.event_queue.add(
        {externals_of(core)[k].offset, Due::external_sample, static_cast<int>(k)});
  set_contacts(core);
}

bool ExternalSampling::due(Core& core, const Entry& entry) {
  if (entry.due == Due::external_sample) {
    take_part(core, entry);
  } else if (entry.due == Due::external_command) {
    act_on(core, entry, entry.output);
  } else if (entry.due == Due::external_answer) {
    collect(core, entry);
  } else if (entry.due == Due::external_silence) {
    fall_silent(core, entry);
  } else {
    return false;
  }
  return true;
}

void switch_external(Core& core, const std::string& name) {
  set_contacts(core);
  for (std::size_t k = 0; k < externals_of(core).size(); ++k) {
    const External<double>& e = externals_of(core)[k];
    if (e.name != name) continue;
    ExternalState& state = core.s.externals[k];
    state = {core.s.t, -1, false, state.turns + 1};
    clear_contacts(core, e);
  }
}

void find_measured(Core& core) {
  core.measured.clear();
  for (const External<double>& e : externals_of(core)) {
    std::vector<int>& places = core.measured.emplace_back();
    for (const std::string& name : e.measures) {
      if (const Channel* c = core.channels.find(name)) {
        for (int i = 0; i < c->width; ++i) places.push_back(c->first + i);
      } else if (const auto number = core.channels.find_number(name)) {
        places.push_back(number->place);
      } else {
        throw std::invalid_argument("external " + e.name + ": no channel " + name);
      }
    }
  }
}

}  // namespace berth
