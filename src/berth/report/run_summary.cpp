// SPDX-License-Identifier: Apache-2.0
#include "berth/report/run_summary.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "berth/report/json_values.h"
#include "berth/report/run_facts.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

// Audits: below the first all is well, above the second something is wrong.
constexpr double kGoodAudit = 1e-8, kPoorAudit = 1e-5;
constexpr std::size_t kMostEvents = 2000, kMostPhases = 30;

const Json& part_of(const Json& json, const char* key) {
  static const Json nothing = Json::object();
  const auto it = json.find(key);
  return it != json.end() ? *it : nothing;
}

const char* audit_level(double value) {
  if (!(value < kPoorAudit)) return "bad";
  return value < kGoodAudit ? "good" : "warn";
}

class Summariser {
 public:
  Summariser(const ResultFile& file, Json& run) : file_(file), s_(file.summary), run_(run) {}

  void add_all() {
    run_["title"] =
        file_.title.empty() ? std::filesystem::path(file_.name()).stem().string() : file_.title;
    run_["file"] = std::filesystem::path(file_.name()).filename().string();
    add_expectations();
    run_["warnings"] = Json::array();
    for (const Json& w : part_of(s_, "warnings"))
      if (w.is_string()) run_["warnings"].push_back(w);
    add_numbers();
    add_verdict();
    run_["from"] = 0.0;
    run_["to"] = find_end_time(file_);
    add_events();
    add_phases();
  }

 private:
  void add_expectations() {
    run_["expectations"] = Json::array();
    for (const Json& e : part_of(s_, "expectations")) {
      const bool met = part_of(e, "met") == true;
      failed_ += met ? 0 : 1;
      run_["expectations"].push_back(
          {{"met", met},
           {"text", fmt::format("{}: wanted {}, got {}", text_of(e, "what"), text_of(e, "wanted"),
                                text_of(e, "got"))}});
    }
  }

  void add_number(std::string label, double value, const char* unit, const char* level,
                  std::string note, const char* form = "{:.4g}") {
    if (!std::isfinite(value)) return;
    if (std::string_view(level) == "bad") ++bad_;
    run_["numbers"].push_back({{"label", std::move(label)},
                               {"value", fmt::format(fmt::runtime(form), value)},
                               {"unit", unit},
                               {"level", level},
                               {"note", std::move(note)}});
  }

  void add_numbers() {
    run_["numbers"] = Json::array();
    const Json audit = part_of(s_, "audit");
    for (const auto& [key, label] : {std::pair{"energy", "energy audit"},
                                     {"linear_momentum", "linear momentum audit"},
                                     {"angular_momentum", "angular momentum audit"}}) {
      const double value = number_of(audit, key);
      add_number(label, value, "", audit_level(value),
                 "largest error of the ledger, over all that went through it", "{:.1e}");
    }
    for (const char* table : {"docks", "loops"})
      for (const auto& [name, d] : part_of(s_, table).items()) {
        add_number(name + " peak force", number_of(d, "force_peak"), "N", "", how(d));
        add_number(name + " peak torque", number_of(d, "torque_peak"), "N·m", "", how(d));
        const double position =
            number_of(d, d.contains("violation") ? "violation" : "violation_position");
        add_number(name + " violation", position, "m", violation_level(d, position),
                   "largest, of the dock's geometry", "{:.1e}");
        const double attitude = number_of(d, "violation_attitude");
        add_number(name + " violation, attitude", attitude, "rad", violation_level(d, attitude),
                   "largest, of the dock's geometry", "{:.1e}");
      }
    for (const auto& [name, c] : part_of(s_, "contacts").items()) {
      add_number(name + " contacts", number_of(c, "touches"), "", "", text_of(c, "verdict"),
                 "{:.0f}");
      if (!(number_of(c, "touches") > 0)) continue;
      add_number(name + " peak force", number_of(c, "force_peak"), "N", "", "");
      add_number(name + " penetration", 1e3 * number_of(c, "penetration_peak"), "mm", "",
                 "largest");
      add_number(name + " energy", number_of(c, "energy"), "J",
                 text_of(c, "verdict") == "active" ? "bad" : "good",
                 text_of(c, "verdict") == "active" ? "the contact gave energy: its loop is too slow"
                                                   : "given to the bodies; below zero it was lost",
                 "{:+.4g}");
      add_number(name + " restitution", number_of(c, "restitution"), "", "", "of the first contact",
                 "{:.4f}");
      add_number(name + " restitution, ideal", number_of(c, "restitution_ideal"), "", "",
                 "of the first contact, without the loop", "{:.4f}");
    }
    const Json steps = part_of(s_, "steps");
    add_number("steps", number_of(steps, "accepted"), "", "",
               fmt::format("{} rejected, {} evaluations", number_of(steps, "rejected"),
                           number_of(steps, "rhs")),
               "{:.0f}");
  }
  static std::string how(const Json& d) {
    return fmt::format("{}, {}", text_of(d, "type"), text_of(d, "enforce"));
  }
  // A penalty's violation is its spring at work; that of the others is an error.
  static const char* violation_level(const Json& d, double value) {
    if (text_of(d, "enforce") == "penalty") return "";
    return value < 1e-9 ? "good" : value < 1e-5 ? "warn" : "bad";
  }

  void add_verdict() {
    const std::string outcome = text_of(s_, "outcome"), said = text_of(s_, "verdict");
    const double t = number_of(s_, "time");
    std::string text;
    bool whole = true;
    if (outcome == "reached_end") {
      text = fmt::format("Reached the end at {:.6g} s{}", t, said.empty() ? "" : ": " + said);
    } else if (outcome == "stopped") {
      text = fmt::format("Stopped at {:.6g} s{}", t, said.empty() ? "" : ": " + said);
    } else {
      whole = false;
      text = outcome == "interrupted"
                 ? fmt::format("Interrupted at {:.6g} s", t)
                 : fmt::format("Could not go on beyond {:.9g} s: {}", t, outcome);
      if (file_.given.time.stop > 0) text += fmt::format(" of {:.6g} s", file_.given.time.stop);
    }
    const std::size_t asked = run_["expectations"].size();
    if (failed_ > 0) {
      text += fmt::format("; {} of {} expectations failed", failed_, asked);
    } else if (asked > 0) {
      text += asked == 1 ? "; the expectation was met"
                         : fmt::format("; all {} expectations met", asked);
    }
    if (bad_ > 0 && failed_ == 0 && asked == 0) text += "; check the numbers in red";
    const bool bad = !whole || failed_ > 0;
    const bool warn = bad_ > 0 || !run_["warnings"].empty();
    run_["verdict"] = {{"level", bad ? "bad" : warn ? "warn" : "good"}, {"text", text + "."}};
  }

  // "speed 0.02, force 12.5" of an event's details.
  static std::string read_details(const std::string& details) {
    const Json json = Json::parse(details, nullptr, false);
    if (!json.is_object()) return "";
    std::string text;
    for (const auto& [key, value] : json.items()) {
      std::string word = key;
      std::replace(word.begin(), word.end(), '_', ' ');
      std::string shown;
      if (value.is_number()) {
        shown = fmt::format("{:.5g}", value.get<double>());
      } else if (value.is_string()) {
        shown = value.get<std::string>();
      } else if (value.is_array()) {
        for (const Json& x : value)
          shown += (shown.empty() ? "" : ", ") +
                   (x.is_number() ? fmt::format("{:.4g}", x.get<double>()) : x.dump());
        shown = "(" + shown + ")";
      } else {
        shown = value.dump();
      }
      text += (text.empty() ? "" : ", ") + word + " " + shown;
    }
    return text;
  }

  // Of a contact that chatters, some stand for all.
  void add_events() {
    run_["events"] = Json::array();
    const std::size_t n = file_.events.size();
    const std::size_t stride = (n + kMostEvents - 1) / kMostEvents;
    for (std::size_t i = 0; i < n; ++i) {
      const RecordedEvent& e = file_.events[i];
      if (stride > 1 && i % stride != 0 && (e.kind != "event" || n > 20 * kMostEvents)) continue;
      // An end of contact without delay settles where it ends: one event says so.
      if (e.kind == "contact_settled" && i > 0 && file_.events[i - 1].kind == "contact_off" &&
          file_.events[i - 1].t == e.t && file_.events[i - 1].name == e.name)
        continue;
      run_["events"].push_back(
          {{"t", e.t}, {"kind", e.kind}, {"name", e.name}, {"text", read_details(e.details)}});
      if (const double impulse = find_impulse(e); impulse > 0)
        run_["events"].back()["impulse"] = impulse;
    }
    if (stride > 1)
      run_["warnings"].push_back(
          fmt::format("{} events happened; {} of them are shown here", n, run_["events"].size()));
  }

  // From one named event to the next; without any, from contact to contact. The stages of a capture are
  // one phase each, whatever else happens at the same instant.
  void add_phases() {
    run_["phases"] = Json::array();
    const double end = find_end_time(file_);
    std::vector<std::pair<double, std::string>> bounds;
    const bool named = std::any_of(file_.events.begin(), file_.events.end(),
                                   [](const RecordedEvent& e) { return e.kind == "event"; });
    for (const RecordedEvent& e : file_.events) {
      if (bounds.size() > kMostPhases) return;
      if ((e.kind == "event") != named || e.kind == "contact_settled" || e.kind == "latch_refused")
        continue;
      std::string name = e.name;
      if (!named) {
        name = e.kind + " " + e.name;
        std::replace(name.begin(), name.end(), '_', ' ');
      }
      const std::string stage = find_capture_stage(e);
      if (stage == "inside") continue;
      if (!stage.empty()) name = "capture: " + stage;
      const bool same = !bounds.empty() && bounds.back().first == e.t;
      if (same && bounds.back().second.rfind("capture: ", 0) == 0) continue;
      if (same) bounds.pop_back();
      bounds.emplace_back(e.t, name);
    }
    if (bounds.empty()) return;
    bounds.insert(bounds.begin(), {0.0, "start"});
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const double to = i + 1 < bounds.size() ? bounds[i + 1].first : end;
      if (to > bounds[i].first)
        run_["phases"].push_back(
            {{"name", bounds[i].second}, {"from", bounds[i].first}, {"to", to}});
    }
  }

  // "touch", "inside", "soft", "hard" or "out" of "capture_touch" …; nothing of other events.
  std::string find_capture_stage(const RecordedEvent& e) const {
    for (const auto& [key, condition] : part_of(s_, "conditions").items()) {
      const std::string event = text_of(condition, "event");
      const std::size_t cut = event.rfind('_');
      if (cut == std::string::npos || e.name.rfind(event.substr(0, cut + 1), 0) != 0) continue;
      const std::string stage = e.name.substr(cut + 1);
      for (const char* known : {"touch", "inside", "soft", "hard"})
        if (stage == known) return stage;
    }
    return "";
  }

  const ResultFile& file_;
  const Json& s_;
  Json& run_;
  std::size_t failed_ = 0, bad_ = 0;
};

}  // namespace

double find_end_time(const ResultFile& file) {
  const double t = number_of(file.summary, "time");
  if (std::isfinite(t)) return t;
  const SeriesGroup& main = *file.groups().front();
  return main.samples > 0 ? main.read_times(main.samples - 1, 1).front() : 0;
}

void add_summary(const ResultFile& file, Json& run) { Summariser(file, run).add_all(); }

}  // namespace berth
