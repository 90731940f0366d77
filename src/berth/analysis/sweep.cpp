// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include <fmt/format.h>

#include "berth/analysis/sweep_journal.h"
#include "berth/ensemble/ensemble.h"
#include "berth/record/json_text.h"
#include "berth/scenario/read/find_input.h"
#include "berth/simulate.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

// --- before anything runs ------------------------------------------------------------------------

// The value with which a key is tried out: the first, or the middle of what is random.
Cell find_trial(const Vary& v) {
  if (!v.is_random()) return v.values[0];
  return v.spread == Spread::normal ? v.a : v.a / 2 + v.b / 2;
}

// Problems of a trial that were not there already. What a varied key brought came from --vary.
void add_new(const Problems& found, const SweepPlan& plan, Problems& to) {
  for (Problem p : found.list) {
    for (const Vary& v : plan.keys)
      if (fits_path(p.path, v.key) && p.place.line == 0) p.file = "--vary";
    const std::string text = describe(p);
    if (std::none_of(to.list.begin(), to.list.end(),
                     [&](const Problem& other) { return describe(other) == text; }))
      to.list.push_back(std::move(p));
  }
  to.left_out += found.left_out;
}

// Builds the sweep's scenario with the trial values, one of them exchanged when `with` says so.
std::optional<Scenario> try_out(const Sweep& sweep, std::string_view text,
                                const std::filesystem::path& folder, Problems& problems,
                                const std::optional<std::pair<std::size_t, Cell>>& with = {}) {
  std::vector<std::string> settings = sweep.settings;
  for (std::size_t k = 0; k < sweep.plan.keys.size(); ++k) {
    const Vary& v = sweep.plan.keys[k];
    settings.push_back(to_setting(v.key, with && with->first == k ? with->second : find_trial(v)));
  }
  ReadScenario read = read_scenario_text(text, sweep.file, settings, folder);
  build_scenario(read.scenario, read.problems);
  add_new(read.problems, sweep.plan, problems);
  if (!read.problems.empty()) return std::nullopt;
  return std::move(read.scenario);
}

// --- a case --------------------------------------------------------------------------------------

// A text as it comes back from a journal.
std::string clean(const std::string& text) {
  return Json::parse(to_text(Json(text))).get<std::string>();
}

// The first problem, without a place: lines are those of a text nobody has seen.
std::string brief(const Problems& problems) {
  const Problem& p = problems.list.front();
  const std::size_t more = problems.list.size() - 1 + problems.left_out;
  return (p.path.empty() ? "" : p.path + " — ") + p.message +
         (more > 0 ? fmt::format(" (and {} more)", more) : "");
}

struct BuiltCase {
  ReadScenario read;
  BuiltScenario built;
};

BuiltCase build_case(ReadScenario read) {
  // Of the clock no result may depend: a case has budgets of steps and events alone.
  read.scenario.integrator.max_wall_time = 0;
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  return {std::move(read), std::move(built)};
}
BuiltCase build_case(const ParsedScenario& source, const std::vector<std::string>& settings) {
  if (std::optional<ReadScenario> read = source.read_numbers(settings)) {
    BuiltCase out = build_case(std::move(*read));
    if (out.read.problems.empty()) return out;
  }
  // Problems come in the order of their places, which reading everything brings.
  return build_case(source.read(settings));
}

// Why a run is not as expected; empty when it is.
std::string complaint(const Summary& summary) {
  const auto& [ending, t, reason] = summary.outcome;
  if (!summary.outcome.completed())
    return fmt::format("could not go on beyond {:.9g} s{}{}", t, reason.empty() ? "" : ": ",
                       reason);
  for (const Expectation& e : summary.expectations)
    if (!e.met) return fmt::format("{}: wanted {}, got {}", e.what, e.wanted, e.got);
  return "";
}

// --- columns -------------------------------------------------------------------------------------

// "events.capture_hard.t" names an event of the scenario, which need not act in every case.
bool names_event(std::string_view pattern, std::span<const std::string> events) {
  constexpr std::string_view table = "events.";
  if (!pattern.starts_with(table) || pattern.find('*') != std::string_view::npos) return false;
  const std::string_view rest = pattern.substr(table.size());
  return std::any_of(events.begin(), events.end(), [&](const std::string& name) {
    return rest.size() > name.size() + 1 && rest.starts_with(name) && rest[name.size()] == '.';
  });
}

// Values that fit a pattern, in the order of the summary, then those of named events. Outcome and
// verdict are columns already.
std::vector<Collected> choose_columns(const Sweep& sweep, const CaseRun& run) {
  std::vector<Collected> columns;
  if (!run.summary) return columns;
  for (SummaryValue& v : list_values(*run.summary)) {
    if (v.path == "outcome" || v.path == "verdict") continue;
    if (std::any_of(sweep.collect.begin(), sweep.collect.end(),
                    [&](const std::string& p) { return fits_path(p, v.path); }))
      columns.push_back(
          {std::move(v.path), v.value.index() == 1, std::move(v.unit), std::move(v.meaning)});
  }
  for (const std::string& pattern : sweep.collect) {
    if (!names_event(pattern, run.events)) continue;
    Collected c{pattern, false, pattern.ends_with(".t") ? "s" : "", ""};
    if (const auto found = find_value(*run.summary, pattern)) c.is_text = found->value.index() == 1;
    columns.push_back(std::move(c));
  }
  return columns;
}

void check_patterns(const Sweep& sweep, const CaseRun& run, Problems& problems) {
  if (!sweep.collect_given || !run.summary) return;
  const std::vector<SummaryValue> values = list_values(*run.summary);
  std::vector<std::string> names;
  for (const SummaryValue& v : values) names.push_back(v.path);
  for (const std::string& e : run.events) names.push_back("events." + e + ".t");
  const std::vector<std::string_view> paths(names.begin(), names.end());
  for (const std::string& pattern : sweep.collect) {
    if (names_event(pattern, run.events) ||
        std::any_of(values.begin(), values.end(),
                    [&](const SummaryValue& v) { return fits_path(pattern, v.path); }))
      continue;
    const std::string_view near = find_nearest(pattern, paths);
    problems.add(Place{0, 0, "--collect"}, pattern,
                 near.empty() ? "fits nothing in the summary; berth run --json shows one"
                              : fmt::format("fits nothing in the summary; did you mean {}?", near));
  }
}

// Picks the columns out of a summary; what is missing, or of another kind, is NaN or empty.
void collect(std::span<const Collected> columns, const std::optional<Summary>& summary,
             CaseResult& to) {
  for (const Collected& c : columns) {
    const auto found = summary ? find_value(*summary, c.path) : std::nullopt;
    const bool usable = found && (found->value.index() == 1) == c.is_text;
    if (c.is_text) {
      to.texts.push_back(usable ? clean(std::get<std::string>(found->value)) : "");
    } else {
      to.numbers.push_back(usable ? std::get<double>(found->value)
                                  : std::numeric_limits<double>::quiet_NaN());
    }
  }
}

// --- the work ------------------------------------------------------------------------------------

class Worker {
 public:
  Worker(const Sweep& sweep, const SweepOptions& options, SweepResult& out)
      : sweep_(sweep),
        source_(sweep.source, sweep.file),
        options_(options),
        out_(out),
        journal_(journal_path(options)) {}

  void run(Problems& problems) {
    out_.results.resize(sweep_.plan.cases());
    if (!take_over(problems) && problems.empty()) find_columns(problems);
    if (!problems.empty()) return;
    if (!is_interrupted()) run_rest();
    if (!out_.complete()) {
      if (out_.finished > 0) out_.journal = journal_path(options_).string();
      return;
    }
    // The journal goes when the files are in place.
    write_sweep(sweep_, out_.columns, out_.results, options_.h5, options_.csv);
    out_.h5 = options_.h5.string();
    out_.csv = options_.csv.string();
    journal_.remove();
  }

 private:
  static std::filesystem::path journal_path(const SweepOptions& options) {
    return options.h5.string() + ".journal";
  }
  bool is_interrupted() const { return options_.interrupted && options_.interrupted(); }

  // What an earlier attempt has finished. False when there was none.
  bool take_over(Problems& problems) {
    if (journal_.was_empty() || options_.fresh) return false;
    const std::vector<std::string> differences =
        find_differences(journal_.identity(), find_identity(sweep_));
    if (!differences.empty()) {
      const Place place{0, 0, journal_path(options_).string()};
      problems.add(place, "",
                   journal_.identity().is_null()
                       ? "is no journal of a sweep; --fresh discards it"
                       : fmt::format("is of another sweep that was not finished: {}. --fresh "
                                     "discards it, --out NAME leaves it alone",
                                     fmt::join(differences, "; ")));
      return false;
    }
    out_.columns = journal_.columns();
    for (SweepJournal::Entry& entry : journal_.take_entries()) {
      if (entry.number >= out_.results.size()) continue;
      CaseResult& place = out_.results[entry.number];
      if (place.outcome.empty()) ++out_.finished;
      place = std::move(entry.result);
    }
    out_.taken_over = out_.finished;
    return true;
  }

  // Runs cases from the first on until one gives a summary, which fixes the columns.
  void find_columns(Problems& problems) {
    std::uint64_t count = 0;
    CaseRun last;
    while (count < out_.results.size() && !last.summary && !is_interrupted()) {
      last = run_case(sweep_, source_, count);
      out_.results[count++] = last.result;
    }
    // Interrupted before there were columns: nothing can be kept.
    if (!last.summary && count < out_.results.size()) {
      for (std::uint64_t i = 0; i < count; ++i) out_.results[i] = {};
      return;
    }
    check_patterns(sweep_, last, problems);
    if (!problems.empty()) return;
    out_.columns = choose_columns(sweep_, last);
    journal_.start(find_identity(sweep_), out_.columns);
    for (std::uint64_t i = 0; i < count; ++i)
      finish(i, std::move(out_.results[i]), i + 1 == count ? last.summary : std::nullopt);
  }

  // All cases not done yet, on as many threads as wanted.
  void run_rest() {
    std::vector<std::uint64_t> rest;
    for (std::uint64_t i = 0; i < out_.results.size(); ++i)
      if (out_.results[i].outcome.empty()) rest.push_back(i);
    const OpenedPrograms opened = open_programs(options_.computing);
    out_.note = opened.note;
    for_each_abreast(rest.size(), options_.threads, opened.programs.get(),
                     [&](std::size_t i, StepServer* server) {
                       if (is_interrupted()) return;
                       CaseRun run =
                           run_case(sweep_, source_, rest[i], server, options_.interrupted);
                       // Many are under way at a time; those that were broken off begin anew next time.
                       if (run.is_broken_off) return;
                       const std::scoped_lock lock(mutex_);
                       finish(rest[i], std::move(run.result), run.summary);
                     });
    const std::string failure = opened.programs ? opened.programs->find_failure() : "";
    if (!failure.empty()) out_.note = "some cases ran interpreted: " + failure;
  }

  void finish(std::uint64_t number, CaseResult result, const std::optional<Summary>& summary) {
    collect(out_.columns, summary, result);
    journal_.add(number, result);
    out_.results[number] = std::move(result);
    ++out_.finished;
    if (options_.progress) options_.progress(out_.finished, out_.results.size());
  }

  const Sweep& sweep_;
  const ParsedScenario source_;
  const SweepOptions& options_;
  SweepResult& out_;
  SweepJournal journal_;
  std::mutex mutex_;
};

}  // namespace

std::vector<std::string> default_collect() {
  return {"steps.*",
          "audit.*",
          "docks.*",
          "contacts.*.force_peak",
          "contacts.*.penetration_peak",
          "contacts.*.verdict"};
}

namespace {

// Nothing for a text: the file cannot be read, which is a problem already; what else is wrong is found.
Sweep plan_sweep(const std::optional<std::string>& text, const std::string& name,
                 const std::filesystem::path& folder, const SweepRequest& request,
                 Problems& problems) {
  Sweep sweep;
  sweep.file = name;
  sweep.settings = request.settings;
  SweepSpec own;
  if (text) {
    const ReadScenario read = read_scenario_text(*text, sweep.file, request.settings, folder);
    own = read.scenario.sweep;
    for (const Problem& p : read.problems.list)
      if (p.path == "sweep" || p.path.starts_with("sweep.")) problems.list.push_back(p);
    if (!problems.empty()) return sweep;
  }
  sweep.collect = request.collect.empty() ? own.collect : request.collect;
  sweep.collect_given = !sweep.collect.empty();
  if (!sweep.collect_given) sweep.collect = default_collect();
  const std::vector<std::string>& vary = request.vary.empty() ? own.vary : request.vary;
  // What the file says of other keys does not stand in the way of those that are given.
  const bool is_random = std::any_of(vary.begin(), vary.end(), [](const std::string& v) {
    return v.find("normal(") != v.npos || v.find("uniform(") != v.npos;
  });
  const auto is_varied = [&](const std::string& key) {
    return std::any_of(vary.begin(), vary.end(),
                       [&](const std::string& v) { return v.starts_with(key + "="); });
  };
  sweep.map = request.map;
  if (sweep.map.empty() &&
      (request.vary.empty() || std::all_of(own.map.begin(), own.map.end(), is_varied)))
    sweep.map = own.map;
  const auto whole = [](int n) { return static_cast<std::uint64_t>(std::max(n, 0)); };
  sweep.plan = build_sweep_plan(vary,
                                request.samples > 0 ? request.samples
                                : is_random         ? whole(own.samples)
                                                    : 0,
                                request.seed.value_or(whole(own.seed)), problems);
  if (!problems.empty() || !text) return sweep;

  // What is wrong with the first values is wrong with all, and reported once.
  const std::optional<Scenario> first = try_out(sweep, *text, folder, problems);
  for (std::size_t k = 0; k < sweep.plan.keys.size(); ++k) {
    const Vary& v = sweep.plan.keys[k];
    for (std::size_t i = 1; v.is_text() && i < v.values.size() && !problems.is_full(); ++i)
      if (std::find(v.values.begin(), v.values.begin() + static_cast<std::ptrdiff_t>(i),
                    v.values[i]) == v.values.begin() + static_cast<std::ptrdiff_t>(i))
        if (auto other = try_out(sweep, *text, folder, problems, std::pair{k, v.values[i]}))
          sweep.models.merge(other->models);
  }
  if (!problems.empty() || !first) return sweep;
  sweep.title = first->title;
  sweep.scenario = write_scenario(*first);
  sweep.models.insert(first->models.begin(), first->models.end());
  sweep.source = expand_scenario(*text, sweep.file, sweep.settings, folder, problems);
  for (const Vary& v : sweep.plan.keys) {
    const std::optional<InputFacts> facts = find_input(*first, v.key);
    sweep.inputs.push_back({facts ? facts->unit : "", facts ? facts->meaning : ""});
  }
  return sweep;
}

}  // namespace

Sweep build_sweep(const std::filesystem::path& file, const SweepRequest& request,
                  Problems& problems) {
  return plan_sweep(read_scenario_file(file, problems), file.string(), file.parent_path(), request,
                    problems);
}

Sweep build_sweep(const std::string& text, const std::string& name,
                  const std::filesystem::path& folder, const SweepRequest& request,
                  Problems& problems) {
  return plan_sweep(text, name, folder, request, problems);
}

CaseRun run_case(const Sweep& sweep, const ParsedScenario& source, std::uint64_t number,
                 StepServer* server, const std::function<bool()>& interrupted) {
  CaseRun out;
  try {
    const auto [read, built] = build_case(source, sweep.plan.settings(number));
    if (!read.problems.empty()) {
      out.result.outcome = "refused";
      out.result.message = clean(brief(read.problems));
      return out;
    }
    SimulateOptions options;
    options.server = server;
    options.interrupted = interrupted;
    const Summary& summary = out.summary.emplace(simulate(read.scenario, built, options));
    out.result.outcome = std::string(name(summary.outcome.ending));
    out.is_broken_off = summary.outcome.ending == Ending::interrupted;
    out.result.verdict = clean(summary.verdict);
    out.result.as_expected = summary.as_expected();
    out.result.message = clean(complaint(summary));
    for (const Event& e : built.events) out.events.push_back(e.name);
  } catch (const std::exception& e) {
    out = {};
    out.result.outcome = "failed";
    out.result.message = clean(e.what());
  }
  return out;
}

SweepResult run_sweep(const Sweep& sweep, const SweepOptions& options, Problems& problems) {
  const auto begin = std::chrono::steady_clock::now();
  SweepResult out;
  if (!sweep.map.empty()) out.map = begin_map(sweep, sweep.map, problems);
  if (!problems.empty()) return out;
  Worker(sweep, options, out).run(problems);
  if (out.map) fill_map(sweep, out.results, *out.map);
  out.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace berth
