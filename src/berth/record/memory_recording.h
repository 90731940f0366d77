// SPDX-License-Identifier: Apache-2.0
#pragma once

// MemoryRecording — one run in memory, as a Recording would have it in a file.
//
//   times   [n]             of a group
//   rows    [n × width]     its channels side by side: a channel has a place in the row and the stride
//                           of it
//
// Events have their details as the file has them; poses are rounded to floats.

#include <vector>

#include "berth/record/event_log.h"
#include "berth/record/row_sink.h"

namespace berth {

class MemoryRecording : public RowSink {
 public:
  struct Group {
    std::string name;
    std::vector<Channel> channels;  // `first`: the place in `rows` below
    std::vector<int> from;          // place of each in a row of the simulation
    std::size_t width = 0;
    bool single = false;  // kept as floats
    std::vector<double> times, rows;
  };

  int add_group(const std::string& name, std::span<const Channel> channels) override;
  int add_scene(std::span<const Channel> channels, const std::string& model_json,
                std::span<const StoredModel> models) override;
  void append(int group, double t, std::span<const double> row) override;
  void add_event(double t, const std::string& kind, const std::string& name,
                 const std::string& details_json) override;
  void finish(const std::string& scenario_text, const std::string& summary_json) override;

  // Without poses.
  std::span<const Group> groups() const { return std::span(groups_).first(channel_groups_); }
  const Group* scene() const { return has_scene() ? &groups_.back() : nullptr; }
  const std::string& scene_model() const { return scene_model_; }
  const std::vector<LoggedEvent>& events() const { return events_; }
  const std::string& scenario() const { return scenario_; }
  const std::string& summary() const { return summary_; }

  // Everything once more, in the order it came: a Recording has the same bytes as one that was there
  // from the start.
  void replay(RowSink& into) const;

 private:
  bool has_scene() const { return channel_groups_ < groups_.size(); }

  std::vector<Group> groups_;  // poses last
  std::size_t channel_groups_ = 0;
  std::vector<unsigned short> order_;  // the group of every row
  std::string scene_model_, scenario_, summary_;
  std::vector<StoredModel> models_;
  std::vector<LoggedEvent> events_;
};

}  // namespace berth
