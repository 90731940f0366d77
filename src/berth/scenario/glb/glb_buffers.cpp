// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/glb/glb_buffers.h"

#include <bit>

namespace berth {
namespace {

constexpr std::size_t kLargestJson = 1 << 20;  // [bytes]
constexpr int kDeepestJson = 32;
constexpr std::uint32_t kJson = 0x4E4F534A, kBin = 0x004E4942;

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t k = 0; k < 4; ++k)
    out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  return out;
}

void append_u32(std::string& to, std::size_t value) {
  for (int k = 0; k < 4; ++k) to += static_cast<char>((value >> (8 * k)) & 0xFF);
}

void fill_up(std::string& bytes, char with) {
  while (bytes.size() % 4 != 0) bytes += with;
}

int find_depth(std::string_view json) {
  int depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

struct ComponentType {
  std::uint64_t number;
  std::size_t size;  // [bytes]
  bool is_signed;
};
constexpr ComponentType kComponentTypes[] = {{5120, 1, true},  {5121, 1, false}, {5122, 2, true},
                                             {5123, 2, false}, {5125, 4, false}, {5126, 4, true}};
constexpr std::uint64_t kFloat = 5126;

double read_number(std::string_view bytes, const ComponentType& type, std::size_t at) {
  std::uint32_t raw = 0;
  for (std::size_t k = 0; k < type.size; ++k)
    raw |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) << (8 * k);
  if (type.number == kFloat) return std::bit_cast<float>(raw);
  if (type.size == 1)
    return type.is_signed ? static_cast<std::int8_t>(raw) : static_cast<double>(raw);
  if (type.size == 2)
    return type.is_signed ? static_cast<std::int16_t>(raw) : static_cast<double>(raw);
  return raw;
}

}  // namespace

GlbBuffers::GlbBuffers(std::string_view file) {
  split(file);
  parse();
  check_head();
}

void GlbBuffers::split(std::string_view file) {
  const std::size_t size = file.size();
  if (size > kLargestModel)
    reject("is too large: a model has at most {} MB", kLargestModel / 1'000'000);
  if (size < 12 || !file.starts_with("glTF")) reject("is not a binary glTF file (.glb)");
  if (read_u32(file, 4) != 2) reject("is glTF of version {}, not 2", read_u32(file, 4));
  if (read_u32(file, 8) != size)
    reject("is damaged: its header says {} bytes, there are {}", read_u32(file, 8), size);
  std::size_t at = 12;
  for (int chunk = 0; at < size; ++chunk) {
    if (size - at < 8) reject("is cut short: chunk {} has no header", chunk);
    const std::uint32_t length = read_u32(file, at), type = read_u32(file, at + 4);
    at += 8;
    if (length > size - at)
      reject("is cut short: chunk {} has {} bytes, {} are there", chunk, length, size - at);
    if (length % 4 != 0) reject("is damaged: chunk {} has {} bytes", chunk, length);
    if ((chunk == 0) != (type == kJson)) reject("is damaged: its first chunk is not its JSON");
    if (chunk == 0) text_ = file.substr(at, length);
    if (chunk == 1 && type == kBin) bin_ = file.substr(at, length);
    at += length;
  }
}

void GlbBuffers::parse() {
  if (text_.size() > kLargestJson) reject("is too large: over {} MB of JSON", kLargestJson >> 20);
  if (find_depth(text_) > kDeepestJson)
    reject("is damaged: its JSON is nested over {} deep", kDeepestJson);
  json_ = GltfJson::parse(text_, nullptr, false);
  if (!json_.is_object()) reject("is damaged: its JSON cannot be read");
}

void GlbBuffers::check_head() {
  const std::optional<GltfEntry> asset = root().object("asset");
  if (!asset || !asset->text("version").starts_with("2."))
    reject("is not glTF 2: its asset has another version, or none");
  if (const GltfJson* needed = root().list("extensionsRequired"))
    for (const GltfJson& extension : *needed) {
      if (extension != "KHR_mesh_quantization")
        reject("requires the extension {}, which is not read: export it without",
               extension.is_string() ? extension.get<std::string>().substr(0, 60) : "?");
      out_["extensionsUsed"] = out_["extensionsRequired"] = GltfJson::array({extension});
    }
  if (const GltfJson* buffers = root().list("buffers")) {
    for (std::size_t i = 0; i < buffers->size(); ++i) check_inside(entry("buffers", i, "buffer"));
    if (buffers->size() > 1) reject("has {} buffers: a .glb has one", buffers->size());
    buffer_ = entry("buffers", 0, "buffer").must_have("byteLength");
    if (buffer_ > bin_.size())
      reject("is cut short: buffer 0 has {} bytes, {} are there", buffer_, bin_.size());
  }
}

GltfEntry GlbBuffers::entry(const char* list, std::uint64_t i, const char* word) const {
  const GltfJson* all = root().list(list);
  if (!all || i >= all->size())
    reject("is damaged: there is no {} {} of {}", word, i, all ? all->size() : 0);
  if (!(*all)[i].is_object()) reject("is damaged: {} {} is no object", word, i);
  return {(*all)[i], fmt::format("{} {}", word, i)};
}

std::size_t GlbBuffers::use_view(std::uint64_t i) {
  return use("bufferViews", i, "buffer view", [&](const GltfEntry& e) {
    if (e.must_have("buffer") != 0) reject("is damaged: {} is of another buffer", e.who);
    const std::uint64_t from = e.whole("byteOffset").value_or(0),
                        length = e.must_have("byteLength");
    if (from > buffer_ || length > buffer_ - from || length == 0)
      reject("is damaged: {} (bytes {} to {}+{}) is not inside the buffer of {} bytes", e.who, from,
             from, length, buffer_);
    const std::optional<std::uint64_t> stride = e.whole("byteStride");
    if (stride && (*stride < 4 || *stride > 252 || *stride % 4 != 0))
      reject("is damaged: {} has a stride of {} bytes", e.who, *stride);
    fill_up(bin_out_, '\0');
    const std::size_t begin = bin_out_.size();
    bin_out_ += bin_.substr(from, length);
    // Some readers want the last element with its gap.
    while (stride && (bin_out_.size() - begin) % *stride != 0) bin_out_ += '\0';
    if (bin_out_.size() > kLargestModel) reject("is too large: its buffer views overlap");
    views_[i] = {begin, bin_out_.size() - begin, stride.value_or(0)};
    GltfJson view{{"buffer", 0}, {"byteOffset", begin}, {"byteLength", bin_out_.size() - begin}};
    if (stride) view["byteStride"] = *stride;
    return view;
  });
}

const GlbBuffers::Accessor& GlbBuffers::use_accessor(std::uint64_t i) {
  use("accessors", i, "accessor", [&](const GltfEntry& e) {
    if (e.find("sparse")) reject("has a sparse accessor ({}), which is not read", e.who);
    Accessor a{};
    a.place = out_.contains("accessors") ? out_["accessors"].size() : 0;
    a.count = e.must_have("count");
    a.component = e.must_have("componentType");
    const GltfJson* normalized = e.find("normalized");
    a.normalized = normalized && *normalized == true;
    const auto type = std::find_if(std::begin(kComponentTypes), std::end(kComponentTypes),
                                   [&](const ComponentType& c) { return c.number == a.component; });
    if (type == std::end(kComponentTypes))
      reject("is damaged: {} has no such component type: {}", e.who, a.component);
    const std::string shape = e.text("type");
    a.width = shape == "SCALAR" ? 1
              : shape == "VEC2" ? 2
              : shape == "VEC3" ? 3
              : shape == "VEC4" ? 4
                                : 0;
    if (a.width == 0) reject("is damaged: {} is no number and no vector", e.who);
    if (!e.find("bufferView")) reject("is damaged: {} has no bufferView", e.who);
    const std::uint64_t of = e.must_have("bufferView"), from = e.whole("byteOffset").value_or(0);
    const std::size_t view = use_view(of), element = a.width * type->size;
    const View& v = views_[of];
    const std::uint64_t stride = v.stride > 0 ? v.stride : element;
    if (a.count == 0 || a.count > kMostCorners || (stored_ += a.count) > kMostCorners)
      reject("is too large, or damaged: {} has {} elements", e.who, a.count);
    if (stride < element || from % type->size != 0 || stride % type->size != 0 || from > v.length ||
        element > v.length - from || (a.count - 1) * stride > v.length - from - element)
      reject("is damaged: {} reaches beyond its buffer view, or between its numbers", e.who);
    a.low.fill(INFINITY), a.high.fill(-INFINITY);
    for (std::uint64_t k = 0; k < a.count; ++k)
      for (std::size_t c = 0; c < a.width; ++c) {
        const double x = read_number(bin_out_, *type, v.begin + from + k * stride + c * type->size);
        if (!std::isfinite(x)) reject("is damaged: {} holds what is no number", e.who);
        a.low[c] = std::min(a.low[c], x), a.high[c] = std::max(a.high[c], x);
      }
    GltfJson out{{"bufferView", view},
                 {"byteOffset", from},
                 {"componentType", a.component},
                 {"count", a.count},
                 {"type", shape}};
    if (a.normalized) out["normalized"] = true;
    if (a.width == 3) {  // of positions they must be there
      out["min"] = {a.low[0], a.low[1], a.low[2]};
      out["max"] = {a.high[0], a.high[1], a.high[2]};
    }
    accessors_[i] = a;
    return out;
  });
  return accessors_[i];
}

std::string GlbBuffers::write() {
  out_["asset"] = {{"version", "2.0"}};
  out_["buffers"] = GltfJson::array({GltfJson{{"byteLength", bin_out_.size()}}});
  std::string text = out_.dump();
  fill_up(text, ' ');
  fill_up(bin_out_, '\0');
  std::string out = "glTF";
  append_u32(out, 2);
  append_u32(out, 12 + 8 + text.size() + 8 + bin_out_.size());
  append_u32(out, text.size());
  append_u32(out, kJson);
  out += text;
  append_u32(out, bin_out_.size());
  append_u32(out, kBin);
  return out += bin_out_;
}

}  // namespace berth
