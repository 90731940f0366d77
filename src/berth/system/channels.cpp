// SPDX-License-Identifier: Apache-2.0
#include "berth/system/channels.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "berth/system/channels_impl.h"

namespace berth {
namespace {

using namespace channel_walk;

std::string text_of(std::string_view quantity) { return std::string(quantity); }
template <std::invocable F>
std::string text_of(const F& quantity) {
  return quantity();
}

// Gathers the list.
struct Lister {
  const Owner& owner;
  std::vector<Channel>& list;
  int width;

  template <class Quantity, class Value, class... Uncut>
  void operator()(const Quantity& quantity, const Unit& u, std::string_view frame,
                  std::string_view about, Kind kind, Needs needs, const Value&, const Uncut&...) {
    constexpr int numbers = kWidth<ValueOf<Value>>;
    list.push_back({owner.name + "." + text_of(quantity), std::string(u.symbol), std::string(frame),
                    std::string(about), numbers, width, kind, needs});
    width += numbers;
  }
};

}  // namespace

std::vector<Owner> list_owners(const System<double>& system) {
  std::vector<Owner> out;
  if (system.in_orbit) out.push_back({Owner::Group::orbit, 0, "orbit"});
  for (int i = 1; i < system.model.body_count(); ++i)
    out.push_back({Owner::Group::body, i, system.model.names[static_cast<std::size_t>(i)]});
  const auto add = [&](Owner::Group group, const auto& stores, auto&& name_of) {
    int k = 0;
    for_each_part(stores, [&](const auto& part) { out.push_back({group, k++, name_of(part)}); });
  };
  const auto own_name = [](const auto& part) { return part.name; };
  add(Owner::Group::component, system.components, [&](const auto& part) {
    return system.model.names[static_cast<std::size_t>(part.last_body())];
  });
  add(Owner::Group::force, system.forces, own_name);
  add(Owner::Group::sensor, system.sensors, own_name);
  add(Owner::Group::control, system.controls, own_name);
  for (std::size_t k = 0; k < system.docks.size(); ++k)
    out.push_back({Owner::Group::dock, static_cast<int>(k), system.docks[k].name});
  for (std::size_t k = 0; k < system.measures.size(); ++k)
    out.push_back({Owner::Group::measure, static_cast<int>(k), system.measures[k].name});
  for (std::size_t k = 0; k < system.contacts.size(); ++k)
    out.push_back({Owner::Group::contact, static_cast<int>(k), system.contacts[k].name});
  out.push_back({Owner::Group::ledger, 0, "system"});
  return out;
}

Channels::Channels(const System<double>& system) : owners_(list_owners(system)) {
  const Workspace<double> w(system);
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const int first = width();
    const std::size_t before = list_.size();
    walk_owner(owners_[i], system, std::span<const double>(), w, Lister{owners_[i], list_, first});
    first_.push_back(first);
    for (std::size_t c = before; c < list_.size(); ++c)
      places_.insert(places_.end(), index(list_[c].width),
                     {static_cast<int>(i), static_cast<int>(c)});
  }
}

const Channel* Channels::find(std::string_view name) const {
  for (const Channel& c : list_)
    if (c.name == name) return &c;
  return nullptr;
}

std::optional<ChannelNumber> Channels::find_number(std::string_view name) const {
  if (const Channel* c = find(name); c && c->width == 1) return ChannelNumber{c->first, c};
  // A component of a vector (x y z) or of a quaternion (w x y z) after the last dot.
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos || name.size() != dot + 2) return std::nullopt;
  const Channel* c = find(name.substr(0, dot));
  if (!c || c->width == 1) return std::nullopt;
  const std::size_t k = std::string_view(c->width == 4 ? "wxyz" : "xyz").find(name[dot + 1]);
  if (k == std::string_view::npos) return std::nullopt;
  return ChannelNumber{c->first + static_cast<int>(k), c};
}

Needs Channels::find_needs(std::span<const int> places) const {
  const auto is_load = [&](int place) { return at(place).needs == Needs::loads; };
  return std::any_of(places.begin(), places.end(), is_load) ? Needs::loads : Needs::motion;
}

void Channels::fill(const System<double>& system, std::span<const double> x,
                    const Workspace<double>& w, std::span<double> row) const {
  ChannelWriter<double> writer{row.data()};
  for (const Owner& owner : owners_) walk_owner(owner, system, x, w, writer);
}

template void Channels::fill<double>(std::span<const int>, const System<double>&,
                                     std::span<const double>, const Workspace<double>&,
                                     std::span<double>, Cut) const;

}  // namespace berth
