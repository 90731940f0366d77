// SPDX-License-Identifier: Apache-2.0
#include "berth/record/manifest.h"

#include <array>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/compile/digest.h"
#include "berth/record/json_text.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kKinds{"group", "numbers", "floats", "texts", "bytes"};

[[noreturn]] void refuse(std::string_view why) {
  throw std::invalid_argument(fmt::format("is damaged: its /manifest {}", why));
}

Json to_json(const ManifestEntry& e) {
  Json out{{"path", e.path}, {"kind", kKinds[static_cast<std::size_t>(e.kind)]}};
  if (e.kind != StoredKind::group) {
    out["rows"] = e.rows;
    out["width"] = e.width;
  }
  if (e.kind == StoredKind::texts) out["length"] = e.length;
  if (!e.attributes.empty()) out["attributes"] = e.attributes;
  if (!e.sha256.empty()) out["sha256"] = e.sha256;
  if (!e.problem.empty()) out["problem"] = e.problem;
  return out;
}

std::uint64_t read_count(const Json& line, const char* key, std::uint64_t otherwise) {
  const auto at = line.find(key);
  return at == line.end() ? otherwise : read_whole(*at);
}

ManifestEntry read_entry(const Json& line) {
  ManifestEntry e;
  line.at("path").get_to(e.path);
  const auto kind = line.at("kind").get<std::string>();
  std::size_t k = 0;
  while (k < kKinds.size() && kind != kKinds[k]) ++k;
  if (k == kKinds.size()) refuse("names a kind of data that there is not");
  e.kind = static_cast<StoredKind>(k);
  e.rows = read_count(line, "rows", 0);
  e.width = read_count(line, "width", 1);
  e.length = read_count(line, "length", 0);
  e.attributes = line.value("attributes", Json::object());
  e.sha256 = line.value("sha256", "");
  e.problem = line.value("problem", "");
  // No product of these is beyond what an integer holds.
  constexpr std::uint64_t kMost = 1ULL << 56;
  const bool is_texts = e.kind == StoredKind::texts;
  if (!e.attributes.is_object() || e.width < 1 || e.width > kMost / 8 ||
      is_texts != (e.length > 0) || e.length > kMost ||
      (e.rows > 0 && e.row_size() > kMost / e.rows))
    refuse(fmt::format("has a shape for {} that cannot be", e.path));
  return e;
}

}  // namespace

std::uint64_t ManifestEntry::row_size() const {
  switch (kind) {
    case StoredKind::group: return 0;
    case StoredKind::numbers: return 8 * width;
    case StoredKind::floats: return 4 * width;
    case StoredKind::texts: return length;
    case StoredKind::bytes: return 1;
  }
  return 0;
}

ManifestEntry& Manifest::add(ManifestEntry entry) {
  const auto [at, is_new] = entries_.emplace(entry.path, entry);
  if (!is_new) throw std::invalid_argument(fmt::format("there is a {} already", entry.path));
  order_.push_back(entry.path);
  return at->second;
}

const ManifestEntry* Manifest::find(std::string_view path) const {
  const auto at = entries_.find(path);
  return at == entries_.end() ? nullptr : &at->second;
}
ManifestEntry* Manifest::find(std::string_view path) {
  const auto at = entries_.find(path);
  return at == entries_.end() ? nullptr : &at->second;
}

std::string Manifest::write() const {
  std::string out = "{\"manifest\":1}\n";
  for (const std::string& path : order_)
    out += to_ascii(to_text(to_json(entries_.at(path)))) + "\n";
  return out + fmt::format("{{\"sha256\":\"{}\"}}\n", find_sha256(out));
}

Manifest Manifest::read(std::string_view text) {
  if (text.empty() || text.back() != '\n') refuse("is cut short");
  const std::size_t last = text.rfind('\n', text.size() - 2);
  if (last == std::string_view::npos) refuse("is cut short");
  const std::string_view above = text.substr(0, last + 1);
  if (text.substr(last + 1) != fmt::format("{{\"sha256\":\"{}\"}}\n", find_sha256(above)))
    refuse("is not what was written: its digest differs");
  Manifest out;
  std::size_t from = above.find('\n') + 1;
  if (above.substr(0, from) != "{\"manifest\":1}\n") refuse("is of a later version of berth");
  try {
    for (std::size_t end = 0; from < above.size(); from = end + 1) {
      end = above.find('\n', from);
      out.add(read_entry(Json::parse(above.substr(from, end - from))));
    }
  } catch (const Json::exception& e) {
    refuse(e.what());
  }
  return out;
}

}  // namespace berth
