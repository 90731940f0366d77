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
    : spec_(spec), gravity_N_(gravity_N), seed_(seed) {
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

// ẏ = (u − y)/τ with u from `filter.in` to `in` linearly.
void ForceSensor::advance(Filter& filter, const Wrench<double>& in, double dt) const {
  if (spec_.filter_time > 0) {
    const double x = dt / spec_.filter_time, decay = exp(-x), mean = -expm1(-x) / x;
    // y(dt) = e^(−x) y + (1 − m) u_1 + (m − e^(−x)) u_0,  m = (1 − e^(−x))/x
    filter.out = decay * filter.out + (1 - mean) * in + (mean - decay) * filter.in;
  } else {
    filter.out = in;
  }
  filter.in = in;
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

ForceSensor::Measured ForceSensor::measure(std::uint64_t tick, double t, const LabMotion& probe,
                                           const Vec3<double>& force_N,
                                           const Vec3<double>& r_QB_N) {
  const Mat3<double> R_NB = rotation_matrix(probe.q_BN);
  const Vec3<double> f = transposed_times(R_NB, force_N);
  const Vec3<double> lever = transposed_times(R_NB, r_QB_N) - spec_.position;
  const Wrench<double> bias{spec_.torque_bias, spec_.bias};
  const Wrench<double> weight = to_sensor(find_weight(probe, false));
  const double assumed = spec_.compensate ? spec_.mass * (1 + spec_.mass_error) : 0;
  const Wrench<double> in = to_sensor({cross(lever, f), f}) + spec_.mass * weight + bias;
  const Wrench<double> model_in = assumed * weight;
  if (!started_) {
    started_ = true;
    const Wrench<double> at_rest = to_sensor(find_weight(probe, true));
    tare_ = spec_.tare ? spec_.mass * at_rest + bias : Wrench<double>{};  // (3)
    model_tare_ = spec_.tare ? assumed * at_rest : Wrench<double>{};
    sensor_ = {in, in};
    model_ = {model_in, model_in};
  } else {
    advance(sensor_, in, t - t_);
    advance(model_, model_in, t - t_);
  }
  t_ = t;

  Measured out;
  out.reading = sensor_.out + find_noise(tick) - tare_;
  const Wrench<double> kept = out.reading - (model_.out - model_tare_);  // (4)
  out.contact.force = spec_.sign * (R_BS_ * kept.force);                 // (5)
  out.contact.torque = spec_.sign * (R_BS_ * kept.torque) - cross(lever, out.contact.force);
  return out;
}

}  // namespace berth
