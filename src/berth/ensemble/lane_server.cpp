// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/lane_server.h"

#include <algorithm>

namespace berth {
namespace {

std::size_t to_size(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// get(request) gives a list of `count` numbers. Lanes without a request repeat the first one.
template <class Get>
void LaneServer::gather(std::span<LaneRequest* const> requests, Get&& get, std::size_t count,
                        double* to) const {
  for (std::size_t l = 0; l < lanes_; ++l) {
    const double* from = get(*requests[l < requests.size() ? l : 0]);
    for (std::size_t i = 0; i < count; ++i) to[i * lanes_ + l] = from[i];
  }
}

void LaneServer::serve(std::span<LaneRequest> requests) {
  for (std::size_t first = 0; first < requests.size(); first += lanes_) {
    some_.clear();
    for (LaneRequest& r : requests.subspan(first, std::min(lanes_, requests.size() - first)))
      some_.push_back(&r);
    serve(std::span<LaneRequest* const>(some_));
  }
}

void LaneServer::serve(std::span<LaneRequest* const> requests) {
  LaneRequest& first = *requests[0];
  const RunProgram& program = *first.program;
  const RunGraphs& g = program.graphs;
  double* const in = in_.reserve(to_size(g.input_count()) * lanes_);
  double* place = in + (1 + to_size(g.states)) * lanes_;
  const auto add = [&](auto member, int count) {
    gather(
        requests, [&](const LaneRequest& r) { return (r.*member).data(); }, to_size(count), place);
    place += to_size(count) * lanes_;
  };
  if (first.gaps.empty()) {
    place += to_size(g.gaps) * lanes_;
  } else {
    add(&LaneRequest::gaps, g.gaps);
  }
  add(&LaneRequest::mode, g.mode_numbers);
  add(&LaneRequest::kept, g.kept);
  if (first.kind == LaneRequest::Kind::trial) return serve_trial(requests, in);

  gather(
      requests, [](const LaneRequest& r) { return &r.t; }, 1, in);
  gather(
      requests, [](const LaneRequest& r) { return r.x.data(); }, to_size(g.states), in + lanes_);
  using enum LaneRequest::Kind;
  const RunProgram::Function& f = first.kind == rate    ? program.rate
                                  : first.kind == stage ? program.stage
                                                        : program.end;
  const int found = first.kind == rate    ? g.states
                    : first.kind == stage ? g.states + g.watched
                                          : g.output_count();
  const std::size_t count = to_size(found);
  double* const out = out_.reserve(count * lanes_);
  f.call(in, out, f.calls.data());
  for (std::size_t l = 0; l < requests.size(); ++l) scatter(out, count, l, requests[l]->out.data());
}

void LaneServer::serve_trial(std::span<LaneRequest* const> requests, double* in) {
  const LaneRequest& first = *requests[0];
  const RunProgram& program = *first.program;
  const RunGraphs& g = program.graphs;
  const LaneMethod& method = first.method->method();
  const std::size_t n = to_size(g.states), row = n * lanes_;
  const std::size_t sampled = to_size(first.method->sample_count() * g.watched);
  const RunProgram::Function& sample = first.by_stage ? program.stage : program.end;

  double* const times = times_.reserve(4 * lanes_ + 32);
  double *const t = times, *const t_end = times + 8, *const h = times + 16;
  for (std::size_t l = 0; l < lanes_; ++l) {
    const Trial& trial = *requests[l < requests.size() ? l : 0]->trial;
    t[l] = trial.t;
    t_end[l] = trial.t_end;
    h[l] = trial.t_end - trial.t;
  }
  const LaneTrial trial{&method,
                        program.rate.call,
                        sample.call,
                        program.rate.calls.data(),
                        sample.calls.data(),
                        t,
                        t_end,
                        h,
                        x_.reserve(row),
                        in,
                        out_.reserve(to_size(g.output_count()) * lanes_),
                        k_.reserve(to_size(method.stages + 1) * row),
                        x_end_.reserve(row),
                        samples_.reserve(sampled * lanes_),
                        times + 24,
                        errors_.reserve(2 * row)};
  gather(
      requests, [](const LaneRequest& r) { return r.trial->x.data(); }, n, x_.reserve(row));
  gather(
      requests, [](const LaneRequest& r) { return r.trial->rate.data(); }, n, trial.k);
  program.try_step(&trial);
  const int stages = method.stages + (method.needs_end ? 1 : 0);
  for (std::size_t l = 0; l < requests.size(); ++l) {
    LaneRequest& r = *requests[l];
    r.ratio = trial.ratio[l];
    scatter(trial.x_end, n, l, r.trial->x_end.data());
    for (int i = 1; i < stages; ++i)
      scatter(trial.k + to_size(i) * row, n, l, r.trial->k + to_size(i) * r.trial->stride);
    scatter(trial.samples, sampled, l, r.samples.data());
  }
}

}  // namespace berth
