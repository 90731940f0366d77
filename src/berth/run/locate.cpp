// SPDX-License-Identifier: Apache-2.0
#include "berth/run/locate.h"

#include <algorithm>

#include "berth/integrate/step_functions.h"
#include "berth/run/switching.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

// Evaluations for one peak inside one step: one that takes more is noise.
constexpr int kMostForPeak = 60;

std::size_t count_margins(const Core& core) {
  std::size_t n = 0;
  for_each_switching(core, [&](auto part, std::size_t) { n += part.count(core); });
  return n;
}

void fill_margins(Core& core, std::span<const double> x, const Workspace<double>& w,
                  std::span<double> out) {
  for_each_switching(core, [&](auto part, std::size_t first) {
    part.fill(core, x, w, out.subspan(first, part.count(core)));
  });
}

// Calls f(part, i) with the part a margin belongs to and its number there.
template <class F>
void with_margin(Core& core, std::size_t margin, F&& f) {
  for_each_switching(core, [&](auto part, std::size_t first) {
    if (margin >= first && margin < first + part.count(core)) f(part, margin - first);
  });
}

bool pass(Core& core, std::size_t margin, bool rising) {
  bool acts = false;
  with_margin(core, margin, [&](auto part, std::size_t i) { acts = part.pass(core, i, rising); });
  return acts;
}

// Some of the numbers at a time inside the step.
struct Inside {
  Core& core;
  const Derivative& f;
  std::span<const std::size_t> wanted;
  Need need;

  void operator()(double t, std::span<double> out) const {
    core.s.stepper->interpolate(f, t, core.x_inside);
    evaluate(core, f.in_mode, t, core.x_inside, need, core.w);
    const std::size_t n = count_margins(core);
    std::vector<double>& all = core.numbers;
    all.resize(core.samples.size());
    fill_margins(core, core.x_inside, core.w, std::span(all).first(n));
    if (wanted.back() >= n)
      core.s.books.fill(core.system, core.x_inside, core.w, std::span(all).subspan(n));
    for (std::size_t i = 0; i < wanted.size(); ++i) out[i] = all[wanted[i]];
  }
};

struct Crossing {
  double before, after;
  std::size_t margin;
  bool rising;
};

// Whether nothing in a step lies farther on the new side than rounding.
bool is_noise(Core& core, std::size_t margin, bool rising, std::span<const double> values) {
  double noise = 0, most = 0;
  with_margin(core, margin, [&](auto part, std::size_t i) { noise = part.noise(core, i); });
  for (const double v : values) most = std::max(most, rising ? v : -v);
  return most <= noise;
}

std::vector<Crossing> find_crossings(Core& core, const Derivative& f, double t_0, double t_1,
                                     std::span<const std::size_t> near) {
  Need need = Need::motion;
  for (const std::size_t m : near)
    with_margin(core, m,
                [&](auto part, std::size_t i) { need = std::max(need, part.need(core, i)); });
  StepFunctions functions(Inside{core, f, near, need});
  functions.reset(near.size());
  functions.sample(t_0, t_1);
  std::vector<Crossing> all;
  std::vector<SignChange> changes;
  // Those whose first crossing decides come first: behind it nobody else's matters.
  StepFunctionOptions options;
  for (const bool deciding : {true, false}) {
    for (std::size_t k = 0; k < near.size(); ++k) {
      with_margin(core, near[k], [&](auto part, std::size_t i) {
        options.first_only = part.decides(core, i);
        options.sign_0 = part.sign(core, i);
      });
      if (options.first_only != deciding) continue;
      changes.clear();
      functions.find_sign_changes(k, changes, options);
      if (!changes.empty() && changes[0].before <= t_0 &&
          is_noise(core, near[k], changes[0].rising, functions.values(k))) {
        // Still on the edge it was located on.
        changes.clear();
        options.sign_0 = 0;
        options.first_only = false;
        functions.find_sign_changes(k, changes, options);
      }
      for (const SignChange& c : changes) all.push_back({c.before, c.after, near[k], c.rising});
      // Who crosses in the same instant is still asked for.
      if (deciding && !changes.empty())
        options.stop_after = std::min(options.stop_after, 2 * changes[0].after - changes[0].before);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Crossing& a, const Crossing& b) { return a.before < b.before; });
  return all;
}

}  // namespace

void fill_numbers(Core& core, const Mode<double>& mode, std::span<const double> x,
                  Workspace<double>& w, std::span<double> out) {
  const std::size_t n = count_margins(core);
  if (!core.stage_rate.empty())
    std::copy_n(core.stage_rate.begin() + w.layout.v, w.v_dot.size(), w.v_dot.begin());
  idle_stage<double>(core.system, x, mode, core.names_open_docks, w);
  find_observed_loads(core.system, mode, w);
  fill_margins(core, x, w, out.first(n));
  core.s.books.fill(core.system, x, w, out.subspan(n));
}

void complete_samples(Core& core, const Derivative& f, double t_0, double t_1) {
  if (core.samples.has_inside() || core.s.stepper->is_variational()) return;
  std::vector<std::size_t> all(core.samples.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const Inside inside{core, f, all, Need::loads};
  for (const double theta : {0.25, 0.5, 0.75}) {
    const double t = t_0 + theta * (t_1 - t_0);
    inside(t, core.samples.add(t));
  }
}

void keep_gap_rates(Core& core) {
  if (!core.s.stepper->is_variational()) return;
  core.gap_rates.resize(core.work.contacts.size());
  for (std::size_t k = 0; k < core.gap_rates.size(); ++k)
    core.gap_rates[k] = core.work.contacts[k].gap_rate;
}

namespace {

// Of a variational step, whose inside costs steps of their own: between two rates of which the first
// closes a gap and the last opens it, it is nowhere smaller than where both would meet.
bool may_meet(const Core& core, std::size_t margin, double h) {
  const std::size_t impacts = core.contact_margins.size();
  std::size_t k = 0;
  double side = 1;  // of the gap in the margin
  if (margin < impacts) {
    if (core.contact_margins[margin].kind != Core::ContactMargin::depth) return false;
    k = index(core.contact_margins[margin].contact);
    side = -1;
  } else if (margin < impacts + core.impact_margins.size()) {
    k = index(core.impact_margins[margin - impacts].contact);
  } else {
    return false;
  }
  const double a = side * core.samples.first_value(margin), b = side * core.samples.early(margin);
  const double rate_a = core.gap_rates[k], rate_b = core.work.contacts[k].gap_rate;
  if (!(a > 0 && b > 0 && rate_a < 0 && rate_b > 0)) return false;
  return (a * rate_b - (b - rate_b * h) * rate_a) / (rate_b - rate_a) <= 0;
}

}  // namespace

std::optional<double> locate_first(Core& core, const Derivative& f, double t_0, double t_1) {
  const std::size_t margins = count_margins(core);
  std::vector<std::size_t> near;
  const bool by_rates = core.s.stepper->is_variational();
  for (std::size_t i = 0; i < margins; ++i)
    if (core.samples.may_cross(i) || (by_rates && may_meet(core, i, t_1 - t_0))) near.push_back(i);
  if (!near.empty()) {
    const std::vector<Crossing> all = find_crossings(core, f, t_0, t_1, near);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!pass(core, all[i].margin, all[i].rising)) continue;
      // Whoever crosses in the same instant has crossed as well.
      for (std::size_t k = i + 1; k < all.size() && all[k].before <= all[i].after; ++k)
        pass(core, all[k].margin, all[k].rising);
      bool far = false;
      with_margin(core, all[i].margin, [&](auto part, std::size_t) { far = part.takes_far_side; });
      return far ? all[i].after : all[i].before;
    }
  }
  // What is known must fit the end: a number that sat on its edge may have left it the other way, and
  // projection moves the end by rounding.
  std::optional<double> found;
  for (std::size_t i = 0; i < margins; ++i) {
    const double end = core.samples.last()[i];
    bool fits = true;
    with_margin(core, i, [&](auto part, std::size_t k) { fits = part.agrees(core, k, end); });
    if (fits || !pass(core, i, end > 0)) continue;
    const bool from_start = (core.samples.early(i) > 0) == (end > 0);
    found = std::min(found.value_or(t_1), from_start ? t_0 : t_1);
  }
  return found;
}

void raise_peaks(Core& core, const Derivative& f, double t_0, double t_1, bool cut) {
  if (!(t_1 > t_0)) return;
  const std::size_t margins = count_margins(core);
  const std::size_t events = core.contact_margins.size() + core.impact_margins.size();
  const Books& books = core.s.books;
  const auto may = [&](std::size_t k, double peak) {
    return cut ? core.samples.may_reach(k, peak) : core.samples.may_exceed(k, peak);
  };
  std::vector<std::size_t> wanted;
  Need need = Need::motion;
  for (std::size_t i = 0; i < core.event_margins.size(); ++i) {
    if (!EventSwitching::follows_best(core, i)) continue;
    if (!cut) EventSwitching::note_best(core, i, core.samples.last()[events + i], t_1);
    if (!may(events + i, EventSwitching::best(core, i))) continue;
    wanted.push_back(events + i);
    need = std::max(need, EventSwitching::need(core, i));
  }
  for (std::size_t i = 0; i < books.watched().size(); ++i) {
    if (!may(margins + i, books.worth_a_look(i))) continue;
    wanted.push_back(margins + i);
    if (books.needs_loads(i)) need = Need::loads;
  }
  if (wanted.empty()) return;
  StepFunctions functions(Inside{core, f, wanted, need});
  functions.reset(wanted.size());
  functions.sample(t_0, t_1);
  StepFunctionOptions options;
  options.max_evaluations = kMostForPeak;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool of_books = wanted[i] >= margins;
    const std::size_t k = wanted[i] - (of_books ? margins : events);
    options.above = of_books ? books.peak(k) : EventSwitching::best(core, k);
    const Extremum most = functions.find_maximum(i, options);
    if (of_books) {
      core.s.books.raise_inside(k, most.value);
    } else {
      EventSwitching::note_best(core, k, most.value, most.t);
    }
  }
}

}  // namespace berth
