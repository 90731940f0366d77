// SPDX-License-Identifier: Apache-2.0
#include "berth/live/live_ring.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace berth {
namespace {

// The cells of a frame but for its pose, in both directions: f(word) is given each.
template <class Frame, class Peaks, class F>
void visit_words(Frame& frame, Peaks& peaks, F&& f) {
  f(frame.t), f(frame.clock);
  f(frame.force), f(frame.gap), f(frame.energy), f(frame.touching);
  f(frame.jitter), f(frame.round_trip);
  for (auto& x : frame.more) f(x);
  f(frame.ticks), f(frame.late), f(frame.lost);
  for (auto& x : frame.refused) f(x);
  for (auto* peak : {&peaks.force, &peaks.energy, &peaks.jitter, &peaks.round_trip})
    f(peak->value), f(peak->t);
}

std::uint64_t to_word(double x) { return std::bit_cast<std::uint64_t>(x); }
std::uint64_t to_word(std::uint64_t x) { return x; }
std::uint64_t to_word(bool x) { return x ? 1 : 0; }
void from_word(std::uint64_t word, double& x) { x = std::bit_cast<double>(word); }
void from_word(std::uint64_t word, std::uint64_t& x) { x = word; }
void from_word(std::uint64_t word, bool& x) { x = word != 0; }

std::size_t count_words() {
  LiveFrame frame;
  LivePeaks peaks;
  std::size_t n = 0;
  visit_words(frame, peaks, [&](auto&) { ++n; });
  return n;
}

void raise_peak(LivePeak& peak, double value, double t) {
  if (std::isnan(value) || value <= peak.value) return;
  peak = {value, t};
}

}  // namespace

LiveRing::LiveRing(std::size_t pose_width, std::size_t slots)
    : pose_width_(std::min(pose_width, kMostLivePose)),
      mask_(std::bit_ceil(std::max<std::size_t>(slots, 2)) - 1),
      stride_(1 + count_words() + (pose_width_ + 1) / 2),
      cells_(std::make_unique<Cell[]>((mask_ + 1) * stride_)) {}

// Cells are released and acquired one by one: who reads a new one also sees the version that came before it.
void LiveRing::push(const LiveFrame& frame) noexcept {
  raise_peak(peaks_.force, frame.force, frame.t);
  raise_peak(peaks_.energy, frame.energy, frame.t);
  raise_peak(peaks_.jitter, frame.jitter, frame.t);
  raise_peak(peaks_.round_trip, frame.round_trip, frame.t);

  Cell* const version = slot(next_);
  Cell* to = version + 1;
  version->store(2 * next_ + 1, std::memory_order_relaxed);
  const auto put = [&](std::uint64_t word) { (to++)->store(word, std::memory_order_release); };
  visit_words(frame, peaks_, [&](const auto& x) { put(to_word(x)); });
  for (std::size_t i = 0; i < pose_width_; i += 2) {
    const std::uint64_t low = std::bit_cast<std::uint32_t>(frame.pose[i]);
    const std::uint64_t high =
        i + 1 < pose_width_ ? std::bit_cast<std::uint32_t>(frame.pose[i + 1]) : 0;
    put(low | high << 32);
  }
  version->store(2 * next_ + 2, std::memory_order_release);
  pushed_.store(++next_, std::memory_order_release);
}

bool LiveRing::take(LiveFrame& frame, LivePeaks& peaks) noexcept {
  for (;;) {
    const std::uint64_t pushed = pushed_.load(std::memory_order_acquire);
    if (taken_ == pushed) return false;
    // Overtaken: on from the middle of what is there, or the next would be overwritten as it is read.
    if (pushed - taken_ > mask_ + 1) {
      const std::uint64_t on = pushed - (mask_ + 1) / 2;
      dropped_ += on - taken_;
      taken_ = on;
    }
    const Cell* const version = slot(taken_);
    const std::uint64_t whole = 2 * taken_ + 2;
    const bool begins = version->load(std::memory_order_acquire) == whole;
    if (begins) {
      const Cell* from = version + 1;
      const auto get = [&] { return (from++)->load(std::memory_order_acquire); };
      visit_words(frame, peaks, [&](auto& x) { from_word(get(), x); });
      for (std::size_t i = 0; i < pose_width_; i += 2) {
        const std::uint64_t word = get();
        frame.pose[i] = std::bit_cast<float>(static_cast<std::uint32_t>(word));
        if (i + 1 < pose_width_)
          frame.pose[i + 1] = std::bit_cast<float>(static_cast<std::uint32_t>(word >> 32));
      }
    }
    ++taken_;
    if (begins && version->load(std::memory_order_relaxed) == whole) return true;
    ++dropped_;
  }
}

}  // namespace berth
