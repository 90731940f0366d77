// SPDX-License-Identifier: Apache-2.0
#pragma once

// CommandedMotion — what a robot was commanded so far, as a function of time.
//
//   between two ticks   positions by the cubic that has both positions and both rates;             (1)
//                       attitudes q_a ⊗ exp(φ) likewise, φ the cubic from 0 with ω_a to
//                       log(q_a* q_b) with the rate that ω_b is there (math/rotation_vector_rates.h)
//   before the first    on backwards with the rates it has                                        (2)
//
// At a tick it is what the tick says; in between the error of a smooth motion falls as the fourth power of
// the time between ticks. A tick that was lost leaves a longer piece. Made once, adding takes no memory.

#include <cstddef>
#include <vector>

#include "berth/live/cubic.h"
#include "berth/live/lab_motion.h"

namespace berth {

class CommandedMotion {
 public:
  // Between two ticks; all as functions of t − origin.
  struct Piece {
    double from, to;  // [s]
    double origin;    // [s]
    Cubic r_BL_N;
    Quaternion<double> q_ON;  // attitude at the origin
    Cubic phi;                // [rad] from there

    LabMotion find(double t) const;
  };

  // Forgets all; keeps the last `most` pieces from now on.
  void clear(std::size_t most);
  bool empty() const { return count_ == 0; }
  // Later than all so far; of the motion its accelerations do not count.
  void add(double t, const LabMotion& motion);

  // The piece that t lies in; one before the oldest, or after the newest, is the end of that.
  const Piece& piece_at(double t) const;
  // Accelerations at a tick are those before it.
  LabMotion find(double t) const;
  double newest() const { return last_time_; }
  double oldest() const { return piece(0).from; }

 private:
  const Piece& piece(std::size_t i) const { return pieces_[(first_ + i) % pieces_.size()]; }

  std::vector<Piece> pieces_;  // a ring
  std::size_t first_ = 0, count_ = 0;
  double last_time_ = 0;
  LabMotion last_;
};

}  // namespace berth
