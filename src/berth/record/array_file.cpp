// SPDX-License-Identifier: Apache-2.0
#include "berth/record/array_file.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/record/hdf5_file.h"
#include "berth/record/json_text.h"
#include "berth/record/part_file.h"

namespace berth {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are stored");

template <class Number>
void put(std::string& out, Number n) {
  char bytes[sizeof n];
  std::memcpy(bytes, &n, sizeof n);
  out.append(bytes, sizeof n);
}

// UTF-8 as code points; bytes that are none become U+FFFD.
std::u32string decode(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char b = byte(i);
    const std::size_t length = b < 0x80       ? 1
                               : b >> 5 == 6  ? 2
                               : b >> 4 == 14 ? 3
                               : b >> 3 == 30 ? 4
                                              : 0;
    char32_t c = length == 1 ? b : b & (0x7f >> length);
    bool whole = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; whole && k < length; ++k) {
      whole = byte(i + k) >> 6 == 2;
      c = c << 6 | (byte(i + k) & 0x3f);
    }
    out.push_back(whole ? c : U'\uFFFD');
    i += whole ? length : 1;
  }
  return out;
}

// --- .mat ----------------------------------------------------------------------------------------

enum MatType : std::uint32_t {
  mat_int8 = 1,
  mat_uint16 = 4,
  mat_int32 = 5,
  mat_uint32 = 6,
  mat_double = 9,
  mat_matrix = 14
};
enum MatClass : std::uint32_t { mat_cells = 1, mat_chars = 4, mat_doubles = 6 };

std::string mat_element(MatType type, std::string bytes) {
  std::string out;
  put<std::uint32_t>(out, type);
  put<std::uint32_t>(out, static_cast<std::uint32_t>(bytes.size()));
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return out + bytes;
}
std::string mat_array(const std::string& name, MatClass kind, std::size_t rows, std::size_t columns,
                      const std::string& content) {
  std::string flags, size;
  put<std::uint32_t>(flags, kind);
  put<std::uint32_t>(flags, 0);
  put<std::int32_t>(size, static_cast<std::int32_t>(rows));
  put<std::int32_t>(size, static_cast<std::int32_t>(columns));
  return mat_element(mat_matrix, mat_element(mat_uint32, flags) + mat_element(mat_int32, size) +
                                     mat_element(mat_int8, name) + content);
}
std::string mat_text(const std::string& text) {
  std::string units;
  const std::u32string points = decode(text);
  for (const char32_t c : points) put(units, static_cast<std::uint16_t>(c < 0x10000 ? c : 0xfffd));
  return mat_array("", mat_chars, points.empty() ? 0 : 1, points.size(),
                   mat_element(mat_uint16, units));
}
std::string to_mat(const std::vector<NamedArray>& arrays) {
  std::string out = "MATLAB 5.0 MAT-file, written by berth";
  out.resize(124, ' ');
  put<std::uint16_t>(out, 0x0100);
  out += "IM";
  for (const NamedArray& a : arrays) {
    std::string content;
    if (a.is_text()) {
      for (const std::string& text : a.texts) content += mat_text(text);
      out += mat_array(a.name, mat_cells, a.texts.size(), 1, content);
    } else {
      for (std::size_t j = 0; j < a.columns; ++j)
        for (std::size_t i = 0; i < a.rows; ++i) put(content, a.numbers[i * a.columns + j]);
      out += mat_array(a.name, mat_doubles, a.rows, a.columns, mat_element(mat_double, content));
    }
  }
  return out;
}

// --- .npz ----------------------------------------------------------------------------------------

std::string to_npy(const NamedArray& a) {
  std::string type = "<f8", shape = fmt::format("({}, {})", a.rows, a.columns), content;
  if (a.is_text()) {
    std::vector<std::u32string> texts;
    std::size_t longest = 1;
    for (const std::string& text : a.texts) {
      texts.push_back(decode(text));
      longest = std::max(longest, texts.back().size());
    }
    for (std::u32string& text : texts) {
      text.resize(longest);
      for (const char32_t c : text) put(content, static_cast<std::uint32_t>(c));
    }
    type = fmt::format("<U{}", longest);
    shape = fmt::format("({},)", a.texts.size());
  } else {
    if (a.columns == 1) shape = fmt::format("({},)", a.rows);
    for (const double x : a.numbers) put(content, x);
  }
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  header.resize((10 + header.size()) / 64 * 64 + 64 - 10, ' ');
  header.back() = '\n';
  std::string out = "\x93NUMPY";
  out += '\x01';
  out += '\0';
  put(out, static_cast<std::uint16_t>(header.size()));
  return out + header + content;
}

// Of zip: x³² + x²⁶ + …, reflected.
std::uint32_t find_crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (0xedb88320 & (0U - (crc & 1U)));
  }
  return ~crc;
}

// A zip of stored members, without times.
std::string to_npz(const std::vector<NamedArray>& arrays) {
  std::string out, directory;
  for (const NamedArray& a : arrays) {
    const std::string name = a.name + ".npy", bytes = to_npy(a);
    std::string facts;  // what the member and the directory both say
    for (const int word : {20, 0, 0, 0, 0x21}) put(facts, static_cast<std::uint16_t>(word));
    put(facts, find_crc32(bytes));
    put(facts, static_cast<std::uint32_t>(bytes.size()));
    put(facts, static_cast<std::uint32_t>(bytes.size()));
    put(facts, static_cast<std::uint16_t>(name.size()));
    put<std::uint16_t>(facts, 0);
    directory += "PK\x01\x02";
    put<std::uint16_t>(directory, 20);
    directory += facts;
    for (int k = 0; k < 5; ++k) put<std::uint16_t>(directory, 0);
    put(directory, static_cast<std::uint32_t>(out.size()));
    directory += name;
    out += "PK\x03\x04" + facts + name + bytes;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  out += directory + "PK\x05\x06";
  put<std::uint32_t>(out, 0);
  for (int k = 0; k < 2; ++k) put(out, static_cast<std::uint16_t>(arrays.size()));
  put(out, static_cast<std::uint32_t>(directory.size()));
  put(out, start);
  put<std::uint16_t>(out, 0);
  return out;
}

// --- .h5, .json ----------------------------------------------------------------------------------

void write_h5(PartFile& file, const std::vector<NamedArray>& arrays) {
  Hdf5File h5(file.descriptor(), file.name());
  for (const NamedArray& a : arrays) {
    if (a.is_text()) {
      std::size_t length = 1;
      bool ascii = true;
      for (const std::string& text : a.texts) {
        length = std::max(length, text.size());
        ascii = ascii && is_ascii(text);
      }
      Hdf5Column column = h5.add_texts("/" + a.name, length, ascii, a.texts.size());
      h5.append(column, a.texts);
    } else {
      Hdf5Column column = h5.add_numbers("/" + a.name, static_cast<int>(a.columns), a.rows);
      h5.append(column, a.numbers);
    }
  }
  h5.close();
}

constexpr std::array kFormats{".mat", ".npz", ".h5", ".json"};

}  // namespace

std::string to_json(const std::vector<NamedArray>& arrays) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const NamedArray& a : arrays) {
    auto& to = out[a.name] = nlohmann::ordered_json::array();
    if (a.is_text()) {
      for (const std::string& text : a.texts) to.push_back(text);
      continue;
    }
    for (std::size_t i = 0; i < a.rows; ++i) {
      const auto from = a.numbers.begin() + static_cast<std::ptrdiff_t>(i * a.columns);
      if (a.columns == 1)
        to.push_back(*from);
      else
        to.push_back(std::vector<double>(from, from + static_cast<std::ptrdiff_t>(a.columns)));
    }
  }
  return to_text(out, 2);
}

std::string list_array_formats() { return fmt::format("{}", fmt::join(kFormats, ", ")); }
bool is_array_file(const std::filesystem::path& file) {
  return std::find(kFormats.begin(), kFormats.end(), file.extension()) != kFormats.end();
}

void write_arrays(const std::filesystem::path& file, const std::vector<NamedArray>& arrays) {
  const std::string format = file.extension().string();
  if (!is_array_file(file))
    throw std::invalid_argument(
        fmt::format("{}: written as {}", file.string(), list_array_formats()));
  PartFile part(file);
  if (format == ".h5")
    write_h5(part, arrays);
  else
    part.write(format == ".mat"   ? to_mat(arrays)
               : format == ".npz" ? to_npz(arrays)
                                  : to_json(arrays) + "\n");
  part.keep();
}

}  // namespace berth
