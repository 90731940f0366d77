// SPDX-License-Identifier: Apache-2.0
#include "berth/app/optimise_command.h"

#include <CLI/CLI.hpp>

#include "berth/analysis/optimise.h"

namespace berth {

CLI::App& OptimiseCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("optimise", "search the best design, or the worst case");
  file.add_to(c);
  const auto add_list = [&](const char* name, std::vector<std::string>& to, const char* about) {
    c.add_option(name, to, about)->expected(1)->allow_extra_args(false)->take_all();
  };
  add_list("--input", inputs, "KEY=range(a,b): what may be changed; default: what [optimise] says");
  c.add_option("--maximise", maximise, "goal: captured, mean(…), p95(…), max(…) of a number");
  c.add_option("--minimise", minimise, "goal, likewise; with both: their front");
  add_list("--constraint", constraints, "what must hold: 'p95(contacts.tip.force_peak) < 400'");
  c.add_option("--worst", worst,
               "instead: the largest of a number over the dispersions, within 3 sigma");
  c.add_option("--samples", samples, "cases of a design")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000}));
  c.add_option("--budget", budget, "how many designs are tried")
      ->check(CLI::Range(std::uint64_t{8}, std::uint64_t{1'000'000}));
  c.add_option("--confirm", confirm, "fresh cases that the result is judged by")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}));
  c.add_option("--seed", seed, "of what is random; default 1, or what [sweep] says");
  c.add_option("-o,--out", out, "result file; default: NAME_optimise.h5 here");
  c.add_option("--threads", threads, "default: all cores")->check(CLI::Range(1, 1024));
  add_computing(c, computing);
  c.add_flag("--fresh", fresh, "start over: discard what an unfinished search left");
  output.add_to(c);
  return c;
}

int OptimiseCommand::run() {
  SweepOptions options;
  options.h5 =
      out.empty() ? std::filesystem::path(file.file).stem().string() + "_optimise.h5" : out;
  options.threads = threads;
  options.computing = computing;
  options.fresh = fresh;
  Problems problems{file.file, {}};
  const Sweep sweep = build_optimise(file.file,
                                     {.inputs = inputs,
                                      .maximise = maximise,
                                      .minimise = minimise,
                                      .constraints = constraints,
                                      .worst = worst,
                                      .samples = samples,
                                      .budget = budget,
                                      .confirm = confirm,
                                      .seed = seed,
                                      .settings = file.overrides},
                                     problems);
  StudyFiles{.h5 = options.h5, .has_page = !output.no_html, .has_journal = true}.check(problems);
  if (!problems.empty()) return refuse(problems);
  const SweepResult result = run_study(sweep, options, output.quiet, problems);
  if (!problems.empty()) return refuse(problems);
  output.print_summary(result, describe_optimise(result));
  output.write_page(result);
  return end_study(result);
}

}  // namespace berth
