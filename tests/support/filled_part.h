// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts with something in every input, found through fields() alone: valid numbers by the range of
// the field, words made of its name, lists of two.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "berth/model/fields.h"
#include "tests/support/random.h"

namespace berth::test {

template <HasFields Part>
void fill_part(Part& part, Random& random);

namespace detail {

template <class F>
void fill(double& x, const F& field, Random& random) {
  x = random.number(field.range == Range::any ? -5 : 0.1, 5);
}
template <class F>
void fill(int& x, const F&, Random& random) {
  x = random.integer(1, 1000);
}
template <class F>
void fill(Vec3<double>& x, const F& field, Random& random) {
  x = field.range == Range::unit_vector ? random.direction() : random.vector(5);
}
template <class F>
void fill(Sym3<double>& x, const F&, Random& random) {
  x = random.inertia(3);
}
template <class F>
void fill(Quaternion<double>& x, const F&, Random& random) {
  x = random.quaternion();
}
template <class F>
void fill(std::array<double, 2>& x, const F&, Random& random) {
  x = {random.number(0, 5), random.number(5, 10)};
}
template <class F>
void fill(std::string& x, const F& field, Random&) {
  x = "its " + std::string(field.name);
}
template <Named kind, class F>
void fill(Ref<kind>& x, const F& field, Random&) {
  x = "its " + std::string(field.name);
}
template <HasKeywords E, class F>
void fill(OneOf<E>& x, const F&, Random& random) {
  x = static_cast<E>(random.integer(0, static_cast<int>(keywords_of(E{}).size()) - 1));
}
template <class F>
void fill(bool& x, const F&, Random&) {
  x = !x;
}
template <class V, class F>
void fill(std::optional<V>& x, const F& field, Random& random) {
  fill(x.emplace(), field, random);
}
// Which part it is stays; what is in it is filled.
template <class... Parts, class F>
void fill(std::variant<Parts...>& any, const F&, Random& random) {
  std::visit([&](auto& part) { fill_part(part, random); }, any);
}
template <HasFields Part, class F>
void fill(Part& part, const F&, Random& random) {
  fill_part(part, random);
}
template <class V, class F>
void fill(std::vector<V>& list, const F& field, Random& random) {
  list.resize(2);
  for (V& v : list) fill(v, field, random);
}

}  // namespace detail

template <HasFields Part>
void fill_part(Part& part, Random& random) {
  for_each_field(part,
                 [&](const auto& field, auto& member) { detail::fill(member, field, random); });
}

template <HasFields Part>
std::vector<std::string> find_differences(const Part& a, const Part& b);

// Of parts of one kind out of several.
template <class... Parts>
std::vector<std::string> find_differences(const std::variant<Parts...>& a,
                                          const std::variant<Parts...>& b) {
  if (a.index() != b.index()) return {"type"};
  return std::visit(
      [&](const auto& part) {
        return find_differences(part, std::get<std::remove_cvref_t<decltype(part)>>(b));
      },
      a);
}
template <class M>
inline constexpr bool is_variant = false;
template <class... Parts>
inline constexpr bool is_variant<std::variant<Parts...>> = true;

// The names of the inputs in which two parts of one kind differ, inputs of inputs included.
template <HasFields Part>
std::vector<std::string> find_differences(const Part& a, const Part& b) {
  std::vector<std::string> names;
  const auto note = [&](std::string_view field, const std::vector<std::string>& inner) {
    for (const std::string& n : inner) names.push_back(std::string(field) + "." + n);
  };
  zip_fields(a, b, [&](const auto& field, const auto& x, const auto& y) {
    using M = std::remove_cvref_t<decltype(x)>;
    if constexpr (HasFields<M> || is_variant<M>) {
      note(field.name, find_differences(x, y));
    } else if constexpr (requires { requires HasFields<typename M::value_type>; }) {
      if (x.size() != y.size()) names.emplace_back(field.name);
      for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
        note(field.name, find_differences(x[i], y[i]));
    } else {
      if (!(x == y)) names.emplace_back(field.name);
    }
  });
  return names;
}

}  // namespace berth::test
