// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/abreast.h"

#include <algorithm>
#include <utility>

namespace berth {
namespace {

// Runs under way for each lane: enough that lanes fill though they do different things.
constexpr std::size_t kRunsPerLane = 24;

}  // namespace

Abreast::Abreast(const RunPrograms& programs) : server_(programs.lanes()) {
  const auto lanes = static_cast<std::size_t>(server_.lanes());
  served_.reserve(lanes);
  requests_.reserve(lanes);
}

void Abreast::run(const std::function<Work()>& take) {
  std::exception_ptr thrown;
  for (bool more = true;;) {
    try {
      more = more && start_some(take);
    } catch (...) {
      thrown = std::current_exception();
      more = false;
    }
    if (parked_ == 0 && !more) break;
    if (parked_ > 0) serve_group();
  }
  if (thrown) std::rethrow_exception(thrown);
}

bool Abreast::start_some(const std::function<Work()>& take) {
  const auto lanes = static_cast<std::size_t>(server_.lanes());
  const std::size_t most = kRunsPerLane * lanes;
  // As many at a time as there are lanes: they begin alike.
  if (parked_ + lanes > most) return true;
  while (parked_ < most) {
    Work work = take();
    if (!work) return false;
    fibers_.start(std::move(work));
  }
  return true;
}

// One waits for those of other runs; several fill the lanes themselves.
void Abreast::serve(std::span<LaneRequest> requests) {
  if (requests.size() == 1 && fibers_.current()) {
    park(requests[0]);
  } else {
    server_.serve(requests);
  }
}

void Abreast::park(LaneRequest& request) {
  const LaneRequest::Shape shape = request.shape();
  auto group = std::ranges::find(groups_, shape, &Group::shape);
  if (group == groups_.end())
    group = std::ranges::find_if(groups_, [](const Group& g) { return g.waiting.empty(); });
  if (group == groups_.end()) group = groups_.emplace(group);
  group->shape = shape;
  group->add({&request, fibers_.current(), request.trial ? request.trial->t : request.t});
  ++parked_;
  fibers_.park();
  if (failure_) std::rethrow_exception(failure_);
}

// Of the groups that fill all lanes, or of all where none does, the one with the run that is farthest
// behind: runs keep together, and ask for the same.
Abreast::Group& Abreast::choose_group() {
  const auto lanes = static_cast<std::size_t>(server_.lanes());
  const auto rank = [&](const Group& g) {
    return std::pair{g.waiting.size() >= lanes ? 2 : g.waiting.empty() ? 0 : 1, -g.t_least};
  };
  return *std::max_element(groups_.begin(), groups_.end(),
                           [&](const Group& a, const Group& b) { return rank(a) < rank(b); });
}

void Abreast::serve_group() {
  Group& group = choose_group();
  const std::size_t count =
      std::min(group.waiting.size(), static_cast<std::size_t>(server_.lanes()));
  // The first to come, the first to go on.
  const auto end = group.waiting.begin() + static_cast<std::ptrdiff_t>(count);
  served_.assign(group.waiting.begin(), end);
  group.waiting.erase(group.waiting.begin(), end);
  group.t_least = kNever;
  for (const Parked& p : group.waiting) group.t_least = std::min(group.t_least, p.t);
  requests_.clear();
  for (const Parked& p : served_) requests_.push_back(p.request);
  try {
    server_.serve(requests_);
  } catch (...) {
    failure_ = std::current_exception();
  }
  parked_ -= count;
  for (std::size_t k = 0; k < count; ++k) fibers_.resume(served_[k].fiber);
  failure_ = nullptr;
}

}  // namespace berth
