// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/system/docks.h"
#include "berth/system/lift_system.h"

namespace berth {

// A body of the model as its recipe. A welded hub is free again: it is welded when all are there.
template <Lifted T>
BodySpec<T> lift_body(const Model<double>& model, int i) {
  const Body<double>& b = model.body(i);
  BodySpec<T> to;
  to.name = model.names[static_cast<std::size_t>(i)];
  lift_value(b.hub ? kGround : b.parent, to.parent);
  lift_value(b.hub ? JointType::free : b.joint, to.joint);
  if (!b.hub) lift_value(b.R_PF, to.R_PF);
  if (!b.hub) lift_value(b.r_FP_P, to.r_FP_P);
  lift_value(b.axis_F, to.axis);
  lift_value(b.mass, to.mass);
  lift_value(b.r_CB_B, to.r_CB_B);
  lift_value(b.I_C_B, to.I_C_B);
  lift_value(b.spins, to.spins);
  lift_value(b.motor, to.motor);
  lift_value(b.particle, to.particle);
  return to;
}

template <Lifted T>
void lift_port(const Port<double>& from, Port<T>& to) {
  lift_value(from.body, to.body);
  lift_value(from.r_PB_B, to.r_PB_B);
  lift_value(from.R_BP, to.R_BP);
}

// The one of several parts that is there.
template <Lifted T>
void lift_any(const auto& from, auto& to) {
  if (Lifting::notes()) Lifting::add(from.index());
  std::visit(
      [&](const auto& part) {
        to = lift<typename Rebind<std::remove_cvref_t<decltype(part)>, T>::type>(part);
      },
      from);
}

template <Lifted T>
Dock<T> lift_dock(const Dock<double>& from) {
  const auto lift_gains = [](const RowGains<double>& a, RowGains<T>& b) {
    lift_value(a.stiffness, b.stiffness);
    lift_value(a.damping, b.damping);
    lift_value(a.integral, b.integral);
  };
  Dock<T> to;
  to.name = from.name;
  lift_port(from.port_1, to.port_1);
  lift_port(from.port_2, to.port_2);
  lift_value(from.arm, to.arm);
  lift_any<T>(from.constraint, to.constraint);
  std::visit(
      [&](const auto& c) {
        using C = std::remove_cvref_t<decltype(c)>;
        lift_bound(c, std::get<typename Rebind<C, T>::type>(to.constraint));
      },
      from.constraint);
  lift_value(from.R_12, to.R_12);
  lift_value(from.enforce, to.enforce);
  lift_value(from.loop, to.loop);
  lift_value(from.engaged, to.engaged);
  lift_value(from.projected, to.projected);
  lift_value(from.integrates, to.integrates);
  lift_value(from.alpha, to.alpha);
  lift_value(from.beta, to.beta);
  lift_gains(from.force_gains, to.force_gains);
  lift_gains(from.torque_gains, to.torque_gains);
  lift_value(from.first_state, to.first_state);
  for (std::size_t r = 0; r < kMostRows; ++r) lift_value(from.integral_0[r], to.integral_0[r]);
  return to;
}

template <Lifted T>
Rest<T> lift_rest(const Rest<double>& from) {
  Rest<T> to;
  lift_port(from.port_1, to.port_1);
  lift_port(from.port_2, to.port_2);
  lift_value(from.contact, to.contact);
  lift_value(from.normal, to.normal);
  lift_value(from.across.first, to.across.first);
  lift_value(from.across.second, to.across.second);
  lift_value(from.radius, to.radius);
  lift_value(from.friction, to.friction);
  lift_value(from.rest_speed, to.rest_speed);
  lift_value(from.rough, to.rough);
  return to;
}

template <Lifted T>
Contact<T> lift_contact(const Contact<double>& from) {
  Contact<T> to;
  to.name = from.name;
  to.owner = from.owner;
  lift_value(from.corner, to.corner);
  lift_port(from.port_1, to.port_1);
  lift_port(from.port_2, to.port_2);
  lift_any<T>(from.probe, to.probe);
  lift_any<T>(from.surface, to.surface);
  lift_any<T>(from.law, to.law);
  lift_any<T>(from.friction, to.friction);
  lift_any<T>(from.compensation, to.compensation);
  lift_value(from.adhesive, to.adhesive);
  lift_value(from.bilateral, to.bilateral);
  lift_value(from.along_normal, to.along_normal);
  lift_value(from.delay, to.delay);
  lift_value(from.sample_time, to.sample_time);
  to.jitter = from.jitter;  // of its samples
  to.seed = from.seed;
  lift_value(from.robot_frequency, to.robot_frequency);
  lift_value(from.robot_damping, to.robot_damping);
  lift_value(from.filter_time, to.filter_time);
  lift_value(from.first_state, to.first_state);
  lift_value(from.external, to.external);
  to.given_period = from.given_period;
  to.given_latency = from.given_latency;
  lift_value(from.biased, to.biased);
  lift_value(from.bias, to.bias);
  return to;
}

template <Lifted T>
Measure<T> lift_measure(const Measure<double>& from) {
  Measure<T> to;
  to.name = from.name;
  lift_port(from.port_1, to.port_1);
  lift_port(from.port_2, to.port_2);
  lift_value(from.mating, to.mating);
  lift_value(from.grasp_1, to.grasp_1);
  lift_value(from.grasp_2, to.grasp_2);
  lift_value(from.held, to.held);
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
        if (Lifting::notes()) Lifting::add(P::type), Lifting::add(place->second.mount);
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
    lift_value(b.axis_F, lifted.axis_F);
    lift_value(b.axis_P, lifted.axis_P);
    lift_value(b.R_PF_a, lifted.R_PF_a);
    lift_value(b.R_PF_aa, lifted.R_PF_aa);
    lifted.carried = find_carried_mass(lifted);
    lift_value(b.carried.rests, lifted.carried.rests);
  }
  for (const auto& [name, port] : model.ports) {
    to.model.ports.push_back({name, {}});
    lift_port(port, to.model.ports.back().port);
  }
  std::copy(model.q0.begin(), model.q0.end(), to.model.q0.begin());
  std::copy(model.v0.begin(), model.v0.end(), to.model.v0.begin());
  for (int i : model.order) {
    const Body<double>& b = model.body(i);
    if (!b.hub || b.joint != JointType::fixed) continue;
    Mat3<T> R_PF;
    Vec3<T> r_FP_P;
    int hub = 0, parent = 0;
    lift_value(i, hub);
    lift_value(b.parent, parent);
    lift_value(b.R_PF, R_PF);
    lift_value(b.r_FP_P, r_FP_P);
    to.model.weld(hub, parent, R_PF, r_FP_P);
  }

  // Resolved and checked already.
  const auto again = [](const auto& part) {
    auto lifted = lift<typename Rebind<std::remove_cvref_t<decltype(part)>, T>::type>(part);
    lifted.name = part.name;
    lift_value(part.enabled, lifted.enabled);
    return lifted;
  };
  Findings none;
  for_each_part(from.forces, [&](const auto& part) {
    auto lifted = again(part);
    lifted.bind(to.model, none);
    to.put_force(std::move(lifted));
  });
  const auto& sets = std::get<std::vector<ThrusterSet<double>>>(from.forces);
  for (std::size_t k = 0; k < sets.size(); ++k)
    lift_value(sets[k].valves, std::get<std::vector<ThrusterSet<T>>>(to.forces)[k].valves);
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
  for (const Measure<double>& m : from.measures) to.measures.push_back(lift_measure<T>(m));
  lift_value(from.in_orbit, to.in_orbit);
  lift_value(from.r_OE_N, to.r_OE_N);
  lift_value(from.v_OE_N, to.v_OE_N);
  return to;
}

template <Lifted T>
Mode<T> lift_mode(const Mode<double>& from) {
  Mode<T> to;
  to.t_from = T(from.t_from);
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
