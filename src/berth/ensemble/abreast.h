// SPDX-License-Identifier: Apache-2.0
#pragma once

// Abreast — several runs side by side on one thread.
//
//   Abreast abreast(programs);
//   CaseServer server(programs, abreast.requests(), number);    // one for each run: HybridRun::serve(&server)
//   abreast.run(take);                                          // take() hands out what each has to do
//
// Each run keeps its ordinary loop, on a fiber of its own. Where the loop asks for a piece of work that a
// compiled program can do, the fiber parks. When all are parked, the requests that most of them have in
// common are served together, a lane each, and these runs go on. Each sees the same numbers as alone.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <vector>

#include "berth/ensemble/case_server.h"
#include "berth/ensemble/fibers.h"
#include "berth/ensemble/lane_server.h"
#include "berth/ensemble/run_programs.h"

namespace berth {

class Abreast {
 public:
  explicit Abreast(const RunPrograms& programs);

  using Work = std::function<void()>;
  // Everything that take() hands out, until it hands out nothing. What a work throws ends the program. When
  // take() throws, or there is no room for another run, those under way go on to their end first.
  void run(const std::function<Work()>& take);

  // Who serves what runs ask for: on a fiber of run() together with others, else at once.
  std::function<void(std::span<LaneRequest>)> requests() {
    return [this](std::span<LaneRequest> of_one) { serve(of_one); };
  }

 private:
  struct Parked {
    LaneRequest* request;
    Fiber* fiber;
    double t;  // [s] of the simulation
  };
  // Those that can be served together.
  struct Group {
    LaneRequest::Shape shape;
    std::vector<Parked> waiting;
    double t_least = kNever;

    void add(const Parked& p) {
      waiting.push_back(p);
      t_least = std::min(t_least, p.t);
    }
  };
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  void serve(std::span<LaneRequest> requests);
  void park(LaneRequest& request);
  Group& choose_group();
  void serve_group();
  // Fills the lanes with what take() hands out; false: there is no more.
  bool start_some(const std::function<Work()>& take);

  LaneServer server_;
  Fibers fibers_;
  std::vector<Group> groups_;
  std::vector<Parked> served_;
  std::vector<LaneRequest*> requests_;
  std::exception_ptr failure_;  // of what was served last: thrown in the runs that asked for it
  std::size_t parked_ = 0;
};

}  // namespace berth
