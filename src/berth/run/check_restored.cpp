// SPDX-License-Identifier: Apache-2.0

// Numbers read from bytes: none of them may lead beyond a list, whoever wrote the bytes.

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "berth/run/core.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

void require(bool fine, const char* what) {
  if (!fine)
    throw std::runtime_error(std::string("a saved run that cannot be read: no such ") + what);
}

// Whether i counts among n.
template <class N>
bool within(int i, N n) {
  return i >= 0 && static_cast<std::size_t>(i) < static_cast<std::size_t>(n);
}

const std::vector<ThrusterSet<double>>& sets_of(const Core& core) {
  return std::get<std::vector<ThrusterSet<double>>>(core.system.forces);
}

struct Counts {
  std::size_t bodies, speeds, docks, contacts, events, controls, sets;
  std::vector<double> periods;               // [s] of controllers
  std::vector<std::size_t> externals, axes;  // numbers that each commands, and how they turn
};

Counts count_parts(const Core& core) {
  Counts n{};
  n.bodies = core.system.model.bodies.size();
  n.speeds = core.system.model.v0.size();
  n.docks = core.system.docks.size();
  n.contacts = core.system.contacts.size();
  n.events = core.events.size();
  for_each_part(core.system.controls, [&](const auto& c) { n.periods.push_back(c.sample_time); });
  n.controls = n.periods.size();
  for (const External<double>& e : std::get<std::vector<External<double>>>(core.system.controls))
    n.externals.push_back(index(e.output_count())), n.axes.push_back(e.axes_count());
  n.sets = sets_of(core).size();
  return n;
}

void check_mode(const Core& core, const Counts& n, const Mode<double>& mode) {
  const System<double>& system = core.system;
  require(mode.held.size() == core.w.outputs.size() + core.w.readings.size(),
          "outputs of controllers and sensors");
  require(mode.levels.size() == core.w.command.levels.size(), "valves");
  require(mode.contacts.size() == n.contacts, "contacts");
  const std::size_t rests = system.rests.size();
  require(mode.rows.size() <= n.docks * kMostRows + rests * Rest<double>::most_rows, "rows");
  const auto check_row = [&](const ActiveRow& r) {
    require(within(r.closure, n.docks + rests), "closure");
    const Dock<double>* dock = find_dock(system, r.closure);
    require(within(r.row, dock ? dock->row_count() : Rest<double>::most_rows), "row of a closure");
  };
  for (const ActiveRow& r : mode.rows) check_row(r);
  for (const RowShare& s : mode.shares) {
    check_row(s.row);
    require(s.taken.size() == mode.rows.size() && s.relieves.size() == mode.rows.size(),
            "shares of friction");
  }
  for (const std::vector<int>* list : {&mode.chain, &mode.touched}) {
    require(list->size() <= n.bodies, "bodies of docks");
    for (const int i : *list) require(i != kGround && within(i, n.bodies), "body of a dock");
  }
  if (mode.speeds.empty()) return;
  require(std::any_of(system.docks.begin(), system.docks.end(),
                      [](const auto& d) { return d.enforce == Enforce::reduced; }),
          "reduced dock");
  require(mode.speeds.size() <= n.speeds && mode.speeds.size() >= mode.rows.size() &&
              mode.column.size() == n.speeds,
          "speeds of a reduced dock");
  for (const int s : mode.speeds) require(within(s, n.speeds), "speed of a reduced dock");
  for (const std::size_t c : mode.column)
    require(c < mode.speeds.size(), "column of a reduced dock");
}

void check_event_queue(const Core& core, const Counts& n) {
  core.s.event_queue.for_each([&](const Entry& e) {
    const auto is_of = [&](std::size_t count) { require(within(e.index, count), "entry"); };
    switch (e.due) {
      case Due::switching: break;
      case Due::valve_closes: is_of(core.s.mode.levels.size()); break;
      case Due::event: is_of(n.events); break;
      case Due::hold_over: is_of(n.events); break;
      case Due::reading:
      case Due::sensor_sample: {
        int k = 0;
        bool fits = false;
        for_each_part(core.system.sensors, [&]<class Sensor>(const Sensor& s) {
          if (k++ != e.index || !(s.sample_time > 0)) return;
          fits = e.due == Due::sensor_sample || e.output.empty() ||
                 e.output.size() == static_cast<std::size_t>(count_outputs<Sensor>());
        });
        require(fits, "reading of a sensor");
        break;
      }
      case Due::external_sample:
      case Due::external_silence: is_of(n.externals.size()); break;
      case Due::external_command:
        is_of(n.externals.size());
        require(e.output.size() == n.externals[index(e.index)], "command of an external");
        break;
      case Due::external_answer:
        is_of(n.externals.size());
        require(e.output.size() == n.axes[index(e.index)], "axes of an external");
        break;
      case Due::sample:
        require(within(e.index, n.controls) && n.periods[index(e.index)] > 0, "sample");
        break;
      case Due::thruster_cycle:
        is_of(n.sets);
        require(sets_of(core)[index(e.index)].sample_time > 0, "cycle of thrusters");
        break;
      case Due::actuation:
        require(e.index >= 0 && e.output.size() <= core.s.mode.held.size() &&
                    index(e.index) <= core.s.mode.held.size() - e.output.size(),
                "output of a controller");
        break;
      case Due::echo:
        is_of(n.contacts);
        require(e.output.size() == 2, "echo");
        break;
      case Due::contact_signal:
        is_of(n.contacts);
        require(e.output.size() == 8, "signal of a contact");
        break;
      case Due::contact_sample:
        is_of(n.contacts);
        require(core.system.contacts[index(e.index)].is_sampled(), "sample of a contact");
        break;
      case Due::settled: is_of(n.contacts); break;
    }
  });
}

void check_events(const Core& core, const Counts& n) {
  const std::vector<EventWatch>& watches = core.s.watches;
  require(core.s.externals.size() == (core.s.started ? n.externals.size() : 0), "externals");
  require(watches.size() == (core.s.started ? n.events : 0), "events");
  for (std::size_t k = 0; k < watches.size(); ++k) {
    const EventWatch& w = watches[k];
    const std::size_t most = core.events[k].when ? core.events[k].when->inequalities().size() : 0;
    const std::size_t size = w.truth.size();
    require(w.waiting <= core.events[k].actions.size(), "action");
    require(size == most || (size == 0 && !w.armed), "comparison");
    require(!w.armed || core.events[k].when.has_value(), "condition");
    require(w.edge.size() == size && w.best.size() == size && w.best_t.size() == size,
            "comparison");
  }
  for (const int place : core.watch.places)
    require(within(place, core.channels.width()), "channel");
  for (const auto& m : core.watch.event_margins)
    require(within(m.event, watches.size()) && watches[index(m.event)].armed &&
                within(m.inequality, watches[index(m.event)].truth.size()) &&
                within(m.slot, core.watch.places.size()),
            "comparison");
  for (const int k : core.pending) require(within(k, watches.size()), "event");
  for (const int k : core.changed_events)
    require(within(k, watches.size()) && !watches[index(k)].truth.empty(), "event");
}

void check_contacts(const Core& core, const Counts& n) {
  const auto is_impact = [&](int k) {
    return within(k, n.contacts) && core.system.contacts[index(k)].is_impact();
  };
  for (const auto* list : {&core.watch.contact_margins, &core.switched_contacts})
    for (const auto& m : *list)
      require(within(m.contact, n.contacts) && !is_impact(m.contact), "contact");
  for (const auto& m : core.watch.impact_margins) require(is_impact(m.contact), "impact");
  for (const int k : core.switched_impacts) require(is_impact(k), "impact");
  for (const int k : core.switched_rests) require(is_impact(k), "rest");
  require(core.gaps.size() == (core.s.started ? n.contacts : 0), "gaps");
}

void check_run_log(const Core& core, const Counts& n) {
  const std::vector<PeakNumber>& watched = core.s.run_log.watched();
  for (const PeakNumber& p : watched)
    require(within(p.owner, p.kind < PeakNumber::contact_force ? n.docks : n.contacts), "peak");
  if (!core.s.started) return;
  require(core.samples.size() == core.watch.contact_margins.size() +
                                     core.watch.impact_margins.size() +
                                     core.watch.event_margins.size() + watched.size(),
          "samples");
}

}  // namespace

void check_restored(const Core& core, bool inside_is_mode) {
  const Counts n = count_parts(core);
  check_mode(core, n, core.s.mode);
  // Blank before the first step.
  const Mode<double>& m = core.inside;
  const bool blank = m.held.empty() && m.levels.empty() && m.rows.empty() && m.contacts.empty();
  if (!blank || inside_is_mode || core.s.t_previous < core.s.t) check_mode(core, n, m);
  check_event_queue(core, n);
  check_events(core, n);
  check_contacts(core, n);
  check_run_log(core, n);
}

}  // namespace berth
