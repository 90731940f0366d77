// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/public_linear_model.h"

namespace berth {
namespace {

std::vector<double> numbers_of(const Eigen::MatrixXd& M) {
  std::vector<double> out;
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = 0; j < M.cols(); ++j) out.push_back(M(i, j));
  return out;
}

std::vector<Simulation::Signal> public_signals_of(const std::vector<LinearSignal>& signals) {
  std::vector<Simulation::Signal> out;
  for (const LinearSignal& s : signals) out.push_back({s.name, s.unit, {}, 1});
  return out;
}

}  // namespace

Simulation::LinearModel to_public(const LinearModel& m) {
  Simulation::LinearModel out;
  out.t = m.t;
  out.A = numbers_of(m.A), out.B = numbers_of(m.B), out.C = numbers_of(m.C),
  out.D = numbers_of(m.D);
  out.x0 = numbers_of(m.x0), out.u0 = numbers_of(m.u0), out.y0 = numbers_of(m.y0);
  out.states = public_signals_of(m.states);
  out.inputs = public_signals_of(m.inputs);
  out.outputs = public_signals_of(m.outputs);
  return out;
}

}  // namespace berth
