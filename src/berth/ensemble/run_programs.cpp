// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/run_programs.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "berth/ensemble/kept_graphs.h"
#include "berth/scalar/trace.h"

namespace berth {
namespace {

// Whoever meets more runs interpreted what does not fit.
constexpr std::size_t kMostFamilies = 256, kMostPrograms = 4;

bool are_same(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

}  // namespace

RunPrograms::RunPrograms(const CCompiler& compiler, const InstructionSet& instructions,
                         const RunProgramOptions& options)
    : instructions_(instructions), options_(options), cache_(compiler), compiler_(cache_) {}
RunPrograms::~RunPrograms() = default;

std::uint64_t RunPrograms::find_system(const std::string& structure) {
  const std::scoped_lock lock(mutex_);
  return systems_.try_emplace(structure, systems_.size()).first->second;
}

RunPrograms::Family& RunPrograms::find_family(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  auto [found, is_new] = families_.try_emplace(key);
  if (is_new) {
    found->second = std::make_unique<Family>();
    found->second->is_refused = families_.size() > kMostFamilies;
  }
  return *found->second;
}

const RunProgram* RunPrograms::find(const std::string& key, std::uint64_t asker, const Core& core,
                                    const Mode<double>& mode, const SystemNotes& notes) {
  Family& family = find_family(key);
  const std::scoped_lock lock(family.mutex);
  if (family.is_refused) return nullptr;
  for (const auto& program : family.programs) {
    if (!program->layout.fits(notes.numbers) || !program->layout.holds(mode.t_from, notes.numbers))
      continue;
    return program->is_ready || finish(*program) ? program.get() : nullptr;
  }
  // Which numbers differ from case to case.
  if (family.askers == 0) {
    family.first_numbers = notes.numbers;
    family.is_free.assign(notes.numbers.size(), 0);
  }
  if (family.askers == 0 || asker != family.first_asker) ++family.askers;
  family.first_asker = asker;
  if (family.first_numbers.size() != notes.numbers.size()) {
    family.is_refused = true;  // a branch on a number while lifting
    return nullptr;
  }
  for (std::size_t k = 0; k < notes.numbers.size(); ++k)
    if (!are_same(notes.numbers[k], family.first_numbers[k])) family.is_free[k] = 1;
  if (family.askers < options_.cases_first) return nullptr;
  if (family.programs.size() >= kMostPrograms) {
    family.is_refused = true;
    return nullptr;
  }
  make_program(family, core, mode, notes);
  if (family.is_refused) return nullptr;
  RunProgram& made = *family.programs.back();
  return finish(made) ? &made : nullptr;
}

void RunPrograms::make_program(Family& family, const Core& core, const Mode<double>& mode,
                               const SystemNotes& notes) {
  auto program = std::make_unique<RunProgram>();
  if (!restore(*program, family, core, mode, notes)) {
    try {
      RunGraphs graphs = record_run(core, mode, notes, family.is_free);
      request(*program, graphs);
      program->layout = std::move(graphs);
    } catch (const BranchOnValue&) {
      family.is_refused = true;
      return;
    }
  }
  family.programs.push_back(std::move(program));
}

bool RunPrograms::restore(RunProgram& program, const Family& family, const Core& core,
                          const Mode<double>& mode, const SystemNotes& notes) {
  const std::string recorded = describe_recorded(core, mode, notes, family.is_free);
  if (recorded.empty()) return false;
  // Those of a family differ by what they decided, in the order in which a run meets them.
  program.graphs_key = cache_.find_key(
      fmt::format("program {} in {} lanes\n{}", family.programs.size(), lanes(), recorded),
      list_flags(instructions_));
  const std::optional<std::string> bytes = cache_.folder().read(program.graphs_key);
  if (!bytes) return false;
  KeptGraphs kept;
  try {
    kept = read_kept_graphs(*bytes);
  } catch (const std::runtime_error&) {
    return false;
  }
  RunLayout layout = find_layout(core, mode, notes, family.is_free);
  const int known = 1 + count_of(layout.free_numbers);
  if (kept.prepare.input_count != known || kept.guard.input_count != known) return false;
  layout.set_prepare(std::move(kept.prepare));
  layout.guard = std::move(kept.guard);
  layout.truth = std::move(kept.truth);
  if (!layout.holds(mode.t_from, notes.numbers)) return false;
  program.library = cache_.find_by_key(kept.library);
  if (!program.library) return false;
  program.layout = std::move(layout);
  const std::array to{&program.rate, &program.stage, &program.end, &program.pull};
  for (std::size_t i = 0; i < to.size(); ++i)
    for (const std::string& name : kept.calls[i])
      to[i]->calls.push_back(call_of(*find_opaque_function(name)));
  return true;
}

void RunPrograms::request(RunProgram& program, const RunGraphs& g) {
  EmitOptions options;
  options.lanes = instructions_.lanes;
  std::vector<NamedGraph> graphs{
      {"berth_rate", &g.rate}, {"berth_stage", &g.stage}, {"berth_end", &g.end}};
  if (g.pull_size.rows > 0) graphs.push_back({"berth_pull", &g.pull});
  const std::string text = emit_c(graphs, options);
  program.rate.calls = list_calls(g.rate);
  program.stage.calls = list_calls(g.stage);
  program.end.calls = list_calls(g.end);
  program.pull.calls = list_calls(g.pull);
  program.library_key = cache_.find_key(text, list_flags(instructions_));
  program.pending = compiler_.request(text, list_flags(instructions_));
}

bool RunPrograms::is_ready(const PendingLibrary& library) const {
  return options_.waits || berth::is_ready(library);
}

bool RunPrograms::finish(RunProgram& program) {
  const bool is_restored = program.library != nullptr;
  if (program.has_failed || !(is_restored || is_ready(program.pending))) return false;
  try {
    if (!is_restored) program.library = program.pending.get();
    const auto load = [&](const char* name, RunProgram::Function& to) {
      to.call = reinterpret_cast<CompiledFunction>(program.library->symbol(name));
    };
    load("berth_rate", program.rate);
    load("berth_end", program.end);
    load("berth_stage", program.stage);
    if (program.layout.pull_size.rows > 0) load("berth_pull", program.pull);
  } catch (const std::exception& e) {
    program.has_failed = true;
    const std::scoped_lock lock(mutex_);
    if (failure_.empty()) failure_ = e.what();
    return false;
  }
  if (!is_restored) keep(program);
  program.is_ready = true;
  return true;
}

void RunPrograms::keep(const RunProgram& program) const {
  if (program.graphs_key.empty()) return;
  const RunLayout& l = program.layout;
  KeptGraphs kept{program.library_key, l.prepare, l.guard, l.truth, {}};
  const std::array from{&program.rate, &program.stage, &program.end, &program.pull};
  for (std::size_t i = 0; i < from.size(); ++i)
    for (const CompiledCall& call : from[i]->calls)
      kept.calls[i].emplace_back(static_cast<const OpaqueFunction*>(call.function)->name);
  cache_.folder().write(program.graphs_key, write_kept_graphs(kept));
}

LaneSteps& RunPrograms::find_steps(const Tableau& method) {
  for (const auto& s : steps_)
    if (s->method == &method) return *s;
  LaneSteps& made = *steps_.emplace_back(std::make_unique<LaneSteps>(method));
  made.pending =
      compiler_.request(lane_steps_text(method, instructions_.lanes), list_flags(instructions_));
  return made;
}

const LaneMethodTable* RunPrograms::find_method(const Trial& trial, int watched) {
  const std::scoped_lock lock(mutex_);
  for (const auto& m : methods_)
    if (m->fits(trial, watched)) return m.get();
  LaneSteps& steps = find_steps(trial.method);
  if (steps.has_failed || !is_ready(steps.pending)) return nullptr;
  try {
    if (!steps.library) steps.load();
  } catch (const std::exception& e) {
    steps.has_failed = true;
    if (failure_.empty()) failure_ = e.what();
    return nullptr;
  }
  return methods_.emplace_back(std::make_unique<LaneMethodTable>(steps, trial, watched)).get();
}

std::string RunPrograms::find_failure() {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

}  // namespace berth
