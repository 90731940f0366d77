// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "berth/control/profile.h"

namespace berth {

// The joints a controller drives and what it wants of them.
template <Scalar T>
struct DrivenJoints {
  struct Driven {
    int q, v;
  };
  std::vector<Driven> at;
  std::vector<std::string> labels;  // last words of the joints' names, for channels

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
      labels.push_back(name.substr(name.find_last_of('.') + 1));
    }
  }
};

}  // namespace berth
