// SPDX-License-Identifier: Apache-2.0
#include "berth/system/linear_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/LU>
#include <fmt/format.h>

#include "berth/scalar/dual.h"
#include "berth/system/channels.h"
#include "berth/system/lift_system.h"
#include "berth/system/linear_signals.h"

namespace berth {
namespace {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Everything as a function of deviations and inputs, with slopes.
class Evaluation {
 public:
  Evaluation(const System<double>& system, double t, std::span<const double> x,
             const Mode<double>& mode, const Deviations& deviations,
             std::vector<LinearInput> inputs, std::vector<int> places)
      : source_(system),
        system_(lift_system<Dual>(system)),
        mode_(lift_mode<Dual>(mode)),
        owners_(list_owners(system)),
        work_(system_),
        t_(t),
        x0_(x.begin(), x.end()),
        x_(x.begin(), x.end()),
        x_dot_(x.size()),
        row_(at(Channels(system).width())),
        deviations_(deviations),
        inputs_(std::move(inputs)),
        places_(std::move(places)) {
    work_.pushes_from_outside = true;
    const Index n = deviations_.size(), p = static_cast<Index>(inputs_.size()),
                m = static_cast<Index>(mode.rows.size()), r = static_cast<Index>(places_.size());
    rates = Matrix::Zero(n, n + p);
    violations = Matrix::Zero(m, n + p);
    violation_rates = Matrix::Zero(m, n + p);
    outputs = Matrix::Zero(r, n + p);
    for (Index first = 0; first < n + p; first += kSlopes) fill_columns(first);
    y0.resize(r);
    for (Index i = 0; i < r; ++i) y0(i) = value(row_[at(places_[at(i)])]);
  }

  // Columns: deviations, then inputs.
  Matrix rates, violations, violation_rates, outputs;
  Eigen::VectorXd y0;

 private:
  void fill_columns(Index first) {
    const Index n = deviations_.size(), all = rates.cols();
    const int count = static_cast<int>(std::min<Index>(kSlopes, all - first));
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = x0_[i];
    for (int k = 0; k < count && first + k < n; ++k) seed_deviation(first + k, k);
    evaluate(first);
    for (int k = 0; k < count; ++k) read_column(first + k, k);
  }

  void seed_deviation(Index j, int slope) {
    const Layout& layout = work_.layout;
    const int nv = deviations_.speeds;
    if (j < nv) {
      // The same motion of the coordinates as a speed of one makes.
      std::vector<double> e(at(nv), 0.0), q_dot(at(layout.v));
      e[at(j)] = 1;
      find_rates<double>(source_.model, std::span(x0_).first(at(layout.v)), e, q_dot);
      for (int i = 0; i < layout.v; ++i) set_slope(x_[at(i)], slope, q_dot[at(i)]);
    } else if (j < 2 * nv) {
      set_slope(x_[at(layout.v + static_cast<int>(j) - nv)], slope, 1.0);
    } else {
      set_slope(x_[at(deviations_.others[at(j - 2 * nv)])], slope, 1.0);
    }
  }

  void evaluate(Index first) {
    const Layout& layout = work_.layout;
    motion_stage<Dual>(system_, t_, x_, mode_, work_);
    for (Dual& held : mode_.held) held = held.v;
    for_each_input(first, [&](const LinearInput& i, int k) {
      for (std::size_t c = 0; c < i.held.size(); ++c)
        set_slope(mode_.held[at(i.index) + c], k, i.held[c]);
    });
    command_stage<Dual>(system_, x_, mode_, work_);
    make_thrusters_ideal();
    for_each_input(first, [&](const LinearInput& i, int k) { seed_load(i, k); });
    effort_stage<Dual>(system_, work_);
    find_rates<Dual>(system_.model, work_.motion.q, work_.motion.v,
                     std::span(x_dot_).first(at(layout.v)));
    acceleration_stage<Dual>(system_, mode_, work_, work_.v_dot, true);
    std::copy(work_.v_dot.begin(), work_.v_dot.end(), x_dot_.begin() + layout.v);
    find_state_rates<Dual>(system_, x_, work_, x_dot_);
    if (places_.empty()) return;
    find_observed_loads<Dual>(system_, mode_, work_);
    read_sampled_sensors();
    ChannelWriter<Dual> writer{row_.data()};
    for (const Owner& owner : owners_) walk_owner<Dual>(owner, system_, x_, work_, writer);
  }

  // As outputs they read now, without noise; what reads them has what they hold.
  void read_sampled_sensors() {
    const Instant<Dual> now{system_.model, work_.motion, work_.command, work_.readings.data()};
    for_each_sensor(system_, work_.layout, [&](const auto& sensor, int first, int) {
      if (sensor.enabled && sensor.sample_time > 0)
        sensor.measure(now, work_.readings.data() + first);
    });
  }

  // f(input, slope) for the inputs among these columns.
  void for_each_input(Index first, auto&& f) const {
    for (int k = 0; k < kSlopes; ++k) {
      const Index input = first + k - deviations_.size();
      if (input >= 0 && input < static_cast<Index>(inputs_.size())) f(inputs_[at(input)], k);
    }
  }

  // A change of what is asked of them is given by a wrench on their body.
  void make_thrusters_ideal() {
    const auto& sets = std::get<std::vector<ThrusterSet<Dual>>>(system_.forces);
    for (std::size_t k = 0; k < sets.size(); ++k) {
      Wrench<Dual> change = work_.command.thrusters[k];
      for (Vec3<Dual>* v : {&change.torque, &change.force})
        for (int i = 0; i < 3; ++i) (*v)[i] = Dual(0.0, (*v)[i].d);
      work_.command.loads[at(sets[k].body.index)] += change;
    }
    for (Dual& level : work_.command.levels) level = Dual(level.v);
  }

  void seed_load(const LinearInput& input, int slope) {
    using enum LinearInput::Kind;
    if (input.kind == command) return;  // held
    const auto& sets = std::get<std::vector<ThrusterSet<Dual>>>(system_.forces);
    const bool of_set = input.kind == thruster_force || input.kind == thruster_torque;
    if (input.kind == effort) {
      set_slope(work_.command.joint[at(input.index)], slope, 1.0);
      return;
    }
    const int body = of_set ? sets[at(input.index)].body.index : input.index;
    Wrench<Dual>& load = work_.command.loads[at(body)];
    const bool is_force = input.kind == force || input.kind == thruster_force;
    set_slope((is_force ? load.force : load.torque)[input.component], slope, 1.0);
  }

  void read_column(Index j, int k) {
    const Layout& layout = work_.layout;
    const int nv = deviations_.speeds;
    read_coordinate_rates(j, k);
    for (int i = 0; i < nv; ++i) rates(nv + i, j) = slope(x_dot_[at(layout.v + i)], k);
    for (std::size_t i = 0; i < deviations_.others.size(); ++i)
      rates(2 * nv + static_cast<Index>(i), j) = slope(x_dot_[at(deviations_.others[i])], k);
    for (std::size_t i = 0; i < mode_.rows.size(); ++i) {
      const auto& row = closure_at(work_, mode_.rows[i].closure).rows.row[at(mode_.rows[i].row)];
      violations(static_cast<Index>(i), j) = slope(row.violation, k);
      violation_rates(static_cast<Index>(i), j) = slope(row.rate, k);
    }
    for (std::size_t i = 0; i < places_.size(); ++i)
      outputs(static_cast<Index>(i), j) = slope(row_[at(places_[i])], k);
  }

  // θ̇ = 2 vec(q̇₀* δq + q₀* δq̇), of q₀* q = (1, θ/2).
  void read_coordinate_rates(Index j, int k) {
    for (const Body<double>& b : source_.model.bodies) {
      const auto turn = [&](int q, int v) {
        const auto quaternion_of = [&](auto&& number) {
          return Quaternion<double>{number(q), number(q + 1), number(q + 2), number(q + 3)};
        };
        const auto q0 = quaternion_of([&](int i) { return x0_[at(i)]; });
        const auto q0_dot = quaternion_of([&](int i) { return value(x_dot_[at(i)]); });
        const auto dq = quaternion_of([&](int i) { return slope(x_[at(i)], k); });
        const auto dq_dot = quaternion_of([&](int i) { return slope(x_dot_[at(i)], k); });
        const Quaternion<double> a = conjugate(q0_dot) * dq, c = conjugate(q0) * dq_dot;
        rates(v, j) = 2 * (a.x + c.x);
        rates(v + 1, j) = 2 * (a.y + c.y);
        rates(v + 2, j) = 2 * (a.z + c.z);
      };
      const bool is_free = b.joint == JointType::free;
      const int plain = is_free ? 3 : b.joint == JointType::spherical ? 0 : shape(b.joint).speeds;
      for (int i = 0; i < plain; ++i) rates(b.v + i, j) = slope(x_dot_[at(b.q + i)], k);
      if (is_free) turn(b.q + 3, b.v + 3);
      if (b.joint == JointType::spherical) turn(b.q, b.v);
    }
  }

  const System<double>& source_;
  System<Dual> system_;
  Mode<Dual> mode_;
  std::vector<Owner> owners_;
  Workspace<Dual> work_;
  double t_;
  std::vector<double> x0_;
  std::vector<Dual> x_, x_dot_, row_;
  const Deviations& deviations_;
  std::vector<LinearInput> inputs_;
  std::vector<int> places_;
};

// Which deviations the rows give: one each. Of columns that are nearly as good as the best, those of a
// craft go before those of its joints, later ones before earlier ones.
std::vector<int> choose_dependent(const Model<double>& model, Matrix J) {
  constexpr double nearly = 0.1;
  std::vector<Index> order;  // the first to go first
  for (const bool of_craft : {true, false})
    for (std::size_t i = model.bodies.size(); i-- > 1;) {
      const Body<double>& b = model.bodies[i];
      if ((b.joint == JointType::free) == of_craft)
        for (int k = shape(b.joint).speeds; k-- > 0;) order.push_back(b.v + k);
    }
  // Metres and radians: columns of like size. A loop within one craft does not depend on where it is:
  // those columns are rounding.
  const Eigen::RowVectorXd sizes = J.colwise().norm();
  for (Index j = 0; j < J.cols(); ++j)
    J.col(j) *= sizes(j) > 1e-9 * sizes.maxCoeff() ? 1 / sizes(j) : 0.0;
  std::vector<int> out;
  for (Index i = 0; i < J.rows(); ++i) {
    Eigen::RowVectorXd best = J.bottomRows(J.rows() - i).cwiseAbs().colwise().maxCoeff();
    for (int taken : out) best(taken) = 0;
    const double most = best.maxCoeff();
    const Index column = *std::find_if(order.begin(), order.end(),
                                       [&](Index j) { return best(j) >= nearly * most; });
    Index row = 0;
    J.col(column).tail(J.rows() - i).cwiseAbs().maxCoeff(&row);
    J.row(i).swap(J.row(i + row));
    for (Index r = i + 1; r < J.rows(); ++r) J.row(r) -= J(r, column) / J(i, column) * J.row(i);
    out.push_back(static_cast<int>(column));
  }
  return out;
}

// All deviations from the independent ones, (2); and which these are.
struct Reduction {
  Matrix N;
  std::vector<Index> independent;
};
Reduction eliminate(const Model<double>& model, const Evaluation& e, const Deviations& all) {
  const Index m = e.violations.rows(), speeds = all.speeds, size = all.size();
  Reduction out;
  std::vector<int> dependent;
  const Matrix J = e.violation_rates.middleCols(speeds, speeds);
  if (m > 0) dependent = choose_dependent(model, J);
  std::vector<bool> is_dependent(at(speeds), false);
  for (int j : dependent) is_dependent[at(j)] = true;
  for (Index j = 0; j < size; ++j)
    if (j >= 2 * speeds || !(is_dependent[at(j % speeds)] || all.signals[at(j)].name.empty()))
      out.independent.push_back(j);
  out.N = Matrix::Zero(size, static_cast<Index>(out.independent.size()));
  for (std::size_t k = 0; k < out.independent.size(); ++k)
    out.N(out.independent[k], static_cast<Index>(k)) = 1;
  if (m == 0) return out;
  const auto columns_of = [&](const Matrix& from, Index first) {
    Matrix M(m, m);
    for (Index k = 0; k < m; ++k) M.col(k) = from.col(first + dependent[at(k)]);
    return M;
  };
  const Matrix q_part =
      columns_of(e.violations, 0).partialPivLu().solve(e.violations.leftCols(size) * out.N);
  for (Index k = 0; k < m; ++k) out.N.row(dependent[at(k)]) = -q_part.row(k);
  const Matrix v_part = columns_of(e.violation_rates, speeds)
                            .partialPivLu()
                            .solve(e.violation_rates.leftCols(size) * out.N);
  for (Index k = 0; k < m; ++k) out.N.row(speeds + dependent[at(k)]) = -v_part.row(k);
  return out;
}

void require_no_past(const System<double>& system, const Mode<double>& mode) {
  for (std::size_t k = 0; k < system.contacts.size(); ++k)
    if (system.contacts[k].is_delayed() && mode.contacts[k].now.touching)
      throw std::invalid_argument(fmt::format(
          "contact {} feels a force of {} s ago, which is no state: there is no linear model of "
          "finite size (`berth stability` finds the roots of the delayed loop)",
          system.contacts[k].name, system.contacts[k].delay));
}

void require_slopes(const Matrix& M, const char* of, const std::vector<LinearSignal>& rows) {
  for (Index i = 0; i < M.rows(); ++i)
    if (!M.row(i).allFinite())
      throw std::invalid_argument(
          fmt::format("{} {} has no slope here: a norm at zero, or an angle at its limit", of,
                      rows[at(i)].name));
}

}  // namespace

std::vector<LinearSignal> list_inputs(const System<double>& system) {
  const Workspace<double> w(system);
  std::vector<LinearSignal> out;
  for (const LinearInput& i : list_all_inputs(system, 0, find_initial_state(system), idle_mode(w)))
    out.push_back(i.signal);
  return out;
}

LinearModel find_linear_model(const System<double>& system, double t, std::span<const double> x,
                              const Mode<double>& mode, const std::vector<std::string>& inputs,
                              const std::vector<std::string>& outputs) {
  require_no_past(system, mode);
  const Channels channels(system);
  const std::vector<LinearInput> chosen =
      choose_inputs(system, list_all_inputs(system, t, x, mode), inputs);
  const LinearOutputs wanted = choose_outputs(channels, outputs);
  const Deviations deviations = list_deviations(system, x, mode);
  const Evaluation e(system, t, x, mode, deviations, chosen, wanted.places);
  const Index n = deviations.size(), p = static_cast<Index>(chosen.size());
  const Reduction reduction = eliminate(system.model, e, deviations);

  LinearModel out;
  out.t = t;
  const Matrix A = e.rates.leftCols(n) * reduction.N;
  const auto kept = static_cast<Index>(reduction.independent.size());
  out.A.resize(kept, kept);
  out.B.resize(kept, p);
  out.x0.resize(kept);
  for (Index k = 0; k < kept; ++k) {
    const Index i = reduction.independent[at(k)];
    out.A.row(k) = A.row(i);
    out.B.row(k) = e.rates.row(i).tail(p);
    out.x0(k) = deviations.x0[at(i)];
    out.states.push_back(deviations.signals[at(i)]);
  }
  out.C = e.outputs.leftCols(n) * reduction.N;
  out.D = e.outputs.rightCols(p);
  out.u0 = Eigen::VectorXd::Zero(p);
  for (Index j = 0; j < p; ++j)
    for (std::size_t c = 0; c < chosen[at(j)].held.size(); ++c)  // turned back: R⁻¹ = Rᵀ
      out.u0(j) += chosen[at(j)].held[c] * mode.held[at(chosen[at(j)].index) + c];
  out.y0 = e.y0;
  for (const LinearInput& i : chosen) out.inputs.push_back(i.signal);
  out.outputs = wanted.signals;
  require_slopes(out.A, "state", out.states);
  require_slopes(out.B, "state", out.states);
  require_slopes(out.C, "channel", out.outputs);
  require_slopes(out.D, "channel", out.outputs);
  return out;
}

}  // namespace berth
