// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoopStimulus — the penetration u(t) that a facility is commanded in order to identify its loop.
//
//   approach   from −clearance to the preload depth D
//   settle     u = D, until the transients of the approach have decayed
//   steps      to D + A l_i, l = 1, −1, 1, 0, −1, ½, −½, 0; each a polynomial of degree 7 in (t − t_i)/rise,
//              rate and acceleration continuous
//   chirp      u = D + w(t) a(ω) sin φ,  φ̇ = ω = 2π (f_low + (f_high − f_low) t/T_c),  w fades in and out     (1)
//              a(ω)⁻⁴ = A⁻⁴ + (ω/v)⁴ + (ω²/g)⁴        within the rate v and the acceleration g               (2)
//   tail       u = D, until the answer to the chirp has come
//
// Dead time and lag shift the phase alike at low frequency: e^{−sh} and G(s) differ from the third power of
// ω/ω_robot on in phase and from the fourth in gain, if the lag is well damped. So the chirp must reach the
// robot's own frequency: with f_high = 40 Hz lags up to some 300 rad/s are separated from the delay, with
// 10 Hz none above 100 rad/s. f_high T ≤ 0.12 keeps cubic interpolation between the ticks exact to 1e-3.
//
// The contact is not lost: u ≥ D − A, and where the contact cannot pull, k u + b u̇ > 0 for b/k = damping_time.

namespace berth {

struct LoopStimulusOptions {
  double sample_time = 0;       // [s] T, of the ticks; required
  double depth = 0;             // [m] D, the preload; required. The force sensor must bear 1.5 D k
  double clearance = 0;         // [m] in front of the surface at the start
  double amplitude = 0;         // [m] A, of steps and chirp; 0: 0.4 D, less where rates are limited
  double rate = 0.1;            // [m/s] v, at most; below what the robot can do
  double acceleration = 20;     // [m/s²] g, at most
  double damping_time = 0;      // [s] b/k of a contact that cannot pull, as far as known; lowers v
  double approach_rate = 0.01;  // [m/s] at most, before contact
  double settle_time = 1;       // [s] above the greatest delay and ten times the slowest lag
  double rise_time =
      0;  // [s] of the steps; 0: the shortest within v and g, at least 0.06 s and 8 T
  double low_frequency = 1;   // [Hz]
  double high_frequency = 0;  // [Hz] 0: 40, or 0.16/T where that is less
  double chirp_time = 12;     // [s] T_c
  double tail_time = 0.5;     // [s]
};

class LoopStimulus {
 public:
  // Throws std::invalid_argument with what is wrong.
  explicit LoopStimulus(const LoopStimulusOptions& options);

  struct Point {
    double u;               // [m]
    double u_rate;          // [m/s]
    double u_acceleration;  // [m/s²]
  };
  Point at(double t) const;  // before 0 as at 0, after duration() as there

  double duration() const { return end_; }            // [s]
  double measured_from() const { return steps_at_; }  // [s] the settling is over, the steps begin

  const LoopStimulusOptions& options() const { return o_; }  // with the defaults worked out

 private:
  LoopStimulusOptions o_;
  double approach_time_, steps_at_, chirp_at_, end_;
  double sweep_;  // [rad/s²] ω̇ in the chirp

  Point chirp(double t) const;
};

}  // namespace berth
