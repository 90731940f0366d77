// SPDX-License-Identifier: Apache-2.0
#pragma once

// KeptGraphs — what was recorded of a run and is not in its compiled code, as bytes: kept beside the code, it
// spares the next run of the same structure and numbers to be recorded.
//
//   what is kept    how to prepare, what was decided, the opaque functions that are called, where the code is
//   what is not     anything that follows from the run itself (find_layout)

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "berth/ensemble/run_graphs.h"

namespace berth {

// What each function of a program calls, by name: in the order of list_calls.
using CalledNames = std::vector<std::string>;

struct KeptGraphs {
  std::string library;  // key of the code
  Graph prepare, guard;
  std::vector<double> truth;
  std::array<CalledNames, 4> calls;  // of rate, stage, end, pull
};

// What kept graphs belong to: this build of berth, all of the run that is no number, its numbers, and which of
// these are inputs. Empty for a build that has no id.
std::string describe_recorded(const Core& core, const Mode<double>& mode, const SystemNotes& notes,
                              std::span<const char> is_free);

std::string write_kept_graphs(const KeptGraphs& kept);
// Throws std::runtime_error for bytes that are none.
KeptGraphs read_kept_graphs(std::string_view bytes);

// Null if there is none of this name.
const OpaqueFunction* find_opaque_function(std::string_view name);

}  // namespace berth
