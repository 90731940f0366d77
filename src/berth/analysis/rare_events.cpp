// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/rare_events.h"

namespace berth {
namespace {

constexpr std::uint64_t kUsualLevels = 4;  // for the bar

}  // namespace

RareEvents::RareEvents(const Sweep& sweep, Problems& problems)
    : sweep_(sweep),
      criterion_(read_criterion(sweep.study.at("rare").get<std::string>(), "--rare", problems)) {
  if (!criterion_) return;
  if (!criterion_->is_number()) {
    problems.add(
        Place{0, 0, "--rare"}, "",
        "takes a number and its limit, as in contacts.tip.force_peak > 400: a verdict does "
        "not say how near a case came to it");
    return;
  }
  // The value is how far beyond the limit a case lies.
  search_.emplace(SubsetOptions{.inputs = static_cast<std::uint32_t>(sweep.plan.count_random()),
                                .threshold = 0,
                                .samples = static_cast<std::uint32_t>(sweep.plan.samples),
                                .seed = sweep.plan.seed});
}

std::optional<CaseRange> RareEvents::next(const CaseStore* done, Problems& problems) {
  if (!search_) return std::nullopt;
  if (done) {
    const Judge judge(*criterion_, done->columns(), "--rare", problems);
    if (!problems.empty()) return std::nullopt;
    std::vector<double> values;
    done->for_each(recorded_, points_.size(), [&](std::uint64_t, const CaseResult& result) {
      values.push_back(judge.find_excess(result));
    });
    search_->record(values);
    recorded_ = points_.size();
  }
  for (SearchPoint& z : search_->ask()) points_.push_back(std::move(z));
  if (points_.size() == recorded_) return std::nullopt;
  return CaseRange{recorded_, points_.size()};
}

std::uint64_t RareEvents::expect() const {
  return std::max<std::uint64_t>(points_.size(), kUsualLevels * 10 * sweep_.plan.samples);
}

void RareEvents::conclude(Sweep& sweep) const {
  const SubsetResult r = search_->result();
  sweep.study["probability"] = r.probability;
  sweep.study["low"] = r.low;
  sweep.study["high"] = r.high;
  sweep.study["confidence"] = 0.95;
  sweep.study["levels"] = r.levels;
  sweep.study["cases"] = r.evaluations;
  sweep.study["refused"] = r.refused;
  sweep.study["without_failure"] = r.without_failure;
  sweep.study["estimates"] = r.estimates;
  sweep.study["thresholds"] = nlohmann::ordered_json::array();
  for (const double t : r.thresholds)  // as values of the number itself
    sweep.study["thresholds"].push_back(criterion_->above ? *criterion_->limit + t
                                                          : *criterion_->limit - t);
}

}  // namespace berth
