// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/envelope_boundary.h"

#include <algorithm>

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<double> kLevels{0.5, 0.95, 0.99};
constexpr std::uint64_t kUsualNodes = 300;  // for the bar

}  // namespace

EnvelopeBoundary::EnvelopeBoundary(const Sweep& sweep, Problems& problems) : sweep_(sweep) {
  const auto wanted = sweep.study.at("boundary").get<std::vector<std::string>>();
  BoundaryOptions options{.levels = kLevels, .trials = sweep.plan.samples};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto found = std::find_if(sweep.plan.keys.begin(), sweep.plan.keys.end(),
                                    [&](const Vary& v) { return v.key == wanted[i]; });
    const bool is_range =
        found != sweep.plan.keys.end() && found->is_random() && !found->distribution.is_discrete();
    if (!is_range) {
      problems.add(Place{0, 0, "--boundary"}, wanted[i],
                   found == sweep.plan.keys.end()
                       ? "is not among the keys that are varied"
                       : "has single values: it takes one that ranges over a distribution");
      continue;
    }
    keys_[i] = static_cast<std::size_t>(found - sweep.plan.keys.begin());
    std::tie(options.low[i], options.high[i]) = found->distribution.display_range();
  }
  if (problems.empty()) search_.emplace(options);
}

std::optional<CaseRange> EnvelopeBoundary::next(const CaseStore* done, Problems&) {
  if (!search_) return std::nullopt;
  const std::uint64_t trials = sweep_.plan.samples;
  if (done) {
    const std::vector<bool> good = done->find_expected(recorded_ * trials, nodes_.size() * trials);
    std::vector<BoundaryCount> counts(nodes_.size() - recorded_, {0, trials});
    for (std::size_t i = 0; i < good.size(); ++i) counts[i / trials].good += good[i] ? 1 : 0;
    search_->record(counts);
    recorded_ = nodes_.size();
  }
  for (const BoundaryNode& node : search_->ask()) nodes_.push_back(node.at);
  if (nodes_.size() == recorded_) return std::nullopt;
  return CaseRange{recorded_ * trials, nodes_.size() * trials};
}

std::vector<Cell> EnvelopeBoundary::inputs(std::uint64_t number) const {
  const std::uint64_t trials = sweep_.plan.samples;
  std::vector<Cell> out = sweep_.plan.inputs(number % trials);
  const PlanePoint& at = nodes_.at(number / trials);
  for (std::size_t i = 0; i < 2; ++i) out[keys_[i]] = at[i];
  return out;
}

std::uint64_t EnvelopeBoundary::expect() const {
  return std::max<std::uint64_t>(nodes_.size(), kUsualNodes) * sweep_.plan.samples;
}

void EnvelopeBoundary::conclude(Sweep& sweep) const {
  Json contours = Json::array();
  for (const double level : kLevels) {
    Json lines = Json::array();
    for (const Polyline& line : search_->find_contours(level))
      lines.push_back({{"points", line.points}, {"closed", line.is_closed}});
    contours.push_back({{"level", level}, {"lines", lines}});
  }
  Json nodes = Json::array();
  for (const Boundary::Estimate& e : search_->estimates())
    nodes.push_back({e.at[0], e.at[1], e.count.good, e.count.trials});
  sweep.study["contours"] = contours;
  sweep.study["nodes"] = nodes;
  sweep.study["cases"] = nodes_.size() * sweep.plan.samples;
}

}  // namespace berth
