// SPDX-License-Identifier: Apache-2.0
#pragma once

// How large the picture in a PNG or JPEG file is, from its head alone: what is small as a file may be
// large when it is unpacked.

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth {

struct ImageSize {
  std::string_view kind;        // image/png, image/jpeg
  std::uint32_t width, height;  // [px]
};

// Nothing where it is neither.
std::optional<ImageSize> find_image_size(std::string_view file);

}  // namespace berth
