// SPDX-License-Identifier: Apache-2.0
#pragma once

// Approach — leads a port of one craft along a line to a port of another.
//
//   line         P1 shall be at s(t) d̂ from P2, d̂ fixed in the frame F of relative_motion.h
//   error        e = ρ − s d̂,   ė = ρ̇ − ṡ d̂              ρ, ρ̇ as there                           (1)
//   force        f = −K e − P ė + m a                                          on the body        (2)
//   feed-forward a = s̈ d̂ + 2 ω_F × ṡ d̂ + ω_F × (ω_F × δ) − g(δ),   δ from body 2 to body 1
//                g(δ) = n²(3 r̂ (r̂·δ) − δ): Clohessy and Wiltshire's, with n the orbit's rate        (3)
//   gains        K and P; or K = m ω², P = 2 ζ m ω from a bandwidth ω and a damping ratio ζ        (4)
//
// f is cut at max_force and asked of a thruster set, as a force through `centre`; without a set it
// acts from outside. ρ and ρ̇ are those that `navigation` reads, or the true ones without.

#include "berth/control/control_part.h"
#include "berth/model/relative_motion.h"

namespace berth {

template <Scalar T>
struct Approach : ControlPart {
  static constexpr std::string_view type = "approach";

  std::vector<PortRef> between;
  ThrusterRef thrusters;
  SensorRef navigation;
  OneOf<RelativeAxes> axes;
  Vec3<T> direction{1.0, 0.0, 0.0};
  Profile<T> distance;  // s(t)
  T K{}, P{};
  T bandwidth{};
  T damping_ratio{0.7};
  T mass{};
  T max_force{};
  Vec3<T> centre;
  double sample_time = 0;
  double latency = 0;

  static constexpr auto fields() {
    using A = Approach;
    return Schema{
        Field{"between", &A::between, unit::none, Range::any,
              "the port that is led, and the port of the other craft", required},
        Field{"thrusters", &A::thrusters, unit::none, Range::any, "to use; none = an ideal force"},
        Field{"navigation", &A::navigation, unit::none, Range::any,
              "sensor that measures position and velocity; none = the true ones"},
        Field{"axes", &A::axes, unit::none, Range::any, "of the line"},
        Field{"direction", &A::direction, unit::none, Range::unit_vector,
              "of the line, from the other port outward"},
        Field{"distance", &A::distance, unit::metre, Range::any,
              "from port to port along the line: a profile", required},
        Field{"K", &A::K, unit::N_per_m, Range::not_negative, "gain on the position error",
              required_unless("bandwidth")},
        Field{"P", &A::P, unit::N_s_per_m, Range::not_negative, "gain on the velocity error",
              required_unless("bandwidth")},
        Field{"bandwidth", &A::bandwidth, unit::rad_per_s, Range::not_negative,
              "natural frequency of the loop, with mass, instead of K and P; 0 = none"},
        Field{"damping_ratio", &A::damping_ratio, unit::none, Range::not_negative,
              "of the loop, with bandwidth"},
        Field{"mass", &A::mass, unit::kg, Range::not_negative,
              "of the craft, for the feed-forward; 0 = none"},
        Field{"max_force", &A::max_force, unit::newton, Range::not_negative,
              "limit of the force; 0 = none"},
        Field{"centre", &A::centre, unit::metre, Range::any,
              "where the force shall act, body axes: the craft's centre of mass"},
        Field{"sample_time", &A::sample_time, unit::second, Range::period,
              "controller period; 0 = continuous"},
        Field{"latency", &A::latency, unit::second, Range::not_negative,
              "from measurement to actuation", of_samples},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    check_latency(latency, sample_time, findings);
    if (between.size() != 2)
      findings.add("between", "two ports are needed, not " + std::to_string(between.size()));
    if (bandwidth > 0.0 && !(mass > 0.0)) findings.add("bandwidth", "needs the mass of the craft");
    if (bandwidth > 0.0 && (K > 0.0 || P > 0.0))
      findings.add("bandwidth", "bandwidth or K and P, not both");
    if (axes == RelativeAxes::lvlh && !around.has_orbit)
      findings.add("axes", "\"lvlh\" needs an [orbit]");
  }
  void bind(const Model<T>& model, Findings& findings) {
    port_1 = model.port(between[0].index);
    port_2 = model.port(between[1].index);
    if (model.root_of(port_1.body) == model.root_of(port_2.body))
      findings.add("between", "both ports are on one craft");
    direction_F = normalised(direction);
    gain_K = K + mass * square(bandwidth);  // (4)
    gain_P = P + 2.0 * damping_ratio * mass * bandwidth;
  }
  void connect(const auto& find, Findings& findings) {
    if (navigation.empty()) return;
    const Sensed position = find(navigation, "position", "navigation");
    const Sensed velocity = find(navigation, "velocity", "navigation");
    measured_position = position.first;
    measured_velocity = velocity.first;
    const std::string own = axes == RelativeAxes::lvlh ? "lvlh" : between[1].name;
    if (position.first >= 0 && position.axes != own)
      findings.add("navigation", navigation.name + " measures in the axes " + position.axes +
                                     ", the line is in " + own);
  }
  int pushed_body() const { return port_1.body; }
  int thruster_set() const { return thrusters.index; }
  bool pushes_from_outside() const { return thrusters.index < 0; }

  int output_count() const { return 3; }

  RelativeMotion<T> find_relative(const Instant<T>& now) const {
    return find_relative_motion(now, port_1, port_2, axes);
  }

  // Force in body axes.
  void find_output(const Instant<T>& now, const T*, T* out) const {
    const RelativeMotion<T> r = find_relative(now);
    const bool sensed = measured_position >= 0;
    const Vec3<T> rho = sensed ? now.read_vector(measured_position) : r.rho_F;
    const Vec3<T> rho_dot = sensed ? now.read_vector(measured_velocity) : r.rho_dot_F;
    const typename Profile<T>::Sample s = distance.at(now.motion.t, now.motion.t_from);
    const Vec3<T> e = rho - s.value * direction_F, e_dot = rho_dot - s.rate * direction_F;  // (1)
    const BodyMotion<T>&b1 = now.body(port_1.body), &b2 = now.body(port_2.body);
    const Vec3<T> line_N = r.R_NF * direction_F, w = r.omega_FN_N;
    const Vec3<T> d = (b1.r_BN_N + b1.r_CB_N) - (b2.r_BN_N + b2.r_CB_N);                    // δ
    Vec3<T> a = s.acceleration * line_N + cross(w, 2.0 * (s.rate * line_N) + cross(w, d));  // (3)
    if (now.motion.orbit.exists) {
      const Vec3<T> up = now.motion.orbit.R_NH.column_x();
      a -= norm_squared(now.motion.orbit.omega_HN_N) * (3.0 * dot(up, d) * up - d);
    }
    const Vec3<T> f_N = mass * a - r.R_NF * (gain_K * e + gain_P * e_dot);  // (2)
    Vec3<T> f = transposed_times(b1.R_NB, f_N);
    const T size = norm(f), bound = select(max_force > 0.0, max_force, T(1e300));
    f = select(size > bound, bound / select(size > bound, size, T(1.0)), T(1.0)) * f;
    for (int k = 0; k < 3; ++k) out[k] = f[k];
  }

  void apply(const T* out, Command<T>& command) const {
    const Vec3<T> f{out[0], out[1], out[2]};
    Wrench<T>& to = thrusters.index >= 0
                        ? command.thrusters[static_cast<std::size_t>(thrusters.index)]
                        : command.loads[static_cast<std::size_t>(port_1.body)];
    to += Wrench<T>{cross(centre, f), f};
  }
  void add_times(std::vector<double>& times) const { distance.add_times(times); }

  template <class Emit>
  void channels(const Instant<T>& now, const T* out, Emit&& f) const {
    const auto wanted = [&] { return distance.at(now.motion.t, now.motion.t_from).value; };
    const auto output = [&](int i) { return Vec3<T>{out[i], out[i + 1], out[i + 2]}; };
    f("position", unit::metre, "F", "of the port from the other's", Kind::smooth, Needs::motion,
      [&] { return find_relative(now).rho_F; });
    f("velocity", unit::m_per_s, "F", "its rate, seen in F", Kind::smooth, Needs::motion,
      [&] { return find_relative(now).rho_dot_F; });
    f("error", unit::metre, "", "from the wanted place", Kind::norm, Needs::motion,
      [&] { return norm(find_relative(now).rho_F - wanted() * direction_F); });
    f("wanted", unit::metre, "", "distance along the line", Kind::smooth, Needs::motion, wanted);
    f("force", unit::newton, "B", "asked of the thrusters", Kind::smooth, Needs::loads,
      [&] { return output(0); });
  }

  T gain_K{}, gain_P{};
  int measured_position = -1, measured_velocity = -1;  // among the readings of sensors
  Port<T> port_1, port_2;
  Vec3<T> direction_F;
};

}  // namespace berth
