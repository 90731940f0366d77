// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hdf5Source — the side of an Hdf5Reader that touches the file, in a process of its own (Apart).
//
// Every dataset is held against the manifest before it is read: kind, shape, attributes and size on the disk, then
// the digest of its bytes. Where there is no manifest, a dataset may be as large as the file that holds it, or
// 64 times as large when it is compressed; data in other files, links to anything and virtual
// datasets are refused.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "berth/compile/digest.h"
#include "berth/record/hdf5_file.h"
#include "berth/record/hdf5_question.h"
#include "berth/record/hdf5_storage.h"

namespace berth {

class Hdf5Source {
 public:
  // An open file. Throws std::runtime_error, as does all else: "is damaged: …".
  Hdf5Source(int descriptor, std::uint64_t size);

  std::string answer(std::string_view question);

 private:
  struct Dataset {
    Hdf5Id id, type;
    ManifestEntry entry;
    std::uint64_t checked = 0;  // rows
    Sha256 digest;
    bool is_checked = false;
  };

  // work(), or why the file could not be read.
  template <class Work>
  auto explain(const Work& work);
  void open_file();
  std::string find_answer(std::string_view question);
  Manifest find_manifest();
  Manifest walk();
  void walk_group(Manifest& found, const std::string& path, int depth);
  nlohmann::ordered_json read_attributes(const Hdf5Id& object, const std::string& path) const;
  Dataset open(const std::string& path) const;
  // That is listed, like the list.
  Dataset& find_dataset(const std::string& path);
  bool check_more(Dataset& dataset);
  std::string read(const Dataset& dataset, const Hdf5Question& q, bool as_doubles) const;
  std::string list_foreign();

  std::uint64_t size_;  // [bytes] of the file
  Hdf5Storage storage_;
  Hdf5Id file_;
  Manifest manifest_;
  bool has_manifest_ = false;
  std::map<std::string, Dataset, std::less<>> datasets_;  // that were asked for
};

}  // namespace berth
