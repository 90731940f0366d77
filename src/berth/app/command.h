// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the commands share: exit codes, reading a scenario and complaining about it.

#include <optional>
#include <string>
#include <vector>

#include "berth/ensemble/computing.h"
#include "berth/program/console.h"
#include "berth/scenario/scenario.h"

namespace CLI {
class App;
}

namespace berth {

class RecordedInputs;

enum ExitCode { kDone = 0, kStopped = 1, kBadInput = 2 };

int refuse(const Problems& problems);

// A line for a result that has no digests: damage in it would not be seen.
void note_unverified(const std::string& result);

struct FileOptions {
  std::string file;
  std::vector<std::string> overrides;

  void add_to(CLI::App& command);
};

// --interpret or --compile.
void add_computing(CLI::App& command, Computing& computing);

// Reads and builds; complains and returns nothing when there is something wrong.
struct Loaded {
  Scenario scenario;
  BuiltScenario built;
};
std::optional<Loaded> load(const FileOptions& options);
// The same for a run that is in a result file, with what came into it from outside, if anything did.
std::optional<Loaded> load_result(const FileOptions& options,
                                  std::shared_ptr<RecordedInputs>& inputs);
// The same for one case of a sweep, from its result file.
std::optional<Loaded> load_case(const FileOptions& options, std::int64_t number);

}  // namespace berth
