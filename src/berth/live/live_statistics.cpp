// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "berth/live/live_source.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, static_cast<std::size_t>(Refused::count)> kReasons{
    "stranger", "unreadable", "damaged", "forged",     "session",
    "unasked",  "repeated",   "late",    "not_finite", "excess"};

std::string describe_times(const char* name, const TimeHistogram& h) {
  if (h.total() == 0) return "";
  return fmt::format(
      "  {:<12} median {:.0f} µs, 99 % {:.0f} µs, 99.9 % {:.0f} µs, largest {:.0f} µs\n", name,
      1e6 * h.quantile(0.5), 1e6 * h.quantile(0.99), 1e6 * h.quantile(0.999), 1e6 * h.largest());
}

// Bars of the bins that hold anything.
std::string draw(const char* title, const TimeHistogram& h) {
  if (h.total() == 0) return "";
  std::uint64_t most = 1;
  for (std::size_t i = 0; i < TimeHistogram::kBins; ++i) most = std::max(most, h.count(i));
  std::string out = fmt::format("  {}\n", title);
  for (std::size_t i = 0; i < TimeHistogram::kBins; ++i) {
    if (h.count(i) == 0) continue;
    const auto length = static_cast<std::size_t>(40 * h.count(i) / most);
    out += fmt::format("  {:>10.0f} µs  {:>9}  {}\n", TimeHistogram::upper(i), h.count(i),
                       std::string(length == 0 ? 1 : length, '#'));
  }
  return out;
}

Json to_json(const TimeHistogram& h) {
  Json out = {{"count", h.total()},      {"mean", h.mean()},          {"median", h.quantile(0.5)},
              {"p99", h.quantile(0.99)}, {"p999", h.quantile(0.999)}, {"largest", h.largest()}};
  Json bins = Json::array();
  for (std::size_t i = 0; i < TimeHistogram::kBins; ++i)
    if (h.count(i) > 0) bins.push_back({1e-6 * TimeHistogram::upper(i), h.count(i)});
  out["bins"] = bins;
  return out;
}

}  // namespace

std::string_view describe(Refused reason) { return kReasons[static_cast<std::size_t>(reason)]; }

std::string describe(const LiveStatistics& s, double period) {
  std::string out = fmt::format("  ticks        {}, {} answered in time, {} without an answer\n",
                                s.ticks, s.ticks - s.unanswered, s.unanswered);
  if (s.jitter.total() > 0) {
    out += fmt::format(
        "  late         {} of {} ticks, {} by a period ({:g} ms) or more, {} caught up\n",
        s.late_ticks, s.ticks, s.overruns, 1e3 * period, s.caught_up);
    out += fmt::format("  drift        {:.3g} ms at the end, schedule slipped by {:.3g} ms\n",
                       1e3 * s.drift, 1e3 * s.slip);
  }
  out += describe_times("jitter", s.jitter) + describe_times("round trip", s.round_trip);
  std::string refused;
  for (std::size_t i = 0; i < kReasons.size(); ++i)
    if (s.refused[i] > 0)
      refused += fmt::format("{}{} {}", refused.empty() ? "" : ", ", s.refused[i], kReasons[i]);
  if (!refused.empty()) out += "  refused      " + refused + "\n";
  if (s.ticks_with_allocations > 0)
    out += fmt::format("  memory       {} allocations in {} of {} ticks\n", s.allocations,
                       s.ticks_with_allocations, s.ticks);
  out += draw("ticks that left at most so late", s.jitter);
  out += draw("answers that took at most so long", s.round_trip);
  return out;
}

std::string to_json(const LiveStatistics& s) {
  Json refused = Json::object();
  for (std::size_t i = 0; i < kReasons.size(); ++i)
    refused[std::string(kReasons[i])] = s.refused[i];
  const Json out = {{"ticks", s.ticks},
                    {"answered", s.answered},
                    {"unanswered", s.unanswered},
                    {"late_ticks", s.late_ticks},
                    {"overruns", s.overruns},
                    {"caught_up", s.caught_up},
                    {"slip", s.slip},
                    {"drift", s.drift},
                    {"allocations", s.allocations},
                    {"ticks_with_allocations", s.ticks_with_allocations},
                    {"refused", refused},
                    {"jitter", to_json(s.jitter)},
                    {"round_trip", to_json(s.round_trip)}};
  return out.dump();
}

}  // namespace berth
