// SPDX-License-Identifier: Apache-2.0
#pragma once

// CaseServer — the server of one run: finds the program for what the run is at the moment, and passes its
// requests on to whoever serves them, at once or together with those of other runs.

#include <functional>
#include <string>
#include <vector>

#include "berth/ensemble/lane_server.h"
#include "berth/ensemble/run_programs.h"
#include "berth/run/step_server.h"

namespace berth {

class CaseServer : public StepServer {
 public:
  // serve(requests) returns when all are done; they are of one shape. number: of the case.
  CaseServer(RunPrograms& programs, std::function<void(std::span<LaneRequest>)> serve,
             std::uint64_t number)
      : programs_(programs), serve_(std::move(serve)), number_(number) {}

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
  const RunProgram* choose_program(const Core& core, const Mode<double>& mode);
  const RunProgram* find_program(const Core& core, const Mode<double>& mode);
  LaneRequest make_request(LaneRequest::Kind kind) const;
  // What `end` finds.
  std::span<const double> serve_end(double t, std::span<const double> x);

  RunPrograms& programs_;
  std::function<void(std::span<LaneRequest>)> serve_;
  std::uint64_t number_;

  // What the run was when it asked last.
  const RunProgram* program_ = nullptr;
  std::uint64_t changes_ = ~std::uint64_t{0};
  std::uint64_t system_ = 0;
  SystemNotes notes_;
  std::string conditions_, key_, key_now_;
  std::uint64_t watches_ = ~std::uint64_t{0};
  const RunProgram* picked_from_ = nullptr;
  std::vector<ActiveRow> rows_;
  std::vector<int> speeds_;
  std::vector<int> picks_;  // places of what is watched among all that the program finds
  double t_from_ = 0;
  int until_next_try_ = 0;
  const LaneMethodTable* method_ = nullptr;
  const ErrorNorm* norm_ = nullptr;  // the one it was found for
  std::vector<double> kept_, mode_, pulled_;
  // What `end` found last, and where.
  struct EndServed {
    const RunProgram* program = nullptr;
    double t = 0;
    std::vector<double> x, mode, kept;
  } end_served_;
  std::vector<double> out_;
  std::vector<int> wanted_;
  std::optional<std::vector<int>> named_;  // numbers of a row
  std::vector<LaneRequest> requests_;
};

}  // namespace berth
