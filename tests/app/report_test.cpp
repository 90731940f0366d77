// SPDX-License-Identifier: Apache-2.0

// `berth report` and `berth plot` as a user runs them.

#include <fstream>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "tests/support/process.h"

namespace berth::test::report_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A folder with the result of a short run, without its page.
class Report : public testing::Test {
 protected:
  void SetUp() override {
    const Ended end = run({"run", shipped_scenario("free_body"), "--out", "a.h5", "--no-html"});
    ASSERT_EQ(end.code, 0) << end.err;
  }
  Ended run(const std::vector<std::string>& words) {
    return run_berth(words, {.folder = folder.path()});
  }
  TemporaryFolder folder;
};

TEST_F(Report, MakesThePageThatTheRunWouldHaveMade) {
  EXPECT_EQ(run({"report", "a.h5"}).code, 0);
  const std::string page = read_bytes(folder / "a.html");
  EXPECT_GT(page.size(), 10000u);
  EXPECT_FALSE(has(page, "@BERTH_"));
  ASSERT_EQ(run({"run", shipped_scenario("free_body"), "--out", "a.h5"}).code, 0);
  EXPECT_TRUE(read_bytes(folder / "a.html") == page);
}

TEST_F(Report, LaysRunsOverOneAnotherOrTakesTheirDifference) {
  ASSERT_EQ(run({"run", shipped_scenario("free_body"), "--out", "b.h5", "--no-html", "--set",
                 "spacecraft.body.mass=2"})
                .code,
            0);
  EXPECT_EQ(run({"report", "a.h5", "b.h5", "--out", "both.html"}).code, 0);
  EXPECT_EQ(run({"report", "a.h5", "b.h5", "--difference"}).code, 0);
  EXPECT_TRUE(has(read_bytes(folder / "a.difference.html"), "b.h5 − a.h5"));
  EXPECT_EQ(run({"report", "a.h5", "--difference"}).code, 2);
  ASSERT_EQ(run({"run", shipped_scenario("heavy_top"), "--out", "top.h5", "--no-html"}).code, 0);
  const Ended other = run({"report", "a.h5", "top.h5"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.err, "top.h5: cannot be laid over a.h5")) << other.err;
}

TEST_F(Report, RefusesWhatItCannotRead) {
  write_bytes(folder / "foreign.h5", "hello");
  write_bytes(folder / "half.h5", read_bytes(folder / "a.h5").substr(0, 50000));
  for (const char* file : {"nothing.h5", "foreign.h5", "half.h5", "."}) {
    const Ended end = run({"report", file});
    EXPECT_EQ(end.code, 2) << file;
    EXPECT_TRUE(has(end.err, file)) << end.err;
    EXPECT_EQ(run({"plot", file, "body.rate"}).code, 2) << file;
  }
  EXPECT_EQ(run({"report", "a.h5", "--out", "a.h5"}).code, 2) << "the result itself";
  EXPECT_EQ(run({"report"}).code, 2);
  EXPECT_EQ(run({"report", "a.h5", "--out", "no/such/folder.html"}).code, 1);
}

TEST_F(Report, OfASweepIsAPageOfItsOwnKind) {
  ASSERT_EQ(run({"sweep", shipped_scenario("free_body"), "--vary", "spacecraft.body.mass=[1,2]",
                 "--out", "s.h5", "--no-html"})
                .code,
            0);
  const Ended end = run({"report", "s.h5"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(has(end.out, "Wrote s.html")) << end.out;
  EXPECT_TRUE(has(read_bytes(folder / "s.html"), R"("kind":"sweep")"));
  // It is laid over nothing, and has no channels to plot.
  const std::vector<std::vector<std::string>> refused{{"report", "a.h5", "s.h5"},
                                                      {"report", "s.h5", "s.h5"},
                                                      {"report", "a.h5", "s.h5", "--difference"},
                                                      {"plot", "s.h5", "body.rate"}};
  for (const auto& words : refused) {
    const Ended other = run(words);
    EXPECT_EQ(other.code, 2) << words.back();
    EXPECT_TRUE(has(other.err, "sweep")) << other.err;
  }
  write_bytes(folder / "half.h5", read_bytes(folder / "s.h5").substr(0, 3000));
  EXPECT_EQ(run({"report", "half.h5"}).code, 2);
}

TEST_F(Report, OfAScenarioWithTagsEscapesThem) {
  std::string text = read_bytes(shipped_scenario("free_body"));
  text = "title = \"</script><script>alert(1)</script>\"\n" + text.substr(text.find("[time]"));
  write_bytes(folder / "x.toml", text);
  ASSERT_EQ(run({"run", "x.toml"}).code, 0);
  const std::string page = read_bytes(folder / "x.html");
  EXPECT_FALSE(has(page, "<script>alert"));
  EXPECT_TRUE(has(page, "&lt;/script&gt;"));
}

TEST_F(Report, PlotsChannelsByNameComponentAndPattern) {
  EXPECT_EQ(run({"plot", "a.h5", "body.rate", "-o", "rate.svg"}).code, 0);
  EXPECT_TRUE(has(read_bytes(folder / "rate.svg"), "body.rate [rad/s]"));
  EXPECT_EQ(run({"plot", "a.h5", "body.omega_BN_B.y", "body.omega_*", "-o", "omega.svg", "--log",
                 "--from", "2", "--to", "5", "--title", "a < b", "--width", "500"})
                .code,
            0);
  const std::string svg = read_bytes(folder / "omega.svg");
  EXPECT_TRUE(has(svg, "body.omega_BN_B.x") && has(svg, "body.omega_BN_B.z"));
  EXPECT_TRUE(has(svg, "a &lt; b"));
  EXPECT_TRUE(has(svg, "width=\"500\""));
  EXPECT_EQ(run({"plot", "a.h5", "body.rate"}).code, 0) << "a name alone";
  EXPECT_TRUE(std::filesystem::exists(folder / "a.svg"));
}

TEST_F(Report, PlotsHaveAPanelForEachUnitAndAreSvgPdfOrPng) {
  const auto plot = [&](const std::string& to) {
    return run({"plot", "a.h5", "body.rate", "body.r_BN_N", "-o", to});
  };
  ASSERT_EQ(plot("two.svg").code, 0);
  const std::string svg = read_bytes(folder / "two.svg");
  EXPECT_TRUE(has(svg, "body.rate [rad/s]") && has(svg, "[m]"));
  EXPECT_TRUE(has(svg, "height=\"660\"")) << "of two panels";
  ASSERT_EQ(plot("two.pdf").code, 0);
  EXPECT_TRUE(read_bytes(folder / "two.pdf").starts_with("%PDF-"));
  ASSERT_EQ(plot("two.png").code, 0);
  const std::string png = read_bytes(folder / "two.png");
  ASSERT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(png[i]); };
  EXPECT_EQ(byte(18) * 256 + byte(19), 2 * 720);
  EXPECT_EQ(byte(22) * 256 + byte(23), 2 * 660);
  for (const char* name : {"two.pdf", "two.png"}) {
    const std::string before = read_bytes(folder / name);
    ASSERT_EQ(plot(name).code, 0);
    EXPECT_EQ(read_bytes(folder / name), before) << "same numbers, same bytes";
  }
  const Ended end = plot("two.jpg");
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(has(end.err, "ends in .svg, .pdf or .png")) << end.err;
}

TEST_F(Report, PlotOfAMisspeltChannelSuggestsOne) {
  const Ended end = run({"plot", "a.h5", "body.rat", "bodi.rate"});
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(has(end.err, "no channel body.rat; did you mean body.rate?")) << end.err;
  EXPECT_TRUE(has(end.err, "bodi.rate")) << "all that is wrong: " << end.err;
  EXPECT_EQ(run({"plot", "a.h5", "body.rate", "--from", "3", "--to", "2"}).code, 2);
  EXPECT_EQ(run({"plot", "a.h5", "body.rate", "--width", "5"}).code, 2);
  EXPECT_EQ(run({"plot", "a.h5", "*"}).code, 2) << "too many for a picture";
}

// --- berth verify ---------------------------------------------------------------------------------

TEST_F(Report, AFileThatIsWholeIsVerified) {
  const Ended end = run({"verify", "a.h5"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(has(end.out, "a.h5: whole, ")) << end.out;
  EXPECT_EQ(run({"verify", "a.h5", "--quiet"}).out, "");
}

TEST_F(Report, WhatIsDamagedIsNamedAndNotShown) {
  std::string bytes = read_bytes(folder / "a.h5");
  const std::string title = "\ntitle = \"";  // of the scenario that is stored
  const std::size_t at = bytes.find(title);
  ASSERT_NE(at, std::string::npos);
  bytes[at + title.size()] ^= 1;
  write_bytes(folder / "damaged.h5", bytes);
  const Ended verify = run({"verify", "a.h5", "damaged.h5"});
  EXPECT_EQ(verify.code, 2);
  EXPECT_TRUE(has(verify.err, "damaged.h5: is damaged: /scenario is not what was written"));
  EXPECT_TRUE(has(verify.out, "damaged.h5: 1 of ")) << verify.out;
  EXPECT_EQ(run({"report", "damaged.h5"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "damaged.html"));
}

TEST_F(Report, AFileWithoutDigestsIsNotVerified) {
  H5Fclose(H5Fcreate((folder / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const Ended end = run({"verify", "other.h5"});
  EXPECT_EQ(end.code, 1);
  EXPECT_TRUE(has(end.err, "other.h5: not verified: not written by berth")) << end.err;
}

TEST_F(Report, WhatOthersAddedIsListed) {
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "notes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  const Ended end = run({"verify", "a.h5"});
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_TRUE(has(end.out, "not of berth: /notes")) << end.out;
}

}  // namespace
}  // namespace berth::test::report_test
