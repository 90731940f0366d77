// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/compare_steppers.h"

#include <algorithm>
#include <chrono>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "berth/run/stepper.h"
#include "berth/scalar/elementary.h"
#include "berth/scenario/scenario.h"

namespace berth {
namespace {

constexpr int kSamples = 8;
constexpr int kHalvings = 2;
// Below this an error is that of the reference and of rounding: no order is read off it.
constexpr double kFinest = 1e-11;

struct Visit {
  std::vector<double> x;  // coordinates and speeds, quaternions with their first number positive
  Audit audit;
};
struct Flight {
  std::string refused, outcome;
  std::vector<Visit> visits;
  StepCounters counters;
  double seconds = 0;
};

std::vector<double> find_coordinates(const Model<double>& model, std::span<const double> x,
                                     std::size_t count) {
  std::vector<double> out(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
  for (const Body<double>& b : model.bodies) {
    if (b.joint != JointType::free && b.joint != JointType::spherical) continue;
    double* q = out.data() + b.q + (b.joint == JointType::free ? 3 : 0);
    if (q[0] < 0)
      for (int k = 0; k < 4; ++k) q[k] = -q[k];
  }
  return out;
}

double find_flight_error(const Flight& a, const Flight& b) {
  if (a.visits.empty() || a.visits.size() != b.visits.size()) return NAN;
  double most = 0;
  for (std::size_t k = 0; k < a.visits.size(); ++k)
    for (std::size_t i = 0; i < a.visits[k].x.size(); ++i)
      most = std::max(most, std::fabs(a.visits[k].x[i] - b.visits[k].x[i]));
  return most;
}

// (1) of the header, from the shortest steps that count.
double find_measured_order(const std::vector<double>& error) {
  double order = NAN;
  for (std::size_t i = 0; i + 1 < error.size(); ++i)
    if (error[i + 1] > kFinest) order = log(error[i] / error[i + 1]) / std::numbers::ln2;
  return order;
}

}  // namespace

SteppersCompared compare_steppers(const std::filesystem::path& file,
                                  const std::vector<std::string>& overrides,
                                  const std::function<bool()>& interrupted,
                                  const std::function<void(const std::string&)>& report) {
  SteppersCompared out;
  const Scenario scenario = read_scenario(file, overrides).scenario;
  const double stop = scenario.time.stop;
  out.step = scenario.integrator.step > 0 ? scenario.integrator.step : stop / 1000;
  for (int k = 1; k <= kSamples; ++k)
    out.times.push_back(k == kSamples ? stop : stop * k / kSamples);

  const auto fly = [&](const std::string& method, double step, const char* tolerance) {
    report(step > 0 ? fmt::format("{} {} s", method, step) : method);
    Flight flight;
    std::vector<std::string> settings = overrides;
    settings.push_back("integrator.method=" + method);
    if (step > 0) settings.push_back(fmt::format("integrator.step={}", step));
    if (tolerance) settings.push_back(fmt::format("integrator.tolerance={}", tolerance));
    ReadScenario read = read_scenario(file, settings);
    // A rule for steps of one method is not one of the others.
    for (ContactSpec& c : read.scenario.contact)
      if (auto* impact = std::get_if<Impact<double>>(&c.law);
          impact && method != kVariationalNames[0])
        impact->rule = ImpactRule::reflect;
    const BuiltScenario built = build_scenario(read.scenario, read.problems);
    if (!read.problems.empty()) {
      flight.refused = read.problems.list.front().message;
      return flight;
    }
    HybridRun run(built.system, built.options);
    run.set_events(built.events);
    run.interrupted = interrupted;
    const auto begin = std::chrono::steady_clock::now();
    // The run lands on each of them.
    Outcome end;
    for (const double t : out.times) {
      end = run.advance(t);
      if (!end.completed() || run.t() < t) break;
      flight.visits.push_back({find_coordinates(run.system().model, run.x(),
                                                static_cast<std::size_t>(run.system().layout().z)),
                               run.audit()});
    }
    if (end.completed() && end.ending != Ending::stopped) end = run.advance(stop);
    flight.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    flight.outcome = std::string(name(end.ending));
    flight.counters = run.counters();
    return flight;
  };

  const Flight truth = fly("dop853", 0, "1e-13");
  for (const char* method : {"dop853", "rk4", "variational2", "variational4"}) {
    const bool fixed = std::string_view(method) != "dop853";
    Stepped row;
    row.method = method;
    double step = out.step;
    for (int k = 0; k <= (fixed ? kHalvings : 0); ++k, step *= 0.5) {
      const Flight flight = fly(method, fixed ? step : 0, nullptr);
      row.refused = flight.refused;
      if (!row.refused.empty()) break;
      row.error.push_back(find_flight_error(flight, truth));
      if (interrupted && interrupted()) return out;
      if (k > 0) continue;
      row.outcome = flight.outcome;
      for (const Visit& visit : flight.visits) {
        row.energy.push_back(visit.audit.energy);
        row.linear_momentum.push_back(visit.audit.linear_momentum);
        row.angular_momentum.push_back(visit.audit.angular_momentum);
      }
      row.steps = flight.counters.accepted;
      row.rhs = flight.counters.rhs;
      row.seconds = flight.seconds;
    }
    row.order = find_measured_order(row.error);
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::string describe(const SteppersCompared& c) {
  std::string out = fmt::format(
      "Steps of {:.6g} s, their halves and quarters, against dop853, tolerance 1e-13\n\n"
      "{:<14}{:>6}{:>12}{:>12}{:>12}{:>9}{:>10}{:>9}\n",
      c.step, "method", "order", "error h", "h/2", "h/4", "steps", "rhs", "time [s]");
  for (const Stepped& r : c.rows) {
    out += fmt::format("{:<14}", r.method);
    if (!r.refused.empty()) {
      out += fmt::format("  not possible: {}\n", r.refused);
      continue;
    }
    out += std::isnan(r.order) ? fmt::format("{:>6}", "-") : fmt::format("{:>6.2f}", r.order);
    for (std::size_t k = 0; k <= kHalvings; ++k)
      out += k < r.error.size() ? fmt::format("{:>12.2e}", r.error[k]) : fmt::format("{:>12}", "");
    out += fmt::format("{:>9}{:>10}{:>9.3g}", r.steps, r.rhs, r.seconds);
    if (r.outcome != name(Ending::reached_end)) out += "  " + r.outcome;
    out += "\n";
  }
  const auto add_audit = [&](const char* what, std::vector<double> Stepped::*audit) {
    out += fmt::format("\n{:<24}", what);
    for (const double t : c.times) out += fmt::format("{:>10.4g}", t);
    out += " s\n";
    for (const Stepped& r : c.rows) {
      if (!r.refused.empty()) continue;
      out += fmt::format("{:<24}", "  " + r.method);
      for (const double a : r.*audit) out += fmt::format("{:>10.1e}", a);
      out += "\n";
    }
  };
  add_audit("energy audit, until", &Stepped::energy);
  add_audit("linear momentum", &Stepped::linear_momentum);
  add_audit("angular momentum", &Stepped::angular_momentum);
  return out;
}

nlohmann::ordered_json to_json(const SteppersCompared& c) {
  using Json = nlohmann::ordered_json;
  Json out = {{"step", c.step}, {"times", c.times}, {"rows", Json::array()}};
  for (const Stepped& r : c.rows) {
    Json one = {{"method", r.method}};
    if (!r.refused.empty()) {
      one["refused"] = r.refused;
    } else {
      one.update({{"outcome", r.outcome},
                  {"error", r.error},
                  {"energy", r.energy},
                  {"linear_momentum", r.linear_momentum},
                  {"angular_momentum", r.angular_momentum},
                  {"steps", r.steps},
                  {"rhs", r.rhs},
                  {"seconds", r.seconds}});
      if (!std::isnan(r.order)) one["order"] = r.order;
    }
    out["rows"].push_back(one);
  }
  return out;
}

}  // namespace berth
