// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace berth {

// Of element i of a list.
constexpr std::size_t place(int i) { return static_cast<std::size_t>(i); }

}  // namespace berth
