// SPDX-License-Identifier: Apache-2.0
#pragma once

// EventRecord — an event of a run: something that happened at one instant, with its numbers by name:
//
//   {12.403, "latch", "joint", {{"lock", "nominal"}, {"energy_lost", 0.12}, …}}
//
// Writers walk the values; nobody prints them to text on the way.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "berth/math/vec3.h"

namespace berth {

struct NamedValue {
  using Value = std::variant<double, std::int64_t, std::string, std::vector<double>>;

  std::string name;
  Value value;

  bool operator==(const NamedValue&) const = default;
};

inline NamedValue named(std::string name, double value) { return {std::move(name), value}; }
inline NamedValue named(std::string name, std::string value) {
  return {std::move(name), std::move(value)};
}
inline NamedValue named(std::string name, const Vec3<double>& v) {
  return {std::move(name), std::vector<double>{v.x, v.y, v.z}};
}

struct EventRecord {
  double t = 0;      // [s]
  std::string kind;  // event, latch, release, contact_on, impact, …
  std::string name;  // of the event, dock or contact
  std::vector<NamedValue> values;

  bool operator==(const EventRecord&) const = default;

  // Null when it has none of this name.
  const NamedValue* find(std::string_view value) const {
    for (const NamedValue& v : values)
      if (v.name == value) return &v;
    return nullptr;
  }
  // NaN when it has no such number.
  double number(std::string_view value) const {
    const NamedValue* v = find(value);
    const double* x = v ? std::get_if<double>(&v->value) : nullptr;
    return x ? *x : std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace berth
