// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/case_server.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "berth/system/docks.h"
#include "berth/system/lift_system.h"

namespace berth {
namespace {

// Requests that are declined before it is asked again whether there is a program by now.
constexpr int kPatience = 64;

bool has_idle_contact(const Core& core, const Mode<double>& mode) {
  for (std::size_t k = 0; k < mode.contacts.size(); ++k)
    if (is_idle(core.system.contacts[k], mode.contacts[k])) return true;
  return false;
}

// What is lost in a lane is computed again by the loop, which says where.
bool are_finite(std::span<const double> numbers) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000U;
  bool lost = false;
  for (const double x : numbers) lost |= (std::bit_cast<std::uint64_t>(x) & exponent) == exponent;
  return !lost;
}

}  // namespace

const RunProgram* CaseServer::choose_program(const Core& core, const Mode<double>& mode) {
  // Rows of docks may be chosen anew after every step, the rest where something has happened.
  const auto same = [](const ActiveRow& a, const ActiveRow& b) {
    return a.closure == b.closure && a.row == b.row && a.least == b.least;
  };
  if (program_ && changes_ == core.changes && watches_ == core.watches && mode.shares.empty() &&
      std::ranges::equal(mode.rows, rows_, same) && mode.speeds == speeds_)
    return program_;
  rows_ = mode.rows;
  speeds_ = mode.speeds;
  mode_.clear();
  for_each_number(mode, [&](double y) { mode_.push_back(y); });
  const RunProgram* found = find_program(core, mode);
  if (found && (found != picked_from_ || watches_ != core.watches)) {
    found->layout.find_places(core.watch, core.s.run_log.watched(), picks_);
    picked_from_ = found;
  }
  watches_ = core.watches;
  return found;
}

const RunProgram* CaseServer::find_program(const Core& core, const Mode<double>& mode) {
  if (!can_record(core, mode)) return program_ = nullptr;
  if (changes_ != core.changes) {
    notes_ = find_notes(core.system);
    if (conditions_.empty()) add_conditions(core, conditions_);
    system_ = programs_.find_system(notes_.structure + conditions_);
    changes_ = core.changes;
    key_.clear();
    method_ = nullptr;
  }
  key_now_.assign(reinterpret_cast<const char*>(&system_), sizeof system_);
  add_structure(core, mode, key_now_);
  const bool is_same = key_now_ == key_;
  if (is_same && program_) {
    if (t_from_ == mode.t_from) return program_;
    if (program_->layout.holds(mode.t_from, notes_.numbers)) {
      t_from_ = mode.t_from;
      if (program_->layout.keeps_time_parts)
        kept_ = program_->layout.find_kept(t_from_, notes_.numbers);
      return program_;
    }
  }
  if (is_same && !program_ && t_from_ == mode.t_from && until_next_try_-- > 0) return nullptr;
  until_next_try_ = kPatience;
  key_.swap(key_now_);
  t_from_ = mode.t_from;
  program_ = programs_.find(key_, number_, core, mode, notes_);
  if (program_) kept_ = program_->layout.find_kept(t_from_, notes_.numbers);
  return program_;
}

LaneRequest CaseServer::make_request(LaneRequest::Kind kind) const {
  LaneRequest r;
  r.kind = kind;
  r.program = program_;
  r.mode = std::span(mode_).subspan(1);  // without t_from
  r.kept = kept_;
  return r;
}

std::optional<double> CaseServer::try_step(Core& core, const Mode<double>& mode,
                                           const Trial& trial) {
  const RunProgram* program = choose_program(core, mode);
  if (!program) return {};
  const int all = program->layout.watched, watched = core.samples.size() > 0 ? all : 0;
  if (!method_ || norm_ != &trial.norm || method_->method().watched != watched) {
    method_ = programs_.find_method(trial, watched);
    norm_ = &trial.norm;
  }
  if (!method_) return {};
  const std::span<double> samples = core.samples.stages(index(method_->sample_count()));
  LaneRequest r = make_request(LaneRequest::Kind::trial);
  r.trial = &trial;
  r.method = method_;
  r.by_stage = core.far || !(core.watch.names_idle || has_idle_contact(core, mode));
  if (core.far) r.gaps = core.far_gaps;
  r.samples = samples;
  r.picks = picks_;
  serve_({&r, 1});
  // What is lost in a lane is computed again by the loop, which leaves samples of its own.
  if (!std::isfinite(r.ratio) || !are_finite(samples)) return {};
  const double h = trial.t_end - trial.t;
  for (int i = 1; i < trial.method.stages && watched > 0; ++i)
    if (trial.is_sample[index(i)]) core.samples.add(trial.t + trial.method.c[index(i)] * h);
  return r.ratio;
}

bool CaseServer::extend(const Core& core, const Mode<double>& mode, const Extension& extension) {
  if (!choose_program(core, mode) || !method_ || method_->steps().method != &extension.method)
    return false;
  LaneRequest r = make_request(LaneRequest::Kind::extension);
  r.extension = &extension;
  r.method = method_;
  r.t = extension.t;
  serve_({&r, 1});
  const Tableau& m = extension.method;
  for (int i = m.stages + 1; i < m.all_stages(); ++i)
    if (!are_finite({extension.k + index(i) * extension.stride, extension.x.size()})) return false;
  return true;
}

bool CaseServer::find_rate(const Core& core, const Mode<double>& mode, double t,
                           std::span<const double> x, std::span<double> rate) {
  const RunProgram* program = choose_program(core, mode);
  if (!program) return false;
  LaneRequest r = make_request(LaneRequest::Kind::rate);
  r.t = t;
  r.x = x;
  r.out = rate;
  serve_({&r, 1});
  return are_finite(rate);
}

// The last answer is kept: what happens at an instant asks for the same again and again.
std::span<const double> CaseServer::serve_end(double t, std::span<const double> x) {
  const auto same = [](std::span<const double> a, std::span<const double> b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
  };
  LaneRequest r = make_request(LaneRequest::Kind::end);
  r.t = t;
  r.x = x;
  EndServed& last = end_served_;
  if (last.program == program_ && same({&last.t, 1}, {&t, 1}) && same(last.x, x) &&
      same(last.mode, r.mode) && same(last.kept, r.kept))
    return out_;
  last.program = nullptr;  // until it is there
  out_.resize(index(program_->layout.output_count()));
  r.out = out_;
  serve_({&r, 1});
  last.t = t;
  last.x.assign(x.begin(), x.end());
  last.mode.assign(r.mode.begin(), r.mode.end());
  last.kept.assign(r.kept.begin(), r.kept.end());
  last.program = program_;
  return out_;
}

bool CaseServer::find_numbers(const Core& core, const Mode<double>& mode, std::span<const double> t,
                              std::span<const double> x, std::span<const std::size_t> wanted,
                              bool sees_idle, std::span<double> numbers) {
  const RunProgram* program = choose_program(core, mode);
  if (!program || wanted.empty()) return false;
  const std::size_t states = index(program->layout.states), count = wanted.size();
  wanted_.clear();
  for (const std::size_t k : wanted) wanted_.push_back(program->layout.states + picks_[k]);
  requests_.assign(t.size(),
                   make_request(sees_idle ? LaneRequest::Kind::end : LaneRequest::Kind::stage));
  for (std::size_t i = 0; i < t.size(); ++i) {
    LaneRequest& r = requests_[i];
    r.t = t[i];
    r.x = x.subspan(i * states, states);
    r.out = numbers.subspan(i * count, count);
    r.picks = wanted_;
  }
  serve_(requests_);
  return are_finite(numbers);
}

bool CaseServer::find_channels(const Core& core, const Mode<double>& mode, double t,
                               std::span<const double> x, std::span<const int> places,
                               std::span<double> numbers) {
  // Programs have those that events name.
  if (!named_) named_ = find_full_watch(core).places;
  const std::vector<int>& known = *named_;
  const auto find = [&](int place) { return std::find(known.begin(), known.end(), place); };
  if (std::any_of(places.begin(), places.end(), [&](int p) { return find(p) == known.end(); }))
    return false;
  watches_ = ~std::uint64_t{0};
  const RunProgram* program = choose_program(core, mode);
  if (!program) return false;
  const RunLayout& g = program->layout;
  const std::span<const double> all = serve_end(t, x).subspan(index(g.states + g.watched));
  for (std::size_t i = 0; i < places.size(); ++i)
    numbers[i] = all[static_cast<std::size_t>(find(places[i]) - known.begin())];
  return are_finite(numbers);
}

bool CaseServer::find_end(const Core& core, const Mode<double>& mode, double t,
                          std::span<const double> x, std::span<double> numbers,
                          std::span<double> rate, StepEnd<double>& end) {
  const RunProgram* program = choose_program(core, mode);
  if (!program) return false;
  const RunLayout& g = program->layout;
  const double* next = serve_end(t, x).data();
  std::copy_n(next, rate.size(), rate.begin());
  next += g.states;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = next[picks_[i]];
  next += g.watched + count_of(g.watch.places);
  const std::span<const double> of_end(next, static_cast<std::size_t>(g.end_numbers));
  if (!are_finite(rate) || !are_finite(numbers) || !are_finite(of_end)) return false;
  end.for_each([&](double& y) { y = *next++; });
  return true;
}

bool CaseServer::pull_onto_rows(const Core& core, Mode<double>& mode, double t,
                                std::span<double> x) {
  if (mode.rows.empty() || !has_plain_rows(core.system, mode)) return false;
  const RunProgram* program = choose_program(core, mode);
  if (!program || program->layout.pull_size.rows == 0) return false;
  const PullSize& size = program->layout.pull_size;
  pulled_.resize(index(size.count()));
  LaneRequest r = make_request(LaneRequest::Kind::pull);
  r.t = t;
  r.x = x;
  r.out = pulled_;
  serve_({&r, 1});
  return are_finite(pulled_) && apply_pull(core.system, size, pulled_, mode, x);
}

}  // namespace berth
