// SPDX-License-Identifier: Apache-2.0
#include "berth/report/svg_plot.h"

#include <gtest/gtest.h>

namespace berth::test::svg_plot_test {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SvgTicks, AreRoundNumbers) {
  EXPECT_EQ(find_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(find_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(find_ticks(1, 1, 4), (std::vector<double>{}));
  EXPECT_EQ(find_log_ticks(1, 1000, 8), (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(find_log_ticks(1, 6, 8), (std::vector<double>{1, 2, 5}));
  EXPECT_LE(find_log_ticks(1e-20, 1, 8).size(), 9u);
}

TEST(SvgPlot, HasItsLinesLabelsAndTitleAndNothingThatIsNoText) {
  const std::string svg = draw_plot({{"a < b", {0, 1, 2}, {1, 3, 2}}, {"c", {0, 1}, {0, 1}}},
                                    {.title = "x & \"y\"", .y_label = "force [N]"});
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
  EXPECT_TRUE(holds(svg, "a &lt; b"));
  EXPECT_TRUE(holds(svg, "x &amp; &quot;y&quot;"));
  EXPECT_TRUE(holds(svg, "force [N]"));
  EXPECT_TRUE(holds(svg, "time [s]"));
  EXPECT_FALSE(holds(svg, "nan"));
  EXPECT_EQ(svg, draw_plot({{"a < b", {0, 1, 2}, {1, 3, 2}}, {"c", {0, 1}, {0, 1}}},
                           {.title = "x & \"y\"", .y_label = "force [N]"}))
      << "same input, same bytes";
}

TEST(SvgPlot, LeavesGapsWhereThereIsNoNumber) {
  const std::string svg = draw_plot({{"", {0, 1, 2, 3, 4}, {1, 2, NAN, 2, 1}}}, {});
  EXPECT_FALSE(holds(svg, "nan"));
  const std::size_t line = svg.find("<path d=\"M", svg.find("clip-path"));
  const std::string path = svg.substr(line, svg.find('>', line) - line);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
}

TEST(SvgPlot, OnALogarithmicAxisShowsWhatIsAboveZero) {
  const std::string svg = draw_plot({{"", {0, 1, 2, 3}, {1e-9, 0, -1, 1e-3}}}, {.log_y = true});
  EXPECT_TRUE(holds(svg, "10⁻⁹"));
  EXPECT_FALSE(holds(svg, "nan"));
  EXPECT_FALSE(holds(svg, "inf"));
}

TEST(SvgPlot, OfNothingOrOfOneNumberIsStillAPicture) {
  for (const std::vector<PlotLine>& lines : {std::vector<PlotLine>{},
                                             {{"", {}, {}}},
                                             {{"", {1}, {5}}},
                                             {{"", {0, 1}, {NAN, NAN}}},
                                             {{"", {0, 1}, {1e300, -1e300}}},
                                             {{"", {0, 1}, {0, 0}}}}) {
    for (const bool log : {false, true}) {
      const std::string svg = draw_plot(lines, {.log_y = log});
      EXPECT_TRUE(svg.ends_with("</svg>\n"));
      EXPECT_FALSE(holds(svg, "nan")) << svg;
      EXPECT_FALSE(holds(svg, "inf")) << svg;
    }
  }
}

TEST(SvgPlot, OfManyStraightPointsIsSmall) {
  PlotLine line;
  for (int i = 0; i < 10000; ++i) line.x.push_back(i), line.y.push_back(2 * i);
  EXPECT_LT(draw_plot({line}, {}).size(), 6000u);
}

TEST(NumberText, ReportsPowersOfTen) {
  EXPECT_EQ(number_text(0.25), "0.25");
  EXPECT_EQ(number_text(1.5e-7), "1.5×10⁻⁷");
  EXPECT_EQ(number_text(-2e12), "−2×10¹²");
}

}  // namespace
}  // namespace berth::test::svg_plot_test
