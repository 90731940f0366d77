// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate/participants.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/model/suggest.h"

namespace berth {

std::span<const double> Simulation::Measurements::operator[](std::string_view name) const {
  std::vector<std::string> names;
  std::size_t first = 0;
  for (const Signal& s : signals_) {
    const auto width = static_cast<std::size_t>(s.width);
    if (s.name == name) return numbers_.subspan(first, width);
    first += width;
    names.push_back(s.name);
  }
  const std::string asked(name);
  throw std::out_of_range(fmt::format("{} is not measured{}", asked, suggest(asked, names)));
}

namespace {

std::string describe_signal(const Simulation::Signal& s) {
  return fmt::format("{} number{}{}", s.width, s.width == 1 ? "" : "s",
                     s.unit.empty() || s.unit == "-" ? "" : " [" + s.unit + "]");
}

// The numbers of an answer in the order of the commands; those that are left out stay.
void pack_commands(const Simulation::External& external, const Simulation::Commands& given,
                   std::span<double> out) {
  std::size_t known = 0, first = 0;
  for (const Simulation::Signal& c : external.commands) {
    const std::span<double> to = out.subspan(first, static_cast<std::size_t>(c.width));
    first += to.size();
    const auto at = given.find(c.name);
    if (at == given.end()) continue;
    ++known;
    if (at->second.size() != static_cast<std::size_t>(c.width))
      throw std::invalid_argument(fmt::format("external {}: {} takes {}, not {}", external.name,
                                              c.name, describe_signal(c), at->second.size()));
    for (const double x : at->second)
      if (!std::isfinite(x))
        throw std::invalid_argument(fmt::format("external {}: {} takes {}; one is not finite",
                                                external.name, c.name, describe_signal(c)));
    std::copy(at->second.begin(), at->second.end(), to.begin());
  }
  if (known == given.size()) return;
  std::vector<std::string> names;
  for (const Simulation::Signal& c : external.commands) names.push_back(c.name);
  for (const auto& [name, numbers] : given)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw std::invalid_argument(
          fmt::format("external {}: no command {}{}", external.name, name, suggest(name, names)));
}

class CallableSource : public ExternalSource {
 public:
  CallableSource(Simulation::External external, Simulation::Participant participant)
      : external_(std::move(external)), participant_(std::move(participant)) {}

  Reply ask(std::uint64_t, double t, std::span<const double> measured,
            std::span<double> commands) const override {
    const auto given = participant_(t, Simulation::Measurements(external_.measures, measured));
    if (!given) return Reply::none;
    pack_commands(external_, *given, commands);
    return Reply::ready;
  }

 private:
  Simulation::External external_;
  Simulation::Participant participant_;
};

}  // namespace

std::vector<Simulation::External> list_externals(const System<double>& system,
                                                 const Channels& channels) {
  std::vector<Simulation::External> out;
  for (const External<double>& e : std::get<std::vector<External<double>>>(system.controls)) {
    Simulation::External& to = out.emplace_back();
    to.name = e.name;
    to.sample_time = e.sample_time, to.offset = e.offset, to.latency = e.latency;
    for (const std::string& name : e.measures) {
      const Channel* c = channels.find(name);
      if (c) to.measures.push_back({name, c->unit, c->frame, c->width});
      if (const auto number = channels.find_number(name); number && !c)
        to.measures.push_back({name, number->channel->unit, number->channel->frame, 1});
    }
    for (const ExternalCommand<double>& c : e.commands)
      to.commands.push_back({c.name, std::string(c.unit.symbol),
                             c.width == 3 && c.body >= 0 ? std::string(c.axes.keyword()) : "",
                             c.width});
  }
  return out;
}

std::shared_ptr<const ExternalSource> make_source(Simulation::External external,
                                                  Simulation::Participant participant) {
  return std::make_shared<const CallableSource>(std::move(external), std::move(participant));
}

}  // namespace berth
