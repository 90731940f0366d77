// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenario — a file as plain structs (spec/). Each struct's fields() is its schema; everything else walks
// it.
//
//   read/    text => structs, and back
//   check/   what is wrong with them, all at once: references, rules, names of channels
//   build/   structs => a system, options and events that run

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/run/run.h"
#include "berth/scenario/model_files.h"
#include "berth/scenario/problem.h"
#include "berth/scenario/spec/capture_spec.h"
#include "berth/scenario/spec/contact_spec.h"
#include "berth/scenario/spec/craft_spec.h"
#include "berth/scenario/spec/dispersion_spec.h"
#include "berth/scenario/spec/event_spec.h"
#include "berth/scenario/spec/live_spec.h"
#include "berth/scenario/spec/optimise_spec.h"
#include "berth/scenario/spec/part_spec.h"
#include "berth/scenario/spec/run_spec.h"
#include "berth/scenario/spec/sweep_spec.h"

namespace berth {

struct Scenario {
  std::string title;
  TimeSpec time;
  IntegratorSpec integrator;
  std::optional<OrbitSpec> orbit;
  std::optional<GravitySpec> gravity;
  RecordSpec record;
  std::vector<SpacecraftSpec> spacecraft;
  std::vector<FreeBodySpec> body;
  std::vector<DockSpec> dock;
  std::vector<DockSpec> loop;
  std::vector<ContactSpec> contact;
  std::vector<ForceSpec> force;
  std::vector<SensorSpec> sensor;
  std::vector<ControlSpec> control;
  std::vector<External<double>> external;
  std::vector<MeasureSpec> measure;
  std::vector<CaptureSpec> capture;
  std::vector<EventSpec> event;
  ExpectSpec expect;
  SweepSpec sweep;
  DispersionSpec dispersion;
  OptimiseSpec optimise;
  StabilitySpec stability;
  std::optional<LiveSpec> live;
  std::optional<FacilitySpec> facility;

  ModelFiles models;  // that shapes name; no input, but read along with them

  static constexpr auto fields() {
    using P = Scenario;
    return Schema{
        Field{"title", &P::title, unit::none, Range::any, "one line on what this is"},
        Field{"time", &P::time, unit::none, Range::any, "how long", required},
        Field{"integrator", &P::integrator, unit::none, Range::any, "how it is integrated"},
        Field{"orbit", &P::orbit, unit::none, Range::any, "reference orbit; left out = free space"},
        Field{"gravity", &P::gravity, unit::none, Range::any,
              "uniform gravity, for mechanisms on the ground"},
        Field{"record", &P::record, unit::none, Range::any, "what is recorded, how often"},
        Field{"spacecraft", &P::spacecraft, unit::none, Range::any, "the craft"},
        Field{"body", &P::body, unit::none, Range::any, "bodies outside of any craft"},
        Field{"dock", &P::dock, unit::none, Range::any, "joints between ports"},
        Field{"loop", &P::loop, unit::none, Range::any, "joints that close a chain of bodies"},
        Field{"contact", &P::contact, unit::none, Range::any, "probes against surfaces"},
        Field{"force", &P::force, unit::none, Range::any, "springs, loads, thrusters"},
        Field{"sensor", &P::sensor, unit::none, Range::any, "what controllers read"},
        Field{"control", &P::control, unit::none, Range::any, "controllers"},
        Field{"external", &P::external, unit::none, Range::any,
              "where somebody else takes part: measurements out, commands in"},
        Field{"measure", &P::measure, unit::none, Range::any, "further channels"},
        Field{"capture", &P::capture, unit::none, Range::any, "when a docking counts as one"},
        Field{"event", &P::event, unit::none, Range::any, "what happens when"},
        Field{"expect", &P::expect, unit::none, Range::any, "what must come out"},
        Field{"sweep", &P::sweep, unit::none, Range::any, "what berth sweep varies"},
        Field{"dispersion", &P::dispersion, unit::none, Range::any,
              "what is uncertain, and by how much"},
        Field{"optimise", &P::optimise, unit::none, Range::any,
              "what berth optimise changes, and to what end"},
        Field{"stability", &P::stability, unit::none, Range::any,
              "where berth stability linearises a contact"},
        Field{"live", &P::live, unit::none, Range::any, "how berth live goes with the clock"},
        Field{"facility", &P::facility, unit::none, Range::any,
              "the laboratory that berth facility emulates"},
    };
  }
};

// A scenario as read, with all that is wrong in it.
struct ReadScenario {
  Scenario scenario;
  Problems problems;
};

// Reads a file and applies `--set` overrides ("table.name.key=VALUE"). Never throws on bad input.
ReadScenario read_scenario(const std::filesystem::path& path,
                           const std::vector<std::string>& overrides = {});
// The same for text that is not in a file; `name` stands for the file in messages. Models come out of
// `folder`, or, of a text that came with its models, from there alone.
ReadScenario read_scenario_text(std::string_view text, const std::string& name,
                                const std::vector<std::string>& overrides = {},
                                const std::filesystem::path& folder = ".",
                                const ModelFiles* stored = nullptr);

// The text of a scenario file; nothing, and a problem, when it cannot be read as text.
std::optional<std::string> read_scenario_file(const std::filesystem::path& path,
                                              Problems& problems);
// A text that stands alone: settings and the craft of other files worked in, defaults left out, so
// that further settings act on it as they would on the file.
std::string expand_scenario(std::string_view text, const std::string& name,
                            const std::vector<std::string>& overrides,
                            const std::filesystem::path& folder, Problems& problems);

// An expanded text that is read many times over with other settings, parsed once. Its problems have no
// lines: copied tables do not keep them. Models are not read: nothing is drawn of what it is for.
class ParsedScenario {
 public:
  ParsedScenario(std::string_view text, const std::string& name);
  ReadScenario read(const std::vector<std::string>& overrides) const;
  // The same where settings do nothing but put numbers in the places of others: the rest has been read
  // already. Nothing when they do anything else, or when something is wrong. What is found wrong later
  // has no place here.
  std::optional<ReadScenario> read_numbers(const std::vector<std::string>& overrides) const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
};

// The complete scenario, defaults written out.
std::string write_scenario(const Scenario& scenario);

// What a scenario becomes: something to run. Adds to the problems all that is wrong with it: what its
// tables say against one another and, where that is nothing, what only building shows.
struct BuiltScenario {
  System<double> system;
  RunOptions options;
  std::vector<Event> events;
};
BuiltScenario build_scenario(const Scenario& scenario, Problems& problems);

}  // namespace berth
