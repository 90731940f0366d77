// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build_events.h"

#include <set>

#include "berth/scenario/build_tasks.h"
#include "berth/scenario/builder_base.h"

namespace berth {
namespace {

class EventBuilder : BuilderBase {
 public:
  EventBuilder(const Scenario& scenario, const Ports& ports, Story& story, Problems& problems)
      : BuilderBase(scenario, story, problems), ports_(ports) {}

  void add_events() {
    const HybridRun probe(story_.system, story_.options);
    check_channels(probe.channels());
    for (const EventSpec& e : s_.event) add_event(e, probe.channels());
    for (std::size_t i = 0; i < s_.expect.final.size(); ++i)
      attempt("expect.final", [&] { Condition(s_.expect.final[i], probe.channels()); });
  }

 private:
  // Each channel has a name of its own, and what is to be recorded exists.
  void check_channels(const Channels& channels) {
    std::set<std::string> names;
    for (const Channel& c : channels.list())
      if (!names.insert(c.name).second)
        problems_.add("control",
                      fmt::format("there are two channels {}: rename something", c.name));
    const std::vector<std::string_view> views(names.begin(), names.end());
    const auto check = [&](const std::string& path, const std::vector<std::string>& patterns) {
      for (const std::string& p : patterns) {
        if (p == "*" || std::any_of(names.begin(), names.end(),
                                    [&](const std::string& n) { return fits_channel(p, n); }))
          continue;
        const std::string_view near = find_nearest(p, views);
        problems_.add(path, fmt::format("no channel fits {}; {}", p,
                                        near.empty() ? "berth describe channels FILE lists them"
                                                     : fmt::format("did you mean {}?", near)));
      }
    };
    check("record.channels", s_.record.channels);
    for (const RecordGroupSpec& g : s_.record.group)
      check("record.group." + g.name + ".channels", g.channels);
  }

  void add_event(const EventSpec& e, const Channels& channels) {
    const std::string path = "event." + e.name;
    Event event;
    event.name = e.name;
    event.at = e.at;
    event.delay = e.delay;
    event.hold = e.hold;
    event.repeat = e.repeat;
    event.may_wait = e.may_wait;
    event.follows_best = e.follows_best;
    event.where = problems_.where(path);
    event.told = e.tell;
    for (const std::string& name : e.tell) {
      if (const auto number = channels.find_number(name)) {
        event.told_places.push_back(number->place);
      } else {
        problems_.add(path + ".tell", fmt::format("no number {} among the channels", name));
      }
    }
    const int triggers = (e.at ? 1 : 0) + (e.hit.empty() ? 0 : 1) + (e.after.empty() ? 0 : 1);
    if (triggers > 1 || (triggers == 0 && e.when.empty()))
      problems_.add(path, "needs one trigger: at, hit, after or when (when may go with each)");
    if (!e.hit.empty()) {
      check_name(path + ".hit", e.hit, s_.contact);
      for (std::size_t k = 0; k < story_.system.contacts.size(); ++k)
        if (story_.system.contacts[k].told_as() == e.hit) {
          event.hit = static_cast<int>(k);
          if (!story_.system.contacts[k].is_impact())
            problems_.add(path + ".hit", fmt::format("{} has no law of impact: it is pressed, not "
                                                     "hit; say when",
                                                     e.hit));
        }
      if (e.hold > 0 || e.direction != "begins")
        problems_.add(path, "hold and direction belong to a condition that is watched");
    }
    if (e.delay > 0 && e.after.empty())
      problems_.add(path + ".delay", "is counted from another event: say which with after");
    if (!e.after.empty()) {
      const std::vector<std::string> names = names_of(s_.event);
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == e.after) event.after = static_cast<int>(k);
      if (event.after < 0)
        problems_.add(path + ".after",
                      fmt::format("no event {}{}", e.after, suggest(e.after, names)));
      if (e.after == e.name) problems_.add(path + ".after", "an event cannot wait for itself");
    }
    if (!e.unless.empty()) {
      check_name(path + ".unless", e.unless, s_.event);
      for (std::size_t k = 0; k < s_.event.size(); ++k)
        if (s_.event[k].name == e.unless) event.unless = static_cast<int>(k);
    }
    if (!e.when.empty()) attempt(path + ".when", [&] { event.when.emplace(e.when, channels); });
    if (e.direction != "begins" && e.direction != "ends" && e.direction != "now")
      problems_.add(path + ".direction",
                    fmt::format("\"{}\" is not \"begins\", \"ends\" or \"now\"", e.direction));
    event.on_false = e.direction == "ends";
    event.at_once = e.direction == "now";
    if (event.at_once && !e.at && e.after.empty())
      problems_.add(path + ".direction", "\"now\" goes with at or after");
    if ((event.on_false || event.at_once) && e.hold > 0)
      problems_.add(path + ".hold", "only a condition that begins to hold can be held");
    if (e.when.empty() && (event.on_false || event.at_once || e.hold > 0))
      problems_.add(path + (e.hold > 0 ? ".hold" : ".direction"),
                    "belongs to a condition: say when");
    if (e.actions.empty() && e.tell.empty())
      problems_.add(path + ".do", "does nothing: give it an action");
    for (std::size_t i = 0; i < e.actions.size(); ++i)
      add_action(e.actions[i], path + ".do." + std::to_string(i + 1), event);
    story_.events.push_back(std::move(event));
  }

  void add_action(const ActionSpec& a, const std::string& path, Event& event) {
    const int kinds = (a.control ? 1 : 0) + (a.force ? 1 : 0) + (a.kick ? 1 : 0) +
                      (a.strike ? 1 : 0) + (a.latch ? 1 : 0) + (a.release ? 1 : 0) +
                      (a.record ? 1 : 0) + (a.verdict ? 1 : 0) + (a.stop ? 1 : 0);
    if (kinds != 1)
      return problems_.add(path,
                           "needs exactly one of control, force, kick, strike, latch, release, "
                           "record, verdict, stop");
    const auto belongs = [&](bool given, bool fits, const char* key, const char* to) {
      if (given && !fits) problems_.add(path, fmt::format("{} belongs to {}", key, to));
    };
    const Vec3<double> none{};
    belongs(a.enable.has_value(), a.control || a.force, "enable", "control and force");
    belongs(!a.reference.empty(), a.control.has_value(), "reference", "control");
    belongs(a.task.has_value(), a.control.has_value(), "task", "control");
    belongs(a.rate.has_value(), a.kick.has_value(), "rate", "kick");
    belongs(a.add.has_value(), a.kick.has_value(), "add", "kick");
    belongs(a.impulse != none, a.strike.has_value(), "impulse", "strike");
    belongs(a.angular_impulse != none, a.strike.has_value(), "angular_impulse", "strike");
    belongs(a.lock != "current", a.latch.has_value(), "lock", "latch");
    belongs(a.point != none, a.strike.has_value(), "point", "strike");
    if (a.control) {
      check_name(path + ".control", *a.control, s_.control);
      if (!a.enable && a.reference.empty() && !a.task)
        problems_.add(path + ".control", "needs enable = true | false, a reference or a task");
      if (a.enable) event.actions.push_back(SwitchAction{*a.control, *a.enable});
      for (const Profile<double>& p : a.reference) attempt(path + ".reference", [&] { p.check(); });
      check_reference_count(a, path);
      if (!a.reference.empty()) event.actions.push_back(ReferenceAction{*a.control, a.reference});
      if (a.task) add_task(*a.task, *a.control, path + ".task", event);
    } else if (a.force) {
      check_name(path + ".force", *a.force, s_.force);
      if (!a.enable) return problems_.add(path + ".force", "needs enable = true | false");
      event.actions.push_back(SwitchAction{*a.force, *a.enable});
    } else if (a.kick) {
      check_body(path + ".kick", *a.kick);
      const int i = story_.system.model.find_body(*a.kick);
      if (i >= 0 && shape(story_.system.model.body(i).joint).speeds != 1)
        problems_.add(path + ".kick", *a.kick + " has no joint with one speed");
      if (a.rate.has_value() == a.add.has_value())
        return problems_.add(path + ".kick", "needs either rate or add");
      event.actions.push_back(
          KickAction{*a.kick, a.add.has_value(), a.rate.value_or(a.add.value_or(0))});
    } else if (a.strike) {
      check_moving_body(path + ".strike", *a.strike);
      if (a.impulse == none && a.angular_impulse == none)
        problems_.add(path + ".strike", "needs an impulse or an angular_impulse");
      event.actions.push_back(ImpulseAction{*a.strike, a.impulse, a.point, a.angular_impulse});
    } else if (a.latch) {
      check_name(path + ".latch", *a.latch, s_.dock);
      if (a.lock != "current" && a.lock != "nominal")
        problems_.add(path + ".lock",
                      fmt::format("\"{}\" is not \"current\" or \"nominal\"", a.lock));
      event.actions.push_back(LatchAction{*a.latch, a.lock == "nominal"});
    } else if (a.release) {
      check_name(path + ".release", *a.release, s_.dock);
      event.actions.push_back(ReleaseAction{*a.release});
    } else if (a.record) {
      check_interval(path + ".record", *a.record, kMostRows, "rows");
      event.actions.push_back(RecordAction{*a.record});
    } else {
      event.actions.push_back(VerdictAction{a.stop ? *a.stop : *a.verdict, a.stop.has_value()});
    }
  }
  void add_task(const TaskSpec& task, const std::string& control, const std::string& path,
                Event& event) {
    bool drives_joints = false;
    for_each_part(story_.system.controls, [&](const auto& part) {
      if constexpr (requires { part.joints; }) {
        if (part.name != control) return;
        drives_joints = true;
        attempt(path, [&] {
          event.actions.push_back(ReferenceAction{
              control,
              find_joint_references(story_.system, ports_, task, part.joints, path, problems_)});
        });
      }
    });
    if (!drives_joints) problems_.add(path, "belongs to controllers of joints");
  }
  void check_reference_count(const ActionSpec& a, const std::string& path) {
    if (a.reference.empty()) return;
    for (const ControlSpec& c : s_.control) {
      if (c.name != *a.control) continue;
      std::visit(
          [&](const auto& part) {
            std::size_t wanted = 1;
            if constexpr (requires { part.joints; }) wanted = part.joints.size();
            if (a.reference.size() != wanted)
              problems_.add(path + ".reference", fmt::format("{} wants {} profiles, not {}", c.name,
                                                             wanted, a.reference.size()));
          },
          c.part);
    }
  }

  const Ports& ports_;
};

}  // namespace

void build_events(const Scenario& scenario, const Ports& ports, Story& story, Problems& problems) {
  EventBuilder(scenario, ports, story, problems).add_events();
}

}  // namespace berth
