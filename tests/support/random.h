// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random but valid mechanical things for tests, reproducible by seed.

#include <cmath>
#include <random>
#include <string>

#include "berth/model/model.h"

namespace berth::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double number(double low = -1, double high = 1) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1));
  }
  Vec3<double> vector(double size = 1) {
    return {size * number(), size * number(), size * number()};
  }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> v = vector();
      if (norm(v) > 0.1) return normalised(v);
    }
  }
  Quaternion<double> quaternion() {
    Quaternion<double> q{number(), number(), number(), number()};
    q.w += q.w < 0 ? -0.1 : 0.1;
    return canonical(q);
  }
  Mat3<double> rotation() { return rotation_matrix(quaternion()); }
  // Principal moments that obey the triangle inequality, in random axes.
  Sym3<double> inertia(double size = 1) {
    const double a = number(0.2, 1), b = number(0.2, 1), c = number(0.2, 1);
    return rotate(rotation(),
                  Sym3<double>::diagonal(size * (b + c), size * (a + c), size * (a + b)));
  }

 private:
  std::mt19937 engine_;
};

// A forest of `count` bodies with every kind of joint, on free hubs and on the ground, at a random
// state.
inline Model<double> random_forest(unsigned seed, int count, bool on_ground_too = true) {
  Random random(seed);
  Model<double> model;
  for (int i = 0; i < count; ++i) {
    BodySpec<double> b;
    b.name = "body" + std::to_string(i + 1);
    const bool root = i == 0 || random.integer(0, 9) == 0;
    b.parent = root ? kGround : random.integer(1, i);
    b.joint = root && (!on_ground_too || random.integer(0, 1) == 0)
                  ? JointType::free
                  : static_cast<JointType>(random.integer(1, 5));
    b.R_PF = random.rotation();
    b.r_FP_P = random.vector();
    b.axis = random.direction();
    b.mass = random.number(0.5, 3);
    b.r_CB_B = random.vector(0.3);
    b.I_C_B = random.inertia();
    const JointShape& joint = shape(b.joint);
    for (int k = 0; k < joint.coordinates; ++k) b.q.push_back(random.number());
    for (int k = 0; k < joint.speeds; ++k) b.v.push_back(random.number());
    const Quaternion<double> q = random.quaternion();
    const std::size_t at = b.joint == JointType::free ? 3 : 0;
    if (b.joint == JointType::free || b.joint == JointType::spherical)
      b.q[at] = q.w, b.q[at + 1] = q.x, b.q[at + 2] = q.y, b.q[at + 3] = q.z;
    model.add_body(b);
  }
  return model;
}

}  // namespace berth::test
