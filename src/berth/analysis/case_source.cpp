// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/case_source.h"

#include "berth/analysis/design_search.h"
#include "berth/analysis/envelope_boundary.h"
#include "berth/analysis/rare_events.h"
#include "berth/analysis/stop_when_sure.h"

namespace berth {

std::optional<CaseRange> PlannedCases::next(const CaseStore* done, Problems&) {
  return done ? std::nullopt : std::optional(find_range());
}

std::unique_ptr<CaseSource> open_source(const Sweep& sweep, Problems& problems) {
  if (sweep.study.is_null()) return std::make_unique<PlannedCases>(sweep);
  if (sweep.study.contains("rare")) return std::make_unique<RareEvents>(sweep, problems);
  if (sweep.study.contains("optimise")) return std::make_unique<DesignSearch>(sweep, problems);
  if (sweep.study.contains("boundary")) return std::make_unique<EnvelopeBoundary>(sweep, problems);
  return std::make_unique<StopWhenSure>(sweep, problems);
}

}  // namespace berth
