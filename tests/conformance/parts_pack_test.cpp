// SPDX-License-Identifier: Apache-2.0

// The same examination on packs: four different simulations abreast, each with the very bits it has
// alone.

#include <gtest/gtest.h>

#include "berth/scalar/pack.h"
#include "tests/conformance/world.h"

namespace berth::test {
namespace {

TEST(Conformance, EveryLaneOfAPackGivesTheSameBitsAsDouble) {
  if (!packs_supported()) GTEST_SKIP() << "this processor has no AVX2";
  for_each_listed_part([]<class Part>(std::string_view folder) {
    SCOPED_TRACE(Part::type);
    const std::optional<Part> part = read_example<Part>(folder);
    if (!part) return;
    Setting setting;
    setting.seed = 20;
    const System<Pack> abreast = build_world<Pack>(*part, setting);
    const std::vector<Pack> got = derivative_of(abreast, state_of(abreast));
    for (int l = 0; l < kLanes; ++l) {
      Setting alone = setting;
      alone.seed += static_cast<unsigned>(l);
      const System<double> system = build_world<double>(*part, alone);
      const std::vector<double> wanted = derivative_of(system, state_of(system));
      ASSERT_EQ(wanted.size(), got.size());
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_EQ(wanted[i], lane(got[i], l)) << "entry " << i << ", lane " << l;
    }
  });
}

}  // namespace
}  // namespace berth::test
