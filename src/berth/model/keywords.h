// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs that are one of a few keywords. An enumeration states its keywords once, each with what it
// means:
//
//   enum class ThrustAxes { body, inertial, lvlh };
//   constexpr auto keywords_of(ThrustAxes) {
//     return std::array{Keyword{"body", "the body's own"}, …};   // in the order of the values
//   }
//
// An input of the kind OneOf<ThrustAxes> is read, checked, written and described from them. What
// runs asks for the value, never for the keyword.

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace berth {

struct Keyword {
  std::string_view keyword;
  std::string_view meaning;
  std::string_view former = {};  // what it was called before: refused, with the keyword it is now
};

template <class E>
concept HasKeywords = std::is_enum_v<E> && requires {
  keywords_of(E{});
};

template <HasKeywords E>
std::vector<std::string_view> list_keywords() {
  std::vector<std::string_view> out;
  for (const Keyword& w : keywords_of(E{})) out.push_back(w.keyword);
  return out;
}

template <HasKeywords E>
constexpr std::string_view keyword_of(E value) {
  return keywords_of(E{})[static_cast<std::size_t>(value)].keyword;
}

template <HasKeywords E>
std::optional<E> find_keyword(std::string_view keyword) {
  std::size_t i = 0;
  for (const Keyword& w : keywords_of(E{})) {
    if (w.keyword == keyword) return static_cast<E>(i);
    ++i;
  }
  return std::nullopt;
}

// `"cubic" is not one of constant, step, quintic`, with the keyword it is called now where it has
// another name.
std::string refuse_keyword(std::string_view keyword, const Keyword* keywords, std::size_t count);
template <HasKeywords E>
std::string refuse_keyword(std::string_view keyword) {
  constexpr auto keywords = keywords_of(E{});
  return refuse_keyword(keyword, keywords.data(), keywords.size());
}

template <HasKeywords E>
class OneOf {
 public:
  constexpr OneOf() = default;
  constexpr OneOf(E value) : value_(value) {}
  // Throws std::invalid_argument on a keyword that is none of them.
  OneOf(std::string_view keyword) {
    const std::optional<E> found = find_keyword<E>(keyword);
    if (!found) throw std::invalid_argument(refuse_keyword<E>(keyword));
    value_ = *found;
  }
  OneOf(const char* keyword) : OneOf(std::string_view(keyword)) {}
  OneOf(const std::string& keyword) : OneOf(std::string_view(keyword)) {}

  constexpr operator E() const { return value_; }
  constexpr std::string_view keyword() const { return keyword_of(value_); }

  constexpr bool operator==(const OneOf& other) const { return value_ == other.value_; }
  constexpr bool operator==(E other) const { return value_ == other; }

  static void visit_state(auto& archive, auto& self) {
    archive.choice(self.value_, static_cast<E>(keywords_of(E{}).size() - 1));
  }

 private:
  E value_{};
};

}  // namespace berth
