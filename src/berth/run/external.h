// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who takes part from outside, and what a run knows of it between two of its answers.

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace berth {

// Asked at every sample with the numbers of all that is measured, one after the other. An answer is the
// numbers of all commands (control/external.h), NaN for those that stay as they are. It acts a latency
// after its sample. Whoever cannot answer at once says `later` and is asked to hand it over when it is to
// act. What is thrown ends the run; an ExternalStop as an end that was meant.
class ExternalSource {
 public:
  enum class Reply : unsigned char { none, ready, later };

  virtual ~ExternalSource() = default;
  virtual Reply ask(std::uint64_t sample, double t, std::span<const double> measured,
                    std::span<double> commands) const = 0;
  // At t, a latency after a sample whose reply was `later`; false: there is no answer.
  virtual bool collect(std::uint64_t /*sample*/, double /*t*/,
                       std::span<double> /*commands*/) const {
    return false;
  }
};

// The run ends with this verdict.
struct ExternalStop : std::runtime_error {
  ExternalStop(std::string with_verdict, const std::string& reason)
      : std::runtime_error(reason), verdict(std::move(with_verdict)) {}
  std::string verdict;
};

struct ExternalState {
  double last = 0;     // [s] when the last command acts or acted, or it was switched on
  double judged = -1;  // [s] that `last` after which its rule acts
  bool frozen = false;
  std::uint64_t turns = 0;  // times it was switched
};

}  // namespace berth
