// SPDX-License-Identifier: Apache-2.0
#pragma once

// Something fails, or works again. What has the name decides which failures there are:
//
//   thruster   level = 1 (stuck_on) or 0 (stuck_off), whatever is asked                             (1)
//   sensor     no new readings (out): the last one is held, as after a dropout                      (2)
//   dock       a latch commanded at t closes at t + by (late) or never (stuck_open)                 (3)
//   contact    the force fed back is f + R_NS b (biased), b = by in axes of the surface's port      (4)
//
//   { fail = "jets.3", as = "stuck_on" }     { fail = "probe", as = "biased", by = [2, 0, 0] }
//
// A sweep that varies the time of the event draws the time of the failure.

#include <cmath>
#include <string>
#include <vector>

#include "berth/run/actions/action.h"

namespace berth {

enum class Failure : unsigned char { stuck_on, stuck_off, out, late, stuck_open, biased, working };
constexpr auto keywords_of(Failure) {
  return std::array{
      Keyword{"stuck_on", "thruster: full thrust whatever is commanded"},
      Keyword{"stuck_off", "thruster: no thrust whatever is commanded"},
      Keyword{"out", "sensor: no new readings"},
      Keyword{"late", "dock or capture: latches so much later (by)"},
      Keyword{"stuck_open", "dock or capture: never latches"},
      Keyword{"biased", "contact with a loop: a force is added to that fed back (by)"},
      Keyword{"working", "all of them: repaired"}};
}

// What a thruster is called: by its set and its number, from 1.
inline std::string name_of_thruster(const std::string& set, std::size_t i) {
  return set + "." + std::to_string(i + 1);
}

struct FailAction {
  static constexpr std::string_view type = "fail";

  FailingRef thing;
  OneOf<Failure> as = Failure::working;
  std::vector<double> by = {};

  static constexpr auto fields() {
    using P = FailAction;
    return Schema{
        Field{"fail", &P::thing, unit::none, Range::any, "that fails, or works again", required},
        Field{"as", &P::as, unit::none, Range::any, "in which way", required},
        Field{"by", &P::by, unit::none, Range::any,
              "late: so many seconds; biased: so many newtons, x, y and z of the surface's port"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    if (as == Failure::late) {
      if (by.size() != 1)
        findings.add("by", "a latch is late by one number, in seconds: by = 0.8");
      else if (by[0] < 0)
        findings.add("by", shown(by[0]) + " s: a latch cannot close before it is commanded");
    } else if (as == Failure::biased) {
      if (by.size() != 3)
        findings.add("by", "a force sensor is biased by three numbers, in newtons: by = [2, 0, 0]");
    } else if (!by.empty()) {
      findings.add("by", "belongs to late and biased, not to " + std::string(as.keyword()));
    }
  }

  // One of these has the name; names differ.
  void act(auto& core, const auto&) const {
    System<double>& system = core.system;
    for (auto& set : std::get<std::vector<ThrusterSet<double>>>(system.forces))
      for (std::size_t i = 0; i < set.thruster.size(); ++i)
        if (name_of_thruster(set.name, i) == thing.name) set.set_valve(i, find_valve());
    for (Dock<double>& d : system.docks)
      if (d.name == thing.name) d.latch_delay = find_latch_delay();
    for (Contact<double>& c : system.contacts)
      if (c.report_name() == thing.name) bias(c);
    bool is_sensor = false;
    for_each_part(system.sensors, [&](const auto& s) { is_sensor |= s.name == thing.name; });
    if (is_sensor) switch_part(core, thing.name, as == Failure::working);  // (2)
  }

 private:
  Valve find_valve() const {  // (1)
    if (as == Failure::working) return Valve::working;
    return as == Failure::stuck_on ? Valve::stuck_on : Valve::stuck_off;
  }
  double find_latch_delay() const {  // (3)
    if (as == Failure::working) return 0;
    return as == Failure::late ? by.at(0) : INFINITY;
  }
  // Without a loop nothing is measured: so is the contact that a loop is compared with.
  void bias(Contact<double>& c) const {
    c.biased = as == Failure::biased && !c.is_ideal();
    c.bias = c.biased ? Vec3<double>{by.at(0), by.at(1), by.at(2)} : Vec3<double>{};  // (4)
  }
};

}  // namespace berth
