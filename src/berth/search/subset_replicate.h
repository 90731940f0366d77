// SPDX-License-Identifier: Apache-2.0
#pragma once

// One replicate of a subset simulation (subset_simulation.h): samples of nested events F₁ ⊃ F₂ ⊃ …,
// each the best share p₀ of the samples before.
//
//   level     b  = the value that p₀ N of the N samples reach,   F = {z : value(z) ≥ b}            (1)
//   chains    z' = ρ z + σ ξ,   ρ² + σ² = 1,  ξ normal;  accepted if z' is in F, else z again      (2)
//   scale     ln σ ← ln σ + (share accepted − 0.44)/√step                                          (3)
//
// (2) leaves the normal distribution unchanged, in any number of dimensions (Papaioannou, Betz,
// Zwirglmaier and Straub, Probabilistic Engineering Mechanics 41, 2015). (3) uses all chains of one
// step, so that the chains may be evaluated at once; the paper finishes one block of chains after
// the other.
//
// Values with ties: where more than p₀ N samples share the lowest value (refused cases, saturated
// outputs), b is the lowest value above it.

#include <cstdint>
#include <span>
#include <vector>

namespace berth {

using SearchPoint = std::vector<double>;

struct SubsetOptions {
  std::uint32_t inputs = 1;        // independent standard normal numbers
  double threshold = 0;            // failure: value > threshold
  std::uint32_t samples = 1000;    // per level and replicate
  std::uint32_t replicates = 10;   // independent of each other, at least 2: the interval needs them
  double level_probability = 0.1;  // p₀
  std::uint32_t most_levels = 12;  // a probability below p₀ to this power is not found
  double confidence = 0.95;        // of the interval
  std::uint64_t seed = 1;
};

class SubsetReplicate {
 public:
  SubsetReplicate(const SubsetOptions& options, std::uint32_t number);

  // Points to be evaluated next, none when it is done; then their values, in the same order. NaN: no
  // failure, and lower than every value.
  const std::vector<SearchPoint>& ask() const { return proposals_; }
  void record(std::span<const double> values);
  bool is_done() const { return proposals_.empty(); }

  // When it is done: the estimate, 0 when no failure was found; P(deepest event) as it was estimated,
  // which the probability of failure does not exceed; and the squared coefficient of variation that
  // the estimate would have if all samples were independent: it has no less.
  double estimate() const { return estimate_; }
  double bound() const { return bound_; }
  double least_variation() const { return least_variation_; }

  const std::vector<double>& thresholds() const { return thresholds_; }  // b of each level
  std::uint64_t evaluations() const { return evaluations_; }
  std::uint64_t refused() const { return refused_; }  // values that were NaN
  const std::vector<SearchPoint>& failures() const { return failures_; }

 private:
  struct Sample {
    SearchPoint z;
    double value;
  };
  static bool is_one_state(std::span<const Sample> heads, double b);
  double draw(std::uint32_t input) const;
  void propose();
  void adapt(double accepted_share);
  void close_level();
  void begin_level(std::vector<Sample> heads, double passed_share);
  void finish(std::size_t failing);

  SubsetOptions options_;
  std::uint32_t number_;
  std::uint64_t drawn_ = 0;             // points so far, the counter of the random numbers
  std::vector<SearchPoint> proposals_;  // being evaluated
  std::vector<Sample> samples_;         // of this level
  std::vector<std::size_t> chains_;  // where in samples_ each chain stands; none at the first level
  double scale_ = 0.6;               // σ
  int step_ = 0;                     // of the chains, in this level
  double bound_ = 1, least_variation_ = 0, estimate_ = 0;
  std::vector<double> thresholds_;
  std::uint64_t evaluations_ = 0, refused_ = 0;
  std::vector<SearchPoint> failures_;
};

}  // namespace berth
