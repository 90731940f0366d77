// SPDX-License-Identifier: Apache-2.0
#include "berth/live/facility.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "berth/live/chance.h"

namespace berth {
namespace {

// [s] Within which a force is a parabola: 1.3e-4 of what swings with 40 Hz is missed.
constexpr double kPiece = 1e-3;

Vec3<double> read_vector(std::span<const double> x, std::size_t first) {
  return {x[first], x[first + 1], x[first + 2]};
}

// The law and friction of the mock-ups, which may be others than those of the scenario.
void set_law(const FacilitySpec& spec, Contact<double>& c, Problems& problems) {
  auto* law = std::get_if<SpringDashpot<double>>(&c.law);
  if ((spec.stiffness || spec.damping) && !law)
    return problems.add(
        "facility.stiffness",
        "and damping belong to the law spring_dashpot; the law of " + c.name + " is another");
  if (spec.stiffness) law->stiffness = *spec.stiffness;
  if (spec.damping) law->damping = *spec.damping;
  if (spec.friction) c.friction = Coulomb<double>{*spec.friction};
}

// Where a channel of the ticks is; nothing where it is none.
std::optional<std::size_t> find_place(const DatagramLayout& layout, const std::string& name) {
  std::size_t first = 0;
  for (const Simulation::Signal& s : layout.measures) {
    if (s.name == name) return first;
    first += static_cast<std::size_t>(s.width);
  }
  return std::nullopt;
}

}  // namespace

Facility::Facility(const FacilitySpec& spec, const Contact<double>& contact)
    : spec_(spec),
      contact_(contact),
      sensor_(spec.sensor, spec.gravity, static_cast<std::uint64_t>(spec.seed)) {
  const SecondOrderLag lag{spec.robot_frequency, spec.robot_damping};
  robots_.assign(2, Robot(lag, {spec.max_speed, spec.max_rate}));
}

std::optional<Facility> Facility::build(const LiveSetup& setup, Problems& problems) {
  const Scenario& s = setup.scenario;
  const External<double>& e = setup.served();
  const auto given = find_given_contact(s, e);
  if (!given) {
    problems.add(
        "external." + e.name + ".commands",
        "none is the force of a contact (as = \"contact\"): there is nothing that a facility "
        "could measure");
    return std::nullopt;
  }
  const std::string& name = s.contact[*given].name;
  std::optional<Contact<double>> contact;
  int corners = 0;
  for (const Contact<double>& c : setup.built.system.contacts)
    if (c.report_name() == name) contact = c, ++corners;
  if (corners != 1) {
    problems.add("contact." + name + ".probe",
                 "touches at several corners: a facility has one probe");
    return std::nullopt;
  }
  const FacilitySpec spec = s.facility.value_or(FacilitySpec{});
  set_law(spec, *contact, problems);
  Facility out(spec, *contact);
  const Model<double>& model = setup.built.system.model;
  for (std::size_t k = 0; k < 2; ++k) {
    const int body = k == 0 ? contact->port_1.body : contact->port_2.body;
    Craft& craft = out.craft_[k];
    craft.name = model.names[static_cast<std::size_t>(body)];
    const auto place = [&](const char* quantity) {
      const auto found = find_place(setup.layout, craft.name + "." + quantity);
      if (!found && problems.empty())
        problems.add("contact." + name + ".between",
                     craft.name + " is no spacecraft: robots move the hubs of craft");
      return found.value_or(0);
    };
    craft.position = place("rho_BO_N"), craft.attitude = place("quaternion_BN");
    craft.velocity = place("rhodot_BO_N"), craft.rate = place("omega_BN_B");
    for (const RobotSpec& r : spec.robot)
      if (r.craft == craft.name) craft.limits = r;
  }
  for (const RobotSpec& r : spec.robot)
    if (r.craft != out.craft_[0].name && r.craft != out.craft_[1].name)
      problems.add("facility.robot", fmt::format("craft = \"{}\": the robots carry {} and {}",
                                                 r.craft, out.craft_[0].name, out.craft_[1].name));
  // As the system has them: bodies and axes are found there.
  const auto& externals = std::get<std::vector<External<double>>>(setup.built.system.controls);
  for (const ExternalCommand<double>& c : externals[setup.external].commands) {
    if (!c.is_of_contact() || c.to.name != name) continue;
    if (c.axes == CommandAxes::lvlh)
      problems.add(fmt::format("external.{}.commands.{}.axes", e.name, c.name),
                   "a facility knows no orbit: \"body\", \"inertial\" or \"port\"");
    Output output{
        static_cast<std::size_t>(c.first), c.as == CommandKind::contact_torque, c.axes, 0, {}};
    if (c.axes == CommandAxes::port) {
      output.R_BP = c.frame.R_BP;
      if (c.frame.body == contact->port_2.body) output.frame = 1;
      if (c.frame.body != contact->port_2.body && c.frame.body != contact->port_1.body)
        problems.add(fmt::format("external.{}.commands.{}.port", e.name, c.name),
                     "is on neither of the two craft");
    }
    out.outputs_.push_back(output);
  }
  if (!problems.empty()) return std::nullopt;
  return out;
}

void Facility::arm(double sample_time) {
  constexpr double most = 1e6;  // ticks that are remembered
  const double kept = (spec_.delay + spec_.jitter) / sample_time + 16;
  for (Robot& r : robots_) r.clear(static_cast<std::size_t>(std::min(kept, most)));
  contact_.clear();
  ticks_ = 0;
  fault_.clear();
}

LabMotion Facility::read(const Craft& craft, std::span<const double> x) const {
  LabMotion m;
  m.r_BL_N = read_vector(x, craft.position);
  m.q_BN = Quaternion<double>{x[craft.attitude], x[craft.attitude + 1], x[craft.attitude + 2],
                              x[craft.attitude + 3]};
  m.v_BL_N = read_vector(x, craft.velocity);
  m.omega_BN_B = read_vector(x, craft.rate);
  return m;
}

bool Facility::check_limits(std::size_t k) {
  const Craft& craft = craft_[k];
  if (!craft.limits) return true;
  const LabMotion& m = robots_[k].motion();
  const double far = norm(m.r_BL_N - craft.limits->base);
  const double tilt = norm(find_rotation(craft.q_start, m.q_BN));
  if (craft.limits->reach > 0 && far > craft.limits->reach)
    fault_ =
        fmt::format("the robot of {} would reach {:.4g} m from its base; its limit is {:.4g} m",
                    craft.name, far, craft.limits->reach);
  if (craft.limits->tilt > 0 && tilt > craft.limits->tilt)
    fault_ = fmt::format("the robot of {} would tilt by {:.4g} rad; its limit is {:.4g} rad",
                         craft.name, tilt, craft.limits->tilt);
  return fault_.empty();
}

// A vector of the mock-up of the probe, in the axes of a command.
Vec3<double> Facility::find_components(const Output& o, const Vec3<double>& v_B) const {
  if (o.axes == CommandAxes::body) return v_B;
  const Vec3<double> v_N = rotation_matrix(robots_[0].motion().q_BN) * v_B;
  if (o.axes == CommandAxes::inertial) return v_N;
  const Mat3<double> R_NB =
      rotation_matrix(robots_[static_cast<std::size_t>(o.frame)].motion().q_BN);
  return transposed_times(o.R_BP, transposed_times(R_NB, v_N));
}

void Facility::move_to(double t) {
  for (Robot& robot : robots_) robot.move_to(t);
  touch_ = contact_.find(robots_[0].motion(), robots_[1].motion());
  load_ = {robots_[0].motion(), touch_.force_N, touch_.r_QB_N};
}

bool Facility::answer(std::uint64_t tick, double t, std::span<const double> measures,
                      std::span<double> commands) {
  LabMotion probe = read(craft_[0], measures), surface = read(craft_[1], measures);
  const Vec3<double> apart = probe.r_BL_N - surface.r_BL_N, rate = probe.v_BL_N - surface.v_BL_N;
  const bool is_first = ticks_++ == 0;
  if (is_first) {
    apart_start_ = apart;
    craft_[0].q_start = probe.q_BN, craft_[1].q_start = surface.q_BN;
  }
  surface.r_BL_N = -spec_.share * (apart - apart_start_);  // (1)
  surface.v_BL_N = -spec_.share * rate;
  probe.r_BL_N = surface.r_BL_N + apart;
  probe.v_BL_N = surface.v_BL_N + rate;
  const auto seed = static_cast<std::uint64_t>(spec_.seed);
  dead_time_ = spec_.delay;
  if (spec_.jitter > 0) dead_time_ += spec_.jitter * find_chance(Chance::dead_time, seed, tick);
  robots_[0].command(t, probe, dead_time_);
  robots_[1].command(t, surface, dead_time_);
  if (is_first) {
    move_to(t);
    sensor_.start(load_);
  } else if (sensor_.has_filter()) {
    const double passed = t - t_, most = 64;
    const double pieces = std::clamp(std::ceil(passed / kPiece), 1.0, most);
    for (double i = 0; i < pieces; ++i) {
      move_to(t_ + (i + 0.5) / pieces * passed);
      const ForceSensor::Load middle = load_;
      move_to(i + 1 < pieces ? t_ + (i + 1) / pieces * passed : t);
      sensor_.advance(passed / pieces, middle, load_);
    }
  } else {
    move_to(t);
    sensor_.advance(t - t_, load_, load_);
  }
  t_ = t;
  if (!check_limits(0) || !check_limits(1)) return false;
  measured_ = sensor_.measure(tick, load_);
  force_N_ = rotation_matrix(robots_[0].motion().q_BN) * measured_.contact.force;
  std::fill(commands.begin(), commands.end(), NAN);
  for (const Output& o : outputs_) {
    const Vec3<double> v =
        find_components(o, o.is_torque ? measured_.contact.torque : measured_.contact.force);
    for (int i = 0; i < 3; ++i) commands[o.first + static_cast<std::size_t>(i)] = v[i];
  }
  return true;
}

}  // namespace berth
