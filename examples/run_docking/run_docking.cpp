// SPDX-License-Identifier: Apache-2.0
// Runs a scenario to its end and prints what came of it.
//
//   run_docking scenarios/docking.toml [docking.h5]
#include <cstdio>
#include <exception>

#include <berth/simulation.h>
#include <berth/version.h>

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: run_docking SCENARIO [RESULT.h5]\n"), 2;
  berth::Simulation simulation = berth::Simulation::load(argv[1]);
  if (argc > 2) simulation.write_result(argv[2]);
  const berth::Simulation::Summary result = simulation.run();

  std::printf("berth %s: %s at %.1f s, verdict %s\n", berth::version, result.outcome().c_str(),
              result.t(), result.verdict().c_str());
  std::printf("energy is conserved to %.0e\n", result.number("audit.energy"));
  for (const berth::Simulation::Event& e : result.events())
    if (e.kind == "latch") std::printf("%s latched at %.1f s\n", e.name.c_str(), e.t);
  return result.as_expected() ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
