// SPDX-License-Identifier: Apache-2.0
#pragma once

// [[spacecraft]] and [[body]] as plain structs: what there is, and where it starts.

#include <optional>
#include <string>
#include <vector>

#include "berth/components/list.h"
#include "berth/model/fields.h"
#include "berth/model/findings.h"
#include "berth/scenario/spec/dock_spec.h"
#include "berth/scenario/spec/shape_spec.h"

namespace berth {

struct ComponentSpec {
  std::string name;
  ComponentRef on;
  std::vector<ShapeSpec> shape;
  VariantOf<Components<double>>::type part;

  static constexpr auto fields() {
    using P = ComponentSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"on", &P::on, unit::none, Range::any,
              "another component of the craft that carries it; default: the hub"},
        Field{"shape", &P::shape, unit::none, Range::any,
              "its shape in pictures; left out = after its kind and inertia"},
    };
  }
  static constexpr auto choice() { return Choice{"type", &ComponentSpec::part}; }
};

enum class StateAxes : unsigned char { inertial, hill, lvlh, port };
constexpr auto keywords_of(StateAxes) {
  return std::array{Keyword{"inertial", "N"},
                    Keyword{"hill", "of the reference orbit: radial, along-track, normal"},
                    Keyword{"lvlh", "of the reference orbit: x V-bar, z nadir"},
                    Keyword{"port", "of relative_to"}};
}

enum class StateAttitude : unsigned char { inertial, hill, lvlh, mated };
constexpr auto keywords_of(StateAttitude) {
  return std::array{Keyword{"inertial", "N"}, Keyword{"hill", "Hill axes of the reference orbit"},
                    Keyword{"lvlh", "LVLH axes of the reference orbit"},
                    Keyword{"mated", "the port facing relative_to"}};
}

struct StateSpec {
  Vec3<double> position, velocity;
  std::optional<Quaternion<double>> quaternion_BN;
  std::optional<Vec3<double>> sigma_BN, euler;
  Vec3<double> omega_BN_B;
  OneOf<StateAxes> axes;
  PortOrEarthRef relative_to;
  OwnPortRef port;
  OneOf<StateAttitude> attitude;

  static constexpr auto fields() {
    using P = StateSpec;
    return Schema{
        Field{"position", &P::position, unit::metre, Range::any,
              "hub frame, from the reference orbit point (or the inertial origin)"},
        Field{"velocity", &P::velocity, unit::m_per_s, Range::any, "likewise"},
        Field{"quaternion_BN", &P::quaternion_BN, unit::none, Range::any,
              "attitude, scalar first; takes body components to N (see attitude)"},
        Field{"sigma_BN", &P::sigma_BN, unit::none, Range::any, "attitude as MRP instead"},
        Field{"euler", &P::euler, unit::rad, Range::any,
              "attitude as Euler angles 3-2-1 instead: yaw about z, pitch about the new y, roll "
              "about the new x"},
        Field{"omega_BN_B", &P::omega_BN_B, unit::rad_per_s, Range::any,
              "angular velocity, body axes (see attitude)"},
        Field{"axes", &P::axes, unit::none, Range::any, "of position and velocity"},
        Field{"relative_to", &P::relative_to, unit::none, Range::any,
              "what position and velocity are counted from: the Earth's centre, or something on "
              "another craft"},
        Field{"port", &P::port, unit::none, Range::any,
              "own port that stands there, with relative_to; default: the hub frame"},
        Field{"attitude", &P::attitude, unit::none, Range::any,
              "what attitude and rate are counted from"},
    };
  }
  // Counted from something on another craft.
  bool is_relative() const { return !relative_to.empty() && relative_to.name != "earth"; }
  void check(const Surroundings& around, Findings& findings) const;
};

struct PortSpec {
  std::string name;
  ComponentRef on;
  Vec3<double> position;
  std::vector<Vec3<double>> axes;

  static constexpr auto fields() {
    using P = PortSpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what docks call it", required},
        Field{"on", &P::on, unit::none, Range::any, "component that carries it; default: the hub"},
        Field{"position", &P::position, unit::metre, Range::any, "origin in its body's frame"},
        Field{
            "axes", &P::axes, unit::none, Range::any,
            "directions in its body's frame: x outward and z clocking; or x alone, z then as near "
            "the body's z (or x) as can be"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
  Mat3<double> find_axes() const {
    if (axes.empty()) return Mat3<double>::identity();
    if (axes.size() > 1) return axes_from_x_and_z(axes[0], axes[1]);
    const bool along_z = std::fabs(normalised(axes[0]).z) > 0.9;
    return axes_from_x_and_z(axes[0], along_z ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1});
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
    return Schema{
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
              "shape of the hub in pictures; left out = a box with its inertia"},
    };
  }
  void check(const Surroundings& around, Findings& findings) const;
};

// A body outside of any craft: mechanisms on the ground, free bodies.
struct FreeBodySpec {
  std::string name;
  EarlierBodyRef parent = "ground";
  OneOf<JointType> joint;
  Vec3<double> position, rotation;
  Vec3<double> axis{0, 0, 1};
  double mass = 0;
  Vec3<double> centre_of_mass;
  Sym3<double> inertia;
  std::vector<double> q, v;
  double stiffness = 0, damping = 0, rest = 0, effort = 0;
  std::vector<PortSpec> port;
  std::vector<ShapeSpec> shape;

  static constexpr auto fields() {
    using P = FreeBodySpec;
    return Schema{
        Field{"name", &P::name, unit::none, Range::any, "what all else calls it", required},
        Field{"parent", &P::parent, unit::none, Range::any, "that carries it"},
        Field{"joint", &P::joint, unit::none, Range::any, "how it may move against its parent"},
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
        Field{"stiffness", &P::stiffness, unit::N_m_per_rad, Range::not_negative,
              "of a spring in its joint; N/m of a prismatic one"},
        Field{"damping", &P::damping, unit::N_m_s_per_rad, Range::not_negative,
              "of its joint; N·s/m of a prismatic one"},
        Field{"rest", &P::rest, unit::rad, Range::any,
              "where the spring rests; m of a prismatic joint"},
        Field{"effort", &P::effort, unit::N_m, Range::any,
              "constant, along its joint; N of a prismatic one"},
        Field{"port", &P::port, unit::none, Range::any, "frames where something docks"},
        Field{"shape", &P::shape, unit::none, Range::any,
              "its shape in pictures; left out = a box with its inertia"},
    };
  }
  bool has_spring() const { return stiffness > 0 || damping > 0 || effort != 0; }
  void check(const Surroundings& around, Findings& findings) const;
};

}  // namespace berth
