// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pairs of craft with a contact between them, built in code, and what their runs reported.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "berth/run/run.h"
#include "berth/system/contacts.h"
#include "tests/support/craft.h"
#include "tests/support/random.h"
#include "tests/support/reference.h"
#include "tests/support/runs.h"

namespace berth::test {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;

// Turned by half about z: faces back along −x.
inline const Mat3<double> kBack = rotation_about(Vec3<double>{0, 0, 1}, M_PI);

inline int add_craft(System<double>& s, const std::string& name, const Vec3<double>& r,
                     const Vec3<double>& v, double mass = 3000, double inertia = 500) {
  BodySpec<double> hub =
      hub_spec<double>(name, mass, Sym3<double>::diagonal(inertia, inertia, inertia));
  hub.q = {r.x, r.y, r.z, 1, 0, 0, 0};
  hub.v = {v.x, v.y, v.z, 0, 0, 0};
  return s.model.add_body(hub);
}

inline Contact<double> touching(int probe, const Vec3<double>& at, int surface,
                                const Vec3<double>& there = {}) {
  Contact<double> c;
  c.name = "probe";
  c.port_1 = {probe, at, kBack};
  c.port_2 = {surface, there, Mat3<double>::identity()};
  c.surface = HalfSpace<double>{};
  c.law = SpringDashpot<double>{1000, 200};
  return c;
}

// A craft of 1 kg whose centre comes along −x to a half space on the ground, so far away.
inline System<double> ball(double gap, double speed, double k, double b) {
  System<double> s;
  const int craft = add_craft(s, "ball", {gap, 0, 0}, {-speed, 0, 0}, 1, 1);
  s.add_contact(touching(craft, {}, kGround)).law = SpringDashpot<double>{k, b};
  return s;
}

// Tables 1 to 3 of the paper, from just before the first contact, and faster.
inline System<double> probe_in_cone(double speed = 10) {
  System<double> s;
  const int target = add_craft(s, "target", {}, {});
  const double t = Reference("contact")("touch") - 0.2;
  const int chaser = add_craft(s, "chaser", {3.533 - 0.02 * t, 0.005 * t, 0.25},
                               speed * Vec3<double>{-0.02, 0.005, 0});
  Contact<double> c = touching(chaser, {-2, 0, 0}, target, {1, 0, 0});
  c.surface = Cone<double>{M_PI / 6, 2, 0};
  s.add_contact(c);
  return s;
}

struct ReportedContact {
  double t;
  std::string kind, name;
};
inline std::vector<ReportedContact> contacts_of(const HybridRun& run) {
  std::vector<ReportedContact> out;
  for (const EventRecord& h : run.event_records())
    if (h.kind.starts_with("contact_")) out.push_back({h.t, h.kind, h.name});
  return out;
}
inline Strings kinds_of(const HybridRun& run) {
  Strings out;
  for (const ReportedContact& t : contacts_of(run)) out.push_back(t.kind);
  return out;
}
inline double time_of(const HybridRun& run, const std::string& kind, int count = 1) {
  for (const ReportedContact& t : contacts_of(run))
    if (t.kind == kind && --count == 0) return t.t;
  ADD_FAILURE() << "no " << kind;
  return NAN;
}

inline Balance<double> balance_of(HybridRun& run) {
  return find_balance<double>(run.system(), run.x(), run.observe());
}
// E of all contacts.
inline double work_of(const HybridRun& run) {
  double sum = 0;
  const int first = run.system().layout().contacts;
  for (const Contact<double>& c : run.system().contacts)
    for (int i = 0; i < 2; ++i) sum += run.x()[static_cast<std::size_t>(first + c.first_state + i)];
  return sum;
}
inline double x_of(const HybridRun& run, int i) { return run.x()[static_cast<std::size_t>(i)]; }
inline const Strings kOnce{"contact_on", "contact_off", "contact_settled"};

// --- everything there is -------------------------------------------------------------------------

struct Loop {
  double delay, sample_time, robot_frequency, filter_time;
  bool along_normal, adhesive;
};

inline std::vector<Loop> all_loops() {
  std::vector<Loop> out;
  for (const double delay : {0.0, 0.001, 0.01})  // shorter than steps, and longer
    for (const double sample_time : {0.0, 0.02})
      for (const double robot : {0.0, 100.0})
        for (const double filter : {0.0, 2e-3})
          for (const bool along : {false, true})
            for (const bool adhesive : {false, true})
              if (sample_time == 0 || delay != 0.001)
                out.push_back({delay, sample_time, robot, filter, along, adhesive});
  return out;
}
inline std::vector<VariantOf<ContactLaws<double>>::type> all_laws() {
  const double c = 0.2 * std::cos(M_PI / 6);
  return {SpringDashpot<double>{1e5, 2000},
          ComplianceDevice<double>{
              1e5, 0.8, 1, {{0, 0, 0}, {0.2, 0, 0.2}, {0.2, c, -0.1}, {0.2, -c, -0.1}}},
          HuntCrossley<double>{1e6, 1.5, 0.3}};
}
inline std::vector<VariantOf<Frictions<double>>::type> all_frictions() {
  return {NoFriction<double>{}, Coulomb<double>{0.2}, Stick<double>{0.4, 5e-3}};
}
inline std::vector<VariantOf<Compensations<double>>::type> all_compensations(bool sampled,
                                                                             double k = 9e4,
                                                                             double b = 1500) {
  if (!sampled) return {NoCompensation<double>{}, ModelCompensation<double>{k, b}};
  return {NoCompensation<double>{}, LeadCompensation<double>{}, PassivityCompensation<double>{},
          ModelCompensation<double>{k, b}};
}

}  // namespace berth::test
