// SPDX-License-Identifier: Apache-2.0
#include "berth/report/run_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <toml++/toml.h>

#include "berth/report/json_values.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

Json json_from(const toml::node& node) {
  if (const auto* list = node.as_array()) {
    Json out = Json::array();
    for (const toml::node& item : *list) out.push_back(json_from(item));
    return out;
  }
  if (const auto* table = node.as_table()) {
    Json out = Json::object();
    for (const auto& [key, value] : *table) out[std::string(key.str())] = json_from(value);
    return out;
  }
  if (const auto x = node.value<double>(); x && node.is_number()) return *x;
  if (const auto x = node.value<bool>(); x && node.is_boolean()) return *x;
  if (const auto x = node.value<std::string>()) return *x;
  return nullptr;
}

// The scenario in the file; empty when it cannot be read.
Json parse_scenario_text(const ResultFile& file) {
  try {
    return json_from(toml::parse(file.scenario));
  } catch (const toml::parse_error&) {
    return Json::object();
  }
}

const Json& list_of(const Json& json, const char* key) {
  static const Json nothing = Json::array();
  const auto it = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && it != json.end() && (it->is_array() || it->is_object()) ? *it
                                                                                     : nothing;
}

// One channel of the main group, read in stretches.
class RecordedColumn {
 public:
  RecordedColumn(const ResultFile& file, const std::string& name) {
    for (const auto& group : file.groups())
      for (std::size_t c = 0; c < group->channels.size(); ++c)
        if (!group_ && group->channels[c].name == name) group_ = group.get(), channel_ = c;
  }
  explicit operator bool() const { return group_ != nullptr; }

  // take(t, size): the number, or the length of the vector, at every row.
  template <class Take>
  void for_each_row(Take&& take) const {
    if (!group_) return;
    const std::size_t width = group_->channels[channel_].width;
    for_each_stretch(group_->samples, [&](std::uint64_t first, std::uint64_t count) {
      const std::vector<double> t = group_->read_times(first, count),
                                x = group_->read(channel_, first, count);
      for (std::uint64_t i = 0; i < count; ++i) {
        double square = 0;
        for (std::size_t k = 0; k < width; ++k) square += x[i * width + k] * x[i * width + k];
        take(t[i], std::sqrt(square));
      }
    });
  }

  // When it is largest; null when it is never above zero.
  Json find_peak_time() const {
    double most = 0, when = NAN;
    for_each_row([&](double t, double x) {
      if (x > most) most = x, when = t;
    });
    return std::isfinite(when) ? Json(when) : Json(nullptr);
  }

 private:
  const SeriesGroup* group_ = nullptr;
  std::size_t channel_ = 0;
};

class FactFinder {
 public:
  FactFinder(const ResultFile& file) : file_(file), scenario_(parse_scenario_text(file)) {}

  Json find_captures() const {
    Json out = Json::array();
    for (const Json& c : list_of(scenario_, "capture")) {
      const std::string name = text_of(c, "name");
      Json one{{"name", name},     {"ports", list_of(c, "between")},
               {"touch", nullptr}, {"soft", nullptr},
               {"hard", nullptr},  {"conditions", Json::array()}};
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

  Json find_thrusters() const {
    Json out = Json::array();
    for (const Json& force : list_of(scenario_, "force")) {
      int number = 0;
      for (const Json& thruster : list_of(force, "thruster"))
        out.push_back({{"body", text_of(force, "body")},
                       {"at", list_of(thruster, "position")},
                       {"direction", list_of(thruster, "direction")},
                       {"thrust", number_of(thruster, "thrust", 0)},
                       {"level", text_of(force, "name") + ".level" + std::to_string(++number)}});
    }
    return out;
  }

  Json find_joins() const {
    Json out = Json::array();
    for (const Json& d : list_of(scenario_, "dock"))
      out.push_back({{"name", text_of(d, "name")},
                     {"soft", text_of(d, "enforce") == "penalty"},
                     {"ports", list_of(d, "between")}});
    return out;
  }

  Json find_contacts() const {
    Json out = Json::array();
    for (const Json& c : list_of(scenario_, "contact")) {
      const Json& probe = list_of(c, "probe");
      out.push_back({{"name", text_of(c, "name")},
                     {"ports", list_of(c, "between")},
                     {"probe", probe.is_object() ? text_of(probe, "type") : ""},
                     {"radius", probe.is_object() ? number_of(probe, "radius", 0) : 0},
                     {"surface", text_of(c, "surface")}});
    }
    return out;
  }

  // Bodies whose solids the scenario declares; those of others stand for mass and inertia.
  Json find_shaped() const {
    Json out = Json::array();
    const auto add = [&](const Json& body, const std::string& name) {
      if (!list_of(body, "shape").empty()) out.push_back(name);
    };
    for (const Json& craft : list_of(scenario_, "spacecraft")) {
      add(craft, text_of(craft, "name"));
      for (const Json& part : list_of(craft, "component"))
        add(part, text_of(craft, "name") + "." + text_of(part, "name"));
    }
    for (const Json& body : list_of(scenario_, "body")) add(body, text_of(body, "name"));
    return out;
  }

  // [m/s²] N axes; null in an orbit and in free space.
  Json find_gravity() const {
    const Json& gravity = list_of(scenario_, "gravity");
    const Json& uniform = list_of(gravity, "uniform");
    return uniform.size() == 3 ? uniform : Json(nullptr);
  }

  // Wheels and how near they came to their limits.
  Json find_wheels() const {
    Json out = Json::array();
    for (const Json& craft : list_of(scenario_, "spacecraft"))
      for (const Json& part : list_of(craft, "component")) {
        if (text_of(part, "type") != "reaction_wheel") continue;
        const std::string name = text_of(craft, "name") + "." + text_of(part, "name");
        double most = 0;
        RecordedColumn(file_, name + ".rate").for_each_row([&](double, double x) {
          most = std::max(most, x);
        });
        out.push_back(
            {{"name", name}, {"speed", most}, {"limit", number_of(part, "max_speed", 0)}});
      }
    return out;
  }

  // What thrusters were asked for: impulse ∫|F| dt, and ΔV = ∫|F|/m dt with the mass that is docked to
  // them at the time. All are sums over recorded rows, so they
  // depend on how often was recorded.
  Json find_effort() const {
    double impulse = 0, delta_v = 0, on_time = 0;
    bool pulsed = false, any = false;
    std::map<std::string, std::string> body_of_set;
    for (const Json& force : list_of(scenario_, "force")) {
      if (text_of(force, "type") != "thruster_set") continue;
      any = true;
      body_of_set[text_of(force, "name")] = text_of(force, "body");
      pulsed = pulsed || number_of(force, "sample_time", 0) > 0;
    }
    if (!any) return nullptr;
    for (const Json& thruster : find_thrusters())
      integrate(RecordedColumn(file_, text_of(thruster, "level")),
                [&](double, double level, double dt) { on_time += level * dt; });
    const Masses masses(file_, scenario_);
    for (const Json& control : list_of(scenario_, "control")) {
      const auto set = body_of_set.find(text_of(control, "thrusters"));
      const RecordedColumn force(file_, text_of(control, "name") + ".force");
      if (set == body_of_set.end() || !force) continue;
      integrate(force, [&](double t, double f, double dt) {
        impulse += f * dt;
        if (const double m = masses.find(set->second, t); m > 0) delta_v += f * dt / m;
      });
    }
    return {{"impulse", impulse}, {"delta_v", delta_v}, {"on_time", on_time}, {"pulsed", pulsed}};
  }

 private:
  // Masses of craft, and which are docked when.
  class Masses {
   public:
    Masses(const ResultFile& file, const Json& scenario) {
      for (const Json& craft : list_of(scenario, "spacecraft")) {
        double mass = number_of(craft, "mass", 0);
        for (const Json& part : list_of(craft, "component")) {
          mass += number_of(part, "mass", 0);
          for (const Json& link : list_of(part, "link")) mass += number_of(link, "mass", 0);
        }
        of_[text_of(craft, "name")] = mass;
      }
      for (const Json& dock : list_of(scenario, "dock")) {
        const Json& ports = list_of(dock, "between");
        if (ports.size() != 2) continue;
        Join join;
        const auto craft_of = [](const Json& port) {
          const std::string text = port.is_string() ? port.get<std::string>() : "";
          return text.substr(0, text.find('.'));
        };
        join.a = craft_of(ports[0]), join.b = craft_of(ports[1]);
        RecordedColumn(file, text_of(dock, "name") + ".engaged")
            .for_each_row([&](double t, double x) {
              if (join.changes.empty() || (x > 0.5) != join.changes.back().second)
                join.changes.emplace_back(t, x > 0.5);
            });
        joins_.push_back(std::move(join));
      }
    }

    double find(const std::string& craft, double t) const {
      std::set<std::string> together{craft};
      for (std::size_t round = 0; round < joins_.size(); ++round)
        for (const Join& j : joins_) {
          if (!j.is_engaged(t)) continue;
          if (together.contains(j.a)) together.insert(j.b);
          if (together.contains(j.b)) together.insert(j.a);
        }
      double mass = 0;
      for (const std::string& name : together)
        if (const auto it = of_.find(name); it != of_.end()) mass += it->second;
      return mass;
    }

   private:
    struct Join {
      std::string a, b;
      std::vector<std::pair<double, bool>> changes;
      bool is_engaged(double t) const {
        bool is = false;
        for (const auto& [from, engaged] : changes)
          if (from <= t) is = engaged;
        return is;
      }
    };
    std::map<std::string, double> of_;
    std::vector<Join> joins_;
  };

  // add(t, value, dt): a row's value holds until the next row.
  template <class Add>
  static void integrate(const RecordedColumn& column, Add&& add) {
    std::optional<std::pair<double, double>> last;
    column.for_each_row([&](double t, double x) {
      if (last && std::isfinite(last->second)) add(last->first, last->second, t - last->first);
      last = {t, x};
    });
  }

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
    for (const char* what : {"force", "torque"}) {
      const double peak = number_of(from, (std::string(what) + "_peak").c_str());
      if (!(peak > 0)) continue;
      one[what] = peak;
      one[std::string(what) + "_t"] = RecordedColumn(file_, name + "." + what).find_peak_time();
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
  Json scenario_;
};

}  // namespace

double find_impulse(const RecordedEvent& event) { return FactFinder::find_impulse(event); }

Json build_facts(const ResultFile& file, const TimeWindow& window) {
  const FactFinder finder(file);
  const auto verdict = file.summary.find("verdict");
  Json out;
  out["verdict"] = verdict != file.summary.end() ? *verdict : Json("");
  out["window"] = window.is_empty() ? Json(nullptr) : Json{window.from, window.to};
  out["captures"] = finder.find_captures();
  out["loads"] = finder.find_loads();
  out["effort"] = finder.find_effort();
  out["wheels"] = finder.find_wheels();
  out["thrusters"] = finder.find_thrusters();
  out["joins"] = finder.find_joins();
  out["contacts"] = finder.find_contacts();
  out["shaped"] = finder.find_shaped();
  out["gravity"] = finder.find_gravity();
  return out;
}

}  // namespace berth
