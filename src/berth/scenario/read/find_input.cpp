// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/find_input.h"

#include <charconv>

#include <fmt/format.h>

#include "berth/model/resolve.h"

namespace berth {
namespace {

using Facts = std::optional<InputFacts>;

// "speed_rpm.x" ↦ "speed_rpm" and "x"
std::pair<std::string_view, std::string_view> cut_first(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

template <HasFields Part>
Facts find_in_part(const Part& part, std::string_view path, Unit around);

template <class Value>
class InputFinder {
 public:
  InputFinder(const auto& field, std::string_view key, Unit unit)
      : facts_(InputFacts{std::string(find_key_unit(key, field.name, unit)->symbol),
                          std::string(field.meaning), std::nullopt}),
        factor_(find_key_unit(key, field.name, unit)->factor),
        unit_(unit) {}

  Facts find(const Value& value, std::string_view rest) const { return in(value, rest); }

 private:
  template <HasFields Part>
  Facts in(const Part& part, std::string_view rest) const {
    // A part that may be written as a number has the name of that number.
    if constexpr (TakesNumber<Part>)
      if (rest.empty()) return find_in_part(part, Part::by_number, unit_);
    return find_in_part(part, rest, unit_);
  }
  template <class... Parts>
  Facts in(const std::variant<Parts...>& any, std::string_view rest) const {
    return std::visit([&](const auto& part) { return in(part, rest); }, any);
  }
  template <class V>
  Facts in(const std::optional<V>& value, std::string_view rest) const {
    if constexpr (HasFields<V>) return value ? in(*value, rest) : std::nullopt;
    return value ? in(*value, rest) : facts_;
  }
  Facts in(double number, std::string_view) const { return with(number); }
  Facts in(int number, std::string_view) const { return with(number); }
  Facts in(const Vec3<double>& v, std::string_view rest) const {
    return rest == "x" ? with(v.x) : rest == "y" ? with(v.y) : rest == "z" ? with(v.z) : facts_;
  }
  Facts in(bool, std::string_view) const { return facts_; }
  // Members are entered by name, or by number; a list of one may be written as the one table.
  template <HasFields Part>
  Facts in(const std::vector<Part>& list, std::string_view rest) const {
    const auto [word, inside] = cut_first(rest);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (word == detail::label_of(list[i], i) || word == std::to_string(i + 1))
        if (const Facts found = in(list[i], inside)) return found;
    return list.size() == 1 ? in(list[0], rest) : std::nullopt;
  }
  Facts in(const auto&, std::string_view) const { return facts_; }

  Facts with(double number) const {
    Facts out = facts_;
    // As the file has it: 30 deg, not the 29.999999999999996 that dividing gives.
    const double divided = number / factor_;
    const std::string short_text = fmt::format("{:.15g}", divided);
    double rounded = divided;
    std::from_chars(short_text.data(), short_text.data() + short_text.size(), rounded);
    out->value = rounded * factor_ == number ? rounded : divided;
    return out;
  }

  Facts facts_;  // of the input itself
  double factor_;
  Unit unit_;
};

template <HasFields Part>
Facts find_in_part(const Part& part, std::string_view path, Unit around) {
  Facts found;
  const auto [key, rest] = cut_first(path);
  const auto visit = [&, key = key, rest = rest](const auto& field, const auto& member) {
    const Unit unit = find_unit(field.unit, around);
    if (found || !find_key_unit(key, field.name, unit)) return;
    found = InputFinder<std::remove_cvref_t<decltype(member)>>(field, key, unit).find(member, rest);
  };
  for_each_field(part, visit);
  if constexpr (HasChoice<Part>)
    if (!found)
      found = std::visit([&](const auto& chosen) { return find_in_part(chosen, path, around); },
                         part.*Part::choice().member);
  return found;
}

}  // namespace

Facts find_input(const Scenario& scenario, std::string_view path) {
  return find_in_part(scenario, path, unit::none);
}

}  // namespace berth
