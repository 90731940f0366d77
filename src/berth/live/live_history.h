// SPDX-License-Identifier: Apache-2.0
#pragma once

// LiveHistory — the last half minute of a live run as points to plot, and its times as histograms.
//
// There are more ticks than a screen has columns. They are gathered by stretches of time, and of every
// number its smallest and its largest value in a stretch become points, each at the time it had: no peak and
// no late tick is lost, and no value stands where it was not.
//
//   stretch     kLiveWindow / kLiveStretches of the clock, in simulated time: times the factor
//   histogram   TimeHistogram, of all frames since the start

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "berth/live/live_frame.h"
#include "berth/live/time_histogram.h"

namespace berth {

inline constexpr double kLiveWindow = 30;  // [s] of the clock
inline constexpr int kLiveStretches = 1500;

// What is plotted of every run, ahead of what a run adds; in the order of its messages.
inline constexpr std::array kLiveTraces{"force",    "gap",    "energy",
                                        "touching", "jitter", "round_trip"};

class LiveHistory {
 public:
  explicit LiveHistory(const LiveDescription& description);

  void add(const LiveFrame& frame, const LivePeaks& peaks);
  // What was gathered becomes points, however short the stretch.
  void close_stretch();

  struct Point {
    double t = kUnknown, value = kUnknown;  // NaN: here the curve is interrupted
  };
  std::size_t trace_count() const { return traces_.size(); }
  const std::deque<Point>& points(std::size_t trace) const { return traces_[trace].points; }

  // What one page has been given: of every trace how many points, and the frame and histograms it knows.
  struct Reader {
    std::vector<std::uint64_t> seen;
    std::uint64_t ticks = 0, times = 0;
    bool begun = false;
  };
  // All that is new to a reader, one line of JSON: state, the last frame, points.
  std::string build_message(Reader& reader, const LiveStatus& status, std::uint64_t dropped) const;

 private:
  struct Trace {
    std::deque<Point> points;
    std::uint64_t first = 0;  // number of the first that is still there
    Point least, most;        // of the stretch
    Point last;
    void add(double t, double value);
    void close(double oldest);
  };
  void write_now(std::string& out) const;
  void write_points(std::string& out, Reader& reader) const;

  std::size_t scene_width_, more_, refusals_;
  double stretch_, window_;   // [s] of simulated time
  double number_ = kUnknown;  // of the stretch that is gathered
  std::uint64_t added_ = 0;
  LiveFrame last_;
  LivePeaks peaks_;
  std::vector<Trace> traces_;
  TimeHistogram jitter_, round_trip_;
};

}  // namespace berth
