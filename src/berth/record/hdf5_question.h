// SPDX-License-Identifier: Apache-2.0
#pragma once

// What Hdf5Reader asks the process that reads a file for it (Hdf5Source):
//
//   list      the manifest of the file, or where it has none, one that was made of what was found: no digests
//   check     the next part of the digest of `path`; the answer is "1" when it is through
//   read      `rows` rows from `first` on, every `stride`-th of them, and of each `columns` columns from `column`
//             on; numbers as doubles, texts and bytes as they are stored
//   foreign   paths that the manifest does not list, each with a zero behind it

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace berth {

struct Hdf5Question {
  enum class What : std::uint64_t { list, check, read, foreign };
  What what = What::list;
  std::uint64_t first = 0, rows = 0, stride = 1, column = 0, columns = 1;

  std::string write(std::string_view path = {}) const {
    std::string out(sizeof *this, '\0');
    std::memcpy(out.data(), this, sizeof *this);
    return out.append(path);
  }
};

// Never more than so many bytes at once, unless a single row is longer.
inline constexpr std::uint64_t kMostBytesAtOnce = 8 << 20;

}  // namespace berth
