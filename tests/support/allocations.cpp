// SPDX-License-Identifier: Apache-2.0
#include "tests/support/allocations.h"

#ifdef __SANITIZE_ADDRESS__

namespace berth::test {
const bool kSanitized = true;
const bool kCountsAllocations = false;
long count_allocations() { return 0; }
}  // namespace berth::test

#else

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace

#define BERTH_REPLACED [[gnu::noinline]] void  // inlined, g++ takes them for mismatched pairs
BERTH_REPLACED* operator new(std::size_t n) { return counted(n, alignof(std::max_align_t)); }
BERTH_REPLACED* operator new(std::size_t n, std::align_val_t a) {
  return counted(n, std::size_t(a));
}
BERTH_REPLACED operator delete(void* p) noexcept { std::free(p); }
BERTH_REPLACED operator delete(void* p, std::size_t) noexcept { std::free(p); }
BERTH_REPLACED operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
BERTH_REPLACED operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#undef BERTH_REPLACED

namespace berth::test {
const bool kSanitized = false;
const bool kCountsAllocations = true;
long count_allocations() { return allocations; }
}  // namespace berth::test

#endif
