// SPDX-License-Identifier: Apache-2.0

// Sampled sensors and controllers, pulsed thrusters.

#include <algorithm>
#include <cmath>

#include "berth/run/switching.h"

namespace berth {
namespace {

const std::vector<ThrusterSet<double>>& thruster_sets(const Core& core) {
  return std::get<std::vector<ThrusterSet<double>>>(core.system.forces);
}

// Calls f(sensor, its first reading among what is held, its first state) for the sensor of this number.
void with_sensor(Core& core, int number, auto&& f) {
  int k = 0;
  const int outputs = count_of(core.w.outputs);
  for_each_sensor(core.system, core.w.layout, [&](const auto& s, int reading, int state) {
    if (k++ == number) f(s, outputs + reading, state);
  });
}

// A sensor measures; its reading is on the way, or the news that there is none: the last of one that is
// switched off or has failed, whose readings on the way still arrive.
void take_reading(Core& core, const Entry& entry) {
  const Workspace<double>& w = find_sampled_motion(core, entry.t);
  command_stage<double>(core.system, core.s.x, core.s.mode, core.w);
  const Instant<double> now{core.system.model, w.motion, w.command, w.readings.data()};
  with_sensor(core, entry.index, [&]<class Sensor>(const Sensor& s, int, int state) {
    if (!s.enabled) {
      core.s.asleep.insert(s.name);  // until an event wakes it
      core.s.event_queue.add({entry.t + s.latency, Due::reading, entry.index});
      return;
    }
    std::vector<double> out(index(count_outputs<Sensor>()), 1.0);
    if (!s.sample(now, entry.count, core.s.x.data() + state, out.data())) out.clear();
    core.s.event_queue.add({entry.t + s.latency, Due::reading, entry.index, 0, std::move(out)});
    const double next = static_cast<double>(entry.count + 1) * s.sample_time;
    core.s.event_queue.add({next, Due::sensor_sample, entry.index, entry.count + 1});
  });
}

void deliver_reading(Core& core, const Entry& entry) {
  with_sensor(core, entry.index, [&]<class Sensor>(const Sensor&, int first, int) {
    std::copy(entry.output.begin(), entry.output.end(), core.s.mode.held.begin() + first);
    if (entry.output.empty()) core.s.mode.held[index(first + count_numbers<Sensor>())] = 0;
  });
}

// A controller computes: its law now, its integral states one period on, its output on the way.
void take_sample(Core& core, const Entry& entry) {
  const Workspace<double>& w = find_sampled_motion(core, entry.t);
  find_outputs<double>(core.system, core.s.x, core.s.mode, core.w);
  const Instant<double> now{core.system.model, w.motion, w.command, w.readings.data()};
  std::vector<double>& x = core.s.x;
  int i = 0, output = 0, state = w.layout.z;
  for_each_part(core.system.controls, [&](const auto& c) {
    const bool is_it = i++ == entry.index;
    if (is_it && !c.enabled) {
      core.s.asleep.insert(c.name);  // until an event wakes it
    } else if (is_it) {
      const auto from = w.outputs.begin() + output;
      std::vector<double> z_dot(index(c.state_count()));
      c.find_state_rate(now, x.data() + state, z_dot.data());
      for (std::size_t k = 0; k < z_dot.size(); ++k)
        x[index(state) + k] += c.sample_time * z_dot[k];
      c.limit_state(x.data() + state);
      core.s.event_queue.add({entry.t + c.latency, Due::actuation, output, 0,
                              std::vector<double>(from, from + c.output_count())});
      const double next = static_cast<double>(entry.count + 1) * c.sample_time;
      core.s.event_queue.add({next, Due::sample, entry.index, entry.count + 1});
    }
    output += c.output_count();
    state += c.state_count();
  });
}

// A pulsed thruster set turns what is asked of it into pulses of one period.
void open_valves(Core& core, const Entry& entry) {
  const ThrusterSet<double>& set = thruster_sets(core)[index(entry.index)];
  if (!set.enabled) return void(core.s.asleep.insert(set.name));
  const Command<double>& command = find_sampled_motion(core, entry.t).command;
  command_stage<double>(core.system, core.s.x, core.s.mode, core.w);
  std::vector<double> levels(set.thruster.size());
  set.find_levels(command.thrusters[index(entry.index)], levels.data());
  if (const std::vector<double>& asked = command.asked; !asked.empty())
    set.add_levels(asked.data() + set.first_level, levels.data());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double on = set.find_on_time(levels[i]);
    core.s.mode.levels[index(set.first_level) + i] = on > 0 ? 1.0 : 0.0;
    // A pulse as long as the period simply stays on into the next decision.
    if (on > 0 && on < set.sample_time)
      core.s.event_queue.add(
          {entry.t + on, Due::valve_closes, set.first_level + static_cast<int>(i)});
  }
  const double next = static_cast<double>(entry.count + 1) * set.sample_time;
  core.s.event_queue.add({next, Due::thruster_cycle, entry.index, entry.count + 1});
}

}  // namespace

void SensorSampling::start(Core& core) {
  int i = 0;
  for_each_part(core.system.sensors, [&](const auto& s) {
    if (s.sample_time > 0) core.s.event_queue.add({0.0, Due::sensor_sample, i});
    ++i;
  });
}

bool SensorSampling::due(Core& core, const Entry& entry) {
  if (entry.due == Due::sensor_sample) {
    take_reading(core, entry);
  } else if (entry.due == Due::reading) {
    deliver_reading(core, entry);
  } else {
    return false;
  }
  return true;
}

void ControlSampling::start(Core& core) {
  int i = 0;
  for_each_part(core.system.controls, [&](const auto& c) {
    if (c.sample_time > 0 && !c.asks_outside) core.s.event_queue.add({0.0, Due::sample, i});
    ++i;
  });
}

bool ControlSampling::due(Core& core, const Entry& entry) {
  if (entry.due == Due::sample) {
    take_sample(core, entry);
  } else if (entry.due == Due::actuation) {
    std::copy(entry.output.begin(), entry.output.end(), core.s.mode.held.begin() + entry.index);
  } else {
    return false;
  }
  return true;
}

// It goes on with its raster. What it said before is out of date.
void wake_sampled(Core& core, const std::string& name) {
  if (core.s.asleep.erase(name) == 0) return;
  const auto add_next = [&](double period, Due due, int i, double offset = 0) {
    const double count = std::max(0.0, std::ceil((core.s.t - offset) / period - 1e-9));
    core.s.event_queue.add({offset + count * period, due, i, static_cast<std::uint64_t>(count)});
  };
  int i = 0, output = 0, set = 0, external = 0;
  for_each_part(core.system.controls, [&]<class Control>(const Control& c) {
    if (c.name == name) {
      if constexpr (Control::asks_outside) {
        add_next(c.sample_time, Due::external_sample, external, c.offset);
      } else {
        add_next(c.sample_time, Due::sample, i);
      }
      std::fill_n(core.s.mode.held.begin() + output, c.output_count(), 0.0);
    }
    if (Control::asks_outside) ++external;
    ++i;
    output += c.output_count();
  });
  int sensor = 0;
  for_each_part(core.system.sensors, [&](const auto& s) {
    if (s.name == name) add_next(s.sample_time, Due::sensor_sample, sensor);
    ++sensor;
  });
  for (const ThrusterSet<double>& s : thruster_sets(core)) {
    if (s.name == name) {
      add_next(s.sample_time, Due::thruster_cycle, set);
      std::fill_n(core.s.mode.levels.begin() + s.first_level, s.thruster.size(), 0.0);
    }
    ++set;
  }
}

void ThrusterPulsing::start(Core& core) {
  int set = 0;
  for (const ThrusterSet<double>& s : thruster_sets(core)) {
    if (s.sample_time > 0) core.s.event_queue.add({0.0, Due::thruster_cycle, set});
    ++set;
  }
}

bool ThrusterPulsing::due(Core& core, const Entry& entry) {
  if (entry.due == Due::thruster_cycle) {
    open_valves(core, entry);
  } else if (entry.due == Due::valve_closes) {
    core.s.mode.levels[index(entry.index)] = 0.0;
  } else {
    return false;
  }
  return true;
}

}  // namespace berth
