// SPDX-License-Identifier: Apache-2.0
#pragma once

// A graph in two: what depends on numbers that stay as they are during a run (parameters of a case),
// and the rest.
//
//     prepare     fixed inputs                   → kept values     once
//     evaluate    varying inputs, kept values    → outputs         at every call
//
// Together they do the operations of the whole, each once: the same bits.

#include <span>
#include <vector>

#include "berth/scalar/graph.h"

namespace berth {

struct SplitGraph {
  Graph prepare, evaluate;
  std::vector<int> fixed, varying;  // inputs of the whole, in the order of the parts'
};

// varying: of each input, not zero if it changes from call to call.
SplitGraph split_by_inputs(const Graph& graph, std::span<const char> varying);

}  // namespace berth
