// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/world.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "berth/scenario/read/part_reader.h"
#include "berth/scenario/read/part_writer.h"

namespace berth::test {
namespace {

// --- the example on a part's page ----------------------------------------------------------------

std::string first_toml_block(const std::string& path) {
  std::ifstream in(path);
  std::string line, block;
  bool inside = false;
  while (std::getline(in, line)) {
    if (!inside && line.starts_with("```toml")) {
      inside = true;
    } else if (inside && line.starts_with("```")) {
      return block;
    } else if (inside) {
      block += line + "\n";
    }
  }
  return "";
}

// The table with `type = …` of the part, wherever it is; parts with a table of their own name
// ([orbit], [gravity]) are found by it.
const toml::table* find_table(const toml::node& node, std::string_view type) {
  if (const toml::table* table = node.as_table()) {
    if ((*table)["type"].value_or(std::string_view()) == type) return table;
    for (const auto& [key, child] : *table) {
      if (child.is_table() && (type == std::string("orbital_gravity")   ? key == "orbit"
                               : type == std::string("uniform_gravity") ? key == "gravity"
                                                                        : false))
        return child.as_table();
      if (const toml::table* found = find_table(child, type)) return found;
    }
  }
  if (const toml::array* array = node.as_array())
    for (const toml::node& child : *array)
      if (const toml::table* found = find_table(child, type)) return found;
  return nullptr;
}

// --- one part ------------------------------------------------------------------------------------

template <HasFields Part>
void turn_directions_of(Part& part, Random& random) {
  for_each_field(part, [&](const auto& field, auto& member) {
    using M = std::remove_cvref_t<decltype(member)>;
    if constexpr (std::same_as<M, Vec3<double>>) {
      if (field.range == Range::unit_vector) member = random.direction();
    } else if constexpr (requires { requires HasFields<typename M::value_type>; }) {
      for (auto& inner : member) turn_directions_of(inner, random);
    }
  });
}

// Something for motors to do.
void drive_joints(System<double>& system, int servicer, const Units& u) {
  JointPd<double> motor;
  for (int i = servicer + 4; i < system.model.body_count(); ++i) {
    if (system.model.body(i).joint != JointType::revolute) continue;
    motor.joints.push_back(system.model.names[static_cast<std::size_t>(i)]);
    Profile<double> wanted;
    wanted.value = 0.3;
    motor.reference.push_back(wanted);
  }
  motor.stiffness = 0.02;
  motor.damping = 0.01;
  restate(motor, unit::none, u);
  if (!motor.joints.empty()) system.add_control(motor);
}

template <class Part>
class Examined final : public ExaminedPart {
 public:
  Examined(std::string_view from, Part part) : part_(std::move(part)) {
    folder = from;
    type = Part::type;
    tied_to_earth = requires { Part::tied_to_earth; };
    if constexpr (requires { &Part::add_effort; })
      from_outside = is_external<Part>();
    else
      from_outside = true;
  }

  void add_to(System<double>& system, int body, const Setting& setting) const override {
    const Units& u = setting.units;
    Part part = part_;
    if constexpr (requires { part.rotate_world(setting.R); }) part.rotate_world(setting.R);
    restate(part, unit::none, u);
    if constexpr (Component<Part, double>) {
      system.add_component(part, body, "servicer.part");
      drive_joints(system, body, u);
    } else if constexpr (std::same_as<Part, OrbitalGravity<double>>) {
      system.set_orbit(part, u.m * (setting.R * Vec3<double>{-5.7874e6, 1.3157e6, 3.2735e6}),
                       (u.m / u.s) * (setting.R * Vec3<double>{-2221.6, -7272.9, -988.7}));
    } else if constexpr (
        requires { system.add_force(part); } && requires { &Part::add_effort; }) {
      system.add_force(part);
    } else {
      system.add_control(part);
    }
  }

  std::string write() const override { return text_of(part_); }
  std::string write_again() const override {
    Part again;
    Problems problems;
    read_part(toml::parse(write()), again, "again", problems);
    for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
    return text_of(again);
  }

  std::vector<Input> inputs() const override {
    std::vector<Input> list;
    for_each_field(part_, [&](const auto& field, const auto&) {
      list.push_back({field.name, field.meaning, field.unit.symbol});
    });
    return list;
  }

  void turn_directions(Random& random) override { turn_directions_of(part_, random); }
  bool switch_sampling() override {
    if constexpr (requires { part_.sample_time; }) {
      part_.sample_time = part_.sample_time > 0 ? 0 : 0.5;
      if constexpr (requires { part_.latency; }) part_.latency = 0;
      return true;
    }
    return false;
  }

 private:
  static std::string text_of(const Part& part) {
    std::ostringstream out;
    out << write_part(part);
    return out.str();
  }
  Part part_;
};

}  // namespace

std::string page_of(std::string_view folder, std::string_view type) {
  return std::string(BERTH_SOURCE_DIR) + "/docs/" + std::string(folder) + "/" + std::string(type) +
         ".md";
}

toml::table read_example_table(std::string_view folder, std::string_view type) {
  const std::string path = page_of(folder, type);
  const std::string block = first_toml_block(path);
  if (block.empty()) {
    ADD_FAILURE() << path << " has no toml example";
    return {};
  }
  const toml::table document = toml::parse(block);
  const toml::table* table = find_table(document, type);
  if (!table) ADD_FAILURE() << path << ": no table of type " << type;
  return table ? *table : toml::table{};
}

// What the example says of where its part sits, not of the part.
constexpr std::string_view kKeysOfTheFile[] = {"type", "name", "on", "position", "velocity"};

std::vector<std::unique_ptr<ExaminedPart>> read_examples() {
  std::vector<std::unique_ptr<ExaminedPart>> list;
  const auto read = [&]<class Part>(std::string_view folder) {
    const toml::table table = read_example_table(folder, Part::type);
    if (table.empty()) return;
    Part part;
    Problems problems{page_of(folder, Part::type), {}};
    read_part(table, part, std::string(Part::type), problems, kKeysOfTheFile);
    for (const Problem& p : problems.list) ADD_FAILURE() << describe(p);
    if (problems.empty()) list.push_back(std::make_unique<Examined<Part>>(folder, part));
  };
  for_each_type(Components<double>{},
                [&]<class P>() { read.template operator()<P>("components"); });
  for_each_type(Forces<double>{}, [&]<class P>() { read.template operator()<P>("forces"); });
  for_each_type(Controls<double>{}, [&]<class P>() { read.template operator()<P>("control"); });
  return list;
}

// --- the world -----------------------------------------------------------------------------------

System<double> build_world(const ExaminedPart& part, const Setting& setting) {
  const Units& u = setting.units;
  System<double> system;

  // Hubs.
  Random random(setting.seed);
  BodySpec<double> hubs[2];
  for (int k = 0; k < 2; ++k) {
    const double mass = random.number(50, 100);
    const Sym3<double> I = (u.kg * u.m * u.m) * random.inertia(40);
    const Vec3<double> c = u.m * random.vector(0.1);
    Vec3<double> r = setting.R * (random.vector(0.5) + Vec3<double>{2.0 * k, 0, 0});
    Vec3<double> v = setting.R * random.vector(0.2);
    const Vec3<double> omega = random.vector(0.3);
    const Quaternion<double> q = canonical(quaternion(setting.R) * canonical(random.quaternion()));
    if (setting.floating) r += setting.shift, v += setting.boost;
    BodySpec<double>& h = hubs[k];
    h.name = k == 0 ? "servicer" : "target";
    h.mass = mass * u.kg;
    h.I_C_B = I;
    h.r_CB_B = c;
    h.q = {r.x * u.m, r.y * u.m, r.z * u.m, q.w, q.x, q.y, q.z};
    h.v.clear();
    for (int i = 0; i < 3; ++i) h.v.push_back(v[i] * u.m / u.s);
    for (int i = 0; i < 3; ++i) h.v.push_back(omega[i] / u.s);
  }
  const int servicer = system.model.add_body(hubs[0]);
  const int target = system.model.add_body(hubs[1]);
  system.model.ports = {{"servicer.probe", {servicer, {1.1 * u.m, -0.1 * u.m, 0.0}, {}}},
                        {"target.cone", {target, {-0.8 * u.m, 0.0, 0.2 * u.m}, {}}}};
  for (auto& [name, port] : system.model.ports)
    port.R_BP = rotation_about(normalised(Vec3<double>{0.2, 0.9, -0.3}), 0.7);

  // The arm.
  RobotArm<double> arm;
  for (int i = 0; i < 2; ++i) {
    ArmLink<double> link;
    link.position = {0.5 + 0.3 * i, 0.2, -0.1};
    link.axis = normalised(Vec3<double>{0.2, 1.0 - i, 1.0});
    link.mass = 4;
    link.centre_of_mass = {0.3, 0.05, 0};
    link.inertia = {0.1, 0.2, 0.2, 0.01, 0, 0.02};
    link.friction = 0.3;
    link.angle = 0.4 - 0.7 * i;
    link.rate = 0.2 + 0.1 * i;
    arm.link.push_back(link);
  }
  restate(arm, unit::none, u);
  system.add_component(arm, servicer, "servicer.arm");

  part.add_to(system, servicer, setting);
  return system;
}

System<double> build_world(const RigidPayload<double>& part, const Setting& setting) {
  return build_world(Examined("components", part), setting);
}
System<double> build_world(const ThrusterSet<double>& part, const Setting& setting) {
  return build_world(Examined("forces", part), setting);
}
System<double> build_world(const JointPd<double>& part, const Setting& setting) {
  return build_world(Examined("control", part), setting);
}

}  // namespace berth::test
