// SPDX-License-Identifier: Apache-2.0
#pragma once

// ThrusterSet — N thrusters on one body, fired to give a commanded wrench.
//
//   thruster i   force Fᵢ along d̂ᵢ at r_i, on the body; level 0 ≤ lᵢ ≤ 1                       (1)
//   allocation   f ≥ 0 minimises |A f − w|², columns Aᵢ = (r_i × d̂ᵢ / ℓ, d̂ᵢ),
//                ℓ the rms lever arm, so that torque and force weigh alike                     (2)
//   saturation   all fᵢ scaled together when one exceeds Fᵢ: the direction of w is kept        (3)
//
//   sample_time = 0   levels follow the command continuously (ideal, unpulsed)
//   sample_time > 0   once per period the levels become on-times lᵢ·sample_time; a pulse shorter
//                     than half of minimum_on_time is dropped, a longer one is at least
//                     minimum_on_time. Opening and closing are exact steps of the integrator.
//
// w is the wrench about the body's origin in body axes.
//
// A valve may be stuck: its level is then 1 or 0 whatever is asked, and (2) does not know.

#include <algorithm>

#include "berth/math/nonnegative.h"
#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

template <Scalar T>
struct Thruster {
  Vec3<T> position;
  Vec3<T> direction{1.0, 0.0, 0.0};
  T thrust = 1.0;
  Vec3<T> along{};  // d̂, of `direction`, which stays as it was given: rounded once

  static constexpr auto fields() {
    using P = Thruster;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any, "nozzle in the body", required},
        Field{"direction", &P::direction, unit::none, Range::unit_vector,
              "direction of the force on the body", required},
        Field{"thrust", &P::thrust, unit::newton, Range::positive, "force when open", required},
    };
  }
};

// Whether a valve obeys.
enum class Valve : unsigned char { working, stuck_on, stuck_off };

template <Scalar T>
struct ThrusterSet : ForcePart {
  static constexpr std::string_view type = "thruster_set";
  static constexpr bool external = true;

  MovingBodyRef body;
  std::vector<Thruster<T>> thruster;
  double minimum_on_time = 0;
  double sample_time = 0;

  static constexpr auto fields() {
    using P = ThrusterSet;
    return Schema{
        Field{"body", &P::body, unit::none, Range::any, "body that carries the thrusters",
              required},
        Field{"thruster", &P::thruster, unit::none, Range::any, "the thrusters", required},
        Field{"minimum_on_time", &P::minimum_on_time, unit::second, Range::not_negative,
              "shortest pulse"},
        Field{"sample_time", &P::sample_time, unit::second, Range::period,
              "pulse period; 0 = continuous thrust"},
    };
  }

  void check(const Surroundings&, Findings& findings) const {
    if (thruster.size() > kMaxColumns)
      findings.add("thruster", "at most 64 thrusters, not " + std::to_string(thruster.size()));
    if (thruster.empty()) findings.add("thruster", "needs a thruster");
    if (sample_time > 0 && minimum_on_time > sample_time)
      findings.add("minimum_on_time",
                   "minimum_on_time is longer than sample_time: " + shown(minimum_on_time) +
                       " s, " + shown(sample_time) + " s");
  }
  void bind(const Model<T>&, Findings&) {
    T sum(0.0);
    for (Thruster<T>& t : thruster) t.along = normalised(t.direction);
    for (const Thruster<T>& t : thruster) sum += norm_squared(cross(t.position, t.along));
    lever = sqrt(sum / std::max(1.0, static_cast<double>(thruster.size())));
    lever = select(lever > 0.0, lever, T(1.0));
  }

  // (2), (3): levels for the wrench w_B.
  void find_levels(const Wrench<T>& w_B, T* level) const {
    const int n = static_cast<int>(thruster.size());
    std::array<std::array<T, kRows>, kMaxColumns> A;
    for (std::size_t i = 0; i < thruster.size(); ++i)
      A[i] = row_of(cross(thruster[i].position, thruster[i].along), thruster[i].along);
    find_nonnegative(n, A.data(), row_of(w_B.torque, w_B.force), level);
    T worst(1.0);
    for (int i = 0; i < n; ++i) {
      level[i] = level[i] / thruster[static_cast<std::size_t>(i)].thrust;
      worst = max(worst, level[i]);
    }
    for (int i = 0; i < n; ++i) level[i] = level[i] / worst;
  }

  // Levels asked for directly, on top; no valve is more than open.
  void add_levels(const T* asked, T* level) const {
    for (std::size_t i = 0; i < thruster.size(); ++i)
      level[i] = min(level[i] + clamp(asked[i], T(0.0), T(1.0)), T(1.0));
  }

  // What the valves make of the levels. Which are stuck is no number: code may branch on it.
  void hold_stuck(T* level) const {
    for (std::size_t i = 0; i < valves.size(); ++i)
      if (valves[i] != Valve::working) level[i] = T(valves[i] == Valve::stuck_on ? 1.0 : 0.0);
  }
  // Of thruster i.
  void set_valve(std::size_t i, Valve valve) {
    valves.resize(thruster.size(), Valve::working);
    valves[i] = valve;
  }

  // On-time of one pulse for a wanted level.
  double find_on_time(double level) const {
    const double wanted = level * sample_time;
    if (wanted < 0.5 * minimum_on_time || wanted <= 0) return 0;
    return std::min(std::max(wanted, minimum_on_time), sample_time);
  }

  void add_effort(const Instant<T>& now, Effort<T>& effort) const {
    const Mat3<T>& R_NB = now.body(body.index).R_NB;
    Vec3<T> f_B{}, n_B{};
    for (std::size_t i = 0; i < thruster.size(); ++i) {
      const Thruster<T>& t = thruster[i];
      const Vec3<T> f = (now.command.levels[static_cast<std::size_t>(first_level) + i] * t.thrust) *
                        t.along;  // (1)
      f_B += f;
      n_B += cross(t.position, f);
    }
    effort.body(body.index) += Wrench<T>{R_NB * n_B, R_NB * f_B};
  }

  template <class Emit>
  void channels(const Instant<T>& now, Emit&& f) const {
    for (std::size_t i = 0; i < thruster.size(); ++i)
      f([&] { return "level" + std::to_string(i + 1); }, unit::none, "", "0 closed … 1 open",
        Kind::smooth, Needs::loads,
        [&] { return now.command.levels[static_cast<std::size_t>(first_level) + i]; });
  }

  int first_level = 0;        // of this set in Command::levels
  T lever = 1.0;              // ℓ
  std::vector<Valve> valves;  // of the thrusters, as events have left them; empty: all work

 private:
  std::array<T, kRows> row_of(const Vec3<T>& torque, const Vec3<T>& force) const {
    return {torque.x / lever, torque.y / lever, torque.z / lever, force.x, force.y, force.z};
  }
};

static_assert(Pushes<ThrusterSet<double>, double>);

}  // namespace berth
