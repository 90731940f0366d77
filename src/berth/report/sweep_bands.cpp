// SPDX-License-Identifier: Apache-2.0
#include "berth/report/sweep_bands.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "berth/interruption.h"
#include "berth/record/record_error.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

struct Share {
  const char* name;
  double below;
};
constexpr std::array<Share, 7> kShares{{{"low", 0},
                                        {"p05", 0.05},
                                        {"p25", 0.25},
                                        {"p50", 0.5},
                                        {"p75", 0.75},
                                        {"p95", 0.95},
                                        {"high", 1}}};
constexpr std::uint64_t kBlockNumbers = 4'000'000;  // read at a time

}  // namespace

Json build_bands(const SweepTable& table, NumberBlock& block) {
  Json out = Json::array();
  if (table.bands.empty()) return out;
  const Hdf5Reader& file = table.reader();
  const std::vector<double> t = file.numbers("/bands/t");
  for (const std::string& name : table.bands) {
    const std::string path = "/bands/" + name;
    const auto [rows, width] = file.extent(path);
    if (rows != table.cases() || width != t.size())
      throw RecordError(file.name(), "is damaged: " + path + " has another size");
    std::array<std::vector<double>, kShares.size()> bands;
    std::vector<double> counts;
    // Some instants at a time, of all cases.
    const std::uint64_t at_once =
        std::max<std::uint64_t>(1, kBlockNumbers / std::max<std::uint64_t>(rows, 1));
    for (std::uint64_t first = 0; first < width; first += at_once) {
      stop_if_interrupted();
      const std::uint64_t count = std::min(at_once, width - first);
      std::vector<std::vector<double>> columns = file.columns(path, first, count);
      for (std::vector<double>& values : columns) {
        std::erase_if(values, [](double x) { return !std::isfinite(x); });
        std::sort(values.begin(), values.end());
        counts.push_back(static_cast<double>(values.size()));
        for (std::size_t s = 0; s < kShares.size(); ++s)
          bands[s].push_back(
              values.empty() ? std::nan("")
                             : values[static_cast<std::size_t>(std::lround(
                                   kShares[s].below * static_cast<double>(values.size() - 1)))]);
      }
    }
    Json one = {{"name", name},
                {"unit", file.attribute(path, "unit")},
                {"description", file.attribute(path, "description")},
                {"t", block.add_floats(t, false)},
                {"count", block.add_floats(counts, false)}};
    for (std::size_t s = 0; s < kShares.size(); ++s)
      one[kShares[s].name] = block.add_floats(bands[s], false);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace berth
