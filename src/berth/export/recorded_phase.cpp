// SPDX-License-Identifier: Apache-2.0
#include "berth/export/recorded_phase.h"

#include <algorithm>
#include <utility>

#include "berth/compile/differentiate.h"
#include "berth/compile/split.h"
#include "berth/scalar/trace.h"
#include "berth/system/channels_impl.h"
#include "berth/system/docks.h"
#include "berth/system/jumps.h"
#include "berth/system/lift_system.h"

namespace berth {
namespace {

void for_each_signal_number(auto& signal, auto&& f) {
  f(signal.normal);
  for (auto* v : {&signal.normal_N, &signal.friction_N}) f(v->x), f(v->y), f(v->z);
}

// f(number) for every number of u, in order.
void for_each_input(auto& mode, auto& arriving, auto&& f) {
  bool is_first = true;  // t_from, which comes last
  for_each_number(mode, [&](auto& y) {
    if (!std::exchange(is_first, false)) f(y);
  });
  for (auto& signal : arriving) for_each_signal_number(signal, f);
  f(mode.t_from);
}

// The tape of a phase and what it is a function of.
struct Recorder {
  const Core& core;
  System<Trace> system;
  Mode<Trace> mode;
  Workspace<Trace> w;
  Tape tape;
  Trace t;
  std::vector<Trace> x, x_later;
  int inputs = 0;

  Recorder(const Core& of, const Mode<double>& in_mode)
      : core(of),
        system(lift_system<Trace>(of.system)),
        mode(lift_mode<Trace>(in_mode)),
        w(system),
        x(of.s.x.size()),
        x_later(x.size()) {
    t = tape.input();
    for (Trace& y : x) y = tape.input();
    std::size_t left = list_input_numbers(in_mode, core.work.arriving).size();
    for_each_input(mode, w.arriving, [&](Trace& y) {
      y = --left > 0 ? tape.input() : tape.parameter(in_mode.t_from);
      ++inputs;
    });
    for (Trace& y : x_later) y = tape.input();
  }

  Graph record_derivative() {
    Workspace<Trace> here = w;
    here.sees_idle = false;
    std::vector<Trace> x_dot(x.size());
    find_derivative<Trace>(system, t, x, mode, here, x_dot);
    return tape.finish(x_dot);
  }

  Graph record_outputs() {
    Workspace<Trace> here = w;
    motion_stage<Trace>(system, t, x, mode, here);
    command_stage<Trace>(system, x, mode, here);
    effort_stage<Trace>(system, here);
    acceleration_stage<Trace>(system, mode, here, here.v_dot);
    find_observed_loads<Trace>(system, mode, here);
    std::vector<Trace> row(index(core.channels.width()));
    ChannelWriter<Trace> writer{row.data()};
    for (const Owner& owner : list_owners(core.system))
      walk_owner<Trace>(owner, system, x, here, writer);
    return tape.finish(row);
  }

  Graph record_normalised() {
    std::vector<Trace> q(x.begin(), x.begin() + w.layout.v);
    normalise_quaternions<Trace>(system.model, q);
    return tape.finish(q);
  }

  // violation | coordinates | speeds, of x_later with rows that were factored at x.
  Graph record_projection() {
    motion_stage<Trace>(system, t, x, mode, w);
    factor_rows<Trace>(system, mode, w);
    motion_stage<Trace>(system, t, x_later, mode, w);
    std::vector<Trace> out;
    Trace largest = 0.0;
    for (const ActiveRow& at : mode.rows) {
      if (!is_projected(system, at)) continue;
      const Trace size = abs(closure_at(w, at.closure).rows.row[index(at.row)].violation);
      largest = select(largest < size, size, largest);
    }
    out.push_back(largest);
    Workspace<Trace> moved = w;
    std::vector<Trace> to = x_later;
    pull_positions<Trace>(system, t, to, mode, moved, 1);
    out.insert(out.end(), to.begin(), to.begin() + w.layout.v);
    to = x_later;
    pull_rates<Trace>(system, to, mode, w);
    out.insert(out.end(), to.begin() + w.layout.v, to.begin() + w.layout.z);
    return tape.finish(out);
  }
};

std::vector<char> find_live_inputs(const Graph& graph) {
  std::vector<char> live(index(graph.input_count), 0);
  for (const Node& n : graph.nodes)
    if (n.operation == Operation::input) live[index(n.operand[0])] = 1;
  return live;
}

// The same graph with inputs at other places.
Graph renumber_inputs(Graph graph, std::span<const int> place_of, int count) {
  for (Node& n : graph.nodes)
    if (n.operation == Operation::input) n.operand[0] = place_of[index(n.operand[0])];
  graph.input_count = count;
  return graph;
}

Graph pick_outputs(const Graph& graph, int first, int count) {
  Graph part = graph;
  part.outputs.assign(graph.outputs.begin() + first, graph.outputs.begin() + first + count);
  return without_dead_nodes(part);
}

void check_calls(const Graph& graph) {
  if (!graph.calls.empty())
    throw CannotRecord(std::string(graph.calls.front().function->name) +
                       " decides on values at every instant");
}

// Which rows are pulled along must be those of the mode.
void check_rows(const Core& core, const Mode<double>& mode, double t, std::span<const double> x) {
  std::vector<double> moved(x.begin(), x.end());
  Mode<double> chosen = mode;
  Workspace<double> w(core.system);
  close_gap(core.system, t, moved, chosen, w);
  const bool has_all = std::equal(mode.rows.begin(), mode.rows.end(), chosen.rows.begin(),
                                  chosen.rows.end(), [](const ActiveRow& a, const ActiveRow& b) {
                                    return a.closure == b.closure && a.row == b.row;
                                  });
  if (!has_all) throw CannotRecord("a row of a loop fades: steps do without it");
}

bool is_any_projected(const Core& core, const Mode<double>& mode) {
  return std::any_of(mode.rows.begin(), mode.rows.end(),
                     [&](const ActiveRow& row) { return is_projected(core.system, row); });
}

RecordedPhase record(const Core& core, const Mode<double>& mode) {
  Recorder recorder(core, mode);
  const Layout& at = recorder.w.layout;
  RecordedPhase out;
  out.states = count_of(core.s.x);
  out.coordinates = at.v;
  out.speeds = at.z - at.v;
  out.channels = core.channels.width();
  for (const Body<double>& b : core.system.model.bodies)
    if (b.joint == JointType::free || b.joint == JointType::spherical)
      out.quaternions.push_back(b.q + (b.joint == JointType::free ? 3 : 0));

  out.derivative = recorder.record_derivative();
  out.outputs = recorder.record_outputs();
  out.normalise = recorder.record_normalised();
  const int n = out.states, m = recorder.inputs, whole = 1 + n + m + n;
  // Factored at x: t, x and u are fixed.
  SplitGraph projection;
  if (is_any_projected(core, mode)) {
    std::vector<char> is_later(index(whole), 0);
    std::fill(is_later.begin() + 1 + n + m, is_later.end(), 1);
    Graph pulled = recorder.record_projection();
    pulled.input_count = whole;
    projection = split_by_inputs(pulled, is_later);
    out.is_projected = true;
    out.kept = count_of(projection.prepare.outputs);
    const Graph& pull = projection.evaluate;
    out.violation = pick_outputs(pull, 0, 1);
    out.pull_positions = pick_outputs(pull, 1, out.coordinates);
    out.pull_rates = pick_outputs(pull, 1 + out.coordinates, out.speeds);
  }
  for (const Graph* g : {&out.derivative, &out.outputs, &projection.prepare, &projection.evaluate})
    check_calls(*g);

  // Of u what is read, and the start of the stretch in any case.
  std::vector<char> is_read(index(m), 0);
  for (const Graph* g : {&out.derivative, &out.outputs, &projection.prepare}) {
    const std::vector<char> live = find_live_inputs(*g);
    for (int k = 0; k < m && 1 + n + k < count_of(live); ++k)
      is_read[index(k)] |= live[index(1 + n + k)];
  }
  is_read.back() = 1;
  std::vector<int> place_of(index(whole), 0);
  for (int i = 0; i <= n; ++i) place_of[index(i)] = i;
  for (int k = 0; k < m; ++k) {
    if (!is_read[index(k)]) continue;
    place_of[index(1 + n + k)] = 1 + n + out.input_count();
    out.inputs.push_back(k);
  }
  const int count = 1 + n + out.input_count();
  out.derivative = renumber_inputs(std::move(out.derivative), place_of, count);
  out.outputs = renumber_inputs(std::move(out.outputs), place_of, count);
  out.factor = renumber_inputs(std::move(projection.prepare), place_of, count);
  std::vector<int> of_x(index(whole), 0);
  for (int i = 0; i < n; ++i) of_x[index(1 + i)] = i;
  out.normalise = renumber_inputs(std::move(out.normalise), of_x, n);

  std::vector<Trace> decided;
  for (const Guard& g : recorder.tape.guards()) {
    decided.push_back(g.number);
    out.truth.push_back(g.value);
  }
  const Graph guard = recorder.tape.finish(decided);
  std::vector<int> of_start(index(whole), 0);
  out.guard = renumber_inputs(guard, of_start, 1);  // t_from alone
  return out;
}

}  // namespace

std::vector<double> list_input_numbers(const Mode<double>& mode,
                                       std::span<const ContactSignal<double>> arriving) {
  std::vector<double> out;
  for_each_input(mode, arriving, [&](const double& y) { out.push_back(y); });
  return out;
}

bool RecordedPhase::holds(double t_from) const {
  std::vector<double> now(truth.size());
  interpret(guard, std::span(&t_from, 1), now);
  return now == truth;
}

RecordedPhase record_phase(const Core& core, const Mode<double>& mode, double t,
                           std::span<const double> x) {
  if (!mode.shares.empty()) throw CannotRecord("probes at rest share loads in more than one way");
  if (is_any_projected(core, mode)) check_rows(core, mode, t, x);
  try {
    RecordedPhase out = record(core, mode);
    std::vector<char> varies(index(out.derivative.input_count), 1);
    varies[0] = 0;  // time
    out.tangent = differentiate(out.derivative, varies);
    return out;
  } catch (const BranchOnValue& e) {
    throw CannotRecord(e.what());
  }
}

}  // namespace berth
