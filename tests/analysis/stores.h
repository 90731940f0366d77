// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results of cases that no run has made, in a store and in a table.

#include <memory>

#include "berth/analysis/sweep_table.h"

namespace berth::test {

// Those without an outcome have not run.
inline std::shared_ptr<CaseStore> store_of(const std::filesystem::path& folder,
                                           const std::vector<Collected>& columns,
                                           const std::vector<CaseResult>& results) {
  auto store = std::make_shared<CaseStore>(folder, columns);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!results[i].outcome.empty()) store->set(i, results[i]);
  return store;
}

inline void write_table(const Sweep& sweep, const std::vector<Collected>& columns,
                        const std::vector<CaseResult>& results, const std::filesystem::path& h5) {
  const auto store = store_of(h5.parent_path(), columns, results);
  write_sweep(sweep,
              {*store, 0, results.size(), [&](std::uint64_t i) { return sweep.plan.inputs(i); }},
              h5, {});
}

}  // namespace berth::test
