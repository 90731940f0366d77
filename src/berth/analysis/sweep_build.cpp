// SPDX-License-Identifier: Apache-2.0

// A sweep as its scenario and the command line ask for it, checked before anything runs.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/analysis/dispersion.h"
#include "berth/analysis/stop_when_sure.h"
#include "berth/analysis/sweep.h"
#include "berth/scenario/read/find_input.h"

namespace berth {
namespace {

constexpr std::uint64_t kBandTimes = 201;
constexpr std::uint64_t kRareSamples = 500;      // of each replicate, on every level
constexpr std::uint64_t kBoundarySamples = 200;  // at each node

// The value with which a key is tried out: the first, or the middle of what is random.
Cell find_trial(const Vary& v) { return v.is_random() ? v.draw(0.5) : v.values[0]; }

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

bool is_random_text(const std::string& vary) {
  Problems ignored;
  const std::optional<Vary> v = read_vary(vary, "", ignored);
  return v ? v->is_random() : vary.find("table(") != std::string::npos;
}

// What cannot be asked for together.
void check_request(const SweepRequest& request, const Sweep& sweep, Problems& problems) {
  const auto refuse = [&](const char* option, const char* why) {
    problems.add(Place{0, 0, option}, "", why);
  };
  const bool has_grid = std::any_of(sweep.plan.keys.begin(), sweep.plan.keys.end(),
                                    [](const Vary& v) { return !v.is_random(); });
  if (!request.until.empty()) {
    if (has_grid) refuse("--until", "is for random inputs alone: a grid has its cases anyway");
    if (sweep.plan.design == Design::lhs)
      refuse("--until",
             "a Latin hypercube must know beforehand how many samples there are: take "
             "random, sobol or halton");
    if (request.finds_indices) refuse("--until", "does not go with --indices");
    if (!request.part.is_whole())
      refuse("--until", "does not go with --part: a part does not know of the others");
    read_until(request.until, problems);
  }
  const bool is_search = !request.rare.empty() || !request.boundary.empty();
  const char* const search = request.rare.empty() ? "--boundary" : "--rare";
  if (is_search) {
    if (has_grid) refuse(search, "is for random inputs alone: give every key a distribution");
    if (!request.until.empty() || request.finds_indices || !request.part.is_whole())
      refuse(search,
             "decides itself which cases it runs: it does not go with --until, --indices or "
             "--part");
    if (!request.rare.empty() && !request.boundary.empty())
      refuse(search, "does not go with --boundary");
    if (!request.boundary.empty() && request.boundary.size() != 2)
      refuse(search, "two keys are needed: --boundary KEY,KEY");
  }
  if (request.part.n > sweep.plan.cases()) refuse("--part", "there are more parts than cases");
}

// Channels over time: each must be there.
void add_bands(const std::vector<std::string>& wanted, const Scenario& scenario, Sweep& sweep,
               Problems& problems) {
  if (wanted.empty()) return;
  Problems ignored;
  const BuiltScenario built = build_scenario(scenario, ignored);
  std::vector<std::string> names;
  for (const Channel& c : Channels(built.system).list()) {
    if (c.width == 1) {
      names.push_back(c.name);
    } else {
      for (const char letter : std::string_view(c.width == 4 ? "wxyz" : "xyz"))
        names.push_back(fmt::format("{}.{}", c.name, letter));
    }
  }
  const std::vector<std::string_view> all(names.begin(), names.end());
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string_view near = find_nearest(name, all);
    problems.add(Place{0, 0, "--bands"}, name,
                 near.empty() ? "is no channel of one number; berth check --channels lists them"
                              : fmt::format("is no channel of one number; did you mean {}?", near));
  }
  sweep.bands = {wanted, scenario.time.stop / static_cast<double>(kBandTimes - 1), kBandTimes};
}

// Nothing for a text: the file cannot be read, which is a problem already; what else is wrong is found.
Sweep plan_sweep(const std::optional<std::string>& text, const std::string& name,
                 const std::filesystem::path& folder, const SweepRequest& request,
                 Problems& problems) {
  Sweep sweep;
  sweep.file = name;
  sweep.settings = request.settings;
  SweepSpec own;
  Dispersion dispersion;
  if (text) {
    ReadScenario read = read_scenario_text(*text, sweep.file, request.settings, folder);
    own = read.scenario.sweep;
    build_scenario(read.scenario, read.problems);  // for the rules of these tables
    for (const Problem& p : read.problems.list)
      if (fits_path("sweep", p.path) || fits_path("dispersion", p.path)) problems.list.push_back(p);
    if (problems.empty()) dispersion = read_dispersion(read.scenario, problems);
    if (!problems.empty()) return sweep;
  }
  sweep.collect = request.collect.empty() ? own.collect : request.collect;
  sweep.collect_given = !sweep.collect.empty();
  if (!sweep.collect_given) sweep.collect = default_collect();
  std::vector<std::string> vary = request.vary.empty() ? own.vary : request.vary;
  // [dispersion] holds whatever the command line varies beside it; a key that both name is the latter's.
  for (const std::string& v : dispersion.vary)
    if (std::none_of(vary.begin(), vary.end(), [&](const std::string& given) {
          return given.substr(0, given.find('=')) == v.substr(0, v.find('='));
        }))
      vary.push_back(v);
  // What the file says of other keys does not stand in the way of those that are given.
  const bool is_random = std::any_of(vary.begin(), vary.end(), is_random_text);
  const auto is_varied = [&](const std::string& key) {
    return std::any_of(vary.begin(), vary.end(),
                       [&](const std::string& v) { return v.starts_with(key + "="); });
  };
  sweep.map = request.map;
  if (sweep.map.empty() &&
      (request.vary.empty() || std::all_of(own.map.begin(), own.map.end(), is_varied)))
    sweep.map = own.map;
  const auto whole = [](int n) { return static_cast<std::uint64_t>(std::max(n, 0)); };
  PlanRequest plan{
      .vary = vary,
      .samples = request.samples > 0 ? request.samples
                 : is_random         ? whole(own.samples)
                                     : 0,
      .seed = request.seed.value_or(whole(own.seed)),
      .design = request.design.value_or(is_random ? Design(own.design) : Design::random),
      .correlated = dispersion.correlated,
      .finds_indices = request.finds_indices,
      .folder = folder};
  if (request.samples == 0) {
    if (!request.until.empty()) plan.samples = kMostCases;
    if (!request.rare.empty()) plan.samples = kRareSamples;
    if (!request.boundary.empty()) plan.samples = kBoundarySamples;
  }
  sweep.plan = build_sweep_plan(plan, problems);
  sweep.part = request.part;
  if (problems.empty()) check_request(request, sweep, problems);
  if (!request.until.empty()) sweep.study["until"] = request.until;
  if (!request.rare.empty()) sweep.study["rare"] = request.rare;
  if (!request.boundary.empty()) sweep.study["boundary"] = request.boundary;
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
  add_bands(request.bands, *first, sweep, problems);
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

}  // namespace berth
