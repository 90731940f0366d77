// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a command does when the system refuses a call: run with the library of faults (inject.cpp), compared with
// a run that nothing disturbed.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/faults/ledger.h"
#include "tests/support/process.h"

namespace berth::test {

struct Fault {
  Call call = Call::none;
  std::int32_t cause = 0;  // errno, or kShortWrite
  std::uint64_t first = 0;
  std::uint64_t count = 1;
  std::int64_t seconds = 0;
};
std::string describe(const Fault& fault);

// The calls that have to do with files, processes and threads, each with what the system may answer.
struct Refusal {
  Call call;
  std::vector<std::int32_t> causes;
};
const std::vector<Refusal>& list_refusals();

// A command that writes files into the folder it runs in.
struct Command {
  std::string name;
  std::vector<std::string> words;
  std::vector<std::string> outputs;  // names
  std::function<void(const std::filesystem::path&)>
      prepare{};               // puts what it reads into the folder
  bool reads_result = false;   // what cannot be read is bad input, exit code 2
  bool has_own_cache = false;  // of compiled cases, in the folder: calls for it count
};

class Disturbed {
 public:
  // Runs it once without a fault, and counts.
  explicit Disturbed(Command command);

  std::uint64_t count(Call call) const { return calls_.at(static_cast<std::size_t>(call)); }
  const Command& command() const { return command_; }
  // What it reads, and older files where it writes.
  void prepare(const TemporaryFolder& folder) const;

  // It ends with a sentence and exit code 1, or as if nothing had been; files are old, or whole; what it leaves
  // does not disturb the next. False when the call never came.
  bool expect_orderly(const Fault& fault) const { return expect(fault, false); }
  // It ends as if nothing had been.
  bool expect_done(const Fault& fault) const { return expect(fault, true); }

  // Killed so many seconds after its start: every file is old, or whole. The folder is for the next one. When it
  // was faster, how long it took.
  std::optional<double> expect_orderly_when_killed(const TemporaryFolder& folder,
                                                   double after) const;
  double seconds() const { return seconds_; }  // undisturbed
  std::vector<std::string> outputs() const;    // names, in order

 private:
  struct Attempt {
    Ended end;
    std::array<std::uint64_t, kCalls> calls;
    std::uint64_t injected;
  };
  Attempt run(const TemporaryFolder& folder, const Fault& fault) const;
  bool expect(const Fault& fault, bool is_done) const;
  void expect_files(const TemporaryFolder& folder, bool is_done, const Fault& fault) const;
  void expect_whole(const TemporaryFolder& folder) const;
  bool is_whole(const TemporaryFolder& folder, const std::string& name) const;

  Command command_;
  TemporaryFolder cache_;                     // of compiled cases
  std::map<std::string, std::string> whole_;  // bytes of the outputs
  std::map<std::string, std::string> given_;  // and of the files that were there before
  std::array<std::uint64_t, kCalls> calls_{};
  double seconds_ = 0;
};

// Small commands: a run with its page and table, a sweep with a journal, pages and a picture of a result.
Command make_run();
Command make_sweep(int threads = 1, const std::vector<std::string>& more = {"--interpret"});
// The same, which has done half of its cases before.
Command make_resumed_sweep();
Command make_report();
Command make_sweep_report();
Command make_plot();

}  // namespace berth::test
