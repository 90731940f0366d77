// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hdf5Storage — the bytes under an HDF5 file, behind a file driver of our own.
//
// HDF5 1.10 cannot live with a write that fails: the file can then not be closed, and the library
// crashes at exit, when it tries once more. So it never hears of it. The first failure is noted here
// for us to find; from then on, what HDF5 writes is kept in memory, where it can read it back. That
// is little, since the file is given up and closed at once. The same holds in a process that was forked
// off: what it writes stays with it, and the file is that of its parent.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth {

class Hdf5Storage {
 public:
  // An open file, of `size` bytes; a new one is empty. It is not closed here.
  explicit Hdf5Storage(int descriptor, std::uint64_t size = 0);
  Hdf5Storage(const Hdf5Storage&) = delete;
  Hdf5Storage& operator=(const Hdf5Storage&) = delete;

  int error() const { return error_; }  // errno of the first failure; 0 when there was none
  std::uint64_t size() const { return size_; }

  void write(std::uint64_t at, const void* bytes, std::size_t count);
  void read(std::uint64_t at, void* bytes, std::size_t count);  // nothing there: zeros
  void resize(std::uint64_t size);

 private:
  struct Piece {
    std::uint64_t at;
    std::vector<std::byte> bytes;
  };

  int descriptor_;
  int owner_;  // the process that opened it
  int error_ = 0;
  std::uint64_t size_ = 0;
  std::vector<Piece> kept_;  // since the failure, oldest first
};

// A property list (hid_t) with which H5Fcreate writes to `storage`, or H5Fopen reads it, whatever file name
// they are given.
std::int64_t make_hdf5_access(Hdf5Storage& storage);

}  // namespace berth
