// SPDX-License-Identifier: Apache-2.0
//
// What a benchmark file promises, registered statically beside its BENCHMARK macros and judged by
// main.cpp:
//
//   check   evaluated before anything is timed: a number that says how far two models of the same
//           thing are apart, and how far they may be
//   gate    judged after the timings: a ratio of two benchmarks of the same run. Absolute times
//           depend on the machine and are information only.
//
//   BENCHMARK(berth_tree_20)->Name("berth/tree_20");
//   [[maybe_unused]] const bool promised =
//       gate({.name = "MuJoCo mj_forward / berth forward dynamics, one tree of 20 dof",
//             .numerator = "mujoco/tree_20",
//             .denominator = "berth/tree_20",
//             .at_least = 2.5}) &&
//       check({.name = "one tree: berth and MuJoCo", .find = [] { return …; }, .limit = 1e-9});
//
// Link these files as objects: a linker drops them from a static library.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::bench {

struct Check {
  std::string name;
  std::function<double()> find;  // may be slow or throw; called once, in order of registration
  double limit;                  // passes when find() ≤ limit (a NaN does not)
};

// ratio = time of the numerator / time of the denominator, both the least cpu time of one
// iteration over all repetitions: interference only ever adds (a gate that fails is measured up to
// twice more before it is judged). A benchmark with arguments is named as it is printed,
// "mujoco/chain/1000". Without a limit the ratio is printed as information.
struct Gate {
  std::string name;
  std::string numerator;
  std::string denominator;
  std::optional<double> at_least = {};
  std::optional<double> at_most = {};
  double numerator_count = 1.0;    // simulations (or steps …) that one iteration does; times are
  double denominator_count = 1.0;  // divided by it
};

inline std::vector<Check>& checks() {
  static std::vector<Check> all;
  return all;
}

inline std::vector<Gate>& gates() {
  static std::vector<Gate> all;
  return all;
}

inline bool check(Check c) {
  checks().push_back(std::move(c));
  return true;
}

inline bool gate(Gate g) {
  gates().push_back(std::move(g));
  return true;
}

}  // namespace berth::bench
