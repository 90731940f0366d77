// SPDX-License-Identifier: Apache-2.0

// Gaps of surfaces against distances from the lines of their sections.

#include "berth/contact/surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tests/support/reference.h"

namespace berth::surface_test {
namespace {

using test::Random;
using Point = Vec3<double>;

Point turned(double x, double rho, double azimuth) {
  return {x, rho * std::cos(azimuth), rho * std::sin(azimuth)};
}

template <class S>
Gradient<double> gap_at(const S& surface, const Point& p) {
  return surface.find_gap(surface_point(p));
}

Cone<double> cone(double half_angle_deg, double length, double thickness = 0) {
  return {half_angle_deg * M_PI / 180, length, thickness};
}

// A chain of lines in the plane (x, ρ).
struct Profile {
  std::vector<std::array<double, 4>> lines;

  void add_line(double x_0, double rho_0, double x_1, double rho_1) {
    lines.push_back({x_0, rho_0, x_1, rho_1});
  }
  double distance(double x, double rho) const {
    double least = INFINITY;
    for (const auto& [x_0, rho_0, x_1, rho_1] : lines) {
      const double a = x_1 - x_0, b = rho_1 - rho_0;
      const double s = std::clamp(((x - x_0) * a + (rho - rho_0) * b) / (a * a + b * b), 0.0, 1.0);
      least = std::min(least, std::hypot(x_0 + s * a - x, rho_0 + s * b - rho));
    }
    return least;
  }
};

// In a plane through its axis the wall begins at the apex, ends at the mouth, has an end face square
// to itself and, if it is thin, an outer face that comes to a point behind the apex.
struct Section {
  Section(const Cone<double>& c, double far) : wall(c) {
    const double s = std::sin(c.half_angle), k = std::cos(c.half_angle);
    const double mouth_x = c.length, mouth_rho = c.length * s / k;
    profile.add_line(0, 0, mouth_x, mouth_rho);
    if (c.thickness > 0) {
      const double x = mouth_x - c.thickness * s, rho = mouth_rho + c.thickness * k;
      profile.add_line(mouth_x, mouth_rho, x, rho);
      profile.add_line(x, rho, -c.thickness / s, 0);
    } else {
      profile.add_line(mouth_x, mouth_rho, mouth_x - far * s, mouth_rho + far * k);
    }
  }
  bool is_solid(double x, double rho) const {
    const double s = std::sin(wall.half_angle), k = std::cos(wall.half_angle);
    const double d = rho * k - x * s, m = x * k + rho * s;
    return d > 0 && m < wall.length / k && !(wall.thickness > 0 && d > wall.thickness);
  }
  double gap(double x, double rho) const {
    const double d = profile.distance(x, rho);
    return is_solid(x, rho) ? -d : d;
  }
  Cone<double> wall;
  Profile profile;
};

const Cone<double> kCones[] = {cone(30, 1),       cone(30, 1, 0.1),    cone(12, 0.8),
                               cone(70, 0.5),     cone(70, 0.5, 0.05), cone(45, 1, 0.6),
                               cone(12, 0.8, 0.2)};

TEST(Cone, GapIsTheDistanceFromItsWall) {
  Random random(1);
  for (const Cone<double>& c : kCones) {
    const Section section(c, 4);
    for (int i = 0; i < 300; ++i) {
      const double x = random.number(-1, 1.6), rho = random.number(0, 1.6);
      const double got = gap_at(c, turned(x, rho, random.number(-4, 4))).v;
      EXPECT_NEAR(got, section.gap(x, rho), 1e-14) << "x " << x << " rho " << rho << " half angle "
                                                   << c.half_angle << " thickness " << c.thickness;
    }
  }
}

// hil_contact.md §1, whose d is positive inside the wall.
TEST(Cone, InsideItsMouthTheGapIsTheOtherSideOfTheoryD) {
  const Cone<double> c = cone(30, 2);
  const double s = std::sin(c.half_angle), k = std::cos(c.half_angle);
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const double x = random.number(0.1, 1.5), rho = random.number(0.01, 1),
                 phi = random.number(-3, 3);
    const Point p{x, -rho * std::sin(phi), rho * std::cos(phi)};  // φ = atan2(−y, z)
    if (x * k + rho * s > 2 / k) continue;
    const Gradient<double> gap = gap_at(c, p);
    EXPECT_NEAR(gap.v, -(rho * k - x * s), 1e-14);
    // n̂, away from the axis: the third column of D_TN.
    const Point n{-s, -k * std::sin(phi), k * std::cos(phi)};
    EXPECT_LT(norm(-gap.d - n), 1e-14);
  }
  EXPECT_GT(gap_at(c, {0.5, 0, 0.1}).v, 0) << "free near the axis";
  EXPECT_LT(gap_at(c, {0.5, 0, 0.5}).v, 0) << "wall";
  EXPECT_LT(gap_at(c, {-0.1, 0, 0}).v, 0) << "behind the apex";
}

TEST(Cone, FirstContactOfTheoryTouches) {
  const test::Reference ref("contact");  // its apex is 1 m ahead of the centre of mass
  const Gradient<double> gap = gap_at(cone(30, 2), ref.vector("touch.point") - Point{1, 0, 0});
  EXPECT_NEAR(gap.v, 0, 1e-8);
  EXPECT_NEAR(dot(-gap.d, {-0.02, 0.005, 0}), ref("touch.rate"), 1e-8);
}

TEST(Cone, HasFeaturesWhereItsFormulasSay) {
  const Cone<double> c = cone(30, 1, 0.1);
  const double s = 0.5, k = std::cos(M_PI / 6), rim = std::tan(M_PI / 6);
  const auto at = [&](double d, double m) {  // d from the wall outwards, m along it
    return gap_at(c, turned(m * k - d * s, m * s + d * k, 0.7));
  };
  EXPECT_NEAR(at(-0.05, 0.5).v, 0.05, 1e-15) << "inside wall";
  EXPECT_NEAR(at(0.03, 0.5).v, -0.03, 1e-15) << "in it";
  EXPECT_NEAR(at(0.08, 0.5).v, -0.02, 1e-15) << "in it, nearer outside";
  EXPECT_NEAR(at(0.3, 0.5).v, 0.2, 1e-15) << "outer wall";
  EXPECT_NEAR(at(0.05, 1 / k + 0.2).v, 0.2, 1e-15) << "end face";
  EXPECT_NEAR(at(0.05, 1 / k - 0.01).v, -0.01, 1e-15) << "under the end face";
  EXPECT_NEAR(at(-0.3, 1 / k + 0.4).v, 0.5, 1e-15) << "rim circle";
  EXPECT_NEAR(at(0.4, 1 / k + 0.4).v, 0.5, 1e-15) << "outer edge";
  EXPECT_NEAR(gap_at(c, turned(1, rim, 2)).v, 0, 1e-15) << "the rim itself";
  EXPECT_NEAR(gap_at(c, {0, 0, 0}).v, 0, 1e-7 * c.length) << "the apex itself, rounded off";
}

// Beyond ε of the axis to the last bit; within it shallower by ε/2 at most, with no kink.
TEST(Cone, IsRoundedOffOnItsAxisOnly) {
  Random random(7);
  for (const Cone<double>& c : kCones) {
    const double epsilon = c.find_rounding();
    const ConeSection<double> section(c.half_angle, c.length, c.thickness);
    EXPECT_DOUBLE_EQ(epsilon, 1e-7 * c.length);
    for (int i = 0; i < 200; ++i) {
      const double x = c.length * random.number(-0.5, 1.5);
      const Point far = turned(x, epsilon * (1 + std::pow(10, random.number(-9, 4))), 2.0 * i);
      EXPECT_EQ(gap_at(c, far).v, section.find_gap(far.x, find_radius(far.y, far.z)));
      const Point near = turned(x, epsilon * random.number(0, 1), 2.0 * i);
      const double sharp = section.find_gap(near.x, find_radius(near.y, near.z));
      EXPECT_NEAR(gap_at(c, near).v, sharp, 0.5001 * epsilon);
      EXPECT_LE(norm(gap_at(c, near).d), 1 + 1e-12) << "never longer than a normal";
    }
    // The slope across the axis goes through zero, and is continuous at ε.
    EXPECT_EQ(gap_at(c, {0.3 * c.length, 0, 0}).d.y, 0);
    const double in = gap_at(c, {0.3 * c.length, epsilon * (1 - 1e-9), 0}).d.y;
    const double out = gap_at(c, {0.3 * c.length, epsilon * (1 + 1e-9), 0}).d.y;
    EXPECT_NEAR(in, out, 1e-8);
  }
}

TEST(Plane, GapIsTheDistanceFromItsPost) {
  const Plane<double> plane{0.4};
  Profile profile;
  profile.add_line(0, 0, 0, 0.4);
  profile.add_line(0, 0.4, -3, 0.4);
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const double x = random.number(-1, 1), rho = random.number(0, 1);
    const double sign = x < 0 && rho < 0.4 ? -1 : 1;
    EXPECT_NEAR(gap_at(plane, turned(x, rho, random.number(-4, 4))).v,
                sign * profile.distance(x, rho), 1e-14);
  }
}

TEST(HalfSpace, GapIsX) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Point p = random.vector(3);
    const Gradient<double> gap = gap_at(HalfSpace<double>{}, p);
    EXPECT_EQ(gap.v, p.x);
    EXPECT_LT(norm(gap.d - Point{1, 0, 0}), 1e-15);
  }
}

// Gap and its slope, everywhere but on the few edges where it has none.
template <class S>
void expect_slopes(const S& surface) {
  Random random(5);
  constexpr double h = 1e-6;
  int bent = 0;
  for (int i = 0; i < 1000; ++i) {
    const Point p = random.vector(1.5);
    const Gradient<double> gap = gap_at(surface, p);
    EXPECT_NEAR(norm(gap.d), 1, 1e-12);
    Point slope;
    const Point e[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
    for (int k = 0; k < 3; ++k)
      slope[k] = (gap_at(surface, p + e[k]).v - gap_at(surface, p - e[k]).v) / (2 * h);
    if (norm(slope - gap.d) > 1e-8) ++bent;
  }
  EXPECT_LE(bent, 2);
}

TEST(Surfaces, NormalsAreUnitSlopesOfTheGap) {
  for (const Cone<double>& c : kCones) {
    SCOPED_TRACE(c.half_angle);
    expect_slopes(c);
  }
  expect_slopes(Plane<double>{0.7});
  expect_slopes(HalfSpace<double>{});
}

// No gap is longer than the way between two points explains: no jumps anywhere.
template <class S>
void expect_continuous(const S& surface) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const Point from = random.vector(1.5), to = random.vector(1.5);
    constexpr int pieces = 400;
    double last = gap_at(surface, from).v;
    for (int k = 1; k <= pieces; ++k) {
      const double now = gap_at(surface, from + (1.0 * k / pieces) * (to - from)).v;
      ASSERT_LE(std::fabs(now - last), norm(to - from) / pieces * (1 + 1e-9) + 1e-14)
          << "near " << (from + (1.0 * k / pieces) * (to - from)).x;
      last = now;
    }
  }
}

TEST(Surfaces, GapsHaveNoJumps) {
  for (const Cone<double>& c : kCones) {
    SCOPED_TRACE(testing::Message() << c.half_angle << " thick " << c.thickness);
    expect_continuous(c);
  }
  expect_continuous(Plane<double>{0.7});
}

TEST(Surfaces, GapsAndSlopesAreFiniteOnAxesEdgesAndApex) {
  for (const Cone<double>& c : kCones)
    for (const Point& p :
         {Point{0, 0, 0}, Point{-0.1, 0, 0}, Point{0.3, 0, 0}, Point{c.length, 0, 0},
          turned(c.length, c.length * std::tan(c.half_angle), 0)}) {
      const Gradient<double> gap = gap_at(c, p);
      EXPECT_TRUE(std::isfinite(gap.v));
      EXPECT_TRUE(std::isfinite(norm(gap.d))) << p.x << " " << p.y;
    }
  for (const Point& p : {Point{0, 0, 0}, Point{0, 0.4, 0}, Point{-0.1, 0, 0}}) {
    EXPECT_TRUE(std::isfinite(norm(gap_at(Plane<double>{0.4}, p).d)));
  }
}

}  // namespace
}  // namespace berth::surface_test
