// SPDX-License-Identifier: Apache-2.0

// A summary as JSON, as a list of values, and its values by path.

#include <algorithm>
#include <limits>

#include "berth/record/json_text.h"
#include "berth/simulate/summary_walk.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

class JsonBuilder {
 public:
  explicit JsonBuilder(bool with_wall_clock) : with_wall_clock_(with_wall_clock) {}
  Json take() { return std::move(root_); }

  void begin_object() { here() = Json::object(); }
  void end_object() {}
  void begin_array() { here() = Json::array(); }
  void end_array() {}
  bool enter(std::string_view key, const Unit&, std::string_view) {
    if (!with_wall_clock_ && stack_.size() == 1 && key == "wall_seconds") return false;
    stack_.push_back(&here()[std::string(key)]);
    return true;
  }
  bool enter_item(std::size_t) {
    here().push_back(nullptr);
    stack_.push_back(&here().back());
    return true;
  }
  void leave() { stack_.pop_back(); }
  void number(double x) { here() = x; }
  void integer(std::int64_t n) { here() = n; }
  void boolean(bool b) { here() = b; }
  void text(const std::string& s) { here() = s; }

 private:
  Json& here() { return *stack_.back(); }

  bool with_wall_clock_;
  Json root_;
  std::vector<Json*> stack_{&root_};
};

// Values with their paths, all of them or one. Of a part no value is made that is not wanted.
class ValueFinder {
 public:
  // Without a path: every value.
  explicit ValueFinder(std::optional<std::string_view> wanted = {}) : wanted_(wanted) {}
  std::vector<SummaryValue> found;

  void begin_object() {}
  void end_object() {}
  void begin_array() {}
  void end_array() {}
  // What is wanted is this entry of where we are, or inside it.
  bool wants(std::string_view key) const {
    if (!wanted_) return true;
    const std::size_t first = path_.empty() ? 0 : path_.size() + 1;
    if (first > wanted_->size()) return false;
    const std::string_view rest = wanted_->substr(first);
    return rest.starts_with(key) && (rest.size() == key.size() || rest[key.size()] == '.');
  }
  bool enter(std::string_view key, const Unit& u, std::string_view meaning) {
    if (stack_.empty() && key == "wall_seconds") return false;
    return descend(key, u.symbol, meaning);
  }
  bool enter_item(std::size_t i) {
    return descend(fmt::format("{}", i), stack_.back().unit, stack_.back().meaning);
  }
  void leave() {
    path_.resize(stack_.back().length);
    stack_.pop_back();
  }
  void number(double x) { add(x); }
  void integer(std::int64_t n) { add(static_cast<double>(n)); }
  void boolean(bool b) { add(b ? 1.0 : 0.0); }
  void text(const std::string& s) { add(s); }

 private:
  struct Level {
    std::size_t length;  // of the path before it
    std::string_view unit, meaning;
  };
  bool descend(std::string_view key, std::string_view unit, std::string_view meaning) {
    if (!wants(key)) return false;
    stack_.push_back({path_.size(), unit, meaning});
    if (!path_.empty()) path_ += '.';
    path_ += key;
    return true;
  }
  void add(std::variant<double, std::string> value) {
    if (wanted_ && path_ != *wanted_) return;
    const Level& here = stack_.back();
    found.push_back({path_, std::move(value), std::string(here.unit), std::string(here.meaning)});
  }

  std::optional<std::string_view> wanted_;
  std::string path_;
  std::vector<Level> stack_;
};

// "events.capture_hard.t" as "events.7.t"; anything else as it is. Nothing: no such event acted.
std::optional<std::string> find_numbered(const Summary& s, std::string_view path) {
  constexpr std::string_view table = "events.";
  if (!path.starts_with(table)) return std::string(path);
  const std::string_view rest = path.substr(table.size());
  if (!rest.empty() && rest.find_first_not_of("0123456789") == rest.find('.'))
    return std::string(path);
  for (std::size_t i = 0; i < s.events.size(); ++i) {
    const EventRecord& h = s.events[i];
    if (h.kind == "event" && rest.starts_with(h.name + "."))
      return fmt::format("{}{}{}", table, i, rest.substr(h.name.size()));
  }
  return std::nullopt;
}

}  // namespace

Json to_value(const Summary& summary, bool with_wall_clock) {
  JsonBuilder builder(with_wall_clock);
  summary_walk::walk(summary, builder);
  return builder.take();
}

std::string to_json(const Summary& summary, bool with_wall_clock) {
  return to_text(to_value(summary, with_wall_clock), with_wall_clock ? 2 : -1);
}

Json to_value(const EventRecord& record) {
  JsonBuilder builder(true);
  builder.begin_object();
  summary_walk::walk_values(record, builder);
  return builder.take();
}

std::vector<SummaryValue> list_values(const Summary& summary) {
  ValueFinder finder;
  summary_walk::walk(summary, finder);
  return std::move(finder.found);
}

std::optional<SummaryValue> find_value(const Summary& summary, std::string_view path) {
  const std::optional<std::string> numbered = find_numbered(summary, path);
  if (!numbered) return std::nullopt;
  ValueFinder finder(*numbered);
  summary_walk::walk(summary, finder);
  if (finder.found.empty()) return std::nullopt;
  finder.found.front().path = std::string(path);
  return std::move(finder.found.front());
}

double find_number(const Summary& summary, std::string_view path) {
  const std::optional<SummaryValue> found = find_value(summary, path);
  const double* number = found ? std::get_if<double>(&found->value) : nullptr;
  return number ? *number : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace berth
