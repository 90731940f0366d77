// SPDX-License-Identifier: Apache-2.0

// The stiffer its springs, the more a craft is one rigid body; what is left of the difference is
// the deflection, load/k.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/craft.h"
#include "tests/support/runs.h"
#include "tests/verification/mass_properties.h"

namespace berth::stiff_limit_test {
namespace {

using test::hub_after;

const Vec3<double> kTumble{0.3, -0.4, 0.25};

int add_hub(System<double>& system) {
  BodySpec<double> hub = test::hub_spec<double>("hub");
  hub.v = {0.01, 0.02, -0.03, kTumble.x, kTumble.y, kTumble.z};
  return system.model.add_body(hub);
}

// Stiffness times `factor` at the same damping ratio, at rest in the hub.
HingedPanel<double> stiff_panel(double factor) {
  HingedPanel<double> p = test::panel<double>();
  p.outward = {0, 0.8, 0.6};
  p.rate = 0;
  p.stiffness *= factor;
  p.damping *= std::sqrt(factor);
  return p;
}
SloshMass<double> stiff_slosh(int i, double factor) {
  SloshMass<double> s = test::slosh<double>(i);
  s.position = 4.0 * s.position;  // far enough out to be pulled
  s.rate = 0;
  s.stiffness *= factor;
  s.damping *= std::sqrt(factor);
  return s;
}

// The panel bolted on: same place, same axes.
RigidPayload<double> bolted(const HingedPanel<double>& p) {
  RigidPayload<double> r;
  r.position = p.position;
  const Mat3<double> R = Mat3<double>::columns(p.outward, p.axis, cross(p.outward, p.axis));
  r.rotation = rotation_vector(quaternion(R));
  r.mass = p.mass;
  r.centre_of_mass = p.centre_of_mass;
  r.inertia = p.inertia;
  return r;
}
RigidPayload<double> bolted(const SloshMass<double>& s) {
  RigidPayload<double> r;
  r.position = s.position;
  r.mass = s.mass;
  return r;
}

double difference(const BodyMotion<double>& a, const BodyMotion<double>& b) {
  const Mat3<double> d = a.R_NB - b.R_NB;
  return std::max({norm(d.column_x()), norm(d.column_y()), norm(d.column_z()),
                   norm(a.r_BN_N - b.r_BN_N), norm(a.omega_BN_N - b.omega_BN_N)});
}

// k · difference must settle to a constant.
template <class Build>
void expect_convergence_like_one_over_k(Build&& build, const BodyMotion<double>& rigid) {
  double before = 0;
  for (const double factor : {1e2, 1e3, 1e4, 1e5, 1e6}) {
    const double d = difference(hub_after(build(factor), 8), rigid);
    if (before > 0) {
      EXPECT_NEAR(before / d, 10, 0.1) << "stiffness × " << factor;
    }
    before = d;
  }
  EXPECT_LT(before, 1e-9);
}

TEST(StiffLimit, PanelBecomesAPayloadLikeOneOverK) {
  System<double> rigid;
  rigid.add_component(bolted(stiff_panel(1)), add_hub(rigid), "panel");
  const auto build = [](double factor) {
    System<double> system;
    system.add_component(stiff_panel(factor), add_hub(system), "panel");
    return system;
  };
  expect_convergence_like_one_over_k(build, hub_after(rigid, 8));
}

TEST(StiffLimit, SloshMassesBecomePayloadsLikeOneOverK) {
  System<double> rigid;
  const int b = add_hub(rigid);
  for (int i = 0; i < 3; ++i)
    rigid.add_component(bolted(stiff_slosh(i, 1)), b, "slosh" + std::to_string(i));
  const auto build = [](double factor) {
    System<double> system;
    const int hub = add_hub(system);
    for (int i = 0; i < 3; ++i)
      system.add_component(stiff_slosh(i, factor), hub, "slosh" + std::to_string(i));
    return system;
  };
  expect_convergence_like_one_over_k(build, hub_after(rigid, 8));
}

TEST(StiffLimit, BoltedPanelAndFuelBecomePartOfTheHub) {
  System<double> pieces;
  const int b = add_hub(pieces);
  const HingedPanel<double> p = stiff_panel(1);
  pieces.add_component(bolted(p), b, "panel");
  for (int i = 0; i < 3; ++i)
    pieces.add_component(bolted(stiff_slosh(i, 1)), b, "slosh" + std::to_string(i));

  // One body, its mass properties by Steiner.
  const Mat3<double> R = Mat3<double>::columns(p.outward, p.axis, cross(p.outward, p.axis));
  const Body<double>& hub = pieces.model.body(b);
  std::vector<test::Piece> parts{{hub.mass, hub.r_CB_B, hub.I_C_B},
                                 {p.mass, p.position + R * p.centre_of_mass, rotate(R, p.inertia)}};
  for (int i = 0; i < 3; ++i) parts.push_back({50, stiff_slosh(i, 1).position, {}});
  const test::Piece whole = test::weld(parts);
  System<double> one;
  BodySpec<double> spec = test::hub_spec<double>("hub", whole.mass, whole.inertia);
  spec.r_CB_B = whole.centre;
  spec.v = {0.01, 0.02, -0.03, kTumble.x, kTumble.y, kTumble.z};
  one.model.add_body(spec);

  const BodyMotion<double> hub_of_one = hub_after(one, 20);
  EXPECT_LT(difference(hub_after(pieces, 20), hub_of_one), 1e-12);

  // And so does the real thing, a million times stiffer.
  System<double> stiff;
  const int s = add_hub(stiff);
  stiff.add_component(stiff_panel(1e6), s, "panel");
  for (int i = 0; i < 3; ++i)
    stiff.add_component(stiff_slosh(i, 1e6), s, "slosh" + std::to_string(i));
  EXPECT_LT(difference(hub_after(stiff, 5), hub_after(one, 5)), 1e-9);
}

}  // namespace
}  // namespace berth::stiff_limit_test
