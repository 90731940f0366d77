// SPDX-License-Identifier: Apache-2.0
#pragma once

// A group of channels in memory, and a small result file.

#include <filesystem>
#include <string>
#include <vector>

#include "berth/record/recording.h"
#include "berth/simulate/result_file.h"

namespace berth::test {

class FakeGroup : public SeriesGroup {
 public:
  FakeGroup(std::vector<double> time, std::vector<double> values, std::size_t width = 1)
      : time_(std::move(time)), values_(std::move(values)) {
    samples = time_.size();
    channels.push_back({"a.b", "m", "", "", width});
  }
  std::vector<double> read_times(std::uint64_t first, std::uint64_t count) const override {
    return some(time_, first, count);
  }
  std::vector<double> read(std::size_t, std::uint64_t first, std::uint64_t count) const override {
    const std::size_t width = channels[0].width;
    return some(values_, first * width, count * width);
  }

 private:
  static std::vector<double> some(const std::vector<double>& all, std::uint64_t first,
                                  std::uint64_t count) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<double> time_, values_;
};

// A result with one channel "a.violation" and a vector "a.r"; `row(i)` gives its four numbers.
template <class Row>
void write_result(const std::filesystem::path& file, std::size_t rows, Row&& row,
                  const std::string& title = "a run",
                  const std::string& summary = R"({"outcome":"reached_end","time":1.0})") {
  Recording recording(file);
  const std::vector<Channel> channels{{"a.violation", "m", "", "how far it is off", 1, 0},
                                      {"a.r", "m", "N", "where it is", 3, 1}};
  recording.add_group("", channels);
  for (std::size_t i = 0; i < rows; ++i)
    recording.append(0, static_cast<double>(i) / static_cast<double>(rows), row(i));
  recording.add_event(0.5, "event", "half", "");
  recording.finish("title = \"" + title + "\"\n[time]\nstop = 2\n", summary);
}

}  // namespace berth::test
