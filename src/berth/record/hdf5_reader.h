// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hdf5Reader — reads back what an Hdf5File has written. What is not there, is something else, or is not what was
// written, is a RecordError that names it.
//
// Result files are mailed: HDF5 reads them in a process of its own (Apart, Hdf5Source), and what comes from there is
// no longer than was asked for. A dataset is read when its digest has been found to be that of the manifest.
// Files without a manifest, those of 0.1.0 among them, are read all the same: they are not verified.

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "berth/record/apart.h"
#include "berth/record/hdf5_question.h"
#include "berth/record/manifest.h"

namespace berth {

class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& file);

  const std::string& name() const { return name_; }
  // Whether there are digests to hold what is read against.
  bool is_verified() const { return is_verified_; }
  const Manifest& manifest() const { return manifest_; }
  // A sentence for the user when there are none; empty otherwise.
  std::string warning() const;

  bool has(const std::string& path) const { return manifest_.find(path) != nullptr; }
  bool is_text(const std::string& path) const;
  // Names in a group, in the order they were put in.
  std::vector<std::string> members(const std::string& path) const;
  // The text of an attribute; empty when there is none.
  std::string attribute(const std::string& path, const char* name) const;

  // Rows and numbers in a row; a list has rows of one.
  struct Extent {
    std::uint64_t rows, width;
  };
  Extent extent(const std::string& path) const;
  // `count` rows from `first` on, every `stride`-th of them.
  std::vector<double> rows(const std::string& path, std::uint64_t first, std::uint64_t count,
                           std::uint64_t stride = 1) const;

  // `count` columns of a table from `first` on, each from the top down.
  std::vector<std::vector<double>> columns(const std::string& path, std::uint64_t first,
                                           std::uint64_t count) const;

  // A dataset of any shape, row by row; a single value is a list of one.
  std::vector<double> numbers(const std::string& path) const;
  std::vector<std::string> texts(const std::string& path) const;
  // `count` texts of a list from `first` on.
  std::vector<std::string> text_rows(const std::string& path, std::uint64_t first,
                                     std::uint64_t count) const;
  // A list of bytes, of `most` at most.
  std::string bytes(const std::string& path, std::size_t most) const;

  // Throws where a dataset is not what was written. Reading does so too.
  void verify(const std::string& path) const;
  // What is in the file and none of berth's.
  std::vector<std::string> foreign() const;

 private:
  const ManifestEntry& find(const std::string& path) const;
  const ManifestEntry& find_numbers(const std::string& path) const;
  std::string ask(const Hdf5Question& question, const std::string& path, std::uint64_t most) const;
  // Calls take(bytes, rows) for one part after the other.
  template <class Take>
  void read(const ManifestEntry& entry, Hdf5Question question, std::uint64_t row_size,
            Take&& take) const;

  std::string name_;
  std::unique_ptr<Apart> apart_;
  Manifest manifest_;
  bool is_verified_ = false;
  mutable std::mutex alone_;
  mutable std::set<std::string> checked_;
};

}  // namespace berth
