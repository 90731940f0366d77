// SPDX-License-Identifier: Apache-2.0

// Impacts of the driver: blows where probes meet surfaces, rest, and lifting off.
//
// A blow is an event like any other. A bounce slower than the rest speed ends on the surface: a dock
// of its own holds the probe there until it would have to pull.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/run/driver.h"
#include "berth/system/contacts.h"
#include "berth/system/impacts.h"

namespace berth {
namespace {

constexpr double kAtOnce = 1e-9;  // [m] nearer than this several are hit together
// [m] Who begins a step on a surface is hit where it is this deep: what a latch holds there trembles
// less.
constexpr double kSkin = 1e-12;
// [m/s] no bounce below this rises by more than rounding.
constexpr double kSlowest = 1e-6;

}  // namespace

int Driver::rest_of(int contact) const {
  for (std::size_t k = 0; k < system_.docks.size(); ++k)
    if (system_.docks[k].contact == contact) return static_cast<int>(k);
  return -1;
}
bool Driver::is_resting(int contact) const {
  const int dock = rest_of(contact);
  return dock >= 0 && system_.docks[index(dock)].engaged;
}
bool Driver::any_resting() const {
  return std::any_of(system_.docks.begin(), system_.docks.end(),
                     [](const auto& d) { return d.contact >= 0 && d.engaged; });
}

// What presses a resting probe on; after observe(). Below zero the surface would have to pull.
double Driver::find_press(int contact) const {
  return looking_.docks[index(rest_of(contact))].load[0];
}

// Of a short step, by one look at its end: the gaps at its beginning are known from the step before.
// Between two rates of which the first closes and the last opens a gap, it is nowhere smaller than
// where both would meet.
Driver::Pass Driver::find_pass(std::vector<double>& x) {
  Pass pass = Pass::clear;
  const std::size_t n = system_.contacts.size();
  const auto keep = [&] {
    gaps_.resize(n);
    for (std::size_t k = 0; k < n; ++k)
      gaps_[k] = {looking_.contacts[k].gap, looking_.contacts[k].gap_rate};
  };
  if (gaps_.empty()) {
    interpolate(t_previous_, x);
    find_contacts(t_previous_, x);
    keep();
  }
  const std::vector<Gap> before = gaps_;
  look(t_, x_);
  keep();
  for (std::size_t k = 0; k < n; ++k) {
    const Gap &a = before[k], &b = gaps_[k];
    if (!system_.contacts[k].is_impact() || is_resting(static_cast<int>(k)) ||
        !(a.size > kAtOnce && b.size > 0))
      pass = std::max(pass, Pass::at_ends);
    if (!(a.rate < 0 && b.rate > 0 && b.size > 0)) continue;
    const double meet =
        (a.size * b.rate - (b.size - b.rate * (t_ - t_previous_)) * a.rate) / (b.rate - a.rate);
    if (meet <= 0) pass = Pass::inside;
  }
  return pass;
}

// Who left a surface as the step began and is inside at its end was free for part of it, however
// small: until when is found by halving. Before that time nothing is looked for.
void Driver::find_bounces(std::vector<double>& x) {
  constexpr int halvings = 50;
  const std::size_t n = system_.contacts.size();
  free_until_.assign(n, -INFINITY);
  skin_.assign(n, 0.0);
  if (std::none_of(system_.contacts.begin(), system_.contacts.end(),
                   [](const Contact<double>& c) { return c.is_impact(); }))
    return;
  const auto is_watched = [&](std::size_t k) {
    return system_.contacts[k].is_impact() && !is_resting(static_cast<int>(k));
  };
  const auto look_at = [&](double t) {
    interpolate(t, x);
    find_contacts(t, x);
  };
  std::vector<std::size_t> leaving;
  look_at(t_previous_);
  for (std::size_t k = 0; k < n; ++k) {
    if (!is_watched(k)) continue;
    const double gap = looking_.contacts[k].gap;
    if (std::fabs(gap) <= 2 * kSkin) skin_[k] = kSkin;
    if (gap <= kAtOnce) leaving.push_back(k);
  }
  if (leaving.empty()) return;
  look_at(t_);
  std::erase_if(leaving, [&](std::size_t k) { return looking_.contacts[k].gap >= 0; });
  for (const std::size_t k : leaving) {
    double part = 0.5 * (t_ - t_previous_);
    for (int i = 0; i < halvings; ++i, part *= 0.5) {
      look_at(t_previous_ + part);
      if (looking_.contacts[k].gap <= -skin_[k]) continue;
      free_until_[k] = t_previous_ + part;
      break;
    }
  }
}

// At a crossing of one or more gaps: everybody who is there by now.
void Driver::collide() {
  find_contacts(t_, x_);
  std::vector<int> hit;
  std::vector<ImpactPoint> points;
  std::vector<char> was_resting;
  bool sequential = false;
  for (int k = 0; k < static_cast<int>(system_.contacts.size()); ++k) {
    const Contact<double>& c = system_.contacts[index(k)];
    const auto* law = std::get_if<Impact<double>>(&c.law);
    const ContactMotion<double>& m = looking_.contacts[index(k)];
    if (!law || (m.gap > kAtOnce && !is_resting(k))) continue;
    hit.push_back(k);
    was_resting.push_back(is_resting(k));
    points.push_back({c.port_1.body, c.port_2.body, m.lever_1, m.lever_2, -m.n_N, law->restitution,
                      law->friction});
    sequential |= law->simultaneous == "sequential";
  }
  if (hit.empty()) return;
  for (Dock<double>& d : system_.docks)
    if (d.contact >= 0) d.engaged = false;  // who rests may be thrown off
  choose_rows(system_, t_, x_, mode_, looking_);
  look(t_, x_);
  const Balance<double> before = find_balance<double>(system_, x_, looking_);
  ImpactResult r = find_impact(system_, mode_, looking_, points, sequential);
  // Bounces that are too slow to be one.
  const auto is_over = [&](std::size_t i) {
    const auto& law = std::get<Impact<double>>(system_.contacts[index(hit[i])].law);
    return r.after[i] < (law.restitution < 1 ? std::max(law.rest_speed, kSlowest) : kSlowest);
  };
  bool again = false;
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_over(i) && points[i].restitution > 0 && points[i].restitution < 1)
      points[i].restitution = 0, again = true;
  if (again) r = find_impact(system_, mode_, looking_, points, sequential);
  const auto& first = std::get<Impact<double>>(system_.contacts[index(hit[0])].law);
  if (hit.size() == 1 && first.rule != "reflect" && mode_.rows.empty()) {
    const double scale = find_paper_scale(r.v, first.rule == "paper");
    const double* v = x_.data() + looking_.layout.v;
    for (std::size_t s = 0; s < r.v.size(); ++s) r.v[s] = v[s] + scale * (r.v[s] - v[s]);
    r.impulse_N[0] = scale * r.impulse_N[0];
    r.after[0] = r.before[0] + scale * (r.after[0] - r.before[0]);
    r.normal_work[0] = 0.5 * dot(r.impulse_N[0], points[0].n_N) * (r.before[0] + r.after[0]);
  }
  double largest = 0;
  for (const Vec3<double>& impulse : r.impulse_N) largest = std::max(largest, norm(impulse));
  const auto is_hit = [&](std::size_t i) { return norm(r.impulse_N[i]) > 1e-9 * largest; };
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_hit(i) && r.before[i] < -kSlowest) trigger_hit(hit[i]);

  std::copy(r.v.begin(), r.v.end(), x_.begin() + looking_.layout.v);
  std::vector<int> staying;
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_over(i)) staying.push_back(hit[i]);
  rest(staying);
  look(t_, x_);
  const Balance<double> after = find_balance<double>(system_, x_, looking_);
  double* ledger = x_.data() + looking_.layout.ledger;
  ledger[1] += before.kinetic - after.kinetic;
  // Docks pass the blow on: to the ground, too.
  const Model<double>& model = system_.model;
  const bool grounded =
      mode_.grounded || std::any_of(points.begin(), points.end(), [&](const ImpactPoint& p) {
        return model.stands_on_ground(p.body_1) || model.stands_on_ground(p.body_2);
      });
  for (int i = 0; grounded && i < 3; ++i) {
    ledger[2 + i] += after.linear[i] - before.linear[i];
    ledger[5 + i] += after.angular[i] - before.angular[i];
  }

  for (std::size_t i = 0; i < hit.size(); ++i) {
    if (!is_hit(i)) continue;
    const Contact<double>& c = system_.contacts[index(hit[i])];
    double* work = x_.data() + looking_.layout.contacts + c.first_state;
    work[0] += r.normal_work[i];
    work[1] += r.friction_work[i];
    ContactTrack& track = contact_tracks_[index(hit[i])];
    if (track.touches++ == 0) track.speed_in = -r.before[i];
    if (std::isnan(track.speed_out)) track.speed_out = r.after[i];
    track.add_energy(work[0] + work[1]);
    std::vector<NamedValue> values{named("normal_speed_before", r.before[i]),
                                   named("normal_speed_after", r.after[i]),
                                   named("impulse", dot(r.impulse_N[i], points[i].n_N)),
                                   named("energy_change", r.normal_work[i] + r.friction_work[i])};
    if (c.corner > 0) values.push_back({"corner", std::int64_t{c.corner}});
    tell("impact", c.told_as(), std::move(values));
  }
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_resting(hit[i]) && !was_resting[i])
      tell("rest", system_.contacts[index(hit[i])].told_as());
}

// Holds these probes on their surfaces, but for those that would have to be pulled there.
void Driver::rest(std::vector<int> staying) {
  for (const int k : staying) system_.docks[index(rest_of(k))].engaged = true;
  while (!staying.empty()) {
    choose_rows(system_, t_, x_, mode_, looking_);
    observe(t_, x_);
    const auto first = std::min_element(staying.begin(), staying.end(), [&](int a, int b) {
      return find_press(a) < find_press(b);
    });
    if (find_press(*first) > 0) break;
    system_.docks[index(rest_of(*first))].engaged = false;
    staying.erase(first);
  }
  if (!staying.empty()) stop_rates(system_, t_, x_, mode_, looking_);
  choose_rows(system_, t_, x_, mode_, looking_);
}

// After a jump of what acts: who would have to be pulled now.
void Driver::lift_off_all() {
  for (int k = 0; k < static_cast<int>(system_.contacts.size()); ++k) {
    if (!is_resting(k)) continue;
    observe(t_, x_);
    if (find_press(k) < 0) lift_off(k);
  }
}

void Driver::lift_off(int k) {
  system_.docks[index(rest_of(k))].engaged = false;
  choose_rows(system_, t_, x_, mode_, looking_);
  tell("lift_off", system_.contacts[index(k)].told_as());
}

}  // namespace berth
