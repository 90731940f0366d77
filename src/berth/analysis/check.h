// SPDX-License-Identifier: Apache-2.0
#pragma once

// check — what a scenario describes, before anything runs: whole-craft mass properties, degrees of
// freedom, the modes of its joints, and what seems unwise.
//
// A joint mode is found as mounted, not as clamped: with the hub and everything else free to move.
// At the initial configuration, all at rest,
//
//   δ̈ = A δ + B δ̇        A, B: slopes of the joint accelerations, from Dual numbers            (1)
//
// and each pair of eigenvalues λ of [0 1; A B] is a mode of frequency |λ|/2π and damping −Re λ/|λ|.

#include <string>
#include <vector>

#include "berth/scenario/scenario.h"

namespace berth {

struct CraftMass {
  std::string name;
  double mass;                  // [kg] with all it carries
  Vec3<double> centre_of_mass;  // [m] hub axes
  Sym3<double> inertia;         // [kg·m²] about the centre of mass, hub axes
};

struct JointMode {
  std::string joint;  // the one that moves most
  double frequency;   // [Hz]
  double damping;     // ratio; 1 = critical
};

struct DockFacts {
  std::string name, type, enforce;
  bool engaged;
  int rows;
};

struct ContactFacts {
  std::string name, probe, surface, law, friction;
  double gap, closing;  // [m], [m/s] at the start
  double delay, sample_time;
};

struct CheckResult {
  std::vector<CraftMass> craft;
  int bodies = 0, degrees_of_freedom = 0, states = 0;
  int rows = 0, redundant_rows = 0;  // of docks held by multipliers
  std::vector<DockFacts> docks;
  std::vector<ContactFacts> contacts;
  std::vector<JointMode> modes;
  std::vector<std::string> warnings;
};

CheckResult check(const Scenario& scenario, const BuiltScenario& built);

std::string describe(const CheckResult& result);
std::string to_json(const CheckResult& result);

}  // namespace berth
