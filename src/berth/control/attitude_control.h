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
//
// With follow = "rate" there is no reference attitude and no frame F: σ = 0, ω_RN = φ̇ â in body axes,
// and (4) has no ω_BN × ω_RN.
// The last two terms are the feed-forward; they act when `inertia` is given. L is held within
// ±max_torque per axis (0 = no limit) and given either as an ideal torque from outside, or by
// reaction wheels: motor torques u = −Gᵀ(G Gᵀ)⁻¹ L with the spin axes as columns of G, or by a
// thruster set.

#include "berth/control/profile.h"

namespace berth {

template <Scalar T>
struct AttitudeControl {
  static constexpr std::string_view type = "attitude";

  std::string body;
  std::vector<std::string> wheels;
  std::string thrusters;
  std::string follow = "attitude";
  std::vector<std::string> ports;
  std::string error = "mrp";
  T K{}, P{}, Ki{};
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
    return std::tuple{
        Field{"body", &A::body, unit::none, Range::any, "body that is controlled", required},
        Field{"wheels", &A::wheels, unit::none, Range::any,
              "reaction wheels to use; none = ideal torque or thrusters"},
        Field{"thrusters", &A::thrusters, unit::none, Range::any, "thruster set to use"},
        Field{
            "follow", &A::follow, unit::none, Range::any,
            "attitude: inertial | lvlh: against the orbit | mated: against another craft's port | "
            "rate: the rate alone, its axis fixed in the body"},
        Field{"ports", &A::ports, unit::none, Range::any,
              "mated: a port of the body and the one it is to meet"},
        Field{"error", &A::error, unit::none, Range::any,
              "mrp: tan(θ/4) | quaternion: 2 sin(θ/2), along the axis of the error"},
        Field{"K", &A::K, unit::N_m, Range::not_negative, "gain on the attitude error", required},
        Field{"P", &A::P, unit::N_m_s_per_rad, Range::not_negative, "gain on the rate error",
              required},
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
        Field{"sample_time", &A::sample_time, unit::second, Range::not_negative,
              "controller period; 0 = continuous"},
        Field{"latency", &A::latency, unit::second, Range::not_negative,
              "from measurement to actuation"},
    };
  }

  void bind(const Model<T>& model) {
    index = model.find_body(body);
    if (index < 0) throw std::invalid_argument("attitude control: no body named " + body);
    angle.check();
    const auto choose = [](const char* what, const std::string& word,
                           std::initializer_list<const char*> words) {
      int at = 0;
      std::string all;
      for (const char* w : words) {
        if (word == w) return at;
        all += (at++ ? ", " : "") + std::string(w);
      }
      throw std::invalid_argument(std::string("attitude control: ") + what + " is one of " + all +
                                  ", not " + word);
    };
    frame = static_cast<Frame>(choose("follow", follow, {"attitude", "lvlh", "mated", "rate"}));
    by_quaternion = choose("error", error, {"mrp", "quaternion"}) == 1;
    if ((frame == Frame::mated) != (ports.size() == 2))
      throw std::invalid_argument("attitude control: follow = \"mated\" goes with two ports");
    if (frame == Frame::mated) {
      const Port<T>&own = model.find_port(ports[0]), &other = model.find_port(ports[1]);
      if (own.body != index)
        throw std::invalid_argument("attitude control: the first port must be on " + body);
      followed = other.body;
      R_followed = mated_attitude(other, own);
    }
    if (!wheels.empty() && !thrusters.empty())
      throw std::invalid_argument("attitude control: wheels or thrusters, not both");
    axis_R = normalised(axis);
    // Spin axes of the wheels in the controlled body, and G Gᵀ once and for all.
    Sym3<T> G_Gt;
    for (const std::string& its_name : wheels) {
      const int w = model.find_body(its_name);
      if (w < 0) throw std::invalid_argument("attitude control: no wheel named " + its_name);
      const Body<T>& b = model.body(w);
      if (b.parent != index || b.joint != JointType::revolute)
        throw std::invalid_argument("attitude control: " + its_name + " is not a wheel on " + body);
      wheel.push_back({b.v, b.axis_P, {}});
      G_Gt += outer(wheel.back().g_B);
    }
    if (wheels.empty()) return;
    if (wheels.size() < 3) throw std::invalid_argument("attitude control: needs three wheels");
    const Sym3Factor<T> factor(G_Gt);
    for (Wheel& w : wheel) w.row = factor.solve(w.g_B);
    if (!(abs(factor.d0) + abs(factor.d1) + abs(factor.d2) < 1e9))
      throw std::invalid_argument("attitude control: the wheel axes lie in one plane");
  }

  void turn_world(const Mat3<T>& R) {
    if (follow == "attitude") attitude = canonical(quaternion(R) * attitude);
  }

  int state_count() const { return 3; }
  int output_count() const { return 3; }

  struct Error {
    Vec3<T> sigma, omega_e, omega_RN_B, omega_dot_RN_B;
  };
  // (1), (2)
  Error find_error(const Instant<T>& now) const {
    const BodyMotion<T>& b = now.body(index);
    const typename Profile<T>::Sample phi = angle.at(now.motion.t, now.motion.t_from);
    Vec3<T> axis_B = axis_R, omega_FN_B{};
    Error e{};
    if (frame != Frame::rate) {
      Mat3<T> R_NR = rotation_matrix(attitude) * rotation_about(axis_R, phi.value);
      if (frame == Frame::lvlh) {
        R_NR = now.motion.orbit.R_NL() * R_NR;
        omega_FN_B = transposed_times(b.R_NB, now.motion.orbit.omega_HN_N);
      } else if (frame == Frame::mated) {
        const BodyMotion<T>& other = now.body(followed);
        R_NR = (other.R_NB * R_followed) * R_NR;
        omega_FN_B = transposed_times(b.R_NB, other.omega_BN_N);
      }
      const Mat3<T> R_RB = transpose(R_NR) * b.R_NB;
      axis_B = transposed_times(b.R_NB, R_NR * axis_R);
      if (by_quaternion) {
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
    const Error e = find_error(now);
    const Vec3<T> omega_B = e.omega_e + e.omega_RN_B;
    // The rate of ω_RN as seen in the body, where an axis of follow = "rate" stands still.
    const Vec3<T> turning = frame == Frame::rate ? Vec3<T>{} : cross(omega_B, e.omega_RN_B);
    const Vec3<T> L = inertia * (e.omega_dot_RN_B - turning) + cross(omega_B, inertia * omega_B) -
                      K * e.sigma - P * e.omega_e - Ki * Vec3<T>{z[0], z[1], z[2]};
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
    if (thruster_set >= 0) {
      command.thrusters[static_cast<std::size_t>(thruster_set)].torque += L;
    } else {
      command.loads[static_cast<std::size_t>(index)].torque += L;
    }
  }
  void add_times(std::vector<double>& times) const { angle.add_times(times); }

  template <class Tell>
  void tell(const Instant<T>& now, const T* out, Tell&& f) const {
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
  std::string name;     // what events and channels call it
  bool enabled = true;  // switched by events
  int index = 0;
  int thruster_set = -1;
  enum class Frame { inertial, lvlh, mated, rate } frame = Frame::inertial;
  int followed = 0;    // body whose port is met
  Mat3<T> R_followed;  // attitude of the own body in that one when mated
  bool by_quaternion = false;
  Vec3<T> axis_R;
  std::vector<Wheel> wheel;
};

}  // namespace berth
