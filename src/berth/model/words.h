// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs that are one of a few words. An enumeration states its words once, each with what it means:
//
//   enum class ThrustAxes { body, inertial, lvlh };
//   constexpr auto words_of(ThrustAxes) {
//     return std::array{Word{"body", "the body's own"}, …};   // in the order of the values
//   }
//
// An input of the kind OneOf<ThrustAxes> is read, checked, written and described from them. What runs
// asks for the value, never for the word.

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace berth {

struct Word {
  std::string_view word;
  std::string_view meaning;
  std::string_view former = {};  // what it was called before: refused, with the word it is now
};

template <class E>
concept HasWords = std::is_enum_v<E> && requires {
  words_of(E{});
};

template <HasWords E>
std::vector<std::string_view> list_words() {
  std::vector<std::string_view> out;
  for (const Word& w : words_of(E{})) out.push_back(w.word);
  return out;
}

template <HasWords E>
constexpr std::string_view word_of(E value) {
  return words_of(E{})[static_cast<std::size_t>(value)].word;
}

template <HasWords E>
std::optional<E> find_word(std::string_view word) {
  std::size_t i = 0;
  for (const Word& w : words_of(E{})) {
    if (w.word == word) return static_cast<E>(i);
    ++i;
  }
  return std::nullopt;
}

// `"cubic" is not one of constant, step, quintic`, with the word it is called now where it has another
// name.
std::string refuse_word(std::string_view word, const Word* words, std::size_t count);
template <HasWords E>
std::string refuse_word(std::string_view word) {
  constexpr auto words = words_of(E{});
  return refuse_word(word, words.data(), words.size());
}

template <HasWords E>
class OneOf {
 public:
  constexpr OneOf() = default;
  constexpr OneOf(E value) : value_(value) {}
  // Throws std::invalid_argument on a word that is none of them.
  OneOf(std::string_view word) {
    const std::optional<E> found = find_word<E>(word);
    if (!found) throw std::invalid_argument(refuse_word<E>(word));
    value_ = *found;
  }
  OneOf(const char* word) : OneOf(std::string_view(word)) {}
  OneOf(const std::string& word) : OneOf(std::string_view(word)) {}

  constexpr operator E() const { return value_; }
  constexpr std::string_view word() const { return word_of(value_); }

  constexpr bool operator==(const OneOf& other) const { return value_ == other.value_; }
  constexpr bool operator==(E other) const { return value_ == other; }

  static void visit_state(auto& archive, auto& self) {
    archive.choice(self.value_, static_cast<E>(words_of(E{}).size() - 1));
  }

 private:
  E value_{};
};

}  // namespace berth
