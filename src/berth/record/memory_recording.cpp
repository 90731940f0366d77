// SPDX-License-Identifier: Apache-2.0
#include "berth/record/memory_recording.h"

#include "berth/record/json_text.h"

namespace berth {

int MemoryRecording::add_group(const std::string& name, std::span<const Channel> channels) {
  Group group;
  group.name = name;
  for (Channel c : channels) {
    group.from.push_back(c.first);
    c.first = static_cast<int>(group.width);
    group.width += static_cast<std::size_t>(c.width);
    group.channels.push_back(std::move(c));
  }
  groups_.push_back(std::move(group));
  channel_groups_ = groups_.size();
  return static_cast<int>(groups_.size()) - 1;
}

int MemoryRecording::add_scene(std::span<const Channel> channels, const std::string& model_json,
                               std::span<const StoredModel> models) {
  const int number = add_group("", channels);
  groups_.back().single = true;
  --channel_groups_;
  scene_model_ = model_json;
  models_.assign(models.begin(), models.end());
  return number;
}

void MemoryRecording::append(int number, double t, std::span<const double> row) {
  Group& group = groups_.at(static_cast<std::size_t>(number));
  order_.push_back(static_cast<unsigned short>(number));
  group.times.push_back(t);
  for (std::size_t i = 0; i < group.channels.size(); ++i) {
    const auto from = row.subspan(static_cast<std::size_t>(group.from[i]),
                                  static_cast<std::size_t>(group.channels[i].width));
    for (const double value : from)
      group.rows.push_back(group.single ? static_cast<double>(static_cast<float>(value)) : value);
  }
}

void MemoryRecording::add_event(double t, const std::string& kind, const std::string& name,
                                const std::string& details_json) {
  events_.push_back({t, kind, name, to_ascii(details_json)});
}

void MemoryRecording::finish(const std::string& scenario_text, const std::string& summary_json) {
  scenario_ = scenario_text;
  summary_ = to_ascii(summary_json);
}

void MemoryRecording::replay(RowSink& into) const {
  std::vector<int> numbers;
  for (const Group& group : groups()) numbers.push_back(into.add_group(group.name, group.channels));
  if (has_scene()) numbers.push_back(into.add_scene(scene()->channels, scene_model_, models_));
  std::vector<std::size_t> next(groups_.size(), 0);
  for (const unsigned short g : order_) {
    const Group& group = groups_[g];
    const std::size_t i = next[g]++;
    if (numbers[g] >= 0)
      into.append(numbers[g], group.times[i],
                  std::span(group.rows).subspan(i * group.width, group.width));
  }
  for (const LoggedEvent& e : events_) into.add_event(e.time, e.kind, e.name, e.details);
  into.finish(scenario_, summary_);
}

}  // namespace berth
