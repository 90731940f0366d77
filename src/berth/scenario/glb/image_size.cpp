// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/glb/image_size.h"

namespace berth {
namespace {

// Most significant byte first.
std::uint32_t read_big(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t out = 0;
  for (std::size_t k = 0; k < count; ++k)
    out = (out << 8) | static_cast<unsigned char>(bytes[at + k]);
  return out;
}

}  // namespace

std::optional<ImageSize> find_image_size(std::string_view file) {
  using namespace std::string_view_literals;
  if (file.starts_with("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv) && file.size() >= 24)
    return ImageSize{"image/png", read_big(file, 16, 4), read_big(file, 20, 4)};
  if (!file.starts_with("\xFF\xD8\xFF"sv)) return std::nullopt;
  // Segments up to the one that begins the frame: FF, marker, length, then bits, height, width.
  for (std::size_t at = 2; at + 9 <= file.size();) {
    const std::uint32_t mark = read_big(file, at, 2), length = read_big(file, at + 2, 2);
    if (mark == 0xFFFF) {  // a filling byte
      ++at;
      continue;
    }
    if (mark < 0xFFC0 || length < 2) return std::nullopt;
    const bool begins = mark <= 0xFFCF && mark != 0xFFC4 && mark != 0xFFC8 && mark != 0xFFCC;
    if (begins)
      return ImageSize{"image/jpeg", read_big(file, at + 7, 2), read_big(file, at + 5, 2)};
    at += 2 + length;
  }
  return std::nullopt;
}

}  // namespace berth
