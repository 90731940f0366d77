// SPDX-License-Identifier: Apache-2.0
#pragma once

// Manifest — what a result file holds, and a digest of each dataset, as a text in the file itself.
//
//   /manifest
//     {"manifest":1}
//     {"path":"/time","kind":"numbers","rows":1024,"width":1,"attributes":{"unit":"s"},"sha256":"…"}
//     …                                     one line each, in the order in which they were made
//     {"sha256":"…"}                        of all lines above
//
// Digests are of the bytes that are stored, row by row. They show damage, not malice: who changes a number can
// change its digest too. Whatever a file holds beside what is listed is none of berth's.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace berth {

enum class StoredKind { group, numbers, floats, texts, bytes };

struct ManifestEntry {
  std::string path;
  StoredKind kind = StoredKind::group;
  std::uint64_t rows = 0, width = 1;  // a single text is a list of one
  std::uint64_t length = 0;           // [bytes] of each text
  nlohmann::ordered_json attributes = nlohmann::ordered_json::object();  // texts and whole numbers
  std::string sha256 = {};   // hexadecimal; none: not known
  std::string problem = {};  // why it cannot be read, of a file without digests

  // [bytes] of a row.
  std::uint64_t row_size() const;
};

class Manifest {
 public:
  static constexpr const char* kPath = "/manifest";

  ManifestEntry& add(ManifestEntry entry);  // stays where it is
  const ManifestEntry* find(std::string_view path) const;
  ManifestEntry* find(std::string_view path);
  // In the order in which they were added.
  const std::vector<std::string>& paths() const { return order_; }

  std::string write() const;
  // Throws std::invalid_argument: "its manifest …".
  static Manifest read(std::string_view text);

 private:
  std::map<std::string, ManifestEntry, std::less<>> entries_;
  std::vector<std::string> order_;
};

}  // namespace berth
