// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/result.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/model/suggest.h"
#include "berth/record/csv_writer.h"
#include "berth/record/record_error.h"
#include "berth/record/recording.h"
#include "berth/simulate/summary_content.h"

namespace berth {
namespace {

// Row by row into another kind of file.
void write_table(const ResultFile& file, RowSink& into) {
  for (const auto& group : file.groups()) {
    std::vector<Channel> channels;
    int width = 0;
    for (const ChannelInfo& c : group->channels) {
      channels.push_back(
          {c.name, c.unit, c.frame, c.description, static_cast<int>(c.width), width});
      width += static_cast<int>(c.width);
    }
    const int number = into.add_group(group->name, channels);
    std::vector<double> row(static_cast<std::size_t>(width));
    for_each_stretch(group->samples, [&](std::uint64_t first, std::uint64_t count) {
      const std::vector<double> times = group->read_times(first, count);
      std::vector<std::vector<double>> columns;
      for (std::size_t c = 0; c < channels.size(); ++c)
        columns.push_back(group->read(c, first, count));
      for (std::size_t i = 0; i < times.size(); ++i) {
        auto to = row.begin();
        for (std::size_t c = 0; c < channels.size(); ++c) {
          const auto n = static_cast<std::size_t>(channels[c].width);
          const auto from = columns[c].begin() + static_cast<std::ptrdiff_t>(i * n);
          to = std::copy(from, from + static_cast<std::ptrdiff_t>(n), to);
        }
        into.append(number, times[i], row);
      }
    });
  }
  into.finish(file.scenario, file.summary_text);
}

}  // namespace

Result::Content::Content(std::shared_ptr<const MemoryRecording> recording, Simulation::Summary of)
    : summary(std::move(of)), scenario(recording->scenario()), memory(std::move(recording)) {
  for (const MemoryRecording::Group& g : memory->groups()) {
    Group& group = groups.emplace_back(Group{g.name, g.times.size(), {}});
    for (const Channel& c : g.channels)
      group.channels.push_back({c.name, c.unit, c.frame, c.description, c.width});
  }
  for (const LoggedEvent& e : memory->events()) events.push_back(to_event(e));
}

Result::Content::Content(const std::filesystem::path& at)
    : summary(nullptr), file(std::make_unique<ResultFile>(at)), path(at) {
  for (const auto& g : file->groups()) {
    Group& group = groups.emplace_back(Group{g->name, g->samples, {}});
    for (const ChannelInfo& c : g->channels)
      group.channels.push_back({c.name, c.unit, c.frame, c.description, static_cast<int>(c.width)});
  }
  for (const RecordedEvent& e : file->events)
    events.push_back(to_event(LoggedEvent{e.t, e.kind, e.name, e.details}));
  auto content = std::make_shared<Simulation::Summary::Content>(
      file->is_verified() ? file->summary_text : to_text(file->summary));
  content->events = events;
  summary = Simulation::Summary(std::move(content));
  scenario = file->scenario;
}

std::size_t Result::Content::find_group(const std::string& name) const {
  std::vector<std::string> names;
  for (const Group& g : groups) {
    if (g.name == name) return names.size();
    names.push_back(g.name);
  }
  throw std::out_of_range(fmt::format("the result has no group {}{}", name, suggest(name, names)));
}

std::size_t Result::Content::find_channel(std::size_t group, const std::string& name) const {
  std::vector<std::string> names;
  for (const Simulation::Channel& c : groups[group].channels) {
    if (c.name == name) return names.size();
    names.push_back(c.name);
  }
  throw std::out_of_range(
      fmt::format("the result has no channel {}{}", name, suggest(name, names)));
}

const std::vector<double>& Result::Content::column(std::size_t group,
                                                   std::optional<std::size_t> channel) const {
  const std::lock_guard lock(reading_);
  const auto [at, is_new] = columns_.try_emplace({group, channel});
  if (is_new) {
    const SeriesGroup& from = *file->groups()[group];
    try {
      at->second =
          channel ? from.read(*channel, 0, from.samples) : from.read_times(0, from.samples);
    } catch (...) {
      columns_.erase(at);
      throw;
    }
  }
  return at->second;
}

Result::Result(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
Result::~Result() = default;
Result::Result(const Result& other) = default;
Result& Result::operator=(const Result& other) = default;

Result Result::open(const std::filesystem::path& file) {
  return Result(std::make_shared<const Content>(file));
}

bool Result::is_verified() const { return !content_->file || content_->file->is_verified(); }
const std::vector<Result::Group>& Result::groups() const { return content_->groups; }

std::span<const double> Result::times(const std::string& group) const {
  const std::size_t g = content_->find_group(group);
  return content_->memory ? std::span(content_->memory->groups()[g].times)
                          : std::span(content_->column(g, {}));
}

Result::Values Result::values(const std::string& channel, const std::string& group) const {
  const std::size_t g = content_->find_group(group), c = content_->find_channel(g, channel);
  const auto width = static_cast<std::size_t>(content_->groups[g].channels[c].width);
  const std::size_t rows = content_->groups[g].rows;
  if (!content_->memory) return {content_->column(g, c), rows, width, width};
  const MemoryRecording::Group& from = content_->memory->groups()[g];
  const auto first = static_cast<std::size_t>(from.channels[c].first);
  if (rows == 0) return {{}, 0, width, from.width};
  return {std::span(from.rows).subspan(first, (rows - 1) * from.width + width), rows, width,
          from.width};
}

const Simulation::Channel& Result::channel(const std::string& name,
                                           const std::string& group) const {
  const std::size_t g = content_->find_group(group);
  return content_->groups[g].channels[content_->find_channel(g, name)];
}

const std::vector<Simulation::Event>& Result::events() const { return content_->events; }
const Simulation::Summary& Result::summary() const { return content_->summary; }
const std::string& Result::scenario() const { return content_->scenario; }

void Result::save(const std::filesystem::path& to) const {
  const Content& c = *content_;
  const bool is_table = to.extension() == ".csv";
  if (!is_table && to.extension() != ".h5")
    throw std::invalid_argument(to.string() + ": a result is written as .h5 or .csv");
  if (c.memory) {
    std::unique_ptr<RowSink> into;
    if (is_table)
      into = std::make_unique<CsvWriter>(to);
    else
      into = std::make_unique<Recording>(to);
    c.memory->replay(*into);
  } else if (is_table) {
    CsvWriter table(to);
    write_table(*c.file, table);
  } else {
    std::error_code error;
    if (!std::filesystem::equivalent(c.path, to, error))
      std::filesystem::copy_file(c.path, to, std::filesystem::copy_options::overwrite_existing,
                                 error);
    if (error && !std::filesystem::exists(to)) throw RecordError(to.string(), error.message());
  }
}

}  // namespace berth
