// SPDX-License-Identifier: Apache-2.0
#include "pinocchio_peer.h"

#include <filesystem>
#include <memory>
#include <string>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/codegen/cppadcg-algo.hpp>
#include <pinocchio/multibody.hpp>

#include "berth/compile/temporary_folder.h"

namespace berth::bench {
namespace {

namespace pin = pinocchio;
using Vector3 = Eigen::Vector3d;

Vector3 vector_of(const Vec& v) { return {v[0], v[1], v[2]}; }
Eigen::Quaterniond rotation_of(const Quat& q) { return {q[0], q[1], q[2], q[3]}; }

// The quickest of its joints for each axis.
pin::JointModel build_joint(const Part& part) {
  const Vector3 axis = vector_of(part.axis);
  const bool turns = part.joint == JointKind::revolute;
  if (axis.x() == 1) return turns ? pin::JointModel(pin::JointModelRX()) : pin::JointModelPX();
  if (axis.y() == 1) return turns ? pin::JointModel(pin::JointModelRY()) : pin::JointModelPY();
  if (axis.z() == 1) return turns ? pin::JointModel(pin::JointModelRZ()) : pin::JointModelPZ();
  if (turns) return pin::JointModelRevoluteUnaligned(axis);
  return pin::JointModelPrismaticUnaligned(axis);
}

pin::Inertia inertia_of(double mass, const Vec& cm, const Vec& moments) {
  return {mass, vector_of(cm), vector_of(moments).asDiagonal().toDenseMatrix()};
}

struct GeneratedAba : pin::CodeGenABA<double> {
  explicit GeneratedAba(const pin::Model& model) : pin::CodeGenABA<double>(model) {
    build_jacobian = false;  // takes far longer to compile, and nobody asks for it
  }
  using pin::CodeGenABA<double>::res;  // accelerations
};

}  // namespace

struct PinocchioStack::Impl {
  pin::Model model;
  pin::Data data;
  Eigen::VectorXd q, v, tau, stiffness, damping;
  struct Address {
    int q, v;
  };
  std::array<Address, 2> hub;
  std::array<std::array<Address, kParts>, 2> part;
  std::unique_ptr<GeneratedAba> generated;

  explicit Impl(const StackNumbers& numbers) {
    model.gravity.setZero();
    const auto add = [&](pin::JointIndex parent, const pin::JointModel& joint, const Vec& at,
                         const pin::Inertia& inertia) {
      const pin::JointIndex j =
          model.addJoint(parent, joint, pin::SE3(Eigen::Matrix3d::Identity(), vector_of(at)),
                         "joint" + std::to_string(model.njoints));
      model.appendBodyToJoint(j, inertia, pin::SE3::Identity());
      return j;
    };
    const auto address = [&](pin::JointIndex j) {
      return Address{model.joints[j].idx_q(), model.joints[j].idx_v()};
    };
    std::array<std::array<pin::JointIndex, kParts>, 2> joints{};
    for (std::size_t c = 0; c < 2; ++c) {
      const CraftNumbers& craft = numbers.craft[c];
      const pin::JointIndex h =
          add(0, pin::JointModelFreeFlyer(), {}, inertia_of(craft.mass, {}, craft.inertia));
      hub[c] = address(h);
      for (std::size_t i = 0; i < kParts; ++i) {
        const Part& p = craft.parts[i];
        joints[c][i] = add(h, build_joint(p), p.point, inertia_of(p.mass, p.cm, p.inertia));
        part[c][i] = address(joints[c][i]);
      }
    }
    data = pin::Data(model);
    q = Eigen::VectorXd::Zero(model.nq);
    v = tau = stiffness = damping = Eigen::VectorXd::Zero(model.nv);
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t i = 0; i < kParts; ++i) {
        stiffness[part[c][i].v] = numbers.craft[c].parts[i].stiffness;
        damping[part[c][i].v] = numbers.craft[c].parts[i].damping;
      }
  }

  void find_efforts() {
    for (const auto& craft : part)
      for (const auto& [at_q, at_v] : craft)
        tau[at_v] = -stiffness[at_v] * q[at_q] - damping[at_v] * v[at_v];
  }
};

PinocchioStack::PinocchioStack(const StackNumbers& numbers)
    : impl_(std::make_unique<Impl>(numbers)) {
  set_state(nominal_state(numbers));
}
PinocchioStack::~PinocchioStack() = default;

void PinocchioStack::set_state(const StackState& s) {
  for (std::size_t c = 0; c < 2; ++c) {
    const CraftState& craft = s.craft[c];
    const Eigen::Quaterniond R_NB = rotation_of(craft.q);
    const auto [q, v] = impl_->hub[c];
    impl_->q.segment<3>(q) = vector_of(craft.r);
    impl_->q.segment<4>(q + 3) = R_NB.coeffs();  // scalar last
    impl_->v.segment<3>(v) = R_NB.conjugate() * vector_of(craft.v);
    impl_->v.segment<3>(v + 3) = vector_of(craft.omega);
    for (std::size_t i = 0; i < kParts; ++i) {
      impl_->q[impl_->part[c][i].q] = craft.x[i];
      impl_->v[impl_->part[c][i].v] = craft.xd[i];
    }
  }
}

void PinocchioStack::forward() {
  Impl& m = *impl_;
  m.find_efforts();
  pin::aba(m.model, m.data, m.q, m.v, m.tau, pin::Convention::LOCAL);
}

void PinocchioStack::generate() {
  // Sources and library are written where the process is.
  const TemporaryFolder folder;
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  impl_->generated = std::make_unique<GeneratedAba>(impl_->model);
  impl_->generated->initLib();
  impl_->generated->loadLib();
  std::filesystem::current_path(here);
}

void PinocchioStack::forward_generated() {
  Impl& m = *impl_;
  m.find_efforts();
  m.generated->evalFunction(m.q, m.v, m.tau);
  m.data.ddq = m.generated->res;
}

StackAcceleration PinocchioStack::accelerations() const {
  StackAcceleration out{};
  for (std::size_t c = 0; c < 2; ++c) {
    const auto [q, v] = impl_->hub[c];
    const Eigen::Quaterniond R_NB(impl_->q.segment<4>(q + 3));
    const Vector3 v_B = impl_->v.segment<3>(v), omega = impl_->v.segment<3>(v + 3);
    // Of the point, not of the body-fixed components.
    const Vector3 a = R_NB * (impl_->data.ddq.segment<3>(v) + omega.cross(v_B));
    for (int k = 0; k < 3; ++k) {
      out.craft[c].v[static_cast<std::size_t>(k)] = a[k];
      out.craft[c].omega[static_cast<std::size_t>(k)] = impl_->data.ddq[v + 3 + k];
    }
    for (std::size_t i = 0; i < kParts; ++i)
      out.craft[c].xdd[i] = impl_->data.ddq[impl_->part[c][i].v];
  }
  return out;
}

}  // namespace berth::bench
