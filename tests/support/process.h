// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program `berth` as a child process: started, watched, interrupted, killed.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace berth::test {

// An empty folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Names of everything in it, in order, hidden files included.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

std::string read_bytes(const std::filesystem::path& file);
void write_bytes(const std::filesystem::path& file, const std::string& bytes);

// The program under test, and the one that draws the papers.
extern const char* const kProgram;
extern const char* const kGallery;

struct ProcessOptions {
  const char* program = kProgram;
  std::filesystem::path folder = ".";      // where it runs
  std::string standard_output{};           // a file instead of what Ended has
  std::string standard_error{};            // likewise
  std::vector<int> closed{};               // of 0, 1, 2: not open at its start
  bool without_locks = false;              // as on a file system without them: flock() is ENOLCK
  std::uint64_t file_size_limit = 0;       // [bytes] as on a full disk; 0 = none
  double patience = 60;                    // [s] until it is killed
  std::vector<std::string> environment{};  // more of it: NAME=value
};

struct Ended {
  int code = -1;        // exit code; −1 after a signal
  int signal = 0;       // that ended it
  bool killed = false;  // by us, out of patience
  double seconds = 0;
  std::string out, err;
};

class Process {
 public:
  // Runs the program of this build with these arguments.
  explicit Process(const std::vector<std::string>& arguments, const ProcessOptions& options = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  ::pid_t id() const { return child_; }
  void send(int signal) const;
  bool is_running();
  Ended wait();

 private:
  ::pid_t child_ = 0;
  int status_ = 0;
  bool ended_ = false;
  double patience_;
  std::chrono::steady_clock::time_point begin_;
  TemporaryFolder streams_;  // its output and messages
};

inline Ended run_berth(const std::vector<std::string>& arguments,
                       const ProcessOptions& options = {}) {
  return Process(arguments, options).wait();
}

// The scenario of this name, as shipped.
std::string shipped_scenario(const std::string& name);
std::vector<std::string> shipped_scenarios();
// Of those that take seconds: settings that cut them short. They run to their end in `make soak`.
std::vector<std::string> shorten(const std::string& name);

}  // namespace berth::test
