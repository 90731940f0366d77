// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/ensemble.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include "berth/ensemble/case_server.h"
#include "berth/ensemble/fibers.h"
#include "berth/ensemble/lane_server.h"
#include "berth/ensemble/threads.h"

namespace berth {
namespace {

// Cases for each lane: enough that lanes fill though cases do different things.
constexpr int kCasesPerLane = 16;

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
class Abreast {
 public:
  Abreast(Cases& cases, RunPrograms& programs,
          const std::function<void(std::size_t, StepServer*)>& work)
      : cases_(cases), programs_(programs), work_(work), server_(programs.lanes()) {}

  void run() {
    const auto most = static_cast<std::size_t>(kCasesPerLane * programs_.lanes());
    const auto lanes = static_cast<std::size_t>(programs_.lanes());
    for (bool more = true;;) {
      // As many at a time as there are lanes: they begin alike.
      if (more && parked_ + lanes <= most)
        while (more && parked_ < most) more = start_case();
      if (parked_ == 0) break;
      serve_group();
    }
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  struct Parked {
    LaneRequest* request;
    Fiber* fiber;
    double t;  // [s] of the simulation
  };

  bool start_case() {
    std::size_t i = 0;
    if (!cases_.take(i)) return false;
    fibers_.start([this, i] {
      try {
        CaseServer server(
            programs_, [this](std::span<LaneRequest> requests) { serve(requests); }, i);
        work_(i, &server);
      } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
        cases_.stop();
      }
    });
    return true;
  }

  // One waits for those of other cases; several fill the lanes themselves.
  void serve(std::span<LaneRequest> requests) {
    if (requests.size() == 1) {
      park(requests[0]);
    } else {
      server_.serve(requests);
    }
  }

  void park(LaneRequest& request) {
    const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const auto& g) {
      return !g.empty() && g.front().request->fits(request);
    });
    const Parked entry{&request, fibers_.current(), request.trial ? request.trial->t : request.t};
    if (group != groups_.end()) {
      group->push_back(entry);
    } else {
      const auto free =
          std::find_if(groups_.begin(), groups_.end(), [](const auto& g) { return g.empty(); });
      (free != groups_.end() ? *free : groups_.emplace_back()).push_back(entry);
    }
    ++parked_;
    fibers_.park();
  }

  // Of the groups that fill all lanes, or of all where none does, the one with the case that is farthest
  // behind: cases keep together, and ask for the same.
  std::vector<Parked>& choose_group() {
    const auto lanes = static_cast<std::size_t>(server_.lanes());
    const auto rank = [&](const std::vector<Parked>& group) {
      double t = 1e300;
      for (const Parked& p : group) t = std::min(t, p.t);
      return std::pair{group.size() >= lanes ? 2 : group.empty() ? 0 : 1, -t};
    };
    return *std::max_element(groups_.begin(), groups_.end(),
                             [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  }

  void serve_group() {
    std::vector<Parked>& group = choose_group();
    const std::size_t count = std::min(group.size(), static_cast<std::size_t>(server_.lanes()));
    // The first to come, the first to go on.
    served_.assign(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(count));
    group.erase(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(count));
    requests_.clear();
    for (const Parked& p : served_) requests_.push_back(p.request);
    server_.serve(requests_);
    parked_ -= count;
    for (std::size_t k = 0; k < count; ++k) fibers_.resume(served_[k].fiber);
  }

  Cases& cases_;
  RunPrograms& programs_;
  const std::function<void(std::size_t, StepServer*)>& work_;
  LaneServer server_;
  Fibers fibers_;
  std::vector<std::vector<Parked>> groups_;
  std::vector<Parked> served_;
  std::vector<LaneRequest*> requests_;
  std::size_t parked_ = 0;
  std::exception_ptr thrown_;  // by a case, on its fiber
};

}  // namespace

void for_each_abreast(std::size_t count, int threads, RunPrograms* programs,
                      const std::function<void(std::size_t, StepServer*)>& work) {
  if (!programs)
    return for_each_in_threads(count, threads, [&](std::size_t i) { work(i, nullptr); });
  Cases cases(count);
  const std::size_t crews = std::min(count, count_threads(threads));
  for_each_in_threads(crews, threads, [&](std::size_t) { Abreast(cases, *programs, work).run(); });
}

}  // namespace berth
