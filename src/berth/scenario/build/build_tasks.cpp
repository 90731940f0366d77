// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build/build_tasks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "berth/scalar/elementary.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

constexpr double kReached = 1e-9;  // [m, rad] a pose that counts as reached

// The system with the led frame welded to where it shall be: its assembly is the inverse kinematics.
class Chain {
 public:
  Chain(const System<double>& system, const Port<double>& base, const Port<double>& frame,
        const TaskSpec& task)
      : system_(system),
        line_(base.R_BP * normalised(task.direction)),
        start_(base.R_BP * task.offset) {
    for (Dock<double>& d : system_.docks)
      if (d.enforce != Enforce::fused) d.enforce = Enforce::exact;
    Dock<double> pose;
    pose.name = "task";
    pose.port_1 = base;
    pose.port_2 = frame;
    pose.constraint = Rigid<double>{};
    system_.add_dock(pose);
    w_.emplace(system_);
    mode_ = idle_mode(*w_);
    x_ = find_initial_state(system_);
    motion_stage<double>(system_, 0.0, x_, mode_, *w_);
    dock().R_12 = transpose(w_->motion.body(base.body).R_NB) * w_->motion.body(frame.body).R_NB;
  }

  // How far along the line the frame stands now.
  double distance_now() const { return dot(line_, w_->docks.back().pair.d - start_); }
  // Moves every joint until the frame stands there. What is left open.
  Violation<double> go_to(double distance) {
    dock().arm = start_ + distance * line_;
    Violation<double> left{INFINITY, INFINITY}, least = left;
    for (int tries = 0; tries < 60; ++tries) {
      close_gap(system_, 0.0, x_, mode_, *w_);
      const Violation<double> before = left;
      left = {};
      for (std::size_t k = 0; k < system_.docks.size(); ++k) {
        if (!system_.docks[k].has_multipliers()) continue;
        const Violation<double> off = find_violation(system_.docks[k], w_->docks[k]);
        left = {std::max(left.position, off.position), std::max(left.attitude, off.attitude)};
      }
      if (left.position + left.attitude < least.position + least.attitude) least = left;
      if (left.position + left.attitude <= 1e-15) break;
      // Rounding sets the limit.
      if (tries > 3 && left.position + left.attitude < kReached &&
          left.position + left.attitude > 0.5 * (before.position + before.attitude))
        return left;
    }
    return left.position + left.attitude <= kReached ? left : least;
  }
  double joint(int q) const { return x_[static_cast<std::size_t>(q)]; }

 private:
  Dock<double>& dock() { return system_.docks.back(); }

  System<double> system_;
  Vec3<double> line_, start_;
  std::optional<Workspace<double>> w_;
  Mode<double> mode_;
  std::vector<double> x_;
};

// Coefficients of the polynomial through values at the n + 1 points cos(πj/n).
std::vector<double> find_series(const std::vector<double>& values) {
  const std::size_t n = values.size() - 1;
  std::vector<double> c(n + 1, 0.0);
  for (std::size_t k = 0; k <= n; ++k) {
    for (std::size_t j = 0; j <= n; ++j) {
      const double half = j == 0 || j == n ? 0.5 : 1;
      // Angles a full turn apart are one: small arguments keep their digits.
      const double turn = static_cast<double>((j * k) % (2 * n)) / static_cast<double>(n);
      c[k] += half * values[j] * cos(std::numbers::pi * turn);
    }
    c[k] *= (k == 0 || k == n ? 1.0 : 2.0) / static_cast<double>(n);
  }
  return c;
}

// Largest of the last coefficients: what the next ones would be like.
double find_tail(const std::vector<double>& c) {
  double tail = 0;
  for (std::size_t k = c.size() - 3; k < c.size(); ++k) tail = std::max(tail, std::fabs(c[k]));
  return tail;
}

struct Span {
  double low, high;
};
Span find_span(const Profile<double>& p) {
  if (p.type == ProfileType::step || p.type == ProfileType::quintic)
    return {std::min(p.from, p.to), std::max(p.from, p.to)};
  if (p.type == ProfileType::table && !p.values.empty()) {
    const auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
    return {*low, *high};
  }
  return {p.value, p.value};
}

}  // namespace

std::vector<Profile<double>> find_joint_references(const System<double>& system, const Ports& ports,
                                                   const TaskSpec& task,
                                                   std::span<const JointRef> joints,
                                                   const std::string& path, Problems& problems) {
  constexpr double good = 1e-13, fair = 1e-9;  // [rad] of a series against the kinematics
  const Port<double>*frame = &ports.find(task.frame.name)->second,
        *base = &ports.find(task.relative_to.name)->second;
  const auto refuse = [&](std::string why) {
    problems.add(path, std::move(why));
    return std::vector<Profile<double>>{};
  };
  if (frame->body == base->body) return refuse("both frames are on one body");

  Chain start(system, *base, *frame, task);
  const Span span = find_span(task.distance);
  const double middle = 0.5 * (span.low + span.high), half = 0.5 * (span.high - span.low);
  // From where the frame stands, along the line, and back from the end that is farther.
  const bool downwards = start.distance_now() > middle;
  std::vector<std::vector<double>> best(joints.size());
  double tail = INFINITY;
  for (std::size_t n = half > 0 ? 8 : 1; n <= 256; n *= 2) {
    Chain chain = start;
    std::vector<std::vector<double>> angles(joints.size(), std::vector<double>(n + 1));
    for (std::size_t step = 0; step <= n; ++step) {
      const std::size_t j = downwards ? step : n - step;  // cos falls with j
      const double distance =
          middle + half * cos(std::numbers::pi * static_cast<double>(j) / static_cast<double>(n));
      const Violation<double> left = chain.go_to(distance);
      if (!(left.position <= kReached && left.attitude <= kReached))
        return refuse(fmt::format(
            "{} cannot be brought to {:.6g} m from {}: {:.3g} m and {:.3g} rad are left",
            task.frame.name, distance, task.relative_to.name, left.position, left.attitude));
      for (std::size_t i = 0; i < joints.size(); ++i)
        angles[i][j] = chain.joint(system.model.body(joints[i].index).q);
    }
    if (n == 1) {
      for (std::size_t i = 0; i < joints.size(); ++i) best[i] = {angles[i][0]};
      tail = 0;
      break;
    }
    double now = 0;
    std::vector<std::vector<double>> series(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      series[i] = find_series(angles[i]);
      now = std::max(now, find_tail(series[i]));
    }
    if (now < tail) {
      tail = now;
      best = series;
    }
    if (tail <= good) break;
  }
  if (!(tail <= fair))
    return refuse(
        fmt::format("the joints do not follow the line smoothly: {:.1g} rad are left; an "
                    "arm stretched out on the way, or more joints than the task needs?",
                    tail));
  std::vector<Profile<double>> out;
  for (std::vector<double>& series : best) {
    while (series.size() > 1 && std::fabs(series.back()) < 1e-16) series.pop_back();
    Profile<double> p = task.distance;
    p.low = half > 0 ? span.low : middle - 1;
    p.high = half > 0 ? span.high : middle + 1;
    p.series = std::move(series);
    out.push_back(std::move(p));
  }
  return out;
}

void add_measures(const Scenario& scenario, const Ports& ports, System<double>& system,
                  Problems& problems) {
  for (const MeasureSpec& spec : scenario.measure) {
    const std::string path = "measure." + spec.name;
    Measure<double> m;
    m.name = spec.name;
    m.mating = spec.mating;
    if (spec.between.size() == 2) {
      const auto p1 = ports.find(spec.between[0].name), p2 = ports.find(spec.between[1].name);
      if (p1 == ports.end() || p2 == ports.end()) continue;  // reported already
      m.port_1 = p1->second;
      m.port_2 = p2->second;
    } else if (spec.grasps.size() == 2) {
      std::vector<int> at;
      for (const ClosureRef& grasp : spec.grasps)
        for (std::size_t k = 0; k < system.docks.size(); ++k)
          if (system.docks[k].name == grasp.name) at.push_back(static_cast<int>(k));
      if (at.size() != 2 || at[0] == at[1]) continue;
      m.grasp_1 = at[0];
      m.grasp_2 = at[1];
      const Dock<double>&a = system.docks[static_cast<std::size_t>(at[0])],
            &b = system.docks[static_cast<std::size_t>(at[1])];
      for (const int body : {a.port_1.body, a.port_2.body})
        if (body == b.port_1.body || body == b.port_2.body) m.held = body;
      if (m.held < 0) {
        problems.add(path + ".grasps", "they hold no body in common");
        continue;
      }
    } else {
      continue;
    }
    system.measures.push_back(std::move(m));
  }
}

}  // namespace berth
