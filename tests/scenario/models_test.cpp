// SPDX-License-Identifier: Apache-2.0

// Models of a scenario: found beside its file, refused with their place, stored once with its result.

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "berth/record/hdf5_reader.h"
#include "berth/record/record_error.h"
#include "berth/report/page_data.h"
#include "berth/simulate.h"
#include "tests/support/glb.h"
#include "tests/support/process.h"

namespace berth::test::models_test {
namespace {

const std::string kCraft = R"(
[[spacecraft]]
name = "NAME"
mass = 10
inertia = [3, 4, 5]
shape = SHAPE
)";

std::string craft(const std::string& name, const std::string& shape) {
  std::string text = kCraft;
  text.replace(text.find("NAME"), 4, name);
  text.replace(text.find("SHAPE"), 5, shape);
  return text;
}

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string describe_all(const Problems& problems) {
  std::string out;
  for (const Problem& p : problems.list) out += describe(p) + "\n";
  return out;
}

// Problems of a scenario whose one craft has this shape, in a folder with a good model.
std::string find_problems(const TemporaryFolder& folder, const std::string& shape) {
  write(folder / "good.glb", TriangleModel().glb());
  write(folder / "x.toml", "[time]\nstop = 1\n" + craft("a", shape));
  ReadScenario read = read_scenario(folder / "x.toml");
  build_scenario(read.scenario, read.problems);
  return describe_all(read.problems);
}

TEST(Models, AreReadFromBesideTheScenario) {
  const TemporaryFolder folder;
  EXPECT_EQ(find_problems(
                folder,
                "{ gltf = \"good.glb\", at = [1, 0, 0], rotation_deg = [90, 0, 0], scale = 0.1 }"),
            "");
  EXPECT_EQ(find_problems(folder, "[{ gltf = \"good.glb\" }, { kind = \"sphere\", radius = 1 }]"),
            "");
}

TEST(Models, ThatAreWrongAreProblemsWithTheirPlace) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& shape, const std::string& words) {
    const std::string got = find_problems(folder, shape);
    EXPECT_NE(got.find(words), std::string::npos) << got;
  };
  expect("{ gltf = \"none.glb\" }",
         "x.toml:8:18  spacecraft.a.shape.gltf — \"none.glb\" there is no such file");
  expect("[{ gltf = \"none.glb\" }]",
         "x.toml:8:19  spacecraft.a.shape.1.gltf — \"none.glb\" there is");
  expect("{ gltf = \".\" }", "is a folder");
  expect("{ gltf = \"\" }", "names no file");
  expect("{ gltf = 3 }", "is not a text");
  expect("{ gltf = \"good.glb\", kind = \"box\", size = [1, 1, 1] }", "not both");
  expect("{ gltf = \"good.glb\", scale = 0 }", "must be positive");
  expect("{ kind = \"sphere\", radius = 1, scale = 2 }", "belongs to a model");
  expect("{ radius = 1 }", "or gltf");
  expect("{ gltf = \"good.glb\", rotate = [0, 0, 0] }", "is called \"rotation\" here");
  expect("{ gltf = \"/dev/zero\" }", "is a device");
  ASSERT_EQ(mkfifo((folder / "pipe.glb").c_str(), 0600), 0);
  expect("{ gltf = \"pipe.glb\" }", "is a pipe");
  write(folder / "bad.glb", TriangleModel().glb().substr(0, 100));
  expect("{ gltf = \"bad.glb\" }", "\"bad.glb\" is damaged: its header says");
  write(folder / "large.glb", std::string(6'000'000, 'x'));
  expect("{ gltf = \"large.glb\" }", "at most 5 MB");
}

TEST(Models, OfACraftOfAnotherFileAreBesideThatFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "craft");
  write(folder / "craft/good.glb", TriangleModel().glb());
  write(folder / "craft/a.toml",
        "name = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nshape = { gltf = \"good.glb\" }\n");
  const std::string text =
      "[time]\nstop = 1\n[[spacecraft]]\nname = \"a\"\nfrom = \"craft/a.toml\"\n";
  const ReadScenario read = read_scenario_text(text, "x.toml", {}, folder.path());
  EXPECT_EQ(describe_all(read.problems), "");
  EXPECT_TRUE(read.scenario.models.contains("craft/good.glb"));
  // Written out it stands beside the file.
  Problems problems{"x.toml", {}};
  const std::string whole = expand_scenario(text, "x.toml", {}, folder.path(), problems);
  EXPECT_EQ(describe_all(read_scenario_text(whole, "whole.toml", {}, folder.path()).problems), "");
}

TEST(Models, AreInAResultOnceAndNeededNowhereElse) {
  const TemporaryFolder folder;
  write(folder / "one.glb", TriangleModel().glb());
  write(folder / "same.glb", TriangleModel().glb());
  write(folder / "x.toml", "[time]\nstop = 1\n" + craft("a", "{ gltf = \"one.glb\" }") +
                               craft("b", "{ gltf = \"same.glb\", scale = 2 }") +
                               "[spacecraft.state]\nposition = [9, 0, 0]\n" +
                               craft("c", "{ gltf = \"one.glb\" }") +
                               "[spacecraft.state]\nposition = [0, 9, 0]\n");
  ReadScenario read = read_scenario(folder / "x.toml");
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  ASSERT_EQ(describe_all(read.problems), "");
  SimulateOptions options;
  options.h5 = folder / "x.h5";
  simulate(read.scenario, built, options);
  std::filesystem::remove(folder / "one.glb");
  std::filesystem::remove(folder / "same.glb");
  const Hdf5Reader file(folder / "x.h5");
  EXPECT_EQ(file.members("/models"), (std::vector<std::string>{"0"}));
  EXPECT_EQ(file.attribute("/models/0", "files"), "[\"one.glb\",\"same.glb\"]");

  const PageData page = build_page_data({folder / "x.h5", folder / "x.h5"});
  const auto head = nlohmann::json::parse(page.head);
  const auto& scene = head["runs"][0]["scene"];
  ASSERT_EQ(scene["models"].size(), 1u);
  EXPECT_EQ(scene["models"], head["runs"][1]["scene"]["models"]) << "two runs, one copy";
  EXPECT_EQ(scene["models"][0]["n"], read.scenario.models.at("one.glb")->bytes.size());
  const auto& shape = scene["bodies"][1]["shapes"][0];
  EXPECT_EQ(shape["kind"], "gltf");
  EXPECT_EQ(shape["model"], 0);
  EXPECT_EQ(shape["size"], (nlohmann::json{4.0, 2.0, 0.0}));
  EXPECT_EQ(shape["middle"], (nlohmann::json{2.0, 1.0, 10.0}));
}

TEST(Models, OutOfAResultAreCheckedAgain) {
  std::vector<StoredModel> stored{{TriangleModel().glb(), {"a.glb"}}};
  EXPECT_EQ(restore_models(stored, "x.h5").size(), 1u);
  stored[0].bytes.resize(50);
  EXPECT_THROW(restore_models(stored, "x.h5"), RecordError);
  // A text that came with models takes none from elsewhere.
  const TemporaryFolder folder;
  write(folder / "one.glb", TriangleModel().glb());
  const ModelFiles none;
  const ReadScenario read =
      read_scenario_text("[time]\nstop = 1\n" + craft("a", "{ gltf = \"one.glb\" }"), "x.h5", {},
                         folder.path(), &none);
  EXPECT_NE(describe_all(read.problems).find("not among the models stored with it"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::test::models_test
