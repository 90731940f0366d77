// SPDX-License-Identifier: Apache-2.0
#pragma once

// SweepPlan — which cases a sweep has, and the inputs of each.
//
// Several keys with values make a grid, the last one running fastest. Random keys are drawn `samples`
// times at every point of the grid:
//
//   case = point · samples + sample        (samples = 1 when nothing is random)                (1)
//
// The j-th random key of a case is a function of (seed, sample, j) alone (sampling/sample_design.h): the same
// on any number of threads, and the same at every point of the grid, so that points are compared on
// equal draws. More samples keep those there were, but of a Latin hypercube.
//
// For Sobol's indices every sample is d + 2 cases: two independent draws A and B of the d random keys, and
// A with one key after the other taken from B:
//
//   case = sample · (d + 2) + which        which = 0: A, 1: B, 1 + k: A with the k-th key of B  (2)

#include <memory>
#include <string>
#include <vector>

#include "berth/analysis/vary.h"
#include "berth/sampling/correlation.h"
#include "berth/sampling/sample_design.h"

namespace berth {

// Inputs that are drawn together, as [[dispersion.correlation]] says it.
struct Correlated {
  std::vector<std::string> keys;
  std::vector<std::vector<double>> matrix, covariance;  // one of them
};

struct SweepPlan {
  std::vector<Vary> keys;
  std::uint64_t samples = 1;
  std::uint64_t seed = 1;
  Design design = Design::random;
  std::vector<Correlated> correlated{};
  bool finds_indices = false;                   // (2)
  std::vector<CorrelatedGroup> groups{};        // members are places of keys
  std::shared_ptr<const SampleDesign> draws{};  // of what is random

  std::uint64_t cases() const;
  bool is_random() const;
  std::size_t count_random() const;
  // Cases a sample has at one point of the grid.
  std::uint64_t cases_per_sample() const { return finds_indices ? count_random() + 2 : 1; }
  // Independent randomisations of the design, and that of a case.
  std::uint32_t randomisations() const { return draws ? draws->randomisations() : 1; }
  std::uint32_t randomisation_of(std::uint64_t number) const;

  // Inputs of a case, in the order of the keys; one of them; all as `--set` takes them.
  std::vector<Cell> inputs(std::uint64_t number) const;
  Cell value(std::uint64_t number, std::size_t key) const { return inputs(number)[key]; }
  std::vector<std::string> settings(std::uint64_t number) const;
  // The inputs of a draw at the first point of the grid, however many draws there are.
  std::vector<Cell> draw(std::uint64_t sample) const { return find_inputs(sample, 0, 0); }
  // The inputs that belong to independent standard normal numbers, one for each random key.
  std::vector<Cell> from_normal(std::span<const double> z) const;

 private:
  std::vector<Cell> find_inputs(std::uint64_t sample, std::uint64_t point,
                                std::uint64_t which) const;
};

// What a plan is made of.
struct PlanRequest {
  std::vector<std::string> vary;
  std::uint64_t samples = 0;  // 0: not given
  std::uint64_t seed = 1;
  Design design = Design::random;
  std::vector<Correlated> correlated{};
  bool finds_indices = false;
  std::filesystem::path folder = ".";  // of tables
};

// What is wrong goes to the problems.
SweepPlan build_sweep_plan(const PlanRequest& request, Problems& problems);

// Settings that put these inputs in place.
std::vector<std::string> to_settings(const std::vector<Vary>& keys,
                                     const std::vector<Cell>& inputs);

}  // namespace berth
