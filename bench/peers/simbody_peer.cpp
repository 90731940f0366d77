// SPDX-License-Identifier: Apache-2.0
//
// Compile this file as C++17: Simbody 3.7's index types have comparisons that C++20 finds
// ambiguous.
#include "simbody_peer.h"

#include <array>

#include <SimTKsimbody.h>

#include "../tide.h"

namespace berth::bench {
namespace {

using SimTK::MobilizedBody;
using SimTK::MobilizerUIndex;
using SimTK::Rotation;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;

Vec3 to_simbody(const Vec& v) { return {v[0], v[1], v[2]}; }
Vec from_simbody(const Vec3& v) { return {v[0], v[1], v[2]}; }

// Simbody wants the inertia about the frame origin; ours is about the centre of mass.
SimTK::Body::Rigid body(double mass, const Vec& cm, const Vec& inertia) {
  const SimTK::Inertia about_cm(to_simbody(inertia));
  return SimTK::Body::Rigid(SimTK::MassProperties(
      mass, to_simbody(cm), about_cm.shiftFromMassCenter(to_simbody(cm), mass)));
}

// Pins turn about their frames' z, sliders move along their frames' x. With the same frame on
// both sides the part's axes are the hub's at zero.
MobilizedBody add_on_joint(MobilizedBody& parent, JointKind joint, const Vec& point,
                           const Vec& axis, const SimTK::Body& rigid) {
  const UnitVec3 direction(to_simbody(axis));
  if (joint == JointKind::revolute) {
    const Rotation frame(direction, SimTK::ZAxis);
    return MobilizedBody::Pin(parent, Transform(frame, to_simbody(point)), rigid, Transform(frame));
  }
  const Rotation frame(direction, SimTK::XAxis);
  return MobilizedBody::Slider(parent, Transform(frame, to_simbody(point)), rigid,
                               Transform(frame));
}

// The orbit's tide on every body.
class TideForce : public SimTK::Force::Custom::Implementation {
 public:
  explicit TideForce(const SimTK::SimbodyMatterSubsystem& matter) : matter_(matter) {}

  void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>& on_bodies,
                 SimTK::Vector_<Vec3>&, SimTK::Vector&) const override {
    const Vec R = tide_.reference(state.getTime());
    for (SimTK::MobilizedBodyIndex i(1); i < matter_.getNumBodies(); ++i) {
      const MobilizedBody& b = matter_.getMobilizedBody(i);
      const SimTK::MassProperties& m = b.getBodyMassProperties(state);
      const Transform& X = b.getBodyTransform(state);
      const Vec3 c = X.R() * m.getMassCenter();
      const Vec rho = from_simbody(X.p() + c);
      const Vec3 f = m.getMass() * to_simbody(Tide::acceleration(R, rho));
      const Vec r = R + rho;
      const Vec3 r_B = ~X.R() * to_simbody(r);
      const Vec3 I_r = X.R() * (m.calcCentralInertia() * r_B);
      const Vec3 n = to_simbody(Tide::torque(r, from_simbody(I_r)));
      on_bodies[i] += SimTK::SpatialVec(n + c % f, f);
    }
  }
  double calcPotentialEnergy(const SimTK::State&) const override { return 0; }

 private:
  const SimTK::SimbodyMatterSubsystem& matter_;
  Tide tide_;
};

}  // namespace

// ----------------------------------------------------------------------------------- stack

struct SimbodyStack::Impl {
  StackNumbers numbers;
  Docking docking;
  Outfit outfit;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  std::array<MobilizedBody, 2> hub;
  std::array<std::array<MobilizedBody, kParts>, 2> part;
  SimTK::State state;

  Impl(const StackNumbers& n, Docking d, Outfit o, bool in_orbit)
      : numbers(n), docking(d), outfit(o) {
    const Transform dock(to_simbody(dock_offset(numbers)));
    for (std::size_t c = 0; c < 2; ++c) {
      const CraftNumbers& craft = numbers.craft[c];
      const SimTK::Body::Rigid rigid = body(craft.mass, {}, craft.inertia);
      if (c == 1 && docking == Docking::one_tree)
        hub[c] = MobilizedBody::Weld(hub[0], dock, rigid, Transform());
      else
        hub[c] = MobilizedBody::Free(matter.Ground(), Transform(), rigid, Transform());
      if (outfit == Outfit::complete) add_parts(c);
    }
    if (docking == Docking::weld) SimTK::Constraint::Weld(hub[0], dock, hub[1], Transform());
    if (in_orbit) SimTK::Force::Custom(forces, new TideForce(matter));
    system.realizeTopology();
    state = system.getDefaultState();
    system.realizeModel(state);
  }

  void add_parts(std::size_t c) {
    for (std::size_t p = 0; p < kParts; ++p) {
      const Part& numbers_of = numbers.craft[c].parts[p];
      part[c][p] = add_on_joint(hub[c], numbers_of.joint, numbers_of.point, numbers_of.axis,
                                body(numbers_of.mass, numbers_of.cm, numbers_of.inertia));
      if (numbers_of.stiffness != 0.)
        SimTK::Force::MobilityLinearSpring(forces, part[c][p], SimTK::MobilizerQIndex(0),
                                           numbers_of.stiffness, 0.);
      if (numbers_of.damping != 0.)
        SimTK::Force::MobilityLinearDamper(forces, part[c][p], MobilizerUIndex(0),
                                           numbers_of.damping);
    }
  }

  bool own_base(std::size_t c) const { return c == 0 || docking != Docking::one_tree; }
};

SimbodyStack::SimbodyStack(const StackNumbers& numbers, Docking docking, Outfit outfit,
                           bool in_orbit)
    : impl_(std::make_unique<Impl>(numbers, docking, outfit, in_orbit)) {
  set_state(nominal_state(numbers));
}
SimbodyStack::~SimbodyStack() = default;
SimbodyStack::SimbodyStack(SimbodyStack&&) noexcept = default;
SimbodyStack& SimbodyStack::operator=(SimbodyStack&&) noexcept = default;

int SimbodyStack::velocities() const { return impl_->state.getNU(); }
int SimbodyStack::constraint_rows() const { return impl_->state.getNMultipliers(); }

void SimbodyStack::set_state(const StackState& s) {
  SimTK::State& state = impl_->state;
  for (std::size_t c = 0; c < 2; ++c) {
    const CraftState& craft = s.craft[c];
    if (impl_->own_base(c)) {
      const Rotation R_NB(SimTK::Quaternion(craft.q[0], craft.q[1], craft.q[2], craft.q[3]));
      impl_->hub[c].setQToFitTransform(state, Transform(R_NB, to_simbody(craft.r)));
      impl_->hub[c].setUToFitVelocity(
          state, SimTK::SpatialVec(R_NB * to_simbody(craft.omega), to_simbody(craft.v)));
    }
    if (impl_->outfit == Outfit::bare) continue;
    for (std::size_t p = 0; p < kParts; ++p) {
      impl_->part[c][p].setOneQ(state, 0, craft.x[p]);
      impl_->part[c][p].setOneU(state, 0, craft.xd[p]);
    }
  }
}

StackState SimbodyStack::state() const {
  const SimTK::State& state = impl_->state;
  impl_->system.realize(state, SimTK::Stage::Velocity);
  StackState s{};
  for (std::size_t c = 0; c < 2; ++c) {
    const MobilizedBody& hub = impl_->hub[c];
    CraftState& craft = s.craft[c];
    const Rotation R_NB = hub.getBodyRotation(state);
    const SimTK::Quaternion q = R_NB.convertRotationToQuaternion();
    craft.r = from_simbody(hub.getBodyOriginLocation(state));
    craft.q = {q[0], q[1], q[2], q[3]};
    craft.v = from_simbody(hub.getBodyOriginVelocity(state));
    craft.omega = from_simbody(~R_NB * hub.getBodyAngularVelocity(state));
    if (impl_->outfit == Outfit::bare) continue;
    for (std::size_t p = 0; p < kParts; ++p) {
      craft.x[p] = impl_->part[c][p].getOneQ(state, 0);
      craft.xd[p] = impl_->part[c][p].getOneU(state, 0);
    }
  }
  return s;
}

void SimbodyStack::forward() {
  impl_->state.updQ();  // as a new stage of an integrator would: forgets everything after Time
  impl_->system.realize(impl_->state, SimTK::Stage::Acceleration);
}

StackAcceleration SimbodyStack::accelerations() const {
  const SimTK::State& state = impl_->state;
  StackAcceleration a{};
  for (std::size_t c = 0; c < 2; ++c) {
    const MobilizedBody& hub = impl_->hub[c];
    a.craft[c].v = from_simbody(hub.getBodyOriginAcceleration(state));
    a.craft[c].omega =
        from_simbody(~hub.getBodyRotation(state) * hub.getBodyAngularAcceleration(state));
    if (impl_->outfit == Outfit::bare) continue;
    for (std::size_t p = 0; p < kParts; ++p)
      a.craft[c].xdd[p] = impl_->part[c][p].getOneUDot(state, 0);
  }
  return a;
}

long SimbodyStack::run(double seconds, double accuracy) {
  SimTK::RungeKuttaMersonIntegrator integrator(impl_->system);
  integrator.setAccuracy(accuracy);
  const double end = impl_->state.getTime() + seconds;
  integrator.setFinalTime(end);
  integrator.initialize(impl_->state);
  while (integrator.getTime() < end) integrator.stepTo(end);
  impl_->state = integrator.getState();
  return integrator.getNumRealizations();
}

// ----------------------------------------------------------------------------------- chain

struct SimbodyChain::Impl {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::State state;
};

SimbodyChain::SimbodyChain(std::size_t links) : impl_(std::make_unique<Impl>()) {
  MobilizedBody last = impl_->matter.updGround();
  for (std::size_t i = 0; i < links; ++i)
    last = add_on_joint(last, JointKind::revolute, {i == 0 ? 0. : kLinkLength, 0., 0.},
                        link_axis(i), body(kLinkMass, kLinkCm, kLinkInertia));
  impl_->system.realizeTopology();
  impl_->state = impl_->system.getDefaultState();
  impl_->system.realizeModel(impl_->state);
  set_state(nominal_chain_state(links));
}
SimbodyChain::~SimbodyChain() = default;

// Links are added from the ground outwards, which is also Simbody's order of q and u.
void SimbodyChain::set_state(const ChainState& s) {
  SimTK::Vector& q = impl_->state.updQ();
  for (std::size_t i = 0; i < s.x.size(); ++i) q[static_cast<int>(i)] = s.x[i];
  SimTK::Vector& u = impl_->state.updU();
  for (std::size_t i = 0; i < s.xd.size(); ++i) u[static_cast<int>(i)] = s.xd[i];
}

void SimbodyChain::forward() {
  impl_->state.updQ();
  impl_->system.realize(impl_->state, SimTK::Stage::Acceleration);
}

std::vector<double> SimbodyChain::accelerations() const {
  const SimTK::Vector& udot = impl_->state.getUDot();
  std::vector<double> out(static_cast<std::size_t>(udot.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = udot[static_cast<int>(i)];
  return out;
}

// -------------------------------------------------------------------------------- dual arm

struct SimbodyDualArm::Impl {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  MobilizedBody base;
  std::array<std::array<MobilizedBody, kArmJoints>, 2> link;
  SimTK::State state;

  Impl() {
    base = MobilizedBody::Free(matter.Ground(), Transform(), body(kBaseMass, {}, kBaseInertia),
                               Transform());
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t j = 0; j < kArmJoints; ++j) {
        const Lump lump = arm_link(a, j);
        link[a][j] = add_on_joint(j == 0 ? base : link[a][j - 1], JointKind::revolute,
                                  j == 0 ? kShoulder[a] : kNextJoint, kArmAxis[j],
                                  body(lump.mass, lump.cm, lump.inertia));
      }
    const MobilizedBody &left = link[kLeft][kHand], &right = link[kRight][kHand];
    const Transform grip(to_simbody(kGrip));
    SimTK::Constraint::Weld weld(link[kLeft][kHand], grip, link[kRight][kHand], Transform());
    start();
    // Once more, with the frame on the right hand where the grip is.
    system.realize(state, SimTK::Stage::Position);
    weld.setDefaultFrameOnBody2(~right.getBodyTransform(state) * left.getBodyTransform(state) *
                                grip);
    start();
  }

  void start() {
    system.realizeTopology();
    state = system.getDefaultState();
    system.realizeModel(state);
    base.setUToFitVelocity(state,
                           SimTK::SpatialVec(to_simbody(kBaseOmega), to_simbody(kBaseVelocity)));
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t j = 0; j < kArmJoints; ++j) {
        link[a][j].setOneQ(state, 0, kArmAngle[a][j]);
        link[a][j].setOneU(state, 0, kArmRate[a][j]);
      }
  }
};

SimbodyDualArm::SimbodyDualArm() : impl_(std::make_unique<Impl>()) {}
SimbodyDualArm::~SimbodyDualArm() = default;

int SimbodyDualArm::velocities() const { return impl_->state.getNU(); }
int SimbodyDualArm::constraint_rows() const { return impl_->state.getNMultipliers(); }

void SimbodyDualArm::forward() {
  impl_->state.updQ();
  impl_->system.realize(impl_->state, SimTK::Stage::Acceleration);
}

DualArmAcceleration SimbodyDualArm::accelerations() const {
  const SimTK::State& state = impl_->state;
  const MobilizedBody& base = impl_->base;
  DualArmAcceleration a{};
  a.v = from_simbody(base.getBodyOriginAcceleration(state));
  a.omega = from_simbody(~base.getBodyRotation(state) * base.getBodyAngularAcceleration(state));
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t j = 0; j < kArmJoints; ++j)
      a.xdd[k][j] = impl_->link[k][j].getOneUDot(state, 0);
  return a;
}

}  // namespace berth::bench
