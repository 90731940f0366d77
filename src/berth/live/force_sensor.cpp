// SPDX-License-Identifier: Apache-2.0
#include "berth/live/force_sensor.h"

#include "berth/live/chance.h"

namespace berth {
namespace {

Wrench<double> operator-(const Wrench<double>& a, const Wrench<double>& b) {
  return {a.torque - b.torque, a.force - b.force};
}
Wrench<double> operator*(double s, const Wrench<double>& w) { return {s * w.torque, s * w.force}; }

}  // namespace

ForceSensor::ForceSensor(const ForceSensorSpec& spec, const Vec3<double>& gravity_N,
                         std::uint64_t seed)
    : spec_(spec),
      gravity_N_(gravity_N),
      seed_(seed),
      assumed_mass_(spec.compensate ? spec.mass * (1 + spec.mass_error) : 0),
      bias_{spec.torque_bias, spec.bias} {
  R_BS_ = rotation_about(Vec3<double>{0, 0, 1}, spec.euler.x) *
          rotation_about(Vec3<double>{0, 1, 0}, spec.euler.y) *
          rotation_about(Vec3<double>{1, 0, 0}, spec.euler.z);
}

// Of (1), for a mass of 1 kg, about the sensor, axes of the mock-up.
Wrench<double> ForceSensor::find_weight(const LabMotion& m, bool at_rest) const {
  const Mat3<double> R_NB = rotation_matrix(m.q_BN);
  const Vec3<double>& r_CB = spec_.centre_of_mass;
  Vec3<double> w = transposed_times(R_NB, gravity_N_);
  if (!at_rest)
    w -= transposed_times(R_NB, m.a_BL_N) + cross(m.alpha_BN_B, r_CB) +
         cross(m.omega_BN_B, cross(m.omega_BN_B, r_CB));
  return {cross(r_CB - spec_.position, w), w};
}

Wrench<double> ForceSensor::to_sensor(const Wrench<double>& w) const {
  return spec_.sign *
         Wrench<double>{transposed_times(R_BS_, w.torque), transposed_times(R_BS_, w.force)};
}

// r_Q − r_S.
Vec3<double> ForceSensor::find_lever(const Load& load) const {
  return transposed_times(rotation_matrix(load.probe.q_BN), load.r_QB_N) - spec_.position;
}

ForceSensor::Inputs ForceSensor::find_inputs(const Load& load) const {
  const Vec3<double> f = transposed_times(rotation_matrix(load.probe.q_BN), load.force_N);
  const Wrench<double> weight = to_sensor(find_weight(load.probe, false));
  return {to_sensor({cross(find_lever(load), f), f}) + spec_.mass * weight + bias_,
          assumed_mass_ * weight};
}

// ẏ = (u − y)/τ with the parabola u = u_0 + c_1 s + c_2 s², s from 0 to 1 in dt. With x = dt/τ and the mean
// m = (1 − e^(−x))/x of e^(−xs),
//   y(1) = e^(−x) y + (1 − e^(−x)) u_0 + (1 − m) c_1 + (1 − 2 (1 − m)/x) c_2
void ForceSensor::advance(Filter& filter, const Wrench<double>& middle, const Wrench<double>& end,
                          double dt) const {
  if (has_filter() && dt > 0) {
    const double x = dt / spec_.filter_time, rest = -expm1(-x), by_rate = 1 - rest / x,
                 by_curve = 1 - 2 * by_rate / x;
    const Wrench<double> rise = end - filter.in, bend = 2 * (rise - 2 * (middle - filter.in));
    filter.out =
        (1 - rest) * filter.out + rest * filter.in + by_rate * (rise - bend) + by_curve * bend;
  } else {
    filter.out = end;
  }
  filter.in = end;
}

Wrench<double> ForceSensor::find_noise(std::uint64_t tick) const {
  Wrench<double> n;
  for (int k = 0; k < 3; ++k) {
    if (spec_.noise > 0)
      n.force[k] = spec_.noise * find_chance_normal(Chance::force, k, seed_, tick);
    if (spec_.torque_noise > 0)
      n.torque[k] = spec_.torque_noise * find_chance_normal(Chance::torque, k, seed_, tick);
  }
  return n;
}

void ForceSensor::start(const Load& load) {
  const Inputs in = find_inputs(load);
  const Wrench<double> at_rest = to_sensor(find_weight(load.probe, true));
  tare_ = spec_.tare ? spec_.mass * at_rest + bias_ : Wrench<double>{};  // (3)
  model_tare_ = spec_.tare ? assumed_mass_ * at_rest : Wrench<double>{};
  sensor_ = {in.sensor, in.sensor};
  model_ = {in.model, in.model};
}

void ForceSensor::advance(double dt, const Load& middle, const Load& end) {
  const Inputs half = find_inputs(middle), whole = find_inputs(end);
  advance(sensor_, half.sensor, whole.sensor, dt);
  advance(model_, half.model, whole.model, dt);
}

ForceSensor::Measured ForceSensor::measure(std::uint64_t tick, const Load& load) const {
  Measured out;
  out.reading = sensor_.out + find_noise(tick) - tare_;
  const Wrench<double> kept = out.reading - (model_.out - model_tare_);  // (4)
  out.contact.force = spec_.sign * (R_BS_ * kept.force);                 // (5)
  out.contact.torque =
      spec_.sign * (R_BS_ * kept.torque) - cross(find_lever(load), out.contact.force);
  return out;
}

}  // namespace berth
