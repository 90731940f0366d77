// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs that name something else: a body, a port, a joint, a thruster set, …
//
// A reference holds the name as written and, once resolved (resolve.h), the index of what it names.
// What runs uses the index alone.

#include <string>
#include <string_view>
#include <vector>

namespace berth {

enum class Named : unsigned char {
  body,          // or the ground
  moving_body,   // not the ground
  earlier_body,  // that stands before in the file, or the ground
  joint,  // a body on a joint of one speed; the end of its name will do where it is the only one
  carried_joint,  // of a component on the body named before
  port,           // or a body: its own frame
  port_or_earth,
  thruster_set,
  sensor,
  component,  // of the same craft
  own_port,   // likewise
  dock,
  closure,  // a dock or loop
  contact,
  force,
  control,
  external,
  actuator,  // what an external commands: thruster set, body, joint, contact or event
  event,
  failing,  // what may fail: a thruster of a set, a sensor, a dock, a capture or a contact
};

// What `describe` calls it, and what a message does when there is none: "no body named x".
struct NamedText {
  std::string_view kind, missing;
};
constexpr NamedText text_of(Named kind) {
  switch (kind) {
    case Named::body: return {"name of a body, or ground", "body named"};
    case Named::moving_body: return {"name of a body", "body named"};
    case Named::earlier_body: return {"name of a body before this one, or ground", "body"};
    case Named::joint: return {"name of a joint", "body named"};
    case Named::carried_joint: return {"name of a component", "body named"};
    case Named::port: return {"name of a port or body", "port"};
    case Named::port_or_earth: return {"name of a port or body, or earth", "port"};
    case Named::thruster_set: return {"name of a thruster_set", "thruster set named"};
    case Named::sensor: return {"name of a sensor", "sensor named"};
    case Named::component: return {"name of a component", "component"};
    case Named::own_port: return {"name of a port of this craft", "port"};
    case Named::dock: return {"name of a dock", "dock"};
    case Named::closure: return {"name of a dock or loop", "dock or loop"};
    case Named::contact: return {"name of a contact", "contact"};
    case Named::force: return {"name of a force", "force"};
    case Named::control: return {"name of a control", "control"};
    case Named::external: return {"name of an external", "external"};
    case Named::actuator:
      return {"name of a thruster set, body, joint, contact or event", "actuator named"};
    case Named::event: return {"name of an event", "event"};
    case Named::failing:
      return {"name of a sensor, dock, capture or contact, or set.number of a thruster",
              "thruster, sensor, dock, capture or contact named"};
  }
  return {"name", "thing named"};
}

template <Named kind>
struct Ref {
  static constexpr Named named = kind;

  std::string name;
  int index = -1;

  Ref() = default;
  Ref(std::string its_name) : name(std::move(its_name)) {}
  Ref(const char* its_name) : name(its_name) {}

  bool empty() const { return name.empty(); }
  // The index follows from the name.
  bool operator==(const Ref& other) const { return name == other.name; }

  static void visit_state(auto& archive, auto& self) { archive(self.name); }
};

using BodyRef = Ref<Named::body>;
using MovingBodyRef = Ref<Named::moving_body>;
using EarlierBodyRef = Ref<Named::earlier_body>;
using JointRef = Ref<Named::joint>;
using CarriedJointRef = Ref<Named::carried_joint>;
using PortRef = Ref<Named::port>;
using PortOrEarthRef = Ref<Named::port_or_earth>;
using ThrusterRef = Ref<Named::thruster_set>;
using SensorRef = Ref<Named::sensor>;
using ComponentRef = Ref<Named::component>;
using OwnPortRef = Ref<Named::own_port>;
using DockRef = Ref<Named::dock>;
using ClosureRef = Ref<Named::closure>;
using ContactRef = Ref<Named::contact>;
using ForceRef = Ref<Named::force>;
using ControlRef = Ref<Named::control>;
using ExternalRef = Ref<Named::external>;
using ActuatorRef = Ref<Named::actuator>;
using EventRef = Ref<Named::event>;
using FailingRef = Ref<Named::failing>;

template <class M>
inline constexpr bool is_reference = false;
template <Named kind>
inline constexpr bool is_reference<Ref<kind>> = true;

// Everything that has a name, in the order of its indices. A system knows bodies, ports, thruster
// sets and sensors; the rest is known of a whole scenario alone.
struct Names {
  std::vector<std::string> bodies, ports, thruster_sets, sensors;
  std::vector<int> speeds;  // of the joint that carries each body
  bool of_scenario = false;
  std::vector<std::string> docks, closures, contacts, forces, controls, externals, events, failing;

  // Null: not known here.
  const std::vector<std::string>* list_of(Named kind) const {
    switch (kind) {
      case Named::body:
      case Named::moving_body:
      case Named::joint:
      case Named::carried_joint: return &bodies;
      case Named::port:
      case Named::port_or_earth: return &ports;
      case Named::thruster_set: return &thruster_sets;
      case Named::sensor: return &sensors;
      case Named::earlier_body:
      case Named::component:
      case Named::actuator:
      case Named::own_port: return nullptr;  // by those who build it
      default: break;
    }
    if (!of_scenario) return nullptr;
    switch (kind) {
      case Named::dock: return &docks;
      case Named::closure: return &closures;
      case Named::contact: return &contacts;
      case Named::force: return &forces;
      case Named::control: return &controls;
      case Named::external: return &externals;
      case Named::event: return &events;
      case Named::failing: return &failing;
      default: return nullptr;
    }
  }
};

}  // namespace berth
