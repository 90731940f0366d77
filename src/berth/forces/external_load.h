// SPDX-License-Identifier: Apache-2.0
#pragma once

// ExternalLoad — a force and a torque on one body from outside, in chosen axes, by a schedule.
//
//   axes = "body"      components in the body's own axes (a thruster)
//          "inertial"  in N
//          "orbit"     in Hill axes: radial, along-track, orbit normal
//
// The force acts at `point` of the body. `schedule = [[on, off], …]` in seconds; empty = always on.

#include <array>
#include <cmath>

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

// [start, stop) on the time line, in seconds.
using Window = std::array<double, 2>;

enum class ExternalAxes { body, inertial, orbit };
constexpr auto keywords_of(ExternalAxes) {
  return std::array{Keyword{"body", "the body's own"}, Keyword{"inertial", "N"},
                    Keyword{"orbit", "Hill axes: radial, along-track, orbit normal"}};
}

template <Scalar T>
struct ExternalLoad : ForcePart {
  static constexpr std::string_view type = "external_load";
  static constexpr bool external = true;

  MovingBodyRef body;
  Vec3<T> point;
  Vec3<T> force;
  Vec3<T> torque;
  OneOf<ExternalAxes> axes;
  std::vector<Window> schedule;

  static constexpr auto fields() {
    using P = ExternalLoad;
    return Schema{
        Field{"body", &P::body, unit::none, Range::any, "body that is pushed", required},
        Field{"point", &P::point, unit::metre, Range::any, "where the force acts, body axes"},
        Field{"force", &P::force, unit::newton, Range::any, "force"},
        Field{"torque", &P::torque, unit::N_m, Range::any, "torque"},
        Field{"axes", &P::axes, unit::none, Range::any, "of force and torque"},
        Field{"schedule", &P::schedule, unit::second, Range::any,
              "[[on, off], …]; empty = always on"},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    if (axes == ExternalAxes::orbit && !around.has_orbit)
      findings.add("axes", "orbit axes need an [orbit]");
    for (const Window& w : schedule)
      if (!(w[0] < w[1]))
        findings.add("schedule",
                     "[" + shown(w[0]) + ", " + shown(w[1]) + "] ends before it begins");
  }
  void bind(const Model<T>&, Findings&) {}

  void rotate_world(const Mat3<T>& R) {
    if (axes == ExternalAxes::inertial) force = R * force, torque = R * torque;
  }

  bool is_on(const T& t_from) const {
    if (schedule.empty()) return true;
    for (const Window& w : schedule)
      if (w[0] <= t_from && t_from < w[1]) return true;
    return false;
  }
  void add_times(std::vector<double>& times) const {
    for (const Window& w : schedule) times.insert(times.end(), w.begin(), w.end());
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    if (!is_on(now.motion.t_from)) return;
    const Mat3<T>& R_NB = now.body(body.index).R_NB;
    const auto to_N = [&](const Vec3<T>& v) {
      switch (axes) {
        case ExternalAxes::body: return R_NB * v;
        case ExternalAxes::orbit: return now.motion.orbit.R_NH * v;
        default: return v;
      }
    };
    effort.add_force_at(body.index, R_NB * point, to_N(force));
    effort.body(body.index).torque += to_N(torque);
  }
};

static_assert(Pushes<ExternalLoad<double>, double> && HasSchedule<ExternalLoad<double>>);

}  // namespace berth
