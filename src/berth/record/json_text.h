// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON as text that loses nothing: 17 significant digits, keys in the order they were put in.

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace berth {

// One line, or with `indent` ≥ 0 one line per member. A floating number keeps a point or an exponent
// (2.0), so that it is still one when read back; nan and infinities, which JSON has not, become null;
// bytes that are no UTF-8 become U+FFFD.
std::string to_text(const nlohmann::ordered_json& json, int indent = -1);

// A whole number as it is written, without a sign, a point or an exponent; any other throws what nlohmann::json
// throws: cutting it would be undefined.
std::uint64_t read_whole(const nlohmann::ordered_json& number);

// Whether bytes are text at all.
bool is_utf8(std::string_view text);

// The same JSON in ASCII: é becomes \u00e9. For readers that know no other text.
std::string to_ascii(std::string_view json);

}  // namespace berth
