// SPDX-License-Identifier: Apache-2.0
#pragma once

// RunLog — what a run has recorded so far: ledgers, peaks, events, warnings. The only writer of
// them.
//
// Peaks are properties of the motion. Each is followed as a number that is smooth in time,
//
//   |f|², |n|² of a dock, ψ² of its violation, |f|² and depth of a contact, E and −E of its work  (1)
//
// at every accepted state and at the turning points inside every accepted step (locate.cpp), so that
// nothing depends on what is recorded. A dock that is projected onto its geometry after every step
// has no violation but that of accepted states.
//
// Of a peak load the time is kept too; of thrusters what they have done so far (system/thruster_track.h).

#include <cmath>
#include <string>
#include <vector>

#include "berth/run/event_record.h"
#include "berth/run/step_end.h"
#include "berth/system/contact_track.h"
#include "berth/system/dock_track.h"
#include "berth/system/ledger.h"
#include "berth/system/thruster_track.h"

namespace berth {

struct PeakNumber {
  // rest_force: of a probe that rests after an impact.
  enum Kind {
    dock_force,
    dock_torque,
    position,
    attitude,
    contact_force,
    rest_force,
    depth,
    gained,
    given
  };
  Kind kind;
  int owner;  // dock or contact

  bool operator==(const PeakNumber&) const = default;
};

// (1), on any scalar (numbers.h); expects the loads to be evaluated.
template <Scalar T>
void fill_peaks(std::span<const PeakNumber> peaks, const System<T>& system, std::span<const T> x,
                const Workspace<T>& w, std::span<T> out);

class RunLog {
 public:
  Ledger ledger;
  std::vector<DockTrack> docks;
  std::vector<ContactTrack> contacts;
  std::vector<ThrusterTrack> thrusters;
  std::vector<EventRecord> event_records;
  std::vector<std::string> warnings;

  void start(const System<double>& system, double t_half);

  // Which peaks may change until something happens next.
  void watch(const System<double>& system, const Mode<double>& mode, bool contacts_awake);
  const std::vector<PeakNumber>& watched() const { return watched_; }
  bool needs_loads(std::size_t i) const {
    return watched_[i].kind <= PeakNumber::dock_torque ||
           watched_[i].kind == PeakNumber::rest_force;
  }

  // In the same measure.
  double peak(std::size_t i) const;
  void raise(std::size_t i, double value, double t);
  // What a step has to promise to be searched: more than the peak; much more of a number that was
  // noise in several searches in a row. A load that is rounding would be searched in every step.
  double find_goal(std::size_t i) const {
    return noisy_[i] < kPatience ? peak(i) : 1.1 * std::fabs(peak(i));
  }
  bool is_noisy(std::size_t i) const { return noisy_[i] > 0; }
  // Of a search, which has resolved the number or found noise.
  void raise_inside(std::size_t i, double value, double t, bool resolved) {
    noisy_[i] = resolved ? 0 : noisy_[i] + 1;
    raise(i, value, t);
  }

  // An accepted state, and (1) there.
  void add(const System<double>& system, const Layout& layout, double t, std::span<const double> x,
           const StepEnd<double>& end, std::span<const double> peaks);

  static void visit_state(auto& a, auto& self) {
    auto& [ledger, docks, contacts, thrusters, event_records, warnings, watched, noisy] = self;
    a(ledger, event_records, warnings, watched, noisy);
    a.fixed(docks);
    a.fixed(contacts);
    a.fixed(thrusters);
    a.check(noisy.size() == watched.size(), "peaks");
  }

 private:
  static constexpr int kPatience = 8;

  std::vector<PeakNumber> watched_;
  std::vector<int> noisy_;  // searches in a row that have found noise
};

}  // namespace berth
