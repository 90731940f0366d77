// SPDX-License-Identifier: Apache-2.0
#pragma once

// SimulationGroup — several simulations side by side on the calling thread, by compiled programs in the
// lanes of the processor.
//
//   SimulationGroup group(64, Computing::automatic);
//   group.replace(i, Simulation::load("docking.toml"));
//   auto errors = group.for_each(members, [&](std::size_t i, Simulation& s) { s.run_until(t[i]); });
//
// Each has the bits it has alone. Programs are opened once; a member keeps those it has found as long as
// it is not replaced. One thread uses a group at a time.

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/ensemble/abreast.h"
#include "berth/ensemble/case_server.h"
#include "berth/ensemble/computing.h"
#include "berth/simulation.h"

namespace berth {

class SimulationGroup {
 public:
  // `size` places without a simulation. Throws std::invalid_argument when BERTH_INSTRUCTIONS names what
  // is not there.
  SimulationGroup(std::size_t size, Computing computing);

  std::size_t size() const { return members_.size(); }
  bool is_compiled() const { return opened_.programs != nullptr; }
  // What is missing, where it is not compiled though that was asked for.
  const std::string& note() const { return opened_.note; }

  // The simulation that was there is gone, and what it had found.
  void replace(std::size_t i, std::optional<Simulation> by);
  // Throws std::logic_error when there is none.
  Simulation& operator[](std::size_t i);

  // work(i, simulation) for these members, each once, side by side: where one waits for a program, others
  // go on. It must not use other members. What it throws for each, null for nothing; the others go on.
  std::vector<std::exception_ptr> for_each(
      std::span<const std::size_t> members,
      const std::function<void(std::size_t, Simulation&)>& work);

 private:
  struct Member {
    std::optional<CaseServer> server;
    Simulation simulation;  // goes first
  };

  OpenedPrograms opened_;
  std::optional<Abreast> abreast_;
  std::uint64_t replaced_ = 0;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace berth
