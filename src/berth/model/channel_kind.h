// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a root finder and an evaluator must know of a channel before they ask for its value.

namespace berth {

// How a channel behaves inside one smooth stretch of a run.
//
//   smooth    as smooth as the motion. Attitudes (quaternion, MRP) and angles that wrap still jump
//             where their sign or turn changes, half a turn away from zero.
//   norm      a Euclidean norm or an unsigned angle: never below zero, its slope jumps at zero.
//             Its square is smooth.
//   clipped   cut at zero; the value before it was cut is smooth and can be asked for.
//   flag      0 or 1: jumps
enum class Kind : unsigned char { smooth, norm, clipped, flag };

// The last stage that must have run before it can be evaluated.
//
//   motion    motion_stage: poses, rates, rows of joined docks, forces of contacts
//   idle      and idle_dock_stage, idle_contact_stage: how open docks and contacts stand
//   loads     everything up to acceleration_stage: commands, efforts, accelerations, loads of docks
enum class Needs : unsigned char { motion, idle, loads };

}  // namespace berth
