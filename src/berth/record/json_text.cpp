// SPDX-License-Identifier: Apache-2.0
#include "berth/record/json_text.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "berth/record/number_text.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

void append_float(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  const std::size_t first = text.size();
  append_number(text, value);
  if (text.find_first_of(".e", first) == std::string::npos) text += ".0";
}

void append_string(std::string& text, const std::string& value) {
  text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_json(std::string& text, const Json& json, int indent, int depth) {
  const auto new_line = [&](int levels) {
    if (indent < 0) return;
    text += '\n';
    text.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(levels), ' ');
  };
  if (json.is_number_float()) {
    append_float(text, json.get<double>());
  } else if (json.is_string()) {
    append_string(text, json.get_ref<const std::string&>());
  } else if (!json.is_structured()) {
    text += json.dump();
  } else if (json.empty()) {
    text += json.is_object() ? "{}" : "[]";
  } else {
    text += json.is_object() ? '{' : '[';
    bool first = true;
    for (const auto& member : json.items()) {
      if (!first) text += ',';
      first = false;
      new_line(depth + 1);
      if (json.is_object()) {
        append_string(text, member.key());
        text += indent < 0 ? ":" : ": ";
      }
      append_json(text, member.value(), indent, depth + 1);
    }
    new_line(depth);
    text += json.is_object() ? '}' : ']';
  }
}

}  // namespace

std::string to_text(const Json& json, int indent) {
  std::string text;
  append_json(text, json, indent, 0);
  return text;
}

std::uint64_t read_whole(const Json& number) { return number.get_ref<const std::uint64_t&>(); }

bool is_utf8(std::string_view text) {
  try {
    Json(text).dump();
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

// Outside of ASCII a JSON text has only characters of strings, so each may be escaped where it stands.
std::string to_ascii(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const auto lead = static_cast<unsigned char>(json[i++]);
    if (lead < 0x80) {
      text += static_cast<char>(lead);
      continue;
    }
    // The lead byte says how many more there are; each brings six bits.
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    std::uint32_t code = lead & (0x3fu >> more);
    bool valid = lead >= 0xc2 && lead <= 0xf4;
    for (int k = 0; valid && k < more; ++k) {
      valid = i < json.size() && (static_cast<unsigned char>(json[i]) & 0xc0) == 0x80;
      if (valid) code = code << 6 | (static_cast<unsigned char>(json[i++]) & 0x3fu);
    }
    constexpr std::uint32_t smallest[] = {0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    if (!valid || code < smallest[more - 1] || code > 0x10ffff || is_surrogate) code = 0xfffd;
    if (code < 0x10000) {
      text += fmt::format("\\u{:04x}", code);
    } else {
      code -= 0x10000;
      text += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff));
    }
  }
  return text;
}

}  // namespace berth
