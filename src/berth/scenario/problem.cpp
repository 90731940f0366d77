// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/problem.h"

#include <fmt/format.h>

namespace berth {
namespace {

// Keys and texts of the input may have ends of lines in them, and would pass for further problems.
std::string show_line_ends(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += c == '\n' ? "\\n" : "\\r";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Place Problems::place_around(std::string_view path) const {
  for (;;) {
    if (const auto at = places.find(path); at != places.end()) return at->second;
    const std::size_t dot = path.find_last_of('.');
    if (dot == std::string_view::npos) return {};
    path = path.substr(0, dot);
  }
}

void Problems::add(const std::string& path, std::string message) {
  add(place_around(path), path, std::move(message));
}

std::string Problems::where(std::string_view path) const {
  const Place place = place_around(path);
  const std::string& from = place.file.empty() ? file : place.file;
  return place.line > 0 ? fmt::format("{}:{}", from, place.line) : from;
}

std::string describe(const Problem& p) {
  std::string out = p.file;
  if (p.place.line > 0) out += fmt::format(":{}:{}", p.place.line, p.place.column);
  if (!p.path.empty()) out += "  " + p.path + " —";
  return show_line_ends(out + (p.path.empty() ? "  " : " ") + p.message);
}

}  // namespace berth
