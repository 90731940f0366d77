// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/tableau.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/methods.h"

namespace berth::tableau_test {
namespace {

TEST(Methods, AreFoundByTheirName) {
  for (const Tableau* m : kExplicitMethods) EXPECT_EQ(find_method(m->name), m);
  EXPECT_EQ(find_method("euler"), nullptr);
  EXPECT_EQ(find_method(""), nullptr);
}

TEST(Methods, HaveDifferentNames) {
  std::set<std::string_view> names;
  for (const Tableau* m : kExplicitMethods) names.insert(m->name);
  EXPECT_EQ(names.size(), kExplicitMethods.size());
}

// The compile-time checks must notice a slip in any single coefficient of any method.
TEST(TableauChecks, NoticeAnyDamagedCoefficient) {
  for (const Tableau* m : kExplicitMethods) {
    const auto damaged = [&](std::span<const Coefficient> Tableau::*table) {
      for (std::size_t i = 0; i < (m->*table).size(); ++i) {
        std::vector<Coefficient> copy((m->*table).begin(), (m->*table).end());
        copy[i].value += 1e-9;
        Tableau other = *m;
        other.*table = copy;
        EXPECT_FALSE(is_consistent(other)) << m->name << " entry " << i;
      }
    };
    damaged(&Tableau::a);
    damaged(&Tableau::error);
    damaged(&Tableau::dense);
  }
}

TEST(TableauChecks, NoticeAWrongNode) {
  for (const Tableau* m : kExplicitMethods) {
    std::vector<double> c(m->c.begin(), m->c.end());
    for (double& node : c) {
      node += 1e-9;
      Tableau other = *m;
      other.c = c;
      EXPECT_FALSE(is_consistent(other)) << m->name;
      node -= 1e-9;
    }
  }
}

TEST(Tableau, RowsOfASparseTable) {
  EXPECT_EQ(find_row(kRk4.a, 4).size(), 4u);
  EXPECT_TRUE(find_row(kRk4.a, 0).empty());
  EXPECT_TRUE(find_row(kRk4.error, 0).empty());
  EXPECT_EQ(find_row(kDop853.error, 1).front().column, 0);
}

TEST(Tableau, OnlyDopri5NeedsTheEndSlopeForItsErrorEstimate) {
  EXPECT_TRUE(kDopri5.error_needs_end());
  EXPECT_FALSE(kDop853.error_needs_end());
  EXPECT_FALSE(kRkf45.error_needs_end());
  EXPECT_FALSE(kRk4.error_needs_end());
}

}  // namespace
}  // namespace berth::tableau_test
