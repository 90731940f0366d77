// SPDX-License-Identifier: Apache-2.0
#include "berth/simulate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "berth/record/csv_writer.h"
#include "berth/record/json_text.h"
#include "berth/record/recording.h"
#include "berth/scenario/scene.h"
#include "berth/system/dock_warnings.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Channel> choose(const Channels& all, const std::vector<std::string>& patterns) {
  std::vector<Channel> chosen;
  for (const Channel& c : all.list())
    for (const std::string& p : patterns)
      if (fits_channel(p, c.name)) {
        chosen.push_back(c);
        break;
      }
  return chosen;
}

Json to_json(const NamedValue& v) {
  return std::visit([](const auto& x) { return Json(x); }, v.value);
}
Json to_json(const std::vector<NamedValue>& values) {
  Json out = Json::object();
  for (const NamedValue& v : values) out[v.name] = to_json(v);
  return out;
}

// Writes rows at even times, at events, and keeps those asked for with `at`.
class Recorder : public Observer {
 public:
  Recorder(Driver& driver, const Scenario& scenario, const SimulateOptions& options)
      : options_(options), x_(driver.x().size()), row_(width_of(driver)) {
    const RecordSpec& r = scenario.record;
    at_events_ = r.at_events;
    // A thousandth of the run, and never nothing.
    const double by_itself =
        std::max(scenario.time.stop / 1000, std::numeric_limits<double>::min());
    add_group(driver, "", r.interval > 0 ? r.interval : by_itself, r.channels);
    for (const RecordGroupSpec& g : r.group) add_group(driver, g.name, g.interval, g.channels);
    if (!options.h5.empty()) {
      file_.emplace(options.h5);
      for (const Group& g : groups_) file_->add_group(g.name, g.channels);
      if (r.scene) {
        scene_.emplace(scenario, driver.system());
        scene_group_ = file_->add_scene(scene_->channels(), scene_->model());
        scene_row_.resize(scene_->width());
      }
    }
    if (!options.csv.empty()) {
      table_.emplace(options.csv);
      for (const Group& g : groups_) table_->add_group(g.name, g.channels);
    }
  }

  // The first row of every group, and samples asked for at the very start.
  void start(Driver& driver) {
    look(driver, driver.t());
    for (std::size_t g = 0; g < groups_.size(); ++g) write(driver, g, driver.t());
    for (double t : options_.at)
      if (t <= 0) samples.push_back({driver.t(), row_});
  }

  bool step(Driver& driver) override {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      for (double t = group.next(); t <= driver.t(); t = group.next()) {
        ++group.count;
        // A row nobody keeps is not filled. Its place in the step is still found, since that takes
        // evaluations, and their number does not depend on what is written.
        if (!file_ && !table_) {
          if (t != driver.t()) driver.interpolate(t, x_);
          group.last = t;
          continue;
        }
        look(driver, t);
        write(driver, g, t);
      }
    }
    for (double t : options_.at)
      if (driver.t_previous() < t && t <= driver.t()) {
        look(driver, t);
        samples.push_back({t, row_});
      }
    if (options_.progress) options_.progress(driver.t());
    return true;
  }

  void happened(Driver& driver, const Happening& what) override {
    if (file_) file_->add_event(what.t, what.kind, what.name, what.values.empty()?"":to_text(to_json(what.values)));
    if (const auto interval = driver.record_interval();
        interval && *interval != groups_[0].interval)
      groups_[0].restart(driver.t(), *interval);
    // The row behind the event, also where the raster has just written the one before it.
    if (!at_events_) return;
    look(driver, driver.t());
    write(driver, 0, driver.t());
  }

  // A last row wherever the run ended, then the files take their names.
  void finish(Driver& driver, const std::string& scenario, const std::string& summary) {
    look(driver, driver.t());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].last < driver.t()) write(driver, g, driver.t());
    if (file_) file_->finish(scenario, summary);
    if (table_) table_->finish();
  }

  std::vector<Sample> samples;

 private:
  struct Group {
    std::string name;
    double interval;
    std::vector<Channel> channels;
    double from = 0;          // [s] start of the present raster
    std::uint64_t count = 1;  // of the next row in it
    double last = -1;         // [s] time of the last row
    double next() const { return from + static_cast<double>(count) * interval; }
    void restart(double t, double new_interval) {
      from = t;
      count = 1;
      interval = new_interval;
    }
  };

  static std::size_t width_of(const Driver& driver) {
    return static_cast<std::size_t>(driver.channels().width());
  }
  void add_group(const Driver& driver, const std::string& name, double interval,
                 const std::vector<std::string>& patterns) {
    groups_.push_back({name, interval, choose(driver.channels(), patterns)});
  }
  void look(Driver& driver, double t) {
    if (t == driver.t()) {
      x_.assign(driver.x().begin(), driver.x().end());
    } else {
      driver.interpolate(t, x_);
    }
    driver.fill_row(t, x_, row_);
  }
  // What was last looked at. Poses go with the main group.
  void write(Driver& driver, std::size_t g, double t) {
    groups_[g].last = t;
    if (file_) file_->append(static_cast<int>(g), t, row_);
    if (file_ && scene_ && g == 0) {
      scene_->fill(driver.system(), x_, driver.observed(), scene_row_);
      file_->append(scene_group_, t, scene_row_);
    }
    if (table_) table_->append(static_cast<int>(g), t, row_);
  }

  const SimulateOptions& options_;
  std::vector<Group> groups_;
  std::optional<Recording> file_;
  std::optional<CsvWriter> table_;
  std::optional<Scene> scene_;
  int scene_group_ = 0;
  std::vector<double> scene_row_;
  std::vector<double> x_, row_;
  bool at_events_ = true;
};

Json to_json(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Json to_json(const Quaternion<double>& q) { return {q.w, q.x, q.y, q.z}; }

// final.<spacecraft>… and final.bodies.<name>…
Json find_final(Driver& driver, const Scenario& scenario) {
  const Workspace<double>& w = driver.observe();
  const System<double>& system = driver.system();
  const Model<double>& model = system.model;
  const auto at = [&](int i) {
    const double* p = driver.x().data() + i;
    return Vec3<double>{p[0], p[1], p[2]};
  };
  Vec3<double> r_OE{}, v_OE{}, r_CO{}, v_CO{};
  if (system.in_orbit) {
    const int o = w.layout.orbit;
    r_OE = at(o), v_OE = at(o + 3), r_CO = at(o + 6), v_CO = at(o + 9);
  }
  const auto numbers = [&](int first, int count) {
    Json list = Json::array();
    for (int k = 0; k < count; ++k) list.push_back(driver.x()[static_cast<std::size_t>(first + k)]);
    return count == 1 ? list[0] : list;
  };
  const auto free_state = [&](int i) {
    const BodyMotion<double>& m = w.motion.body(i);
    const Quaternion<double> q = quaternion(m.R_NB);
    const Vec3<double> rho = m.r_BN_N + r_CO, rho_dot = m.v_BN_N + v_CO;
    Json out;
    out["r_BN_N"] = to_json(r_OE + rho);
    out["v_BN_N"] = to_json(v_OE + rho_dot);
    out["rho_BO_N"] = to_json(rho);
    out["rhodot_BO_N"] = to_json(rho_dot);
    out["quaternion_BN"] = to_json(q);
    out["sigma_BN"] = to_json(mrp(q));
    out["omega_BN_B"] = to_json(transposed_times(m.R_NB, m.omega_BN_N));
    return out;
  };
  const auto joint_state = [&](int i) {
    const Body<double>& b = model.body(i);
    Json out;
    out["q"] = numbers(w.layout.q + b.q, shape(b.joint).coordinates);
    out["v"] = numbers(w.layout.v + b.v, shape(b.joint).speeds);
    return out;
  };

  Json out = Json::object();
  for (const SpacecraftSpec& craft : scenario.spacecraft) {
    Json one = free_state(model.find_body(craft.name));
    Json joints = Json::object();
    for (int i = 1; i < model.body_count(); ++i) {
      const std::string& name = model.names[static_cast<std::size_t>(i)];
      if (name.starts_with(craft.name + ".") && shape(model.body(i).joint).speeds > 0)
        joints[name.substr(craft.name.size() + 1)] = joint_state(i);
    }
    one["joints"] = joints;
    out[craft.name] = one;
  }
  if (scenario.body.empty()) return out;
  Json bodies = Json::object();
  for (const FreeBodySpec& b : scenario.body) {
    const int i = model.find_body(b.name);
    Json one = free_state(i);
    if (!model.body(i).hub) one.update(joint_state(i));
    bodies[b.name] = one;
  }
  out["bodies"] = bodies;
  return out;
}

std::vector<DockSummary> find_docks(Driver& driver) {
  const Workspace<double>& w = driver.observe();
  const System<double>& system = driver.system();
  const Mode<double>& mode = driver.mode();
  std::vector<DockSummary> out;
  for (std::size_t k = 0; k < system.docks.size(); ++k) {
    const Dock<double>& dock = system.docks[k];
    if (dock.contact >= 0) continue;
    const LoadAxes axes = find_load_axes(system.model, dock, w.motion);
    DockSummary d;
    d.name = dock.name;
    d.type = dock.type();
    d.enforce = name(dock.enforce);
    d.loop = dock.loop;
    d.engaged = dock.engaged;
    d.axes = axes.name;
    d.force = transposed_times(axes.R_NA, w.docks[k].wrench.force);
    d.torque = transposed_times(axes.R_NA, w.docks[k].wrench.torque);
    d.track = driver.dock_tracks()[k];
    for (int r = 0; dock.has_multipliers() && r < dock.row_count(); ++r) {
      const bool solved = std::any_of(mode.rows.begin(), mode.rows.end(), [&](const ActiveRow& a) {
        return a.dock == static_cast<int>(k) && a.row == r;
      });
      if (!solved)
        d.indeterminate.push_back(r < dock.force_count()
                                      ? fmt::format("force {}", r + 1)
                                      : fmt::format("torque {}", r - dock.force_count() + 1));
    }
    out.push_back(std::move(d));
  }
  return out;
}

Json to_json(const DockSummary& d) {
  Json out = {{"type", d.type}, {"enforce", d.enforce}, {"engaged", d.engaged}};
  if (d.loop) out["axes"] = d.axes;
  out[d.loop ? "force_A" : "force_N"] = to_json(d.force);
  out[d.loop ? "torque_A" : "torque_N"] = to_json(d.torque);
  if (!d.indeterminate.empty()) out["indeterminate"] = d.indeterminate;
  out["force_peak"] = d.track.force_peak();
  out["torque_peak"] = d.track.torque_peak();
  out[d.loop ? "violation" : "violation_position"] = d.track.violation().position;
  out["violation_position_rms"] = d.track.position_rms();
  out["violation_attitude"] = d.track.violation().attitude;
  return out;
}

// Ends a run once a contact is over for the first time.
struct UntilSettled : Observer {
  std::size_t contact;
  explicit UntilSettled(std::size_t k) : contact(k) {}
  bool step(Driver& driver) override {
    return std::isnan(driver.contact_tracks()[contact].speed_out);
  }
};

// The same story with forces that act at once: the restitution of the first contact.
double find_ideal_restitution(const Story& story, std::size_t k, double t_stop,
                              const std::function<bool()>& interrupted) {
  Story ideal = story;
  std::vector<Contact<double>> contacts = std::move(ideal.system.contacts);
  ideal.system.contacts.clear();
  std::erase_if(ideal.system.docks, [](const Dock<double>& d) { return d.contact >= 0; });
  for (Contact<double>& c : contacts) ideal.system.add_contact(without_loop(std::move(c)));
  Driver driver(ideal.system, ideal.options);
  driver.set_events(ideal.events);
  driver.interrupted = interrupted;
  UntilSettled until(k);
  driver.run(t_stop, &until);
  return driver.contact_tracks()[k].restitution();
}

std::vector<ContactSummary> find_contacts(const Driver& driver, const Story& story) {
  std::vector<ContactSummary> out;
  for (std::size_t k = 0; k < driver.contact_tracks().size(); ++k) {
    const Contact<double>& c = driver.system().contacts[k];
    out.push_back({c.name, driver.contact_tracks()[k], c.is_ideal()});
    if (!c.is_ideal() && !std::isnan(out.back().track.speed_out))
      out.back().restitution_ideal =
          find_ideal_restitution(story, k, driver.t(), driver.interrupted);
  }
  return out;
}

Json to_json(const ContactSummary& c) {
  const ContactTrack& t = c.track;
  Json out = {{"energy", t.energy},
              {"energy_max", t.energy_max},
              {"energy_min", t.energy_min},
              {"verdict", std::string(t.verdict())},
              {"touches", t.touches},
              {"force_peak", t.force_peak},
              {"penetration_peak", std::max(t.penetration_peak, 0.0)}};
  const auto add = [&](const char* key, double x) {
    if (std::isfinite(x)) out[key] = x;
  };
  add("restitution", t.restitution());
  if (!c.ideal) {
    add("restitution_ideal", c.restitution_ideal);
    add("restitution_error", t.restitution() - c.restitution_ideal);
  }
  return out;
}

void judge(const ExpectSpec& e, Driver& driver, Summary& s) {
  const auto expect = [&](std::string what, std::string wanted, std::string got, bool met) {
    s.expectations.push_back({std::move(what), std::move(wanted), std::move(got), met});
  };
  const std::string ending(name(s.outcome.ending));
  if (e.verdict) expect("verdict", *e.verdict, s.verdict, *e.verdict == s.verdict);
  if (e.outcome) expect("outcome", *e.outcome, ending, *e.outcome == ending);
  const auto audit = [&](const char* what, const std::optional<double>& limit, double value) {
    if (limit)
      expect(fmt::format("{} audit", what), fmt::format("below {:.3g}", *limit),
             fmt::format("{:.3g}", value), value <= *limit);
  };
  audit("energy", e.energy, s.audit.energy);
  audit("linear momentum", e.linear_momentum, s.audit.linear_momentum);
  audit("angular momentum", e.angular_momentum, s.audit.angular_momentum);
  const auto below = [&](const char* what, const std::optional<double>& limit, double value) {
    if (limit)
      expect(what, fmt::format("at most {:.3g}", *limit), fmt::format("{:.6g}", value),
             value <= *limit);
  };
  double force = 0, torque = 0;
  for (const ContactSummary& c : s.contacts) force = std::max(force, c.track.force_peak);
  for (const DockTrack& track : driver.dock_tracks()) {
    force = std::max(force, track.force_peak());
    torque = std::max(torque, track.torque_peak());
  }
  below("peak force [N]", e.force_peak_max, force);
  below("peak torque [N·m]", e.torque_peak_max, torque);
  below("violation [m]", e.violation_position_max, s.constraint_position);
  below("violation [rad]", e.violation_attitude_max, s.constraint_attitude);
  std::vector<double> row(static_cast<std::size_t>(driver.channels().width()));
  driver.fill_row(driver.t(), driver.x(), row);
  for (const std::string& text : e.final) {
    const double margin = Condition(text, driver.channels()).margin(row);
    expect("at the end", text, fmt::format("margin {:.6g}", margin), margin >= 0);
  }
}

void warn(const Audit& audit, const std::string& method, Summary& s) {
  const auto check = [&](const char* what, double value) {
    if (!(value < 1e-6))
      s.warnings.push_back(fmt::format("{} is kept only to {:.1e}: {}", what, value,
                                       is_variational_method(method) || method == "rk4"
                                           ? "shorten the step"
                                           : "tighten the tolerance"));
  };
  check("energy", audit.energy);
  check("linear momentum", audit.linear_momentum);
  check("angular momentum", audit.angular_momentum);
  for (const std::string& e : s.waiting)
    s.warnings.push_back(fmt::format("event {} never happened", e));
}

}  // namespace

bool Summary::as_expected() const {
  for (const Expectation& e : expectations)
    if (!e.met) return false;
  return outcome.completed();
}

Summary simulate(const Scenario& scenario, const Story& story, const SimulateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Driver driver(story.system, story.options);
  driver.set_events(story.events);
  driver.add_looks(options.at);
  driver.interrupted = options.interrupted;
  Recorder recorder(driver, scenario, options);
  recorder.start(driver);

  Summary s;
  s.title = scenario.title;
  s.outcome = driver.run(scenario.time.stop, &recorder);
  s.verdict = driver.verdict();
  s.steps = driver.counters();
  s.audit = driver.audit();
  s.events = driver.happenings();
  s.waiting = driver.waiting_events();
  s.samples = std::move(recorder.samples);
  s.channels = driver.channels().list();
  s.final_json = to_text(find_final(driver, scenario));
  s.docks = find_docks(driver);
  s.contacts = find_contacts(driver, story);
  for (const DockTrack& track : driver.dock_tracks()) {
    s.constraint_position = std::max(s.constraint_position, track.violation().position);
    s.constraint_attitude = std::max(s.constraint_attitude, track.violation().attitude);
  }
  s.warnings = find_dock_warnings(story.system, scenario.time.stop,
                                  is_stiff_method(scenario.integrator.method));
  s.warnings.insert(s.warnings.end(), driver.warnings().begin(), driver.warnings().end());
  warn(s.audit, scenario.integrator.method, s);
  judge(scenario.expect, driver, s);
  recorder.finish(driver, write_scenario(scenario), to_json(s, false));
  s.h5 = options.h5.string();
  s.csv = options.csv.string();
  s.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return s;
}

std::string describe(const Summary& s) {
  std::string out = s.title.empty() ? "" : s.title + "\n";
  switch (s.outcome.ending) {
    case Ending::reached_end:
      out += fmt::format("Reached the end at {:.6g} s{}{}", s.outcome.t,
                         s.verdict.empty() ? "" : ", ", s.verdict);
      break;
    case Ending::stopped:
      out += fmt::format("Stopped at {:.6g} s: {}", s.outcome.t, s.outcome.reason);
      break;
    case Ending::interrupted: out += fmt::format("Interrupted at {:.6g} s", s.outcome.t); break;
    default:
      out +=
          fmt::format("Could not go on beyond {:.9g} s: {}", s.outcome.t, name(s.outcome.ending));
  }
  out += fmt::format(
      " in {} steps ({} rejected, {} evaluations, {:.3g} s of computing). "
      "Energy is kept to {:.1e}, linear momentum to {:.1e}, angular momentum to {:.1e}.",
      s.steps.accepted, s.steps.rejected, s.steps.rhs, s.wall_seconds, s.audit.energy,
      s.audit.linear_momentum, s.audit.angular_momentum);
  for (const DockSummary& d : s.docks)
    out += fmt::format(
        "\n  {} ({}{}, {}): peak load {:.4g} N and {:.4g} N·m, violation {:.1e} m and {:.1e} rad",
        d.name, d.loop ? "loop, " : "", d.type, d.enforce, d.track.force_peak(),
        d.track.torque_peak(), d.track.violation().position, d.track.violation().attitude);
  for (const ContactSummary& c : s.contacts) {
    out += fmt::format("\n  {}: ", c.name);
    if (c.track.touches == 0) {
      out += "never touched";
      continue;
    }
    out += fmt::format(
        "{} contact{}, {}: energy {:+.4g} J, peak force {:.4g} N, penetration {:.4g} mm",
        c.track.touches, c.track.touches == 1 ? "" : "s", c.track.verdict(), c.track.energy,
        c.track.force_peak, 1e3 * std::max(c.track.penetration_peak, 0.0));
    if (std::isfinite(c.restitution_ideal))
      out += fmt::format("; restitution {:.4f} against {:.4f} without the loop ({:+.2f} %)",
                         c.track.restitution(), c.restitution_ideal,
                         100 * (c.track.restitution() / c.restitution_ideal - 1));
  }
  // A summary stays one; all events are in the result file.
  constexpr std::size_t most_lines = 30;
  for (std::size_t i = 0; i < std::min(s.events.size(), most_lines); ++i)
    out += fmt::format("\n  {:>12.6f} s  {} {}", s.events[i].t, s.events[i].kind, s.events[i].name);
  if (s.events.size() > most_lines)
    out += fmt::format("\n  and {} more events", s.events.size() - most_lines);
  for (const Expectation& e : s.expectations)
    out += fmt::format("\n  {} {}: wanted {}, got {}", e.met ? "met   " : "FAILED", e.what,
                       e.wanted, e.got);
  for (const std::string& w : s.warnings) out += "\n  warning: " + w;
  if (!s.h5.empty()) out += "\n  recorded in " + s.h5;
  if (!s.csv.empty()) out += "\n  table in " + s.csv;
  return out + "\n";
}

std::string to_json(const Summary& s, bool with_wall_clock) {
  Json out;
  out["outcome"] = std::string(name(s.outcome.ending));
  out["verdict"] = s.verdict;
  out["time"] = s.outcome.t;
  out["steps"] = {
      {"accepted", s.steps.accepted}, {"rejected", s.steps.rejected}, {"rhs", s.steps.rhs}};
  if (with_wall_clock) out["wall_seconds"] = s.wall_seconds;
  out["warnings"] = s.warnings;
  out["audit"] = {{"energy", s.audit.energy},
                  {"linear_momentum", s.audit.linear_momentum},
                  {"angular_momentum", s.audit.angular_momentum},
                  {"constraint_position", s.constraint_position},
                  {"constraint_attitude", s.constraint_attitude}};
  out["final"] = Json::parse(s.final_json);
  out["docks"] = out["loops"] = Json::object();
  for (const DockSummary& d : s.docks) out[d.loop ? "loops" : "docks"][d.name] = to_json(d);
  out["contacts"] = Json::object();
  for (const ContactSummary& c : s.contacts) out["contacts"][c.name] = to_json(c);
  Json events = Json::array();
  for (const Happening& h : s.events) {
    Json e = {{"t", h.t}, {"kind", h.kind}, {"name", h.name}};
    if (!h.values.empty()) e.update(to_json(h.values));
    events.push_back(e);
  }
  out["events"] = events;
  Json samples = Json::array();
  for (const Sample& sample : s.samples) {
    Json one = {{"t", sample.t}};
    for (const Channel& c : s.channels) {
      const auto first = static_cast<std::size_t>(c.first);
      if (c.width == 1) {
        one[c.name] = sample.row[first];
      } else {
        one[c.name] = std::vector<double>(sample.row.begin() + c.first,
                                          sample.row.begin() + c.first + c.width);
      }
    }
    samples.push_back(one);
  }
  out["samples"] = samples;
  Json expectations = Json::array();
  for (const Expectation& e : s.expectations)
    expectations.push_back(
        {{"what", e.what}, {"wanted", e.wanted}, {"got", e.got}, {"met", e.met}});
  out["expectations"] = expectations;
  return to_text(out, with_wall_clock ? 2 : -1);
}

}  // namespace berth
