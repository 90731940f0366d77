// SPDX-License-Identifier: Apache-2.0

// Steps, dense output and event location touch no heap once everything is built.

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "berth/integrate/adaptive.h"
#include "berth/integrate/crossing_finder.h"
#include "berth/integrate/methods.h"
#include "tests/integrate/problems.h"

// The sanitizers have their own operator new, worth more than this count.
#ifndef __SANITIZE_ADDRESS__

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

namespace berth {
namespace {

TEST(Stepping, AllocatesNothing) {
  for (const Tableau* m : kExplicitMethods) {
    Adaptive<double> a(*m, 28, {{0, 14, 1.0}, {14, 14, 1.0}}, {.tolerance = 1e-8, .step = 1e-3});
    CrossingFinder finder({Direction::rising, Direction::either});
    std::vector<double> x(28);
    const auto g = [&](double t, std::span<double> values) {
      a.interpolate(t, x);
      values[0] = x[0] - x[1];
      values[1] = x[2];
    };
    const problems::Pleiades f;
    const std::vector<double> start = problems::Pleiades::start();
    const long before = allocations;
    EXPECT_GT(before, 0);  // the count works
    a.start(0, start);
    for (int i = 0; i < 20; ++i) {
      a.step(f, 3.0);
      a.prepare_dense(f);
      finder.find(g, a.t_previous(), a.t());
      a.interpolate_rate(a.t(), x);
      a.interpolate(a.t(), x);
      a.replace_state(x);
    }
    EXPECT_EQ(allocations - before, 0) << m->name;
  }
}

}  // namespace
}  // namespace berth

#endif
