// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every function of system/ for one scalar. Each scalar has a translation unit of its own: they
// compile side by side.

#include "berth/system/lift_system_impl.h"
#include "berth/system/system_impl.h"

#define BERTH_INSTANTIATE_SYSTEM(T)                                                                \
  namespace berth {                                                                                \
  template Layout System<T>::layout() const;                                                       \
  template Workspace<T>::Workspace(const System<T>&);                                              \
  template void find_motion(const Model<T>&, std::span<const T>, std::span<const T>, Motion<T>&);  \
  template void find_rates(const Model<T>&, std::span<const T>, std::span<const T>, std::span<T>); \
  template void normalise_quaternions(const Model<T>&, std::span<T>);                              \
  template void solve_accelerations(const Model<T>&, const Motion<T>&, const Effort<T>&,           \
                                    Articulated<T>&, std::span<T>, const Prescribed<T>*);          \
  template Wrench<T> find_joint_wrench(const Model<T>&, const Motion<T>&, const Articulated<T>&,   \
                                       int);                                                       \
  template void find_joint_efforts(const Model<T>&, const Motion<T>&, const Effort<T>&,            \
                                   std::span<const T>, std::span<T>);                              \
  template void find_mass_matrix(const Model<T>&, const Motion<T>&, std::span<Inertia6<T>>,        \
                                 std::span<T>);                                                    \
  template void find_jacobian(const Model<T>&, const Motion<T>&, int, const Vec3<T>&,              \
                              std::span<T>);                                                       \
  template Momentum<T> find_momentum(const Model<T>&, const Motion<T>&);                           \
  template T find_kinetic_energy(const Model<T>&, const Motion<T>&);                               \
  template std::vector<T> find_initial_state(const System<T>&);                                    \
  template void motion_stage(const System<T>&, T, std::span<const T>, const Mode<T>&,              \
                             Workspace<T>&);                                                       \
  template void idle_dock_stage(const System<T>&, std::span<const T>, Workspace<T>&);              \
  template void idle_contact_stage(const System<T>&, std::span<const T>, const Mode<T>&,           \
                                   Workspace<T>&);                                                 \
  template void command_stage(const System<T>&, std::span<const T>, const Mode<T>&,                \
                              Workspace<T>&);                                                      \
  template void effort_stage(const System<T>&, Workspace<T>&);                                     \
  template void acceleration_stage(const System<T>&, const Mode<T>&, Workspace<T>&, std::span<T>,  \
                                   bool);                                                          \
  template void closure_stage(const System<T>&, std::span<const T>, const Mode<T>&,                \
                              Workspace<T>&);                                                      \
  template void push_docks(const System<T>&, Workspace<T>&);                                       \
  template void solve_multipliers(const System<T>&, const Mode<T>&, Workspace<T>&, std::span<T>,   \
                                  bool);                                                           \
  template void find_row_jacobian(const System<T>&, const Mode<T>&, const Workspace<T>&, T*,       \
                                  std::size_t);                                                    \
  template void find_row_matrix(const System<T>&, const Mode<T>&, Workspace<T>&, bool);            \
  template void find_load_response(const System<T>&, const Mode<T>&, Workspace<T>&, bool);         \
  template void solve_sliding(const Mode<T>&, Workspace<T>&);                                      \
  template void find_fused_loads(const System<T>&, Workspace<T>&);                                 \
  template void find_observed_loads(const System<T>&, const Mode<T>&, Workspace<T>&);              \
  template void find_rows(const System<T>&, const Mode<T>&, Workspace<T>&);                        \
  template void factor_rows(const System<T>&, const Mode<T>&, Workspace<T>&);                      \
  template void pull_positions(const System<T>&, const T&, std::span<T>, const Mode<T>&,           \
                               Workspace<T>&, int);                                                \
  template void pull_rates(const System<T>&, std::span<T>, const Mode<T>&, Workspace<T>&);         \
  template void stop_rows(const System<T>&, const T&, std::span<T>, const Mode<T>&, Workspace<T>&, \
                          std::span<Wrench<T>>);                                                   \
  template Group<T> find_group(const System<T>&, const Mode<T>&, int, const Motion<T>&);           \
  template void restore_momentum(const System<T>&, const Mode<T>&, int, const Group<T>&,           \
                                 const Motion<T>&, std::span<T>, std::span<T>);                    \
  template void write_hub(const Model<T>&, int, const Motion<T>&, std::span<T>, std::span<T>);     \
  template void displace(const Model<T>&, std::span<const T>, std::span<T>);                       \
  template T find_press_margin(const Contact<T>&, const ContactMotion<T>&);                        \
  template T find_stick_margin(const Contact<T>&, const ContactMotion<T>&, const Grip&);           \
  template T find_energy(const Dock<T>&, const DockMotion<T>&);                                    \
  template T find_power_lost(const Dock<T>&, const DockMotion<T>&);                                \
  template T find_power_supplied(const Dock<T>&, const DockMotion<T>&);                            \
  template Violation<T> find_violation(const Dock<T>&, const DockMotion<T>&);                      \
  template LoadAxes<T> find_load_axes(const Model<T>&, const Dock<T>&, const Motion<T>&);          \
  template void factor_hubs(const Model<T>&, const Articulated<T>&, std::span<const int>,          \
                            Response<T>&);                                                         \
  template void find_response(const Model<T>&, const Motion<T>&, const Articulated<T>&,            \
                              std::span<const int>, Response<T>&);                                 \
  template void find_state_rates(const System<T>&, std::span<const T>, const Workspace<T>&,        \
                                 std::span<T>);                                                    \
  template void find_derivative(const System<T>&, T, std::span<const T>, const Mode<T>&,           \
                                Workspace<T>&, std::span<T>);                                      \
  template void find_outputs(const System<T>&, std::span<const T>, const Mode<T>&, Workspace<T>&); \
  template void recentre(const System<T>&, const Vec3<T>&, const Vec3<T>&, std::span<T>);          \
  template CentreOfMass<T> find_centre_of_mass(const Model<T>&, const Motion<T>&);                 \
  template Balance<T> find_balance(const System<T>&, std::span<const T>, const Workspace<T>&);     \
  }

// And of systems that are built in double first.
#define BERTH_INSTANTIATE_LIFTED(T)                      \
  BERTH_INSTANTIATE_SYSTEM(T)                            \
  namespace berth {                                      \
  template System<T> lift_system(const System<double>&); \
  template Mode<T> lift_mode(const Mode<double>&);       \
  }
