// SPDX-License-Identifier: Apache-2.0
#pragma once

// A scenario read and built, with what was found wrong on the way.

#include <string>
#include <vector>

#include "berth/simulate.h"
#include "tests/support/text.h"

namespace berth::test {

struct Built {
  explicit Built(ReadScenario r);
  explicit Built(const std::string& text, const std::vector<std::string>& settings = {});

  const System<double>& system() const { return built.system; }
  const Contact<double>& contact() const { return built.system.contacts.at(0); }
  std::string problems() const { return all_of(read.problems); }
  // How it moves at the start; all zero where something is wrong.
  BodyMotion<double> body(const std::string& name) const;

  ReadScenario read;
  BuiltScenario built;
};

// The scenario of this name, as shipped; nothing may be wrong with it.
Built build_shipped(const std::string& name, const std::vector<std::string>& settings = {});

}  // namespace berth::test
