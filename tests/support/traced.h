// SPDX-License-Identifier: Apache-2.0
#pragma once

// The derivative of a system, a row of all its channels, margins and jumps, as a graph and as double
// finds them: they must agree bit for bit.
//
// What a test compiles knows nothing of Trace: the mechanics for it is in traced.cpp, once.

#include <string>
#include <vector>

#include "berth/scalar/graph.h"
#include "berth/system/system.h"

namespace berth::test {

// Everything the derivative is a function of. Numbers are inputs of the graph; what decides on its
// structure (contact flags, rows) is not.
struct Situation {
  double t = 0;
  std::vector<double> x;
  Mode<double> mode;
  std::vector<ContactSignal<double>> arriving;  // of delayed contacts
};

// At the start, with integral states that are not zero and every second valve open.
Situation starting_situation(const System<double>& system, double t = 0);

// margins: of contacts. projection, joining: x after them, along the rows of the mode.
enum class What { derivative, channels, margins, projection, joining };

struct Traced {
  Graph graph;
  int operations = 0;  // as double does them
  double time = 0;     // [s] to record
};
Traced trace(const System<double>& system, const Situation& at, What what = What::derivative);

// The numbers of a situation in the order of the inputs.
std::vector<double> find_inputs(const Situation& at);
std::vector<double> find_in_double(const System<double>& system, const Situation& at,
                                   What what = What::derivative);

// "" if the graph, recorded at `at`, gives the bits of double there, at `states` random situations of
// the same structure around it, and where numbers are zero exactly; else the first difference. The
// sign of zero counts; that of a NaN, which depends on the order of operands, does not.
std::string find_traced_difference(const System<double>& system, const Situation& at,
                                   What what = What::derivative, int states = 20);

}  // namespace berth::test
