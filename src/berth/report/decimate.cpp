// SPDX-License-Identifier: Apache-2.0
#include "berth/report/decimate.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

// Extremes of one bucket, and which came first.
struct Extremes {
  double least = NAN, most = NAN;
  bool least_first = true;

  void add(double x) {
    if (!std::isfinite(x)) return;
    if (std::isnan(least)) {
      least = most = x;
    } else if (x < least) {
      least = x, least_first = false;
    } else if (x > most) {
      most = x, least_first = true;
    }
  }
};

}  // namespace

Decimation::Decimation(std::uint64_t rows, std::size_t buckets)
    : rows_(rows),
      buckets_(std::max<std::size_t>(buckets, 1)),
      keeps_all_(rows <= 2 * static_cast<std::uint64_t>(buckets_)) {}

std::size_t Decimation::point_count() const {
  return keeps_all_ ? static_cast<std::size_t>(rows_) : 2 * buckets_;
}

// Exact also where the product would not fit.
std::uint64_t Decimation::begin_of(std::size_t bucket) const {
  const std::uint64_t whole = rows_ / buckets_, rest = rows_ % buckets_;
  return whole * bucket + rest * bucket / buckets_;
}

std::vector<double> Decimation::find_times(const SeriesGroup& group) const {
  if (keeps_all_) return group.read_times(0, rows_);
  std::vector<double> out;
  out.reserve(point_count());
  std::size_t bucket = 0;
  for_each_stretch(rows_, [&](std::uint64_t first, std::uint64_t count) {
    const std::vector<double> t = group.read_times(first, count);
    // The first and last rows of buckets that lie in this stretch.
    while (bucket < buckets_) {
      const std::uint64_t wanted =
          out.size() % 2 == 0 ? begin_of(bucket) : begin_of(bucket + 1) - 1;
      if (wanted >= first + count) break;
      out.push_back(t[wanted - first]);
      if (out.size() % 2 == 0) ++bucket;
    }
  });
  return out;
}

std::vector<Decimation::Part> Decimation::find_points(const SeriesGroup& group,
                                                      std::size_t channel) const {
  const std::size_t width = group.channels[channel].width;
  std::vector<Part> parts(width);
  std::vector<Extremes> now(width);
  for (Part& part : parts) part.values.reserve(point_count());
  std::size_t bucket = 0;
  for_each_stretch(rows_, [&](std::uint64_t first, std::uint64_t count) {
    const std::vector<double> x = group.read(channel, first, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < width; ++k) {
        const double value = x[i * width + k];
        if (!std::isfinite(value)) ++parts[k].missing;
        if (keeps_all_) {
          parts[k].values.push_back(value);
        } else {
          now[k].add(value);
        }
      }
      if (keeps_all_ || first + i + 1 != begin_of(bucket + 1)) continue;
      for (std::size_t k = 0; k < width; ++k) {
        const Extremes& e = now[k];
        parts[k].values.push_back(e.least_first ? e.least : e.most);
        parts[k].values.push_back(e.least_first ? e.most : e.least);
        now[k] = {};
      }
      ++bucket;
    }
  });
  return parts;
}

}  // namespace berth
