// SPDX-License-Identifier: Apache-2.0
#pragma once

// [dispersion] as plain structs: what is uncertain, as mission analysts write it.
//
//   [[dispersion.input]]
//   key = "spacecraft.chaser.state.position.y"
//   three_sigma = 0.05            # normal, about what the scenario says
//
//   [[dispersion.correlation]]
//   keys = ["spacecraft.chaser.state.position.y", "spacecraft.chaser.state.velocity.y"]
//   matrix = [[1, -0.6], [-0.6, 1]]

#include <optional>
#include <string>
#include <vector>

#include "berth/model/fields.h"
#include "berth/model/findings.h"

namespace berth {

struct Surroundings;

struct DispersedInput {
  std::string key, distribution;
  std::optional<double> mean, three_sigma, three_sigma_percent;
  std::optional<std::array<double, 2>> within;

  static constexpr auto fields() {
    using P = DispersedInput;
    return Schema{
        Field{"key", &P::key, unit::none, Range::any,
              "path of the input, as --set takes it: its unit is that of all numbers here",
              required},
        Field{"three_sigma", &P::three_sigma, unit::none, Range::not_negative,
              "normal: three standard deviations"},
        Field{"three_sigma_percent", &P::three_sigma_percent, unit::none, Range::not_negative,
              "the same in percent of the mean"},
        Field{"mean", &P::mean, unit::none, Range::any,
              "of the normal distribution; left out: what the scenario says"},
        Field{"within", &P::within, unit::none, Range::any,
              "the normal distribution is cut off at these ends"},
        Field{"distribution", &P::distribution, unit::none, Range::any,
              "instead of a normal one, as --vary takes it: \"uniform(a,b)\" …"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

struct CorrelationSpec {
  std::vector<std::string> keys;
  std::vector<std::vector<double>> matrix, covariance;

  static constexpr auto fields() {
    using P = CorrelationSpec;
    return Schema{
        Field{"keys", &P::keys, unit::none, Range::any, "inputs of [dispersion], in this order",
              required},
        Field{"matrix", &P::matrix, unit::none, Range::any, "of correlation: ones on its diagonal"},
        Field{"covariance", &P::covariance, unit::none, Range::any,
              "instead: it states the standard deviations too, of inputs that are normal"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

struct DispersionSpec {
  std::vector<DispersedInput> input;
  std::vector<CorrelationSpec> correlation;

  static constexpr auto fields() {
    using P = DispersionSpec;
    return Schema{
        Field{"input", &P::input, unit::none, Range::any, "inputs that are drawn"},
        Field{"correlation", &P::correlation, unit::none, Range::any, "of groups of them"},
    };
  }
};

}  // namespace berth
