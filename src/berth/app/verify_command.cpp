// SPDX-License-Identifier: Apache-2.0
#include "berth/app/verify_command.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "berth/interruption.h"
#include "berth/record/hdf5_reader.h"
#include "berth/record/record_error.h"

namespace berth {

CLI::App& VerifyCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("verify", "check result files against their digests");
  c.add_option("RESULT", files, "result files (HDF5) of runs, sweeps, linear models")->required();
  c.add_flag("--quiet", quiet, "name what is damaged, nothing else");
  c.footer(
      "Exit codes: 0 whole, 1 not verified (no digests in the file), 2 damaged or unreadable.");
  return c;
}

int VerifyCommand::run() {
  int code = kDone;
  for (const std::string& file : files) code = std::max(code, verify(file));
  return code;
}

int VerifyCommand::verify(const std::string& name) const {
  try {
    const Hdf5Reader file(name);
    if (!file.is_verified()) {
      complain("berth: {}\n", file.warning());
      return kStopped;
    }
    std::size_t datasets = 0, damaged = 0;
    std::uint64_t size = 0;
    for (const std::string& path : file.manifest().paths()) {
      const ManifestEntry& e = *file.manifest().find(path);
      if (e.kind == StoredKind::group) continue;
      stop_if_interrupted();
      ++datasets;
      size += e.rows * e.row_size();
      try {
        file.verify(path);
      } catch (const RecordError& error) {
        ++damaged;
        complain("berth: {}\n", error.what());
      }
    }
    if (!quiet) {
      print(damaged > 0
                ? fmt::format("{}: {} of {} datasets are damaged\n", name, damaged, datasets)
                : fmt::format("{}: whole, {} datasets with {:.1f} MB, written by berth {}\n", name,
                              datasets, 1e-6 * static_cast<double>(size),
                              file.attribute("/", "berth_version")));
      for (const std::string& path : file.foreign())
        print(fmt::format("  not of berth: {}\n", path));
    }
    return damaged > 0 ? kBadInput : kDone;
  } catch (const RecordError& error) {
    complain("berth: {}\n", error.what());
    return kBadInput;
  }
}

}  // namespace berth
