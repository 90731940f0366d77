// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/sample_design.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "berth/sampling/normal_distribution.h"
#include "berth/sampling/permutation.h"

namespace berth {

namespace {

// Fourth word of the counters of philox; 0 is that of draws.
constexpr std::uint32_t kForScrambling = 1, kForRest = 2;

// 52 bits of them and a half, as in philox.h: inside (0, 1).
double to_unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 12;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52;
}

}  // namespace

std::optional<Design> find_design(std::string_view name) {
  const auto* const found = std::find(kDesignNames.begin(), kDesignNames.end(), name);
  if (found == kDesignNames.end()) return std::nullopt;
  return static_cast<Design>(found - kDesignNames.begin());
}

SampleDesign::SampleDesign(Design kind, std::uint64_t seed, std::uint32_t dimensions,
                           std::uint64_t samples, std::uint32_t randomisations)
    : kind_(kind),
      seed_(seed),
      dimensions_(dimensions),
      samples_(samples),
      randomisations_(kind == Design::random ? 1 : randomisations) {
  if (dimensions > most_dimensions(kind))
    throw std::invalid_argument(std::string(name_of(kind)) + " has at most " +
                                std::to_string(most_dimensions(kind)) + " dimensions, not " +
                                std::to_string(dimensions));
  if (randomisations_ == 0) throw std::invalid_argument("a design needs a randomisation");
  if (kind == Design::lhs && samples == 0)
    throw std::invalid_argument("lhs must know the number of samples");
}

double SampleDesign::uniform(std::uint64_t sample, std::uint32_t dimension) const {
  if (dimension >= dimensions_)
    throw std::out_of_range("SampleDesign: there is no dimension " + std::to_string(dimension));
  switch (kind_) {
    case Design::random: return find_uniform(seed_, sample, dimension);
    case Design::lhs: return find_latin(sample, dimension);
    case Design::sobol: return find_sobol(sample, dimension);
    case Design::halton: return find_halton(sample, dimension);
  }
  return 0;
}

double SampleDesign::normal(std::uint64_t sample, std::uint32_t dimension) const {
  if (kind_ == Design::random && dimension < dimensions_)
    return find_normal(seed_, sample, dimension);
  return find_normal_quantile(uniform(sample, dimension));
}

// What a randomisation has of its own in a dimension.
KeyedHash SampleDesign::find_hash(std::uint64_t sample, std::uint32_t dimension,
                                  std::uint32_t block) const {
  return {seed_, {randomisation_of(sample), block, dimension, kForScrambling}};
}

// What a sample has of its own in a dimension.
PhiloxWords SampleDesign::find_rest(std::uint64_t sample, std::uint32_t dimension) const {
  return philox({static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(sample >> 32),
                 dimension, kForRest},
                {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
}

// Points beyond 2^32 of a randomisation begin again, in blocks that are scrambled independently.
double SampleDesign::find_sobol(std::uint64_t sample, std::uint32_t dimension) const {
  const std::uint64_t n = sample / randomisations_;
  const std::uint32_t bits = find_sobol_bits(static_cast<std::uint32_t>(n), dimension);
  const KeyedHash coins = find_hash(sample, dimension, static_cast<std::uint32_t>(n >> 32));
  return to_unit(find_scrambled_bits(bits, coins), find_rest(sample, dimension)[0]);
}

double SampleDesign::find_halton(std::uint64_t sample, std::uint32_t dimension) const {
  const PhiloxWords rest = find_rest(sample, dimension);
  return find_scrambled_halton(sample / randomisations_, dimension, find_hash(sample, dimension),
                               to_unit(rest[0], rest[1]));
}

double SampleDesign::find_latin(std::uint64_t sample, std::uint32_t dimension) const {
  if (sample >= samples_)
    throw std::out_of_range("SampleDesign: lhs has no sample " + std::to_string(sample));
  const std::uint64_t points =
      samples_ / randomisations_ + (randomisation_of(sample) < samples_ % randomisations_ ? 1 : 0);
  const Permutation order(points, find_hash(sample, dimension));
  const auto interval = static_cast<double>(order(sample / randomisations_));
  const PhiloxWords rest = find_rest(sample, dimension);
  const double u = (interval + to_unit(rest[0], rest[1])) / static_cast<double>(points);
  return std::min(u, 1 - 0x1p-53);
}

}  // namespace berth
