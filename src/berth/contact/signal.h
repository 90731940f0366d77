// SPDX-License-Identifier: Apache-2.0
#pragma once

// ContactSignal — a force on its way round the loop: f_n, and both parts of the force on body 1,
// N axes.

#include "berth/math/vec3.h"

namespace berth {

template <Scalar T>
struct ContactSignal {
  T normal{};
  Vec3<T> normal_N, friction_N;
};

template <Scalar T>
ContactSignal<T> operator+(const ContactSignal<T>& a, const ContactSignal<T>& b) {
  return {a.normal + b.normal, a.normal_N + b.normal_N, a.friction_N + b.friction_N};
}
template <Scalar T>
ContactSignal<T> operator-(const ContactSignal<T>& a, const ContactSignal<T>& b) {
  return {a.normal - b.normal, a.normal_N - b.normal_N, a.friction_N - b.friction_N};
}
template <Scalar T>
ContactSignal<T> operator*(const T& s, const ContactSignal<T>& a) {
  return {s * a.normal, s * a.normal_N, s * a.friction_N};
}

}  // namespace berth
