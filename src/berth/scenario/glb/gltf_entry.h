// SPDX-License-Identifier: Apache-2.0
#pragma once

// The JSON of a model, asked for one value after the other. What is not of its kind is a GlbError that
// says where.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "berth/scenario/glb/glb.h"

namespace berth {

using GltfJson = nlohmann::json;

inline constexpr std::size_t kMostMembers = 4096;  // of a list

template <class... Values>
[[noreturn]] void reject(fmt::format_string<Values...> text, Values&&... values) {
  throw GlbError(fmt::format(text, std::forward<Values>(values)...));
}

// An object of the file with the words by which messages call it: "accessor 3".
struct GltfEntry {
  const GltfJson& json;
  std::string who;

  const GltfJson* find(const char* key) const {
    const auto at = json.find(key);
    return at == json.end() ? nullptr : &*at;
  }
  std::optional<std::uint64_t> whole(const char* key) const {
    const GltfJson* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_number_unsigned()) reject("is damaged: {} of {} is no whole number", key, who);
    return value->get<std::uint64_t>();
  }
  std::uint64_t must_have(const char* key) const {
    const std::optional<std::uint64_t> value = whole(key);
    if (!value) reject("is damaged: {} has no {}", who, key);
    return *value;
  }
  std::string text(const char* key) const {
    const GltfJson* value = find(key);
    if (!value) return "";
    if (!value->is_string()) reject("is damaged: {} of {} is no text", key, who);
    return value->get<std::string>();
  }
  const GltfJson* list(const char* key) const {
    const GltfJson* value = find(key);
    if (!value) return nullptr;
    if (!value->is_array()) reject("is damaged: {} of {} is no list", key, who);
    if (value->size() > kMostMembers)
      reject("is too large: {} {} of {}, at most {}", value->size(), key, who, kMostMembers);
    return value;
  }
  std::optional<std::vector<double>> numbers(const char* key, std::size_t count) const {
    const GltfJson* value = list(key);
    if (!value) return std::nullopt;
    std::vector<double> out;
    for (const GltfJson& x : *value)
      if (x.is_number()) out.push_back(x.get<double>());
    const bool finite =
        std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); });
    if (out.size() != count || value->size() != count || !finite)
      reject("is damaged: {} of {} is not {} numbers", key, who, count);
    return out;
  }
  std::optional<GltfEntry> object(const char* key) const {
    const GltfJson* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_object()) reject("is damaged: {} of {} is no object", key, who);
    return GltfEntry{*value, fmt::format("{} of {}", key, who)};
  }
};

}  // namespace berth
