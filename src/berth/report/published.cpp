// SPDX-License-Identifier: Apache-2.0
#include "berth/report/published.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tbb/parallel_for.h>

#include "berth/analysis/stability.h"
#include "berth/report/svg_plot.h"
#include "berth/scenario/describe.h"
#include "berth/simulate.h"
#include "berth/version.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;
using NumberRows = std::vector<PublishedNumber>;
using Settings = std::vector<std::string>;

const std::string kDocking = "Post-docking, reference in quadruple precision";
const std::string kGains = "Post-docking, gain study";
const std::string kContact = "Delayed contact, two codes agreed";
const std::string kMargin = "Delayed contact, closed form";
const std::string kChain = "Closed chain, reference of two codes";
const std::string kImpact = "Impacts, reference of order 8";
const std::string kOthers = "Public benchmarks";

void add_docking(NumberRows& rows) {
  const Settings tight{"integrator.tolerance=1e-13"};
  const Settings off{"integrator.tolerance=1e-13", "orbit.gravity_gradient=false"};
  const auto add = [&](const char* what, double value, const Settings& settings,
                       const char* where) {
    rows.push_back({kDocking, what, value, "docked_nadir", settings, where, 1200});
  };
  add("servicer from the orbit point at 1200 s, x [m]", -0.48635152968222477, tight,
      "servicer.rho_BO_N.x");
  add("the same, y [m]", -0.93022492121937114, tight, "servicer.rho_BO_N.y");
  add("the same, z [m]", -0.025357039495338786, tight, "servicer.rho_BO_N.z");
  add("its attitude, MRP x", 0.12452255033861099, tight, "servicer.sigma_BN.x");
  add("its attitude, MRP z", 0.27569204900686468, tight, "servicer.sigma_BN.z");
  add("its angular velocity, z [rad/s]", 1.1302725247146821e-3, tight, "servicer.omega_BN_B.z");
  add("load on the target, x [N]", -1.3984842005696417e-3, tight, "joint.force_N.x");
  add("load on the target, y [N]", -2.6714840271090187e-3, tight, "joint.force_N.y");
  add("without gravity gradient: position x [m]", -0.48638824908823311, off, "servicer.rho_BO_N.x");
  add("without gravity gradient: attitude, MRP z", 0.27568011093914474, off, "servicer.sigma_BN.z");
  add("without gravity gradient: load y [N]", -2.6713490412037025e-3, off, "joint.force_N.y");
  const auto gain = [&](const char* what, double value, const char* scenario, const char* alpha) {
    rows.push_back({kGains,
                    what,
                    value,
                    scenario,
                    {fmt::format("dock.joint.alpha={}", alpha)},
                    "docks.joint.violation_position_rms"});
  };
  gain("violation of the PD joint, α = 1 [m]", 3.02e-3, "gain_study", "1");
  gain("violation of the PD joint, α = 100 [m]", 3.02e-7, "gain_study", "100");
  gain("violation of the PID joint of light craft, α = 1 [m]", 1.2e-10, "docked_light", "1");
  gain("violation of the PID joint of light craft, α = 100 [m]", 1.2e-14, "docked_light", "100");
}

void add_contact(NumberRows& rows) {
  const auto add = [&](const char* what, double value, const Settings& more, const char* where,
                       const char* scenario = "hil_contact") {
    Settings settings = more;
    if (std::string_view(scenario) == "hil_contact")
      settings.insert(settings.begin(), "time.stop=9");
    rows.push_back({kContact, what, value, scenario, settings, where});
  };
  const char* const energy = "contacts.probe.energy";
  add("first touch [s]", 4.895823307, {}, "contact_on 1 t");
  add("first contact lost, h = 16 ms [s]", 5.696603586, {}, "contact_off 1 t");
  add("its energy, h = 0 [J]", -4.2710019373e-3, {"contact.probe.delay=0"}, energy);
  add("its energy, h = 16 ms [J]", -4.1004232591e-3, {}, energy);
  add("its energy, h = 200 ms [J]", 5.0428590156e-3, {"contact.probe.delay=0.2"}, energy);
  add("its energy, adhesive, h = 16 ms [J]", -4.5000192823e-3, {"contact.probe.release=adhesive"},
      energy);
  add("its energy, adhesive, h = 200 ms [J]", 1.7618794639e-3,
      {"contact.probe.release=adhesive", "contact.probe.delay=0.2"}, energy);
  add("compliance device: first contact lost [s]", 6.363285061, {}, "contact_off 1 t",
      "hil_compliance");
  add("compliance device: second contact [s]", 20.154440, {}, "contact_on 2 t", "hil_compliance");
  add("compliance device: third contact [s]", 24.536733, {}, "contact_on 3 t", "hil_compliance");
  const auto margin = [&](const char* what, double value, const Settings& settings,
                          const char* scenario = "hil_stability") {
    rows.push_back({kMargin, what, value, scenario, settings, "stability h_critical"});
  };
  margin("critical delay [s]", 0.192968410197, {});
  margin("probe of 0.5 m [s]", 0.195914957091, {"spacecraft.chaser.port.tip.position=[0.5,0,0]"});
  margin("probe of 1.5 m [s]", 0.188126705791, {"spacecraft.chaser.port.tip.position=[1.5,0,0]"});
  margin("cone of 15° [s]", 0.192016303550, {"contact.probe.half_angle_deg=15"});
  margin("cone of 45° [s]", 0.194274273644, {"contact.probe.half_angle_deg=45"});
  margin("contact 0.25 m up the wall [s]", 0.193947244429, {"stability.contact_distance=0.25"});
  margin("contact 0.75 m up the wall [s]", 0.191344656907, {"stability.contact_distance=0.75"});
  margin("damping 50 N·s/m [s]", 0.0498889631919, {"contact.probe.law.damping=50"});
  margin("damping 800 N·s/m [s]", 0.453905378999, {"contact.probe.law.damping=800"});
  margin("stiffness 100 N/m [s]", 1.390942827002, {"contact.probe.law.stiffness=100"});
  margin("stiffness 5000 N/m [s]", 0.0397161683541, {"contact.probe.law.stiffness=5000"});
  margin("Tables 1 to 3, where it first touches [s]", 0.1735920919, {}, "hil_contact");
}

void add_chain(NumberRows& rows) {
  const auto add = [&](const char* what, double value, const char* scenario, const char* where,
                       double t) {
    rows.push_back({kChain, what, value, scenario, {"integrator.tolerance=1e-11"}, where, t});
  };
  add("spin about z: rate at 90 s [rad/s]", 4.3633086622e-2, "servicer_despin",
      "servicer.omega_BN_B.z", 90);
  add("gap at 90 s [m]", 1.5003631681, "servicer_despin", "gap.gap", 90);
  add("first joint at 90 s [rad]", 0.8445957190, "servicer_despin", "servicer.left.link1.angle",
      90);
  add("base torque at 90 s [N·m]", -1.931321997, "servicer_despin", "base.torque.z", 90);
  add("gap at 270 s [m]", 1.4223964406, "servicer_despin", "gap.gap", 270);
  add("first joint at 600 s [rad]", 1.5529382251, "servicer_despin", "servicer.left.link1.angle",
      600);
  add("spin about x: rate at 120 s [rad/s]", 1.8315181276e-2, "servicer_despin_axial",
      "servicer.omega_BN_B.x", 120);
  add("base torque at 90 s [N·m]", -0.9093554141, "servicer_despin_axial", "base.torque.x", 90);
  add("second joint at 120 s [rad]", -1.0928941521, "servicer_despin_axial",
      "servicer.left.link2.angle", 120);
  add("two six-joint arms: base at 1 s, x [m]", 0.19153342878, "dual_arm_free",
      "servicer.rho_BO_N.x", 1);
  add("two six-joint arms: base at 5 s, x [m]", 1.22695271889, "dual_arm_free",
      "servicer.rho_BO_N.x", 5);
}

void add_impacts(NumberRows& rows) {
  rows.push_back(
      {kImpact, "station arm, first blow [s]", 12.496426829682, "iss_arm", {}, "impact 1 t"});
  rows.push_back({kImpact, "its impulse [N·s]", 26.4464361485, "iss_arm", {}, "impact 1 impulse"});
  rows.push_back({kImpact, "third blow [s]", 37.911899534961, "iss_arm", {}, "impact 3 t"});
  const Settings soft{"contact.wall_far.law.restitution=0.8",
                      "contact.wall_near.law.restitution=0.8", "contact.floor.law.restitution=0.8"};
  rows.push_back(
      {kImpact, "second blow, e = 0.8 [s]", 28.288061759, "iss_arm", soft, "impact 2 t"});
  rows.push_back({kImpact,
                  "double pendulum, first blow [s]",
                  0.822460302044,
                  "double_pendulum_wall",
                  {},
                  "impact 1 t"});
  rows.push_back({kImpact,
                  "double pendulum, second blow [s]",
                  2.466824633744,
                  "double_pendulum_wall",
                  {},
                  "impact 2 t"});
}

void add_others(NumberRows& rows) {
  const auto add = [&](const char* what, double value, const char* scenario, const char* where,
                       double t = NAN, const Settings& settings = {}) {
    rows.push_back({kOthers, what, value, scenario, settings, where, t});
  };
  const Settings tight{"integrator.tolerance=1e-13"};
  add("bouncing ball, first blow [s]", 0.451523640986, "bouncing_ball", "impact 1 t");
  add("bouncing ball, fourth blow [s]", 2.214271935394, "bouncing_ball", "impact 4 t");
  add("slider-crank at 1 s, crank [rad]", 15.817189094627858, "slider_crank", "crank.angle", 1,
      tight);
  add("slider-crank at 1 s, rate [rad/s]", 24.87148888237457, "slider_crank", "crank.rate", 1,
      tight);
  add("Andrews' squeezer at 0.03 s, β [rad]", 15.8107711951535, "andrews", "K1.angle", 0.03, tight);
  add("Andrews' squeezer at 0.03 s, γ [rad]", 0.040822240119643, "andrews", "K3.angle", 0.03,
      tight);
  add("Bricard at 1 s, x [m]", 0.27448131926, "bricard", "rod3.rho_BO_N.x", 1, tight);
  add("Bricard at 1 s, y [m]", -0.88670793873, "bricard", "rod3.rho_BO_N.y", 1, tight);
}

struct Work {
  std::string scenario;
  Settings settings;
  bool margin;
  auto operator<=>(const Work&) const = default;
};

// "impact 3 impulse": a value of the third happening of that kind.
double read_event(const Summary& summary, const std::string& where) {
  std::istringstream words(where);
  std::string kind, field;
  int n = 0;
  words >> kind >> n >> field;
  for (const Happening& h : summary.events)
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

// Every row of one run, or of one search for a margin.
void find_values(const Work& work, const std::vector<PublishedNumber*>& rows,
                 const std::function<bool()>& interrupted) {
  const auto text = find_built_in("scenarios/" + work.scenario);
  ReadScenario read = read_scenario_text(text.value_or(""), work.scenario, work.settings);
  const BuiltScenario story = build_scenario(read.scenario, read.problems);
  const auto check = [&] {
    if (!read.problems.empty()) throw std::runtime_error(describe(read.problems.list.front()));
  };
  check();
  if (work.margin) {
    StabilityOptions options;
    options.energy = false;
    const StabilityResult r = find_stability(read.scenario, story, options, read.problems);
    check();
    for (PublishedNumber* n : rows) n->found = r.h_critical;
    return;
  }
  SimulateOptions options;
  for (const PublishedNumber* n : rows)
    if (std::isfinite(n->t)) options.at.push_back(n->t);
  std::sort(options.at.begin(), options.at.end());
  options.at.erase(std::unique(options.at.begin(), options.at.end()), options.at.end());
  options.interrupted = interrupted;
  const Summary summary = simulate(read.scenario, story, options);
  for (PublishedNumber* n : rows) {
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

std::vector<PublishedNumber> list_published() {
  NumberRows rows;
  add_docking(rows);
  add_contact(rows);
  add_chain(rows);
  add_impacts(rows);
  add_others(rows);
  return rows;
}

void find_published(std::vector<PublishedNumber>& numbers,
                    const std::function<bool()>& interrupted) {
  std::map<Work, std::vector<PublishedNumber*>> shared;
  for (PublishedNumber& n : numbers)
    shared[{n.scenario, n.settings, n.where.starts_with("stability ")}].push_back(&n);
  std::vector<const Work*> order;
  for (const auto& [work, rows] : shared) order.push_back(&work);
  std::vector<std::string> failed(order.size());
  tbb::parallel_for(
      std::size_t{0}, order.size(),
      [&](std::size_t k) {
        try {
          find_values(*order[k], shared.at(*order[k]), interrupted);
        } catch (const std::exception& e) {
          failed[k] = fmt::format("{}: {}", order[k]->scenario, e.what());
        }
      },
      tbb::simple_partitioner());
  for (const std::string& why : failed)
    if (!why.empty()) throw std::runtime_error(why);
}

std::string write_verification(const std::vector<PublishedNumber>& numbers) {
  std::string out = fmt::format(
      "# Verification\n\nReference numbers (published ones, closed forms, and those of separately "
      "written codes) and what comes out\nhere; written by `berth gallery` of berth {}. The tests "
      "([tests/verification](../tests/verification)) check\nthem and many more. Times and settings "
      "are "
      "those of the scenario unless a row says otherwise; channels are\nsampled with `--at`. "
      "Differences "
      "below the last digit of a reference say nothing.\n",
      version);
  std::string source;
  for (const PublishedNumber& n : numbers) {
    if (n.source != source) {
      source = n.source;
      out += fmt::format(
          "\n## {}\n\n| quantity | published | here | difference | scenario "
          "|\n|---|---|---|---|---|\n",
          source);
    }
    const double off = n.found - n.published;
    std::string how = n.scenario;
    for (const std::string& s : n.settings) how += " " + s;
    out += fmt::format("| {} | {:.12g} | {:.12g} | {} | `{}` |\n", n.quantity, n.published, n.found,
                       off == 0 ? "0" : fmt::format("{:.1e}", off), how);
  }
  return out;
}

}  // namespace berth
