// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/public_linear_model.h"

namespace berth {
namespace {

std::vector<double> rows_of(const Eigen::MatrixXd& M) {
  std::vector<double> out;
  for (Eigen::Index i = 0; i < M.rows(); ++i)
    for (Eigen::Index j = 0; j < M.cols(); ++j) out.push_back(M(i, j));
  return out;
}

std::vector<Simulation::Signal> signals_of(const std::vector<LinearSignal>& signals) {
  std::vector<Simulation::Signal> out;
  for (const LinearSignal& s : signals) out.push_back({s.name, s.unit, {}, 1});
  return out;
}

}  // namespace

Simulation::LinearModel to_public(const LinearModel& m) {
  Simulation::LinearModel out;
  out.t = m.t;
  out.A = rows_of(m.A), out.B = rows_of(m.B), out.C = rows_of(m.C), out.D = rows_of(m.D);
  out.x0 = rows_of(m.x0), out.u0 = rows_of(m.u0), out.y0 = rows_of(m.y0);
  out.states = signals_of(m.states);
  out.inputs = signals_of(m.inputs);
  out.outputs = signals_of(m.outputs);
  return out;
}

}  // namespace berth
