// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of `berth sweep` share: its journal while it runs, a case that is run again.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/record/read_back.h"
#include "tests/support/process.h"

namespace berth::test {

inline std::size_t count_lines(const std::filesystem::path& file) {
  const std::string text = read_bytes(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}
// Waits until the journal has this many lines, the first being its header.
inline void wait_for_lines(const std::filesystem::path& journal, std::size_t lines,
                           Process& process) {
  for (int i = 0; i < 20000 && process.is_running(); ++i) {
    if (count_lines(journal) >= lines) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Every value of a row is in the summary of the replay, bit for bit.
inline void expect_row(const std::filesystem::path& sweep, std::size_t row,
                       const nlohmann::ordered_json& summary) {
  using Json = nlohmann::ordered_json;
  const record_test::ReadBack file(sweep);
  EXPECT_EQ(file.texts("/cases/outcome").at(row), summary["outcome"]);
  EXPECT_EQ(file.texts("/cases/verdict").at(row), summary["verdict"]);
  int compared = 0;
  for (const std::string& name : file.members("/cases")) {
    std::string pointer = "/" + name;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const Json::json_pointer path(pointer);
    if (name == "outcome" || name == "verdict" || !summary.contains(path)) continue;
    ++compared;
    const Json& value = summary[path];
    if (value.is_string()) {
      EXPECT_EQ(file.texts("/cases/" + name).at(row), value) << name;
    } else {
      const double number = value.is_boolean() ? value.get<bool>() : value.get<double>();
      EXPECT_EQ(file.numbers("/cases/" + name).at(row), number) << name;
    }
  }
  EXPECT_GT(compared, 8);
}

}  // namespace berth::test
