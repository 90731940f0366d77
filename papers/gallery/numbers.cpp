// SPDX-License-Identifier: Apache-2.0
#include "papers/gallery/numbers.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/analysis/stability.h"
#include "berth/ensemble/threads.h"
#include "berth/simulate.h"
#include "berth/version.h"
#include "papers/gallery/toml_table.h"

namespace berth {
namespace {

using Settings = std::vector<std::string>;

// A vector is three numbers.
void add_number(std::vector<ReferenceNumber>& out, const ReferenceNumber& head, TomlTable table) {
  ReferenceNumber n = head;
  n.name = table.need<std::string>("name");
  n.what = table.get<std::string>("what", "");
  n.where = table.get<std::string>("where", "");
  n.t = table.get("t", double(NAN));
  n.tolerance = table.get("tolerance", head.tolerance);
  for (const std::string& s : table.list<std::string>("set")) n.settings.push_back(s);
  const std::vector<double> values = table.list<double>("value");
  table.finish();
  if (values.empty()) table.fail("value is missing");
  if (n.where.empty()) return;  // compared by tests alone
  if (n.what.empty()) table.fail("what is missing");
  for (std::size_t k = 0; k < values.size(); ++k) {
    ReferenceNumber one = n;
    one.value = values[k];
    if (values.size() > 1) {
      one.what += fmt::format(", {}", "xyz"[k]);
      one.where += fmt::format(".{}", "xyz"[k]);
    }
    out.push_back(std::move(one));
  }
}

struct Work {
  std::string scenario;
  Settings settings;
  bool margin;
  auto operator<=>(const Work&) const = default;
};

// "impact 3 impulse": a value of the third event of that kind.
double read_event(const Summary& summary, const std::string& where) {
  std::istringstream words(where);
  std::string kind, field;
  int n = 0;
  words >> kind >> n >> field;
  for (const EventRecord& h : summary.events)
    if (h.kind == kind && --n == 0) return field == "t" ? h.t : h.number(field);
  return NAN;
}

double read_channel(const Summary& summary, const std::string& where, double t) {
  for (const Sample& sample : summary.samples) {
    if (sample.t != t) continue;
    for (const Channel& c : summary.channels) {
      const auto first = static_cast<std::size_t>(c.first);
      if (c.width == 1 && c.name == where) return sample.row[first];
      if (c.width == 3 && where.size() == c.name.size() + 2 && where.starts_with(c.name + "."))
        return sample.row[first + std::string_view("xyz").find(where.back())];
    }
  }
  return NAN;
}

double read_stability(const StabilityResult& r, const std::string& where) {
  if (where == "stability h_critical") return r.h_critical;
  if (where == "stability omega_critical") return r.omega_critical;
  if (where == "stability inverse_mass") return 1 / r.loop.mass;
  return NAN;
}

// Every row of one run, or of one search for a margin.
void find_values(const Work& work, const std::filesystem::path& file,
                 const std::vector<ReferenceNumber*>& rows,
                 const std::function<bool()>& interrupted) {
  ReadScenario read = read_scenario(file, work.settings);
  const BuiltScenario built = build_scenario(read.scenario, read.problems);
  const auto check = [&] {
    if (!read.problems.empty()) throw std::runtime_error(describe(read.problems.list.front()));
  };
  check();
  if (work.margin) {
    StabilityOptions options;
    options.energy = false;
    const StabilityResult r = find_stability(read.scenario, built, options, read.problems);
    check();
    for (ReferenceNumber* n : rows) n->found = read_stability(r, n->where);
    return;
  }
  SimulateOptions options;
  for (const ReferenceNumber* n : rows)
    if (std::isfinite(n->t)) options.at.push_back(n->t);
  std::sort(options.at.begin(), options.at.end());
  options.at.erase(std::unique(options.at.begin(), options.at.end()), options.at.end());
  options.interrupted = interrupted;
  const Summary summary = simulate(read.scenario, built, options);
  for (ReferenceNumber* n : rows) {
    if (std::isfinite(n->t)) {
      n->found = read_channel(summary, n->where, n->t);
    } else if (n->where.find(' ') != std::string::npos) {
      n->found = read_event(summary, n->where);
    } else {
      n->found = find_number(summary, n->where);
    }
  }
}

}  // namespace

std::vector<ReferenceNumber> read_numbers(const std::filesystem::path& folder) {
  std::map<std::int64_t, std::vector<ReferenceNumber>> papers;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = (entry.path() / "numbers.toml").string();
    if (!std::filesystem::exists(file)) continue;
    try {
      const toml::table root = read_toml(file);
      TomlTable all(root, file);
      std::vector<ReferenceNumber>& numbers = papers[all.need<std::int64_t>("order")];
      for (TomlTable& group : all.tables("group")) {
        ReferenceNumber head{};
        head.heading = group.need<std::string>("heading");
        head.scenario = group.get<std::string>("scenario", "");
        head.settings = group.list<std::string>("set");
        head.tolerance = group.get("tolerance", double(NAN));
        group.get<std::string>("source", "");
        for (const TomlTable& number : group.tables("number")) add_number(numbers, head, number);
        group.finish();
      }
      all.finish();
    } catch (const toml::parse_error& e) {
      throw std::runtime_error(
          fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
    }
  }
  std::vector<ReferenceNumber> out;
  for (const auto& [order, numbers] : papers) out.insert(out.end(), numbers.begin(), numbers.end());
  return out;
}

void find_numbers(std::vector<ReferenceNumber>& numbers, const FindScenario& find,
                  const std::function<bool()>& interrupted) {
  std::map<Work, std::vector<ReferenceNumber*>> shared;
  for (ReferenceNumber& n : numbers)
    shared[{n.scenario, n.settings, n.where.starts_with("stability ")}].push_back(&n);
  std::vector<const Work*> order;
  for (const auto& [work, rows] : shared) order.push_back(&work);
  std::vector<std::string> failed(order.size());
  for_each_in_threads(order.size(), 0, [&](std::size_t k) {
    try {
      find_values(*order[k], find(order[k]->scenario), shared.at(*order[k]), interrupted);
    } catch (const std::exception& e) {
      failed[k] = fmt::format("{}: {}", order[k]->scenario, e.what());
    }
  });
  for (const std::string& why : failed)
    if (!why.empty()) throw std::runtime_error(why);
}

std::string write_verification(const std::vector<ReferenceNumber>& numbers) {
  std::string out = fmt::format(
      "# Verification\n\nReference numbers (published ones, closed forms, and those of separately "
      "written codes) and what comes out\nhere; written by `berth_gallery` of berth {} from "
      "[papers](../papers), where each number stands once. The tests\n"
      "([tests/verification](../tests/verification)) read the same files and check more. Times and "
      "settings are those of\nthe scenario unless a row says otherwise; channels are sampled with "
      "`--at`. Differences below the last digit\nof a reference say nothing.\n",
      version);
  std::string heading;
  for (const ReferenceNumber& n : numbers) {
    if (n.heading != heading) {
      heading = n.heading;
      out += fmt::format(
          "\n## {}\n\n| quantity | reference | here | difference | scenario "
          "|\n|---|---|---|---|---|\n",
          heading);
    }
    const double off = n.found - n.value;
    std::string how = n.scenario;
    for (const std::string& s : n.settings) how += " " + s;
    out += fmt::format("| {} | {:.12g} | {:.12g} | {}{} | `{}` |\n", n.what, n.value, n.found,
                       off == 0 ? "0" : fmt::format("{:.1e}", off),
                       n.is_missed() ? fmt::format(", **above {:g}**", n.tolerance) : "", how);
  }
  return out;
}

}  // namespace berth
