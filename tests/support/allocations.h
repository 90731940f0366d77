// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts every allocation of the test program, for tests that promise none.

namespace berth::test {

// This program runs under the address sanitizer.
extern const bool kSanitized;
// False where the sanitizers bring their own operator new, worth more than this count.
extern const bool kCountsAllocations;

// Since the program started.
long count_allocations();

}  // namespace berth::test
