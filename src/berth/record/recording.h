// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recording — one run in one HDF5 file, written while it goes on.
//
//   /                         berth_version, format (attributes)
//   /time                     [n]
//   /channels/<name>          [n], vectors [n×3], quaternions [n×4]; unit, frame, description
//   /groups/<g>/time          the same for a group with a rate of its own
//   /groups/<g>/channels/<name>
//   /events/time, /kind, /name, /details      [m]; details are JSON
//   /scene/model              JSON: what there is to draw; /scene/time and what moves it, as floats
//   /models/<n>               models that are drawn, as bytes (record/stored_models.h)
//   /scenario, /summary       texts; the summary is JSON
//
// Rows are gathered in blocks and appended, so memory does not depend on the length of the run. The
// file gets its name in finish(): an interrupted run leaves no half file, and an older result stays.
// The same numbers give the same bytes; nothing of the clock or the machine goes in.
//
// A full disk or a folder that may not be written gives a RecordError; after one, nothing more can
// be recorded.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "berth/record/event_log.h"
#include "berth/record/hdf5_file.h"
#include "berth/record/part_file.h"
#include "berth/record/row_sink.h"

namespace berth {

class Recording : public RowSink {
 public:
  explicit Recording(const std::filesystem::path& final_path);

  int add_group(const std::string& name, std::span<const Channel> channels) override;
  int add_scene(std::span<const Channel> channels, const std::string& model_json,
                std::span<const StoredModel> models) override;
  void append(int group, double t, std::span<const double> row) override;
  void add_event(double t, const std::string& kind, const std::string& name,
                 const std::string& details_json) override;
  void finish(const std::string& scenario_text, const std::string& summary_json) override;

 private:
  struct Group {
    std::string name;
    Precision precision = Precision::full;
    std::vector<Channel> channels;
    std::size_t row_size = 1;         // numbers kept of a row: the time and the channels'
    std::size_t needed = 0;           // numbers a row must have
    std::size_t block_rows = 0;       // rows that are written together
    std::vector<double> block;        // one row after the other
    std::vector<Hdf5Column> columns;  // the time and the channels; none before the first block
  };

  void check_usable() const;
  void write_block(Group& group, bool last);
  void add_columns(Group& group, bool last);
  void write_events();

  PartFile part_;
  Hdf5File file_;
  EventLog events_;
  std::vector<Group> groups_;
  std::string scene_model_;  // empty = no scene
  std::vector<StoredModel> models_;
  std::vector<double> column_;  // the numbers of one channel in a block
  bool has_groups_ = false;     // /groups exists
  bool usable_ = true;
};

}  // namespace berth
