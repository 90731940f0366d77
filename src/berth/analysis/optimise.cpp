// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/optimise.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "berth/analysis/goal.h"
#include "berth/scenario/read/find_input.h"
#include "berth/statistics/proportion.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kWorstBudget = 400;

struct DesignInput {
  std::vector<std::string> keys;  // all get the same value
  double low, high;
};

std::vector<std::string> split_keys(std::string_view text) {
  std::vector<std::string> keys;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view key = text.substr(0, comma);
    while (key.starts_with(' ')) key.remove_prefix(1);
    while (key.ends_with(' ')) key.remove_suffix(1);
    keys.emplace_back(key);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return keys;
}

// "KEY=range(a,b)", or "KEY,KEY=range(a,b)"
std::optional<DesignInput> read_input(const std::string& text, Problems& problems) {
  const auto refuse = [&](std::string_view why) {
    problems.add(Place{0, 0, "--input"}, "",
                 fmt::format("\"{}\" {}: write it as KEY=range(a,b)", text, why));
    return std::nullopt;
  };
  const std::size_t equals = text.find('=');
  const std::size_t comma = equals == std::string::npos ? equals : text.find(',', equals);
  const std::string_view range =
      equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1);
  if (!range.starts_with("range(") || !range.ends_with(')') || comma == std::string::npos)
    return refuse("has no range");
  const auto number = [](std::string_view from) -> std::optional<double> {
    while (from.starts_with(' ')) from.remove_prefix(1);
    double x = 0;
    const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), x);
    if (error != std::errc{} || end != from.data() + from.size() || !std::isfinite(x))
      return std::nullopt;
    return x;
  };
  const auto low = number(range.substr(6, comma - equals - 7));
  const auto high = number(std::string_view(text).substr(comma + 1, text.size() - comma - 2));
  if (!low || !high) return refuse("has ends that are no numbers");
  if (!(*low < *high)) return refuse("does not have its lower end first");
  return DesignInput{split_keys(std::string_view(text).substr(0, equals)), *low, *high};
}

class OptimiseBuilder {
 public:
  OptimiseBuilder(const std::filesystem::path& file, OptimiseRequest request, Problems& problems)
      : file_(file), request_(std::move(request)), problems_(problems) {}

  Sweep build() {
    const std::optional<std::string> text = read_scenario_file(file_, problems_);
    if (!text) return {};
    const ReadScenario read =
        read_scenario_text(*text, file_.string(), request_.settings, file_.parent_path());
    if (!read.problems.empty()) {
      problems_.list = read.problems.list;
      return {};
    }
    scenario_ = &read.scenario;
    fill_in();
    read_goals();
    if (!problems_.empty()) return {};
    return request_.worst.empty() ? build_design(*text) : build_worst(*text);
  }

 private:
  void refuse(const char* option, const std::string& key, std::string why) {
    problems_.add(Place{0, 0, option}, key, std::move(why));
  }

  void fill_in() {
    const OptimiseSpec& own = scenario_->optimise;
    if (request_.inputs.empty()) request_.inputs = own.inputs;
    if (request_.maximise.empty() && request_.minimise.empty() && request_.worst.empty())
      request_.maximise = own.maximise, request_.minimise = own.minimise;
    if (request_.constraints.empty() && request_.worst.empty())
      request_.constraints = own.constraints;
    const auto choose = [](std::uint64_t& to, int from) {
      if (to == 0) to = static_cast<std::uint64_t>(from);
    };
    choose(request_.samples, own.samples);
    choose(request_.confirm, own.confirm);
    if (!request_.worst.empty()) choose(request_.budget, static_cast<int>(kWorstBudget));
    choose(request_.budget, own.budget);
  }

  void add_goal(const std::string& text, bool maximise, const char* option) {
    if (text.empty()) return;
    const auto goal = read_goal(text, maximise, option, problems_);
    if (!goal) return;
    goals_.push_back(text);
    maximise_.push_back(maximise);
    collect(*goal);
  }
  void collect(const Goal& goal) {
    if (goal.kind != Goal::Kind::share || goal.criterion.is_number())
      columns_.push_back(goal.criterion.name);
  }

  void read_goals() {
    add_goal(request_.maximise, true, "--maximise");
    add_goal(request_.minimise, false, "--minimise");
    if (!request_.worst.empty()) add_goal("max(" + request_.worst + ")", true, "--worst");
    if (goals_.empty() && problems_.empty())
      refuse("--maximise", "", "there is no goal: --maximise, --minimise, --worst or [optimise]");
    for (const std::string& text : request_.constraints)
      if (const auto constraint = read_goal_limit(text, "--constraint", problems_))
        collect(constraint->goal);
  }

  // The sweep whose cases it runs.
  Sweep build_cases(const std::string& text, const std::vector<std::string>& vary) {
    SweepRequest cases{.vary = vary, .settings = request_.settings, .seed = request_.seed};
    const bool draws = !scenario_->dispersion.input.empty() ||
                       !scenario_->dispersion.correlation.empty() ||
                       std::any_of(scenario_->sweep.vary.begin(), scenario_->sweep.vary.end(),
                                   [&](const std::string& v) { return is_drawn_text(v); });
    if (draws) cases.samples = request_.samples;
    Sweep sweep = build_sweep(text, file_.string(), file_.parent_path(), cases, problems_);
    if (problems_.empty() && sweep.plan.design == Design::lhs)
      refuse("--design", "", "a Latin hypercube must know beforehand how many samples there are");
    for (const std::string& column : columns_)
      if (std::none_of(sweep.collect.begin(), sweep.collect.end(),
                       [&](const std::string& p) { return fits_path(p, column); }))
        sweep.collect.push_back(column);
    sweep.map.clear();
    return sweep;
  }
  bool is_drawn_text(const std::string& vary) {
    Problems ignored;
    const auto read = read_vary(vary, file_.parent_path(), ignored);
    return read && read->is_random();
  }

  Json describe_request(bool worst) const {
    return {{"worst", worst},
            {"inputs", Json::array()},
            {"goals", goals_},
            {"maximise", maximise_},
            {"constraints", request_.constraints},
            {"samples", worst ? 1 : request_.samples},
            {"budget", request_.budget},
            {"confirm", worst ? 1 : request_.confirm}};
  }

  Sweep build_design(const std::string& text) {
    Json wanted = describe_request(false);
    std::vector<std::string> vary;
    if (request_.inputs.empty())
      refuse("--input", "", "nothing may be changed: --input KEY=range(a,b), or [optimise] inputs");
    for (const std::string& one : request_.inputs) {
      const auto input = read_input(one, problems_);
      if (!input) continue;
      std::optional<InputFacts> first;
      for (const std::string& key : input->keys) {
        const std::optional<InputFacts> facts = find_input(*scenario_, key);
        if (!facts) refuse("--input", key, "there is no such input");
        if (!first) first = facts;
      }
      if (!first) continue;
      const double start = first->value.value_or((input->low + input->high) / 2);
      wanted["inputs"].push_back({{"key", fmt::format("{}", fmt::join(input->keys, ", "))},
                                  {"keys", input->keys},
                                  {"low", input->low},
                                  {"high", input->high},
                                  {"start", start},
                                  {"unit", first->unit}});
      designed_ += input->keys.size();
      for (const std::string& key : input->keys) vary.push_back(fmt::format("{}=[{}]", key, start));
    }
    // A key that is a design's is not drawn as well.
    for (const std::string& drawn : scenario_->sweep.vary) {
      const std::string key = drawn.substr(0, drawn.find('='));
      if (std::none_of(vary.begin(), vary.end(),
                       [&](const std::string& v) { return v.starts_with(key + "="); }))
        vary.push_back(drawn);
    }
    if (!problems_.empty()) return {};
    Sweep sweep = build_cases(text, vary);
    if (problems_.empty()) check_keys(sweep);
    sweep.study["optimise"] = std::move(wanted);
    return sweep;
  }

  // Beside the design's inputs everything is drawn.
  void check_keys(const Sweep& sweep) {
    for (std::size_t k = designed_; k < sweep.plan.keys.size(); ++k)
      if (!sweep.plan.keys[k].is_random())
        refuse("--vary", sweep.plan.keys[k].key, "has values: give it a distribution, or a range");
  }

  Sweep build_worst(const std::string& text) {
    Sweep sweep = build_cases(text, scenario_->sweep.vary);
    if (!problems_.empty()) return sweep;
    Json wanted = describe_request(true);
    for (std::size_t k = 0; k < sweep.plan.keys.size(); ++k) {
      const Vary& v = sweep.plan.keys[k];
      if (!v.is_random() || v.is_text()) {
        refuse("--worst", v.key,
               "has values: the worst case is sought over distributions of numbers");
        continue;
      }
      wanted["inputs"].push_back({{"key", v.key},
                                  {"keys", std::vector<std::string>{v.key}},
                                  {"low", std::get<double>(v.draw_normal(-3))},
                                  {"high", std::get<double>(v.draw_normal(3))},
                                  {"start", std::get<double>(v.draw_normal(0))},
                                  {"unit", sweep.inputs[k].unit}});
    }
    sweep.study["optimise"] = std::move(wanted);
    return sweep;
  }

  const std::filesystem::path& file_;
  OptimiseRequest request_;
  Problems& problems_;
  const Scenario* scenario_ = nullptr;
  std::vector<std::string> goals_;
  std::vector<bool> maximise_;
  std::vector<std::string> columns_;
  std::size_t designed_ = 0;  // keys
};

// A value of a goal; a share with its interval.
std::string describe_value(const std::string& goal, const Json& design, std::size_t g) {
  const Json& value = design.at("values").at(g);
  if (value.is_null()) return "nothing";
  const double x = value.get<double>();
  Problems ignored;
  const auto read = read_goal(goal, true, "", ignored);
  if (!read || read->kind != Goal::Kind::share) return fmt::format("{:.5g}", x);
  const auto n = design.at("samples").get<std::uint64_t>();
  const Proportion p =
      find_proportion(static_cast<std::uint64_t>(std::llround(x * static_cast<double>(n))), n);
  return fmt::format("{:.4g} % ({:.4g} … {:.4g} %)", 100 * x, 100 * p.low, 100 * p.high);
}

}  // namespace

Sweep build_optimise(const std::filesystem::path& file, const OptimiseRequest& request,
                     Problems& problems) {
  return OptimiseBuilder(file, request, problems).build();
}

std::string describe_optimise(const SweepResult& result) {
  const Json& study = result.sweep.study;
  std::string out = result.sweep.title.empty() ? "" : result.sweep.title + "\n";
  if (!study.contains("best"))
    return out + fmt::format("{} cases are done; the search is not.\n", result.finished);
  const Json &wanted = study.at("optimise"), &start = study.at("start"), &best = study.at("best");
  const bool worst = wanted.at("worst").get<bool>();
  out += fmt::format("{} designs, {} cases ({} taken over, {:.3g} s of computing).\n",
                     study.at("designs").size(), result.finished, result.taken_over,
                     result.wall_seconds);
  for (std::size_t g = 0; g < wanted.at("goals").size(); ++g) {
    const auto goal = wanted.at("goals").at(g).get<std::string>();
    out += fmt::format("{} {}: {} {}, {} {}\n",
                       worst                                     ? "Worst case of"
                       : wanted.at("maximise").at(g).get<bool>() ? "Maximise"
                                                                 : "Minimise",
                       goal, worst ? "nominal" : "first", describe_value(goal, start, g),
                       worst ? "worst" : "best", describe_value(goal, best, g));
  }
  for (const Json& c : wanted.at("constraints"))
    out += fmt::format("Subject to {}\n", c.get<std::string>());
  if (best.at("violation").get<double>() > 0)
    out += "No design was found that meets all constraints on fresh cases.\n";
  if (!worst)
    out += fmt::format("Both judged by {} fresh cases, 95 % intervals.\n",
                       best.at("samples").get<std::uint64_t>());
  std::vector<std::string> names;
  std::size_t width = 0;
  for (const Json& input : wanted.at("inputs")) {
    const auto unit = input.at("unit").get<std::string>();
    names.push_back(input.at("key").get<std::string>() +
                    (unit.empty() || unit == "-" ? "" : " [" + unit + "]"));
    width = std::max(width, names.back().size());
  }
  out += fmt::format("  {:<{}} {:>12} {:>12}\n", "", width, worst ? "nominal" : "first",
                     worst ? "worst" : "best");
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("  {:<{}} {:>12.5g} {:>12.5g}\n", names[i], width,
                       start.at("x").at(i).get<double>(), best.at("x").at(i).get<double>());
  if (!study.at("front").empty())
    out += fmt::format("  {} designs are on the front of both goals\n", study.at("front").size());
  if (!result.h5.empty())
    out += fmt::format("  recorded in {}; berth run --case {} {} replays a case of the {} one\n",
                       result.h5, best.at("first_case").get<std::uint64_t>(), result.h5,
                       worst ? "worst" : "best");
  return out;
}

}  // namespace berth
