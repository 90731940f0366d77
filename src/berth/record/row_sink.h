// SPDX-License-Identifier: Apache-2.0
#pragma once

// RowSink — where the rows of a run go: an HDF5 file (recording.h), tables (csv_writer.h), memory
// (memory_recording.h). Groups of channels are announced first; then rows come in the order of time
// within a group, and events between them.

#include <span>
#include <string>

#include "berth/record/stored_models.h"
#include "berth/system/channels.h"

namespace berth {

class RowSink {
 public:
  virtual ~RowSink() = default;

  // The main group has the name "". Returns the number to append with.
  virtual int add_group(const std::string& name, std::span<const Channel> channels) = 0;
  // Poses for a picture, kept apart from the channels and as floats; the text states their order and
  // names the models that craft are drawn by. Negative: it keeps none.
  virtual int add_scene(std::span<const Channel>, const std::string& /*model_json*/,
                        std::span<const StoredModel>) {
    return -1;
  }
  // `row` has all numbers of the simulation; each channel of the group knows its place in it.
  virtual void append(int group, double t, std::span<const double> row) = 0;
  virtual void add_event(double, const std::string& /*kind*/, const std::string& /*name*/,
                         const std::string& /*details_json*/) {}
  // Texts are UTF-8; the summary is JSON.
  virtual void finish(const std::string& scenario_text, const std::string& summary_json) = 0;
};

}  // namespace berth
