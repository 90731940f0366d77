// SPDX-License-Identifier: Apache-2.0
#pragma once

// A trial of a Runge–Kutta method in lanes: as C text that knows any method and any system, and what it
// is called with. The sums are those of RungeKutta::try_step, in the same order: the same bits.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/compile/emit_c.h"
#include "berth/integrate/trial.h"

namespace berth {

// As the text has them.
struct LaneRow {
  const Coefficient* first;
  int count;
};
struct LaneBlock {
  int first, size;
  double scale;
};
struct LaneMethod {
  int states, stages, needs_end, is_mean, block_count, watched;
  double tolerance;
  const double* c;
  const unsigned char* is_sample;  // of each stage
  const LaneRow* rows;             // 0 … stages
  LaneRow error, error_2;
  const LaneBlock* blocks;
};
struct LaneTrial {
  const LaneMethod* method;
  CompiledFunction rate, sample;
  const CompiledCall *rate_calls, *sample_calls;
  const double *t, *t_end, *h;  // of each lane
  const double* x;              // where it begins, in lanes, as all that follows
  double* in;                   // of the functions: t and x are filled here
  double* out;                  // scratch, as large as the larger of their outputs
  double* k;                    // stages; the first is given
  double* x_end;
  double* samples;  // watched numbers of each sampled stage
  double* ratio;
  double* errors;  // scratch: two rows of states
};
using LaneTrialFunction = void (*)(const LaneTrial*);
inline constexpr const char* kLaneTrialName = "berth_try";

std::string lane_trial_text(int lanes);

// A method with its norm, as a trial in lanes needs it; watched: how many numbers at each sampled stage.
class LaneMethodTable {
 public:
  LaneMethodTable(const Trial& trial, int watched);
  LaneMethodTable(const LaneMethodTable&) = delete;
  LaneMethodTable& operator=(const LaneMethodTable&) = delete;

  bool fits(const Trial& trial, int watched) const;
  const LaneMethod& method() const { return method_; }
  int sample_count() const { return samples_; }

 private:
  const Tableau* table_;
  std::vector<Block> of_norm_;
  std::vector<LaneRow> rows_;
  std::vector<LaneBlock> blocks_;
  std::vector<unsigned char> is_sample_;
  int samples_ = 0;
  LaneMethod method_{};
};

}  // namespace berth
