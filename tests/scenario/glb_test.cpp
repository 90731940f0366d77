// SPDX-License-Identifier: Apache-2.0

// A model is read as something a stranger has sent: whatever is wrong is refused, and what is kept is
// only what was checked.

#include "berth/scenario/glb/glb.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "berth/scenario/glb/image_size.h"
#include "tests/support/glb.h"

namespace berth::test::glb_test {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// Why it is refused; empty when it is not.
std::string find_fault(const std::string& file) {
  try {
    read_glb(file);
    return "";
  } catch (const GlbError& e) {
    return e.what();
  }
}

std::string change(const std::function<void(Json&)>& how) {
  TriangleModel model;
  how(model.json);
  return find_fault(model.glb());
}

void expect_fault(const std::string& fault, const std::string& part) {
  EXPECT_NE(fault.find(part), std::string::npos) << "got: " << fault;
}

std::string read_shipped_model() {
  std::ifstream in(std::string(BERTH_SOURCE_DIR) + "/scenarios/models/servicer.glb",
                   std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Glb, BoundsFollowTheNodes) {
  const GlbModel model = read_glb(TriangleModel().glb());
  EXPECT_EQ(model.low, (Vec3<double>{0, 0, 5}));
  EXPECT_EQ(model.high, (Vec3<double>{2, 1, 5}));
}

TEST(Glb, BoundsFollowAQuarterTurnAndAScale) {
  TriangleModel m;
  m.json["nodes"][0] = {
      {"mesh", 0}, {"rotation", {0, 0, std::sqrt(0.5), std::sqrt(0.5)}}, {"scale", {2, 1, 1}}};
  const GlbModel model = read_glb(m.glb());
  EXPECT_NEAR(model.low.x, -1, 1e-12);
  EXPECT_NEAR(model.high.y, 4, 1e-12);
}

TEST(Glb, WhatIsKeptHasNoNamesAndIsTheSameWhenReadAgain) {
  TriangleModel m;
  m.json["extras"] = {{"note", "<script>"}};
  m.json["animations"] = Json::array({Json::object()});
  const std::string kept = read_glb(m.glb()).bytes;
  for (const char* gone : {"wing", "paint", "script", "animations"})
    EXPECT_EQ(kept.find(gone), std::string::npos) << gone;
  EXPECT_EQ(read_glb(kept).bytes, kept);
}

TEST(Glb, TheShippedModelIsReadWithItsTexture) {
  const std::string file = read_shipped_model();
  ASSERT_FALSE(file.empty());
  const GlbModel model = read_glb(file);
  EXPECT_NEAR(model.high.x, 1.3, 1e-6);
  EXPECT_NE(model.bytes.find("image/png"), std::string::npos);
  EXPECT_EQ(read_glb(model.bytes).bytes, model.bytes);
}

TEST(Glb, CutShortAnywhereIsRefused) {
  const std::string file = TriangleModel().glb();
  for (std::size_t n = 0; n < file.size(); ++n) EXPECT_NE(find_fault(file.substr(0, n)), "") << n;
  // Also where the header has the new length.
  for (std::size_t n = 12; n < file.size(); ++n) {
    std::string cut = file.substr(0, n), length;
    append_u32(length, n);
    cut.replace(8, 4, length);
    EXPECT_NE(find_fault(cut), "") << n;
  }
}

TEST(Glb, LyingLengthsAreRefused) {
  const std::string file = TriangleModel().glb();
  for (const std::size_t at : {std::size_t{8}, std::size_t{12}, file.size() - 44 - 8})
    for (const char high : {'\x01', '\x7F', '\xFF'}) {
      std::string lying = file;
      lying[at + 3] = high;
      EXPECT_NE(find_fault(lying), "") << at;
    }
  expect_fault(find_fault("glTF"), "not a binary glTF file");
  expect_fault(find_fault(std::string(kLargestModel + 1, 'x')), "at most 5 MB");
  std::string other = file;
  other[4] = 1;
  expect_fault(find_fault(other), "version 1, not 2");
}

TEST(Glb, NothingOutsideOfTheFileIsRead) {
  for (const char* uri :
       {"wing.bin", "http://example.org/a", "data:application/octet-stream;base64,AAAA"}) {
    expect_fault(change([&](Json& j) { j["buffers"][0]["uri"] = uri; }), "buffer 0 has a uri");
    expect_fault(change([&](Json& j) {
                   j["images"] = Json::array({Json{{"uri", uri}}});
                   j["textures"] = Json::array({Json{{"source", 0}}});
                   j["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
                 }),
                 "image 0 has a uri");
  }
}

TEST(Glb, RequiredExtensionsAreRefusedByName) {
  for (const char* name :
       {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu", "ACME_new"})
    expect_fault(change([&](Json& j) { j["extensionsRequired"] = {name}; }), name);
  EXPECT_EQ(change([](Json& j) { j["extensionsRequired"] = {"KHR_mesh_quantization"}; }), "");
  EXPECT_EQ(change([](Json& j) { j["extensionsUsed"] = {"KHR_materials_specular"}; }), "");
}

TEST(Glb, EveryReferenceAndEveryByteIsChecked) {
  const auto faults = {
      change([](Json& j) { j["scene"] = 7; }),
      change([](Json& j) { j["scene"] = -1; }),
      change([](Json& j) { j["scenes"][0]["nodes"] = {3}; }),
      change([](Json& j) { j["nodes"][0]["mesh"] = 1; }),
      change([](Json& j) { j["nodes"][0]["children"] = {0}; }),
      change([](Json& j) { j["nodes"][0]["skin"] = 0; }),
      change([](Json& j) {
        j["nodes"][0]["translation"] = {0, 0};
      }),
      change([](Json& j) {
        j["nodes"][0]["translation"] = {0, 0, 1e300};
      }),
      change([](Json& j) {
        j["nodes"][0]["rotation"] = {0, 0, 0, 9};
      }),
      change([](Json& j) { j["meshes"][0]["primitives"][0]["mode"] = 1; }),
      change([](Json& j) { j["meshes"][0]["primitives"][0]["material"] = 1; }),
      change([](Json& j) { j["meshes"][0]["primitives"][0]["indices"] = 0; }),
      change([](Json& j) { j["meshes"][0]["primitives"][0]["attributes"] = Json::object(); }),
      change([](Json& j) { j["meshes"][0]["primitives"] = 3; }),
      change([](Json& j) { j["accessors"][0]["count"] = 4; }),
      change([](Json& j) { j["accessors"][0]["count"] = 4'000'000'000; }),
      change([](Json& j) { j["accessors"][0]["count"] = 0; }),
      change([](Json& j) { j["accessors"][0]["byteOffset"] = kMost; }),
      change([](Json& j) { j["accessors"][0]["byteOffset"] = 2; }),
      change([](Json& j) { j["accessors"][0]["componentType"] = 5124; }),
      change([](Json& j) { j["accessors"][0]["type"] = "MAT4"; }),
      change([](Json& j) { j["accessors"][0].erase("bufferView"); }),
      change([](Json& j) { j["accessors"][0]["sparse"] = Json::object(); }),
      change([](Json& j) { j["bufferViews"][0]["byteLength"] = 43; }),
      change([](Json& j) { j["bufferViews"][0]["byteOffset"] = kMost; }),
      change([](Json& j) { j["bufferViews"][0]["buffer"] = 1; }),
      change([](Json& j) { j["bufferViews"][0]["byteStride"] = 3; }),
      change([](Json& j) { j["buffers"][0]["byteLength"] = 1000; }),
      change([](Json& j) {
        j["buffers"].push_back(Json{{"byteLength", 4}});
      }),
      change([](Json& j) { j["asset"]["version"] = "1.0"; }),
      change([](Json& j) { j.erase("asset"); }),
      change([](Json& j) { j["meshes"] = Json::array(); }),
      change([](Json& j) { j["scenes"][0]["nodes"] = Json::array(); }),
  };
  std::size_t k = 0;
  for (const std::string& fault : faults) EXPECT_NE(fault, "") << k++;
  TriangleModel m;
  m.bin[36] = 3;  // an index of three positions
  expect_fault(find_fault(m.glb()), "has the index 3 of 3 positions");
  m = TriangleModel();
  m.bin[2] = '\x80', m.bin[3] = '\x7F';  // infinite
  expect_fault(find_fault(m.glb()), "no number");
}

TEST(Glb, HugeCountsAndDeepTextsAreRefused) {
  expect_fault(change([](Json& j) {
                 j["nodes"] = Json::array();
                 for (int i = 0; i < 5000; ++i) j["nodes"].push_back(Json::object());
               }),
               "at most 4096");
  expect_fault(find_fault(make_glb(std::string(100'000, '['), "")), "nested over");
  expect_fault(find_fault(make_glb(std::string((1 << 20) + 4, ' '), "")), "of JSON");
  expect_fault(find_fault(make_glb("{\"asset\": ", "")), "cannot be read");
  // Many nodes that show one large mesh.
  TriangleModel m;
  m.json["bufferViews"][1]["byteLength"] = 40'000;
  m.json["buffers"][0]["byteLength"] = 40'036;
  m.json["accessors"][1]["count"] = 20'000;
  m.bin.resize(40'036);
  for (int i = 1; i < 200; ++i) {
    m.json["nodes"].push_back(Json{{"mesh", 0}});
    m.json["scenes"][0]["nodes"].push_back(i);
  }
  expect_fault(find_fault(m.glb()), "corners of triangles");
  // Views that overlap make more of a file than there is.
  m = TriangleModel();
  m.bin.resize(1 << 20);
  m.json["buffers"][0]["byteLength"] = m.bin.size();
  for (int i = 0; i < 10; ++i) {
    m.json["bufferViews"][2 + i] = {{"buffer", 0}, {"byteLength", m.bin.size()}};
    m.json["accessors"][2 + i] = {
        {"bufferView", 2 + i}, {"componentType", 5126}, {"count", 3}, {"type", "VEC3"}};
    m.json["meshes"][0]["primitives"].push_back(Json{{"attributes", {{"POSITION", 2 + i}}}});
  }
  expect_fault(find_fault(m.glb()), "overlap");
}

TEST(Glb, RandomDamageIsRefusedOrHarmless) {
  const std::string whole = read_shipped_model();
  std::mt19937 random(7);
  for (int k = 0; k < 1000; ++k) {
    std::string file = whole;
    // Mostly in what describes the model.
    for (int i = 0; i < 3; ++i)
      file[random() % (k % 3 == 0 ? file.size() : 3200)] = static_cast<char>(random());
    try {
      const GlbModel model = read_glb(file);
      EXPECT_EQ(read_glb(model.bytes).bytes, model.bytes);
    } catch (const GlbError&) {
    }
  }
}

TEST(Glb, SizesOfImagesAreRead) {
  using namespace std::string_literals;
  const std::string png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x01\0"s;
  EXPECT_EQ(find_image_size(png)->width, 512U);
  EXPECT_EQ(find_image_size(png)->height, 256U);
  const std::string jpeg = "\xFF\xD8\xFF\xE0\0\x04zz\xFF\xC0\0\x11\x08\x01\0\x02\0"s;
  EXPECT_EQ(find_image_size(jpeg)->width, 512U);
  EXPECT_EQ(find_image_size(jpeg)->height, 256U);
  for (std::size_t n = 0; n < png.size(); ++n) EXPECT_FALSE(find_image_size(png.substr(0, n)));
  for (std::size_t n = 0; n < 17; ++n) EXPECT_FALSE(find_image_size(jpeg.substr(0, n)));
}

}  // namespace
}  // namespace berth::test::glb_test
