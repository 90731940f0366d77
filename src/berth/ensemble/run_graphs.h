// SPDX-License-Identifier: Apache-2.0
#pragma once

// RunGraphs — what a run computes in a smooth stretch, recorded as graphs: the program of one structure.
// RunLayout is what a program is called with once the graphs have become code.
//
//   rate      ẋ
//   stage     ẋ, and what may be watched, with idle contacts as far as they are said to be
//   end       ẋ, what may be watched, channels that events name, and what the loop has to know of the
//             end of a step
//   pull      what leads back onto the rows of docks, where they are plain (row_pull.h)
//
// What is watched changes with every event that is armed; programs have all that may ever be, and the
// loop picks.
//
// All are functions of the same inputs:
//
//   t | x | gaps of contacts, for `stage` | numbers of the mode but t_from | kept values
//
// What depends on numbers of the system and on t_from alone is kept: evaluated once (`prepare`), and
// again when one of them changes. Of the numbers of the system, those that are `free` are inputs; the
// others are constants of this program. Decisions on any of them are guards: the program holds for
// other numbers as long as all decisions come out the same.

#include <span>
#include <string>
#include <vector>

#include "berth/ensemble/row_pull.h"
#include "berth/run/core.h"
#include "berth/scalar/graph.h"

namespace berth {

// Everything a program of a run depends on that is no number, as bytes; and the numbers of its system.
struct SystemNotes {
  std::string structure;
  std::vector<double> numbers;
};
SystemNotes find_notes(const System<double>& system);
// Of a mode and of what may be watched in it.
void add_structure(const Core& core, const Mode<double>& mode, std::string& to);
// Of conditions of events, which stay as they are.
void add_conditions(const Core& core, std::string& to);
// Everything that may be watched in a mode, whatever is armed.
Watch find_full_watch(const Core& core);
// A run whose smooth stretches are functions of state, time and mode alone.
bool can_record(const Core& core, const Mode<double>& mode);

struct RunLayout {
  int states = 0, gaps = 0, mode_numbers = 0;
  int watched = 0,
      end_numbers = 0;  // numbers of `end` besides these: watch.places, and of a StepEnd
  PullSize pull_size;
  Watch watch;
  std::vector<PeakNumber> peaks;
  std::vector<double> numbers;
  std::vector<char> is_free;
  std::vector<int> free_numbers;  // which those are

  // Recorded: what is kept, and what was decided.
  Graph prepare;                  // t_from | free numbers => kept
  Graph guard;                    // t_from | free numbers => numbers decided on
  std::vector<double> truth;      // what these were
  bool keeps_time_parts = false;  // kept values depend on t_from

  void set_prepare(Graph graph);
  int kept() const { return static_cast<int>(prepare.outputs.size()); }
  int input_count() const { return 1 + states + gaps + mode_numbers + kept(); }
  // Of `end`.
  int output_count() const { return states + watched + count_of(watch.places) + end_numbers; }
  // Where the numbers that a run watches stand among all that may be.
  void find_places(const Watch& of_run, std::span<const PeakNumber> its_peaks,
                   std::vector<int>& places) const;
  // Whether it is a program for these numbers of a system of the same structure; and, with numbers that
  // fit, for this t_from.
  bool fits(std::span<const double> of_system) const;
  bool holds(double t_from, std::span<const double> of_system) const;
  std::vector<double> find_kept(double t_from, std::span<const double> of_system) const;

 private:
  std::vector<double> choose_free(double t_from, std::span<const double> of_system) const;
};

struct RunGraphs : RunLayout {
  Graph rate, stage, end, pull;
};

// All of a layout that is known without recording.
RunLayout find_layout(const Core& core, const Mode<double>& mode, const SystemNotes& notes,
                      std::span<const char> is_free);
// Throws BranchOnValue where a part decides on what is no parameter.
RunGraphs record_run(const Core& core, const Mode<double>& mode, const SystemNotes& notes,
                     std::span<const char> is_free);

}  // namespace berth
