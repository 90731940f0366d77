// SPDX-License-Identifier: Apache-2.0
#pragma once

// EnvelopeBoundary — where, over two inputs, the probability of success falls below 99, 95 and 50 %
// (search/boundary.h).
//
//   --boundary KEY,KEY
//
// At each node of the mesh, cases are run with the two inputs there and all other random inputs drawn, the
// same draws at every node; `--samples` is how many. The inputs range over their distributions' ends.

#include "berth/analysis/case_source.h"
#include "berth/search/boundary.h"

namespace berth {

class EnvelopeBoundary : public CaseSource {
 public:
  EnvelopeBoundary(const Sweep& sweep, Problems& problems);

  std::optional<CaseRange> next(const CaseStore* done, Problems& problems) override;
  std::vector<Cell> inputs(std::uint64_t number) const override;
  std::uint64_t expect() const override;
  void conclude(Sweep& sweep) const override;

 private:
  const Sweep& sweep_;
  std::array<std::size_t, 2> keys_{};  // places
  std::optional<Boundary> search_;
  std::vector<PlanePoint> nodes_;
  std::uint64_t recorded_ = 0;  // nodes whose cases the search knows
};

}  // namespace berth
