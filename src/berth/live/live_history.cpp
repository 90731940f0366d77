// SPDX-License-Identifier: Apache-2.0
#include "berth/live/live_history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace berth {
namespace {

constexpr std::uint64_t kHistogramsEvery = 10;  // messages: they are long and change little

// Six figures are more than a screen shows; times have more.
void write_number(std::string& out, double x, int figures = 6) {
  if (std::isfinite(x)) {
    fmt::format_to(std::back_inserter(out), "{:.{}g}", x, figures);
  } else {
    out += "null";
  }
}
void write_time(std::string& out, double t) { write_number(out, t, 12); }

template <class List, class Write>
void write_list(std::string& out, const List& list, Write&& write) {
  out += '[';
  bool begun = false;
  for (const auto& x : list) {
    if (begun) out += ',';
    begun = true;
    write(x);
  }
  out += ']';
}

void write_member(std::string& out, const char* name, double x) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":", name);
  write_number(out, x, 9);
}

std::string quote(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

const char* name_of(LiveState state) {
  return state == LiveState::armed ? "armed" : state == LiveState::running ? "running" : "stopped";
}
const char* name_of(LiveLevel level) {
  switch (level) {
    case LiveLevel::good: return "good";
    case LiveLevel::warn: return "warn";
    case LiveLevel::bad: return "bad";
    case LiveLevel::none: break;
  }
  return "";
}

void write_histogram(std::string& out, const char* name, const TimeHistogram& histogram) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":[", name);
  for (std::size_t k = 0; k < TimeHistogram::kBins; ++k)
    fmt::format_to(std::back_inserter(out), "{}{}", k > 0 ? "," : "", histogram.count(k));
  out += ']';
}

void add_time(TimeHistogram& to, double seconds) {
  if (!std::isnan(seconds)) to.add(std::llround(1e9 * std::clamp(seconds, -1e6, 1e6)));
}

}  // namespace

LiveHistory::LiveHistory(const LiveDescription& d)
    : scene_width_(d.scene.empty() || d.scene_width > kMostLivePose ? 0 : d.scene_width),
      more_(std::min(d.more.size(), kMostLiveNumbers)),
      refusals_(std::min(d.refusals.size(), kMostRefusalKinds)),
      stretch_(kLiveWindow / kLiveStretches),
      window_(kLiveWindow),
      traces_(kLiveTraces.size() + more_) {
  if (!d.lockstep && d.factor > 0) stretch_ *= d.factor, window_ *= d.factor;
}

void LiveHistory::Trace::add(double t, double value) {
  last = {t, value};
  if (!std::isfinite(value)) return;
  if (!(value >= least.value)) least = last;
  if (!(value <= most.value)) most = last;
}

void LiveHistory::Trace::close(double oldest) {
  if (std::isnan(last.t)) return;
  if (!std::isnan(least.value)) {
    points.push_back(least.t <= most.t ? least : most);
    if (least.t != most.t) points.push_back(least.t <= most.t ? most : least);
  } else if (!points.empty() && !std::isnan(points.back().value)) {
    points.push_back({last.t, kUnknown});
  }
  least = most = last = {};
  // The one before the oldest stays: the curve begins at the edge of the plot.
  while (points.size() > 1 && points[1].t < oldest) points.pop_front(), ++first;
}

void LiveHistory::add(const LiveFrame& frame, const LivePeaks& peaks) {
  const double number = std::floor(frame.t / stretch_);
  if (number != number_) {
    if (!std::isnan(number_)) close_stretch();
    number_ = number;
  }
  ++added_;
  last_ = frame;
  peaks_ = peaks;
  const std::array<double, kLiveTraces.size()> values{frame.force,  frame.gap,
                                                      frame.energy, frame.touching ? 1.0 : 0.0,
                                                      frame.jitter, frame.round_trip};
  for (std::size_t k = 0; k < traces_.size(); ++k)
    traces_[k].add(frame.t, k < values.size() ? values[k] : frame.more[k - values.size()]);
  add_time(jitter_, frame.jitter);
  add_time(round_trip_, frame.round_trip);
}

void LiveHistory::close_stretch() {
  for (Trace& trace : traces_) trace.close(last_.t - window_);
}

void LiveHistory::write_now(std::string& out) const {
  out += "{\"t\":";
  write_time(out, last_.t);
  out += ",\"clock\":";
  write_time(out, last_.clock);
  write_member(out, "force", last_.force);
  write_member(out, "gap", last_.gap);
  write_member(out, "energy", last_.energy);
  write_member(out, "jitter", last_.jitter);
  write_member(out, "round_trip", last_.round_trip);
  fmt::format_to(std::back_inserter(out), ",\"touching\":{},\"ticks\":{},\"late\":{},\"lost\":{}",
                 last_.touching, last_.ticks, last_.late, last_.lost);
  out += ",\"refused\":";
  write_list(out, std::span(last_.refused).first(refusals_),
             [&](std::uint64_t n) { out += std::to_string(n); });
  out += ",\"more\":";
  write_list(out, std::span(last_.more).first(more_), [&](double x) { write_number(out, x); });
  out += ",\"peaks\":{";
  const auto write_peak = [&](const char* name, const LivePeak& peak) {
    fmt::format_to(std::back_inserter(out), "{}\"{}\":[", out.back() == '{' ? "" : ",", name);
    write_number(out, peak.value);
    out += ',';
    write_time(out, peak.t);
    out += ']';
  };
  write_peak("force", peaks_.force);
  write_peak("energy", peaks_.energy);
  write_peak("jitter", peaks_.jitter);
  write_peak("round_trip", peaks_.round_trip);
  out += '}';
  if (scene_width_ > 0) {
    out += ",\"pose\":";
    write_list(out, std::span(last_.pose).first(scene_width_),
               [&](float x) { write_number(out, static_cast<double>(x), 8); });
  }
  out += '}';
}

void LiveHistory::write_points(std::string& out, Reader& reader) const {
  reader.seen.resize(traces_.size());
  out += ",\"traces\":[";
  for (std::size_t k = 0; k < traces_.size(); ++k) {
    const Trace& trace = traces_[k];
    const std::uint64_t from = std::max(reader.seen[k], trace.first) - trace.first;
    const auto begin = trace.points.begin() + static_cast<std::ptrdiff_t>(from);
    const std::vector<Point> fresh(begin, trace.points.end());
    if (k > 0) out += ',';
    out += '[';
    write_list(out, fresh, [&](const Point& p) { write_time(out, p.t); });
    out += ',';
    write_list(out, fresh, [&](const Point& p) { write_number(out, p.value); });
    out += ']';
    reader.seen[k] = trace.first + trace.points.size();
  }
  out += ']';
}

std::string LiveHistory::build_message(Reader& reader, const LiveStatus& status,
                                       std::uint64_t dropped) const {
  const bool moved = reader.ticks != added_ || !reader.begun;
  const bool times = reader.times++ % kHistogramsEvery == 0 || status.state == LiveState::stopped;
  std::string out = fmt::format(
      "{{\"first\":{},\"state\":\"{}\",\"level\":\"{}\",\"verdict\":{},\"dropped\":{}",
      !reader.begun, name_of(status.state), name_of(status.level), quote(status.verdict), dropped);
  if (added_ > 0 && moved) {
    out += ",\"now\":";
    write_now(out);
  }
  write_points(out, reader);
  if (times) {
    write_histogram(out, "jitters", jitter_);
    write_histogram(out, "round_trips", round_trip_);
  }
  out += '}';
  reader.ticks = added_;
  reader.begun = true;
  return out;
}

}  // namespace berth
