// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run of the Pleiades problem with every kind of call an integrator knows, for any number type.
// lanes_test.cpp instantiates it for double without AVX2, lanes_pack_test.cpp for packs with it.

#include <array>
#include <span>
#include <vector>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/methods.h"
#include "tests/integrate/problems.h"

namespace berth::lanes_run {

// All states in the order they come by: at every step, inside every step, slopes, and the times.
template <Scalar T>
std::vector<T> run(const Tableau& method, std::vector<T> x) {
  const problems::Pleiades f;
  Adaptive<T> a(method, x.size(), {{0, 7, 1.0}, {7, 7, 1.0}, {14, 14, 1.0}},
                {.tolerance = 1e-7, .step = 1e-3});
  a.start(0, x);
  std::vector<T> seen;
  const auto see = [&](std::span<const T> v) { seen.insert(seen.end(), v.begin(), v.end()); };
  while (a.t() < 0.5) {
    if (a.step(f, 0.5) != StepOutcome::accepted) break;
    see(a.x());
    seen.push_back(T(a.t()));
    a.prepare_dense(f);
    const double middle = a.t_previous() + 0.37 * (a.t() - a.t_previous());
    a.interpolate(middle, x);
    see(x);
    a.interpolate_rate(middle, x);
    see(x);
  }
  return seen;
}

// The same in a translation unit without AVX2.
std::vector<double> run_in_double(const Tableau& method, const std::vector<double>& x);

}  // namespace berth::lanes_run
