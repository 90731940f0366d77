// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "berth/run/core.h"
#include "berth/system/docks.h"

namespace berth {

bool has_loads(const System<double>& system, const Mode<double>& mode) {
  return has_multipliers(system, mode) || std::any_of(system.docks.begin(), system.docks.end(),
                                                      [](const auto& d) { return d.engaged; });
}

void evaluate(Core& core, const Mode<double>& mode, double t, std::span<const double> x, Need need,
              Workspace<double>& w) {
  const System<double>& system = core.system;
  if (&w == &core.w) core.motion_is_known = false;
  if (core.s.delays.active) find_arriving(core, mode, t, w);
  motion_stage(system, t, x, mode, w);
  if (need == Need::motion) return;
  command_stage(system, x, mode, w);
  if (need == Need::commands) return;
  effort_stage(system, w);
  acceleration_stage<double>(system, mode, w, w.v_dot);
  find_observed_loads(system, mode, w);
}

const Workspace<double>& find_sampled_motion(Core& core, double t) {
  const Motion<double>& known = core.w.motion;
  if (!core.motion_is_known || known.t != t || known.t_from != core.s.mode.t_from)
    evaluate(core, core.s.mode, t, core.s.x, Need::motion, core.w);
  core.motion_is_known = true;
  return core.w;
}

const Workspace<double>& evaluate_now(Core& core, Need need) {
  evaluate(core, core.s.mode, core.s.t, core.s.x, need, core.w);
  return core.w;
}

void fill_row_now(Core& core) {
  core.channels.fill(core.system, core.s.x, evaluate_now(core, Need::loads), core.row);
}

void fill_row_now(Core& core, std::span<const int> places) {
  core.numbers.resize(std::max(core.numbers.size(), places.size()));
  const std::span<double> out = std::span(core.numbers).first(places.size());
  if (!core.server ||
      !core.server->find_channels(core, core.s.mode, core.s.t, core.s.x, places, out)) {
    const bool loads = core.channels.find_needs(places) == Needs::loads;
    evaluate_now(core, loads ? Need::loads : Need::motion);
    core.channels.fill<double>(places, core.system, core.s.x, core.w, out);
  }
  for (std::size_t i = 0; i < places.size(); ++i) core.row[index(places[i])] = out[i];
}

void report(Core& core, std::string kind, const std::string& name, std::vector<NamedValue> values) {
  core.s.run_log.event_records.push_back({core.s.t, std::move(kind), name, std::move(values)});
  if (core.observer) core.observer->event(*core.run, core.s.run_log.event_records.back());
}

std::vector<double> take_output(Core& core, std::size_t size) {
  std::vector<double> out;
  if (!core.spare.empty()) {
    out = std::move(core.spare.back());
    core.spare.pop_back();
  }
  out.assign(size, 0.0);
  return out;
}

void keep_output(Core& core, std::vector<double> output) {
  constexpr std::size_t most_spare = 64;
  if (output.capacity() > 0 && core.spare.size() < most_spare)
    core.spare.push_back(std::move(output));
}

}  // namespace berth
