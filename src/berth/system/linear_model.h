// SPDX-License-Identifier: Apache-2.0
#pragma once

// LinearModel — a system linearised about the motion it is in, exact: four columns per pass with Dual
// numbers.
//
//   ξ̇ = A ξ + B δu,   δy = C ξ + D δu                                                           (1)
//
// ξ is the deviation from the motion through (t, x), in coordinates of which none depends on others:
//
//   positions, joint coordinates    δr_BN_N, δq
//   attitudes                       θ_B, a rotation in body axes: q = q₀ ⊗ (1, θ/2);  θ̇ = δω − ω × θ
//   speeds                          δv_BN_N, δω_BN_B, δq̇
//   states of controllers and docks that are continuous, of contacts that touch
//
// Docks, loops and probes at rest that multipliers hold are eliminated: of the deviations that leave
// ψ = 0 and ψ̇ = 0,
//
//   J δq = 0,   J δv + ∂ψ̇/∂q δq = 0                                                             (2)
//
// as many as there are rows are given by the others: those of the craft that was listed last. Wheels keep their
// angle. The reference orbit is followed, not perturbed. What is sampled is held: an input, or a
// constant. Thrusters are ideal about what they give now: a wrench asked of them is given, pulses on
// the mean.
//
// Inputs, by name:
//   <external>.<command>          force, torque or effort that is commanded from outside, in its axes
//   <body>.force, <body>.torque   [N], [N·m] from outside, body axes, at the body's origin
//   <joint>.effort                [N·m] or [N] of a motor
//   <thruster set>.force, .torque [N], [N·m] body axes, at the origin of the body that has them
//
// Outputs are channels; a sampled sensor reads now and without noise.

#include <string>
#include <vector>

#include <Eigen/Core>

#include "berth/system/system.h"

namespace berth {

struct LinearSignal {
  std::string name, unit;
};

struct LinearModel {
  double t = 0;  // [s]
  Eigen::MatrixXd A, B, C, D;
  // Where it was linearised; attitudes are zero there.
  Eigen::VectorXd x0, u0, y0;
  std::vector<LinearSignal> states, inputs, outputs;
};

// Of one number each: "servicer.force" stands for its three. Empty inputs: all commands of
// externals; where there are none, force and torque on every free craft, effort of every motor.
//
// Throws std::out_of_range for a name that there is not, std::invalid_argument where there is no linear
// model: a contact that feels a force of the past, an output that has no slope here.
LinearModel find_linear_model(const System<double>& system, double t, std::span<const double> x,
                              const Mode<double>& mode, const std::vector<std::string>& inputs,
                              const std::vector<std::string>& outputs);

// Names of all inputs there are.
std::vector<LinearSignal> list_inputs(const System<double>& system);

}  // namespace berth
