// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hdf5Reader — reads back what an Hdf5File has written. What is not there, or is something else, is
// a RecordError.

#include <filesystem>
#include <string>
#include <vector>

#include "berth/record/hdf5_file.h"

namespace berth {

class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& file);

  const std::string& name() const { return name_; }
  bool has(const std::string& path) const;
  bool is_text(const std::string& path) const;
  // Names in a group, in the order they were put in.
  std::vector<std::string> members(const std::string& path) const;
  // The text of an attribute of a dataset; empty when there is none.
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

 private:
  Hdf5Id open(const std::string& path) const;
  // The type of a dataset of texts of fixed length.
  Hdf5Id find_text_type(const Hdf5Id& dataset, const std::string& path) const;
  std::size_t count(const Hdf5Id& dataset, const std::string& path) const;
  std::int64_t check(std::int64_t answer, const std::string& what) const;

  std::string name_;
  Hdf5Id file_;
};

}  // namespace berth
