// SPDX-License-Identifier: Apache-2.0
#include "berth/app/linearise_command.h"

#include <cmath>

#include <CLI/CLI.hpp>

#include "berth/analysis/modes.h"
#include "berth/program/output_list.h"
#include "berth/program/process.h"

namespace berth {
namespace {

std::string describe_model(const LinearModel& m) {
  std::string text = fmt::format("Linear model at {:.9g} s: {} states, {} inputs, {} outputs.\n",
                                 m.t, m.states.size(), m.inputs.size(), m.outputs.size());
  const auto add = [&](const char* what, const std::vector<LinearSignal>& signals,
                       const Eigen::VectorXd& values) {
    if (signals.empty()) return;
    text += fmt::format("  {}\n", what);
    for (std::size_t i = 0; i < signals.size(); ++i)
      text += fmt::format("    {:<36} {:>14.7g} {}\n", signals[i].name,
                          values(static_cast<Eigen::Index>(i)) + 0.0, signals[i].unit);
  };
  add("states, and where they are (attitudes count from there)", m.states, m.x0);
  add("inputs", m.inputs, m.u0);
  add("outputs", m.outputs, m.y0);
  return text;
}

}  // namespace

void LinearCommand::add_options_to(CLI::App& c) {
  file.add_to(c);
  CLI::Option* at = c.add_option("--at", options.at, "run to this time [s] first; default 0");
  c.add_flag("--joined", options.when_joined, "run to the first dock that latches first")
      ->excludes(at);
  c.add_flag("--json", json, "print JSON");
}

std::optional<LinearModel> LinearCommand::find_model(int& code) {
  code = kBadInput;
  const std::optional<Loaded> loaded = load(file);
  if (!loaded) return std::nullopt;
  Problems problems{file.file, {}};
  OutputList outputs;
  outputs.add("--out", "model", out);
  outputs.check(problems);
  if (!(options.at >= 0) || options.at > loaded->scenario.time.stop)
    problems.add("", fmt::format("--at {} is not within 0 … {} s of the run", options.at,
                                 loaded->scenario.time.stop));
  std::optional<LinearModel> model;
  options.interrupted = is_asked_to_end;
  if (problems.empty())
    model = find_linear_model(loaded->scenario, loaded->built, options, problems);
  if (!problems.empty()) refuse(problems);
  if (is_asked_to_end()) code = kStopped;
  return model;
}

CLI::App& LineariseCommand::add_to(CLI::App& app) {
  CLI::App& c =
      *app.add_subcommand("linearise", "a linear model A, B, C, D of a scenario on its way");
  add_options_to(c);
  c.add_option("--input", options.inputs,
               "servicer.force, jets.torque, servicer.arm.2.effort, …; default: all of craft and "
               "motors");
  c.add_option("--output", options.outputs, "channels");
  c.add_option("--discrete", period, "inputs held over periods of so many seconds")
      ->check(CLI::PositiveNumber);
  c.add_option("-o,--out", out, "write it: " + list_array_formats());
  c.add_flag("--list", list, "list the inputs there are");
  return c;
}

int LineariseCommand::run() {
  if (list) {
    const std::optional<Loaded> loaded = load(file);
    if (!loaded) return kBadInput;
    std::string text;
    for (const LinearSignal& s : list_inputs(loaded->built.system))
      text += fmt::format("{:<40} {}\n", s.name, s.unit);
    print(text);
    return kDone;
  }
  if (!out.empty() && !is_array_file(out)) {
    complain("berth: {}: a model is written as {}\n", out, list_array_formats());
    return kBadInput;
  }
  int code = kDone;
  std::optional<LinearModel> model = find_model(code);
  if (!model) return code;
  std::optional<double> discrete;
  if (period > 0) {
    discrete = period;
    model = discretise(*model, period);
  }
  if (!out.empty()) write_arrays(out, to_arrays(*model, discrete));
  print(json ? to_json(to_arrays(*model, discrete)) + "\n"
             : describe_model(*model) + (out.empty() ? "" : out + "\n"));
  return kDone;
}

CLI::App& ModesCommand::add_to(CLI::App& app) {
  CLI::App& c =
      *app.add_subcommand("modes", "frequencies, damping and what moves, flexible and docked");
  add_options_to(c);
  return c;
}

int ModesCommand::run() {
  int code = kDone;
  const std::optional<LinearModel> model = find_model(code);
  if (!model) return code;
  const Modes modes = find_modes(*model);
  print(json ? to_json(modes) + "\n" : describe(modes));
  return kDone;
}

}  // namespace berth
