// SPDX-License-Identifier: Apache-2.0
#pragma once

// optimise — which design is best under the dispersions of a scenario, or how bad it can get under them.
//
//   Problems problems{"design_capture.toml", {}};
//   const Sweep search = build_optimise("design_capture.toml", {}, problems);
//   const SweepResult result = run_sweep(search, {.h5 = "design.h5"}, problems);      // as any sweep runs
//   std::cout << describe_optimise(result);

#include "berth/analysis/sweep.h"

namespace berth {

struct OptimiseRequest {
  std::vector<std::string> inputs{};   // "KEY=range(a,b)"
  std::string maximise{}, minimise{};  // goals (goal.h)
  std::vector<std::string> constraints{};
  std::string worst{};  // instead: make this largest over the dispersions
  std::uint64_t samples = 0, budget = 0, confirm = 0;
  std::optional<std::uint64_t> seed{};
  std::vector<std::string> settings{};
};
// What is not given is taken from [optimise]; what is drawn from [sweep] and [dispersion].
Sweep build_optimise(const std::filesystem::path& file, const OptimiseRequest& request,
                     Problems& problems);

std::string describe_optimise(const SweepResult& result);

}  // namespace berth
