// SPDX-License-Identifier: Apache-2.0
#include "berth/record/json_text.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace berth::json_text_test {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, PrintsSeventeenDigits) {
  EXPECT_EQ(to_text(Json(0.1)), "0.10000000000000001");
  EXPECT_EQ(to_text(Json(1e-7)), "9.9999999999999995e-08");
  EXPECT_EQ(to_text(Json(1e23)), "9.9999999999999992e+22");
}

TEST(JsonText, KeepsIntegersIntegersAndFloatsFloats) {
  EXPECT_EQ(to_text(Json{1, -2, 3u, 2.0, -0.0, 1e17}), "[1,-2,3,2.0,-0.0,1e+17]");
  EXPECT_EQ(to_text(Json(std::numeric_limits<std::uint64_t>::max())), "18446744073709551615");
  EXPECT_EQ(to_text(Json(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  EXPECT_TRUE(Json::parse(to_text(Json(2.0))).is_number_float());
  EXPECT_TRUE(Json::parse(to_text(Json(1e17))).is_number_float());
}

TEST(JsonText, HasNullForWhatJsonHasNot) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_text(Json{std::nan(""), infinity, -infinity, nullptr, true}),
            "[null,null,null,null,true]");
}

TEST(JsonText, KeepsTheOrderOfKeys) {
  Json json;
  json["z"] = 1;
  json["a"] = {{"y", "text"}, {"b", Json::array()}, {"c", Json::object()}};
  EXPECT_EQ(to_text(json), R"({"z":1,"a":{"y":"text","b":[],"c":{}}})");
  EXPECT_EQ(
      to_text(json, 2),
      "{\n  \"z\": 1,\n  \"a\": {\n    \"y\": \"text\",\n    \"b\": [],\n    \"c\": {}\n  }\n}");
}

TEST(JsonText, EscapesWhatMustBeAndKeepsTheRest) {
  EXPECT_EQ(to_text(Json("a\"b\\c\n\x01 é 😀")), "\"a\\\"b\\\\c\\n\\u0001 é 😀\"");
  EXPECT_EQ(to_text(Json{{"k\"é", 1}}), "{\"k\\\"é\":1}");
  EXPECT_EQ(to_text(Json("bad \xff!")), "\"bad \xef\xbf\xbd!\"");
}

TEST(JsonText, GivesBackEveryDoubleExactly) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const Json back = Json::parse(to_text(Json(value)));
    ASSERT_TRUE(back.is_number_float());
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back.get<double>()),
              std::bit_cast<std::uint64_t>(value));
  }
}

TEST(JsonText, InAsciiMeansTheSame) {
  const std::string text = R"({"é":"Δv = 3 – 4 m/s 😀","n":"\u00e9\n"})";
  const std::string ascii = to_ascii(text);
  EXPECT_EQ(ascii, R"({"\u00e9":"\u0394v = 3 \u2013 4 m/s \ud83d\ude00","n":"\u00e9\n"})");
  EXPECT_EQ(Json::parse(ascii), Json::parse(text));
}

TEST(JsonText, InAsciiReplacesWhatIsNoUtf8) {
  for (const std::string bad : {"\xff", "\x80", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf5"}) {
    const std::string text = to_ascii("\"" + bad + "\"");
    EXPECT_NE(text.find("\\ufffd"), std::string::npos);
    EXPECT_EQ(text.back(), '"');
    EXPECT_TRUE(Json::accept(text));
  }
}

}  // namespace
}  // namespace berth::json_text_test
