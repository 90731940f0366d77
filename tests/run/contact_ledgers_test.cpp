// SPDX-License-Identifier: Apache-2.0

// The ledgers of every combination of law, friction, loop and compensation.

#include "tests/run/contact_runs.h"

namespace berth::contact_ledgers_test {
namespace {

using namespace test;

TEST(ContactLedgers, EnergyAndMomentumCloseForEveryCombination) {
  int runs = 0, touched = 0, settled = 0;
  for (const Loop& loop : all_loops())
    for (const auto& law : all_laws())
      for (const auto& friction : all_frictions())
        for (const auto& compensation : all_compensations(loop.sample_time > 0)) {
          System<double> s = probe_in_cone(20);
          Contact<double>& c = s.contacts[0];
          c.delay = loop.delay;
          c.sample_time = loop.sample_time;
          c.robot_frequency = loop.robot_frequency;
          c.filter_time = loop.filter_time;
          c.along_normal = loop.along_normal;
          c.adhesive = loop.adhesive;
          c.law = law;
          c.friction = friction;
          c.compensation = compensation;
          SCOPED_TRACE(testing::Message()
                       << "delay " << loop.delay << " sample " << loop.sample_time << " robot "
                       << loop.robot_frequency << " filter " << loop.filter_time << " normal "
                       << loop.along_normal << " adhesive " << loop.adhesive << " law "
                       << law.index() << " friction " << friction.index() << " compensation "
                       << compensation.index());
          HybridRun run(s, with_tolerance(1e-11));
          const double before = balance_of(run).kinetic;
          const Vec3<double> spin = balance_of(run).angular;
          ASSERT_TRUE(run.advance(0.2).completed());
          ++runs;
          touched += run.contact_tracks()[0].touches > 0;
          settled += !std::isnan(run.contact_tracks()[0].speed_out);
          const Balance<double> after = balance_of(run);
          ASSERT_NEAR(after.kinetic - before, work_of(run),
                      1e-11 * std::max(before, after.kinetic));
          ASSERT_LT(norm(after.angular - spin), 1e-11 * (1 + norm(spin)));
          ASSERT_LT(run.audit().linear_momentum, 1e-11);
        }
  EXPECT_EQ(touched, runs);
  EXPECT_GT(settled, 0.6 * runs);
  RecordProperty("runs", runs);
  RecordProperty("settled", settled);
}

}  // namespace
}  // namespace berth::contact_ledgers_test
