// SPDX-License-Identifier: Apache-2.0
#pragma once

// TOML => parts, through fields() and choice() of each part and nothing else.
//
//   read_part(table, part, path, problems)   every input checked for kind, range and unit suffix
//
// A key may carry a unit suffix (rate_deg_s = 7; model/unit.h). Keys a part does not know are problems,
// with the nearest name suggested. What an input refers to is checked later (model/resolve.h).

#include <functional>
#include <optional>
#include <set>
#include <span>
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
    for (std::size_t i = 0; i < array->size(); ++i) member(*array, i).read(to.emplace_back());
  }

  // Members of a list are called by their name, or else by their number.
  static std::string label_of(const toml::node& node, std::size_t i);

 private:
  static constexpr std::string_view kTypeKey[] = {"type"};

  NodeReader member(const toml::array& array, std::size_t i) const;
  // The table that is no number with a unit; nothing, and a problem, where there is none.
  const toml::table* plain_table() const;
  // Reads a table that names one of several parts by `type`, or what stands for one; `read_one` is
  // given the table and which part it is.
  struct Forms;
  void read_one_of(const Forms& forms,
                   const std::function<void(const toml::table&, std::size_t)>& read_one) const;
};

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
    return {};
  }
}

// Reads the inputs of one struct out of a table that may hold others too.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, Unit around, Problems& problems);

  template <HasFields Part>
  void read(Part& part) {
    for_each_field(part, [&](const FieldRow& row, auto& member) {
      if (const std::optional<NodeReader> given = find_given(row)) given->read(member);
    });
    if constexpr (HasChoice<Part>) {
      constexpr auto choice = Part::choice();
      if constexpr (choice.key == kByOwnKey) {
        read_by_own_key(part.*choice.member);
      } else {
        read_chosen(choice.key, part.*choice.member);
      }
    }
  }
  // Keys that nothing has used; `also` names those that belong to the table but not to the part.
  void report_rest(std::string_view part, std::span<const std::string_view> also);

 private:
  // An input as its table knows it: for messages about keys that are none.
  struct InputName {
    std::string_view name;
    Unit unit;
  };
  struct Other {
    InputName input;
    std::string_view owner;
  };

  // The node of an input; a problem where there is none and must be, or there are two.
  std::optional<NodeReader> find_given(const FieldRow& row);
  // Which of several parts the table holds, by the keyword under `key`.
  std::optional<std::size_t> find_chosen(std::string_view key,
                                         const std::vector<std::string_view>& types);
  // Likewise, by the one of `types` that is a key.
  std::optional<std::size_t> find_own(const std::vector<std::string_view>& types);
  // An input of a part that was not chosen.
  void add_other(const FieldRow& row, std::string_view owner, bool is_choice_made);
  void refuse_empty(const FieldRow& row, std::string_view type, bool is_empty);

  // With a unit or without.
  bool has_key_of(std::string_view input) const;
  std::string inside(std::string_view key) const;
  void report_unknown_key(std::string_view key, const toml::node& node, std::string_view part);

  template <class... Parts>
  void read_chosen(std::string_view key, std::variant<Parts...>& to) {
    const std::optional<std::size_t> found = find_chosen(key, {Parts::type...});
    std::size_t i = 0;
    const auto read_it = [&]<class P>() {
      if (i++ == found) read(to.template emplace<P>());
    };
    (read_it.template operator()<Parts>(), ...);
  }

  template <class... Parts>
  void read_by_own_key(std::variant<Parts...>& to) {
    const std::optional<std::size_t> found = find_own({Parts::type...});
    std::size_t i = 0;
    const auto offer = [&]<class P>() {
      if (i++ == found) return read_own(to.template emplace<P>());
      const P blank{};
      for_each_field(blank, [&](const FieldRow& row, const auto&) {
        add_other(row, P::type, found.has_value());
      });
    };
    (offer.template operator()<Parts>(), ...);
  }
  template <class P>
  void read_own(P& part) {
    read(part);
    for_each_field(part, [&]<class M>(const FieldRow& row, const M& member) {
      if constexpr (is_reference<M>) refuse_empty(row, P::type, member.empty());
    });
  }

  const toml::table& table_;
  std::string path_;
  Unit around_;
  Problems& problems_;
  std::set<std::string_view> used_;
  std::vector<InputName> inputs_;
  std::vector<Other> others_;  // inputs of the parts that were not chosen
  std::string_view type_;      // of what was chosen
  bool is_known_ = true;       // what all keys may be
};

// `also` names keys that belong to the table but not to the part; `around` is the unit of the input the
// table is given for.
template <HasFields Part>
void read_part(const toml::table& table, Part& part, const std::string& path, Problems& problems,
               std::span<const std::string_view> also = {}, Unit around = unit::none) {
  TableReader reader(table, path, around, problems);
  reader.read(part);
  reader.report_rest(type_of<Part>(), also);
}

template <HasFields Part>
void NodeReader::read(Part& to) const {
  if (const toml::table* table = plain_table()) read_part(*table, to, path, problems, {}, unit);
}

// The parts a table may name, and what may stand for one.
struct NodeReader::Forms {
  std::vector<std::string_view> types;
  std::string_view first_with_inputs;  // what a table without a type is
  std::string_view of_number, number;  // the part a number stands for, and its input
};

template <class... Parts>
void NodeReader::read(std::variant<Parts...>& to) const {
  Forms forms{{Parts::type...}, {}, {}, {}};
  const auto visit = [&]<class P>() {
    if (forms.first_with_inputs.empty() && kFieldsOf<P>.size > 0) forms.first_with_inputs = P::type;
    if constexpr (TakesNumber<P>) forms.of_number = P::type, forms.number = P::by_number;
  };
  (visit.template operator()<Parts>(), ...);
  read_one_of(forms, [&](const toml::table& table, std::size_t found) {
    std::size_t i = 0;
    const auto read_it = [&]<class P>() {
      if (i++ == found) read_part(table, to.template emplace<P>(), path, problems, kTypeKey);
    };
    (read_it.template operator()<Parts>(), ...);
  });
}

}  // namespace berth
