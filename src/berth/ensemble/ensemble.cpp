// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/ensemble.h"

#include <algorithm>
#include <atomic>
#include <exception>

#include "berth/ensemble/abreast.h"
#include "berth/ensemble/threads.h"

namespace berth {
namespace {

// Hands out the numbers of cases. After a failure there are none.
class Cases {
 public:
  explicit Cases(std::size_t count) : count_(count) {}

  bool take(std::size_t& i) { return (i = next_.fetch_add(1)) < count_; }
  void stop() { next_ = count_; }

 private:
  std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
};

// The cases of one thread.
void run_cases(Cases& cases, RunPrograms& programs,
               const std::function<void(std::size_t, StepServer*)>& work) {
  Abreast abreast(programs);
  std::exception_ptr thrown;  // by a case, on its fiber
  abreast.run([&]() -> Abreast::Work {
    std::size_t i = 0;
    if (!cases.take(i)) return nullptr;
    return [&, i] {
      try {
        CaseServer server(programs, abreast.requests(), i);
        work(i, &server);
      } catch (...) {
        if (!thrown) thrown = std::current_exception();
        cases.stop();
      }
    };
  });
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace

void for_each_abreast(std::size_t count, int threads, RunPrograms* programs,
                      const std::function<void(std::size_t, StepServer*)>& work) {
  if (!programs)
    return for_each_in_threads(count, threads, [&](std::size_t i) { work(i, nullptr); });
  Cases cases(count);
  const std::size_t crews = std::min(count, count_threads(threads));
  for_each_in_threads(crews, threads, [&](std::size_t) { run_cases(cases, *programs, work); });
}

}  // namespace berth
