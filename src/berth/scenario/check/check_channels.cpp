// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/check/check_channels.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace berth {
namespace {

class ChannelChecker {
 public:
  ChannelChecker(const Channels& channels, const std::set<std::string>& broken, Problems& problems)
      : channels_(channels), broken_(broken), problems_(problems) {
    for (const int i : channels.by_name())
      names_.push_back(channels.list()[static_cast<std::size_t>(i)].name);
    if (std::adjacent_find(names_.begin(), names_.end()) == names_.end()) return;
    std::set<std::string_view> seen;
    for (const Channel& c : channels.list())
      if (!seen.insert(c.name).second && !is_unknown(c.name))
        problems_.add("control",
                      fmt::format("there are two channels {}: rename something", c.name));
    names_.assign(seen.begin(), seen.end());
  }

  void check_patterns(const std::string& path, const std::vector<std::string>& patterns) {
    for (const std::string& p : patterns) {
      if (p == "*" || is_unknown(p) ||
          std::any_of(names_.begin(), names_.end(),
                      [&](std::string_view n) { return fits_channel(p, n); }))
        continue;
      const std::string_view near = find_nearest(p, names_);
      problems_.add(path, fmt::format("no channel fits {}; {}", p,
                                      near.empty() ? "berth describe channels FILE lists them"
                                                   : fmt::format("did you mean {}?", near)));
    }
  }
  void check_numbers(const std::string& path, const std::vector<std::string>& names) {
    // All events of a capture report the same.
    if (found_ && *found_ == names) return;
    bool all_found = true;
    for (const std::string& name : names) {
      if (is_unknown(name) || channels_.find_number(name)) continue;
      problems_.add(path, fmt::format("no number {} among the channels", name));
      all_found = false;
    }
    if (all_found) found_ = &names;
  }
  // Whole channels, or single numbers.
  void check_measures(const std::string& path, const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (!is_unknown(name) && !channels_.find(name) && !channels_.find_number(name))
        problems_.add(path, fmt::format("no channel {}{}", name,
                                        suggest(name, {names_.begin(), names_.end()})));
  }
  void check_condition(const std::string& path, const std::string& text) {
    if (text.empty() || names_unknown(text)) return;
    try {
      Condition(text, channels_);
    } catch (const ConditionError& e) {
      problems_.add(path, e.what());
    }
  }

 private:
  // Of an owner of which nothing is known.
  bool is_unknown(std::string_view channel) const {
    return !broken_.empty() && broken_.contains(std::string(channel.substr(0, channel.find('.'))));
  }
  bool names_unknown(std::string_view text) const {
    if (broken_.empty()) return false;
    const auto is_letter = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
    };
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_letter(text[end])) ++end;
      if (end > i && is_unknown(text.substr(i, end - i))) return true;
      i = end + 1;
    }
    return false;
  }

  const Channels& channels_;
  const std::set<std::string>& broken_;
  Problems& problems_;
  std::vector<std::string_view> names_;              // in their order, each once
  const std::vector<std::string>* found_ = nullptr;  // numbers that are all there
};

}  // namespace

void check_channels(const Scenario& s, const Channels& channels,
                    const std::set<std::string>& broken, Problems& problems) {
  ChannelChecker checker(channels, broken, problems);
  checker.check_patterns("record.channels", s.record.channels);
  for (const RecordGroupSpec& g : s.record.group)
    checker.check_patterns("record.group." + g.name + ".channels", g.channels);
  for (const External<double>& e : s.external)
    checker.check_measures("external." + e.name + ".measures", e.measures);
  for (const EventSpec& e : s.event) {
    checker.check_numbers("event." + e.name + ".report", e.report);
    checker.check_condition("event." + e.name + ".when", e.when);
  }
  for (const std::string& condition : s.expect.final)
    checker.check_condition("expect.final", condition);
}

}  // namespace berth
