// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/stability.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/integrate/root.h"
#include "berth/math/delayed_bounce.h"
#include "berth/model/suggest.h"
#include "berth/record/json_text.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStill = 1e-9;  // [1/s] a root this near the axis does not grow

// Energy that the first contact gives when its force is h late; NaN when there is none, or no end.
class FirstBounce : Observer {
 public:
  FirstBounce(const BuiltScenario& built, std::size_t k, double t_stop,
              std::function<bool()> interrupted)
      : built_(built), k_(k), t_stop_(t_stop), interrupted_(std::move(interrupted)) {}

  double operator()(double h) {
    BuiltScenario late = built_;
    late.system.contacts[k_].delay = h;
    HybridRun run(late.system, late.options);
    run.set_events(late.events);
    run.interrupted = interrupted_;
    run.advance(t_stop_, this);
    const ContactTrack& track = run.contact_tracks()[k_];
    return std::isnan(track.speed_out) ? NAN : track.settled_max;
  }

 private:
  bool step(HybridRun& run) override { return std::isnan(run.contact_tracks()[k_].speed_out); }

  BuiltScenario built_;
  std::size_t k_;
  double t_stop_;
  std::function<bool()> interrupted_;
};

// The smallest delay at which the first bounce gives as much as it takes.
double find_neutral(FirstBounce& bounce, double h_guess) {
  if (!(h_guess > 0) || !std::isfinite(h_guess)) return NAN;
  constexpr int pieces = 16;
  const double step = 1.5 * h_guess / pieces;
  double low = 1e-3 * step, at_low = bounce(low);
  if (std::isnan(at_low)) return NAN;
  if (at_low >= 0) return 0;
  for (int i = 1; i <= pieces; ++i) {
    const double high = i * step, at_high = bounce(high);
    if (std::isnan(at_high)) return NAN;
    if (at_high > 0) return solve_root(bounce, low, high, at_low, at_high, 1e-10 * h_guess).after;
    low = high, at_low = at_high;
  }
  return NAN;
}

std::size_t choose_contact(const Scenario& s, const System<double>& system, Problems& problems) {
  if (system.contacts.empty()) {
    problems.add("contact", "there is none: berth stability analyses the loop of a [[contact]]");
    return 0;
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    names.push_back(system.contacts[k].name);
    if (s.stability.contact.empty() || names.back() == s.stability.contact.name) return k;
  }
  problems.add("stability.contact", fmt::format("no contact {}{}", s.stability.contact.name,
                                                suggest(s.stability.contact.name, names)));
  return 0;
}

}  // namespace

double find_first_energy(const Scenario& scenario, const BuiltScenario& built) {
  Problems problems;
  const std::size_t k = choose_contact(scenario, built.system, problems);
  if (!problems.empty()) return NAN;
  return FirstBounce(built, k, scenario.time.stop, {})(built.system.contacts[k].delay);
}

StabilityResult find_stability(const Scenario& scenario, const BuiltScenario& built,
                               const StabilityOptions& options, Problems& problems) {
  StabilityResult out;
  out.title = scenario.title;
  const std::size_t k = choose_contact(scenario, built.system, problems);
  if (!problems.empty()) return out;
  const Contact<double>& c = built.system.contacts[k];
  out.contact = c.name;
  out.index = k;
  out.has_stages = c.has_lag() || c.has_filter();
  out.delay = c.delay;
  out.sample_time = c.sample_time;
  out.at = find_contact_state(scenario, built, k, problems);
  if (!problems.empty()) return out;
  out.loop = linearise_contact(built.system, out.at, k);
  const ContactLoop& loop = out.loop;

  const CriticalDelay normal = find_critical_delay(loop.normal.stiffness, loop.normal.damping);
  out.h_critical = normal.delay;
  out.omega_critical = normal.frequency;
  if (const auto whole = find_critical_delay(loop.loop)) {
    out.h_loop = whole->delay;
    out.omega_loop = whole->frequency;
  }
  DelayLoop sampled = loop.loop;
  sampled.delay += 0.5 * c.sample_time;
  const DelayRoots roots = find_rightmost_roots(sampled);
  out.zero_roots = roots.zero_roots - loop.translations;
  out.roots = roots.roots;
  const bool stays_passive = std::visit([](const auto& p) { return p.brakes; }, c.compensation);
  if (options.energy && !stays_passive) {
    FirstBounce bounce(built, k, scenario.time.stop, options.interrupted);
    // Without a damper h* is zero; then the delay is measured by the oscillation.
    out.h_energy = find_neutral(bounce, std::max(normal.delay, 0.2 / normal.frequency));
    out.h_energy_1d = find_neutral_delay(loop.normal.stiffness, loop.normal.damping, c.adhesive);
  }

  if (!(loop.stiffness > 0) && !(loop.damping > 0))
    out.warnings.push_back("the law has no stiffness at its first touch: give a preload");
  DelayLoop prompt = loop.loop;
  prompt.delay = 0;
  const DelayRoots at_once = find_rightmost_roots(prompt, 1);
  const bool grows_at_once = !at_once.roots.empty() && at_once.roots[0].real() > kStill;
  if (scenario.stability.preload > 0 && grows_at_once) {
    out.warnings.push_back(
        "pressed on, the craft turn away under the push even without delay: give them attitude "
        "control");
  } else if (scenario.stability.preload > 0 && out.h_loop == 0) {
    out.warnings.push_back(
        "pressed on, the probe swings sideways on the cone, and a late force vector feeds that at "
        "every delay; feedback = \"normal\" does not");
  }
  if (std::visit([](const auto& compensation) { return compensation.needs_samples; },
                 c.compensation))
    out.warnings.push_back("h*, roots and margins are those without the compensation");
  if (out.has_stages)
    out.warnings.push_back(
        "h* and h_E of one dimension leave lag and filter out; the loop has them");
  return out;
}

std::string describe(const StabilityResult& r) {
  const ContactLoop& l = r.loop;
  std::string out = r.title.empty() ? "" : r.title + "\n";
  out += r.at.t > 0 ? fmt::format("{} touches at {:.9g} s", r.contact, r.at.t)
                    : fmt::format("{} set on its wall", r.contact);
  out += fmt::format(", at ({:.6g}, {:.6g}, {:.6g}) m from the second body's centre of mass.\n",
                     r.at.point_T.x, r.at.point_T.y, r.at.point_T.z);
  const auto line = [&](const char* what, const std::string& value) {
    out += fmt::format("  {:<34}{}\n", what, value);
  };
  const auto seconds = [](double h) {
    return std::isnan(h) ? std::string("none") : fmt::format("{:.9g} s", h);
  };
  line("stiffness, damping there", fmt::format("{:.6g} N/m, {:.6g} N·s/m", l.stiffness, l.damping));
  line("effective mass", fmt::format("{:.9g} kg", l.mass));
  const auto gains = [](const LoopGain& g) {
    return fmt::format("{:.6g} 1/s², {:.6g} 1/s", g.stiffness, g.damping);
  };
  line("gains along the normal", gains(l.normal));
  line("  along the wall", gains(l.radial));
  // What is left of a sum of zero is shown as such.
  const double tiny = 1e-12 * std::fabs(l.normal.stiffness);
  const LoopGain about = std::fabs(l.tangential.stiffness) < tiny ? LoopGain{} : l.tangential;
  line("  about the axis",
       fmt::format("{:.6g} rad/(m·s²), {:.6g} rad/(m·s)", about.stiffness, about.damping));
  line("critical delay h*, normal mode",
       fmt::format("{} at {:.9g} rad/s", seconds(r.h_critical), r.omega_critical));
  if (r.sample_time > 0) line("  sampled, less half a sample", seconds(r.h_sampled()));
  line("critical delay, whole loop",
       std::isnan(r.h_loop) ? std::string("none: no delay makes it grow")
                            : fmt::format("{} at {:.9g} rad/s", seconds(r.h_loop), r.omega_loop));
  line("first bounce gains beyond h_E", seconds(r.h_energy));
  line("  in one dimension", seconds(r.h_energy_1d));
  line("delay of the scenario", seconds(r.delay));
  line(r.has_stages ? "margin of the whole loop" : "margin to h*", seconds(r.margin()));
  if (!std::isnan(r.h_energy)) line("margin to h_E", seconds(r.h_energy - r.delay));
  out +=
      fmt::format("  rightmost roots [1/s], beside {} that are zero by structure:\n", r.zero_roots);
  for (const std::complex<double>& s : r.roots)
    if (s.imag() >= 0)
      out += fmt::format("    {:+.10f}{}\n", s.real(),
                         s.imag() > 0 ? fmt::format(" ± {:.10f} i", s.imag()) : "");
  out += r.growth() > kStill ? "The loop is unstable at this delay.\n"
                             : "The loop is stable at this delay.\n";
  if (!(r.growth() > kStill) && r.delay > r.h_energy)
    out += "Its first bounce gains energy all the same.\n";
  for (const std::string& w : r.warnings) out += "  warning: " + w + "\n";
  return out;
}

std::string to_json(const StabilityResult& r) {
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  const auto gains = [](const LoopGain& g) {
    return Json{{"stiffness", g.stiffness}, {"damping", g.damping}};
  };
  Json out;
  out["contact"] = r.contact;
  out["t_contact"] = r.at.t;
  out["point_T"] = {r.at.point_T.x, r.at.point_T.y, r.at.point_T.z};
  out["stiffness"] = r.loop.stiffness;
  out["damping"] = r.loop.damping;
  out["mass_effective"] = number(r.loop.mass);
  out["gains"] = {{"normal", gains(r.loop.normal)},
                  {"radial", gains(r.loop.radial)},
                  {"tangential", gains(r.loop.tangential)}};
  out["h_critical"] = number(r.h_critical);
  out["omega_critical"] = number(r.omega_critical);
  out["h_sampled"] = number(r.h_sampled());
  out["h_loop"] = number(r.h_loop);
  out["omega_loop"] = number(r.omega_loop);
  out["h_energy"] = number(r.h_energy);
  out["h_energy_1d"] = number(r.h_energy_1d);
  out["delay"] = r.delay;
  out["sample_time"] = r.sample_time;
  out["margin"] = number(r.margin());
  out["stable"] = !(r.growth() > kStill);
  out["zero_roots"] = r.zero_roots;
  out["roots"] = Json::array();
  for (const std::complex<double>& s : r.roots) out["roots"].push_back({s.real(), s.imag()});
  out["warnings"] = r.warnings;
  return to_text(out, 2);
}

}  // namespace berth
