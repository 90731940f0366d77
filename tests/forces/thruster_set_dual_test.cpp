// SPDX-License-Identifier: Apache-2.0
#include "berth/forces/thruster_set.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "berth/scalar/dual.h"
#include "tests/support/random.h"

namespace berth::thruster_set_dual_test {
namespace {

template <Scalar T>
ThrusterSet<T> build_set(test::Random random, const T& stretch) {
  ThrusterSet<T> s;
  s.body = "hub";
  for (int i = 0; i < 10; ++i) {
    const Vec3<double> r = random.vector(), d = random.direction();
    Thruster<T> one;
    one.position = {r.x * stretch, T(r.y), T(r.z)};
    one.direction = {T(d.x), T(d.y), T(d.z)};
    one.thrust = T(random.number(1, 3));
    s.thruster.push_back(one);
  }
  Model<T> model;
  BodySpec<T> hub;
  hub.name = "hub";
  model.add_body(hub);
  Findings none;
  s.bind(model, none);
  return s;
}

// Slopes of the levels with the wrench asked for and with where the nozzles are, saturated or not.
TEST(ThrusterSetOfDuals, SlopesOfTheLevelsAreDifferences) {
  test::Random random(1);
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const double size = seed % 2 ? 0.5 : 50.0;
    const Vec3<double> n = random.vector(size), f = random.vector(size), d = random.vector(size);
    const auto levels = [&](const auto& s) {
      using T = std::remove_cvref_t<decltype(s)>;
      const ThrusterSet<T> set = build_set<T>(test::Random(seed), 1.0 + 0.3 * s);
      Wrench<T> w;
      w.torque = {n.x + d.x * s, T(n.y), T(n.z)};
      w.force = {T(f.x), f.y + d.y * s, f.z + d.z * s};
      std::array<T, 10> out;
      set.find_levels(w, out.data());
      return out;
    };
    Dual s(0.0);
    set_slope(s, 0, 1.0);
    const std::array<Dual, 10> exact = levels(s);
    const double h = 1e-6;
    const std::array<double, 10> up = levels(h), down = levels(-h), here = levels(0.0);
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(exact[i].v, here[i]);
      EXPECT_NEAR(slope(exact[i]), (up[i] - down[i]) / (2 * h), 1e-5 * (1 + std::fabs(here[i])))
          << "seed " << seed << " thruster " << i;
    }
  }
}

}  // namespace
}  // namespace berth::thruster_set_dual_test
