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

// What the contact of a command feels as long as it is held.
void hold_contact(Core& core, const ExternalCommand<double>& c, const Vec3<double>& v_N) {
  for (std::size_t i = 0; i < core.system.contacts.size(); ++i) {
    ContactMode<double>& mode = core.s.mode.contacts[i];
    if (core.system.contacts[i].report_name() != c.to.name) continue;
    if (c.as == CommandKind::contact) mode.held = {norm(v_N), v_N, {}};
    if (c.as == CommandKind::contact_torque) mode.torque = v_N;
  }
}

void clear_commands(Core& core, std::size_t k) {
  const External<double>& e = externals_of(core)[k];
  const auto first = static_cast<std::ptrdiff_t>(find_first_output(core, k));
  std::fill_n(core.s.mode.held.begin() + first, e.output_count(), 0.0);
  for (const ExternalCommand<double>& c : e.commands)
    if (c.is_of_contact()) hold_contact(core, c, {});
}

std::optional<std::vector<double>> ask(Core& core, std::size_t k, double t) {
  const External<double>& e = externals_of(core)[k];
  if (k >= core.sources.size() || !core.sources[k]) return std::nullopt;
  const std::vector<int>& places = core.measured[k];
  fill_row_now(core, places);
  std::vector<double> values;
  for (const int place : places) values.push_back(core.row[index(place)]);
  std::optional<std::vector<double>> answer = (*core.sources[k])(t, values);
  if (!answer) return std::nullopt;
  if (answer->size() != index(e.output_count()))
    throw std::invalid_argument(fmt::format("external {}: an answer of {} numbers, not {}", e.name,
                                            answer->size(), e.output_count()));
  for (const double x : *answer)
    if (std::isinf(x))
      throw std::invalid_argument("external " + e.name + ": a command is infinite");
  const Workspace<double>& w = evaluate_now(core, Need::motion);
  e.turn(Instant<double>{core.system.model, w.motion, w.command, w.readings.data()},
         answer->data());
  return answer;
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
  try {
    if (auto answer = ask(core, k, entry.t)) {
      state.last = entry.t + e.latency;
      core.s.event_queue.add(
          {state.last, Due::external_command, entry.index, state.turns, std::move(*answer)});
      return;
    }
  } catch (...) {
    core.failure = std::current_exception();
    core.s.stopped = true;
    return;
  }
  const double deadline = state.last + e.silent.hold;
  const bool is_known = e.silent.then == Silence::hold || state.judged == state.last;
  if (is_known || !(deadline < next + e.latency)) return;
  state.judged = state.last;
  core.s.event_queue.add(
      {std::max(deadline, entry.t), Due::external_silence, entry.index, state.turns});
}

// An answer acts. NaN: that command stays as it is.
void act_on(Core& core, const Entry& entry) {
  const auto k = index(entry.index);
  const External<double>& e = externals_of(core)[k];
  if (core.s.externals[k].frozen) return;
  double* held = core.s.mode.held.data() + find_first_output(core, k);
  for (const ExternalCommand<double>& c : e.commands) {
    const double* u = entry.output.data() + c.first;
    if (std::isnan(u[0])) continue;
    std::copy_n(u, c.width, held + c.first);
    if (!e.enabled) continue;
    if (c.is_of_contact()) hold_contact(core, c, {u[0], u[1], u[2]});
    if (c.as != CommandKind::event || u[0] == 0) continue;
    for (int j = 0; j < count_of(core.events); ++j)
      if (core.events[index(j)].name == c.to.name)
        core.s.event_queue.add({entry.t, Due::event, j, kCommanded});
  }
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
    act_on(core, entry);
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
    for (const ExternalCommand<double>& c : e.commands)
      if (c.is_of_contact()) hold_contact(core, c, {});
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
