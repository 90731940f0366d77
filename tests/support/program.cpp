// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process.h"

// Compiled for each test program: which build of berth it starts, and which of the one that
// draws the papers.
namespace berth::test {

const char* const kProgram = BERTH_PROGRAM;
const char* const kGallery = BERTH_GALLERY;

}  // namespace berth::test
