// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recorder — writes rows of channels while a run goes on: at even times, two at every instant at which
// something happens, and those asked for with `at`, which are kept.
//
//   row.side   −1 before an event, +1 after it, 0 elsewhere: the last number of the main group
//
// Rows come from dense output, samples asked for by a step of the method itself: neither changes the
// run.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/record/row_sink.h"
#include "berth/scenario/scenario.h"
#include "berth/scenario/scene.h"
#include "berth/simulate/summary.h"

namespace berth {

class InputLog;

struct SimulateOptions {
  std::filesystem::path h5;         // empty = none
  std::filesystem::path csv;        // empty = none
  std::shared_ptr<RowSink> memory;  // one more; null = none
  bool queued = false;              // a thread of its own writes the files
  std::vector<double> at;           // [s] sample every channel exactly there
  // Who takes part as the external of this number, and where what they say is written down.
  std::vector<std::shared_ptr<const ExternalSource>> sources;
  InputLog* inputs = nullptr;
  std::function<bool()> interrupted;
  StepServer* server = nullptr;            // who computes in place of the loop; null = nobody
  std::function<void(double t)> progress;  // called after every step
};

class Recorder : public Observer {
 public:
  Recorder(HybridRun& run, const Scenario& scenario, const SimulateOptions& options);

  // The first row of every group, and samples asked for at the very start.
  void start(HybridRun& run);
  bool step(HybridRun& run) override;
  void before(HybridRun& run) override;
  void after(HybridRun& run) override;
  void event(HybridRun& run, const EventRecord& what) override;
  // A last row wherever the run ended, then the files take their names.
  void finish(HybridRun& run, const Scenario& scenario, const Summary& summary);

  std::vector<Sample> samples;

 private:
  struct Group {
    std::string name;
    double interval;
    std::vector<Channel> channels;
    double from = 0;          // [s] start of the present raster
    std::uint64_t count = 1;  // of the next row in it
    double last = -1;         // [s] time of the last row
    bool waits = false;       // the row in waiting_ is one of its own
    double next() const { return from + static_cast<double>(count) * interval; }
    void restart(double t, double new_interval) {
      from = t;
      count = 1;
      interval = new_interval;
    }
  };

  void add_group(const HybridRun& run, const std::string& name, double interval,
                 const std::vector<std::string>& patterns);
  // One row of all groups: evaluated at t, not written yet.
  struct Row {
    double t = -1;  // [s]
    std::vector<double> channels, scene;
  };
  bool writes() const { return !sinks_.empty(); }
  void evaluate(HybridRun& run, double t, Row& row);
  void write(std::size_t g, const Row& row, double side);
  // Rows that wait for what happens at their time.
  void write_waiting(double side);

  const SimulateOptions& options_;
  std::vector<Group> groups_;
  // Groups have the same numbers in each of them; poses go where they are kept.
  std::vector<std::shared_ptr<RowSink>> sinks_;
  std::vector<int> scene_groups_;
  std::optional<Scene> scene_;
  std::vector<double> x_;
  Row row_, waiting_;
  std::vector<double> row_side_;
  bool at_events_ = true;
};

}  // namespace berth
