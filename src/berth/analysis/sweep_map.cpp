// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/analysis/sweep.h"

namespace berth {
namespace {

constexpr std::size_t kPieces = 8;

std::optional<MapAxis> find_axis(const Sweep& sweep, const std::string& key, Problems& problems) {
  for (std::size_t k = 0; k < sweep.plan.keys.size(); ++k) {
    if (sweep.plan.keys[k].key != key) continue;
    auto axis = build_axis(sweep.plan.keys[k], sweep.inputs.empty() ? "" : sweep.inputs[k].unit);
    if (!axis) problems.add(Place{0, 0, "--map"}, "", key + " is varied by texts, not by numbers");
    return axis;
  }
  problems.add(Place{0, 0, "--map"}, "", key + " is not among the keys that are varied");
  return std::nullopt;
}

std::size_t index_of(const Sweep& sweep, const std::string& key) {
  std::size_t k = 0;
  while (sweep.plan.keys[k].key != key) ++k;
  return k;
}

}  // namespace

std::optional<MapAxis> build_axis(const Vary& key, const std::string& unit) {
  if (key.is_text()) return std::nullopt;
  MapAxis axis{.key = key.key, .unit = unit, .edges = {}, .values = {}};
  if (!key.is_random() || key.distribution.is_discrete()) {
    for (const Cell& c : key.values) axis.values.push_back(std::get<double>(c));
    return axis;
  }
  const auto [low, high] = key.distribution.display_range();
  for (std::size_t i = 0; i <= kPieces; ++i)
    axis.edges.push_back(low + (high - low) * static_cast<double>(i) / kPieces);
  return axis;
}

std::size_t find_piece(const MapAxis& axis, double x) {
  if (!axis.values.empty())
    return static_cast<std::size_t>(std::find(axis.values.begin(), axis.values.end(), x) -
                                    axis.values.begin());
  const auto above = std::upper_bound(axis.edges.begin(), axis.edges.end(), x);
  const auto i = above - axis.edges.begin() - 1;
  return static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(i, 0, static_cast<std::ptrdiff_t>(axis.size()) - 1));
}

std::string MapAxis::label(std::size_t i) const {
  return values.empty() ? fmt::format("{:.3g} … {:.3g}", edges[i], edges[i + 1])
                        : fmt::format("{:.4g}", values[i]);
}

std::optional<SweepMap> begin_map(const Sweep& sweep, const std::vector<std::string>& keys,
                                  Problems& problems) {
  if (keys.size() != 2) {
    problems.add(Place{0, 0, "--map"}, "", "two keys are needed: --map KEY,KEY");
    return std::nullopt;
  }
  const auto x = find_axis(sweep, keys[0], problems), y = find_axis(sweep, keys[1], problems);
  if (!x || !y) return std::nullopt;
  return SweepMap{*x, *y, {}, {}};
}

void fill_map(const SweepResult& result, SweepMap& map) {
  const Sweep& sweep = result.sweep;
  const std::size_t columns = map.x.size();
  map.cases.assign(columns * map.y.size(), 0);
  map.good.assign(columns * map.y.size(), 0);
  const std::size_t kx = index_of(sweep, map.x.key), ky = index_of(sweep, map.y.key);
  result.for_each([&](std::uint64_t i, const CaseResult& one) {
    const std::vector<Cell> inputs = sweep.plan.inputs(i);
    const std::size_t at = find_piece(map.y, std::get<double>(inputs[ky])) * columns +
                           find_piece(map.x, std::get<double>(inputs[kx]));
    ++map.cases[at];
    if (one.as_expected) ++map.good[at];
  });
}

std::string describe(const SweepMap& map) {
  const std::size_t columns = map.x.size();
  const auto unit = [](const MapAxis& a) {
    return a.unit.empty() || a.unit == "-" ? "" : " [" + a.unit + "]";
  };
  std::string out = fmt::format("  as expected [%] of {}{} (down)\n  against {}{} (across)\n",
                                map.y.key, unit(map.y), map.x.key, unit(map.x));
  out += fmt::format("  {:>24}", "");
  for (std::size_t i = 0; i < columns; ++i)
    out +=
        fmt::format(" {:>8.3g}", map.x.values.empty() ? 0.5 * (map.x.edges[i] + map.x.edges[i + 1])
                                                      : map.x.values[i]);
  out += "\n";
  for (std::size_t j = 0; j < map.y.size(); ++j) {
    out += fmt::format("  {:>24}", map.y.label(j));
    for (std::size_t i = 0; i < columns; ++i) {
      const std::uint64_t n = map.cases[j * columns + i], good = map.good[j * columns + i];
      out += n == 0 ? fmt::format(" {:>8}", "-")
                    : fmt::format(" {:>8.3g}",
                                  100 * static_cast<double>(good) / static_cast<double>(n));
    }
    if (j + 1 < map.y.size()) out += "\n";
  }
  return out;
}

nlohmann::ordered_json to_json(const SweepMap& map) {
  const auto axis = [](const MapAxis& a) {
    nlohmann::ordered_json j{{"key", a.key}, {"unit", a.unit}};
    if (a.values.empty()) {
      j["edges"] = a.edges;
    } else {
      j["values"] = a.values;
    }
    return j;
  };
  nlohmann::ordered_json cases = nlohmann::ordered_json::array(), good = cases;
  for (std::size_t j = 0; j < map.y.size(); ++j) {
    const auto row = [&](const std::vector<std::uint64_t>& from) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(j * map.x.size());
      return std::vector(begin, begin + static_cast<std::ptrdiff_t>(map.x.size()));
    };
    cases.push_back(row(map.cases));
    good.push_back(row(map.good));
  }
  return {{"x", axis(map.x)}, {"y", axis(map.y)}, {"cases", cases}, {"as_expected", good}};
}

}  // namespace berth
