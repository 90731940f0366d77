// SPDX-License-Identifier: Apache-2.0
#include "berth/live/loop_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/QR>

#include "berth/scalar/elementary.h"

namespace berth {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kNonlinear = kStiffness;  // how many of the parameters are θ

// Least squares with columns of very different size; a dependent column gets zero.
VectorXd solve_columns(const MatrixXd& A, const VectorXd& b) {
  VectorXd scale = A.colwise().norm().transpose();
  for (Index i = 0; i < scale.size(); ++i) scale(i) = scale(i) > 0 ? 1 / scale(i) : 0;
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A * scale.asDiagonal());
  return scale.asDiagonal() * qr.solve(b);
}

std::array<double, kNonlinear> find_theta(const LoopStages& s) {
  return {s.delay, s.has_lag() ? log(s.frequency) : 0, s.has_lag() ? log(s.damping) : 0,
          s.has_filter() ? log(s.filter) : 0};
}

LoopStages find_stages(const std::array<double, kNonlinear>& theta, const LoopStages& like) {
  LoopStages s;
  s.delay = theta[kDelay];
  if (like.has_lag()) {
    s.frequency = exp(theta[kLogFrequency]);
    s.damping = exp(theta[kLogDamping]);
  }
  if (like.has_filter()) s.filter = exp(theta[kLogFilter]);
  return s;
}

struct Bounds {
  std::array<double, kNonlinear> low, high;
};
Bounds find_bounds(const LoopLimits& l) {
  return {{0, log(l.least_frequency), log(l.least_damping), log(l.least_filter)},
          {l.most_delay, log(l.most_frequency), log(l.most_damping), log(l.most_filter)}};
}

// The columns of θ that are there and free, with what (k, b, f₀) could do in their place taken off.
struct ProjectedSlopes {
  std::vector<int> parameter;
  MatrixXd J;
};
ProjectedSlopes find_projected_slopes(const LoopFit& fit,
                                      const std::array<double, kNonlinear>& theta,
                                      const Bounds& bounds) {
  std::vector<int> linear{kStiffness, kOffset};
  if (fit.has_damper) linear.push_back(kDamping);
  MatrixXd L(fit.slopes.rows(), static_cast<Index>(linear.size()));
  for (std::size_t i = 0; i < linear.size(); ++i)
    L.col(static_cast<Index>(i)) = fit.slopes.col(linear[i]);

  ProjectedSlopes p;
  p.J.resize(fit.slopes.rows(), kNonlinear);
  for (int i = 0; i < kNonlinear; ++i) {
    if (!fit.has(i)) continue;
    const auto n = static_cast<std::size_t>(i);
    const VectorXd c = fit.slopes.col(i), free = c - L * solve_columns(L, c);
    // What is at its limit and pushed outwards rests.
    const double downhill = free.dot(fit.residual);
    if ((theta[n] <= bounds.low[n] && downhill <= 0) ||
        (theta[n] >= bounds.high[n] && downhill >= 0))
      continue;
    p.J.col(static_cast<Index>(p.parameter.size())) = free;
    p.parameter.push_back(i);
  }
  p.J.conservativeResize(Eigen::NoChange, static_cast<Index>(p.parameter.size()));
  return p;
}

// min |residual − J δ|² + λ |D δ|², D the norms of the columns.
VectorXd solve_damped(const MatrixXd& J, const VectorXd& residual, double lambda) {
  const Index rows = J.rows(), n = J.cols();
  MatrixXd A = MatrixXd::Zero(rows + n, n);
  VectorXd b = VectorXd::Zero(rows + n);
  A.topRows(rows) = J;
  b.head(rows) = residual;
  for (Index i = 0; i < n; ++i) A(rows + i, i) = std::sqrt(lambda) * J.col(i).norm();
  return solve_columns(A, b);
}

}  // namespace

bool LoopFit::has(int parameter) const {
  if (parameter == kLogFrequency || parameter == kLogDamping) return stages.has_lag();
  if (parameter == kDamping) return has_damper;
  return parameter != kLogFilter || stages.has_filter();
}

int LoopFit::parameters() const {
  int count = 0;
  for (int i = 0; i < kParameterCount; ++i) count += has(i);
  return count;
}

MatrixXd LoopFit::find_covariance_factor() const {
  std::vector<int> there;
  for (int i = 0; i < kParameterCount; ++i)
    if (has(i)) there.push_back(i);
  const auto n = static_cast<Index>(there.size());
  MatrixXd J(slopes.rows(), n);
  VectorXd scale(n);
  for (Index i = 0; i < n; ++i) {
    J.col(i) = slopes.col(there[static_cast<std::size_t>(i)]);
    scale(i) = std::max(J.col(i).norm(), 1e-300);
    J.col(i) /= scale(i);
  }
  const Eigen::HouseholderQR<MatrixXd> qr(J);
  const MatrixXd R = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  const bool independent = R.diagonal().cwiseAbs().minCoeff() > 1e-13;
  const MatrixXd inverse = R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(n, n)),
                 S = inverse * inverse.transpose();
  MatrixXd all = MatrixXd::Zero(kParameterCount, kParameterCount);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      all(there[static_cast<std::size_t>(i)], there[static_cast<std::size_t>(j)]) =
          independent ? S(i, j) / (scale(i) * scale(j)) : std::numeric_limits<double>::infinity();
  return all;
}

LoopFit find_loop_fit(const LoopRecord& record, const LoopStages& stages, bool damper) {
  const LoopTriangle t = find_loop_triangle(record, stages);
  LoopFit fit;
  fit.stages = stages;
  fit.rows = t.rows;
  fit.slopes = MatrixXd::Zero(t.R.rows(), kParameterCount);
  const VectorXd y = t.column(kColumnY), y_rate = t.column(kColumnYRate),
                 force = t.column(kColumnForce);
  fit.slopes.col(kStiffness) = -y;
  fit.slopes.col(kDamping) = -y_rate;
  fit.slopes.col(kOffset) = t.column(kColumnOne);

  VectorXd c = solve_columns(fit.slopes.rightCols(3), force);
  fit.has_damper = damper && c(1) > 0;
  if (!fit.has_damper) {
    MatrixXd two(t.R.rows(), 2);
    two << fit.slopes.col(kStiffness), fit.slopes.col(kOffset);
    const VectorXd c2 = solve_columns(two, force);
    c << c2(0), 0, c2(1);
  }
  fit.k = c(0);
  fit.b = c(1);
  fit.f0 = c(2);
  fit.residual = force - fit.slopes.rightCols(3) * c;
  fit.squares = fit.residual.squaredNorm();
  fit.force_squares = force.squaredNorm();

  fit.slopes.col(kDelay) = fit.k * y_rate + fit.b * t.column(kColumnYSecond);
  if (stages.has_lag()) {
    const VectorXd by_a1 = fit.k * t.column(kColumnQRate) + fit.b * t.column(kColumnQSecond),
                   by_a2 = fit.k * t.column(kColumnQSecond) + fit.b * t.column(kColumnQThird);
    const double a1 = stages.lag(), a2 = 1 / (stages.frequency * stages.frequency);
    fit.slopes.col(kLogFrequency) = -a1 * by_a1 - 2 * a2 * by_a2;
    fit.slopes.col(kLogDamping) = a1 * by_a1;
  }
  if (stages.has_filter())
    fit.slopes.col(kLogFilter) =
        stages.filter * (fit.k * t.column(kColumnRRate) + fit.b * t.column(kColumnRSecond));
  return fit;
}

LoopFit solve_loop_fit(const LoopRecord& record, const LoopStages& start,
                       const LoopFitOptions& options) {
  const Bounds bounds = find_bounds(options.limits);
  const auto between = [&](std::array<double, kNonlinear> theta) {
    for (std::size_t i = 0; i < kNonlinear; ++i)
      theta[i] = std::clamp(theta[i], bounds.low[i], bounds.high[i]);
    return theta;
  };
  std::array<double, kNonlinear> theta = between(find_theta(start));
  LoopFit fit = find_loop_fit(record, find_stages(theta, start), options.damper);
  // What remains of a record without noise is rounding.
  const double rounding = 1e-20 * fit.force_squares;

  double lambda = 1e-3;
  for (int iteration = 0; iteration < options.most_iterations && fit.squares > rounding;
       ++iteration) {
    const ProjectedSlopes p = find_projected_slopes(fit, theta, bounds);
    if (p.parameter.empty()) break;
    bool improved = false;
    double expected = 0;
    while (!improved && lambda < 1e8) {
      const VectorXd step = solve_damped(p.J, fit.residual, lambda);
      expected = fit.squares - (fit.residual - p.J * step).squaredNorm();
      auto next = theta;
      // Logarithms by a factor of e at most: beyond that the slopes say nothing.
      double longest = 1;
      for (std::size_t i = 0; i < p.parameter.size(); ++i)
        if (p.parameter[i] != kDelay)
          longest = std::max(longest, std::abs(step(static_cast<Index>(i))));
      for (std::size_t i = 0; i < p.parameter.size(); ++i)
        next[static_cast<std::size_t>(p.parameter[i])] += step(static_cast<Index>(i)) / longest;
      next = between(next);
      LoopFit trial = find_loop_fit(record, find_stages(next, start), options.damper);
      improved = trial.squares < fit.squares;
      if (!improved) {
        if (expected < options.tolerance * fit.squares) return fit;
        lambda *= 5;
        continue;
      }
      const double gained = fit.squares - trial.squares;
      lambda = std::max(lambda * (gained > 0.75 * expected ? 0.1 : 0.5), 1e-12);
      const bool done =
          gained < options.tolerance * fit.squares && expected < options.tolerance * fit.squares;
      fit = std::move(trial);
      theta = next;
      if (done) return fit;
    }
    if (!improved) break;
  }
  return fit;
}

}  // namespace berth
