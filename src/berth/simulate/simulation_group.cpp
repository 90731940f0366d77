// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/simulation_group.h"

#include <fmt/format.h>

namespace berth {

SimulationGroup::SimulationGroup(std::size_t size, Computing computing)
    : opened_(open_programs(computing)), members_(size) {
  if (opened_.programs) abreast_.emplace(*opened_.programs);
}

void SimulationGroup::replace(std::size_t i, std::optional<Simulation> by) {
  std::unique_ptr<Member>& member = members_.at(i);
  member.reset();
  if (!by) return;
  member = std::make_unique<Member>(std::nullopt, std::move(*by));
  if (!abreast_) return;
  member->server.emplace(*opened_.programs, abreast_->requests(), replaced_++);
  member->simulation.serve(&*member->server);
}

Simulation& SimulationGroup::operator[](std::size_t i) {
  if (!members_.at(i)) throw std::logic_error(fmt::format("there is no simulation {}", i));
  return members_[i]->simulation;
}

std::vector<std::exception_ptr> SimulationGroup::for_each(
    std::span<const std::size_t> members,
    const std::function<void(std::size_t, Simulation&)>& work) {
  std::vector<std::exception_ptr> thrown(members.size());
  const auto do_one = [&](std::size_t k) {
    try {
      work(members[k], (*this)[members[k]]);
    } catch (...) {
      thrown[k] = std::current_exception();
    }
  };
  if (!abreast_) {
    for (std::size_t k = 0; k < members.size(); ++k) do_one(k);
    return thrown;
  }
  std::size_t next = 0;
  abreast_->run([&]() -> Abreast::Work {
    if (next == members.size()) return nullptr;
    return [&do_one, k = next++] { do_one(k); };
  });
  return thrown;
}

}  // namespace berth
