// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/kept_runs.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "berth/analysis/criterion.h"

namespace berth {

std::optional<KeptRuns> read_kept_runs(const std::string& text, Problems& problems) {
  const auto refuse = [&] {
    problems.add(Place{0, 0, "--keep-runs"}, "",
                 fmt::format("\"{}\": write failed, failed:20, worst:10 or worst:10:COLUMN", text));
    return std::nullopt;
  };
  KeptRuns out;
  const std::size_t colon = text.find(':');
  const std::string which = text.substr(0, colon);
  if (which != "failed" && which != "worst") return refuse();
  out.failed = which == "failed";
  if (colon == std::string::npos) return out.failed ? std::optional(out) : refuse();
  const std::size_t second = text.find(':', colon + 1);
  const std::string count = text.substr(colon + 1, second - colon - 1);
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), out.most);
  if (error != std::errc{} || end != count.data() + count.size() || out.most == 0) return refuse();
  if (second != std::string::npos) out.column = text.substr(second + 1);
  if (out.failed && second != std::string::npos) return refuse();
  return out;
}

std::vector<std::uint64_t> choose_kept_runs(const KeptRuns& wanted, const SweepResult& result,
                                            Problems& problems) {
  std::vector<std::uint64_t> list;
  if (wanted.failed) {
    result.for_each([&](std::uint64_t number, const CaseResult& r) {
      if (!r.as_expected && list.size() < wanted.most) list.push_back(number);
    });
    return list;
  }
  std::string column = wanted.column;
  for (const Collected& c : result.columns())
    if (!c.is_text && c.width == 1 &&
        (column.empty() || (wanted.column.empty() && !column.ends_with("force_peak") &&
                            c.path.ends_with("force_peak"))))
      column = c.path;
  const auto place = find_number_place(column, result.columns(), "--keep-runs", problems);
  if (!place) return list;
  const std::vector<double> values =
      result.store->numbers(*place, result.range.first, result.range.last);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) list.push_back(i);
  const auto n = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(wanted.most, list.size()));
  std::partial_sort(list.begin(), list.begin() + n, list.end(),
                    [&](std::uint64_t a, std::uint64_t b) {
                      return values[a] != values[b] ? values[a] > values[b] : a < b;
                    });
  list.resize(static_cast<std::size_t>(n));
  for (std::uint64_t& i : list) i += result.range.first;
  std::sort(list.begin(), list.end());
  return list;
}

std::filesystem::path find_case_file(const std::filesystem::path& sweep, std::uint64_t number) {
  return sweep.parent_path() / fmt::format("{}_case{}.h5", sweep.stem().string(), number);
}

void record_case(const std::filesystem::path& sweep, std::uint64_t number,
                 const std::function<bool()>& interrupted, Problems& problems) {
  const std::optional<StoredCase> stored =
      read_case(sweep, static_cast<std::int64_t>(number), problems);
  if (!stored) return;
  ReadScenario read = read_scenario_text(stored->source, fmt::format("case {}", number),
                                         stored->settings, ".", &stored->models);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  if (!read.problems.empty()) return;  // a case that was refused has nothing to show
  SimulateOptions options;
  options.h5 = find_case_file(sweep, number);
  options.interrupted = interrupted;
  simulate(read.scenario, built, options);
}

}  // namespace berth
