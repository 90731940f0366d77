// SPDX-License-Identifier: Apache-2.0
#include "berth/run/identity.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/run/visit_state.h"
#include "berth/version.h"

namespace berth {

// What a scenario fixes, for the digest alone.
void visit_state(auto& a, Is<Body<double>> auto& b) {
  // What is carried follows from the rest.
  auto& [parent, joint, spins, motor, particle, leaf, carries, hub, q, v, R_PF, r_FP_P, axis_F,
         axis_P, R_PF_a, R_PF_aa, mass, r_CB_B, I_C_B, carried] = b;
  a.choice(joint, JointType::spherical);
  a(parent, spins, motor, particle, leaf, hub, q, v, R_PF, r_FP_P, axis_F, axis_P, R_PF_a, R_PF_aa,
    mass, r_CB_B, I_C_B);
}
void visit_state(auto& a, Is<Port<double>> auto& p) {
  auto& [body, r_PB_B, R_BP] = p;
  a(body, r_PB_B, R_BP);
}
void visit_state(auto& a, Is<RowGains<double>> auto& g) {
  auto& [stiffness, damping, integral] = g;
  a(stiffness, damping, integral);
}
void visit_state(auto& a, Is<Dock<double>> auto& d) {
  // No structured binding: the ports are members of its base.
  a.choice(d.enforce, Enforce::fused);
  a(d.name, d.port_1, d.port_2, d.constraint, d.arm, d.R_12, d.loop, d.engaged, d.projected,
    d.integrates, d.alpha, d.beta, d.force_gains, d.torque_gains, d.reduced_mass, d.reduced_inertia,
    d.gap, d.gap_angle, d.warm, d.first_state, d.integral_0);
}
void visit_state(auto& a, Is<Contact<double>> auto& c) {
  auto& [name, owner, corner, port_1, port_2, probe, surface, law, friction, compensation, adhesive,
         bilateral, along_normal, delay, sample_time, jitter, seed, robot_frequency, robot_damping,
         filter_time, first_state, external, given_period, given_latency, biased, bias] = c;
  a(name, owner, corner, port_1, port_2, probe, surface, law, friction, compensation, adhesive,
    bilateral, along_normal, delay, sample_time, jitter, seed, robot_frequency, robot_damping,
    filter_time, first_state, external, given_period, given_latency);
}
void visit_state(auto& a, Is<Event> auto& e) {
  auto& [name, at, after, unless, hit, delay, when, on_false, at_once, hold, repeat, commanded,
         may_wait, follows_best, reported, reported_places, where, actions] = e;
  a(name, at, after, unless, hit, delay, when, on_false, at_once, hold, repeat, commanded, may_wait,
    follows_best, reported, reported_places, actions);
}

namespace {

constexpr std::size_t kLongestBrief = 200;

template <class... Values>
Topic topic(std::string name, std::string brief, const Values&... values) {
  if (brief.empty()) brief = "none";
  if (brief.size() > kLongestBrief) brief = brief.substr(0, kLongestBrief) + " …";
  Digest digest;
  digest(values...);
  return {std::move(name), std::move(brief), digest.value()};
}

// "a, b, c"
template <class List, class Name>
std::string join(const List& list, Name&& name) {
  std::string out;
  for (const auto& item : list) {
    if (!out.empty()) out += ", ";
    out += name(item);
  }
  return out;
}

}  // namespace

Identity find_identity(const System<double>& system, const RunOptions& options) {
  const IntegratorOptions& i = options.integrator;
  const std::vector<double> x = find_initial_state(system);
  const std::string version_text = version;
  std::vector<std::string> component_names, part_names;
  std::vector<char> enabled;
  for (const auto& [body, place] : system.places) component_names.push_back(place.name);
  for_each_named_part(system, [&](const auto& part) {
    part_names.push_back(part.name);
    enabled.push_back(part.enabled ? 1 : 0);
  });
  const auto digest_of = [](const auto&... stores) {
    Digest all;
    (for_each_part(stores, [&](const auto& part) { all(part); }), ...);
    return all.value();
  };
  const std::uint64_t components = digest_of(system.components),
                      parts = digest_of(system.controls, system.forces);
  const auto name_of = [](const auto& part) { return part.name; };
  const auto same = [](const std::string& name) { return name; };
  Identity out;
  out.push_back(topic("program", "berth " + version_text, version_text));
  out.push_back(topic("integrator", fmt::format("{}, tolerance {}", options.method, i.tolerance),
                      options.method, i.tolerance, i.mean_error, i.step, i.max_step, i.min_step,
                      i.first_step, options.recentre_beyond, options.follow_peaks));
  out.push_back(topic("bodies", join(std::span(system.model.names).subspan(1), same),
                      system.model.bodies, system.model.names));
  out.push_back(topic("components", join(component_names, same), component_names, components));
  out.push_back(topic("initial state", fmt::format("{} numbers", x.size()), x));
  out.push_back(topic("docks",
                      join(system.docks,
                           [](const Dock<double>& d) {
                             return fmt::format("{} ({}, {})", d.name, d.type(),
                                                berth::name(d.enforce));
                           }),
                      system.docks));
  out.push_back(topic("contacts", join(system.contacts, name_of), system.contacts));
  out.push_back(
      topic("controllers and forces", join(part_names, same), part_names, enabled, parts));
  return out;
}

Topic find_identity(const std::vector<Event>& events) {
  return topic("events", join(events, [](const Event& e) { return e.name; }), events);
}

std::string find_difference(const Identity& saved, const Identity& here) {
  std::string out;
  const auto add = [&](std::string text) { out += (out.empty() ? "" : "; ") + std::move(text); };
  for (const Topic& h : here) {
    const auto s =
        std::find_if(saved.begin(), saved.end(), [&](const Topic& t) { return t.name == h.name; });
    if (s == saved.end()) {
      add("it says nothing of its " + h.name);
    } else if (s->brief != h.brief) {
      add(fmt::format("other {}: {}; here {}", h.name, s->brief, h.brief));
    } else if (s->digest != h.digest) {
      add(fmt::format("other numbers in its {} ({})", h.name, h.brief));
    }
  }
  return out;
}

}  // namespace berth
