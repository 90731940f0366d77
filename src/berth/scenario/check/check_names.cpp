// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/check/check_names.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace berth {
namespace {

bool is_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
}

class NameChecker {
 public:
  explicit NameChecker(Problems& problems) : problems_(problems) {}

  template <class Specs>
  void add(const std::string& table, const Specs& specs) {
    for (const auto& x : specs) names_.push_back({table, x.name});
  }
  // Those added so far differ from one another and from those taken already.
  void check(const std::set<std::string>& taken = {}) {
    std::set<std::string> seen = taken;
    for (const auto& [table, name] : names_) {
      if (name.empty() && lacks_name(table)) continue;
      if (!is_name(name))
        problems_.add(table + "." + name,
                      fmt::format("\"{}\" is no name: letters, digits, _ and - only", name));
      if (!seen.insert(name).second)
        problems_.add(table + "." + name, taken.contains(name)
                                              ? fmt::format("the name {} is taken", name)
                                              : fmt::format("the name {} is used twice", name));
    }
    names_.clear();
  }

 private:
  // That a member of the table has none has been reported.
  bool lacks_name(const std::string& table) const {
    return std::any_of(problems_.list.begin(), problems_.list.end(), [&](const Problem& p) {
      return p.path.starts_with(table + ".") && p.path.ends_with(".name");
    });
  }

  struct Named {
    std::string table, name;
  };
  std::vector<Named> names_;
  Problems& problems_;
};

}  // namespace

void check_names(const Scenario& s, Problems& problems) {
  NameChecker names(problems);
  // Craft, bodies, forces, sensors, controllers and externals all own channels: <owner>.<quantity>.
  names.add("spacecraft", s.spacecraft);
  names.add("body", s.body);
  names.add("force", s.force);
  names.add("sensor", s.sensor);
  names.add("control", s.control);
  names.add("external", s.external);
  names.add("dock", s.dock);
  names.add("loop", s.loop);
  names.add("contact", s.contact);
  names.add("measure", s.measure);  // and what captures measure
  names.check({"ground", "orbit", "system", "bodies"});
  for (const SpacecraftSpec& c : s.spacecraft) {
    names.add("spacecraft." + c.name + ".component", c.component);
    names.check();
    names.add("spacecraft." + c.name + ".port", c.port);
    names.check();
  }
  names.add("event", s.event);
  names.check();
  names.add("record.group", s.record.group);
  names.check();
}

}  // namespace berth
