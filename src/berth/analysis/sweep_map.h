// SPDX-License-Identifier: Apache-2.0
#pragma once

// SweepMap — how often a sweep's cases come out as expected, over two of its keys.
//
// A key with values has a row or column for each; a random one is cut into eight equal pieces from end to
// end of its distribution, of normal(m,s) from m − 2s to m + 2s with what lies beyond in the outer ones.

#include <optional>

#include "berth/analysis/sweep_table.h"

namespace berth {

struct MapAxis {
  std::string key, unit;
  std::vector<double> edges;   // of a random key, one more than pieces
  std::vector<double> values;  // of one with values
  std::size_t size() const { return values.empty() ? edges.size() - 1 : values.size(); }
  std::string label(std::size_t i) const;
};

// The pieces of a key, as above; nothing of one that is varied by texts.
std::optional<MapAxis> build_axis(const Vary& key, const std::string& unit);
// Where a value lies: size() when an axis with values does not have it.
std::size_t find_piece(const MapAxis& axis, double x);

struct SweepMap {
  MapAxis x, y;
  std::vector<std::uint64_t> cases, good;  // row by row, y · columns + x
};

// Nothing, and a problem, when a key is not varied or is no number.
std::optional<SweepMap> begin_map(const Sweep& sweep, const std::vector<std::string>& keys,
                                  Problems& problems);
struct SweepResult;
void fill_map(const SweepResult& result, SweepMap& map);

std::string describe(const SweepMap& map);
nlohmann::ordered_json to_json(const SweepMap& map);

}  // namespace berth
