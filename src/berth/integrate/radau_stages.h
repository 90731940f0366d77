// SPDX-License-Identifier: Apache-2.0
#pragma once

// RadauStages — solves the coupled stages of a Radau step by Newton's method.
//
//   residual     rᵢ = f(t₀ + cᵢ h, x₀ + zᵢ) − (1/h) Σⱼ dᵢⱼ zⱼ          (3) of radau_table.h    (1)
//
//   frozen       one Jacobian J at (t₀, x₀); with w = T⁻¹ z and s = T⁻¹ r the stages come apart:
//                (γ/h − J) Δw₁ = s₁,   ((α + iβ)/h − J) (Δw₂ + i Δw₃) = s₂ + i s₃             (2)
//   fresh        a Jacobian Jᵢ at every stage of every iteration, one system of size 3n:
//                (1/h) Σⱼ dᵢⱼ Δzⱼ − Jᵢ Δzᵢ = rᵢ                                               (3)
//
// Why (2) alone will not do. A spring of stiffness k between masses m turns with its bodies, by ω h
// within a step. Seen along the axis it had at the start it resists motion across that axis with
// k (ω h)², where in truth there is only inertia, m/h². (2) contracts while
//
//   k (ω h)² < m/h²,     i.e.     h < 1/√(ω √(k/m))                                            (4)
//
// and steps would shorten as k^(−1/4) however smooth the motion. (3) knows the axis at every stage
// and needs three iterations or four, whatever k. Its factorisations cost five times as much each,
// so (2) goes first; once it has failed, (3) serves for the next steps.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <span>

#include <Eigen/LU>

#include "berth/integrate/collocation_step.h"
#include "berth/integrate/contraction.h"
#include "berth/integrate/error_norm.h"
#include "berth/integrate/integrator.h"
#include "berth/integrate/jacobian.h"
#include "berth/integrate/radau_table.h"

namespace berth {

class RadauStages {
 public:
  enum class Solved { yes, no, lost_number };

  RadauStages(std::size_t size, std::span<const Block> blocks, double tolerance)
      : n_(Eigen::Index(size)),
        // Nothing finer than rounding can be asked for.
        kappa_(std::max(kKappa, 4 * std::numeric_limits<double>::epsilon() / tolerance)),
        jacobian_(size, blocks),
        x_(n_),
        J_(n_, n_),
        J_stage_(n_, n_),
        guess_(n_, 3),
        rate_(n_, 3),
        residual_(n_, 3),
        change_(n_, 3),
        w_(n_, 3),
        matrix_(n_, n_),
        lu_(n_),
        complex_matrix_(n_, n_),
        complex_lu_(n_),
        complex_residual_(n_),
        complex_change_(n_),
        coupled_matrix_(3 * n_, 3 * n_),
        coupled_lu_(3 * n_) {}

  // Another problem: nothing is known about its iterations.
  void forget() { fresh_left_ = 0; }

  // Steps from (t, x) come next, where f is `rate`. False: the Jacobian is not finite there.
  template <class F>
  bool linearise(F& f, double t, std::span<const double> x, std::span<const double> rate,
                 StepCounters& counters) {
    jacobian_.find(f, t, x, rate, J_, counters);
    return J_.allFinite();
  }

  // z: a guess => the stages of a step from (t, x) to t_end.
  template <class F>
  Solved solve(F& f, double t, double t_end, std::span<const double> x, const ErrorNorm& norm,
               Stages& z, StepCounters& counters) {
    const Step step{t, t_end, t_end - t, x};
    matrix_ = -J_;
    matrix_.diagonal().array() += radau_table::gamma / step.h;
    lu_.compute(matrix_);
    ++counters.factorisation;
    if (fresh_left_ == 0) {
      guess_ = z;
      if (solve_frozen(f, step, norm, z, counters) == Solved::yes) return Solved::yes;
      fresh_left_ = kFreshFor;
      z = guess_;
    }
    return solve_fresh(f, step, norm, z, counters);
  }

  // The step was accepted.
  void accept() { fresh_left_ = std::max(0, fresh_left_ - 1); }

  // out = (γ/h − J)⁻¹ v with the h last solved for.
  void filter(const Eigen::VectorXd& v, Eigen::VectorXd& out) const { out = lu_.solve(v); }

  // With the Jacobian where it is known already.
  static void visit_state(auto& a, auto& self, bool linearised) {
    a(self.fresh_left_);
    a.check(self.fresh_left_ >= 0 && self.fresh_left_ <= kFreshFor, "steps with fresh Jacobians");
    if (linearised) a.fixed(std::span(self.J_.data(), std::size_t(self.J_.size())));
  }

 private:
  struct Step {
    double t, t_end, h;
    std::span<const double> x;

    // Rounding must not carry a stage beyond the end, where f may be another one.
    double time(int i) const { return i < 2 ? t + radau_table::c[std::size_t(i)] * h : t_end; }
  };

  template <class F>
  Solved solve_frozen(F& f, const Step& step, const ErrorNorm& norm, Stages& z,
                      StepCounters& counters) {
    complex_matrix_ = -J_.cast<std::complex<double>>();
    complex_matrix_.diagonal().array() +=
        std::complex<double>(radau_table::alpha / step.h, radau_table::beta / step.h);
    complex_lu_.compute(complex_matrix_);
    ++counters.factorisation;
    Contraction contraction(kappa_, kMostFrozen, Contraction::Jacobian::frozen);
    for (;;) {
      find_rates(f, step, z, counters);
      find_residual(step, z);
      // (2)
      mix(radau_table::T_inverse, residual_, w_);
      change_.col(0) = lu_.solve(w_.col(0));
      complex_residual_.real() = w_.col(1);
      complex_residual_.imag() = w_.col(2);
      complex_change_ = complex_lu_.solve(complex_residual_);
      w_.col(0) = change_.col(0);
      w_.col(1) = complex_change_.real();
      w_.col(2) = complex_change_.imag();
      mix(radau_table::T, w_, change_);

      z += change_;
      if (!z.allFinite()) return Solved::lost_number;
      const auto verdict = contraction.judge(find_size(norm, step));
      if (verdict == Contraction::Verdict::done) return Solved::yes;
      if (verdict == Contraction::Verdict::hopeless) return Solved::no;
    }
  }

  template <class F>
  Solved solve_fresh(F& f, const Step& step, const ErrorNorm& norm, Stages& z,
                     StepCounters& counters) {
    Contraction contraction(kappa_, kMostFresh, Contraction::Jacobian::fresh);
    for (;;) {
      find_rates(f, step, z, counters);
      find_residual(step, z);
      if (!residual_.allFinite()) return Solved::lost_number;
      // (3)
      coupled_matrix_.setZero();
      for (int i = 0; i < 3; ++i) {
        set_stage(step, z, i);
        jacobian_.find(f, step.time(i), view(x_), view(rate_.col(i)), J_stage_, counters);
        coupled_matrix_.block(i * n_, i * n_, n_, n_) = -J_stage_;
        for (int j = 0; j < 3; ++j) {
          coupled_matrix_.block(i * n_, j * n_, n_, n_).diagonal().array() +=
              radau_table::d[std::size_t(i)][std::size_t(j)] / step.h;
        }
      }
      coupled_lu_.compute(coupled_matrix_);
      ++counters.factorisation;
      change_.reshaped() = coupled_lu_.solve(residual_.reshaped());

      z += change_;
      if (!z.allFinite()) return Solved::lost_number;
      const auto verdict = contraction.judge(find_size(norm, step));
      if (verdict == Contraction::Verdict::done) return Solved::yes;
      if (verdict == Contraction::Verdict::hopeless) return Solved::no;
    }
  }

  void set_stage(const Step& step, const Stages& z, int i) {
    x_ = Eigen::Map<const Eigen::VectorXd>(step.x.data(), n_) + z.col(i);
  }

  template <class F>
  void find_rates(F& f, const Step& step, const Stages& z, StepCounters& counters) {
    for (int i = 0; i < 3; ++i) {
      set_stage(step, z, i);
      f(step.time(i), view(x_), std::span<double>(rate_.col(i).data(), std::size_t(n_)));
      ++counters.rhs;
    }
  }

  void find_residual(const Step& step, const Stages& z) {  // (1)
    mix(radau_table::d, z, residual_);
    residual_ = rate_ - residual_ / step.h;
  }

  double find_size(const ErrorNorm& norm, const Step& step) const {
    double size = 0;
    for (int i = 0; i < 3; ++i) size = std::max(size, norm.ratio(view(change_.col(i)), step.x));
    return size;
  }

  // outᵢ = Σⱼ mᵢⱼ inⱼ over the stages.
  static void mix(const radau_table::Matrix3& m, const Stages& in, Stages& out) {
    for (std::size_t i = 0; i < 3; ++i) {
      out.col(Eigen::Index(i)) = m[i][0] * in.col(0) + m[i][1] * in.col(1) + m[i][2] * in.col(2);
    }
  }

  template <class Column>
  static std::span<const double> view(const Column& v) {
    return {v.data(), std::size_t(v.size())};
  }

  // Of the tolerance: what an unfinished iteration leaves in a velocity adds up over a run.
  static constexpr double kKappa = 1e-4;
  static constexpr int kMostFrozen = 7;  // iterations
  static constexpr int kMostFresh = 10;
  static constexpr int kFreshFor = 16;  // steps before (2) is tried again

  Eigen::Index n_;
  double kappa_;
  int fresh_left_ = 0;  // steps; 0: (2) goes first
  JacobianFinder jacobian_;
  Eigen::VectorXd x_;            // of one stage
  Eigen::MatrixXd J_, J_stage_;  // at the start of the step; at one stage
  Stages guess_, rate_, residual_, change_, w_;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::MatrixXcd complex_matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex_lu_;
  Eigen::VectorXcd complex_residual_, complex_change_;
  Eigen::MatrixXd coupled_matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> coupled_lu_;
};

}  // namespace berth
