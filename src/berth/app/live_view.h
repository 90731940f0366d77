// SPDX-License-Identifier: Apache-2.0
#pragma once

// LiveView — what a live run shows of itself on its page (live_page.h): rows of the run give scene, gap and
// energy of the contact that is closed over the loop; every tick gives force, times and counts, and is shown.

#include <string>

#include "berth/app/live_page.h"
#include "berth/live/live_source.h"
#include "berth/record/row_sink.h"

namespace berth {

class LiveView : public RowSink {
 public:
  // `read`: the scenario as it was read, whose loop gives the margins. Throws std::runtime_error when no
  // port can be had.
  LiveView(const LiveSetup& setup, const LiveOptions& options, Scenario read);

  std::string address() const { return page_.address(); }
  void start();
  // By the thread of the run, after each tick was sent.
  void show_tick(double t, std::span<const double> acted, const LiveStatistics& statistics);
  void stop(const std::string& verdict, LiveLevel level);

  int add_group(const std::string& name, std::span<const Channel> channels) override;
  int add_scene(std::span<const Channel>, const std::string&,
                std::span<const StoredModel>) override;
  void append(int group, double t, std::span<const double> row) override;
  void finish(const std::string&, const std::string&) override {}

 private:
  // Places in a row of the run; negative: there is none.
  int gap_ = -1, energy_ = -1, touching_ = -1;
  std::size_t force_ = 0, force_width_ = 0;  // of the contact, among the commands
  int groups_ = 0, scene_ = -1;
  std::int64_t started_ns_ = 0;
  double answered_ = 0;
  LiveFrame frame_;
  LivePage page_;
};

}  // namespace berth
