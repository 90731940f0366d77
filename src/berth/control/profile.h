// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile — a wanted value over time, with its first two derivatives.
//
//   constant   value
//   step       from before `start`, to from then on
//   quintic    from → to between start and start + duration, rest to rest:
//              s = (t − start)/duration,   value = from + (to − from)(10 s³ − 15 s⁴ + 6 s⁵)       (1)
//   table      straight lines through (times, values), held at both ends
//
// Which piece is in force is decided at the start of the smooth stretch, so that no step straddles
// a corner (see Motion::t_from).

#include "berth/model/elements.h"
#include "berth/model/fields.h"

namespace berth {

template <Scalar T>
struct Profile {
  std::string type = "constant";
  T value{};
  T from{}, to{};
  double start = 0;
  double duration = 1;
  std::vector<double> times;
  std::vector<T> values;

  static constexpr auto fields() {
    using P = Profile;
    return std::tuple{
        Field{"type", &P::type, unit::none, Range::any, "constant | step | quintic | table"},
        Field{"value", &P::value, unit::rad, Range::any, "constant: the value"},
        Field{"from", &P::from, unit::rad, Range::any, "step, quintic: value before"},
        Field{"to", &P::to, unit::rad, Range::any, "step, quintic: value after"},
        Field{"start", &P::start, unit::second, Range::any, "step, quintic: when it begins"},
        Field{"duration", &P::duration, unit::second, Range::positive, "quintic: how long"},
        Field{"times", &P::times, unit::second, Range::any, "table: times, increasing"},
        Field{"values", &P::values, unit::rad, Range::any, "table: values"},
    };
  }

  struct Sample {
    T value, rate, acceleration;
  };

  void check() const {
    const auto refuse = [](const std::string& rule) {
      throw std::invalid_argument("reference profile: " + rule);
    };
    if (type != "constant" && type != "step" && type != "quintic" && type != "table")
      refuse("type is constant, step, quintic or table, not " + type);
    if (type == "quintic" && !(duration > 0)) refuse("duration must be positive");
    if (type != "table") return;
    if (times.empty() || times.size() != values.size())
      refuse("a table needs as many times as values");
    for (std::size_t i = 1; i < times.size(); ++i)
      if (!(times[i] > times[i - 1])) refuse("table times must increase");
  }

  void add_times(std::vector<double>& out) const {
    if (type == "step" || type == "quintic") out.push_back(start);
    if (type == "quintic") out.push_back(start + duration);
    if (type == "table") out.insert(out.end(), times.begin(), times.end());
  }

  Sample at(double t, double t_from) const {
    const T zero(0.0);
    switch (type[0]) {  // the four words differ in their first letter
      case 's': return {t_from >= start ? to : from, zero, zero};
      case 'q': {
        if (t_from < start) return {from, zero, zero};
        if (t_from >= start + duration) return {to, zero, zero};
        const double s = (t - start) / duration, s2 = s * s;
        const T change = to - from;
        return {from + (s2 * s * (10 - 15 * s + 6 * s2)) * change,  // (1)
                (30 * s2 * (1 - 2 * s + s2) / duration) * change,
                (60 * s * (1 - 3 * s + 2 * s2) / (duration * duration)) * change};
      }
      case 't': {
        std::size_t i = 0;
        while (i < times.size() && times[i] <= t_from) ++i;
        if (i == 0) return {values.front(), zero, zero};
        if (i == times.size()) return {values.back(), zero, zero};
        const T rate = (1.0 / (times[i] - times[i - 1])) * (values[i] - values[i - 1]);
        return {values[i - 1] + (t - times[i - 1]) * rate, rate, zero};
      }
      default: return {value, zero, zero};
    }
  }
};

}  // namespace berth
