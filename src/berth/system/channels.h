// SPDX-License-Identifier: Apache-2.0
#pragma once

// Channels — everything a run can show, by name: <owner>.<quantity>.
//
// One function per kind of owner lists its quantities in a fixed order, each with a value that is
// computed when it is asked for (channel_walk.h). The list is made without computing any; a row
// asks for all; a condition asks for the few numbers it names, and owners it does not name are not
// visited. Names exist only in the list.
//
// Systems that differ by their numbers alone have the same list: it is made once for the cases of a
// sweep that run on one thread, and shared.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/model/channel_kind.h"
#include "berth/system/channel_walk.h"

namespace berth {

struct Channel {
  std::string name;
  std::string unit;
  std::string frame;  // axes of a vector; empty for scalars
  std::string description;
  int width;  // 1, 3 (vector) or 4 (quaternion, scalar first)
  int first;  // place of its first number in a row
  Kind kind = Kind::smooth;
  Needs needs = Needs::loads;
};

// One number of a row, as a condition names it: "servicer.rate", "servicer.omega_BN_B.x".
struct ChannelNumber {
  int place;
  const Channel* channel;
};

// Of clipped channels: the value as it is shown, or as it was before it was cut.
enum class Cut : unsigned char { made, undone };

// A list that others hold too.
class ChannelList {
 public:
  ChannelList() : list_(std::make_shared<const std::vector<Channel>>()) {}
  explicit ChannelList(std::shared_ptr<const std::vector<Channel>> list) : list_(std::move(list)) {}

  operator const std::vector<Channel>&() const { return *list_; }
  auto begin() const { return list_->begin(); }
  auto end() const { return list_->end(); }
  std::size_t size() const { return list_->size(); }
  bool empty() const { return list_->empty(); }
  const Channel& operator[](std::size_t i) const { return (*list_)[i]; }

 private:
  std::shared_ptr<const std::vector<Channel>> list_;
};

class Channels {
 public:
  explicit Channels(const System<double>& system);

  const std::vector<Channel>& list() const { return content_->list; }
  ChannelList shared_list() const { return ChannelList({content_, &content_->list}); }
  // Indices into the list in the order of the names.
  std::span<const int> by_name() const { return content_->by_name; }
  int width() const { return static_cast<int>(content_->places.size()); }

  const Channel* find(std::string_view name) const;
  std::optional<ChannelNumber> find_number(std::string_view name) const;
  // The channel a number of a row belongs to.
  const Channel& at(int place) const { return list()[index(place_at(place).channel)]; }
  // What must have run before these numbers can be asked for.
  Needs find_needs(std::span<const int> places) const;

  // All numbers at one instant. Expects the stages up to the accelerations to have run, with these
  // in w.v_dot.
  void fill(const System<double>& system, std::span<const double> x, const Workspace<double>& w,
            std::span<double> row) const;

  // A few of them: out[i] = row[places[i]]. Expects the stages they need to have run. Numbers of
  // one owner should stand side by side and in order: it is then visited once.
  template <Scalar T>
  void fill(std::span<const int> places, const System<T>& system, std::span<const T> x,
            const Workspace<T>& w, std::span<T> out, Cut cut = Cut::made) const;

 private:
  struct Place {
    int owner, channel;
  };
  struct Content {
    std::vector<Channel> list;
    std::vector<Owner> owners;
    std::vector<int> first;     // place of each owner's first number
    std::vector<Place> places;  // of every number of a row
    std::vector<int> by_name;
  };
  class Builder;
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const Place& place_at(int place) const { return content_->places[index(place)]; }

  std::shared_ptr<const Content> content_;
};

}  // namespace berth
