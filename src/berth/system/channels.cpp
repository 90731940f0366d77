// SPDX-License-Identifier: Apache-2.0
#include "berth/system/channels.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "berth/system/channels_impl.h"

namespace berth {
namespace {

using namespace channel_walk;

std::string_view text_of(std::string_view quantity) { return quantity; }
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
    std::string name = owner.name + ".";
    name += text_of(quantity);
    list.push_back({std::move(name), std::string(u.symbol), std::string(frame), std::string(about),
                    numbers, width, kind, needs});
    width += numbers;
  }
};

// Whether a list is what Lister would make.
struct Matcher {
  const Owner& owner;
  const std::vector<Channel>& list;
  std::size_t next;
  bool is_same = true;

  template <class Quantity, class Value, class... Uncut>
  void operator()(const Quantity& quantity, const Unit& u, std::string_view frame,
                  std::string_view about, Kind kind, Needs needs, const Value&, const Uncut&...) {
    is_same = is_same && next < list.size();
    if (!is_same) return;
    const Channel& c = list[next++];
    is_same = c.width == kWidth<ValueOf<Value>> && c.kind == kind && c.needs == needs &&
              c.unit == u.symbol && c.frame == frame && c.description == about &&
              is_name(c.name, text_of(quantity));
  }
  bool is_name(std::string_view name, std::string_view quantity) const {
    const std::size_t dot = owner.name.size();
    return name.size() == dot + 1 + quantity.size() && name.starts_with(owner.name) &&
           name[dot] == '.' && name.ends_with(quantity);
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

class Channels::Builder {
 public:
  explicit Builder(const System<double>& system)
      : system_(system), owners_(list_owners(system)), w_(system) {}

  bool fits(const Content& known) const {
    if (known.owners.size() != owners_.size()) return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      const Owner &here = owners_[i], &there = known.owners[i];
      if (here.group != there.group || here.index != there.index || here.name != there.name ||
          next >= known.list.size() || known.first[i] != known.list[next].first)
        return false;
      Matcher matcher{here, known.list, next};
      walk(here, matcher);
      if (!matcher.is_same) return false;
      next = matcher.next;
    }
    return next == known.list.size();
  }

  std::shared_ptr<const Content> build() {
    auto out = std::make_shared<Content>();
    auto& [list, owners, first, places, by_name] = *out;
    owners = std::move(owners_);
    for (std::size_t i = 0; i < owners.size(); ++i) {
      first.push_back(static_cast<int>(places.size()));
      const std::size_t before = list.size();
      walk(owners[i], Lister{owners[i], list, first.back()});
      for (std::size_t c = before; c < list.size(); ++c)
        places.insert(places.end(), index(list[c].width),
                      {static_cast<int>(i), static_cast<int>(c)});
    }
    for (std::size_t c = 0; c < list.size(); ++c) by_name.push_back(static_cast<int>(c));
    std::stable_sort(by_name.begin(), by_name.end(), [&list = list](int a, int b) {
      return list[index(a)].name < list[index(b)].name;
    });
    return out;
  }

 private:
  void walk(const Owner& owner, auto&& emit) const {
    walk_owner(owner, system_, std::span<const double>(), w_, emit);
  }

  const System<double>& system_;
  std::vector<Owner> owners_;
  const Workspace<double> w_;
};

Channels::Channels(const System<double>& system) {
  thread_local std::shared_ptr<const Content> last;
  Builder builder(system);
  if (!last || !builder.fits(*last)) last = builder.build();
  content_ = last;
}

const Channel* Channels::find(std::string_view name) const {
  const auto name_of = [&](int i) { return std::string_view(list()[index(i)].name); };
  const auto at = std::ranges::lower_bound(by_name(), name, {}, name_of);
  return at != by_name().end() && name_of(*at) == name ? &list()[index(*at)] : nullptr;
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
  for (const Owner& owner : content_->owners) walk_owner(owner, system, x, w, writer);
}

template void Channels::fill<double>(std::span<const int>, const System<double>&,
                                     std::span<const double>, const Workspace<double>&,
                                     std::span<double>, Cut) const;

}  // namespace berth
