// SPDX-License-Identifier: Apache-2.0
#pragma once

// GlbModel — a model to be drawn: a binary glTF 2.0 file (.glb), read as something a stranger has sent.
//
//   header   "glTF", 2, length of the file          all uint32, little-endian
//   chunks   length, "JSON", text · length, "BIN", bytes; others are skipped
//
// Of the file is kept what a picture of a rigid body needs: nodes of its scene, triangles with positions,
// normals and texture coordinates, base colours, PNG and JPEG images inside the file. These
// are checked, each reference and each byte against its end, and written anew: names, animations,
// cameras, lights, extras and extensions do not come along, and what is stored or drawn holds nothing that
// was not checked. A model that is read again is the same bytes.
//
// Refused: anything outside of the file (uri), also as data:; extensions it requires, but for
// KHR_mesh_quantization; skins; sparse accessors; lines and points; more than the limits below.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "berth/math/vec3.h"

namespace berth {

inline constexpr std::size_t kLargestModel = 5'000'000;  // [bytes] of a file

struct GlbModel {
  std::string bytes;       // a .glb with what is drawn, and nothing else
  Vec3<double> low, high;  // corners of the box around it, axes and units of the file
};

// What is wrong with a file, as the rest of a sentence about it: "is cut short: …".
class GlbError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws a GlbError.
GlbModel read_glb(std::string_view file);

}  // namespace berth
