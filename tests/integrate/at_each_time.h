// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace berth::test {

// For StepFunctions: f(t, values) of `count` functions, at one time after the other.
template <class F>
auto at_each_time(F f, std::size_t count) {
  return [f, count](std::span<const double> t, std::span<double> values) mutable {
    for (std::size_t i = 0; i < t.size(); ++i) f(t[i], values.subspan(i * count, count));
  };
}

}  // namespace berth::test
