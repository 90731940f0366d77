// SPDX-License-Identifier: Apache-2.0

// What is put right at the end of a step: the state back on what holds the craft, unit quaternions, and the
// frame near the craft.

#include "berth/run/core.h"
#include "berth/run/run.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

// [m] Where the centre of mass is, but for the size of the craft.
Vec3<double> find_mean_hub(const Model<double>& model, std::span<const double> x) {
  double mass = 0;
  Vec3<double> sum;
  for (int i = 1; i < model.body_count(); ++i) {
    const Body<double>& hub = model.body(model.root_of(i));
    if (hub.joint != JointType::free) continue;
    const double* r = x.data() + hub.q;
    mass += model.body(i).mass;
    sum += model.body(i).mass * Vec3<double>{r[0], r[1], r[2]};
  }
  return (1 / mass) * sum;
}

}  // namespace

// Housekeeping: unit quaternions, and the frame near the craft. True when x was changed.
bool HybridRun::tidy() {
  RunState& s = core_->s;
  const Layout& at = core_->work.layout;
  const Model<double>& model = core_->system.model;
  bool drifted = false, far = false;
  for (const Body<double>& b : model.bodies) {
    if (b.joint != JointType::free && b.joint != JointType::spherical) continue;
    const double* q = s.x.data() + b.q + (b.joint == JointType::free ? 3 : 0);
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    drifted |= std::fabs(n - 1) > kQuaternionDrift;
    // The centre is asked for once a hub is far enough out to matter.
    const double* r = s.x.data() + b.q;
    far |= b.joint == JointType::free &&
           norm(Vec3<double>{r[0], r[1], r[2]}) > 0.5 * core_->options.recentre_beyond;
  }
  far = far && core_->system.in_orbit &&
        norm(find_mean_hub(model, s.x)) > core_->options.recentre_beyond;
  if (drifted) normalise_quaternions<double>(model, std::span(s.x).first(index(at.v)));
  if (far) {
    const CentreOfMass<double> cm =
        find_centre_of_mass(model, evaluate_now(*core_, Need::motion).motion);
    recentre<double>(core_->system, cm.r_N, cm.v_N, s.x);
  }
  return drifted || far;
}

// The end of a step back onto what holds the craft. True when x was changed.
bool HybridRun::project_end() {
  RunState& s = core_->s;
  if (core_->server && core_->server->pull_onto_rows(*core_, s.mode, s.t, s.x)) return true;
  return project(core_->system, s.t, s.x, s.mode, core_->w);
}

}  // namespace berth
