// SPDX-License-Identifier: Apache-2.0
#pragma once

// NumberBlock — arrays of numbers one after the other, little-endian, each at a multiple of 8 bytes,
// and the references by which a page finds them: value = offset + scale · raw.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace berth {

std::string to_base64(std::span<const unsigned char> bytes);

class NumberBlock {
 public:
  nlohmann::ordered_json add_doubles(std::span<const double> values);
  // As floats. Values that hardly differ are counted from their middle, so that no digits are lost.
  nlohmann::ordered_json add_floats(std::span<const double> values, bool from_middle = true);
  // Numbers within ±1 as whole numbers of 1/32767.
  nlohmann::ordered_json add_fractions(std::span<const double> values);

  // A file as it is; the same bytes are there once.
  nlohmann::ordered_json add_bytes(const std::string& bytes);

  std::size_t size() const { return bytes_.size(); }
  std::span<const unsigned char> bytes() const { return bytes_; }

 private:
  template <class Raw>
  nlohmann::ordered_json add(const std::vector<Raw>& raw, const char* kind);

  std::vector<unsigned char> bytes_;
  std::vector<std::pair<std::string, nlohmann::ordered_json>> files_;
};

}  // namespace berth
