// SPDX-License-Identifier: Apache-2.0

// The stretch of a run in which craft meet.

#include "berth/report/window.h"

#include <gtest/gtest.h>

#include "berth/record/recording.h"
#include "tests/support/process.h"

namespace berth::test::window_test {
namespace {

struct Happens {
  double t;
  const char *kind, *name;
};

// Of a run of 100 s in which these happen.
TimeWindow find_window(const std::vector<Happens>& events, double end = 100) {
  const TemporaryFolder folder;
  Recording recording(folder / "x.h5");
  recording.add_group("", std::vector<Channel>{{"a.b", "m", "", "", 1, 0}});
  recording.append(0, 0, std::vector<double>{0});
  for (const Happens& e : events) recording.add_event(e.t, e.kind, e.name, "");
  recording.finish("[time]\nstop = 100\n", R"({"outcome":"reached_end","time":100.0})");
  return find_meeting(ResultFile(folder / "x.h5"), end);
}

TEST(Window, OfACaptureIsFromTouchToHardDock) {
  const TimeWindow w = find_window({{10, "contact_on", "tip"},
                                    {50, "event", "capture_touch"},
                                    {52, "event", "capture_soft"},
                                    {60, "event", "capture_hard"},
                                    {90, "release", "joint"}});
  EXPECT_DOUBLE_EQ(w.from, 46.5);
  EXPECT_DOUBLE_EQ(w.to, 63.5);
  EXPECT_TRUE(w.contains(50) && w.contains(60));
}

TEST(Window, WithoutACaptureIsTheFirstMeeting) {
  const TimeWindow w = find_window(
      {{20, "contact_on", "a"}, {21, "contact_off", "a"}, {22, "latch", "b"}, {70, "impact", "a"}});
  EXPECT_TRUE(w.contains(20) && w.contains(22));
  EXPECT_FALSE(w.contains(70));
}

TEST(Window, IsNoneWhereNothingMeetsOrAllOfTheRunDoes) {
  EXPECT_TRUE(find_window({}).is_empty());
  EXPECT_TRUE(find_window({{50, "impact", "a"}}).is_empty()) << "an instant is no stretch";
  EXPECT_TRUE(find_window({{5, "event", "c_touch"}, {95, "event", "c_hard"}}).is_empty());
  EXPECT_TRUE(find_window({{5, "impact", "a"}, {6, "impact", "a"}}, 0).is_empty());
}

TEST(Window, StaysInsideTheRun) {
  const TimeWindow w = find_window({{0, "event", "c_touch"}, {10, "event", "c_hard"}});
  EXPECT_EQ(w.from, 0);
  EXPECT_DOUBLE_EQ(w.to, 13.5);
}

}  // namespace
}  // namespace berth::test::window_test
