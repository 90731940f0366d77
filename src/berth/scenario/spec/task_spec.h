// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[measure]] as a plain struct; [control.task] is one of the controllers'.

#include <string>
#include <vector>

#include "berth/control/task.h"
#include "berth/model/fields.h"

namespace berth {

struct MeasureSpec {
  std::string name;
  std::vector<PortRef> between;
  std::vector<ClosureRef> grasps;
  bool mating = false;  // no input: a capture measures ports that are to mate

  static constexpr auto fields() {
    using P = MeasureSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what its channels begin with", required},
        Field{"between", &P::between, unit::none, Range::any,
              "two of them: how the second stands to the first"},
        Field{"grasps", &P::grasps, unit::none, Range::any,
              "two of them on one body: how hard they squeeze it"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth
