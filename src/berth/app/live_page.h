// SPDX-License-Identifier: Apache-2.0
#pragma once

// LivePage — a live run in a browser while it runs: scene, rolling plots, times of the loop, margin.
//
//   GET /TOKEN/          the page (viewer/live.html)
//   GET /TOKEN/stream    events: all of the last half minute, then what is new, 30 times a second at most and
//                        once a second at least; see LiveHistory::build_message
//
// The thread that ticks only ever calls push(), which waits for nobody. A thread of this class takes the
// frames out of the ring; others write to pages. All of them leave real-time priority, should the thread that
// builds this have it; affinity they keep.

#include <memory>
#include <string>

#include "berth/live/live_frame.h"

namespace berth {

class LivePage {
 public:
  // Throws std::runtime_error when no port can be had.
  explicit LivePage(const LiveDescription& description);
  ~LivePage();  // after the last frames and the last state have been sent, or after half a second
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  // http://127.0.0.1:PORT/TOKEN/
  std::string address() const;

  // By one thread alone; no allocation, no lock, no system call.
  void push(const LiveFrame& frame) noexcept;

  // Not within a tick: it takes a lock.
  void set_state(LiveState state, std::string verdict = "", LiveLevel level = LiveLevel::none);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth
