// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/check/check_scenario.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "berth/model/resolve.h"
#include "berth/run/stepper.h"
#include "berth/scenario/build/build_capture.h"
#include "berth/scenario/build/build_contacts.h"
#include "berth/scenario/build/build_docks.h"
#include "berth/scenario/build/build_tasks.h"
#include "berth/scenario/check/check_channels.h"
#include "berth/scenario/check/check_external.h"
#include "berth/scenario/check/check_failures.h"
#include "berth/scenario/check/check_names.h"
#include "berth/system/configuration.h"

namespace berth {
namespace {

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.find_last_of('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}
bool is_below(const std::string& path, const std::string& table) {
  return path == table || path.starts_with(table + ".");
}

class Checker {
 public:
  // `written` is the file, s has its captures written out.
  Checker(const Scenario& written, Scenario& s, Problems& problems)
      : written_(written), s_(s), problems_(problems), read_(problems.list) {}

  void check() {
    if (std::any_of(read_.begin(), read_.end(), [](const Problem& p) { return p.path.empty(); }))
      return;  // there is no scenario to speak of
    check_names(s_, problems_);
    if (s_.orbit && s_.gravity)
      problems_.add("gravity", "uniform gravity and an orbit exclude each other");
    if (s_.spacecraft.empty() && s_.body.empty()) {
      const auto is_unread = [](const Problem& p) {
        return p.path == "spacecraft" || p.path == "body";
      };
      if (std::none_of(read_.begin(), read_.end(), is_unread))
        problems_.add("spacecraft", "nothing to simulate: no [[spacecraft]] and no [[body]]");
      return;
    }
    const std::size_t before = problems_.list.size();
    structure_ = build_structure(s_, system_, problems_);
    // What could not be read is not built either.
    const auto follows_reading = [&](const Problem& p) {
      return std::any_of(read_.begin(), read_.end(),
                         [&](const Problem& r) { return is_below(r.path, p.path); });
    };
    problems_.list.erase(
        std::remove_if(problems_.list.begin() + static_cast<std::ptrdiff_t>(before),
                       problems_.list.end(), follows_reading),
        problems_.list.end());
    check_inputs();
    check_own_ports();
    check_method(), check_compensations(s_, problems_);
    add_parts();
    std::erase_if(s_.event,
                  [&](const EventSpec& e) { return is_of_wrong_capture("event." + e.name); });
    for (const EventSpec& e : s_.event) check_event(e);
    check_channels(s_, Channels(system_), find_broken(), problems_);
  }

 private:
  // --- references and rules ----------------------------------------------------------------------

  void check_inputs() {
    Names names = system_.find_names();
    names.of_scenario = true;
    for (const ForceSpec& f : s_.force) {
      names.forces.push_back(f.name);
      if (std::holds_alternative<ThrusterSet<double>>(f.part))
        names.thruster_sets.push_back(f.name);
    }
    // In the order in which a system has them.
    for (std::size_t kind = 0; kind < std::variant_size_v<decltype(SensorSpec::part)>; ++kind)
      for (const SensorSpec& sensor : s_.sensor)
        if (sensor.part.index() == kind) names.sensors.push_back(sensor.name);
    for (const ControlSpec& c : s_.control) names.controls.push_back(c.name);
    for (const External<double>& e : s_.external) names.externals.push_back(e.name);
    for (const DockSpec& d : s_.dock) names.docks.push_back(d.name);
    names.closures = names.docks;
    for (const DockSpec& d : s_.loop) names.closures.push_back(d.name);
    for (const ContactSpec& c : s_.contact) names.contacts.push_back(c.name);
    for (const EventSpec& e : s_.event) names.events.push_back(e.name);
    for (const Failing& f : list_failing(s_)) names.failing.push_back(f.name);
    mark_commanded(s_);
    Findings references, rules;
    resolve(s_, names, references);
    std::vector<ControlSpec> written = s_.control;
    s_.control = with_references();
    check_rules(s_, around(), rules);
    s_.control = std::move(written);
    for (const bool of_captures : {true, false}) report(references, "", of_captures);
    for (const bool of_captures : {true, false}) report(rules, "", of_captures);
    for (const ControlSpec& c : s_.control)
      std::visit(
          [&](const auto& part) {
            if (c.task && !part.driven_joints().empty() && !references_of(part).empty())
              problems_.add("control." + c.name + ".task", "a task or references, not both");
          },
          c.part);
  }
  Surroundings around() const {
    return {s_.orbit.has_value(), !s_.orbit.has_value(), s_.time.stop};
  }
  // Controllers that have a task find their references when they are built: any will do here.
  std::vector<ControlSpec> with_references() const {
    std::vector<ControlSpec> control = s_.control;
    for (ControlSpec& c : control)
      std::visit(
          [&](auto& part) {
            if (c.task && references_of(part).empty())
              part.set_references(std::vector<Profile<double>>(part.driven_joints().size()));
          },
          c.part);
    return control;
  }

  // What captures name first: what they became names the same.
  void report(const Findings& findings, const std::string& table, bool of_captures = false) {
    for (const Finding& f : findings.list()) {
      if (f.input.starts_with("capture.") != of_captures) continue;
      const std::string path = table.empty()     ? f.input
                               : f.input.empty() ? table
                                                 : table + "." + f.input;
      const bool is_news = !follows(path, f);
      if (is_news) problems_.add(path, f.rule);
      wrong_.push_back({path});
    }
  }
  // From something that could not be read or built, or from a capture that is wrong itself.
  bool follows(const std::string& path, const Finding& f) const {
    if (!f.missing.empty() && (is_wrong(f.missing) || has_wrong_names())) return true;
    for (const Problem& p : read_) {
      if (is_below(path, p.path) || is_below(p.path, path)) return true;
      // A rule may be broken by an input beside it; by a key that is none if the rule is about what was
      // meant.
      if (f.missing.empty() && parent_of(p.path) == parent_of(path) &&
          (p.kind != Problem::unknown_key || names_meant(f, p) || last_of(path) == p.meant))
        return true;
      if (p.path.ends_with(".type") && has_segment(f.missing, last_of(parent_of(p.path))))
        return true;
    }
    // Joints and their references are counted against each other.
    for (const Wrong& w : wrong_)
      if (f.missing.empty() && last_of(w.path) == "joints" && last_of(path) == "reference" &&
          parent_of(w.path) == parent_of(path))
        return true;
    return is_of_wrong_capture(path);
  }
  // Whether a craft, component or body of this name has a problem, for which it may not be there.
  bool is_wrong(const std::string& name) const {
    return std::any_of(problems_.list.begin(), problems_.list.end(), [&](const Problem& p) {
      std::vector<std::string> segments{""};
      for (const char c : p.path) c == '.' ? segments.emplace_back() : segments.back() += c;
      const auto is_it = [&](std::size_t i) {
        return i < segments.size() && has_segment(name, segments[i]);
      };
      const bool is_missing = segments.size() > 1 && system_.model.find_body(segments[1]) < 0;
      if (segments[0] == "spacecraft" && segments.size() > 2 && segments[2] == "component" &&
          is_it(3))
        return true;
      return (segments[0] == "spacecraft" || segments[0] == "body") && is_missing && is_it(1);
    });
  }
  // A name that is left out or given twice may be the one that is missed.
  bool has_wrong_names() const {
    return std::any_of(problems_.list.begin(), problems_.list.end(), [](const Problem& p) {
      return (p.path.starts_with("spacecraft.") || p.path.starts_with("body.")) &&
             (p.path.ends_with(".name") || p.message.ends_with("is used twice"));
    });
  }
  template <class Part>
  bool names_wrong(const Part& part) const {
    bool wrong = false;
    for_each_field(part, [&]<class M>(const auto&, const M& member) {
      if constexpr (is_reference<M>) wrong = wrong || is_wrong(member.name);
      if constexpr (is_list<M>)
        for (const auto& ref : member)
          if constexpr (is_reference<std::remove_cvref_t<decltype(ref)>>)
            wrong = wrong || is_wrong(ref.name);
    });
    return wrong;
  }
  static bool names_meant(const Finding& f, const Problem& p) {
    return !p.meant.empty() && f.rule.find(p.meant) != f.rule.npos;
  }
  static std::string last_of(const std::string& path) {
    return path.substr(path.find_last_of('.') + 1);
  }
  static bool has_segment(const std::string& name, const std::string& segment) {
    return ("." + name + ".").find("." + segment + ".") != std::string::npos;
  }
  bool is_of_wrong_capture(const std::string& path) const {
    if (problems_.empty()) return false;
    const std::string capture = find_capture_of(written_, path);
    return !capture.empty() &&
           std::any_of(problems_.list.begin(), problems_.list.end(),
                       [&](const Problem& p) { return is_below(p.path, "capture." + capture); });
  }

  // --- tables against one another ----------------------------------------------------------------

  bool has_problem(const std::string& table) const {
    if (problems_.empty() && wrong_.empty()) return false;
    const auto is_in = [&](const auto& p) { return is_below(p.path, table); };
    return std::any_of(problems_.list.begin(), problems_.list.end(), is_in) ||
           std::any_of(wrong_.begin(), wrong_.end(), is_in);
  }
  // Craft, parts and joints with something wrong: their channels may be others than they seem.
  std::set<std::string> find_broken() const {
    std::set<std::string> out;
    const auto add_owner = [&](const std::string& path) {
      const std::size_t dot = path.find('.');
      if (dot == std::string::npos || path.starts_with("event.")) return;
      out.insert(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1));
    };
    for (const Problem& p : problems_.list) add_owner(p.path);
    for (const Wrong& w : wrong_) add_owner(w.path);
    return out;
  }

  void check_own_ports() {
    for (const SpacecraftSpec& c : s_.spacecraft) {
      if (!c.state || !c.state->is_relative() || c.state->port.empty()) continue;
      const std::string name = c.name + "." + c.state->port.name;
      if (structure_.ports.contains(name)) continue;
      std::vector<std::string> names;
      for (const auto& [port, place] : structure_.ports) names.push_back(port);
      problems_.add("spacecraft." + c.name + ".state.port",
                    fmt::format("no port {}{}", name, suggest(name, names)));
    }
  }

  static std::vector<std::string_view> explicit_methods() {
    std::vector<std::string_view> names;
    for (const Tableau* m : kExplicitMethods) names.push_back(m->name);
    return names;
  }
  // What a method cannot take along.
  void check_method() {
    const std::string& method = s_.integrator.method;
    for (const ContactSpec& c : s_.contact) {
      const auto* impact = std::get_if<Impact<double>>(&c.law);
      if (impact && impact->rule == ImpactRule::paper && method != kVariationalNames[0])
        problems_.add("contact." + c.name + ".law.rule",
                      fmt::format("paper keeps the energy of {} steps: the method {} has none",
                                  kVariationalNames[0], method));
      if (c.delay > 0 && !(c.sample_time > 0) &&
          (is_stiff_method(method) || is_variational_method(method)))
        problems_.add(
            "contact." + c.name + ".delay",
            fmt::format(
                "the method {} cannot handle delays: a delay needs an explicit one ({}), or a "
                "sample_time",
                method, fmt::join(explicit_methods(), ", ")));
    }
    if (!is_variational_method(method)) return;
    const auto refuse = [&](const std::string& path, const std::string& why) {
      problems_.add(path, fmt::format("{} {}; use dop853", method, why));
    };
    for (const ControlSpec& c : s_.control)
      if (std::visit([](const auto& part) { return part.sample_time > 0; }, c.part))
        refuse("control." + c.name + ".sample_time",
               "knows no samples: its steps are no moments at which a loop could act");
    for (const External<double>& e : s_.external)
      refuse("external." + e.name + ".sample_time",
             "knows no samples: its steps are no moments at which a loop could act");
    for (const ForceSpec& f : s_.force)
      if (const auto* set = std::get_if<ThrusterSet<double>>(&f.part); set && set->sample_time > 0)
        refuse("force." + f.name + ".sample_time", "knows no pulses");
    for (const ContactSpec& c : s_.contact)
      if (c.sample_time > 0) refuse("contact." + c.name + ".sample_time", "knows no samples");
    const Model<double>& model = system_.model;
    const double step = s_.integrator.step;
    for (int k = 1; k < model.body_count(); ++k) {
      const Body<double>& b = model.body(k);
      if (b.joint != JointType::revolute) continue;
      const double turn = std::fabs(model.v0[static_cast<std::size_t>(b.v)]) * step;
      if (turn > 0.5)
        problems_.add(
            "integrator.step",
            fmt::format("{} turns {:.3g} rad per step: {} needs below 0.5, a step below "
                        "{:.3g} s",
                        model.names[static_cast<std::size_t>(k)], turn, method, 0.5 * step / turn));
    }
  }

  // --- parts against the bodies there are --------------------------------------------------------

  // The system as far as it follows from names and kinds: enough to know every channel.
  bool has_ports(const std::vector<PortRef>& between) const {
    return between.size() == 2 && structure_.ports.contains(between[0].name) &&
           structure_.ports.contains(between[1].name);
  }
  void add_parts() {
    const auto add_joint = [&](const DockSpec& d, const std::string& table) {
      if (has_problem(table + "." + d.name) || !has_ports(d.between)) return;
      const Dock<double> dock = begin_dock(d, structure_.ports, table == "loop");
      const std::string path = table + "." + d.name + ".between";
      if (dock.port_1.body == dock.port_2.body) problems_.add(path, "both ports are on one body");
      if (s_.orbit && (dock.port_1.body == kGround || dock.port_2.body == kGround))
        problems_.add(path, "in an orbit there is no ground to dock to");
      system_.docks.push_back(dock);
    };
    for (const DockSpec& d : s_.dock) add_joint(d, "dock");
    for (const DockSpec& d : s_.loop) add_joint(d, "loop");
    for (const ContactSpec& c : s_.contact) {
      if (has_problem("contact." + c.name) || !has_ports(c.between)) continue;
      const auto p1 = structure_.ports.find(c.between[0].name),
                 p2 = structure_.ports.find(c.between[1].name);
      if (p1->second.body == p2->second.body)
        problems_.add("contact." + c.name + ".between",
                      "both ports are on one body: they cannot touch");
      add_contact(c, structure_.ports, system_);
    }
    Problems grasps{problems_.file, {}, 0, problems_.places};
    add_measures(s_, structure_.ports, system_, grasps);
    for (const Problem& p : grasps.list)
      if (!is_of_wrong_capture(p.path)) problems_.list.push_back(p);
    if (s_.gravity) system_.put_force(UniformGravity<double>{});
    if (s_.orbit) system_.put_force(OrbitalGravity<double>{});
    system_.in_orbit = s_.orbit.has_value();
    // What has no name is reported already, and may lack anything.
    const auto is_named = [](const auto& part) { return !part.name.empty(); };
    const auto add_each = [&](const auto& list) {
      for (const auto& spec : list | std::views::filter(is_named))
        std::visit([&](auto part) { add(spec, part); }, spec.part);
    };
    add_each(s_.force);
    add_each(s_.sensor);
    add_each(with_references());
    for (External<double> e : s_.external | std::views::filter(is_named)) add(e);
  }
  void add(External<double>& e) {
    const std::string path = "external." + e.name;
    if (has_problem(path)) return;
    Findings findings;
    system_.bind_control(e, findings);
    check_external(s_, e, findings);
    report(findings, path);
    if (findings.empty()) system_.put_control(e);
  }
  template <class Part>
  void add(const SensorSpec& sensor, Part& part) {
    const std::string path = "sensor." + sensor.name;
    part.name = sensor.name;
    Findings findings;
    if (!has_problem(path)) part.bind(system_.model, findings);
    report(findings, path);
    system_.put_sensor(part);
  }
  template <class Part>
  void add(const ForceSpec& f, Part& part) {
    const std::string path = "force." + f.name;
    part.name = f.name;
    Findings findings;
    if (!has_problem(path)) part.bind(system_.model, findings);
    report(findings, path);
    system_.put_force(part);
  }
  template <class Part>
  void add(const ControlSpec& c, Part& part) {
    const std::string path = "control." + c.name;
    if (has_problem(path) || names_wrong(part)) return;
    part.name = c.name;
    Findings findings;
    const int set = part.thruster_set();
    const auto& sets = std::get<std::vector<ThrusterSet<double>>>(system_.forces);
    if (set >= 0 && has_problem("force." + sets[static_cast<std::size_t>(set)].name)) return;
    system_.bind_control(part, findings);
    report(findings, path);
    if (findings.empty()) system_.put_control(part);
  }

  // --- events ------------------------------------------------------------------------------------

  void check_event(const EventSpec& e) {
    const std::string path = "event." + e.name;
    for (const Contact<double>& c : system_.contacts)
      if (!e.impact.empty() && c.report_name() == e.impact.name && !c.is_impact()) {
        problems_.add(path + ".impact",
                      fmt::format("{} has no law of impact: it is pressed, not hit; say when",
                                  e.impact.name));
        break;
      }
    for (std::size_t i = 0; i < e.actions.size(); ++i) {
      const auto* a = std::get_if<ControlAction>(&e.actions[i].part);
      if (!a || a->control.index < 0) continue;
      check_order(*a, s_.control[static_cast<std::size_t>(a->control.index)],
                  path + ".do." + std::to_string(i + 1));
    }
    report(check_failures(s_, e), path);
  }
  // What a controller is given fits it.
  void check_order(const ControlAction& a, const ControlSpec& c, const std::string& path) {
    std::visit(
        [&](const auto& part) {
          const std::size_t joints = part.driven_joints().size(), wanted = joints ? joints : 1;
          if (!a.reference.empty() && a.reference.size() != wanted)
            problems_.add(path + ".reference", fmt::format("{} wants {} profiles, not {}", c.name,
                                                           wanted, a.reference.size()));
          if (a.task && joints == 0)
            problems_.add(path + ".task", "belongs to controllers of joints");
        },
        c.part);
  }

  const Scenario& written_;
  Scenario& s_;
  Problems& problems_;
  const std::vector<Problem> read_;  // found by reading
  // Every finding, reported or not.
  struct Wrong {
    std::string path;
  };
  std::vector<Wrong> wrong_;
  System<double> system_;
  Structure structure_;
};

}  // namespace

Scenario check_scenario(const Scenario& scenario, Problems& problems) {
  const auto known = static_cast<std::ptrdiff_t>(problems.list.size());
  Scenario expanded = expand_captures(scenario, problems);
  Checker(scenario, expanded, problems).check();
  // In the order of the file.
  std::stable_sort(
      problems.list.begin() + known, problems.list.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.place.file, a.place.line) < std::tie(b.place.file, b.place.line);
      });
  return expanded;
}

}  // namespace berth
