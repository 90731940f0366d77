// SPDX-License-Identifier: Apache-2.0
// A controller of one's own flies the servicer to one metre from the target.
//
//   own_approach scenarios/own_controller.toml
#include <cmath>
#include <cstdio>
#include <exception>

#include <berth/simulation.h>

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: own_approach SCENARIO\n"), 2;
  berth::Simulation simulation = berth::Simulation::load(argv[1]);
  for (const auto& external : simulation.externals())
    std::printf("%s: asked every %g s\n", external.name.c_str(), external.sample_time);

  // u = −K (ρ − wanted) − P ρ̇, in the axes of the port; far off, no faster than 0.2 m/s.
  const double wanted[3] = {1, 0, 0}, K = 6, P = 120;  // [m], [N/m], [N·s/m]
  simulation.connect(
      "gnc",
      [&](double,
          const berth::Simulation::Measurements& m) -> std::optional<berth::Simulation::Commands> {
        const auto position = m["nav.position"], velocity = m["nav.velocity"];
        std::vector<double> u(3);
        for (std::size_t k = 0; k < 3; ++k) {
          const double off = position[k] - wanted[k];
          u[k] = -K * std::copysign(std::fmin(std::fabs(off), 0.2 * P / K), off) - P * velocity[k];
        }
        berth::Simulation::Commands answer{{"u", u}};
        if (position[0] < 0.2) answer["abort"] = {1};  // too near
        return answer;
      });

  while (simulation.step(20)) {
    const auto position = simulation.values("nav.position");
    std::printf("%5.0f s  %6.3f m\n", simulation.t(), position[0]);
  }
  const berth::Simulation::Summary summary = simulation.run();
  std::printf("%s at %g s\n", summary.outcome().c_str(), summary.t());
  return summary.as_expected() ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
