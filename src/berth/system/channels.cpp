// SPDX-License-Identifier: Apache-2.0
#include "berth/system/channels.h"

#include <cmath>
#include <stdexcept>

#include "berth/system/docks.h"

namespace berth {
namespace {

Vec3<double> vector_in(std::span<const double> x, int at) {
  const auto i = static_cast<std::size_t>(at);
  return {x[i], x[i + 1], x[i + 2]};
}

// Calls tell(owner, quantity, unit, frame, description, value) for every channel there is.
template <class Tell>
void walk(const System<double>& system, std::span<const double> x, const Workspace<double>& w,
          Tell&& tell) {
  const Model<double>& model = system.model;
  const Instant<double> now{model, w.motion, w.command};
  const Layout& at = w.layout;

  // Where the frame is: positions are told from O and, in an orbit, from the Earth's centre too.
  Vec3<double> r_OE{}, v_OE{}, r_CO{}, v_CO{};
  if (system.in_orbit) {
    r_OE = vector_in(x, at.orbit);
    v_OE = vector_in(x, at.orbit + 3);
    r_CO = vector_in(x, at.orbit + 6);
    v_CO = vector_in(x, at.orbit + 9);
    tell("orbit", "r_OE_N", unit::metre, "N", "reference orbit, position", r_OE);
    tell("orbit", "v_OE_N", unit::m_per_s, "N", "reference orbit, velocity", v_OE);
  }

  for (int i = 1; i < model.body_count(); ++i) {
    const Body<double>& b = model.body(i);
    const BodyMotion<double>& m = w.motion.body(i);
    const std::string& owner = model.names[static_cast<std::size_t>(i)];
    const Quaternion<double> q = quaternion(m.R_NB);
    const Vec3<double> rho = m.r_BN_N + r_CO, rho_dot = m.v_BN_N + v_CO;
    tell(owner, "rho_BO_N", unit::metre, "N", "position from the reference point", rho);
    tell(owner, "quaternion_BN", unit::none, "", "attitude, scalar first", q);
    if (b.hub) {
      const Vec3<double> omega_B = transposed_times(m.R_NB, m.omega_BN_N);
      tell(owner, "rhodot_BO_N", unit::m_per_s, "N", "velocity from the reference point", rho_dot);
      tell(owner, "r_BN_N", unit::metre, "N", "position", r_OE + rho);
      tell(owner, "v_BN_N", unit::m_per_s, "N", "velocity", v_OE + rho_dot);
      tell(owner, "sigma_BN", unit::none, "", "attitude, MRP", mrp(q));
      tell(owner, "omega_BN_B", unit::rad_per_s, "B", "angular velocity", omega_B);
      tell(owner, "rate", unit::rad_per_s, "", "size of the angular velocity", norm(omega_B));
    } else if (shape(b.joint).speeds == 1) {
      const bool turns = b.joint == JointType::revolute;
      const double effort = w.total.tau[static_cast<std::size_t>(b.v)];
      tell(owner, turns ? "angle" : "travel", turns ? unit::rad : unit::metre, "",
           "joint coordinate", now.q(b.q));
      tell(owner, turns ? "rate" : "speed", turns ? unit::rad_per_s : unit::m_per_s, "",
           "joint speed", now.v(b.v));
      tell(owner, "effort", turns ? unit::N_m : unit::newton, "",
           "all that acts along the joint: springs, friction, motor", effort);
    } else if (b.joint == JointType::spherical) {
      tell(owner, "omega_BF_B", unit::rad_per_s, "B", "angular velocity across the joint",
           Vec3<double>{now.v(b.v), now.v(b.v + 1), now.v(b.v + 2)});
    } else if (b.joint == JointType::planar) {
      tell(owner, "pose", unit::none, "F", "x [m], y [m], angle [rad] in the plane",
           Vec3<double>{now.q(b.q), now.q(b.q + 1), now.q(b.q + 2)});
    }
  }

  // What the parts have to show.
  const auto ask = [&](const std::string& owner, const auto& part) {
    if constexpr (requires { part.tell(now, [](auto&&...) {}); })
      part.tell(now, [&](std::string_view quantity, const Unit& u, std::string_view frame,
                         std::string_view about,
                         const auto& value) { tell(owner, quantity, u, frame, about, value); });
  };
  for_each_part(system.components, [&](const auto& part) {
    ask(model.names[static_cast<std::size_t>(part.last_body())], part);
  });
  for_each_part(system.forces, [&](const auto& part) {
    if constexpr (requires { part.name; }) ask(part.name, part);
  });
  int output = 0;
  for_each_part(system.controls, [&](const auto& part) {
    part.tell(now, w.outputs.data() + output,
              [&](std::string_view quantity, const Unit& u, std::string_view frame,
                  std::string_view about,
                  const auto& value) { tell(part.name, quantity, u, frame, about, value); });
    output += part.output_count();
  });

  // Docks: the load on each port, and how the second body stands to the first.
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<double>& dock = system.docks[k];
    if (dock.contact >= 0) continue;
    const DockMotion<double>& m = w.docks[k];
    const BodyMotion<double>& b1 = w.motion.body(dock.port_1.body);
    const BodyMotion<double>& b2 = w.motion.body(dock.port_2.body);
    const Mat3<double> R_NP1 = b1.R_NB * dock.port_1.R_BP, R_NP2 = b2.R_NB * dock.port_2.R_BP;
    const Wrench<double> on_1 = -shift(m.wrench, m.lever_1 - b1.R_NB * dock.port_1.r_PB_B);
    const auto owner = std::string_view(dock.name);
    tell(owner, "force_N", unit::newton, "N", "on the second port", m.wrench.force);
    tell(owner, "torque_N", unit::N_m, "N", "on the second port, about it", m.wrench.torque);
    tell(owner, "force_P2", unit::newton, "P2", "on the second port, its axes",
         transposed_times(R_NP2, m.wrench.force));
    tell(owner, "torque_P2", unit::N_m, "P2", "on the second port, about it, its axes",
         transposed_times(R_NP2, m.wrench.torque));
    tell(owner, "force_P1", unit::newton, "P1", "on the first port, its axes",
         transposed_times(R_NP1, on_1.force));
    tell(owner, "torque_P1", unit::N_m, "P1", "on the first port, about it, its axes",
         transposed_times(R_NP1, on_1.torque));
    tell(owner, "force", unit::newton, "", "size of the force", norm(m.wrench.force));
    tell(owner, "torque", unit::N_m, "", "size of the torque about the second port",
         norm(m.wrench.torque));
    tell(owner, "engaged", unit::none, "", "1 while joined", dock.engaged ? 1.0 : 0.0);
    const Violation off = find_violation(dock, m);
    tell(owner, "violation_position", unit::metre, "", "of the dock's geometry", off.position);
    tell(owner, "violation_attitude", unit::rad, "", "of the dock's geometry", off.attitude);
    tell(owner, "r_P2P1_B1", unit::metre, "B1", "second port from the first", m.pair.d);
    tell(owner, "v_P2P1_B1", unit::m_per_s, "B1", "its rate, seen in B1", m.pair.d_dot);
    tell(owner, "distance", unit::metre, "", "between the ports", norm(m.pair.d));
    tell(owner, "sigma_error", unit::none, "B1", "attitude of B2 in B1 against the mated one, MRP",
         mrp(m.pair.R));
    tell(owner, "omega_B2B1_B1", unit::rad_per_s, "B1", "angular velocity of B2 in B1",
         m.pair.omega);
    const Vec3<double> r_21 = b2.r_BN_N - b1.r_BN_N;
    tell(owner, "r_B2B1_B1", unit::metre, "B1", "second body from the first",
         transposed_times(b1.R_NB, r_21));
    tell(owner, "v_B2B1_B1", unit::m_per_s, "B1", "its rate, seen in B1",
         transposed_times(b1.R_NB, b2.v_BN_N - b1.velocity_at(r_21)));
    if (dock.loop) {
      const Mat3<double> R_NA = find_load_axes(model, dock, w.motion).R_NA;
      tell(owner, "force_A", unit::newton, "A", "on the second port, axes of the common ancestor",
           transposed_times(R_NA, m.wrench.force));
      tell(owner, "torque_A", unit::N_m, "A", "likewise, about the second port",
           transposed_times(R_NA, m.wrench.torque));
    }
  }

  for (const Measure& m : system.measures) {
    const auto owner = std::string_view(m.name);
    if (m.grasp_1 >= 0) {
      const auto grasp = [&](int k, Vec3<double>& r, Vec3<double>& f) {
        const Dock<double>& dock = system.docks[static_cast<std::size_t>(k)];
        const DockMotion<double>& d = w.docks[static_cast<std::size_t>(k)];
        r = w.motion.body(dock.port_2.body).r_BN_N + d.lever_2;
        f = dock.port_2.body == m.held ? d.wrench.force : -d.wrench.force;
      };
      Vec3<double> r_1, r_2, f_1, f_2;
      grasp(m.grasp_1, r_1, f_1);
      grasp(m.grasp_2, r_2, f_2);
      tell(owner, "squeeze", unit::newton, "", "pressing of the grasps; below zero they pull",
           0.5 * dot(f_1 - f_2, normalised(r_2 - r_1)));
      tell(owner, "spread", unit::metre, "", "between the grasps", norm(r_2 - r_1));
      continue;
    }
    const BodyMotion<double>& b1 = w.motion.body(m.port_1.body);
    const BodyMotion<double>& b2 = w.motion.body(m.port_2.body);
    const Mat3<double> R_NP1 = b1.R_NB * m.port_1.R_BP, R_NP2 = b2.R_NB * m.port_2.R_BP;
    const Vec3<double> lever_2 = b2.R_NB * m.port_2.r_PB_B;
    const Vec3<double> r_N = (b2.r_BN_N - b1.r_BN_N) + lever_2 - b1.R_NB * m.port_1.r_PB_B;
    const Vec3<double> v_N =
        b2.velocity_at(lever_2) - b1.velocity_at((b2.r_BN_N - b1.r_BN_N) + lever_2);
    const Vec3<double> r = transposed_times(R_NP1, r_N);
    const Quaternion<double> q = quaternion(transpose(R_NP1) * R_NP2);
    tell(owner, "position", unit::metre, "P1", "of the second frame in the first", r);
    tell(owner, "velocity", unit::m_per_s, "P1", "its rate, seen in the first",
         transposed_times(R_NP1, v_N));
    tell(owner, "distance", unit::metre, "", "between the frames", norm(r));
    tell(owner, "gap", unit::metre, "", "along the first frame's x axis", r.x);
    tell(owner, "lateral", unit::metre, "", "across it", std::hypot(r.y, r.z));
    tell(owner, "quaternion", unit::none, "P1", "attitude of the second frame in the first", q);
    tell(owner, "angle", unit::rad, "", "of the rotation between the frames",
         norm(rotation_vector(q)));
    const Vec3<double> v = transposed_times(R_NP1, v_N);
    tell(owner, "closing", unit::m_per_s, "", "how fast the gap closes", -v.x);
    tell(owner, "lateral_speed", unit::m_per_s, "", "across the first frame's x axis",
         std::hypot(v.y, v.z));
    tell(owner, "speed", unit::m_per_s, "", "of the second frame in the first", norm(v));
    // Of frames that are to face each other as mated ports do: x antiparallel, z parallel.
    const Mat3<double> R_12 = transpose(R_NP1) * R_NP2;
    tell(owner, "tilt", unit::rad, "", "between the x axis of one and minus that of the other",
         std::atan2(std::hypot(R_12.yx, R_12.zx), -R_12.xx));
    tell(owner, "roll", unit::rad, "", "of the second about the first's x axis, from mated",
         std::atan2(-R_12.yz, R_12.zz));
    tell(owner, "rate", unit::rad_per_s, "", "of turning against each other",
         norm(b2.omega_BN_N - b1.omega_BN_N));
  }

  // Contacts: the force on the first member, and where and how they touch.
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const Contact<double>& c = system.contacts[k];
    const ContactMotion<double>& m = w.contacts[k];
    const BodyMotion<double>& b2 = w.motion.body(c.port_2.body);
    const double* states = x.data() + at.contacts + c.first_state;
    const auto owner = std::string_view(c.name);
    tell(owner, "gap", unit::metre, "", "between probe and surface, positive when free", m.gap);
    tell(owner, "penetration", unit::metre, "", "of the probe into the surface",
         std::max(-m.gap, 0.0));
    tell(owner, "penetration_rate", unit::m_per_s, "", "positive inwards", -m.gap_rate);
    tell(owner, "slip", unit::m_per_s, "", "speed along the surface", norm(m.slip_N));
    tell(owner, "force_N", unit::newton, "N", "on the first member", m.force_N());
    tell(owner, "force", unit::newton, "", "size of the force", norm(m.force_N()));
    tell(owner, "normal_force", unit::newton, "", "along the normal into the wall, as measured",
         m.signal.normal);
    tell(owner, "friction_force", unit::newton, "", "size of the friction", norm(m.friction_N));
    tell(owner, "point_T", unit::metre, "T", "contact point from the second body's c.m., its axes",
         transposed_times(b2.R_NB, m.lever_2 - b2.r_CB_N));
    tell(owner, "normal_work", unit::joule, "", "of the normal force on both", states[0]);
    tell(owner, "friction_work", unit::joule, "", "of friction on both", states[1]);
    tell(owner, "energy", unit::joule, "",
         "given to the bodies so far: below zero the contact is passive", states[0] + states[1]);
    tell(owner, "touching", unit::none, "", "1 while the contact is active",
         m.touching ? 1.0 : 0.0);
  }

  // The books.
  const Balance<double> b = find_balance(system, x, w);
  constexpr Unit p_unit{"kg·m/s", 1, 1, -1}, h_unit{"kg·m²/s", 1, 2, -1};
  tell("system", "kinetic_energy", unit::joule, "", "of all bodies, seen from O", b.kinetic);
  tell("system", "potential_energy", unit::joule, "", "in springs", b.potential);
  tell("system", "energy_in", unit::joule, "", "work of motors and loads from outside", b.supplied);
  tell("system", "energy_lost", unit::joule, "", "turned into heat", b.lost);
  tell("system", "energy_balance", unit::joule, "", "kinetic + potential − in + lost: constant",
       b.kinetic + b.potential - b.supplied + b.lost);
  tell("system", "linear_momentum", p_unit, "N", "of all bodies, seen from O", b.linear);
  tell("system", "angular_momentum", h_unit, "N", "of all bodies, about O", b.angular);
  tell("system", "impulse", unit::N_s, "N", "of loads from outside", b.impulse);
  tell("system", "angular_impulse", unit::N_m_s, "N", "of loads from outside, about O",
       b.angular_impulse);
}

int width_of(double) { return 1; }
int width_of(const Vec3<double>&) { return 3; }
int width_of(const Quaternion<double>&) { return 4; }

}  // namespace

Channels::Channels(const System<double>& system, std::span<const double> x,
                   const Workspace<double>& w) {
  walk(system, x, w,
       [&](std::string_view owner, std::string_view quantity, const Unit& u, std::string_view frame,
           std::string_view about, const auto& value) {
         std::string name = std::string(owner) + "." + std::string(quantity);
         list_.push_back({std::move(name), std::string(u.symbol), std::string(frame),
                          std::string(about), width_of(value), width_});
         width_ += width_of(value);
       });
}

const Channel* Channels::find(std::string_view name) const {
  for (const Channel& c : list_)
    if (c.name == name) return &c;
  return nullptr;
}

std::optional<ChannelNumber> Channels::find_number(std::string_view name) const {
  if (const Channel* c = find(name); c && c->width == 1) return ChannelNumber{c->first, c};
  // A component of a vector (x y z) or of a quaternion (w x y z) behind the last dot.
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos || name.size() != dot + 2) return std::nullopt;
  const Channel* c = find(name.substr(0, dot));
  if (!c || c->width == 1) return std::nullopt;
  const std::size_t k = std::string_view(c->width == 4 ? "wxyz" : "xyz").find(name[dot + 1]);
  if (k == std::string_view::npos) return std::nullopt;
  return ChannelNumber{c->first + static_cast<int>(k), c};
}

void Channels::fill(const System<double>& system, std::span<const double> x,
                    const Workspace<double>& w, std::span<double> row) const {
  double* out = row.data();
  const auto put = [&](double v) { *out++ = v; };
  const auto put_all = [&](const auto& value) {
    using V = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::same_as<V, Vec3<double>>) {
      put(value.x), put(value.y), put(value.z);
    } else if constexpr (std::same_as<V, Quaternion<double>>) {
      put(value.w), put(value.x), put(value.y), put(value.z);
    } else {
      put(value);
    }
  };
  walk(system, x, w,
       [&](std::string_view, std::string_view, const Unit&, std::string_view, std::string_view,
           const auto& value) { put_all(value); });
}

}  // namespace berth
