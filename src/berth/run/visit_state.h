// SPDX-License-Identifier: Apache-2.0
#pragma once

// visit_state of the plain structs a run's state is made of (archive.h).

#include "berth/run/archive.h"
#include "berth/run/core.h"
#include "berth/system/configuration.h"

namespace berth {

// --- mathematics -----------------------------------------------------------------------------------

void visit_state(auto& a, Is<Vec3<double>> auto& v) { a(v.x, v.y, v.z); }
void visit_state(auto& a, Is<Mat3<double>> auto& m) {
  a(m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz);
}
void visit_state(auto& a, Is<Sym3<double>> auto& m) { a(m.xx, m.yy, m.zz, m.xy, m.xz, m.yz); }
void visit_state(auto& a, Is<Quaternion<double>> auto& q) { a(q.w, q.x, q.y, q.z); }
void visit_state(auto& a, Is<Wrench<double>> auto& w) { a(w.torque, w.force); }

// --- system ----------------------------------------------------------------------------------------

void visit_state(auto& a, Is<Weld> auto& w) {
  auto& [welded, parent, R_PF, r_FP_P] = w;
  a(welded, parent, R_PF, r_FP_P);
}
void visit_state(auto& a, Is<DockSetting> auto& d) {
  auto& [engaged, enforce, arm, R_12, latch_delay] = d;
  a(engaged, arm, R_12, latch_delay);
  a.choice(enforce, Enforce::fused);
}
void visit_state(auto& a, Is<ContactSetting> auto& c) {
  auto& [biased, bias] = c;
  a(biased, bias);
}
void visit_state(auto& a, Is<Valve> auto& v) { a.choice(v, Valve::stuck_off); }
void visit_state(auto& a, Is<PartSetting> auto& p) {
  auto& [enabled, reference] = p;
  a(enabled, reference);
}
void visit_state(auto& a, Is<Configuration> auto& c) {
  auto& [hubs, docks, parts, valves, contacts] = c;
  a(hubs, docks, parts, valves, contacts);
}
void visit_state(auto& a, Is<ActiveRow> auto& r) {
  auto& [closure, row, least, strength] = r;
  a(closure, row, least, strength);
}
void visit_state(auto& a, Is<RowShare> auto& s) {
  auto& [row, taken, relieves] = s;
  a(row, taken, relieves);
}
void visit_state(auto& a, Is<Grip> auto& g) {
  auto& [touching, sticking] = g;
  a(touching, sticking);
}
void visit_state(auto& a, Is<ContactSignal<double>> auto& s) {
  auto& [normal, normal_N, friction_N] = s;
  a(normal, normal_N, friction_N);
}
void visit_state(auto& a, Is<ContactMode<double>> auto& m) {
  auto& [now, then, held, sliding, heading, press, given, torque] = m;
  a(now, then, held, sliding, heading, press, given, torque);
}
void visit_state(auto& a, Is<Mode<double>> auto& m) {
  auto& [t_from, held, levels, rows, slides, shares, chain, touched, hubs_only, grounded, speeds,
         column, contacts] = m;
  a(t_from, held, levels, rows, slides, shares, chain, touched, hubs_only, grounded, speeds, column,
    contacts);
}
void visit_state(auto& a, Is<Balance<double>> auto& b) {
  auto& [kinetic, potential, supplied, lost, linear, impulse, angular, angular_impulse,
         linear_scale, angular_scale] = b;
  a(kinetic, potential, supplied, lost, linear, impulse, angular, angular_impulse, linear_scale,
    angular_scale);
}
void visit_state(auto& a, Is<ContactTrack> auto& t) {
  auto& [touches, force_peak, penetration_peak, force_peak_time, energy, energy_min, energy_max,
         settled_max, settled_min, speed_in, speed_out] = t;
  a(touches, force_peak, penetration_peak, force_peak_time, energy, energy_min, energy_max,
    settled_max, settled_min, speed_in, speed_out);
}

// --- run -------------------------------------------------------------------------------------------

void visit_state(auto& a, Is<Entry> auto& e) {
  auto& [t, due, index, count, output] = e;
  a(t, index, count, output);
  a.choice(due, Due::thruster_cycle);
}
void visit_state(auto& a, Is<NamedValue> auto& v) {
  auto& [name, value] = v;
  a(name, value);
}
void visit_state(auto& a, Is<EventRecord> auto& h) {
  auto& [t, kind, name, values] = h;
  a(t, kind, name, values);
}
void visit_state(auto& a, Is<PeakNumber> auto& p) {
  auto& [kind, owner] = p;
  a(owner);
  a.choice(kind, PeakNumber::given);
}
void visit_state(auto& a, Is<LoopState> auto& l) {
  auto& [inside, pressing, asks, friction_work_before, last_slip, echoes, filter_empty,
         last_measured, arrived, sampled, sampling, latest] = l;
  a(inside, pressing, asks, friction_work_before, last_slip, echoes, filter_empty, last_measured,
    arrived, sampled, sampling, latest);
}
void visit_state(auto& a, Is<ExternalState> auto& e) {
  auto& [last, judged, frozen, turns] = e;
  a(last, judged, frozen, turns);
}
void visit_state(auto& a, Is<EventWatch> auto& w) {
  auto& [armed, holds, tries, acted, waiting, goes_on, truth, edge, best, best_t] = w;
  a(armed, holds, tries, acted, waiting, goes_on, truth, edge, best, best_t);
}
void visit_state(auto& a, Is<Watch::EventMargin> auto& m) {
  auto& [event, inequality, slot] = m;
  a(event, inequality, slot);
}
void visit_state(auto& a, Is<Watch::ContactMargin> auto& m) {
  auto& [kind, contact] = m;
  a(contact);
  a.choice(kind, Watch::ContactMargin::stick);
}
void visit_state(auto& a, Is<Watch::ImpactMargin> auto& m) {
  auto& [contact, skin, kind] = m;
  a(contact, skin);
  a.choice(kind, Watch::ImpactMargin::heading);
}
void visit_state(auto& a, Is<Core::Gap> auto& g) {
  auto& [gap, rate, fastest] = g;
  a(gap, rate, fastest);
}
void visit_state(auto& a, Is<Inequality> auto& q) {
  auto& [place, value, greater, kind, needs] = q;
  a(place, value, greater);
  a.choice(kind, Kind::flag);
  a.choice(needs, Needs::loads);
}

}  // namespace berth
