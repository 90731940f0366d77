// SPDX-License-Identifier: Apache-2.0
#pragma once

// TOML ⇄ parts, through the fields() table of each part and nothing else.
//
//   read_part(table, part, path, problems)   every input checked for type, range and unit suffix
//   write_part(part)                         every input, defaults written out, 17 digits
//
// A key may carry a unit suffix (rate_deg_s = 7). Keys a part does not know are problems, with the
// nearest name suggested.

#include <optional>
#include <set>

#include <toml++/toml.h>

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/scenario/problem.h"

namespace berth {

// A unit suffix of a key: its factor to SI, when it fits the unit of the field.
struct UnitSuffix {
  std::string_view suffix;
  std::string_view unit;  // symbol of the SI unit it may replace
  double factor;
};
inline constexpr double kPi = 3.141592653589793238462643;
inline constexpr UnitSuffix kUnitSuffixes[] = {
    {"_deg", "rad", kPi / 180},  {"_deg_s", "rad/s", kPi / 180},
    {"_rpm", "rad/s", kPi / 30}, {"_mm", "m", 1e-3},
    {"_km", "m", 1e3},           {"_mNs", "N·s", 1e-3},
};

// Stands for the file of what the command line sets; there are no lines in it.
inline constexpr std::string_view kSetting = "--set";

Place place_of(const toml::node& node);

// Checks on one number; false after adding a problem.
bool check_number(double value, Range range, Unit unit, Place place, const std::string& path,
                  Problems& problems);

// Each reads one node into `to`, adding a problem when it does not fit.
struct NodeReader {
  const toml::node& node;
  double factor;  // of the unit suffix
  Unit unit;
  Range range;
  std::string path;
  Problems& problems;

  void refuse(const std::string& wanted) const;
  bool numbers(std::size_t count, double* out) const;

  void read(double& to) const;
  void read(int& to) const;
  void read(bool& to) const;
  void read(std::string& to) const;
  void read(Vec3<double>& to) const;
  void read(Sym3<double>& to) const;
  void read(Quaternion<double>& to) const;
  void read(std::array<double, 2>& to) const;

  template <HasFields Part>
  void read(Part& to) const;
  template <class V>
  void read(std::optional<V>& to) const {
    read(to.emplace());
  }
  template <class V>
  void read(std::vector<V>& to) const {
    const toml::array* array = node.as_array();
    to.clear();
    if constexpr (HasFields<V>) {
      // One table stands for a list of one.
      if (node.is_table()) return read(to.emplace_back());
    }
    if (!array) return refuse("a list");
    for (std::size_t i = 0; i < array->size(); ++i) {
      V value{};
      NodeReader{(*array)[i], factor, unit, range, path + "." + label_of((*array)[i], i), problems}
          .read(value);
      to.push_back(std::move(value));
    }
  }
  // Kinds that read themselves: read_node(reader, to), found beside the kind.
  template <class V>
  requires(!HasFields<V>) void read(V& to) const { read_node(*this, to); }

  // Members of a list are called by their name, or else by their number.
  static std::string label_of(const toml::node& node, std::size_t i);
};

// Names of all inputs of a part, and what a key of the table stands for.
struct KeyMeaning {
  bool known = false;
  double factor = 1;
};
// " [kg]", or nothing for plain numbers and words.
std::string in_brackets(Unit unit);
KeyMeaning find_meaning(std::string_view key, std::string_view field, Unit unit);
void report_unknown_key(std::string_view key, const toml::node& node, std::string_view part,
                        const std::vector<std::pair<std::string_view, Unit>>& inputs,
                        const std::string& path, Problems& problems);

template <class Part>
constexpr std::string_view type_of() {
  if constexpr (requires { Part::type; }) {  // a profile has an input of that name instead
    if constexpr (std::same_as<decltype(Part::type), const std::string_view>) return Part::type;
  }
  return "table";
}

// `also` names keys that belong to the table but not to the part (type, name, …).
template <HasFields Part>
void read_part(const toml::table& table, Part& part, const std::string& path, Problems& problems,
               const std::set<std::string, std::less<>>& also = {}) {
  problems.places.insert_or_assign(path, place_of(table));
  const auto inside = [&](std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  };
  std::set<std::string_view> used;
  std::vector<std::pair<std::string_view, Unit>> inputs;
  for_each_field(part, [&](const auto& field, auto& member) {
    inputs.emplace_back(field.name, field.unit);
    bool given = false;
    for (const auto& [key, node] : table) {
      const KeyMeaning meaning = find_meaning(key.str(), field.name, field.unit);
      if (!meaning.known) continue;
      used.insert(key.str());
      const std::string at = inside(key.str());
      problems.places.insert_or_assign(at, place_of(node));
      if (given) {
        problems.add(place_of(node), at, "given twice, with different units");
        continue;
      }
      given = true;
      NodeReader{node, meaning.factor, field.unit, field.range, at, problems}.read(member);
    }
    if (!given && field.is_required)
      problems.add(place_of(table), inside(field.name),
                   "is missing: " + std::string(field.meaning) + in_brackets(field.unit));
  });
  for (const auto& [key, node] : table)
    if (!used.contains(key.str()) && !also.contains(key.str()))
      report_unknown_key(key.str(), node, type_of<Part>(), inputs, inside(key.str()), problems);
}

template <HasFields Part>
void NodeReader::read(Part& to) const {
  const toml::table* table = node.as_table();
  if (!table) return refuse("a table");
  if (factor != 1) return refuse("a number: only numbers take a unit suffix");
  read_part(*table, to, path, problems);
}

// --- writing -------------------------------------------------------------------------------------

inline toml::array to_array(std::initializer_list<double> numbers) {
  toml::array a;
  for (double x : numbers) a.push_back(x);
  return a;
}

template <class M>
inline constexpr bool is_list = false;
template <class V>
inline constexpr bool is_list<std::vector<V>> = true;

template <class M>
inline constexpr bool is_optional = false;
template <class V>
inline constexpr bool is_optional<std::optional<V>> = true;

template <HasFields Part>
toml::table write_part(const Part& part) {
  toml::table out;
  for_each_field(part, [&](const auto& field, const auto& member) {
    const auto write = [](const auto& self, const auto& m) {
      using M = std::remove_cvref_t<decltype(m)>;
      if constexpr (HasFields<M>) {
        return write_part(m);
      } else if constexpr (requires { write_node(m); }) {
        return write_node(m);
      } else if constexpr (std::same_as<M, Vec3<double>>) {
        return to_array({m.x, m.y, m.z});
      } else if constexpr (std::same_as<M, Quaternion<double>>) {
        return to_array({m.w, m.x, m.y, m.z});
      } else if constexpr (std::same_as<M, Sym3<double>>) {
        return toml::array(to_array({m.xx, m.xy, m.xz}), to_array({m.xy, m.yy, m.yz}),
                           to_array({m.xz, m.yz, m.zz}));
      } else if constexpr (std::same_as<M, std::array<double, 2>>) {
        return to_array({m[0], m[1]});
      } else if constexpr (is_list<M>) {
        toml::array a;
        for (const auto& x : m) a.push_back(self(self, x));
        return a;
      } else {
        return m;
      }
    };
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (is_optional<Member>) {
      if (member) out.insert(field.name, write(write, *member));
    } else {
      // A direction that was left open stays open.
      if constexpr (std::same_as<Member, Vec3<double>>)
        if (field.range == Range::unit_vector && dot(member, member) == 0) return;
      out.insert(field.name, write(write, member));
    }
  });
  return out;
}

}  // namespace berth
