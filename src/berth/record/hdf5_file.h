// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hdf5File — as much of HDF5 as a result file needs, and a manifest of what is in it.
//
//   bytes 0…511    a line that says what this is (HDF5's user block)
//   from 512 on    HDF5
//
// What begins with HDF5 itself was written by 0.1.0 or by somebody else, and has no digests to check. Chunks have
// checksums (Fletcher-32) that every HDF5 checks; texts, attributes among them, are of fixed length and
// links lie in their groups, which leaves damage little that the library would follow.
//
// The same calls give the same bytes: no times are stored, and the layout is pinned to that of
// HDF5 1.8, which every MATLAB, Octave and h5py in use can read. Every failure is a RecordError;
// nothing is printed. Groups list their members in the order of creation.
//
// Files may be written in several threads at once, each of them by one; HDF5 is used in turns.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/compile/digest.h"
#include "berth/record/manifest.h"

namespace berth {

class Hdf5Storage;

inline constexpr std::uint64_t kUserBlock = 512;  // bytes before HDF5 in our files

// Where HDF5 begins in a file that starts with these bytes: 0, or behind our user block. Nothing: nowhere.
std::optional<std::uint64_t> find_hdf5(std::string_view start);

// Makes the library ready, and keeps it from closing what it finds open when the process ends. For programs, as the
// first call of all; who uses the library beside others leaves that to it.
bool prepare_hdf5();
// Whether this thread is in one of its functions.
bool is_in_hdf5();

// Something HDF5 counts references of (an hid_t); given back at the end.
class Hdf5Id {
 public:
  Hdf5Id() = default;
  explicit Hdf5Id(std::int64_t id) : id_(id) {}
  ~Hdf5Id();
  Hdf5Id(Hdf5Id&& other) noexcept : id_(other.release()) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept;

  std::int64_t get() const { return id_; }
  std::int64_t release() { return std::exchange(id_, -1); }

 private:
  std::int64_t id_ = -1;
};

// How many digits of a number are kept: those of a double, or of a float, which takes half the place.
enum class Precision { full, single };

// A dataset [n], or [n×width] when width > 1, filled from the top down. Must be gone before its file is closed.
struct Hdf5Column {
  std::string path;
  Hdf5Id type, dataset;
  std::uint64_t width, rows = 0;
  bool grows;
  Precision precision = Precision::full;
};

class Hdf5File {
 public:
  // Writes to an open, empty file, which stays open. `name` is for messages.
  Hdf5File(int descriptor, std::string name);
  ~Hdf5File();

  void add_group(const std::string& path);

  // A table of doubles that grows, stored in chunks of `chunk_rows`, each of them whole …
  Hdf5Column add_growing_numbers(const std::string& path, int width, int chunk_rows,
                                 Precision precision = Precision::full);
  // … or one of exactly `rows` rows, stored in one piece.
  Hdf5Column add_numbers(const std::string& path, int width, std::uint64_t rows,
                         Precision precision = Precision::full);
  void append(Hdf5Column& column, std::span<const double> values);

  // Texts of up to `length` bytes, padded with zeros. (Octave cannot read texts of variable length,
  // nor any that are marked as UTF-8; those that are ASCII should be marked as such.)
  Hdf5Column add_texts(const std::string& path, std::size_t length, bool ascii, std::uint64_t rows);
  void append(Hdf5Column& column, std::span<const std::string> texts);

  void add_text(const std::string& path, std::string_view text);  // a single one
  void add_bytes(const std::string& path, std::string_view bytes);

  void add_attribute(const std::string& path, const char* name, const std::string& text);
  void add_attribute(const std::string& path, const char* name, std::int64_t number);

  // The manifest is written, and all is now with the operating system. Columns must be gone before.
  void close();

 private:
  // What is entered in the manifest says what is made.
  Hdf5Column add_column(const ManifestEntry& entry, Hdf5Id type, int chunk_rows);
  void append_bytes(Hdf5Column& column, std::string_view bytes, std::uint64_t rows);
  void write_attribute(const std::string& path, const char* name, const Hdf5Id& type,
                       const void* value);
  Hdf5Id make_group_properties(std::int64_t kind) const;
  void write_text(const std::string& path, std::string_view bytes);
  std::int64_t check(std::int64_t answer, std::string_view what) const;

  std::string name_;
  std::unique_ptr<Hdf5Storage> storage_;
  Hdf5Id file_, link_names_;
  Manifest manifest_;
  std::map<std::string, Sha256, std::less<>> digests_;  // of what was written so far
  std::vector<float> floats_;
  std::string texts_;
};

inline bool is_ascii(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
}

}  // namespace berth
