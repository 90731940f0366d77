// SPDX-License-Identifier: Apache-2.0
#pragma once

// Subset simulation — the probability of a rare failure, from thousands of runs instead of millions.
//
//   P(value > threshold) = P(F₁) P(F₂|F₁) … P(Fₘ|Fₘ₋₁)       z independent standard normal numbers
//
// (Au and Beck, Probabilistic Engineering Mechanics 16, 2001). Each factor is about 0.1 and is counted
// among samples of Markov chains inside the event before (subset_replicate.h). The whole is done R
// times, independently; the interval comes from the scatter of the R estimates pᵢ, correlations within
// a replicate included:
//
//   y  = mean of ln pᵢ,   s² = their variance, not below that of independent samples
//   ln p = y + s²/2 ± t √(s²/R + s⁴/2(R−1))         t of Student, R − 1 degrees of freedom        (1)
//
// (Cox's interval for the mean of log-normal numbers: the mean of pᵢ is unbiased to order 1/N, that of
// ln pᵢ is not.) A replicate without failure at its deepest level enters (1) with the probability of
// that level, which is too much, and the interval then starts at 0.
//
// What no replicate met is in no interval: a second way to fail whose value is low until close to failure
// is left behind by the early levels, and then the interval lies too low. A value that rises along
// every way to fail, or a search for each of them, avoids it.
//
//   SubsetSimulation search({.inputs = 10, .threshold = 4.75});
//   while (!search.is_done()) search.record(evaluate(search.ask()));      // any number of cores
//   search.result().probability
//
// Everything follows from the options and the recorded values. One ask is one step of all chains of
// all replicates.

#include <cstdint>
#include <span>
#include <vector>

#include "berth/search/subset_replicate.h"

namespace berth {

struct SubsetResult {
  double probability = 0;    // mean over the replicates
  double low = 0, high = 1;  // (1)
  std::uint32_t levels = 0;  // of the replicate that went deepest
  std::uint64_t evaluations = 0;
  std::uint64_t refused = 0;          // evaluations whose value was NaN: counted as not failed
  std::uint32_t without_failure = 0;  // replicates that found none
  std::vector<double> thresholds;     // of each level: median over the replicates that reached it
  std::vector<double> estimates;      // of each replicate
  std::vector<SearchPoint> failures;  // every point that failed
};

class SubsetSimulation {
 public:
  // Throws std::invalid_argument when the options make no sense.
  explicit SubsetSimulation(const SubsetOptions& options);

  // Points to be evaluated; none when the search is done.
  std::vector<SearchPoint> ask() const;
  // Their values, in the same order. NaN and ±∞ are allowed. Throws if they are not as many.
  void record(std::span<const double> values);
  bool is_done() const;

  // Of what has been recorded; the probability is known when the search is done.
  SubsetResult result() const;

 private:
  void add_interval(SubsetResult& result) const;

  SubsetOptions options_;
  std::vector<SubsetReplicate> replicates_;
};

}  // namespace berth
