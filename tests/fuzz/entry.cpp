// SPDX-License-Identifier: Apache-2.0

// What libFuzzer calls. Each program has one target.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    berth::fuzz::BERTH_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "FIND: %s\n", e.what());
    std::abort();
  }
  return 0;
}
