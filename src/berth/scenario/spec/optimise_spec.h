// SPDX-License-Identifier: Apache-2.0
#pragma once

// [optimise] as a plain struct: which inputs are a design's, and what is wanted of it.

#include <string>
#include <vector>

#include "berth/model/fields.h"

namespace berth {

struct OptimiseSpec {
  std::vector<std::string> inputs;
  std::string maximise, minimise;
  std::vector<std::string> constraints;
  int samples = 100, budget = 200, confirm = 2000;

  static constexpr auto fields() {
    using P = OptimiseSpec;
    return Schema{
        Field{"inputs", &P::inputs, unit::none, Range::any,
              "what may be changed, and between which ends: \"table.name.key=range(a,b)\" …; keys "
              "with commas between them get the same value"},
        Field{"maximise", &P::maximise, unit::none, Range::any,
              "goal: a verdict's share of the cases, mean(…), p95(…) or max(…) of a number"},
        Field{"minimise", &P::minimise, unit::none, Range::any,
              "goal, likewise; with both, the front of the two is searched"},
        Field{"constraints", &P::constraints, unit::none, Range::any,
              "what must hold: \"p95(contacts.tip.force_peak) < 400\" …"},
        Field{"samples", &P::samples, unit::none, Range::positive, "cases of a design"},
        Field{"budget", &P::budget, unit::none, Range::positive, "how many designs are tried"},
        Field{"confirm", &P::confirm, unit::none, Range::positive,
              "fresh cases that the best design and the first are judged by at the end"},
    };
  }
};

}  // namespace berth
