// SPDX-License-Identifier: Apache-2.0
#include "berth/app/allocations.h"

#include <cstdlib>
#include <new>

#include "berth/program/last_resort.h"

namespace {

thread_local std::uint64_t g_allocations = 0;

// Small pieces given back in this thread, for the next of their size: the cases of a sweep that are under way
// side by side give back more of a size than malloc keeps at hand.
constexpr std::size_t kStep = 16, kLargest = 512, kMost = 1024;  // [bytes], [bytes], of a size

struct Piece {
  Piece* next;
};
struct Kept {
  Piece* first;
  std::size_t count;
};
thread_local constinit Kept g_kept[kLargest / kStep + 1] = {};
thread_local constinit bool g_keeps = true;

void* take(Kept& from) {
  Piece* const p = from.first;
  if (p == nullptr) return nullptr;
  from.first = p->next;
  --from.count;
  return p;
}

// At the end of the thread.
struct GiveBackAll {
  ~GiveBackAll() {
    g_keeps = false;
    for (Kept& kept : g_kept)
      while (void* const p = take(kept)) std::free(p);
  }
  void begin() const {}
};
thread_local const GiveBackAll g_give_back_all;

bool is_small(std::size_t size) { return size <= kLargest; }
// All sizes that come to the same may have each other's pieces.
std::size_t count_steps(std::size_t size) { return (size + kStep - 1) / kStep; }

void* allocate(std::size_t size, std::size_t alignment) {
  ++g_allocations;
  std::size_t wanted = size == 0 ? 1 : size;
  void* p = nullptr;
  if (alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    p = std::aligned_alloc(alignment, (wanted + alignment - 1) / alignment * alignment);
  } else {
    if (is_small(wanted)) {
      const std::size_t steps = count_steps(wanted);
      if (void* const kept = take(g_kept[steps])) return kept;
      wanted = steps * kStep;
    }
    p = std::malloc(wanted);
  }
  if (p == nullptr) {
    berth::note_lack_of_memory(wanted);
    throw std::bad_alloc();
  }
  return p;
}

void give_back(void* p, std::size_t size) noexcept {
  const std::size_t had = size == 0 ? 1 : size;
  if (p == nullptr || !g_keeps || !is_small(had)) return std::free(p);
  Kept& kept = g_kept[count_steps(had)];
  if (kept.count == kMost) return std::free(p);
  if (kept.count == 0) g_give_back_all.begin();
  kept.first = new (p) Piece{kept.first};
  ++kept.count;
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
void operator delete(void* p, std::size_t size) noexcept { give_back(p, size); }
void operator delete[](void* p, std::size_t size) noexcept { give_back(p, size); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
