// SPDX-License-Identifier: Apache-2.0

// Another road to the same trajectories: CVODE's Adams–Moulton multistep formulas share nothing
// with ours but the differential equation.

#include <vector>

#include <cvode/cvode.h>
#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "berth/integrate/solve.h"
#include "tests/integrate/problems.h"

namespace berth::cvode_test {
namespace {

template <class Problem>
int call(realtype t, N_Vector x, N_Vector rate, void*) {
  const auto n = std::size_t(N_VGetLength(x));
  Problem{}(t, std::span<const double>(N_VGetArrayPointer(x), n),
            std::span<double>(N_VGetArrayPointer(rate), n));
  return 0;
}

template <class Problem>
std::vector<double> solve_with_cvode(std::vector<double> x, double t_1, double tolerance) {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector state = N_VMake_Serial(sunindextype(x.size()), x.data(), context);
  void* cvode = CVodeCreate(CV_ADAMS, context);
  CVodeInit(cvode, call<Problem>, 0, state);
  CVodeSStolerances(cvode, tolerance, tolerance);
  CVodeSetMaxNumSteps(cvode, 1000000);
  SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(state, 0, context);
  CVodeSetNonlinearSolver(cvode, iteration);
  CVodeSetStopTime(cvode, t_1);
  double t = 0;
  EXPECT_GE(CVode(cvode, t_1, state, &t, CV_NORMAL), 0);
  EXPECT_EQ(t, t_1);
  SUNNonlinSolFree(iteration);
  CVodeFree(&cvode);
  N_VDestroy(state);
  SUNContext_Free(&context);
  return x;
}

TEST(Cvode, AgreesOnTheSevenStarsOfThePleiades) {
  using problems::Pleiades;
  const auto theirs = solve_with_cvode<Pleiades>(Pleiades::start(), 3, 1e-13);
  for (const Tableau* m : kExplicitMethods) {
    if (!m->adaptive()) continue;
    const auto ours = solve(*m, Pleiades{}, 0.0, Pleiades::start(), 3.0, {.tolerance = 1e-13},
                            {{0, 14, 1.0}, {14, 14, 1.0}});
    EXPECT_LT(problems::distance(ours.x, theirs), 1e-7) << m->name;
  }
}

TEST(Cvode, AgreesOnHalfAnArenstorfOrbit) {
  using problems::Arenstorf;
  const auto theirs = solve_with_cvode<Arenstorf>(Arenstorf::start(), Arenstorf::period / 2, 1e-13);
  const auto ours = solve("dop853", Arenstorf{}, 0.0, Arenstorf::start(), Arenstorf::period / 2,
                          {.tolerance = 1e-13}, {{0, 2, 1.0}, {2, 2, 1.0}});
  EXPECT_LT(problems::distance(ours.x, theirs), 1e-7);
}

TEST(Dop853, ClosesTheArenstorfOrbit) {
  using problems::Arenstorf;
  const auto r = solve("dop853", Arenstorf{}, 0.0, Arenstorf::start(), Arenstorf::period,
                       {.tolerance = 1e-13}, {{0, 2, 1.0}, {2, 2, 1.0}});
  EXPECT_LT(problems::distance(r.x, Arenstorf::start()), 1e-7);
}

}  // namespace
}  // namespace berth::cvode_test
