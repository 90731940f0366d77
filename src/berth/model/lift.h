// SPDX-License-Identifier: Apache-2.0
#pragma once

// lift — a part read from a file in double becomes the same part on another scalar.
//
//   lift_into(Part<double>, Part<T>&, lane)   copies every input through fields(); with `lane`
//                                             given, only that simulation of a Pack is written
//
// Lanes share the topology (strings, counts, switches), not the numbers.

#include "berth/model/fields.h"

namespace berth {

inline constexpr int kAllLanes = -1;

template <class T>
concept Lifted = Scalar<T> && !std::same_as<T, double>;

template <Lifted T>
void lift_value(double from, T& to, int lane_index) {
  if (lane_index == kAllLanes) {
    to = T(from);
  } else {
    set_lane(to, lane_index, from);
  }
}
template <Lifted T>
void lift_value(const Vec3<double>& from, Vec3<T>& to, int i) {
  lift_value(from.x, to.x, i);
  lift_value(from.y, to.y, i);
  lift_value(from.z, to.z, i);
}
template <Lifted T>
void lift_value(const Sym3<double>& from, Sym3<T>& to, int i) {
  lift_value(from.xx, to.xx, i);
  lift_value(from.yy, to.yy, i);
  lift_value(from.zz, to.zz, i);
  lift_value(from.xy, to.xy, i);
  lift_value(from.xz, to.xz, i);
  lift_value(from.yz, to.yz, i);
}
template <Lifted T>
void lift_value(const Quaternion<double>& from, Quaternion<T>& to, int i) {
  lift_value(from.w, to.w, i);
  lift_value(from.x, to.x, i);
  lift_value(from.y, to.y, i);
  lift_value(from.z, to.z, i);
}
// Topology, words and times (time is common to all lanes).
template <class Same>
requires(!HasFields<Same>) void lift_value(const Same& from, Same& to, int) { to = from; }

template <HasFields From, HasFields To>
void lift_value(const From& from, To& to, int i);

template <class A, class B>
requires(!std::same_as<A, B> || HasFields<A>) void lift_value(const std::vector<A>& from,
                                                              std::vector<B>& to, int i) {
  to.resize(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) lift_value(from[k], to[k], i);
}

template <HasFields From, HasFields To>
void lift_value(const From& from, To& to, int i) {
  zip_fields(from, to, [i](const auto&, const auto& a, auto& b) { lift_value(a, b, i); });
}

// The same kind of part on another scalar.
template <class Part, Scalar T>
struct Rebind;
template <template <class> class P, Scalar T>
struct Rebind<P<double>, T> {
  using type = P<T>;
};

template <HasFields To, HasFields From>
To lift(const From& from) {
  To to;
  lift_value(from, to, kAllLanes);
  return to;
}

}  // namespace berth
