// SPDX-License-Identifier: Apache-2.0
#pragma once

// How late the force of a contact may come back: berth stability.
//
//   h*      where the normal mode s² + e^{−sh}(b_d s + k_d) = 0 begins to grow, closed form
//   roots   of the whole linearised scenario with its loop, at the scenario's delay
//   h_E     where the first bounce begins to gain energy: of the scenario, and of one dimension
//
// h_E lies below h*: a bounce is over before a growing mode shows, and may have gained all the same.

#include <complex>
#include <functional>

#include "berth/analysis/contact_loop.h"

namespace berth {

struct StabilityResult {
  std::string title, contact;
  std::size_t index = 0;  // of the contact
  ContactState at;
  ContactLoop loop;
  double delay = 0, sample_time = 0;          // [s] of the scenario
  double h_critical = 0, omega_critical = 0;  // [s], [rad/s] of the normal mode
  double h_loop = NAN, omega_loop = NAN;      // [s], [rad/s] of the whole loop; NaN: it never grows
  double h_energy = NAN, h_energy_1d = NAN;   // [s]; NaN: no bounce
  int zero_roots = 0;
  std::vector<std::complex<double>> roots;  // [1/s] rightmost first
  bool has_stages = false;                  // lag or filter
  std::vector<std::string> warnings;

  // The zero-order hold of a sampled loop is half a sample more delay.
  double h_sampled() const { return h_critical - 0.5 * sample_time; }
  // Of the whole loop where that has more in it than the normal mode.
  double margin() const { return (has_stages ? h_loop : h_critical) - 0.5 * sample_time - delay; }
  double growth() const { return roots.empty() ? 0 : roots.front().real(); }
};

struct StabilityOptions {
  bool energy = true;  // find h_E, which takes a few dozen simulations
  std::function<bool()> interrupted = {};
};

// [J] that the first bounce of the scenario gives, delayed as it is; NaN when there is none.
double find_first_energy(const Scenario& scenario, const BuiltScenario& built);

StabilityResult find_stability(const Scenario& scenario, const BuiltScenario& built,
                               const StabilityOptions& options, Problems& problems);

std::string describe(const StabilityResult& result);
std::string to_json(const StabilityResult& result);

}  // namespace berth
