// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a Simulation::Summary holds: made of the summary of a run, or of its JSON in a result file.

#include "berth/record/event_log.h"
#include "berth/simulate/summary.h"
#include "berth/simulation.h"

namespace berth {

struct Simulation::Summary::Content {
  explicit Content(const berth::Summary& s);
  // Throws std::invalid_argument when it is no summary. What is printed for a reader is not in it.
  explicit Content(const std::string& json_text);

  std::string outcome, reason, verdict, description, json;
  double t = 0;
  bool completed = false, as_expected = false;
  std::vector<Field> fields;
  std::vector<Event> events;
  std::vector<std::string> warnings, failed;

  const Field* find(const std::string& path) const;
  // Throws std::out_of_range.
  const Field& get(const std::string& path, bool number) const;

 private:
  void add_fields(const std::vector<SummaryValue>& values);
};

Simulation::Event to_event(const EventRecord& record);
// As a file has it.
Simulation::Event to_event(const LoggedEvent& event);

// Values of a summary that was written as JSON, with the units and meanings of its rows; null is NaN.
std::vector<SummaryValue> list_values(const nlohmann::ordered_json& summary);

}  // namespace berth
