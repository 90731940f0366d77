// SPDX-License-Identifier: Apache-2.0
#include "berth/report/decimate.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "berth/report/choose_frames.h"

namespace berth {
namespace {

constexpr std::uint64_t kMostCompared = 1 << 14;  // rows that are compared with one another
constexpr std::uint64_t kNeighbours = 2;          // rows kept on either side of an instant
constexpr double kError = 2e-4;                   // of a number's range: less is not seen

void sort_unique(std::vector<std::uint64_t>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

// At most n of them, at even distances.
std::vector<std::uint64_t> thin(const std::vector<std::uint64_t>& rows, std::size_t n) {
  if (rows.size() <= n) return rows;
  std::vector<std::uint64_t> out;
  for (std::size_t k = 0; k < n; ++k) out.push_back(rows[k * rows.size() / n]);
  return out;
}

}  // namespace

// Candidate rows of one channel, `width` numbers each.
struct Decimation::Table {
  std::vector<std::uint64_t> rows;
  std::vector<double> values;
};

Decimation::Decimation(const SeriesGroup& group, std::span<const double> instants,
                       const TimeWindow& window, std::size_t most)
    : group_(group), most_(std::max<std::size_t>(most, 2)) {
  if (group.samples > most_) find_fixed(instants, window);
}

// Rows around instants first, then those of the window; together at most two thirds of what is kept.
void Decimation::find_fixed(std::span<const double> instants, const TimeWindow& window) {
  std::vector<double> at(instants.begin(), instants.end());
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  std::vector<std::uint64_t> near, inside;
  const auto add = [&](std::uint64_t first, std::uint64_t behind) {
    for (std::uint64_t row = first < kNeighbours ? 0 : first - kNeighbours;
         row < std::min(behind + kNeighbours, group_.samples); ++row)
      near.push_back(row);
  };
  std::size_t next = 0;     // instant
  std::uint64_t first = 0;  // row that is not before it
  bool reached = false;     // that row is known
  for_each_stretch(group_.samples, [&](std::uint64_t begin, std::uint64_t count) {
    const std::vector<double> t = group_.read_times(begin, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t row = begin + i;
      if (window.contains(t[i])) inside.push_back(row);
      while (next < at.size() && t[i] > at[next]) {
        add(reached ? first : row, row);
        reached = false;
        ++next;
      }
      if (next < at.size() && t[i] == at[next] && !reached) first = row, reached = true;
    }
  });
  if (reached) add(first, group_.samples);
  sort_unique(near);
  near = thin(near, most_ / 3);
  inside = thin(inside, most_ / 3);
  std::set_union(near.begin(), near.end(), inside.begin(), inside.end(),
                 std::back_inserter(fixed_));
}

Decimation::Table Decimation::read_all(std::size_t channel, Points& points) const {
  Table table;
  const std::size_t width = group_.channels[channel].width;
  table.values.reserve(static_cast<std::size_t>(group_.samples) * width);
  for_each_stretch(group_.samples, [&](std::uint64_t begin, std::uint64_t count) {
    const std::vector<double> x = group_.read(channel, begin, count);
    table.values.insert(table.values.end(), x.begin(), x.end());
  });
  for (std::uint64_t row = 0; row < group_.samples; ++row) table.rows.push_back(row);
  for (std::size_t i = 0; i < table.values.size(); ++i)
    if (!std::isfinite(table.values[i])) ++points.missing[i % width];
  return table;
}

// The rows of the smallest and the largest value of every stretch, and the fixed ones.
Decimation::Table Decimation::read_extremes(std::size_t channel, Points& points) const {
  const std::size_t width = group_.channels[channel].width;
  const std::uint64_t stretches = std::max<std::uint64_t>(kMostCompared / (2 * width), 1);
  const auto stretch_of = [&](std::uint64_t row) {
    // Exact also where the product would not fit.
    const std::uint64_t whole = group_.samples / stretches, rest = group_.samples % stretches;
    const std::uint64_t longer = rest * (whole + 1);
    return row < longer ? row / (whole + 1) : rest + (row - longer) / whole;
  };
  struct Extremes {
    double least = INFINITY, most = -INFINITY;
    std::uint64_t least_row = 0, most_row = 0;
  };
  Table table;
  table.rows = fixed_;
  table.rows.push_back(0);
  table.rows.push_back(group_.samples - 1);
  std::vector<Extremes> now(width);
  std::uint64_t stretch = 0;
  const auto close = [&] {
    for (Extremes& e : now) {
      if (e.least <= e.most) table.rows.insert(table.rows.end(), {e.least_row, e.most_row});
      e = {};
    }
  };
  std::vector<bool> was_finite(width, true);
  std::size_t turns = 0;  // where numbers end or begin
  for_each_stretch(group_.samples, [&](std::uint64_t begin, std::uint64_t count) {
    const std::vector<double> x = group_.read(channel, begin, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t row = begin + i;
      if (stretch_of(row) != stretch) close(), stretch = stretch_of(row);
      for (std::size_t k = 0; k < width; ++k) {
        const double value = x[i * width + k];
        const bool finite = std::isfinite(value);
        if (finite != was_finite[k] && ++turns < kMostCompared / 4) {
          if (row > 0) table.rows.push_back(row - 1);
          table.rows.push_back(row);
        }
        was_finite[k] = finite;
        if (!finite) {
          ++points.missing[k];
          continue;
        }
        if (value < now[k].least) now[k].least = value, now[k].least_row = row;
        if (value > now[k].most) now[k].most = value, now[k].most_row = row;
      }
    }
  });
  close();
  sort_unique(table.rows);

  // Their numbers, in a second pass.
  std::size_t next = 0;
  for_each_stretch(group_.samples, [&](std::uint64_t begin, std::uint64_t count) {
    if (next >= table.rows.size() || table.rows[next] >= begin + count) return;
    const std::vector<double> x = group_.read(channel, begin, count);
    for (; next < table.rows.size() && table.rows[next] < begin + count; ++next) {
      const auto from = x.begin() + static_cast<std::ptrdiff_t>((table.rows[next] - begin) * width);
      table.values.insert(table.values.end(), from, from + static_cast<std::ptrdiff_t>(width));
    }
  });
  return table;
}

Decimation::Points Decimation::find_points(std::size_t channel, bool log) const {
  const std::size_t width = group_.channels[channel].width;
  Points out;
  out.missing.resize(width);
  out.parts.resize(width);
  const Table table =
      group_.samples <= kMostCompared ? read_all(channel, out) : read_extremes(channel, out);
  const std::size_t n = table.rows.size();

  std::vector<std::size_t> kept;
  if (n <= most_) {
    for (std::size_t i = 0; i < n; ++i) kept.push_back(i);
  } else {
    // What is drawn of each number, and the range it is drawn in.
    std::vector<double> drawn = table.values, scale(width);
    if (log)
      for (double& x : drawn) x = x > 0 ? std::log10(x) : NAN;
    for (std::size_t k = 0; k < width; ++k) {
      double least = INFINITY, most = -INFINITY;
      for (std::size_t i = 0; i < n; ++i)
        if (const double x = drawn[i * width + k]; std::isfinite(x))
          least = std::min(least, x), most = std::max(most, x);
      scale[k] = least < most ? most - least : 1;
    }

    const std::vector<double> t = find_times(table.rows);
    const auto error = [&](std::size_t a, std::size_t i, std::size_t b) {
      const double span = t[b] - t[a], s = span > 0 ? (t[i] - t[a]) / span : 0;
      double worst = 0;
      for (std::size_t k = 0; k < width; ++k) {
        const double xa = drawn[a * width + k], x = drawn[i * width + k], xb = drawn[b * width + k];
        const bool known = std::isfinite(x);
        if (known != std::isfinite(xa) || known != std::isfinite(xb)) return 1.0;
        if (known) worst = std::max(worst, std::fabs(x - ((1 - s) * xa + s * xb)) / scale[k]);
      }
      return worst;
    };
    std::vector<std::size_t> fixed;
    for (const std::uint64_t row : fixed_) {
      const auto it = std::lower_bound(table.rows.begin(), table.rows.end(), row);
      fixed.push_back(static_cast<std::size_t>(it - table.rows.begin()));
    }
    // Where numbers end or begin, on both sides.
    for (std::size_t i = 1; i < n && fixed.size() < most_ - 2; ++i)
      for (std::size_t k = 0; k < width; ++k)
        if (std::isfinite(drawn[i * width + k]) != std::isfinite(drawn[(i - 1) * width + k])) {
          fixed.insert(fixed.end(), {i - 1, i});
          break;
        }
    kept = choose_frames(n, fixed, most_, kError, error, n);
  }
  for (const std::size_t i : kept) {
    out.rows.push_back(table.rows[i]);
    for (std::size_t k = 0; k < width; ++k) out.parts[k].push_back(table.values[i * width + k]);
  }
  return out;
}

std::vector<double> Decimation::find_times(const std::vector<std::uint64_t>& rows) const {
  std::vector<double> out;
  out.reserve(rows.size());
  std::size_t next = 0;
  for_each_stretch(group_.samples, [&](std::uint64_t begin, std::uint64_t count) {
    if (next >= rows.size() || rows[next] >= begin + count) return;
    const std::vector<double> t = group_.read_times(begin, count);
    for (; next < rows.size() && rows[next] < begin + count; ++next)
      out.push_back(t[rows[next] - begin]);
  });
  return out;
}

}  // namespace berth
