// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is kept of one case of a study: how it ended, and the values that were collected.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace berth {

// An input or output: a number, or a text as TOML has it.
using Cell = std::variant<double, std::string>;

// A value taken from the summary of every case, by its path in there: "audit.energy". With a width it is
// a row of numbers: a channel at that many instants.
struct Collected {
  std::string path;
  bool is_text;
  std::string unit = "", meaning = "";  // as the summary says
  std::uint64_t width = 1;
  bool operator==(const Collected&) const = default;
};

struct CaseResult {
  std::string outcome;  // as in run/outcome.h; "refused": its input was; "failed": an error
  std::string verdict;
  std::string message;  // why it is not as expected
  bool as_expected = false;
  // Of the collected columns, in their order: those that are numbers, those that are texts.
  std::vector<double> numbers;
  std::vector<std::string> texts;

  bool has_summary() const { return outcome != "refused" && outcome != "failed"; }
};

// How many numbers and texts a case has.
struct CaseShape {
  std::size_t numbers = 0, texts = 0;
  explicit CaseShape(const std::vector<Collected>& columns) {
    for (const Collected& c : columns) (c.is_text ? texts : numbers) += c.is_text ? 1 : c.width;
  }
};

}  // namespace berth
