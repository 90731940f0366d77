// SPDX-License-Identifier: Apache-2.0

// Impacts where probes meet surfaces, rest, and lifting off.
//
// An impact is an event like any other. A bounce slower than the rest speed ends on the surface, which
// holds the probe until it would have to pull (resting.h).

#include <algorithm>
#include <cmath>

#include "berth/run/paper_rule.h"
#include "berth/run/resting.h"
#include "berth/run/switching.h"
#include "berth/system/docks.h"
#include "berth/system/impacts.h"

namespace berth {
namespace {

constexpr double kAtOnce = 1e-9;  // [m] nearer than this several are hit together
// [m] What a latch holds on a surface trembles less than this.
constexpr double kSkin = 1e-12;
// [m/s] no bounce below this rises by more than rounding.
constexpr double kSlowest = 1e-6;

bool is_impact(const Core& core, int k) { return core.system.contacts[index(k)].is_impact(); }

// At a crossing of one or more gaps: everybody who is there by now.
void collide(Core& core) {
  RunState& s = core.s;
  System<double>& system = core.system;
  evaluate_now(core, Need::motion);
  std::vector<int> hit;
  std::vector<ImpactPoint> points;
  std::vector<char> was_resting;
  bool sequential = false;
  for (int k = 0; k < count_of(system.contacts); ++k) {
    const Contact<double>& c = system.contacts[index(k)];
    const auto* law = std::get_if<Impact<double>>(&c.law);
    const ContactMotion<double>& m = core.w.contacts[index(k)];
    if (!law || (m.gap > kAtOnce && !is_resting(core, k))) continue;
    hit.push_back(k);
    was_resting.push_back(is_resting(core, k));
    points.push_back({c.port_1.body, c.port_2.body, m.lever_1, m.lever_2, -m.n_N, law->restitution,
                      law->friction});
    sequential |= law->simultaneous == Simultaneous::sequential;
  }
  if (hit.empty()) return;
  for (const int k : hit) {  // who rests may be thrown off
    s.mode.contacts[index(k)].now = {};
    s.mode.contacts[index(k)].sliding = false;
  }
  choose_rows(system, s.t, s.x, s.mode, core.w);
  evaluate_now(core, Need::commands);
  const Balance<double> before = find_balance<double>(system, s.x, core.w);
  ImpactResult r = find_impact(system, s.mode, core.w, points, sequential);
  // Bounces that are too slow to be one.
  const auto is_over = [&](std::size_t i) {
    const auto& law = std::get<Impact<double>>(system.contacts[index(hit[i])].law);
    return r.after[i] < (law.restitution < 1 ? std::max(law.rest_speed, kSlowest) : kSlowest);
  };
  bool again = false;
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_over(i) && points[i].restitution > 0 && points[i].restitution < 1)
      points[i].restitution = 0, again = true;
  if (again) r = find_impact(system, s.mode, core.w, points, sequential);
  const auto& first = std::get<Impact<double>>(system.contacts[index(hit[0])].law);
  if (hit.size() == 1 && first.rule != ImpactRule::reflect && s.mode.rows.empty()) {
    const double scale = find_paper_scale(core, r.v, first.rule == ImpactRule::paper);
    const double* v = s.x.data() + core.w.layout.v;
    for (std::size_t i = 0; i < r.v.size(); ++i) r.v[i] = v[i] + scale * (r.v[i] - v[i]);
    r.impulse_N[0] = scale * r.impulse_N[0];
    r.after[0] = r.before[0] + scale * (r.after[0] - r.before[0]);
    r.normal_work[0] = 0.5 * dot(r.impulse_N[0], points[0].n_N) * (r.before[0] + r.after[0]);
  }
  double largest = 0;
  for (const Vec3<double>& impulse : r.impulse_N) largest = std::max(largest, norm(impulse));
  const auto is_hit = [&](std::size_t i) { return norm(r.impulse_N[i]) > 1e-9 * largest; };
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_hit(i) && r.before[i] < -kSlowest) EventSwitching::trigger_hit(core, hit[i]);

  std::copy(r.v.begin(), r.v.end(), s.x.begin() + core.w.layout.v);
  std::vector<int> staying;
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_over(i)) staying.push_back(hit[i]);
  rest(core, staying);
  // Docks pass the impulse on: to the ground, too.
  const Model<double>& model = system.model;
  const bool grounded =
      s.mode.grounded || std::any_of(points.begin(), points.end(), [&](const ImpactPoint& p) {
        return model.stands_on_ground(p.body_1) || model.stands_on_ground(p.body_2);
      });
  add_impulses(core, before, grounded);

  for (std::size_t i = 0; i < hit.size(); ++i) {
    if (!is_hit(i)) continue;
    const Contact<double>& c = system.contacts[index(hit[i])];
    double* work = s.x.data() + core.w.layout.contacts + c.first_state;
    work[0] += r.normal_work[i];
    work[1] += r.friction_work[i];
    ContactTrack& track = s.run_log.contacts[index(hit[i])];
    if (track.touches++ == 0) track.speed_in = -r.before[i];
    if (std::isnan(track.speed_out)) track.speed_out = r.after[i];
    track.add_energy(work[0] + work[1]);
    std::vector<NamedValue> values{named("normal_speed_before", r.before[i]),
                                   named("normal_speed_after", r.after[i]),
                                   named("impulse", dot(r.impulse_N[i], points[i].n_N)),
                                   named("energy_change", r.normal_work[i] + r.friction_work[i])};
    if (c.corner > 0) values.push_back({"corner", std::int64_t(c.corner)});
    report(core, "impact", c.report_name(), std::move(values));
  }
  for (std::size_t i = 0; i < hit.size(); ++i)
    if (is_resting(core, hit[i]) && !was_resting[i])
      report(core, "rest", system.contacts[index(hit[i])].report_name());
}

}  // namespace

void ImpactSwitching::start(Core& core) {
  evaluate_now(core, Need::motion);
  for (int k = 0; k < count_of(core.system.contacts); ++k) {
    const ContactMotion<double>& m = core.w.contacts[index(k)];
    if (is_impact(core, k) && m.gap <= 0 && m.gap_rate <= 0) core.switched_impacts.push_back(k);
  }
}

void ImpactSwitching::watch(Core& core) {
  core.watch.impact_margins.clear();
  for (int k = 0; k < count_of(core.system.contacts); ++k) {
    if (!is_impact(core, k)) continue;
    if (core.watch.impact_margins.empty()) evaluate_now(core, Need::motion);
    const bool on_it = std::fabs(core.w.contacts[index(k)].gap) <= 2 * kSkin;
    core.watch.impact_margins.push_back({k, on_it && !is_resting(core, k) ? kSkin : 0});
    watch_friction(core, k);
  }
}

Need ImpactSwitching::need(const Core& core, std::size_t i) {
  return is_resting(core, core.watch.impact_margins[i].contact) ? Need::loads : Need::motion;
}

// A probe that is held inside by something else may be on its way out.
int ImpactSwitching::sign(const Core&, std::size_t, double first) { return first > 0 ? 1 : 0; }
bool ImpactSwitching::decides(const Core&, std::size_t, double first) { return first > 0; }
bool ImpactSwitching::may_meet(const Core& core, std::size_t i, double h) {
  const int k = core.watch.impact_margins[i].contact;
  return !is_resting(core, k) && may_close(core, k, h);
}

bool ImpactSwitching::pass(Core& core, std::size_t i, bool rising) {
  const Watch::ImpactMargin& m = core.watch.impact_margins[i];
  const bool friction = m.kind != Watch::ImpactMargin::gap;
  if (!rising) (friction ? core.switched_rests : core.switched_impacts).push_back(m.contact);
  return !rising;
}

// A free probe is outside or on its way there, a resting one is pressed on and held or sliding on.
bool ImpactSwitching::agrees(const Core& core, std::size_t i, double value) {
  const int k = core.watch.impact_margins[i].contact;
  if (core.watch.impact_margins[i].kind != Watch::ImpactMargin::gap)
    return friction_agrees(core, core.watch.impact_margins[i], value);
  if (is_resting(core, k)) return value > -1e-12;
  return value > 0 || core.end.contacts[index(k)].gap_rate > -1e-9;
}

void ImpactSwitching::switch_mode(Core& core) {
  std::vector<int> switched = std::move(core.switched_impacts);
  core.switched_impacts.clear();
  std::sort(switched.begin(), switched.end());
  switched.erase(std::unique(switched.begin(), switched.end()), switched.end());
  bool hit = false;
  for (const int k : switched) {
    if (is_resting(core, k)) {
      lift_off(core, k);
    } else {
      hit = true;
    }
  }
  if (hit) collide(core);
  const std::vector<int> rests = std::move(core.switched_rests);
  core.switched_rests.clear();
  if (!rests.empty()) judge_friction(core, rests);
}

bool ImpactSwitching::follow(Core& core) {
  for (int k = 0; k < count_of(core.system.contacts); ++k) {
    if (!is_impact(core, k) || !is_resting(core, k)) continue;
    evaluate_now(core, Need::loads);
    if (find_press(core, k, core.w) < 0) lift_off(core, k);
  }
  return false;  // what follows from that is watched like everything else
}

}  // namespace berth
