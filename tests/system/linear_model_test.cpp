// SPDX-License-Identifier: Apache-2.0

// Linear models: slopes are difference quotients, docked craft have the roots of the welded tree, and a
// small deviation moves as the model says.

#include "berth/system/linear_model.h"

#include <Eigen/Core>
#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "berth/analysis/linear_study.h"
#include "berth/analysis/modes.h"
#include "berth/system/channels.h"
#include "berth/system/jumps.h"
#include "berth/system/linear_signals.h"
#include "tests/support/built.h"
#include "tests/support/docked.h"

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

int find_body(const Model<double>& model, const std::string& name) {
  return static_cast<int>(std::find(model.names.begin(), model.names.end(), name) -
                          model.names.begin());
}

// ξ̇ of coordinates and speeds, and outputs, displaced by ξ from the moment, with a load on a body: in
// double, by a way of its own.
class Displaced {
 public:
  Displaced(const Moment& moment, const std::vector<std::string>& outputs)
      : m_(moment), channels_(moment.system) {
    for (const std::string& name : outputs) {
      const Channel* c = channels_.find(name);
      for (int k = 0; k < c->width; ++k) places_.push_back(c->first + k);
    }
    x_dot_0_ = evaluate(m_.system, m_.x);
  }

  Vector operator()(const Vector& xi) const { return find_rates(m_.system, move(xi)); }
  // The deviation that has these numbers and leaves closures as closed as they are: those of the
  // dependent coordinates, one per row, by Newton's method.
  Vector close(Vector xi, const std::vector<Index>& dependent) const {
    const Index nv = xi.size() / 2, m = static_cast<Index>(dependent.size());
    const auto left = [&](bool rate, const Vector& at_xi) {
      return Vector(find_rows(rate, move(at_xi)) - find_rows(rate, m_.x));
    };
    for (const bool rate : {false, true}) {
      const Index first = rate ? nv : 0;
      for (int step = 0; step < 4; ++step) {
        Matrix J(m, m);
        for (Index k = 0; k < m; ++k) {
          const Vector by = 1e-5 * Vector::Unit(xi.size(), first + dependent[at(k)]);
          J.col(k) = (left(rate, xi + by) - left(rate, xi - by)) / 2e-5;
        }
        const Vector change = J.fullPivLu().solve(left(rate, xi));
        for (Index k = 0; k < m; ++k) xi(first + dependent[at(k)]) -= change(k);
      }
    }
    return xi;
  }
  Vector with_load(int body, const Vec3<double>& force, const Vec3<double>& torque) const {
    System<double> pushed = m_.system;
    ExternalLoad<double> load;
    load.name = "test_load";
    load.body.index = body;
    load.body.name = pushed.model.names[static_cast<std::size_t>(body)];
    load.force = force;
    load.torque = torque;
    pushed.put_force(load);
    return find_rates(pushed, m_.x);
  }

 private:
  std::vector<double> move(const Vector& xi) const {
    const Layout layout = m_.system.layout();
    const int nv = layout.z - layout.v;
    std::vector<double> x = m_.x, delta(xi.data(), xi.data() + nv);
    displace<double>(m_.system.model, delta, std::span(x).first(at(layout.v)));
    for (int i = 0; i < nv; ++i) x[at(layout.v + i)] += xi(nv + i);
    return x;
  }
  Vector find_rows(bool rate, const std::vector<double>& x) const {
    Workspace<double> w(m_.system);
    motion_stage<double>(m_.system, m_.t, x, m_.mode, w);
    Vector out(static_cast<Index>(m_.mode.rows.size()));
    for (std::size_t i = 0; i < m_.mode.rows.size(); ++i) {
      const ActiveRow& row = m_.mode.rows[i];
      const Row<double>& r = closure_at(w, row.closure).rows.row[static_cast<std::size_t>(row.row)];
      out(static_cast<Index>(i)) = rate ? r.rate : r.violation;
    }
    return out;
  }
  std::vector<double> evaluate(const System<double>& system, const std::vector<double>& x) const {
    Workspace<double> w(system);
    std::vector<double> x_dot(x.size());
    find_derivative<double>(system, m_.t, x, m_.mode, w, x_dot);
    return x_dot;
  }
  Vector find_rates(const System<double>& system, const std::vector<double>& x) const {
    const Layout at = system.layout();
    const int nv = at.z - at.v;
    const std::vector<double> x_dot = evaluate(system, x);
    Vector out = Vector::Zero(2 * nv + static_cast<Index>(places_.size()));
    for (const Body<double>& b : system.model.bodies) {
      const auto q_at = [&](const std::vector<double>& from, int k) {
        const double* q = from.data() + k;
        return Quaternion<double>{q[0], q[1], q[2], q[3]};
      };
      const auto turn = [&](int q, int v) {
        const Quaternion<double> a = conjugate(q_at(x_dot_0_, q)) * q_at(x, q);
        const Quaternion<double> c = conjugate(q_at(m_.x, q)) * q_at(x_dot, q);
        out(v) = 2 * (a.x + c.x), out(v + 1) = 2 * (a.y + c.y), out(v + 2) = 2 * (a.z + c.z);
      };
      const int turns = b.joint == JointType::free || b.joint == JointType::spherical ? 3 : 0;
      const int plain = shape(b.joint).speeds - turns;
      for (int k = 0; k < plain; ++k) out(b.v + k) = x_dot[static_cast<std::size_t>(b.q + k)];
      if (turns > 0) turn(b.q + plain, b.v + plain);
    }
    for (int i = 0; i < nv; ++i) out(nv + i) = x_dot[static_cast<std::size_t>(at.v + i)];
    if (places_.empty()) return out;
    Workspace<double> w(system);
    motion_stage<double>(system, m_.t, x, m_.mode, w);
    command_stage<double>(system, x, m_.mode, w);
    effort_stage<double>(system, w);
    acceleration_stage<double>(system, m_.mode, w, w.v_dot);
    find_observed_loads<double>(system, m_.mode, w);
    const Channels channels(system);
    std::vector<double> row(static_cast<std::size_t>(channels.width()));
    channels.fill(system, x, w, row);
    // The load of with_load() has no channels: places are the same.
    for (std::size_t i = 0; i < places_.size(); ++i)
      out(2 * nv + static_cast<Index>(i)) = row[static_cast<std::size_t>(places_[i])];
    return out;
  }

  const Moment& m_;
  Channels channels_;
  std::vector<int> places_;
  std::vector<double> x_dot_0_;
};

// Names of the coordinates, one per speed, as the model has them.
std::vector<std::string> list_coordinates(const System<double>& system) {
  const std::vector<double> x = find_initial_state(system);
  const Workspace<double> w(system);
  const Deviations all = list_deviations(system, x, idle_mode(w));
  std::vector<std::string> out;
  for (int i = 0; i < all.speeds; ++i) out.push_back(all.signals[static_cast<std::size_t>(i)].name);
  return out;
}

// f′ to fourth order.
template <class F>
Vector quotient(F&& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

// Rows of M against those of its quotients, by the norm of the row.
void expect_rows(const Matrix& M, const Matrix& Q, const std::vector<LinearSignal>& names) {
  ASSERT_EQ(M.rows(), Q.rows());
  for (Index i = 0; i < M.rows(); ++i)
    EXPECT_LE((M.row(i) - Q.row(i)).norm(), 1e-7 * std::max(Q.row(i).norm(), 1e-6))
        << names[at(i)].name << "\n"
        << M.row(i) << "\n"
        << Q.row(i);
}

// Every column of coordinates and speeds; other states are left alone.
void expect_quotients(const Moment& m, const std::vector<std::string>& bodies,
                      const std::vector<std::string>& outputs, double step) {
  std::vector<std::string> inputs;
  for (const std::string& b : bodies) {
    inputs.push_back(b + ".force");
    inputs.push_back(b + ".torque");
  }
  const LinearModel model = find_linear_model(m.system, m.t, m.x, m.mode, inputs, outputs);
  const Displaced rates(m, outputs);
  // Where the states of the model are among all coordinates and speeds.
  const std::vector<std::string> all = list_coordinates(m.system);
  const auto nv = static_cast<Index>(all.size());
  std::vector<Index> independent, dependent;
  for (Index i = 0; i < nv; ++i) {
    if (all[at(i)].empty()) continue;  // of a hub that is welded
    const auto is_it = [&](const LinearSignal& s) { return s.name == all[at(i)]; };
    const bool is_kept = std::any_of(model.states.begin(), model.states.end(), is_it);
    (is_kept ? independent : dependent).push_back(i);
  }
  ASSERT_EQ(dependent.size(), m.mode.rows.size());
  const auto half = static_cast<Index>(independent.size());
  const Index n = 2 * half, p = model.B.cols(), r = model.C.rows();
  const auto place = [&](Index i) {
    return i < half ? independent[at(i)] : nv + independent[at(i - half)];
  };
  const auto kept = [&](const Vector& of_all) {
    Vector out(n + r);
    for (Index i = 0; i < n; ++i) out(i) = of_all(place(i));
    out.tail(r) = of_all.tail(r);
    return out;
  };
  Matrix Q(n + r, n), R(n + r, p);
  for (Index j = 0; j < n; ++j)
    Q.col(j) = quotient(
        [&](double h) {
          return kept(rates(rates.close(h * Vector::Unit(2 * nv, place(j)), dependent)));
        },
        step);
  for (Index j = 0; j < p; ++j)
    R.col(j) = quotient(
        [&](double h) {
          Vec3<double> load[2] = {};
          load[j % 6 / 3][static_cast<int>(j % 3)] = h;
          const int body = find_body(m.system.model, bodies[at(j / 6)]);
          return kept(rates.with_load(body, load[0], load[1]));
        },
        1.0);
  expect_rows(model.A.topLeftCorner(n, n), Q.topRows(n), model.states);
  expect_rows(model.B.topRows(n), R.topRows(n), model.states);
  expect_rows(model.C.leftCols(n), Q.bottomRows(r), model.outputs);
  expect_rows(model.D, R.bottomRows(r), model.outputs);
}

TEST(LinearModel, OfADockingInFlightHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("docking");
  expect_quotients(run_to(built, 100), {"servicer", "target"},
                   {"servicer.rhoddot_BO_N", "target.omega_BN_B", "servicer.alpha_BN_B"}, 1e-4);
}

TEST(LinearModel, OfASlewHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("slew");
  const Moment m = run_to(built, 0.3 * built.read.scenario.time.stop);
  const std::string craft = built.read.scenario.spacecraft.at(0).name;
  expect_quotients(m, {craft}, {craft + ".alpha_BN_B"}, 1e-4);
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
  expect_quotients(m, {"servicer"}, {"tip.force", "target.alpha_BN_B"}, 2e-6);
}

TEST(LinearModel, OfAJoinedPairHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("docking", {"dock.joint.enforce=exact"});
  const Moment m = run_to(built, 900);
  ASSERT_EQ(m.mode.rows.size(), 6u);
  expect_quotients(m, {"servicer"}, {"joint.force_N", "servicer.alpha_BN_B"}, 1e-4);
}

TEST(LinearModel, OfATargetInTwoArmsHasTheSlopesOfTheMotion) {
  const Built built = test::build_shipped("servicer_despin");
  const Moment m = run_to(built, 5);
  ASSERT_GT(m.mode.rows.size(), 0u);
  expect_quotients(m, {m.system.model.names.at(1)}, {m.system.model.names.at(1) + ".alpha_BN_B"},
                   1e-4);
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
