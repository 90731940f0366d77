// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the builders of a scenario's tables share: the scenario, the story they add to, the problems
// they meet.

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "berth/scenario/scenario.h"
#include "berth/scenario/suggest.h"

namespace berth {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class BuilderBase {
 protected:
  BuilderBase(const Scenario& scenario, Story& story, Problems& problems)
      : s_(scenario), story_(story), problems_(problems) {}

  // Runs f; what it throws becomes a problem of `path`.
  template <class F>
  void attempt(const std::string& path, F&& f) {
    try {
      f();
    } catch (const std::exception& e) {
      problems_.add(path, e.what());
    }
  }

  template <class Specs>
  static std::vector<std::string> names_of(const Specs& specs) {
    std::vector<std::string> names;
    for (const auto& x : specs) names.push_back(x.name);
    return names;
  }
  template <class Specs>
  void check_name(const std::string& path, const std::string& name, const Specs& specs) {
    const std::vector<std::string> names = names_of(specs);
    if (!contains(names, name))
      problems_.add(path, fmt::format("there is no {}{}", name, suggest(name, names)));
  }

  // A reference to a body that does not exist, with the nearest that does.
  void check_body(const std::string& path, const std::string& name) {
    const Model<double>& model = story_.system.model;
    if (model.find_body(name) < 0)
      problems_.add(path, fmt::format("no body named {}{}", name, suggest(name, model.names)));
  }
  void check_moving_body(const std::string& path, const std::string& name) {
    check_body(path, name);
    if (name == "ground") problems_.add(path, "the ground does not move");
  }

  // An interval that would keep the run busy for ever; below a picosecond the clock stands still.
  static constexpr double kMostSteps = 1e9, kMostRows = 1e8;
  void check_interval(const std::string& path, double interval, double most, const char* what) {
    if (interval > 0 && (s_.time.stop / interval > most || interval < 1e-12))
      problems_.add(path, fmt::format("{} s makes over {:g} {}", interval, most, what));
  }

  const Scenario& s_;
  Story& story_;
  Problems& problems_;
};

}  // namespace berth
