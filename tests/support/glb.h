// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small models, whole and damaged.

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace berth::test {

inline void append_u32(std::string& to, std::size_t value) {
  for (int k = 0; k < 4; ++k) to += static_cast<char>((value >> (8 * k)) & 0xFF);
}

inline std::string make_glb(std::string json, std::string bin) {
  while (json.size() % 4 != 0) json += ' ';
  while (bin.size() % 4 != 0) bin += '\0';
  std::string out = "glTF";
  append_u32(out, 2);
  append_u32(out, 28 + json.size() + bin.size());
  append_u32(out, json.size());
  out += "JSON" + json;
  append_u32(out, bin.size());
  return out + std::string("BIN\0", 4) + bin;
}

// One triangle: corners (0, 0, 0), (2, 0, 0), (0, 1, 0) in a node that is moved by 5 along z.
struct TriangleModel {
  nlohmann::json json = nlohmann::json::parse(R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "translation": [0, 0, 5], "name": "<b>wing</b>"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
    "materials": [{"name": "paint", "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0, 1]}}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36},
                    {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
    "buffers": [{"byteLength": 42}]})");
  std::string bin;

  TriangleModel() {
    for (const std::uint32_t x : {0U, 0U, 0U, 0x40000000U, 0U, 0U, 0U, 0x3F800000U, 0U})
      append_u32(bin, x);
    for (const int i : {0, 1, 2}) bin += {static_cast<char>(i), '\0'};
  }
  std::string glb() const { return make_glb(json.dump(), bin); }
};

}  // namespace berth::test
