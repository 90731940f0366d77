// SPDX-License-Identifier: Apache-2.0
// Stops where the probe first touches, reads channels there, and goes on in small pieces.
//
//   stop_at_contact papers/contact/hil_contact.toml
#include <cstdio>
#include <exception>

#include <berth/simulation.h>

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: stop_at_contact SCENARIO\n"), 2;
  berth::Simulation simulation = berth::Simulation::load(argv[1]);
  if (!simulation.run_to_event("contact_on")) return std::printf("it never touches\n"), 1;

  std::printf("touches at %.4f s with %.4f %s\n", simulation.t(),
              simulation.value("probe.penetration_rate"),
              simulation.unit("probe.penetration_rate").c_str());
  double deepest = 0;
  const double from = simulation.t();
  while (simulation.t() < from + 2 && simulation.step(0.01)) {
    const double now = simulation.value("probe.penetration");
    if (now > deepest) deepest = now;
  }
  std::printf("within two seconds %.2f mm deep\n", 1e3 * deepest);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
