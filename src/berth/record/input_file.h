// SPDX-License-Identifier: Apache-2.0
#pragma once

// InputFile — a file that is read, whatever it is read for: a scenario, a model, a table, a key, a journal.
//
//   InputFile in("approach.toml", "scenario");
//   if (!in.problem().empty()) …                  // "there is no such file", "is a pipe, not a file: …"
//   const std::string text = in.read(kLargest);
//
// Only regular files are: a pipe or a device could keep its reader waiting for ever, or give another text the
// next time. Nothing waits here, and what is checked is what is read.
//
// A program remembers what it reads, so that it writes over none of it (program/output_list.h).

#include <filesystem>
#include <string>
#include <vector>

#include "berth/record/file_identity.h"

namespace berth {

class InputFile {
 public:
  // `role`: what it is to the command, as in "is the scenario itself"; empty: nothing to remember.
  InputFile(const std::filesystem::path& path, const std::string& role);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Why it cannot be read; empty when it can.
  const std::string& problem() const { return problem_; }
  bool is_missing() const { return is_missing_; }
  int descriptor() const { return descriptor_; }

  // The next bytes, `most` at most. Empty with a problem when they cannot be read.
  std::string read(std::size_t most);

 private:
  void open(const std::filesystem::path& path, const std::string& role);
  void refuse(int cause);

  int descriptor_ = -1;
  bool is_missing_ = false;
  std::string problem_;
};

// Why this kind of file is not read, as "is a folder, not a file"; empty of a regular one.
std::string find_kind_problem(unsigned mode);

// The lines of an open file from its beginning on; where it is open for writing too, its place is left alone.
class LineReader {
 public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}
  // False behind the last line that has an end; `line` is what follows it.
  bool next(std::string& line);
  // The errno of what could not be read, which seems to be the end of the file; 0 when it is.
  int error() const { return error_; }

 private:
  int descriptor_;
  int error_ = 0;
  std::uint64_t at_ = 0;
  std::string block_;
  std::size_t from_ = 0;  // in the block
};

struct KnownInput {
  std::string role, name;
  FileIdentity identity;
};
// From here on what is read is remembered.
void remember_inputs();
// For files that others open, such as the HDF5 library.
void note_input(const std::string& role, const std::filesystem::path& path);
std::vector<KnownInput> list_inputs();

}  // namespace berth
