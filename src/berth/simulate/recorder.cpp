// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/recorder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "berth/record/csv_writer.h"
#include "berth/record/json_text.h"
#include "berth/record/queued_sink.h"
#include "berth/record/recording.h"
#include "berth/simulate/input_log.h"

namespace berth {
namespace {

std::vector<Channel> choose(const Channels& all, const std::vector<std::string>& patterns) {
  std::vector<Channel> chosen;
  for (const Channel& c : all.list())
    for (const std::string& p : patterns)
      if (fits_channel(p, c.name)) {
        chosen.push_back(c);
        break;
      }
  return chosen;
}

}  // namespace

Recorder::Recorder(HybridRun& run, const Scenario& scenario, const SimulateOptions& options)
    : options_(options), x_(run.x().size()) {
  const RecordSpec& r = scenario.record;
  at_events_ = r.at_events;
  row_.channels.resize(static_cast<std::size_t>(run.channels().width()) + 1);
  const auto add_file = [&](std::shared_ptr<RowSink> sink) {
    if (options.queued) sink = std::make_shared<QueuedSink>(std::move(sink));
    sinks_.push_back(std::move(sink));
  };
  if (!options.h5.empty()) add_file(std::make_shared<Recording>(options.h5));
  if (!options.csv.empty()) add_file(std::make_shared<CsvWriter>(options.csv));
  if (options.memory) sinks_.push_back(options.memory);
  // A thousandth of the run, and never nothing.
  const double by_itself = std::max(scenario.time.stop / 1000, std::numeric_limits<double>::min());
  add_group(run, "", r.interval > 0 ? r.interval : by_itself, r.channels);
  if (at_events_)
    groups_[0].channels.push_back({"row.side", "-", "",
                                   "-1 before something happens, +1 after it, else 0", 1,
                                   run.channels().width()});
  for (const RecordGroupSpec& g : r.group) add_group(run, g.name, g.interval, g.channels);
  for (const auto& sink : sinks_)
    for (const Group& g : groups_) sink->add_group(g.name, g.channels);
  for (const auto& sink : sinks_)
    if (options.inputs)
      options.inputs->attach(sink, sink->add_group(InputLog::kGroup, options.inputs->channels()));
  scene_groups_.assign(sinks_.size(), -1);
  if (r.scene && (!options.h5.empty() || options.memory)) {
    scene_.emplace(scenario, run.system());
    const std::vector<StoredModel> models = list_stored(scenario.models);
    for (std::size_t i = 0; i < sinks_.size(); ++i)
      scene_groups_[i] = sinks_[i]->add_scene(scene_->channels(), scene_->model(), models);
    row_.scene.resize(scene_->width());
  }
  waiting_ = row_;
}

void Recorder::start(HybridRun& run) {
  // A run that goes on from a saved state keeps the times of its rows.
  if (const auto interval = run.record_interval()) groups_[0].interval = *interval;
  evaluate(run, run.t(), waiting_);
  for (Group& g : groups_) {
    g.waits = true;
    g.count = static_cast<std::uint64_t>(std::floor(run.t() / g.interval)) + 1;
  }
  for (double t : options_.at)
    if (t <= 0) samples.push_back({run.t(), waiting_.channels});
}

bool Recorder::step(HybridRun& run) {
  write_waiting(0);
  for (std::size_t g = 0; writes() && g < groups_.size(); ++g) {
    Group& group = groups_[g];
    for (double t = group.next(); t <= run.t(); t = group.next()) {
      ++group.count;
      if (t < run.t()) {
        evaluate(run, t, row_);
        write(g, row_, 0);
        continue;
      }
      // Something may happen just here.
      if (waiting_.t != t) evaluate(run, t, waiting_);
      group.waits = true;
    }
  }
  for (double t : options_.at) {
    if (!(run.t_previous() < t && t <= run.t())) continue;
    run.find_state(t, x_);
    run.fill_row(t, x_, row_.channels);
    samples.push_back({t, row_.channels});
  }
  if (options_.progress) options_.progress(run.t());
  return true;
}

void Recorder::before(HybridRun& run) {
  if (!at_events_ || !writes() || groups_[0].waits) return;
  evaluate(run, run.t(), waiting_);
}

void Recorder::after(HybridRun& run) {
  if (!at_events_ || !writes()) return;
  groups_[0].waits = true;
  write_waiting(-1);
  evaluate(run, run.t(), row_);
  write(0, row_, 1);
}

void Recorder::event(HybridRun& run, const EventRecord& what) {
  const std::string details =
      writes() && !what.values.empty() ? to_text(to_value(what)) : std::string();
  for (const auto& sink : sinks_) sink->add_event(what.t, what.kind, what.name, details);
  if (const auto interval = run.record_interval(); interval && *interval != groups_[0].interval)
    groups_[0].restart(run.t(), *interval);
}

void Recorder::finish(HybridRun& run, const Scenario& scenario, const Summary& summary) {
  write_waiting(0);
  if (writes()) evaluate(run, run.t(), row_);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].last < run.t()) write(g, row_, 0);
  if (!writes()) return;
  const std::string text = write_scenario(scenario), json = to_json(summary, false);
  for (const auto& sink : sinks_) sink->finish(text, json);
}

void Recorder::add_group(const HybridRun& run, const std::string& name, double interval,
                         const std::vector<std::string>& patterns) {
  groups_.push_back({name, interval, {}});
  if (writes()) groups_.back().channels = choose(run.channels(), patterns);
}

void Recorder::evaluate(HybridRun& run, double t, Row& row) {
  run.interpolate(t, x_);
  run.fill_row(t, x_, row.channels);
  row.t = t;
  if (scene_) scene_->fill(run.system(), x_, run.observed(), row.scene);
}

void Recorder::write_waiting(double side) {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (std::exchange(groups_[g].waits, false)) write(g, waiting_, g == 0 ? side : 0);
}

// Poses go with the main group.
void Recorder::write(std::size_t g, const Row& row, double side) {
  groups_[g].last = row.t;
  row_side_.assign(row.channels.begin(), row.channels.end());
  row_side_.back() = side;
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    sinks_[i]->append(static_cast<int>(g), row.t, row_side_);
    if (g == 0 && scene_groups_[i] >= 0) sinks_[i]->append(scene_groups_[i], row.t, row.scene);
  }
}

}  // namespace berth
