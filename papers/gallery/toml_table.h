// SPDX-License-Identifier: Apache-2.0
#pragma once

// TomlTable — a table of a data file, read strictly: a key that is not asked for is an error, with
// file and line.

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "berth/record/input_file.h"

namespace berth {

inline toml::table read_toml(const std::string& file) {
  InputFile in(file, "paper");
  const std::string text = in.read(std::size_t{4} << 20);
  if (!in.problem().empty()) throw std::runtime_error(file + ": " + in.problem());
  return toml::parse(text, file);
}

class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string file) : table_(&table), file_(std::move(file)) {}

  bool has(std::string_view key) const { return table_->contains(key); }

  template <class T>
  T get(std::string_view key, T otherwise) {
    const toml::node* node = find(key);
    if (node == nullptr) return otherwise;
    return value<T>(*node, key);
  }
  template <class T>
  T need(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) fail(*table_, fmt::format("{} is missing", key));
    return value<T>(*node, key);
  }
  // A single value is a list of one.
  template <class T>
  std::vector<T> list(std::string_view key, std::vector<T> otherwise = {}) {
    const toml::node* node = find(key);
    if (node == nullptr) return otherwise;
    if (!node->is_array()) return {value<T>(*node, key)};
    std::vector<T> out;
    for (const toml::node& one : *node->as_array()) out.push_back(value<T>(one, key));
    return out;
  }
  std::vector<TomlTable> tables(std::string_view key) {
    const toml::node* node = find(key);
    std::vector<TomlTable> out;
    if (node == nullptr) return out;
    if (!node->is_array()) fail(*node, fmt::format("{} must be a list of tables", key));
    for (const toml::node& one : *node->as_array()) {
      if (!one.is_table()) fail(one, fmt::format("{} must be a list of tables", key));
      out.emplace_back(*one.as_table(), file_);
    }
    return out;
  }
  // Of values of several types.
  const toml::array& array(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr || !node->is_array()) fail(fmt::format("{} must be a list", key));
    return *node->as_array();
  }
  TomlTable table(std::string_view key) {
    static const toml::table nothing;
    const toml::node* node = find(key);
    if (node == nullptr) return {nothing, file_};
    if (!node->is_table()) fail(*node, fmt::format("{} must be a table", key));
    return {*node->as_table(), file_};
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> out;
    for (const auto& [key, node] : *table_) out.emplace_back(key.str());
    return out;
  }
  // Nothing is left over.
  void finish() const {
    for (const auto& [key, node] : *table_)
      if (!asked_.contains(std::string(key.str())))
        fail(node, fmt::format("there is no key {} here", key.str()));
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& why) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", file_, node.source().begin.line, why));
  }
  [[noreturn]] void fail(const std::string& why) const { fail(*table_, why); }

 private:
  const toml::node* find(std::string_view key) {
    asked_.insert(std::string(key));
    return table_->get(key);
  }
  template <class T>
  T value(const toml::node& node, std::string_view key) const {
    const auto found = node.value<T>();
    if (!found) fail(node, fmt::format("{} has another type", key));
    return *found;
  }

  const toml::table* table_;
  std::string file_;
  std::set<std::string> asked_;
};

}  // namespace berth
