// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is integrated: f(t, x, ẋ) writes ẋ at (t, x).

#include <concepts>
#include <span>

namespace berth {

template <class F, class T>
concept RateFunction = std::invocable<F&, double, std::span<const T>, std::span<T>>;

}  // namespace berth
