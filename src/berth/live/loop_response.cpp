// SPDX-License-Identifier: Apache-2.0
#include "berth/live/loop_response.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <Eigen/QR>

namespace berth {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr int kMostStates = 6;
constexpr int kWidth = kMostStates + 4;  // the states, then u and its three derivatives
using Table = Eigen::Matrix<double, kColumnOne, kWidth>;

// exp(A): A is halved until it is small, Taylor's series, squared as often.
MatrixXd find_matrix_exponential(MatrixXd A) {
  const double size = A.size() > 0 ? A.cwiseAbs().rowwise().sum().maxCoeff() : 0;
  const int halvings = size > 0.5 ? std::ilogb(size) + 2 : 0;
  A *= std::ldexp(1.0, -halvings);
  MatrixXd sum = MatrixXd::Identity(A.rows(), A.cols()), term = sum;
  for (int n = 1; n <= 16; ++n) {
    term = (term * A / n).eval();
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = (sum * sum).eval();
  return sum;
}

// w' = M w, and the outputs as rows over w.
struct LinearSystem {
  int states = 0;
  MatrixXd M;
  MatrixXd outputs;      // kColumnOne rows
  Eigen::VectorXd rest;  // states when u = 1 for ever
};

LinearSystem build_system(const LoopStages& s) {
  LinearSystem system;
  const int lag = s.has_lag() ? 2 : 0, filter = s.has_filter() ? 1 : 0;
  system.states = 2 * (lag + filter);
  const int n = system.states, width = n + 4;
  MatrixXd& M = system.M = MatrixXd::Zero(width, width);
  system.rest = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < 3; ++i) M(n + i, n + i + 1) = 1;  // the cubic

  int next = 0;
  // x_out of x_in: x'' = ω² (x_in − x) − 2ζω x'
  const auto add_lag = [&](int in) {
    const int x = next;
    next += 2;
    const double w2 = s.frequency * s.frequency;
    M(x, x + 1) = 1;
    M(x + 1, in) += w2;
    M(x + 1, x) -= w2;
    M(x + 1, x + 1) = -2 * s.damping * s.frequency;
    system.rest(x) = 1;
    return x;
  };
  // y' = (y_in − y)/τ
  const auto add_filter = [&](int in) {
    const int y = next++;
    M(y, in) += 1 / s.filter;
    M(y, y) -= 1 / s.filter;
    system.rest(y) = 1;
    return y;
  };
  int y = n;  // u
  if (s.has_lag()) y = add_lag(y);
  if (s.has_filter()) y = add_filter(y);

  // A derivative of the output c w is c M w.
  system.outputs = MatrixXd::Zero(kColumnOne, width);
  const auto set_derivatives = [&](int state, int order, int from, int count) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Unit(width, state);
    for (int i = 0; i < order; ++i) row = (row * M).eval();
    for (int i = 0; i < count; ++i, row = (row * M).eval()) system.outputs.row(from + i) = row;
  };
  set_derivatives(y, 0, kColumnY, 3);
  if (s.has_lag()) {
    const int q = add_lag(y);
    set_derivatives(q, 1, kColumnQRate, 3);
  }
  if (s.has_filter()) {
    const int r = add_filter(y);
    set_derivatives(r, 1, kColumnRRate, 2);
  }
  return system;
}

}  // namespace

LoopResponse find_loop_response(const LoopRecord& record, const LoopStages& stages) {
  // A search may try what is none: its cost is none either.
  const bool is_one = stages.delay >= 0 && std::isfinite(stages.delay + stages.frequency +
                                                         stages.damping + stages.filter);
  if (!is_one) return LoopResponse::Constant(kColumnOne, static_cast<Index>(record.u.size()), NAN);
  const LinearSystem system = build_system(stages);
  const auto n = static_cast<std::size_t>(system.states);
  const auto count = static_cast<Index>(record.u.size());
  const double whole = std::floor(stages.delay);
  const auto shift = static_cast<Index>(std::min(whole, static_cast<double>(count)));

  // t − h is this fraction of a tick after the begin of its interval.
  const double fraction = 1 - (stages.delay - whole);
  Table at = Table::Zero(), step = Table::Zero();
  at.leftCols(system.states + 4) = system.outputs * find_matrix_exponential(system.M * fraction);
  step.topLeftCorner(system.states, system.states + 4) =
      find_matrix_exponential(system.M).topRows(system.states);

  LoopResponse response = LoopResponse::Zero(kColumnOne, count);
  double w[kWidth] = {}, next[kColumnOne];
  for (std::size_t i = 0; i < n; ++i) w[i] = system.rest(static_cast<Index>(i)) * record.u[0];
  for (Index j = 0; j < std::min(shift + 1, count); ++j) response(kColumnY, j) = record.u[0];

  for (Index i = 0; i + shift + 1 < count; ++i) {
    const auto a = static_cast<std::size_t>(i);
    const double rise = record.u[a + 1] - record.u[a],
                 rate_0 = record.u_rate[a] * record.sample_time,
                 rate_1 = record.u_rate[a + 1] * record.sample_time;
    w[n] = record.u[a];
    w[n + 1] = rate_0;
    w[n + 2] = 6 * rise - 4 * rate_0 - 2 * rate_1;
    w[n + 3] = 6 * (rate_0 + rate_1) - 12 * rise;
    double* out = response.col(i + shift + 1).data();
    std::fill_n(next, kColumnOne, 0.0);
    for (std::size_t c = 0; c < n + 4; ++c) {
      const double* o = at.data() + kColumnOne * c;
      const double* s = step.data() + kColumnOne * c;
      for (std::size_t r = 0; r < kColumnOne; ++r) out[r] += o[r] * w[c];
      for (std::size_t r = 0; r < kColumnOne; ++r) next[r] += s[r] * w[c];
    }
    std::copy_n(next, n, w);
  }
  return response;
}

LoopTriangle find_loop_triangle(const LoopRecord& record, const LoopStages& stages) {
  LoopTriangle triangle;
  int columns = 0;
  for (int c = 0; c < kColumnCount; ++c) {
    const bool of_lag = c >= kColumnQRate && c <= kColumnQThird,
               of_filter = c == kColumnRRate || c == kColumnRSecond;
    const bool there = !(of_lag && !stages.has_lag()) && !(of_filter && !stages.has_filter());
    triangle.place[static_cast<std::size_t>(c)] = there ? columns++ : -1;
  }

  // Blocks small enough for the cache: the triangle so far stands on top of the next rows.
  constexpr Index kFilterRows = 120;
  const LoopResponse response = find_loop_response(record, stages);
  MatrixXd block = MatrixXd::Zero(columns + kFilterRows, columns);
  Index filled = columns;
  Eigen::HouseholderQR<MatrixXd> qr(columns + kFilterRows, columns);
  const auto condense = [&] {
    block.bottomRows(columns + kFilterRows - filled).setZero();
    qr.compute(block);
    block.topRows(columns) = qr.matrixQR().topRows(columns).triangularView<Eigen::Upper>();
    filled = columns;
  };
  for (std::size_t j = record.first; j < record.u.size(); ++j) {
    if (!std::isfinite(record.force[j])) continue;
    const double* row = response.col(static_cast<Index>(j)).data();
    for (int c = 0; c < kColumnOne; ++c)
      if (const int p = triangle.place[static_cast<std::size_t>(c)]; p >= 0)
        block(filled, p) = row[c];
    block(filled, columns - 2) = 1;
    block(filled, columns - 1) = record.force[j];
    ++triangle.rows;
    if (++filled == columns + kFilterRows) condense();
  }
  condense();
  triangle.R = block.topRows(columns);
  return triangle;
}

}  // namespace berth
