// SPDX-License-Identifier: Apache-2.0
#include "tests/support/docked.h"

namespace berth::test {

CraftBodies add_random_craft(System<double>& system, const std::string& name,
                             const Vec3<double>& where, Random& random) {
  BodySpec<double> hub = hub_spec<double>(name, random.number(50, 100), random.inertia(40));
  hub.r_CB_B = random.vector(0.1);
  const Vec3<double> r = where + random.vector(0.3);
  const Quaternion<double> q = random.quaternion();
  const double n = 1 / std::sqrt(norm_squared(q));
  hub.q = {r.x, r.y, r.z, n * q.w, n * q.x, n * q.y, n * q.z};
  for (int i = 0; i < 6; ++i) hub.v.push_back(random.number(-0.3, 0.3));
  const int b = system.model.add_body(hub);

  system.add_component(wheel<double>(random.direction(), random.number(-5, 5), true), b,
                       name + ".wheel");
  HingedPanel<double> p = panel<double>();
  p.mass = random.number(2, 8);
  p.inertia = random.inertia(2);
  p.stiffness = random.number(5, 20);
  p.damping = random.number(0.1, 1);
  p.angle = random.number(-0.3, 0.3);
  p.rate = random.number(-0.3, 0.3);
  const int last = system.add_component(p, b, name + ".panel").last_body();
  SloshMass<double> s = slosh<double>(1);
  s.mass = random.number(2, 8);
  s.stiffness = random.number(5, 20);
  s.damping = random.number(0.1, 1);
  system.add_component(s, b, name + ".fuel");
  RobotArm<double> arm;
  for (int i = 0; i < 2; ++i) {
    ArmLink<double> link;
    link.position = random.vector(0.5);
    link.axis = random.direction();
    link.mass = random.number(2, 5);
    link.centre_of_mass = random.vector(0.3);
    link.inertia = random.inertia(0.5);
    link.friction = 0.3;
    link.angle = random.number();
    link.rate = random.number(-0.3, 0.3);
    arm.link.push_back(link);
  }
  const int tip = system.add_component(arm, b, name + ".arm").last_body();
  return {b, last, tip};
}

Dock<double> random_dock(Constrain constrain, int body_1, int body_2, Hold hold, Random& random) {
  Dock<double> d;
  d.name = "joint";
  d.port_1 = {body_1, random.vector(0.7), random.rotation()};
  d.port_2 = {body_2, random.vector(0.7), random.rotation()};
  constrain(d, random);
  d.R_12 = mated_attitude(d.port_1, d.port_2);
  d.enforce = hold.enforce;
  d.integrates = hold.integrates;
  d.alpha = 3;
  d.beta = 2;
  d.force_gains = {200, 30, 50};
  d.torque_gains = {150, 25, 40};
  d.reduced_mass = 30;
  d.reduced_inertia = 20;
  d.gap = d.gap_angle = 0.1;
  return d;
}

Mode<double> open_mode(const Workspace<double>& w) {
  Mode<double> mode;
  mode.held.assign(w.outputs.size(), 0.0);
  mode.levels.assign(w.command.levels.size(), 0.0);
  return mode;
}

const std::vector<DockMotion<double>>& evaluate_docks(const System<double>& system,
                                                      std::span<const double> x,
                                                      Workspace<double>& w) {
  motion_stage<double>(system, 0.0, x, open_mode(w), w);
  return w.docks;
}

void mate_at_start(System<double>& system, double off, double turn, Random& random) {
  Workspace<double> w(system);
  evaluate_docks(system, find_initial_state(system), w);
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    Dock<double>& d = system.docks[k];
    lock_here(d, w.docks[k].pair);
    d.arm = d.arm + random.vector(off);
    d.R_12 = rotation_about(random.direction(), turn * random.number(0.5, 1)) * d.R_12;
  }
}

System<double> random_docked(Constrain constrain, unsigned seed, Hold hold, Ports ports, double off,
                             double turn) {
  Random random(seed);
  System<double> system;
  const CraftBodies a = add_random_craft(system, "servicer", {0, 0, 0}, random);
  const CraftBodies b = add_random_craft(system, "target", {2, 0, 0}, random);
  const int first[] = {a.hub, a.hub, a.tip, a.tip, kGround, kGround};
  const int second[] = {b.hub, b.panel, b.hub, b.panel, b.hub, b.tip};
  const auto at = static_cast<std::size_t>(ports);
  system.add_dock(random_dock(constrain, first[at], second[at], hold, random));
  mate_at_start(system, off, turn, random);
  return system;
}

System<double> fused(System<double> system) {
  for (Dock<double>& d : system.docks) {
    d.enforce = Enforce::fused;
    weld(system.model, d);
  }
  return system;
}

System<double> random_group(unsigned seed) {
  Random random(seed);
  System<double> s;
  const CraftBodies a = add_random_craft(s, "servicer", {0, 0, 0}, random);
  const CraftBodies b = add_random_craft(s, "target", {2, 0, 0}, random);
  const CraftBodies c = add_random_craft(s, "tug", {0, 2, 0}, random);
  s.add_dock(random_dock<Direction<double>>(a.tip, b.hub, {}, random)).name = "arm";
  s.add_dock(random_dock<Length<double>>(b.panel, c.hub, {}, random)).name = "rod";
  s.add_dock(random_dock<Hinge<double>>(kGround, a.hub, {Enforce::baumgarte, false}, random)).name =
      "pivot";
  s.add_dock(random_dock<Slider<double>>(c.tip, a.panel, {Enforce::penalty, true}, random)).name =
      "soft";
  mate_at_start(s, 0.1, 0.2, random);
  Dock<double> welded = random_dock<Rigid<double>>(c.hub, b.hub, {Enforce::exact}, random);
  welded.name = "weld";
  s.add_dock(welded);
  Workspace<double> w(s);
  evaluate_docks(s, find_initial_state(s), w);
  lock_here(s.docks.back(), w.docks.back().pair);
  s.docks.back().enforce = Enforce::fused;
  weld(s.model, s.docks.back());
  return s;
}

System<double> busy_group(unsigned seed) {
  System<double> s = random_group(seed);
  for (Dock<double>& d : s.docks)
    if (d.name == "pivot") d.engaged = false;
  s.set_orbit({}, {-5.7874e6, 1.3157e6, 3.2735e6}, {-2221.6, -7272.9, -988.7});
  SpringDamper<double> spring;
  spring.name = "tether";
  spring.body_1 = "servicer";
  spring.body_2 = "tug";
  spring.stiffness = 3;
  spring.damping = 1;
  spring.length = 0.5;
  s.add_force(spring);
  ExternalLoad<double> push;
  push.name = "push";
  push.body = "target";
  push.force = {1, 2, -1};
  s.add_force(push);
  ThrusterSet<double> set;
  set.name = "rcs";
  set.body = "servicer";
  const Vec3<double> e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k)
    for (double side : {1.0, -1.0})
      for (double turn : {1.0, -1.0})
        set.thruster.push_back({side * e[(k + 1) % 3], (side * turn) * e[(k + 2) % 3], 5.0});
  s.add_force(set);
  AttitudeControl<double> attitude;
  attitude.name = "pointing";
  attitude.body = "servicer";
  attitude.thrusters = "rcs";
  attitude.K = 0.5;
  attitude.P = 2;
  attitude.Ki = 0.1;
  s.add_control(attitude);
  JointPd<double> drive;
  drive.name = "drive";
  drive.joints = {"tug.arm.link1", "tug.arm.link2"};
  drive.reference.resize(2);
  drive.stiffness = 2;
  drive.damping = 1;
  s.add_control(drive);
  return s;
}

std::vector<double> busy_state(const System<double>& system) {
  std::vector<double> x = find_initial_state(system);
  const Layout at = system.layout();
  for (int i = at.z; i < at.orbit; ++i) x[static_cast<std::size_t>(i)] = 0.01 * (i - at.z + 1);
  return x;
}

Mated::Mated(unsigned seed, int craft, bool on_parts) {
  Random random(seed);
  std::vector<CraftBodies> bodies;
  for (int i = 0; i < craft; ++i)
    bodies.push_back(add_random_craft(exact, "craft" + std::to_string(i), {2.0 * i, 0, 0}, random));
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const int from = on_parts ? bodies[i - 1].tip : bodies[i - 1].hub;
    // Either port may be the one whose hub is welded.
    const bool reversed = on_parts && i % 2 == 1;
    exact
        .add_dock(random_dock<Rigid<double>>(reversed ? bodies[i].hub : from,
                                             reversed ? from : bodies[i].hub, {}, random))
        .name = "dock" + std::to_string(i);
  }
  mate_at_start(exact, 0, 0, random);
  x = find_initial_state(exact);
  Workspace<double> w(exact);
  Mode<double> mode = open_mode(w);
  stop_rates(exact, 0.0, x, mode, w);
}

Evaluated::Evaluated(const System<double>& system, std::vector<double> state)
    : w(system), mode(open_mode(w)), x(std::move(state)), x_dot(x.size()) {
  choice = choose_rows(system, 0.0, x, mode, w);
  find_derivative<double>(system, 0.0, x, mode, w, x_dot);
  effort_stage(system, w);  // once more, for those who leave loads until somebody asks
  acceleration_stage<double>(system, mode, w, w.v_dot);
  find_fused_loads(system, w);
}
std::span<const double> Evaluated::v_dot() const {
  return std::span(x_dot).subspan(static_cast<std::size_t>(w.layout.v),
                                  static_cast<std::size_t>(w.layout.z - w.layout.v));
}

double lever_times_force(const DockMotion<double>& m) {
  return norm(m.wrench.force) * (1 + std::max(norm(m.lever_1), norm(m.lever_2))) +
         norm(m.wrench.torque);
}

}  // namespace berth::test
