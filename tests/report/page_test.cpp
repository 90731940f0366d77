// SPDX-License-Identifier: Apache-2.0

// What a page holds: head, block, and nothing that could break out of its place.

#include "berth/report/page.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/record/record_error.h"
#include "tests/report/fake_group.h"
#include "tests/support/process.h"

namespace berth::test::page_test {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> steady(std::size_t i) { return {1e-9, static_cast<double>(i), 2, 3}; }

// The numbers a reference points to.
std::vector<double> numbers_of(const PageData& page, const Json& ref) {
  const std::span<const unsigned char> bytes = page.block.bytes();
  const auto at = ref["at"].get<std::size_t>();
  EXPECT_EQ(at % 8, 0u);
  const double offset = ref.value("offset", 0.0), scale = ref.value("scale", 1.0);
  std::vector<double> out;
  for (std::size_t i = 0; i < ref["n"].get<std::size_t>(); ++i) {
    if (ref["kind"] == "f64") {
      double x;
      std::memcpy(&x, &bytes[at + 8 * i], 8);
      out.push_back(offset + scale * x);
    } else if (ref["kind"] == "f32") {
      float x;
      std::memcpy(&x, &bytes[at + 4 * i], 4);
      out.push_back(offset + scale * static_cast<double>(x));
    } else {
      std::int16_t x;
      std::memcpy(&x, &bytes[at + 2 * i], 2);
      out.push_back(offset + scale * x);
    }
  }
  return out;
}

TEST(PageData, HoldsChannelsWithTheirUnitsAndNumbers) {
  const TemporaryFolder folder;
  write_result(folder / "x.h5", 100, steady);
  const PageData page = build_page_data({folder / "x.h5"});
  const Json head = Json::parse(page.head);
  EXPECT_EQ(head["format"], 2);
  const Json& run = head["runs"][0];
  EXPECT_EQ(run["title"], "a run");
  EXPECT_EQ(run["file"], "x.h5");
  EXPECT_EQ(run["verdict"]["level"], "good");
  const Json& group = run["groups"][0];
  EXPECT_EQ(group["samples"], 100);
  EXPECT_EQ(numbers_of(page, group["channels"][0]["time"]).size(), 100u);
  const Json &violation = group["channels"][0], &r = group["channels"][1];
  EXPECT_EQ(violation["log"], true);
  EXPECT_EQ(violation["unit"], "m");
  EXPECT_NEAR(numbers_of(page, violation["data"][0])[5], 1e-9, 1e-16);
  EXPECT_EQ(r["parts"], Json({"x", "y", "z"}));
  EXPECT_EQ(r["log"], false);
  EXPECT_EQ(numbers_of(page, r["data"][0])[42], 42);
  EXPECT_EQ(run["scene"], nullptr);
  EXPECT_EQ(run["phases"].size(), 2u);
}

TEST(PageData, OfALongRunIsShort) {
  const TemporaryFolder folder;
  write_result(folder / "x.h5", 300000, steady);
  const PageData page = build_page_data({folder / "x.h5"});
  const Json group = Json::parse(page.head)["runs"][0]["groups"][0];
  EXPECT_EQ(group["samples"], 300000);
  // A straight line is its ends and what lies around the event.
  EXPECT_LT(group["channels"][1]["time"]["n"], 20);
  EXPECT_LT(page.block.bytes().size(), 100000u);
}

TEST(PageData, CountsNumbersThatAreNone) {
  const TemporaryFolder folder;
  write_result(folder / "x.h5", 100, [](std::size_t i) {
    return std::vector<double>{i % 4 == 0 ? NAN : 1.0, INFINITY, 0, 0};
  });
  const PageData page = build_page_data({folder / "x.h5"});
  const Json group = Json::parse(page.head)["runs"][0]["groups"][0];
  EXPECT_EQ(group["channels"][0]["missing"], 25);
  EXPECT_EQ(group["channels"][1]["missing"], 100);
  EXPECT_TRUE(std::isnan(numbers_of(page, group["channels"][0]["data"][0])[0]));
}

// A position far away that hardly moves keeps its digits.
TEST(PageData, KeepsTheDigitsOfWhatHardlyChanges) {
  const TemporaryFolder folder;
  const auto row = [](std::size_t i) {
    return std::vector<double>{1, 6.8e6 + 1e-3 * static_cast<double>(i), 0, 0};
  };
  write_result(folder / "x.h5", 100, row);
  const PageData page = build_page_data({folder / "x.h5"});
  const Json r = Json::parse(page.head)["runs"][0]["groups"][0]["channels"][1];
  EXPECT_NEAR(numbers_of(page, r["data"][0])[50] - 6.8e6, 0.05, 1e-6);
}

TEST(PageData, OfAnEmptyRunSaysSo) {
  const TemporaryFolder folder;
  write_result(folder / "x.h5", 0, steady);
  const Json run = Json::parse(build_page_data({folder / "x.h5"}).head)["runs"][0];
  EXPECT_EQ(run["groups"][0]["samples"], 0);
  EXPECT_NE(run["warnings"].dump().find("nothing was recorded"), std::string::npos);
}

TEST(PageData, OfAnInterruptedRunSaysSo) {
  const TemporaryFolder folder;
  write_result(folder / "x.h5", 10, steady, "a run",
               R"({"outcome":"interrupted","time":0.9,"expectations":[]})");
  const Json run = Json::parse(build_page_data({folder / "x.h5"}).head)["runs"][0];
  EXPECT_EQ(run["verdict"]["level"], "bad");
  EXPECT_EQ(run["verdict"]["text"], "Interrupted at 0.9 s of 2 s.");
}

TEST(PageData, OfAFailedExpectationIsBad) {
  const TemporaryFolder folder;
  write_result(folder / "x.h5", 10, steady, "a run",
               R"({"outcome":"reached_end","time":1.0,"audit":{"energy":1e-3},
          "expectations":[{"what":"energy audit","wanted":"below 1e-9","got":"1e-3","met":false}]})");
  const Json run = Json::parse(build_page_data({folder / "x.h5"}).head)["runs"][0];
  EXPECT_EQ(run["verdict"]["level"], "bad");
  EXPECT_EQ(run["numbers"][0]["level"], "bad");
  EXPECT_EQ(run["expectations"][0]["met"], false);
}

TEST(PageData, OfTwoRunsHoldsBothAndTheirDifference) {
  const TemporaryFolder folder;
  write_result(folder / "a.h5", 50, steady);
  write_result(folder / "b.h5", 50, [](std::size_t i) {
    return std::vector<double>{3e-9, static_cast<double>(i) + (i == 20 ? 2.5 : 0.5), 2, 3};
  });
  const std::vector<std::filesystem::path> both{folder / "a.h5", folder / "b.h5"};
  const PageData page = build_page_data(both);
  const Json head = Json::parse(page.head);
  EXPECT_EQ(head["runs"].size(), 2u);
  EXPECT_EQ(head["opens"], "overlay");
  ASSERT_EQ(head["differences"].size(), 1u);
  const Json& difference = head["differences"][0];
  EXPECT_EQ(difference["run"], 1);
  EXPECT_EQ(difference["rows"], 50);
  EXPECT_EQ(difference["interpolated"], 0);
  const Json& violation = difference["groups"][0]["channels"][0];
  EXPECT_EQ(violation["log"], false);
  EXPECT_NEAR(violation["deviations"][0]["largest"].get<double>(), 2e-9, 1e-20);
  const Json& r = difference["groups"][0]["channels"][1];
  const std::vector<double> x = numbers_of(page, r["data"][0]);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], i == 20 ? 2.5 : 0.5);
  EXPECT_EQ(r["deviations"][0]["largest"], 2.5);
  EXPECT_EQ(r["deviations"][0]["t"], 0.4);
  EXPECT_EQ(r["deviations"][1]["rms"], 0);
  PageOptions options;
  options.difference = true;
  const Json open = Json::parse(build_page_data(both, options).head);
  EXPECT_EQ(open["opens"], "difference");
  EXPECT_EQ(open["title"], "b.h5 − a.h5");
}

TEST(PageData, OfOneRunHasNoDifferences) {
  const TemporaryFolder folder;
  write_result(folder / "a.h5", 5, steady);
  EXPECT_EQ(Json::parse(build_page_data({folder / "a.h5"}).head)["differences"], Json::array());
}

// The system and its orbit are part of every run.
TEST(PageData, OfRunsThatHaveNothingInCommonIsRefused) {
  const TemporaryFolder folder;
  const auto write = [&](const char* file, const char* craft, const char* unit) {
    Recording recording(folder / file);
    const std::vector<Channel> channels{{"system.energy", "J", "", "", 1, 0},
                                        {std::string(craft) + ".rate", unit, "", "", 1, 1}};
    recording.add_group("", channels);
    recording.append(0, 0, std::vector<double>{1, 2});
    recording.finish("title = \"x\"\n[time]\nstop = 2\n", R"({"outcome":"reached_end"})");
  };
  write("a.h5", "servicer", "rad/s");
  write("b.h5", "top", "rad/s");
  write("c.h5", "servicer", "rad/s");
  write("d.h5", "servicer", "m/s");
  EXPECT_THROW(build_page_data({folder / "a.h5", folder / "b.h5"}), RecordError);
  EXPECT_THROW(build_page_data({folder / "a.h5", folder / "d.h5"}), RecordError);
  EXPECT_NO_THROW(build_page_data({folder / "a.h5", folder / "c.h5"}));
}

TEST(Page, FillsItsHolesAndNothingElse) {
  const TemporaryFolder folder;
  // A title may hold whatever a page is made of.
  write_result(folder / "x.h5", 10, steady, "</script><b>@BERTH_DATA@ & co");
  const PageData data = build_page_data({folder / "x.h5"});
  EXPECT_EQ(data.head.find('<'), std::string::npos);
  const std::string page =
      fill_template("<title>@BERTH_TITLE@</title>[@BERTH_HEAD@][@BERTH_DATA@]", data);
  EXPECT_TRUE(page.starts_with("<title>&lt;/script&gt;&lt;b&gt;@BERTH_DATA@ &amp; co</title>[{"));
  const std::size_t begin = page.find('[') + 1, end = page.find("}][") + 1;
  EXPECT_EQ(Json::parse(page.substr(begin, end - begin))["runs"][0]["title"],
            "</script><b>@BERTH_DATA@ & co");
  EXPECT_THROW(fill_template("no holes", data), RecordError);
  EXPECT_NE(page_template().find("@BERTH_DATA@"), std::string::npos);
}

TEST(Base64, IsAsOthersWriteIt) {
  const auto code = [](std::string_view text) {
    return to_base64({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  };
  EXPECT_EQ(code(""), "");
  EXPECT_EQ(code("f"), "Zg==");
  EXPECT_EQ(code("fo"), "Zm8=");
  EXPECT_EQ(code("foo"), "Zm9v");
  EXPECT_EQ(code("foobar"), "Zm9vYmFy");
}

TEST(ResultFile, RefusesWhatIsNoResult) {
  const TemporaryFolder folder;
  write_bytes(folder / "text.h5", "hello");
  EXPECT_THROW(ResultFile(folder / "text.h5"), RecordError);
  EXPECT_THROW(ResultFile(folder / "none.h5"), RecordError);
  write_result(folder / "x.h5", 10, steady, "a run", "no JSON");
  EXPECT_THROW(ResultFile(folder / "x.h5"), RecordError);
  write_result(folder / "y.h5", 1000, steady);
  const std::string bytes = read_bytes(folder / "y.h5");
  write_bytes(folder / "y.h5", bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(build_page_data({folder / "y.h5"}), RecordError);
}

}  // namespace
}  // namespace berth::test::page_test
