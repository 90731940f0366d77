// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "berth/control/control_part.h"

namespace berth {

// The joints a controller drives and what it wants of them.
template <Scalar T>
struct DrivenJoints {
  struct Driven {
    int q, v;
  };
  std::vector<Driven> at;
  std::vector<std::string> labels;  // ends of the joints' names, for channels

  static void check(const std::vector<JointRef>& joints, const std::vector<Profile<T>>& reference,
                    Findings& findings) {
    if (joints.empty()) findings.add("joints", "needs at least one joint");
    if (joints.size() != reference.size())
      findings.add("reference", "needs one reference per joint: " + std::to_string(joints.size()) +
                                    ", not " + std::to_string(reference.size()));
  }

  void bind(const Model<T>& model, const std::vector<JointRef>& joints) {
    at.clear();
    labels.clear();
    for (const JointRef& joint : joints) {
      const Body<T>& b = model.body(joint.index);
      at.push_back({b.q, b.v});
      labels.push_back(joint.name);
    }
    // Last segments will do where they differ.
    for (std::size_t count = 1; count < 4; ++count) {
      std::set<std::string> ends;
      for (const std::string& name : labels) ends.insert(last_segments(name, count));
      if (ends.size() < labels.size()) continue;
      for (std::string& label : labels) label = last_segments(label, count);
      break;
    }
  }

  template <class Emit>
  void channels(const Instant<T>& now, const std::vector<Profile<T>>& reference, const T* out,
                Emit&& f) const {
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
  static std::string last_segments(const std::string& name, std::size_t count) {
    std::size_t from = name.size();
    while (count-- > 0 && from != std::string::npos && from > 0) from = name.rfind('.', from - 1);
    return from == std::string::npos ? name : name.substr(from + 1);
  }
};

}  // namespace berth
