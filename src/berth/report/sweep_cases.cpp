// SPDX-License-Identifier: Apache-2.0
#include "berth/report/sweep_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "berth/math/philox.h"

namespace berth {
namespace {

constexpr std::size_t kMostGood = 3, kMostBad = 5;
constexpr std::size_t kMostValues = 24, kCoarsePieces = 12;  // of an axis

// `count` of the `from` cases: one drawn from each of as many stretches of equal length.
void draw_sample(const std::vector<std::uint64_t>& from, std::size_t count,
                 std::vector<std::uint64_t>& out) {
  const double length = static_cast<double>(from.size()) / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = (static_cast<double>(i) + find_uniform(0, i, 0)) * length;
    out.push_back(from[std::min(static_cast<std::size_t>(at), from.size() - 1)]);
  }
}

// Different texts once, and their numbers.
struct CodedTexts {
  std::vector<std::string> labels;
  std::vector<std::uint32_t> of;
};
CodedTexts read_coded(const SweepTable& table, const SweepColumn& column) {
  CodedTexts out;
  std::map<std::string, std::uint32_t> known;
  table.for_each_text(column, [&](std::uint64_t, const std::string& text) {
    const auto [at, is_new] = known.emplace(text, static_cast<std::uint32_t>(out.labels.size()));
    if (is_new) out.labels.push_back(text);
    out.of.push_back(at->second);
  });
  return out;
}

}  // namespace

CaseClasses find_classes(const SweepTable& table, const std::vector<double>& as_expected) {
  const std::size_t n = table.cases();
  const CodedTexts verdicts = read_coded(table, table.verdict());
  const CodedTexts outcomes = read_coded(table, table.outcome());
  const auto name_of = [&](std::size_t i) -> const std::string& {
    const std::string& verdict = verdicts.labels[verdicts.of[i]];
    return verdict.empty() ? outcomes.labels[outcomes.of[i]] : verdict;
  };
  const auto is_good = [&](std::size_t i) { return as_expected[i] == 1; };
  std::array<std::map<std::string, std::uint64_t>, 2> counts;
  for (std::size_t i = 0; i < n; ++i) ++counts[is_good(i)][name_of(i)];

  CaseClasses out;
  std::array<std::map<std::string, std::uint8_t>, 2> place;
  for (const bool good : {true, false}) {
    std::vector<std::pair<std::string, std::uint64_t>> sorted(counts[good].begin(),
                                                              counts[good].end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    const std::size_t most = good ? kMostGood : kMostBad;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      const auto& [name, count] = sorted[k];
      if (k < most) {
        const bool is_both = counts[true].contains(name) && counts[false].contains(name);
        out.list.push_back({is_both && !good ? name + ", not as expected" : name, good, 0});
      }
      if (k == most - 1 && sorted.size() > most) out.list.back().name = "other";
      out.list.back().count += count;
      place[good][name] = static_cast<std::uint8_t>(out.list.size() - 1);
    }
  }
  out.of.reserve(n);
  for (std::size_t i = 0; i < n; ++i) out.of.push_back(place[is_good(i)].at(name_of(i)));
  return out;
}

std::optional<MapAxis> build_page_axis(const Vary& key, const std::string& unit) {
  std::optional<MapAxis> axis = build_axis(key, unit);
  if (!axis) return std::nullopt;
  std::sort(axis->values.begin(), axis->values.end());
  axis->values.erase(std::unique(axis->values.begin(), axis->values.end()), axis->values.end());
  if (axis->values.size() <= kMostValues) return axis;
  const double low = axis->values.front(), high = axis->values.back();
  for (std::size_t i = 0; i <= kCoarsePieces; ++i) {
    const double share = static_cast<double>(i) / kCoarsePieces;
    axis->edges.push_back(key.spread == Spread::log && low > 0 ? low * std::pow(high / low, share)
                                                               : low + (high - low) * share);
  }
  axis->values.clear();
  return axis;
}

bool is_spread_wide(const Statistics& s) {
  return s.count > 0 && s.least > 0 && s.largest > 1000 * s.least;
}

Bins build_bins(const Statistics& s, bool log) {
  Bins bins{{}, log};
  if (s.count == 0) return bins;
  if (!(s.largest > s.least)) {
    const double half = s.least == 0 ? 0.5 : 0.5 * std::fabs(s.least);
    return {{s.least - half, s.least + half}, false};
  }
  const auto n = static_cast<std::size_t>(
      std::clamp(std::ceil(std::sqrt(static_cast<double>(s.count))), 5.0, 40.0));
  for (std::size_t i = 0; i <= n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n);
    bins.edges.push_back(log ? s.least * std::pow(s.largest / s.least, share)
                             : s.least * (1 - share) + s.largest * share);
  }
  bins.edges.back() = s.largest;
  return bins;
}

std::size_t Bins::find(double x) const {
  const auto above = std::upper_bound(edges.begin(), edges.end(), x);
  const auto last = static_cast<std::ptrdiff_t>(edges.size()) - 2;
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - edges.begin() - 1, 0, last));
}

std::vector<std::uint64_t> find_extremes(const std::vector<double>& column, std::size_t most,
                                         bool largest) {
  std::vector<std::uint64_t> order;
  for (std::size_t i = 0; i < column.size(); ++i)
    if (std::isfinite(column[i])) order.push_back(i);
  const std::size_t n = std::min(most, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), order.end(),
                    [&](std::uint64_t a, std::uint64_t b) {
                      if (column[a] != column[b])
                        return largest ? column[a] > column[b] : column[a] < column[b];
                      return a < b;
                    });
  order.resize(n);
  return order;
}

CasePoints choose_points(const std::vector<double>& as_expected, std::size_t limit,
                         const std::vector<std::uint64_t>& always) {
  CasePoints out;
  std::vector<std::uint64_t> good, bad;
  for (std::size_t i = 0; i < as_expected.size(); ++i)
    (as_expected[i] == 1 ? good : bad).push_back(i);
  if (as_expected.size() <= limit) {
    out.cases.resize(as_expected.size());
    std::iota(out.cases.begin(), out.cases.end(), std::uint64_t{0});
  } else {
    // The others keep a tenth of the places, however many failures there are.
    const std::size_t kept =
        std::min(good.size(), std::max(limit / 10, limit - std::min(limit, bad.size())));
    const std::size_t failures = std::min(bad.size(), limit - kept);
    if (failures == bad.size()) {
      out.cases = bad;
    } else {
      draw_sample(bad, failures, out.cases);
    }
    draw_sample(good, kept, out.cases);
    out.cases.insert(out.cases.end(), always.begin(), always.end());
    std::sort(out.cases.begin(), out.cases.end());
    out.cases.erase(std::unique(out.cases.begin(), out.cases.end()), out.cases.end());
  }
  out.failures = static_cast<std::uint64_t>(std::count_if(
      out.cases.begin(), out.cases.end(), [&](std::uint64_t i) { return as_expected[i] != 1; }));
  return out;
}

std::string quote_for_shell(const std::string& name) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-' || c == '+';
  };
  if (!name.empty() && name[0] != '-' && std::all_of(name.begin(), name.end(), is_plain))
    return name;
  std::string out = name.starts_with('-') ? "'./" : "'";
  for (const char c : name) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace berth
