// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mass matrix and rows ∂(rate)/∂v as dense matrices, for what is solved once in an instant: impacts and
// equilibria. Expects the motion in the workspace.
//
//   find_dense_mass       M
//   find_closure_rows     C of the docks in force: one row of speeds for each of mode.rows
//   add_point_row         of the speed of a point of body 1 against body 2 along an axis (N axes)

#include <Eigen/Core>

#include "berth/system/reduced_impl.h"

namespace berth {

using MassMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline MassMatrix find_dense_mass(const Model<double>& model, const Motion<double>& motion) {
  const auto n = static_cast<Eigen::Index>(model.speed_count());
  MassMatrix M(n, n);
  find_mass_matrix<double>(model, motion, std::span(M.data(), static_cast<std::size_t>(n * n)));
  return M;
}

inline Eigen::MatrixXd find_closure_rows(const System<double>& system, const Mode<double>& mode,
                                         const Workspace<double>& w) {
  const auto m = static_cast<Eigen::Index>(mode.rows.size());
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(m, system.model.speed_count());
  for (Eigen::Index i = 0; i < m; ++i) {
    const ActiveRow& row = mode.rows[static_cast<std::size_t>(i)];
    const Closure<double>& c = closure_at(system, row.closure);
    const ClosureMotion<double>& d = closure_at(w, row.closure);
    for_each_moved_speed<double>(
        system.model, w.motion, c.port_1.body, d.lever_1, c.port_2.body, d.lever_2,
        find_unit_load(system, row, w),
        [&](std::size_t s, double x) { C(i, static_cast<Eigen::Index>(s)) += x; });
  }
  return C;
}

// Levers [m] from the origins of the bodies, N axes.
inline void add_point_row(const Model<double>& model, const Motion<double>& motion, int body_1,
                          const Vec3<double>& lever_1, int body_2, const Vec3<double>& lever_2,
                          const Vec3<double>& axis_N, Eigen::Index row, Eigen::MatrixXd& J) {
  for_each_moved_speed<double>(
      model, motion, body_2, lever_2, body_1, lever_1, Wrench<double>{{}, axis_N},
      [&](std::size_t s, double x) { J(row, static_cast<Eigen::Index>(s)) += x; });
}

}  // namespace berth
