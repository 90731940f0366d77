// SPDX-License-Identifier: Apache-2.0
#pragma once

// Vary — how one input of a sweep is varied.
//
//   --vary KEY=lin(a,b,n)                    n values from a to b, evenly spaced
//              log(a,b,n)                    n values from a to b, evenly spaced in their logarithm
//              [v1,v2,…]                     these: numbers, texts or lists
//              normal(m,s)                   random: mean m, standard deviation s
//              truncated_normal(m,s,a,b)     random: the same, drawn between a and b
//              uniform(a,b)                  random: anywhere between a and b
//              lognormal(m,s)                random: median m, standard deviation s of the logarithm
//              triangular(a,c,b)             random: from a to b, most likely c
//              discrete(v1:w1,v2:w2,…)       random: one of these, numbers or texts, by weight
//              table(x1:p1,x2:p2,…)          random: below x with probability p, from 0 to 1
//              table(FILE)                   the same of a file: lines of x and p, or of draws x alone

#include <filesystem>
#include <optional>

#include "berth/analysis/case_result.h"
#include "berth/sampling/distribution.h"
#include "berth/scenario/problem.h"

namespace berth {

enum class Spread { lin, log, list, random };

struct Vary {
  std::string key;  // table.name.key
  Spread spread = Spread::list;
  double a = 0, b = 0;         // ends of lin and log
  std::vector<Cell> values{};  // of the grid, or of a discrete distribution; texts as TOML has them
  Distribution distribution{};  // of what is random

  bool is_random() const { return spread == Spread::random; }
  bool is_text() const { return !values.empty() && values[0].index() == 1; }
  // Drawn by a normal number rather than a uniform one.
  bool is_of_normal() const {
    return distribution.kind == DistributionKind::normal ||
           distribution.kind == DistributionKind::lognormal;
  }
  // The value at which the distribution is u, or that belongs to a standard normal number.
  Cell draw(double u) const { return find_cell(distribution.quantile(u)); }
  Cell draw_normal(double z) const { return find_cell(distribution.from_normal(z)); }

 private:
  Cell find_cell(double x) const {
    return distribution.is_discrete() ? values[static_cast<std::size_t>(x)] : Cell(x);
  }
};

// Reads "KEY=…"; what is wrong goes to the problems. Tables are searched for in `folder`.
std::optional<Vary> read_vary(const std::string& text, const std::filesystem::path& folder,
                              Problems& problems);
// As it would be written on the command line, always in the same spelling.
std::string describe(const Vary& vary);

// "key=value", the value so that TOML reads back the same.
std::string to_setting(const std::string& key, const Cell& value);

// What `--vary` may say.
extern const char* const kVaryForms;

inline constexpr std::uint64_t kMostCases = 10'000'000;

}  // namespace berth
