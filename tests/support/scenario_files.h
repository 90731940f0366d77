// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scenarios of the repository: scenarios/NAME.toml and those of the papers, papers/PAPER/NAME.toml.

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace berth::test {

// In order of their names.
inline std::vector<std::filesystem::path> list_scenario_files() {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  const auto add = [&](const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      // Beside its scenarios a paper has these two.
      if (name.ends_with(".toml") && name != "figures.toml" && name != "numbers.toml")
        files.push_back(entry.path());
    }
  };
  const fs::path root = BERTH_SOURCE_DIR;
  add(root / "scenarios");
  for (const auto& paper : fs::directory_iterator(root / "papers"))
    if (paper.is_directory()) add(paper);
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return a.stem() < b.stem(); });
  return files;
}

inline std::vector<std::string> list_scenarios() {
  std::vector<std::string> names;
  for (const std::filesystem::path& file : list_scenario_files())
    names.push_back(file.stem().string());
  return names;
}

inline std::string find_scenario_file(const std::string& name) {
  for (const std::filesystem::path& file : list_scenario_files())
    if (file.stem() == name) return file.string();
  throw std::runtime_error("no scenario " + name);
}

}  // namespace berth::test
