// SPDX-License-Identifier: Apache-2.0

// Whoever joins a list is examined here. Nobody edits this file when a part is added: it reads the
// part's example from its page.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "berth/system/ledger.h"
#include "tests/conformance/world.h"

namespace berth::test::parts_test {
namespace {

Setting turned_setting(const ExaminedPart& part, unsigned seed, Random& random) {
  Setting s;
  s.seed = seed;
  if (part.tied_to_earth) {
    s.R = rotation_about(Vec3<double>{0, 0, 1}, random.number(-3, 3));
    s.floating = false;
  } else {
    s.R = random.rotation();
    s.shift = random.vector(100);
    s.boost = random.vector(10);
  }
  return s;
}

// What has no page, no example, or one that cannot be read is reported and left out.
TEST(Conformance, EveryPartHasAPageWithAnExampleThatIsRead) {
  const auto examples = read_examples();
  const auto is_read = [&](std::string_view type) {
    return std::any_of(examples.begin(), examples.end(),
                       [&](const auto& part) { return part->type == type; });
  };
  const auto examine = [&]<class Part>(std::string_view folder) {
    SCOPED_TRACE(Part::type);
    EXPECT_TRUE(std::filesystem::exists(page_of(folder, Part::type)));
    EXPECT_TRUE(is_read(Part::type));
  };
  for_each_type(Components<double>{},
                [&]<class P>() { examine.template operator()<P>("components"); });
  for_each_type(Forces<double>{}, [&]<class P>() { examine.template operator()<P>("forces"); });
  for_each_type(Controls<double>{}, [&]<class P>() { examine.template operator()<P>("control"); });
}

TEST(Conformance, EveryPartComesBackFromAFileUnchanged) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    EXPECT_EQ(part->write(), part->write_again());
  }
}

TEST(Conformance, EveryInputHasAMeaning) {
  for (const auto& part : read_examples())
    for (const ExaminedPart::Input& input : part->inputs()) {
      EXPECT_FALSE(input.name.empty());
      EXPECT_FALSE(input.meaning.empty()) << part->type << "." << input.name;
      EXPECT_FALSE(input.unit.empty()) << part->type << "." << input.name;
    }
}

// Largest difference of two derivatives, relative to the size of each kind of entry.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst =
        std::max(worst, std::fabs(a[i] - b[i]) / (1 + std::max(std::fabs(a[i]), std::fabs(b[i]))));
  return worst;
}

// Turns a derivative of the original world into that of the turned one: vectors in N axes turn, the
// rest (body axes, joints) stays. A moving world changes ṙ by the boost and leaves accelerations.
std::vector<double> turn(const System<double>& system, std::vector<double> x_dot,
                         const Setting& s) {
  const Layout at = system.layout();
  const auto turn_at = [&](int i) {
    double* v = x_dot.data() + i;
    const Vec3<double> r = s.R * Vec3<double>{v[0], v[1], v[2]};
    v[0] = r.x, v[1] = r.y, v[2] = r.z;
  };
  const Quaternion<double> R = quaternion(s.R);
  for (const Body<double>& b : system.model.bodies) {
    if (b.joint != JointType::free) continue;
    turn_at(at.q + b.q);
    turn_at(at.v + b.v);
    if (s.floating)
      for (int k = 0; k < 3; ++k) x_dot[static_cast<std::size_t>(at.q + b.q + k)] += s.boost[k];
    double* q = x_dot.data() + at.q + b.q + 3;
    const Quaternion<double> d = R * Quaternion<double>{q[0], q[1], q[2], q[3]};
    q[0] = d.w, q[1] = d.x, q[2] = d.y, q[3] = d.z;
  }
  for (int i = at.orbit; i < at.ledger; i += 3) turn_at(i);
  return x_dot;
}

// Quaternions come out in canonical form when a world is built turned; compare up to their sign.
void align_quaternions(const System<double>& system, const std::vector<double>& x_turned,
                       const std::vector<double>& x, const Setting& s, std::vector<double>& x_dot) {
  const Layout at = system.layout();
  const Quaternion<double> R = quaternion(s.R);
  for (const Body<double>& b : system.model.bodies) {
    if (b.joint != JointType::free) continue;
    const auto i = static_cast<std::size_t>(at.q + b.q + 3);
    const Quaternion<double> wanted = R * Quaternion<double>{x[i], x[i + 1], x[i + 2], x[i + 3]};
    const double dot = wanted.w * x_turned[i] + wanted.x * x_turned[i + 1] +
                       wanted.y * x_turned[i + 2] + wanted.z * x_turned[i + 3];
    if (dot < 0)
      for (std::size_t k = 0; k < 4; ++k) x_dot[i + k] = -x_dot[i + k];
  }
}

TEST(Conformance, EveryPartActsTheSameInATurnedAndMovingWorld) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    Random random(5);
    for (unsigned seed = 1; seed <= 10; ++seed) {
      Setting here;
      here.seed = seed;
      const Setting there = turned_setting(*part, seed, random);
      const System<double> a = build_world(*part, here);
      const System<double> b = build_world(*part, there);
      const std::vector<double> xa = state_of(a), xb = state_of(b);
      std::vector<double> wanted = turn(a, derivative_of(a, xa), there);
      align_quaternions(b, xb, xa, there, wanted);
      std::vector<double> got = derivative_of(b, xb);
      // The ledgers are kept about the origin and in its frame: they are audited elsewhere.
      wanted.resize(static_cast<std::size_t>(a.layout().ledger));
      got.resize(wanted.size());
      EXPECT_LT(difference(wanted, got), 1e-10) << "seed " << seed;
    }
  }
}

// Factor of every entry of x from SI to the other system of units.
std::vector<double> state_factors(const System<double>& system, const Units& u) {
  const Layout at = system.layout();
  std::vector<double> f(static_cast<std::size_t>(at.size), 1.0);
  const auto set = [&](int first, int count, double value) {
    for (int i = 0; i < count; ++i) f[static_cast<std::size_t>(first + i)] = value;
  };
  for (const Body<double>& b : system.model.bodies) {
    const int q = at.q + b.q, v = at.v + b.v;
    if (b.joint == JointType::free) {
      set(q, 3, u.m);
      set(v, 3, u.m / u.s);
      set(v + 3, 3, 1 / u.s);
    } else if (b.joint == JointType::prismatic) {
      set(q, 1, u.m);
      set(v, 1, u.m / u.s);
    } else {
      set(v, shape(b.joint).speeds, 1 / u.s);
    }
  }
  set(at.z, at.orbit - at.z, u.s);
  if (system.in_orbit) {
    set(at.orbit, 12, u.m);
    set(at.orbit + 3, 3, u.m / u.s);
    set(at.orbit + 9, 3, u.m / u.s);
  }
  const double energy = u.kg * u.m * u.m / (u.s * u.s);
  set(at.ledger, 2, energy);
  set(at.ledger + 2, 3, u.kg * u.m / u.s);
  set(at.ledger + 5, 3, u.kg * u.m * u.m / u.s);
  return f;
}

TEST(Conformance, EveryPartActsTheSameInAnotherSystemOfUnits) {
  for (const auto& part : read_examples()) {
    SCOPED_TRACE(part->type);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Setting si, other;
      si.seed = other.seed = seed;
      other.units = {2.2046226, 3.2808399, 1.0 / 60};  // pounds, feet, minutes
      const System<double> a = build_world(*part, si);
      const System<double> b = build_world(*part, other);
      const std::vector<double> f = state_factors(a, other.units);
      std::vector<double> xa = state_of(a), xb = xa;
      for (std::size_t i = 0; i < xb.size(); ++i) xb[i] *= f[i];
      std::vector<double> wanted = derivative_of(a, xa);
      std::vector<double> got = derivative_of(b, xb, kTime * other.units.s);
      for (std::size_t i = 0; i < got.size(); ++i) got[i] *= other.units.s / f[i];
      EXPECT_LT(difference(wanted, got), 1e-9) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace berth::test::parts_test
