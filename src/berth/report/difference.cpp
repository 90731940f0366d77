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

class DifferenceGroup : public SeriesGroup {
 public:
  DifferenceGroup(const SeriesGroup& a, const SeriesGroup& b) : a_(a), b_(b) {
    name = b.name;
    for (std::size_t j = 0; j < b.channels.size(); ++j)
      for (std::size_t i = 0; i < a.channels.size(); ++i)
        if (a.channels[i].name == b.channels[j].name &&
            a.channels[i].width == b.channels[j].width) {
          channels.push_back(b.channels[j]);
          pairs_.push_back({i, j});
        }
    if (a.samples == 0 || b.samples == 0) return;
    const double from = time_at(a, 0), to = time_at(a, a.samples - 1);
    first_ = find_row_at(b, from, false);
    const std::uint64_t end = find_row_at(b, to, true);
    samples = end > first_ ? end - first_ : 0;
  }

  std::vector<double> read_times(std::uint64_t first, std::uint64_t count) const override {
    return b_.read_times(first_ + first, count);
  }

  std::vector<double> read(std::size_t channel, std::uint64_t first,
                           std::uint64_t count) const override {
    if (count == 0) return {};
    const auto [of_a, of_b] = pairs_[channel];
    const std::vector<double> t = read_times(first, count);
    std::vector<double> out = b_.read(of_b, first_ + first, count);
    // Runs recorded alike need no interpolation; rows at one time stay apart.
    if (first_ == 0 && first + count <= a_.samples && a_.read_times(first, count) == t) {
      subtract(out, a_.read(of_a, first, count), channels[channel].width);
      return out;
    }
    const std::uint64_t low = find_row_at(a_, t.front(), false);
    const std::uint64_t begin = low > 0 ? low - 1 : 0;
    const std::uint64_t end = std::min(find_row_at(a_, t.back(), true) + 1, a_.samples);
    // A that was recorded far more often is read in halves.
    if (end - begin > 16 * kMostRowsAtOnce && count > 1) {
      out = read(channel, first, count / 2);
      const std::vector<double> rest = read(channel, first + count / 2, count - count / 2);
      out.insert(out.end(), rest.begin(), rest.end());
      return out;
    }
    subtract(out, interpolate(of_a, begin, end, t), channels[channel].width);
    return out;
  }

 private:
  struct Pair {
    std::size_t of_a, of_b;
  };

  // B − A; of attitudes, against the sign of A that is nearer.
  static void subtract(std::vector<double>& b, const std::vector<double>& a, std::size_t width) {
    for (std::size_t i = 0; i < b.size(); i += width) {
      double same = 0;
      for (std::size_t k = 0; k < width; ++k) same += a[i + k] * b[i + k];
      const double sign = width == 4 && same < 0 ? -1 : 1;
      for (std::size_t k = 0; k < width; ++k) b[i + k] -= sign * a[i + k];
    }
  }

  std::vector<double> interpolate(std::size_t channel, std::uint64_t begin, std::uint64_t end,
                                  const std::vector<double>& at) const {
    const std::size_t width = a_.channels[channel].width;
    // Of a single time far apart only the rows around it matter.
    const std::vector<double> t = a_.read_times(begin, end - begin);
    const std::vector<double> x = a_.read(channel, begin, end - begin);
    std::vector<double> out(at.size() * width);
    for (std::size_t i = 0; i < at.size(); ++i) {
      // Two rows at one time are before and after an event, in B as in A.
      const bool before = i + 1 < at.size() && at[i + 1] == at[i];
      auto next = before ? std::lower_bound(t.begin(), t.end(), at[i])
                         : std::upper_bound(t.begin(), t.end(), at[i]);
      if (!before && next != t.begin() && *(next - 1) == at[i]) --next;
      if (next == t.end()) --next;
      const auto j = static_cast<std::size_t>(next - t.begin());
      const double span = j > 0 ? t[j] - t[j - 1] : 0;
      const double s = *next == at[i] || !(span > 0) ? 1 : (at[i] - t[j - 1]) / span;
      for (std::size_t k = 0; k < width; ++k) {
        const double after = x[j * width + k];
        out[i * width + k] = s == 1 ? after : (1 - s) * x[(j - 1) * width + k] + s * after;
      }
    }
    return out;
  }

  const SeriesGroup &a_, &b_;
  std::vector<Pair> pairs_;
  std::uint64_t first_ = 0;  // row of B where A has begun
};

}  // namespace

std::unique_ptr<SeriesGroup> find_difference(const SeriesGroup& a, const SeriesGroup& b) {
  return std::make_unique<DifferenceGroup>(a, b);
}

std::vector<std::unique_ptr<SeriesGroup>> find_differences(const ResultFile& a,
                                                           const ResultFile& b) {
  std::vector<std::unique_ptr<SeriesGroup>> out;
  for (const auto& of_b : b.groups())
    for (const auto& of_a : a.groups())
      if (of_a->name == of_b->name) out.push_back(find_difference(*of_a, *of_b));
  return out;
}

}  // namespace berth
