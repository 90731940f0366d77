// SPDX-License-Identifier: Apache-2.0

// Student's t distribution against values of scipy 1.x: scipy.stats.t.ppf(0.5 + share/2, degrees).

#include "berth/search/student_t.h"

#include <gtest/gtest.h>

namespace berth::student_t_test {
namespace {

TEST(StudentT, HasTheQuantilesOfScipy) {
  const struct {
    double share;
    int degrees;
    double quantile;
  } cases[] = {
      {0.95, 1, 12.706204736174694}, {0.95, 2, 4.302652729749462},  {0.95, 3, 3.1824463052837078},
      {0.95, 9, 2.262157162798205},  {0.95, 10, 2.228138851986274}, {0.95, 30, 2.0422724563012378},
      {0.90, 9, 1.833112932656237},  {0.90, 2, 2.9199855803537242}, {0.99, 19, 2.8609346064649794},
      {0.99, 1, 63.656741162871526},
  };
  for (const auto& c : cases)
    EXPECT_NEAR(solve_student_t(c.share, c.degrees), c.quantile, 1e-11 * c.quantile)
        << c.share << " of " << c.degrees;
}

TEST(StudentT, OfOneDegreeIsCauchys) {
  EXPECT_NEAR(find_student_share(1, 1), 0.5, 1e-15);  // 2/π atan(x)
  EXPECT_EQ(find_student_share(0, 7), 0);
}

}  // namespace
}  // namespace berth::student_t_test
