// SPDX-License-Identifier: Apache-2.0
#include "berth/model/lift.h"

#include <gtest/gtest.h>

#include "berth/components/list.h"
#include "berth/control/list.h"
#include "berth/forces/list.h"
#include "berth/scalar/dual.h"
#include "tests/support/filled_part.h"

namespace berth::lift_dual_test {
namespace {

template <class Part>
struct OnDual;
template <template <class> class P>
struct OnDual<P<double>> {
  using type = P<Dual>;
};

void expect_lifted(double a, const Dual& b, std::string_view what) {
  EXPECT_EQ(b, Dual(a)) << what;  // value and no slope
}
void expect_lifted(const Vec3<double>& a, const Vec3<Dual>& b, std::string_view what) {
  for (int i = 0; i < 3; ++i) expect_lifted(a[i], b[i], what);
}
void expect_lifted(const Sym3<double>& a, const Sym3<Dual>& b, std::string_view what) {
  EXPECT_EQ(b, (Sym3<Dual>{a.xx, a.yy, a.zz, a.xy, a.xz, a.yz})) << what;
}
void expect_lifted(const Quaternion<double>& a, const Quaternion<Dual>& b, std::string_view what) {
  EXPECT_EQ(b, (Quaternion<Dual>{a.w, a.x, a.y, a.z})) << what;
}
template <class Same>
requires(!HasFields<Same>) void expect_lifted(const Same& a, const Same& b, std::string_view what) {
  EXPECT_EQ(a, b) << what;
}
template <HasFields A, HasFields B>
void expect_lifted(const A& a, const B& b, std::string_view what);
template <class A, class B>
requires(!std::same_as<A, B>) void expect_lifted(const std::vector<A>& a, const std::vector<B>& b,
                                                 std::string_view what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) expect_lifted(a[i], b[i], what);
}
template <HasFields A, HasFields B>
void expect_lifted(const A& a, const B& b, std::string_view) {
  zip_fields(a, b, [](const auto& field, const auto& x, const auto& y) {
    expect_lifted(x, y, field.name);
  });
}

TEST(LiftToDual, CarriesEveryInputOfEveryPart) {
  test::Random random(1);
  const auto examine = [&]<class Part>() {
    SCOPED_TRACE(Part::type);
    Part part;
    test::fill_part(part, random);
    expect_lifted(part, lift<typename OnDual<Part>::type>(part), Part::type);
  };
  for_each_type(Components<double>{}, examine);
  for_each_type(Forces<double>{}, examine);
  for_each_type(Controls<double>{}, examine);
}

TEST(LiftToDual, ListsTakeTheLengthOfTheirOriginal) {
  RobotArm<double> arm;
  arm.link.resize(3);
  arm.link[2].mass = 7;
  RobotArm<Dual> lifted = lift<RobotArm<Dual>>(arm);
  ASSERT_EQ(lifted.link.size(), 3u);
  EXPECT_EQ(lifted.link[2].mass, Dual(7.0));
  // Lifted again into the same place, a shorter one leaves nothing behind.
  arm.link.resize(1);
  lift_value(arm, lifted);
  EXPECT_EQ(lifted.link.size(), 1u);
}

}  // namespace
}  // namespace berth::lift_dual_test
