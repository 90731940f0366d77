// SPDX-License-Identifier: Apache-2.0
#include "berth/report/number_block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace berth {

template <class Raw>
nlohmann::ordered_json NumberBlock::add(const std::vector<Raw>& raw, const char* kind) {
  static_assert(sizeof(Raw) == 2 || sizeof(Raw) == 4 || sizeof(Raw) == 8);
  using Bits =
      std::conditional_t<sizeof(Raw) == 2, std::uint16_t,
                         std::conditional_t<sizeof(Raw) == 4, std::uint32_t, std::uint64_t>>;
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  const std::size_t at = bytes_.size();
  bytes_.reserve(at + raw.size() * sizeof(Raw));
  for (const Raw x : raw) {
    const Bits bits = std::bit_cast<Bits>(x);
    for (std::size_t k = 0; k < sizeof(Raw); ++k)
      bytes_.push_back(static_cast<unsigned char>((bits >> (8 * k)) & 0xFF));
  }
  return {{"at", at}, {"n", raw.size()}, {"kind", kind}};
}

nlohmann::ordered_json NumberBlock::add_doubles(std::span<const double> values) {
  return add(std::vector<double>(values.begin(), values.end()), "f64");
}

nlohmann::ordered_json NumberBlock::add_floats(std::span<const double> values, bool from_middle) {
  double least = INFINITY, most = -INFINITY;
  for (const double x : values)
    if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
  const double middle = 0.5 * least + 0.5 * most;
  // Where floats would keep less than a thousandth of what happens.
  const bool shifted = from_middle && least <= most && most - least < 0.05 * std::fabs(middle);
  const double offset = shifted ? middle : 0;
  // Beyond the reach of a float in either direction.
  const double largest = std::max(std::fabs(most - offset), std::fabs(least - offset));
  double scale = 1;
  if (std::isfinite(largest) && (largest > 1e37 || (largest > 0 && largest < 1e-30)))
    scale = largest;
  std::vector<float> raw;
  raw.reserve(values.size());
  for (const double x : values)
    raw.push_back(std::isfinite(x) ? static_cast<float>((x - offset) / scale)
                                   : std::numeric_limits<float>::quiet_NaN());
  nlohmann::ordered_json ref = add(raw, "f32");
  if (offset != 0) ref["offset"] = offset;
  if (scale != 1) ref["scale"] = scale;
  return ref;
}

nlohmann::ordered_json NumberBlock::add_fractions(std::span<const double> values) {
  std::vector<std::int16_t> raw;
  raw.reserve(values.size());
  for (const double x : values)
    raw.push_back(std::isfinite(x)
                      ? static_cast<std::int16_t>(std::lround(std::clamp(x, -1.0, 1.0) * 32767))
                      : std::int16_t{0});
  nlohmann::ordered_json ref = add(raw, "i16");
  ref["scale"] = 1.0 / 32767;
  return ref;
}

nlohmann::ordered_json NumberBlock::add_bytes(const std::string& bytes) {
  for (const auto& [known, ref] : files_)
    if (known == bytes) return ref;
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  const std::size_t at = bytes_.size();
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  const nlohmann::ordered_json ref{{"at", at}, {"n", bytes.size()}, {"kind", "u8"}};
  files_.emplace_back(bytes, ref);
  return ref;
}

std::string to_base64(std::span<const unsigned char> bytes) {
  constexpr const char* letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = (bits << 8) | (k < n ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? letters[(bits >> (18 - 6 * k)) & 63] : '=';
  }
  return out;
}

}  // namespace berth
