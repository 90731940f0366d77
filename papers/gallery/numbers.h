// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers — reference numbers as papers/PAPER/numbers.toml has them: published ones, closed forms,
// and those of separately written codes, each with where our own comes from. Tests read the same
// files (tests/support/reference.h); here they become a table for readers.

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace berth {

struct ReferenceNumber {
  std::string heading;  // of the table it stands in
  std::string name;     // by which tests ask for it
  std::string what;     // quantity with its unit
  double value;
  double tolerance = NAN;  // that it must be met to, where it is stated
  std::string scenario;
  std::vector<std::string> settings;
  // A channel at a time ("servicer.rho_BO_N.x"), a number of the summary ("docks.joint.force_peak"),
  // of an event ("impact 3 t": the third of its kind), or of the delay margin ("stability
  // h_critical").
  std::string where;
  double t = NAN;  // [s] of a channel
  double found = NAN;

  bool is_missed() const {
    return !std::isfinite(found) || (tolerance > 0 && !(std::fabs(found - value) <= tolerance));
  }
};

// Those that say where they come from, of all papers.
std::vector<ReferenceNumber> read_numbers(const std::filesystem::path& folder);

// Finds the text of a scenario by its name.
using FindScenario = std::function<std::filesystem::path(const std::string& name)>;

// Runs what is needed, and fills `found`.
void find_numbers(std::vector<ReferenceNumber>& numbers, const FindScenario& find,
                  const std::function<bool()>& interrupted = {});

// docs/verification.md
std::string write_verification(const std::vector<ReferenceNumber>& numbers);

}  // namespace berth
