// SPDX-License-Identifier: Apache-2.0
#pragma once

// SampleDesign — where the samples of a study lie in the unit cube, as a function of their numbers.
//
//   const SampleDesign design(Design::sobol, 1, 6, 1024);
//   design.uniform(17, 2)                        dimension 2 of sample 17, inside (0, 1)
//   design.normal(17, 2)                         the same as a standard normal number
//
//   random    independent draws                                       error of a mean  ~ n^(−1/2)
//   lhs       Latin hypercube: one sample in each of n intervals of every dimension
//   sobol     Sobol's sequence with Owen's scrambling (sobol.h)       ~ n^(−3/2) where it is smooth
//   halton    Halton's sequence, scrambled (halton.h)                 ~ n^(−1)
//
// All but the first consist of R independent randomisations: sample i is point i / R of
// randomisation i % R.  (1) The means of the randomisations are R independent estimates without
// bias, which give a confidence interval; the n samples of one are not independent of each other.
// With sobol and halton more samples keep those there were; sobol is most even where i / R ends at
// a power of 2. lhs must know how many there will be.
//
// There is no state: samples may be asked for in any order, from any thread. Draws of `random` are
// those of math/philox.h; those of the others are made of other counters of it.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "berth/sampling/halton.h"
#include "berth/sampling/sobol.h"

namespace berth {

enum class Design { random, lhs, sobol, halton };

inline constexpr std::array<std::string_view, 4> kDesignNames = {"random", "lhs", "sobol",
                                                                 "halton"};
constexpr std::string_view name_of(Design kind) {
  return kDesignNames[static_cast<std::size_t>(kind)];
}
std::optional<Design> find_design(std::string_view name);

class SampleDesign {
 public:
  // Throws std::invalid_argument on more dimensions than most_dimensions(kind), on lhs without
  // samples and on no randomisations.
  SampleDesign(Design kind, std::uint64_t seed, std::uint32_t dimensions, std::uint64_t samples,
               std::uint32_t randomisations = 16);

  // Throw std::out_of_range on a dimension that is not there, lhs on a sample too.
  double uniform(std::uint64_t sample, std::uint32_t dimension) const;
  double normal(std::uint64_t sample, std::uint32_t dimension) const;

  Design kind() const { return kind_; }
  std::uint32_t dimensions() const { return dimensions_; }
  std::uint32_t randomisations() const { return randomisations_; }
  std::uint32_t randomisation_of(std::uint64_t sample) const {
    return static_cast<std::uint32_t>(sample % randomisations_);  // (1)
  }

  static constexpr std::uint32_t most_dimensions(Design kind) {
    if (kind == Design::sobol) return kSobolDimensions;
    if (kind == Design::halton) return kHaltonDimensions;
    return std::numeric_limits<std::uint32_t>::max();
  }

 private:
  double find_sobol(std::uint64_t sample, std::uint32_t dimension) const;
  double find_halton(std::uint64_t sample, std::uint32_t dimension) const;
  double find_latin(std::uint64_t sample, std::uint32_t dimension) const;
  KeyedHash find_hash(std::uint64_t sample, std::uint32_t dimension, std::uint32_t block = 0) const;
  PhiloxWords find_rest(std::uint64_t sample, std::uint32_t dimension) const;

  Design kind_;
  std::uint64_t seed_;
  std::uint32_t dimensions_;
  std::uint64_t samples_;
  std::uint32_t randomisations_;
};

}  // namespace berth
