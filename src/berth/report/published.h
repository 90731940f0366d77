// SPDX-License-Identifier: Apache-2.0
#pragma once

// Published — numbers that others have published or that the theory pages give, each with where our
// own comes from. The tests check all of them; this is the same as a table for readers.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace berth {

struct PublishedNumber {
  std::string source;    // whose
  std::string quantity;  // what, with its unit
  double published;
  std::string scenario;
  std::vector<std::string> settings;
  // A channel at a time ("servicer.rho_BO_N.x"), a number of the summary ("/docks/joint/force_peak"),
  // of an event ("impact 3 t": the third of its kind), or of the delay margin ("stability h_critical").
  std::string where;
  double t = NAN;  // [s] of a channel
  double found = NAN;
};

std::vector<PublishedNumber> list_published();

// Runs what is needed, and fills `found`.
void find_published(std::vector<PublishedNumber>& numbers,
                    const std::function<bool()>& interrupted = {});

// docs/verification.md
std::string write_verification(const std::vector<PublishedNumber>& numbers);

}  // namespace berth
