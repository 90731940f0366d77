// SPDX-License-Identifier: Apache-2.0

// The effect of an input, from counts over pieces of its range.

#include "berth/statistics/effect.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::statistics_effect_test {
namespace {

TEST(Effect, IsTheShareOfTheVarianceBetweenPieces) {
  EXPECT_EQ(find_effect(std::vector<PieceCount>{{100, 100}, {100, 0}}), 1);
  EXPECT_EQ(find_effect(std::vector<PieceCount>{{100, 50}, {100, 50}}), 0);
  EXPECT_EQ(find_effect(std::vector<PieceCount>{{100, 100}, {100, 100}}), 0);
  EXPECT_EQ(find_effect(std::vector<PieceCount>{}), 0);
  // p = 0.5; inside 2 · 100 · 0.2 · 0.8 = 32 of 50, times 199/198.
  EXPECT_NEAR(find_effect(std::vector<PieceCount>{{100, 80}, {100, 20}}), 1 - 199.0 / 198 * 32 / 50,
              1e-12);
}

}  // namespace
}  // namespace berth::statistics_effect_test
