// SPDX-License-Identifier: Apache-2.0
#include "berth/math/rotation.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "berth/math/spatial.h"
#include "berth/scalar/pack.h"

namespace berth {
namespace {

// Four attitudes that take four different branches of quaternion(R), and σ and φ next to them.
struct Four {
  std::array<Quaternion<double>, 4> one{{{0.9, 0.1, -0.2, 0.3},
                                         {-0.1, 0.9, 0.2, 0.1},
                                         {0.0, 0.1, -0.8, 0.3},
                                         {1.0, 1e-6, 2e-6, -1e-6}}};
  Quaternion<Pack> all;

  Four() {
    for (int k = 0; k < kLanes; ++k) {
      const Quaternion<double>& q = one[static_cast<std::size_t>(k)];
      set_lane(all.w, k, q.w);
      set_lane(all.x, k, q.x);
      set_lane(all.y, k, q.y);
      set_lane(all.z, k, q.z);
    }
  }
  template <class Check>
  void each(Check&& check) const {
    for (int k = 0; k < kLanes; ++k) check(k, one[static_cast<std::size_t>(k)]);
  }
};

void expect_lane(const Vec3<Pack>& v, int k, const Vec3<double>& w) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(lane(v[i], k), w[i]) << "lane " << k;
}
void expect_lane(const Quaternion<Pack>& p, int k, const Quaternion<double>& q) {
  EXPECT_EQ(lane(p.w, k), q.w) << "lane " << k;
  EXPECT_EQ(lane(p.x, k), q.x) << "lane " << k;
  EXPECT_EQ(lane(p.y, k), q.y) << "lane " << k;
  EXPECT_EQ(lane(p.z, k), q.z) << "lane " << k;
}

TEST(RotationOfPacks, EachLaneTakesItsOwnRoadBitForBit) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  const Four q;
  const Mat3<Pack> R = rotation_matrix(q.all);
  const Quaternion<Pack> back = quaternion(R), unit = canonical(q.all);
  const Vec3<Pack> sigma = mrp(q.all), sigma_R = mrp(R), phi = rotation_vector(q.all);
  const Quaternion<Pack> from_sigma = quaternion_from_mrp(sigma);
  const Quaternion<Pack> from_phi = quaternion_from_rotation_vector(phi);
  q.each([&](int k, const Quaternion<double>& one) {
    const Mat3<double> R_one = rotation_matrix(one);
    expect_lane(R.column_x(), k, R_one.column_x());
    expect_lane(R.column_y(), k, R_one.column_y());
    expect_lane(R.column_z(), k, R_one.column_z());
    expect_lane(back, k, quaternion(R_one));
    expect_lane(unit, k, canonical(one));
    expect_lane(sigma, k, mrp(one));
    expect_lane(sigma_R, k, mrp(R_one));
    expect_lane(phi, k, rotation_vector(one));
    expect_lane(from_sigma, k, quaternion_from_mrp(mrp(one)));
    expect_lane(from_phi, k, quaternion_from_rotation_vector(rotation_vector(one)));
  });
}

TEST(RotationOfPacks, SolveOfAnInertiaGivesTheBitsOfDoubleInEveryLane) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  const auto make = [](const auto& s) {
    using T = std::remove_cvref_t<decltype(s)>;
    const Sym3<T> I{3.0 + s, 4.0 + s, 5.0, 0.1 * s, T(0.2), T(-0.3)};
    return shift(rigid_inertia(T(2.0 + s), Vec3<T>{s, T(0.2), T(-0.1)}, I),
                 Vec3<T>{T(1.0), s, T(-0.5)});
  };
  const Pack s(Lanes{0.1, 0.7, -0.4, 1.3});
  const Motion6<Pack> m = solve(make(s), Wrench<Pack>{{s, 1.0, 2.0}, {-1.0, s, 0.5}});
  for (int k = 0; k < kLanes; ++k) {
    const double x = lane(s, k);
    const Motion6<double> one = solve(make(x), Wrench<double>{{x, 1.0, 2.0}, {-1.0, x, 0.5}});
    expect_lane(m.angular, k, one.angular);
    expect_lane(m.linear, k, one.linear);
  }
}

}  // namespace
}  // namespace berth
