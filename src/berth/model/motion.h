// SPDX-License-Identifier: Apache-2.0
#pragma once

// What moves: the poses and rates of all bodies at one instant, and the loads on them.
// Results of the kinematic stage, arguments of every force element.

#include <span>
#include <vector>

#include "berth/math/spatial.h"
#include "berth/model/model.h"

namespace berth {

// Pose and rates of one body, everything in N axes. r_BN_N is measured from the origin of the
// free-falling frame the bodies live in.
template <Scalar T>
struct BodyMotion {
  Mat3<T> R_NB = Mat3<T>::identity();
  Vec3<T> r_BN_N;      // [m]
  Vec3<T> omega_BN_N;  // [rad/s]
  Vec3<T> v_BN_N;      // [m/s]
  Vec3<T> r_CB_N;      // [m] body origin to centre of mass
  Sym3<T> I_C_N;       // [kg·m²] about the centre of mass
  Vec3<T> axis_N;      // joint axis
  // Of a simple leaf: the same in the axes of the body P that carries it.
  Vec3<T> r_CB_P;
  Sym3<T> I_C_P;

  BERTH_INLINE Vec3<T> velocity_at(const Vec3<T>& r_PB_N) const {
    return v_BN_N + cross(omega_BN_N, r_PB_N);
  }
  BERTH_INLINE Motion6<T> rates() const { return {omega_BN_N, v_BN_N}; }
};

// Where the free-falling frame is. Absent (exists = false) in free space and on the ground.
template <Scalar T>
struct OrbitPoint {
  bool exists = false;
  Vec3<T> r_NE_N;                      // [m] origin of the frame from the Earth's centre
  Mat3<T> R_NH = Mat3<T>::identity();  // Hill axes: radial, along-track, orbit normal
  Vec3<T> omega_HN_N;                  // [rad/s] how they turn

  // LVLH axes: along-track, minus normal, down.
  BERTH_INLINE Mat3<T> R_NL() const {
    return Mat3<T>::columns(R_NH.column_y(), -R_NH.column_z(), -R_NH.column_x());
  }
};

// Scheduled switches are decided by t_from, never by t: the last stage of a step that ends on a
// switch has t equal to the switching time and still belongs to the stretch before it. As t_from stays
// the same as long as nothing happens, code may branch on it.
template <Scalar T>
struct Motion {
  T t{};                    // [s]
  T t_from{};               // [s] start of the smooth stretch t lies in
  std::span<const T> q, v;  // coordinates and speeds
  std::vector<BodyMotion<T>> bodies;
  OrbitPoint<T> orbit;

  const BodyMotion<T>& body(int i) const { return bodies[static_cast<std::size_t>(i)]; }
};

// Loads: generalised forces on the joints and a wrench on every body, about the body's origin, in
// N axes. Slot 0 collects what the ground takes.
template <Scalar T>
struct Effort {
  std::vector<T> tau;               // [N·m] or [N] per speed
  std::vector<Wrench<T>> wrenches;  // per body

  void resize(const Model<T>& model) {
    tau.assign(static_cast<std::size_t>(model.speed_count()), T(0.0));
    wrenches.assign(static_cast<std::size_t>(model.body_count()), Wrench<T>{});
  }
  void clear() {
    for (T& x : tau) x = T(0.0);
    for (Wrench<T>& w : wrenches) w = Wrench<T>{};
  }
  T& joint(int speed) { return tau[static_cast<std::size_t>(speed)]; }
  Wrench<T>& body(int i) { return wrenches[static_cast<std::size_t>(i)]; }
  const Wrench<T>& body(int i) const { return wrenches[static_cast<std::size_t>(i)]; }

  // A force through the point at r_PB_N from the origin of body i.
  BERTH_INLINE void add_force_at(int i, const Vec3<T>& r_PB_N, const Vec3<T>& f_N) {
    body(i) += Wrench<T>{cross(r_PB_N, f_N), f_N};
  }
};

// What controllers ask of actuators.
template <Scalar T>
struct Command {
  std::vector<T> joint;              // [N·m] or [N] motor effort per speed
  std::vector<Wrench<T>> thrusters;  // asked of each thruster set, about its body's origin, B axes
  std::vector<T> levels;             // 0…1 of every thruster, set after set
  std::vector<T> asked;              // likewise, directly, on top of the wrenches; empty: of none
  std::vector<Wrench<T>> loads;      // ideal ones from outside, about each body's origin, B axes

  void clear() {
    for (T& x : joint) x = T(0.0);
    for (T& x : asked) x = T(0.0);
    for (Wrench<T>& w : loads) w = Wrench<T>{};
    for (Wrench<T>& w : thrusters) w = Wrench<T>{};
  }
};

// One instant, as a force element or controller sees it.
template <Scalar T>
struct Instant {
  const Model<T>& model;
  const Motion<T>& motion;
  const Command<T>& command;
  const T* readings = nullptr;  // of all sensors

  BERTH_INLINE const BodyMotion<T>& body(int i) const { return motion.body(i); }
  BERTH_INLINE const T& q(int i) const { return motion.q[static_cast<std::size_t>(i)]; }
  BERTH_INLINE const T& v(int i) const { return motion.v[static_cast<std::size_t>(i)]; }
  BERTH_INLINE const T& commanded(int speed) const {
    return command.joint[static_cast<std::size_t>(speed)];
  }
  BERTH_INLINE Vec3<T> read_vector(int first) const {
    return {readings[first], readings[first + 1], readings[first + 2]};
  }
};

}  // namespace berth
