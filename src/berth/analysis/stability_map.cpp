// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/stability_map.h"

#include <atomic>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "berth/analysis/stability.h"
#include "berth/ensemble/threads.h"
#include "berth/model/suggest.h"
#include "berth/record/json_text.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

double number_of(const Cell& cell) {
  const double* x = std::get_if<double>(&cell);
  return x ? *x : NAN;
}

// Which of stiffness, damping and delay of the contact a key is; none = something else.
enum class Own { none, stiffness, damping, delay };
Own find_own(const std::string& key, const std::string& contact) {
  const std::string base = "contact." + contact + ".";
  if (key == base + "law.stiffness") return Own::stiffness;
  if (key == base + "law.damping") return Own::damping;
  if (key == base + "delay") return Own::delay;
  return Own::none;
}

// One point with everything built anew.
double find_value(const ReadScenario& read, MapBy by) {
  Problems problems = read.problems;
  const BuiltScenario built = build_scenario(read.scenario, problems);
  if (!problems.empty()) return NAN;
  if (by == MapBy::built) return find_first_energy(read.scenario, built);
  const StabilityResult r = find_stability(read.scenario, built, {.energy = false}, problems);
  if (!problems.empty()) return NAN;
  return by == MapBy::closed ? r.h_sampled() - r.delay : r.growth();
}

}  // namespace

StabilityMap find_stability_map(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides,
                                const std::vector<std::string>& keys, const MapOptions& options,
                                Problems& problems) {
  StabilityMap map;
  problems.file = file.string();
  const auto by = std::find(kMapBy.begin(), kMapBy.end(), options.by);
  if (by == kMapBy.end()) {
    problems.add("--by", fmt::format("\"{}\" is not closed, roots or simulation", options.by));
    return map;
  }
  map.by = static_cast<MapBy>(by - kMapBy.begin());
  const bool random = std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
    return key.find("uniform(") != key.npos || key.find("normal(") != key.npos;
  });
  if (keys.size() != 2 || random)
    problems.add("--map", "two keys are needed, each with lin(a,b,n), log(a,b,n) or [v1,v2,…]");
  if (!problems.empty()) return map;
  map.plan = build_sweep_plan({.vary = keys}, problems);
  if (!problems.empty()) return map;
  for (const Vary& v : map.plan.keys)
    if (v.is_text()) problems.add("--map", v.key + " must have numbers");
  const std::optional<std::string> text = read_scenario_file(file, problems);
  if (!text || !problems.empty()) return map;
  const std::filesystem::path folder = file.parent_path();
  const std::string whole = expand_scenario(*text, file.string(), overrides, folder, problems);
  if (!problems.empty()) return map;

  // The file as it stands, and with the first point set: what is wrong is reported once.
  ReadScenario read = read_scenario(file, overrides);
  BuiltScenario built = build_scenario(read.scenario, read.problems);
  ReadScenario first = read_scenario(file, [&] {
    std::vector<std::string> all = overrides;
    for (const std::string& s : map.plan.settings(0)) all.push_back(s);
    return all;
  }());
  for (const Problem& p : first.problems.list) problems.list.push_back(p);
  for (const Problem& p : read.problems.list) problems.list.push_back(p);
  if (!problems.empty()) return map;
  map.title = read.scenario.title;
  const StabilityResult here = find_stability(read.scenario, built, {.energy = false}, problems);
  if (!problems.empty()) return map;
  map.contact = here.contact;

  const std::uint64_t cases = map.plan.cases();
  map.value.assign(cases, NAN);
  const Own own[2] = {find_own(map.plan.keys[0].key, map.contact),
                      find_own(map.plan.keys[1].key, map.contact)};
  const bool is_spring =
      std::holds_alternative<SpringDashpot<double>>(built.system.contacts[here.index].law);
  if (map.by == MapBy::closed && is_spring && own[0] != Own::none && own[1] != Own::none &&
      read.scenario.stability.preload == 0) {
    const double inverse = 1 / here.loop.mass;
    for (std::uint64_t i = 0; i < cases; ++i) {
      double k = here.loop.stiffness, b = here.loop.damping, h = here.delay;
      for (std::size_t j = 0; j < 2; ++j) {
        const double v = number_of(map.plan.value(i, j));
        if (own[j] == Own::stiffness) k = v;
        if (own[j] == Own::damping) b = v;
        if (own[j] == Own::delay) h = v;
      }
      map.value[i] =
          find_critical_delay(k * inverse, b * inverse).delay - 0.5 * here.sample_time - h;
    }
    return map;
  }

  const ParsedScenario parsed(whole, file.string());
  std::atomic<bool> stopped = false;
  std::atomic<std::uint64_t> done = 0;
  std::mutex reporting;
  for_each_in_threads(cases, 0, [&](std::size_t i) {
    if (stopped || (options.interrupted && options.interrupted())) {
      stopped = true;
      return;
    }
    map.value[i] = find_value(parsed.read(map.plan.settings(i)), map.by);
    const std::uint64_t so_far = ++done;
    if (!options.progress) return;
    const std::scoped_lock lock(reporting);
    options.progress(so_far, cases);
  });
  map.complete = !stopped;
  return map;
}

std::string describe(const StabilityMap& map) {
  const std::size_t rows = map.plan.keys[0].values.size(), columns = map.plan.keys[1].values.size();
  const auto value = [&](std::size_t i, std::size_t j) { return map.value[i * columns + j]; };
  const char* what[] = {"margin h* − delay [s], in closed form",
                        "growth of the rightmost root [1/s], whole loop",
                        "energy of the first bounce [J], simulated"};
  std::string out = map.title.empty() ? "" : map.title + "\n";
  out += fmt::format("{}: {}, over\n  {} upwards, {} to the right\n", map.contact,
                     what[static_cast<std::size_t>(map.by)], map.plan.keys[0].key,
                     map.plan.keys[1].key);
  // Shades by how far on the good side of zero, among all that are good.
  double best = 0, low = INFINITY, high = -INFINITY;
  std::size_t good = 0, known = 0;
  for (double v : map.value) {
    if (std::isnan(v)) continue;
    ++known;
    low = std::min(low, v), high = std::max(high, v);
    if (!map.is_good(v)) continue;
    ++good;
    best = std::max(best, std::fabs(v));
  }
  const std::size_t row_step = (rows + 39) / 40, column_step = (columns + 99) / 100;
  for (std::size_t r = 0; r < rows; r += row_step) {
    const std::size_t i = rows - 1 - r;
    out += fmt::format("{:>12.5g} |", number_of(map.plan.keys[0].values[i]));
    for (std::size_t j = 0; j < columns; j += column_step) {
      const double v = value(i, j);
      constexpr std::string_view shades = ".:-=+*";
      if (std::isnan(v)) {
        out += '?';
      } else if (!map.is_good(v)) {
        out += '#';
      } else {
        const auto shade = static_cast<std::size_t>(5.999 * (best > 0 ? std::fabs(v) / best : 0));
        out += shades[std::min<std::size_t>(shade, 5)];
      }
    }
    out += '\n';
  }
  const std::size_t width = (columns + column_step - 1) / column_step;
  out += fmt::format("{:>12} +{:-<{}}\n{:>14}{:<{}}{:.5g}\n", "", "", width, "",
                     fmt::format("{:.5g}", number_of(map.plan.keys[1].values.front())),
                     width > 12 ? width - 4 : 8, number_of(map.plan.keys[1].values.back()));
  out += fmt::format("  # {}   . least … * most to spare{}\n",
                     map.by == MapBy::built ? "active" : "unstable",
                     known < map.value.size() ? "   ? does not touch, or cannot be built" : "");
  out += fmt::format("  {} of {} points are good; values from {:.4g} to {:.4g}\n", good,
                     map.value.size(), low, high);
  if (!map.complete) out += "  interrupted: points without a value are not computed\n";
  return out;
}

std::string to_json(const StabilityMap& map) {
  Json out;
  out["contact"] = map.contact;
  out["by"] = std::string(kMapBy[static_cast<std::size_t>(map.by)]);
  out["keys"] = {map.plan.keys[0].key, map.plan.keys[1].key};
  for (const Vary& v : map.plan.keys) {
    Json axis = Json::array();
    for (const Cell& c : v.values) axis.push_back(number_of(c));
    out["axes"].push_back(axis);
  }
  out["unit"] = map.by == MapBy::closed ? "s" : map.by == MapBy::roots ? "1/s" : "J";
  out["complete"] = map.complete;
  const std::size_t columns = map.plan.keys[1].values.size();
  out["values"] = Json::array();
  for (std::size_t i = 0; i < map.value.size(); i += columns)
    out["values"].push_back(
        std::vector<double>(map.value.begin() + static_cast<std::ptrdiff_t>(i),
                            map.value.begin() + static_cast<std::ptrdiff_t>(i + columns)));
  return to_text(out, -1);
}

std::string to_csv(const StabilityMap& map) {
  constexpr std::string_view names[] = {"margin [s]", "growth [1/s]", "energy [J]"};
  std::string out = fmt::format("{},{},{}\n", map.plan.keys[0].key, map.plan.keys[1].key,
                                names[static_cast<std::size_t>(map.by)]);
  for (std::uint64_t i = 0; i < map.value.size(); ++i)
    out += fmt::format("{},{},{}\n", number_of(map.plan.value(i, 0)),
                       number_of(map.plan.value(i, 1)), map.value[i]);
  return out;
}

}  // namespace berth
