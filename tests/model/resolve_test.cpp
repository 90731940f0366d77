// SPDX-License-Identifier: Apache-2.0
#include "berth/model/resolve.h"

#include <gtest/gtest.h>

namespace berth::resolve_test {
namespace {

enum class Colour { red, green };
constexpr auto keywords_of(Colour) {
  return std::array{Keyword{"red", "as blood"}, Keyword{"green", "as grass", "verdant"}};
}

TEST(OneOf, IsItsValueAndItsKeyword) {
  OneOf<Colour> c;
  EXPECT_EQ(c, Colour::red);
  c = "green";
  EXPECT_EQ(c, Colour::green);
  EXPECT_EQ(c.keyword(), "green");
  switch (c) {
    case Colour::green: break;
    case Colour::red: ADD_FAILURE();
  }
}

TEST(OneOf, RefusesAnotherKeywordWithThoseThereAre) {
  const auto refusal = [](const char* word) -> std::string {
    try {
      OneOf<Colour> c(word);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("red"), "");
  EXPECT_EQ(refusal("blue"), "\"blue\" is not one of red, green");
  EXPECT_EQ(refusal("gren"), "\"gren\" is not one of red, green; did you mean green?");
  EXPECT_EQ(refusal("verdant"), "\"verdant\" is called \"green\" now");
}

struct Inner {
  PortRef port;
  double period = 0;

  static constexpr auto fields() {
    return Schema{
        Field{"port", &Inner::port, unit::none, Range::any, "a port"},
        Field{"period", &Inner::period, unit::second, Range::period, "a period"},
    };
  }
  void check(const Surroundings&, Findings& findings) const {
    if (port.empty()) findings.add("port", "is needed");
  }
};

struct Outer {
  MovingBodyRef body;
  std::vector<CarriedJointRef> wheels;
  std::vector<JointRef> joints;
  ThrusterRef thrusters;
  DockRef dock;
  std::vector<Inner> inner;
  std::optional<Inner> more;

  static constexpr auto fields() {
    using P = Outer;
    return Schema{
        Field{"body", &P::body, unit::none, Range::any, "its body"},
        Field{"wheels", &P::wheels, unit::none, Range::any, "on it"},
        Field{"joints", &P::joints, unit::none, Range::any, "anywhere"},
        Field{"thrusters", &P::thrusters, unit::none, Range::any, "of it"},
        Field{"dock", &P::dock, unit::none, Range::any, "of the scenario"},
        Field{"inner", &P::inner, unit::none, Range::any, "tables"},
        Field{"more", &P::more, unit::none, Range::any, "a table"},
    };
  }
};

Names world() {
  Names n;
  n.bodies = {"ground", "craft", "craft.wheel1", "craft.arm.link1", "tug", "tug.wheel1"};
  n.speeds = {0, 6, 1, 1, 6, 1};
  n.ports = {"craft", "craft.probe", "tug"};
  n.thruster_sets = {"small", "large"};
  return n;
}

std::string findings_of(Outer& part, const Names& names = world()) {
  Findings f;
  resolve(part, names, f);
  std::string out;
  for (const Finding& x : f.list()) out += x.input + ": " + x.rule + "\n";
  return out;
}

TEST(Resolve, FillsInIndicesAndCompletesNames) {
  Outer p;
  p.body = "craft";
  p.wheels = {"wheel1"};
  p.joints = {"link1", "tug.wheel1"};
  p.thrusters = "large";
  p.inner.resize(1);
  p.inner[0].port = "craft.probe";
  EXPECT_EQ(findings_of(p), "");
  EXPECT_EQ(p.body.index, 1);
  EXPECT_EQ(p.wheels[0].index, 2);
  EXPECT_EQ(p.wheels[0].name, "craft.wheel1");
  EXPECT_EQ(p.joints[0].index, 3);
  EXPECT_EQ(p.joints[0].name, "craft.arm.link1");
  EXPECT_EQ(p.thrusters.index, 1);
  EXPECT_EQ(p.inner[0].port.index, 1);
}

TEST(Resolve, FindsEverythingThatIsNotThereAtOnce) {
  Outer p;
  p.body = "crft";
  p.joints = {"link2", "craft", "tug.wheel1", "tug.wheel1"};
  p.thrusters = "lage";
  p.inner.resize(2);
  p.inner[1].port = "craft.prob";
  p.more.emplace().port = "mars";
  EXPECT_EQ(findings_of(p),
            "body: no body named crft; did you mean craft?\n"
            "joints: no body named link2; did you mean link1?\n"
            "joints: craft is not a revolute or prismatic joint\n"
            "joints: tug.wheel1 is listed twice\n"
            "thrusters: no thruster set named lage; did you mean large?\n"
            "inner.2.port: no port craft.prob; did you mean craft.probe?\n"
            "more.port: no port mars; there is craft, craft.probe, tug\n");
}

TEST(Resolve, TheGroundIsNoMovingBody) {
  Outer p;
  p.body = "ground";
  EXPECT_EQ(findings_of(p), "body: the ground does not move\n");
}

TEST(Resolve, ANameThatFitsSeveralIsNotCompleted) {
  Outer p;
  p.joints = {"wheel1"};
  EXPECT_NE(findings_of(p), "");
}

TEST(Resolve, WhatOnlyAScenarioKnowsIsLeftToIt) {
  Outer p;
  p.dock = "joint";
  EXPECT_EQ(findings_of(p), "");
  Names names = world();
  names.of_scenario = true;
  EXPECT_EQ(findings_of(p, names), "dock: no dock joint; there is none\n");
  names.docks = {"other", "joint"};
  EXPECT_EQ(findings_of(p, names), "");
  EXPECT_EQ(p.dock.index, 1);
}

TEST(Rules, OfInputsOfInputsAreFoundByTheirPath) {
  Outer p;
  p.inner.resize(1);
  p.inner[0].port = "tug";
  p.inner[0].period = 1e-12;
  p.more.emplace();
  Findings f;
  check_rules(p, Surroundings{.duration = 100}, f);
  ASSERT_EQ(f.list().size(), 2u);
  EXPECT_EQ(f.list()[0].input, "inner.1.period");
  EXPECT_EQ(f.list()[0].rule, "1e-12 s makes over 1e+09 samples");
  EXPECT_EQ(f.list()[1].input, "more.port");
  EXPECT_THROW(require_rules(p, "it"), std::invalid_argument);
}

}  // namespace
}  // namespace berth::resolve_test
