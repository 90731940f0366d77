// SPDX-License-Identifier: Apache-2.0
#pragma once

// Summary — what a run came to, as one typed object.
//
// Every part says its rows once, in fields(): name, where the value is, unit, meaning. JSON, the
// columns of a sweep and the lookup of single values all walk these rows (summary_walk.h), so that
// a value that is added here appears everywhere.
//
//   to_json(summary, …)                        {"outcome": …, "docks": {"joint": {"force_peak": …
//   find_value(summary, "docks.joint.force_peak")
//   find_value(summary, "events.capture_hard.t")   the first of that name; "events.1.t" by number
//
// A row whose value is an empty optional is left out.

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "berth/model/fields.h"
#include "berth/run/event_record.h"
#include "berth/run/run.h"

namespace berth {

// `get` is a member or a function of the part.
template <class Get>
struct SummaryRow {
  std::string_view name;
  Get get;
  Unit unit;
  std::string_view meaning;
};
template <class Get>
SummaryRow(std::string_view, Get, Unit, std::string_view) -> SummaryRow<Get>;
inline constexpr Unit kNoUnit{""};  // of texts and of parts that have rows of their own

// Values by name, in the order they were added.
template <class T>
using Keyed = std::vector<std::pair<std::string, T>>;

// One number, or several.
struct Coordinates {
  std::vector<double> numbers;
};

struct JointState {
  Coordinates q, v;

  static constexpr auto fields() {
    using P = JointState;
    return Schema{SummaryRow{"q", &P::q, unit::none, "coordinates of the joint"},
                  SummaryRow{"v", &P::v, unit::none, "speeds of the joint"}};
  }
};

// A body at the end of a run; O is the reference point, N the inertial frame.
struct BodyState {
  Vec3<double> r_BN_N, v_BN_N, rho_BO_N, rhodot_BO_N;
  Quaternion<double> quaternion_BN;
  Vec3<double> sigma_BN, omega_BN_B;
  std::optional<Coordinates> q, v;          // of a [[body]]
  std::optional<Keyed<JointState>> joints;  // of a spacecraft

  static constexpr auto fields() {
    using P = BodyState;
    return Schema{
        SummaryRow{"r_BN_N", &P::r_BN_N, unit::metre, "position"},
        SummaryRow{"v_BN_N", &P::v_BN_N, unit::m_per_s, "velocity"},
        SummaryRow{"rho_BO_N", &P::rho_BO_N, unit::metre, "position from the reference point"},
        SummaryRow{"rhodot_BO_N", &P::rhodot_BO_N, unit::m_per_s,
                   "velocity from the reference point"},
        SummaryRow{"quaternion_BN", &P::quaternion_BN, unit::none, "attitude, scalar first"},
        SummaryRow{"sigma_BN", &P::sigma_BN, unit::none, "attitude, MRP"},
        SummaryRow{"omega_BN_B", &P::omega_BN_B, unit::rad_per_s, "angular velocity, body axes"},
        SummaryRow{"q", &P::q, unit::none, "coordinates of the joint"},
        SummaryRow{"v", &P::v, unit::none, "speeds of the joint"},
        SummaryRow{"joints", &P::joints, kNoUnit, "of its components"},
    };
  }
};

// Spacecraft by name, and below "bodies" every [[body]].
struct FinalState {
  Keyed<BodyState> craft, bodies;
};

struct Expectation {
  std::string what;  // "energy audit"
  std::string wanted, got;
  bool met;

  static constexpr auto fields() {
    using P = Expectation;
    return Schema{SummaryRow{"what", &P::what, kNoUnit, "what was expected of"},
                  SummaryRow{"wanted", &P::wanted, kNoUnit, ""},
                  SummaryRow{"got", &P::got, kNoUnit, ""},
                  SummaryRow{"met", &P::met, unit::none, "1 when it was met"}};
  }
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

  static constexpr auto fields() {
    using P = ContactSummary;
    constexpr auto known = [](double x) {
      return std::isfinite(x) ? std::optional(x) : std::nullopt;
    };
    return Schema{
        SummaryRow{"energy", [](const P& c) { return c.track.energy; }, unit::joule,
                   "given to the bodies; below zero it was taken"},
        SummaryRow{"energy_max", [](const P& c) { return c.track.energy_max; }, unit::joule,
                   "largest"},
        SummaryRow{"energy_min", [](const P& c) { return c.track.energy_min; }, unit::joule,
                   "least"},
        SummaryRow{"verdict", [](const P& c) { return std::string(c.track.verdict()); }, kNoUnit,
                   "untouched, passive, lossless or active"},
        SummaryRow{"touches", [](const P& c) { return c.track.touches; }, unit::none, "how often"},
        SummaryRow{"force_peak", [](const P& c) { return c.track.force_peak; }, unit::newton,
                   "largest force"},
        SummaryRow{"force_peak_time", [=](const P& c) { return known(c.track.force_peak_time); },
                   unit::second, "when it was largest"},
        SummaryRow{"penetration_peak",
                   [](const P& c) { return std::max(c.track.penetration_peak, 0.0); }, unit::metre,
                   "deepest"},
        SummaryRow{"restitution", [=](const P& c) { return known(c.track.restitution()); },
                   unit::none, "of the first contact"},
        SummaryRow{"restitution_ideal",
                   [=](const P& c) { return known(c.ideal ? NAN : c.restitution_ideal); },
                   unit::none, "of the first contact, without the loop"},
        SummaryRow{"restitution_error",
                   [=](const P& c) {
                     return known(c.ideal ? NAN : c.track.restitution() - c.restitution_ideal);
                   },
                   unit::none, "one minus the other"},
    };
  }
};

// A dock or loop at the end of a run.
struct DockSummary {
  std::string name, type, enforce;
  bool loop = false, engaged = true;
  std::string axes;                        // of the load: "N", a body's, or "port 1"
  Vec3<double> force, torque;              // [N], [N·m] on the second member, about its port
  std::vector<std::string> indeterminate;  // parts of the load that redundant rows leave open
  DockTrack track{0};

  static constexpr auto fields() {
    using P = DockSummary;
    constexpr auto known = [](double x) {
      return std::isfinite(x) ? std::optional(x) : std::nullopt;
    };
    // A row of loops, or of docks, alone.
    constexpr auto when = [](bool is, const auto& value) {
      return is ? std::optional(value) : std::nullopt;
    };
    return Schema{
        SummaryRow{"type", &P::type, kNoUnit, "of the constraint"},
        SummaryRow{"enforce", &P::enforce, kNoUnit, "how it was held"},
        SummaryRow{"engaged", &P::engaged, unit::none, "1 when joined at the end"},
        SummaryRow{"axes", [=](const P& d) { return when(d.loop, d.axes); }, kNoUnit,
                   "of the load"},
        SummaryRow{"force_A", [=](const P& d) { return when(d.loop, d.force); }, unit::newton,
                   "on the second member at the end"},
        SummaryRow{"torque_A", [=](const P& d) { return when(d.loop, d.torque); }, unit::N_m,
                   "likewise, about the second port"},
        SummaryRow{"force_N", [=](const P& d) { return when(!d.loop, d.force); }, unit::newton,
                   "on the second member at the end"},
        SummaryRow{"torque_N", [=](const P& d) { return when(!d.loop, d.torque); }, unit::N_m,
                   "likewise, about the second port"},
        SummaryRow{"indeterminate",
                   [=](const P& d) { return when(!d.indeterminate.empty(), d.indeterminate); },
                   kNoUnit, "parts of the load that redundant rows leave open"},
        SummaryRow{"force_peak", [](const P& d) { return d.track.force_peak(); }, unit::newton,
                   "largest force"},
        SummaryRow{"torque_peak", [](const P& d) { return d.track.torque_peak(); }, unit::N_m,
                   "largest torque"},
        SummaryRow{"force_peak_time", [=](const P& d) { return known(d.track.force_peak_time()); },
                   unit::second, "when the force was largest"},
        SummaryRow{"torque_peak_time",
                   [=](const P& d) { return known(d.track.torque_peak_time()); }, unit::second,
                   "when the torque was largest"},
        SummaryRow{"violation",
                   [=](const P& d) { return when(d.loop, d.track.violation().position); },
                   unit::metre, "largest, of its geometry"},
        SummaryRow{"violation_position",
                   [=](const P& d) { return when(!d.loop, d.track.violation().position); },
                   unit::metre, "largest, of its geometry"},
        SummaryRow{"violation_position_rms", [](const P& d) { return d.track.position_rms(); },
                   unit::metre, "root mean square over the second half of the run"},
        SummaryRow{"violation_attitude", [](const P& d) { return d.track.violation().attitude; },
                   unit::rad, "largest, of its geometry"},
    };
  }
};

struct ThrusterSummary {
  std::string name;  // of the set
  ThrusterTrack track;

  static constexpr auto fields() {
    using P = ThrusterSummary;
    return Schema{
        SummaryRow{"on_time", [](const P& t) { return t.track.on_time(); }, unit::second,
                   "how long its thrusters were open, added up"},
        SummaryRow{"impulse", [](const P& t) { return t.track.impulse(); }, unit::N_s,
                   "of its thrusters, added up whatever their directions"},
        SummaryRow{"delta_v", [](const P& t) { return t.track.delta_v(); }, unit::m_per_s,
                   "integral of its net force over the mass joined to it"},
    };
  }
};

// How near a condition of a capture came to holding.
struct ConditionSummary {
  std::string name;     // "capture_soft_gap"
  std::string event;    // of the capture
  std::string channel;  // that is compared
  std::string unit;     // of it
  double limit = 0;
  bool greater = false;  // wanted above the limit, or below it
  double best = NAN;     // reached while it was watched
  double t = NAN;        // [s] when
  bool met = false;

  static constexpr auto fields() {
    using P = ConditionSummary;
    constexpr auto known = [](double x) {
      return std::isfinite(x) ? std::optional(x) : std::nullopt;
    };
    return Schema{
        SummaryRow{"event", &P::event, kNoUnit, "of the capture"},
        SummaryRow{"channel", &P::channel, kNoUnit, "what is compared"},
        SummaryRow{"wanted", [](const P& c) { return std::string(c.greater ? "above" : "below"); },
                   kNoUnit, "the limit"},
        SummaryRow{"limit", &P::limit, unit::none, "in the unit of the channel"},
        SummaryRow{"best", [=](const P& c) { return known(c.best); }, unit::none,
                   "value that came nearest, or first met it"},
        SummaryRow{"t", [=](const P& c) { return known(c.t); }, unit::second, "when"},
        SummaryRow{"met", &P::met, unit::none, "1 when it held at some time"},
    };
  }
};

struct Summary {
  std::string title;
  Outcome outcome;
  std::string verdict;
  StepCounters steps;
  Audit audit;
  double wall_seconds = 0;
  std::vector<std::string> warnings;
  std::vector<EventRecord> events;
  std::vector<std::string> waiting;  // events that never acted
  std::vector<Expectation> expectations;
  std::vector<Sample> samples;
  ChannelList channels;
  FinalState final;
  std::vector<DockSummary> docks;
  std::vector<ContactSummary> contacts;
  std::vector<ThrusterSummary> thrusters;
  std::vector<ConditionSummary> conditions;                 // of captures
  double constraint_position = 0, constraint_attitude = 0;  // [m], [rad] largest of all docks
  std::string h5, csv;                                      // files written, empty when none

  // Completed, every expectation met, every audit a number.
  bool as_expected() const;

  static constexpr auto fields();  // summary_walk.h
};

// Audits that are no finite number: nothing is known of such a run.
std::vector<std::string> find_lost_audits(const Audit& audit);

// --- what is made of it --------------------------------------------------------------------------

// One paragraph for a reader.
std::string describe(const Summary& summary);
// The samples as a table: a line per number, a column per time.
std::string describe_samples(const Summary& summary);

// One JSON object; without wall-clock times when it goes into a file. −0 is written 0.
nlohmann::ordered_json to_value(const Summary& summary, bool with_wall_clock);
std::string to_json(const Summary& summary, bool with_wall_clock);
// The values of an event by name.
nlohmann::ordered_json to_value(const EventRecord& record);

// A value of a summary by its path. Booleans are 0 and 1.
struct SummaryValue {
  std::string path;
  std::variant<double, std::string> value;
  std::string unit, meaning;
};
std::vector<SummaryValue> list_values(const Summary& summary);
std::optional<SummaryValue> find_value(const Summary& summary, std::string_view path);
// NaN where there is none, or a text.
double find_number(const Summary& summary, std::string_view path);

}  // namespace berth
