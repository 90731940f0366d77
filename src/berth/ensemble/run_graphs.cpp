// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/run_graphs.h"

#include <algorithm>
#include <cmath>

#include "berth/compile/simplify.h"
#include "berth/compile/split.h"
#include "berth/ensemble/row_pull.h"
#include "berth/run/numbers.h"
#include "berth/scalar/trace.h"
#include "berth/system/channels_impl.h"
#include "berth/system/docks.h"
#include "berth/system/lift_system.h"

namespace berth {
namespace {

template <class X>
void add_bytes(const X& x, std::string& to) {
  to.append(reinterpret_cast<const char*>(&x), sizeof x);
}
void add_list(const auto& list, std::string& to) {
  add_bytes(list.size(), to);
  for (const auto& x : list) add_bytes(x, to);
}
void add_grip(const Grip& g, std::string& to) {
  const auto& [touching, sticking] = g;
  to += static_cast<char>(touching * 2 + sticking);
}

std::size_t count_numbers(const Mode<double>& mode) {
  std::size_t n = 0;
  for_each_number(mode, [&](double) { ++n; });
  return n;
}

std::vector<PeakNumber> find_all_peaks(const Core& core) {
  using P = PeakNumber;
  std::vector<P> all;
  for (int k = 0; k < count_of(core.system.docks); ++k)
    for (const auto kind : {P::dock_force, P::dock_torque, P::position, P::attitude})
      all.push_back({kind, k});
  for (int k = 0; k < count_of(core.system.contacts); ++k) {
    const bool is_impact = core.system.contacts[index(k)].is_impact();
    if (is_impact) all.push_back({P::rest_force, k});
    if (is_impact) continue;
    for (const auto kind : {P::contact_force, P::depth, P::gained, P::given})
      all.push_back({kind, k});
  }
  return all;
}

// These of the outputs, and what leads to them.
Graph choose_outputs(const Graph& graph, std::size_t first, std::size_t count) {
  Graph part = graph;
  const auto begin = graph.outputs.begin() + static_cast<std::ptrdiff_t>(first);
  part.outputs.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  return without_dead_nodes(part);
}

}  // namespace

SystemNotes find_notes(const System<double>& system) {
  Lifting noted;
  lift_system<Trace>(system);
  return {noted.structure(), noted.numbers()};
}

void add_structure(const Core& core, const Mode<double>& mode, std::string& to) {
  for (const ActiveRow& r : mode.rows) {
    add_bytes(r.closure, to);
    add_bytes(r.row, to);
    if (core.w.computes_torque) add_bytes(r.least, to);
  }
  add_bytes(mode.rows.size(), to);
  add_list(mode.chain, to);
  add_list(mode.touched, to);
  add_list(mode.speeds, to);
  add_list(mode.column, to);
  to += static_cast<char>(mode.slides * 4 + mode.hubs_only * 2 + mode.grounded);
  for (const ContactMode<double>& c : mode.contacts) {
    add_grip(c.now, to);
    add_grip(c.then, to);
    to += static_cast<char>(c.sliding * 2 + c.given);
  }
  add_bytes(core.watch.impact_margins.size(), to);
  for (const Watch::ImpactMargin& m : core.watch.impact_margins)
    add_bytes(m.kind, to), add_bytes(m.contact, to), add_bytes(m.skin, to);
}

void add_conditions(const Core& core, std::string& to) {
  for (int e = 0; e < count_of(core.events); ++e) {
    if (!core.events[index(e)].when) continue;
    add_bytes(e, to);
    for (const Inequality& c : core.events[index(e)].when->inequalities()) {
      add_bytes(c.place, to), add_bytes(c.value, to);
      add_bytes(c.kind, to), add_bytes(c.greater, to);
    }
  }
}

Watch find_full_watch(const Core& core) {
  Watch all;
  for (int e = 0; e < count_of(core.events); ++e) {
    if (!core.events[index(e)].when) continue;
    const std::vector<Inequality>& list = core.events[index(e)].when->inequalities();
    for (int i = 0; i < count_of(list); ++i) {
      const int place = list[index(i)].place;
      auto slot = std::find(all.places.begin(), all.places.end(), place);
      if (slot == all.places.end()) slot = all.places.insert(slot, place);
      all.event_margins.push_back({e, i, static_cast<int>(slot - all.places.begin())});
    }
  }
  for (int k = 0; k < count_of(core.system.contacts); ++k) {
    if (core.system.contacts[index(k)].is_impact()) continue;
    for (const auto kind :
         {Watch::ContactMargin::depth, Watch::ContactMargin::press, Watch::ContactMargin::stick})
      all.contact_margins.push_back({kind, k});
  }
  all.impact_margins = core.watch.impact_margins;
  return all;
}

bool can_record(const Core& core, const Mode<double>& mode) {
  if (core.s.delays.active || !mode.shares.empty()) return false;
  return std::all_of(core.work.arriving.begin(), core.work.arriving.end(), [](const auto& s) {
    return s.normal == 0 && norm_squared(s.normal_N) == 0 && norm_squared(s.friction_N) == 0;
  });
}

void RunLayout::set_prepare(Graph graph) {
  prepare = std::move(graph);
  keeps_time_parts = std::any_of(prepare.nodes.begin(), prepare.nodes.end(), [](const Node& a) {
    return a.operation == Operation::input && a.operand[0] == 0;
  });
}

void RunLayout::find_places(const Watch& of_run, std::span<const PeakNumber> its_peaks,
                            std::vector<int>& places) const {
  places.clear();
  const auto place_of = [](const auto& list, auto&& is_it) {
    return static_cast<int>(std::find_if(list.begin(), list.end(), is_it) - list.begin());
  };
  int first = 0;
  for (const auto& m : of_run.contact_margins)
    places.push_back(place_of(watch.contact_margins, [&](const auto& o) { return o == m; }));
  first += count_of(watch.contact_margins);
  for (int i = 0; i < count_of(of_run.impact_margins); ++i) places.push_back(first + i);
  first += count_of(watch.impact_margins);
  for (const auto& m : of_run.event_margins)
    places.push_back(first + place_of(watch.event_margins, [&](const auto& o) {
                       return o.event == m.event && o.inequality == m.inequality;
                     }));
  first += count_of(watch.event_margins);
  for (const PeakNumber& p : its_peaks)
    places.push_back(first + place_of(peaks, [&](const auto& o) { return o == p; }));
}

std::vector<double> RunLayout::choose_free(double t_from, std::span<const double> of_system) const {
  std::vector<double> in{t_from};
  for (const int k : free_numbers) in.push_back(of_system[index(k)]);
  return in;
}

bool RunLayout::fits(std::span<const double> of_system) const {
  if (of_system.size() != numbers.size()) return false;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!is_free[k] &&
        !(of_system[k] == numbers[k] && std::signbit(of_system[k]) == std::signbit(numbers[k])))
      return false;
  return true;
}

bool RunLayout::holds(double t_from, std::span<const double> of_system) const {
  if (truth.empty()) return true;
  std::vector<double> now(truth.size());
  interpret(guard, choose_free(t_from, of_system), now);
  return now == truth;
}

std::vector<double> RunLayout::find_kept(double t_from, std::span<const double> of_system) const {
  std::vector<double> out(index(kept()));
  interpret(prepare, choose_free(t_from, of_system), out);
  return out;
}

RunLayout find_layout(const Core& core, const Mode<double>& mode, const SystemNotes& notes,
                      std::span<const char> is_free) {
  RunLayout out;
  out.numbers = notes.numbers;
  out.is_free.assign(is_free.begin(), is_free.end());
  out.is_free.resize(out.numbers.size(), 0);
  for (int k = 0; k < count_of(out.numbers); ++k)
    if (out.is_free[index(k)]) out.free_numbers.push_back(k);
  out.states = count_of(core.s.x);
  out.gaps = count_of(core.system.contacts);
  out.mode_numbers = static_cast<int>(count_numbers(mode)) - 1;
  out.watch = find_full_watch(core);
  out.peaks = find_all_peaks(core);
  for_each_switching(out.watch, [&](auto part, std::size_t) {
    out.watched += static_cast<int>(part.count(out.watch));
  });
  out.watched += count_of(out.peaks);
  StepEnd<double>(core.system).for_each([&](double) { ++out.end_numbers; });
  out.pull_size = find_pull_size(core.system, mode);
  return out;
}

RunGraphs record_run(const Core& core, const Mode<double>& mode, const SystemNotes& notes,
                     std::span<const char> is_free) {
  RunGraphs out{find_layout(core, mode, notes, is_free), {}, {}, {}, {}};
  Tape tape;
  const Trace t = tape.input();
  std::vector<Trace> x(core.s.x.size()), gaps(core.system.contacts.size());
  for (Trace& y : x) y = tape.input();
  for (Trace& y : gaps) y = tape.input();
  Mode<Trace> lifted_mode = lift_mode<Trace>(mode);
  bool is_first = true;  // t_from, which comes after the others
  for_each_number(lifted_mode, [&](Trace& y) {
    if (!std::exchange(is_first, false)) y = tape.input();
  });
  lifted_mode.t_from = tape.parameter(mode.t_from);
  std::vector<Trace> numbers(out.numbers.begin(), out.numbers.end());
  for (const int k : out.free_numbers) numbers[index(k)] = tape.parameter(out.numbers[index(k)]);
  System<Trace> system;
  {
    Lifting again(numbers);
    system = lift_system<Trace>(core.system);
  }
  Workspace<Trace> w(system);
  w.sees_idle = false;
  w.sees_loads = has_loads(core.system, mode);

  std::vector<Trace> all(x.size()), watched(static_cast<std::size_t>(out.watched)), scratch;
  find_derivative<Trace>(system, t, x, lifted_mode, w, all);
  std::copy_n(all.begin() + w.layout.v, w.v_dot.size(), w.v_dot.begin());
  const auto fill = [&](Workspace<Trace>& here, const Watch& watch, std::span<const Trace> far) {
    fill_numbers<Trace>(core, watch, out.peaks, system, lifted_mode, x, far, here, scratch,
                        watched);
    all.insert(all.end(), watched.begin(), watched.end());
  };
  // On a workspace of its own: idle contacts and open docks are not evaluated.
  Workspace<Trace> w_stage = w;
  fill(w_stage, out.watch, gaps);
  Watch with_idle = out.watch;
  with_idle.names_idle = true;
  fill(w, with_idle, {});
  std::vector<Trace> named(out.watch.places.size());
  core.channels.fill<Trace>(out.watch.places, system, x, w, named);
  all.insert(all.end(), named.begin(), named.end());
  StepEnd<Trace> end(system);
  find_step_end<Trace>(system, lifted_mode, x, w, end);
  end.for_each([&](const Trace& y) { all.push_back(y); });
  if (out.pull_size.rows > 0) {
    const std::vector<Trace> pulled = record_pull(system, lifted_mode, t, x);
    all.insert(all.end(), pulled.begin(), pulled.end());
  }

  const Graph whole = simplify(tape.finish(all));
  std::vector<char> varies(static_cast<std::size_t>(whole.input_count), 0);
  const int fixed_from = 1 + out.states + out.gaps + out.mode_numbers;
  std::fill_n(varies.begin(), fixed_from, 1);
  SplitGraph split = split_by_inputs(whole, varies);
  const std::size_t n = x.size(), m = watched.size();
  out.set_prepare(std::move(split.prepare));
  out.rate = choose_outputs(split.evaluate, 0, n);
  out.stage = choose_outputs(split.evaluate, 0, n + m);
  const std::size_t through_end = m + index(out.output_count());
  if (out.pull_size.rows > 0)
    out.pull = choose_outputs(split.evaluate, through_end, index(out.pull_size.count()));
  Graph& last = split.evaluate;
  last.outputs.resize(through_end);
  last.outputs.erase(last.outputs.begin() + static_cast<std::ptrdiff_t>(n),
                     last.outputs.begin() + static_cast<std::ptrdiff_t>(n + m));
  out.end = without_dead_nodes(last);

  // Guards, as a function of t_from and the free numbers alone.
  std::vector<Trace> decided;
  for (const Guard& g : tape.guards()) {
    decided.push_back(g.number);
    out.truth.push_back(g.value);
  }
  // Their graph has no varying input to depend on: it becomes the part that prepares.
  const Graph guards = tape.finish(decided);
  std::vector<char> none(static_cast<std::size_t>(guards.input_count), 0);
  std::fill_n(none.begin(), fixed_from, 1);
  SplitGraph decisions = split_by_inputs(guards, none);
  out.guard = std::move(decisions.prepare);
  return out;
}

}  // namespace berth
