// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plant as files of C99 that need nothing but a compiler and sqrt, ceil and fabs of its library:
//
//   berth_NAME.h           what there is: sizes, names with units as enumerations, functions
//   berth_NAME_names.c     names and units as texts
//   berth_NAME_phaseK.c    the functions of one smooth phase
//   berth_NAME_transitions.c   what latches and releases make of a state
//   berth_elementary.h     sine, cosine, …: the same bits on every machine
//   main.c                 repeats a stretch of every phase, and says whether the states are those of the run
//   README.md
//
// No heap, no variable outside of functions that changes, no recursion, no loop whose length depends on
// data.

#include <string>
#include <vector>

#include "berth/export/plant_signals.h"
#include "berth/export/smooth_phases.h"

namespace berth {

struct Plant {
  std::string name;      // of the scenario: becomes part of identifiers (make_identifier)
  std::string scenario;  // one line on what it is
  std::vector<PlantSignal> states, outputs, inputs;
  SmoothPhases run;
};

struct ExportedFile {
  std::string name, text;
};
// One function of C; stack: numbers in its own arrays and in those of what it calls.
struct ExportedFunction {
  int phase = 0;  // from 1; 0: of none
  std::string name;
  int operations = 0, stack = 0;
};
struct ExportedPlant {
  std::vector<ExportedFile> files;
  std::vector<ExportedFunction> functions;
};

// Letters, digits and _ of a name, beginning with a letter.
std::string make_identifier(const std::string& name);

ExportedPlant write_plant(const Plant& plant);

// Sizes, one line per function.
std::string describe(const ExportedPlant& exported);

}  // namespace berth
