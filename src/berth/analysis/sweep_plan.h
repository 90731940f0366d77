// SPDX-License-Identifier: Apache-2.0
#pragma once

// SweepPlan — which cases a sweep has, and the inputs of each.
//
//   --vary KEY=lin(a,b,n)      n values from a to b, evenly spaced
//              log(a,b,n)      n values from a to b, evenly spaced in their logarithm
//              [v1,v2,…]       these: numbers, texts or lists
//              normal(m,s)     random: mean m, standard deviation s
//              uniform(a,b)    random: anywhere between a and b
//
// Several keys with values make a grid, the last one running fastest. Random keys are drawn `samples`
// times at every point of the grid:
//
//   case = point · samples + sample        (samples = 1 when nothing is random)                (1)
//
// The j-th random key of a case is a function of (seed, sample, j) alone (math/philox.h): the same on
// any number of threads, and the same at every point of the grid, so that points are compared on
// equal draws. More samples keep those there were.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "berth/scenario/problem.h"

namespace berth {

using Cell = std::variant<double, std::string>;

enum class Spread { lin, log, list, normal, uniform };

struct Vary {
  std::string key;  // table.name.key
  Spread spread = Spread::list;
  double a = 0, b = 0;         // what stands in the brackets
  std::vector<Cell> values{};  // of the grid; none when random. Numbers, or texts as TOML has them

  bool is_random() const { return spread == Spread::normal || spread == Spread::uniform; }
  bool is_text() const { return !values.empty() && values[0].index() == 1; }
};

// As it would be written on the command line, always in the same spelling.
std::string describe(const Vary& vary);

struct SweepPlan {
  std::vector<Vary> keys;
  std::uint64_t samples = 1;
  std::uint64_t seed = 1;

  std::uint64_t cases() const;
  bool is_random() const;
  // Input of a case.
  Cell value(std::uint64_t number, std::size_t key) const;
  // All inputs of a case as `--set` takes them.
  std::vector<std::string> settings(std::uint64_t number) const;
};

inline constexpr std::uint64_t kMostCases = 10'000'000;

// Reads `--vary` texts; what is wrong with any of them goes to the problems. `samples` = 0: not given.
SweepPlan build_sweep_plan(const std::vector<std::string>& vary, std::uint64_t samples,
                           std::uint64_t seed, Problems& problems);

// "key=value", the value so that TOML reads back the same.
std::string to_setting(const std::string& key, const Cell& value);

}  // namespace berth
