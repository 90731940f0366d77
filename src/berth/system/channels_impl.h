// SPDX-License-Identifier: Apache-2.0
#pragma once

// A few channels of a row, on any scalar.

#include "berth/system/channels.h"

namespace berth {
namespace detail {

using channel_walk::component;
using channel_walk::kWidth;
using channel_walk::ValueOf;

// Writes the numbers that are asked for and computes no others.
template <Scalar T>
struct Picker {
  const int* next;       // place asked for next, in order; all of this owner
  const int* const end;  // past the last
  T* out;                // where its number goes
  int at;                // place of the next number
  Cut cut;

  template <class Quantity, class Value>
  void operator()(const Quantity&, const Unit&, std::string_view, std::string_view, Kind, Needs,
                  const Value& value) {
    pick(value);
  }
  template <class Quantity, class Value, class Uncut>
  void operator()(const Quantity&, const Unit&, std::string_view, std::string_view, Kind, Needs,
                  const Value& value, const Uncut& uncut) {
    if (cut == Cut::undone) {
      pick(uncut);
    } else {
      pick(value);
    }
  }

 private:
  template <class Value>
  void pick(const Value& value) {
    const int first = at;
    at += kWidth<ValueOf<Value>>;
    if (next == end || *next >= at) return;
    const auto v = value();
    for (; next != end && *next < at; ++next) *out++ = component(v, *next - first);
  }
};

}  // namespace detail

template <Scalar T>
void Channels::fill(std::span<const int> places, const System<T>& system, std::span<const T> x,
                    const Workspace<T>& w, std::span<T> out, Cut cut) const {
  for (std::size_t i = 0; i < places.size();) {
    const int owner = place_at(places[i]).owner;
    std::size_t end = i + 1;
    while (end < places.size() && place_at(places[end]).owner == owner &&
           places[end] > places[end - 1])
      ++end;
    detail::Picker<T> picker{places.data() + i, places.data() + end, out.data() + i,
                             content_->first[index(owner)], cut};
    walk_owner(content_->owners[index(owner)], system, x, w, picker);
    i = end;
  }
}

}  // namespace berth
