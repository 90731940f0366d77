// SPDX-License-Identifier: Apache-2.0
#pragma once

// OutputList — the files that a command is going to write, before it writes any.
//
//   OutputList outputs;
//   outputs.add("--out", "result", "x.h5");
//   outputs.add("--out", "page", "x.html");
//   outputs.check(problems);     // --out  the page x.html is the scenario x.html itself
//
// None of them may be a file that the command has read (record/input_file.h), and no two of them the same.
// What counts is the file, not its name.

#include <filesystem>
#include <string>
#include <vector>

#include "berth/record/file_identity.h"
#include "berth/scenario/problem.h"

namespace berth {

class OutputList {
 public:
  // `option` is what its name comes from. An empty name is no file.
  void add(std::string option, std::string role, const std::filesystem::path& file);
  // The runs of a sweep that are kept, NAME_case<number>.h5 with their pages: those that are in the way.
  void add_kept_runs(const std::filesystem::path& sweep);

  void check(Problems& problems) const;

 private:
  struct Output {
    std::string option, role, name;
    FileIdentity identity;
    bool is_device;  // takes whatever comes
  };
  std::vector<Output> list_;
};

}  // namespace berth
