// SPDX-License-Identifier: Apache-2.0
#include "berth/math/minimal_loop.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "berth/math/complex.h"
#include "berth/math/eigen_system.h"

namespace berth {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using PivotedQr = Eigen::ColPivHouseholderQR<MatrixXd>;

// Ranks are decided at this fraction of a norm: a hundred states lose about 1e-14 on the way here.
constexpr double kRankTolerance = 1e-12;

Index rank_of(const PivotedQr& qr, double tolerance) {
  const auto pivots = qr.matrixQR().diagonal().cwiseAbs();
  return static_cast<Index>((pivots.array() > tolerance).count());
}

// Powers of two d that make row and column of D⁻¹ W D alike in size (Osborne; Parlett and Reinsch).
// Rounding left where a zero was meant must not be amplified, so entries far below both their row
// and their column have no say. The sweeps are few: a reducible W has no best d.
Eigen::VectorXd find_scales(MatrixXd W) {
  const Index n = W.rows();
  W = W.cwiseAbs().eval();
  W.diagonal().setZero();
  if (n > 0) {
    const Eigen::VectorXd row = W.rowwise().maxCoeff(), column = W.colwise().maxCoeff();
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (W(i, j) < 1e-14 * std::max(row(i), column(j))) W(i, j) = 0;
  }
  Eigen::VectorXd d = Eigen::VectorXd::Ones(n);
  bool changed = true;
  for (int sweep = 0; sweep < 8 && changed; ++sweep) {
    changed = false;
    for (Index i = 0; i < n; ++i) {
      const double row = W.row(i).sum(), column = W.col(i).sum();
      if (row == 0 || column == 0) continue;
      // A power of 2 with f² near row/column.
      const double f = std::ldexp(1.0, (std::ilogb(row / column) + 1) >> 1);
      if (column * f + row / f >= 0.95 * (row + column)) continue;
      W.col(i) *= f;
      W.row(i) /= f;
      d(i) *= f;
      changed = true;
    }
  }
  return d;
}

// B C again, with as many channels as its rank.
void merge_channels(MatrixXd& B, MatrixXd& C) {
  if (B.rows() == 0) return;
  const MatrixXd M = B * C;
  const PivotedQr qr(M);
  const Index r = rank_of(qr, kRankTolerance * M.norm());
  const MatrixXd Q = qr.householderQ();
  B = Q.leftCols(r);
  C = B.transpose() * M;
}

// Leaves in A, B, C what B reaches and returns A₂ of (1).
MatrixXd split_unreached(MatrixXd& A, MatrixXd& B, MatrixXd& C, double tolerance) {
  const Index n = A.rows();
  Index reached = 0;
  MatrixXd next = B;  // what the states reached last drive among those not reached yet
  double threshold = kRankTolerance * B.norm();
  while (reached < n && next.cols() > 0) {
    const PivotedQr qr(next);
    const Index more = rank_of(qr, threshold), rest = n - reached;
    const MatrixXd Q = qr.householderQ();
    A.bottomRows(rest) = (Q.transpose() * A.bottomRows(rest)).eval();
    A.rightCols(rest) = (A.rightCols(rest) * Q).eval();
    if (reached == 0) B = (Q.transpose() * B).eval();
    C.rightCols(rest) = (C.rightCols(rest) * Q).eval();
    next = A.block(reached + more, reached, rest - more, more);
    reached += more;
    threshold = tolerance;
  }
  const MatrixXd A2 = A.bottomRightCorner(n - reached, n - reached);
  A = A.topLeftCorner(reached, reached).eval();
  B = B.topRows(reached).eval();
  C = C.leftCols(reached).eval();
  return A2;
}

void add_spectrum(Spectrum more, Spectrum& all) {
  all.zeros += more.zeros;
  all.others.insert(all.others.end(), more.others.begin(), more.others.end());
}

}  // namespace

int find_rank(const MatrixXd& X, double tolerance) {
  if (X.size() == 0) return 0;
  return static_cast<int>(rank_of(PivotedQr(X), tolerance));
}

Spectrum find_spectrum(MatrixXd A, double tolerance) {
  Spectrum spectrum;
  // Scaling and every link of a chain can lift rounding where a zero was meant; what comes of it is slow
  // beyond any use.
  const double slow = 1e3 * tolerance;
  // The null space of A gives zeros; A on its row space has the other eigenvalues, and the next
  // links of the integrator chains.
  while (A.rows() > 0) {
    const PivotedQr qr(A.transpose());
    const Index rank = rank_of(qr, slow);
    if (rank == A.rows()) break;
    spectrum.zeros += static_cast<int>(A.rows() - rank);
    const MatrixXd Q = MatrixXd(qr.householderQ()).leftCols(rank);
    A = (Q.transpose() * A * Q).eval();
  }
  if (A.rows() > 0) {
    for (const std::complex<double> s : find_eigenvalues(A)) {
      if (abs(s) < slow)
        ++spectrum.zeros;
      else
        spectrum.others.push_back(s);
    }
  }
  return spectrum;
}

SplitLoop split_loop(const DelayLoop& loop) {
  SplitLoop split;
  const MatrixXd M = loop.B * loop.C;
  const Eigen::VectorXd d = find_scales(loop.A.cwiseAbs() + M.cwiseAbs());
  MatrixXd A = d.cwiseInverse().asDiagonal() * loop.A * d.asDiagonal();
  MatrixXd B = d.cwiseInverse().asDiagonal() * loop.B;
  MatrixXd C = loop.C * d.asDiagonal();
  split.tolerance = kRankTolerance * A.norm();

  merge_channels(B, C);
  add_spectrum(find_spectrum(split_unreached(A, B, C, split.tolerance), split.tolerance),
               split.uncoupled);

  MatrixXd At = A.transpose(), Bt = C.transpose(), Ct = B.transpose();
  add_spectrum(find_spectrum(split_unreached(At, Bt, Ct, split.tolerance), split.tolerance),
               split.uncoupled);
  A = At.transpose();
  B = Ct.transpose();
  C = Bt.transpose();
  merge_channels(B, C);
  split.coupled = {A, B, C, loop.delay};
  return split;
}

}  // namespace berth
