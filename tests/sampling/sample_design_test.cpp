// SPDX-License-Identifier: Apache-2.0
#include "berth/sampling/sample_design.h"

#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "berth/sampling/normal_distribution.h"

namespace berth::sample_design_test {
namespace {

constexpr Design kDesigns[] = {Design::random, Design::lhs, Design::sobol, Design::halton};

// The points of a randomisation in one dimension.
std::vector<double> points_of(const SampleDesign& design, std::uint32_t randomisation,
                              std::uint32_t dimension, std::uint64_t count) {
  std::vector<double> points;
  for (std::uint64_t n = 0; n < count; ++n)
    points.push_back(design.uniform(n * design.randomisations() + randomisation, dimension));
  return points;
}

// Whether each of as many equal intervals as there are points has one of them.
bool is_stratified(const std::vector<double>& points) {
  std::vector<char> seen(points.size());
  for (const double u : points) {
    const auto interval = static_cast<std::size_t>(u * static_cast<double>(points.size()));
    if (interval >= points.size() || seen[interval]) return false;
    seen[interval] = 1;
  }
  return true;
}

TEST(SampleDesign, HasNames) {
  for (const Design kind : kDesigns) EXPECT_EQ(find_design(name_of(kind)), kind);
  EXPECT_EQ(name_of(Design::lhs), "lhs");
  EXPECT_FALSE(find_design("soboll"));
}

// Draws of earlier versions stay what they were.
TEST(SampleDesign, OfRandomDrawsIsPhilox) {
  const SampleDesign design(Design::random, 77, 9, 0);
  for (std::uint64_t i = 0; i < 50; ++i)
    for (std::uint32_t j = 0; j < 9; ++j) {
      EXPECT_EQ(design.uniform(i, j), find_uniform(77, i, j));
      EXPECT_EQ(design.normal(i, j), find_normal(77, i, j));
    }
  EXPECT_EQ(design.randomisations(), 1u);
  EXPECT_EQ(design.randomisation_of(41), 0u);
}

TEST(SampleDesign, OfTheOthersHasQuantilesAsNormalNumbers) {
  for (const Design kind : {Design::lhs, Design::sobol, Design::halton}) {
    const SampleDesign design(kind, 3, 4, 100);
    EXPECT_EQ(design.randomisations(), 16u);
    EXPECT_EQ(design.randomisation_of(37), 5u);
    for (std::uint64_t i = 0; i < 100; ++i)
      EXPECT_EQ(design.normal(i, 2), find_normal_quantile(design.uniform(i, 2)));
  }
}

TEST(SampleDesign, RefusesWhatItCannotDo) {
  for (const Design kind : {Design::sobol, Design::halton}) {
    const std::uint32_t most = SampleDesign::most_dimensions(kind);
    EXPECT_GE(most, 160u);
    EXPECT_THROW(SampleDesign(kind, 1, most + 1, 8), std::invalid_argument);
    const double last = SampleDesign(kind, 1, most, 8).uniform(5, most - 1);
    EXPECT_TRUE(last > 0 && last < 1);
  }
  EXPECT_NO_THROW(SampleDesign(Design::random, 1, 1000, 8));
  EXPECT_THROW(SampleDesign(Design::lhs, 1, 2, 0), std::invalid_argument);
  EXPECT_THROW(SampleDesign(Design::sobol, 1, 2, 8, 0), std::invalid_argument);
  EXPECT_THROW(SampleDesign(Design::lhs, 1, 2, 8).uniform(8, 0), std::out_of_range);
  for (const Design kind : kDesigns) {
    EXPECT_THROW(SampleDesign(kind, 1, 2, 8).uniform(0, 2), std::out_of_range);
    EXPECT_THROW(SampleDesign(kind, 1, 2, 8).normal(0, 2), std::out_of_range);
  }
}

// --- evenness ------------------------------------------------------------------------------------

TEST(SampleDesign, OfSobolHasAPointInEveryInterval) {
  const SampleDesign design(Design::sobol, 5, kSobolDimensions, 0);
  for (const std::uint32_t dimension : {0u, 1u, 2u, 30u, 159u, 255u})
    for (const std::uint32_t randomisation : {0u, 7u, 15u})
      for (const std::uint64_t count : {1u, 2u, 4u, 64u, 512u})
        EXPECT_TRUE(is_stratified(points_of(design, randomisation, dimension, count)))
            << dimension << " " << randomisation << " " << count;
}

// Dimensions 1 and 2 are a (0, m, 2)-net: each box of 2^−j by 2^(j−m) has one point of 2^m.
TEST(SampleDesign, OfSobolHasAPointInEveryBoxOfTwoDimensions) {
  const SampleDesign design(Design::sobol, 6, 2, 0);
  constexpr int m = 9;
  for (const std::uint32_t randomisation : {0u, 3u}) {
    const std::vector<double> x = points_of(design, randomisation, 0, 1u << m),
                              y = points_of(design, randomisation, 1, 1u << m);
    for (int j = 0; j <= m; ++j) {
      std::vector<int> counts(1u << m);
      for (std::size_t n = 0; n < x.size(); ++n) {
        const auto column = static_cast<std::size_t>(std::ldexp(x[n], j)),
                   row = static_cast<std::size_t>(std::ldexp(y[n], m - j));
        ++counts[column << (m - j) | row];
      }
      for (const int count : counts) ASSERT_EQ(count, 1) << j;
    }
  }
}

TEST(SampleDesign, OfHaltonHasAPointInEveryInterval) {
  const SampleDesign design(Design::halton, 5, kHaltonDimensions, 0, 3);
  for (const std::uint32_t dimension : {0u, 1u, 2u, 9u, 159u, 255u}) {
    const std::uint32_t base = find_halton_base(dimension);
    for (std::uint64_t count = 1; count < 3000; count *= base)
      EXPECT_TRUE(is_stratified(points_of(design, 1, dimension, count))) << base << " " << count;
  }
  EXPECT_EQ(find_halton_base(0), 2u);
  EXPECT_EQ(find_halton_base(159), 941u);
  EXPECT_EQ(find_halton_base(255), 1619u);
}

// 1003 samples: eleven randomisations of 63 and five of 62.
TEST(SampleDesign, OfLatinHypercubesHasAPointInEveryInterval) {
  const SampleDesign design(Design::lhs, 5, 40, 1003);
  for (std::uint32_t randomisation = 0; randomisation < 16; ++randomisation)
    for (const std::uint32_t dimension : {0u, 1u, 39u})
      EXPECT_TRUE(
          is_stratified(points_of(design, randomisation, dimension, randomisation < 11 ? 63 : 62)));
  const SampleDesign few(Design::lhs, 5, 2, 5);
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_TRUE(few.uniform(i, 0) < 1);
}

// --- randomness ----------------------------------------------------------------------------------

double correlation_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sum_x = 0, sum_y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum_x += x[i], sum_y += y[i];
    xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
  }
  return (xy - sum_x * sum_y / n) / std::sqrt((xx - sum_x * sum_x / n) * (yy - sum_y * sum_y / n));
}

TEST(SampleDesign, HasDimensionsThatAreNotCorrelated) {
  for (const Design kind : kDesigns) {
    const SampleDesign design(kind, 11, 5, 16 * 1024);
    const std::vector<double> last = points_of(design, 0, 4, 1024);
    for (std::uint32_t d = 0; d < 4; ++d)
      EXPECT_LT(std::abs(correlation_of(last, points_of(design, 0, d, 1024))), 4.0 / 32) << d;
  }
}

// One point in two randomisations, over many. (Two sets of scrambled points do resemble each other
// in the way their bits alternate; what is random is the sign of it.)
TEST(SampleDesign, HasRandomisationsThatAreNotCorrelated) {
  constexpr std::uint32_t many = 1600;
  for (const Design kind : {Design::lhs, Design::sobol, Design::halton}) {
    const SampleDesign design(kind, 12, 5, std::uint64_t{many} * 40, many);
    for (const std::uint64_t point : {0u, 1u, 38u}) {
      std::vector<double> x, y, z;
      for (std::uint32_t r = 0; r < many; ++r) {
        x.push_back(design.uniform(point * many + r, 3));
        y.push_back(design.uniform(point * many + (r + 1) % many, 3));
        z.push_back(design.uniform((point + 1) * many + (r + 1) % many, 3));
      }
      EXPECT_LT(std::abs(correlation_of(x, y)), 4.0 / 40) << name_of(kind) << " " << point;
      EXPECT_LT(std::abs(correlation_of(x, z)), 4.0 / 40) << name_of(kind) << " " << point;
    }
  }
}

// Errors of two randomisations, and of two seeds, over many seeds.
TEST(SampleDesign, HasRandomisationsWithIndependentErrors) {
  constexpr int seeds = 400;
  for (const Design kind : {Design::lhs, Design::sobol, Design::halton}) {
    std::vector<double> first, second, next;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto mean_of = [&](std::uint64_t s, std::uint32_t randomisation) {
        const SampleDesign design(kind, s, 3, 32, 2);
        double sum = 0;
        for (std::uint64_t n = 0; n < 16; ++n) {
          const std::uint64_t i = 2 * n + randomisation;
          sum += design.uniform(i, 0) * design.uniform(i, 1) * design.uniform(i, 2);
        }
        return sum / 16;
      };
      first.push_back(mean_of(seed, 0));
      second.push_back(mean_of(seed, 1));
      next.push_back(mean_of(seed + 1, 0));
    }
    EXPECT_LT(std::abs(correlation_of(first, second)), 4.0 / 20) << name_of(kind);
    EXPECT_LT(std::abs(correlation_of(first, next)), 4.0 / 20) << name_of(kind);
  }
}

// One point over many randomisations is uniformly distributed: χ² of 32 intervals, 0.1 % of which
// is above 61.1.
TEST(SampleDesign, HasPointsThatAreUniform) {
  for (const Design kind : {Design::lhs, Design::sobol, Design::halton})
    for (const std::uint64_t point : {0u, 1u, 5u})
      for (const std::uint32_t dimension : {0u, 1u, 7u}) {
        constexpr std::uint32_t many = 3200;
        const SampleDesign design(kind, 21, 8, std::uint64_t{many} * 6, many);
        std::vector<int> counts(32);
        for (std::uint32_t r = 0; r < many; ++r)
          ++counts[static_cast<std::size_t>(32 * design.uniform(point * many + r, dimension))];
        double chi_squared = 0;
        for (const int count : counts) chi_squared += (count - 100.0) * (count - 100.0) / 100;
        EXPECT_LT(chi_squared, 61.1) << name_of(kind) << " " << point << " " << dimension;
      }
}

// --- order ---------------------------------------------------------------------------------------

TEST(SampleDesign, KeepsItsSamplesWhenThereAreMore) {
  for (const Design kind : {Design::random, Design::sobol, Design::halton}) {
    const SampleDesign few(kind, 4, 3, 10), many(kind, 4, 7, 10'000);
    for (std::uint64_t i = 0; i < 10; ++i)
      for (std::uint32_t j = 0; j < 3; ++j) EXPECT_EQ(few.uniform(i, j), many.uniform(i, j));
  }
}

TEST(SampleDesign, StaysInsideTheUnitInterval) {
  for (const Design kind : kDesigns) {
    const SampleDesign design(kind, 8, 3, std::uint64_t{1} << 61);
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const std::uint64_t sample =
          i < 1000 ? i : static_cast<std::uint64_t>(find_uniform(1, i, 0) * 0x1p61);
      for (std::uint32_t j = 0; j < 3; ++j) {
        const double u = design.uniform(sample, j);
        ASSERT_TRUE(u > 0 && u < 1) << name_of(kind) << " " << sample;
      }
    }
  }
}

TEST(SampleDesign, IsTheSameFromEveryThread) {
  for (const Design kind : kDesigns) {
    const SampleDesign design(kind, 8, 3, 4000);
    std::vector<double> wanted, found(4000);
    for (std::uint64_t i = 0; i < 4000; ++i) wanted.push_back(design.uniform(i, 1));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < 4000; i += 4) found[i] = design.uniform(i, 1);
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(found, wanted);
  }
}

// Results that are stored were made with these bits.
TEST(SampleDesign, HasTheNumbersOfEarlierVersions) {
  const auto design = [](Design kind) { return SampleDesign(kind, 1, 3, 100); };
  EXPECT_EQ(design(Design::lhs).uniform(20, 1), 0x1.190284ddc22c9p-1);
  EXPECT_EQ(design(Design::sobol).uniform(20, 1), 0x1.a5d420ac960f1p-1);
  EXPECT_EQ(design(Design::halton).uniform(20, 1), 0x1.d34761f89467dp-1);
  EXPECT_EQ(design(Design::lhs).normal(20, 1), 0x1.f6c861806fbffp-4);
  EXPECT_EQ(design(Design::sobol).normal(20, 1), 0x1.dc4c30726eef6p-1);
  EXPECT_EQ(design(Design::halton).normal(20, 1), 0x1.5b76bf862b948p+0);
}

}  // namespace
}  // namespace berth::sample_design_test
