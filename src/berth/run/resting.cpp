// SPDX-License-Identifier: Apache-2.0
#include "berth/run/resting.h"

#include <algorithm>
#include <cmath>

#include "berth/scalar/elementary.h"
#include "berth/system/latch.h"
#include "berth/system/rests.h"

namespace berth {
namespace {

// Sticking at its limit to this part of it is over: the limit was located on the near side.
constexpr double kLimit = 1e-9;
// Of the rest speed: slower, sliding ends with that of others.
constexpr double kStopping = 0.1;
// [m/s²] Slower than this nothing begins to slide: it goes where its load would have pulled it.
constexpr double kStill = 1e-8;

ContactMode<double>& mode_of(Core& core, int k) { return core.s.mode.contacts[index(k)]; }
const Rest<double>& rest_at(const Core& core, int k) { return core.system.rests[rest_of(core, k)]; }
const RestMotion<double>& motion_of(const Core& core, int k) {
  return core.w.rests[rest_of(core, k)];
}

double rest_speed(const Core& core, int k) { return rest_at(core, k).rest_speed; }

// Loads with the rows as they are to be; shared by how much each is pressed on.
void find_loads(Core& core, const std::vector<int>& staying) {
  RunState& s = core.s;
  choose_rows(core.system, s.t, s.x, s.mode, core.w);
  evaluate_now(core, Need::loads);
  for (const int k : staying) mode_of(core, k).press = find_press(core, k, core.w);
  if (s.mode.shares.empty()) return;
  choose_rows(core.system, s.t, s.x, s.mode, core.w);
  evaluate_now(core, Need::loads);
}

// [1/kg] At most, how a rest answers a unit load along its surface: as if its bodies flew alone.
double find_most_answer(const Core& core, std::size_t rest) {
  const Rest<double>& r = core.system.rests[rest];
  const RestMotion<double>& m = core.w.rests[rest];
  double sum = 0;
  for (const auto& [body, lever] :
       {std::pair{r.port_1.body, m.lever_1}, std::pair{r.port_2.body, m.lever_2}}) {
    if (body == kGround) continue;
    const Body<double>& b = core.system.model.body(body);
    const Sym3Factor<double> inertia(b.I_C_B);
    const double turns =
        inertia.solve({1, 0, 0}).x + inertia.solve({0, 1, 0}).y + inertia.solve({0, 0, 1}).z;
    sum += 1 / b.mass + norm_squared(lever - core.w.motion.body(body).r_CB_N) * turns;
  }
  return sum;
}

// Who begins to slide goes where it is accelerated to, its friction against that taken into account:
// u̇(ĥ) = s ĥ with s ≥ 0. Solved by ĥ ← ĥ + u̇(ĥ)/(μ λ_n S), normalised, S [1/kg] a bound on how slips
// answer friction. ĥ ← u̇(ĥ) would lead away from it where friction takes nearly all.
void find_headings(Core& core, const std::vector<int>& staying) {
  std::vector<int> slow;
  for (const int k : staying)
    if (mode_of(core, k).sliding && norm(motion_of(core, k).slip) <= kCreeping) slow.push_back(k);
  if (slow.empty()) return;
  for (int tries = 0; tries < 300; ++tries) {
    double change = 0;
    for (const int k : slow) {
      ContactMode<double>& m = mode_of(core, k);
      const std::size_t rest = rest_of(core, k);
      const Vec3<double> a = find_slip_acceleration(core.system, rest, core.w);
      const double scale = rest_at(core, k).friction * find_press(core, k, core.w) *
                           find_most_answer(core, rest) * static_cast<double>(slow.size());
      if (!(norm(a) > kStill) || !(scale > 0)) continue;  // held by others, or on the edge
      const Vec3<double> next = m.heading + (1 / scale) * a;
      if (!(norm(next) > 1e-3)) continue;
      change = std::max(change, norm(normalised(next) - m.heading));
      m.heading = normalised(next);
    }
    if (!(change > 1e-12)) return;
    find_loads(core, staying);
  }
}

void slide(Core& core, int k, const Vec3<double>& heading) {
  ContactMode<double>& m = mode_of(core, k);
  m.now.sticking = false;
  m.sliding = norm(heading) > 0;
  m.heading = m.sliding ? normalised(heading) : heading;
}

void let_go(Core& core, int k) {
  ContactMode<double>& m = mode_of(core, k);
  m.now = {};
  m.sliding = false;
}

// How a rough probe that rests begins: by how fast it slides. True: so slow that it is stopped.
bool begin_friction(Core& core, int k) {
  if (!rest_at(core, k).rough) return false;
  const Vec3<double> slip = motion_of(core, k).slip;
  if (norm(slip) < rest_speed(core, k)) {
    mode_of(core, k).now.sticking = true;
    mode_of(core, k).sliding = false;
    return true;
  }
  slide(core, k, slip);
  return false;
}

void warn_of_jamming(Core& core, int k) {
  std::vector<std::string>& warnings = core.s.run_log.warnings;
  const std::string text = "contact " + core.system.contacts[index(k)].name +
                           ": no load balances its friction (Painlevé): it slides without";
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

// All of them together; whoever is let go is taken out.
void judge(Core& core, std::vector<int>& staying) {
  while (!staying.empty()) {
    find_loads(core, staying);
    find_headings(core, staying);
    const auto press = [&](int k) { return find_press(core, k, core.w); };
    const auto least = std::min_element(staying.begin(), staying.end(), [&](int a, int b) {
      return press(a) < press(b) || (std::isnan(press(a)) && !std::isnan(press(b)));
    });
    if (!(press(*least) > 0)) {
      const int k = *least;
      if (mode_of(core, k).sliding) {
        mode_of(core, k).sliding = false;
        find_loads(core, staying);
        if (press(k) > 0) {
          warn_of_jamming(core, k);
          continue;
        }
      }
      let_go(core, k);
      staying.erase(std::find(staying.begin(), staying.end(), k));
      continue;
    }
    // Who needs most of what it can have.
    int worst = -1;
    double most = 1 - kLimit;
    for (const int k : staying) {
      if (!mode_of(core, k).now.sticking) continue;
      const auto& load = motion_of(core, k).load;
      const double part = hypot(load[1], load[2]) / (rest_at(core, k).friction * load[0]);
      if (part > most) worst = k, most = part;
    }
    if (worst < 0) return;
    const RestMotion<double>& m = motion_of(core, worst);
    const Normals<double>& across = rest_at(core, worst).across;
    slide(core, worst, -m.load[1] * across.first - m.load[2] * across.second);
  }
}

}  // namespace

std::size_t rest_of(const Core& core, int contact) {
  const auto& rests = core.system.rests;
  const auto at = std::find_if(rests.begin(), rests.end(),
                               [&](const Rest<double>& r) { return r.contact == contact; });
  return static_cast<std::size_t>(at - rests.begin());
}

double find_press(const Core& core, int contact, const Workspace<double>& w) {
  return w.rests[rest_of(core, contact)].load[0];
}

void watch_friction(Core& core, int contact) {
  using Margin = Watch::ImpactMargin;
  const ContactMode<double>& m = core.s.mode.contacts[index(contact)];
  if (m.now.sticking) core.watch.impact_margins.push_back({contact, 0, Margin::stick});
  if (!m.sliding) return;
  core.watch.impact_margins.push_back({contact, 0, Margin::slip});
  const bool begins = motion_of(core, contact).ahead <= kCreeping;
  core.watch.impact_margins.push_back({contact, begins ? 2 * kCreeping : 0, Margin::heading});
}

bool friction_agrees(const Core& core, const Watch::ImpactMargin& margin, double value) {
  if (margin.kind == Watch::ImpactMargin::slip) return true;  // by crossings
  if (margin.kind == Watch::ImpactMargin::heading) return value > 0;
  const double press = core.end.press[rest_of(core, margin.contact)];
  return value >= -kLimit * square(rest_at(core, margin.contact).friction * press);
}

void rest(Core& core, std::vector<int> staying) {
  RunState& s = core.s;
  for (const int k : staying) mode_of(core, k).now.touching = true;
  evaluate_now(core, Need::motion);
  bool slow = false;
  for (const int k : staying) slow |= begin_friction(core, k);
  if (slow) stop_rates(core.system, s.t, s.x, s.mode, core.w);
  judge(core, staying);
  if (!staying.empty()) stop_rates(core.system, s.t, s.x, s.mode, core.w);
  choose_rows(core.system, s.t, s.x, s.mode, core.w);
}

void judge_friction(Core& core, const std::vector<int>& switched) {
  RunState& s = core.s;
  const Balance<double> before = find_balance_at(core.system, s.t, s.x, s.mode, core.w);
  std::vector<int> resting;
  for (const Rest<double>& r : core.system.rests)
    if (is_resting(core, r.contact)) resting.push_back(r.contact);
  std::vector<int> slow;
  for (const int k : resting) {
    // Several probes of one body come to a stop together.
    const bool stops =
        mode_of(core, k).sliding && norm(motion_of(core, k).slip) < kStopping * rest_speed(core, k);
    const bool is_switched = std::find(switched.begin(), switched.end(), k) != switched.end();
    if ((stops || is_switched) && begin_friction(core, k)) slow.push_back(k);
  }
  if (!slow.empty()) stop_rates(core.system, s.t, s.x, s.mode, core.w);
  const double stopped = add_impulses(core, before, s.mode.grounded);
  for (const int k : slow)
    s.x[index(core.w.layout.contacts + core.system.contacts[index(k)].first_state + 1)] -=
        stopped / static_cast<double>(slow.size());
  std::vector<int> staying = resting;
  judge(core, staying);
  choose_rows(core.system, s.t, s.x, s.mode, core.w);
  for (const int k : resting)
    if (!is_resting(core, k))
      report(core, "lift_off", core.system.contacts[index(k)].report_name());
}

double add_impulses(Core& core, const Balance<double>& before, bool grounded) {
  evaluate_now(core, Need::commands);
  const Balance<double> after = find_balance<double>(core.system, core.s.x, core.w);
  double* ledger = core.s.x.data() + core.w.layout.ledger;
  const double lost = before.kinetic - after.kinetic;
  ledger[1] += lost;
  for (int i = 0; grounded && i < 3; ++i) {
    ledger[2 + i] += after.linear[i] - before.linear[i];
    ledger[5 + i] += after.angular[i] - before.angular[i];
  }
  return lost;
}

void lift_off(Core& core, int k) {
  let_go(core, k);
  choose_rows(core.system, core.s.t, core.s.x, core.s.mode, core.w);
  report(core, "lift_off", core.system.contacts[index(k)].report_name());
}

}  // namespace berth
