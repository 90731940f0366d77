// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many seeds a statistical test of a search takes: few every day; as many as BERTH_SEARCH_SEEDS says
// when one wants to know.

#include <cstdlib>
#include <string>

namespace berth::test {

inline int seeds(int usual) {
  const char* wanted = std::getenv("BERTH_SEARCH_SEEDS");
  return wanted ? std::stoi(wanted) : usual;
}

}  // namespace berth::test
