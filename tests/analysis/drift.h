// SPDX-License-Identifier: Apache-2.0
#pragma once

// A craft that drifts: what comes of its inputs is known.
//
//   x(4 s) = x₀ + 4 s · v        as expected while x < 2 m

#include <string>

#include "berth/analysis/sweep.h"
#include "tests/support/process.h"

namespace berth::test {

inline const std::string kDriftX = "spacecraft.craft.state.position.x";
inline const std::string kDriftSpeed = "spacecraft.craft.state.velocity.x";

// With further tables behind it.
inline std::string drift_text(const std::string& more = "") {
  return R"(title = "drift"
[time]
stop = 4
[integrator]
method = "dop853"
[[spacecraft]]
name = "craft"
mass = 10
inertia = [1, 2, 3]
[spacecraft.state]
position = [0, 0, 0]
velocity = [0.5, 0, 0]
[expect]
final = ["craft.rho_BO_N.x < 2"]
)" + more;
}

// Its sweeps in a folder of their own.
struct Drift {
  explicit Drift(const std::string& more = "") {
    write_bytes(folder / "drift.toml", drift_text(more));
  }
  Sweep build(const SweepRequest& request) {
    return build_sweep(folder / "drift.toml", request, problems);
  }
  SweepResult run(const SweepRequest& request, const std::string& out = "x.h5", int threads = 2) {
    const Sweep sweep = build(request);
    if (!problems.empty()) return {};
    return run_sweep(sweep,
                     {.h5 = folder / out, .threads = threads, .computing = Computing::interpret},
                     problems);
  }
  std::string complaints() const {
    std::string text;
    for (const Problem& p : problems.list) text += describe(p) + "\n";
    return text;
  }
  TemporaryFolder folder;
  Problems problems{"drift.toml", {}};
};

}  // namespace berth::test
