// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/dispersion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/scenario/read/find_input.h"

namespace berth {
namespace {

class DispersionReader {
 public:
  DispersionReader(const Scenario& scenario, Problems& problems)
      : scenario_(scenario), problems_(problems) {}

  Dispersion read() {
    for (const DispersedInput& input : scenario_.dispersion.input) add(input);
    for (const CorrelationSpec& c : scenario_.dispersion.correlation) {
      for (std::size_t i = 0; i < c.keys.size() && !c.covariance.empty(); ++i)
        if (!is_known(c.keys[i])) add_normal(c.keys[i], {}, find_deviation(c.covariance, i));
      out_.correlated.push_back({c.keys, c.matrix, c.covariance});
    }
    return std::move(out_);
  }

 private:
  void refuse(const std::string& key, const std::string& why) {
    problems_.add(Place{0, 0, "dispersion"}, key, why);
  }
  bool is_known(const std::string& key) const {
    return std::any_of(out_.vary.begin(), out_.vary.end(),
                       [&](const std::string& v) { return v.substr(0, v.find('=')) == key; });
  }
  // A variance that is none is refused with the whole matrix.
  static double find_deviation(const std::vector<std::vector<double>>& covariance, std::size_t i) {
    const double variance = covariance.at(i).at(i);
    return variance > 0 ? std::sqrt(variance) : 0;
  }

  std::optional<double> find_mean(const std::string& key, const std::optional<double>& given) {
    if (given) return given;
    const std::optional<InputFacts> facts = find_input(scenario_, key);
    if (facts && facts->value) return facts->value;
    refuse(key, facts ? "has no value of its own to be dispersed about: give a mean"
                      : "there is no such input");
    return std::nullopt;
  }

  void add_normal(const std::string& key, const std::optional<double>& mean, double deviation) {
    if (const auto m = find_mean(key, mean))
      out_.vary.push_back(fmt::format("{}=normal({},{})", key, *m, deviation));
  }

  void add(const DispersedInput& input) {
    if (!input.distribution.empty()) {
      out_.vary.push_back(input.key + "=" + input.distribution);
      return;
    }
    const auto mean = find_mean(input.key, input.mean);
    if (!mean) return;
    const double deviation = input.three_sigma ? *input.three_sigma / 3
                                               : *input.three_sigma_percent / 300 * std::abs(*mean);
    if (!input.within) return add_normal(input.key, mean, deviation);
    out_.vary.push_back(fmt::format("{}=truncated_normal({},{},{},{})", input.key, *mean, deviation,
                                    (*input.within)[0], (*input.within)[1]));
  }

  const Scenario& scenario_;
  Problems& problems_;
  Dispersion out_;
};

}  // namespace

Dispersion read_dispersion(const Scenario& scenario, Problems& problems) {
  return DispersionReader(scenario, problems).read();
}

}  // namespace berth
