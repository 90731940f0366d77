// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/lane_server.h"

#include <algorithm>
#include <array>

#include "berth/ensemble/lane_layout.h"

namespace berth {
namespace {

std::size_t to_size(int i) { return static_cast<std::size_t>(i); }

constexpr std::size_t kMostLanes = 8;

}  // namespace

// Lanes without a request repeat the first one.
template <class Get>
void LaneServer::gather(std::span<LaneRequest* const> requests, Get&& get, std::size_t count,
                        double* to) const {
  std::array<const double*, kMostLanes> from;
  for (std::size_t l = 0; l < lanes_; ++l) from[l] = get(*requests[l < requests.size() ? l : 0]);
  put_in_lanes({from.data(), lanes_}, count, to);
}

template <class Get>
void LaneServer::scatter(const double* from, std::size_t count,
                         std::span<LaneRequest* const> requests, Get&& get) const {
  std::array<double*, kMostLanes> to;
  for (std::size_t l = 0; l < requests.size(); ++l) to[l] = get(*requests[l]);
  take_from_lanes(from, count, lanes_, {to.data(), requests.size()});
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
  const RunLayout& g = program.layout;
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
  add(&LaneRequest::kept, g.kept());
  if (first.kind == LaneRequest::Kind::trial) return serve_trial(requests, in);
  if (first.kind == LaneRequest::Kind::extension) return serve_extension(requests, in);

  gather(
      requests, [](const LaneRequest& r) { return &r.t; }, 1, in);
  gather(
      requests, [](const LaneRequest& r) { return r.x.data(); }, to_size(g.states), in + lanes_);
  using enum LaneRequest::Kind;
  const RunProgram::Function& f = first.kind == rate    ? program.rate
                                  : first.kind == stage ? program.stage
                                  : first.kind == end   ? program.end
                                                        : program.pull;
  const int found = first.kind == rate    ? g.states
                    : first.kind == stage ? g.states + g.watched
                    : first.kind == end   ? g.output_count()
                                          : g.pull_size.count();
  const std::size_t count = to_size(found);
  double* const out = out_.reserve(count * lanes_);
  f.call(in, out, f.calls.data());
  const auto wants_all = [](const LaneRequest* r) { return r->picks.empty(); };
  if (std::any_of(requests.begin(), requests.end(), wants_all)) {
    double* const unwanted = unwanted_.reserve(count);
    scatter(out, count, requests,
            [&](const LaneRequest& r) { return wants_all(&r) ? r.out.data() : unwanted; });
  }
  for (std::size_t l = 0; l < requests.size(); ++l) {
    const LaneRequest& r = *requests[l];
    for (std::size_t i = 0; i < r.picks.size(); ++i)
      r.out[i] = out[to_size(r.picks[i]) * lanes_ + l];
  }
}

LaneTrial LaneServer::make_trial(const LaneRequest& first, double* in) {
  const RunProgram& program = *first.program;
  const RunLayout& g = program.layout;
  const Tableau& method = *first.method->steps().method;
  const std::size_t row = to_size(g.states) * lanes_;
  const std::size_t sampled = to_size(first.method->sample_count() * g.watched);
  const RunProgram::Function& sample = first.by_stage ? program.stage : program.end;
  double* const times = times_.reserve(4 * kMostLanes);
  return {&first.method->method(),
          program.rate.call,
          sample.call,
          program.rate.calls.data(),
          sample.calls.data(),
          times,
          times + kMostLanes,
          times + 2 * kMostLanes,
          x_.reserve(row),
          in,
          out_.reserve(to_size(g.output_count()) * lanes_),
          k_.reserve(to_size(method.all_stages()) * row),
          x_end_.reserve(row),
          samples_.reserve(sampled * lanes_),
          times + 3 * kMostLanes,
          errors_.reserve(2 * row)};
}

// of(request): a Trial or an Extension. Where the steps begin.
template <class Of>
void LaneServer::gather_beginning(std::span<LaneRequest* const> requests, Of&& of,
                                  const LaneTrial& to) {
  double* const times = times_.reserve(4 * kMostLanes);
  for (std::size_t l = 0; l < lanes_; ++l) {
    const auto& step = of(*requests[l < requests.size() ? l : 0]);
    times[l] = step.t;
    times[kMostLanes + l] = step.t_end;
    times[2 * kMostLanes + l] = step.t_end - step.t;
  }
  const std::size_t n = to_size(to.method->states);
  gather(
      requests, [&](const LaneRequest& r) { return of(r).x.data(); }, n, x_.reserve(n * lanes_));
}

void LaneServer::serve_trial(std::span<LaneRequest* const> requests, double* in) {
  const LaneRequest& first = *requests[0];
  const LaneSteps& steps = first.method->steps();
  const LaneTrial trial = make_trial(first, in);
  const std::size_t n = to_size(trial.method->states), row = n * lanes_;
  gather_beginning(
      requests, [](const LaneRequest& r) -> const Trial& { return *r.trial; }, trial);
  gather(
      requests, [](const LaneRequest& r) { return r.trial->rate.data(); }, n, trial.k);
  steps.try_step(&trial);
  for (std::size_t l = 0; l < requests.size(); ++l) requests[l]->ratio = trial.ratio[l];
  const auto put_row = [&](int i) {
    scatter(trial.k + to_size(i) * row, n, requests,
            [&](const LaneRequest& r) { return r.trial->k + to_size(i) * r.trial->stride; });
  };
  for (const int i : steps.dense_columns)
    if (i > 0 && i < steps.method->stages) put_row(i);
  if (steps.method->error_needs_end()) put_row(steps.method->stages);
  scatter(trial.x_end, n, requests, [](const LaneRequest& r) { return r.trial->x_end.data(); });
  const std::size_t sampled = to_size(trial.method->watched) * lanes_;
  for (std::size_t l = 0; l < requests.size(); ++l) {
    double* to = requests[l]->samples.data();
    for (int i = 0; i < first.method->sample_count(); ++i)
      for (const int k : requests[l]->picks)
        *to++ = trial.samples[to_size(i) * sampled + to_size(k) * lanes_ + l];
  }
}

void LaneServer::serve_extension(std::span<LaneRequest* const> requests, double* in) {
  const LaneRequest& first = *requests[0];
  const LaneSteps& steps = first.method->steps();
  const LaneTrial trial = make_trial(first, in);
  const std::size_t n = to_size(trial.method->states), row = n * lanes_;
  const auto of = [](const LaneRequest& r) -> const Extension& { return *r.extension; };
  gather_beginning(requests, of, trial);
  for (const int i : steps.extension_columns)
    gather(
        requests, [&](const LaneRequest& r) { return of(r).k + to_size(i) * of(r).stride; }, n,
        trial.k + to_size(i) * row);
  steps.extend(&trial);
  for (int i = steps.method->stages + 1; i < steps.method->all_stages(); ++i)
    scatter(trial.k + to_size(i) * row, n, requests,
            [&](const LaneRequest& r) { return of(r).k + to_size(i) * of(r).stride; });
}

}  // namespace berth
