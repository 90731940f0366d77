// SPDX-License-Identifier: Apache-2.0
#pragma once

// SoloServer — the server of a single run: compiled programs of one lane, called at once.
//
// A run that is over within a few seconds is over before a compiler would be. So nothing is compiled, nor
// a compiler searched for, before it has computed that long; unless it is asked for.

#include <chrono>
#include <memory>
#include <optional>

#include "berth/ensemble/case_server.h"
#include "berth/ensemble/computing.h"

namespace berth {

class SoloServer : public StepServer {
 public:
  static constexpr double kPays = 5;  // [s] of the clock

  explicit SoloServer(Computing computing);
  // What is missing; known from the beginning where compilation was asked for.
  const std::string& note() const { return opened_.note; }

  std::optional<double> try_step(Core& core, const Mode<double>& mode, const Trial& trial) override;
  bool extend(const Core& core, const Mode<double>& mode, const Extension& extension) override;
  bool find_rate(const Core& core, const Mode<double>& mode, double t, std::span<const double> x,
                 std::span<double> rate) override;
  bool find_numbers(const Core& core, const Mode<double>& mode, std::span<const double> t,
                    std::span<const double> x, std::span<const std::size_t> wanted, bool sees_idle,
                    std::span<double> numbers) override;
  bool find_channels(const Core& core, const Mode<double>& mode, double t,
                     std::span<const double> x, std::span<const int> places,
                     std::span<double> numbers) override;
  bool find_end(const Core& core, const Mode<double>& mode, double t, std::span<const double> x,
                std::span<double> numbers, std::span<double> rate, StepEnd<double>& end) override;
  bool pull_onto_rows(const Core& core, Mode<double>& mode, double t, std::span<double> x) override;

 private:
  bool is_open();
  void open();

  Computing computing_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool was_opened_ = false;
  OpenedPrograms opened_;
  LaneServer lane_{1};
  std::optional<CaseServer> server_;
};

}  // namespace berth
