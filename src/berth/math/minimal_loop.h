// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of a delayed loop that the feedback reaches and sees, and the eigenvalues of the rest.
//
// With orthogonal Q, in steps (staircase), x = Q (x₁, x₂) such that B does not reach x₂:
//
//   Qᵀ A Q = [A₁ A₁₂; 0 A₂]     Qᵀ B = [B₁; 0]     C Q = [C₁ C₂]                        (1)
//
// so det F(s) = det(s I − A₂) · det(s I − A₁ − e^{−sh} B₁ C₁). The same on the transposes takes away
// what C does not see. States are scaled by powers of two beforehand: positions, angles and their
// rates differ in size by their units, and ranks are decided against the norm of A.

#include <complex>
#include <vector>

#include "berth/math/delay_roots.h"

namespace berth {

struct Spectrum {
  int zeros = 0;
  std::vector<std::complex<double>> others;
};

struct SplitLoop {
  DelayLoop coupled;  // minimal, with as few channels as B C has rank
  Spectrum uncoupled;
  double tolerance;  // below which entries of A are rounding [1/s]
};
SplitLoop split_loop(const DelayLoop& loop);

// Eigenvalues, those at zero taken off and counted by ranks: a chain of m integrators scatters its
// zeros to the m-th root of the rounding, where a threshold on |s| alone would no longer separate
// them. With the tolerance of a SplitLoop, s below 1e-9 of the norm of A is zero as well.
Spectrum find_spectrum(Eigen::MatrixXd A, double tolerance);

// How many pivots of a rank-revealing QR are above the tolerance.
int find_rank(const Eigen::MatrixXd& X, double tolerance);

}  // namespace berth
