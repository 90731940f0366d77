// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "berth/scenario/glb/glb.h"
#include "tests/fuzz/targets.h"
#include "tests/support/glb.h"

namespace berth::fuzz {

void fuzz_model(std::string_view input) {
  std::string file(input);
  // Lengths of chunks are right more often than damage leaves them.
  if (!input.starts_with("glTF")) {
    const std::size_t zero = std::min(input.find('\0'), input.size());
    file = test::make_glb(std::string(input.substr(0, zero)),
                          std::string(input.substr(std::min(zero + 1, input.size()))));
  }
  GlbModel model;
  try {
    model = read_glb(file);
  } catch (const GlbError& e) {
    expect(!std::string_view(e.what()).empty(), "a refusal has words");
    return;
  }
  for (int k = 0; k < 3; ++k)
    expect(std::isfinite(model.low[k]) && std::isfinite(model.high[k]) &&
               model.low[k] <= model.high[k],
           "the box around it is finite");
  const GlbModel again = read_glb(model.bytes);
  expect(again.bytes == model.bytes, "a model that is read again is the same bytes");
}

}  // namespace berth::fuzz
