// SPDX-License-Identifier: Apache-2.0

// The scene of a run: which frames stay, the shapes of bodies, where they are.

#include "berth/scenario/scene.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/report/page_data.h"
#include "berth/report/scene_frames.h"
#include "berth/simulate.h"
#include "tests/support/built.h"
#include "tests/support/process.h"

namespace berth::test::scene_test {
namespace {

using Json = nlohmann::ordered_json;

TEST(SceneFrames, AreKeptWhereInterpolationWouldBeWrong) {
  // Still but for a jerk in the middle.
  std::vector<double> y(1001, 0.0);
  for (std::size_t i = 480; i < 520; ++i) y[i] = std::sin(static_cast<double>(i - 480) * 0.3);
  const auto error = [&](std::size_t a, std::size_t i, std::size_t b) {
    const double s = static_cast<double>(i - a) / static_cast<double>(b - a);
    return std::fabs(y[i] - ((1 - s) * y[a] + s * y[b]));
  };
  const std::vector<std::size_t> kept = choose_frames(y.size(), {250}, 200, 0.01, error);
  EXPECT_EQ(kept.front(), 0u);
  EXPECT_EQ(kept.back(), 1000u);
  EXPECT_TRUE(std::find(kept.begin(), kept.end(), 250u) != kept.end());
  EXPECT_GT(kept.size(), 20u);
  EXPECT_LT(kept.size(), 60u);
  for (std::size_t k = 0; k + 1 < kept.size(); ++k)
    for (std::size_t i = kept[k] + 1; i < kept[k + 1]; ++i)
      EXPECT_LE(error(kept[k], i, kept[k + 1]), 0.01);
  EXPECT_LE(choose_frames(y.size(), {}, 10, 0.0, error).size(), 10u) << "no more than asked for";
  EXPECT_TRUE(choose_frames(0, {}, 10, 0.0, error).empty());
  EXPECT_EQ(choose_frames(1, {}, 10, 0.0, error), (std::vector<std::size_t>{0}));
}

void record(const Built& b, const std::filesystem::path& file) {
  SimulateOptions options;
  options.h5 = file;
  simulate(b.read.scenario, b.built, options);
}

const DrawnBody& find_drawn(const std::vector<DrawnBody>& bodies, const std::string& name) {
  for (const DrawnBody& b : bodies)
    if (b.name == name) return b;
  throw std::out_of_range(name);
}

TEST(BodyShapes, ABoxHasTheInertiaItIsMadeFrom) {
  const Built b = build_shipped("docked_nadir");
  const auto bodies = find_drawn_bodies(b.read.scenario, b.built.system);
  const Solid box = find_drawn(bodies, "servicer").solids[0];
  EXPECT_EQ(box.kind, Solid::box);
  const double x = box.size.x, y = box.size.y, z = box.size.z;
  EXPECT_NEAR(750 / 12.0 * (y * y + z * z), 900, 1e-9);
  EXPECT_NEAR(750 / 12.0 * (x * x + z * z), 800, 1e-9);
  EXPECT_NEAR(750 / 12.0 * (x * x + y * y), 600, 1e-9);
}

TEST(BodyShapes, TurnWithProductsOfInertia) {
  // A rod along (1, 1, 0): the long side of the box lies there.
  const Built b = build_shipped(
      "free_body",
      {"spacecraft.body.mass=12", "spacecraft.body.inertia=[[0.6,-0.4,0],[-0.4,0.6,0],[0,0,1]]"});
  ASSERT_TRUE(b.read.problems.empty()) << describe(b.read.problems.list[0]);
  const Solid box =
      find_drawn(find_drawn_bodies(b.read.scenario, b.built.system), "body").solids[0];
  const Quaternion<double> q = box.q;
  const Vec3<double> sides = box.size;
  const bool x_is_long = sides.x > sides.y;
  const Vec3<double> along =
      rotation_matrix(q) * (x_is_long ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0});
  EXPECT_NEAR(std::max(sides.x, sides.y), std::sqrt(0.9), 1e-6);
  EXPECT_NEAR(std::fabs(along.x * along.y), 0.5, 1e-6);
}

TEST(BodyShapes, EveryShippedScenarioIsDrawable) {
  for (const std::string& name : shipped_scenarios()) {
    const Built b = build_shipped(name);
    ASSERT_TRUE(b.read.problems.empty()) << name;
    for (const DrawnBody& body : find_drawn_bodies(b.read.scenario, b.built.system)) {
      EXPECT_TRUE(body.name == "ground" || !body.solids.empty()) << name << body.name;
      for (const Solid& solid : body.solids) {
        const bool round = solid.kind != Solid::box && solid.kind != Solid::plane;
        const double sizes[] = {solid.size.x, solid.radius, solid.length, solid.half_angle};
        for (const double size : sizes) EXPECT_TRUE(std::isfinite(size) && size >= 0) << body.name;
        EXPECT_GT(round ? solid.radius + solid.length : solid.size.x, 0) << name << body.name;
        EXPECT_NEAR(norm_squared(solid.q), 1, 1e-9) << name << body.name;
      }
    }
    EXPECT_EQ(Scene(b.read.scenario, b.built.system).model().find("null"), std::string::npos)
        << name;
  }
}

// Fuel is drawn as fuel, and nothing else is.
TEST(BodyShapes, PartsDrawThemselves) {
  const Built b = build_shipped("docked_components");
  const auto bodies = find_drawn_bodies(b.read.scenario, b.built.system);
  std::size_t fuel = 0, wheels = 0, panels = 0;
  for_each_part(b.built.system.components, [&]<class Part>(const Part& part) {
    const std::string& name =
        b.built.system.model.names[static_cast<std::size_t>(part.last_body())];
    const BodyKind kind = find_drawn(bodies, name).kind;
    EXPECT_EQ(kind == BodyKind::slosh, Part::type.starts_with("slosh")) << name;
    fuel += kind == BodyKind::slosh;
    wheels += kind == BodyKind::wheel;
    panels += kind == BodyKind::panel;
  });
  EXPECT_GT(fuel, 0u);
  EXPECT_GT(wheels, 0u);
  EXPECT_GT(panels, 0u);
  EXPECT_EQ(find_drawn(bodies, "servicer").kind, BodyKind::hub);
}

TEST(BodyShapes, AreThoseOfTheScenarioWhereItGivesThem) {
  const Built b = build_shipped(
      "slew", {"spacecraft.servicer.shape=[{kind=\"cylinder\",radius=1,length=3,at=[0,0,1]}]"});
  ASSERT_TRUE(b.read.problems.empty()) << describe(b.read.problems.list[0]);
  const Solid solid =
      find_drawn(find_drawn_bodies(b.read.scenario, b.built.system), "servicer").solids[0];
  EXPECT_EQ(solid.kind, Solid::cylinder);
  EXPECT_EQ(solid.length, 3.0);
  for (const char* bad : {"[{kind=\"box\"}]", "[{kind=\"sphere\"}]",
                          "[{kind=\"boks\",size=[1,1,1]}]", "[{kind=\"cylinder\",radius=1}]"}) {
    const Built wrong(
        read_scenario(shipped_scenario("slew"), {"spacecraft.servicer.shape=" + std::string(bad)}));
    EXPECT_FALSE(wrong.read.problems.empty()) << bad;
  }
}

// Poses in the file are those of the channels, and the page shows them.
TEST(Scene, IsWhereTheChannelsSayTheBodiesAre) {
  const TemporaryFolder folder;
  const Built b = build_shipped("docked_nadir", {"time.stop=100", "record.interval=10"});
  record(b, folder / "x.h5");
  const Hdf5Reader file(folder / "x.h5");
  const std::vector<double> r1 = file.numbers("/channels/servicer.rho_BO_N"),
                            r2 = file.numbers("/channels/target.rho_BO_N"),
                            scene = file.numbers("/scene/positions"),
                            origin = file.numbers("/scene/origin");
  ASSERT_EQ(scene.size(), 2 * r1.size());
  for (std::size_t i = 0; i < r1.size() / 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(origin[3 * i + k] + scene[6 * i + k], r1[3 * i + k], 1e-6);
      EXPECT_NEAR(origin[3 * i + k] + scene[6 * i + 3 + k], r2[3 * i + k], 1e-6);
    }
  const Json run = Json::parse(build_page_data({folder / "x.h5"}).head)["runs"][0];
  const Json& page = run["scene"];
  EXPECT_EQ(page["bodies"].size(), 2u);
  EXPECT_EQ(page["bodies"][1]["name"], "target");
  EXPECT_EQ(page["ports"].size(), 2u);
  EXPECT_EQ(page["arrows"][0]["name"], "joint");
  EXPECT_FALSE(page["lvlh"].is_null());
  EXPECT_EQ(page["bodies"][0]["rotation"]["n"], 4 * page["time"]["n"].get<int>());
}

TEST(Scene, IsLeftOutOnRequestAndIsNoChannel) {
  const TemporaryFolder folder;
  const Built with = build_shipped("free_body"),
              without = build_shipped("free_body", {"record.scene=false"});
  record(with, folder / "a.h5");
  record(without, folder / "b.h5");
  const Hdf5Reader a(folder / "a.h5"), b(folder / "b.h5");
  EXPECT_TRUE(a.has("/scene/positions"));
  EXPECT_FALSE(b.has("/scene"));
  EXPECT_FALSE(a.has("/groups"));
  EXPECT_EQ(a.members("/channels"), b.members("/channels"));
  EXPECT_EQ(a.numbers("/channels/body.quaternion_BN"), b.numbers("/channels/body.quaternion_BN"));
  EXPECT_TRUE(Json::parse(build_page_data({folder / "b.h5"}).head)["runs"][0]["scene"].is_null());
}

}  // namespace
}  // namespace berth::test::scene_test
