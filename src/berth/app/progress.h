// SPDX-License-Identifier: Apache-2.0
#pragma once

// Progress of a run on stderr: a bar on a terminal, a line now and then elsewhere.

#include <chrono>
#include <cstdint>

#include <fmt/format.h>

#include "berth/program/console.h"

namespace berth {

class Progress {
 public:
  Progress(double t_stop, bool wanted)
      : t_stop_(t_stop), wanted_(wanted), line_(wanted), terminal_(line_.is_shown()) {}

  void show(double t) {
    if (!wanted_ || (++calls_ & 15) != 0) return;  // the clock is read now and then
    const auto now = Clock::now();
    if (now < next_) return;
    // A terminal is refreshed ten times a second; a log gets its first line after ten seconds.
    next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10));
    const double wall = std::chrono::duration<double>(now - begin_).count();
    const double rate = wall > 0 ? t / wall : 0;
    const double left = rate > 0 ? (t_stop_ - t) / rate : 0;
    if (terminal_) {
      const int filled = static_cast<int>(30 * (t / t_stop_));
      line_.show(fmt::format("[{:#<{}}{:-<{}}] {:.4g} of {:.4g} s  ×{:.3g}  {:.0f} s left ", "",
                             filled, "", 30 - filled, t, t_stop_, rate, left));
    } else {
      complain("{:.4g} of {:.4g} s simulated, ×{:.3g} real time, {:.0f} s left\n", t, t_stop_, rate,
               left);
    }
  }
  void end() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  double t_stop_;
  bool wanted_;
  StatusLine line_;
  bool terminal_;
  unsigned calls_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ =
      begin_ + (terminal_ ? std::chrono::milliseconds(300) : std::chrono::milliseconds(10000));
};

// Progress of a sweep: a bar on a terminal, nothing elsewhere.
class CaseProgress {
 public:
  explicit CaseProgress(bool wanted) : line_(wanted) {}

  void show(std::uint64_t done, std::uint64_t total) {
    if (first_ == 0) first_ = done, begin_ = Clock::now();  // those taken over took no time
    const auto now = Clock::now();
    if (!line_.is_shown() || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    const double wall = std::chrono::duration<double>(now - begin_).count();
    const double rate = wall > 0 ? static_cast<double>(done - first_) / wall : 0;
    const double left = rate > 0 ? static_cast<double>(total - done) / rate : 0;
    const int filled = static_cast<int>(30 * done / total);
    line_.show(fmt::format("[{:#<{}}{:-<{}}] {} of {} cases  {:.3g}/s  {:.0f} s left ", "", filled,
                           "", 30 - filled, done, total, rate, left));
  }
  void end() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  StatusLine line_;
  std::uint64_t first_ = 0;
  Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::milliseconds(300);
};

}  // namespace berth
