// SPDX-License-Identifier: Apache-2.0
// How far beside the axis may a probe come? One simulation for each offset, on all cores.
//
//   capture_sweep scenarios/capture_envelope.toml
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include <berth/simulation.h>

namespace {

std::string run_case(const char* file, double offset) {
  berth::Simulation simulation = berth::Simulation::load(file);
  simulation.set("spacecraft.chaser.state.position.y", offset);
  return simulation.run().verdict();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: capture_sweep SCENARIO\n"), 2;
  const std::vector<double> offsets{0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28};
  std::vector<std::string> verdicts(offsets.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k)
    threads.emplace_back([&] {
      for (std::size_t i; (i = next++) < offsets.size();) try {
          verdicts[i] = run_case(argv[1], offsets[i]);
        } catch (const std::exception& e) {
          verdicts[i] = e.what();
        }
    });
  for (std::thread& t : threads) t.join();

  for (std::size_t i = 0; i < offsets.size(); ++i)
    std::printf("%3.0f mm  %s\n", 1e3 * offsets[i], verdicts[i].c_str());
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
