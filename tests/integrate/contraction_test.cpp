// SPDX-License-Identifier: Apache-2.0

#include "berth/integrate/contraction.h"

#include <initializer_list>

#include <gtest/gtest.h>

namespace berth::contraction_test {
namespace {

using Verdict = Contraction::Verdict;

Verdict judge(Contraction c, std::initializer_list<double> sizes) {
  Verdict last = Verdict::go_on;
  for (const double s : sizes) last = c.judge(s);
  return last;
}

TEST(Contraction, IsDoneWhenWhatIsStillToComeIsSmall) {
  const Contraction c(1e-4, 7, Contraction::Jacobian::frozen);
  EXPECT_EQ(judge(c, {0}), Verdict::done);
  EXPECT_EQ(judge(c, {1e-9}), Verdict::go_on);  // one change gives no rate
  EXPECT_EQ(judge(c, {1, 0.1}), Verdict::go_on);
  EXPECT_EQ(judge(c, {1, 9e-3}), Verdict::done);
}

TEST(Contraction, SeesEarlyThatAFrozenJacobianWillNotDo) {
  const Contraction frozen(1e-4, 7, Contraction::Jacobian::frozen);
  const Contraction fresh(1e-4, 7, Contraction::Jacobian::fresh);
  EXPECT_EQ(judge(frozen, {1, 2}), Verdict::hopeless);
  EXPECT_EQ(judge(frozen, {1, 0.9}), Verdict::hopeless);
  EXPECT_EQ(judge(fresh, {10, 20}), Verdict::go_on);
  EXPECT_EQ(judge(fresh, {10, 20, 1e-3}), Verdict::done);
  EXPECT_EQ(judge(fresh, {10, 20, 10, 20, 10, 20, 10}), Verdict::hopeless);
}

TEST(Contraction, TakesAStallBelowTheToleranceForRounding) {
  const Contraction fresh(1e-4, 7, Contraction::Jacobian::fresh);
  EXPECT_EQ(judge(fresh, {10, 0.2, 0.3}), Verdict::go_on);
  EXPECT_EQ(judge(fresh, {10, 0.2, 0.3, 0.2}), Verdict::done);
  EXPECT_EQ(judge(fresh, {10, 2, 3, 2}), Verdict::go_on);
}

}  // namespace
}  // namespace berth::contraction_test
