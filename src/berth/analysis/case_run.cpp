// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/case_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>

#include <fmt/format.h>

#include "berth/ensemble/ensemble.h"
#include "berth/record/json_text.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Keeps the chosen channels at equal times, as far as the run gets.
class BandSink : public RowSink {
 public:
  explicit BandSink(const SweepBands& bands)
      : bands_(bands), values_(bands.channels.size() * bands.times, kNan) {}

  int add_group(const std::string&, std::span<const Channel> channels) override {
    for (const std::string& wanted : bands_.channels) {
      int place = -1;
      for (const Channel& c : channels)
        for (int i = 0; i < c.width; ++i)
          if (wanted == (c.width == 1 ? c.name : fmt::format("{}.{}", c.name, letter(c.width, i))))
            place = c.first + i;
      places_.push_back(place);
    }
    return 0;
  }
  void append(int, double t, std::span<const double> row) override {
    const double at = t / bands_.interval, k = std::round(at);
    if (std::abs(at - k) > 1e-9 * (1 + k) || !(k < static_cast<double>(bands_.times))) return;
    for (std::size_t c = 0; c < places_.size(); ++c)
      if (places_[c] >= 0)
        values_[c * bands_.times + static_cast<std::size_t>(k)] =
            row[static_cast<std::size_t>(places_[c])];
  }
  void finish(const std::string&, const std::string&) override {}

  std::vector<double> take() { return std::move(values_); }

 private:
  static char letter(int width, int i) {
    return std::string_view(width == 4 ? "wxyz" : "xyz")[static_cast<std::size_t>(i)];
  }

  const SweepBands& bands_;
  std::vector<int> places_;  // in a row of the simulation
  std::vector<double> values_;
};

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

BuiltCase build_case(ReadScenario read, const SweepBands& bands) {
  // Of the clock no result may depend: a case has budgets of steps and events alone.
  read.scenario.integrator.max_wall_time = 0;
  if (!bands.channels.empty()) {
    read.scenario.record = {};
    read.scenario.record.interval = bands.interval;
    read.scenario.record.at_events = read.scenario.record.scene = false;
  }
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  return {std::move(read), std::move(built)};
}
BuiltCase build_case(const ParsedScenario& source, const std::vector<std::string>& settings,
                     const SweepBands& bands) {
  if (std::optional<ReadScenario> read = source.read_numbers(settings)) {
    BuiltCase out = build_case(std::move(*read), bands);
    if (out.read.problems.empty()) return out;
  }
  // Problems come in the order of their places, which reading everything brings.
  return build_case(source.read(settings), bands);
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

// "events.capture_hard.t" names an event of the scenario, which need not act in every case.
bool names_event(std::string_view pattern, std::span<const std::string> events) {
  constexpr std::string_view table = "events.";
  if (!pattern.starts_with(table) || pattern.find('*') != std::string_view::npos) return false;
  const std::string_view rest = pattern.substr(table.size());
  return std::any_of(events.begin(), events.end(), [&](const std::string& name) {
    return rest.size() > name.size() + 1 && rest.starts_with(name) && rest[name.size()] == '.';
  });
}

}  // namespace

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
  for (const std::string& name : sweep.bands.channels) {
    const std::string_view stem = std::string_view(name).substr(0, name.rfind('.'));
    Collected c{name, false, "", "", sweep.bands.times};
    for (const Channel& channel : run.summary->channels)
      if (channel.name == name || (channel.width > 1 && channel.name == stem))
        c.unit = channel.unit, c.meaning = channel.description;
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

void collect(std::span<const Collected> columns, CaseRun& run) {
  CaseResult& to = run.result;
  std::size_t band = 0;
  for (const Collected& c : columns) {
    if (c.width > 1) {
      for (std::uint64_t i = 0; i < c.width; ++i, ++band)
        to.numbers.push_back(band < run.bands.size() ? run.bands[band] : kNan);
      continue;
    }
    const auto found = run.summary ? find_value(*run.summary, c.path) : std::nullopt;
    const bool usable = found && (found->value.index() == 1) == c.is_text;
    if (c.is_text) {
      to.texts.push_back(usable ? clean(std::get<std::string>(found->value)) : "");
    } else {
      to.numbers.push_back(usable ? std::get<double>(found->value) : kNan);
    }
  }
}

std::vector<std::string> default_collect() {
  return {"steps.*",
          "audit.*",
          "docks.*",
          "contacts.*.force_peak",
          "contacts.*.penetration_peak",
          "contacts.*.verdict"};
}

CaseRun run_case(const Sweep& sweep, const ParsedScenario& source,
                 const std::vector<std::string>& settings, StepServer* server,
                 const std::function<bool()>& interrupted) {
  CaseRun out;
  try {
    const auto [read, built] = build_case(source, settings, sweep.bands);
    if (!read.problems.empty()) {
      out.result.outcome = "refused";
      out.result.message = clean(brief(read.problems));
      return out;
    }
    SimulateOptions options;
    options.server = server;
    options.interrupted = interrupted;
    std::shared_ptr<BandSink> bands;
    if (!sweep.bands.channels.empty())
      options.memory = bands = std::make_shared<BandSink>(sweep.bands);
    const Summary& summary = out.summary.emplace(simulate(read.scenario, built, options));
    out.result.outcome = std::string(name(summary.outcome.ending));
    out.is_broken_off = summary.outcome.ending == Ending::interrupted;
    out.result.verdict = clean(summary.verdict);
    out.result.as_expected = summary.as_expected();
    out.result.message = clean(complaint(summary));
    for (const Event& e : built.events) out.events.push_back(e.name);
    if (bands) out.bands = bands->take();
  } catch (const std::bad_alloc&) {
    throw;  // of this moment, not of the case: nothing to record
  } catch (const std::exception& e) {
    out = {};
    out.result.outcome = "failed";
    out.result.message = clean(e.what());
  }
  return out;
}

CaseRunner::CaseRunner(const Sweep& sweep, std::vector<Collected> columns, int threads,
                       Computing computing)
    : sweep_(sweep),
      columns_(std::move(columns)),
      source_(sweep.source, sweep.file),
      threads_(threads),
      opened_(open_programs(computing)) {}

void CaseRunner::run(std::size_t count,
                     const std::function<std::vector<std::string>(std::size_t)>& settings,
                     const std::function<void(std::size_t, CaseResult)>& finished,
                     const std::function<bool()>& interrupted) {
  std::mutex mutex;
  for_each_abreast(count, threads_, opened_.programs.get(), [&](std::size_t i, StepServer* server) {
    if (interrupted && interrupted()) return;
    CaseRun run = run_case(sweep_, source_, settings(i), server, interrupted);
    // Many are under way at a time; those that were broken off begin anew next time.
    if (run.is_broken_off) return;
    collect(columns_, run);
    const std::scoped_lock lock(mutex);
    finished(i, std::move(run.result));
  });
}

std::string CaseRunner::find_note() const {
  const std::string failure = opened_.programs ? opened_.programs->find_failure() : "";
  return failure.empty() ? opened_.note : "some cases ran interpreted: " + failure;
}

}  // namespace berth
