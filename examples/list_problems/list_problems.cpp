// SPDX-License-Identifier: Apache-2.0
// Reads a scenario with mistakes and lists them all: of a file, or of the text below.
//
//   list_problems [SCENARIO]
#include <cstdio>

#include <berth/simulation.h>

namespace {

const char* const kMistakes = R"(
[time]
stop = 10

[[spacecraft]]
name = "servicer"
mass = -750
inertia = [900, 800, 600]

[[spacecraft]]
name = "target"
mas = 750
inertia = [900, 800, 600]
)";

}  // namespace

int main(int argc, char** argv) try {
  berth::Simulation simulation = argc > 1
                                     ? berth::Simulation::load(argv[1])
                                     : berth::Simulation::from_text(kMistakes, "mistakes.toml");
  simulation.check();
  std::printf("nothing is wrong\n");
  return 0;
} catch (const berth::ScenarioError& e) {
  std::printf("%zu problems\n", e.problems().size());
  for (const berth::ScenarioError::Problem& p : e.problems())
    std::printf("line %d: %s: %s\n", p.line, p.path.c_str(), p.message.c_str());
  return 0;
}
