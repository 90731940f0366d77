// SPDX-License-Identifier: Apache-2.0
// Changes a parameter and compares the largest contact force.
//
//   compare_peaks papers/contact/hil_contact.toml
#include <cstdio>
#include <exception>

#include <berth/simulation.h>

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: compare_peaks SCENARIO\n"), 2;
  double first = 0;
  for (const double stiffness : {1000.0, 2000.0, 4000.0}) {
    berth::Simulation simulation = berth::Simulation::load(argv[1]);
    simulation.set("contact.probe.law.stiffness", stiffness).set("time.stop", 9);
    const double peak = simulation.run().number("contacts.probe.force_peak");
    if (first == 0) first = peak;
    std::printf("%4.0f N/m: %.3f N, %.2f of the first\n", stiffness, peak, peak / first);
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
