// SPDX-License-Identifier: Apache-2.0
#include "berth/live/identification.h"

#include <cmath>

#include <fmt/format.h>

#include "berth/analysis/contact_loop.h"
#include "berth/system/contacts.h"

namespace berth {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Where the contact is to be pressed: the state, the body that is moved and which way is in.
struct Place {
  ContactState state;
  int q = 0, v = 0;  // of the moved hub in the state
  Vec3<double> in_N;
};

std::optional<Place> find_place(const Scenario& closed, const BuiltScenario& built, std::size_t k,
                                Problems& problems) {
  Place out;
  out.state = find_contact_state(closed, built, k, problems);
  if (!problems.empty()) return std::nullopt;
  const System<double>& system = built.system;
  const Layout layout = system.layout();
  const Contact<double>& c = system.contacts[k];
  const Body<double>& hub = system.model.body(system.model.root_of(c.port_1.body));
  if (hub.joint != JointType::free) {
    problems.add("contact." + c.name, "the craft of its probe is not free: it cannot be moved");
    return std::nullopt;
  }
  Motion<double> motion;
  motion.bodies.resize(system.model.bodies.size());
  const std::span<const double> x(out.state.x);
  find_motion<double>(system.model, x.first(at(layout.v)),
                      x.subspan(at(layout.v), at(layout.z - layout.v)), motion);
  const ContactMotion<double> m =
      find_contact_motion(c, motion, x.data() + layout.contacts + c.first_state, Grip{true, false});
  out.in_N = m.n_N;
  out.q = hub.q, out.v = layout.v + hub.v;
  return out;
}

}  // namespace

IdentifiedLoop identify_facility(const LiveSetup& setup, LiveSource& source,
                                 const std::function<void(double t, double end)>& progress,
                                 Problems& problems) {
  IdentifiedLoop out;
  const Scenario& s = setup.scenario;
  const External<double>& e = setup.served();
  const auto given = find_given_contact(s, e);
  if (!given) {
    problems.add("external." + e.name + ".commands", "none is the force of a contact");
    return out;
  }
  out.contact = s.contact[*given].name;
  // Flown without the facility until it touches.
  const Scenario closed = close_loop(s, out.contact, {});
  const BuiltScenario built = build_scenario(closed, problems);
  if (!problems.empty()) return out;
  std::size_t k = 0;
  while (built.system.contacts[k].report_name() != out.contact) ++k;
  const auto place = find_place(closed, built, k, problems);
  if (!place) return out;

  // Deep enough that a quarter of what the command may be is reached, at most.
  const ExternalCommand<double>* touch = nullptr;
  for (const ExternalCommand<double>& c :
       std::get<std::vector<External<double>>>(setup.built.system.controls)[setup.external]
           .commands)
    if (c.as == CommandKind::contact) touch = &c;
  const double stiffness = find_law_stiffness(built.system.contacts[k]);
  const double limit = touch->limit > 0 ? touch->limit : 40;
  LoopStimulusOptions how;
  how.sample_time = e.sample_time;
  out.preload = 0.25 * limit;
  how.depth = std::min(out.preload / stiffness, 0.02);
  out.preload = how.depth * stiffness;
  how.clearance = 0;
  if (const auto* law = std::get_if<SpringDashpot<double>>(&built.system.contacts[k].law))
    how.damping_time = law->damping / law->stiffness;
  const LoopStimulus stimulus(how);
  out.duration = stimulus.duration();

  HybridRun run(setup.built.system, setup.built.options);
  const Channels& channels = run.channels();
  std::vector<int> places;
  for (const std::string& name : e.measures) {
    if (const Channel* c = channels.find(name)) {
      for (int i = 0; i < c->width; ++i) places.push_back(c->first + i);
    } else if (const auto number = channels.find_number(name)) {
      places.push_back(number->place);
    }
  }
  const auto ticks = static_cast<std::size_t>(out.duration / e.sample_time) + 1;
  std::vector<double> row(static_cast<std::size_t>(channels.width())), measured(places.size());
  std::vector<double> commands(setup.layout.command_count());
  std::vector<double> u(ticks), u_rate(ticks), force(ticks, NAN), x(place->state.x);
  x.resize(run.x().size());
  // Of the answer in hand; attitudes do not change.
  const auto find_normal_force = [&] {
    const Workspace<double>& w = run.observe(0, x);
    const Instant<double> now{run.system().model, w.motion, w.command, w.readings.data()};
    std::get<std::vector<External<double>>>(run.system().controls)[setup.external].turn(
        now, commands.data());
    const double* f = commands.data() + touch->first;
    return dot(place->in_N, Vec3<double>{f[0], f[1], f[2]});
  };
  std::size_t collected = 0;
  for (std::size_t i = 0; i < ticks; ++i) {
    const double t = static_cast<double>(i) * e.sample_time;
    const LoopStimulus::Point p = stimulus.at(t);
    u[i] = p.u, u_rate[i] = p.u_rate;
    for (int a = 0; a < 3; ++a) {
      x[at(place->q + a)] = place->state.x[at(place->q + a)] + p.u * place->in_N[a];
      x[at(place->v + a)] = p.u_rate * place->in_N[a];
    }
    run.fill_row(0, x, row);
    for (std::size_t j = 0; j < places.size(); ++j) measured[j] = row[at(places[j])];
    source.ask(i, t, measured, commands);
    // Those whose time comes before the next tick.
    const bool is_last = i + 1 == ticks;
    for (; collected <= i; ++collected) {
      const double acts = static_cast<double>(collected) * e.sample_time + e.latency;
      if (!is_last && acts > t + (1 - 1e-9) * e.sample_time) break;
      if (source.collect(collected, acts, commands)) force[collected] = find_normal_force();
    }
    if (progress) progress(t, out.duration);
  }
  const auto first = static_cast<std::size_t>(stimulus.measured_from() / e.sample_time);
  out.found = identify_loop({e.sample_time, u, u_rate, force, first});
  if (!out.found.found()) return out;
  out.block = *find_loop_block(s, out.contact);
  const bool at_arrival = setup.live.apply == Apply::arrival;
  out.block.delay = (at_arrival ? e.sample_time : e.latency) + out.found.delay.value;
  out.block.jitter = 0;
  out.block.robot_frequency = out.found.robot_frequency.value;
  out.block.robot_damping = out.found.robot_damping.value;
  out.block.filter_time = out.found.filter_time.value;
  out.block.stiffness = out.found.stiffness.value;
  out.block.damping = std::max(out.found.damping.value, 0.0);
  return out;
}

std::string describe(const IdentifiedLoop& loop) {
  const LoopIdentification& f = loop.found;
  if (!f.found()) return fmt::format("not identified: {}\n", f.fault);
  std::string out =
      fmt::format("{} answers, {} missing; {:.4g} % of the force explained, {:.3g} N left\n",
                  f.samples, f.missing, 100 * f.explained, f.residual_rms);
  const auto line = [&](const char* name, const LoopEstimate& e, double scale, const char* unit) {
    out += fmt::format("  {:<22} {:.6g} ± {:.2g} {}\n", name, scale * e.value, scale * e.deviation,
                       unit);
  };
  line("dead time", f.delay, 1e3, "ms");
  if (f.has_lag()) {
    line("robot frequency", f.robot_frequency, 1, "rad/s");
    line("robot damping", f.robot_damping, 1, "of critical");
  }
  if (f.has_filter()) line("filter time", f.filter_time, 1e3, "ms");
  line("all together", f.total_delay, 1e3, "ms");
  line("stiffness", f.stiffness, 1, "N/m");
  line("damping", f.damping, 1, "N·s/m");
  out += fmt::format(
      "  delay of the loop      {:.6g} ms, the time after which answers act counted in\n",
      1e3 * loop.block.delay);
  for (const std::string& note : f.notes) out += "  note: " + note + "\n";
  return out;
}

}  // namespace berth
