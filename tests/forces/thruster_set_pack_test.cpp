// SPDX-License-Identifier: Apache-2.0
#include "berth/forces/thruster_set.h"

#include <array>

#include <gtest/gtest.h>

#include "berth/scalar/pack.h"
#include "tests/support/random.h"

namespace berth {
namespace {

template <Scalar T>
ThrusterSet<T> build_set(test::Random random) {
  ThrusterSet<T> s;
  s.body = "hub";
  for (int i = 0; i < 10; ++i) {
    const Vec3<double> r = random.vector(), d = random.direction();
    Thruster<T> one;
    one.position = {T(r.x), T(r.y), T(r.z)};
    one.direction = {T(d.x), T(d.y), T(d.z)};
    one.thrust = T(random.number(1, 3));
    s.thruster.push_back(one);
  }
  Model<T> model;
  BodySpec<T> hub;
  hub.name = "hub";
  model.add_body(hub);
  s.bind(model);
  return s;
}

// Four wrenches that open different thrusters; one asks for too much, one for nothing.
TEST(ThrusterSetOfPacks, EachLaneOpensItsOwnThrustersBitForBit) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  test::Random random(1);
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const ThrusterSet<Pack> four = build_set<Pack>(test::Random(seed));
    const ThrusterSet<double> one = build_set<double>(test::Random(seed));
    Wrench<Pack> w{};
    std::array<Wrench<double>, kLanes> wrench;
    for (int k = 0; k < kLanes; ++k) {
      const double size = k == 3 ? 0.0 : k == 2 ? 100.0 : 1.0;
      wrench[static_cast<std::size_t>(k)] = {random.vector(size), random.vector(size)};
      for (int i = 0; i < 3; ++i) {
        set_lane(w.torque[i], k, wrench[static_cast<std::size_t>(k)].torque[i]);
        set_lane(w.force[i], k, wrench[static_cast<std::size_t>(k)].force[i]);
      }
    }
    std::array<Pack, 10> levels;
    four.find_levels(w, levels.data());
    for (int k = 0; k < kLanes; ++k) {
      std::array<double, 10> alone;
      one.find_levels(wrench[static_cast<std::size_t>(k)], alone.data());
      for (std::size_t i = 0; i < 10; ++i)
        EXPECT_EQ(lane(levels[i], k), alone[i]) << "seed " << seed << " lane " << k;
    }
  }
}

// Nozzles on a grid: many ties, and wrenches that need one of the open thrusters exactly not at all.
template <Scalar T>
ThrusterSet<T> build_grid(test::Random random) {
  ThrusterSet<T> s;
  s.body = "hub";
  for (int i = 0; i < 10; ++i) {
    Thruster<T> one;
    for (int k = 0; k < 3; ++k) one.position[k] = T(double(random.integer(-1, 1)));
    one.direction = {T(0.0), T(0.0), T(0.0)};
    one.direction[random.integer(0, 2)] = T(random.integer(0, 1) ? 1.0 : -1.0);
    one.thrust = T(2.0);
    s.thruster.push_back(one);
  }
  Model<T> model;
  BodySpec<T> hub;
  hub.name = "hub";
  model.add_body(hub);
  s.bind(model);
  return s;
}

TEST(ThrusterSetOfPacks, TiesAreBrokenAlikeInEveryLaneAndNoLevelIsNegative) {
  if (!packs_supported()) GTEST_SKIP() << "no AVX2 on this machine";
  test::Random random(2);
  for (unsigned seed = 1; seed <= 20000; ++seed) {
    const ThrusterSet<Pack> four = build_grid<Pack>(test::Random(seed));
    const ThrusterSet<double> one = build_grid<double>(test::Random(seed));
    Wrench<Pack> w{};
    std::array<Wrench<double>, kLanes> wrench;
    for (int k = 0; k < kLanes; ++k)
      for (int i = 0; i < 3; ++i) {
        Wrench<double>& asked = wrench[static_cast<std::size_t>(k)];
        set_lane(w.torque[i], k, asked.torque[i] = random.integer(-2, 2));
        set_lane(w.force[i], k, asked.force[i] = random.integer(-2, 2));
      }
    std::array<Pack, 10> levels;
    four.find_levels(w, levels.data());
    for (int k = 0; k < kLanes; ++k) {
      std::array<double, 10> alone;
      one.find_levels(wrench[static_cast<std::size_t>(k)], alone.data());
      for (std::size_t i = 0; i < 10; ++i) {
        ASSERT_GE(alone[i], 0) << "seed " << seed << " lane " << k;
        ASSERT_EQ(lane(levels[i], k), alone[i]) << "seed " << seed << " lane " << k;
      }
    }
  }
}

}  // namespace
}  // namespace berth
