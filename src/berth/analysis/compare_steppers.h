// SPDX-License-Identifier: Apache-2.0
#pragma once

// The same scenario by methods that step differently: what each keeps as time goes on, and the order
// that halving its step shows.
//
//   error     largest difference of any coordinate or speed from the reference, at kSamples times
//   order     log₂ of the error of a step over that of half of it                              (1)
//   audits    of energy and momentum, the largest so far, at those times
//
// Steps are h, h/2 and h/4 with h that of the file, or a thousandth of the run where it has none. The
// reference is dop853 with a tolerance of 1e-13.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace berth {

struct Stepped {
  std::string method;
  std::string refused;  // why it could not be run; empty when it was
  std::string outcome;
  std::vector<double> error;            // with h, h/2, h/4; of adaptive methods one
  double order = NAN;                   // (1)
  std::vector<double> energy;           // audits
  std::vector<double> linear_momentum;  // likewise
  std::vector<double> angular_momentum;
  std::uint64_t steps = 0, rhs = 0;  // with h
  double seconds = 0;
};

struct SteppersCompared {
  double step = 0;            // [s] h
  std::vector<double> times;  // [s] of the audits
  std::vector<Stepped> rows;
};

SteppersCompared compare_steppers(const std::filesystem::path& file,
                                  const std::vector<std::string>& overrides,
                                  const std::function<bool()>& interrupted,
                                  const std::function<void(const std::string&)>& report);

std::string describe(const SteppersCompared& compared);
nlohmann::ordered_json to_json(const SteppersCompared& compared);

}  // namespace berth
