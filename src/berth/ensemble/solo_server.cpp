// SPDX-License-Identifier: Apache-2.0
#include "berth/ensemble/solo_server.h"

namespace berth {

SoloServer::SoloServer(Computing computing) : computing_(computing) {
  if (computing == Computing::compile) open();
}

void SoloServer::open() {
  was_opened_ = true;
  RunProgramOptions options;
  options.cases_first = 1;
  opened_ = open_programs(computing_, options, "scalar");
  if (!opened_.programs) return;
  server_.emplace(
      *opened_.programs, [this](std::span<LaneRequest> requests) { lane_.serve(requests); }, 0);
}

bool SoloServer::is_open() {
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  };
  if (!was_opened_ && computing_ != Computing::interpret && passed() > kPays) open();
  return server_.has_value();
}

std::optional<double> SoloServer::try_step(Core& core, const Mode<double>& mode,
                                           const Trial& trial) {
  return is_open() ? server_->try_step(core, mode, trial) : std::nullopt;
}
bool SoloServer::extend(const Core& core, const Mode<double>& mode, const Extension& extension) {
  return is_open() && server_->extend(core, mode, extension);
}
bool SoloServer::find_rate(const Core& core, const Mode<double>& mode, double t,
                           std::span<const double> x, std::span<double> rate) {
  return is_open() && server_->find_rate(core, mode, t, x, rate);
}
bool SoloServer::find_numbers(const Core& core, const Mode<double>& mode, std::span<const double> t,
                              std::span<const double> x, std::span<const std::size_t> wanted,
                              bool sees_idle, std::span<double> numbers) {
  return is_open() && server_->find_numbers(core, mode, t, x, wanted, sees_idle, numbers);
}
bool SoloServer::find_channels(const Core& core, const Mode<double>& mode, double t,
                               std::span<const double> x, std::span<const int> places,
                               std::span<double> numbers) {
  return is_open() && server_->find_channels(core, mode, t, x, places, numbers);
}
bool SoloServer::find_end(const Core& core, const Mode<double>& mode, double t,
                          std::span<const double> x, std::span<double> numbers,
                          std::span<double> rate, StepEnd<double>& end) {
  return is_open() && server_->find_end(core, mode, t, x, numbers, rate, end);
}
bool SoloServer::pull_onto_rows(const Core& core, Mode<double>& mode, double t,
                                std::span<double> x) {
  return is_open() && server_->pull_onto_rows(core, mode, t, x);
}

}  // namespace berth
