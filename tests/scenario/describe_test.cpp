// SPDX-License-Identifier: Apache-2.0

// `berth describe` says of every input what it may be.

#include "berth/scenario/describe.h"

#include <gtest/gtest.h>

#include "berth/model/unit.h"

namespace berth::describe_test {
namespace {

bool describes(const std::string& name, std::initializer_list<const char*> words) {
  const std::string text = describe_one(name).value_or("");
  bool all = true;
  for (const char* word : words) {
    const bool found = text.find(word) != std::string::npos;
    EXPECT_TRUE(found) << "no \"" << word << "\" in\n" << text;
    all = all && found;
  }
  return all;
}

TEST(Describe, KeywordsHaveTheirMeanings) {
  describes("thrust", {"body | inertial | lvlh", "\"lvlh\"", "of the reference orbit: x V-bar"});
  describes("profile", {"constant | step | quintic | rate | glideslope | table", "rest to rest"});
  describes("dock", {"exact | reduced | baumgarte | penalty | fused", "one body is welded"});
  describes("event", {"begins | ends | now", "when it ceases"});
}

TEST(Describe, NamesSayWhatTheyNameAndListsOfThemToo) {
  describes("spring_damper", {"name of a body, or ground"});
  describes("approach", {"list of name of a port or body", "name of a thruster_set"});
  describes("attitude", {"list of name of a component", "name of a body"});
  describes("capture", {"list of name of a contact", "name of a dock"});
  describes("event", {"name of an event", "name of a contact"});
  describes("action", {"name of a control", "name of a joint", "name of a dock"});
}

TEST(Describe, AContactSaysWhatItIsMadeOf) {
  describes("contact", {"cone | plane | half_space", "table: point | sphere | capsule | polygon",
                        "table: spring_dashpot | compliance_device | hunt_crossley | impact",
                        "table: none | coulomb | stick", "table: none | lead | passivity | model",
                        "repulsive | adhesive | bilateral", "Example:", "surface = \"cone\""});
  describes("control",
            {"attitude | joint_pd | joint_effort | computed_torque | approach | thrust", "task"});
}

TEST(Describe, CapturesAndDocksHaveAnExample) {
  describes("capture", {"Example:", "[[capture]]"});
  describes("dock", {"Example:", "[[dock]]", "rigid | direction | length"});
}

TEST(Describe, UnitsAreTheTable) {
  const std::string text = describe_one("units").value_or("");
  for (const UnitSuffix& s : kUnitSuffixes)
    EXPECT_NE(text.find(" " + std::string(s.suffix) + " "), std::string::npos) << s.suffix;
}

}  // namespace
}  // namespace berth::describe_test
