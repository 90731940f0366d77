// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts => TOML, through fields() and choice() and nothing else: every input, defaults written out.

#include <toml++/toml.h>

#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <HasFields Part>
toml::table write_part(const Part& part);

// Where a value is written: under a key of a table, or at the end of a list. Each becomes the node that is
// read back as the same.
class ValueWriter {
 public:
  ValueWriter(toml::table& table, std::string_view key) : table_(&table), key_(key) {}
  explicit ValueWriter(toml::array& list) : list_(&list) {}

  void write(double x) const;
  void write(int x) const;
  void write(bool x) const;
  void write(const std::string& x) const;
  void write(const Vec3<double>& v) const;
  void write(const Quaternion<double>& q) const;
  void write(const Sym3<double>& m) const;
  void write(const std::array<double, 2>& x) const;
  template <HasKeywords E>
  void write(const OneOf<E>& value) const {
    write(std::string(value.keyword()));
  }
  template <Named kind>
  void write(const Ref<kind>& ref) const {
    write(ref.name);
  }
  template <HasFields Part>
  void write(const Part& part) const {
    put(write_part(part));
  }
  template <class... Parts>
  void write(const std::variant<Parts...>& any) const {
    std::visit([&]<class P>(const P& part) { put(write_part(part), P::type); }, any);
  }
  template <class V>
  void write(const std::vector<V>& list) const {
    toml::array all;
    for (const V& x : list) ValueWriter(all).write(x);
    put(std::move(all));
  }

 private:
  void put(toml::array&& list) const;
  void put(toml::table&& table, std::string_view type = {}) const;
  template <class V>
  void put_value(V&& value) const;

  toml::table* table_ = nullptr;
  std::string_view key_;
  toml::array* list_ = nullptr;
};

// Adds the inputs of the part that was chosen, and the key that names it, if there is one.
void add_chosen(toml::table& out, toml::table&& chosen, std::string_view key,
                std::string_view type);

template <HasFields Part>
toml::table write_part(const Part& part) {
  toml::table out;
  for_each_field(part, [&]<class M>(const FieldRow& row, const M& member) {
    const ValueWriter at(out, row.name);
    if constexpr (is_optional<M>) {
      if (member) at.write(*member);
    } else {
      // A direction that was left open stays open.
      if constexpr (std::same_as<M, Vec3<double>>)
        if (row.range == Range::unit_vector && dot(member, member) == 0) return;
      at.write(member);
    }
  });
  if constexpr (HasChoice<Part>) {
    constexpr auto choice = Part::choice();
    std::visit(
        [&]<class P>(const P& chosen) { add_chosen(out, write_part(chosen), choice.key, P::type); },
        part.*choice.member);
  }
  return out;
}

}  // namespace berth
