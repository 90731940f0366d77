// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/model/suggest.h"
#include "berth/record/json_text.h"
#include "berth/run/stepper.h"
#include "berth/simulate.h"
#include "berth/system/docks.h"

namespace berth {
namespace {

struct Variant {
  std::string enforce, integrator;  // empty: as the file has it
  std::string tolerance;
};

struct Tried {
  std::string refused;
  Summary summary;
};

bool is_spring(const DockSpec& d) {
  return d.enforce == Enforce::penalty && (d.gains == Gains::physical || d.stiffness);
}
bool has_joints(const Scenario& s) { return !s.dock.empty() || !s.loop.empty(); }

ReadScenario read_variant(const std::filesystem::path& file, std::vector<std::string> overrides,
                          const Scenario& scenario, const Variant& v) {
  if (!v.enforce.empty()) {
    // Beside docks that hold, one of springs is a part of the mechanism and stays what it is.
    const bool all_springs = std::all_of(scenario.dock.begin(), scenario.dock.end(), is_spring);
    for (const DockSpec& d : scenario.dock)
      if (all_springs || !is_spring(d))
        overrides.push_back(fmt::format("dock.{}.enforce={}", d.name, v.enforce));
  }
  if (!v.enforce.empty() && v.enforce != name(Enforce::fused))
    for (const DockSpec& d : scenario.loop)
      overrides.push_back(fmt::format("loop.{}.enforce={}", d.name, v.enforce));
  if (!v.integrator.empty()) overrides.push_back("integrator.method=" + v.integrator);
  if (!v.tolerance.empty()) overrides.push_back("integrator.tolerance=" + v.tolerance);
  return read_scenario(file, overrides);
}

// (2) of the header: the states of the exact run, and what others make of them.
class SameStates {
 public:
  SameStates(const BuiltScenario& built, double t_stop, const CompareOptions& options) {
    HybridRun run(built.system, built.options);
    run.set_events(built.events);
    run.interrupted = options.interrupted;
    Keeper keeper(states_, t_stop / std::max(options.samples, 1));
    run.advance(t_stop, &keeper);
    exact_ = find_accelerations(built.system);
    for (const auto& a : exact_)
      for (const double x : a) largest_ = std::max(largest_, std::fabs(x));
  }
  double find_difference(const System<double>& system) const {
    double most = 0;
    const auto all = find_accelerations(system);
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t i = 0; i < all[k].size(); ++i)
        most = std::max(most, std::fabs(all[k][i] - exact_[k][i]));
    return largest_ > 0 ? most / largest_ : most;
  }

 private:
  struct State {
    double t;
    std::vector<double> x;
    Mode<double> mode;
  };
  // A state now and then. Whatever happened before it, it is evaluated with the docks and references
  // of the start: any state will do.
  struct Keeper : Observer {
    Keeper(std::vector<State>& to, double interval) : states(to), gap(interval) {}
    bool step(HybridRun& run) override {
      if (run.t() < next) return true;
      states.push_back({run.t(), {run.x().begin(), run.x().end()}, run.mode()});
      next = run.t() + gap;
      return true;
    }
    std::vector<State>& states;
    double gap, next = 0;
  };

  std::vector<std::vector<double>> find_accelerations(const System<double>& system) const {
    std::vector<std::vector<double>> out;
    Workspace<double> w(system);
    std::vector<double> x_dot(static_cast<std::size_t>(w.layout.size));
    for (const State& s : states_) {
      Mode<double> mode = s.mode;
      choose_rows(system, s.t, s.x, mode, w);
      find_derivative<double>(system, s.t, s.x, mode, w, x_dot);
      out.emplace_back(x_dot.begin() + w.layout.v, x_dot.begin() + w.layout.z);
    }
    return out;
  }

  std::vector<State> states_;
  std::vector<std::vector<double>> exact_;
  double largest_ = 0;
};

Tried try_variant(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                  const Scenario& scenario, const Variant& v, const CompareOptions& options) {
  Tried out;
  ReadScenario read = read_variant(file, overrides, scenario, v);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  if (!read.problems.empty()) {
    out.refused = read.problems.list.front().message;
    return out;
  }
  // Once as it is, for what it costs; once landing on the times at which all are compared.
  SimulateOptions how;
  how.interrupted = options.interrupted;
  const Summary plain = simulate(read.scenario, built, how);
  for (int k = 1; k <= options.samples; ++k)
    how.at.push_back(k == options.samples ? scenario.time.stop
                                          : scenario.time.stop * k / options.samples);
  out.summary = simulate(read.scenario, built, how);
  out.summary.steps = plain.steps;
  out.summary.audit = plain.audit;
  out.summary.wall_seconds = plain.wall_seconds;
  return out;
}

const Channel* find_channel(const Summary& s, const std::string& name) {
  for (const Channel& c : s.channels)
    if (c.name == name) return &c;
  return nullptr;
}
double number_in(const Summary& s, const Sample& at, const std::string& name) {
  const Channel* c = find_channel(s, name);
  return c ? at.row[static_cast<std::size_t>(c->first)] : NAN;
}

// Largest distance between two runs of a channel of three numbers.
double find_distance(const Summary& a, const Summary& b, const std::string& name) {
  const Channel *ca = find_channel(a, name), *cb = find_channel(b, name);
  if (!ca || !cb) return NAN;
  double largest = 0;
  for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      sum += square(a.samples[k].row[static_cast<std::size_t>(ca->first) + i] -
                    b.samples[k].row[static_cast<std::size_t>(cb->first) + i]);
    largest = std::max(largest, std::sqrt(sum));
  }
  return largest;
}
// Likewise the angle between two attitudes.
double find_angle(const Summary& a, const Summary& b, const std::string& name) {
  const Channel *ca = find_channel(a, name), *cb = find_channel(b, name);
  if (!ca || !cb) return NAN;
  double largest = 0;
  for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
    const double* p = a.samples[k].row.data() + ca->first;
    const double* q = b.samples[k].row.data() + cb->first;
    const Quaternion<double> turn = conjugate(Quaternion<double>{p[0], p[1], p[2], p[3]}) *
                                    Quaternion<double>{q[0], q[1], q[2], q[3]};
    largest = std::max(largest, norm(rotation_vector(turn)));
  }
  return largest;
}

// (1) of the header.
double find_energy_left(const Summary& s) {
  if (s.samples.empty()) return NAN;
  const Sample& end = s.samples.back();
  const double now =
      number_in(s, end, "system.kinetic_energy") + number_in(s, end, "system.potential_energy");
  const double all = now + number_in(s, end, "system.energy_lost");
  return all != 0 ? now / all : NAN;
}

Compared measure(const Variant& v, const Tried& tried, const Tried& reference,
                 const Scenario& scenario) {
  Compared row;
  row.enforce = v.enforce;
  row.integrator = v.integrator;
  row.refused = tried.refused;
  if (!row.refused.empty()) return row;
  const Summary& s = tried.summary;
  row.outcome = std::string(name(s.outcome.ending));
  const auto check_all = [&](const auto& specs) {
    for (const auto& x : specs) {
      row.position =
          std::max(row.position, find_distance(s, reference.summary, x.name + ".rho_BO_N"));
      row.attitude =
          std::max(row.attitude, find_angle(s, reference.summary, x.name + ".quaternion_BN"));
    }
  };
  check_all(scenario.spacecraft);
  check_all(scenario.body);
  for (const DockSummary& d : s.docks) {
    row.load = std::max(row.load, find_distance(s, reference.summary, d.name + ".force_N"));
    row.load_peak = std::max(row.load_peak, d.track.force_peak());
  }
  row.violation_position = s.constraint_position;
  row.violation_attitude = s.constraint_attitude;
  row.energy = s.audit.energy;
  row.linear_momentum = s.audit.linear_momentum;
  row.angular_momentum = s.audit.angular_momentum;
  row.energy_left = find_energy_left(s);
  row.steps = s.steps.accepted;
  row.rhs = s.steps.rhs;
  row.seconds = s.wall_seconds;
  return row;
}

}  // namespace

Comparison compare(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                   const CompareOptions& options) {
  Comparison out;
  ReadScenario read = read_scenario(file, overrides);
  build_scenario(read.scenario, read.problems);
  out.problems = read.problems;
  const std::vector<std::string> known{"enforce", "integrator"};
  for (const std::string& word : options.over)
    if (std::find(known.begin(), known.end(), word) == known.end())
      out.problems.add(Place{0, 0, "--over"}, "",
                       fmt::format("\"{}\" cannot be compared{}", word, suggest(word, known)));
  const auto over = [&](const char* word) {
    return std::find(options.over.begin(), options.over.end(), word) != options.over.end();
  };
  const bool joined = has_joints(read.scenario);
  const bool steps = options.steppers || is_variational_method(read.scenario.integrator.method);
  if (over("enforce") && out.problems.empty() && !joined && !steps)
    out.problems.add(Place{0, 0, "--over"}, "",
                     "there is no [[dock]] or [[loop]] to enforce in several ways; --steppers "
                     "compares methods that step");
  if (!out.problems.empty()) return out;
  out.title = read.scenario.title;
  const auto report = [&](const std::string& what) {
    if (options.progress) options.progress(what);
  };
  if (steps) out.steppers = compare_steppers(file, overrides, options.interrupted, report);
  if (over("enforce") && !joined) return out;

  // The grid; fixed-step methods need a step the file may not have.
  std::vector<std::string> enforcements{""}, integrators{""};
  if (over("enforce")) enforcements.assign(kEnforcements.begin(), kEnforcements.end());
  if (over("integrator")) {
    integrators = list_methods();
    if (!(read.scenario.integrator.step > 0)) std::erase_if(integrators, takes_fixed_steps);
  }
  Tried reference;
  for (const std::string_view word : {"fused", "exact", ""}) {
    if (!word.empty() && !has_joints(read.scenario)) continue;
    if (word == name(Enforce::fused) && read.scenario.dock.empty()) continue;
    report(fmt::format("reference{}{}", word.empty() ? "" : ", ", word));
    reference = try_variant(file, overrides, read.scenario, {std::string(word), "dop853", "1e-13"},
                            options);
    out.reference = fmt::format("{}{}dop853, tolerance 1e-13", word, word.empty() ? "" : ", ");
    if (reference.refused.empty()) break;
  }
  for (const std::string& e : enforcements)
    for (const std::string& i : integrators) {
      Variant v{e, i, ""};
      report(fmt::format("{} {}", e, i));
      const Tried tried = try_variant(file, overrides, read.scenario, v, options);
      if (v.integrator.empty()) v.integrator = read.scenario.integrator.method;
      if (v.enforce.empty()) v.enforce = has_joints(read.scenario) ? "as written" : "-";
      out.rows.push_back(measure(v, tried, reference, read.scenario));
      if (options.interrupted && options.interrupted()) return out;
    }
  if (!over("enforce")) return out;
  const auto build = [&](Enforce e) {
    ReadScenario variant =
        read_variant(file, overrides, read.scenario, {std::string(name(e)), "", ""});
    return build_scenario(variant.scenario, variant.problems);
  };
  report("accelerations at the same states");
  const SameStates same(build(Enforce::exact), read.scenario.time.stop, options);
  for (Compared& row : out.rows)
    for (const Enforce e : {Enforce::exact, Enforce::reduced, Enforce::baumgarte})
      if (row.enforce == name(e) && row.refused.empty())
        row.same_state = same.find_difference(build(e).system);
  return out;
}

std::string describe(const Comparison& c) {
  const std::string steps = c.steppers ? describe(*c.steppers) : "";
  if (c.rows.empty()) return fmt::format("{}\n{}", c.title, steps);
  std::string out = fmt::format("{}\nagainst {}\n\n", c.title, c.reference);
  out += fmt::format(
      "{:<11}{:<11}{:>10}{:>10}{:>11}{:>11}{:>10}{:>10}{:>9}{:>9}{:>9}{:>11}{:>11}{:>9}"
      "{:>10}{:>9}\n",
      "enforce", "integrator", "position", "attitude", "violation", "violation", "load", "peak",
      "energy", "linear", "angular", "energy", "same", "steps", "rhs", "time");
  out += fmt::format(
      "{:<22}{:>10}{:>10}{:>11}{:>11}{:>10}{:>10}{:>9}{:>9}{:>9}{:>11}{:>11}{:>9}{:>10}"
      "{:>9}\n",
      "", "off [m]", "off [rad]", "[m]", "[rad]", "off [N]", "[N]", "audit", "audit", "audit",
      "left [-]", "state [-]", "", "", "[s]");
  for (const Compared& r : c.rows) {
    out += fmt::format("{:<11}{:<11}", r.enforce, r.integrator);
    if (!r.refused.empty()) {
      out += fmt::format("  not possible: {}\n", r.refused);
      continue;
    }
    out += fmt::format(
        "{:>10.1e}{:>10.1e}{:>11.1e}{:>11.1e}{:>10.1e}{:>10.3g}{:>9.0e}{:>9.0e}{:>9.0e}{:>11.6f}"
        "{:>11}{:>9}{:>10}{:>9.3g}",
        r.position, r.attitude, r.violation_position, r.violation_attitude, r.load, r.load_peak,
        r.energy, r.linear_momentum, r.angular_momentum, r.energy_left,
        std::isnan(r.same_state) ? "-" : fmt::format("{:.1e}", r.same_state), r.steps, r.rhs,
        r.seconds);
    if (r.outcome != name(Ending::reached_end)) out += "  " + r.outcome;
    out += "\n";
  }
  if (!steps.empty()) out += "\n" + steps;
  return out;
}

std::string to_json(const Comparison& c) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["title"] = c.title;
  out["reference"] = c.reference;
  out["rows"] = Json::array();
  for (const Compared& r : c.rows) {
    Json one = {{"enforce", r.enforce}, {"integrator", r.integrator}};
    if (!r.refused.empty()) {
      one["refused"] = r.refused;
    } else {
      one.update({{"outcome", r.outcome},
                  {"position", r.position},
                  {"attitude", r.attitude},
                  {"violation_position", r.violation_position},
                  {"violation_attitude", r.violation_attitude},
                  {"load", r.load},
                  {"load_peak", r.load_peak},
                  {"energy", r.energy},
                  {"linear_momentum", r.linear_momentum},
                  {"angular_momentum", r.angular_momentum},
                  {"energy_left", r.energy_left},
                  {"steps", r.steps},
                  {"rhs", r.rhs},
                  {"seconds", r.seconds}});
      if (!std::isnan(r.same_state)) one["same_state"] = r.same_state;
    }
    out["rows"].push_back(one);
  }
  if (c.steppers) out["steppers"] = to_json(*c.steppers);
  return to_text(out, 2);
}

}  // namespace berth
