// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile — a wanted value over time, with its first two derivatives.
//
//   constant   value
//   step       from before `start`, to from then on
//   quintic    from → to between start and start + duration, rest to rest:
//              s = (t − start)/duration,   value = from + (to − from)(10 s³ − 15 s⁴ + 6 s⁵)       (1)
//   rate       the rate goes from rate_from to rate_to between start and start + duration:
//              value = value₀ + duration (rate_from s + (rate_to − rate_from)(2.5 s⁴ − 3 s⁵ + s⁶)) (2)
//   glideslope from → to with a rate that follows the value: rate_from at `from`, rate_to at `to`
//              and from there on; with k = (rate_from − rate_to)/(from − to) and τ = t − start,
//              value = from + rate_from (e^{kτ} − 1)/k                                            (4)
//   table      straight lines through (times, values), held at both ends
//
// With `series` the reference is a function f of that value, given by Chebyshev coefficients between
// `low` and `high`: joint angles over a distance, say. Rate f′ẋ, acceleration f″ẋ² + f′ẍ.          (3)
//
// Which piece is in force is decided at the start of the smooth stretch, so that no step straddles
// a corner (see Motion::t_from).

#include <cmath>

#include "berth/model/elements.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

// value(x), where a member of that name hides it.
template <Scalar T>
double value_of(const T& x) {
  return value(x);
}

enum class ProfileType : unsigned char { constant, step, quintic, rate, glideslope, table };
constexpr auto keywords_of(ProfileType) {
  return std::array{Keyword{"constant", "the value, always"},
                    Keyword{"step", "from before `start`, to from then on"},
                    Keyword{"quintic", "from → to, rest to rest"},
                    Keyword{"rate", "the rate goes from rate_from to rate_to"},
                    Keyword{"glideslope", "from → to with a rate that follows the value"},
                    Keyword{"table", "straight lines through (times, values)"}};
}

template <Scalar T>
struct Profile {
  OneOf<ProfileType> type;
  T value{};
  T from{}, to{};
  T rate_from{}, rate_to{};
  T start{};
  T duration{1.0};
  std::vector<T> times;
  std::vector<T> values;
  T low{}, high{1.0};
  std::vector<T> series;

  static constexpr auto fields() {
    using P = Profile;
    return Schema{
        Field{"type", &P::type, unit::none, Range::any, "how the value goes over time"},
        Field{"value", &P::value, unit::of_input, Range::any,
              "constant: the value; rate: at `start`"},
        Field{"from", &P::from, unit::of_input, Range::any,
              "step, quintic, glideslope: value before"},
        Field{"to", &P::to, unit::of_input, Range::any, "step, quintic, glideslope: value after"},
        Field{"rate_from", &P::rate_from, unit::of_input_per_s, Range::any,
              "rate: before; glideslope: at `from`"},
        Field{"rate_to", &P::rate_to, unit::of_input_per_s, Range::any,
              "rate: after; glideslope: at `to`"},
        Field{"start", &P::start, unit::second, Range::any,
              "step, quintic, rate, glideslope: when it begins"},
        Field{"duration", &P::duration, unit::second, Range::positive, "quintic, rate: how long"},
        Field{"times", &P::times, unit::second, Range::any, "table: times, increasing"},
        Field{"values", &P::values, unit::of_input, Range::any, "table: values"},
        Field{"low", &P::low, unit::none, Range::any, "series: begins at this value"},
        Field{"high", &P::high, unit::none, Range::any, "series: ends at this value"},
        Field{"series", &P::series, unit::none, Range::any,
              "Chebyshev coefficients: the reference is this function of the value"},
    };
  }

  struct Sample {
    T value, rate, acceleration;
  };

  void check(const Surroundings&, Findings& findings) const {
    if (type == ProfileType::glideslope) {
      const auto leads = [&](const T& rate) { return value_of((to - from) * rate) > 0; };
      if (!leads(rate_from) || !leads(rate_to))
        findings.add("", "a glideslope needs rates that lead from `from` to `to`");
    }
    if (is_smooth() && !(duration > 0))
      findings.add("duration", "duration must be positive, not " + shown(value_of(duration)));
    if (!series.empty() && !(low < high)) findings.add("series", "a series needs low < high");
    if (type != ProfileType::table) return;
    if (times.empty() || times.size() != values.size())
      findings.add("times", "a table needs as many times as values");
    for (std::size_t i = 1; i < times.size(); ++i)
      if (!(times[i] > times[i - 1])) return findings.add("times", "table times must increase");
  }

  void add_times(std::vector<double>& out) const {
    const double begin = value_of(start);
    if (type == ProfileType::step || type == ProfileType::glideslope || is_smooth())
      out.push_back(begin);
    if (is_smooth()) out.push_back(begin + value_of(duration));
    if (type == ProfileType::glideslope) out.push_back(begin + glide_time());
    if (type == ProfileType::table)
      for (const T& time : times) out.push_back(value_of(time));
  }

  Sample at(const T& t, const T& t_from) const {
    const Sample x = find_value(t, t_from);
    return series.empty() ? x : find_function(x);
  }

 private:
  bool is_smooth() const { return type == ProfileType::quintic || type == ProfileType::rate; }

  // How long a glideslope takes.
  double glide_time() const {
    const double a = value_of(rate_from), b = value_of(rate_to);
    const double way = value_of(to) - value_of(from);
    const double u = (b - a) / a;  // ln(b/a)/u is smooth through u = 0
    return way / a * (std::fabs(u) < 1e-8 ? 1 - u / 2 : log1p(u) / u);
  }

  Sample find_value(const T& t, const T& t_from) const {
    const T zero(0.0);
    switch (type) {
      case ProfileType::glideslope: {
        if (t_from < start) return {from, zero, zero};
        const double whole = glide_time();
        const T passed = t - start;
        if (t_from >= start + whole) return {to + (passed - whole) * rate_to, rate_to, zero};
        const T k = (rate_from - rate_to) / (from - to), y = k * passed;
        // (e^y − 1)/y, by its series where the difference would cancel.
        const T small = 1.0 + y * (0.5 + y * (1.0 / 6 + y * (1.0 / 24)));
        const T near_one = select(abs(y) < 1e-3, T(1.0), y);
        const T growth = select(abs(y) < 1e-3, small, (exp(y) - 1.0) / near_one);
        const T rate = rate_from + rate_from * y * growth;              // rate_from e^y
        return {from + rate_from * (passed * growth), rate, k * rate};  // (4)
      }
      case ProfileType::step: return {t_from >= start ? to : from, zero, zero};
      case ProfileType::quintic: {
        if (t_from < start) return {from, zero, zero};
        if (t_from >= start + duration) return {to, zero, zero};
        const T s = (t - start) / duration, s2 = s * s;
        const T change = to - from;
        return {from + (s2 * s * (10.0 - 15.0 * s + 6.0 * s2)) * change,  // (1)
                (30.0 * s2 * (1.0 - 2.0 * s + s2) / duration) * change,
                (60.0 * s * (1.0 - 3.0 * s + 2.0 * s2) / (duration * duration)) * change};
      }
      case ProfileType::rate: {
        const T change = rate_to - rate_from;
        const T passed = (0.5 * duration) * (rate_from + rate_to);
        if (t_from < start) return {value + (t - start) * rate_from, rate_from, zero};
        if (t_from >= start + duration)
          return {value + passed + (t - start - duration) * rate_to, rate_to, zero};
        const T s = (t - start) / duration, s2 = s * s;
        return {
            value + duration * (s * rate_from + (s2 * s2 * (2.5 - 3.0 * s + s2)) * change),  // (2)
            rate_from + (s2 * s * (10.0 - 15.0 * s + 6.0 * s2)) * change,
            (30.0 * s2 * (1.0 - 2.0 * s + s2) / duration) * change};
      }
      case ProfileType::table: {
        std::size_t i = 0;
        while (i < times.size() && times[i] <= t_from) ++i;
        if (i == 0) return {values.front(), zero, zero};
        if (i == times.size()) return {values.back(), zero, zero};
        const T rate = (1.0 / (times[i] - times[i - 1])) * (values[i] - values[i - 1]);
        return {values[i - 1] + (t - times[i - 1]) * rate, rate, zero};
      }
      case ProfileType::constant: break;
    }
    return {value, zero, zero};
  }

  // (3), by Clenshaw's recurrence and its first two derivatives.
  Sample find_function(const Sample& x) const {
    const T scale = 2.0 / (high - low);
    const T u = scale * (x.value - low) - 1.0;
    T f(0.0), f_1(0.0), d(0.0), d_1(0.0), dd(0.0), dd_1(0.0);
    for (std::size_t k = series.size(); k-- > 0;) {
      const double twice = k > 0 ? 2 : 1;  // the last step is half a step
      const T ddf = twice * (u * dd + 2.0 * d) - dd_1;
      const T df = twice * (u * d + f) - d_1;
      const T ff = twice * u * f - f_1 + series[k];
      dd_1 = dd, d_1 = d, f_1 = f;
      dd = ddf, d = df, f = ff;
    }
    const T rate = scale * x.rate;
    return {f, d * rate, dd * square(rate) + d * (scale * x.acceleration)};
  }
};

}  // namespace berth
