// SPDX-License-Identifier: Apache-2.0
#pragma once

// CacheFolder — entries of bytes under a key, in a folder that belongs to the user alone.
//
//   folder     mode 0700, owned by the user, no symbolic link: what is loaded from it becomes code of this
//              process. Any other folder is refused, and a temporary one of this process used instead
//   entry      a file of its own, <key>.berth: a header with the digest of the bytes, the bytes
//   writing    to a temporary name, then renamed: nobody sees a part of an entry
//   reading    bytes whose digest is another are no entry
//   capacity   of all entries; those that were not used for longest are removed

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "berth/compile/temporary_folder.h"

namespace berth {

// $BERTH_CACHE, else $XDG_CACHE_HOME/berth, else ~/.cache/berth; empty if there is no home.
std::filesystem::path find_cache_folder();
// [bytes] $BERTH_CACHE_SIZE in MB (10⁶ bytes), 512 MB unless set. Throws std::invalid_argument if that is
// no number.
std::uint64_t find_cache_capacity();

class CacheFolder {
 public:
  CacheFolder(const std::filesystem::path& folder, std::uint64_t capacity);
  ~CacheFolder();
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Why the folder asked for is not used; empty if it is.
  const std::string& refusal() const { return refusal_; }

  // key: 64 hexadecimal digits.
  std::optional<std::string> read(const std::string& key) const;
  // An entry that cannot be written, as on a full disk, is none.
  void write(const std::string& key, const std::string& bytes) const;

 private:
  void make_room() const;

  std::filesystem::path path_;
  std::string refusal_;
  std::uint64_t capacity_;
  std::optional<TemporaryFolder> temporary_;
  int folder_ = -1;  // open: what is checked once stays the same
};

}  // namespace berth
