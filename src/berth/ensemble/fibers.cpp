// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/fibers.h"

#include <new>

#include <boost/context/fiber.hpp>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace berth {

// Deep enough for what reads and checks a scenario; a page is taken when it is touched.
constexpr std::size_t kStackSize = std::size_t{1} << 20;

// Stacks above a page that nobody may touch: who needs more ends at once. Boost's own have the same, but
// are no code for a shared library in Debian's archive, and the Python module is one.
class GuardedMemory {
 public:
  static boost::context::stack_context allocate() {
    const std::size_t size = kStackSize + page();
    void* const bottom =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bottom == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(bottom, page(), PROT_NONE) != 0) {
      munmap(bottom, size);
      throw std::bad_alloc();
    }
#if defined(__SANITIZE_ADDRESS__)
    // Whoever had these addresses before may have left marks: a function that never returned.
    __asan_unpoison_memory_region(bottom, size);
#endif
    boost::context::stack_context out;
    out.size = size;
    out.sp = static_cast<char*>(bottom) + size;
    return out;
  }
  static void deallocate(boost::context::stack_context& memory) {
    munmap(static_cast<char*>(memory.sp) - memory.size, memory.size);
  }

 private:
  static std::size_t page() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
  }
};

// One stack, used by one function after the other.
class Fiber {
 public:
  Fiber() : memory_(GuardedMemory::allocate()) {
    stack_size_ = memory_.size;
    stack_ = static_cast<const char*>(memory_.sp) - stack_size_;
    context_ = boost::context::fiber(
        std::allocator_arg, boost::context::preallocated(memory_.sp, memory_.size, memory_),
        GuardedMemory(), [this](boost::context::fiber&& back) { return run(std::move(back)); });
  }

  void begin(std::function<void()> work) {
    work_ = std::move(work);
    has_ended_ = false;
  }
  bool has_ended() const { return has_ended_; }

  void enter() {
    leave_stack(&outer_stack_, stack_, stack_size_);
    context_ = std::move(context_).resume();
    arrive_on_stack(outer_stack_);
  }
  void leave() {
    leave_stack(&inner_stack_, caller_, caller_size_);
    back_ = std::move(back_).resume();
    arrive_on_stack(inner_stack_, &caller_, &caller_size_);
  }
  void stop() {
    work_ = nullptr;
    enter();
  }

 private:
  boost::context::fiber run(boost::context::fiber&& back) {
    back_ = std::move(back);
    arrive_on_stack(nullptr, &caller_, &caller_size_);
    while (work_) {
      work_();
      work_ = nullptr;
      has_ended_ = true;
      leave();
    }
    leave_stack(nullptr, caller_, caller_size_);  // for good
    return std::move(back_);
  }

  // What the address sanitizer has to know of a switch.
  static void leave_stack([[maybe_unused]] void** kept, [[maybe_unused]] const void* bottom,
                          [[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(kept, bottom, size);
#endif
  }
  static void arrive_on_stack([[maybe_unused]] void* kept,
                              [[maybe_unused]] const void** bottom = nullptr,
                              [[maybe_unused]] std::size_t* size = nullptr) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(kept, bottom, size);
#endif
  }

  boost::context::stack_context memory_;
  std::function<void()> work_;
  bool has_ended_ = true;
  const void *stack_ = nullptr, *caller_ = nullptr;
  std::size_t stack_size_ = 0, caller_size_ = 0;
  void *outer_stack_ = nullptr, *inner_stack_ = nullptr;
  boost::context::fiber back_, context_;
};

Fibers::Fibers() = default;
Fibers::~Fibers() {
  for (const auto& f : all_) f->stop();
}

Fiber* Fibers::start(std::function<void()> work) {
  Fiber* fiber = nullptr;
  if (idle_.empty()) {
    fiber = all_.emplace_back(std::make_unique<Fiber>()).get();
  } else {
    fiber = idle_.back();
    idle_.pop_back();
  }
  fiber->begin(std::move(work));
  return resume(fiber) ? fiber : nullptr;
}

bool Fibers::resume(Fiber* fiber) {
  current_ = fiber;
  fiber->enter();
  current_ = nullptr;
  if (!fiber->has_ended()) return true;
  idle_.push_back(fiber);
  return false;
}

void Fibers::park() { current_->leave(); }

}  // namespace berth
