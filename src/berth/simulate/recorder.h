// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recorder — writes rows of channels while a run goes on: at even times, at events, and those asked
// for with `at`, which are kept.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "berth/record/csv_writer.h"
#include "berth/record/recording.h"
#include "berth/scenario/scenario.h"
#include "berth/scenario/scene.h"
#include "berth/simulate/summary.h"

namespace berth {

struct SimulateOptions {
  std::filesystem::path h5;   // empty = none
  std::filesystem::path csv;  // empty = none
  std::vector<double> at;     // [s] sample every channel exactly there
  std::function<bool()> interrupted;
  std::function<void(double t)> progress;  // called after every step
};

class Recorder : public Observer {
 public:
  Recorder(Driver& driver, const Scenario& scenario, const SimulateOptions& options);

  // The first row of every group, and samples asked for at the very start.
  void start(Driver& driver);
  bool step(Driver& driver) override;
  void happened(Driver& driver, const Happening& what) override;
  // A last row wherever the run ended, then the files take their names.
  void finish(Driver& driver, const std::string& scenario, const std::string& summary);

  std::vector<Sample> samples;

 private:
  struct Group {
    std::string name;
    double interval;
    std::vector<Channel> channels;
    double from = 0;          // [s] start of the present raster
    std::uint64_t count = 1;  // of the next row in it
    double last = -1;         // [s] time of the last row
    double next() const { return from + static_cast<double>(count) * interval; }
    void restart(double t, double new_interval) {
      from = t;
      count = 1;
      interval = new_interval;
    }
  };

  void add_group(const Driver& driver, const std::string& name, double interval,
                 const std::vector<std::string>& patterns);
  void evaluate(Driver& driver, double t);
  void write(Driver& driver, std::size_t g, double t);

  const SimulateOptions& options_;
  std::vector<Group> groups_;
  std::optional<Recording> file_;
  std::optional<CsvWriter> table_;
  std::optional<Scene> scene_;
  int scene_group_ = 0;
  std::vector<double> scene_row_;
  std::vector<double> x_, row_;
  bool at_events_ = true;
};

}  // namespace berth
