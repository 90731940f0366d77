// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers as text with 17 significant digits: what is read back is the same double.

#include <charconv>
#include <cmath>
#include <string>

namespace berth {

// As printf's %.17g in the C locale; a nan has no sign.
inline void append_number(std::string& text, double value) {
  char digits[32];
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof digits, std::isnan(value) ? std::abs(value) : value,
                    std::chars_format::general, 17);
  text.append(digits, end.ptr);
}

}  // namespace berth
