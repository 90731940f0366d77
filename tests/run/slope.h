// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bodies that rest on an inclined plane under the law impact.

#include <fmt/format.h>

#include "tests/run/contact_runs.h"

namespace berth::test {

inline constexpr double kMass = 2, kRadius = 0.1, kGravity = 9.81;

// A body on an inclined plane, x up from it and y down the slope, all of it turned by R. Its probes
// are spheres or points at these places of it, x that much above the plane.
struct Slope {
  double angle = 0, friction = 0.4;
  double inertia = 0.4 * kMass * kRadius * kRadius;
  double radius = kRadius;
  std::vector<Vec3<double>> probes{{}};
  double height = kRadius;
  Vec3<double> v{}, omega{};
  double rest_speed = 1e-5;
  Mat3<double> R = Mat3<double>::identity();

  System<double> build() const {
    System<double> s;
    BodySpec<double> body = hub_spec<double>(
        "body", kMass, rotate(R, Sym3<double>::diagonal(inertia, inertia, inertia)));
    const Vec3<double> r = R * Vec3<double>{height, 0, 0}, v_N = R * v, w_N = R * omega;
    body.q = {r.x, r.y, r.z, 1, 0, 0, 0};
    body.v = {v_N.x, v_N.y, v_N.z, w_N.x, w_N.y, w_N.z};
    const int b = s.model.add_body(body);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      Contact<double> c = touching(b, R * probes[i], kGround);
      c.name = "probe" + std::to_string(i + 1);
      c.port_2.R_BP = R;
      if (radius > 0) c.probe = SphereProbe<double>{radius};
      Impact<double> law;
      law.friction = friction;
      law.rest_speed = rest_speed;
      c.law = law;
      s.add_contact(c);
    }
    UniformGravity<double> gravity;
    gravity.uniform = R * Vec3<double>{-kGravity * std::cos(angle), kGravity * std::sin(angle), 0};
    s.add_force(gravity);
    return s;
  }
};

// Three or four corners under a block.
inline Slope block(int corners = 3) {
  Slope s;
  s.radius = 0;
  s.inertia = 0.05;
  s.height = 0.08;
  s.probes = {{-0.08, 0.2, 0.15}, {-0.08, 0.2, -0.15}, {-0.08, -0.2, 0}};
  if (corners == 4)
    s.probes = {{-0.08, 0.2, 0.15}, {-0.08, 0.2, -0.15}, {-0.08, -0.2, 0.15}, {-0.08, -0.2, -0.15}};
  return s;
}

// What the body does, in axes of the slope.
struct Moves {
  Vec3<double> r, v, omega;
};
inline Moves motion_of(HybridRun& run, const Slope& slope) {
  const BodyMotion<double>& b = run.observe().motion.body(1);
  const auto in = [&](const Vec3<double>& a) { return transposed_times(slope.R, a); };
  return {in(b.r_BN_N), in(b.v_BN_N), in(b.omega_BN_N)};
}

struct Watch : Observer {
  bool step(HybridRun& run) override {
    for (const Contact<double>& c : run.system().contacts) {
      const double work = x_of(run, run.system().layout().contacts + c.first_state + 1);
      worst = std::max(worst, work);
    }
    return true;
  }
  double worst = 0;
};

// Audits are relative to what moves.
inline void advance(HybridRun& run, double t, bool moves = true) {
  Watch watch;
  const Outcome end = run.advance(t, &watch);
  EXPECT_TRUE(end.completed()) << end.reason << " at " << end.t;
  EXPECT_LE(watch.worst, 1e-15) << "friction gave energy";
  if (moves) {
    EXPECT_LT(run.audit().energy, 1e-9);
    EXPECT_LT(run.audit().linear_momentum, 1e-9);
    EXPECT_LT(run.audit().angular_momentum, 1e-9);
  }
  EXPECT_LT(run.event_records().size(), 20u);
  for (const std::string& w : run.warnings()) ADD_FAILURE() << w;
}

}  // namespace berth::test
