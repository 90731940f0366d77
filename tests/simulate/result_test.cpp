// SPDX-License-Identifier: Apache-2.0

// Results kept in memory and read from files: the same numbers, the same bytes.

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "berth/simulation.h"
#include "tests/support/process.h"
#include "tests/support/scenario_files.h"

namespace berth::test::result_test {
namespace {

// Two rates, events, poses.
const std::vector<std::pair<std::string, std::string>> kSettings{
    {"time.stop", "12"},
    {"record.interval", "0.01"},
    {"record.group",
     R"([{ name = "fast", interval = 0.003, channels = ["probe.*", "chaser.r_BN_N"] }])"}};

Simulation load() {
  Simulation s = Simulation::load(find_scenario_file("hil_contact"));
  for (const auto& [key, value] : kSettings) s.set(key, value);
  return s;
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void expect_same(const Result& a, const Result& b) {
  ASSERT_EQ(a.groups().size(), b.groups().size());
  for (std::size_t g = 0; g < a.groups().size(); ++g) {
    const Result::Group &of_a = a.groups()[g], &of_b = b.groups()[g];
    EXPECT_EQ(of_a.name, of_b.name);
    ASSERT_EQ(of_a.rows, of_b.rows);
    ASSERT_EQ(of_a.channels.size(), of_b.channels.size());
    const auto ta = a.times(of_a.name), tb = b.times(of_b.name);
    ASSERT_EQ(ta.size(), of_a.rows);
    EXPECT_EQ(std::memcmp(ta.data(), tb.data(), ta.size_bytes()), 0);
    for (std::size_t c = 0; c < of_a.channels.size(); ++c) {
      const Simulation::Channel &ca = of_a.channels[c], &cb = of_b.channels[c];
      SCOPED_TRACE(ca.name);
      EXPECT_EQ(ca.name, cb.name);
      EXPECT_EQ(ca.unit, cb.unit);
      EXPECT_EQ(ca.frame, cb.frame);
      EXPECT_EQ(ca.description, cb.description);
      const Result::Values va = a.values(ca.name, of_a.name), vb = b.values(cb.name, of_b.name);
      ASSERT_EQ(va.width, vb.width);
      ASSERT_EQ(va.rows, vb.rows);
      bool all = true;
      for (std::size_t i = 0; i < va.rows; ++i)
        for (std::size_t k = 0; k < va.width; ++k) all &= same(va(i, k), vb(i, k));
      EXPECT_TRUE(all);
    }
  }
  ASSERT_EQ(a.events().size(), b.events().size());
  for (std::size_t i = 0; i < a.events().size(); ++i) {
    EXPECT_EQ(a.events()[i].t, b.events()[i].t);
    EXPECT_EQ(a.events()[i].kind, b.events()[i].kind);
    EXPECT_EQ(a.events()[i].numbers, b.events()[i].numbers);
  }
  EXPECT_EQ(a.scenario(), b.scenario());
  EXPECT_EQ(a.summary().json(), b.summary().json());
  EXPECT_EQ(a.summary().outcome(), b.summary().outcome());
  EXPECT_EQ(a.summary().as_expected(), b.summary().as_expected());
  ASSERT_EQ(a.summary().fields().size(), b.summary().fields().size());
  for (std::size_t i = 0; i < a.summary().fields().size(); ++i) {
    const Simulation::Field &fa = a.summary().fields()[i], &fb = b.summary().fields()[i];
    EXPECT_EQ(fa.path, fb.path);
    EXPECT_EQ(fa.unit, fb.unit) << fa.path;
    EXPECT_EQ(fa.meaning, fb.meaning) << fa.path;
    EXPECT_EQ(fa.text, fb.text) << fa.path;
    EXPECT_EQ(fa.number + 0.0, fb.number) << fa.path;
  }
}

TEST(Result, InMemoryIsWhatAFileHolds) {
  const TemporaryFolder folder;
  Simulation s = load();
  s.keep_result().write_result(folder / "written.h5").write_result(folder / "written.csv");
  while (s.step(0.37)) {
  }
  const Result kept = s.result();
  ASSERT_EQ(kept.groups().size(), 2u);
  EXPECT_GT(kept.events().size(), 1u);
  expect_same(kept, Result::open(folder / "written.h5"));

  // Saved later, byte for byte the file that was written on the way; and a copy of that one.
  kept.save(folder / "saved.h5");
  EXPECT_TRUE(read_bytes(folder / "saved.h5") == read_bytes(folder / "written.h5"));
  Result::open(folder / "saved.h5").save(folder / "copy.h5");
  EXPECT_TRUE(read_bytes(folder / "copy.h5") == read_bytes(folder / "written.h5"));
  kept.save(folder / "saved.csv");
  EXPECT_TRUE(read_bytes(folder / "saved.csv") == read_bytes(folder / "written.csv"));
  EXPECT_TRUE(read_bytes(folder / "saved.fast.csv") == read_bytes(folder / "written.fast.csv"));
  Result::open(folder / "saved.h5").save(folder / "copy.csv");
  EXPECT_TRUE(read_bytes(folder / "copy.csv") == read_bytes(folder / "written.csv"));
}

TEST(Result, HasRowsOnBothSidesOfAnEvent) {
  Simulation s = load();
  s.keep_result().run();
  const Result r = s.result();
  const auto t = r.times();
  const Result::Values side = r.values("row.side"), touching = r.values("probe.touching");
  bool found = false;
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (!(side(i) > 0)) continue;
    found = true;
    EXPECT_EQ(t[i], t[i - 1]);
    EXPECT_EQ(side(i - 1), -1);
    EXPECT_NE(touching(i), touching(i - 1)) << t[i];
    break;
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(r.channel("chaser.r_BN_N").width, 3);
  EXPECT_EQ(r.channel("chaser.r_BN_N").unit, "m");
}

TEST(Result, SaysWhatIsNotThere) {
  Simulation s = load();
  s.set("time.stop", 0.1).keep_result();
  EXPECT_THROW(s.result(), std::logic_error) << "not over";
  s.run();
  EXPECT_THROW(s.result().values("probe.gapp"), std::out_of_range);
  EXPECT_THROW(s.result().times("fas"), std::out_of_range);
  EXPECT_THROW(s.result().save("x.txt"), std::invalid_argument);
  EXPECT_THROW(Result::open("nowhere.h5"), std::runtime_error);
  Simulation not_kept = load();
  not_kept.set("time.stop", 0.1).run();
  EXPECT_THROW(not_kept.result(), std::logic_error);
}

}  // namespace
}  // namespace berth::test::result_test
