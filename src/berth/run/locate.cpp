// SPDX-License-Identifier: Apache-2.0
#include "berth/run/locate.h"

#include <algorithm>

#include "berth/run/numbers.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

// Evaluations for one peak inside one step: one that takes more is noise.
constexpr int kMostForPeak = 60, kMostForNoise = 8;
// Of a series that only says where crossings are: whoever comes within its error is evaluated itself.
constexpr double kCoarse = 1e-6;

std::size_t count_margins(const Core& core) {
  std::size_t n = 0;
  for_each_switching(core, [&](auto part, std::size_t) { n += part.count(core.watch); });
  return n;
}

// Calls f(part, i) with the part a margin belongs to and its number there.
template <class F>
void with_margin(Core& core, std::size_t margin, F&& f) {
  for_each_switching(core, [&](auto part, std::size_t first) {
    if (margin >= first && margin < first + part.count(core.watch)) f(part, margin - first);
  });
}

template <class F>
void for_each_idle_contact(const Core& core, const Mode<double>& mode, F&& f) {
  for (std::size_t k = 0; k < core.system.contacts.size(); ++k)
    if (is_idle(core.system.contacts[k], mode.contacts[k])) f(k);
}

bool pass(Core& core, std::size_t margin, bool rising) {
  bool acts = false;
  with_margin(core, margin, [&](auto part, std::size_t i) { acts = part.pass(core, i, rising); });
  return acts;
}

// Some of the numbers at a time inside the step, in order.
struct Inside {
  Core& core;
  const Derivative& f;
  std::span<const std::size_t> wanted;
  Need need = Need::motion;
  bool sees_idle = false;

  Inside(Core& of, const Derivative& derivative, std::span<const std::size_t> numbers)
      : core(of), f(derivative), wanted(numbers) {
    const RunLog& run_log = core.s.run_log;
    const std::size_t margins = count_margins(core);
    for (const std::size_t k : wanted) {
      if (k >= margins && run_log.needs_loads(k - margins)) need = Need::loads;
      with_margin(core, k, [&](auto part, std::size_t i) {
        need = std::max(need, part.need(core, i));
        sees_idle |= part.sees_idle(core, i);
      });
    }
  }

  void operator()(std::span<const double> t, std::span<double> out) const {
    const std::size_t n = core.s.x.size(), count = wanted.size();
    core.x_inside.resize(t.size() * n);
    const auto state = [&](std::size_t i) { return std::span(core.x_inside).subspan(i * n, n); };
    for (std::size_t i = 0; i < t.size(); ++i) core.s.stepper->interpolate(f, t[i], state(i));
    if (core.server &&
        core.server->find_numbers(core, f.in_mode, t, core.x_inside, wanted, sees_idle, out))
      return;
    for (std::size_t i = 0; i < t.size(); ++i) fill(t[i], state(i), out.subspan(i * count, count));
  }

  double operator()(double t) const {
    double value;
    (*this)(std::span(&t, 1), std::span(&value, 1));
    return value;
  }

 private:
  void fill(double t, std::span<const double> x, std::span<double> out) const {
    core.w.sees_idle = sees_idle;
    evaluate(core, f.in_mode, t, x, need, core.w);
    core.w.sees_idle = true;
    std::vector<double>& all = core.numbers;
    all.resize(core.samples.size());
    // Of parts nobody asks for, nothing is computed.
    std::size_t n = 0;
    const At<double> at{core.system, f.in_mode, x, core.w, core.numbers_scratch};
    for_each_switching(core, [&](auto part, std::size_t first) {
      n = first + part.count(core.watch);
      const auto own = std::lower_bound(wanted.begin(), wanted.end(), first);
      if (own != wanted.end() && *own < n)
        part.fill(core, core.watch, at, std::span(all).subspan(first, n - first));
    });
    if (wanted.back() >= n)
      fill_peaks<double>(core.s.run_log.watched(), core.system, x, core.w,
                         std::span(all).subspan(n));
    for (std::size_t i = 0; i < wanted.size(); ++i) out[i] = all[wanted[i]];
  }
};

// What was sampled at an end of the step.
std::span<const double> choose(std::span<const double> values, std::span<const std::size_t> wanted,
                               std::vector<double>& out) {
  out.clear();
  for (const std::size_t k : wanted) out.push_back(values[k]);
  return out;
}

// Whether nothing in a step lies farther on the new side than rounding.
bool is_noise(Core& core, std::size_t margin, bool rising, std::span<const double> values) {
  double noise = 0, most = 0;
  with_margin(core, margin, [&](auto part, std::size_t i) { noise = part.noise(core, i); });
  for (const double v : values) most = std::max(most, rising ? v : -v);
  return most <= noise;
}

std::vector<Crossing> search(Core& core, const Derivative& f, double t_0, double t_1,
                             std::span<const std::size_t> near, double tolerance) {
  Search& memory = core.search;
  StepFunctions functions(Inside(core, f, near), near.size(), memory.functions);
  functions.sample(t_0, t_1, choose(core.samples.first(), near, memory.first),
                   choose(core.samples.last(), near, memory.last));
  std::vector<Crossing> all;
  std::vector<SignChange>& changes = memory.changes;
  // Those whose first crossing decides come first: after it nobody else's matters.
  StepFunctionOptions options;
  options.tolerance = tolerance;
  if (tolerance > 0) options.resolution = kCoarse;
  for (const bool deciding : {true, false}) {
    for (std::size_t k = 0; k < near.size(); ++k) {
      with_margin(core, near[k], [&](auto part, std::size_t i) {
        const double first = core.samples.first_value(near[k]);
        options.first_only = part.decides(core, i, first);
        options.sign_0 = part.sign(core, i, first);
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
                  Workspace<double>& w, std::span<double> out, bool far) {
  if (!core.stage_rate.empty())
    std::copy_n(core.stage_rate.begin() + w.layout.v, w.v_dot.size(), w.v_dot.begin());
  fill_numbers<double>(core, core.watch, core.s.run_log.watched(), core.system, mode, x,
                       far ? std::span<const double>(core.far_gaps) : std::span<const double>(), w,
                       core.numbers_scratch, out);
}

void fill_end(Core& core, const Mode<double>& mode, std::span<const double> x,
              Workspace<double>& w) {
  core.end_numbers.resize(core.samples.size());
  fill_numbers(core, mode, x, w, core.end_numbers);
  find_step_end<double>(core.system, mode, x, w, core.end);
}

void complete_samples(Core& core, const Derivative& f, double t_0, double t_1) {
  if (core.samples.has_inside() || core.s.stepper->is_variational()) return;
  std::vector<std::size_t> all(core.samples.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const Inside inside(core, f, all);
  for (const double theta : {0.25, 0.5, 0.75}) {
    const double t = t_0 + theta * (t_1 - t_0);
    inside(std::span(&t, 1), core.samples.add(t));
  }
}

void keep_gaps(Core& core) {
  core.gaps.resize(core.end.contacts.size());
  for (std::size_t k = 0; k < core.gaps.size(); ++k) {
    const auto& c = core.end.contacts[k];
    core.gaps[k] = {c.gap, c.gap_rate, c.fastest};
  }
}

// Speeds change within a step: by less than their own size where it is short against everything that
// moves, which is found out at its end.
void expect_far(Core& core) {
  const double h = core.s.stepper->natural_step();
  core.far = h > 0 && !core.watch.names_idle && !core.gaps.empty();
  for_each_idle_contact(core, core.s.mode, [&](std::size_t k) {
    core.far = core.far && core.gaps[k].gap > 4 * h * core.gaps[k].fastest;
  });
  core.far_gaps.resize(core.gaps.size());
  for (std::size_t k = 0; k < core.gaps.size(); ++k) core.far_gaps[k] = core.gaps[k].gap;
}
void check_far(Core& core, double h) {
  if (!core.far) return;
  for_each_idle_contact(core, core.inside, [&](std::size_t k) {
    const auto& c = core.end.contacts[k];
    const double fastest = std::max(core.gaps[k].fastest, c.fastest);
    core.far = core.far && std::min(core.gaps[k].gap, c.gap) > 2 * h * fastest;
  });
  if (!core.far) core.samples.begin_trial();  // what was sampled inside is taken back
}

bool may_close(const Core& core, int contact, double h) {
  const auto k = index(contact);
  const double b = core.end.contacts[k].gap, a = core.gaps[k].gap;
  const double rate_a = core.gaps[k].rate, rate_b = core.end.contacts[k].gap_rate;
  if (!(a > 0 && b > 0 && rate_a < 0 && rate_b > 0)) return false;
  return (a * rate_b - (b - rate_b * h) * rate_a) / (rate_b - rate_a) <= 0;
}

std::vector<Crossing> find_crossings(Core& core, const Derivative& f, double t_0, double t_1,
                                     double tolerance) {
  const std::span<const double> ends = core.samples.last();
  std::vector<std::size_t>&near = core.search.wanted, &own = core.search.own;
  near.clear();
  const bool by_rates = core.s.stepper->is_variational();
  for_each_switching(core, [&](auto part, std::size_t first) {
    const std::size_t n = part.count(core.watch);
    own.clear();
    for (std::size_t i = 0; i < n; ++i)
      if (core.samples.may_cross(first + i) || (by_rates && part.may_meet(core, i, t_1 - t_0)))
        own.push_back(i);
    if (own.empty()) return;
    part.narrow(core, own);
    for (const std::size_t i : own) near.push_back(first + i);
  });
  return near.empty() ? std::vector<Crossing>() : search(core, f, t_0, t_1, near, tolerance);
}

std::vector<Crossing> refine_crossings(Core& core, const Derivative& f,
                                       std::span<const Crossing> coarse, double t_0, double t_1,
                                       double reach) {
  std::vector<Crossing> out;
  std::vector<SignChange> changes;
  for (const Crossing& c : coarse) {
    if (c.before >= t_1) continue;
    const Inside g(core, f, std::span(&c.margin, 1));
    const double a = std::max(t_0, c.before - reach), b = std::min(t_1, c.after + reach);
    const double g_a = a == t_0 ? core.samples.first_value(c.margin) : g(a);
    const double g_b = b == t_1 ? core.samples.last()[c.margin] : g(b);
    const bool is_there = c.rising ? g_a < 0 && g_b > 0 : g_a > 0 && g_b < 0;
    if (!is_there) return find_crossings(core, f, t_0, t_1);
    changes.clear();
    solve_sign_change(g, {a, g_a}, {b, g_b}, changes);
    out.push_back({changes[0].before, changes[0].after, c.margin, c.rising});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Crossing& a, const Crossing& b) { return a.before < b.before; });
  return out;
}

// Dense output of a step as long as its error allows is less accurate than its ends: by an order in h,
// and not controlled. Of one well within, and beside the ends, it is as good as they are.
bool is_long(const Core& core, double t_0, double t_1) {
  constexpr double well_within = 0.75;  // a tenth of the error: it goes with h⁸
  const double natural = core.s.stepper->natural_step();
  return natural > 0 && t_1 - t_0 > well_within * natural;
}

std::optional<double> find_better_end(std::span<const Crossing> crossings, double t_0, double t_1) {
  constexpr double beside = 0.01;  // of a step
  const double h = t_1 - t_0, t = crossings.front().after;
  if (t - t_0 < beside * h || t_1 - t < beside * h) return {};
  return t + kBeyond * (t - t_0);
}

std::optional<double> pass_first(Core& core, std::span<const Crossing> crossings, double t_0,
                                 double t_1) {
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    const Crossing& c = crossings[i];
    if (!pass(core, c.margin, c.rising)) continue;
    // Whoever crosses in the same instant has crossed as well.
    for (std::size_t k = i + 1; k < crossings.size() && crossings[k].before <= c.after; ++k)
      pass(core, crossings[k].margin, crossings[k].rising);
    bool far = false;
    with_margin(core, c.margin, [&](auto part, std::size_t) { far = part.takes_far_side; });
    return far ? c.after : c.before;
  }
  // What is known must fit the end: a number that sat on its edge may have left it the other way, and
  // projection moves the end by rounding.
  const std::size_t margins = count_margins(core);
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
  const RunLog& run_log = core.s.run_log;
  const auto may = [&](std::size_t k, double peak) {
    return cut ? core.samples.may_reach(k, peak) : core.samples.may_exceed(k, peak);
  };
  std::vector<std::size_t>& wanted = core.search.wanted;
  wanted.clear();
  for_each_switching(core, [&](auto part, std::size_t first) {
    for (std::size_t i = 0; i < part.count(core.watch); ++i) {
      if (!part.follows_best(core, i)) continue;
      if (!cut) part.note_best(core, i, core.samples.last()[first + i], t_1);
      if (!may(first + i, part.best(core, i))) continue;
      wanted.push_back(first + i);
    }
  });
  for (std::size_t i = 0; i < run_log.watched().size(); ++i) {
    if (!may(margins + i, run_log.find_goal(i))) continue;
    wanted.push_back(margins + i);
  }
  if (wanted.empty()) return;
  Search& memory = core.search;
  StepFunctions functions(Inside(core, f, wanted), wanted.size(), memory.functions);
  std::span<const double> last;
  if (!cut) last = choose(core.samples.last(), wanted, memory.last);
  functions.sample(t_0, t_1, choose(core.samples.first(), wanted, memory.first), last);
  StepFunctionOptions options;
  options.max_evaluations = kMostForPeak;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto find_above = [&](double above) {
      options.above = above;
      return functions.find_maximum(i, options);
    };
    if (wanted[i] >= margins) {
      const std::size_t k = wanted[i] - margins;
      options.max_evaluations = run_log.is_noisy(k) ? kMostForNoise : kMostForPeak;
      const Extremum most = find_above(run_log.peak(k));
      core.s.run_log.raise_inside(k, most.value, most.t, most.resolved);
    } else {
      with_margin(core, wanted[i], [&](auto part, std::size_t k) {
        const Extremum most = find_above(part.best(core, k));
        part.note_best(core, k, most.value, most.t);
      });
    }
  }
}

}  // namespace berth
