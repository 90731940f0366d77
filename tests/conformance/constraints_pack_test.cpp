// SPDX-License-Identifier: Apache-2.0

// Docked craft on packs: four states abreast, each with the very bits it has alone.

#include <gtest/gtest.h>

#include "berth/scalar/pack.h"
#include "berth/system/lift_system.h"
#include "tests/support/docked.h"

namespace berth::test {
namespace {

TEST(ConstraintConformance, EveryLaneOfAPackGivesTheSameBitsAsDouble) {
  if (!packs_supported()) GTEST_SKIP() << "this processor has no AVX2";
  for_each_constraint([]<class C>() {
    for (const Ports ports : kPorts)
      for (const Hold hold : kHolds) {
        const System<double> alone = random_docked<C>(3, hold, ports, 0.3, 1);
        const System<Pack> abreast = lift_system<Pack>(alone);
        std::vector<std::vector<double>> wanted;
        std::vector<double> x = busy_state(alone);
        std::vector<Pack> states(x.size()), got(x.size());
        Mode<double> mode;
        for (int l = 0; l < kLanes; ++l) {
          Random random(static_cast<unsigned>(l) + 1);
          // Speeds alone differ, so that all lanes solve for the same rows.
          const Layout at = alone.layout();
          for (int i = at.v; i < at.z; ++i) x[static_cast<std::size_t>(i)] += random.number();
          for (std::size_t i = 0; i < x.size(); ++i) set_lane(states[i], l, x[i]);
          const Evaluated e(alone, x);
          wanted.push_back(e.x_dot);
          mode = e.mode;
        }
        Workspace<Pack> w(abreast);
        find_derivative<Pack>(abreast, 0.0, states, lift_mode<Pack>(mode), w, got);
        for (std::size_t l = 0; l < wanted.size(); ++l)
          for (std::size_t i = 0; i < x.size(); ++i)
            ASSERT_EQ(wanted[l][i], lane(got[i], static_cast<int>(l)))
                << name(hold.enforce) << ", entry " << i << ", lane " << l;
      }
  });
}

}  // namespace
}  // namespace berth::test
