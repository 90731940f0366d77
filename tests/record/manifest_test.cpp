// SPDX-License-Identifier: Apache-2.0

#include "berth/record/manifest.h"

#include <gtest/gtest.h>

#include "berth/compile/digest.h"

namespace berth::manifest_test {
namespace {

Manifest build_sample() {
  Manifest m;
  m.add({.path = "/", .attributes = {{"format", 2}}});
  m.add({.path = "/time",
         .kind = StoredKind::numbers,
         .rows = 3,
         .attributes = {{"unit", "s"}, {"description", "naïve “time”"}},
         .sha256 = std::string(64, 'a')});
  m.add({.path = "/events/kind", .kind = StoredKind::texts, .rows = 2, .length = 7});
  return m;
}

// A manifest of these lines, with the digest that belongs to them.
std::string sign(const std::string& lines) {
  const std::string above = "{\"manifest\":1}\n" + lines;
  return above + "{\"sha256\":\"" + find_sha256(above) + "\"}\n";
}

TEST(Manifest, ComesBackAsItWasWritten) {
  const std::string text = build_sample().write();
  const Manifest back = Manifest::read(text);
  EXPECT_EQ(back.write(), text);
  EXPECT_EQ(back.paths(), (std::vector<std::string>{"/", "/time", "/events/kind"}));
  EXPECT_EQ(back.find("/time")->attributes["description"], "naïve “time”");
  EXPECT_EQ(back.find("/events/kind")->row_size(), 7u);
  EXPECT_EQ(back.find("/nothing"), nullptr);
}

TEST(Manifest, OfWhichAnyByteHasChangedIsRefused) {
  const std::string text = build_sample().write();
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_THROW(Manifest::read(changed), std::invalid_argument) << i;
    EXPECT_THROW(Manifest::read(text.substr(0, i)), std::invalid_argument) << i;
  }
}

TEST(Manifest, WithShapesThatCannotBeIsRefused) {
  const auto is_refused = [](const std::string& line) {
    try {
      Manifest::read(sign(line + "\n"));
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(is_refused(R"({"path":"/a","kind":"numbers","rows":3,"width":2})"));
  EXPECT_TRUE(is_refused(R"({"path":"/a","kind":"numbers","rows":3,"width":0})"));
  EXPECT_TRUE(
      is_refused(R"({"path":"/a","kind":"numbers","rows":1152921504606846976,"width":16})"));
  EXPECT_TRUE(is_refused(R"({"path":"/a","kind":"texts","rows":3,"width":1})"));
  EXPECT_TRUE(is_refused(R"({"path":"/a","kind":"texts","rows":4,"length":17000000000000000000})"));
  EXPECT_TRUE(is_refused(R"({"path":"/a","kind":"curves","rows":3})"));
  EXPECT_TRUE(is_refused(R"({"path":"/a","kind":"numbers","rows":"many"})"));
  for (const char* rows : {"-3", "3.0", "1e300"})
    EXPECT_TRUE(is_refused(R"({"path":"/a","kind":"numbers","rows":)" + std::string(rows) + "}"));
  EXPECT_TRUE(is_refused(R"({"kind":"numbers"})"));
  EXPECT_TRUE(is_refused(R"({"path":"/a","kind":"group","attributes":7})"));
  EXPECT_TRUE(is_refused("[[["));
}

TEST(Manifest, HasEachPathOnce) {
  Manifest m = build_sample();
  EXPECT_THROW(m.add({.path = "/time"}), std::invalid_argument);
}

}  // namespace
}  // namespace berth::manifest_test
