// SPDX-License-Identifier: Apache-2.0
#include "berth/report/difference.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

double time_at(const SeriesGroup& group, std::uint64_t row) {
  return group.read_times(row, 1).front();
}

// The first row whose time is not below t; or, with `after`, the first above it.
std::uint64_t find_row_at(const SeriesGroup& group, double t, bool after) {
  std::uint64_t from = 0, to = group.samples;
  while (from < to) {
    const std::uint64_t middle = from + (to - from) / 2;
    const double at = time_at(group, middle);
    if (after ? at <= t : at < t) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

// On which side of an event a row stands is no quantity.
bool are_alike(const ChannelInfo& a, const ChannelInfo& b) {
  return a.name == b.name && a.width == b.width && a.unit == b.unit && !a.name.starts_with("row.");
}

// B − A; of attitudes, against the sign of A that is nearer.
void subtract(std::vector<double>& b, const std::vector<double>& a, std::size_t width) {
  for (std::size_t i = 0; i < b.size(); i += width) {
    double same = 0;
    for (std::size_t k = 0; k < width; ++k) same += a[i + k] * b[i + k];
    const double sign = width == 4 && same < 0 ? -1 : 1;
    for (std::size_t k = 0; k < width; ++k) b[i + k] -= sign * a[i + k];
  }
}

// Of n rows of A at one time, the one that stands against the k-th of m rows of B.
std::size_t find_partner(std::size_t k, std::size_t m, std::size_t n) {
  if (m == n) return k;
  if (k + 1 == m) return n - 1;
  return n < 2 ? 0 : std::min(k, n - 2);
}

}  // namespace

DifferenceGroup::DifferenceGroup(const SeriesGroup& a, const SeriesGroup& b) : a_(a), b_(b) {
  name = b.name;
  for (std::size_t j = 0; j < b.channels.size(); ++j)
    for (std::size_t i = 0; i < a.channels.size(); ++i)
      if (are_alike(a.channels[i], b.channels[j])) {
        channels.push_back(b.channels[j]);
        pairs_.push_back({i, j});
      }
  if (a.samples == 0 || b.samples == 0) return;
  const double from = time_at(a, 0), to = time_at(a, a.samples - 1);
  first_ = find_row_at(b, from, false);
  const std::uint64_t end = find_row_at(b, to, true);
  samples = end > first_ ? end - first_ : 0;
  alike_ = a.samples == b.samples;
  for_each_stretch(alike_ ? samples : 0, [&](std::uint64_t begin, std::uint64_t count) {
    alike_ = alike_ && a.read_times(begin, count) == b.read_times(begin, count);
  });
}

std::vector<double> DifferenceGroup::read_times(std::uint64_t first, std::uint64_t count) const {
  return b_.read_times(first_ + first, count);
}

std::vector<double> DifferenceGroup::read(std::size_t channel, std::uint64_t first,
                                          std::uint64_t count) const {
  if (count == 0) return {};
  const auto [of_a, of_b] = pairs_[channel];
  std::vector<double> out = b_.read(of_b, first_ + first, count);
  if (alike_) {
    subtract(out, a_.read(of_a, first, count), channels[channel].width);
    return out;
  }
  const std::vector<double> t = read_times(first, count);
  const Rows rows = find_rows_of_a(t);
  // A that was recorded far more often is read in halves.
  if (rows.end - rows.begin > 16 * kMostRowsAtOnce && count > 1) {
    out = read(channel, first, count / 2);
    const std::vector<double> rest = read(channel, first + count / 2, count - count / 2);
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
  }
  subtract(out, interpolate(of_a, rows, first, t), channels[channel].width);
  return out;
}

// Those around and between times of B.
DifferenceGroup::Rows DifferenceGroup::find_rows_of_a(std::span<const double> t) const {
  const std::uint64_t low = find_row_at(a_, t.front(), false);
  return {low > 0 ? low - 1 : 0, std::min(find_row_at(a_, t.back(), true) + 1, a_.samples)};
}

// A at times of B, which are those of its rows from `first` on.
std::vector<double> DifferenceGroup::interpolate(std::size_t channel, Rows rows,
                                                 std::uint64_t first,
                                                 std::span<const double> at) const {
  const std::size_t width = a_.channels[channel].width;
  const std::vector<double> t = a_.read_times(rows.begin, rows.end - rows.begin);
  const std::vector<double> x = a_.read(channel, rows.begin, rows.end - rows.begin);
  // Rows of B at the first and the last time that lie outside what is read.
  std::size_t ahead = 0, behind = 0;
  while (first_ + first > ahead && time_at(b_, first_ + first - ahead - 1) == at.front()) ++ahead;
  for (std::uint64_t row = first_ + first + at.size();
       row < b_.samples && time_at(b_, row) == at.back(); ++row)
    ++behind;

  std::vector<double> out(at.size() * width);
  for (std::size_t i = 0; i < at.size();) {
    std::size_t same = i + 1;
    while (same < at.size() && at[same] == at[i]) ++same;
    const std::size_t before = i == 0 ? ahead : 0;
    const std::size_t of_b = same - i + before + (same == at.size() ? behind : 0);
    const auto [low, high] = std::equal_range(t.begin(), t.end(), at[i]);
    const auto j = static_cast<std::size_t>(low - t.begin());
    for (std::size_t k = 0; i < same; ++i, ++k) {
      double* to = &out[i * width];
      if (low != high || j == 0 || low == t.end()) {
        const auto of_a = static_cast<std::size_t>(high - low);
        const std::size_t row = of_a > 0         ? j + find_partner(before + k, of_b, of_a)
                                : low == t.end() ? t.size() - 1
                                                 : 0;
        std::copy_n(&x[row * width], width, to);
      } else {
        const double s = (at[i] - t[j - 1]) / (t[j] - t[j - 1]);
        for (std::size_t c = 0; c < width; ++c)
          to[c] = (1 - s) * x[(j - 1) * width + c] + s * x[j * width + c];
      }
    }
  }
  return out;
}

std::uint64_t DifferenceGroup::count_interpolated() const {
  std::uint64_t n = 0, row = 0;  // of A, not before the time in hand
  std::vector<double> of_a;
  std::uint64_t begin = 0;  // of the rows of A in hand
  for_each_stretch(samples, [&](std::uint64_t first, std::uint64_t count) {
    for (const double t : read_times(first, count)) {
      for (;; ++row) {
        if (row >= begin + of_a.size()) {
          begin = row;
          of_a = a_.read_times(row, std::min(kMostRowsAtOnce, a_.samples - row));
        }
        if (of_a.empty() || of_a[row - begin] >= t) break;
      }
      if (of_a.empty() || of_a[row - begin] != t) ++n;
    }
  });
  return n;
}

std::vector<std::unique_ptr<DifferenceGroup>> find_differences(const ResultFile& a,
                                                               const ResultFile& b) {
  std::vector<std::unique_ptr<DifferenceGroup>> out;
  for (const auto& of_b : b.groups())
    for (const auto& of_a : a.groups())
      if (of_a->name == of_b->name) out.push_back(std::make_unique<DifferenceGroup>(*of_a, *of_b));
  return out;
}

std::vector<Deviation> find_deviations(const SeriesGroup& difference, std::size_t channel) {
  const std::size_t width = difference.channels[channel].width;
  struct Sum {
    double squares = 0, time = 0;  // over stretches of time
    double row_squares = 0;        // of rows, where no time passes
    std::uint64_t rows = 0;
  };
  std::vector<Deviation> out(width, {NAN, NAN, NAN});
  std::vector<Sum> sums(width);
  std::vector<double> last(width, NAN);
  double last_t = NAN;
  for_each_stretch(difference.samples, [&](std::uint64_t first, std::uint64_t count) {
    const std::vector<double> t = difference.read_times(first, count);
    const std::vector<double> x = difference.read(channel, first, count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < width; ++k) {
        const double d = x[i * width + k], before = last[k], span = t[i] - last_t;
        last[k] = d;
        if (!std::isfinite(d)) continue;
        if (!(std::fabs(d) <= out[k].largest)) out[k].largest = std::fabs(d), out[k].t = t[i];
        sums[k].row_squares += d * d;
        ++sums[k].rows;
        if (!std::isfinite(before) || !(span > 0)) continue;
        sums[k].squares += span * (d * d + d * before + before * before) / 3;
        sums[k].time += span;
      }
      last_t = t[i];
    }
  });
  for (std::size_t k = 0; k < width; ++k) {
    const Sum& s = sums[k];
    if (s.time > 0) {
      out[k].rms = std::sqrt(s.squares / s.time);
    } else if (s.rows > 0) {
      out[k].rms = std::sqrt(s.row_squares / static_cast<double>(s.rows));
    }
  }
  return out;
}

bool are_related(const ResultFile& a, const ResultFile& b) {
  for (const auto& of_a : a.groups())
    for (const auto& of_b : b.groups())
      for (const ChannelInfo& i : of_a->channels)
        for (const ChannelInfo& j : of_b->channels)
          if (are_alike(i, j) && !i.name.starts_with("system.") && !i.name.starts_with("orbit."))
            return true;
  return false;
}

}  // namespace berth
