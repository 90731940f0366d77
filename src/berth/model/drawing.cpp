// SPDX-License-Identifier: Apache-2.0
#include "berth/model/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "berth/scalar/elementary.h"

namespace berth {
namespace {

// The turn that takes x to this direction.
Quaternion<double> turn_of_x(const Vec3<double>& direction) {
  const Vec3<double> x = normalised(direction);
  const Vec3<double> hint = std::fabs(x.z) < 0.9 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
  return quaternion(axes_from_x_and_z(x, hint));
}

double find_water_radius(double mass) { return berth::cbrt(0.75 * mass / (M_PI * 1000)); }

struct InertiaBox {
  Vec3<double> size;
  Quaternion<double> q;  // principal axes in the body's
};

// (1). What a body of no extent would lack is a hundredth of its largest side; of none at all, nothing.
InertiaBox find_box(const Body<double>& b) {
  const Sym3<double>& I = b.I_C_B;
  Eigen::Vector3d moments(I.xx, I.yy, I.zz);
  InertiaBox box;
  const double off = std::max({std::fabs(I.xy), std::fabs(I.xz), std::fabs(I.yz)});
  if (off > 1e-3 * trace(I)) {
    const Eigen::Matrix3d full =
        (Eigen::Matrix3d() << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz).finished();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(full);
    if (principal.info() == Eigen::Success) {
      Eigen::Matrix3d R = principal.eigenvectors();
      // Each axis goes where the body's own axis is nearest, so that boxes stand as one expects.
      Eigen::Matrix3d sorted;
      Eigen::Vector3d by;
      std::array<bool, 3> taken{};
      for (int k = 0; k < 3; ++k) {
        int best = -1;
        for (int j = 0; j < 3; ++j)
          if (!taken[static_cast<std::size_t>(j)] &&
              (best < 0 || std::fabs(R(k, j)) > std::fabs(R(k, best))))
            best = j;
        taken[static_cast<std::size_t>(best)] = true;
        sorted.col(k) = (R(k, best) < 0 ? -1.0 : 1.0) * R.col(best);
        by(k) = principal.eigenvalues()(best);
      }
      if (sorted.determinant() < 0) sorted.col(2) = -sorted.col(2);
      const auto column = [&](int k) {
        return Vec3<double>{sorted(0, k), sorted(1, k), sorted(2, k)};
      };
      box.q = quaternion(Mat3<double>::columns(column(0), column(1), column(2)));
      moments = by;
    }
  }
  const double sum = moments.sum();
  const auto side = [&](int k) {
    return std::sqrt(std::max(6 * (sum - 2 * moments(k)) / b.mass, 0.0));
  };
  box.size = {side(0), side(1), side(2)};
  const double largest = std::max({box.size.x, box.size.y, box.size.z});
  if (!std::isfinite(largest)) return {{}, {}};
  for (double* s : {&box.size.x, &box.size.y, &box.size.z}) *s = std::max(*s, 0.01 * largest);
  return box;
}

}  // namespace

std::string_view name_of(Solid::Kind kind) {
  constexpr std::string_view names[] = {"box", "sphere", "cylinder", "capsule", "cone", "plane"};
  return names[static_cast<std::size_t>(kind)];
}
std::string_view name_of(BodyKind kind) {
  constexpr std::string_view names[] = {"hub",   "body",  "payload", "panel",
                                        "wheel", "slosh", "link"};
  return names[static_cast<std::size_t>(kind)];
}

Solid make_box(const Vec3<double>& size, const Vec3<double>& at, const Quaternion<double>& q) {
  return {.kind = Solid::box, .at = at, .q = q, .size = size};
}
Solid make_ball(double radius, const Vec3<double>& at) {
  return {.kind = Solid::sphere, .at = at, .q = {}, .radius = radius};
}
Solid make_bar(const Vec3<double>& from, const Vec3<double>& to, double radius) {
  return {.kind = Solid::cylinder,
          .at = 0.5 * (from + to),
          .q = turn_of_x(to - from),
          .radius = radius,
          .length = norm(to - from)};
}

Vec3<double> find_box_size(const Body<double>& b) { return find_box(b).size; }

std::vector<Solid> draw_solid(const Body<double>& b) {
  std::vector<Solid> solids;
  const InertiaBox box = find_box(b);
  const double largest = std::max({box.size.x, box.size.y, box.size.z});
  const double arm = norm(b.r_CB_B);
  if (largest > 1e-9) {
    solids.push_back(make_box(box.size, b.r_CB_B, box.q));
  } else {
    solids.push_back(make_ball(find_water_radius(b.mass), b.r_CB_B));
  }
  // A mass far out on a joint hangs on something.
  if (!b.hub && arm > 0.75 * largest && arm > 1e-6)
    solids.push_back(make_bar({}, b.r_CB_B, 0.02 * arm));
  return solids;
}

std::vector<Solid> draw_panel(const Body<double>& b) {
  InertiaBox box = find_box(b);
  double* sides[] = {&box.size.x, &box.size.y, &box.size.z};
  std::sort(std::begin(sides), std::end(sides), [](double* a, double* c) { return *a < *c; });
  if (!(*sides[2] > 1e-9)) return draw_solid(b);
  *sides[0] = std::min(*sides[0], 0.03 * *sides[2]);
  return {make_box(box.size, b.r_CB_B, box.q)};
}

std::vector<Solid> draw_disc(const Body<double>& b) {
  const double r = std::sqrt(2 * b.I_C_B.zz / b.mass);  // (2)
  const double h = std::sqrt(std::max(12 * b.I_C_B.xx / b.mass - 3 * r * r, 0.0));
  const double thickness = std::clamp(h, 0.15 * r, r);
  return {make_bar({0, 0, -0.5 * thickness}, {0, 0, 0.5 * thickness}, r)};
}

std::vector<Solid> draw_ball(const Body<double>& b) {
  return {make_ball(find_water_radius(b.mass), b.r_CB_B)};
}

std::vector<Solid> draw_link(const Vec3<double>& end) {
  const double length = norm(end), radius = std::clamp(0.05 * length, 0.01, 0.15);
  std::vector<Solid> solids{make_ball(1.4 * radius, {})};
  if (length > 1e-6) solids.push_back(make_bar({}, end, radius));
  return solids;
}

}  // namespace berth
