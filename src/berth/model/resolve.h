// SPDX-License-Identifier: Apache-2.0
#pragma once

// What holds for the inputs of every part, from its fields() and nothing else.
//
//   resolve(part, names, findings)        references: each names something that exists; short names are
//                                         completed, indices filled in
//   check_rules(part, around, findings)   what ranges and the parts themselves say (findings.h)
//
// Inputs of inputs are walked too. Members of a list are called by their name, or else by their number.

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "berth/model/fields.h"
#include "berth/model/findings.h"
#include "berth/model/references.h"

namespace berth {

// A name against the list of its kind: the index, or -1 and a finding at `input`. `owner` is the body
// named before, whose components are called without it.
int find_named(Named kind, std::string& name, const Names& names, const std::string& owner,
               std::string_view input, Findings& findings);

// More samples than a run can take: below a picosecond the clock stands still.
inline constexpr double kMostSamples = 1e9;
void check_period(double period, double duration, std::string_view input, Findings& findings);

namespace detail {

// What a member of a list is called.
template <class P>
std::string label_of(const P& part, std::size_t i) {
  std::string label;
  if constexpr (HasFields<P>)
    for_each_field(part, [&](const auto& field, const auto& member) {
      if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, std::string>)
        if (field.name == "name") label = member;
    });
  return label.empty() ? std::to_string(i + 1) : label;
}

class Resolver {
 public:
  Resolver(const Names& names, Findings& findings) : names_(names), findings_(findings) {}

  template <HasFields Part>
  void walk(Part& part) {
    const std::string around = owner_;
    owner_.clear();
    for_each_field(part, [&](const auto& field, auto& member) { visit(field.name, member); });
    if constexpr (HasChoice<Part>)
      std::visit([&](auto& chosen) { walk(chosen); }, part.*Part::choice().member);
    owner_ = around;
  }

 private:
  template <Named kind>
  void visit(std::string_view input, Ref<kind>& ref) {
    if (ref.empty()) return;
    ref.index = find_named(kind, ref.name, names_, owner_, input, findings_);
    if (kind == Named::moving_body || kind == Named::body) owner_ = ref.name;
  }
  template <Named kind>
  void visit(std::string_view input, std::vector<Ref<kind>>& list) {
    for (Ref<kind>& ref : list)
      ref.index = find_named(kind, ref.name, names_, owner_, input, findings_);
    if (kind != Named::joint && kind != Named::carried_joint) return;
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (list[k] == list[i]) findings_.add(input, list[i].name + " is listed twice");
  }
  template <HasFields Part>
  void visit(std::string_view input, Part& part) {
    findings_.inside(input, [&] { walk(part); });
  }
  template <class V>
  void visit(std::string_view input, std::optional<V>& value) {
    if (value) visit(input, *value);
  }
  template <HasFields Part>
  void visit(std::string_view input, std::vector<Part>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      findings_.inside(std::string(input) + "." + label_of(list[i], i), [&] { walk(list[i]); });
  }
  template <class... Parts>
  void visit(std::string_view input, std::variant<Parts...>& any) {
    findings_.inside(input, [&] { std::visit([&](auto& part) { walk(part); }, any); });
  }
  // Numbers, keywords and texts name nothing.
  void visit(std::string_view, const auto&) {}

  const Names& names_;
  Findings& findings_;
  std::string owner_;
};

class RuleChecker {
 public:
  RuleChecker(const Surroundings& around, Findings& findings)
      : around_(around), findings_(findings) {}

  template <HasFields Part>
  void walk(const Part& part) {
    if constexpr (HasRules<Part>) part.check(around_, findings_);
    for_each_field(part, [&](const auto& field, const auto& member) {
      if (field.range == Range::period)
        if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, double>)
          check_period(member, around_.duration, field.name, findings_);
      visit(field.name, member);
    });
    if constexpr (HasChoice<Part>)
      std::visit([&](const auto& chosen) { walk(chosen); }, part.*Part::choice().member);
  }

 private:
  template <HasFields Part>
  void visit(std::string_view input, const Part& part) {
    findings_.inside(input, [&] { walk(part); });
  }
  template <class V>
  void visit(std::string_view input, const std::optional<V>& value) {
    if (value) visit(input, *value);
  }
  template <HasFields Part>
  void visit(std::string_view input, const std::vector<Part>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      findings_.inside(std::string(input) + "." + label_of(list[i], i), [&] { walk(list[i]); });
  }
  template <class... Parts>
  void visit(std::string_view input, const std::variant<Parts...>& any) {
    findings_.inside(input, [&] { std::visit([&](const auto& part) { walk(part); }, any); });
  }
  void visit(std::string_view, const auto&) {}

  const Surroundings& around_;
  Findings& findings_;
};

}  // namespace detail

template <HasFields Part>
void resolve(Part& part, const Names& names, Findings& findings) {
  detail::Resolver(names, findings).walk(part);
}

template <HasFields Part>
void check_rules(const Part& part, const Surroundings& around, Findings& findings) {
  detail::RuleChecker(around, findings).walk(part);
}

// The same of a part that stands alone: throws std::invalid_argument.
template <HasFields Part>
void require_rules(const Part& part, std::string_view who) {
  Findings findings;
  check_rules(part, Surroundings{}, findings);
  findings.require_none(who);
}

}  // namespace berth
