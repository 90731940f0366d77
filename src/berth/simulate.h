// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whole program in a dozen lines:
//
//   ReadScenario read = read_scenario("slew.toml");
//   Story story = build_story(read.scenario, read.problems);
//   Summary summary = simulate(read.scenario, story, {.h5 = "slew.h5"});
//   std::cout << describe(summary);
//
// simulate() runs a story to its end, records what the scenario asks for, judges expectations and
// sums up. It throws only when a file cannot be written (RecordError).

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "berth/scenario/scenario.h"

namespace berth {

struct SimulateOptions {
  std::filesystem::path h5;   // empty = none
  std::filesystem::path csv;  // empty = none
  std::vector<double> at;     // [s] sample every channel exactly there
  std::function<bool()> interrupted;
  std::function<void(double t)> progress;  // called after every step
};

struct Expectation {
  std::string what;  // "energy audit"
  std::string wanted, got;
  bool met;
};

// One row of all channels at an asked-for time.
struct Sample {
  double t;
  std::vector<double> row;
};

// What a contact did, and what it would have done without a loop around it.
struct ContactSummary {
  std::string name;
  ContactTrack track;
  bool ideal = true;               // the force acts at once
  double restitution_ideal = NAN;  // of the first contact without the loop
};

// A dock or loop at the end of a run.
struct DockSummary {
  std::string name, type, enforce;
  bool loop = false, engaged = true;
  std::string axes;                        // of the load: "N", a body's, or "port 1"
  Vec3<double> force, torque;              // [N], [N·m] on the second member, about its port
  std::vector<std::string> indeterminate;  // parts of the load that redundant rows leave open
  DockTrack track{0};
};

struct Summary {
  std::string title;
  Outcome outcome;
  std::string verdict;
  StepCounters steps;
  Audit audit;
  double wall_seconds = 0;
  std::vector<std::string> warnings;
  std::vector<Happening> events;
  std::vector<std::string> waiting;  // events that never acted
  std::vector<Expectation> expectations;
  std::vector<Sample> samples;
  std::vector<Channel> channels;
  std::string final_json;  // final.<spacecraft>… as a JSON object
  std::vector<DockSummary> docks;
  std::vector<ContactSummary> contacts;
  double constraint_position = 0, constraint_attitude = 0;  // [m], [rad] largest of all docks
  std::string h5, csv;                                      // files written, empty when none

  bool as_expected() const;
};

Summary simulate(const Scenario& scenario, const Story& story, const SimulateOptions& options);

// One paragraph for a reader.
std::string describe(const Summary& summary);

// Exactly one JSON object; without wall-clock times when it goes into a file.
std::string to_json(const Summary& summary, bool with_wall_clock);

}  // namespace berth
