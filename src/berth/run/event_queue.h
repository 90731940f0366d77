// SPDX-License-Identifier: Apache-2.0
#pragma once

// EventQueue — what is known to happen at a known time. The integrator steps exactly onto the next
// entry; everything due at that moment is done in the order of Due, then of entry.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace berth {

enum class Due : unsigned char {
  switching,         // a schedule or reference profile changes piece
  valve_closes,      // a thruster pulse ends
  event,             // an event is triggered: its time has come, or its delay is over
  hold_over,         // a condition has held long enough, unless it was interrupted
  echo,              // a contact's change has come round its delay
  reading,           // what a sensor measured arrives
  sensor_sample,     // a sensor measures
  external_sample,   // an external is asked
  external_command,  // what it answered acts
  external_answer,   // what it will have answered by then acts
  external_silence,  // nothing has acted for too long
  sample,            // a controller reads and computes
  actuation,         // what it computed reaches the actuators
  contact_sample,    // the force of a sampled contact is measured
  contact_signal,    // what was measured is fed back
  settled,           // nothing more is to come from a contact that was lost
  thruster_cycle,    // a pulsed thruster set opens its valves
};

// Those that change what is held and nothing else: neither the motion nor the parts of the system.
constexpr bool only_holds(Due due) {
  using enum Due;
  return due == valve_closes || due == reading || due == sensor_sample || due == sample ||
         due == actuation || due == thruster_cycle;
}

struct Entry {
  double t;  // [s]
  Due due;
  int index = 0;  // event, sensor, external, controller, thruster set, thruster, or contact
  std::uint64_t count = 0;       // periods passed, which try of a condition to hold, which touch
  std::vector<double> output{};  // reading, command, actuation, contact_signal, echo: what arrives
};
// The count of an event that is commanded: it acts at once.
inline constexpr std::uint64_t kCommanded = 1;
// That of one whose action has waited for its mechanism.
inline constexpr std::uint64_t kWaited = 2;

class EventQueue {
 public:
  void add(Entry entry) {
    heap_.push_back({std::move(entry), next_++});
    std::push_heap(heap_.begin(), heap_.end());
  }

  double next_time() const {
    return heap_.empty() ? std::numeric_limits<double>::infinity() : heap_.front().entry.t;
  }
  // Entries closer together than the integrator can step are due at the same moment.
  bool is_due(double t) const {
    return !heap_.empty() && heap_.front().entry.t <= t + 64 * kUlp * (t < 1 ? 1 : t);
  }
  Entry take() {
    std::pop_heap(heap_.begin(), heap_.end());
    Entry e = std::move(heap_.back().entry);
    heap_.pop_back();
    return e;
  }

  // In no order.
  void for_each(auto&& f) const {
    for (const Ordered& o : heap_) f(o.entry);
  }
  static void visit_state(auto& a, auto& self) {
    a(self.heap_, self.next_);
    if constexpr (std::remove_cvref_t<decltype(a)>::reads) {
      for (const Ordered& o : self.heap_) a.check(!std::isnan(o.entry.t), "a time that is none");
      std::make_heap(self.heap_.begin(), self.heap_.end());
    }
  }

 private:
  static constexpr double kUlp = std::numeric_limits<double>::epsilon();
  struct Ordered {
    Entry entry;
    std::uint64_t order;
    bool operator<(const Ordered& b) const {  // the top of the heap is its largest
      if (entry.t != b.entry.t) return entry.t > b.entry.t;
      if (entry.due != b.entry.due) return entry.due > b.entry.due;
      return order > b.order;
    }
    static void visit_state(auto& a, auto& self) { a(self.entry, self.order); }
  };
  std::vector<Ordered> heap_;
  std::uint64_t next_ = 0;
};

}  // namespace berth
