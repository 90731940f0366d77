// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenario — a file as plain structs. Each struct's fields() is its schema; reading, writing,
// describing and checking all walk it.

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "berth/model/fields.h"
#include "berth/run/run.h"
#include "berth/scenario/capture_spec.h"
#include "berth/scenario/contact_spec.h"
#include "berth/scenario/dock_spec.h"
#include "berth/scenario/problem.h"
#include "berth/scenario/shape_spec.h"
#include "berth/scenario/sweep_spec.h"
#include "berth/scenario/task_spec.h"

namespace berth {

struct ComponentSpec {
  std::string name;
  std::string on;  // another component of the craft that carries it; empty = the hub
  std::vector<ShapeSpec> shape;
  VariantOf<Components<double>>::type part;
};

// The forces a file lists; gravity and orbit have tables of their own.
struct ForceSpec {
  std::string name;
  std::variant<SpringDamper<double>, ExternalLoad<double>, ThrusterSet<double>> part;
};

struct ControlSpec {
  std::string name;
  bool enabled = true;
  std::optional<TaskSpec> task;  // instead of references, for joints
  VariantOf<Controls<double>>::type part;
};

struct TimeSpec {
  double stop = 0;

  static constexpr auto fields() {
    using P = TimeSpec;
    return std::tuple{
        Field{"stop", &P::stop, unit::second, Range::positive, "when the run ends", required},
    };
  }
};

struct IntegratorSpec {
  std::string method = "dop853";
  double tolerance = 1e-10;
  std::string norm = "largest";
  double step = 0;
  double max_step = 0;
  int max_steps = kMostStepsTried;
  int max_events = kMostHappenings;
  double max_wall_time = 0;

  static constexpr auto fields() {
    using P = IntegratorSpec;
    return std::tuple{
        Field{"method", &P::method, unit::none, Range::any,
              "dop853 | dopri5 | rkf45 | rk4 | radau | variational2 | variational4"},
        Field{"tolerance", &P::tolerance, unit::none, Range::positive,
              "error relative to 1 m, 1 rad, 1 m/s, 1 rad/s plus the state; a step is held to a "
              "tenth"},
        Field{
            "norm", &P::norm, unit::none, Range::any,
            "largest: of all states | mean: root mean square, a step held to the whole tolerance, "
            "as in the literature"},
        Field{"step", &P::step, unit::second, Range::not_negative, "step of fixed-step methods"},
        Field{"max_step", &P::max_step, unit::second, Range::not_negative,
              "longest step; 0 = no limit"},
        Field{"max_steps", &P::max_steps, unit::none, Range::positive,
              "steps tried before the run ends as too_many_steps"},
        Field{"max_events", &P::max_events, unit::none, Range::positive,
              "happenings before it ends as too_many_events"},
        Field{"max_wall_time", &P::max_wall_time, unit::second, Range::not_negative,
              "of the clock before it ends as out_of_time; 0 = no limit; of single runs alone"},
    };
  }
};

// Elements or position and velocity, not both.
struct OrbitSpec {
  std::optional<Vec3<double>> position, velocity;
  std::optional<double> semi_major_axis;
  double eccentricity = 0, inclination = 0, node = 0, periapsis = 0, anomaly = 0;

  double mu = 3.986004415e14;
  double j2 = 0;
  double equatorial_radius = 6378136.3;
  bool gravity_gradient = true;

  static constexpr auto fields() {
    using P = OrbitSpec;
    return std::tuple{
        Field{"mu", &P::mu, unit::m3_per_s2, Range::positive, "gravitational parameter"},
        Field{"j2", &P::j2, unit::none, Range::any, "oblateness coefficient; 0 = sphere"},
        Field{"equatorial_radius", &P::equatorial_radius, unit::metre, Range::positive,
              "radius that goes with j2"},
        Field{"gravity_gradient", &P::gravity_gradient, unit::none, Range::any,
              "gravity-gradient torque on every body"},
        Field{"position", &P::position, unit::metre, Range::any,
              "reference point from the Earth's centre, N axes"},
        Field{"velocity", &P::velocity, unit::m_per_s, Range::any, "its velocity, N axes"},
        Field{"semi_major_axis", &P::semi_major_axis, unit::metre, Range::positive,
              "instead of position and velocity"},
        Field{"eccentricity", &P::eccentricity, unit::none, Range::not_negative, "below 1"},
        Field{"inclination", &P::inclination, unit::rad, Range::any, "of the orbit plane"},
        Field{"node", &P::node, unit::rad, Range::any, "right ascension of the ascending node"},
        Field{"periapsis", &P::periapsis, unit::rad, Range::any, "argument of periapsis"},
        Field{"anomaly", &P::anomaly, unit::rad, Range::any, "true anomaly at the start"},
    };
  }
};

struct StateSpec {
  Vec3<double> position, velocity;
  std::optional<Quaternion<double>> quaternion_BN;
  std::optional<Vec3<double>> sigma_BN;
  Vec3<double> omega_BN_B;
  std::string axes = "inertial";
  std::string relative_to;
  std::string port;
  std::string attitude = "inertial";

  static constexpr auto fields() {
    using P = StateSpec;
    return std::tuple{
        Field{"position", &P::position, unit::metre, Range::any,
              "hub frame, from the reference orbit point (or the inertial origin)"},
        Field{"velocity", &P::velocity, unit::m_per_s, Range::any, "likewise"},
        Field{"quaternion_BN", &P::quaternion_BN, unit::none, Range::any,
              "attitude, scalar first; takes body components to N (see attitude)"},
        Field{"sigma_BN", &P::sigma_BN, unit::none, Range::any, "attitude as MRP instead"},
        Field{"omega_BN_B", &P::omega_BN_B, unit::rad_per_s, Range::any,
              "angular velocity, body axes (see attitude)"},
        Field{"axes", &P::axes, unit::none, Range::any,
              "of position and velocity: inertial | hill | lvlh | port (of relative_to)"},
        Field{"relative_to", &P::relative_to, unit::none, Range::any,
              "what position and velocity are counted from: \"earth\" (its centre), or a port or "
              "body of another craft"},
        Field{"port", &P::port, unit::none, Range::any,
              "own port that stands there, with relative_to; default: the hub frame"},
        Field{"attitude", &P::attitude, unit::none, Range::any,
              "what attitude and rate are counted from: inertial | lvlh | mated (port facing "
              "relative_to)"},
    };
  }
};

struct PortSpec {
  std::string name;
  std::string on;
  Vec3<double> position;
  std::vector<Vec3<double>> axes;

  static constexpr auto fields() {
    using P = PortSpec;
    return std::tuple{
        Field{"name", &P::name, unit::none, Range::any, "what docks call it", required},
        Field{"on", &P::on, unit::none, Range::any, "component that carries it; default: the hub"},
        Field{"position", &P::position, unit::metre, Range::any, "origin in its body's frame"},
        Field{"axes", &P::axes, unit::none, Range::any,
              "two directions in its body's frame: x outward, z clocking"},
    };
  }
};

struct SpacecraftSpec {
  std::string name;
  std::string from;
  double mass = 0;
  Sym3<double> inertia;
  Vec3<double> centre_of_mass;
  std::optional<StateSpec> state;
  std::optional<PlacementSpec> placement;
  std::vector<PortSpec> port;
  std::vector<ComponentSpec> component;
  std::vector<ShapeSpec> shape;

  static constexpr auto fields() {
    using P = SpacecraftSpec;
    return std::tuple{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"from", &P::from, unit::none, Range::any, "file to take the craft from"},
        Field{"mass", &P::mass, unit::kg, Range::positive, "of the hub alone", required},
        Field{"inertia", &P::inertia, unit::kg_m2, Range::inertia,
              "of the hub alone, about its centre of mass, body axes", required},
        Field{"centre_of_mass", &P::centre_of_mass, unit::metre, Range::any,
              "of the hub alone, body axes"},
        Field{"state", &P::state, unit::none, Range::any, "where it starts"},
        Field{"placement", &P::placement, unit::none, Range::any,
              "instead of a state: { docked_to = \"craft.port\" }"},
        Field{"port", &P::port, unit::none, Range::any, "frames where something docks"},
        Field{"component", &P::component, unit::none, Range::any, "what it carries"},
        Field{"shape", &P::shape, unit::none, Range::any,
              "how the hub looks; left out = a box with its inertia"},
    };
  }
};

// A body outside of any craft: mechanisms on the ground, free bodies.
struct FreeBodySpec {
  std::string name;
  std::string parent = "ground";
  std::string joint = "free";
  Vec3<double> position, rotation;
  Vec3<double> axis{0, 0, 1};
  double mass = 0;
  Vec3<double> centre_of_mass;
  Sym3<double> inertia;
  std::vector<double> q, v;
  std::vector<PortSpec> port;
  std::vector<ShapeSpec> shape;

  static constexpr auto fields() {
    using P = FreeBodySpec;
    return std::tuple{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"parent", &P::parent, unit::none, Range::any, "body that carries it, or ground"},
        Field{"joint", &P::joint, unit::none, Range::any,
              "free | fixed | revolute | prismatic | planar | spherical"},
        Field{"position", &P::position, unit::metre, Range::any, "joint in the parent"},
        Field{"rotation", &P::rotation, unit::rad, Range::any,
              "rotation vector of the joint frame in the parent"},
        Field{"axis", &P::axis, unit::none, Range::unit_vector, "of revolute and prismatic joints"},
        Field{"mass", &P::mass, unit::kg, Range::positive, "mass", required},
        Field{"centre_of_mass", &P::centre_of_mass, unit::metre, Range::any, "body axes"},
        Field{"inertia", &P::inertia, unit::kg_m2, Range::inertia,
              "about the centre of mass, body axes", required},
        Field{"q", &P::q, unit::none, Range::any, "initial joint coordinates"},
        Field{"v", &P::v, unit::none, Range::any, "initial joint speeds"},
        Field{"port", &P::port, unit::none, Range::any, "frames where something docks"},
        Field{"shape", &P::shape, unit::none, Range::any,
              "how it looks; left out = a box with its inertia"},
    };
  }
};

// Names of channels; a trailing * stands for any ending.
inline bool fits_channel(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

struct RecordGroupSpec {
  std::string name;
  double interval = 0;
  std::vector<std::string> channels;

  static constexpr auto fields() {
    using P = RecordGroupSpec;
    return std::tuple{
        Field{"name", &P::name, unit::none, Range::any, "of the group", required},
        Field{"interval", &P::interval, unit::second, Range::positive, "between rows", required},
        Field{"channels", &P::channels, unit::none, Range::any,
              "names; a trailing * stands for any ending", required},
    };
  }
};

struct RecordSpec {
  double interval = 0;
  std::vector<std::string> channels = {"*"};
  bool at_events = true;
  bool scene = true;
  std::vector<RecordGroupSpec> group;

  static constexpr auto fields() {
    using P = RecordSpec;
    return std::tuple{
        Field{"interval", &P::interval, unit::second, Range::not_negative,
              "between rows; 0 = a thousandth of the run"},
        Field{"channels", &P::channels, unit::none, Range::any,
              "names; a trailing * stands for any ending"},
        Field{"at_events", &P::at_events, unit::none, Range::any, "a row at every event too"},
        Field{"scene", &P::scene, unit::none, Range::any,
              "poses of all bodies too, for the 3-D view of the report"},
        Field{"group", &P::group, unit::none, Range::any, "channels at another rate"},
    };
  }
};

// One action of an event, as written.
struct ActionSpec {
  std::optional<std::string> control, force, kick, strike, latch, release, verdict, stop;
  std::string lock = "current";
  std::optional<bool> enable;
  std::vector<Profile<double>> reference;
  std::optional<TaskSpec> task;
  std::optional<double> rate, add, record;
  Vec3<double> impulse, point, angular_impulse;

  static constexpr auto fields() {
    using P = ActionSpec;
    return std::tuple{
        Field{"control", &P::control, unit::none, Range::any,
              "controller to switch (enable) or to give a reference"},
        Field{"force", &P::force, unit::none, Range::any, "force to switch (enable)"},
        Field{"enable", &P::enable, unit::none, Range::any, "on or off"},
        Field{"reference", &P::reference, unit::none, Range::any,
              "new profiles; their start is counted from the event"},
        Field{"task", &P::task, unit::none, Range::any, "a new task, likewise"},
        Field{"kick", &P::kick, unit::none, Range::any, "joint whose speed changes"},
        Field{"rate", &P::rate, unit::rad_per_s, Range::any, "kick: the new speed"},
        Field{"add", &P::add, unit::rad_per_s, Range::any, "kick: added to the speed"},
        Field{"strike", &P::strike, unit::none, Range::any, "body that takes a blow"},
        Field{"impulse", &P::impulse, unit::N_s, Range::any, "strike: impulse, body axes"},
        Field{"point", &P::point, unit::metre, Range::any, "strike: where, body axes"},
        Field{"angular_impulse", &P::angular_impulse, unit::N_m_s, Range::any,
              "strike: angular impulse, body axes"},
        Field{"latch", &P::latch, unit::none, Range::any, "dock that joins"},
        Field{"lock", &P::lock, unit::none, Range::any,
              "latch: current (the ports as they stand) | nominal (as designed, within the gap)"},
        Field{"release", &P::release, unit::none, Range::any, "dock that lets go"},
        Field{"record", &P::record, unit::second, Range::positive, "new interval between rows"},
        Field{"verdict", &P::verdict, unit::none, Range::any, "of the run, which goes on"},
        Field{"stop", &P::stop, unit::none, Range::any, "end the run with this verdict"},
    };
  }
};

struct EventSpec {
  std::string name;
  std::optional<double> at;
  std::string after;
  double delay = 0;
  std::string hit;
  std::string when;
  std::string direction = "begins";
  double hold = 0;
  bool repeat = false;
  std::string unless;
  std::vector<std::string> tell;
  std::vector<ActionSpec> actions;
  bool may_wait = false;      // no input: events of a capture may never come
  bool follows_best = false;  // nor this: how near it came is reported

  static constexpr auto fields() {
    using P = EventSpec;
    return std::tuple{
        Field{"name", &P::name, unit::none, Range::any, "what other events call it", required},
        Field{"at", &P::at, unit::second, Range::not_negative,
              "trigger: this time; with when, from then on"},
        Field{"after", &P::after, unit::none, Range::any, "trigger: another event"},
        Field{"delay", &P::delay, unit::second, Range::not_negative, "behind the other event"},
        Field{"hit", &P::hit, unit::none, Range::any,
              "trigger: a blow to this contact; with when, if that holds as it comes"},
        Field{"when", &P::when, unit::none, Range::any,
              "trigger: a condition on channels, as in \"servicer.rate < 0.001\""},
        Field{"direction", &P::direction, unit::none, Range::any,
              "begins: when the condition begins to hold; ends: when it ceases; now: only if it "
              "holds "
              "when the other trigger comes"},
        Field{"hold", &P::hold, unit::second, Range::not_negative,
              "how long the condition must hold"},
        Field{"repeat", &P::repeat, unit::none, Range::any, "act every time, not only once"},
        Field{"unless", &P::unless, unit::none, Range::any,
              "not any more once this event has acted"},
        Field{"tell", &P::tell, unit::none, Range::any,
              "channels whose numbers at that moment go with the event"},
        Field{"do", &P::actions, unit::none, Range::any, "what is done, in order"},
    };
  }
};

// What must come out; left out = not asked.
struct ExpectSpec {
  std::optional<std::string> verdict, outcome;
  std::optional<double> energy, linear_momentum, angular_momentum;
  std::optional<double> force_peak_max, torque_peak_max;
  std::optional<double> violation_position_max, violation_attitude_max;
  std::vector<std::string> final;

  static constexpr auto fields() {
    using P = ExpectSpec;
    return std::tuple{
        Field{"verdict", &P::verdict, unit::none, Range::any, "what an event says of the run"},
        Field{"outcome", &P::outcome, unit::none, Range::any, "how the run ends"},
        Field{"energy", &P::energy, unit::none, Range::positive, "largest energy audit"},
        Field{"linear_momentum", &P::linear_momentum, unit::none, Range::positive,
              "largest linear momentum audit"},
        Field{"angular_momentum", &P::angular_momentum, unit::none, Range::positive,
              "largest angular momentum audit"},
        Field{"force_peak_max", &P::force_peak_max, unit::newton, Range::positive,
              "largest force at any dock or contact"},
        Field{"torque_peak_max", &P::torque_peak_max, unit::N_m, Range::positive,
              "largest torque at any dock"},
        Field{"violation_position_max", &P::violation_position_max, unit::metre, Range::positive,
              "largest violation of any dock"},
        Field{"violation_attitude_max", &P::violation_attitude_max, unit::rad, Range::positive,
              "largest violation of any dock"},
        Field{"final", &P::final, unit::none, Range::any,
              "conditions on channels that hold at the end"},
    };
  }
};

struct GravitySpec {
  Vec3<double> uniform;

  static constexpr auto fields() {
    using P = GravitySpec;
    return std::tuple{
        Field{"uniform", &P::uniform, unit::m_per_s2, Range::any, "acceleration of gravity",
              required},
    };
  }
};

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
  std::vector<ControlSpec> control;
  std::vector<MeasureSpec> measure;
  std::vector<CaptureSpec> capture;
  std::vector<EventSpec> event;
  ExpectSpec expect;
  SweepSpec sweep;
  StabilitySpec stability;

  static constexpr auto fields() {
    using P = Scenario;
    return std::tuple{
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
        Field{"control", &P::control, unit::none, Range::any, "controllers"},
        Field{"measure", &P::measure, unit::none, Range::any, "further channels"},
        Field{"capture", &P::capture, unit::none, Range::any, "when a docking counts as one"},
        Field{"event", &P::event, unit::none, Range::any, "what happens when"},
        Field{"expect", &P::expect, unit::none, Range::any, "what must come out"},
        Field{"sweep", &P::sweep, unit::none, Range::any, "what berth sweep varies"},
        Field{"stability", &P::stability, unit::none, Range::any,
              "where berth stability looks at a contact"},
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
// The same for text that is not in a file; `name` stands for the file in messages.
ReadScenario read_scenario_text(std::string_view text, const std::string& name,
                                const std::vector<std::string>& overrides = {},
                                const std::filesystem::path& folder = ".");

// The text of a scenario file; nothing, and a problem, when it cannot be read as text.
std::optional<std::string> read_scenario_file(const std::filesystem::path& path,
                                              Problems& problems);
// A text that stands alone: settings and the craft of other files worked in, defaults left out, so
// that further settings act on it as they would on the file.
std::string expand_scenario(std::string_view text, const std::string& name,
                            const std::vector<std::string>& overrides,
                            const std::filesystem::path& folder, Problems& problems);

// The complete scenario, defaults written out.
std::string write_scenario(const Scenario& scenario);

// What a scenario becomes: something to run. Adds to the problems what only building shows.
struct Story {
  System<double> system;
  RunOptions options;
  std::vector<Event> events;
};
Story build_story(const Scenario& scenario, Problems& problems);

}  // namespace berth
