// SPDX-License-Identifier: Apache-2.0
#include "berth/model/lift.h"

#include <array>

#include <gtest/gtest.h>

#include "berth/components/list.h"
#include "berth/control/list.h"
#include "berth/forces/list.h"
#include "berth/scalar/pack.h"
#include "tests/support/filled_part.h"

namespace berth {
namespace {

template <class Part>
struct OnPack;
template <template <class> class P>
struct OnPack<P<double>> {
  using type = P<Pack>;
};

// Lane k of b is a.
void expect_lane(double a, const Pack& b, int k, std::string_view what) {
  EXPECT_EQ(lane(b, k), a) << what << ", lane " << k;
}
void expect_lane(const Vec3<double>& a, const Vec3<Pack>& b, int k, std::string_view what) {
  for (int i = 0; i < 3; ++i) expect_lane(a[i], b[i], k, what);
}
void expect_lane(const Sym3<double>& a, const Sym3<Pack>& b, int k, std::string_view what) {
  expect_lane(a.xx, b.xx, k, what);
  expect_lane(a.yy, b.yy, k, what);
  expect_lane(a.zz, b.zz, k, what);
  expect_lane(a.xy, b.xy, k, what);
  expect_lane(a.xz, b.xz, k, what);
  expect_lane(a.yz, b.yz, k, what);
}
void expect_lane(const Quaternion<double>& a, const Quaternion<Pack>& b, int k,
                 std::string_view what) {
  expect_lane(a.w, b.w, k, what);
  expect_lane(a.x, b.x, k, what);
  expect_lane(a.y, b.y, k, what);
  expect_lane(a.z, b.z, k, what);
}
// Words, switches and times have no lanes.
template <class Same>
requires(!HasFields<Same>) void expect_lane(const Same&, const Same&, int, std::string_view) {}
template <HasFields A, HasFields B>
void expect_lane(const A& a, const B& b, int k, std::string_view what);
template <class A, class B>
requires(!std::same_as<A, B>) void expect_lane(const std::vector<A>& a, const std::vector<B>& b,
                                               int k, std::string_view what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) expect_lane(a[i], b[i], k, what);
}
template <HasFields A, HasFields B>
void expect_lane(const A& a, const B& b, int k, std::string_view) {
  zip_fields(a, b, [k](const auto& field, const auto& x, const auto& y) {
    expect_lane(x, y, k, field.name);
  });
}

template <class Examine>
void for_each_part_there_is(Examine&& examine) {
  for_each_type(Components<double>{}, examine);
  for_each_type(Forces<double>{}, examine);
  for_each_type(Controls<double>{}, examine);
}

TEST(LiftToPack, CarriesEveryInputOfEveryPartToAllLanes) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  test::Random random(1);
  for_each_part_there_is([&]<class Part>() {
    SCOPED_TRACE(Part::type);
    Part part;
    test::fill_part(part, random);
    const auto lifted = lift<typename OnPack<Part>::type>(part);
    for (int k = 0; k < kLanes; ++k) expect_lane(part, lifted, k, Part::type);
  });
}

TEST(LiftToPack, LaneByLaneEachSimulationKeepsItsOwnNumbers) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  test::Random random(2);
  for_each_part_there_is([&]<class Part>() {
    SCOPED_TRACE(Part::type);
    std::array<Part, kLanes> four;
    typename OnPack<Part>::type lifted;
    for (int k = 0; k < kLanes; ++k) {
      test::fill_part(four[static_cast<std::size_t>(k)], random);
      lift_value(four[static_cast<std::size_t>(k)], lifted, k);
    }
    for (int k = 0; k < kLanes; ++k)
      expect_lane(four[static_cast<std::size_t>(k)], lifted, k, Part::type);
  });
}

TEST(LiftToPack, WordsAndTimesAreCommonToAllLanes) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  ExternalLoad<double> load;
  load.body = "hub";
  load.axes = "inertial";
  load.schedule = {{1.0, 2.0}, {3.0, 4.0}};
  const ExternalLoad<Pack> lifted = lift<ExternalLoad<Pack>>(load);
  EXPECT_EQ(lifted.body, "hub");
  EXPECT_EQ(lifted.axes, "inertial");
  EXPECT_EQ(lifted.schedule, load.schedule);
}

}  // namespace
}  // namespace berth
