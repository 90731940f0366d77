// SPDX-License-Identifier: Apache-2.0
#pragma once

// lift_system — a system built in double, once more on another scalar: the same bodies in the same
// order, the same parts with the same names, the same docks, so that one state vector fits both.

#include "berth/model/lift.h"
#include "berth/system/docks.h"
#include "berth/system/system.h"

namespace berth {

template <Lifted T>
Vec3<T> lift_vector(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
template <Lifted T>
Mat3<T> lift_matrix(const Mat3<double>& R) {
  return {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
}

// A body of the model as its recipe. A welded hub is free again: it is welded when all are there.
template <Lifted T>
BodySpec<T> lift_body(const Model<double>& model, int i) {
  const Body<double>& b = model.body(i);
  const Sym3<double>& I = b.I_C_B;
  BodySpec<T> to;
  to.name = model.names[static_cast<std::size_t>(i)];
  to.parent = b.hub ? kGround : b.parent;
  to.joint = b.hub ? JointType::free : b.joint;
  if (!b.hub) to.R_PF = lift_matrix<T>(b.R_PF);
  if (!b.hub) to.r_FP_P = lift_vector<T>(b.r_FP_P);
  to.axis = lift_vector<T>(b.axis_F);
  to.mass = b.mass;
  to.r_CB_B = lift_vector<T>(b.r_CB_B);
  to.I_C_B = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  to.spins = b.spins;
  to.motor = b.motor;
  to.particle = b.particle;
  return to;
}

template <Lifted T>
Port<T> lift_port(const Port<double>& p) {
  return {p.body, lift_vector<T>(p.r_PB_B), lift_matrix<T>(p.R_BP)};
}

template <Lifted T>
Dock<T> lift_dock(const Dock<double>& from) {
  const auto gains = [](const RowGains<double>& g) {
    return RowGains<T>{g.stiffness, g.damping, g.integral};
  };
  Dock<T> to;
  to.name = from.name;
  to.port_1 = lift_port<T>(from.port_1);
  to.port_2 = lift_port<T>(from.port_2);
  to.arm = lift_vector<T>(from.arm);
  std::visit(
      [&](const auto& c) {
        auto lifted = lift<typename Rebind<std::remove_cvref_t<decltype(c)>, T>::type>(c);
        lift_bound(c, lifted);
        to.constraint = lifted;
      },
      from.constraint);
  to.R_12 = lift_matrix<T>(from.R_12);
  to.enforce = from.enforce;
  to.loop = from.loop;
  to.engaged = from.engaged;
  to.projected = from.projected;
  to.integrates = from.integrates;
  to.alpha = from.alpha;
  to.beta = from.beta;
  to.force_gains = gains(from.force_gains);
  to.torque_gains = gains(from.torque_gains);
  to.first_state = from.first_state;
  for (std::size_t r = 0; r < kMostRows; ++r) to.integral_0[r] = from.integral_0[r];
  return to;
}

template <Lifted T>
Rest<T> lift_rest(const Rest<double>& from) {
  Rest<T> to;
  to.port_1 = lift_port<T>(from.port_1);
  to.port_2 = lift_port<T>(from.port_2);
  to.contact = from.contact;
  to.normal = lift_vector<T>(from.normal);
  to.across = {lift_vector<T>(from.across.first), lift_vector<T>(from.across.second)};
  to.radius = from.radius;
  to.friction = from.friction;
  to.rest_speed = from.rest_speed;
  to.rough = from.rough;
  return to;
}

template <Lifted T>
Contact<T> lift_contact(const Contact<double>& from) {
  const auto part = [](const auto& any, auto& to) {
    std::visit(
        [&](const auto& p) {
          to = lift<typename Rebind<std::remove_cvref_t<decltype(p)>, T>::type>(p);
        },
        any);
  };
  Contact<T> to;
  to.name = from.name;
  to.owner = from.owner;
  to.corner = from.corner;
  to.port_1 = lift_port<T>(from.port_1);
  to.port_2 = lift_port<T>(from.port_2);
  part(from.probe, to.probe);
  part(from.surface, to.surface);
  part(from.law, to.law);
  part(from.friction, to.friction);
  part(from.compensation, to.compensation);
  to.adhesive = from.adhesive;
  to.bilateral = from.bilateral;
  to.along_normal = from.along_normal;
  to.delay = from.delay;
  to.sample_time = from.sample_time;
  to.jitter = from.jitter;
  to.seed = from.seed;
  to.robot_frequency = from.robot_frequency;
  to.robot_damping = from.robot_damping;
  to.filter_time = from.filter_time;
  to.first_state = from.first_state;
  to.external = from.external;
  return to;
}

template <Lifted T>
System<T> lift_system(const System<double>& from) {
  System<T> to;
  const Model<double>& model = from.model;

  // Bodies and components in the order they were built in.
  for (int i = 1; i < model.body_count(); i = to.model.body_count()) {
    bool is_component = false;
    const auto try_list = [&](const auto& list) {
      using P = typename std::remove_cvref_t<decltype(list)>::value_type;
      for (const P& part : list) {
        const auto place = from.places.find(part.last_body());
        if (is_component || place == from.places.end() || place->second.first_body != i) continue;
        is_component = true;
        to.put_component(lift<typename Rebind<P, T>::type>(part), place->second.mount,
                         place->second.name);
      }
    };
    std::apply([&](const auto&... list) { (try_list(list), ...); }, from.components);
    if (!is_component) to.model.add_body(lift_body<T>(model, i));
  }
  // Axes as they are: to normalise them again would round them again.
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const Body<double>& b = model.bodies[i];
    Body<T>& lifted = to.model.bodies[i];
    lifted.axis_F = lift_vector<T>(b.axis_F);
    lifted.axis_P = lift_vector<T>(b.axis_P);
    lifted.R_PF_a = lift_matrix<T>(b.R_PF_a);
    lifted.R_PF_aa = lift_matrix<T>(b.R_PF_aa);
  }
  for (const auto& [name, port] : model.ports) to.model.ports.push_back({name, lift_port<T>(port)});
  std::copy(model.q0.begin(), model.q0.end(), to.model.q0.begin());
  std::copy(model.v0.begin(), model.v0.end(), to.model.v0.begin());
  for (int i : model.order) {
    const Body<double>& b = model.body(i);
    if (b.hub && b.joint == JointType::fixed)
      to.model.weld(i, b.parent, lift_matrix<T>(b.R_PF), lift_vector<T>(b.r_FP_P));
  }

  // Resolved and checked already.
  const auto again = [](const auto& part) {
    auto lifted = lift<typename Rebind<std::remove_cvref_t<decltype(part)>, T>::type>(part);
    lifted.name = part.name;
    lifted.enabled = part.enabled;
    return lifted;
  };
  Findings none;
  for_each_part(from.forces, [&](const auto& part) {
    auto lifted = again(part);
    lifted.bind(to.model, none);
    to.put_force(std::move(lifted));
  });
  for_each_part(from.sensors, [&](const auto& part) {
    auto lifted = again(part);
    lifted.bind(to.model, none);
    to.put_sensor(std::move(lifted));
  });
  for_each_part(from.controls, [&](const auto& part) {
    auto lifted = again(part);
    to.bind_control(lifted, none);
    to.put_control(std::move(lifted));
  });
  for (const Dock<double>& d : from.docks) to.docks.push_back(lift_dock<T>(d));
  for (const Contact<double>& c : from.contacts) to.contacts.push_back(lift_contact<T>(c));
  for (const Rest<double>& r : from.rests) to.rests.push_back(lift_rest<T>(r));
  for (const Measure<double>& m : from.measures)
    to.measures.push_back({m.name, lift_port<T>(m.port_1), lift_port<T>(m.port_2), m.mating,
                           m.grasp_1, m.grasp_2, m.held});
  to.in_orbit = from.in_orbit;
  to.r_OE_N = lift_vector<T>(from.r_OE_N);
  to.v_OE_N = lift_vector<T>(from.v_OE_N);
  return to;
}

template <Lifted T>
Mode<T> lift_mode(const Mode<double>& from) {
  Mode<T> to;
  to.t_from = from.t_from;
  to.held.assign(from.held.begin(), from.held.end());
  to.levels.assign(from.levels.begin(), from.levels.end());
  to.rows = from.rows;
  to.slides = from.slides;
  to.shares = from.shares;
  to.chain = from.chain;
  to.touched = from.touched;
  const auto signal = [](const ContactSignal<double>& s) {
    return ContactSignal<T>{T(s.normal), lift_vector<T>(s.normal_N), lift_vector<T>(s.friction_N)};
  };
  for (const ContactMode<double>& c : from.contacts)
    to.contacts.push_back({c.now, c.then, signal(c.held), c.sliding, lift_vector<T>(c.heading),
                           c.press, c.given, lift_vector<T>(c.torque)});
  to.hubs_only = from.hubs_only;
  to.grounded = from.grounded;
  to.speeds = from.speeds;
  to.column = from.column;
  return to;
}

}  // namespace berth
