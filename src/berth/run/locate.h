// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens inside the step just made: the first crossing, and the peaks up to it.
//
//   screen     samples at stages and ends say which numbers may have crossed or peaked (step_samples.h)
//   search     those alone, on the dense output: every sign change, every turning point
//              (step_functions.h)
//   refine     a long step is made again so that it ends just after the first of them
//   pass       all sign changes in order of time, each to its part, until one says that something
//              happens there                                                                     (1)
//
// (1) ends on the near side, at the last double of t before the change; contacts close and open
// after it.

#include <optional>

#include "berth/run/derivative.h"

namespace berth {

// The samples that the stages of the method have not left: of implicit and variational methods.
void complete_samples(Core& core, const Derivative& f, double t_0, double t_1);

// Gaps and their rates where the next step begins, from core.end.
void keep_gaps(Core& core);
// Whether idle contacts are too far to be reached in the next step: then they are evaluated at its end
// alone; and, with it made, whether they were.
void expect_far(Core& core);
void check_far(Core& core, double h);

// A sign change of a margin, between two neighbouring doubles of t.
struct Crossing {
  double before, after;  // [s]
  std::size_t margin;
  bool rising;
};
// All that may matter of those in [t_0, t_1], in order of time; with a tolerance [s], not to the last
// double.
std::vector<Crossing> find_crossings(Core& core, const Derivative& f, double t_0, double t_1,
                                     double tolerance = 0);

// Those found coarsely, or in a step that ended later, to the last double: each is searched for
// `reach` [s] about where it was, and all of them afresh where one is not there any more.
std::vector<Crossing> refine_crossings(Core& core, const Derivative& f,
                                       std::span<const Crossing> coarse, double t_0, double t_1,
                                       double reach);

// Whether instants inside the step just made would be located less accurately than its end is; and where
// it should have ended for the first of them, if not as it did.
bool is_long(const Core& core, double t_0, double t_1);
constexpr double kBeyond = 1e-3;  // of the time up to that instant
std::optional<double> find_better_end(std::span<const Crossing> crossings, double t_0, double t_1);

// Notifies the parts; the instant at which something happens, if there is one. Expects core.end at
// t_1.
std::optional<double> pass_first(Core& core, std::span<const Crossing> crossings, double t_0,
                                 double t_1);

// Raises the peaks of the run log by what was reached in (t_0, t_1), which ends the step or cuts it.
void raise_peaks(Core& core, const Derivative& f, double t_0, double t_1, bool cut);

}  // namespace berth
