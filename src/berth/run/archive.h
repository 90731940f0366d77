// SPDX-License-Identifier: Apache-2.0
#pragma once

// Archives — a value as bytes, and back.
//
//   visit_state(a, value)   one function per type names its members. With a ByteWriter it writes
//                           them, with a ByteReader it reads them, with a Digest it hashes them.
//
// It is a static member where members are private, else a free function (visit_state.h). Most begin
// with a structured binding: a member that is added and forgotten does not compile.
//
//   double          its 8 bytes, NaN payloads included
//   integers        4 or 8 bytes, two's complement; bool one byte, 0 or 1; choices one byte
//   lists, text     how many (8 bytes), then each
//
// All little-endian. A reader believes nothing: every length is compared with what is left, every
// choice with what there is; it throws std::runtime_error.

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "berth/model/fields.h"

namespace berth {

static_assert(std::endian::native == std::endian::little && sizeof(std::size_t) == 8);

// FNV-1a: any change of a single byte changes it.
class Fnv {
 public:
  void add(const void* bytes, std::size_t n) {
    const auto* b = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < n; ++i) hash_ = (hash_ ^ b[i]) * 0x100000001b3ULL;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

namespace detail {

template <class V>
inline constexpr bool is_vector = false;
template <class E>
inline constexpr bool is_vector<std::vector<E>> = true;
template <class V>
inline constexpr bool is_array = false;
template <class E, std::size_t n>
inline constexpr bool is_array<std::array<E, n>> = true;
template <class V>
inline constexpr bool is_optional = false;
template <class E>
inline constexpr bool is_optional<std::optional<E>> = true;
template <class V>
inline constexpr bool is_variant = false;
template <class... E>
inline constexpr bool is_variant<std::variant<E...>> = true;
// Its members are named by a static visit_state of its own.
template <class T, class A>
concept NamesOwnMembers = requires(A& archive, T& value) {
  T::visit_state(archive, value);
};
template <class V>
inline constexpr bool is_number = std::is_arithmetic_v<V> && !std::same_as<V, bool>;

}  // namespace detail

// What archives have in common; Bytes moves raw bytes: transfer(p, n), left(), check().
template <class Bytes>
class Archive : public Bytes {
 public:
  using Bytes::Bytes;
  using Bytes::reads;

  void operator()(auto&... values) { (one(values), ...); }

  // A list whose length both sides know.
  void fixed(auto&& list) {
    std::size_t n = list.size();
    one(n);
    this->check(n == list.size(), "a list has another length than here");
    elements(list, n);
  }
  // One of several, by its number.
  template <class E>
  void choice(E& value, std::remove_const_t<E> last) {
    auto number = static_cast<unsigned char>(value);
    one(number);
    this->check(number <= static_cast<unsigned char>(last), "a choice is none of those there are");
    if constexpr (reads) value = static_cast<E>(number);
  }

 private:
  template <class V>
  void one(V& value) {
    using T = std::remove_const_t<V>;
    if constexpr (detail::is_number<T>) {
      this->transfer(&value, sizeof(T));
    } else if constexpr (std::same_as<T, bool>) {
      choice(value, true);
    } else if constexpr (std::same_as<T, std::string> || detail::is_vector<T>) {
      list(value);
    } else if constexpr (std::same_as<T, std::set<std::string>>) {
      std::vector<std::string> words;
      if constexpr (!reads) words.assign(value.begin(), value.end());
      list(words);
      if constexpr (reads) value = T(words.begin(), words.end());
    } else if constexpr (detail::is_array<T>) {
      elements(value, value.size());
    } else if constexpr (detail::is_optional<T>) {
      bool has = value.has_value();
      one(has);
      if constexpr (reads) has ? void(value.emplace()) : value.reset();
      if (has) one(*value);
    } else if constexpr (detail::is_variant<T>) {
      std::size_t which = value.index();
      one(which);
      alternative<0>(value, which);
    } else if constexpr (detail::NamesOwnMembers<T, Archive>) {
      T::visit_state(*this, value);
    } else if constexpr (HasFields<T>) {
      for_each_field(value, [this](const auto&, auto& member) { one(member); });
    } else {
      visit_state(*this, value);
    }
  }

  template <class V>
  void list(V& value) {
    using E = typename V::value_type;
    std::size_t n = value.size();
    one(n);
    if constexpr (reads) {
      constexpr std::size_t least = detail::is_number<E> ? sizeof(E) : 1;
      this->check(n <= this->left() / least, "a list is longer than what is left");
      value.clear();
      if constexpr (detail::is_number<E>) {
        value.resize(n);
      } else {
        // One by one: what is not there is not made.
        for (std::size_t i = 0; i < n; ++i) one(value.emplace_back());
        return;
      }
    }
    elements(value, n);
  }
  void elements(auto& value, std::size_t n) {
    using E = std::remove_cvref_t<decltype(*value.begin())>;
    if constexpr (detail::is_number<E>) {
      this->transfer(std::data(value), n * sizeof(E));
    } else {
      for (auto& e : value) one(e);
    }
  }
  template <std::size_t i, class V>
  void alternative(V& value, std::size_t which) {
    using T = std::remove_const_t<V>;
    if constexpr (i < std::variant_size_v<T>) {
      if (i != which) return alternative<i + 1>(value, which);
      if constexpr (reads) value.template emplace<i>();
      one(std::get<i>(value));
    } else {
      this->check(false, "a value is of no kind there is");
    }
  }
};

class WrittenBytes {
 public:
  static constexpr bool reads = false;
  void transfer(const void* p, std::size_t n) {
    if (n > 0) bytes_.append(static_cast<const char*>(p), n);
  }
  void check(bool, const char*) {}
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

class ReadBytes {
 public:
  static constexpr bool reads = true;
  explicit ReadBytes(std::string_view bytes) : rest_(bytes) {}
  void transfer(void* p, std::size_t n) {
    check(n <= rest_.size(), "it ends too early");
    if (n > 0) std::memcpy(p, rest_.data(), n);
    rest_.remove_prefix(n);
  }
  void check(bool fine, const char* what) const {
    if (!fine) throw std::runtime_error(std::string("a saved run that cannot be read: ") + what);
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

class HashedBytes {
 public:
  static constexpr bool reads = false;
  void transfer(const void* p, std::size_t n) { hash_.add(p, n); }
  void check(bool, const char*) {}
  std::uint64_t value() const { return hash_.value(); }

 private:
  Fnv hash_;
};

using ByteWriter = Archive<WrittenBytes>;
using ByteReader = Archive<ReadBytes>;
using Digest = Archive<HashedBytes>;

}  // namespace berth
