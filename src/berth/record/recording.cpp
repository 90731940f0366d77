// SPDX-License-Identifier: Apache-2.0
#include "berth/record/recording.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "berth/record/json_text.h"
#include "berth/record/record_error.h"
#include "berth/version.h"

namespace berth {
namespace {

constexpr std::int64_t format = 2;

// A block is a chunk of every dataset, so long rows come in smaller blocks. They are fixed by the
// channels alone: the layout of a file must not depend on the machine.
constexpr std::size_t largest_block = 16 << 20;  // bytes
constexpr std::size_t most_rows = 1024, fewest_rows = 64;
constexpr std::size_t most_text = 1 << 20;  // bytes of events that are written together

std::size_t find_block_rows(std::size_t row_size) {
  std::size_t rows = most_rows;
  while (rows > fewest_rows && rows * row_size * sizeof(double) > largest_block) rows /= 2;
  return rows;
}

// A name is one link in the file: no path.
bool is_link_name(const std::string& name) {
  return !name.empty() && name != "." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

// Not the name of a group: no user can have one like it.
constexpr const char* scene_name = "/scene";

std::string folder_of(const std::string& group) {
  if (group == scene_name) return "/scene/";
  return group.empty() ? "/" : "/groups/" + group + "/";
}

int open_regular(const PartFile& part) {
  if (part.is_device()) throw RecordError(part.name(), "HDF5 needs a regular file");
  return part.descriptor();
}

}  // namespace

Recording::Recording(const std::filesystem::path& final_path)
    : part_(final_path), file_(open_regular(part_), part_.name()), events_(part_.name()) {}

int Recording::add_group(const std::string& name, std::span<const Channel> channels) {
  check_usable();
  const auto refuse = [&](const std::string& why) { throw RecordError(part_.name(), why); };
  if (!name.empty() && name != scene_name && !is_link_name(name))
    refuse(fmt::format("\"{}\" cannot be the name of a group", name));
  for (const Group& other : groups_)
    if (other.name == name) refuse(fmt::format("there is a group \"{}\" already", name));

  Group group;
  std::set<std::string> names;
  for (const Channel& c : channels) {
    if (!is_link_name(c.name))
      refuse(fmt::format("\"{}\" cannot be the name of a channel", c.name));
    if (!names.insert(c.name).second) refuse(fmt::format("two channels \"{}\"", c.name));
    if (c.width < 1 || c.first < 0) refuse(fmt::format("channel \"{}\" has no numbers", c.name));
    group.row_size += static_cast<std::size_t>(c.width);
    group.needed = std::max(group.needed, static_cast<std::size_t>(c.first + c.width));
  }
  group.name = name;
  group.channels.assign(channels.begin(), channels.end());
  group.block_rows = find_block_rows(group.row_size);
  group.block.reserve(group.block_rows * group.row_size);
  groups_.push_back(std::move(group));
  return static_cast<int>(groups_.size()) - 1;
}

int Recording::add_scene(std::span<const Channel> channels, const std::string& model_json,
                         std::span<const StoredModel> models) {
  const int number = add_group(scene_name, channels);
  groups_.back().precision = Precision::single;
  scene_model_ = model_json;
  models_.assign(models.begin(), models.end());
  return number;
}

void Recording::append(int number, double t, std::span<const double> row) {
  check_usable();
  Group& group = groups_.at(static_cast<std::size_t>(number));
  if (row.size() < group.needed)
    throw RecordError(part_.name(), fmt::format("a row of {} numbers, but channels need {}",
                                                row.size(), group.needed));
  group.block.push_back(t);
  for (const Channel& c : group.channels)
    for (int k = 0; k < c.width; ++k)
      group.block.push_back(row[static_cast<std::size_t>(c.first + k)]);
  if (group.block.size() < group.block_rows * group.row_size) return;
  usable_ = false;
  write_block(group, false);
  usable_ = true;
}

void Recording::add_event(double t, const std::string& kind, const std::string& name,
                          const std::string& details_json) {
  check_usable();
  usable_ = false;
  events_.add({t, kind, name, to_ascii(details_json)});
  usable_ = true;
}

void Recording::finish(const std::string& scenario_text, const std::string& summary_json) {
  check_usable();
  usable_ = false;
  file_.add_attribute("/", "berth_version", std::string(version));
  file_.add_attribute("/", "format", format);
  for (Group& group : groups_) write_block(group, true);
  groups_.clear();
  write_events();
  write_models(models_, file_);
  file_.add_text("/scenario", scenario_text);
  file_.add_text("/summary", to_ascii(summary_json));
  file_.close();
  part_.keep();
}

// What failed half-way must not become a file.
void Recording::check_usable() const {
  if (!usable_) throw RecordError(part_.name(), "the recording has ended, or failed before");
}

void Recording::write_block(Group& group, bool last) {
  if (group.columns.empty()) add_columns(group, last);
  const std::size_t rows = group.block.size() / group.row_size;
  std::size_t place = 0;
  for (Hdf5Column& column : group.columns) {
    column_.resize(rows * column.width);
    double* to = column_.data();
    const double* from = group.block.data() + place;
    for (std::size_t i = 0; i < rows; ++i, from += group.row_size)
      for (std::size_t k = 0; k < column.width; ++k) *to++ = from[k];
    file_.append(column, column_);
    place += column.width;
  }
  group.block.clear();
}

// A run that fits into its first block is stored without chunks, which would be mostly empty.
void Recording::add_columns(Group& group, bool last) {
  const std::string folder = folder_of(group.name);
  const bool is_scene = group.name == scene_name;
  const std::size_t rows = group.block.size() / group.row_size;
  const auto add = [&](const std::string& path, int width, const std::string& unit,
                       const std::string& frame, const std::string& description) {
    const Precision precision = group.columns.empty() ? Precision::full : group.precision;
    group.columns.push_back(last ? file_.add_numbers(path, width, rows, precision)
                                 : file_.add_growing_numbers(
                                       path, width, static_cast<int>(group.block_rows), precision));
    file_.add_attribute(path, "unit", unit);
    file_.add_attribute(path, "frame", frame);
    file_.add_attribute(path, "description", description);
  };

  if (is_scene) {
    file_.add_group("/scene");
    file_.add_text("/scene/model", to_ascii(scene_model_));
  } else if (!group.name.empty()) {
    if (!has_groups_) file_.add_group("/groups");
    has_groups_ = true;
    file_.add_group("/groups/" + group.name);
  }
  add(folder + "time", 1, "s", "", "time since the start");
  if (!is_scene) file_.add_group(folder + "channels");
  for (const Channel& c : group.channels)
    add(folder + (is_scene ? "" : "channels/") + c.name, c.width, c.unit, c.frame, c.description);
}

void Recording::write_events() {
  file_.add_group("/events");
  Hdf5Column time = file_.add_numbers("/events/time", 1, events_.count());
  file_.add_attribute("/events/time", "unit", "s");
  const auto add_texts = [&](const std::string& path, const TextExtent& extent,
                             const std::string& description) {
    Hdf5Column texts = file_.add_texts(path, extent.longest, extent.ascii, events_.count());
    file_.add_attribute(path, "description", description);
    return texts;
  };
  Hdf5Column kind = add_texts("/events/kind", events_.kind(), "what happened");
  Hdf5Column name = add_texts("/events/name", events_.name(), "to whom");
  Hdf5Column details = add_texts("/events/details", events_.details(), "JSON");

  std::vector<double> times;
  std::vector<std::string> kinds, names, all_details;
  const auto write = [&] {
    file_.append(time, times);
    file_.append(kind, kinds);
    file_.append(name, names);
    file_.append(details, all_details);
    times.clear(), kinds.clear(), names.clear(), all_details.clear();
  };
  const std::size_t length =
      events_.kind().longest + events_.name().longest + events_.details().longest;
  const std::size_t together = std::clamp<std::size_t>(most_text / (length + 1), 1, 1024);
  events_.read([&](const LoggedEvent& event) {
    times.push_back(event.time);
    kinds.push_back(event.kind);
    names.push_back(event.name);
    all_details.push_back(event.details);
    if (times.size() == together) write();
  });
  write();
}

}  // namespace berth
