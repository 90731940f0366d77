// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "berth/control/profile.h"

namespace berth {

// The joints a controller drives and what it wants of them.
template <Scalar T>
struct DrivenJoints {
  struct Driven {
    int q, v;
  };
  std::vector<Driven> at;
  std::vector<std::string> labels;  // ends of the joints' names, for channels

  void bind(const Model<T>& model, const std::vector<std::string>& names,
            const std::vector<Profile<T>>& reference, std::string_view who) {
    const auto refuse = [&](const std::string& rule) {
      throw std::invalid_argument(std::string(who) + ": " + rule);
    };
    if (names.empty()) refuse("needs at least one joint");
    if (names.size() != reference.size()) refuse("needs one reference per joint");
    for (const Profile<T>& p : reference) p.check();
    for (const std::string& name : names) {
      const int i = model.find_body(name);
      if (i < 0) refuse("no joint named " + name);
      const Body<T>& b = model.body(i);
      if (shape(b.joint).speeds != 1) refuse(name + " is not a revolute or prismatic joint");
      at.push_back({b.q, b.v});
      labels.push_back(name);
    }
    // Last words will do where they differ.
    for (std::size_t words = 1; words < 4; ++words) {
      std::set<std::string> ends;
      for (const std::string& name : names) ends.insert(last_words(name, words));
      if (ends.size() < names.size()) continue;
      for (std::string& label : labels) label = last_words(label, words);
      break;
    }
  }

  template <class Tell>
  void tell(const Instant<T>& now, const std::vector<Profile<T>>& reference, const T* out,
            Tell&& f) const {
    for (std::size_t i = 0; i < at.size(); ++i) {
      f([&] { return labels[i] + ".error"; }, unit::rad, "", "wanted minus actual angle",
        Kind::smooth, Needs::motion,
        [&] { return reference[i].at(now.motion.t, now.motion.t_from).value - now.q(at[i].q); });
      f([&] { return labels[i] + ".effort"; }, unit::N_m, "", "commanded motor effort",
        Kind::smooth, Needs::loads, [&] { return out[i]; });
    }
    f("power", unit::watt, "", "of these efforts on the moving joints", Kind::smooth, Needs::loads,
      [&] {
        T power(0.0);
        for (std::size_t i = 0; i < at.size(); ++i) power += out[i] * now.v(at[i].v);
        return power;
      });
  }

 private:
  static std::string last_words(const std::string& name, std::size_t words) {
    std::size_t from = name.size();
    while (words-- > 0 && from != std::string::npos && from > 0) from = name.rfind('.', from - 1);
    return from == std::string::npos ? name : name.substr(from + 1);
  }
};

}  // namespace berth
