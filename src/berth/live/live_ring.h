// SPDX-License-Identifier: Apache-2.0
#pragma once

// LiveRing — frames from the thread that ticks to the one that shows them.
//
// push() copies a frame into the next of a fixed number of slots, in a bounded number of steps: no
// allocation, no lock, no system call. It never waits for the reader; one that is slow finds the oldest
// frames overwritten, and counts them. The peaks are found by push(), so that they hold whatever is
// overwritten.
//
//   slot n mod slots    version 2n + 1 while frame n is written, 2n + 2 when it is whole;
//                       its cells, each an atomic: a reader that is overtaken reads old and new ones
//                       without a data race, and sees by the version that it must discard them

#include <atomic>
#include <memory>

#include "berth/live/live_frame.h"

namespace berth {

class LiveRing {
 public:
  // `pose_width`: numbers of a pose, at most kMostLivePose. `slots` becomes a power of two.
  explicit LiveRing(std::size_t pose_width, std::size_t slots = 4096);

  // By one thread alone.
  void push(const LiveFrame& frame) noexcept;

  // By one other thread alone: the next frame that was not taken yet, with the peaks up to it. False where
  // there is none.
  bool take(LiveFrame& frame, LivePeaks& peaks) noexcept;
  // Frames that were overwritten before they were taken.
  std::uint64_t dropped() const { return dropped_; }

 private:
  using Cell = std::atomic<std::uint64_t>;
  Cell* slot(std::uint64_t n) const { return cells_.get() + (n & mask_) * stride_; }

  std::size_t pose_width_;
  std::uint64_t mask_;
  std::size_t stride_;  // cells of a slot, its version among them
  std::unique_ptr<Cell[]> cells_;

  std::uint64_t next_ = 0;  // of who pushes
  LivePeaks peaks_;
  alignas(64) Cell pushed_{0};
  alignas(64) std::uint64_t taken_ = 0;  // of who takes
  std::uint64_t dropped_ = 0;
};

}  // namespace berth
