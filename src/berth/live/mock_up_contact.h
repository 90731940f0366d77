// SPDX-License-Identifier: Apache-2.0
#pragma once

// MockUpContact — the contact of a scenario between two mock-ups: its probe, surface, law and friction, where
// the robots have brought them.
//
//   touching   depth ≥ 0 and the law pushes; adhesive: depth ≥ 0; bilateral: once touched            (1)
//
// Geometry and forces are those of the engine (system/contacts.h). Friction that sticks slides here, with
// (2) of contact/friction.h: a robot does not hold still within what sticking would move.

#include <vector>

#include "berth/live/lab_motion.h"
#include "berth/system/contacts.h"

namespace berth {

class MockUpContact {
 public:
  struct Touch {
    bool touching = false;
    double gap = 0;        // [m]
    double gap_rate = 0;   // [m/s]
    Vec3<double> force_N;  // [N] on the mock-up of the probe
    Vec3<double> r_QB_N;   // [m] where it acts, from that mock-up's origin
  };

  // A loop it may have is not of the mock-ups.
  explicit MockUpContact(const Contact<double>& contact);

  // As before the first touch.
  void clear() { touched_ = false; }
  Touch find(const LabMotion& probe, const LabMotion& surface);

  const Contact<double>& contact() const { return contact_; }

 private:
  Contact<double> contact_;
  Motion<double> motion_;
  std::vector<double> states_;  // of the contact: no slip
  bool touched_ = false;
};

}  // namespace berth
