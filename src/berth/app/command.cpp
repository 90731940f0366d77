// SPDX-License-Identifier: Apache-2.0
#include "berth/app/command.h"

#include <CLI/CLI.hpp>

#include "berth/analysis/sweep_table.h"
#include "berth/record/hdf5_reader.h"
#include "berth/record/input_file.h"
#include "berth/record/record_error.h"
#include "berth/simulate/input_log.h"
#include "berth/simulate/result_file.h"

namespace berth {

int refuse(const Problems& problems) {
  for (const Problem& p : problems.list) complain("{}\n", describe(p));
  const std::size_t n = problems.list.size() + problems.left_out;
  if (problems.left_out > 0) complain("and {} more\n", problems.left_out);
  complain("{} {}\n", n, n == 1 ? "problem" : "problems");
  return kBadInput;
}

void add_computing(CLI::App& command, Computing& computing) {
  auto* interpret = command.add_flag_callback(
      "--interpret", [&] { computing = Computing::interpret; }, "do not compile the scenario");
  auto* compile = command.add_flag_callback(
      "--compile", [&] { computing = Computing::compile; },
      "compile the scenario, and wait for it; same numbers");
  interpret->excludes(compile);
}

void FileOptions::add_to(CLI::App& command) {
  command.add_option("FILE", file, "scenario file (TOML)")->required();
  command.add_option("--set", overrides, "change an input: table.name.key=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

namespace {

std::optional<Loaded> build(ReadScenario read) {
  Loaded out;
  out.built = build_scenario(read.scenario, read.problems);
  if (!read.problems.empty()) {
    refuse(read.problems);
    return std::nullopt;
  }
  out.scenario = std::move(read.scenario);
  return out;
}

}  // namespace

void note_unverified(const std::string& result) {
  try {
    const std::string warning = Hdf5Reader(result).warning();
    if (!warning.empty()) complain("berth: {}\n", warning);
  } catch (const RecordError&) {
    // Whoever reads it says what is wrong.
  }
}

std::optional<Loaded> load(const FileOptions& options) {
  return build(read_scenario(options.file, options.overrides));
}

std::optional<Loaded> load_result(const FileOptions& options,
                                  std::shared_ptr<RecordedInputs>& inputs) {
  try {
    note_input("result", options.file);
    const ResultFile result(options.file);
    note_unverified(options.file);
    inputs = RecordedInputs::read(result);
    const ModelFiles& models = result.given.models;
    return build(read_scenario_text(result.scenario, options.file, options.overrides, "", &models));
  } catch (const RecordError& e) {
    complain("{}\n", e.what());
    return std::nullopt;
  }
}

std::optional<Loaded> load_case(const FileOptions& options, std::int64_t number) {
  note_input("sweep", options.file);
  Problems problems{options.file, {}};
  std::optional<StoredCase> stored = read_case(options.file, number, problems);
  if (!stored) {
    refuse(problems);
    return std::nullopt;
  }
  note_unverified(options.file);
  std::vector<std::string>& settings = stored->settings;
  settings.insert(settings.end(), options.overrides.begin(), options.overrides.end());
  return build(read_scenario_text(stored->source, options.file, settings, "", &stored->models));
}

}  // namespace berth
