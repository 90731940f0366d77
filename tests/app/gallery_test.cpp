// SPDX-License-Identifier: Apache-2.0

// `berth_gallery` as a user runs it.

#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace berth::test::gallery_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// In a folder of its own, with the papers of the repository.
Ended draw(std::vector<std::string> words, const TemporaryFolder& folder) {
  words.insert(words.end(), {"--papers", std::string(BERTH_SOURCE_DIR) + "/papers"});
  return Process(words, {.program = kGallery, .folder = folder.path(), .patience = 300}).wait();
}

TEST(Gallery, DrawsAPaperAndKeepsWhatIsThere) {
  const TemporaryFolder folder;
  const Ended first = draw({"--only", "closed_chain", "--out", "g"}, folder);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(has(first.out, "3 figures in g, 0 of them as they were")) << first.out;
  const std::string svg = read_bytes(folder / "g/closed_chain_05.svg");
  EXPECT_TRUE(has(svg, "Torque of the attitude control"));
  EXPECT_LT(svg.size(), 60000u);
  const std::string text = read_bytes(folder / "g/gallery.md");
  EXPECT_TRUE(has(text, "berth run papers/closed_chain/servicer_despin_axial.toml"));
  EXPECT_TRUE(has(text, "largest 0.90")) << text;
  EXPECT_TRUE(has(read_bytes(folder / "g/index.html"), "data:image/svg+xml;base64,"));
  const Ended again = draw({"--only", "closed_chain", "--out", "g"}, folder);
  EXPECT_TRUE(has(again.out, "3 of them as they were")) << again.out;
  EXPECT_EQ(read_bytes(folder / "g/gallery.md"), text);
  // A picture that was touched, or is of another version, is drawn anew.
  write_bytes(folder / "g/closed_chain_05.svg", "<svg/>");
  EXPECT_EQ(draw({"--only", "closed_chain", "--out", "g"}, folder).code, 0);
  EXPECT_EQ(read_bytes(folder / "g/closed_chain_05.svg"), svg);
}

TEST(Gallery, RefusesAPaperItDoesNotKnow) {
  const TemporaryFolder folder;
  const Ended end = draw({"--only", "contct"}, folder);
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(has(end.err, "did you mean contact?")) << end.err;
  write_bytes(folder / "file", "");
  EXPECT_EQ(draw({"--out", "file"}, folder).code, 2);
}

TEST(Gallery, WithoutPapersNamesTheOption) {
  const TemporaryFolder folder;
  const Ended end = Process({}, {.program = kGallery, .folder = folder.path()}).wait();
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(has(end.err, "--papers")) << end.err;
}

TEST(Gallery, IsNamedByTheCommandThatItWas) {
  const Ended end = run_berth({"gallery"});
  EXPECT_EQ(end.code, 2);
  EXPECT_TRUE(has(end.err, "berth_gallery")) << end.err;
}

// A mistake in a data file is named with file and line.
TEST(Gallery, NamesTheLineOfAMistake) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& text, const std::string& why) {
    std::filesystem::create_directories(folder / "papers/mine");
    write_bytes(folder / "papers/mine/figures.toml",
                "[paper]\norder = 1\ntitle = \"t\"\nauthors = \"a\"\n[[figure]]\nnumber = \"1\"\n"
                "title = \"t\"\nscenario = \"s\"\npaper = \"p\"\nhere = \"h\"\n" +
                    text);
    const Ended end = Process({}, {.program = kGallery, .folder = folder.path()}).wait();
    EXPECT_EQ(end.code, 1);
    EXPECT_TRUE(has(end.err, why)) << end.err;
  };
  expect("y_label = \"y\"\ncolour = 3\n", "figures.toml:12: there is no key colour here");
  expect("y_label = 3\n", "figures.toml:11: y_label has another type");
  expect("\n", "y_label is missing");
  expect("y_label = \"y\"\nwhy = \"$more\"\n", "there is no text more");
}

}  // namespace
}  // namespace berth::test::gallery_test
