// SPDX-License-Identifier: Apache-2.0
#pragma once

// InputLog — what came from outside into a run, as a group of channels "input" of its result: a row for
// every answer, at the time from which it acts.
//
//   sample              which sample it answers
//   <command>           its numbers as they were given; NaN: that command was left as it was
//
// With these a run can be made again without the one who answered: RecordedInputs answers as it did, and
// the result has the same bytes.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/record/row_sink.h"
#include "berth/run/external.h"
#include "berth/simulation.h"

namespace berth {

class ResultFile;

class InputLog {
 public:
  static constexpr const char* kGroup = "input";

  explicit InputLog(const std::vector<Simulation::Signal>& commands);
  const std::vector<Channel>& channels() const { return channels_; }
  void attach(std::shared_ptr<RowSink> sink, int group) {
    sinks_.push_back({std::move(sink), group});
  }
  void add(double t, std::uint64_t sample, std::span<const double> commands);

 private:
  struct Sink {
    std::shared_ptr<RowSink> sink;
    int group;
  };
  std::vector<Channel> channels_;
  std::vector<Sink> sinks_;
  std::vector<double> row_;
};

// Answers that are in a result file. Of a sample that has none there was none.
class RecordedInputs : public ExternalSource {
 public:
  // Nothing where the result has no input from outside. Throws RecordError where it is damaged.
  static std::shared_ptr<RecordedInputs> read(const ResultFile& file);

  // Where what acts is written down again; null: nowhere. And whether answers acted at their sample, or
  // were collected a latency after it.
  void log_to(InputLog* log, bool at_once) { log_ = log, at_once_ = at_once; }

  Reply ask(std::uint64_t sample, double t, std::span<const double> measured,
            std::span<double> commands) const override;
  bool collect(std::uint64_t sample, double t, std::span<double> commands) const override;

 private:
  bool find(std::uint64_t sample, double t, std::span<double> commands) const;
  void stop_at(std::uint64_t sample, bool collected) const;

  struct Stop {
    std::uint64_t sample = 0;
    bool collected = false;
    std::string verdict, reason;
  };
  std::size_t width_ = 0;
  std::vector<std::uint64_t> samples_;  // ascending
  std::vector<double> numbers_;
  std::optional<Stop> stop_;
  InputLog* log_ = nullptr;
  bool at_once_ = false;
};

}  // namespace berth
