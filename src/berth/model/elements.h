// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the system asks of a part that pushes.
//
//   add_effort(instant, effort)   adds joint efforts and body wrenches, always as a pair: what one
//                                 body gains the other (or the ground) loses
//   energy(instant)               [J] stored, whose gradient is the conservative part of the effort
//   power_lost(instant)           [W] ≥ 0, turned into heat
//   power_supplied(instant)       [W] fed in by a motor
//
// so that at every instant   d(T + V)/dt = supplied + external − lost.
//
// A part with `external = true` pushes from outside (thrust, gravity): its wrenches are counted as
// external power and impulse. All functions but add_effort may be left out; zero is meant. ComponentPart
// and ForcePart hold what is stated by most.

#include <string_view>
#include <tuple>
#include <variant>

#include "berth/model/channel_kind.h"
#include "berth/model/motion.h"

namespace berth {

template <class E, class T>
concept Pushes = requires(const E& e, const Instant<T>& now, Effort<T>& effort) {
  e.add_effort(now, effort);
};
template <class E, class T>
concept StoresEnergy = requires(const E& e, const Instant<T>& now) {
  { e.energy(now) } -> std::same_as<T>;
};
template <class E, class T>
concept LosesPower = requires(const E& e, const Instant<T>& now) {
  { e.power_lost(now) } -> std::same_as<T>;
};
template <class E, class T>
concept SuppliesPower = requires(const E& e, const Instant<T>& now) {
  { e.power_supplied(now) } -> std::same_as<T>;
};
// States when its push changes abruptly, so that no step straddles that time.
template <class E>
concept HasSchedule = requires(const E& e, std::vector<double>& times) {
  e.add_times(times);
};

template <class E>
constexpr bool is_external() {
  return E::external;
}

// What components, forces and controllers have in common, and what most have nothing to say about.

// Owns channels under its name and is switched by events.
struct NamedPart {
  static constexpr bool is_named = true;
  std::string name;
  bool enabled = true;
};

struct ComponentPart {
  static constexpr bool external = false;
  static constexpr bool enabled = true;  // always
  void channels(const auto&, auto&&) const {}
};

struct ForcePart : NamedPart {
  static constexpr bool external = false;
  void channels(const auto&, auto&&) const {}
};

// Belongs to the world: always on, without a name.
struct WorldForce : ForcePart {
  static constexpr bool is_named = false;
};

// A part with inputs in inertial axes restates them for a world turned by R with
// `void rotate_world(const Mat3<T>& R)`; the conformance suite asks for the same motion, turned.

// A part with channels of its own lists them: channels(now, f) calls
//
//   f(quantity, unit, frame, description, Kind, Needs, [&] { return value; })
//
// for each, always the same ones in the same order. Nothing is computed before the value is asked
// for; a quantity whose name has to be put together is a function too.

// A closed list of part templates. Everything that must treat each kind of part walks one of these:
// for_each_type(list<T>, []<class Part>() { … }).
template <class... Parts>
struct PartList {
  using Stores = std::tuple<std::vector<Parts>...>;
};

template <class... Parts, class Visit>
void for_each_type(PartList<Parts...>, Visit&& visit) {
  (visit.template operator()<Parts>(), ...);
}

// A list, and what comes behind it.
template <class List, class... More>
struct Extend;
template <class... Parts, class... More>
struct Extend<PartList<Parts...>, More...> {
  using type = PartList<Parts..., More...>;
};
template <class List, class... More>
using Extended = typename Extend<List, More...>::type;

// One of the parts of a list.
template <class List>
struct VariantOf;
template <class... Parts>
struct VariantOf<PartList<Parts...>> {
  using type = std::variant<Parts...>;
};

// Calls f with the part that is there. Like std::visit, without the exception that it can throw.
template <class... Parts, class F>
BERTH_INLINE void with_part(const std::variant<Parts...>& part, F&& f) {
  const auto offer = [&](const auto* p) {
    if (p) f(*p);
  };
  (offer(std::get_if<Parts>(&part)), ...);
}

// A recipe adds bodies under `mount` with names starting with `name`, and draws them (drawing.h).
template <class C, class T>
concept Component = requires(C& c, Model<T>& model, int mount, const std::string& name) {
  { C::type } -> std::convertible_to<std::string_view>;
  C::fields();
  c.build(model, mount, name);
  { c.last_body() } -> std::same_as<int>;
  &C::draw;
};

}  // namespace berth
