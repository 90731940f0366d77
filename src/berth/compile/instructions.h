// SPDX-License-Identifier: Apache-2.0
#pragma once

// InstructionSet — what of this processor compiled code uses: how many lanes, and how its C compiler is
// asked for it.
//
// Found at run time. All sets give the same bits, so a lesser one is for comparison only: the
// environment variable BERTH_INSTRUCTIONS names it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

struct InstructionSet {
  std::string_view name;  // scalar, sse2, neon, avx2, avx512
  int lanes = 1;
  std::vector<std::string> flags;  // besides those of list_flags
};

// Of this processor, from one lane to the widest.
std::span<const InstructionSet> list_instructions();

// The one of this name, or the widest if the name is empty. Throws std::invalid_argument for a name
// that is unknown or beyond this processor.
const InstructionSet& choose_instructions(std::string_view name);
// As the environment says.
const InstructionSet& choose_instructions();

// All flags for the text of emit_c with that many lanes. Optimisation is that of −O2; a fused
// multiply-add would round differently.
std::vector<std::string> list_flags(const InstructionSet& set);

}  // namespace berth
