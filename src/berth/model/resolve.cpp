// SPDX-License-Identifier: Apache-2.0
#include "berth/model/resolve.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/model/suggest.h"

namespace berth {
namespace {

int find_in(const std::vector<std::string>& list, const std::string& name) {
  const auto it = std::find(list.begin(), list.end(), name);
  return it == list.end() ? -1 : static_cast<int>(it - list.begin());
}

// "wheel1" of a controlled craft stands for "servicer.wheel1"; without an owner, for the only body
// with that ending.
void complete(std::string& name, const std::vector<std::string>& bodies, const std::string& owner) {
  if (find_in(bodies, name) >= 0) return;
  std::vector<std::string> fitting;
  for (const std::string& body : bodies)
    if (owner.empty() ? body.ends_with("." + name) : body == owner + "." + name)
      fitting.push_back(body);
  if (fitting.size() == 1) name = fitting.front();
}

// What might be meant, without the owner's name in front.
std::vector<std::string> list_joints(const std::vector<std::string>& bodies,
                                     const std::string& owner) {
  std::vector<std::string> out;
  for (const std::string& body : bodies)
    if (body.find('.') != std::string::npos && (owner.empty() || body.starts_with(owner + ".")))
      out.push_back(body.substr(body.find('.') + 1));
  return out.empty() ? bodies : out;
}

// By the whole name or by its end, which will do.
std::string suggest_joint(const std::string& name, const std::vector<std::string>& bodies,
                          const std::string& owner) {
  std::vector<std::string_view> ends;
  for (const std::string_view body : bodies) {
    if (!owner.empty() && !body.starts_with(owner + ".")) continue;
    if (owner.empty()) ends.push_back(body);
    for (std::size_t at = 0; (at = body.find('.', at)) != std::string_view::npos;)
      ends.push_back(body.substr(++at));
  }
  const std::string_view near = find_nearest(name, ends);
  return near.empty() ? suggest(name, list_joints(bodies, owner))
                      : fmt::format("; did you mean {}?", near);
}

}  // namespace

int find_named(Named kind, std::string& name, const Names& names, const std::string& owner,
               std::string_view input, Findings& findings) {
  const std::vector<std::string>* list = names.list_of(kind);
  if (!list || (kind == Named::port_or_earth && name == "earth")) return -1;
  const bool is_joint = kind == Named::joint || kind == Named::carried_joint;
  const std::string asked = name;
  const std::string joint_owner = kind == Named::carried_joint ? owner : "";
  if (is_joint) complete(name, *list, joint_owner);
  const int found = find_in(*list, name);
  if (found < 0) {
    const bool is_short = is_joint && find_in(*list, asked.substr(0, asked.find('.'))) < 0;
    findings.add(
        input,
        fmt::format("no {} {}{}", text_of(kind).missing, name,
                    is_short ? suggest_joint(name, *list, joint_owner) : suggest(name, *list)),
        asked);
    return -1;
  }
  if (kind == Named::moving_body && found == 0) findings.add(input, "the ground does not move");
  if (kind == Named::joint && names.speeds[static_cast<std::size_t>(found)] != 1)
    findings.add(input, name + " is not a revolute or prismatic joint");
  return found;
}

void check_period(double period, double duration, std::string_view input, Findings& findings) {
  if (period > 0 && duration > 0 && (duration / period > kMostSamples || period < 1e-12))
    findings.add(input, fmt::format("{} s makes over {:g} samples", period, kMostSamples));
}

}  // namespace berth
