// SPDX-License-Identifier: Apache-2.0
#include "berth/live/loop_search.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace berth {
namespace {

using Eigen::Index;

// The greatest distance of u, half-way between every `stride`-th tick, from the cubic through those.
double find_interpolation_error(const LoopRecord& record, std::size_t stride) {
  const double width = static_cast<double>(stride) * record.sample_time;
  double most = 0;
  for (std::size_t a = 0; a + stride < record.u.size(); a += stride) {
    const double middle = (record.u[a] + record.u[a + stride]) / 2 +
                          width * (record.u_rate[a] - record.u_rate[a + stride]) / 8;
    most = std::max(most, std::abs(middle - record.u[a + stride / 2]));
  }
  return most;
}

// Delay in whole ticks with the least squares of f against (y, ẏ, 1), for one response y.
LoopStart find_best_delay(const LoopRecord& record, LoopStages stages, Index most_delay) {
  stages.delay = 0;
  const LoopResponse response = find_loop_response(record, stages);
  const auto count = static_cast<Index>(record.u.size());
  const Index first = static_cast<Index>(record.first),
              stride = std::max<Index>((count - first) / 1200, 1);
  // y from where it is when the measurement begins, f from its mean: sums of small numbers.
  const double y_0 = response(kColumnY, std::min(first, count - 1));
  double f_0 = 0, n = 0;
  for (Index j = first; j < count; j += stride)
    if (const double f = record.force[static_cast<std::size_t>(j)]; std::isfinite(f)) f_0 += f, ++n;
  f_0 /= std::max(n, 1.0);

  LoopStart best{stages, 0, INFINITY};
  for (Index delay = 0; delay <= most_delay; ++delay) {
    double y1 = 0, r1 = 0, f1 = 0, yy = 0, yr = 0, rr = 0, yf = 0, rf = 0, ff = 0;
    for (Index j = first; j < count; j += stride) {
      double f = record.force[static_cast<std::size_t>(j)];
      if (!std::isfinite(f)) continue;
      f -= f_0;
      const Index at = std::max<Index>(j - delay, 0);
      const double y = response(kColumnY, at) - y_0, r = response(kColumnYRate, at);
      y1 += y, r1 += r, f1 += f;
      yy += y * y, yr += y * r, rr += r * r, yf += y * f, rf += r * f, ff += f * f;
    }
    yy -= y1 * y1 / n, yr -= y1 * r1 / n, rr -= r1 * r1 / n;
    yf -= y1 * f1 / n, rf -= r1 * f1 / n, ff -= f1 * f1 / n;
    const double det = yy * rr - yr * yr;
    if (!(det > 1e-12 * yy * rr)) continue;
    const double c_y = (yf * rr - rf * yr) / det, c_r = (rf * yy - yf * yr) / det;
    const double squares = std::max(ff - c_y * yf - c_r * rf, 0.0) / n;
    if (squares < best.squares) {
      best.squares = squares;
      best.k = -c_y;
      best.stages.delay = static_cast<double>(delay);
    }
  }
  return best;
}

}  // namespace

ThinnedRecord thin_record(const LoopRecord& record) {
  std::size_t stride = 1;
  const auto [low, high] = std::minmax_element(record.u.begin(), record.u.end());
  while (record.u.size() / (2 * stride) >= 3000 &&
         find_interpolation_error(record, 2 * stride) < 0.002 * (*high - *low))
    stride *= 2;
  ThinnedRecord thin;
  thin.stride = static_cast<int>(stride);
  thin.sample_time = record.sample_time * static_cast<double>(stride);
  thin.first = (record.first + stride - 1) / stride;
  for (std::size_t i = 0; i < record.u.size(); i += stride) {
    thin.u.push_back(record.u[i]);
    thin.u_rate.push_back(record.u_rate[i]);
    thin.force.push_back(record.force[i]);
  }
  return thin;
}

std::vector<LoopStart> find_loop_starts(const LoopRecord& record, bool with_lag, bool with_filter,
                                        double most_delay) {
  constexpr std::array frequencies{15.0, 40.0, 100.0, 250.0};  // [rad/s]
  constexpr double damping = 0.8, filter_time = 0.005;         // [s]
  const double T = record.sample_time;
  std::vector<LoopStart> starts;
  for (const double frequency : frequencies) {
    LoopStages s;
    if (with_filter) s.filter = filter_time / T;
    if (with_lag) {
      s.frequency = frequency * T;
      s.damping = damping;
    }
    starts.push_back(find_best_delay(record, s, static_cast<Index>(most_delay)));
    if (!with_lag) break;
  }
  std::sort(starts.begin(), starts.end(),
            [](const LoopStart& a, const LoopStart& b) { return a.squares < b.squares; });
  return starts;
}

}  // namespace berth
