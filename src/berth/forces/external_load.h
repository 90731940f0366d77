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

namespace berth {

// [start, stop) on the time line, in seconds.
using Window = std::array<double, 2>;

template <Scalar T>
struct ExternalLoad {
  static constexpr std::string_view type = "external_load";
  static constexpr bool external = true;

  std::string body;
  Vec3<T> point;
  Vec3<T> force;
  Vec3<T> torque;
  std::string axes = "body";
  std::vector<Window> schedule;

  static constexpr auto fields() {
    using P = ExternalLoad;
    return std::tuple{
        Field{"body", &P::body, unit::none, Range::any, "body that is pushed", required},
        Field{"point", &P::point, unit::metre, Range::any, "where the force acts, body axes"},
        Field{"force", &P::force, unit::newton, Range::any, "force"},
        Field{"torque", &P::torque, unit::N_m, Range::any, "torque"},
        Field{"axes", &P::axes, unit::none, Range::any, "body | inertial | orbit"},
        Field{"schedule", &P::schedule, unit::second, Range::any,
              "[[on, off], …]; empty = always on"},
    };
  }

  void bind(const Model<T>& model) {
    index = model.find_body(body);
    if (index < 0) throw std::invalid_argument("external_load: no body named " + body);
    if (axes == "body") {
      frame = Frame::body;
    } else if (axes == "inertial") {
      frame = Frame::inertial;
    } else if (axes == "orbit") {
      frame = Frame::orbit;
    } else {
      throw std::invalid_argument("external_load: axes is body, inertial or orbit, not " + axes);
    }
  }

  void turn_world(const Mat3<T>& R) {
    if (axes == "inertial") force = R * force, torque = R * torque;
  }

  bool is_on(double t_from) const {
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
    const Mat3<T>& R_NB = now.body(index).R_NB;
    const auto to_N = [&](const Vec3<T>& v) {
      switch (frame) {
        case Frame::body: return R_NB * v;
        case Frame::orbit: return now.motion.orbit.R_NH * v;
        default: return v;
      }
    };
    effort.add_force_at(index, R_NB * point, to_N(force));
    effort.body(index).torque += to_N(torque);
  }

  std::string name;     // what events and channels call it
  bool enabled = true;  // switched by events
  enum class Frame { body, inertial, orbit } frame = Frame::body;
  int index = 0;
};

static_assert(Pushes<ExternalLoad<double>, double> && HasSchedule<ExternalLoad<double>>);

}  // namespace berth
