// SPDX-License-Identifier: Apache-2.0
#pragma once

// RunPrograms — the compiled programs of many runs, made when a structure is first met.
//
//   family     all runs of one structure: the same parts, mode and watched numbers (run_graphs.h)
//   program    of a family, for certain numbers of the system; those that were seen to differ are inputs
//
// A structure is recorded when a second case asks for it, since then it is known which numbers differ;
// compilation goes on in the background. Until a program is there, and where none can be made, a run
// is interpreted: the same bits, only slower. What was recorded and compiled is kept from process to
// process (kept_graphs.h, library_cache.h). Safe with threads.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "berth/compile/background_compiler.h"
#include "berth/compile/emit_c.h"
#include "berth/compile/instructions.h"
#include "berth/ensemble/lane_trial.h"
#include "berth/ensemble/run_graphs.h"

namespace berth {

struct RunProgram {
  struct Function {
    CompiledFunction call = nullptr;
    std::vector<CompiledCall> calls;
  };
  RunLayout layout;
  Function rate, stage, end, pull;
  std::atomic<bool> is_ready = false;

  std::string graphs_key, library_key;
  std::shared_ptr<const Library> library;
  PendingLibrary pending;
  bool has_failed = false;
};

struct RunProgramOptions {
  int cases_first = 2;  // ask for a structure before it is recorded
  bool waits = false;   // for the compiler, instead of going on interpreted
};

class RunPrograms {
 public:
  // Throws std::invalid_argument when BERTH_INSTRUCTIONS names what is not there.
  RunPrograms(const CCompiler& compiler, const InstructionSet& instructions,
              const RunProgramOptions& options = {});
  ~RunPrograms();

  int lanes() const { return instructions_.lanes; }

  // A short number for a structure of a system.
  std::uint64_t find_system(const std::string& structure);
  // The program for a run as it stands, or null. key: its structure; asker: which case asks.
  const RunProgram* find(const std::string& key, std::uint64_t asker, const Core& core,
                         const Mode<double>& mode, const SystemNotes& notes);
  // For methods and norms, each once; or null.
  const LaneMethodTable* find_method(const Trial& trial, int watched);

  // What went wrong with the first program that could not be compiled or loaded; empty: nothing. Its
  // runs are interpreted.
  std::string find_failure();

 private:
  struct Family {
    std::mutex mutex;
    std::vector<std::unique_ptr<RunProgram>> programs;
    std::vector<double> first_numbers;
    std::vector<char> is_free;
    std::uint64_t first_asker = 0;
    int askers = 0;
    bool is_refused = false;
  };
  Family& find_family(const std::string& key);
  void make_program(Family& family, const Core& core, const Mode<double>& mode,
                    const SystemNotes& notes);
  // From the cache, if it was recorded and compiled before.
  bool restore(RunProgram& program, const Family& family, const Core& core,
               const Mode<double>& mode, const SystemNotes& notes);
  void request(RunProgram& program, const RunGraphs& graphs);
  bool finish(RunProgram& program);
  void keep(const RunProgram& program) const;
  bool is_ready(const PendingLibrary& library) const;
  LaneSteps& find_steps(const Tableau& method);

  const InstructionSet& instructions_;
  RunProgramOptions options_;
  LibraryCache cache_;
  std::mutex mutex_;
  std::string failure_;
  std::unordered_map<std::string, std::uint64_t> systems_;
  std::unordered_map<std::string, std::unique_ptr<Family>> families_;
  std::vector<std::unique_ptr<LaneSteps>> steps_;
  std::vector<std::unique_ptr<LaneMethodTable>> methods_;
  BackgroundCompiler compiler_;  // last: it ends first
};

}  // namespace berth
