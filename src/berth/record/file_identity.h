// SPDX-License-Identifier: Apache-2.0
#pragma once

// FileIdentity — which file a name stands for: the same for all names of one, be they hard or symbolic links,
// or names of a file that is not there yet.

#include <cstdint>
#include <filesystem>

namespace berth {

// Where a chain of symbolic links ends, whether there is a file or not.
std::filesystem::path follow_links(std::filesystem::path path);

struct FileIdentity {
  bool exists = false;
  std::uint64_t device = 0, inode = 0;
  std::filesystem::path path{};  // without links, from the root

  static FileIdentity find(const std::filesystem::path& path);
};

// A name whose file was replaced meanwhile is that of the same file.
bool are_same(const FileIdentity& a, const FileIdentity& b);

}  // namespace berth
