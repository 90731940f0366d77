// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/run/event_record.h"

namespace berth {

class HybridRun;

// Sees a run while it proceeds, and cannot change it.
class Observer {
 public:
  virtual ~Observer() = default;
  // After every step, which reaches from run.t_previous() to run.t(). False ends the run.
  virtual bool step(HybridRun& run) = 0;
  // Before something may happen at run.t(), and after everything that did.
  virtual void before(HybridRun&) {}
  virtual void after(HybridRun&) {}
  // For each that happened; the state is the one after it.
  virtual void event(HybridRun&, const EventRecord&) {}
};

}  // namespace berth
