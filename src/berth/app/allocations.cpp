// SPDX-License-Identifier: Apache-2.0
#include "berth/app/allocations.h"

#include <cstdlib>
#include <new>

#include "berth/program/last_resort.h"

namespace {

thread_local std::uint64_t g_allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++g_allocations;
  const std::size_t wanted = size == 0 ? 1 : size;
  void* p = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                ? std::malloc(wanted)
                : std::aligned_alloc(alignment, (wanted + alignment - 1) / alignment * alignment);
  if (p == nullptr) {
    berth::note_lack_of_memory(wanted);
    throw std::bad_alloc();
  }
  return p;
}

}  // namespace

namespace berth {
std::uint64_t count_allocations() { return g_allocations; }
}  // namespace berth

void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new[](std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
