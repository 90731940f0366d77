// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/linear_study.h"

#include <stdexcept>

#include <fmt/format.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "berth/run/run.h"

namespace berth {
namespace {

// Ends the run with the first dock that latches.
struct UntilLatch : Observer {
  bool is_joined = false;
  bool step(HybridRun&) override { return !is_joined; }
  void event(HybridRun&, const EventRecord& what) override { is_joined |= what.kind == "latch"; }
};

}  // namespace

std::optional<LinearModel> find_linear_model(const Scenario& scenario, const BuiltScenario& built,
                                             const LinearOptions& options, Problems& problems) {
  HybridRun run(built.system, built.options);
  run.set_events(built.events);
  run.interrupted = options.interrupted;
  const double t_stop = options.when_joined ? scenario.time.stop : options.at;
  UntilLatch until;
  const Outcome end = run.advance(t_stop, options.when_joined ? &until : nullptr);
  if (end.ending == Ending::interrupted) return std::nullopt;
  const bool is_there = options.when_joined ? until.is_joined : !(run.t() < options.at);
  if (!is_there) {
    problems.add("", options.when_joined
                         ? fmt::format("no dock latches: the run ends at {} s", run.t())
                         : fmt::format("the run ends at {} s, before {} s", run.t(), options.at));
    return std::nullopt;
  }
  try {
    return find_linear_model(run.system(), run.t(), run.x(), run.mode(), options.inputs,
                             options.outputs);
  } catch (const std::logic_error& e) {  // a name, or no linear model
    problems.add("", e.what());
    return std::nullopt;
  }
}

LinearModel discretise(const LinearModel& model, double period) {
  const Eigen::Index n = model.A.rows(), p = model.B.cols();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n + p, n + p);
  M.topLeftCorner(n, n) = period * model.A;
  M.topRightCorner(n, p) = period * model.B;
  const Eigen::MatrixXd E = M.exp();
  LinearModel out = model;
  out.A = E.topLeftCorner(n, n);
  out.B = E.topRightCorner(n, p);
  return out;
}

std::vector<NamedArray> to_arrays(const LinearModel& model, std::optional<double> period) {
  std::vector<NamedArray> out;
  const auto add = [&](const std::string& name, const Eigen::MatrixXd& M) {
    NamedArray a{name, static_cast<std::size_t>(M.rows()), static_cast<std::size_t>(M.cols()), {}};
    for (Eigen::Index i = 0; i < M.rows(); ++i)
      for (Eigen::Index j = 0; j < M.cols(); ++j) a.numbers.push_back(M(i, j));
    out.push_back(std::move(a));
  };
  add("A", model.A), add("B", model.B), add("C", model.C), add("D", model.D);
  add("x0", model.x0), add("u0", model.u0), add("y0", model.y0);
  out.push_back({"t", 1, 1, {model.t}});
  if (period) out.push_back({"period", 1, 1, {*period}});
  const auto add_signals = [&](const std::string& what, const std::vector<LinearSignal>& signals) {
    NamedArray names{what + "s", signals.size(), 1, {}},
        units{what + "_units", signals.size(), 1, {}};
    for (const LinearSignal& s : signals) {
      names.texts.push_back(s.name);
      units.texts.push_back(s.unit);
    }
    out.push_back(std::move(names));
    out.push_back(std::move(units));
  };
  add_signals("state", model.states);
  add_signals("input", model.inputs);
  add_signals("output", model.outputs);
  return out;
}

}  // namespace berth
