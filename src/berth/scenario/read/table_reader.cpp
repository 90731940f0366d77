// SPDX-License-Identifier: Apache-2.0

// Which inputs a table holds, and what is said of the keys that are none.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "berth/scenario/read/part_reader.h"

namespace berth {
namespace {

// Inputs that had another name once.
struct Renamed {
  std::string_view former, now;
};
constexpr Renamed kRenamed[] = {
    {"tell", "report"},  // of an event
    {"hit", "impact"},   // likewise
};

// What else people call an input.
constexpr Renamed kSynonyms[] = {
    {"depth", "length"},
    {"com", "centre_of_mass"},
    {"cog", "centre_of_mass"},
    {"center_of_mass", "centre_of_mass"},
    {"quaternion", "quaternion_BN"},
    {"mrp", "sigma_BN"},
    {"sigma", "sigma_BN"},
    {"euler_angles", "euler"},
    {"omega", "omega_BN_B"},
    {"angular_velocity", "omega_BN_B"},
    {"sma", "semi_major_axis"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"mu", "friction"},
    {"coefficient_of_restitution", "restitution"},
    {"noise", "noise_position"},
    {"fov", "field_of_view"},
    {"rotate", "rotation"},
    {"glb", "gltf"},
};

// Inputs that belong to another part now.
struct Moved {
  std::string_view part, key, to;
};
constexpr std::string_view kToNavigation =
    "is an input of a sensor now: [[sensor]] type = \"relative_pose\", which navigation names";
constexpr Moved kMoved[] = {
    {"approach", "bias", kToNavigation},
    {"approach", "noise_position", kToNavigation},
    {"approach", "noise_velocity", kToNavigation},
    {"approach", "seed", kToNavigation},
};

// " [kg]", or nothing for plain numbers and texts.
std::string in_brackets(Unit unit) {
  return unit == unit::none ? "" : fmt::format(" [{}]", unit.symbol);
}

}  // namespace

TableReader::TableReader(const toml::table& table, std::string path, Unit around,
                         Problems& problems)
    : table_(table), path_(std::move(path)), around_(around), problems_(problems) {
  problems_.places.insert_or_assign(path_, place_of(table_));
}

std::optional<NodeReader> TableReader::find_given(const FieldRow& row) {
  const Unit unit = find_unit(row.unit, around_);
  inputs_.push_back({row.name, unit});
  std::optional<NodeReader> given;
  for (const auto& [key, node] : table_) {
    const std::optional<KeyUnit> meant = find_key_unit(key.str(), row.name, unit);
    if (!meant) continue;
    used_.insert(key.str());
    const std::string at = inside(key.str());
    problems_.places.insert_or_assign(at, place_of(node));
    problems_.places.insert_or_assign(inside(row.name), place_of(node));
    if (given) {
      problems_.add(place_of(node), at, "given twice, with different units");
    } else {
      given.emplace(NodeReader{node, meant->factor, unit, row.range, at, problems_});
    }
  }
  if (!given && row.is_required && !has_key_of(row.unless))
    problems_.add(place_of(table_), inside(row.name),
                  "is missing: " + std::string(row.meaning) + in_brackets(unit) +
                      (row.unless.empty() ? "" : "; or " + std::string(row.unless)),
                  Problem::missing_key);
  return given;
}

std::optional<std::size_t> TableReader::find_chosen(std::string_view key,
                                                    const std::vector<std::string_view>& types) {
  used_.insert(key);
  inputs_.push_back({key, unit::none});
  if (const toml::node* node = table_.get(key))
    problems_.places.insert_or_assign(inside(key), place_of(*node));
  const std::optional<std::size_t> found = find_type(table_, key, types, path_, problems_);
  is_known_ = found.has_value();
  if (found) type_ = types[*found];
  return found;
}

std::optional<std::size_t> TableReader::find_own(const std::vector<std::string_view>& types) {
  const auto is_key = [&](std::string_view type) { return has_key_of(type); };
  if (std::count_if(types.begin(), types.end(), is_key) != 1) {
    problems_.add(place_of(table_), path_,
                  fmt::format("needs exactly one of {}", fmt::join(types, ", ")));
    return std::nullopt;
  }
  const auto found = std::find_if(types.begin(), types.end(), is_key);
  type_ = *found;
  return found - types.begin();
}

void TableReader::add_other(const FieldRow& row, std::string_view owner, bool is_choice_made) {
  const InputName input{row.name, find_unit(row.unit, around_)};
  others_.push_back({input, owner});
  if (!is_choice_made) inputs_.push_back(input);
}

void TableReader::refuse_empty(const FieldRow& row, std::string_view type, bool is_empty) {
  const toml::node* node = table_.get(type);
  if (row.name == type && is_empty && node && node->is_string())
    problems_.add(place_of(*node), inside(type), "names nothing");
}

bool TableReader::has_key_of(std::string_view input) const {
  if (input.empty()) return false;
  for (const auto& [key, node] : table_)
    if (key.str() == input ||
        (key.str().starts_with(input) && find_suffix(key.str().substr(input.size()))))
      return true;
  return false;
}

std::string TableReader::inside(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void TableReader::report_rest(std::string_view part, std::span<const std::string_view> also) {
  if (!is_known_) return;
  const std::size_t before = problems_.list.size();
  for (const auto& [key, node] : table_) {
    if (used_.contains(key.str()) || std::find(also.begin(), also.end(), key.str()) != also.end())
      continue;
    std::vector<std::string_view> owners;
    for (const auto& [input, owner] : others_)
      if (find_key_unit(key.str(), input.name, input.unit)) owners.push_back(owner);
    if (owners.empty()) {
      report_unknown_key(key.str(), node, type_.empty() ? part : type_);
    } else if (!type_.empty()) {
      problems_.add(place_of(node), inside(key.str()),
                    fmt::format("no such input of {}; {} belongs to {}", type_, key.str(),
                                fmt::join(owners, ", ")));
    }
  }
  // Who misspells an input has not left it out.
  std::set<std::string> meant;
  for (std::size_t i = before; i < problems_.list.size(); ++i)
    if (!problems_.list[i].meant.empty()) meant.insert(inside(problems_.list[i].meant));
  std::erase_if(problems_.list, [&](const Problem& p) {
    return p.kind == Problem::missing_key && meant.contains(p.path);
  });
}

void TableReader::report_unknown_key(std::string_view key, const toml::node& node,
                                     std::string_view part) {
  const std::string path = inside(key);
  if (problems_.is_full()) return problems_.add(place_of(node), path, "");  // counted, not reported
  for (const Renamed& r : kRenamed)
    if (r.former == key)
      for (const InputName& input : inputs_)
        if (input.name == r.now)
          return problems_.add(place_of(node), path, fmt::format("is called \"{}\" now", r.now),
                               Problem::unknown_key, r.now);
  for (const Renamed& r : kSynonyms)
    if (r.former == key)
      for (const InputName& input : inputs_)
        if (input.name == r.now)
          return problems_.add(place_of(node), path, fmt::format("is called \"{}\" here", r.now),
                               Problem::unknown_key, r.now);
  for (const Moved& m : kMoved)
    if (m.part == part && m.key == key)
      return problems_.add(place_of(node), path, std::string(m.to));
  std::string message =
      part.empty() ? "no such input here" : fmt::format("no such input of {}", part);
  // An input with a unit it does not have.
  for (const InputName& input : inputs_) {
    if (!key.starts_with(input.name) || !find_suffix(key.substr(input.name.size()))) continue;
    const std::vector<std::string_view> suffixes = list_suffixes(input.unit);
    message += suffixes.empty() ? fmt::format("; {} has no unit", input.name)
                                : fmt::format("; {} is in {}, or with {}", input.name,
                                              input.unit.symbol, fmt::join(suffixes, ", "));
    return problems_.add(place_of(node), path, message, Problem::unknown_key, input.name);
  }
  std::vector<std::string_view> names;
  for (const InputName& input : inputs_) names.push_back(input.name);
  std::string_view near = find_nearest(key, names);
  // With a unit after it, the name alone may be what is misspelt.
  if (const UnitSuffix* suffix = find_suffix_of(key); suffix && near.empty())
    near = find_nearest(key.substr(0, key.size() - suffix->suffix.size()), names);
  if (near.empty()) message += fmt::format("; there is {}", fmt::join(names, ", "));
  for (const InputName& input : inputs_)
    if (input.name == near)
      message += fmt::format("; did you mean \"{}\"{}?", input.name, in_brackets(input.unit));
  problems_.add(place_of(node), path, message, Problem::unknown_key, near);
}

}  // namespace berth
