// SPDX-License-Identifier: Apache-2.0

// The page of a very long run: small, true, and made in little memory. Ten numbers a row, of which one jumps at
// an event, one has peaks a single row wide, and one is absent for a while.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/record/recording.h"
#include "berth/report/page.h"
#include "tests/support/allocations.h"
#include "tests/support/process.h"

namespace berth::test::long_run_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStep = 1e-3;  // [s] between rows

// Rows of this run, by formula: any of them can be asked for again.
struct LongRun {
  std::size_t rows;

  std::size_t event() const {
    return 2 * rows / 3;
  }  // row before it; the next is behind it, at the same time
  double time(std::size_t i) const { return kStep * static_cast<double>(i <= event() ? i : i - 1); }
  std::vector<double> row(std::size_t i) const {
    const double t = time(i), slow = 10 * t / time(rows - 1);
    const bool peak = i == rows / 7 || i == rows / 2 + 1;
    const bool gap = i > rows / 5 && i < rows / 5 + 50;
    return {std::sin(slow),
            std::cos(3 * slow),
            slow * slow,
            std::sin(1e3 * t),
            7e6 + 1e-3 * std::sin(slow),
            0,
            i <= event() ? 0.0 : 5 * std::exp(event() < i ? -1e-3 * (t - time(event())) : 0.0),
            peak ? 42.0 : 0.01 * std::sin(50 * slow),
            gap ? NAN : slow,
            1e-12 * (1 + slow)};
  }
};

void write(const LongRun& run, const std::filesystem::path& file) {
  Recording recording(file);
  const std::vector<Channel> channels{
      {"craft.r", "m", "N", "", 3, 0},    {"craft.v", "m/s", "N", "", 3, 3},
      {"tip.force", "N", "", "", 1, 6},   {"tip.load", "N", "", "", 1, 7},
      {"craft.gauge", "m", "", "", 1, 8}, {"joint.violation", "m", "", "", 1, 9}};
  const int group = recording.add_group("", channels);
  for (std::size_t i = 0; i < run.rows; ++i) recording.append(group, run.time(i), run.row(i));
  recording.add_event(run.time(run.event()), "contact_on", "tip", "{}");
  recording.finish("title = \"long\"\n[time]\nstop = 1e6\n",
                   R"({"outcome":"reached_end","time":1e4})");
}

std::vector<double> numbers_of(const PageData& page, const Json& ref) {
  const std::span<const unsigned char> bytes = page.block.bytes();
  const auto at = ref["at"].get<std::size_t>();
  const bool full = ref["kind"] == "f64";
  std::vector<double> out;
  for (std::size_t i = 0; i < ref["n"].get<std::size_t>(); ++i) {
    double x;
    if (full) {
      std::memcpy(&x, &bytes[at + 8 * i], 8);
    } else {
      float f;
      std::memcpy(&f, &bytes[at + 4 * i], 4);
      x = static_cast<double>(f);
    }
    out.push_back(ref.value("offset", 0.0) + ref.value("scale", 1.0) * x);
  }
  return out;
}

// [KiB] the most this process has had at any time.
std::size_t find_peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      std::size_t kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

void check(std::size_t rows) {
  const TemporaryFolder folder;
  const LongRun run{rows};
  write(run, folder / "x.h5");
  const std::size_t before = find_peak_memory();
  const PageData page = build_page_data({folder / "x.h5"});
  const std::string text = fill_template(page_template(), page);
  EXPECT_LT(text.size(), 10'000'000u);
  if (!kSanitized) {
    EXPECT_LT(find_peak_memory(), before + 100 * 1024);
  }

  const Json group = Json::parse(page.head)["runs"][0]["groups"][0];
  EXPECT_EQ(group["samples"], rows);
  std::size_t first = 0;  // number in a row
  for (const std::string name :
       {"craft.r", "craft.v", "tip.force", "tip.load", "craft.gauge", "joint.violation"}) {
    const auto at = std::find_if(group["channels"].begin(), group["channels"].end(),
                                 [&](const Json& c) { return c["name"] == name; });
    ASSERT_NE(at, group["channels"].end()) << name;
    const Json& channel = *at;
    const std::vector<double> t = numbers_of(page, channel["time"]);
    ASSERT_LE(t.size(), 2000u) << name;
    ASSERT_GE(t.size(), 2u) << name;
    EXPECT_EQ(t.front(), run.time(0));
    EXPECT_EQ(t.back(), run.time(rows - 1));
    for (std::size_t part = 0; part < channel["data"].size(); ++part) {
      const std::vector<double> y = numbers_of(page, channel["data"][part]);
      ASSERT_EQ(y.size(), t.size());
      // Every point is a row of the file, at its own time; of two at one time the first is the earlier.
      for (std::size_t k = 0; k < t.size(); ++k) {
        auto i = static_cast<std::size_t>(std::llround(t[k] / kStep));
        const bool behind = i > run.event() || (i == run.event() && k > 0 && t[k - 1] == t[k]);
        if (behind) ++i;
        ASSERT_EQ(run.time(i), t[k]) << name;
        const double want = run.row(i)[first + part];
        if (std::isnan(want)) {
          EXPECT_TRUE(std::isnan(y[k])) << name << " at " << t[k];
        } else {
          EXPECT_NEAR(y[k], want, 1e-6 * std::fabs(want) + 1e-14) << name << " at " << t[k];
        }
      }
    }
    first += channel["parts"].size();
    // What is one row wide is there: both peaks, both sides of the event.
    const std::vector<double> y = numbers_of(page, channel["data"][0]);
    if (name == "tip.load") {
      EXPECT_EQ(std::count(y.begin(), y.end(), 42), 2);
    }
    if (name == "tip.force") {
      const auto jump = std::find(t.begin(), t.end(), run.time(run.event()));
      ASSERT_NE(jump, t.end());
      const auto k = static_cast<std::size_t>(jump - t.begin());
      EXPECT_EQ(t[k + 1], t[k]);
      EXPECT_EQ(y[k], 0);
      EXPECT_EQ(y[k + 1], 5);
    }
    if (name == "craft.gauge") {
      EXPECT_EQ(channel["missing"], 49);
    }
  }
}

TEST(LongRun, HasASmallPageThatIsTrue) { check(60'000); }

TEST(LongRunSoak, OfTenMillionRowsHasASmallPageThatIsTrue) { check(10'000'000); }

}  // namespace
}  // namespace berth::test::long_run_test
