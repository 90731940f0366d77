// SPDX-License-Identifier: Apache-2.0
#include "tests/support/traced.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "berth/scalar/trace.h"
#include "berth/system/channels.h"
#include "berth/system/contacts.h"
#include "berth/system/docks.h"
#include "berth/system/jumps.h"
#include "berth/system/lift_system.h"
#include "tests/support/numbers.h"
#include "tests/support/random.h"

namespace berth::test {
namespace {

// f(number) for every number of a situation, in the order of the inputs.
template <class T>
void for_each_number(T& t, std::span<T> x, Mode<T>& mode, std::span<ContactSignal<T>> arriving,
                     auto&& f) {
  const auto vector = [&](Vec3<T>& v) { f(v.x), f(v.y), f(v.z); };
  const auto signal = [&](ContactSignal<T>& s) {
    f(s.normal);
    vector(s.normal_N);
    vector(s.friction_N);
  };
  f(t);
  for (T& y : x) f(y);
  for (T& y : mode.held) f(y);
  for (T& y : mode.levels) f(y);
  for (ContactMode<T>& c : mode.contacts) signal(c.held), vector(c.heading), vector(c.torque);
  for (ContactSignal<T>& s : arriving) signal(s);
}

void for_each_number(Situation& at, auto&& f) {
  for_each_number<double>(at.t, at.x, at.mode, at.arriving, f);
}

template <Scalar T>
std::vector<T> find(const System<double>& original, const System<T>& system, const T& t,
                    std::span<const T> x, const Mode<T>& mode, Workspace<T>& w, What what) {
  if (what == What::derivative) {
    std::vector<T> x_dot(x.size());
    find_derivative<T>(system, t, x, mode, w, x_dot);
    return x_dot;
  }
  motion_stage<T>(system, t, x, mode, w);
  if (what == What::projection || what == What::joining) {
    std::vector<T> to(x.begin(), x.end());
    factor_rows<T>(system, mode, w);
    if (what == What::projection) {
      pull_positions<T>(system, t, to, mode, w, 1);
      pull_rates<T>(system, to, mode, w);
      return to;
    }
    // As latch does, and release of the first hub.
    const auto at = static_cast<std::size_t>(w.layout.v),
               end = static_cast<std::size_t>(w.layout.z);
    const std::span<T> q = std::span(to).first(at), v = std::span(to).subspan(at, end - at);
    const Group<T> group = find_group<T>(system, mode, 0, w.motion);
    pull_positions<T>(system, t, to, mode, w, kNewtonSteps);
    std::vector<Wrench<T>> impulses(system.docks.size());
    stop_rows<T>(system, t, to, mode, w, impulses);
    restore_momentum<T>(system, mode, 0, group, w.motion, q, v);
    motion_stage<T>(system, t, to, mode, w);
    for (const int hub : group.hubs) write_hub<T>(system.model, hub, w.motion, q, v);
    for (const Wrench<T>& i : impulses)
      for (const Vec3<T>& part : {i.force, i.torque})
        for (int k = 0; k < 3; ++k) to.push_back(part[k]);
    return to;
  }
  command_stage<T>(system, x, mode, w);
  effort_stage<T>(system, w);
  acceleration_stage<T>(system, mode, w, w.v_dot);
  find_observed_loads<T>(system, mode, w);
  if (what == What::margins) {
    std::vector<T> out;
    for (std::size_t k = 0; k < system.contacts.size(); ++k) {
      const ContactMotion<T>& m = w.contacts[k];
      out.push_back(m.in.depth);
      out.push_back(find_press_margin<T>(system.contacts[k], m));
      for (const bool sticking : {false, true})
        out.push_back(find_stick_margin<T>(system.contacts[k], m, {true, sticking}));
    }
    return out;
  }
  std::vector<T> row(static_cast<std::size_t>(Channels(original).width()));
  ChannelWriter<T> writer{row.data()};
  for (const Owner& owner : list_owners(original)) walk_owner(owner, system, x, w, writer);
  return row;
}

}  // namespace

Situation starting_situation(const System<double>& system, double t) {
  const Workspace<double> w(system);
  Situation at;
  at.t = t;
  at.x = find_initial_state(system);
  for (int i = w.layout.z; i < w.layout.orbit; ++i)
    at.x[static_cast<std::size_t>(i)] += 0.01 * (i - w.layout.z + 1);
  at.mode = idle_mode(w);
  at.mode.t_from = t;
  for (std::size_t i = 0; i < at.mode.levels.size(); i += 2) at.mode.levels[i] = 1.0;
  at.arriving = w.arriving;
  return at;
}

Traced trace(const System<double>& system, const Situation& at, What what) {
  const auto start = std::chrono::steady_clock::now();
  const System<Trace> lifted = lift_system<Trace>(system);
  Mode<Trace> mode = lift_mode<Trace>(at.mode);
  Workspace<Trace> w(lifted);
  Trace t;
  std::vector<Trace> x(at.x.size());
  Tape tape;
  for_each_number<Trace>(t, x, mode, w.arriving, [&](Trace& y) { y = tape.input(); });
  const std::vector<Trace> found = find<Trace>(system, lifted, t, x, mode, w, what);
  Traced out{tape.finish(found), tape.operations(), 0};
  out.time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

std::vector<double> find_inputs(const Situation& at) {
  std::vector<double> in;
  Situation copy = at;
  for_each_number(copy, [&](double& y) { in.push_back(y); });
  return in;
}

std::vector<double> find_in_double(const System<double>& system, const Situation& at, What what) {
  Workspace<double> w(system);
  w.arriving = at.arriving;
  return find<double>(system, system, at.t, at.x, at.mode, w, what);
}

std::string find_traced_difference(const System<double>& system, const Situation& at, What what,
                                   int states) {
  const Graph graph = trace(system, at, what).graph;
  const auto compare = [&](const Situation& here, const std::string& where) -> std::string {
    const std::vector<double> wanted = find_in_double(system, here, what);
    std::vector<double> got(wanted.size());
    interpret(graph, find_inputs(here), got);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!are_same(wanted[i], got[i]))
        return fmt::format("{}: number {} of {} is {:.17g}, traced {:.17g}", where, i,
                           wanted.size(), wanted[i], got[i]);
    return "";
  };

  if (std::string text = compare(at, "as given"); !text.empty()) return text;
  Random random(1);
  for (int k = 0; k < states; ++k) {
    Situation here = at;
    const double size = std::pow(10.0, -(k % 4));
    for_each_number(here,
                    [&](double& y) { y += size * (1 + std::fabs(y)) * random.number(-1, 1); });
    here.t = at.t + std::fabs(here.t - at.t);
    if (std::string text = compare(here, fmt::format("random state {}", k)); !text.empty())
      return text;
    // Zeros of either sign among them.
    for_each_number(here, [&](double& y) {
      const double chance = random.number(0, 1);
      if (chance < 0.5) y = chance < 0.1 ? -0.0 : 0.0;
    });
    if (std::string text = compare(here, fmt::format("zeros {}", k)); !text.empty()) return text;
  }
  // At rest, and nothing at all.
  const Layout layout = system.layout();
  Situation still = at;
  std::fill(still.x.begin() + layout.v, still.x.begin() + layout.orbit, 0.0);
  if (std::string text = compare(still, "at rest"); !text.empty()) return text;
  for_each_number(still, [](double& y) { y = 0.0; });
  return compare(still, "all zero");
}

}  // namespace berth::test
