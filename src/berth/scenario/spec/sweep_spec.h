// SPDX-License-Identifier: Apache-2.0
#pragma once

// [sweep] as a plain struct: what `berth sweep FILE` varies when the command line does not say.

#include <string>
#include <vector>

#include "berth/model/fields.h"
#include "berth/sampling/sample_design.h"

namespace berth {

constexpr auto keywords_of(Design) {
  return std::array{
      Keyword{name_of(Design::random), "independent draws"},
      Keyword{name_of(Design::lhs), "Latin hypercube: every input evenly over its range"},
      Keyword{name_of(Design::sobol), "Sobol's sequence, scrambled: even in many inputs at once"},
      Keyword{name_of(Design::halton), "Halton's sequence, scrambled"}};
}

struct SweepSpec {
  std::vector<std::string> vary;
  int samples = 0;
  int seed = 1;
  OneOf<Design> design;
  std::vector<std::string> collect, map;

  static constexpr auto fields() {
    using P = SweepSpec;
    return Schema{
        Field{"vary", &P::vary, unit::none, Range::any,
              "as --vary takes it: \"table.name.key=uniform(a,b)\" …"},
        Field{"samples", &P::samples, unit::none, Range::not_negative,
              "how often random keys are drawn"},
        Field{"seed", &P::seed, unit::none, Range::not_negative, "of what is random"},
        Field{"design", &P::design, unit::none, Range::any, "how random keys are drawn"},
        Field{"collect", &P::collect, unit::none, Range::any, "summary values to keep"},
        Field{"map", &P::map, unit::none, Range::any,
              "two varied keys over which the share of cases as expected is reported"},
    };
  }
};

}  // namespace berth
