// SPDX-License-Identifier: Apache-2.0

// Docks between steps: which rows count, back onto the constraints, welding and cutting.

#include "berth/system/docks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/QR>

#include "berth/math/ldl.h"
#include "berth/system/jumps.h"
#include "berth/system/rests.h"

namespace berth {
namespace {

// The strength of a row is its scaled pivot, or the part it answers of what free bodies would,
// whichever is less. Below this it is rounding: others imply the row, or it cannot move at all.
constexpr double kSilent = 1e-12;
// Mechanisms pass through positions where a row fades. As faint as this, within a ten-thousandth of
// a radian, its load is mostly noise: a step does without the row, and projection brings it back.
constexpr double kFaint = 1e-8;

// What a row would answer to a unit load if its bodies flew alone. Bodies that cannot move along it,
// being parts of one tree, leave rounding of that size in S and nothing else.
double find_free_answer(const System<double>& system, const ActiveRow& at) {
  const Closure<double>& c = closure_at(system, at.closure);
  const Dock<double>* dock = find_dock(system, at.closure);
  const bool is_force = !dock || at.row < dock->force_count();
  double sum = 0;
  for (const int i : {c.port_1.body, c.port_2.body}) {
    if (i == kGround) continue;
    const Body<double>& b = system.model.body(i);
    const Sym3<double>& I = b.I_C_B;
    const double inertia = is_force ? b.mass : I.xx + I.yy + I.zz;
    if (inertia > 0) sum += 1 / inertia;
  }
  return sum;
}

// Pivoted Cholesky of S (lower triangle) scaled to unit diagonal: the rows it takes, in their order,
// and their strengths.
std::vector<std::size_t> find_independent(const System<double>& system, Mode<double>& mode,
                                          std::span<const double> S) {
  const std::size_t n = mode.rows.size();
  std::vector<double> A(n * n), scale(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    ActiveRow& row = mode.rows[i];
    row.strength = std::min(1.0, kFaint * S[i * n + i] / row.least);
    if (row.strength > kSilent) scale[i] = 1 / std::sqrt(S[i * n + i]);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      A[i * n + j] = A[j * n + i] = S[i * n + j] * scale[i] * scale[j];
  std::vector<std::size_t> taken;
  std::vector<char> is_taken(n, 0);
  // Friction holds what nothing else does: its rows come last.
  for (bool friction = false; taken.size() < n;) {
    // Among equals the first: the choice must not depend on rounding.
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!is_taken[i] && is_friction(system, mode.rows[i]) == friction &&
          (best == n || A[i * n + i] > A[best * n + best] + 1e-6))
        best = i;
    if (best == n || !(A[best * n + best] > kSilent)) {
      if (std::exchange(friction, true)) break;
      continue;
    }
    mode.rows[best].strength = std::min(mode.rows[best].strength, A[best * n + best]);
    is_taken[best] = 1;
    taken.push_back(best);
    for (std::size_t i = 0; i < n; ++i) {
      if (is_taken[i]) continue;
      const double l = A[i * n + best] / A[best * n + best];
      for (std::size_t j = 0; j < n; ++j)
        if (!is_taken[j]) A[i * n + j] -= l * A[best * n + j];
    }
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

// Which speeds depend on the others: those the rows move most, one after the other, each measured by
// the kinetic energy it stands for.
void choose_speeds(const System<double>& system, Mode<double>& mode, Workspace<double>& w) {
  mode.speeds.clear();
  if (mode.slides) return;  // its friction is a load along independent speeds too
  if (std::none_of(system.docks.begin(), system.docks.end(), [](const Dock<double>& d) {
        return d.engaged && d.enforce == Enforce::reduced;
      }))
    return;
  for_each_speed(system, mode, [&](std::size_t s) { mode.speeds.push_back(static_cast<int>(s)); });
  const std::size_t m = mode.rows.size(), n = mode.speeds.size(), all = w.v_dot.size();
  const auto number_columns = [&] {
    mode.column.assign(all, 0);
    for (std::size_t j = 0; j < n; ++j) mode.column[static_cast<std::size_t>(mode.speeds[j])] = j;
  };
  number_columns();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> C(m, n);
  find_row_jacobian<double>(system, mode, w, C.data(), n);
  find_mass_matrix<double>(system.model, w.motion, w.reduced.composite, w.reduced.M);
  for (std::size_t j = 0; j < n; ++j) {
    const auto s = static_cast<std::size_t>(mode.speeds[j]);
    C.col(static_cast<Eigen::Index>(j)) /= std::sqrt(w.reduced.M[s * all + s]);
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(C);
  const std::vector<int> before = mode.speeds;
  for (std::size_t j = 0; j < n; ++j)
    mode.speeds[j] = before[static_cast<std::size_t>(
        qr.colsPermutation().indices()[static_cast<Eigen::Index>(j)])];
  std::sort(mode.speeds.begin(), mode.speeds.begin() + static_cast<std::ptrdiff_t>(m));
  std::sort(mode.speeds.begin() + static_cast<std::ptrdiff_t>(m), mode.speeds.end());
  number_columns();
}

// With the motion in w: all rows, S, the independent ones of both, and the factor of S.
RowChoice choose_and_factor(const System<double>& system, Mode<double>& mode,
                            Workspace<double>& w) {
  list_rows(system, mode);
  RowChoice choice{static_cast<int>(mode.rows.size()), 0, {}};
  mode.shares.clear();
  if (mode.rows.empty()) return choice;
  find_rows<double>(system, mode, w);
  const std::size_t n = mode.rows.size();
  const std::vector<std::size_t> taken = find_independent(system, mode, w.multipliers.S);
  std::vector<double>& S = w.multipliers.S;
  std::vector<ActiveRow> rows;
  std::vector<std::size_t> implied;
  for (std::size_t i = 0; i < n; ++i)
    if (is_friction(system, mode.rows[i]) && mode.rows[i].strength > kSilent &&
        !std::binary_search(taken.begin(), taken.end(), i))
      implied.push_back(i);
  // Their columns of S, and themselves.
  std::vector<RowShare> shares;
  for (const std::size_t l : implied) {
    RowShare& share = shares.emplace_back(mode.rows[l]);
    for (const std::size_t i : taken)
      share.relieves.push_back(i >= l ? S[i * n + l] : S[l * n + i]);
  }
  for (std::size_t i = 0, next = 0; i < n; ++i) {
    if (next < taken.size() && taken[next] == i) {
      for (std::size_t j = 0; j <= next; ++j) S[next * taken.size() + j] = S[i * n + taken[j]];
      rows.push_back(mode.rows[i]);
      ++next;
    } else {
      ++choice.redundant;
      const int k = mode.rows[i].closure;
      if (find_dock(system, k) && (choice.docks.empty() || choice.docks.back() != k))
        choice.docks.push_back(k);
    }
  }
  mode.rows = std::move(rows);
  factor_ldl(S.data(), taken.size());
  mode.shares = std::move(shares);
  share_friction(system, mode, w);
  return choice;
}

// Behind choose_and_factor: what is solved for in the next step.
void settle_rows(const System<double>& system, Mode<double>& mode, Workspace<double>& w) {
  if (std::erase_if(mode.rows, [](const ActiveRow& row) { return row.strength < kFaint; }) > 0)
    mode.shares.clear();
  choose_speeds(system, mode, w);
  // Headings of those that slide on: of the fast, to which they matter little, and of those that have
  // turned away. Slow slip would be chased by steps of its own direction.
  for (std::size_t k = 0; k < system.rests.size(); ++k) {
    ContactMode<double>& state = mode.contacts[static_cast<std::size_t>(system.rests[k].contact)];
    const RestMotion<double>& m = w.rests[k];
    const double speed = norm(m.slip), slow = system.rests[k].rest_speed;
    const bool renew = speed > 10 * slow || (speed > 0.01 * slow && m.ahead < 0.5 * speed);
    if (state.now.touching && state.sliding && renew && m.ahead > 0.1 * speed)
      state.heading = (1 / speed) * m.slip;
  }
}

}  // namespace

void find_chain(const System<double>& system, Mode<double>& mode) {
  const Model<double>& model = system.model;
  std::vector<char> on_chain(model.bodies.size(), 0), touched(model.bodies.size(), 0);
  mode.grounded = false;
  for_each_held(system, mode, [&](int k) {
    const Closure<double>& c = closure_at(system, k);
    for (int i : {c.port_1.body, c.port_2.body}) {
      touched[static_cast<std::size_t>(model.root_of(i))] = 1;
      mode.grounded |= model.stands_on_ground(i);
      for (; i != kGround; i = model.body(i).parent) on_chain[static_cast<std::size_t>(i)] = 1;
    }
  });
  mode.chain.clear();
  mode.touched.clear();
  mode.hubs_only = true;
  for (const int i : model.order) {
    if (on_chain[static_cast<std::size_t>(i)]) {
      mode.chain.push_back(i);
      mode.hubs_only = mode.hubs_only && model.body(i).joint == JointType::free;
    }
    if (i != kGround && touched[static_cast<std::size_t>(model.root_of(i))])
      mode.touched.push_back(i);
  }
}

namespace {

int count_rest_rows(const System<double>& system, const Mode<double>& mode, int k) {
  const Rest<double>& r = system.rests[static_cast<std::size_t>(k) - system.docks.size()];
  return mode.contacts[static_cast<std::size_t>(r.contact)].now.sticking ? r.most_rows : 1;
}

}  // namespace

void list_rows(const System<double>& system, Mode<double>& mode) {
  mode.rows.clear();
  mode.slides = false;
  for_each_sliding(system, mode, [&](std::size_t) { mode.slides = true; });
  for_each_held(system, mode, [&](int k) {
    const Dock<double>* dock = find_dock(system, k);
    const int count = dock ? dock->row_count() : count_rest_rows(system, mode, k);
    for (int r = 0; r < count; ++r) {
      mode.rows.push_back({k, r});
      mode.rows.back().least = kFaint * find_free_answer(system, mode.rows.back());
    }
  });
  find_chain(system, mode);
}

RowChoice choose_rows(const System<double>& system, double t, std::span<const double> x,
                      Mode<double>& mode, Workspace<double>& w) {
  motion_stage<double>(system, t, x, mode, w);
  const RowChoice choice = choose_and_factor(system, mode, w);
  settle_rows(system, mode, w);
  return choice;
}

namespace {

// How often to pull, by the largest violation of what is projected; violation_of(i): of a row.
int count_newton_steps(const System<double>& system, const Mode<double>& mode,
                       auto&& violation_of) {
  double largest = 0;
  for (std::size_t i = 0; i < mode.rows.size(); ++i)
    if (is_projected(system, mode.rows[i])) largest = std::max(largest, std::fabs(violation_of(i)));
  if (largest <= kViolationOfRounding) return 0;
  return largest < kViolationFar ? 1 : kNewtonSteps;
}

bool pulls(const System<double>& system, const Mode<double>& mode) {
  return std::any_of(mode.rows.begin(), mode.rows.end(),
                     [&](const ActiveRow& row) { return is_projected(system, row); });
}

}  // namespace

bool has_plain_rows(const System<double>& system, const Mode<double>& mode) {
  int count = 0;
  bool plain = !mode.slides && mode.shares.empty() && mode.speeds.empty();
  for_each_held(system, mode, [&](int k) {
    const Dock<double>* dock = find_dock(system, k);
    plain = plain && dock && dock->enforce == Enforce::exact;
    if (dock) count += dock->row_count();
  });
  return plain && count == static_cast<int>(mode.rows.size()) && pulls(system, mode);
}

std::optional<int> choose_newton_steps(const System<double>& system, Mode<double>& mode,
                                       std::span<const double> S,
                                       std::span<const double> violations) {
  if (find_independent(system, mode, S).size() < mode.rows.size()) return {};
  if (std::any_of(mode.rows.begin(), mode.rows.end(),
                  [](const ActiveRow& row) { return row.strength < kFaint; }))
    return {};
  return count_newton_steps(system, mode, [&](std::size_t i) { return violations[i]; });
}

bool project(const System<double>& system, double t, std::span<double> x, Mode<double>& mode,
             Workspace<double>& w) {
  if (!has_multipliers(system, mode)) {
    mode.rows.clear();
    mode.speeds.clear();
    mode.shares.clear();
    mode.slides = false;
    return false;
  }
  motion_stage<double>(system, t, x, mode, w);
  choose_and_factor(system, mode, w);
  const bool is_pulled = pulls(system, mode);
  if (is_pulled) {
    const int steps = count_newton_steps(system, mode, [&](std::size_t i) {
      const ActiveRow& at = mode.rows[i];
      return closure_at(w, at.closure).rows.row[static_cast<std::size_t>(at.row)].violation;
    });
    pull_positions<double>(system, t, x, mode, w, steps);
    pull_rates<double>(system, x, mode, w);
  }
  settle_rows(system, mode, w);
  return is_pulled;
}

void close_gap(const System<double>& system, double t, std::span<double> x, Mode<double>& mode,
               Workspace<double>& w) {
  motion_stage<double>(system, t, x, mode, w);
  choose_and_factor(system, mode, w);
  pull_positions<double>(system, t, x, mode, w, kNewtonSteps);
}

void stop_rates(const System<double>& system, double t, std::span<double> x, Mode<double>& mode,
                Workspace<double>& w, std::vector<Wrench<double>>* impulses) {
  if (impulses) impulses->assign(system.docks.size(), {});
  if (!has_multipliers(system, mode)) return;
  motion_stage<double>(system, t, x, mode, w);
  choose_and_factor(system, mode, w);
  stop_rows<double>(system, t, x, mode, w,
                    impulses ? std::span(*impulses) : std::span<Wrench<double>>());
}

void warm_start(System<double>& system) {
  const auto wants = [](const Dock<double>& d) {
    return d.warm && d.engaged && d.enforce == Enforce::penalty;
  };
  if (std::none_of(system.docks.begin(), system.docks.end(), wants)) return;
  // A dock that starts open is meant to: its spring shall pull it shut.
  {
    Workspace<double> w(system);
    Mode<double> mode = idle_mode(w);
    motion_stage<double>(system, 0.0, find_initial_state(system), mode, w);
    for (std::size_t k = 0; k < system.docks.size(); ++k) {
      const Violation<double> off = find_violation(system.docks[k], w.docks[k]);
      if (off.position > 1e-6 || off.attitude > 1e-6) system.docks[k].warm = false;
    }
  }
  if (std::none_of(system.docks.begin(), system.docks.end(), wants)) return;
  // The same craft on exact joints.
  System<double> exact = system;
  for (Dock<double>& d : exact.docks)
    if (wants(d)) d.enforce = Enforce::exact;
  Workspace<double> w(exact);
  Mode<double> mode = idle_mode(w);
  std::vector<double> x = find_initial_state(exact);
  project(exact, 0.0, x, mode, w);
  motion_stage<double>(exact, 0.0, x, mode, w);
  command_stage<double>(exact, x, mode, w);
  effort_stage(exact, w);
  acceleration_stage<double>(exact, mode, w, w.v_dot);

  // What each row is to show: ψ = −λ/k where there is no integral to carry the load.
  std::vector<std::array<double, kMostRows>> target(system.docks.size());
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    Dock<double>& d = system.docks[k];
    if (!wants(d)) continue;
    for (int r = 0; r < d.row_count(); ++r) {
      const auto at = static_cast<std::size_t>(r);
      const RowGains<double>& g = r < d.force_count() ? d.force_gains : d.torque_gains;
      const double load = w.docks[k].load[at];
      if (d.first_state >= 0 && g.integral > 0) {
        d.integral_0[at] = -load / g.integral;
      } else if (g.stiffness > 0) {
        target[k][at] = -load / g.stiffness;
      }
    }
  }
  const auto q = std::span(x).first(static_cast<std::size_t>(w.layout.v));
  std::vector<double> delta(w.v_dot.size(), 0.0);
  choose_and_factor(exact, mode, w);
  for (int tries = 0; tries < 4; ++tries) {
    // Nobody rests before the start: closures are docks.
    respond(exact, mode, w, [&](const ActiveRow& at, const Row<double>& r) {
      return target[static_cast<std::size_t>(at.closure)][static_cast<std::size_t>(at.row)] -
             r.violation;
    });
    for_each_speed(exact, mode, [&](std::size_t s) { delta[s] = w.response.v_dot[s]; });
    displace<double>(exact.model, delta, q);
    motion_stage<double>(exact, 0.0, x, mode, w);
  }
  stop_rates(exact, 0.0, x, mode, w);
  std::copy_n(x.begin(), system.model.q0.size(), system.model.q0.begin());
  std::copy_n(x.begin() + w.layout.v, system.model.v0.size(), system.model.v0.begin());
}

}  // namespace berth
