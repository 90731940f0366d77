// SPDX-License-Identifier: Apache-2.0
#pragma once

// ResultFile — one recorded run, opened for reading. Channels are read in stretches, so that memory
// does not depend on the length of the run.
//
// A file that is none of berth's, or is damaged, gives a RecordError with the reason.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/record/hdf5_reader.h"
#include "berth/scenario/scenario.h"

namespace berth {

struct ChannelInfo {
  std::string name, unit, frame, description;
  std::size_t width = 1;
};

// "x", "y", "z" of a vector, "w" … of a quaternion, nothing of a single number.
std::vector<std::string> find_part_names(const ChannelInfo& channel);

// Channels that share their times.
class SeriesGroup {
 public:
  virtual ~SeriesGroup() = default;
  virtual std::vector<double> read_times(std::uint64_t first, std::uint64_t count) const = 0;
  // Row by row, `width` numbers each.
  virtual std::vector<double> read(std::size_t channel, std::uint64_t first,
                                   std::uint64_t count) const = 0;

  std::string name;
  std::uint64_t samples = 0;
  std::vector<ChannelInfo> channels;

  std::size_t number_count() const;  // in one row
};

// The longest stretch to read at once.
inline constexpr std::uint64_t kMostRowsAtOnce = 1 << 16;

// Calls take(first, count) for one stretch after the other.
template <class Take>
void for_each_stretch(std::uint64_t rows, Take&& take) {
  for (std::uint64_t first = 0; first < rows; first += kMostRowsAtOnce)
    take(first, rows - first < kMostRowsAtOnce ? rows - first : kMostRowsAtOnce);
}

struct RecordedEvent {
  double t;
  std::string kind, name, details;
};

class ResultFile {
 public:
  explicit ResultFile(const std::filesystem::path& file);

  const std::string& name() const { return reader_->name(); }
  const Hdf5Reader& reader() const { return *reader_; }
  // The main one first.
  const std::vector<std::unique_ptr<SeriesGroup>>& groups() const { return groups_; }
  bool has_scene() const;
  // Whether what is read is held against digests. If not, a warning in the summary says so.
  bool is_verified() const { return reader_->is_verified(); }

  std::string version, title, scenario, summary_text;
  Scenario given;  // the text, as far as it can be read
  nlohmann::ordered_json summary;
  std::vector<RecordedEvent> events;
  std::vector<std::string> models;  // that are drawn: .glb, checked

 private:
  void read_texts();
  void add_group(const std::string& name, const std::string& folder);
  void read_events();

  std::shared_ptr<Hdf5Reader> reader_;
  std::vector<std::unique_ptr<SeriesGroup>> groups_;
};

}  // namespace berth
