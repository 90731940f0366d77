// SPDX-License-Identifier: Apache-2.0

// Linear models: slopes are difference quotients in quadruple precision, docked craft have the roots of
// the welded tree, and a small deviation moves as the model says.

#include "berth/system/linear_model.h"

#include <Eigen/Core>
#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "berth/analysis/linear_study.h"
#include "berth/analysis/modes.h"
#include "berth/system/channels.h"
#include "berth/system/jumps.h"
#include "tests/support/built.h"
#include "tests/support/docked.h"
#include "tests/support/linear_quotients.h"

namespace berth::linear_model_test {
namespace {

using test::Built;
using test::Evaluated;
using test::Mated;

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Where a run is.
struct Moment {
  System<double> system;
  double t;
  std::vector<double> x;
  Mode<double> mode;
};
Moment run_to(const Built& built, double t) {
  HybridRun run(built.system(), built.built.options);
  run.set_events(built.built.events);
  run.advance(t);
  EXPECT_EQ(run.t(), t);
  return {run.system(), run.t(), {run.x().begin(), run.x().end()}, run.mode()};
}

// Rows of M against those of its quotients, by the norm of the row; the largest difference.
double compare_rows(const Matrix& M, const Matrix& Q, const std::vector<LinearSignal>& names) {
  EXPECT_TRUE(M.rows() == Q.rows() && M.cols() == Q.cols());
  double largest = 0;
  for (Index i = 0; i < M.rows(); ++i) {
    const double difference = (M.row(i) - Q.row(i)).norm(), size = Q.row(i).norm();
    EXPECT_LE(difference, 1e-12 * size) << names[at(i)].name << "\n"
                                        << M.row(i) << "\n"
                                        << Q.row(i);
    if (size > 0) largest = std::max(largest, difference / size);
  }
  return largest;
}

// All of A, B, C and D against quotients in quadruple precision, with the inputs `berth linearise` has
// and these.
void expect_quotients(const Moment& m, const std::vector<std::string>& more_inputs,
                      const std::vector<std::string>& outputs) {
  std::vector<std::string> inputs;
  for (const LinearSignal& u : find_linear_model(m.system, m.t, m.x, m.mode, {}, {}).inputs)
    inputs.push_back(u.name);
  inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
  const LinearModel model = find_linear_model(m.system, m.t, m.x, m.mode, inputs, outputs);
  const test::LinearQuotients quotients = test::find_quotients(m.system, m.t, m.x, m.mode, model);
  EXPECT_LE(quotients.left_open, 1e-28);
  const double largest = std::max({compare_rows(model.A, quotients.A, model.states),
                                   compare_rows(model.B, quotients.B, model.states),
                                   compare_rows(model.C, quotients.C, model.outputs),
                                   compare_rows(model.D, quotients.D, model.outputs)});
  fmt::print("{} states, {} inputs, {} outputs: rows differ by up to {:.1e}\n", model.states.size(),
             model.inputs.size(), model.outputs.size(), largest);
}

TEST(LinearModel, OfADockingInFlightHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("docking");
  expect_quotients(run_to(built, 100), {"jets.force", "jets.torque", "target.panel_left.torque"},
                   {"servicer.rhoddot_BO_N", "servicer.alpha_BN_B", "target.omega_BN_B"});
}

TEST(LinearModel, OfASlewHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("slew");
  expect_quotients(run_to(built, 180), {}, {"servicer.alpha_BN_B", "servicer.rhoddot_BO_N"});
}

TEST(LinearModel, OfAContactHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("docking");
  HybridRun run(built.system(), built.built.options);
  run.set_events(built.built.events);
  run.advance(400);
  double touch = 0;
  for (const EventRecord& e : run.event_records())
    if (e.kind == "contact_on" && touch == 0) touch = e.t;
  ASSERT_GT(touch, 0);
  const Moment m = run_to(built, touch + 0.02);
  ASSERT_TRUE(m.mode.contacts.at(0).now.touching);
  expect_quotients(m, {}, {"tip.force", "tip.force_N", "target.alpha_BN_B"});
}

TEST(LinearModel, OfAJoinedPairHasTheSlopesOfTheMotion) {
  for (const char* enforce : {"exact", "reduced", "fused"}) {
    SCOPED_TRACE(enforce);
    const Built built =
        test::build_shipped("docking", {fmt::format("dock.joint.enforce={}", enforce)});
    const Moment m = run_to(built, 400);
    ASSERT_EQ(m.mode.rows.size(), std::string_view(enforce) == "fused" ? 0u : 6u);
    expect_quotients(m, {}, {"joint.force_N", "joint.torque_N", "servicer.alpha_BN_B"});
  }
}

TEST(LinearModel, OfATargetInTwoArmsHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("servicer_despin");
  const Moment m = run_to(built, 5);
  ASSERT_GT(m.mode.rows.size(), 0u);
  expect_quotients(m, {}, {"servicer.alpha_BN_B", "left.force_N", "right.torque_N"});
}

TEST(LinearModel, OfADockedPairHasTheRootsOfTheWeldedTree) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Mated mated(seed);
    const Evaluated exact(mated.exact, mated.x);
    const System<double> tree = test::fused(mated.exact);
    const Evaluated welded(tree, mated.x);
    const LinearModel a = find_linear_model(mated.exact, 0, exact.x, exact.mode, {}, {});
    const LinearModel b = find_linear_model(tree, 0, welded.x, welded.mode, {}, {});
    ASSERT_EQ(a.A.rows(), b.A.rows());
    const double scale = a.A.cwiseAbs().maxCoeff();
    EXPECT_LE((a.A - b.A).cwiseAbs().maxCoeff(), 1e-11 * scale) << seed;
    const Modes one = find_modes(a), other = find_modes(b);
    EXPECT_EQ(one.zeros, other.zeros);
    ASSERT_EQ(one.modes.size(), other.modes.size());
    for (std::size_t i = 0; i < one.modes.size(); ++i)
      EXPECT_LE(std::abs(one.modes[i].root - other.modes[i].root),
                1e-9 * other.modes[i].frequency());
  }
}

// A hub at rest in free space with a mass on a spring.
const char* const kOscillator = R"(
[time]
stop = 10.0
[[spacecraft]]
name = "tank"
mass = 30.0
inertia = [10.0, 12.0, 14.0]
[[spacecraft.component]]
type = "slosh_mass"
name = "fuel"
axis = [1.0, 0.0, 0.0]
mass = 10.0
stiffness = 8.0
damping = 0.4
)";

TEST(Modes, OfAMassOnASpringAreThoseOfTheReducedMass) {
  const Built built(kOscillator);
  ASSERT_EQ(built.problems(), "");
  const Moment m = run_to(built, 0);
  const Modes modes = find_modes(find_linear_model(m.system, m.t, m.x, m.mode, {}, {}));
  const double reduced = 1 / (1 / 30.0 + 1 / 10.0), omega = std::sqrt(8.0 / reduced);
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_EQ(modes.zeros, 12);
  EXPECT_NEAR(modes.modes[0].frequency(), omega, 1e-12 * omega);
  EXPECT_NEAR(modes.modes[0].damping_ratio(), 0.4 / (2 * reduced * omega), 1e-12);
  EXPECT_EQ(modes.modes[0].shares.front().part, "tank.fuel");
}

// A deviation of this size after two seconds, against the model: how far they are apart.
double find_error(const Built& built, const LinearModel& model, double size) {
  const auto end = [&](const std::vector<double>& x0) {
    System<double> s = built.system();
    std::copy_n(x0.begin(), s.model.q0.size(), s.model.q0.begin());
    std::copy_n(x0.begin() + s.layout().v, s.model.v0.size(), s.model.v0.begin());
    HybridRun run(s, built.built.options);
    run.advance(2.0);
    std::vector<double> row(static_cast<std::size_t>(run.channels().width()));
    run.fill_row(run.t(), run.x(), row);
    const Channel* c = run.channels().find("tank.rho_BO_N");
    return Vector(Eigen::Map<Vector>(row.data() + c->first, 3));
  };
  const System<double>& s = built.system();
  const Layout layout = s.layout();
  std::vector<double> x = find_initial_state(s);
  const Vector before = end(x);
  Vector xi = Vector::Zero(model.A.rows());
  for (Index i = 0; i < xi.size(); ++i) xi(i) = size * std::cos(1.0 + static_cast<double>(i));
  std::vector<double> delta(xi.data(), xi.data() + xi.size() / 2);
  displace<double>(s.model, delta, std::span(x).first(static_cast<std::size_t>(layout.v)));
  for (Index i = 0; i < xi.size() / 2; ++i) x[at(layout.v + i)] += xi(xi.size() / 2 + i);
  const Matrix E = (2.0 * model.A).exp();
  return (end(x) - before - model.C * E * xi).norm();
}

TEST(LinearModel, IsFollowedToSecondOrder) {
  const Built built(kOscillator);
  const Moment m = run_to(built, 0);
  const LinearModel model = find_linear_model(m.system, m.t, m.x, m.mode, {}, {"tank.rho_BO_N"});
  const double whole = find_error(built, model, 0.02), half = find_error(built, model, 0.01);
  EXPECT_GT(whole, 1e-7);
  EXPECT_NEAR(whole / half, 4, 0.3);
}

TEST(LinearModel, SeesThroughASampledSensor) {
  const Built built = test::build_shipped("docking");
  const Moment m = run_to(built, 100);
  const LinearModel model =
      find_linear_model(m.system, m.t, m.x, m.mode, {}, {"navigation.position"});
  Matrix C(3, 3);  // against the position of the servicer: turned into other axes
  for (Index i = 0; i < model.C.cols(); ++i)
    if (const std::string& name = model.states[at(i)].name; name.starts_with("servicer.rho_BO_N"))
      C.col(name.back() - 'x') = model.C.col(i);
  EXPECT_LE((C * C.transpose() - Matrix::Identity(3, 3)).norm(), 1e-14);
}

TEST(LinearModel, RefusesNamesThatThereAreNot) {
  const Built built = test::build_shipped("docking");
  const Moment m = run_to(built, 0);
  EXPECT_THROW(find_linear_model(m.system, m.t, m.x, m.mode, {"servicer.forec"}, {}),
               std::out_of_range);
  EXPECT_THROW(find_linear_model(m.system, m.t, m.x, m.mode, {}, {"servicer.nothing"}),
               std::out_of_range);
}

TEST(LinearModel, HeldOverAPeriodIsTheExponential) {
  const Built built(kOscillator);
  const Moment m = run_to(built, 0);
  const LinearModel c = find_linear_model(m.system, m.t, m.x, m.mode, {"tank.force"}, {});
  const LinearModel one = discretise(c, 0.2), two = discretise(c, 0.4);
  EXPECT_LE((one.A * one.A - two.A).norm(), 1e-13 * two.A.norm());
  EXPECT_LE((one.A * one.B + one.B - two.B).norm(), 1e-13);
}

}  // namespace
}  // namespace berth::linear_model_test
