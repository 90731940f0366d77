// SPDX-License-Identifier: Apache-2.0
#pragma once

// Watch — what is watched until something happens next: the margins of the switching parts (switching.h).

#include <vector>

namespace berth {

struct Watch {
  struct EventMargin {
    int event, inequality, slot;  // slot: which of `places`
  };
  struct ContactMargin {
    enum Kind { depth, press, stick } kind;
    int contact;

    bool operator==(const ContactMargin&) const = default;
  };
  struct ImpactMargin {
    int contact;
    // [m] Who begins on a surface is hit where it is this deep; [m/s] slow sliding turns back.
    double skin;
    // Of a free probe its gap, of one at rest what presses it on; and of its friction (resting.h).
    enum Kind { gap, stick, slip, heading } kind = gap;
  };

  std::vector<EventMargin> event_margins;
  std::vector<int> places;  // numbers of a row that armed events name
  bool names_idle = false;  // how open docks or contacts stand
  std::vector<ContactMargin> contact_margins;
  std::vector<ImpactMargin> impact_margins;
};

}  // namespace berth
