// SPDX-License-Identifier: Apache-2.0
#include "berth/app/live_view.h"

#include <algorithm>

#include "berth/analysis/closed_loop.h"
#include "berth/analysis/stability.h"
#include "berth/run/run.h"
#include "berth/scenario/scene.h"
#include "berth/scenario/scene_facts.h"

namespace berth {
namespace {

// What the delay of the loop is made of, and what it may be.
void add_margins(Scenario scenario, const LiveSetup& setup, LiveDescription& out) {
  External<double>& served = scenario.external[setup.external];
  served.sample_time = setup.served().sample_time;
  const auto loop = find_loop_block(scenario, out.contact);
  if (!loop) return;
  const bool at_arrival = setup.live.apply == Apply::arrival;
  const double acting = at_arrival ? served.sample_time : served.latency;
  out.delays.push_back({at_arrival ? "next tick" : "latency", acting});
  if (loop->delay > acting) out.delays.push_back({"robots, sensor", loop->delay - acting});
  out.delays.push_back({"hold, T/2", 0.5 * served.sample_time});
  Problems problems;
  const Scenario closed = close_loop(std::move(scenario), out.contact, *loop);
  const BuiltScenario built = build_scenario(closed, problems);
  if (!problems.empty()) return;
  const StabilityResult found = find_stability(closed, built, {}, problems);
  if (!problems.empty()) return;
  out.h_star = found.has_stages ? found.h_loop : found.h_critical;
  out.h_E = found.h_energy;
}

LiveDescription describe_run(const LiveSetup& setup, const LiveOptions& options, Scenario read) {
  const Scenario& scenario = setup.scenario;
  const External<double>& served = setup.served();
  LiveDescription out;
  out.title = scenario.title;
  const Scene scene(scenario, setup.built.system);
  out.scene = scene.model();
  out.scene_width = scene.width();
  out.facts = build_scene_facts(scenario).dump();
  for (const StoredModel& model : list_stored(scenario.models)) out.models.push_back(model.bytes);
  if (scene.width() > kMostLivePose) {
    out.scene.clear(), out.scene_width = 0;
    out.scene_note =
        fmt::format("too many bodies to be drawn while the run goes on: {} numbers, at most {}",
                    scene.width(), kMostLivePose);
  }
  out.sample_time = served.sample_time;
  out.latency = served.latency;
  out.factor = options.factor;
  out.lockstep = options.lockstep;
  out.late_after = setup.live.late_after * served.sample_time;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Refused::count); ++i)
    out.refusals.emplace_back(describe(static_cast<Refused>(i)));
  if (const auto contact = find_given_contact(scenario, served)) {
    out.contact = scenario.contact[*contact].name;
    for (std::size_t c = 0; c < served.commands.size(); ++c)
      if (served.commands[c].as == CommandKind::contact &&
          served.commands[c].to.name == out.contact)
        out.force_limit = setup.limits[c];
    add_margins(std::move(read), setup, out);
  }
  return out;
}

}  // namespace

LiveView::LiveView(const LiveSetup& setup, const LiveOptions& options, Scenario read)
    : page_(describe_run(setup, options, std::move(read))) {
  const auto contact = find_given_contact(setup.scenario, setup.served());
  if (!contact) return;
  const std::string& name = setup.scenario.contact[*contact].name;
  const HybridRun run(setup.built.system, setup.built.options);
  const auto find_place = [&](const char* quantity) {
    const Channel* channel = run.channels().find(name + quantity);
    return channel ? channel->first : -1;
  };
  gap_ = find_place(".gap");
  energy_ = find_place(".energy");
  touching_ = find_place(".touching");
  std::size_t first = 0;
  for (std::size_t c = 0; c < setup.layout.commands.size(); ++c) {
    const auto width = static_cast<std::size_t>(setup.layout.commands[c].width);
    const ExternalCommand<double>& command = setup.served().commands[c];
    if (command.as == CommandKind::contact && command.to.name == name)
      force_ = first, force_width_ = width;
    first += width;
  }
}

void LiveView::start() {
  started_ns_ = find_clock_ns();
  page_.set_state(LiveState::running);
}

void LiveView::stop(const std::string& verdict, LiveLevel level) {
  page_.set_state(LiveState::stopped, verdict, level);
}

void LiveView::show_tick(double t, std::span<const double> acted, const LiveStatistics& s) {
  frame_.t = t;
  frame_.clock = 1e-9 * static_cast<double>(find_clock_ns() - started_ns_);
  double square = 0;
  for (const double u : acted.subspan(force_, force_width_)) square += u * u;
  frame_.force = force_width_ > 0 ? std::sqrt(square) : kUnknown;
  frame_.jitter = s.last_jitter;
  const auto answered = static_cast<double>(s.answered);
  frame_.round_trip = answered > answered_ ? s.last_round_trip : kUnknown;
  answered_ = answered;
  frame_.ticks = s.ticks;
  frame_.late = s.late_ticks;
  frame_.lost = s.unanswered;
  std::copy(s.refused.begin(), s.refused.end(), frame_.refused.begin());
  page_.push(frame_);
}

int LiveView::add_group(const std::string&, std::span<const Channel>) { return groups_++; }

int LiveView::add_scene(std::span<const Channel>, const std::string&,
                        std::span<const StoredModel>) {
  return scene_ = groups_++;
}

void LiveView::append(int group, double, std::span<const double> row) {
  if (group == 0) {
    const auto read = [&](int place) {
      return place < 0 ? kUnknown : row[static_cast<std::size_t>(place)];
    };
    frame_.gap = read(gap_);
    frame_.energy = read(energy_);
    frame_.touching = read(touching_) > 0;
  } else if (group == scene_ && row.size() <= frame_.pose.size()) {
    std::transform(row.begin(), row.end(), frame_.pose.begin(),
                   [](double x) { return static_cast<float>(x); });
  }
}

}  // namespace berth
