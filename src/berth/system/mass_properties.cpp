// SPDX-License-Identifier: Apache-2.0
#include "berth/system/mass_properties.h"

#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>

namespace berth {

MassProperties find_mass_properties(const Model<double>& model, const Motion<double>& motion,
                                    int body) {
  MassProperties out;
  for (int i = 1; i < model.body_count(); ++i) {
    if (!model.hangs_on(i, body)) continue;
    out.mass += model.body(i).mass;
    out.centre_of_mass_N += model.body(i).mass * (motion.body(i).r_BN_N + motion.body(i).r_CB_N);
  }
  out.centre_of_mass_N = (1 / out.mass) * out.centre_of_mass_N;
  for (int i = 1; i < model.body_count(); ++i) {
    if (!model.hangs_on(i, body)) continue;
    const BodyMotion<double>& m = motion.body(i);
    const Vec3<double> r = m.r_BN_N + m.r_CB_N - out.centre_of_mass_N;
    out.inertia_N += m.I_C_N + point_inertia(model.body(i).mass, r);
  }
  return out;
}

double find_joined_mass(const System<double>& system, int body) {
  const Model<double>& model = system.model;
  std::vector<bool> joined(static_cast<std::size_t>(model.body_count()), false);
  joined[static_cast<std::size_t>(body)] = true;
  for (bool grows = true; grows;) {
    grows = false;
    const auto join = [&](int i, int k) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(k);
      if (joined[a] == joined[b]) return;
      joined[a] = joined[b] = grows = true;
    };
    for (int i = 1; i < model.body_count(); ++i)
      if (model.body(i).joint != JointType::free) join(i, model.body(i).parent);
    for (const Dock<double>& d : system.docks)
      if (d.engaged) join(d.port_1.body, d.port_2.body);
  }
  if (joined[kGround]) return INFINITY;
  double mass = 0;
  for (int i = 1; i < model.body_count(); ++i)
    if (joined[static_cast<std::size_t>(i)]) mass += model.body(i).mass;
  return mass;
}

double find_largest_moment(const Sym3<double>& I) {
  Eigen::Matrix3d m;
  m << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace berth
