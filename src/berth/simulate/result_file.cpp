// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/result_file.h"

#include <fmt/format.h>

#include "berth/interruption.h"
#include "berth/record/record_error.h"
#include "berth/scenario/scenario.h"

namespace berth {
namespace {

class FileGroup : public SeriesGroup {
 public:
  FileGroup(std::shared_ptr<Hdf5Reader> reader, std::string folder)
      : reader_(std::move(reader)), folder_(std::move(folder)) {}

  std::vector<double> read_times(std::uint64_t first, std::uint64_t count) const override {
    stop_if_interrupted();
    return reader_->rows(folder_ + "time", first, count);
  }
  std::vector<double> read(std::size_t channel, std::uint64_t first,
                           std::uint64_t count) const override {
    stop_if_interrupted();
    return reader_->rows(folder_ + "channels/" + channels[channel].name, first, count);
  }

 private:
  std::shared_ptr<Hdf5Reader> reader_;
  std::string folder_;
};

std::string one_text(const Hdf5Reader& reader, const std::string& path) {
  const std::vector<std::string> texts = reader.texts(path);
  return texts.empty() ? "" : texts.front();
}

}  // namespace

std::vector<std::string> find_part_names(const ChannelInfo& channel) {
  if (channel.width == 3) return {"x", "y", "z"};
  if (channel.width == 4) return {"w", "x", "y", "z"};
  if (channel.width == 1) return {""};
  std::vector<std::string> names;
  for (std::size_t k = 1; k <= channel.width; ++k) names.push_back(std::to_string(k));
  return names;
}

std::size_t SeriesGroup::number_count() const {
  std::size_t n = 0;
  for (const ChannelInfo& c : channels) n += c.width;
  return n;
}

ResultFile::ResultFile(const std::filesystem::path& file)
    : reader_(std::make_shared<Hdf5Reader>(file)) {
  read_texts();
  add_group("", "/");
  if (reader_->has("/groups"))
    for (const std::string& group : reader_->members("/groups"))
      add_group(group, "/groups/" + group + "/");
  read_events();
}

bool ResultFile::has_scene() const { return reader_->has("/scene/model"); }

void ResultFile::read_texts() {
  if (reader_->has("/cases") || reader_->has("/journal"))
    throw RecordError(name(),
                      "is the result of a sweep; berth run --case N makes a run of one case");
  for (const char* wanted : {"/time", "/channels", "/scenario", "/summary", "/events"})
    if (!reader_->has(wanted))
      throw RecordError(name(), fmt::format("is no result of berth run: it has no {}", wanted));
  version = reader_->attribute("/", "berth_version");
  scenario = one_text(*reader_, "/scenario");
  summary_text = one_text(*reader_, "/summary");
  summary = nlohmann::ordered_json::parse(summary_text, nullptr, false);
  if (summary.is_discarded() || !summary.is_object())
    throw RecordError(name(), "its /summary is damaged");
  if (const std::string warning = reader_->warning(); !warning.empty()) {
    nlohmann::ordered_json& all = summary["warnings"];
    if (!all.is_array()) all = nlohmann::ordered_json::array();
    all.push_back(warning);
  }
  std::vector<StoredModel> stored = read_models(*reader_);
  const ModelFiles known = restore_models(stored, name());
  ReadScenario read = read_scenario_text(scenario, name(), {}, "", &known);
  for (StoredModel& model : stored) models.push_back(std::move(model.bytes));
  given = std::move(read.scenario);
  title = given.title;
}

void ResultFile::add_group(const std::string& group_name, const std::string& folder) {
  auto group = std::make_unique<FileGroup>(reader_, folder);
  group->name = group_name;
  group->samples = reader_->extent(folder + "time").rows;
  for (const std::string& channel : reader_->members(folder + "channels")) {
    const std::string path = folder + "channels/" + channel;
    const auto [rows, width] = reader_->extent(path);
    if (rows != group->samples)
      throw RecordError(name(),
                        fmt::format("{} has {} rows, its times {}", path, rows, group->samples));
    group->channels.push_back({channel, reader_->attribute(path, "unit"),
                               reader_->attribute(path, "frame"),
                               reader_->attribute(path, "description"), width});
  }
  groups_.push_back(std::move(group));
}

void ResultFile::read_events() {
  const std::vector<double> times = reader_->numbers("/events/time");
  const std::vector<std::string> kinds = reader_->texts("/events/kind"),
                                 names = reader_->texts("/events/name"),
                                 details = reader_->texts("/events/details");
  if (kinds.size() != times.size() || names.size() != times.size() ||
      details.size() != times.size())
    throw RecordError(name(), "its /events are damaged");
  for (std::size_t i = 0; i < times.size(); ++i)
    events.push_back({times[i], kinds[i], names[i], details[i]});
}

}  // namespace berth
