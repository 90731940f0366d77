// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the commands share: exit codes, printing, reading a scenario and complaining about it.

#include <atomic>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "berth/ensemble/computing.h"
#include "berth/scenario/scenario.h"

namespace CLI {
class App;
}

namespace berth {

class RecordedInputs;

enum ExitCode { kDone = 0, kStopped = 1, kBadInput = 2 };

// The first signal that asked for an end; any thread may read it.
extern std::atomic<int> g_signal;
static_assert(std::atomic<int>::is_always_lock_free);

extern int g_output_error;  // errno of the first failure to print

void print(const std::string& text);
// The same with `met` and `FAILED` coloured, on a terminal and unless NO_COLOR is set.
std::string paint(std::string text);

// To stderr; when that is full too, the exit code still says so.
template <class... Parts>
void complain(fmt::format_string<Parts...> text, Parts&&... parts) {
  std::fputs(fmt::format(text, std::forward<Parts>(parts)...).c_str(), stderr);
}

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
