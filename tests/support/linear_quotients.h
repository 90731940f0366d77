// SPDX-License-Identifier: Apache-2.0
#pragma once

// LinearQuotients — A, B, C and D of a linear model once more, as central differences in quadruple
// precision (34 digits).
//
//   f          x, loads on bodies, efforts of joints => ẋ, outputs, rows of docks and loops, rates of
//              rows: recorded as a graph (trace.h), of which every operation is carried out in quadruple
//              precision; what is selected is selected by the values there
//   ξ          a state of the model displaced by ±h. The coordinates and speeds that are no states follow
//              by Newton's method, until docks and loops are as closed as they were
//   quotients  (f(ξ = h) − f(ξ = −h))/2h      h = 1e-12; left out is h² f‴/6, and rounding of 1e-34/h
//
// The equations of motion are the library's; slopes, attitudes and the elimination are not.

#include <Eigen/Core>

#include "berth/system/linear_model.h"

namespace berth::test {

struct LinearQuotients {
  Eigen::MatrixXd A, B, C, D;
  double left_open = 0;  // the most of any row, and of its rate, after Newton's method
  int operations = 0;    // of f
};

// States, inputs and outputs are those of the model. Throws std::logic_error where f decides on values
// inside of a function that is recorded as a whole.
LinearQuotients find_quotients(const System<double>& system, double t, std::span<const double> x,
                               const Mode<double>& mode, const LinearModel& model);

}  // namespace berth::test
