// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/contact_loop.h"

#include <cmath>

#include <fmt/format.h>

#include "berth/scalar/elementary.h"
#include "berth/system/contacts.h"
#include "berth/system/docks.h"
#include "berth/system/lift_system.h"
#include "berth/system/linearised.h"

namespace berth {
namespace {

using Index = Eigen::Index;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Keeps the state at the first touch of a contact, and ends the run.
struct UntilTouch : Observer {
  std::string name;
  std::optional<std::vector<double>> x;
  double t = 0;
  Vec3<double> slip_N;
  std::size_t contact;
  UntilTouch(std::string contact_name, std::size_t k) : name(std::move(contact_name)), contact(k) {}
  bool step(HybridRun&) override { return !x; }
  void event(HybridRun& run, const EventRecord& what) override {
    if (x || what.kind != "contact_on" || what.name != name) return;
    x.emplace(run.x().begin(), run.x().end());
    t = what.t;
    slip_N = run.observe().contacts[contact].slip_N;
  }
};

// Motion and one contact at a state.
struct Evaluation {
  Motion<double> motion;
  ContactMotion<double> contact;
};
Evaluation evaluate_contact(const System<double>& system, std::span<const double> x, std::size_t k,
                            bool touching) {
  const Layout layout = system.layout();
  Evaluation out;
  out.motion.bodies.resize(system.model.bodies.size());
  find_motion<double>(system.model, x.first(at(layout.v)),
                      x.subspan(at(layout.v), at(layout.z - layout.v)), out.motion);
  Grip grip;
  grip.touching = touching;
  const Contact<double>& c = system.contacts[k];
  out.contact =
      find_contact_motion(c, out.motion, x.data() + layout.contacts + c.first_state, grip);
  return out;
}

// Moves the craft of the probe, or else the one of the surface, by a vector in N. False: neither is
// free to go.
bool shift_probe(const System<double>& system, std::vector<double>& x, std::size_t k,
                 const Vec3<double>& by_N) {
  const Contact<double>& c = system.contacts[k];
  double sign = 1;
  for (int body : {c.port_1.body, c.port_2.body}) {
    const int root = body == kGround ? kGround : system.model.root_of(body);
    if (root != kGround && system.model.body(root).joint == JointType::free) {
      for (int i = 0; i < 3; ++i) x[at(system.model.body(root).q + i)] += sign * by_N[i];
      return true;
    }
    sign = -1;
  }
  return false;
}

// How deep the probe is under a load, at rest.
double find_depth(const Contact<double>& c, const Penetration<double>& in, double load) {
  if (!(load > 0)) return 0;
  const auto force = [&](double depth) {
    Penetration<double> p = in;
    p.depth = depth;
    p.rate = 0;
    return -std::visit([&](const auto& law) { return law.find_force(p); }, c.law);
  };
  double high = 1e-9;
  while (force(high) < load && high < 1e3) high *= 2;
  double low = 0;
  for (int i = 0; i < 200 && high - low > 1e-17; ++i) {
    const double middle = 0.5 * (low + high);
    (force(middle) < load ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Everything at rest but rotors; lag and filter where they would come to stand.
void bring_to_rest(const System<double>& system, std::vector<double>& x, std::size_t k) {
  const Layout layout = system.layout();
  for (const Body<double>& b : system.model.bodies)
    if (!b.spins)
      for (int i = 0; i < shape(b.hub ? JointType::free : b.joint).speeds; ++i)
        x[at(layout.v + b.v + i)] = 0;
  const Contact<double>& c = system.contacts[k];
  double* states = x.data() + layout.contacts + c.first_state;
  std::fill_n(states, c.state_count(), 0.0);
  if (c.has_lag()) {
    const Vec3<double> p = evaluate_contact(system, x, k, true).contact.centre_S;
    states[2] = p.x, states[3] = p.y, states[4] = p.z;
  }
  if (c.has_filter()) {
    const ContactSignal<double> s = evaluate_contact(system, x, k, true).contact.raw;
    double* f = x.data() + layout.contacts + c.filter_state();
    f[0] = s.normal;
    for (int i = 0; i < 3; ++i) f[1 + i] = s.normal_N[i], f[4 + i] = s.friction_N[i];
  }
}

// Directions of a cone's wall at a point, axes of its port.
struct Wall {
  Vec3<double> along, around;   // m̂, t̂
  double distance, radius_sin;  // m*, m* sin θ
};
std::optional<Wall> find_wall(const Contact<double>& c, const Vec3<double>& p) {
  const auto* cone = std::get_if<Cone<double>>(&c.surface);
  const double rho = hypot(p.y, p.z);
  if (!cone || !(rho > 1e-12)) return std::nullopt;
  const auto [sin, cos] = sin_cos(cone->half_angle);
  const Vec3<double> out{0, p.y / rho, p.z / rho};
  const double m = p.x * cos + rho * sin;
  return Wall{{cos, sin * out.y, sin * out.z}, {0, out.z, -out.y}, m, m * sin};
}

// Coordinates, speeds and other states of (1) as places in x.
struct Unknowns {
  int speeds;
  std::vector<int> others;
  Index size() const { return 2 * speeds + static_cast<Index>(others.size()); }
};
Unknowns list_unknowns(const System<double>& system) {
  const Layout layout = system.layout();
  Unknowns out{layout.z - layout.v, {}};
  for (int i = layout.z; i < layout.contacts; ++i) out.others.push_back(i);
  for (const Contact<double>& c : system.contacts)
    for (int i = c.lag_state(); i < c.slip_state(); ++i)  // it slides: slip stands still
      out.others.push_back(layout.contacts + i);
  return out;
}

// Nothing pushes from outside and nothing stands on the ground: everything may drift together. The
// field of an orbit is left out of the loop, see linearise_contact().
bool is_free(const System<double>& system) {
  if (!std::get<std::vector<UniformGravity<double>>>(system.forces).empty()) return false;
  for (std::size_t i = 1; i < system.model.bodies.size(); ++i) {
    const Body<double>& b = system.model.bodies[i];
    if (b.parent == kGround && b.joint != JointType::free) return false;
  }
  for (const Contact<double>& c : system.contacts)
    if (c.port_1.body == kGround || c.port_2.body == kGround) return false;
  for (const Dock<double>& d : system.docks)
    if (d.port_1.body == kGround || d.port_2.body == kGround) return false;
  return true;
}

}  // namespace

ContactState find_contact_state(const Scenario& scenario, const BuiltScenario& built, std::size_t k,
                                Problems& problems) {
  const System<double>& system = built.system;
  const Contact<double>& c = system.contacts[k];
  const StabilitySpec& s = scenario.stability;
  ContactState out;
  if (c.is_impact()) {
    problems.add("contact." + c.name + ".law",
                 "an impact has no stiffness: there is nothing to linearise");
    return out;
  }
  if (s.contact_distance > 0) {
    const auto* cone = std::get_if<Cone<double>>(&c.surface);
    if (!cone) {
      problems.add("stability.contact_distance", "is along the wall of a cone; this is none");
      return out;
    }
    out.x = find_initial_state(system);
    bring_to_rest(system, out.x, k);
    const auto [sin, cos] = sin_cos(cone->half_angle);
    const SinCos<double> azimuth = sin_cos(s.azimuth);
    const double rho = s.contact_distance * sin;
    const Vec3<double> wanted_S{s.contact_distance * cos, -rho * azimuth.sin, rho * azimuth.cos};
    // The point of the probe that touches there: a ball touches beside its centre.
    for (int i = 0; i < 3; ++i) {
      const Evaluation now = evaluate_contact(system, out.x, k, true);
      const Vec3<double> n_S{-sin, -cos * azimuth.sin, cos * azimuth.cos};
      const Vec3<double> centre_S = wanted_S - find_radius(c) * n_S;
      if (!shift_probe(system, out.x, k, now.contact.R_NS * (centre_S - now.contact.centre_S))) {
        problems.add("stability.contact_distance",
                     "neither craft is free: the probe cannot be put there");
        return out;
      }
    }
  } else {
    HybridRun run(system, built.options);
    run.set_events(built.events);
    UntilTouch until(c.name, k);
    run.advance(scenario.time.stop, &until);
    if (!until.x) {
      problems.add("contact." + c.name,
                   fmt::format("does not touch within {} s; say where with [stability] "
                               "contact_distance",
                               scenario.time.stop));
      return out;
    }
    out.x = *until.x;
    out.t = until.t;
    out.slip_N = norm(until.slip_N) > 0 ? normalised(until.slip_N) : Vec3<double>{};
    bring_to_rest(system, out.x, k);
  }
  const Evaluation now = evaluate_contact(system, out.x, k, true);
  const double depth = find_depth(c, now.contact.in, s.preload);
  if (!shift_probe(system, out.x, k, (depth + now.contact.gap) * now.contact.n_N)) {
    problems.add("contact." + c.name, "neither craft is free: the gap cannot be closed");
    return out;
  }
  bring_to_rest(system, out.x, k);
  const Evaluation there = evaluate_contact(system, out.x, k, true);
  const BodyMotion<double>& b2 = there.motion.body(c.port_2.body);
  out.point_T = transposed_times(b2.R_NB, there.contact.lever_2 - b2.r_CB_N);
  return out;
}

ContactLoop linearise_contact(const System<double>& system, const ContactState& state,
                              std::size_t k) {
  // A contact whose force comes from elsewhere, whatever its own delay is.
  System<double> late = system;
  late.contacts[k].delay = 1;
  late.contacts[k].sample_time = 0;
  // The field of an orbit is left out. Its roots, of the size n = √(μ/R³) of the orbital rate and
  // partly growing (two bodies at rest in a non-rotating frame fall apart), are there without the
  // contact too; to the contact's own, of frequency ω, it does (n/ω)².
  for (OrbitalGravity<double>& g : std::get<std::vector<OrbitalGravity<double>>>(late.forces))
    g.mu = 0;
  const Contact<double>& c = late.contacts[k];
  const Evaluation here = evaluate_contact(late, state.x, k, true);
  const ContactSignal<double>& f = here.contact.signal;

  const System<Dual> dual = lift_system<Dual>(late);
  Workspace<Dual> w(dual);
  Workspace<double> scratch(late);
  Mode<double> plain = idle_mode(scratch);
  plain.contacts[k].now.touching = true;
  choose_rows(late, 0.0, state.x, plain, scratch);
  const Mode<Dual> mode = lift_mode<Dual>(plain);
  const ContactSignal<Dual> fed{Dual(f.normal), lift_vector<Dual>(f.normal_N),
                                lift_vector<Dual>(f.friction_N)};

  const Layout layout = late.layout();
  const Unknowns unknowns = list_unknowns(late);
  const Index n = unknowns.size(), nv = unknowns.speeds;
  ContactLoop out;
  DelayLoop& loop = out.loop;
  loop.delay = system.contacts[k].delay;
  loop.A = Eigen::MatrixXd::Zero(n, n);
  loop.B = Eigen::MatrixXd::Zero(n, 7);
  loop.C = Eigen::MatrixXd::Zero(7, n);
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(3, nv);  // of the probe's place in the surface's axes

  const std::vector<Dual> rest(state.x.begin(), state.x.end());
  std::vector<Dual> x_dot(rest.size());
  const auto find = [&](const std::vector<Dual>& x, auto&& column) {
    find_derivative<Dual>(dual, 0.0, x, mode, w, x_dot);
    for (Index i = 0; i < nv; ++i)
      column(nv + i) = slope(x_dot[at(layout.v) + static_cast<std::size_t>(i)], 0);
    for (std::size_t i = 0; i < unknowns.others.size(); ++i)
      column(2 * nv + static_cast<Index>(i)) = slope(x_dot[at(unknowns.others[i])], 0);
  };
  const auto read_signal = [&](Index j) {
    const ContactSignal<Dual>& s = w.contacts[k].signal;
    loop.C(0, j) = slope(s.normal, 0);
    for (int i = 0; i < 3; ++i) {
      loop.C(1 + i, j) = slope(s.normal_N[i], 0);
      loop.C(4 + i, j) = slope(s.friction_N[i], 0);
    }
  };
  w.arriving[k] = fed;
  std::vector<Dual> unit(static_cast<std::size_t>(nv)), rate(at(layout.v));
  for (Index j = 0; j < n; ++j) {
    std::vector<Dual> x = rest;
    if (j < nv) {
      // A small motion: the coordinates it would change in unit time.
      std::fill(unit.begin(), unit.end(), Dual(0.0));
      unit[static_cast<std::size_t>(j)] = 1.0;
      find_rates<Dual>(dual.model, std::span<const Dual>(rest).first(at(layout.v)), unit, rate);
      for (std::size_t i = 0; i < rate.size(); ++i) set_slope(x[i], 0, value(rate[i]));
    } else if (j < 2 * nv) {
      set_slope(x[at(layout.v) + static_cast<std::size_t>(j - nv)], 0, 1.0);
      loop.A(j - nv, j) = 1;
    } else {
      set_slope(x[at(unknowns.others[static_cast<std::size_t>(j - 2 * nv)])], 0, 1.0);
    }
    find(x, loop.A.col(j));
    if (j >= nv && j < 2 * nv) loop.A(j - nv, j) = 1;
    read_signal(j);
    for (int i = 0; j < nv && i < 3; ++i) P(i, j) = slope(w.contacts[k].centre_S[i], 0);
  }
  for (int j = 0; j < 7; ++j) {
    ContactSignal<Dual> moved = fed;
    Dual& one = j == 0 ? moved.normal : j < 4 ? moved.normal_N[j - 1] : moved.friction_N[j - 4];
    set_slope(one, 0, 1.0);
    w.arriving[k] = moved;
    find(rest, loop.B.col(j));
  }

  // Sliding friction keeps the direction it had.
  const double mu =
      std::visit([](const auto& friction) { return friction.find_coefficient(); }, c.friction);
  for (int i = 0; i < 3 && mu > 0; ++i) loop.C.row(4 + i) = mu * state.slip_N[i] * loop.C.row(0);

  // What rounding leaves of sums that vanish couples nothing.
  for (Eigen::MatrixXd* m : {&loop.A, &loop.B, &loop.C}) {
    const double nothing = 1e-14 * m->cwiseAbs().maxCoeff();
    *m = (m->array().abs() < nothing).select(0.0, *m);
  }

  // The law there, and what a unit of its force does.
  Penetration<Dual> in{Dual(here.contact.in.depth), Dual(0.0),
                       lift_vector<Dual>(here.contact.in.n_P1)};
  set_slope(in.depth, 0, 1.0);
  set_slope(in.rate, 1, 1.0);
  const Dual force =
      std::visit([&](const auto& law) { return law.find_force(in); }, dual.contacts[k].law);
  out.stiffness = -slope(force, 0);
  out.damping = -slope(force, 1);
  Eigen::VectorXd push = c.along_normal ? Eigen::VectorXd(loop.B.col(0)) : Eigen::VectorXd::Zero(n);
  for (int i = 0; i < 3 && !c.along_normal; ++i)
    push += here.contact.n_N[i] * loop.B.col(1 + i) + mu * state.slip_N[i] * loop.B.col(4 + i);
  const Eigen::Vector3d response = P * push.segment(nv, nv);
  const auto along = [&](const Vec3<double>& u) {
    return u.x * response(0) + u.y * response(1) + u.z * response(2);
  };
  const auto gain = [&](double inverse_mass) {
    return LoopGain{out.stiffness * inverse_mass + 0.0, out.damping * inverse_mass + 0.0};  // no −0
  };
  const double inverse = along(here.contact.n_S);
  out.mass = 1 / inverse;
  out.normal = gain(inverse);
  if (const auto wall = find_wall(c, here.contact.centre_S)) {
    out.radial = gain(along(wall->along));
    out.tangential = gain(along(wall->around) / -wall->radius_sin);
  }
  out.translations = is_free(late) ? 6 : 0;
  return out;
}

}  // namespace berth
