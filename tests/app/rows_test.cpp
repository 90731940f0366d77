// SPDX-License-Identifier: Apache-2.0

// Rows of a table against what the summary says of the same run: two at every instant at which
// something happens, and no condition of a capture came nearer than its best.

#include <cmath>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"

namespace berth::test::rows_test {
namespace {

using Json = nlohmann::ordered_json;

// Columns by name, without units.
using Table = std::map<std::string, std::vector<double>>;

Table read_table(const std::filesystem::path& file) {
  std::istringstream in(read_bytes(file));
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> names;
  for (std::istringstream head(line); std::getline(head, cell, ',');)
    names.push_back(cell.substr(0, cell.find(" [")));
  Table table;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (const std::string& name : names) {
      std::getline(row, cell, ',');
      table[name].push_back(std::stod(cell));
    }
  }
  return table;
}

struct Recorded {
  Json summary;
  Table table;
};
Recorded record(const std::string& scenario, const std::string& channels, double interval,
                const std::string& setting = "title=x") {
  const TemporaryFolder folder;
  const Ended end = run_berth({"run", shipped_scenario(scenario), "--csv", "--out", "r.h5",
                               "--json", "--set", "record.channels=[\"" + channels + "\"]", "--set",
                               "record.interval=" + std::to_string(interval), "--set", setting},
                              {.folder = folder.path(), .patience = 100});
  EXPECT_NE(end.code, 2) << end.err;
  return {Json::parse(end.out), read_table(folder / "r.csv")};
}

TEST(Rows, StandOnBothSidesOfWhatHappens) {
  const Recorded r = record("capture_envelope", "chaser.*", 0.5);
  const std::vector<double>& t = r.table.at("time");
  const std::vector<double>& side = r.table.at("row.side");
  std::vector<double> marked, happened;
  for (const Json& e : r.summary["events"])
    if (happened.empty() || happened.back() != e["t"].get<double>())
      happened.push_back(e["t"].get<double>());
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double before = i > 0 ? t[i - 1] : -1;
    EXPECT_GE(t[i], before);
    if (side[i] == 0) {
      EXPECT_GT(t[i], before) << "a row that is repeated";
      continue;
    }
    // Before, then after, at the same instant.
    ASSERT_EQ(side[i], -1);
    ASSERT_LT(i + 1, t.size());
    EXPECT_EQ(side[i + 1], 1);
    EXPECT_EQ(t[i + 1], t[i]);
    marked.push_back(t[i++]);
  }
  EXPECT_EQ(marked, happened);
}

TEST(Rows, NoneIsNearerThanTheBestThatIsReported) {
  for (const char* offset : {"0.04", "0.13"}) {
    const auto [summary, table] =
        record("capture_envelope", "capture.*", 0.001,
               std::string("spacecraft.chaser.state.position.y=") + offset);
    const std::vector<double>& t = table.at("time");
    // Armed at the start, until it acts or the run ends.
    double armed_until = summary["time"].get<double>();
    for (const Json& e : summary["events"])
      if (e["kind"] == "event" && e["name"] == "capture_soft") armed_until = e["t"].get<double>();
    int compared = 0;
    for (const auto& [name, c] : summary["conditions"].items()) {
      if (c["event"] != "capture_soft") continue;
      const bool above = c["wanted"] == "above";
      const double best = c["best"].get<double>(), limit = c["limit"].get<double>();
      EXPECT_EQ(c["met"].get<bool>(), above ? best >= limit : best <= limit) << name;
      const std::vector<double>& values = table.at(c["channel"].get<std::string>());
      double nearest = above ? -INFINITY : INFINITY;
      for (std::size_t i = 0; i < t.size(); ++i)
        if (t[i] <= armed_until)
          nearest = above ? std::max(nearest, values[i]) : std::min(nearest, values[i]);
      const double range = std::fabs(limit) + std::fabs(best);
      EXPECT_GE((above ? best - nearest : nearest - best), -1e-9 * range) << name;
      EXPECT_NEAR(best, nearest, 2e-3 * range) << name;
      ++compared;
    }
    EXPECT_GT(compared, 4);
  }
}

}  // namespace
}  // namespace berth::test::rows_test
