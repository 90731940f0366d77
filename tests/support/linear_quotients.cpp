// SPDX-License-Identifier: Apache-2.0
#include "tests/support/linear_quotients.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <Eigen/LU>

#include "berth/scalar/trace.h"
#include "berth/system/channels.h"
#include "berth/system/docks.h"
#include "berth/system/lift_system.h"
#include "berth/system/linear_signals.h"
#include "tests/verification/quad.h"

namespace berth::test {
namespace {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Quads = std::vector<Quad>;

constexpr double kStep = 1e-12;
constexpr int kNewton = 6;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// --- a graph in quadruple precision --------------------------------------------------------------

Quad evaluate(Operation operation, Quad a, Quad b, Quad c) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::negate: return -a;
    case Operation::absolute: return ::fabsf128(a);
    case Operation::copy_sign: return ::copysignf128(a, b);
    case Operation::square_root: return ::sqrtf128(a);
    case Operation::sine: return ::sinf128(a);
    case Operation::cosine: return ::cosf128(a);
    case Operation::arc_tangent: return ::atan2f128(a, b);
    case Operation::exponential: return ::expf128(a);
    case Operation::logarithm: return ::logf128(a);
    case Operation::less: return a < b;
    case Operation::less_equal: return a <= b;
    case Operation::equal: return a == b;
    case Operation::both: return a != 0 && b != 0;
    case Operation::either: return a != 0 || b != 0;
    case Operation::negation: return a == 0;
    case Operation::select: return a != 0 ? b : c;
    case Operation::input:
    case Operation::constant:
    case Operation::call:
    case Operation::result: break;
  }
  throw std::logic_error(std::string(name(operation)) + " has no value in quadruple precision");
}

Quads interpret_in_quad(const Graph& graph, std::span<const Quad> inputs) {
  Quads x(graph.nodes.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto& [operation, o] = graph.nodes[i];
    if (operation == Operation::input) {
      x[i] = inputs[at(o[0])];
    } else if (operation == Operation::constant) {
      x[i] = graph.constants[at(o[0])];
    } else {
      x[i] = evaluate(operation, x[at(o[0])], x[at(o[1])], x[at(o[2])]);
    }
  }
  Quads out;
  for (const int i : graph.outputs) out.push_back(x[at(i)]);
  return out;
}

// --- the equations of motion, recorded -----------------------------------------------------------

// Inputs:   x | force and torque on every body but the ground | effort per speed
// Outputs:  ẋ | channels | rows | their rates
struct Recorded {
  Graph all, rows;
  std::size_t states = 0, channels = 0, row_count = 0;
};

Recorded record(const System<double>& system, double t, std::size_t states,
                const Mode<double>& mode, const std::vector<int>& places) {
  System<double> pushed = system;
  const int bodies = system.model.body_count();
  for (int i = 1; i < bodies; ++i) {
    ExternalLoad<double> load;
    load.body.index = i;
    load.body.name = system.model.names[at(i)];
    pushed.put_force(load);
  }
  System<Trace> lifted = lift_system<Trace>(pushed);
  const Mode<Trace> lifted_mode = lift_mode<Trace>(mode);
  Workspace<Trace> w(lifted);

  Tape tape;
  std::vector<Trace> x(states), x_dot(states), efforts(w.v_dot.size());
  for (Trace& y : x) y = tape.input();
  auto& loads = std::get<std::vector<ExternalLoad<Trace>>>(lifted.forces);
  for (auto load = loads.end() - (bodies - 1); load != loads.end(); ++load)
    for (Vec3<Trace>* v : {&load->force, &load->torque})
      for (int k = 0; k < 3; ++k) (*v)[k] = tape.input();
  for (Trace& y : efforts) y = tape.input();

  motion_stage<Trace>(lifted, t, x, lifted_mode, w);
  command_stage<Trace>(lifted, x, lifted_mode, w);
  for (std::size_t i = 0; i < efforts.size(); ++i)
    w.command.joint[i] = w.command.joint[i] + efforts[i];
  effort_stage<Trace>(lifted, w);
  find_rates<Trace>(lifted.model, w.motion.q, w.motion.v, std::span(x_dot).first(at(w.layout.v)));
  acceleration_stage<Trace>(lifted, lifted_mode, w, w.v_dot, true);
  std::copy(w.v_dot.begin(), w.v_dot.end(), x_dot.begin() + w.layout.v);
  find_state_rates<Trace>(lifted, x, w, x_dot);
  find_observed_loads<Trace>(lifted, lifted_mode, w);
  std::vector<Trace> row(at(Channels(system).width()));
  ChannelWriter<Trace> writer{row.data()};
  for (const Owner& owner : list_owners(pushed)) walk_owner<Trace>(owner, lifted, x, w, writer);

  std::vector<Trace> rows;
  for (const bool rate : {false, true})
    for (const ActiveRow& r : mode.rows) {
      const Row<Trace>& found = closure_at(w, r.closure).rows.row[at(r.row)];
      rows.push_back(rate ? found.rate : found.violation);
    }
  std::vector<Trace> all = x_dot;
  for (const int place : places) all.push_back(row[at(place)]);
  all.insert(all.end(), rows.begin(), rows.end());
  return {tape.finish(all), tape.finish(rows), states, places.size(), mode.rows.size()};
}

// --- quotients -----------------------------------------------------------------------------------

class Quotients {
 public:
  Quotients(const System<double>& system, double t, std::span<const double> x,
            const Mode<double>& mode, const LinearModel& model)
      : bodies_(system.model.bodies),
        layout_(system.layout()),
        deviations_(list_deviations(system, x, mode)) {
    std::vector<std::string> names;
    for (const LinearSignal& y : model.outputs) names.push_back(y.name);
    const Channels channels(system);
    f_ = record(system, t, x.size(), mode, choose_outputs(channels, names).places);
    inputs_.assign(at(f_.all.input_count), 0);
    std::copy(x.begin(), x.end(), inputs_.begin());
    const Quads here = interpret_in_quad(f_.all, inputs_);
    q_dot_.assign(here.begin(), here.begin() + layout_.v);
    rows_.assign(here.end() - 2 * static_cast<std::ptrdiff_t>(f_.row_count), here.end());
    divide_coordinates(model);
    factor_rows();
  }

  // Per state: ξ̇ of the states, then outputs.
  Matrix of_states() {
    Matrix out(size(), static_cast<Index>(states_.size()));
    for (std::size_t j = 0; j < states_.size(); ++j)
      out.col(static_cast<Index>(j)) = quotient([&](Quad h) {
        Quads in = inputs_;
        displace(in, states_[j], h);
        close(in);
        return in;
      });
    return out;
  }
  // Per input: the numbers of f that make it up.
  Matrix of_inputs(const std::vector<std::size_t>& numbers) {
    Matrix out(size(), static_cast<Index>(numbers.size()));
    for (std::size_t j = 0; j < numbers.size(); ++j)
      out.col(static_cast<Index>(j)) = quotient([&](Quad h) {
        Quads in = inputs_;
        in[numbers[j]] += h;
        return in;
      });
    return out;
  }

  Index size() const { return static_cast<Index>(states_.size() + f_.channels); }
  double left_open() const { return left_open_; }
  int operations() const { return f_.all.operation_count(); }

 private:
  // Into states of the model and what docks and loops make of them.
  void divide_coordinates(const LinearModel& model) {
    const auto place_of = [&](const std::string& name) {
      const auto is_it = [&](const LinearSignal& s) { return s.name == name; };
      return std::find_if(deviations_.signals.begin(), deviations_.signals.end(), is_it) -
             deviations_.signals.begin();
    };
    for (const LinearSignal& s : model.states) states_.push_back(place_of(s.name));
    for (Index j = 0; j < deviations_.speeds; ++j)
      if (!deviations_.signals[at(j)].name.empty() &&  // else of a hub that is welded
          std::find(states_.begin(), states_.end(), j) == states_.end())
        dependent_.push_back(j);
    if (dependent_.size() != f_.row_count)
      throw std::logic_error("the model has not as many states as there are");
  }

  // A deviation of this size, added to those that there are.
  void displace(Quads& in, Index deviation, Quad by) const {
    const int j = static_cast<int>(deviation), nv = deviations_.speeds;
    if (j >= 2 * nv) {
      in[at(deviations_.others[at(j - 2 * nv)])] += by;
      return;
    }
    if (j >= nv) {
      in[at(layout_.v + j - nv)] += by;
      return;
    }
    const auto b = std::find_if(bodies_.begin(), bodies_.end(), [&](const Body<double>& body) {
      return body.v <= j && j < body.v + shape(body.joint).speeds;
    });
    const int k = j - b->v;
    if (k < count_plain(*b)) {
      in[at(b->q + k)] += by;
    } else {
      turn(in.data() + b->q + count_plain(*b), k - count_plain(*b), by);
    }
  }
  // Coordinates that are numbers, before those that are a quaternion.
  static int count_plain(const Body<double>& b) {
    if (b.joint == JointType::free) return 3;
    return b.joint == JointType::spherical ? 0 : shape(b.joint).speeds;
  }
  // q ⊗ (cos ½θ, ê sin ½θ)
  static void turn(Quad* q, int axis, Quad by) {
    const Quad cosine = ::cosf128(by / 2);
    Quad e[3] = {};
    e[axis] = ::sinf128(by / 2);
    const Quad3 v(q + 1), s(e);
    const Quad w = q[0];
    q[0] = w * cosine - dot(v, s);
    (w * s + cosine * v + cross(v, s)).write(q + 1);
  }

  // Slopes of rows by the dependent coordinates, of their rates by the dependent speeds.
  void factor_rows() {
    const auto m = static_cast<Index>(dependent_.size());
    for (const bool rate : {false, true}) {
      Matrix J(m, m);
      for (Index k = 0; k < m; ++k) {
        Quads ahead = inputs_, behind = inputs_;
        displace(ahead, place_of_dependent(rate, k), kStep);
        displace(behind, place_of_dependent(rate, k), -kStep);
        J.col(k) = (find_change(rate, ahead) - find_change(rate, behind)) / (2 * kStep);
      }
      if (m > 0) factors_[rate].compute(J);
    }
  }
  Index place_of_dependent(bool rate, Index k) const {
    return dependent_[at(k)] + (rate ? deviations_.speeds : 0);
  }
  // Of rows or their rates since the start; their difference is formed before it is rounded.
  Eigen::VectorXd find_change(bool rate, const Quads& in) const {
    const Quads now = interpret_in_quad(f_.rows, in);
    Eigen::VectorXd out(static_cast<Index>(f_.row_count));
    for (std::size_t i = 0; i < f_.row_count; ++i) {
      const std::size_t k = i + (rate ? f_.row_count : 0);
      out(static_cast<Index>(i)) = to_double(now[k] - rows_[k]);
    }
    return out;
  }
  // Newton's method with the slopes at the start.
  void close(Quads& in) {
    if (dependent_.empty()) return;
    for (const bool rate : {false, true}) {
      Eigen::VectorXd change = find_change(rate, in);
      for (int step = 0; step < kNewton && change.cwiseAbs().maxCoeff() > 0; ++step) {
        const Eigen::VectorXd by = factors_[rate].solve(-change);
        for (Index k = 0; k < by.size(); ++k) displace(in, place_of_dependent(rate, k), by(k));
        change = find_change(rate, in);
      }
      left_open_ = std::max(left_open_, change.cwiseAbs().maxCoeff());
    }
  }

  template <class F>
  Eigen::VectorXd quotient(F&& displaced) {
    const Quads ahead = find_rates(displaced(kStep)), behind = find_rates(displaced(-kStep));
    Eigen::VectorXd out(size());
    for (Index i = 0; i < out.size(); ++i)
      out(i) = to_double((ahead[at(i)] - behind[at(i)]) / (2 * Quad(kStep)));
    return out;
  }

  // ξ̇ of the states, then outputs.
  Quads find_rates(const Quads& in) const {
    const Quads found = interpret_in_quad(f_.all, in);
    const int nv = deviations_.speeds;
    Quads rates(at(2 * nv));
    for (const Body<double>& b : bodies_) {
      const int plain = count_plain(b);
      for (int k = 0; k < plain; ++k) rates[at(b.v + k)] = found[at(b.q + k)];
      if (shape(b.joint).speeds == plain) continue;
      // θ = 2 vec(q₀* q) in motion: θ̇ = 2 vec(q̇₀* q + q₀* q̇)
      const int q = b.q + plain;
      const Quad3 theta_dot = 2 * (vector_of_product(q_dot_.data() + q, in.data() + q) +
                                   vector_of_product(inputs_.data() + q, found.data() + q));
      theta_dot.write(rates.data() + b.v + plain);
    }
    for (int i = 0; i < nv; ++i) rates[at(nv + i)] = found[at(layout_.v + i)];
    for (const int place : deviations_.others) rates.push_back(found[at(place)]);
    Quads out;
    for (const Index j : states_) out.push_back(rates[at(j)]);
    const auto outputs = found.begin() + static_cast<std::ptrdiff_t>(f_.states);
    out.insert(out.end(), outputs, outputs + static_cast<std::ptrdiff_t>(f_.channels));
    return out;
  }
  // vec(a* b)
  static Quad3 vector_of_product(const Quad* a, const Quad* b) {
    const Quad3 u(a + 1), v(b + 1);
    return a[0] * v - b[0] * u - cross(u, v);
  }

  const std::vector<Body<double>>& bodies_;
  Layout layout_;
  Deviations deviations_;
  Recorded f_;
  Quads inputs_, q_dot_, rows_;            // where it is linearised
  std::vector<Index> states_, dependent_;  // among the deviations
  std::array<Eigen::FullPivLU<Matrix>, 2> factors_;
  double left_open_ = 0;
};

// Which numbers of f the inputs are.
std::vector<std::size_t> find_numbers(const System<double>& system, double t,
                                      std::span<const double> x, const Mode<double>& mode,
                                      const LinearModel& model) {
  using enum LinearInput::Kind;
  std::vector<std::string> names;
  for (const LinearSignal& u : model.inputs) names.push_back(u.name);
  const auto& sets = std::get<std::vector<ThrusterSet<double>>>(system.forces);
  std::vector<std::size_t> out;
  for (const LinearInput& u : choose_inputs(system, list_all_inputs(system, t, x, mode), names)) {
    if (u.kind == command)
      throw std::logic_error("an input of f is not recorded: " + u.signal.name);
    const bool is_of_set = u.kind == thruster_force || u.kind == thruster_torque;
    const int body = is_of_set ? sets[at(u.index)].body.index : u.index;
    const bool is_torque = u.kind == torque || u.kind == thruster_torque;
    out.push_back(x.size() + (u.kind == effort
                                  ? at(6 * (system.model.body_count() - 1) + u.index)
                                  : at(6 * (body - 1) + (is_torque ? 3 : 0) + u.component)));
  }
  return out;
}

}  // namespace

LinearQuotients find_quotients(const System<double>& system, double t, std::span<const double> x,
                               const Mode<double>& mode, const LinearModel& model) {
  Quotients quotients(system, t, x, mode, model);
  const auto n = static_cast<Index>(model.states.size()), r = quotients.size() - n;
  const Matrix by_states = quotients.of_states(),
               by_inputs = quotients.of_inputs(find_numbers(system, t, x, mode, model));
  LinearQuotients out;
  out.A = by_states.topRows(n);
  out.B = by_inputs.topRows(n);
  out.C = by_states.bottomRows(r);
  out.D = by_inputs.bottomRows(r);
  out.left_open = quotients.left_open();
  out.operations = quotients.operations();
  return out;
}

}  // namespace berth::test
