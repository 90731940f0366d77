// SPDX-License-Identifier: Apache-2.0
#pragma once

// Other programs: where they are, and what they say when they are run to their end in the background.

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace berth {

// The first of these names that is a program, by its path or in PATH; empty: none.
std::string find_program(const std::vector<std::string>& names);

// A pipe that no other program inherits. Its ends are above the descriptors a program begins with, so
// that none is closed by putting another in its place.
void make_pipe(int (&ends)[2]);

struct ProgramOptions {
  std::vector<std::string> environment = {};  // "NAME=value", besides our own
  std::stop_token stop = {};
  std::chrono::seconds patience{3600};  // until it is killed
};

struct ProgramEnd {
  int code = -1;         // exit code; −1 after a signal
  bool stopped = false;  // killed because that was asked for, or out of patience
  std::string text;      // of its output and errors, up to 64 kB
};

// Runs words[0], with the rest as its arguments and without a shell, at a lower priority. It stands in a
// process group of its own: whoever stops it stops what it has started too. Throws
// std::runtime_error when it cannot be started.
ProgramEnd execute_program(std::vector<std::string> words, const ProgramOptions& options = {});

}  // namespace berth
