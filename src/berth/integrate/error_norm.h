// SPDX-License-Identifier: Apache-2.0
#pragma once

// ErrorNorm — how large is an error, measured against what is asked for.
//
//   block       a run of states with one scale [unit of the states]: a position, an angle rate, …
//   weight      w = tol · (scale + max(‖x_old‖, ‖x_new‖))                  per block, 2-norms   (1)
//   ratio       ‖v‖ / w,   the largest over blocks;  ≤ 1: accepted                              (2)
//               or the root of their mean square over blocks, as Hairer and Wanner have it
//   two rows    e² / √(e² + 0.01 d²),   e = ‖e₀‖/w,  d = ‖e₁‖/w            (Hairer's dop853)    (3)
//
// A norm per block and not per component keeps the result free of the orientation of axes: a
// position is as accurate along x as along any other line. States in no block (angles of spinning
// rotors, quadratures) ride along without steering the step.

#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "berth/scalar/scalar.h"

namespace berth {

struct Block {
  std::size_t first;  // index of its first state
  std::size_t size;
  double scale;  // magnitude below which the error counts as absolute
};

class ErrorNorm {
 public:
  ErrorNorm(std::vector<Block> blocks, double tolerance, bool mean = false)
      : blocks_(std::move(blocks)), tolerance_(tolerance), mean_(mean) {
    if (!(tolerance > 0)) throw std::invalid_argument("ErrorNorm: tolerance must be positive");
    for (const Block& b : blocks_) {
      if (!(b.scale > 0)) throw std::invalid_argument("ErrorNorm: block scale must be positive");
    }
  }

  std::span<const Block> blocks() const { return blocks_; }
  double tolerance() const { return tolerance_; }
  bool is_mean() const { return mean_; }

  // (2) of any vector v at the state x.
  template <Scalar T>
  double ratio(std::span<const T> v, std::span<const T> x) const {
    return find_largest([&](const Block& b) { return norm(v, b) / weight(x, x, b); });
  }

  // (2) or, where the method has a second error row, (3).
  template <Scalar T>
  double error(std::span<const T> e_0, std::span<const T> e_1, std::span<const T> x_old,
               std::span<const T> x_new) const {
    if (e_1.empty()) {
      return find_largest([&](const Block& b) { return norm(e_0, b) / weight(x_old, x_new, b); });
    }
    return find_largest([&](const Block& b) {
      const T w = weight(x_old, x_new, b);
      const T e = norm(e_0, b) / w;
      // d/e rather than e² and d²: neither overflows when a trial step goes far astray.
      const T d = norm(e_1, b) / w / max(e, T(1e-150));
      return e / sqrt(1.0 + 0.01 * d * d);
    });
  }

 private:
  template <Scalar T>
  static T sum_of_squares(std::span<const T> v, const Block& b) {
    T sum(0.0);
    for (std::size_t i = b.first; i < b.first + b.size; ++i) sum += v[i] * v[i];
    return sum;
  }
  template <Scalar T>
  static T norm(std::span<const T> v, const Block& b) {
    return sqrt(sum_of_squares(v, b));
  }
  template <Scalar T>
  T weight(std::span<const T> x_old, std::span<const T> x_new, const Block& b) const {  // (1)
    const T x = sqrt(max(sum_of_squares(x_old, b), sum_of_squares(x_new, b)));
    return tolerance_ * (b.scale + x);
  }

  // A NaN in any block is the answer: the step is worthless.
  template <class BlockRatio>
  double find_largest(BlockRatio&& ratio_of) const {
    double worst = 0, squares = 0;
    for (const Block& b : blocks_) {
      const double r = value(ratio_of(b));
      if (std::isnan(r)) return r;
      if (r > worst) worst = r;
      squares += r * r;
    }
    return mean_ ? std::sqrt(squares / static_cast<double>(blocks_.size())) : worst;
  }

  std::vector<Block> blocks_;
  double tolerance_;
  bool mean_;
};

}  // namespace berth
