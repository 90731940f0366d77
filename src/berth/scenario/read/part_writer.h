// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts => TOML, through fields() and choice() and nothing else: every input, defaults written out.

#include <toml++/toml.h>

#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

inline toml::array to_array(std::initializer_list<double> numbers) {
  toml::array a;
  for (double x : numbers) a.push_back(x);
  return a;
}

template <HasFields Part>
toml::table write_part(const Part& part);

// Each becomes the node that is read back as the same.
inline double write_value(double x) { return x; }
inline std::int64_t write_value(int x) { return x; }
inline bool write_value(bool x) { return x; }
inline const std::string& write_value(const std::string& x) { return x; }
inline toml::array write_value(const Vec3<double>& v) { return to_array({v.x, v.y, v.z}); }
inline toml::array write_value(const Quaternion<double>& q) {
  return to_array({q.w, q.x, q.y, q.z});
}
inline toml::array write_value(const Sym3<double>& m) {
  return toml::array(to_array({m.xx, m.xy, m.xz}), to_array({m.xy, m.yy, m.yz}),
                     to_array({m.xz, m.yz, m.zz}));
}
inline toml::array write_value(const std::array<double, 2>& x) { return to_array({x[0], x[1]}); }
template <HasKeywords E>
std::string write_value(const OneOf<E>& value) {
  return std::string(value.keyword());
}
template <Named kind>
const std::string& write_value(const Ref<kind>& ref) {
  return ref.name;
}
template <HasFields Part>
toml::table write_value(const Part& part) {
  return write_part(part);
}
template <class... Parts>
toml::table write_value(const std::variant<Parts...>& any) {
  return std::visit(
      [](const auto& part) {
        toml::table out = write_part(part);
        out.insert("type", std::remove_cvref_t<decltype(part)>::type);
        return out;
      },
      any);
}
template <class V>
toml::array write_value(const std::vector<V>& list) {
  toml::array a;
  for (const V& x : list) a.push_back(write_value(x));
  return a;
}

template <HasFields Part>
toml::table write_part(const Part& part) {
  toml::table out;
  for_each_field(part, [&](const auto& field, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (is_optional<Member>) {
      if (member) out.insert(field.name, write_value(*member));
    } else {
      // A direction that was left open stays open.
      if constexpr (std::same_as<Member, Vec3<double>>)
        if (field.range == Range::unit_vector && dot(member, member) == 0) return;
      out.insert(field.name, write_value(member));
    }
  });
  if constexpr (HasChoice<Part>) {
    constexpr auto choice = Part::choice();
    std::visit(
        [&](const auto& chosen) {
          toml::table own = write_part(chosen);
          for (auto&& [key, node] : own) out.insert(key, std::move(node));
          if (choice.key != kByOwnKey)
            out.insert(choice.key, std::remove_cvref_t<decltype(chosen)>::type);
        },
        part.*choice.member);
  }
  return out;
}

}  // namespace berth
