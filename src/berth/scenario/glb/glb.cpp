// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/glb/glb.h"

#include <array>
#include <map>
#include <set>

#include "berth/math/rotation.h"
#include "berth/scenario/glb/glb_buffers.h"
#include "berth/scenario/glb/image_size.h"

namespace berth {
namespace {

constexpr int kDeepestNode = 64;
constexpr std::uint32_t kLargestImage = 4096;  // [px] either way

// x_P = R x + t: a node in its parent. R may scale and shear.
struct NodeFrame {
  std::array<double, 9> R{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row by row
  std::array<double, 3> t{};

  std::array<double, 3> operator()(const std::array<double, 3>& x) const {
    std::array<double, 3> out = t;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) out[i] += R[3 * i + k] * x[k];
    return out;
  }
  NodeFrame operator*(const NodeFrame& inner) const {
    NodeFrame out;
    out.R.fill(0);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k) out.R[3 * i + j] += R[3 * i + k] * inner.R[3 * k + j];
    out.t = (*this)(inner.t);
    return out;
  }
};

std::uint64_t to_index(const GltfJson& value, const std::string& who) {
  if (!value.is_number_unsigned()) reject("is damaged: {} names something by no number", who);
  return value.get<std::uint64_t>();
}

// What is drawn: nodes, meshes, materials, textures.
class GlbReader {
 public:
  explicit GlbReader(std::string_view file) : buffers_(file) {}

  GlbModel read() {
    const std::uint64_t chosen = buffers_.root().whole("scene").value_or(0);
    const GltfEntry scene = buffers_.entry("scenes", chosen, "scene");
    GltfJson roots = GltfJson::array();
    if (const GltfJson* nodes = scene.list("nodes"))
      for (const GltfJson& node : *nodes)
        roots.push_back(add_node(to_index(node, scene.who), {}, 1));
    if (corners_ == 0) reject("has nothing to draw: its scene has no triangles");
    GltfJson& out = buffers_.out();
    out["scene"] = 0;
    out["scenes"] = GltfJson::array({GltfJson{{"nodes", roots}}});
    return {buffers_.write(), {low_[0], low_[1], low_[2]}, {high_[0], high_[1], high_[2]}};
  }

 private:
  std::size_t use_image(std::uint64_t i) {
    return buffers_.use("images", i, "image", [&](const GltfEntry& e) {
      GlbBuffers::check_inside(e);
      const std::string kind = e.text("mimeType");
      if (kind != "image/png" && kind != "image/jpeg")
        reject("has an image that is neither PNG nor JPEG ({})", e.who);
      const std::uint64_t view = e.must_have("bufferView");
      const GltfJson out{{"bufferView", buffers_.use_view(view)}, {"mimeType", kind}};
      const auto size = find_image_size(buffers_.bytes_of(view));
      if (!size || size->kind != kind) reject("is damaged: {} is no {}", e.who, kind);
      if (std::max(size->width, size->height) > kLargestImage)
        reject("has an image of {} × {} pixels ({}), at most {} either way", size->width,
               size->height, e.who, kLargestImage);
      return out;
    });
  }

  std::size_t use_texture(std::uint64_t i) {
    return buffers_.use("textures", i, "texture", [&](const GltfEntry& e) {
      GltfJson out{{"source", use_image(e.must_have("source"))}};
      if (e.find("sampler"))
        out["sampler"] =
            buffers_.use("samplers", e.must_have("sampler"), "sampler", [](const GltfEntry& s) {
              GltfJson sampler = GltfJson::object();
              for (const char* key : {"magFilter", "minFilter", "wrapS", "wrapT"})
                if (const auto value = s.whole(key)) sampler[key] = *value;
              return sampler;
            });
      return out;
    });
  }

  std::size_t use_material(std::uint64_t i) {
    return buffers_.use("materials", i, "material", [&](const GltfEntry& e) {
      GltfJson out = GltfJson::object();
      if (const std::optional<GltfEntry> pbr = e.object("pbrMetallicRoughness")) {
        GltfJson& to = out["pbrMetallicRoughness"] = GltfJson::object();
        if (const auto color = pbr->numbers("baseColorFactor", 4)) to["baseColorFactor"] = *color;
        for (const char* key : {"metallicFactor", "roughnessFactor"})
          if (const GltfJson* x = pbr->find(key); x && x->is_number()) to[key] = *x;
        if (const std::optional<GltfEntry> map = pbr->object("baseColorTexture")) {
          if (map->whole("texCoord").value_or(0) != 0)
            reject("is not read: {} has further texture coordinates", map->who);
          to["baseColorTexture"] = {{"index", use_texture(map->must_have("index"))}};
        }
      }
      const std::string alpha = e.text("alphaMode");
      if (alpha == "MASK" || alpha == "BLEND") out["alphaMode"] = alpha;
      return out;
    });
  }

  std::size_t use_mesh(std::uint64_t i) {
    return buffers_.use("meshes", i, "mesh", [&](const GltfEntry& e) {
      const GltfJson* list = e.list("primitives");
      if (!list || list->empty()) reject("is damaged: {} has no primitives", e.who);
      GltfJson out = GltfJson::array();
      Mesh& mesh = meshes_[i];
      for (std::size_t k = 0; k < list->size(); ++k) {
        if (!(*list)[k].is_object())
          reject("is damaged: primitive {} of {} is no object", k, e.who);
        out.push_back(
            add_primitive({(*list)[k], fmt::format("primitive {} of {}", k, e.who)}, mesh));
      }
      return GltfJson{{"primitives", out}};
    });
  }

  struct Mesh {
    std::uint64_t corners = 0;
    std::array<double, 3> low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  };

  GltfJson add_primitive(const GltfEntry& e, Mesh& mesh) {
    const std::uint64_t mode = e.whole("mode").value_or(4);
    if (mode < 4 || mode > 6) reject("has lines or points ({}): only triangles are read", e.who);
    const std::optional<GltfEntry> attributes = e.object("attributes");
    if (!attributes || !attributes->find("POSITION"))
      reject("is damaged: {} has no positions", e.who);
    const GlbBuffers::Accessor position = buffers_.use_accessor(attributes->must_have("POSITION"));
    if (position.width != 3 || position.component == 5125)
      reject("is damaged: the positions of {} are no vectors", e.who);
    GltfJson kept{{"POSITION", position.place}};
    for (const auto& [name, width] : {std::pair{"NORMAL", 3U}, {"TEXCOORD_0", 2U}}) {
      if (!attributes->find(name)) continue;
      const GlbBuffers::Accessor& a = buffers_.use_accessor(attributes->must_have(name));
      if (a.width != width || a.count != position.count || a.component == 5125)
        reject("is damaged: {} of {} does not go with its positions", name, e.who);
      kept[name] = a.place;
    }
    GltfJson out{{"attributes", kept}, {"mode", mode}};
    std::uint64_t corners = position.count;
    if (e.find("indices")) {
      const GlbBuffers::Accessor& a = buffers_.use_accessor(e.must_have("indices"));
      const bool whole = a.component == 5121 || a.component == 5123 || a.component == 5125;
      if (a.width != 1 || !whole || a.normalized)
        reject("is damaged: the indices of {} are no whole numbers", e.who);
      if (a.high[0] >= static_cast<double>(position.count))
        reject("is damaged: {} has the index {} of {} positions", e.who, a.high[0], position.count);
      corners = a.count;
      out["indices"] = a.place;
    }
    if (e.find("material")) out["material"] = use_material(e.must_have("material"));
    mesh.corners += corners;
    // Whole numbers that stand for −1 … 1.
    const double unit = !position.normalized         ? 1
                        : position.component == 5120 ? 127
                        : position.component == 5121 ? 255
                        : position.component == 5122 ? 32767
                        : position.component == 5123 ? 65535
                                                     : 1;
    for (std::size_t c = 0; c < 3; ++c) {
      mesh.low[c] = std::min(mesh.low[c], position.low[c] / unit);
      mesh.high[c] = std::max(mesh.high[c], position.high[c] / unit);
    }
    return out;
  }

  std::size_t add_node(std::uint64_t i, const NodeFrame& parent, int depth) {
    const GltfEntry e = buffers_.entry("nodes", i, "node");
    if (depth > kDeepestNode) reject("is damaged: {} nodes hang on one another", depth);
    if (!seen_.insert(i).second) reject("is damaged: {} hangs on two nodes", e.who);
    if (e.find("skin")) reject("has a skin ({}): a model is rigid", e.who);
    GltfJson out = GltfJson::object();
    const NodeFrame frame = parent * read_frame(e, out);
    if (e.find("mesh")) {
      const std::uint64_t of = e.must_have("mesh");
      out["mesh"] = use_mesh(of);
      add_bounds(meshes_[of], frame, e.who);
    }
    // Its place in the list is known when its children have theirs.
    GltfJson children = GltfJson::array();
    if (const GltfJson* list = e.list("children"))
      for (const GltfJson& child : *list)
        children.push_back(add_node(to_index(child, e.who), frame, depth + 1));
    if (!children.empty()) out["children"] = children;
    GltfJson& nodes = buffers_.out()["nodes"];
    nodes.push_back(std::move(out));
    return nodes.size() - 1;
  }

  static NodeFrame read_frame(const GltfEntry& e, GltfJson& out) {
    NodeFrame f;
    if (const auto m = e.numbers("matrix", 16)) {  // column by column
      out["matrix"] = *m;
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) f.R[3 * r + c] = (*m)[4 * c + r];
        f.t[r] = (*m)[12 + r];
      }
      return f;
    }
    const auto at = e.numbers("translation", 3), q = e.numbers("rotation", 4),
               scale = e.numbers("scale", 3);
    if (at) out["translation"] = *at, f.t = {(*at)[0], (*at)[1], (*at)[2]};
    if (q) {
      const Quaternion<double> turn{(*q)[3], (*q)[0], (*q)[1], (*q)[2]};
      if (std::fabs(norm_squared(turn) - 1) > 0.02)
        reject("is damaged: the rotation of {} is no unit quaternion", e.who);
      out["rotation"] = *q;
      const Mat3<double> R = rotation_matrix(turn);
      f.R = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
    }
    if (scale) {
      out["scale"] = *scale;
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) f.R[3 * r + c] *= (*scale)[c];
    }
    return f;
  }

  void add_bounds(const Mesh& mesh, const NodeFrame& frame, const std::string& who) {
    corners_ += mesh.corners;
    if (corners_ > kMostCorners)
      reject("is too large: over {} corners of triangles are drawn", kMostCorners);
    for (unsigned k = 0; k < 8; ++k) {
      const std::array<double, 3> at =
          frame({(k & 1U ? mesh.high : mesh.low)[0], (k & 2U ? mesh.high : mesh.low)[1],
                 (k & 4U ? mesh.high : mesh.low)[2]});
      for (std::size_t c = 0; c < 3; ++c) {
        if (!(std::fabs(at[c]) < 1e9)) reject("is damaged: {} is infinitely far away", who);
        low_[c] = std::min(low_[c], at[c]), high_[c] = std::max(high_[c], at[c]);
      }
    }
  }

  GlbBuffers buffers_;
  std::map<std::uint64_t, Mesh> meshes_;  // by their old numbers
  std::set<std::uint64_t> seen_;
  std::uint64_t corners_ = 0;
  std::array<double, 3> low_{INFINITY, INFINITY, INFINITY}, high_{-INFINITY, -INFINITY, -INFINITY};
};

}  // namespace

GlbModel read_glb(std::string_view file) { return GlbReader(file).read(); }

}  // namespace berth
