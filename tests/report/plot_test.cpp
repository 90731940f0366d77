// SPDX-License-Identifier: Apache-2.0
#include "berth/report/plot.h"

#include <gtest/gtest.h>

namespace berth::test::plot_test {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int count_of(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(PlotTicks, AreRoundNumbers) {
  EXPECT_EQ(find_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(find_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(find_ticks(1, 1, 4), (std::vector<double>{}));
  EXPECT_EQ(find_log_ticks(1, 1000, 8), (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(find_log_ticks(1, 6, 8), (std::vector<double>{1, 2, 5}));
  EXPECT_LE(find_log_ticks(1e-20, 1, 8).size(), 9u);
}

TEST(Plot, HasItsLinesLabelsAndTitleAndNothingThatIsNoText) {
  const std::vector<PlotPanel> panels = {
      {.lines = {{"a < b", {0, 1, 2}, {1, 3, 2}}, {"c", {0, 1}, {0, 1}}}, .y_label = "force [N]"}};
  const std::string svg = draw_plot(panels, {.title = "x & \"y\""});
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
  EXPECT_TRUE(holds(svg, "a &lt; b"));
  EXPECT_TRUE(holds(svg, "x &amp; &quot;y&quot;"));
  EXPECT_TRUE(holds(svg, "force [N]"));
  EXPECT_TRUE(holds(svg, "time [s]"));
  EXPECT_FALSE(holds(svg, "nan"));
  EXPECT_EQ(svg, draw_plot(panels, {.title = "x & \"y\""})) << "same input, same bytes";
}

TEST(Plot, LeavesGapsWhereThereIsNoNumber) {
  const std::string svg = draw_plot({{.lines = {{"", {0, 1, 2, 3, 4}, {1, 2, NAN, 2, 1}}}}}, {});
  EXPECT_FALSE(holds(svg, "nan"));
  const std::string lines = svg.substr(svg.find("clip-path"));
  EXPECT_EQ(count_of(lines, "<path d=\"M"), 2);
}

TEST(Plot, OnALogarithmicAxisShowsWhatIsAboveZero) {
  const std::string svg =
      draw_plot({{.lines = {{"", {0, 1, 2, 3}, {1e-9, 0, -1, 1e-3}}}, .log_y = true}}, {});
  EXPECT_TRUE(holds(svg, "10⁻⁹"));
  EXPECT_FALSE(holds(svg, "nan"));
  EXPECT_FALSE(holds(svg, "inf"));
}

TEST(Plot, OfNothingOrOfOneNumberIsStillAPicture) {
  for (const std::vector<PlotLine>& lines : {std::vector<PlotLine>{},
                                             {{"", {}, {}}},
                                             {{"", {1}, {5}}},
                                             {{"", {0, 1}, {NAN, NAN}}},
                                             {{"", {0, 1}, {1e300, -1e300}}},
                                             {{"", {0, 1}, {0, 0}}}}) {
    for (const bool log : {false, true}) {
      const std::string svg = draw_plot({{.lines = lines, .log_y = log}}, {});
      EXPECT_TRUE(svg.ends_with("</svg>\n"));
      EXPECT_FALSE(holds(svg, "nan")) << svg;
      EXPECT_FALSE(holds(svg, "inf")) << svg;
    }
  }
}

TEST(Plot, OfManyStraightPointsIsSmall) {
  PlotLine line;
  for (int i = 0; i < 10000; ++i) line.x.push_back(i), line.y.push_back(2 * i);
  EXPECT_LT(draw_plot({{.lines = {line}}}, {}).size(), 6000u);
}

TEST(Plot, HasAPanelForEachAndEventsThroughAll) {
  const std::string svg = draw_plot(
      {{.lines = {{"", {0, 10}, {1, 3}}}, .y_label = "gap [m]"},
       {.lines = {{"", {0, 10}, {5, 7}}}, .y_label = "force [N]"}},
      {.x_to = 8, .events = {{3, "touch"}, {3.001, "soft"}, {3.002, "third"}, {9, "outside"}}});
  EXPECT_TRUE(holds(svg, "gap [m]") && holds(svg, "force [N]"));
  EXPECT_EQ(count_of(svg, "time [s]"), 1);
  EXPECT_EQ(count_of(svg, "stroke-dasharray=\"2 3\""), 6) << "three events in two panels";
  EXPECT_TRUE(holds(svg, ">touch<") && holds(svg, ">soft<"));
  EXPECT_FALSE(holds(svg, ">third<")) << "no room for a third row of names";
  EXPECT_FALSE(holds(svg, "outside"));
}

TEST(Plot, DashesLinesBeyondItsColours) {
  PlotPanel panel;
  for (int i = 0; i < 9; ++i) panel.lines.push_back({std::string(1, 'a'), {0, 1}, {0, 1.0 * i}});
  const std::string svg = draw_plot({panel}, {});
  EXPECT_EQ(count_of(svg, "stroke-dasharray=\"6 4\""), 2) << "the ninth, and its entry";
}

TEST(NumberText, ReportsPowersOfTen) {
  EXPECT_EQ(number_text(0.25), "0.25");
  EXPECT_EQ(number_text(1.5e-7), "1.5×10⁻⁷");
  EXPECT_EQ(number_text(-2e12), "−2×10¹²");
}

}  // namespace
}  // namespace berth::test::plot_test
