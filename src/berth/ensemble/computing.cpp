// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/computing.h"

#include <stdexcept>

#include <fmt/format.h>

namespace berth {

OpenedPrograms open_programs(Computing computing, const RunProgramOptions& options,
                             std::string_view instructions) {
  if (computing == Computing::interpret) return {};
  const CompilerSearch search = find_c_compiler();
  if (!search.compiler) return {nullptr, search.sentence};
  RunProgramOptions chosen = options;
  chosen.waits = chosen.waits || computing == Computing::compile;
  const InstructionSet& set =
      instructions.empty() ? choose_instructions() : choose_instructions(instructions);
  try {
    return {std::make_unique<RunPrograms>(*search.compiler, set, chosen), ""};
  } catch (const std::runtime_error& e) {  // no thread to compile in, or no folder
    return {nullptr,
            fmt::format("nothing can be compiled: {}: cases run interpreted, several times "
                        "slower",
                        e.what())};
  }
}

}  // namespace berth
