// SPDX-License-Identifier: Apache-2.0
#include "berth/record/manifest.h"

#include <fmt/format.h>

#include "berth/compile/digest.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

// Who makes a result can make its digest: it is made here.
void fuzz_manifest(std::string_view input) {
  const std::string text =
      std::string(input) + fmt::format("{{\"sha256\":\"{}\"}}\n", find_sha256(input));
  Manifest manifest;
  try {
    manifest = Manifest::read(text);
  } catch (const std::invalid_argument& e) {
    expect(!std::string_view(e.what()).empty(), "a refusal has words");
    return;
  }
  for (const std::string& path : manifest.paths()) {
    const ManifestEntry* const e = manifest.find(path);
    expect(e && e->path == path, "what is listed is found");
    expect(e->row_size() == 0 || e->rows <= (std::uint64_t{1} << 56) / e->row_size(),
           "no dataset is larger than a number can say");
  }
  const std::string written = manifest.write();
  expect(Manifest::read(written).write() == written, "what is written reads again as the same");
}

}  // namespace berth::fuzz
