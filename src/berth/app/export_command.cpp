// SPDX-License-Identifier: Apache-2.0
#include "berth/app/export_command.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "berth/export/c_files.h"
#include "berth/integrate/rk4.h"
#include "berth/live/datagram_files.h"
#include "berth/live/live_scenario.h"
#include "berth/program/output_list.h"
#include "berth/program/process.h"
#include "berth/record/part_file.h"

namespace berth {
namespace {

constexpr double kStep = 0.01;  // [s] unless the scenario or --step says otherwise

// None of them when one would replace what was read.
void write_files(const std::filesystem::path& folder, const std::vector<ExportedFile>& files,
                 Problems& problems) {
  OutputList outputs;
  for (const ExportedFile& f : files) outputs.add("--out", "file", folder / f.name);
  outputs.check(problems);
  if (!problems.empty()) return;
  std::filesystem::create_directories(folder);
  for (const ExportedFile& f : files) {
    PartFile to(folder / f.name);
    to.write(f.text);
    to.keep();
  }
}

// Phases that nobody asked for.
void leave_out_others(SmoothPhases& run, const std::vector<int>& wanted, Problems& problems) {
  const int count = static_cast<int>(run.phases.size());
  for (const int k : wanted)
    if (k > count)
      problems.add("", fmt::format("--phase {}: there is none, the last one is {}", k, count));
  for (int k = 1; !wanted.empty() && k <= count; ++k)
    if (std::find(wanted.begin(), wanted.end(), k) == wanted.end())
      run.phases[static_cast<std::size_t>(k - 1)].leave_out("not asked for");
  for (Transition& t : run.transitions)
    t.is_repeated =
        t.is_repeated && run.phases[static_cast<std::size_t>(t.phase_after)].obstacle.empty();
}

}  // namespace

CLI::App& ExportCommand::add_to(CLI::App& app) {
  CLI::App& c =
      *app.add_subcommand("export", "the plant of a scenario, or its datagrams, as source code");
  c.add_option(
       "WHAT", language,
       "c: the plant as C99 without dependencies; datagram: what `berth live` sends and takes, "
       "as a C header, a Python module and a page")
      ->required()
      ->check(CLI::IsMember({"c", "datagram"}));
  file.add_to(c);
  c.add_option("-o,--out", out, "folder the files are written to")->required();
  c.add_option("--step", step,
               "of c: step of the run that is repeated [s]; default: that of the scenario, if it "
               "is made with "
               "rk4, else 0.01")
      ->check(CLI::PositiveNumber);
  c.add_option("--phase", phases, "of c: write these phases and no others")
      ->check(CLI::PositiveNumber);
  return c;
}

int ExportCommand::run() { return language == "datagram" ? export_datagram() : export_plant(); }

int ExportCommand::export_datagram() {
  Problems problems{file.file, {}};
  if (step > 0) problems.add("", "--step belongs to `export c`");
  if (!phases.empty()) problems.add("", "--phase belongs to `export c`");
  if (!problems.empty()) return refuse(problems);
  ReadScenario read = read_scenario(file.file, file.overrides);
  std::optional<LiveSetup> setup;
  const std::string title = read.scenario.title;
  // The clock changes nothing in the layout.
  if (read.problems.empty())
    setup = build_live(std::move(read.scenario), {std::nullopt, true}, read.problems);
  if (!setup) return refuse(read.problems);
  const DatagramLayout& layout = setup->layout;
  write_files(out, write_datagram_files(layout, title), problems);
  if (!problems.empty()) return refuse(problems);
  print(fmt::format("external {}: {} numbers a tick, {} an answer, digest {:#018x}\n{}\n",
                    layout.external, layout.measure_count(), layout.command_count(), layout.digest,
                    out));
  return kDone;
}

int ExportCommand::export_plant() {
  const std::optional<Loaded> loaded = load(file);
  if (!loaded) return kBadInput;
  Problems problems{file.file, {}};
  if (!loaded->scenario.external.empty())
    problems.add("external", "somebody else takes part; a plant is exported without");
  if (!problems.empty()) return refuse(problems);

  RunOptions options = loaded->built.options;
  const bool has_step = options.method == kRk4.name;
  if (step > 0) options.integrator.step = step;
  if (step == 0 && !has_step) options.integrator.step = kStep;
  options.method = kRk4.name;
  PhaseOptions wanted;
  wanted.t_stop = loaded->scenario.time.stop;
  wanted.interrupted = is_asked_to_end;
  const System<double>& system = loaded->built.system;
  Plant plant;
  plant.name = make_identifier(std::filesystem::path(file.file).stem().string());
  plant.scenario = loaded->scenario.title;
  plant.states = list_plant_states(system);
  plant.outputs = list_plant_outputs(Channels(system));
  plant.inputs = list_plant_inputs(system);
  plant.run = find_smooth_phases(system, options, loaded->built.events, wanted);
  const Outcome& end = plant.run.outcome;
  if (end.ending == Ending::interrupted) return kStopped;
  leave_out_others(plant.run, phases, problems);
  if (!problems.empty()) return refuse(problems);
  bool any = false;
  for (const SmoothPhase& p : plant.run.phases) any |= p.obstacle.empty();
  if (!any) {
    for (const SmoothPhase& p : plant.run.phases)
      problems.add("",
                   fmt::format("from {:.9g} s it cannot be exported: {}", p.t_first, p.obstacle));
    return refuse(problems);
  }

  const ExportedPlant exported = write_plant(plant);
  write_files(out, exported.files, problems);
  if (!problems.empty()) return refuse(problems);
  std::string text;
  for (std::size_t k = 0; k < plant.run.phases.size(); ++k) {
    const SmoothPhase& p = plant.run.phases[k];
    text += fmt::format("phase {:<3} from {:.9g} s, {} steps{}{}\n", k + 1, p.t_first, p.steps,
                        p.joined.empty() ? "" : fmt::format(": {}", fmt::join(p.joined, ", ")),
                        p.obstacle.empty() ? "" : "; not exported: " + p.obstacle);
  }
  if (plant.run.left_out > 0)
    text += fmt::format("{} further phases were left out\n", plant.run.left_out);
  print(text + describe(exported) + out + "\n");
  if (!end.completed())
    complain("berth: with steps of {} s the run ends at {:.9g} s: {}\n", options.integrator.step,
             end.t, end.reason);
  return end.completed() ? kDone : kStopped;
}

}  // namespace berth
