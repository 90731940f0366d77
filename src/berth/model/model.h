// SPDX-License-Identifier: Apache-2.0
#pragma once

// Model — what exists: a forest of bodies on joints, flat and constant once built.
//
// Body 0 is the ground: frame N, at rest, takes any load. A body on a free joint under it is the
// hub of a spacecraft; other joints under it make mechanisms on the ground.
//
// `order` lists the bodies with parents before their children: one pass along it visits parents
// first, one pass back visits children first. As built it is 1, 2, 3, …; welding hubs may change it.

#include <algorithm>
#include <concepts>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "berth/math/rotation.h"
#include "berth/math/spatial.h"
#include "berth/model/joint.h"

namespace berth {

inline constexpr int kGround = 0;

// What add_body() is given. Everything about the body's own centre of mass, in body axes.
template <Scalar T>
struct BodySpec {
  std::string name;
  int parent = kGround;
  JointType joint = JointType::free;
  Mat3<T> R_PF = Mat3<T>::identity();  // joint frame in the parent
  Vec3<T> r_FP_P;                      // [m]
  Vec3<T> axis{0.0, 0.0, 1.0};         // unit vector, revolute and prismatic
  T mass{};                            // [kg]
  Vec3<T> r_CB_B;                      // [m] centre of mass
  Sym3<T> I_C_B;                       // [kg·m²] about the centre of mass
  std::vector<T> q{}, v{};             // initial coordinates and speeds; empty = zero
  bool spins = false;     // a rotor: its angle grows without bound and is left out of step control
  bool motor = false;     // its component turns commands into effort; else commands act as they are
  bool particle = false;  // a point mass at the body's origin: no c.m. offset, inertia or attitude
};

// Mass properties of a body in the axes of the body P that carries it, on a joint of one speed at most:
//
//   r_CB_P = r[0] + cos q r[1] + sin q r[2]                                                    (1)
//   I_C_P  = I[0] + cos q I[1] + sin q I[2] + cos 2q I[3] + sin 2q I[4]                        (2)
//
// Of a joint that does not turn the first terms are all. Where they are all of a joint that does turn, a
// balanced rotor, or where nothing moves, what P feels of it is known beforehand.
template <Scalar T>
struct CarriedMass {
  Vec3<T> r[3];
  Sym3<T> I[5];
  bool rests = false;
  Wrench<T> U;    // per rad/s²: turns it at that rate, about the body's origin
  T D_inv{};      // [1/(kg·m²)] 1 / what of that is along the axis
  Inertia6<T> A;  // what P feels: the rigid rotor less U Uᵀ/D, about P's origin
};

// One body and the joint that carries it, as the solver reads it.
template <Scalar T>
struct Body {
  int parent;
  JointType joint;
  bool spins;
  bool motor;
  bool particle;
  bool leaf;     // carries nothing: the solver then needs no articulated inertia of it
  bool carries;  // leaves on joints of one speed at most, which the solver sees in its axes
  bool hub;      // built with a free joint; welded to another body, its own states lie idle
  int q, v;      // first coordinate, first speed
  Mat3<T> R_PF;
  Vec3<T> r_FP_P;
  Vec3<T> axis_F, axis_P;
  // Revolute: R_PB = R_PF (1 + sin q [a] + (1 − cos q) [a]²), the products formed once.
  Mat3<T> R_PF_a, R_PF_aa;
  T mass;
  Vec3<T> r_CB_B;
  Sym3<T> I_C_B;
  CarriedMass<T> carried;

  // Whether it hands its load straight to the body that carries it.
  bool is_simple_leaf() const {
    return leaf && joint != JointType::free && joint != JointType::planar &&
           joint != JointType::spherical;
  }
};

// From the other members of the body. With a the axis of a revolute joint, its turn is
// R(q) = a aᵀ + cos q (1 − a aᵀ) + sin q [a]; (2) are the products of R I Rᵀ, sorted.
template <Scalar T>
void find_turning_mass(const Body<T>& b, CarriedMass<T>& out) {
  const Vec3<T>&a = b.axis_F, &r = b.r_CB_B;
  const Vec3<T> along = dot(a, r) * a;
  out.r[0] = b.R_PF * along;
  out.r[1] = b.R_PF * (r - along);
  out.r[2] = b.R_PF * cross(a, r);

  const Sym3<T>& I = b.I_C_B;
  const auto both = [](const Mat3<T>& m) {  // m + mᵀ
    return Sym3<T>{2.0 * m.xx, 2.0 * m.yy, 2.0 * m.zz, m.xy + m.yx, m.xz + m.zx, m.yz + m.zy};
  };
  const Vec3<T> h = I * a, a_h = cross(a, h);
  const T k = dot(a, h);
  const Sym3<T> of_axis = k * outer(a);
  const Sym3<T> across = (I - both(outer(a, h))) + of_axis, turned = rotate(cross_matrix(a), I);
  const auto in_P = [&](const Sym3<T>& s) { return rotate(b.R_PF, s); };
  out.I[0] = in_P(of_axis + T(0.5) * (across + turned));
  out.I[1] = in_P(both(outer(a, h - k * a)));
  out.I[2] = in_P(both(outer(a, a_h)));
  out.I[3] = in_P(T(0.5) * (across - turned));
  out.I[4] = in_P(T(0.5) * both(cross(a, I) - outer(a_h, a)));
}

template <Scalar T>
CarriedMass<T> find_carried_mass(const Body<T>& b) {
  CarriedMass<T> out;
  if (b.joint == JointType::revolute) {
    find_turning_mass(b, out);
    out.U = turn_rigid(b.mass, out.r[0], out.I[0], b.axis_P);
    out.D_inv = 1.0 / dot(b.axis_P, out.U.torque);
  } else {
    out.r[0] = b.R_PF * b.r_CB_B;
    out.I[0] = rotate(b.R_PF, b.I_C_B);
    out.rests = b.joint == JointType::fixed;
  }
  add_rigid(out.A, b.mass, b.r_FP_P + out.r[0], out.I[0]);
  subtract_outer(out.A, shift(out.U, b.r_FP_P), out.D_inv);
  // Decided by numbers: a lifted body has it from the one of double.
  if constexpr (std::same_as<T, double>) {
    const auto all_zero = [](const auto& rest) {
      return std::all_of(rest.begin(), rest.end(),
                         [](const auto& x) { return x == std::remove_cvref_t<decltype(x)>{}; });
    };
    if (b.joint == JointType::revolute)
      out.rests = all_zero(std::span(out.r).template subspan<1>()) &&
                  all_zero(std::span(out.I).template subspan<1>());
  }
  return out;
}

// A frame on a body: where something docks, pushes, or is measured. x outward, z clocking.
template <Scalar T>
struct Port {
  int body = kGround;
  Vec3<T> r_PB_B;
  Mat3<T> R_BP = Mat3<T>::identity();
};

// R_P1P2 of mated ports: x antiparallel, z parallel. Its own transpose.
template <Scalar T>
Mat3<T> face_to_face() {
  return {T(-1.0), T(0.0), T(0.0), T(0.0), T(-1.0), T(0.0), T(0.0), T(0.0), T(1.0)};
}
// Attitude of the second port's body in the first's when they are mated.
template <Scalar T>
Mat3<T> mated_attitude(const Port<T>& p1, const Port<T>& p2) {
  return p1.R_BP * face_to_face<T>() * transpose(p2.R_BP);
}

template <Scalar T>
struct Model {
  std::vector<Body<T>> bodies;
  std::vector<std::string> names;  // of bodies, same order
  std::vector<T> q0, v0;           // initial coordinates and speeds
  std::vector<int> order;          // bodies but the ground, parents first
  struct NamedPort {
    std::string name;  // "craft.port", or a body for its own frame
    Port<T> port;
  };
  std::vector<NamedPort> ports;

  Model() {
    Body<T> ground{};
    ground.joint = JointType::fixed;
    ground.R_PF = Mat3<T>::identity();
    bodies.push_back(ground);
    names.emplace_back("ground");
  }

  int body_count() const { return static_cast<int>(bodies.size()); }
  int coordinate_count() const { return static_cast<int>(q0.size()); }
  int speed_count() const { return static_cast<int>(v0.size()); }

  // The body nearest to both that carries both; the ground carries all.
  int common_ancestor(int a, int b) const {
    for (; a != kGround; a = body(a).parent)
      if (hangs_on(b, a)) return a;
    return kGround;
  }
  int find_body(std::string_view name) const {
    for (int i = 0; i < body_count(); ++i)
      if (names[static_cast<std::size_t>(i)] == name) return i;
    return -1;
  }
  const Port<T>& port(int i) const { return ports[static_cast<std::size_t>(i)].port; }
  const Body<T>& body(int i) const { return bodies[static_cast<std::size_t>(i)]; }

  int add_body(const BodySpec<T>& spec);

  // A hub becomes a fixed part of another body, at the given pose in it; cut() makes it free again.
  // Both leave its coordinates and speeds where they are in the state, so that nothing else moves.
  void weld(int hub, int parent, const Mat3<T>& R_PF, const Vec3<T>& r_FP_P);
  void cut(int hub);

  // True when `body` hangs on `ancestor`, or is it.
  bool hangs_on(int body, int ancestor) const {
    while (body != kGround && body != ancestor) body = this->body(body).parent;
    return body == ancestor;
  }
  // Its tree is held by the ground, which takes momentum from it.
  bool stands_on_ground(int body) const {
    const int root = root_of(body);
    return root == kGround || this->body(root).joint != JointType::free;
  }
  // The body on the ground that carries this one; the ground itself for the ground.
  int root_of(int body) const {
    while (body != kGround && this->body(body).parent != kGround) body = this->body(body).parent;
    return body;
  }

 private:
  void sort();
  void find_leaves();
};

// Throws std::invalid_argument with the body's name and the rule that was broken.
template <Scalar T>
int Model<T>::add_body(const BodySpec<T>& spec) {
  const auto refuse = [&](const std::string& rule) {
    throw std::invalid_argument("body \"" + spec.name + "\": " + rule);
  };
  if (spec.parent < 0 || spec.parent >= body_count()) refuse("its parent does not exist");
  if (find_body(spec.name) >= 0) refuse("the name is taken");
  if (spec.joint == JointType::free && spec.parent != kGround)
    refuse("a free joint has the ground as parent");
  if (spec.particle && spec.joint != JointType::prismatic)
    refuse("a particle moves on a prismatic joint");
  if (bodies[static_cast<std::size_t>(spec.parent)].particle) refuse("a particle carries nothing");

  const JointShape& joint = shape(spec.joint);
  const auto check_count = [&](const std::vector<T>& given, int wanted, const char* what) {
    if (!given.empty() && static_cast<int>(given.size()) != wanted)
      refuse("a " + std::string(joint.name) + " joint has " + std::to_string(wanted) + " " + what);
  };
  check_count(spec.q, joint.coordinates, "coordinates");
  check_count(spec.v, joint.speeds, "speeds");

  Body<T> b;
  b.parent = spec.parent;
  b.joint = spec.joint;
  b.spins = spec.spins;
  b.motor = spec.motor;
  b.particle = spec.particle;
  b.hub = spec.joint == JointType::free;
  b.q = coordinate_count();
  b.v = speed_count();
  b.R_PF = spec.R_PF;
  b.r_FP_P = spec.r_FP_P;
  b.axis_F = normalised(spec.axis);
  b.axis_P = b.R_PF * b.axis_F;
  const Mat3<T> a = cross_matrix(b.axis_F);
  b.R_PF_a = b.R_PF * a;
  b.R_PF_aa = b.R_PF_a * a;
  b.mass = spec.mass;
  b.r_CB_B = spec.r_CB_B;
  b.I_C_B = spec.I_C_B;
  b.carried = find_carried_mass(b);

  // Zero coordinates, except that the zero rotation is the unit quaternion.
  std::vector<T> q = spec.q;
  if (q.empty()) {
    q.assign(static_cast<std::size_t>(joint.coordinates), T(0.0));
    if (spec.joint == JointType::free) q[3] = T(1.0);
    if (spec.joint == JointType::spherical) q[0] = T(1.0);
  }
  std::vector<T> v = spec.v;
  v.resize(static_cast<std::size_t>(joint.speeds), T(0.0));
  q0.insert(q0.end(), q.begin(), q.end());
  v0.insert(v0.end(), v.begin(), v.end());
  bodies.push_back(b);
  names.push_back(spec.name);
  order.push_back(body_count() - 1);
  find_leaves();
  return body_count() - 1;
}

template <Scalar T>
void Model<T>::weld(int hub, int parent, const Mat3<T>& R_PF, const Vec3<T>& r_FP_P) {
  Body<T>& b = bodies[static_cast<std::size_t>(hub)];
  if (!b.hub || b.joint != JointType::free)
    throw std::invalid_argument("weld: " + names[static_cast<std::size_t>(hub)] +
                                " is not a free hub");
  if (hangs_on(parent, hub))
    throw std::invalid_argument("weld: " + names[static_cast<std::size_t>(parent)] +
                                " hangs on the hub already");
  b.parent = parent;
  b.joint = JointType::fixed;
  b.R_PF = R_PF;
  b.r_FP_P = r_FP_P;
  b.carried = find_carried_mass(b);
  sort();
}

template <Scalar T>
void Model<T>::cut(int hub) {
  Body<T>& b = bodies[static_cast<std::size_t>(hub)];
  if (!b.hub || b.joint != JointType::fixed)
    throw std::invalid_argument("cut: " + names[static_cast<std::size_t>(hub)] +
                                " is not a welded hub");
  b.parent = kGround;
  b.joint = JointType::free;
  b.R_PF = Mat3<T>::identity();
  b.r_FP_P = {};
  b.carried = find_carried_mass(b);
  sort();
}

// Each body after its parent, otherwise as built.
template <Scalar T>
void Model<T>::sort() {
  order.clear();
  std::vector<char> placed(bodies.size(), 0);
  placed[kGround] = 1;
  const auto place = [&](const auto& self, int i) -> void {
    if (placed[static_cast<std::size_t>(i)]) return;
    self(self, body(i).parent);
    placed[static_cast<std::size_t>(i)] = 1;
    order.push_back(i);
  };
  for (int i = 1; i < body_count(); ++i) place(place, i);
  find_leaves();
}

template <Scalar T>
void Model<T>::find_leaves() {
  const auto parent = [&](int i) -> Body<T>& {
    return bodies[static_cast<std::size_t>(body(i).parent)];
  };
  for (Body<T>& b : bodies) b.leaf = true, b.carries = false;
  for (int i = 1; i < body_count(); ++i) parent(i).leaf = false;
  for (int i = 1; i < body_count(); ++i) parent(i).carries |= body(i).is_simple_leaf();
}

}  // namespace berth
