// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a Result holds: a recording in memory, or a file of which columns are read when they are asked
// for.

#include <map>
#include <mutex>

#include "berth/record/memory_recording.h"
#include "berth/simulate/result_file.h"
#include "berth/simulation.h"

namespace berth {

struct Result::Content {
  Content(std::shared_ptr<const MemoryRecording> recording, Simulation::Summary of);
  explicit Content(const std::filesystem::path& path);

  std::vector<Group> groups;
  std::vector<Simulation::Event> events;
  Simulation::Summary summary;
  std::string scenario;
  std::shared_ptr<const MemoryRecording> memory;  // or
  std::unique_ptr<ResultFile> file;
  std::filesystem::path path;

  // The number of a group, and of a channel in it. Both throw std::out_of_range with the nearest name.
  std::size_t find_group(const std::string& name) const;
  std::size_t find_channel(std::size_t group, const std::string& name) const;

  // Of a file, read once: the times for no channel.
  const std::vector<double>& column(std::size_t group, std::optional<std::size_t> channel) const;

 private:
  mutable std::mutex reading_;
  mutable std::map<std::pair<std::size_t, std::optional<std::size_t>>, std::vector<double>>
      columns_;
};

}  // namespace berth
