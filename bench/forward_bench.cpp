// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics of the stack and of chains, against the peers of the same run.
#include <benchmark/benchmark.h>

#include "bench/gates.h"
#include "bench/peers/agree.h"
#include "bench/peers/mujoco_peer.h"
#include "bench/stack_model.h"
#include "berth/scalar/dual.h"

namespace berth::bench {
namespace {

// A system at its initial state, ready to be evaluated again and again.
template <Scalar T>
struct Bench {
  explicit Bench(System<T> s)
      : system(std::move(s)), work(system), x(find_initial_state(system)), x_dot(x.size()) {}
  void forward() { forward_dynamics<T>(system, x, mode, work); }

  System<T> system;
  Workspace<T> work;
  Mode<T> mode;
  std::vector<T> x, x_dot;
};

StackState nominal() { return nominal_state(stack_numbers()); }

template <Scalar T, Docking docking>
void stack_forward(benchmark::State& timer) {
  Bench<T> b(build_stack<T>(nominal(), docking));
  for (auto _ : timer) {
    b.forward();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(stack_forward<double, Docking::none>)->Name("berth/free_26");
BENCHMARK(stack_forward<double, Docking::one_tree>)->Name("berth/tree_20");
BENCHMARK(stack_forward<Dual, Docking::none>)->Name("berth/free_26_dual");

void stack_derivative(benchmark::State& timer) {
  Bench<double> b(build_stack<double>(nominal()));
  for (auto _ : timer) {
    find_derivative<double>(b.system, 0.0, b.x, b.mode, b.work, b.x_dot);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(stack_derivative)->Name("berth/free_26_derivative_with_ledgers");

void chain_forward(benchmark::State& timer) {
  Bench<double> b(build_chain<double>(static_cast<std::size_t>(timer.range(0))));
  for (auto _ : timer) {
    b.forward();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(chain_forward)->Name("berth/chain")->Arg(10)->Arg(100)->Arg(1000);

// --- the kernels one by one ----------------------------------------------------------------------

void kinematics(benchmark::State& timer) {
  Bench<double> b(build_stack<double>(nominal()));
  for (auto _ : timer) {
    motion_stage<double>(b.system, 0.0, b.x, b.mode, b.work);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(kinematics)->Name("kernel/find_motion_26");

void articulated(benchmark::State& timer) {
  Bench<double> b(build_stack<double>(nominal()));
  b.forward();
  for (auto _ : timer) {
    solve_accelerations<double>(b.system.model, b.work.motion, b.work.total, b.work.articulated,
                                b.work.v_dot);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(articulated)->Name("kernel/solve_accelerations_26");

void inverse_dynamics(benchmark::State& timer) {
  Bench<double> b(build_stack<double>(nominal()));
  b.forward();
  std::vector<double> tau(b.work.v_dot.size());
  for (auto _ : timer) {
    find_joint_efforts<double>(b.system.model, b.work.motion, b.work.total, b.work.v_dot, tau);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(inverse_dynamics)->Name("kernel/find_joint_efforts_26");

void mass_matrix(benchmark::State& timer) {
  Bench<double> b(build_stack<double>(nominal()));
  b.forward();
  std::vector<double> M(b.work.v_dot.size() * b.work.v_dot.size());
  for (auto _ : timer) {
    find_mass_matrix<double>(b.system.model, b.work.motion, M);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(mass_matrix)->Name("kernel/find_mass_matrix_26");

void jacobian(benchmark::State& timer) {
  Bench<double> b(build_stack<double>(nominal()));
  b.forward();
  std::vector<double> J(6 * b.work.v_dot.size());
  for (auto _ : timer) {
    find_jacobian<double>(b.system.model, b.work.motion, 3, Vec3<double>{1, 2, 3}, J);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(jacobian)->Name("kernel/find_jacobian_26");

void tidal(benchmark::State& timer) {
  OrbitalGravity<double> g;
  g.j2 = 1.08263e-3;
  const auto at = g.find_field({-5.7874e6, 1.3157e6, 3.2735e6});
  Vec3<double> rho{1, 2, 3};
  for (auto _ : timer) {
    benchmark::DoNotOptimize(rho);
    benchmark::DoNotOptimize(g.tidal(at, rho));
  }
}
BENCHMARK(tidal)->Name("kernel/tidal_j2");

void sine(benchmark::State& timer) {
  double x = 1.234;
  for (auto _ : timer) {
    benchmark::DoNotOptimize(x);
    benchmark::DoNotOptimize(sin_cos(x));
  }
}
BENCHMARK(sine)->Name("kernel/sin_cos");

void allocation(benchmark::State& timer) {
  // Twelve thrusters on the corners of a box, in pairs along each axis.
  ThrusterSet<double> set;
  set.body = "servicer";
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 4; ++k) {
      Thruster<double> t;
      t.position[(axis + 1) % 3] = k & 1 ? 0.8 : -0.8;
      t.direction = {};
      t.direction[axis] = k & 2 ? 1 : -1;
      set.thruster.push_back(t);
    }
  Findings none;
  set.bind(build_stack<double>(nominal()).model, none);
  Wrench<double> w{{0.1, -0.2, 0.05}, {0.3, 0.1, -0.2}};
  double levels[12];
  for (auto _ : timer) {
    benchmark::DoNotOptimize(w);
    set.find_levels(w, levels);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(allocation)->Name("kernel/thruster_allocation_12");

// --- the same motion as the peers, and the promises ----------------------------------------------

StackAcceleration acceleration(Docking docking) {
  Bench<double> b(build_stack<double>(nominal(), docking));
  b.forward();
  StackAcceleration a{};
  std::size_t at = 0;
  const auto& v = b.work.v_dot;
  for (std::size_t c = 0; c < 2; ++c) {
    if (c == 0 || docking == Docking::none) {
      for (std::size_t k = 0; k < 3; ++k) a.craft[c].v[k] = v[at + k];
      for (std::size_t k = 0; k < 3; ++k) a.craft[c].omega[k] = v[at + 3 + k];
      at += 6;
    }
    for (std::size_t k = 0; k < kParts; ++k) a.craft[c].xdd[k] = v[at + k];
    at += kParts;
  }
  if (docking == Docking::one_tree) place_hub_2(stack_numbers(), nominal(), a);
  return a;
}

double apart_from_mujoco(Docking docking) {
  MujocoStack peer(stack_numbers(), docking);
  peer.forward();
  return largest_disagreement(acceleration(docking), peer.accelerations());
}

[[maybe_unused]] const bool promised =
    check({.name = "two free craft: berth and MuJoCo",
           .find = [] { return apart_from_mujoco(Docking::none); },
           .limit = 1e-11}) &&
    check({.name = "one tree: berth and MuJoCo",
           .find = [] { return apart_from_mujoco(Docking::one_tree); },
           .limit = 1e-11}) &&
    gate({.name = "MuJoCo mj_forward / berth forward dynamics, 26 dof",
          .numerator = "mujoco/free_26",
          .denominator = "berth/free_26",
          .at_least = 2.5}) &&
    gate({.name = "MuJoCo mj_forward / berth forward dynamics, one tree of 20 dof",
          .numerator = "mujoco/tree_20",
          .denominator = "berth/tree_20"}) &&
    gate({.name = "Simbody / berth forward dynamics, 26 dof",
          .numerator = "simbody/free_26",
          .denominator = "berth/free_26"}) &&
    gate({.name = "chain of 1000 / chain of 100, per body: the cost is linear",
          .numerator = "berth/chain/1000",
          .denominator = "berth/chain/100",
          .at_most = 1.5,
          .numerator_count = 10.0}) &&
    gate({.name = "four slopes (Dual) / value alone, 26 dof",
          .numerator = "berth/free_26_dual",
          .denominator = "berth/free_26"});

}  // namespace
}  // namespace berth::bench
