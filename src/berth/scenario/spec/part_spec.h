// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[force]], [[sensor]] and [[control]] as plain structs: a part by its type, and what all of them share.

#include <optional>
#include <string>

#include "berth/control/list.h"
#include "berth/forces/list.h"
#include "berth/scenario/spec/task_spec.h"
#include "berth/sensors/list.h"

namespace berth {

struct ForceSpec {
  std::string name;
  VariantOf<ListedForces<double>>::type part;

  static constexpr auto fields() {
    return Schema{
        Field{"name", &ForceSpec::name, unit::none, Range::any, "what all else calls it", required},
    };
  }
  static constexpr auto choice() { return Choice{"type", &ForceSpec::part}; }
};

struct SensorSpec {
  std::string name;
  bool enabled = true;
  VariantOf<Sensors<double>>::type part;

  static constexpr auto fields() {
    using P = SensorSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"enabled", &P::enabled, unit::none, Range::any, "on from the start"},
    };
  }
  static constexpr auto choice() { return Choice{"type", &SensorSpec::part}; }
};

struct ControlSpec {
  std::string name;
  bool enabled = true;
  std::optional<TaskSpec> task;  // instead of references, for joints
  VariantOf<Controls<double>>::type part;

  static constexpr auto fields() {
    using P = ControlSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"enabled", &P::enabled, unit::none, Range::any, "on from the start"},
        Field{"task", &P::task, unit::none, Range::any,
              "of controllers of joints: a frame that is led, instead of references"},
    };
  }
  static constexpr auto choice() { return Choice{"type", &ControlSpec::part}; }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth
