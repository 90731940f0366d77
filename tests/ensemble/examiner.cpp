// SPDX-License-Identifier: Apache-2.0
#include "tests/ensemble/examiner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "berth/run/numbers.h"
#include "berth/scalar/trace.h"
#include "berth/system/docks.h"
#include "berth/system/lift_system.h"
#include "tests/support/numbers.h"
#include "tests/support/random.h"

namespace berth::test {
namespace {

// Whether −0 instead of 0 is a difference.
constexpr bool kSignOfZeroCounts = false;

bool agree(double a, double b) { return are_same(a, b) || (!kSignOfZeroCounts && a == b); }

bool are_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

// A number that is lost in double, and that somebody asks for, must be seen to be lost.
std::string find_difference(std::string_view what, std::span<const double> wanted,
                            std::span<const double> got, bool lost_matters = true) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!agree(wanted[i], got[i]) && (lost_matters || std::isfinite(wanted[i])))
      return fmt::format("{}: number {} of {} is {:.17g} in double, recorded {:.17g}", what, i,
                         wanted.size(), wanted[i], got[i]);
  return "";
}

std::vector<double> interpret(const Graph& graph, std::span<const double> inputs) {
  std::vector<double> out(graph.outputs.size());
  berth::interpret(graph, inputs, out);
  return out;
}

// What the loop finds in double, with a workspace that nobody has used before.
struct InDouble {
  std::vector<double> rate, stage, end, watched_by_run;

  InDouble(const RunGraphs& graphs, const Core& core, const Mode<double>& mode, double t,
           std::span<const double> x, std::span<const double> gaps)
      : rate(x.size()) {
    Workspace<double> w(core.system);
    w.sees_idle = false;
    w.sees_loads = has_loads(core.system, mode);
    find_derivative<double>(core.system, t, x, mode, w, rate);
    std::copy_n(rate.begin() + w.layout.v, w.v_dot.size(), w.v_dot.begin());
    const auto fill = [&](const Watch& watch, std::span<const PeakNumber> peaks,
                          std::span<const double> far, Workspace<double>& here) {
      std::size_t count = peaks.size();
      for_each_switching(watch, [&](auto part, std::size_t) { count += part.count(watch); });
      std::vector<double> numbers(count), scratch;
      fill_numbers<double>(core, watch, peaks, core.system, mode, x, far, here, scratch, numbers);
      return numbers;
    };
    stage = end = rate;
    const auto add = [](std::vector<double>& to, const std::vector<double>& numbers) {
      to.insert(to.end(), numbers.begin(), numbers.end());
    };
    Watch watch = graphs.watch;
    watch.names_idle = false;
    Workspace<double> w_stage = w, w_run = w;
    add(stage, fill(watch, graphs.peaks, gaps, w_stage));
    watch.names_idle = true;
    add(end, fill(watch, graphs.peaks, {}, w));
    std::vector<double> named(watch.places.size());
    core.channels.fill<double>(watch.places, core.system, x, w, named);
    add(end, named);
    StepEnd<double> of_end(core.system);
    find_step_end<double>(core.system, mode, x, w, of_end);
    of_end.for_each([&](const double& y) { end.push_back(y); });
    // As the run itself has them: fewer, in its own order.
    watched_by_run = fill(core.watch, core.s.run_log.watched(), {}, w_run);
  }
};

}  // namespace

std::optional<double> Examiner::try_step(Core& core, const Mode<double>& mode, const Trial& trial) {
  examine(core, mode, trial.t, trial.x);
  return {};
}

bool Examiner::find_numbers(const Core& core, const Mode<double>& mode, std::span<const double> t,
                            std::span<const double> x, std::span<const std::size_t>, bool,
                            std::span<double>) {
  for (std::size_t i = 0; i < t.size(); ++i)
    examine(core, mode, t[i], x.subspan(i * core.size(), core.size()));
  return false;
}

bool Examiner::find_end(const Core& core, const Mode<double>& mode, double t,
                        std::span<const double> x, std::span<double>, std::span<double>,
                        StepEnd<double>&) {
  examine(core, mode, t, x);
  return false;
}

bool Examiner::pull_onto_rows(const Core& core, Mode<double>& mode, double t, std::span<double> x) {
  examine(core, mode, t, x, At::pull);
  return false;
}

void Examiner::examine(const Core& core, const Mode<double>& mode, double t,
                       std::span<const double> x, At place) {
  if (!difference_.empty()) return;
  if (!can_record(core, mode)) {
    ++declined_;
    return;
  }
  if (changes_ != core.changes) {
    notes_ = find_notes(core.system);
    changes_ = core.changes;
    if (conditions_.empty()) add_conditions(core, conditions_);
  }
  std::string key = notes_.structure;
  add_structure(core, mode, key);
  auto found = families_.find(key);
  if (found == families_.end()) {
    if (structures() >= options_.structures) return;
    found = families_.try_emplace(std::move(key)).first;
    in_order_.push_back(&found->second);
  }
  Family& family = found->second;
  Family::Visits& visits = place == At::pull ? family.pulls : family.stages;
  const bool is_due = std::has_single_bit(static_cast<unsigned>(++visits.requests));
  if (family.is_refused || !is_due || visits.made >= options_.visits) return;
  ++visits.made;
  const RunGraphs* graphs = find_graphs(family, core, mode);
  if (!graphs) return;

  const auto check = [&](const std::string& how, std::span<const double> at) {
    ++comparisons_;
    const std::string found_here = compare(*graphs, core, mode, t, at, family, place);
    if (difference_.empty() && !found_here.empty())
      difference_ =
          fmt::format("structure {}, t = {:.9g} s, {}: {}", structures(), t, how, found_here);
  };
  check("as visited", x);
  Random random(static_cast<unsigned>(comparisons_));
  std::vector<double> changed(x.begin(), x.end());
  for (double& y : changed)
    if (random.number(0, 1) < 0.2) y = random.number(0, 1) < 0.5 ? 0.0 : -0.0;
  check("with zeros", changed);
  const Layout layout = core.system.layout();
  changed.assign(x.begin(), x.end());
  std::fill(changed.begin() + layout.v, changed.begin() + layout.z, 0.0);
  check("at rest", changed);
}

const RunGraphs* Examiner::find_graphs(Family& family, const Core& core, const Mode<double>& mode) {
  for (const RunGraphs& g : family.graphs)
    if (g.fits(notes_.numbers) && g.holds(mode.t_from, notes_.numbers)) return &g;
  const std::vector<char> free(notes_.numbers.size(), options_.all_numbers_free ? 1 : 0);
  try {
    return &family.graphs.emplace_back(record_run(core, mode, notes_, free));
  } catch (const BranchOnValue& e) {
    family.is_refused = true;
    refused_.push_back(e.what());
    return nullptr;
  }
}

std::string Examiner::compare(const RunGraphs& graphs, const Core& core, const Mode<double>& mode,
                              double t, std::span<const double> x, Family& family, At at) {
  // Gaps of contacts as they may have been where the step began.
  std::vector<double> gaps;
  for (std::size_t k = 0; k < core.system.contacts.size(); ++k)
    gaps.push_back(0.01 * static_cast<double>(k + 1));
  std::vector<double> in{t};
  const auto add = [&](std::span<const double> list) {
    in.insert(in.end(), list.begin(), list.end());
  };
  add(x);
  add(gaps);
  bool is_first = true;  // t_from, on which kept values depend
  for_each_number(mode, [&](double y) {
    if (!std::exchange(is_first, false)) in.push_back(y);
  });
  add(graphs.find_kept(mode.t_from, notes_.numbers));
  if (at == At::pull)
    return graphs.pull_size.rows > 0 ? compare_pull(graphs, core, mode, t, x, in) : "";
  family.inputs = in;
  family.last = &graphs;

  const InDouble wanted(graphs, core, mode, t, x, gaps);
  const std::vector<double> end = interpret(graphs.end, in);
  const std::vector<double> rate = interpret(graphs.rate, in), stage = interpret(graphs.stage, in);
  // Where a slope is lost, one of the program's is, and the interpreter is asked.
  if (!are_finite(wanted.rate)) {
    const std::size_t n = rate.size();
    const bool is_seen = !are_finite(rate) && !are_finite(std::span(stage).first(n)) &&
                         !are_finite(std::span(end).first(n));
    return is_seen ? "" : "a slope that is lost in double is not lost in what was recorded";
  }
  std::string out = find_difference("rate", wanted.rate, rate);
  if (out.empty()) out = find_difference("stage", wanted.stage, stage, false);
  if (out.empty()) out = find_difference("end", wanted.end, end, false);
  if (!out.empty()) return out;
  std::vector<int> places;
  graphs.find_places(core.watch, core.s.run_log.watched(), places);
  std::vector<double> picked;
  for (const int p : places) picked.push_back(end[x.size() + static_cast<std::size_t>(p)]);
  if (picked.size() != wanted.watched_by_run.size()) return "another number of watched numbers";
  return find_difference("watched by the run", wanted.watched_by_run, picked);
}

// The whole way back, with its decisions.
std::string Examiner::compare_pull(const RunGraphs& graphs, const Core& core,
                                   const Mode<double>& mode, double t, std::span<const double> x,
                                   std::span<const double> in) {
  const std::vector<double> found = interpret(graphs.pull, in);
  if (!are_finite(found)) return "";
  std::vector<double> wanted(x.begin(), x.end()), got = wanted;
  Mode<double> wanted_mode = mode, got_mode = mode;
  if (!apply_pull(core.system, graphs.pull_size, found, got_mode, got)) return "";
  ++pulls_;
  Workspace<double> w(core.system);
  if (!project(core.system, t, wanted, wanted_mode, w)) return "pulled where nothing pulls";
  const auto list_strengths = [](const Mode<double>& m) {
    std::vector<double> list;
    for (const ActiveRow& row : m.rows) list.push_back(row.strength);
    return list;
  };
  const std::vector<double> strengths = list_strengths(wanted_mode);
  if (strengths.size() != got_mode.rows.size()) return "other rows";
  const std::string out = find_difference("pulled", wanted, got);
  return out.empty() ? find_difference("strengths", strengths, list_strengths(got_mode)) : out;
}

}  // namespace berth::test
