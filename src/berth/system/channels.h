// SPDX-License-Identifier: Apache-2.0
#pragma once

// Channels — everything a run can show, by name: <owner>.<name>.<quantity>.
//
// One function walks the system and tells every quantity in a fixed order; with the first walk the
// list is made, with every later one a row of numbers is filled. Names exist only in the list.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/system/ledger.h"
#include "berth/system/system.h"

namespace berth {

struct Channel {
  std::string name;
  std::string unit;
  std::string frame;  // axes of a vector; empty for scalars
  std::string description;
  int width;  // 1, 3 (vector) or 4 (quaternion, scalar first)
  int first;  // place of its first number in a row
};

// One number of a row, as a condition names it: "servicer.rate", "servicer.omega_BN_B.x".
struct ChannelNumber {
  int place;
  const Channel* channel;
};

class Channels {
 public:
  // The state is needed only to walk once.
  Channels(const System<double>& system, std::span<const double> x, const Workspace<double>& w);

  const std::vector<Channel>& list() const { return list_; }
  int width() const { return width_; }

  const Channel* find(std::string_view name) const;
  std::optional<ChannelNumber> find_number(std::string_view name) const;

  // All numbers at one instant. Expects the stages up to the accelerations to have run.
  void fill(const System<double>& system, std::span<const double> x, const Workspace<double>& w,
            std::span<double> row) const;

 private:
  std::vector<Channel> list_;
  int width_ = 0;
};

}  // namespace berth
