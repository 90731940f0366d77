// SPDX-License-Identifier: Apache-2.0
#pragma once

// Modes of a linear model: berth modes.
//
//   λ = −ζ ω ± i ω √(1 − ζ²)          ω natural frequency, ζ damping ratio                        (1)
//
// A part takes part in a mode by Σ |l_i r_i| over its states, of the left and right eigenvectors:
// shares do not depend on units. Modes that nothing brings back (λ = 0: a free craft drifts and
// turns, a wheel has any angle) are counted.

#include <complex>
#include <string>
#include <vector>

#include "berth/system/linear_model.h"

namespace berth {

struct OscillationMode {
  std::complex<double> root;  // [1/s]; of a pair the one above the axis
  struct Share {
    std::string part;
    double share;  // of all, 1 at most
  };
  std::vector<Share> shares;  // largest first

  double frequency() const { return std::abs(root); }  // [rad/s]
  double damping_ratio() const { return -root.real() / std::abs(root); }
};

struct Modes {
  double t = 0;                        // [s]
  int zeros = 0;                       // roots at zero
  std::vector<OscillationMode> modes;  // slowest first
};

Modes find_modes(const LinearModel& model);

std::string describe(const Modes& modes);
std::string to_json(const Modes& modes);

}  // namespace berth
