// SPDX-License-Identifier: Apache-2.0
#include "berth/system/discrete/moser_veselov.h"

#include <algorithm>
#include <cmath>

#include "berth/math/ldl.h"
#include "berth/system/dynamics_impl.h"

namespace berth {
namespace {

constexpr int kMostTries = 200;
constexpr std::size_t kMostMoves = 24;  // that are remembered of them

Sym3<double> find_sigma(const Body<double>& b) {
  const Sym3<double>& I = b.I_C_B;
  const double half = 0.5 * (I.xx + I.yy + I.zz), m = b.mass;
  const Vec3<double>& c = b.r_CB_B;
  return {half - I.xx + m * c.x * c.x, half - I.yy + m * c.y * c.y, half - I.zz + m * c.z * c.z,
          -I.xy + m * c.x * c.y,       -I.xz + m * c.x * c.z,       -I.yz + m * c.y * c.z};
}

// ([ω] + (h/2)[ω]²)/(1 + h²ω²/4): what Cayley's map adds to an attitude per unit of time.
Mat3<double> find_cayley_rate(const Vec3<double>& w, double h) {
  const double s = 1 / (1 + 0.25 * h * h * norm_squared(w)), k = 0.5 * h * s;
  const double n = norm_squared(w);
  return {k * (w.x * w.x - n),     k * w.x * w.y - s * w.z, k * w.x * w.z + s * w.y,
          k * w.x * w.y + s * w.z, k * (w.y * w.y - n),     k * w.y * w.z - s * w.x,
          k * w.x * w.z - s * w.y, k * w.y * w.z + s * w.x, k * (w.z * w.z - n)};
}
// Cayley's map of the rotation vector φ.
Quaternion<double> find_cayley(const Vec3<double>& phi) {
  return {1, 0.5 * phi.x, 0.5 * phi.y, 0.5 * phi.z};
}
void move(const Model<double>& model, const double* v, double h, double* q) {
  displace(model, v, h, q, find_cayley);
}

// x × v of N = Σ v xᵀ.
Vec3<double> wedge(const Mat3<double>& N) { return {N.zy - N.yz, N.xz - N.zx, N.yx - N.xy}; }

// (sin b − sin a)/h and (cos b − cos a)/h with b = a + h v.
SinCos<double> find_slopes(double a, double v, double h) {
  const double half = 0.5 * h * v, chord = 2 * sin(half) / h;
  const SinCos<double> middle = sin_cos(a + half);
  return {chord * middle.cos, -chord * middle.sin};
}

}  // namespace

MoserVeselov::MoserVeselov(const System<double>& system) : w_(system), next_(system) {
  w_.sees_idle = next_.sees_idle = false;
  const Model<double>& model = system.model;
  const std::size_t bodies = model.bodies.size(), speeds = model.v0.size();
  still_.bodies.resize(bodies);
  zero_.assign(speeds, 0.0);
  middle_.assign(model.q0.size(), 0.0);
  segments_.resize(bodies);
  push_.resize(model);
  work_.resize(model);
  m_.v.assign(speeds, 0.0);
  m_.last.fill(m_.v);
  delta_.assign(speeds, 0.0);
  moves_.assign(kMostMoves, delta_);
  squares_.assign(kMostMoves, 0.0);
  m_.p.assign(speeds, 0.0);
  m_.carried.assign(bodies, {});
  rates_.assign(static_cast<std::size_t>(w_.layout.size), 0.0);
  rates_after_ = x_next_ = rates_;
  hold_.assign(bodies, {});
  sigma_.resize(bodies);
  for (std::size_t i = 1; i < bodies; ++i) {
    const Body<double>& b = model.bodies[i];
    sigma_[i] = find_sigma(b);
    grounded_ |= b.parent == kGround && b.joint != JointType::free;
  }
}

// Inward sums; add(i) is what body i has itself, about the origin of N.
template <class Add>
void MoserVeselov::gather(const Model<double>& model, Add&& add) {
  for (const int i : model.order) segments_[static_cast<std::size_t>(i)].sum = add(i);
  for (std::size_t o = model.order.size(); o-- > 0;) {
    const int i = model.order[o], parent = model.body(i).parent;
    if (parent != kGround)
      segments_[static_cast<std::size_t>(parent)].sum += segments_[static_cast<std::size_t>(i)].sum;
  }
}

void MoserVeselov::set_momenta(const System<double>& system, std::span<const double> x) {
  const Model<double>& model = system.model;
  const Layout& at = w_.layout;
  Motion<double>& m = w_.motion;
  find_motion<double>(model, x.first(static_cast<std::size_t>(at.v)),
                      x.subspan(static_cast<std::size_t>(at.v), m_.v.size()), m);
  double size = 0;
  gather(model, [&](int i) {
    const BodyMotion<double>& b = m.body(i);
    const Vec3<double> p = model.body(i).mass * b.velocity_at(b.r_CB_N);
    const Vec3<double> r = b.r_BN_N + b.r_CB_N;
    size = std::max({size, norm(p), norm(b.I_C_N * b.omega_BN_N) + norm(r) * norm(p)});
    return Wrench<double>{b.I_C_N * b.omega_BN_N + cross(r, p), p};
  });
  for (const int i : model.order) {
    const Body<double>& b = model.body(i);
    const Wrench<double>& sum = segments_[static_cast<std::size_t>(i)].sum;
    if (b.joint == JointType::free) {
      Wrench<double>& carried = m_.carried[static_cast<std::size_t>(i)];
      const double off = norm(sum.force - carried.force) + norm(sum.torque - carried.torque);
      if (!(off <= 1e-12 * size)) carried = sum;
      continue;
    }
    for_each_push(b, m.body(i), m.body(b.parent), shift(sum, -m.body(i).r_BN_N),
                  [&](int k, double s) { m_.p[static_cast<std::size_t>(b.v + k)] = s; });
  }
  std::copy_n(x.begin() + at.v, m_.v.size(), m_.v.begin());  // a first guess
  m_.alike = 0;
}

// Everything that acts at (t, q, v̄) into w_.total.
void MoserVeselov::find_forces(const System<double>& system, const Mode<double>& mode, double t,
                               std::span<const double> x) {
  motion_stage<double>(system, t, x, mode, w_);
  command_stage<double>(system, x, mode, w_);
  effort_stage(system, w_);
  ++evaluations_;
}

// D of every body for the speeds v̄ from q, with the motion at q in w_.
void MoserVeselov::find_segments(const Model<double>& model, std::span<const double> q, double h) {
  segments_[kGround].D = Mat3<double>{};
  segments_[kGround].d = {};
  for (const int i : model.order) {
    const Body<double>& b = model.body(i);
    const BodyMotion<double>&m = w_.motion.body(i), &parent = w_.motion.body(b.parent);
    const Segment& p = segments_[static_cast<std::size_t>(b.parent)];
    Segment& s = segments_[static_cast<std::size_t>(i)];
    const double* v = m_.v.data() + b.v;
    const double* at = q.data() + b.q;
    // The joint's place is carried by the parent.
    s.d = p.d + p.D * b.r_FP_P;
    switch (b.joint) {
      case JointType::free:
        s.D = m.R_NB * find_cayley_rate({v[3], v[4], v[5]}, h);
        s.d = {v[0], v[1], v[2]};
        break;
      case JointType::fixed: s.D = p.D * b.R_PF; break;
      case JointType::revolute: {
        const SinCos<double> after = sin_cos(at[0] + h * v[0]), slope = find_slopes(at[0], v[0], h);
        s.D = p.D * (b.R_PF + (after.sin * b.R_PF_a + (1 - after.cos) * b.R_PF_aa)) +
              parent.R_NB * (slope.sin * b.R_PF_a - slope.cos * b.R_PF_aa);
        break;
      }
      case JointType::prismatic:
        s.D = p.D * (b.particle ? Mat3<double>::identity() : b.R_PF);
        s.d += (at[0] + h * v[0]) * (p.D * b.axis_P) + v[0] * (parent.R_NB * b.axis_P);
        break;
      case JointType::planar: {
        const SinCos<double> after = sin_cos(at[2] + h * v[2]), slope = find_slopes(at[2], v[2], h);
        const auto about_z = [](double sin, double cos, double one) {
          return Mat3<double>{cos, -sin, 0, sin, cos, 0, 0, 0, one};
        };
        const Mat3<double> D_F = p.D * b.R_PF, R_NF = parent.R_NB * b.R_PF;
        s.D = D_F * about_z(after.sin, after.cos, 1) + R_NF * about_z(slope.sin, slope.cos, 0);
        s.d += D_F * Vec3<double>{at[0] + h * v[0], at[1] + h * v[1], 0} +
               R_NF * Vec3<double>{v[0], v[1], 0};
        break;
      }
      case JointType::spherical: {
        const Mat3<double> R = rotation_matrix(Quaternion<double>{at[0], at[1], at[2], at[3]});
        const Mat3<double> rate = R * find_cayley_rate({v[0], v[1], v[2]}, h);
        s.D = p.D * (b.R_PF * (R + h * rate)) + parent.R_NB * (b.R_PF * rate);
        break;
      }
    }
  }
  for (const int i : model.order) {
    const auto at = static_cast<std::size_t>(i);
    const Body<double>& b = model.body(i);
    const BodyMotion<double>& m = w_.motion.body(i);
    Segment& s = segments_[at];
    const Vec3<double> P = b.mass * (s.D * b.r_CB_B + s.d);
    const Mat3<double> N =
        (s.D * full(sigma_[at]) + outer(b.mass * s.d, b.r_CB_B)) * transpose(m.R_NB);
    s.mu = {wedge(N) + cross(m.r_BN_N, P), P};
  }
}

double MoserVeselov::find_kinetic(const System<double>& system) const {
  double sum = 0;
  for (const int i : system.model.order) {
    const auto at = static_cast<std::size_t>(i);
    const Body<double>& b = system.model.body(i);
    const Segment& s = segments_[at];
    const Mat3<double> N = s.D * full(sigma_[at]) * transpose(s.D);
    sum += 0.5 * (N.xx + N.yy + N.zz + b.mass * dot(s.d, 2.0 * (s.D * b.r_CB_B) + s.d));
  }
  return sum;
}

// (h/2) of what acts on a body, about the origin of N.
Wrench<double> MoserVeselov::half_kick(int i, double h) const {
  const Wrench<double> w = shift(w_.total.body(i), w_.motion.body(i).r_BN_N);
  return {0.5 * h * w.torque, 0.5 * h * w.force};
}

// What rows answer at q_k, once per step.
void MoserVeselov::factor_rows(const System<double>& system, const Mode<double>& mode) {
  std::fill(hold_.begin(), hold_.end(), Wrench<double>{});
  if (mode.rows.empty()) return;
  solve_accelerations<double>(system.model, w_.motion, w_.total, w_.articulated, w_.v_dot);
  find_row_matrix<double>(system, mode, w_, mode.slides);
  if (!mode.slides) factor_ldl(w_.multipliers.S.data(), mode.rows.size());
}

// Impulses along the rows at q_k until they are closed at q_{k+1}: one more of them, and what it
// does to v̄ on top of delta_.
void MoserVeselov::close_docks(const System<double>& system, const Mode<double>& mode, double t,
                               double h, std::span<const double> x) {
  if (mode.rows.empty()) return;
  const Model<double>& model = system.model;
  std::copy(x.begin(), x.end(), x_next_.begin());
  for (std::size_t s = 0; s < delta_.size(); ++s) delta_[s] += m_.v[s];
  move(model, delta_.data(), h, x_next_.data());
  std::copy(delta_.begin(), delta_.end(), x_next_.begin() + w_.layout.v);
  for (std::size_t s = 0; s < delta_.size(); ++s) delta_[s] -= m_.v[s];
  motion_stage<double>(system, t + h, x_next_, mode, next_);
  std::vector<double>& lambda = w_.multipliers.lambda;
  for (std::size_t i = 0; i < mode.rows.size(); ++i) {
    const ActiveRow& at = mode.rows[i];
    const Row<double>& row =
        closure_at(next_, at.closure).rows.row[static_cast<std::size_t>(at.row)];
    // Who sticks has no place to be at, but no v̄ along the surface.
    const bool sticks = !find_dock(system, at.closure) && at.row > 0;
    lambda[i] = sticks ? -row.rate : -row.violation / h;
  }
  if (mode.slides) {
    solve_sliding(mode, w_);
  } else {
    solve_ldl(w_.multipliers.S.data(), mode.rows.size(), lambda.data());
  }
  find_load_response<double>(system, mode, w_, mode.slides);
  for (std::size_t s = 0; s < delta_.size(); ++s) delta_[s] += w_.response.v_dot[s];
  for_each_held(system, mode, [&](int k) {
    const Closure<double>& c = closure_at(system, k);
    const ClosureMotion<double>& m = closure_at(w_, k);
    const int b1 = c.port_1.body, b2 = c.port_2.body;
    const Wrench<double> impulse = shift(m.wrench, m.lever_2 + w_.motion.body(b2).r_BN_N);
    hold_[static_cast<std::size_t>(b2)] += impulse;
    hold_[static_cast<std::size_t>(b1)] -= impulse;
  });
}

bool MoserVeselov::advance(const System<double>& system, const Mode<double>& mode, double t,
                           double h, std::span<double> x) {
  const Model<double>& model = system.model;
  const Layout& at = w_.layout;
  const std::span<double> q = x.first(static_cast<std::size_t>(at.v));
  const std::span<double> v = x.subspan(static_cast<std::size_t>(at.v), m_.v.size());
  const auto sum_of = [&](int i) -> const Wrench<double>& {
    return segments_[static_cast<std::size_t>(i)].sum;
  };
  // Along every speed of joint i, what a wrench about the origin of N does there.
  const auto along = [&](const Motion<double>& motion, int i, const Wrench<double>& w, auto&& f) {
    const Body<double>& b = model.body(i);
    for_each_push(b, motion.body(i), motion.body(b.parent), shift(w, -motion.body(i).r_BN_N),
                  [&](int k, double s) { f(static_cast<std::size_t>(b.v + k), s); });
  };

  // Half way, by the speeds that are guessed.
  std::copy(q.begin(), q.end(), middle_.begin());
  move(model, m_.v.data(), 0.5 * h, middle_.data());
  find_motion<double>(model, middle_, zero_, still_);
  double before = INFINITY, slowest = 0;
  for (int tries = 0;; ++tries) {  // (2)
    std::copy(m_.v.begin(), m_.v.end(), v.begin());
    find_forces(system, mode, t, x);
    find_segments(model, q, h);
    if (tries == 0) factor_rows(system, mode);
    gather(model, [&](int i) {
      Wrench<double> own = segments_[static_cast<std::size_t>(i)].mu;
      own -= hold_[static_cast<std::size_t>(i)];
      return own -= half_kick(i, h);
    });
    for (const int i : model.order) {
      if (model.body(i).joint == JointType::free) {
        Wrench<double> left = m_.carried[static_cast<std::size_t>(i)];
        along(w_.motion, i, left -= sum_of(i), [&](std::size_t s, double r) { push_.tau[s] = r; });
      } else {
        along(w_.motion, i, sum_of(i), [&](std::size_t s, double r) {
          push_.tau[s] = m_.p[s] + 0.5 * h * w_.total.tau[s] - r;
        });
      }
    }
    solve_accelerations<double>(model, still_, push_, work_, delta_);
    close_docks(system, mode, t, h, x);
    if (mode.rows.empty()) mend_step(static_cast<std::size_t>(tries));
    double off = 0, size = 0;
    for (std::size_t s = 0; s < m_.v.size(); ++s) {
      if (!std::isfinite(delta_[s])) return false;  // max() would hide it
      off = std::max(off, std::fabs(delta_[s]));
      size = std::max(size, std::fabs(m_.v[s] + delta_[s]));
    }
    if (tries == kMostTries) return false;
    for (std::size_t s = 0; s < m_.v.size(); ++s) m_.v[s] += delta_[s];
    slowest = std::max(slowest, off / before);
    // As near as rounding lets it come, or the next correction would be rounding.
    const bool stalls = (off <= 1e-11 * size || std::fabs(h) * off <= 1e-12) && off > 0.25 * before;
    const bool next_is_nothing = std::isfinite(before) && off < 0.01 * before &&
                                 off * slowest <= 1e-16 * size && mode.rows.empty();
    if (off <= 1e-15 * size || stalls || next_is_nothing) {
      find_segments(model, q, h);
      break;
    }
    before = off;
  }

  const auto kick_trees = [&] {
    gather(model, [&](int i) { return half_kick(i, h); });
    for (const int i : model.order)
      if (model.body(i).joint == JointType::free)
        m_.carried[static_cast<std::size_t>(i)] += sum_of(i);
  };
  const auto find_other_rates = [&](std::vector<double>& out) {
    // What the ground takes, and friction at rest, are known from the accelerations only.
    if (grounded_ || mode.slides) acceleration_stage<double>(system, mode, w_, w_.v_dot);
    find_state_rates<double>(system, x, w_, out);
  };
  // What rows between trees do to each of them; within one tree it is nothing.
  bool crosses_trees = false;
  for_each_held(system, mode, [&](int k) {
    const Closure<double>& c = closure_at(system, k);
    crosses_trees |= model.root_of(c.port_1.body) != model.root_of(c.port_2.body);
  });
  if (crosses_trees) {
    gather(model, [&](int i) { return hold_[static_cast<std::size_t>(i)]; });
    for (const int i : model.order)
      if (model.body(i).joint == JointType::free)
        m_.carried[static_cast<std::size_t>(i)] += sum_of(i);
  }
  kick_trees();
  find_other_rates(rates_);
  move(model, m_.v.data(), h, q.data());
  if (system.in_orbit) move_orbit(system, h, x);
  find_forces(system, mode, t + h, x);
  kick_trees();
  find_other_rates(rates_after_);
  for (std::size_t s = static_cast<std::size_t>(at.z); s < x.size(); ++s)
    if (s < static_cast<std::size_t>(at.orbit) || s >= static_cast<std::size_t>(at.ledger))
      x[s] += 0.5 * h * (rates_[s] + rates_after_[s]);

  // (3), and the speeds that go with it.
  gather(model, [&](int i) {
    Wrench<double> own = segments_[static_cast<std::size_t>(i)].mu;
    return own += half_kick(i, h);
  });
  for (const int i : model.order) {
    if (model.body(i).joint == JointType::free) {
      along(w_.motion, i, m_.carried[static_cast<std::size_t>(i)],
            [&](std::size_t s, double r) { push_.tau[s] = r; });
    } else {
      along(w_.motion, i, sum_of(i), [&](std::size_t s, double r) {
        push_.tau[s] = m_.p[s] = r + 0.5 * h * w_.total.tau[s];
      });
    }
  }
  still_ = w_.motion;
  still_.v = zero_;
  for (BodyMotion<double>& b : still_.bodies) b.omega_BN_N = b.v_BN_N = {};
  solve_accelerations<double>(model, still_, push_, work_, delta_);
  std::copy(delta_.begin(), delta_.end(), v.begin());
  guess_next(h, v);
  return true;
}

// Broyden's update, from the moves alone: what the first slope makes of the rest is turned into what
// the slopes that were met on the way make of it.
void MoserVeselov::mend_step(std::size_t tries) {
  const std::size_t at = tries % kMostMoves;
  const auto dot_of = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t s = 0; s < a.size(); ++s) sum += a[s] * b[s];
    return sum;
  };
  for (std::size_t j = 0; j + 1 < at; ++j) {
    const double along = dot_of(moves_[j], delta_) / squares_[j];
    for (std::size_t s = 0; s < delta_.size(); ++s) delta_[s] += along * moves_[j + 1][s];
  }
  if (at > 0) {
    const double left = 1 - dot_of(moves_[at - 1], delta_) / squares_[at - 1];
    if (left > 0.1)
      for (double& d : delta_) d /= left;
  }
  moves_[at] = delta_;
  squares_[at] = std::max(dot_of(delta_, delta_), 1e-300);
}

// Behind a step to the speeds v: v̄ of the next lies on the cubic through the last four, where they
// were of one length, else as far beyond v as that of this one was before.
void MoserVeselov::guess_next(double h, std::span<const double> v) {
  m_.alike = std::fabs(h - m_.h) <= 1e-9 * std::fabs(h) ? m_.alike + 1 : 1;
  m_.h = h;
  auto& [one, two, three] = m_.last;
  for (std::size_t s = 0; s < m_.v.size(); ++s) {
    const double now = m_.v[s];
    m_.v[s] = m_.alike >= 4 ? 4 * (now + two[s]) - 6 * one[s] - three[s] : 2 * v[s] - now;
    three[s] = two[s];
    two[s] = one[s];
    one[s] = now;
  }
}

// Kick, drift, kick of the reference point O and of the origin C against it: with them positions in
// space go as the same steps taken in absolute coordinates would.
void MoserVeselov::move_orbit(const System<double>& system, double h, std::span<double> x) {
  const OrbitalGravity<double>& g = system.gravity();
  double* o = x.data() + w_.layout.orbit;
  const auto kick = [&] {
    const Vec3<double> r = vector_at(o), r_CO = vector_at(o + 6);
    write_vector(o + 3, vector_at(o + 3) + 0.5 * h * g.acceleration(r));
    write_vector(o + 9, vector_at(o + 9) + 0.5 * h * g.tidal(g.find_field(r), r_CO));
  };
  kick();
  write_vector(o, vector_at(o) + h * vector_at(o + 3));
  write_vector(o + 6, vector_at(o + 6) + h * vector_at(o + 9));
  kick();
}

}  // namespace berth
