// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/recorder.h"

#include <algorithm>
#include <limits>

#include "berth/record/json_text.h"

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

Recorder::Recorder(Driver& driver, const Scenario& scenario, const SimulateOptions& options)
    : options_(options),
      x_(driver.x().size()),
      row_(static_cast<std::size_t>(driver.channels().width())) {
  const RecordSpec& r = scenario.record;
  at_events_ = r.at_events;
  // A thousandth of the run, and never nothing.
  const double by_itself = std::max(scenario.time.stop / 1000, std::numeric_limits<double>::min());
  add_group(driver, "", r.interval > 0 ? r.interval : by_itself, r.channels);
  for (const RecordGroupSpec& g : r.group) add_group(driver, g.name, g.interval, g.channels);
  if (!options.h5.empty()) {
    file_.emplace(options.h5);
    for (const Group& g : groups_) file_->add_group(g.name, g.channels);
    if (r.scene) {
      scene_.emplace(scenario, driver.system());
      scene_group_ = file_->add_scene(scene_->channels(), scene_->model());
      scene_row_.resize(scene_->width());
    }
  }
  if (!options.csv.empty()) {
    table_.emplace(options.csv);
    for (const Group& g : groups_) table_->add_group(g.name, g.channels);
  }
}

void Recorder::start(Driver& driver) {
  evaluate(driver, driver.t());
  for (std::size_t g = 0; g < groups_.size(); ++g) write(driver, g, driver.t());
  for (double t : options_.at)
    if (t <= 0) samples.push_back({driver.t(), row_});
}

bool Recorder::step(Driver& driver) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    for (double t = group.next(); t <= driver.t(); t = group.next()) {
      ++group.count;
      // A row nobody keeps is not filled. Its place in the step is still found, since that takes
      // evaluations, and their number does not depend on what is written.
      if (!file_ && !table_) {
        if (t != driver.t()) driver.interpolate(t, x_);
        group.last = t;
        continue;
      }
      evaluate(driver, t);
      write(driver, g, t);
    }
  }
  for (double t : options_.at)
    if (driver.t_previous() < t && t <= driver.t()) {
      evaluate(driver, t);
      samples.push_back({t, row_});
    }
  if (options_.progress) options_.progress(driver.t());
  return true;
}

void Recorder::happened(Driver& driver, const Happening& what) {
  if (file_)
    file_->add_event(what.t, what.kind, what.name,
                     what.values.empty() ? "" : to_text(to_value(what)));
  if (const auto interval = driver.record_interval(); interval && *interval != groups_[0].interval)
    groups_[0].restart(driver.t(), *interval);
  // The row behind the event, also where the raster has just written the one before it.
  if (!at_events_) return;
  evaluate(driver, driver.t());
  write(driver, 0, driver.t());
}

void Recorder::finish(Driver& driver, const std::string& scenario, const std::string& summary) {
  evaluate(driver, driver.t());
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].last < driver.t()) write(driver, g, driver.t());
  if (file_) file_->finish(scenario, summary);
  if (table_) table_->finish();
}

void Recorder::add_group(const Driver& driver, const std::string& name, double interval,
                         const std::vector<std::string>& patterns) {
  groups_.push_back({name, interval, choose(driver.channels(), patterns)});
}

void Recorder::evaluate(Driver& driver, double t) {
  if (t == driver.t()) {
    x_.assign(driver.x().begin(), driver.x().end());
  } else {
    driver.interpolate(t, x_);
  }
  driver.fill_row(t, x_, row_);
}

// What was last evaluated. Poses go with the main group.
void Recorder::write(Driver& driver, std::size_t g, double t) {
  groups_[g].last = t;
  if (file_) file_->append(static_cast<int>(g), t, row_);
  if (file_ && scene_ && g == 0) {
    scene_->fill(driver.system(), x_, driver.observed(), scene_row_);
    file_->append(scene_group_, t, scene_row_);
  }
  if (table_) table_->append(static_cast<int>(g), t, row_);
}

}  // namespace berth
