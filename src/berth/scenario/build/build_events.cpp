// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/build/build_events.h"

#include <algorithm>

#include "berth/scenario/build/build_tasks.h"

namespace berth {
namespace {

class EventBuilder {
 public:
  EventBuilder(const Scenario& scenario, const Ports& ports, const System<double>& system,
               const Channels& channels, Problems& problems)
      : scenario_(scenario),
        ports_(ports),
        system_(system),
        channels_(channels),
        problems_(problems) {}

  Event build(const EventSpec& e) {
    const std::string path = "event." + e.name;
    Event event;
    event.name = e.name;
    event.at = e.at;
    event.after = e.after.index;
    event.unless = e.unless.index;
    event.delay = e.delay;
    event.hold = e.hold;
    event.repeat = e.repeat;
    event.commanded = e.commanded;
    event.may_wait = e.may_wait || e.commanded;
    event.follows_best = e.follows_best;
    event.where = problems_.where(path);
    event.reported = e.report;
    event.reported_places = find_places(e.report);
    for (std::size_t k = 0; k < system_.contacts.size(); ++k)
      if (!e.impact.empty() && system_.contacts[k].report_name() == e.impact.name)
        event.hit = static_cast<int>(k);
    if (!e.when.empty()) event.when.emplace(e.when, channels_);
    event.on_false = e.direction == Edge::ends;
    event.at_once = e.direction == Edge::now;
    for (std::size_t i = 0; i < e.actions.size(); ++i)
      add_action(e.actions[i].part, path + ".do." + std::to_string(i + 1), event);
    return event;
  }

 private:
  // All events of a capture report the same.
  const std::vector<int>& find_places(const std::vector<std::string>& report) {
    if (report_ && *report_ == report) return places_;
    report_ = &report;
    places_.clear();
    for (const std::string& name : report) places_.push_back(channels_.find_number(name)->place);
    return places_;
  }

  void add_action(Action action, const std::string& path, Event& event) {
    // References that follow a task are worked out here.
    if (auto* a = std::get_if<ControlAction>(&action); a && a->task)
      for_each_part(system_.controls, [&](const auto& part) {
        if (part.name != a->control.name) return;
        a->reference = find_joint_references(system_, ports_, *a->task, part.driven_joints(),
                                             path + ".task", problems_);
      });
    if (const auto* a = std::get_if<FailAction>(&action); a && fail_capture(*a, event)) return;
    event.actions.push_back(std::move(action));
  }
  // A capture fails as the docks do that it latches. False: it is none.
  bool fail_capture(const FailAction& a, Event& event) const {
    const auto c = std::find_if(scenario_.capture.begin(), scenario_.capture.end(),
                                [&](const CaptureSpec& o) { return o.name == a.thing.name; });
    if (c == scenario_.capture.end()) return false;
    for (const DockRef& dock : {c->soft, c->dock})
      if (!dock.empty()) event.actions.push_back(FailAction{dock.name, a.as, a.by});
    return true;
  }

  const Scenario& scenario_;
  const Ports& ports_;
  const System<double>& system_;
  const Channels& channels_;
  Problems& problems_;
  const std::vector<std::string>* report_ = nullptr;  // of the event before
  std::vector<int> places_;                           // of its numbers
};

}  // namespace

std::vector<Event> build_events(const Scenario& scenario, const Ports& ports,
                                const System<double>& system, const Channels& channels,
                                Problems& problems) {
  std::vector<Event> events;
  EventBuilder builder(scenario, ports, system, channels, problems);
  for (const EventSpec& e : scenario.event) events.push_back(builder.build(e));
  return events;
}

}  // namespace berth
