// SPDX-License-Identifier: Apache-2.0
#include "berth/program/output_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/record/input_file.h"

namespace berth {

namespace fs = std::filesystem;

void OutputList::add(std::string option, std::string role, const fs::path& file) {
  if (file.empty()) return;
  std::error_code not_there;
  const fs::file_status status = fs::status(file, not_there);
  list_.push_back({std::move(option), std::move(role), file.string(), FileIdentity::find(file),
                   fs::exists(status) && !fs::is_regular_file(status)});
}

void OutputList::add_kept_runs(const fs::path& sweep) {
  const std::string begin = sweep.stem().string() + "_case";
  for (const KnownInput& input : list_inputs()) {
    const fs::path name = fs::path(input.identity.path).filename();
    const std::string stem = name.stem().string();
    const bool is_numbered = stem.size() > begin.size() && stem.starts_with(begin) &&
                             std::all_of(stem.begin() + std::ssize(begin), stem.end(),
                                         [](char c) { return c >= '0' && c <= '9'; });
    if (is_numbered && (name.extension() == ".h5" || name.extension() == ".html"))
      add("--keep-runs", "kept run", sweep.parent_path() / name);
  }
}

void OutputList::check(Problems& problems) const {
  const std::vector<KnownInput> inputs = list_inputs();
  for (std::size_t i = 0; i < list_.size(); ++i) {
    const Output& out = list_[i];
    const auto refuse = [&](const std::string& why) {
      problems.add(Place{0, 0, out.option}, "",
                   fmt::format("the {} {} {}", out.role, out.name, why));
    };
    if (out.is_device) continue;
    const auto read = std::find_if(inputs.begin(), inputs.end(), [&](const KnownInput& input) {
      return are_same(input.identity, out.identity);
    });
    if (read != inputs.end())
      refuse(read->name == out.name ? fmt::format("is the {} itself", read->role)
                                    : fmt::format("is the {} {} itself", read->role, read->name));
    for (std::size_t k = 0; k < i; ++k)
      if (!list_[k].is_device && are_same(list_[k].identity, out.identity))
        refuse(fmt::format("would replace the {} {}", list_[k].role, list_[k].name));
  }
}

}  // namespace berth
