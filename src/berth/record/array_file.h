// SPDX-License-Identifier: Apache-2.0
#pragma once

// Named arrays as a file that other programs read, by its extension:
//
//   .mat    MATLAB level 5, uncompressed: Octave, MATLAB, scipy.io.loadmat
//   .npz    numpy.load
//   .h5     one dataset each
//   .json   rows as lists
//
// The same arrays give the same bytes.

#include <filesystem>
#include <string>
#include <vector>

namespace berth {

// Numbers, or texts.
struct NamedArray {
  std::string name;
  std::size_t rows = 0, columns = 1;
  std::vector<double> numbers;  // row-major
  std::vector<std::string> texts = {};

  bool is_text() const { return numbers.empty() && !texts.empty(); }
};

// Throws std::invalid_argument for another extension, a RecordError when it cannot be written.
void write_arrays(const std::filesystem::path& file, const std::vector<NamedArray>& arrays);
// The extensions, for messages.
std::string list_array_formats();
bool is_array_file(const std::filesystem::path& file);

// As the members of one JSON object.
std::string to_json(const std::vector<NamedArray>& arrays);

}  // namespace berth
