// SPDX-License-Identifier: Apache-2.0
#include "berth/report/channel_choice.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "berth/report/decimate.h"
#include "berth/scenario/problem.h"

namespace berth {
namespace {

// Rows of a group between two of its rows.
class PartOfGroup : public SeriesGroup {
 public:
  PartOfGroup(const SeriesGroup& whole, std::uint64_t first, std::uint64_t count)
      : whole_(whole), first_(first) {
    name = whole.name;
    samples = count;
    channels = whole.channels;
  }
  std::vector<double> read_times(std::uint64_t first, std::uint64_t count) const override {
    return whole_.read_times(first_ + first, count);
  }
  std::vector<double> read(std::size_t channel, std::uint64_t first,
                           std::uint64_t count) const override {
    return whole_.read(channel, first_ + first, count);
  }

 private:
  const SeriesGroup& whole_;
  std::uint64_t first_;
};

// Rows between two times: the first, and how many.
std::pair<std::uint64_t, std::uint64_t> find_stretch(const SeriesGroup& group, double from,
                                                     double to) {
  std::uint64_t first = group.samples, end = 0;
  for_each_stretch(group.samples, [&](std::uint64_t begin, std::uint64_t count) {
    const std::vector<double> t = group.read_times(begin, count);
    for (std::uint64_t i = 0; i < count; ++i)
      if (t[i] >= from && t[i] <= to) first = std::min(first, begin + i), end = begin + i + 1;
  });
  return {first, end > first ? end - first : 0};
}

}  // namespace

bool fits_pattern(std::string_view pattern, std::string_view name) {
  // Where the last star was met, and what it has swallowed so far.
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<ChosenNumber> choose_numbers(const ResultFile& file, const std::string& name,
                                         std::string& problem) {
  // The group of each channel that has most rows of it.
  std::map<std::string, const SeriesGroup*, std::less<>> best;
  for (const auto& group : file.groups())
    for (const ChannelInfo& c : group->channels) {
      const SeriesGroup*& at = best[c.name];
      if (!at || group->samples > at->samples) at = group.get();
    }
  std::vector<ChosenNumber> out;
  std::vector<std::string> names;
  for (const auto& group : file.groups())
    for (std::size_t c = 0; c < group->channels.size(); ++c) {
      const ChannelInfo& info = group->channels[c];
      if (best[info.name] != group.get()) continue;
      const bool whole = fits_pattern(name, info.name);
      const std::vector<std::string> parts = find_part_names(info);
      names.push_back(info.name);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::string label = parts[k].empty() ? info.name : info.name + "." + parts[k];
        if (parts.size() > 1) names.push_back(label);
        if (whole || (parts.size() > 1 && fits_pattern(name, label)))
          out.push_back({group.get(), c, k, label, info.unit});
      }
    }
  if (out.empty()) {
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view near = find_nearest(name, views);
    problem = near.empty()
                  ? fmt::format("{} has no channel {}", file.name(), name)
                  : fmt::format("{} has no channel {}; did you mean {}?", file.name(), name, near);
  }
  return out;
}

Series read_series(const ChosenNumber& number, double from, double to, std::size_t most) {
  const auto [first, count] = find_stretch(*number.group, from, to);
  const PartOfGroup some(*number.group, first, count);
  if (count == 0) return {};
  const Decimation decimation(some, {}, {}, most);
  const Decimation::Points points = decimation.find_points(number.channel);
  return {decimation.find_times(points.rows), points.parts[number.part]};
}

}  // namespace berth
