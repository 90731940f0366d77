// SPDX-License-Identifier: Apache-2.0
#include "berth/system/impacts.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "berth/scalar/elementary.h"
#include "berth/system/dense_rows.h"

namespace berth {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

// The points as they see one another: three numbers each, normal first, and B with u⁺ = u⁻ + B λ.
class Points {
 public:
  Points(Matrix matrix, Vector speeds, const std::vector<ImpactPoint>& points)
      : B(std::move(matrix)), u(std::move(speeds)), points_(points) {}

  Matrix B;
  Vector u;  // before

  // Impulses with every restitution scaled.
  Vector solve(bool sequential, double scale) const {
    if (sequential && !points_.empty()) return solve_sequentially(scale);
    Vector lambda = solve_normals(scale);
    const bool rough = std::any_of(points_.begin(), points_.end(),
                                   [](const ImpactPoint& p) { return p.friction > 0; });
    if (rough) add_friction(scale, lambda);
    return lambda;
  }
  // [J] what the impulses bring.
  double find_gain(const Vector& lambda) const { return lambda.dot(u + 0.5 * (B * lambda)); }

  // (2) by trying which of them are hit: the few that may be.
  Vector solve_normals(double scale) const {
    const Index k = count();
    Vector q(k);
    for (Index i = 0; i < k; ++i) q[i] = u[3 * i] + find_bounce(i, scale);
    const double small = 1e-12 * q.cwiseAbs().maxCoeff();
    Vector best = Vector::Zero(3 * k);
    double least = INFINITY;
    const unsigned sets = 1u << std::min<Index>(k, 12);
    for (unsigned set = 0; set < sets; ++set) {
      std::vector<Index> in;
      for (Index i = 0; i < k; ++i)
        if (i < 12 ? (set >> i & 1u) != 0 : q[i] < 0) in.push_back(i);
      const auto n = static_cast<Index>(in.size());
      Matrix S(n, n);
      Vector r(n);
      for (Index a = 0; a < n; ++a) {
        r[a] = -q[in[static_cast<std::size_t>(a)]];
        for (Index b = 0; b < n; ++b)
          S(a, b) = B(3 * in[static_cast<std::size_t>(a)], 3 * in[static_cast<std::size_t>(b)]);
      }
      const Vector x = n > 0 ? Vector(S.completeOrthogonalDecomposition().solve(r)) : Vector(0);
      Vector lambda = Vector::Zero(3 * k);
      for (Index a = 0; a < n; ++a) lambda[3 * in[static_cast<std::size_t>(a)]] = x[a];
      const Vector moved = B * lambda;
      double wrong = 0;
      for (Index i = 0; i < k; ++i) {
        wrong = std::max(wrong, -(moved[3 * i] + q[i]));
        wrong = std::max(wrong, -lambda[3 * i] * B(3 * i, 3 * i));
      }
      if (wrong < least) {
        least = wrong;
        best = lambda;
      }
      if (least <= small) break;
    }
    return best;
  }

 private:
  Index count() const { return static_cast<Index>(points_.size()); }
  // What an approach comes back with; who goes away already has nothing to give back.
  double find_bounce(Index i, double scale) const {
    return scale * points_[static_cast<std::size_t>(i)].restitution * std::min(u[3 * i], 0.0);
  }

  // (4) for one point with the others as they are: `w` its speeds with its own impulse taken away.
  Eigen::Vector3d solve_point(Index i, const Eigen::Vector3d& w, double scale) const {
    const Eigen::Matrix3d S = B.block<3, 3>(3 * i, 3 * i);
    const double wanted = w[0] + find_bounce(i, scale);
    const double mu = points_[static_cast<std::size_t>(i)].friction;
    if (wanted >= 0) return Eigen::Vector3d::Zero();
    if (!(mu > 0)) return {-wanted / S(0, 0), 0, 0};
    const Eigen::Vector3d stick =
        S.completeOrthogonalDecomposition().solve(Eigen::Vector3d(-wanted, -w[1], -w[2]));
    if (stick[0] >= 0 && hypot(stick[1], stick[2]) <= mu * stick[0]) return stick;
    Eigen::Vector2d d(w[1], w[2]);
    if (d.norm() == 0) d = {-stick[1], -stick[2]};
    d.normalize();
    Eigen::Vector3d lambda;
    for (int tries = 0; tries < 100; ++tries) {
      const double along = S(0, 0) - mu * (S(0, 1) * d[0] + S(0, 2) * d[1]);
      if (!(along > 1e-3 * S(0, 0))) return {-wanted / S(0, 0), 0, 0};  // it would jam
      const double n = -wanted / along;
      lambda = {n, -mu * n * d[0], -mu * n * d[1]};
      const Eigen::Vector3d after = w + S * lambda;
      Eigen::Vector2d slip(after[1], after[2]);
      if (slip.norm() < 1e-14 * w.norm()) break;
      slip.normalize();
      if ((slip - d).norm() < 1e-14) break;
      d = (d + slip).norm() > 1e-6 ? Eigen::Vector2d((d + slip).normalized()) : slip;
    }
    return lambda;
  }
  void add_friction(double scale, Vector& lambda) const {
    for (int sweep = 0; sweep < 500; ++sweep) {
      double change = 0;
      for (Index i = 0; i < count(); ++i) {
        const Eigen::Vector3d own = lambda.segment<3>(3 * i);
        const Eigen::Vector3d w =
            (u + B * lambda).segment<3>(3 * i) - B.block<3, 3>(3 * i, 3 * i) * own;
        const Eigen::Vector3d fresh = solve_point(i, w, scale);
        change = std::max(change, (fresh - own).norm());
        lambda.segment<3>(3 * i) = fresh;
      }
      if (change <= 1e-15 * lambda.norm()) break;
    }
  }

  // (3). An impact on one may set others going again; who never come to an end stop dead.
  Vector solve_sequentially(double scale) const {
    Vector lambda = Vector::Zero(3 * count());
    const double slow = 1e-13 * u.cwiseAbs().maxCoeff();
    for (int impacts = 0; impacts < 10000; ++impacts) {
      const Vector now = u + B * lambda;
      Index first = 0;
      for (Index i = 1; i < count(); ++i)
        if (now[3 * i] < now[3 * first]) first = i;
      if (now[3 * first] >= -slow) return lambda;
      // As if it came with the speed it has now.
      Points alone(*this);
      alone.u = now;
      lambda.segment<3>(3 * first) += alone.solve_point(first, now.segment<3>(3 * first), scale);
    }
    return solve_normals(0);
  }

  const std::vector<ImpactPoint>& points_;
};

}  // namespace

ImpactResult find_impact(const System<double>& system, const Mode<double>& mode,
                         const Workspace<double>& w, const std::vector<ImpactPoint>& points,
                         bool sequential) {
  const Model<double>& model = system.model;
  const auto n = static_cast<Index>(model.speed_count()), m = static_cast<Index>(mode.rows.size()),
             k = static_cast<Index>(points.size());
  const MassMatrix M = find_dense_mass(model, w.motion);
  Matrix J = Matrix::Zero(m + 3 * k, n);
  J.topRows(m) = find_closure_rows(system, mode, w);
  std::vector<std::array<Vec3<double>, 3>> axes;
  for (Index i = 0; i < k; ++i) {
    const ImpactPoint& p = points[static_cast<std::size_t>(i)];
    const Normals<double> across = find_normals(p.n_N);
    axes.push_back({p.n_N, across.first, across.second});
    for (std::size_t a = 0; a < 3; ++a)
      add_point_row(model, w.motion, p.body_1, p.lever_1, p.body_2, p.lever_2, axes.back()[a],
                    m + 3 * i + static_cast<Index>(a), J);
  }
  const Matrix answer = M.llt().solve(J.transpose());
  const Matrix A = J * answer;
  const Eigen::Map<const Vector> v(w.motion.v.data(), n);
  const Vector speeds = J * v;
  // What the docks leave of it.
  const Matrix through =
      m > 0 ? Matrix(A.topLeftCorner(m, m).ldlt().solve(A.topRightCorner(m, 3 * k)))
            : Matrix(0, 3 * k);
  Matrix B = A.bottomRightCorner(3 * k, 3 * k) - A.bottomLeftCorner(3 * k, m) * through;
  Vector u = speeds.tail(3 * k);
  // Points that docks hold in place cannot be hit.
  for (Index i = 0; i < k; ++i) {
    if (B(3 * i, 3 * i) > 1e-10 * A(m + 3 * i, m + 3 * i)) continue;
    B.middleRows(3 * i, 3).setZero();
    B.middleCols(3 * i, 3).setZero();
    u.segment(3 * i, 3).setZero();
  }
  const Points solver(std::move(B), std::move(u), points);

  // No energy comes of it and nobody goes deeper; else something has to be given up.
  const double energy = 1e-14 * 0.5 * v.dot(M * v), slow = 1e-10 * solver.u.cwiseAbs().maxCoeff();
  const auto is_good = [&](const Vector& impulses) {
    const Vector after = solver.u + solver.B * impulses;
    for (Index i = 0; i < k; ++i)
      if (!(after[3 * i] >= -slow)) return false;
    return solver.find_gain(impulses) <= energy;
  };
  Vector lambda = solver.solve(sequential, 1);
  if (!is_good(lambda)) {
    double low = 0, high = 1;
    for (int tries = 0; tries < 30; ++tries) {
      const double scale = 0.5 * (low + high);
      (is_good(solver.solve(sequential, scale)) ? low : high) = scale;
    }
    lambda = solver.solve(sequential, low);
  }
  if (!is_good(lambda)) lambda = solver.solve_normals(1);
  if (!is_good(lambda)) lambda = solver.solve_normals(0);

  ImpactResult out;
  Vector all(m + 3 * k);
  all.head(m) = -through * lambda;
  all.tail(3 * k) = lambda;
  const Vector after = v + answer * all;
  out.v.assign(after.begin(), after.end());
  const Vector u_after = solver.u + solver.B * lambda;
  for (Index i = 0; i < k; ++i) {
    out.before.push_back(solver.u[3 * i]);
    out.after.push_back(u_after[3 * i]);
    Vec3<double> impulse;
    for (std::size_t a = 0; a < 3; ++a)
      impulse += lambda[3 * i + static_cast<Index>(a)] * axes[static_cast<std::size_t>(i)][a];
    out.impulse_N.push_back(impulse);
    const auto work = [&](Index a) { return 0.5 * lambda[a] * (solver.u[a] + u_after[a]); };
    out.normal_work.push_back(work(3 * i));
    out.friction_work.push_back(work(3 * i + 1) + work(3 * i + 2));
  }
  return out;
}

}  // namespace berth
