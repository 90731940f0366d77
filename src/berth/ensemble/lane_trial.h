// SPDX-License-Identifier: Apache-2.0
#pragma once

// Steps of a Runge–Kutta method in lanes: as C text of one method that knows any system, and what it is
// called with. The sums are those of RungeKutta, in the same order: the same bits.
//
//   berth_try      a trial: all stages, its end, the error ratio
//   berth_extend   the stages that dense output takes beside those of the step

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/compile/background_compiler.h"
#include "berth/compile/emit_c.h"
#include "berth/integrate/trial.h"

namespace berth {

// As the text has them.
struct LaneBlock {
  int first, size;
  double scale;
};
struct LaneMethod {
  int states, is_mean, block_count, watched;
  double tolerance;
  const unsigned char* is_sample;  // of each stage
  const LaneBlock* blocks;
};
struct LaneTrial {
  const LaneMethod* method;
  CompiledFunction rate, sample;
  const CompiledCall *rate_calls, *sample_calls;
  const double *t, *t_end, *h;  // of each lane
  const double* x;              // where it begins, in lanes, as all that follows
  double* in;                   // of the functions: t and x are filled here
  double* out;                  // scratch, as large as the outputs of `sample`
  double* k;                    // stages; the first is given
  double* x_end;
  double* samples;  // watched numbers of each sampled stage
  double* ratio;
  double* errors;  // scratch: two rows of states
};
using LaneTrialFunction = void (*)(const LaneTrial*);

std::string lane_steps_text(const Tableau& method, int lanes);

// The text, compiled.
struct LaneSteps {
  explicit LaneSteps(const Tableau& of);

  const Tableau* method;
  // Of the stages of a step, those that dense output takes; and of those, what its own stages take.
  std::vector<int> dense_columns, extension_columns;
  LaneTrialFunction try_step = nullptr, extend = nullptr;
  std::shared_ptr<const Library> library;
  PendingLibrary pending;
  bool has_failed = false;

  void load();  // throws what went wrong
};

// A method with its norm, as a trial in lanes needs it; watched: how many numbers at each sampled stage.
class LaneMethodTable {
 public:
  LaneMethodTable(const LaneSteps& steps, const Trial& trial, int watched);
  LaneMethodTable(const LaneMethodTable&) = delete;
  LaneMethodTable& operator=(const LaneMethodTable&) = delete;

  bool fits(const Trial& trial, int watched) const;
  const LaneSteps& steps() const { return steps_; }
  const LaneMethod& method() const { return method_; }
  int sample_count() const { return samples_; }

 private:
  const LaneSteps& steps_;
  std::vector<Block> of_norm_;
  std::vector<LaneBlock> blocks_;
  std::vector<unsigned char> is_sample_;
  int samples_ = 0;
  LaneMethod method_{};
};

}  // namespace berth
