// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/find_input.h"

#include "berth/scenario/part_reader.h"

namespace berth {
namespace {

using Facts = std::optional<InputFacts>;

// "speed_rpm.x" ↦ "speed_rpm" and "x"
std::pair<std::string_view, std::string_view> cut_first(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

std::string unit_of(std::string_view key, std::string_view field, Unit unit) {
  constexpr std::pair<std::string_view, std::string_view> spellings[] = {
      {"_deg", "deg"}, {"_deg_s", "deg/s"}, {"_rpm", "rpm"},
      {"_mm", "mm"},   {"_km", "km"},       {"_mNs", "mN·s"},
  };
  for (const auto& [suffix, name] : spellings)
    if (key.substr(field.size()) == suffix) return std::string(name);
  return std::string(unit.symbol);
}

Facts facts_of(const auto& field, std::string_view key) {
  return InputFacts{unit_of(key, field.name, field.unit), std::string(field.meaning)};
}

template <class M>
inline constexpr bool is_table_list = false;
template <class V>
inline constexpr bool is_table_list<std::vector<V>> = HasFields<V> || requires(V v) {
  v.part;
}
|| requires(V v) { v.law; };

template <HasFields Part>
Facts find_in_part(const Part& part, std::string_view path);

// A member of a list: a table, or a part of some type under a name.
template <class Member>
Facts find_in_member(const Member& member, std::string_view path) {
  if constexpr (HasFields<Member>) {
    return find_in_part(member, path);
  } else if constexpr (requires { member.law; }) {  // a contact
    const auto inside = [](const auto& any, std::string_view rest) {
      return std::visit([&](const auto& part) { return find_in_part(part, rest); }, any);
    };
    const auto [key, rest] = cut_first(path);
    if (key == "probe") return inside(member.probe, rest);
    if (key == "law") return inside(member.law, rest);
    if (key == "friction") return inside(member.friction, rest);
    if (key == "compensation") return inside(member.compensation, rest);
    if (const Facts found = inside(member.surface, path)) return found;
    return find_in_part(member.options, path);
  } else {
    return std::visit([&](const auto& part) { return find_in_part(part, path); }, member.part);
  }
}

template <class Member>
bool is_called(const Member& member, std::size_t i, std::string_view word) {
  if constexpr (requires { member.name; })
    if (member.name == word) return true;
  return word == std::to_string(i + 1);
}

template <HasFields Part>
Facts find_in_part(const Part& part, std::string_view path) {
  Facts found;
  const auto [key, rest] = cut_first(path);
  const auto look = [&, key = key, rest = rest](const auto& field, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if (found || !find_meaning(key, field.name, field.unit).known) return;
    if constexpr (HasFields<Member>) {
      found = find_in_part(member, rest);
    } else if constexpr (is_table_list<Member>) {
      // Members are entered by name; a list of one may be written as the one table.
      const auto [word, inside] = cut_first(rest);
      for (std::size_t i = 0; i < member.size() && !found; ++i)
        if (is_called(member[i], i, word)) found = find_in_member(member[i], inside);
      if (!found && member.size() == 1) found = find_in_member(member[0], rest);
    } else if constexpr (is_optional<Member>) {
      if constexpr (HasFields<typename Member::value_type>) {
        if (member) found = find_in_part(*member, rest);
      } else {
        found = facts_of(field, key);
      }
    } else {
      found = facts_of(field, key);
    }
  };
  for_each_field(part, look);
  return found;
}

}  // namespace

Facts find_input(const Scenario& scenario, std::string_view path) {
  return find_in_part(scenario, path);
}

}  // namespace berth
