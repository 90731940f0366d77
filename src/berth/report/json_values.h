// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of a JSON object that may not be there: a result may be of an older program, or damaged.

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

namespace berth {

inline double number_of(const nlohmann::ordered_json& json, const char* key,
                        double otherwise = NAN) {
  const auto it = json.find(key);
  return it != json.end() && it->is_number() ? it->get<double>() : otherwise;
}

inline std::string text_of(const nlohmann::ordered_json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : "";
}

}  // namespace berth
