// SPDX-License-Identifier: Apache-2.0

// Whatever joins the list of constraints is examined here and in constraints_dual_test.cpp and
// constraints_trace_test.cpp. Nobody edits these files when a constraint is added.

#include <filesystem>

#include <gtest/gtest.h>

#include "berth/scenario/read/part_reader.h"
#include "berth/scenario/read/part_writer.h"
#include "berth/scenario/spec/dock_spec.h"
#include "tests/conformance/world.h"
#include "tests/support/docked.h"

namespace berth::test::constraints_test {
namespace {

// --- its page ------------------------------------------------------------------------------------

// The [[dock]] of the page's example: the constraint and what all docks share.
template <class C>
std::optional<DockSpec> read_dock_example() {
  const toml::table table = read_example_table("constraints", C::type);
  if (table.empty()) return std::nullopt;
  DockSpec spec;
  Problems problems{page_of("constraints", C::type), {}};
  read_part(table, spec, std::string(C::type), problems);
  for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
  if (!problems.empty()) return std::nullopt;
  return spec;
}

TEST(ConstraintConformance, EachHasAPageWithAnExampleThatIsRead) {
  for_each_constraint([]<class C>() {
    EXPECT_TRUE(std::filesystem::exists(page_of("constraints", C::type)));
    const std::optional<DockSpec> example = read_dock_example<C>();
    EXPECT_EQ(example ? example->between.size() : 0, 2u);
  });
}

TEST(ConstraintConformance, EachComesBackFromAFileUnchanged) {
  Random random(1);
  for_each_constraint([&]<class C>() {
    C part, again;
    fill_part(part, random);
    std::ostringstream once;
    once << write_part(part);
    Problems problems;
    read_part(toml::parse(once.str()), again, "again", problems);
    for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
    EXPECT_EQ(find_differences(part, again), std::vector<std::string>{});
  });
}

TEST(ConstraintConformance, EveryInputHasAMeaning) {
  for_each_constraint([]<class C>() {
    C part;
    for_each_field(part, [](const auto& field, const auto&) {
      EXPECT_FALSE(field.name.empty());
      EXPECT_FALSE(field.meaning.empty()) << field.name;
      EXPECT_FALSE(field.unit.symbol.empty()) << field.name;
    });
  });
}

TEST(ConstraintConformance, NoOneHasMoreRowsThanThereIsRoomFor) {
  for_each_constraint([]<class C>() {
    EXPECT_GE(C::forces, 0);
    EXPECT_GE(C::torques, 0);
    EXPECT_GT(C::forces + C::torques, 0);
    EXPECT_LE(C::forces, 3);
    EXPECT_LE(C::torques, 3);
    EXPECT_LE(C::forces + C::torques, kMostRows);
  });
}

// --- its rows ------------------------------------------------------------------------------------

// A pair bent by up to a metre and two radians from mated.
PairMotion<double> random_pair(const Vec3<double>& arm, Random& random) {
  PairMotion<double> m;
  m.arm = arm;
  m.d = arm + random.vector(1);
  m.d_dot = random.vector(1);
  m.R = rotation_about(random.direction(), random.number(0, 2));
  m.omega = random.vector(1);
  return m;
}

TEST(ConstraintConformance, RowsAreUnitVectorsNormalToEachOther) {
  Random random(2);
  for_each_constraint([&]<class C>() {
    for (int i = 0; i < 100; ++i) {
      C c;
      fill_part(c, random);
      const Vec3<double> arm = c.bind(random.vector(1), random.direction());
      Rows<double> rows;
      c.find_rows(random_pair(arm, random), rows);
      for (int a = 0; a < C::forces + C::torques; ++a)
        for (int b = 0; b <= a; ++b) {
          if ((a < C::forces) != (b < C::forces)) continue;
          const double wanted = a == b ? 1 : 0;
          EXPECT_NEAR(dot(rows.row[static_cast<std::size_t>(a)].direction,
                          rows.row[static_cast<std::size_t>(b)].direction),
                      wanted, 1e-14);
        }
    }
  });
}

TEST(ConstraintConformance, MatedThereIsNoViolationAndNoEnergy) {
  Random random(3);
  for_each_constraint([&]<class C>() {
    C c;
    fill_part(c, random);
    PairMotion<double> m;
    m.arm = m.d = c.bind(random.vector(1), random.direction());
    m.R = Mat3<double>::identity();
    Rows<double> rows;
    c.find_rows(m, rows);
    for (int r = 0; r < C::forces + C::torques; ++r) {
      EXPECT_NEAR(rows.row[static_cast<std::size_t>(r)].violation, 0, 1e-15);
      EXPECT_EQ(rows.row[static_cast<std::size_t>(r)].rate, 0);
    }
    EXPECT_NEAR(rows.strain, 0, 1e-15);
    EXPECT_NEAR(rows.twist, 0, 1e-15);
  });
}

TEST(ConstraintConformance, WithNoInputsGivenEachBindsToThePort) {
  Random random(4);
  for_each_constraint([&]<class C>() {
    C c;
    const Vec3<double> outward = random.direction(), arm = random.vector(1);
    EXPECT_LT(norm(c.bind(arm, outward) - arm), 1e-15);
    if constexpr (requires { c.axis; }) {
      EXPECT_LT(norm(c.axis - outward), 1e-15);
    }
  });
}

// --- the world it is in --------------------------------------------------------------------------

// ẋ of a docked pair in this world, with what the dock shows.
struct Seen {
  System<double> system;
  std::vector<double> x, x_dot;
  DockMotion<double> dock;
};

// A dock between the arm of the first craft and the hub of the second, bent far from mated.
Seen evaluate(Constrain constrain, const Setting& setting, Hold hold) {
  RigidPayload<double> payload;
  payload.mass = 3;
  payload.inertia = Sym3<double>::diagonal(0.1, 0.2, 0.25);
  Seen out{build_world(payload, setting), {}, {}, {}};
  Random random(setting.seed + 7);
  const Units& u = setting.units;
  Model<double>& model = out.system.model;
  Dock<double> d = random_dock(constrain, model.find_body("servicer.arm.link2"),
                               model.find_body("target"), hold, random);
  for (Port<double>* p : {&d.port_1, &d.port_2}) p->r_PB_B = u.m * p->r_PB_B;
  d.arm = u.m * d.arm;
  const int forces = std::visit(
      [&]<class C>(C& c) {
        restate(c, unit::none, u);
        return C::forces;
      },
      d.constraint);
  d.alpha /= u.s;
  d.beta /= u.s;
  const double force = u.kg * u.m / (u.s * u.s), torque = force * u.m;
  d.force_gains = {d.force_gains.stiffness * force / u.m, d.force_gains.damping * force / u.m * u.s,
                   d.force_gains.integral * force / u.m / u.s};
  d.torque_gains = {d.torque_gains.stiffness * torque, d.torque_gains.damping * torque * u.s,
                    d.torque_gains.integral * torque / u.s};
  out.system.add_dock(d);
  out.x = find_initial_state(out.system);
  const Layout at = out.system.layout();
  for (int i = at.docks; i < at.orbit; ++i)
    out.x[static_cast<std::size_t>(i)] =
        0.01 * (i - at.docks + 1) * u.s * (i - at.docks < forces ? u.m : 1);
  const Evaluated e(out.system, out.x);
  out.x_dot = e.x_dot;
  out.dock = e.w.docks[0];
  return out;
}

// Accelerations of both hubs and of the joints, in the axes and units of the first world.
std::vector<double> accelerations(const Seen& s, const Setting& setting) {
  const Units& u = setting.units;
  const Layout at = s.system.layout();
  std::vector<double> out;
  for (const Body<double>& b : s.system.model.bodies) {
    const double* a = s.x_dot.data() + at.v + b.v;
    const double turn = u.s * u.s;
    if (b.joint == JointType::free) {
      const Vec3<double> linear =
          (u.s * u.s / u.m) * transposed_times(setting.R, Vec3<double>{a[0], a[1], a[2]});
      for (int k = 0; k < 3; ++k) out.push_back(linear[k]);
      for (int k = 3; k < 6; ++k) out.push_back(turn * a[k]);
    } else if (shape(b.joint).speeds == 1) {
      out.push_back(turn * a[0]);
    }
  }
  return out;
}

void expect_the_same(const Seen& a, const Seen& b, const Setting& setting, double tolerance) {
  const Units& u = setting.units;
  const std::vector<double> wanted = accelerations(a, {}), got = accelerations(b, setting);
  ASSERT_EQ(wanted.size(), got.size());
  double size = 1;
  for (double x : wanted) size = std::max(size, std::fabs(x));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_LT(std::fabs(wanted[i] - got[i]), tolerance * size) << "entry " << i;
  for (int r = 0; r < a.dock.count; ++r) {
    const auto k = static_cast<std::size_t>(r);
    const double length = r < a.dock.forces ? u.m : 1;
    const double force = u.kg * u.m / (u.s * u.s) * (r < a.dock.forces ? 1 : u.m);
    EXPECT_LT(std::fabs(a.dock.rows.row[k].violation - b.dock.rows.row[k].violation / length),
              10 * tolerance);
    EXPECT_LT(std::fabs(a.dock.rows.row[k].rate - b.dock.rows.row[k].rate / length * u.s),
              10 * tolerance);
    EXPECT_LT(std::fabs(a.dock.load[k] - b.dock.load[k] / force), 1000 * tolerance * size);
  }
}

TEST(ConstraintConformance, EachActsTheSameInATurnedAndMovingWorld) {
  Random random(5);
  for_each_constraint([&]<class C>() {
    for (const Hold hold : kHolds)
      for (unsigned seed = 1; seed <= 5; ++seed) {
        Setting here, there;
        here.seed = there.seed = seed;
        there.R = random.rotation();
        there.shift = random.vector(100);
        there.boost = random.vector(10);
        expect_the_same(evaluate(constrain<C>, here, hold), evaluate(constrain<C>, there, hold),
                        there, 1e-11);
      }
  });
}

TEST(ConstraintConformance, EachActsTheSameInAnotherSystemOfUnits) {
  for_each_constraint([]<class C>() {
    for (const Hold hold : kHolds)
      for (unsigned seed = 1; seed <= 5; ++seed) {
        Setting si, other;
        si.seed = other.seed = seed;
        other.units = {2.2046226, 3.2808399, 1.0 / 60};  // pounds, feet, minutes
        expect_the_same(evaluate(constrain<C>, si, hold), evaluate(constrain<C>, other, hold),
                        other, 1e-11);
      }
  });
}

}  // namespace
}  // namespace berth::test::constraints_test
