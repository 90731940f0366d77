// SPDX-License-Identifier: Apache-2.0
#pragma once

// How runs are computed: interpreted, by the loop and its templates, or by compiled programs. The numbers
// are the same.

#include <memory>
#include <string>
#include <string_view>

#include "berth/ensemble/run_programs.h"

namespace berth {

enum class Computing : unsigned char {
  automatic,  // compiled where there is a compiler and it pays
  interpret,
  compile,  // and waited for
};

struct OpenedPrograms {
  std::unique_ptr<RunPrograms> programs;  // null: interpreted
  std::string note;                       // a sentence for the user: what is missing
};
// Throws std::invalid_argument when BERTH_INSTRUCTIONS names what is not there.
// instructions: those to use, the best there are unless named.
OpenedPrograms open_programs(Computing computing, const RunProgramOptions& options = {},
                             std::string_view instructions = {});

}  // namespace berth
