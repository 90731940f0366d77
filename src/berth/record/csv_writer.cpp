// SPDX-License-Identifier: Apache-2.0
#include "berth/record/csv_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "berth/record/number_text.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

constexpr std::size_t block_size = 1 << 18;  // bytes that are written together

// The component's name as conditions in a scenario spell it.
std::string component_name(const Channel& channel, int k) {
  if (channel.width == 1) return channel.name;
  if (channel.width == 3 || channel.width == 4)
    return fmt::format("{}.{}", channel.name, "wxyz"[k + 4 - channel.width]);
  return fmt::format("{}.{}", channel.name, k + 1);
}

std::string header(std::span<const Channel> channels) {
  std::string text = "time [s]";
  for (const Channel& c : channels)
    for (int k = 0; k < c.width; ++k) {
      const std::string name = component_name(c, k);
      text += ',' + quoted_field(c.unit.empty() ? name : fmt::format("{} [{}]", name, c.unit));
    }
  return text + '\n';
}

}  // namespace

std::filesystem::path find_group_table(const std::filesystem::path& main,
                                       const std::string& group) {
  if (group.empty()) return main;
  const bool is_csv = main.extension() == ".csv";
  std::filesystem::path path = is_csv ? main.parent_path() / main.stem() : main;
  path += "." + group + (is_csv ? ".csv" : "");
  return path;
}

std::string quoted_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

int CsvWriter::add_group(const std::string& name, std::span<const Channel> channels) {
  if (name.find('/') != std::string::npos)
    throw RecordError(path_.string(), fmt::format("\"{}\" cannot be the name of a group", name));
  for (const Group& other : groups_)
    if (other.name == name)
      throw RecordError(path_.string(), fmt::format("there is a group \"{}\" already", name));
  std::error_code ignored;
  const std::filesystem::file_status main = std::filesystem::status(path_, ignored);
  if (!name.empty() && exists(main) && !is_regular_file(main))
    throw RecordError(path_.string(), fmt::format("no place for group \"{}\" beside it", name));

  Group group{name,
              std::make_unique<PartFile>(find_group_table(path_, name)),
              {channels.begin(), channels.end()},
              0,
              header(channels)};
  for (const Channel& c : channels)
    group.needed = std::max(group.needed, static_cast<std::size_t>(c.first + c.width));
  groups_.push_back(std::move(group));
  return static_cast<int>(groups_.size()) - 1;
}

void CsvWriter::append(int number, double t, std::span<const double> row) {
  Group& group = groups_.at(static_cast<std::size_t>(number));
  if (row.size() < group.needed)
    throw RecordError(group.file->name(), fmt::format("a row of {} numbers, but channels need {}",
                                                      row.size(), group.needed));
  append_number(group.text, t);
  for (const Channel& c : group.channels)
    for (const double value :
         row.subspan(static_cast<std::size_t>(c.first), static_cast<std::size_t>(c.width))) {
      group.text += ',';
      append_number(group.text, value);
    }
  group.text += '\n';
  if (group.text.size() >= block_size) {
    group.file->write(group.text);
    group.text.clear();
  }
}

// Tables hold neither text.
void CsvWriter::finish(const std::string&, const std::string&) {
  // All are written before the first gets its name.
  for (Group& group : groups_) group.file->write(std::exchange(group.text, {}));
  for (Group& group : groups_) group.file->keep();
  groups_.clear();
}

}  // namespace berth
