// SPDX-License-Identifier: Apache-2.0
#include "berth/model/fields.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "berth/components/list.h"
#include "berth/control/list.h"
#include "berth/forces/list.h"

namespace berth::fields_test {
namespace {

template <class Part>
void examine_schema(std::string_view who) {
  Part part;
  std::set<std::string_view> names;
  for_each_field(part, [&](const auto& field, auto& member) {
    EXPECT_FALSE(field.name.empty()) << who;
    EXPECT_TRUE(names.insert(field.name).second) << who << "." << field.name << " stands twice";
    EXPECT_FALSE(field.meaning.empty()) << who << "." << field.name;
    using M = std::remove_cvref_t<decltype(member)>;
    // A range that says nothing about the kind of number it is given for is a mistake.
    if (field.range == Range::unit_vector) {
      EXPECT_TRUE((std::same_as<M, Vec3<double>>)) << who << "." << field.name;
    }
    if (field.range == Range::inertia) {
      EXPECT_TRUE((std::same_as<M, Sym3<double>>)) << who << "." << field.name;
    }
    if (field.range == Range::positive || field.range == Range::not_negative) {
      EXPECT_TRUE((std::same_as<M, double> || std::same_as<M, int>)) << who << "." << field.name;
    }
    // What need not be given must be valid as it stands.
    if constexpr (std::same_as<M, double>) {
      if (!field.is_required && field.range == Range::positive) {
        EXPECT_GT(member, 0) << who << "." << field.name;
      }
    }
  });
}

TEST(Fields, EveryInputOfEveryPartIsNamedOnceAndExplained) {
  const auto examine = []<class Part>() { examine_schema<Part>(Part::type); };
  for_each_type(Components<double>{}, examine);
  for_each_type(Forces<double>{}, examine);
  for_each_type(Controls<double>{}, examine);
  examine_schema<ArmLink<double>>("link");
  examine_schema<Thruster<double>>("thruster");
  examine_schema<Profile<double>>("profile");
}

TEST(Fields, EveryTypeOfPartIsNamedOnceInItsList) {
  const auto count = [](auto list) {
    std::set<std::string_view> types;
    int n = 0;
    for_each_type(list, [&]<class Part>() { types.insert(Part::type), ++n; });
    return types.size() == static_cast<std::size_t>(n);
  };
  EXPECT_TRUE(count(Components<double>{}));
  EXPECT_TRUE(count(Forces<double>{}));
  EXPECT_TRUE(count(Controls<double>{}));
}

// A unit is its symbol and its exponents; the two must agree.
TEST(Fields, DerivedUnitsHaveTheExponentsOfTheirSymbols) {
  const auto equal = [](const Unit& u, int kg, int m, int s) {
    return u.kg == kg && u.m == m && u.s == s;
  };
  EXPECT_TRUE(equal(unit::newton, 1, 1, -2));
  EXPECT_TRUE(equal(unit::N_m, 1, 2, -2));
  EXPECT_TRUE(equal(unit::N_per_m, 1, 0, -2));
  EXPECT_TRUE(equal(unit::N_s_per_m, 1, 0, -1));
  EXPECT_TRUE(equal(unit::N_m_per_rad, 1, 2, -2));
  EXPECT_TRUE(equal(unit::N_m_s_per_rad, 1, 2, -1));
  EXPECT_TRUE(equal(unit::N_m_per_rad_s, 1, 2, -3));
  EXPECT_TRUE(equal(unit::kg_m, 1, 1, 0));
  EXPECT_TRUE(equal(unit::kg_m2, 1, 2, 0));
  EXPECT_TRUE(equal(unit::m3_per_s2, 0, 3, -2));
  EXPECT_TRUE(equal(unit::rad_per_s, 0, 0, -1));
  EXPECT_TRUE(equal(unit::m_per_s2, 0, 1, -2));
}

}  // namespace
}  // namespace berth::fields_test
