// SPDX-License-Identifier: Apache-2.0
#pragma once

// lift — a part read from a file in double becomes the same part on another scalar.
//
//   lift_value(Part<double>, Part<T>&)   copies every input through fields(): numbers become T,
//                                        topology (strings, counts, switches) stays
//
// Whoever wants to know what a system is made of listens (lifting.h).

#include "berth/model/fields.h"
#include "berth/model/lifting.h"

namespace berth {

template <class T>
concept Lifted = Scalar<T> && !std::same_as<T, double>;

template <Lifted T>
void lift_value(double from, T& to) {
  if constexpr (records<T>) {
    to = Lifting::number(from);
  } else {
    to = T(from);
  }
}
template <Lifted T>
void lift_value(const Vec3<double>& from, Vec3<T>& to) {
  lift_value(from.x, to.x);
  lift_value(from.y, to.y);
  lift_value(from.z, to.z);
}
template <Lifted T>
void lift_value(const Sym3<double>& from, Sym3<T>& to) {
  lift_value(from.xx, to.xx);
  lift_value(from.yy, to.yy);
  lift_value(from.zz, to.zz);
  lift_value(from.xy, to.xy);
  lift_value(from.xz, to.xz);
  lift_value(from.yz, to.yz);
}
template <Lifted T>
void lift_value(const Quaternion<double>& from, Quaternion<T>& to) {
  lift_value(from.w, to.w);
  lift_value(from.x, to.x);
  lift_value(from.y, to.y);
  lift_value(from.z, to.z);
}
template <Lifted T>
void lift_value(const Mat3<double>& from, Mat3<T>& to) {
  for (const auto& [a, b] : {std::pair{&from.xx, &to.xx},
                             {&from.xy, &to.xy},
                             {&from.xz, &to.xz},
                             {&from.yx, &to.yx},
                             {&from.yy, &to.yy},
                             {&from.yz, &to.yz},
                             {&from.zx, &to.zx},
                             {&from.zy, &to.zy},
                             {&from.zz, &to.zz}})
    lift_value(*a, *b);
}
// Topology, keywords and times.
template <class Same>
requires(!HasFields<Same>) void lift_value(const Same& from, Same& to) {
  to = from;
  if (Lifting::notes()) Lifting::add(from);
}

template <HasFields From, HasFields To>
void lift_value(const From& from, To& to);

template <class A, class B>
requires(!std::same_as<A, B> || HasFields<A>) void lift_value(const std::vector<A>& from,
                                                              std::vector<B>& to) {
  to.resize(from.size());
  if (Lifting::notes()) Lifting::add(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) lift_value(from[k], to[k]);
}

template <HasFields From, HasFields To>
void lift_value(const From& from, To& to) {
  zip_fields(from, to, [](const auto& field, const auto& a, auto& b) {
    std::optional<Lifting::Pause> pause;
    if (field.is_of_samples) pause.emplace();
    lift_value(a, b);
  });
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
  lift_value(from, to);
  return to;
}

}  // namespace berth
