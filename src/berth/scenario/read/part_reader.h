// SPDX-License-Identifier: Apache-2.0
#pragma once

// TOML => parts, through fields() and choice() of each part and nothing else.
//
//   read_part(table, part, path, problems)   every input checked for kind, range and unit suffix
//
// A key may carry a unit suffix (rate_deg_s = 7; model/unit.h). Keys a part does not know are problems,
// with the nearest name suggested. What an input refers to is checked later (model/resolve.h).

#include <algorithm>
#include <optional>
#include <set>
#include <variant>

#include <toml++/toml.h>

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/scenario/problem.h"

namespace berth {

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
  // The text in quotes; nothing, and a problem, where there is none.
  std::optional<std::string> text() const;

  void read(double& to) const;
  void read(int& to) const;
  void read(bool& to) const;
  void read(std::string& to) const;
  void read(Vec3<double>& to) const;
  void read(Sym3<double>& to) const;
  void read(Quaternion<double>& to) const;
  void read(std::array<double, 2>& to) const;

  template <HasKeywords E>
  void read(OneOf<E>& to) const {
    const std::optional<std::string> keyword = text();
    if (!keyword) return;
    if (const std::optional<E> value = find_keyword<E>(*keyword)) {
      to = *value;
    } else {
      problems.add(place_of(node), path, refuse_keyword<E>(*keyword));
    }
  }
  template <Named kind>
  void read(Ref<kind>& to) const {
    if (std::optional<std::string> name = text()) to = Ref<kind>(std::move(*name));
  }
  template <HasFields Part>
  void read(Part& to) const;
  template <class... Parts>
  void read(std::variant<Parts...>& to) const;
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
    if constexpr (std::same_as<V, double>) {
      // One number, likewise.
      if (node.is_number()) return read(to.emplace_back());
    }
    if constexpr (std::same_as<V, Vec3<double>>) {
      // One vector stands for a list of one.
      if (array && array->size() == 3 && array->is_homogeneous() && (*array)[0].is_number())
        return read(to.emplace_back());
    }
    if (!array) return refuse("a list");
    for (std::size_t i = 0; i < array->size(); ++i) {
      V value{};
      NodeReader{(*array)[i], factor, unit, range, path + "." + label_of((*array)[i], i), problems}
          .read(value);
      to.push_back(std::move(value));
    }
  }

  // Members of a list are called by their name, or else by their number.
  static std::string label_of(const toml::node& node, std::size_t i);
};

// An input as its table knows it: for messages about keys that are none.
struct InputName {
  std::string_view name;
  Unit unit;
};
// " [kg]", or nothing for plain numbers and texts.
std::string in_brackets(Unit unit);
void report_unknown_key(std::string_view key, const toml::node& node, std::string_view part,
                        const std::vector<InputName>& inputs, const std::string& path,
                        Problems& problems);
// A key that belongs to others of the parts a table may hold, not to the one it holds.
void report_key_of_others(std::string_view key, const toml::node& node, std::string_view part,
                          const std::vector<std::string_view>& owners, const std::string& path,
                          Problems& problems);
// A table without the key of any of these parts, or with the keys of two.
void report_own_keys(const toml::table& table, const std::vector<std::string_view>& types,
                     const std::string& path, Problems& problems);
// Which of several parts the table names under `key`; nothing, and a problem, when it is none.
std::optional<std::size_t> find_type(const toml::table& table, std::string_view key,
                                     const std::vector<std::string_view>& types,
                                     const std::string& path, Problems& problems);

// Parts say what they are; tables that are no parts do not.
template <class Part>
concept HasType = std::same_as<decltype(Part::type), const std::string_view>;
template <class Part>
constexpr std::string_view type_of() {
  if constexpr (HasType<Part>) {
    return Part::type;
  } else {
    return "table";
  }
}

// Reads the inputs of one struct out of a table that may hold others too.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, Unit around, Problems& problems)
      : table_(table), path_(std::move(path)), around_(around), problems_(problems) {
    problems_.places.insert_or_assign(path_, place_of(table_));
  }

  template <HasFields Part>
  void read(Part& part) {
    for_each_field(part, [&](const auto& field, auto& member) {
      const Unit unit = find_unit(field.unit, around_);
      inputs_.push_back({field.name, unit});
      bool given = false;
      for (const auto& [key, node] : table_) {
        const std::optional<KeyUnit> meant = find_key_unit(key.str(), field.name, unit);
        if (!meant) continue;
        used_.insert(key.str());
        const std::string at = inside(key.str());
        problems_.places.insert_or_assign(at, place_of(node));
        problems_.places.insert_or_assign(inside(field.name), place_of(node));
        if (given) {
          problems_.add(place_of(node), at, "given twice, with different units");
          continue;
        }
        given = true;
        NodeReader{node, meant->factor, unit, field.range, at, problems_}.read(member);
      }
      if (!given && field.is_required && !has_key_of(field.unless))
        problems_.add(place_of(table_), inside(field.name),
                      "is missing: " + std::string(field.meaning) + in_brackets(unit) +
                          (field.unless.empty() ? "" : "; or " + std::string(field.unless)),
                      Problem::missing_key);
    });
    if constexpr (HasChoice<Part>) {
      constexpr auto choice = Part::choice();
      if constexpr (choice.key == kByOwnKey) {
        read_by_own_key(part.*choice.member);
      } else {
        used_.insert(choice.key);
        inputs_.push_back({choice.key, unit::none});
        if (const toml::node* node = table_.get(choice.key))
          problems_.places.insert_or_assign(inside(choice.key), place_of(*node));
        read_chosen(choice.key, part.*choice.member);
      }
    }
  }
  void report_rest(std::string_view part, const std::set<std::string, std::less<>>& also) {
    if (!is_known_) return;
    const std::size_t before = problems_.list.size();
    for (const auto& [key, node] : table_) {
      if (used_.contains(key.str()) || also.contains(key.str())) continue;
      std::vector<std::string_view> owners;
      for (const auto& [input, owner] : others_)
        if (find_key_unit(key.str(), input.name, input.unit)) owners.push_back(owner);
      if (owners.empty()) {
        report_unknown_key(key.str(), node, type_.empty() ? part : type_, inputs_,
                           inside(key.str()), problems_);
      } else if (!type_.empty()) {
        report_key_of_others(key.str(), node, type_, owners, inside(key.str()), problems_);
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

 private:
  // With a unit or without.
  bool has_key_of(std::string_view input) const {
    if (input.empty()) return false;
    for (const auto& [key, node] : table_)
      if (key.str() == input ||
          (key.str().starts_with(input) && find_suffix(key.str().substr(input.size()))))
        return true;
    return false;
  }
  std::string inside(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  template <class... Parts>
  void read_chosen(std::string_view key, std::variant<Parts...>& to) {
    const std::vector<std::string_view> types{Parts::type...};
    const auto found = find_type(table_, key, types, path_, problems_);
    is_known_ = found.has_value();
    if (!found) return;
    type_ = types[*found];
    std::size_t i = 0;
    const auto read_it = [&]<class P>() {
      if (i++ == *found) read(to.template emplace<P>());
    };
    (read_it.template operator()<Parts>(), ...);
  }

  template <class... Parts>
  void read_by_own_key(std::variant<Parts...>& to) {
    const std::vector<std::string_view> types{Parts::type...};
    const bool is_one = std::count_if(types.begin(), types.end(),
                                      [&](std::string_view key) { return has_key_of(key); }) == 1;
    const auto offer = [&]<class P>() {
      if (is_one && has_key_of(P::type)) return read_own(to.template emplace<P>());
      const P blank{};
      for_each_field(blank, [&](const auto& field, const auto&) {
        const InputName input{field.name, find_unit(field.unit, around_)};
        others_.push_back({input, P::type});
        if (!is_one) inputs_.push_back(input);
      });
    };
    (offer.template operator()<Parts>(), ...);
    if (!is_one) report_own_keys(table_, types, path_, problems_);
  }
  template <class P>
  void read_own(P& part) {
    type_ = P::type;
    read(part);
    for_each_field(part, [&]<class M>(const auto& field, const M& member) {
      if constexpr (is_reference<M>)
        if (const toml::node* node = table_.get(P::type);
            field.name == P::type && member.empty() && node && node->is_string())
          problems_.add(place_of(*node), inside(P::type), "names nothing");
    });
  }

  const toml::table& table_;
  std::string path_;
  Unit around_;
  Problems& problems_;
  std::set<std::string_view> used_;
  std::vector<InputName> inputs_;
  struct Other {
    InputName input;
    std::string_view owner;
  };
  std::vector<Other> others_;  // inputs of the parts that were not chosen
  std::string_view type_;      // of what was chosen
  bool is_known_ = true;       // what all keys may be
};

// `also` names keys that belong to the table but not to the part; `around` is the unit of the input the
// table is given for.
template <HasFields Part>
void read_part(const toml::table& table, Part& part, const std::string& path, Problems& problems,
               const std::set<std::string, std::less<>>& also = {}, Unit around = unit::none) {
  TableReader reader(table, path, around, problems);
  reader.read(part);
  reader.report_rest(type_of<Part>(), also);
}

template <HasFields Part>
void NodeReader::read(Part& to) const {
  const toml::table* table = node.as_table();
  if (!table) return refuse("a table");
  if (factor != 1) return refuse("a number: only numbers take a unit suffix");
  read_part(*table, to, path, problems, {}, unit);
}

// { type = …, … }, or the type alone. A table without a type is the first part that has inputs; a number
// is the input of the part that says so with by_number.
template <class... Parts>
void NodeReader::read(std::variant<Parts...>& to) const {
  toml::table written;
  std::string_view first_with_inputs, of_number, number;
  const auto visit = [&]<class P>() {
    if (first_with_inputs.empty() && std::tuple_size_v < decltype(P::fields()) >> 0)
      first_with_inputs = P::type;
    if constexpr (TakesNumber<P>) of_number = P::type, number = P::by_number;
  };
  (visit.template operator()<Parts>(), ...);
  const auto read_table = [&](const toml::table& table) {
    problems.places.insert_or_assign(path, place_of(table));
    const auto found = find_type(table, "type", {Parts::type...}, path, problems);
    std::size_t i = 0;
    const auto read_it = [&]<class P>() {
      if (found && i++ == *found)
        read_part(table, to.template emplace<P>(), path, problems, {"type"});
    };
    (read_it.template operator()<Parts>(), ...);
  };
  if (node.is_string()) {
    written.insert("type", *node.value<std::string>());
  } else if (node.is_number() && !number.empty()) {
    written.insert("type", of_number);
    written.insert(number, *node.value<double>());
  } else if (const toml::table* inner = node.as_table()) {
    if (inner->contains("type")) return read_table(*inner);
    written = *inner;
    written.insert("type", first_with_inputs);
  } else {
    return refuse("a table");
  }
  // What is written here has no place in the file: it is where the short form stands.
  const std::size_t known = problems.list.size();
  read_table(written);
  for (std::size_t i = known; i < problems.list.size(); ++i)
    if (problems.list[i].place.line == 0) problems.list[i].place = place_of(node);
  for (auto& [where, place] : problems.places)
    if (where.starts_with(path) && place.line == 0) place = place_of(node);
}

}  // namespace berth
