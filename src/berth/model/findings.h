// SPDX-License-Identifier: Apache-2.0
#pragma once

// Findings — what is wrong with the inputs of a part, collected so that all is reported at once.
//
// A part states its rules in
//
//   void check(const Surroundings&, Findings&) const      of its own inputs
//   void bind(const Model<T>&, Findings&)                 of its inputs against the bodies there are
//
// and adds what breaks them, by input and with the value. The reader of a file turns each into a
// problem with its line; a caller without a file gets one exception.

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth {

// A number as it would be written.
std::string shown(double number);

struct Finding {
  std::string input;         // "sample_time", "angle.duration"; empty: the part as a whole
  std::string rule;          // what is wrong, with the value
  std::string missing = {};  // the name of what does not exist, where that is what is wrong
};

class Findings {
 public:
  void add(std::string_view input, std::string rule, std::string missing = {}) {
    std::string path = prefix_ + std::string(input);
    if (path.ends_with('.')) path.pop_back();
    list_.push_back({std::move(path), std::move(rule), std::move(missing)});
  }
  // What f adds belongs to inputs of this input.
  template <class F>
  void inside(std::string_view input, F&& f) {
    const std::size_t before = prefix_.size();
    prefix_ += std::string(input) + ".";
    f();
    prefix_.resize(before);
  }
  bool empty() const { return list_.empty(); }
  const std::vector<Finding>& list() const { return list_; }

  // Throws std::invalid_argument, "who: rule; rule", unless there is none.
  void require_none(std::string_view who) const {
    if (list_.empty()) return;
    std::string text = std::string(who) + ": ";
    for (std::size_t i = 0; i < list_.size(); ++i) text += (i ? "; " : "") + list_[i].rule;
    throw std::invalid_argument(text);
  }

 private:
  std::string prefix_;
  std::vector<Finding> list_;
};

// What a part may have to fit besides bodies. Of a system that is still being put together nothing is
// known: all is taken to be there.
struct Surroundings {
  bool has_orbit = true;
  bool has_ground = true;
  double duration = 0;  // [s] of the run; 0 = not known
};

template <class P>
concept HasRules = requires(const P& part, const Surroundings& around, Findings& findings) {
  part.check(around, findings);
};

}  // namespace berth
