// SPDX-License-Identifier: Apache-2.0
#pragma once

// An estimate and the ends of the interval that holds what is estimated, with a stated confidence.

namespace berth {

struct Interval {
  double value, low, high;
};

}  // namespace berth
