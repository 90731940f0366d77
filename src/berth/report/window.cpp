// SPDX-License-Identifier: Apache-2.0
#include "berth/report/window.h"

#include <algorithm>
#include <string_view>

namespace berth {
namespace {

bool is_meeting(const RecordedEvent& e) {
  for (const std::string_view kind : {"contact_on", "contact_off", "impact", "latch", "release"})
    if (e.kind == kind) return true;
  return false;
}

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

}  // namespace

TimeWindow find_meeting(const ResultFile& file, double end) {
  if (!(end > 0)) return {};
  double touch = INFINITY, hard = -INFINITY;
  for (const RecordedEvent& e : file.events) {
    if (e.kind != "event") continue;
    if (ends_with(e.name, "_touch")) touch = std::min(touch, e.t);
    if (ends_with(e.name, "_hard") && e.t >= touch) hard = std::max(hard, e.t);
  }
  double from = touch, to = hard;
  if (!(touch < INFINITY) || !(hard >= touch)) {
    // One meeting: a pause of a fiftieth of the run ends it.
    from = to = -INFINITY;
    for (const RecordedEvent& e : file.events) {
      if (!is_meeting(e)) continue;
      if (from == -INFINITY) from = to = e.t;
      if (e.t - to > 0.02 * end) break;
      to = e.t;
    }
    if (!(to > from)) return {};  // none, or a single instant
  }
  const double room = std::max(0.35 * (to - from), 0.002 * end);
  const TimeWindow window{std::max(from - room, 0.0), std::min(to + room, end)};
  // What is most of the run is no stretch of it.
  return window.to - window.from > 0.6 * end ? TimeWindow{} : window;
}

}  // namespace berth
