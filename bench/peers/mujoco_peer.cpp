// SPDX-License-Identifier: Apache-2.0
#include "mujoco_peer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <mujoco/mujoco.h>

#include "../tide.h"

namespace berth::bench {
namespace {

struct Free {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using Model = std::unique_ptr<mjModel, Free>;
using Data = std::unique_ptr<mjData, Free>;

// ------------------------------------------------------------------------------ MJCF text

std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}

std::string text(const Vec& v) { return text(v[0]) + " " + text(v[1]) + " " + text(v[2]); }

std::string inertial(double mass, const Vec& cm, const Vec& inertia) {
  return "<inertial pos='" + text(cm) + "' mass='" + text(mass) + "' diaginertia='" +
         text(inertia) + "'/>\n";
}

std::string part_name(std::size_t craft, std::size_t part) {
  return "joint_" + std::to_string(craft + 1) + "_" + std::to_string(part);
}

// Masses and inertias are taken as they are; whatever a free-floating tree does not need is off.
// Static bodies are fused into their parents, so that MuJoCo's one tree has no idle body.
std::string header(bool constrained) {
  return std::string(
             "<mujoco>\n"
             "<compiler angle='radian' coordinate='local' inertiafromgeom='false' boundmass='0' "
             "boundinertia='0' balanceinertia='false' fusestatic='true'/>\n"
             "<option integrator='RK4'><flag contact='disable' gravity='disable' "
             "limit='disable' frictionloss='disable' actuation='disable' sensor='disable' ") +
         (constrained ? "" : "constraint='disable' ") + "/></option>\n";
}

std::string part_body(const Part& part, const std::string& name) {
  const char* kind = part.joint == JointKind::revolute ? "hinge" : "slide";
  return "<body pos='" + text(part.point) + "'>\n<joint name='" + name + "' type='" + kind +
         "' axis='" + text(part.axis) + "' stiffness='" + text(part.stiffness) + "' damping='" +
         text(part.damping) + "'/>\n" + inertial(part.mass, part.cm, part.inertia) + "</body>\n";
}

std::string stack_xml(const StackNumbers& numbers, Docking docking, Outfit outfit) {
  std::string xml = header(docking == Docking::weld) + "<worldbody>\n";
  const Vec place[2] = {Vec{}, dock_offset(numbers)};
  for (std::size_t c = 0; c < 2; ++c) {
    const CraftNumbers& craft = numbers.craft[c];
    const std::string name = "hub_" + std::to_string(c + 1);
    const bool own_base = c == 0 || docking != Docking::one_tree;
    xml += "<body name='" + name + "' pos='" + text(place[c]) + "'>\n";
    if (own_base) xml += "<freejoint name='" + name + "'/>\n";
    xml += inertial(craft.mass, {}, craft.inertia);
    if (outfit == Outfit::complete)
      for (std::size_t p = 0; p < kParts; ++p) xml += part_body(craft.parts[p], part_name(c, p));
    if (docking != Docking::one_tree) xml += "</body>\n";
  }
  if (docking == Docking::one_tree) xml += "</body>\n</body>\n";
  xml += "</worldbody>\n";
  // The stiffest impedance MuJoCo accepts.
  if (docking == Docking::weld)
    xml +=
        "<equality><weld body1='hub_1' body2='hub_2' solimp='0.9999 0.9999 0.001'/></equality>\n";
  return xml + "</mujoco>\n";
}

// --------------------------------------------------------------------------------- loading

// The files (name, text) go into MuJoCo's virtual file system; the first is the model.
Model load(const std::vector<std::pair<std::string, std::string>>& files) {
  const auto vfs = std::make_unique<mjVFS>();  // 2 MB: not on the stack
  mj_defaultVFS(vfs.get());
  for (const auto& [name, xml] : files) {
    const int size = static_cast<int>(xml.size());
#if mjVERSION_HEADER >= 300
    if (mj_addBufferVFS(vfs.get(), name.c_str(), xml.data(), size) != 0)
      throw std::runtime_error("MuJoCo: no room for " + name);
#else
    if (mj_makeEmptyFileVFS(vfs.get(), name.c_str(), size) != 0)
      throw std::runtime_error("MuJoCo: no room for " + name);
    std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], xml.data(), xml.size());
#endif
  }
  char error[1000] = "";
  Model model(mj_loadXML(files.front().first.c_str(), vfs.get(), error, sizeof error));
  mj_deleteVFS(vfs.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

}  // namespace

// ----------------------------------------------------------------------------------- stack

struct MujocoStack::Impl {
  bool in_orbit = false;
  StackNumbers numbers;
  Docking docking;
  Outfit outfit;
  Model model;
  Data data;
  // Addresses in qpos and qvel; −1 where the model has no such joint.
  struct Address {
    int q = -1, v = -1;
  };
  std::array<Address, 2> hub;
  std::array<std::array<Address, kParts>, 2> part;

  Impl(const StackNumbers& n, Docking d, Outfit o)
      : numbers(n), docking(d), outfit(o), model(load({{"stack.xml", stack_xml(n, d, o)}})) {
    data.reset(mj_makeData(model.get()));
    for (std::size_t c = 0; c < 2; ++c) {
      hub[c] = find_address("hub_" + std::to_string(c + 1));
      for (std::size_t p = 0; p < kParts; ++p) part[c][p] = find_address(part_name(c, p));
    }
  }

  Address find_address(const std::string& joint) const {
    const int id = mj_name2id(model.get(), mjOBJ_JOINT, joint.c_str());
    if (id < 0) return {};
    return {model->jnt_qposadr[id], model->jnt_dofadr[id]};
  }
};

MujocoStack::MujocoStack(const StackNumbers& numbers, Docking docking, Outfit outfit)
    : impl_(std::make_unique<Impl>(numbers, docking, outfit)) {
  set_state(nominal_state(numbers));
}
MujocoStack::~MujocoStack() = default;
MujocoStack::MujocoStack(MujocoStack&&) noexcept = default;
MujocoStack& MujocoStack::operator=(MujocoStack&&) noexcept = default;

int MujocoStack::velocities() const { return static_cast<int>(impl_->model->nv); }
int MujocoStack::constraint_rows() const { return impl_->data->nefc; }

// A free joint's qpos is (r_N, q), its qvel (v_N at the frame origin, ω_B): our own order.
void MujocoStack::set_state(const StackState& s) {
  mjtNum* qpos = impl_->data->qpos;
  mjtNum* qvel = impl_->data->qvel;
  for (std::size_t c = 0; c < 2; ++c) {
    const CraftState& craft = s.craft[c];
    if (const auto [q, v] = impl_->hub[c]; q >= 0) {
      mju_copy3(qpos + q, craft.r.data());
      mju_copy4(qpos + q + 3, craft.q.data());
      mju_copy3(qvel + v, craft.v.data());
      mju_copy3(qvel + v + 3, craft.omega.data());
    }
    for (std::size_t p = 0; p < kParts; ++p)
      if (const auto [q, v] = impl_->part[c][p]; q >= 0) {
        qpos[q] = craft.x[p];
        qvel[v] = craft.xd[p];
      }
  }
}

StackState MujocoStack::state() const {
  const mjtNum* qpos = impl_->data->qpos;
  const mjtNum* qvel = impl_->data->qvel;
  StackState s{};
  for (std::size_t c = 0; c < 2; ++c) {
    CraftState& craft = s.craft[c];
    if (const auto [q, v] = impl_->hub[c]; q >= 0) {
      mju_copy3(craft.r.data(), qpos + q);
      mju_copy4(craft.q.data(), qpos + q + 3);
      mju_copy3(craft.v.data(), qvel + v);
      mju_copy3(craft.omega.data(), qvel + v + 3);
    }
    for (std::size_t p = 0; p < kParts; ++p)
      if (const auto [q, v] = impl_->part[c][p]; q >= 0) {
        craft.x[p] = qpos[q];
        craft.xd[p] = qvel[v];
      }
  }
  if (impl_->docking == Docking::one_tree) place_hub_2(impl_->numbers, s);
  return s;
}

void MujocoStack::forward() { mj_forward(impl_->model.get(), impl_->data.get()); }

StackAcceleration MujocoStack::accelerations() const {
  const mjtNum* qacc = impl_->data->qacc;
  StackAcceleration a{};
  for (std::size_t c = 0; c < 2; ++c) {
    if (const int v = impl_->hub[c].v; v >= 0) {
      mju_copy3(a.craft[c].v.data(), qacc + v);
      mju_copy3(a.craft[c].omega.data(), qacc + v + 3);
    }
    for (std::size_t p = 0; p < kParts; ++p)
      if (const int v = impl_->part[c][p].v; v >= 0) a.craft[c].xdd[p] = qacc[v];
  }
  if (impl_->docking == Docking::one_tree) place_hub_2(impl_->numbers, state(), a);
  return a;
}

namespace {

// Called before every evaluation of the accelerations: the tide on every body, at its c.m.
void push_by_tide(const mjModel* m, mjData* d) {
  static const Tide tide;
  const Vec R = tide.reference(d->time);
  for (int i = 1; i < m->nbody; ++i) {
    const mjtNum* at = d->xipos + 3 * i;
    const mjtNum* axes = d->ximat + 9 * i;  // principal axes to N
    const mjtNum* moments = m->body_inertia + 3 * i;
    const Vec rho = {at[0], at[1], at[2]};
    const Vec f = m->body_mass[i] * Tide::acceleration(R, rho);
    const Vec r = R + rho;
    Vec I_r{};
    for (int k = 0; k < 3; ++k) {
      const Vec axis = {axes[k], axes[3 + k], axes[6 + k]};
      I_r = I_r + (moments[k] * dot(axis, r)) * axis;
    }
    const Vec n = Tide::torque(r, I_r);
    mju_copy3(d->xfrc_applied + 6 * i, f.data());
    mju_copy3(d->xfrc_applied + 6 * i + 3, n.data());
  }
}

}  // namespace

void MujocoStack::set_in_orbit() { impl_->in_orbit = true; }

long MujocoStack::run(double seconds, double step) {
  const long steps = std::lround(seconds / step);
  impl_->model->opt.timestep = step;
  mjcb_control = impl_->in_orbit ? push_by_tide : nullptr;
  for (long i = 0; i < steps; ++i) mj_step(impl_->model.get(), impl_->data.get());
  mjcb_control = nullptr;
  return 4 * steps;
}

// ----------------------------------------------------------------------------------- chain

namespace {

// The XML reader refuses more than a hundred nested elements, so a long chain is a chain of
// included files, each holding the links after those of the file before it.
std::vector<std::pair<std::string, std::string>> chain_files(std::size_t links) {
  constexpr std::size_t kLinksPerFile = 50;
  const auto file_name = [](std::size_t file) { return "chain_" + std::to_string(file) + ".xml"; };
  std::vector<std::pair<std::string, std::string>> files;
  for (std::size_t first = 0; first < links; first += kLinksPerFile) {
    const std::size_t last = std::min(first + kLinksPerFile, links);
    std::string xml = first == 0 ? header(false) + "<worldbody>\n" : "<mujocoinclude>\n";
    for (std::size_t i = first; i < last; ++i)
      xml += "<body pos='" + text(Vec{i == 0 ? 0. : kLinkLength, 0., 0.}) +
             "'>\n<joint type='hinge' axis='" + text(link_axis(i)) + "'/>\n" +
             inertial(kLinkMass, kLinkCm, kLinkInertia);
    if (last < links) xml += "<include file='" + file_name(files.size() + 1) + "'/>\n";
    for (std::size_t i = first; i < last; ++i) xml += "</body>\n";
    xml += first == 0 ? "</worldbody>\n</mujoco>\n" : "</mujocoinclude>\n";
    files.emplace_back(file_name(files.size()), std::move(xml));
  }
  return files;
}

}  // namespace

struct MujocoChain::Impl {
  Model model;
  Data data;
};

MujocoChain::MujocoChain(std::size_t links) : impl_(std::make_unique<Impl>()) {
  impl_->model = load(chain_files(links));
  impl_->data.reset(mj_makeData(impl_->model.get()));
  if (impl_->model->nv != static_cast<int>(links))
    throw std::runtime_error("MuJoCo: the chain lost links");
  set_state(nominal_chain_state(links));
}
MujocoChain::~MujocoChain() = default;

void MujocoChain::set_state(const ChainState& s) {
  mju_copy(impl_->data->qpos, s.x.data(), static_cast<int>(impl_->model->nq));
  mju_copy(impl_->data->qvel, s.xd.data(), static_cast<int>(impl_->model->nv));
}

void MujocoChain::forward() { mj_forward(impl_->model.get(), impl_->data.get()); }

std::vector<double> MujocoChain::accelerations() const {
  return {impl_->data->qacc, impl_->data->qacc + impl_->model->nv};
}

}  // namespace berth::bench
