// SPDX-License-Identifier: Apache-2.0
#include "berth/live/identify_loop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include <Eigen/QR>
#include <fmt/format.h>

#include "berth/live/loop_fit.h"
#include "berth/live/loop_search.h"
#include "berth/scalar/elementary.h"

namespace berth {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Below this share of the force's range nothing counts as a measurement.
constexpr double kResolution = 1e-7;

void check(const LoopRecord& r) {
  const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
  if (!(r.sample_time > 0) || !std::isfinite(r.sample_time))
    refuse("identification: the sample time must be above zero");
  if (r.u.size() != r.u_rate.size() || r.u.size() != r.force.size())
    refuse("identification: commands, rates and forces must be of the same ticks");
  for (std::size_t i = 0; i < r.u.size(); ++i)
    if (!std::isfinite(r.u[i]) || !std::isfinite(r.u_rate[i]))
      refuse("identification: a command or its rate is not finite");
}

LoopLimits find_limits(double T, double most_delay) {
  return {.most_delay = most_delay / T,
          .least_frequency = 3 * T,
          .most_frequency = 5000 * T,
          .least_filter = 1e-3,
          .most_filter = 0.2 / T};
}

LoopStages scale_time(LoopStages s, double factor) {
  s.delay *= factor;
  s.filter *= factor;
  s.frequency /= factor;
  return s;
}

// Mean, range and scatter of the forces that are fitted.
struct ForceSummary {
  std::size_t samples = 0, missing = 0;
  double squares = 0;  // about the mean
  double range = 0;
};
ForceSummary find_force_summary(const LoopRecord& r) {
  ForceSummary s;
  double mean = 0, low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t j = r.first; j < r.force.size(); ++j) {
    const double f = r.force[j];
    if (!std::isfinite(f)) {
      ++s.missing;
      continue;
    }
    const double before = f - mean;
    mean += before / static_cast<double>(++s.samples);
    s.squares += before * (f - mean);
    low = std::min(low, f);
    high = std::max(high, f);
  }
  s.range = s.samples > 0 ? high - low : 0;
  return s;
}

// [N²] What a difference of squares per sample means nothing below: the resolution of the numbers, and
// what the cubic between the ticks may miss of a command that is smooth there. With every other tick the
// force changes by so much, in the mean over the fractions of a tick that a delay may have; with all of them
// by an eighth of it or less, with those `stride` times as dense by stride³ less.
double find_insignificance(const LoopRecord& record, const LoopFit& fit, double range,
                           double stride) {
  std::vector<double> u, u_rate;
  for (std::size_t i = 0; i < record.u.size(); i += 2) {
    u.push_back(record.u[i]);
    u_rate.push_back(record.u_rate[i]);
  }
  const LoopRecord half{2 * record.sample_time, u, u_rate, {}, 0};
  double sum = 0, count = 0;
  for (const double fraction : {0.25, 0.75, 1.25, 1.75}) {
    LoopStages stages = fit.stages;
    stages.delay = fraction;
    const LoopResponse fine = find_loop_response(record, stages),
                       rough = find_loop_response(half, scale_time(stages, 0.5));
    for (std::size_t i = (record.first + 1) / 2; i < u.size(); ++i, ++count) {
      const auto f = static_cast<Index>(2 * i), r = static_cast<Index>(i);
      const double missed = fit.k * (fine(kColumnY, f) - rough(kColumnY, r)) +
                            fit.b * (fine(kColumnYRate, f) - rough(kColumnYRate, r) / 2);
      sum += missed * missed;
    }
  }
  const double floor = kResolution * range, dense = stride * stride * stride;
  return sum / (64 * dense * dense * std::max(count, 1.0)) + floor * floor;
}

double find_bic(const LoopFit& fit, double insignificance) {
  const auto n = static_cast<double>(fit.rows);
  return n * log(fit.squares / n + insignificance) + fit.parameters() * log(n);
}

// What is better: a model with the lower criterion, unless one with fewer parameters has no significantly
// greater squares.
const LoopFit& find_best(const std::vector<LoopFit>& fits, double insignificance) {
  const LoopFit* best = &fits.front();
  for (const LoopFit& fit : fits)
    if (find_bic(fit, insignificance) < find_bic(*best, insignificance)) best = &fit;
  const double enough = best->squares + insignificance * static_cast<double>(best->rows);
  for (const LoopFit& fit : fits)
    if (fit.squares < enough && fit.parameters() < best->parameters()) best = &fit;
  return *best;
}

// The model that stands. Each is fitted to the thinned record from several starts; those that are not far
// behind the best there are fitted to the whole record, and the best of these once more without damping.
struct Selection {
  LoopFit fit;
  double insignificance = 0;  // [N²]
};
Selection solve_models(const LoopRecord& record, const ThinnedRecord& thin, double most_delay,
                       double range) {
  const LoopRecord coarse = thin.record();
  const LoopFitOptions rough{.limits = find_limits(thin.sample_time, most_delay),
                             .tolerance = 1e-4};
  LoopFitOptions fine{.limits = find_limits(record.sample_time, most_delay)};
  const auto solve = [&](bool lag, bool filter, std::vector<LoopStages> starts) {
    const auto found = find_loop_starts(coarse, lag, filter, rough.limits.most_delay);
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 2); ++i)
      starts.push_back(found[i].stages);
    std::optional<LoopFit> best;
    for (const LoopStages& start : starts) {
      LoopFit fit = solve_loop_fit(coarse, start, rough);
      if (!best || fit.squares < best->squares) best = std::move(fit);
    }
    return *best;
  };
  std::vector<LoopFit> models{solve(false, false, {}), solve(false, true, {}),
                              solve(true, false, {})};
  // A filter or a lag that takes half of the delay of the smaller model.
  LoopStages with_filter = models[2].stages, with_lag = models[1].stages;
  with_filter.filter = std::max(0.5 * std::min(with_filter.delay, 0.01 / thin.sample_time), 0.05);
  with_filter.delay = std::max(with_filter.delay - with_filter.filter, 0.0);
  with_lag.frequency = std::max(2.0 / std::max(with_lag.delay, 0.5), 200 * thin.sample_time);
  with_lag.damping = 0.8;
  with_lag.delay = std::max(with_lag.delay - with_lag.lag(), 0.0);
  models.push_back(solve(true, true, {with_filter, with_lag}));

  constexpr double kFarBehind = 60;
  double insignificance = find_insignificance(coarse, models.back(), range, 1);
  const LoopFit& leader = find_best(models, insignificance);
  std::vector<LoopFit> whole;
  for (const LoopFit& m : models)
    if (find_bic(m, insignificance) < find_bic(leader, insignificance) + kFarBehind)
      whole.push_back(solve_loop_fit(record, scale_time(m.stages, thin.stride), fine));
  insignificance = find_insignificance(coarse, models.back(), range, thin.stride);
  const LoopFit best = find_best(whole, insignificance);
  const double variance = best.squares / static_cast<double>(best.rows) + insignificance;
  if (best.has_damper &&
      best.b * best.b < 100 * variance * best.find_covariance_factor()(kDamping, kDamping)) {
    fine.damper = false;
    whole.push_back(solve_loop_fit(record, best.stages, fine));
  }
  return {find_best(whole, insignificance), insignificance};
}

// What is not in the model. A lag or filter adds to the delay, a damper takes b/k off it.
enum class LeftOut { lag, filter, damper };

// The delay by which h would be wrong if a stage that is not in the model were there, too fast to be
// noticed: its time ε grows until what the other parameters cannot imitate of it has the squares `noticed`.
double find_unnoticed_delay(const LoopRecord& record, const LoopFit& fit, LeftOut stage,
                            double noticed) {
  const auto model = [&](const LoopResponse& r, double b) -> VectorXd {
    return -fit.k * r.row(kColumnY).transpose() - b * r.row(kColumnYRate).transpose();
  };
  const LoopResponse base = find_loop_response(record, fit.stages);
  const VectorXd f = model(base, fit.b);
  // ∂f/∂parameter at all ticks, (4) of loop_response.h.
  MatrixXd J(base.cols(), fit.parameters());
  Index columns = 0;
  const auto add = [&](LoopColumn c, LoopColumn d) {
    J.col(columns++) = fit.k * base.row(c).transpose() + fit.b * base.row(d).transpose();
  };
  add(kColumnYRate, kColumnYSecond);
  J.col(columns++) = base.row(kColumnY).transpose();
  J.col(columns++).setOnes();
  if (fit.has_damper) J.col(columns++) = base.row(kColumnYRate).transpose();
  if (fit.stages.has_lag()) add(kColumnQRate, kColumnQSecond), add(kColumnQSecond, kColumnQThird);
  if (fit.stages.has_filter()) add(kColumnRRate, kColumnRSecond);
  const auto first = static_cast<Index>(record.first), rows = base.cols() - first;
  const VectorXd scale = J.bottomRows(rows).colwise().norm().transpose().cwiseMax(1e-300);
  const Eigen::HouseholderQR<MatrixXd> qr(J.bottomRows(rows) * scale.cwiseInverse().asDiagonal());

  double contained = 0;
  const auto squares = [&](double time) {
    LoopStages with = fit.stages;
    with.delay = std::max(with.delay - time, 0.0);
    double b = fit.b;
    if (stage == LeftOut::filter) {
      with.filter = time;
    } else if (stage == LeftOut::lag) {
      with.damping = 0.7;  // most like a delay: its gain is flat
      with.frequency = 2 * with.damping / time;
    } else {
      with.delay = fit.stages.delay + time;
      b = fit.k * time;
    }
    const VectorXd change = (model(find_loop_response(record, with), b) - f).tail(rows);
    const VectorXd rest = (qr.householderQ().transpose() * change).tail(rows - columns);
    contained = with.delay - fit.stages.delay - qr.solve(change)(0) / scale(0);
    return rest.squaredNorm();
  };
  // A lag or filter takes no more than all of h.
  double low = 1e-3, high = stage == LeftOut::damper ? 0.1 / record.sample_time : fit.stages.delay;
  if (high <= low) return high;
  if (squares(high) > noticed) {
    for (int i = 0; i < 8; ++i) {
      const double middle = std::sqrt(low * high);
      (squares(middle) < noticed ? low : high) = middle;
    }
    squares(low);
  }
  return std::abs(contained);
}

// Three first-order lags in a row: the fastest is the filter. True when they changed places.
bool order_poles(LoopStages& s) {
  if (!s.has_lag() || !s.has_filter() || s.damping < 1) return false;
  const double root = std::sqrt(s.damping * s.damping - 1);
  const double fast = (s.damping - root) / s.frequency, slow = (s.damping + root) / s.frequency;
  if (s.filter <= fast) return false;
  const double product = slow * s.filter;
  s.damping = (slow + s.filter) / (2 * std::sqrt(product));
  s.frequency = 1 / std::sqrt(product);
  s.filter = fast;
  return true;
}

// Residuals in the order of time, and where the force does not follow the model.
struct Residuals {
  double correlation = 0;        // of neighbours
  double shallow = 0, deep = 0;  // [N] means over the tenth that presses least and most
};
Residuals find_residuals(const LoopRecord& record, const LoopFit& fit) {
  const LoopResponse response = find_loop_response(record, fit.stages);
  std::vector<std::array<double, 2>> points;  // model, residual
  double last = std::numeric_limits<double>::quiet_NaN(), products = 0, squares = 0;
  for (std::size_t j = record.first; j < record.u.size(); ++j) {
    const auto i = static_cast<Index>(j);
    const double model = fit.f0 - fit.k * response(kColumnY, i) - fit.b * response(kColumnYRate, i);
    const double residual = record.force[j] - model;
    if (std::isfinite(last * residual)) {
      products += last * residual;
      squares += (last * last + residual * residual) / 2;
    }
    last = residual;
    if (std::isfinite(residual)) points.push_back({model, residual});
  }
  Residuals r;
  r.correlation = squares > 0 ? products / squares : 0;
  std::sort(points.begin(), points.end());
  const std::size_t tenth = std::max<std::size_t>(points.size() / 10, 1);
  for (std::size_t i = 0; i < tenth; ++i) {
    r.deep += points[i][1] / static_cast<double>(tenth);
    r.shallow += points[points.size() - 1 - i][1] / static_cast<double>(tenth);
  }
  return r;
}

// Does the force follow the command with the sign reversed?
bool pulls(ThinnedRecord thin, const LoopIdentifyOptions& options) {
  for (double& f : thin.force) f = -f;
  const LoopRecord record = thin.record();
  const LoopFitOptions fit{.limits = find_limits(thin.sample_time, options.most_delay),
                           .tolerance = 1e-4};
  const auto starts = find_loop_starts(record, true, false, fit.limits.most_delay);
  const LoopFit reversed = solve_loop_fit(record, starts.front().stages, fit);
  return reversed.k > 0 &&
         reversed.squares < (1 - options.least_explained) * find_force_summary(record).squares;
}

// What a sum of squares that is too large, or residuals with a shape, come from.
std::string find_fault(const LoopIdentification& id, const LoopFit& fit, const Residuals& r,
                       const ForceSummary& force, const LoopIdentifyOptions& options, double T) {
  // Nonlinear at one end: more than 3 % of the half range beyond what noise gives a mean of a tenth.
  const double limit = 0.015 * force.range +
                       5 * id.residual_rms / std::sqrt(static_cast<double>(force.samples) / 10);
  const bool lost = r.shallow < -limit && -r.shallow >= std::abs(r.deep) * 0.5,
             saturated = !lost && std::abs(r.deep) > limit;
  if (lost)
    return fmt::format(
        "contact was lost: where the probe should press least the force is {:.3g} N off the model "
        "in the "
        "mean, of a range of {:.3g} N; press deeper or move less",
        -r.shallow, force.range);
  if (saturated)
    return fmt::format(
        "the force is not linear in depth: where the probe presses most it is {:.3g} N off the "
        "model in "
        "the mean, of a range of {:.3g} N; the sensor may saturate",
        std::abs(r.deep), force.range);
  if (id.explained < 0.5)
    return fmt::format(
        "no response: the command explains {:.1f} % of the variance of the force; is there "
        "contact, is "
        "the sensor on?",
        100 * std::max(id.explained, 0.0));
  if (id.explained < options.least_explained)
    return fmt::format(
        "the residual is too large: delay, lag, filter, stiffness and damping explain {:.1f} % of "
        "the "
        "variance of the force, {:.1f} % is asked for",
        100 * id.explained, 100 * options.least_explained);
  if (fit.stages.delay * T >= options.most_delay * (1 - 1e-9))
    return fmt::format("the delay is at the end of the search, {} s, or beyond",
                       options.most_delay);
  return {};
}

void set_estimates(const LoopFit& fit, const MatrixXd& C, double T, LoopIdentification& id) {
  const LoopStages& s = fit.stages;
  const auto deviation = [&](const VectorXd& g) { return std::sqrt(std::max(g.dot(C * g), 0.0)); };
  const auto of = [&](int p, double scale) {
    return deviation(scale * VectorXd::Unit(kParameterCount, p));
  };
  id.delay = {s.delay * T, of(kDelay, T)};
  id.robot_frequency = {s.frequency / T, of(kLogFrequency, s.frequency / T)};
  id.robot_damping = {s.damping, of(kLogDamping, s.damping)};
  id.filter_time = {s.filter * T, of(kLogFilter, s.filter * T)};
  id.stiffness = {fit.k, of(kStiffness, 1)};
  id.damping = {fit.b * T, of(kDamping, T)};
  id.force_offset = {fit.f0, of(kOffset, 1)};
  // 2ζ/ω + τ, and (3).
  VectorXd lag = VectorXd::Zero(kParameterCount);
  lag(kLogDamping) = s.lag() * T;
  lag(kLogFrequency) = -s.lag() * T;
  lag(kLogFilter) = s.filter * T;
  const VectorXd delay = T * VectorXd::Unit(kParameterCount, kDelay);
  id.total_delay = {s.total() * T, deviation(delay + lag)};
  if (s.has_lag() || s.has_filter())
    id.correlation = delay.dot(C * lag) / std::max(deviation(delay) * deviation(lag), 1e-300);
}

LoopIdentification with_fault(LoopIdentification id, std::string fault) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  id.fault = std::move(fault);
  id.notes.clear();
  for (LoopEstimate* e : {&id.delay, &id.robot_frequency, &id.robot_damping, &id.filter_time,
                          &id.total_delay, &id.stiffness, &id.damping, &id.force_offset})
    *e = {none, none};
  id.correlation = none;
  return id;
}

}  // namespace

LoopIdentification identify_loop(const LoopRecord& record, const LoopIdentifyOptions& options) {
  check(record);
  LoopIdentification id;
  const double T = record.sample_time;
  const ForceSummary force = find_force_summary(record);
  id.samples = force.samples;
  id.missing = force.missing;
  if (force.samples < 200 || force.missing > force.samples)
    return with_fault(id, fmt::format("too few answers: {} of {} ticks", force.samples,
                                      force.samples + force.missing));
  const auto [low, high] = std::minmax_element(
      record.u.begin() + static_cast<std::ptrdiff_t>(record.first), record.u.end());
  if (!(*high > *low)) return with_fault(id, "the command does not move");
  if (!(force.range > 0)) return with_fault(id, "no response: the force never changes");

  const ThinnedRecord thin = thin_record(record);
  const auto samples = static_cast<double>(force.samples);
  auto [fit, insignificance] = solve_models(record, thin, options.most_delay, force.range);
  const bool moved = order_poles(fit.stages);
  if (moved) fit = find_loop_fit(record, fit.stages, fit.has_damper);

  id.residual_rms = std::sqrt(fit.squares / samples);
  id.explained = 1 - fit.squares / force.squares;
  const Residuals residuals = find_residuals(record, fit);
  id.residual_correlation = residuals.correlation;
  if ((fit.k <= 0 || id.explained < options.least_explained) && pulls(thin, options))
    return with_fault(id,
                      "the force pulls where it should press: the sensor's sign or its mounting is "
                      "reversed");
  if (const std::string fault = find_fault(id, fit, residuals, force, options, T); !fault.empty())
    return with_fault(id, fault);

  // Residuals that hang together count for fewer: the variance of a mean of a first-order process.
  const double rho = std::clamp(residuals.correlation, 0.0, 0.99),
               together = rho > 3 / std::sqrt(samples) ? (1 + rho) / (1 - rho) : 1,
               variance = together * fit.squares / (samples - fit.parameters()) + insignificance;
  set_estimates(fit, variance * fit.find_covariance_factor(), T, id);
  const double noticed = (log(samples) * variance + samples * insignificance) / thin.stride;
  LoopFit thinned = fit;
  thinned.stages = scale_time(fit.stages, 1.0 / thin.stride);
  thinned.b = fit.b / thin.stride;
  const auto leave_out = [&](LeftOut stage, const char* name) {
    const double contained =
        thin.sample_time * find_unnoticed_delay(thin.record(), thinned, stage, noticed);
    id.delay.deviation =
        std::sqrt(id.delay.deviation * id.delay.deviation + contained * contained / 4);
    id.notes.push_back(
        fmt::format("no {}: it would not improve the fit; one that shifts the delay by "
                    "less than {:.2g} s would not be noticed",
                    name, contained));
  };
  if (!fit.stages.has_lag()) leave_out(LeftOut::lag, "robot lag");
  if (!fit.stages.has_filter()) leave_out(LeftOut::filter, "filter");
  if (!fit.has_damper) leave_out(LeftOut::damper, "contact damping");
  if (fit.stages.has_lag() && fit.stages.has_filter() && fit.stages.damping >= 1)
    id.notes.push_back(
        "the lag is overdamped: its two first-order parts and the filter cannot be put in order; "
        "the "
        "fastest is called the filter");
  if (const double asked = std::max(0.01 * id.delay.value, 0.1 * T); id.delay.deviation > asked)
    id.notes.push_back(fmt::format(
        "delay and lag are not separated: the delay is {:.3g} ± {:.2g} s, the total {:.4g} ± "
        "{:.2g} s",
        id.delay.value, id.delay.deviation, id.total_delay.value, id.total_delay.deviation));
  return id;
}

}  // namespace berth
