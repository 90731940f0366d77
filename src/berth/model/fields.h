// SPDX-License-Identifier: Apache-2.0
#pragma once

// The schema of a part: one row per input, read by the file reader and writer, by `describe`, by
// the docs, by the conformance tests and by lift().
//
//   static constexpr auto fields() {
//     using P = HingedPanel;
//     return Schema{Field{"mass", &P::m, unit::kg, Range::positive, "panel mass", required}, …};
//   }
//
// The type of a member is the kind of its input: numbers and texts, OneOf<Enum> (keywords.h),
// BodyRef and its kin (references.h), tables that have fields() themselves, lists of all these, and
// std::variant of parts, one of which the table names by `type`. A struct that takes the inputs of
// one of several parts into its own table says so with choice():
//
//   static constexpr auto choice() { return Choice{"surface", &ContactSpec::surface}; }

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "berth/math/rotation.h"
#include "berth/model/keywords.h"
#include "berth/model/references.h"
#include "berth/model/schema.h"
#include "berth/model/unit.h"

namespace berth {

enum class Range {
  any,           // any finite number
  positive,      // > 0
  not_negative,  // ≥ 0
  period,        // ≥ 0: seconds from sample to sample; 0 = continuous
  unit_vector,   // a direction; it is normalised on reading
  inertia,       // positive definite and obeying the triangle inequality (or all zero)
};

// What else there is to say of an input. It must be given; or another one instead; or it matters where
// something is sampled and nowhere else: no rate depends on it.
struct Must {
  bool be_given = false;
  std::string_view unless = {};
  bool be_sampled = false;
};
inline constexpr Must required{true};
inline constexpr Must of_samples{false, {}, true};
constexpr Must required_unless(std::string_view other) { return {true, other}; }

// What a row says, whatever the part and the kind of its member.
struct FieldRow {
  std::string_view name;
  Unit unit;
  Range range;
  std::string_view meaning;
  bool is_required = false;
  std::string_view unless = {};  // the input that may be given instead
  bool is_of_samples = false;
};

template <class Part, class Member>
struct Field : FieldRow {
  Member Part::*member;

  constexpr Field(std::string_view n, Member Part::*p, Unit u, Range r, std::string_view about,
                  Must must = {})
      : FieldRow{n, u, r, about, must.be_given, must.unless, must.be_sampled}, member(p) {}
};

template <class P>
concept HasFields = requires {
  P::fields();
};

// Which of several parts a table holds, by the keyword under `key`; their inputs are the table's own.
// With kByOwnKey it is the one whose `type` is a key of the table: the name of its first input, which
// it must have.
inline constexpr std::string_view kByOwnKey = "";
template <class Part, class Variant>
struct Choice {
  std::string_view key;
  Variant Part::*member;
};
template <class Part, class Variant>
Choice(std::string_view, Variant Part::*) -> Choice<Part, Variant>;
template <class P>
concept HasChoice = HasFields<P> && requires {
  P::choice();
};

// A part that may be written as a number: its input of the name by_number.
template <class P>
concept TakesNumber = requires {
  P::by_number;
};

template <class M>
inline constexpr bool is_list = false;
template <class V>
inline constexpr bool is_list<std::vector<V>> = true;

template <class M>
inline constexpr bool is_optional = false;
template <class V>
inline constexpr bool is_optional<std::optional<V>> = true;

// The rows of a part, made when berth is compiled.
template <HasFields Part>
inline constexpr auto kFieldsOf = Part::fields();

template <std::size_t... I, class... Row, class Part, class Visit>
void visit_fields(const SchemaAt<std::index_sequence<I...>, Row...>& schema, Part& part,
                  Visit& visit) {
  (visit(schema.RowAt<I, Row>::row, part.*schema.RowAt<I, Row>::row.member), ...);
}

// Calls visit(field, part.*field.member) for every input of a part.
template <HasFields Part, class Visit>
void for_each_field(Part& part, Visit&& visit) {
  visit_fields(kFieldsOf<std::remove_const_t<Part>>, part, visit);
}

// Calls visit(field_a, a.*, b.*) on two parts of the same kind, whatever their scalars.
template <HasFields A, HasFields B, class Visit>
void zip_fields(const A& a, B& b, Visit&& visit) {
  constexpr const auto& fa = kFieldsOf<A>;
  constexpr const auto& fb = kFieldsOf<B>;
  static_assert(fa.size == fb.size);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit(row_at<I>(fa), a.*row_at<I>(fa).member, b.*row_at<I>(fb).member), ...);
  }
  (fa.indices);
}

}  // namespace berth
