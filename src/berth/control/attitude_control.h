// SPDX-License-Identifier: Apache-2.0
#pragma once

// AttitudeControl — feedback of attitude and rate errors.
//
//   reference  R_NR(t) = R_NF · R_FR0 · Rot(â, φ(t)),   ω_RN = ω_FN + φ̇ â                        (1)
//              ω̇_RN = φ̈ â + ω_FN × φ̇ â   (ω_FN taken as constant)
//              frame F: inertial; "lvlh" of the reference orbit; "mated": the attitude in which the
//              first of `ports` meets the second
//   error      σ = MRP of R_RB, or σ = 2 sgn(e₀) e of its quaternion (e₀, e)                    (2)
//              ω_e = ω_BN − ω_RN                                                 (B axes)
//   integral   ż = σ, held when a component of z is at its limit and would leave it             (3)
//   torque     L = −K σ − P ω_e − K_i z + I (ω̇_RN − ω_BN × ω_RN) + ω_BN × I ω_BN   on the body   (4)
//   gains      K and P; or K σ = I ω² θ, P = 2 ζ ω I from a bandwidth ω and a damping ratio ζ     (5)
//
// With follow = "rate" there is no reference attitude and no frame F: σ = 0, ω_RN = φ̇ â in body axes,
// and (4) has no ω_BN × ω_RN.
// The last two terms are the feed-forward; they act when `inertia` is given. L is held within
// ±max_torque per axis (0 = no limit) and given either as an ideal torque from outside, or by
// reaction wheels: motor torques u = −Gᵀ(G Gᵀ)⁻¹ L with the spin axes as columns of G, or by a
// thruster set.

#include "berth/control/control_part.h"

namespace berth {

enum class Follow : unsigned char { attitude, lvlh, mated, rate };
constexpr auto keywords_of(Follow) {
  return std::array{Keyword{"attitude", "an inertial attitude"},
                    Keyword{"lvlh", "an attitude against the reference orbit"},
                    Keyword{"mated", "the attitude in which the first of `ports` meets the second"},
                    Keyword{"rate", "the rate alone, its axis fixed in the body"}};
}

enum class AttitudeError : unsigned char { mrp, quaternion };
constexpr auto keywords_of(AttitudeError) {
  return std::array{Keyword{"mrp", "tan(θ/4) along the axis of the error"},
                    Keyword{"quaternion", "2 sin(θ/2) along it"}};
}

template <Scalar T>
struct AttitudeControl : ControlPart {
  static constexpr std::string_view type = "attitude";

  MovingBodyRef body;
  std::vector<CarriedJointRef> wheels;
  ThrusterRef thrusters;
  SensorRef gyro;
  OneOf<Follow> follow;
  std::vector<PortRef> ports;
  OneOf<AttitudeError> error;
  T K{}, P{}, Ki{};
  T bandwidth{};
  T damping_ratio{0.7};
  T integral_limit{};
  Sym3<T> inertia;
  T max_torque{};
  Quaternion<T> attitude;       // R_NR0
  Vec3<T> axis{0.0, 0.0, 1.0};  // â
  Profile<T> angle;             // φ(t)
  double sample_time = 0;
  double latency = 0;

  static constexpr auto fields() {
    using A = AttitudeControl;
    return Schema{
        Field{"body", &A::body, unit::none, Range::any, "body that is controlled", required},
        Field{"wheels", &A::wheels, unit::none, Range::any,
              "reaction wheels to use; none = ideal torque or thrusters"},
        Field{"thrusters", &A::thrusters, unit::none, Range::any, "thruster set to use"},
        Field{"gyro", &A::gyro, unit::none, Range::any,
              "sensor that measures the rate; none = the true one"},
        Field{"follow", &A::follow, unit::none, Range::any, "what the reference is counted from"},
        Field{"ports", &A::ports, unit::none, Range::any,
              "mated: a port of the body and the one it is to meet"},
        Field{"error", &A::error, unit::none, Range::any, "how the attitude error is measured"},
        Field{"K", &A::K, unit::N_m, Range::not_negative, "gain on the attitude error",
              required_unless("bandwidth")},
        Field{"P", &A::P, unit::N_m_s_per_rad, Range::not_negative, "gain on the rate error",
              required_unless("bandwidth")},
        Field{"bandwidth", &A::bandwidth, unit::rad_per_s, Range::not_negative,
              "natural frequency of the loop, with inertia, instead of K and P; 0 = none"},
        Field{"damping_ratio", &A::damping_ratio, unit::none, Range::not_negative,
              "of the loop, with bandwidth"},
        Field{"Ki", &A::Ki, unit::N_m_per_rad_s, Range::not_negative,
              "gain on the integral of the error"},
        Field{"integral_limit", &A::integral_limit, unit::second, Range::not_negative,
              "largest integral per axis; 0 = no limit"},
        Field{"inertia", &A::inertia, unit::kg_m2, Range::inertia,
              "inertia for the feed-forward; zero = none"},
        Field{"max_torque", &A::max_torque, unit::N_m, Range::not_negative,
              "torque limit per axis; 0 = none"},
        Field{"attitude", &A::attitude, unit::none, Range::any,
              "reference attitude at zero angle in what is followed, quaternion"},
        Field{"axis", &A::axis, unit::none, Range::unit_vector, "slew axis, reference axes"},
        Field{"angle", &A::angle, unit::rad, Range::any, "slew angle over time"},
        Field{"sample_time", &A::sample_time, unit::second, Range::period,
              "controller period; 0 = continuous"},
        Field{"latency", &A::latency, unit::second, Range::not_negative,
              "from measurement to actuation", of_samples},
    };
  }

  void check(const Surroundings& around, Findings& findings) const {
    check_latency(latency, sample_time, findings);
    if (bandwidth > 0.0 && inertia == Sym3<T>{})
      findings.add("bandwidth", "needs the inertia of the craft");
    if (bandwidth > 0.0 && (K > 0.0 || P > 0.0))
      findings.add("bandwidth", "bandwidth or K and P, not both");
    if (follow == Follow::lvlh && !around.has_orbit)
      findings.add("follow", "\"lvlh\" needs an [orbit]");
    if ((follow == Follow::mated) != (ports.size() == 2))
      findings.add("ports", "follow = \"mated\" goes with two ports");
    if (!wheels.empty() && !thrusters.empty())
      findings.add("thrusters", "wheels or thrusters, not both");
    if (!wheels.empty() && wheels.size() < 3)
      findings.add("wheels", "needs three wheels, not " + std::to_string(wheels.size()));
  }

  void bind(const Model<T>& model, Findings& findings) {
    if (follow == Follow::mated) {
      const Port<T>&own = model.port(ports[0].index), &other = model.port(ports[1].index);
      if (own.body != body.index) findings.add("ports", "the first port must be on " + body.name);
      followed = other.body;
      R_followed = mated_attitude(other, own);
    }
    axis_R = normalised(axis);
    // (5): σ is θ/4 or θ for a small error θ.
    const T per_angle(error == AttitudeError::mrp ? 4.0 : 1.0);
    gain_K = Sym3<T>::diagonal(K, K, K) + (per_angle * square(bandwidth)) * inertia;
    gain_P = Sym3<T>::diagonal(P, P, P) + (2.0 * damping_ratio * bandwidth) * inertia;
    // Spin axes of the wheels in the controlled body, and G Gᵀ once and for all.
    wheel.clear();
    Sym3<T> G_Gt;
    for (const CarriedJointRef& its : wheels) {
      const Body<T>& b = model.body(its.index);
      if (b.parent != body.index || b.joint != JointType::revolute) {
        findings.add("wheels", its.name + " is not a wheel on " + body.name);
        continue;
      }
      wheel.push_back({b.v, b.axis_P, {}});
      G_Gt += outer(wheel.back().g_B);
    }
    if (wheel.empty() || wheel.size() < wheels.size()) return;
    const Sym3Factor<T> factor(G_Gt);
    for (Wheel& w : wheel) w.row = factor.solve(w.g_B);
    if (!(abs(factor.d0) + abs(factor.d1) + abs(factor.d2) < 1e9))
      findings.add("wheels", "the wheel axes lie in one plane");
  }
  void connect(const auto& find, Findings& findings) {
    if (gyro.empty()) return;
    const Sensed rate = find(gyro, "rate", "gyro");
    measured_rate = rate.first;
    if (rate.first >= 0 && rate.axes != body.name)
      findings.add("gyro", gyro.name + " is on " + rate.axes + ", not on " + body.name);
  }
  int pushed_body() const { return body.index; }
  int thruster_set() const { return thrusters.index; }
  bool pushes_from_outside() const { return thrusters.index < 0 && wheels.empty(); }

  void rotate_world(const Mat3<T>& R) {
    if (follow == Follow::attitude) attitude = canonical(quaternion(R) * attitude);
  }

  int state_count() const { return 3; }
  int output_count() const { return 3; }

  struct Error {
    Vec3<T> sigma, omega_e, omega_RN_B, omega_dot_RN_B;
  };
  // (1), (2)
  Error find_error(const Instant<T>& now) const {
    const BodyMotion<T>& b = now.body(body.index);
    const typename Profile<T>::Sample phi = angle.at(now.motion.t, now.motion.t_from);
    Vec3<T> axis_B = axis_R, omega_FN_B{};
    Error e{};
    if (follow != Follow::rate) {
      Mat3<T> R_NR = rotation_matrix(attitude) * rotation_about(axis_R, phi.value);
      if (follow == Follow::lvlh) {
        R_NR = now.motion.orbit.R_NL() * R_NR;
        omega_FN_B = transposed_times(b.R_NB, now.motion.orbit.omega_HN_N);
      } else if (follow == Follow::mated) {
        const BodyMotion<T>& other = now.body(followed);
        R_NR = (other.R_NB * R_followed) * R_NR;
        omega_FN_B = transposed_times(b.R_NB, other.omega_BN_N);
      }
      const Mat3<T> R_RB = transpose(R_NR) * b.R_NB;
      axis_B = transposed_times(b.R_NB, R_NR * axis_R);
      if (error == AttitudeError::quaternion) {
        const Quaternion<T> q = canonical(quaternion(R_RB));
        e.sigma = 2.0 * Vec3<T>{q.x, q.y, q.z};
      } else {
        e.sigma = mrp(R_RB);
      }
    }
    e.omega_RN_B = phi.rate * axis_B + omega_FN_B;
    e.omega_dot_RN_B = phi.acceleration * axis_B + cross(omega_FN_B, phi.rate * axis_B);
    e.omega_e = transposed_times(b.R_NB, b.omega_BN_N) - e.omega_RN_B;
    return e;
  }

  // (4)
  void find_output(const Instant<T>& now, const T* z, T* out) const {
    Error e = find_error(now);
    if (measured_rate >= 0) e.omega_e = now.read_vector(measured_rate) - e.omega_RN_B;
    const Vec3<T> omega_B = e.omega_e + e.omega_RN_B;
    // The rate of ω_RN as seen in the body, where an axis of follow = "rate" stands still.
    const Vec3<T> turning = follow == Follow::rate ? Vec3<T>{} : cross(omega_B, e.omega_RN_B);
    const Vec3<T> L = inertia * (e.omega_dot_RN_B - turning) + cross(omega_B, inertia * omega_B) -
                      gain_K * e.sigma - gain_P * e.omega_e - Ki * Vec3<T>{z[0], z[1], z[2]};
    const T bound = select(max_torque > 0.0, max_torque, T(1e300));
    for (int k = 0; k < 3; ++k) out[k] = clamp(L[k], -bound, bound);
  }
  // (3)
  void find_state_rate(const Instant<T>& now, const T* z, T* z_dot) const {
    const Error e = find_error(now);
    for (int k = 0; k < 3; ++k) {
      const T outward = e.sigma[k] * z[k];
      const T beyond = select(integral_limit > 0.0, abs(z[k]) - integral_limit, T(-1.0));
      const T held = select(beyond >= 0.0, T(0.0), T(1.0));
      z_dot[k] = select(outward > 0.0, held * e.sigma[k], T(e.sigma[k]));
    }
  }
  // A sampled integral moves in steps: it is cut off at its limit.
  void limit_state(T* z) const {
    const T bound = select(integral_limit > 0.0, integral_limit, T(1e300));
    for (int k = 0; k < 3; ++k) z[k] = clamp(z[k], -bound, bound);
  }
  void apply(const T* out, Command<T>& command) const {
    const Vec3<T> L{out[0], out[1], out[2]};
    for (const Wheel& w : wheel) command.joint[static_cast<std::size_t>(w.joint)] -= dot(w.row, L);
    if (!wheel.empty()) return;
    if (thrusters.index >= 0) {
      command.thrusters[static_cast<std::size_t>(thrusters.index)].torque += L;
    } else {
      command.loads[static_cast<std::size_t>(body.index)].torque += L;
    }
  }
  void add_times(std::vector<double>& times) const { angle.add_times(times); }

  template <class Emit>
  void channels(const Instant<T>& now, const T* out, Emit&& f) const {
    f("sigma_BR", unit::none, "B", "attitude error, as `error` says", Kind::smooth, Needs::motion,
      [&] { return find_error(now).sigma; });
    f("omega_BR_B", unit::rad_per_s, "B", "rate error", Kind::smooth, Needs::motion,
      [&] { return find_error(now).omega_e; });
    const auto L = [&] { return Vec3<T>{out[0], out[1], out[2]}; };
    f("torque", unit::N_m, "B", "commanded torque on the body", Kind::smooth, Needs::loads, L);
    f("power", unit::watt, "", "of that torque on the turning body", Kind::smooth, Needs::loads,
      [&] {
        const Error e = find_error(now);
        return dot(L(), e.omega_e + e.omega_RN_B);
      });
  }

  struct Wheel {
    int joint;
    Vec3<T> g_B;
    Vec3<T> row;  // of (G Gᵀ)⁻¹ G
  };
  int followed = 0;    // body whose port is met
  Mat3<T> R_followed;  // attitude of the own body in that one when mated
  Vec3<T> axis_R;
  Sym3<T> gain_K, gain_P;
  int measured_rate = -1;  // among the readings of sensors
  std::vector<Wheel> wheel;
};

}  // namespace berth
