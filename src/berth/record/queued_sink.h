// SPDX-License-Identifier: Apache-2.0
#pragma once

// QueuedSink — hands rows to another sink in a thread of its own, so that who makes them waits for no
// disk. Rows go through a ring of places that is allocated beforehand; where it is full, who appends waits.
//
// What the other sink throws is thrown at the next append, or at the end.

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "berth/record/row_sink.h"

namespace berth {

class QueuedSink : public RowSink {
 public:
  explicit QueuedSink(std::shared_ptr<RowSink> sink);
  ~QueuedSink() override;

  int add_group(const std::string& name, std::span<const Channel> channels) override;
  int add_scene(std::span<const Channel> channels, const std::string& model_json,
                std::span<const StoredModel> models) override;
  void append(int group, double t, std::span<const double> row) override;
  void add_event(double t, const std::string& kind, const std::string& name,
                 const std::string& details_json) override;
  void finish(const std::string& scenario_text, const std::string& summary_json) override;

 private:
  static constexpr std::size_t kPlaces = 4096;
  struct Place {
    int group = 0;
    double t = 0;
    std::size_t size = 0;
  };
  struct NoticedEvent {
    double t;
    std::string kind, name, details;
  };
  void start();
  void write();
  bool write_next();
  void end();

  std::shared_ptr<RowSink> sink_;
  std::size_t most_ = 0;  // numbers of the longest row
  std::vector<Place> places_;
  std::vector<double> numbers_;
  std::atomic<std::uint64_t> filled_ = 0, emptied_ = 0;
  std::atomic<bool> over_ = false, failed_ = false;
  std::exception_ptr failure_;
  std::mutex lock_;
  std::vector<NoticedEvent> events_;
  std::thread thread_;
};

}  // namespace berth
