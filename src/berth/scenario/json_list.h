// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vectors and quaternions (scalar first) as lists of JSON.

#include <nlohmann/json.hpp>

#include "berth/math/rotation.h"

namespace berth {

inline nlohmann::ordered_json to_list(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline nlohmann::ordered_json to_list(const Quaternion<double>& q) { return {q.w, q.x, q.y, q.z}; }

}  // namespace berth
