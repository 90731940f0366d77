// SPDX-License-Identifier: Apache-2.0

// Docked systems on packs: the very bits of double in every lane.

#include <gtest/gtest.h>

#include "berth/scalar/pack.h"
#include "berth/system/lift_system.h"
#include "tests/support/docked.h"

namespace berth {
namespace {

void expect_same_bits(const System<double>& s) {
  const test::Evaluated e(s, test::busy_state(s));
  const System<Pack> lifted = lift_system<Pack>(s);
  Workspace<Pack> w(lifted);
  std::vector<Pack> x(e.x.begin(), e.x.end()), x_dot(x.size());
  find_derivative<Pack>(lifted, 0.0, x, lift_mode<Pack>(e.mode), w, x_dot);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int l = 0; l < kLanes; ++l)
      ASSERT_EQ(e.x_dot[i], lane(x_dot[i], l)) << "entry " << i << ", lane " << l;
}

TEST(LiftedSystem, GivesTheSameBitsInPack) {
  if (!packs_supported()) GTEST_SKIP() << "this processor has no AVX2";
  for (unsigned seed = 1; seed <= 3; ++seed) {
    expect_same_bits(test::random_group(seed));
    expect_same_bits(test::busy_group(seed));
    System<double> forest;
    forest.model = test::random_forest(seed, 12);
    expect_same_bits(forest);
  }
}

}  // namespace
}  // namespace berth
