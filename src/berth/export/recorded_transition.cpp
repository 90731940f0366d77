// SPDX-License-Identifier: Apache-2.0
#include "berth/export/recorded_transition.h"

#include <algorithm>
#include <utility>

#include "berth/export/recorded_phase.h"
#include "berth/scalar/trace.h"
#include "berth/system/jumps.h"
#include "berth/system/latch.h"
#include "berth/system/ledger.h"
#include "berth/system/lift_system.h"

namespace berth {
namespace {

// The same steps as latch and release, on recorded numbers and with rows that are given.
class TransitionRecorder {
 public:
  TransitionRecorder(const System<double>& system, const Mode<double>& mode, std::size_t states)
      : system_(lift_system<Trace>(system)), mode_(lift_mode<Trace>(mode)), w_(system_) {
    t_ = tape_.input();
    x_.resize(states);
    for (Trace& y : x_) y = tape_.input();
  }

  // rows: the mode in which the ports are stopped; after: when all is done.
  void latch(const JointChange& change, bool fuses, const Mode<double>& rows,
             const Mode<double>& after) {
    const auto k = index(change.dock);
    Dock<Trace>& dock = system_.docks[k];
    const Balance<Trace> before = find_balance_here();
    const auto& pair = w_.docks[k].pair;
    if (!change.nominal) {
      dock.arm = pair.d;
      dock.R_12 = pair.R * dock.R_12;
    }
    if (dock.first_state >= 0)
      std::fill_n(x_.begin() + w_.layout.docks + dock.first_state, dock.row_count(), Trace(0.0));
    if (dock.enforce == Enforce::penalty) {
      // A spring that appears stretched brings its energy along.
      const Balance<Trace> open = find_balance_here();
      dock.engaged = true;
      add_to_ledger(0, open, find_balance_here());
    } else {
      dock.engaged = true;
      dock.enforce = Enforce::exact;
      const Group<Trace> group = find_group<Trace>(system_, mode_, change.dock, w_.motion);
      mode_ = lift_mode<Trace>(rows);
      if (change.nominal) {
        motion_stage<Trace>(system_, t_, x_, mode_, w_);
        factor_rows<Trace>(system_, mode_, w_);
        pull_positions<Trace>(system_, t_, x_, mode_, w_, kNewtonSteps);
      }
      motion_stage<Trace>(system_, t_, x_, mode_, w_);
      factor_rows<Trace>(system_, mode_, w_);
      stop_rows<Trace>(system_, t_, x_, mode_, w_, {});
      motion_stage<Trace>(system_, t_, x_, mode_, w_);
      if (change.nominal)
        restore_momentum<Trace>(system_, mode_, change.dock, group, w_.motion, coordinates(),
                                speeds());
      if (fuses) dock.enforce = Enforce::fused;
      if (fuses) weld(system_.model, dock);
      const Balance<Trace> joined = find_balance_here();
      Trace& lost = ledger(1);
      lost = lost + ((before.kinetic + before.potential) - (joined.kinetic + joined.potential));
      if (rows.grounded) add_momentum(before, joined);
    }
    mode_ = lift_mode<Trace>(after);
  }

  void release(const JointChange& change, const Mode<double>& after) {
    Dock<Trace>& dock = system_.docks[index(change.dock)];
    motion_stage<Trace>(system_, t_, x_, mode_, w_);
    const Trace lost = find_energy(dock, w_.docks[index(change.dock)]);
    if (dock.enforce == Enforce::fused) {
      const int b1 = dock.port_1.body, b2 = dock.port_2.body;
      Model<Trace>& model = system_.model;
      const bool second = model.body(b2).joint == JointType::fixed && model.body(b2).parent == b1;
      const int hub = second ? b2 : b1;
      model.cut(hub);
      write_hub<Trace>(model, hub, w_.motion, coordinates(), speeds());
    }
    dock.engaged = false;
    ledger(1) = ledger(1) + lost;
    mode_ = lift_mode<Trace>(after);
  }

  Graph finish() { return tape_.finish(x_); }

 private:
  std::span<Trace> coordinates() { return std::span(x_).first(index(w_.layout.v)); }
  std::span<Trace> speeds() {
    return std::span(x_).subspan(index(w_.layout.v), index(w_.layout.z - w_.layout.v));
  }
  Trace& ledger(int k) { return x_[index(w_.layout.ledger + k)]; }
  Balance<Trace> find_balance_here() {
    motion_stage<Trace>(system_, t_, x_, mode_, w_);
    command_stage<Trace>(system_, x_, mode_, w_);
    return find_balance<Trace>(system_, x_, w_);
  }
  void add_momentum(const Balance<Trace>& before, const Balance<Trace>& after) {
    for (int i = 0; i < 3; ++i) {
      ledger(2 + i) = ledger(2 + i) + (after.linear[i] - before.linear[i]);
      ledger(5 + i) = ledger(5 + i) + (after.angular[i] - before.angular[i]);
    }
  }
  void add_to_ledger(int k, const Balance<Trace>& before, const Balance<Trace>& after) {
    ledger(k) =
        ledger(k) + ((after.kinetic - before.kinetic) + (after.potential - before.potential));
    add_momentum(before, after);
  }

  System<Trace> system_;
  Mode<Trace> mode_;
  Workspace<Trace> w_;
  Tape tape_;
  Trace t_;
  std::vector<Trace> x_;
};

bool have_same_rows(const Mode<double>& a, const Mode<double>& b) {
  return std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                    [](const ActiveRow& x, const ActiveRow& y) {
                      return x.closure == y.closure && x.row == y.row;
                    });
}

// The mode in which the ports of a dock are stopped: its rows are there.
Mode<double> find_stopping_mode(System<double> system, Mode<double> mode, const JointChange& change,
                                double t, std::vector<double> x) {
  Workspace<double> w(system);
  Dock<double>& dock = system.docks[index(change.dock)];
  motion_stage<double>(system, t, x, mode, w);
  if (!change.nominal) lock_here(dock, w.docks[index(change.dock)].pair);
  dock.engaged = true;
  dock.enforce = Enforce::exact;
  Mode<double> closing = mode;
  close_gap(system, t, x, closing, w);
  mode = closing;
  stop_rates(system, t, x, mode, w);
  if (!have_same_rows(closing, mode) || !mode.shares.empty())
    throw CannotRecord("which rows stop the ports changes on the way");
  return mode;
}

}  // namespace

RecordedTransition record_transition(const System<double>& before, const Mode<double>& in_mode,
                                     std::span<const JointChange> changes, double t,
                                     std::span<const double> x) {
  System<double> system = before;
  Mode<double> mode = in_mode;
  Workspace<double> w(system);
  RecordedTransition out;
  out.x_after.assign(x.begin(), x.end());
  try {
    TransitionRecorder recorder(before, in_mode, x.size());
    for (const JointChange& c : changes) {
      if (!c.latches) {
        berth::release(system, t, out.x_after, mode, w, c.dock);
        recorder.release(c, mode);
        continue;
      }
      const Dock<double>& dock = system.docks[index(c.dock)];
      const bool soft = dock.enforce == Enforce::penalty;
      const Mode<double> rows = soft ? mode : find_stopping_mode(system, mode, c, t, out.x_after);
      const bool fuses = dock.enforce == Enforce::fused;
      const LatchResult result = berth::latch(system, t, out.x_after, mode, w, c.dock, c.nominal);
      recorder.latch(c, fuses && !result.cannot_fuse, rows, mode);
    }
    out.change = recorder.finish();
  } catch (const BranchOnValue& e) {
    throw CannotRecord(e.what());
  }
  if (!out.change.calls.empty())
    throw CannotRecord(std::string(out.change.calls.front().function->name) +
                       " decides on values at this instant");
  return out;
}

}  // namespace berth
