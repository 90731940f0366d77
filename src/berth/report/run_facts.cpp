// SPDX-License-Identifier: Apache-2.0
#include "berth/report/run_facts.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "berth/report/json_values.h"
#include "berth/scenario/scene_facts.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

const Json& list_of(const Json& json, const char* key) {
  static const Json nothing = Json::array();
  const auto it = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && it != json.end() && (it->is_array() || it->is_object()) ? *it
                                                                                     : nothing;
}

// The largest number a channel has in its rows, which are read in stretches.
double find_most(const ResultFile& file, const std::string& channel) {
  double most = 0;
  for (const auto& group : file.groups())
    for (std::size_t c = 0; c < group->channels.size(); ++c)
      if (group->channels[c].name == channel)
        for_each_stretch(group->samples, [&](std::uint64_t first, std::uint64_t count) {
          for (const double x : group->read(c, first, count)) most = std::max(most, std::fabs(x));
        });
  return most;
}

class FactFinder {
 public:
  explicit FactFinder(const ResultFile& file) : file_(file), scenario_(file.given) {}

  // With what the scenario says of them.
  Json find_captures(const Json& captures) const {
    Json out = Json::array();
    for (const CaptureSpec& c : scenario_.capture) {
      const std::string& name = c.name;
      Json one = captures[out.size()];  // name and ports
      for (const char* stage : {"touch", "soft", "hard"}) one[stage] = nullptr;
      one["conditions"] = Json::array();
      for (const RecordedEvent& e : file_.events) {
        if (e.kind != "event") continue;
        for (const char* stage : {"touch", "soft", "hard"})
          if (e.name == name + "_" + stage && one[stage].is_null())
            one[stage] = {{"t", e.t}, {"values", find_values(e, name)}};
      }
      for (const auto& [key, condition] : list_of(file_.summary, "conditions").items()) {
        const std::string event = text_of(condition, "event"),
                          channel = text_of(condition, "channel");
        if (event.rfind(name + "_", 0) != 0) continue;
        Json row = condition;
        row["stage"] = event.substr(name.size() + 1);
        row["quantity"] =
            channel.rfind(name + ".", 0) == 0 ? channel.substr(name.size() + 1) : channel;
        row.erase("event");
        one["conditions"].push_back(std::move(row));
      }
      out.push_back(std::move(one));
    }
    return out;
  }

  Json find_loads() const {
    Json out = Json::array();
    for (const auto& [name, c] : list_of(file_.summary, "contacts").items()) {
      if (!(number_of(c, "touches", 0) > 0)) continue;
      Json one{{"name", name}, {"kind", "contact"}};
      add_peaks(name, c, one);
      if (const double depth = number_of(c, "penetration_peak"); depth > 0)
        one["penetration"] = depth;
      out.push_back(std::move(one));
    }
    for (const char* table : {"docks", "loops"})
      for (const auto& [name, d] : list_of(file_.summary, table).items()) {
        Json one{{"name", name}, {"kind", table == std::string("docks") ? "dock" : "loop"}};
        add_peaks(name, d, one);
        out.push_back(std::move(one));
      }
    return out;
  }

  // Wheels and how near they came to their limits.
  Json find_wheels() const {
    Json out = Json::array();
    for (const SpacecraftSpec& craft : scenario_.spacecraft)
      for (const ComponentSpec& part : craft.component) {
        const auto* wheel = std::get_if<ReactionWheel<double>>(&part.part);
        if (!wheel) continue;
        const std::string name = craft.name + "." + part.name;
        out.push_back({{"name", name},
                       {"speed", find_most(file_, name + ".rate")},
                       {"limit", wheel->max_speed}});
      }
    return out;
  }

  // All sets together; null where there is none, or the file is older than what is asked for.
  Json find_effort() const {
    const Json& sets = list_of(file_.summary, "thrusters");
    if (sets.empty()) return nullptr;
    double impulse = 0, delta_v = 0, on_time = 0;
    for (const Json& set : sets) {
      impulse += number_of(set, "impulse", 0);
      delta_v += number_of(set, "delta_v", 0);
      on_time += number_of(set, "on_time", 0);
    }
    bool pulsed = true;
    for (const ForceSpec& force : scenario_.force)
      if (const auto* set = std::get_if<ThrusterSet<double>>(&force.part))
        pulsed = pulsed && set->sample_time > 0;
    return {{"impulse", impulse}, {"delta_v", delta_v}, {"on_time", on_time}, {"pulsed", pulsed}};
  }

 private:
  // "capture.gap": 0.1 of an event's details as "gap": 0.1.
  static Json find_values(const RecordedEvent& e, const std::string& name) {
    Json out = Json::object();
    const Json details = Json::parse(e.details, nullptr, false);
    if (details.is_object())
      for (const auto& [key, value] : details.items())
        if (value.is_number() && key.rfind(name + ".", 0) == 0)
          out[key.substr(name.size() + 1)] = value;
    return out;
  }

  void add_peaks(const std::string& name, const Json& from, Json& one) const {
    for (const std::string what : {"force", "torque"}) {
      const double peak = number_of(from, (what + "_peak").c_str());
      const double t = number_of(from, (what + "_peak_time").c_str());
      if (!(peak > 0)) continue;
      one[what] = peak;
      one[what + "_t"] = std::isfinite(t) ? Json(t) : Json(nullptr);
    }
    double most = 0;
    for (const RecordedEvent& e : file_.events) {
      if (e.name != name) continue;
      if (const double impulse = find_impulse(e); impulse > most)
        most = impulse, one["impulse"] = impulse, one["impulse_t"] = e.t;
    }
  }

 public:
  // [N·s] of an impact or a latch; zero of anything else.
  static double find_impulse(const RecordedEvent& e) {
    if (e.kind != "impact" && e.kind != "latch") return 0;
    const Json details = Json::parse(e.details, nullptr, false);
    if (!details.is_object()) return 0;
    if (const double x = number_of(details, "impulse"); std::isfinite(x)) return std::fabs(x);
    double square = 0;
    for (const Json& x : list_of(details, "impulse_N"))
      if (x.is_number()) square += x.get<double>() * x.get<double>();
    return std::sqrt(square);
  }

 private:
  const ResultFile& file_;
  const Scenario& scenario_;
};

}  // namespace

double find_impulse(const RecordedEvent& event) { return FactFinder::find_impulse(event); }

Json build_facts(const ResultFile& file, const TimeWindow& window) {
  const FactFinder finder(file);
  const Json drawn = build_scene_facts(file.given);
  const auto verdict = file.summary.find("verdict");
  Json out;
  out["verdict"] = verdict != file.summary.end() ? *verdict : Json("");
  out["window"] = window.is_empty() ? Json(nullptr) : Json{window.from, window.to};
  out["captures"] = finder.find_captures(drawn["captures"]);
  out["loads"] = finder.find_loads();
  out["effort"] = finder.find_effort();
  out["wheels"] = finder.find_wheels();
  for (const char* key : {"thrusters", "joins", "contacts", "shaped", "gravity"})
    out[key] = drawn[key];
  return out;
}

}  // namespace berth
