// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the outputs of a graph change with its inputs, as another graph (forward mode):
//
//     inputs     x | ẋ of those that vary, in their order
//     outputs    ẏᵢ = Σⱼ ∂yᵢ/∂xⱼ ẋⱼ
//
// The rules are those of Dual; a comparison has no slope. What depends on nothing that varies costs
// nothing.

#include <span>

#include "berth/scalar/graph.h"

namespace berth {

// varies: of each input, not zero if it does. Throws std::invalid_argument where an opaque call depends
// on an input that varies.
Graph differentiate(const Graph& graph, std::span<const char> varies);

}  // namespace berth
