// SPDX-License-Identifier: Apache-2.0
// What a user of the installed library writes: a craft with a wheel, one minute, its audit.
#include <cstdio>

#include <berth/run/run.h>
#include <berth/version.h>

int main() {
  berth::System<double> system;
  berth::BodySpec<double> hub;
  hub.name = "servicer";
  hub.mass = 750;
  hub.I_C_B = berth::Sym3<double>::diagonal(900, 800, 600);
  hub.v = {0, 0, 0, 0.01, -0.02, 0.015};
  const int servicer = system.model.add_body(hub);

  berth::ReactionWheel<double> wheel;
  wheel.mass = 10;
  wheel.inertia_spin = 0.159;
  wheel.inertia_transverse = 0.08;
  wheel.speed = 100;
  system.add_component(wheel, servicer, "servicer.wheel");

  berth::HybridRun run(system, {});
  const berth::Outcome outcome = run.advance(60.0);
  const berth::Audit audit = run.audit();
  std::printf("berth %s: %.0f s, angular momentum conserved to %.0e\n", berth::version, outcome.t,
              audit.angular_momentum);
  return outcome.completed() && audit.angular_momentum < 1e-10 ? 0 : 1;
}
