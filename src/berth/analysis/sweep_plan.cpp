// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth {
namespace {

class PlanBuilder {
 public:
  PlanBuilder(const PlanRequest& request, Problems& problems)
      : request_(request), problems_(problems) {
    plan_.seed = request.seed;
    plan_.design = request.design;
    plan_.correlated = request.correlated;
    plan_.finds_indices = request.finds_indices;
  }

  SweepPlan build() {
    read_keys();
    if (problems_.empty()) check_samples();
    if (problems_.empty()) add_groups();
    if (problems_.empty()) add_draws();
    return std::move(plan_);
  }

 private:
  void refuse(const char* option, const std::string& key, std::string message) {
    problems_.add(Place{0, 0, option}, key, std::move(message));
  }

  void read_keys() {
    if (request_.vary.empty())
      refuse("--vary", "", fmt::format("nothing is varied: --vary KEY={}", kVaryForms));
    for (const std::string& text : request_.vary) {
      std::optional<Vary> one = read_vary(text, request_.folder, problems_);
      if (!one) continue;
      if (std::any_of(plan_.keys.begin(), plan_.keys.end(),
                      [&](const Vary& other) { return other.key == one->key; }))
        refuse("--vary", one->key, "is varied twice");
      plan_.keys.push_back(std::move(*one));
    }
  }

  void check_samples() {
    const bool is_random = plan_.is_random();
    if (is_random && request_.samples == 0)
      refuse("--samples", "", "is missing: how often the random keys are drawn");
    if (!is_random && request_.samples > 0)
      refuse("--samples", "", "nothing is random here: vary a key by normal(…) or uniform(…) too");
    if (!is_random && plan_.design != Design::random)
      refuse("--design", "", "nothing is random here: vary a key by normal(…) or uniform(…) too");
    if (plan_.finds_indices) {
      if (!is_random) refuse("--indices", "", "nothing is random here");
      for (const Vary& v : plan_.keys)
        if (is_random && !v.is_random())
          refuse("--indices", v.key, "has values: Sobol's indices are of random inputs alone");
      if (!plan_.correlated.empty())
        refuse("--indices", "", "Sobol's indices are of independent inputs: these are correlated");
    }
    if (!problems_.empty()) return;
    plan_.samples = std::max<std::uint64_t>(request_.samples, 1);
    double count = static_cast<double>(plan_.samples * plan_.cases_per_sample());
    for (const Vary& v : plan_.keys)
      if (!v.is_random()) count *= static_cast<double>(v.values.size());
    if (count > static_cast<double>(kMostCases))
      refuse("--vary", "", fmt::format("these are {} cases; the most is {}", count, kMostCases));
  }

  // The place of a random key that is a member of no group yet.
  std::optional<std::size_t> find_member(const std::string& key, std::vector<bool>& taken) {
    const auto found = std::find_if(plan_.keys.begin(), plan_.keys.end(),
                                    [&](const Vary& v) { return v.key == key; });
    const auto k = static_cast<std::size_t>(found - plan_.keys.begin());
    const char* fault = found == plan_.keys.end() ? "is not among the inputs that are drawn"
                        : !found->is_random()     ? "is not random"
                        : taken[k]                ? "is in two groups of correlated inputs"
                        : found->distribution.is_discrete()
                            ? "is one of several values: these cannot be correlated"
                            : nullptr;
    if (fault) {
      refuse("dispersion.correlation", key, fault);
      return std::nullopt;
    }
    taken[k] = true;
    return k;
  }

  void add_groups() {
    std::vector<bool> taken(plan_.keys.size());
    for (const Correlated& c : plan_.correlated) {
      std::vector<std::size_t> members;
      for (const std::string& key : c.keys)
        if (const auto k = find_member(key, taken)) members.push_back(*k);
      if (members.size() != c.keys.size()) continue;
      const BuiltGroup built = c.covariance.empty() ? build_from_correlation(members, c.matrix)
                                                    : build_with_covariance(members, c.covariance);
      if (built.fault) {
        refuse("dispersion.correlation", fmt::format("{}", fmt::join(c.keys, ", ")), *built.fault);
      } else {
        plan_.groups.push_back(built.group);
      }
    }
  }

  // The deviations it states must be those of the keys.
  BuiltGroup build_with_covariance(const std::vector<std::size_t>& members,
                                   const MatrixRows& covariance) {
    std::vector<double> deviations;
    for (const std::size_t k : members) {
      const Vary& v = plan_.keys[k];
      if (v.distribution.kind != DistributionKind::normal)
        return {.fault = fmt::format("{} is not normal: state its correlation by matrix", v.key)};
      deviations.push_back(v.distribution.spread);
    }
    return build_from_covariance(members, covariance, deviations);
  }

  void add_draws() {
    if (!plan_.is_random()) return;
    const std::size_t wanted = plan_.count_random() * (plan_.finds_indices ? 2 : 1);
    const std::uint32_t most = SampleDesign::most_dimensions(plan_.design);
    if (wanted > most)
      return refuse("--design", "",
                    fmt::format("this design draws at most {} numbers, not {}", most, wanted));
    plan_.draws = std::make_shared<const SampleDesign>(
        plan_.design, plan_.seed, static_cast<std::uint32_t>(wanted), plan_.samples);
  }

  const PlanRequest& request_;
  Problems& problems_;
  SweepPlan plan_;
};

}  // namespace

bool SweepPlan::is_random() const { return count_random() > 0; }

std::size_t SweepPlan::count_random() const {
  return static_cast<std::size_t>(
      std::count_if(keys.begin(), keys.end(), [](const Vary& v) { return v.is_random(); }));
}

std::uint64_t SweepPlan::cases() const {
  std::uint64_t count = samples * cases_per_sample();
  for (const Vary& v : keys)
    if (!v.is_random()) count *= v.values.size();
  return count;
}

std::uint32_t SweepPlan::randomisation_of(std::uint64_t number) const {
  return draws ? draws->randomisation_of(finds_indices ? number / cases_per_sample()
                                                       : number % samples)
               : 0;
}

std::vector<Cell> SweepPlan::inputs(std::uint64_t number) const {
  const std::uint64_t cases = cases_per_sample();
  return finds_indices ? find_inputs(number / cases, 0, number % cases)       // (2)
                       : find_inputs(number % samples, number / samples, 0);  // (1)
}

std::vector<Cell> SweepPlan::find_inputs(std::uint64_t sample, std::uint64_t point,
                                         std::uint64_t which) const {
  const std::size_t random = count_random();
  std::vector<Cell> out(keys.size());
  for (std::size_t k = keys.size(); k-- > 0;) {
    if (keys[k].is_random()) continue;
    out[k] = keys[k].values[point % keys[k].values.size()];
    point /= keys[k].values.size();
  }
  if (random == 0) return out;

  std::vector<bool> is_grouped(keys.size());
  std::vector<double> z;  // of the groups' members
  for (const CorrelatedGroup& group : groups)
    for (const std::size_t k : group.members) is_grouped[k] = true;
  if (!groups.empty()) z.resize(keys.size());
  std::uint32_t j = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (!keys[k].is_random()) continue;
    const std::uint32_t dimension =
        which == 1 || which == j + 2 ? j + static_cast<std::uint32_t>(random) : j;
    ++j;
    if (is_grouped[k]) {
      z[k] = draws->normal(sample, dimension);
    } else if (keys[k].is_of_normal()) {
      out[k] = keys[k].draw_normal(draws->normal(sample, dimension));
    } else {
      out[k] = keys[k].draw(draws->uniform(sample, dimension));
    }
  }
  for (const CorrelatedGroup& group : groups) {
    group.correlate(z);
    for (const std::size_t k : group.members) out[k] = keys[k].draw_normal(z[k]);
  }
  return out;
}

std::vector<Cell> SweepPlan::from_normal(std::span<const double> z) const {
  std::vector<double> all(keys.size());
  std::size_t j = 0;
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (keys[k].is_random()) all[k] = z[j++];
  for (const CorrelatedGroup& group : groups) group.correlate(all);
  std::vector<Cell> out;
  for (std::size_t k = 0; k < keys.size(); ++k)
    out.push_back(keys[k].is_random() ? keys[k].draw_normal(all[k]) : keys[k].values.front());
  return out;
}

std::vector<std::string> to_settings(const std::vector<Vary>& keys,
                                     const std::vector<Cell>& inputs) {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < keys.size(); ++k) list.push_back(to_setting(keys[k].key, inputs[k]));
  return list;
}

std::vector<std::string> SweepPlan::settings(std::uint64_t number) const {
  return to_settings(keys, inputs(number));
}

SweepPlan build_sweep_plan(const PlanRequest& request, Problems& problems) {
  return PlanBuilder(request, problems).build();
}

}  // namespace berth
