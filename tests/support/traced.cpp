// SPDX-License-Identifier: Apache-2.0
#include "tests/support/traced.h"

#include <bit>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "berth/scalar/trace.h"
#include "berth/system/channels.h"
#include "berth/system/instances/instantiate.h"
#include "berth/system/lift_system.h"
#include "tests/support/random.h"

// Only tests record so far: users of the library do not wait for its compilation.
BERTH_INSTANTIATE_SYSTEM(berth::Trace)

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
  for (ContactMode<T>& c : mode.contacts) signal(c.held), vector(c.heading);
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
  command_stage<T>(system, x, mode, w);
  effort_stage<T>(system, w);
  acceleration_stage<T>(system, mode, w, w.v_dot);
  find_fused_loads<T>(system, w);
  std::vector<T> row(static_cast<std::size_t>(Channels(original).width()));
  ChannelWriter<T> writer{row.data()};
  for (const Owner& owner : list_owners(original)) walk_owner(owner, system, x, w, writer);
  return row;
}

bool are_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
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
