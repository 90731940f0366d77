// SPDX-License-Identifier: Apache-2.0
#include "berth/system/equilibrium.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <fmt/format.h>

#include "berth/system/dense_rows.h"
#include "berth/system/docks.h"
#include "berth/system/jumps.h"
#include "berth/system/lift_system.h"
#include "berth/system/linearised.h"

namespace berth {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

constexpr double kTouching = 1e-12;    // [m], [m/s]
constexpr double kLargestDepth = 1.0;  // [m]
constexpr double kIndependent = 1e-9;  // of the stiffest displacement

class EquilibriumSearch {
 public:
  EquilibriumSearch(System<double>& system, const std::vector<std::size_t>& contacts)
      : system_(system),
        contacts_(contacts),
        w_(system),
        mode_(idle_mode(w_)),
        x_(find_initial_state(system)),
        dual_(lift_system<Dual>(system)),
        w_dual_(dual_) {
    choose_rows(system_, 0.0, x_, mode_, w_);
  }

  // (1) False: they cannot all touch at once.
  bool touch() {
    for (int i = 0; i < 30; ++i) {
      find_gaps();
      if (gaps_.cwiseAbs().maxCoeff() <= kTouching) break;
      find_response();
      move(-(response_ * response_gaps_.completeOrthogonalDecomposition().solve(gaps_)));
    }
    stop();
    return find_gaps().cwiseAbs().maxCoeff() <= 1e3 * kTouching;
  }

  // (2) from where all touch. False: what presses on them is more than any depth pushes back with.
  bool press() {
    find_basis();
    const Vector touching = Vector::Zero(basis_.cols());
    const Vector free = find_accelerations(touching);
    if (free.minCoeff() >= 0) return true;  // nothing presses
    const Vector inward =
        basis_gaps_.completeOrthogonalDecomposition().solve(-Vector::Ones(free.size()));
    double depth = 1e-9;  // [m]
    while (!(find_accelerations(depth * inward).minCoeff() >= 0))
      if ((depth *= 4) > kLargestDepth) return false;
    return solve(depth * inward, kRounding * free.cwiseAbs().maxCoeff());
  }

  const Vector& gaps() const { return gaps_; }
  void keep() {
    std::copy_n(x_.begin(), system_.model.q0.size(), system_.model.q0.begin());
    std::copy_n(x_.begin() + w_.layout.v, system_.model.v0.size(), system_.model.v0.begin());
  }

 private:
  static constexpr double kRounding = 1e-13;

  const Vector& find_gaps() {
    motion_stage<double>(system_, 0.0, x_, mode_, w_);
    gaps_.resize(static_cast<Index>(contacts_.size()));
    rates_.resize(gaps_.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      gaps_[static_cast<Index>(i)] = w_.contacts[contacts_[i]].gap;
      rates_[static_cast<Index>(i)] = w_.contacts[contacts_[i]].gap_rate;
    }
    return gaps_;
  }

  // M⁻¹Jᵀ with what the docks leave of it, and J M⁻¹Jᵀ. Expects the motion.
  void find_response() {
    const Model<double>& model = system_.model;
    const Matrix C = find_closure_rows(system_, mode_, w_);
    Matrix J = Matrix::Zero(static_cast<Index>(contacts_.size()), model.speed_count());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Contact<double>& c = system_.contacts[contacts_[i]];
      const ContactMotion<double>& p = w_.contacts[contacts_[i]];
      add_point_row(model, w_.motion, c.port_1.body, p.lever_1, c.port_2.body, p.lever_2, -p.n_N,
                    static_cast<Index>(i), J);
    }
    const Eigen::LLT<Matrix> inverse{Matrix(find_dense_mass(model, w_.motion))};
    response_ = inverse.solve(J.transpose());
    if (C.rows() > 0) {
      const Matrix docks = inverse.solve(C.transpose());
      response_ -= docks * (C * docks).completeOrthogonalDecomposition().solve(C * response_);
    }
    response_gaps_ = J * response_;
    gap_rows_ = std::move(J);
  }

  void find_basis() {
    find_gaps();
    find_response();
    const Eigen::SelfAdjointEigenSolver<Matrix> modes(response_gaps_);
    const double most = modes.eigenvalues().maxCoeff();
    const auto first = static_cast<Index>(
        std::count_if(modes.eigenvalues().begin(), modes.eigenvalues().end(),
                      [&](double value) { return !(value > kIndependent * most); }));
    const Matrix independent = modes.eigenvectors().rightCols(response_gaps_.cols() - first);
    basis_ = response_ * independent;
    basis_gaps_ = gap_rows_ * basis_;
    x_touching_ = x_;
  }

  void move(const Vector& delta) {
    displace<double>(system_.model, std::span(delta.data(), static_cast<std::size_t>(delta.size())),
                     std::span(x_).first(static_cast<std::size_t>(w_.layout.v)));
    close_docks();
  }
  void close_docks() {
    if (!mode_.rows.empty()) project(system_, 0.0, x_, mode_, w_);
  }
  // γ̇ = 0, twice for what rounding leaves.
  void stop() {
    for (int i = 0; i < 2; ++i) {
      find_gaps();
      find_response();
      const Vector change =
          response_ * response_gaps_.completeOrthogonalDecomposition().solve(rates_);
      for (Index s = 0; s < change.size(); ++s)
        x_[static_cast<std::size_t>(w_.layout.v + s)] -= change[s];
    }
    close_docks();
  }

  // γ̈ with the laws acting, displaced by y of the basis from where all touched.
  Vector find_accelerations(const Vector& y) {
    x_ = x_touching_;
    move(basis_ * y);
    stop();
    for (const std::size_t k : contacts_) mode_.contacts[k].now.touching = true;
    choose_rows(system_, 0.0, x_, mode_, w_);
    std::vector<double> x_dot(x_.size());
    find_derivative<double>(system_, 0.0, x_, mode_, w_, x_dot);
    std::vector<Dual> x_dual(x_.begin(), x_.end());
    for (std::size_t i = 0; i < x_.size(); ++i) set_slope(x_dual[i], 0, x_dot[i]);
    motion_stage<Dual>(dual_, 0.0, x_dual, lift_mode<Dual>(mode_), w_dual_);
    Vector out(static_cast<Index>(contacts_.size()));
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      out[static_cast<Index>(i)] = slope(w_dual_.contacts[contacts_[i]].gap_rate, 0);
    for (const std::size_t k : contacts_) mode_.contacts[k].now.touching = false;
    find_gaps();
    return out;
  }

  // Newton's method; a step that does not help is halved.
  bool solve(Vector y, double enough) {
    const auto find = [&](const Vector& at) { return find_accelerations(at); };
    Vector now = find(y);
    for (int i = 0; i < 60 && now.cwiseAbs().maxCoeff() > enough; ++i) {
      Matrix slopes(now.size(), y.size());
      const double h = 1e-6 * y.norm();
      for (Index j = 0; j < y.size(); ++j) {
        const Vector unit = h * Vector::Unit(y.size(), j);
        slopes.col(j) = (find(y + unit) - find(y - unit)) / (2 * h);
      }
      const Vector step = slopes.completeOrthogonalDecomposition().solve(-now);
      double part = 1;
      Vector tried = find(y + step);
      while (!(tried.norm() < now.norm()) && part > 1e-3) tried = find(y + (part *= 0.5) * step);
      if (!(tried.norm() < now.norm())) break;  // as far as rounding lets it
      y += part * step;
      now = tried;
    }
    now = find(y);
    return now.cwiseAbs().maxCoeff() <= 1e4 * enough;
  }

  System<double>& system_;
  const std::vector<std::size_t>& contacts_;
  Workspace<double> w_;
  Mode<double> mode_;
  std::vector<double> x_, x_touching_;
  System<Dual> dual_;
  Workspace<Dual> w_dual_;
  Vector gaps_, rates_;
  Matrix gap_rows_, response_, response_gaps_;  // J, M⁻¹Jᵀ, J M⁻¹Jᵀ
  Matrix basis_, basis_gaps_;  // independent displacements and what they do to gaps
};

}  // namespace

std::vector<NoEquilibrium> move_to_equilibrium(System<double>& system,
                                               const std::vector<std::size_t>& contacts) {
  std::vector<NoEquilibrium> problems;
  if (contacts.empty()) return problems;
  EquilibriumSearch search(system, contacts);
  const auto of_each = [&](auto&& says) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const std::string why = says(search.gaps()[static_cast<Index>(i)]);
      if (!why.empty()) problems.push_back({contacts[i], why});
    }
  };
  if (!search.touch()) {
    of_each([](double gap) {
      return std::fabs(gap) <= 1e3 * kTouching
                 ? ""
                 : fmt::format("cannot be brought to touch: {:.3g} m are left", gap);
    });
    return problems;
  }
  const bool rigid = std::all_of(contacts.begin(), contacts.end(),
                                 [&](std::size_t k) { return system.contacts[k].is_impact(); });
  if (!rigid && !search.press()) {
    of_each([](double) {
      return "no depth up to 1 m carries what presses on it: the law is too soft, or the craft "
             "topples";
    });
    return problems;
  }
  of_each([](double gap) {
    return gap <= kTouching ? ""
                            : fmt::format(
                                  "is lifted {:.3g} m where the others carry: it cannot "
                                  "start at equilibrium with them",
                                  gap);
  });
  if (problems.empty()) search.keep();
  return problems;
}

}  // namespace berth
