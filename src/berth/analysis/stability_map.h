// SPDX-License-Identifier: Apache-2.0
#pragma once

// Delay margins over a grid of two inputs: berth stability FILE --map KEY=lin(a,b,n) KEY=lin(a,b,n).
//
//   closed       h* − delay [s], normal mode. Over stiffness, damping and delay of a spring–dashpot
//                nothing is built anew: the effective mass stays
//   roots        real part of the rightmost root [1/s], whole loop; below zero it is stable
//   simulation   energy the first bounce of the scenario gives [J]; below zero it is passive

#include <functional>

#include "berth/analysis/sweep_plan.h"
#include "berth/scenario/scenario.h"

namespace berth {

enum class MapBy { closed, roots, built };
inline constexpr std::array<std::string_view, 3> kMapBy{"closed", "roots", "simulation"};

struct StabilityMap {
  std::string title, contact;
  MapBy by = MapBy::closed;
  SweepPlan plan;             // two keys; the second runs fastest
  std::vector<double> value;  // see above; NaN where nothing touches
  bool complete = true;       // not interrupted

  // Energy as small as rounding is none.
  bool is_good(double v) const {
    if (by == MapBy::closed) return v >= 0;
    return v <= (by == MapBy::built ? 1e-11 : 1e-9);
  }
};

struct MapOptions {
  std::string by = "closed";
  std::function<bool()> interrupted;
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
};

StabilityMap find_stability_map(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides,
                                const std::vector<std::string>& keys, const MapOptions& options,
                                Problems& problems);

// A picture in characters, the first key upwards, the second to the right.
std::string describe(const StabilityMap& map);
std::string to_json(const StabilityMap& map);
// One line per point: both inputs and the value.
std::string to_csv(const StabilityMap& map);

}  // namespace berth
