// SPDX-License-Identifier: Apache-2.0
#include "berth/model/model.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace berth::model_test {
namespace {

BodySpec<double> named(const std::string& name, int parent, JointType joint) {
  BodySpec<double> b;
  b.name = name;
  b.parent = parent;
  b.joint = joint;
  b.mass = 1;
  b.I_C_B = Sym3<double>::diagonal(1);
  return b;
}

// What add_body says when it refuses; empty when it does not.
std::string refusal(Model<double>& model, const BodySpec<double>& spec) {
  try {
    model.add_body(spec);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

class ModelRefuses : public ::testing::Test {
 protected:
  void SetUp() override { hub = model.add_body(named("hub", kGround, JointType::free)); }
  // Nothing of a refused body may stay behind.
  void TearDown() override {
    EXPECT_EQ(model.body_count(), 2);
    EXPECT_EQ(model.names.size(), 2u);
    EXPECT_EQ(model.coordinate_count(), 7);
    EXPECT_EQ(model.speed_count(), 6);
    EXPECT_TRUE(model.body(hub).leaf);
  }
  Model<double> model;
  int hub = 0;
};

TEST_F(ModelRefuses, AParentThatDoesNotExist) {
  for (int parent : {-1, 2, 100})
    EXPECT_EQ(refusal(model, named("arm", parent, JointType::revolute)),
              "body \"arm\": its parent does not exist");
}

TEST_F(ModelRefuses, ANameThatIsTaken) {
  EXPECT_EQ(refusal(model, named("hub", kGround, JointType::free)),
            "body \"hub\": the name is taken");
  EXPECT_EQ(refusal(model, named("ground", kGround, JointType::free)),
            "body \"ground\": the name is taken");
}

TEST_F(ModelRefuses, AFreeJointOnAnythingButTheGround) {
  EXPECT_EQ(refusal(model, named("moon", hub, JointType::free)),
            "body \"moon\": a free joint has the ground as parent");
}

TEST_F(ModelRefuses, AParticleOnAnyJointButAPrismaticOne) {
  for (JointType joint :
       {JointType::fixed, JointType::revolute, JointType::planar, JointType::spherical}) {
    BodySpec<double> spec = named("drop", hub, joint);
    spec.particle = true;
    EXPECT_EQ(refusal(model, spec), "body \"drop\": a particle moves on a prismatic joint");
  }
}

TEST_F(ModelRefuses, AWrongNumberOfCoordinates) {
  const std::pair<JointType, std::string> kinds[] = {
      {JointType::free, "a free joint has 7 coordinates"},
      {JointType::fixed, "a fixed joint has 0 coordinates"},
      {JointType::revolute, "a revolute joint has 1 coordinates"},
      {JointType::prismatic, "a prismatic joint has 1 coordinates"},
      {JointType::planar, "a planar joint has 3 coordinates"},
      {JointType::spherical, "a spherical joint has 4 coordinates"},
  };
  for (const auto& [joint, rule] : kinds) {
    BodySpec<double> spec = named("b", joint == JointType::free ? kGround : hub, joint);
    spec.q.assign(static_cast<std::size_t>(shape(joint).coordinates + 1), 0.0);
    EXPECT_EQ(refusal(model, spec), "body \"b\": " + rule);
  }
}

TEST_F(ModelRefuses, AWrongNumberOfSpeeds) {
  const std::pair<JointType, std::string> kinds[] = {
      {JointType::free, "a free joint has 6 speeds"},
      {JointType::fixed, "a fixed joint has 0 speeds"},
      {JointType::revolute, "a revolute joint has 1 speeds"},
      {JointType::prismatic, "a prismatic joint has 1 speeds"},
      {JointType::planar, "a planar joint has 3 speeds"},
      {JointType::spherical, "a spherical joint has 3 speeds"},
  };
  for (const auto& [joint, rule] : kinds) {
    BodySpec<double> spec = named("b", joint == JointType::free ? kGround : hub, joint);
    spec.v.assign(static_cast<std::size_t>(shape(joint).speeds + 2), 0.0);
    EXPECT_EQ(refusal(model, spec), "body \"b\": " + rule);
  }
}

TEST(Model, AParticleCarriesNothing) {
  Model<double> model;
  const int hub = model.add_body(named("hub", kGround, JointType::free));
  BodySpec<double> drop = named("drop", hub, JointType::prismatic);
  drop.particle = true;
  const int particle = model.add_body(drop);
  EXPECT_EQ(refusal(model, named("arm", particle, JointType::revolute)),
            "body \"arm\": a particle carries nothing");
  EXPECT_TRUE(model.body(particle).leaf);
}

TEST(Model, TheGroundIsThereFromTheStart) {
  const Model<double> model;
  EXPECT_EQ(model.body_count(), 1);
  EXPECT_EQ(model.find_body("ground"), kGround);
  EXPECT_EQ(model.coordinate_count(), 0);
  EXPECT_EQ(model.speed_count(), 0);
  EXPECT_EQ(model.body(kGround).joint, JointType::fixed);
  EXPECT_EQ(model.body(kGround).R_PF, Mat3<double>::identity());
}

TEST(Model, NoRotationIsTheUnitQuaternionAndEverythingElseIsZero) {
  Model<double> model;
  const int hub = model.add_body(named("hub", kGround, JointType::free));
  model.add_body(named("ball", hub, JointType::spherical));
  model.add_body(named("hinge", hub, JointType::revolute));
  model.add_body(named("slider", hub, JointType::prismatic));
  model.add_body(named("table", hub, JointType::planar));
  model.add_body(named("box", hub, JointType::fixed));
  const std::vector<double> q = {0, 0, 0, 1, 0, 0, 0, /*ball*/ 1, 0, 0, 0, /*rest*/ 0, 0, 0, 0, 0};
  EXPECT_EQ(model.q0, q);
  EXPECT_EQ(model.v0, std::vector<double>(6 + 3 + 1 + 1 + 3, 0.0));
}

TEST(Model, GivenCoordinatesAndSpeedsAreKeptAsGiven) {
  Model<double> model;
  BodySpec<double> hub = named("hub", kGround, JointType::free);
  hub.q = {1, 2, 3, 0.5, 0.5, -0.5, 0.5};
  hub.v = {4, 5, 6, 7, 8, 9};
  const int h = model.add_body(hub);
  BodySpec<double> hinge = named("hinge", h, JointType::revolute);
  hinge.q = {0.3};
  const int i = model.add_body(hinge);
  EXPECT_EQ(model.q0, (std::vector<double>{1, 2, 3, 0.5, 0.5, -0.5, 0.5, 0.3}));
  EXPECT_EQ(model.v0, (std::vector<double>{4, 5, 6, 7, 8, 9, 0}));
  EXPECT_EQ(model.body(i).q, 7);
  EXPECT_EQ(model.body(i).v, 6);
}

TEST(Model, ParentsStandBeforeTheirChildrenAndCoordinatesFollowTheOrderOfBodies) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Model<double> model = test::random_forest(seed, 15);
    int q = 0, v = 0;
    for (int i = 1; i < model.body_count(); ++i) {
      const Body<double>& b = model.body(i);
      EXPECT_LT(b.parent, i);
      EXPECT_EQ(b.q, q);
      EXPECT_EQ(b.v, v);
      q += shape(b.joint).coordinates;
      v += shape(b.joint).speeds;
      EXPECT_EQ(model.find_body(model.names[static_cast<std::size_t>(i)]), i);
    }
    EXPECT_EQ(model.coordinate_count(), q);
    EXPECT_EQ(model.speed_count(), v);
  }
}

TEST(Model, ALeafIsABodyThatCarriesNothing) {
  const Model<double> model = test::random_forest(3, 20);
  std::vector<bool> carries(static_cast<std::size_t>(model.body_count()), false);
  for (int i = 1; i < model.body_count(); ++i)
    carries[static_cast<std::size_t>(model.body(i).parent)] = true;
  for (int i = 1; i < model.body_count(); ++i)
    EXPECT_EQ(model.body(i).leaf, !carries[static_cast<std::size_t>(i)]) << i;
}

TEST(Model, AnAxisIsMadeAUnitVectorAndTurnedIntoTheParent) {
  test::Random random(4);
  Model<double> model;
  BodySpec<double> hinge = named("hinge", kGround, JointType::revolute);
  hinge.R_PF = random.rotation();
  const Vec3<double> a = random.direction();
  hinge.axis = 17.0 * a;
  const Body<double>& b = model.body(model.add_body(hinge));
  EXPECT_LT(norm(b.axis_F - a), 1e-15);
  EXPECT_LT(norm(b.axis_P - hinge.R_PF * a), 1e-15);
  // The products formed once make Rodrigues' formula.
  const double angle = 0.7;
  const Mat3<double> R = b.R_PF + std::sin(angle) * b.R_PF_a + (1 - std::cos(angle)) * b.R_PF_aa;
  const Mat3<double> wanted = hinge.R_PF * rotation_about(a, angle);
  EXPECT_LT(norm((R - wanted) * Vec3<double>{1, 1, 1}), 1e-15 * 5);
}

TEST(Model, CarriedMassIsThatOfTheTurnedBody) {
  test::Random random(5);
  Model<double> model;
  BodySpec<double> hinge = named("hinge", kGround, JointType::revolute);
  hinge.R_PF = random.rotation();
  hinge.axis = random.direction();
  hinge.r_CB_B = random.vector();
  hinge.I_C_B = rotate(random.rotation(), Sym3<double>::diagonal(3, 4, 5));
  const Body<double>& b = model.body(model.add_body(hinge));
  const CarriedMass<double>& at = b.carried;
  for (const double q : {-2.0, 0.0, 0.4, 3.0}) {
    const double c = std::cos(q), s = std::sin(q);
    const Mat3<double> R = hinge.R_PF * rotation_about(b.axis_F, q);
    EXPECT_LT(norm(at.r[0] + c * at.r[1] + s * at.r[2] - R * b.r_CB_B), 1e-14);
    const Sym3<double> I =
        at.I[0] + c * at.I[1] + s * at.I[2] + std::cos(2 * q) * at.I[3] + std::sin(2 * q) * at.I[4];
    for (int k = 0; k < 10; ++k) {
      const Vec3<double> v = random.vector();
      EXPECT_LT(norm((I - rotate(R, b.I_C_B)) * v), 1e-13 * norm(v));
    }
  }
}

TEST(Model, ABalancedRotorIsCarriedLikeSomethingAtRest) {
  test::Random random(6);
  Model<double> model;
  BodySpec<double> rotor = named("rotor", kGround, JointType::revolute);
  rotor.R_PF = random.rotation();
  rotor.I_C_B = Sym3<double>::diagonal(0.08, 0.08, 0.159);
  const CarriedMass<double>& at = model.body(model.add_body(rotor)).carried;
  EXPECT_TRUE(at.rests);
  for (int k = 1; k < 5; ++k) EXPECT_EQ(at.I[k], Sym3<double>{}) << k;
  rotor.name = "unbalanced";
  rotor.r_CB_B = {1e-6, 0, 0};
  EXPECT_FALSE(model.body(model.add_body(rotor)).carried.rests);
}

TEST(Model, WhoCarriesLeavesIsKnownWhateverIsWelded) {
  Model<double> model;
  const int hub = model.add_body(named("hub", kGround, JointType::free));
  EXPECT_FALSE(model.body(hub).carries);
  const int link = model.add_body(named("link", hub, JointType::revolute));
  EXPECT_TRUE(model.body(hub).carries);
  const int hand = model.add_body(named("hand", link, JointType::spherical));
  EXPECT_FALSE(model.body(hub).carries) << "the link is no leaf any more";
  EXPECT_FALSE(model.body(link).carries) << "a joint of three speeds";
  const int other = model.add_body(named("other", kGround, JointType::free));
  model.weld(other, hand, Mat3<double>::identity(), {});
  EXPECT_TRUE(model.body(hand).carries);
  model.cut(other);
  EXPECT_FALSE(model.body(hand).carries);
}

TEST(Model, NamesThatAreNotThereAreNotFound) {
  Model<double> model;
  EXPECT_EQ(model.find_body("hub"), -1);
  EXPECT_EQ(model.find_body(""), -1);
}

}  // namespace
}  // namespace berth::model_test
