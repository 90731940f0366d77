// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/part_reader.h"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "berth/components/list.h"
#include "berth/control/list.h"
#include "berth/forces/list.h"
#include "berth/scenario/read/part_writer.h"
#include "tests/support/filled_part.h"
#include "tests/support/random.h"

namespace berth::part_reader_test {
namespace {

using test::Random;
using V = Vec3<double>;

// A part read from text, and everything that was said about it.
template <class Part>
struct Reading {
  Part part;
  Problems problems{"file.toml", {}};

  explicit Reading(const std::string& text, std::span<const std::string_view> also = {}) {
    const toml::table table = toml::parse(text);
    read_part(table, part, "part", problems, also);
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (const Problem& p : problems.list) out.push_back(describe(p));
    return out;
  }
  // The only problem there is, or all of them for the reader of a failing test.
  std::string line() const {
    if (lines().size() == 1) return lines()[0];
    std::string all = std::to_string(lines().size()) + " problems";
    for (const std::string& l : lines()) all += "\n" + l;
    return all;
  }
};
using Slosh = Reading<SloshMass<double>>;
using Payload = Reading<RigidPayload<double>>;

const std::string kSlosh = "axis = [1, 0, 0]\nmass = 5\n";

// --- reading -------------------------------------------------------------------------------------

TEST(PartReader, ReadsWhatIsWritten) {
  const Slosh s(
      "position = [0.1, -2, 3e-1]\naxis = [0, 3, 4]\nmass = 5\nstiffness = 1.5e3\nrate = -0.25\n");
  EXPECT_TRUE(s.problems.empty()) << s.line();
  EXPECT_EQ(s.part.position, (V{0.1, -2, 0.3}));
  EXPECT_LT(norm(s.part.axis - V{0, 0.6, 0.8}), 1e-15);
  EXPECT_EQ(s.part.mass, 5);
  EXPECT_EQ(s.part.stiffness, 1500);
  EXPECT_EQ(s.part.rate, -0.25);
  EXPECT_EQ(s.part.damping, 0);  // its default
}

TEST(PartReader, WholeNumbersAreNumbersHoweverLarge) {
  const Reading<OrbitalGravity<double>> g("mu = 398600441500000\nequatorial_radius = 6378136\n");
  EXPECT_TRUE(g.problems.empty()) << g.line();
  EXPECT_EQ(g.part.mu, 398600441500000.0);
  // Beyond 2^53, as Jupiter's is.
  const Reading<OrbitalGravity<double>> jupiter("mu = 126686534000000000\n");
  EXPECT_TRUE(jupiter.problems.empty()) << jupiter.line();
  EXPECT_EQ(jupiter.part.mu, 1.26686534e17);
  const Slosh far(kSlosh + "position = [12852256419079410, 0, 0]\n");
  EXPECT_TRUE(far.problems.empty()) << far.line();
}

TEST(PartReader, UnitSuffixesAreTurnedIntoSI) {
  const Reading<HingedPanel<double>> p(
      "axis = [0, 1, 0]\noutward = [1, 0, 0]\nmass = 1\ncentre_of_mass_mm = [1500, 0, -20]\n"
      "inertia = [1, 1, 1]\nangle_deg = 90\nrate_deg_s = -180\nposition_km = [0.001, 0, 2]\n");
  EXPECT_TRUE(p.problems.empty()) << p.line();
  EXPECT_LT(norm(p.part.centre_of_mass - V{1.5, 0, -0.02}), 1e-15);
  EXPECT_DOUBLE_EQ(p.part.angle, M_PI / 2);
  EXPECT_DOUBLE_EQ(p.part.rate, -M_PI);
  EXPECT_LT(norm(p.part.position - V{1, 0, 2000}), 1e-12);

  const Reading<ReactionWheel<double>> w(
      "axis = [0, 0, 1]\nmass = 1\ninertia_spin = 1\ninertia_transverse = 1\n"
      "speed_rpm = 6000\nmax_speed_deg_s = 360\nangle_deg = 45");
  EXPECT_TRUE(w.problems.empty()) << w.line();
  EXPECT_DOUBLE_EQ(w.part.speed, 200 * M_PI);
  EXPECT_DOUBLE_EQ(w.part.max_speed, 2 * M_PI);
}

TEST(PartReader, ASuffixThatDoesNotFitTheUnitIsAnUnknownKey) {
  for (const std::string key : {"mass_mm", "mass_deg", "rate_deg_s", "displacement_rpm",
                                "displacement_inch", "displacement_", "displacementmm"}) {
    const Slosh s(kSlosh + key + " = 1\n");
    EXPECT_NE(s.line().find("file.toml:3:"), std::string::npos) << s.line();
    EXPECT_NE(s.line().find("part." + key + " — no such input of slosh_mass"), std::string::npos)
        << s.line();
  }
}

TEST(PartReader, ARangeIsCheckedInSIUnits) {
  const Reading<ReactionWheel<double>> w(
      "axis = [0, 0, 1]\nmass = 1\ninertia_spin = 1\ninertia_transverse = 1\nmax_speed_rpm = -30");
  EXPECT_EQ(w.lines().size(), 1u) << w.line();
  EXPECT_NE(w.line().find("must not be negative"), std::string::npos) << w.line();
}

TEST(PartReader, AListOfPartsIsReadOneByOne) {
  const Reading<RobotArm<double>> a(
      "[[link]]\naxis = [0, 0, 1]\nmass = 1\ncentre_of_mass = [1, 0, 0]\ninertia = [1, 1, 1]\n"
      "[[link]]\naxis = [0, 1, 0]\nmass = 2\ncentre_of_mass = [2, 0, 0]\ninertia = [2, 2, 2]\n"
      "angle_deg = 180\n");
  EXPECT_TRUE(a.problems.empty()) << a.line();
  ASSERT_EQ(a.part.link.size(), 2u);
  EXPECT_EQ(a.part.link[1].mass, 2);
  EXPECT_DOUBLE_EQ(a.part.link[1].angle, M_PI);
}

TEST(PartReader, KeysOfTheTableItselfAreLeftAlone) {
  const std::string text = kSlosh + "type = \"slosh_mass\"\nname = \"fuel\"\n";
  static constexpr std::string_view also[] = {"type", "name"};
  EXPECT_TRUE(Slosh(text, also).problems.empty());
  EXPECT_EQ(Slosh(text).lines().size(), 2u);
}

// --- refusals ------------------------------------------------------------------------------------

TEST(PartReader, SaysFileLineColumnPathValueAndRule) {
  EXPECT_EQ(Slosh("axis = [1, 0, 0]\nmass = 0\n").line(),
            "file.toml:2:8  part.mass — 0 kg must be positive");
  EXPECT_EQ(Slosh("mass = 1\naxis = [1, 0, 0]\n  stiffness = -5.5\n").line(),
            "file.toml:3:15  part.stiffness — -5.5 N/m must not be negative");
}

TEST(PartReader, ReportsEverythingThatIsWrongAtOnce) {
  const Slosh s("mass = -1\nstiffness = -2\naxis = [1, 0]\ndamping = \"low\"\ncolour = 3\n");
  EXPECT_EQ(s.lines().size(), 5u) << s.line();
  for (int line = 1; line <= 5; ++line) {
    bool reported = false;
    for (const Problem& p : s.problems.list) reported |= p.place.line == line;
    EXPECT_TRUE(reported) << "line " << line << " in\n" << s.line();
  }
}

TEST(PartReader, WhatIsMissingIsNamedWithItsMeaningAndUnit) {
  const Slosh s("axis = [1, 0, 0]\n");
  EXPECT_NE(s.line().find("part.mass — is missing: moving mass [kg]"), std::string::npos)
      << s.line();
}

TEST(PartReader, NotANumberAndInfinityAreRefused) {
  for (const std::string bad : {"nan", "inf", "-inf", "+nan"}) {
    const Slosh s("axis = [1, 0, 0]\nmass = " + bad + "\n");
    EXPECT_NE(s.line().find("kg is not a finite number"), std::string::npos) << s.line();
    EXPECT_EQ(s.part.mass, 1);  // untouched
    const Slosh v(kSlosh + "position = [0, " + bad + ", 1]\n");
    EXPECT_NE(v.line().find("is not a finite number"), std::string::npos) << v.line();
    const Slosh d("mass = 1\naxis = [1, " + bad + ", 0]\n");
    EXPECT_NE(d.line().find("is not a finite number"), std::string::npos) << d.line();
    const Payload p("mass = 1\ninertia = [1, " + bad + ", 1]\n");
    EXPECT_NE(p.line().find("is not a finite number"), std::string::npos) << p.line();
  }
  // Finite as written, infinite in SI.
  const Slosh far(kSlosh + "position_km = [1e308, 0, 0]\n");
  EXPECT_NE(far.line().find("is not a finite number"), std::string::npos) << far.line();
}

TEST(PartReader, WrongKindsAreRefused) {
  const auto says = [](const std::string& line, const std::string& what) {
    return line.find(what) != std::string::npos ? ::testing::AssertionSuccess()
                                                : ::testing::AssertionFailure() << line;
  };
  for (const std::string bad : {"\"five\"", "true", "[5]", "{ kg = 5 }", "2020-01-01"})
    EXPECT_TRUE(says(Slosh("axis = [1, 0, 0]\nmass = " + bad).line(), "is not a number"));
  for (const std::string bad : {"5", "[1, 2]", "[1, 2, 3, 4]", "[1, 2, \"3\"]", "[1, true, 3]",
                                "\"x\"", "[[1, 2, 3]]", "[]"})
    EXPECT_TRUE(says(Slosh(kSlosh + "position = " + bad).line(), "is not a list of 3 numbers"));
  for (const std::string bad : {"1", "\"true\"", "[true]"})
    EXPECT_TRUE(says(Reading<OrbitalGravity<double>>("gravity_gradient = " + bad).line(),
                     "is not true or false"));
  for (const std::string bad : {"1", "true", "[\"hub\"]"})
    EXPECT_TRUE(
        says(Reading<ExternalLoad<double>>("body = " + bad).line(), "is not a text in quotes"));
  EXPECT_TRUE(says(Reading<RobotArm<double>>("link = 3").line(), "is not a list"));
  EXPECT_TRUE(
      says(Reading<RobotArm<double>>("link = [3]").line(), "part.link.1 — 3 is not a table"));
}

TEST(PartReader, WrongLengthsInsideListsAreNamedByTheirPlace) {
  const Reading<ExternalLoad<double>> l("body = \"hub\"\nschedule = [[1, 2], [3], [4, 5, 6]]\n");
  ASSERT_EQ(l.lines().size(), 2u) << l.line();
  EXPECT_NE(l.lines()[0].find("file.toml:2:21  part.schedule.2 — "), std::string::npos);
  EXPECT_NE(l.lines()[0].find("is not a list of 2 numbers"), std::string::npos);
  EXPECT_NE(l.lines()[1].find("file.toml:2:26  part.schedule.3 — "), std::string::npos);
}

TEST(PartReader, ProblemsInsideListsOfPartsAreNamedByTheirPlace) {
  const Reading<RobotArm<double>> a(
      "[[link]]\naxis = [0, 0, 1]\nmass = 1\ncentre_of_mass = [1, 0, 0]\ninertia = [1, 1, 1]\n"
      "[[link]]\naxis = [0, 1, 0]\nmass = -2\ncentre_of_mass = [2, 0, 0]\ninertia = [2, 2, 2]\n");
  EXPECT_EQ(a.line(), "file.toml:8:8  part.link.2.mass — -2 kg must be positive");
}

TEST(PartReader, AZeroDirectionIsRefusedAndAnyOtherIsMadeAUnitVector) {
  const Slosh zero("mass = 1\naxis = [0, 0.0, -0.0]\n");
  EXPECT_NE(zero.line().find("is not a direction: its length is zero"), std::string::npos)
      << zero.line();
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const double size = std::pow(10.0, random.number(-140, 140));
    const V d = random.direction();
    std::ostringstream text;
    text.precision(17);
    text << std::scientific << "mass = 1\naxis = [" << size * d.x << ", " << size * d.y << ", "
         << size * d.z << "]\n";
    const Slosh s(text.str());
    EXPECT_TRUE(s.problems.empty()) << s.line();
    EXPECT_LT(norm(s.part.axis - d), 1e-15);
  }
}

// So long or so short that its square is no number: refused or right, never a wrong direction.
TEST(PartReader, ADirectionOfExtremeLengthIsNotReadAsAnother) {
  for (const std::string text : {"[1e200, 0, 0]", "[1e-200, 0, 0]", "[1e308, 0, 0]"}) {
    const Slosh s("mass = 1\naxis = " + text + "\n");
    if (s.problems.empty()) {
      EXPECT_LT(norm(s.part.axis - V{1, 0, 0}), 1e-15) << text;
    }
  }
}

TEST(PartReader, AnInertiaIsThreeMomentsOrASymmetricMatrix) {
  const Payload diagonal("mass = 1\ninertia = [1, 2, 2.5]\n");
  EXPECT_TRUE(diagonal.problems.empty()) << diagonal.line();
  EXPECT_EQ(diagonal.part.inertia, Sym3<double>::diagonal(1, 2, 2.5));
  const Payload full("mass = 1\ninertia = [[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]\n");
  EXPECT_TRUE(full.problems.empty()) << full.line();
  EXPECT_EQ(full.part.inertia, (Sym3<double>{3, 4, 5, 0.1, 0.2, 0.3}));
  const Payload none("mass = 1\ninertia = [0, 0, 0]\n");
  EXPECT_TRUE(none.problems.empty()) << none.line();

  for (const std::string bad : {"5", "[1, 2]", "[1, 2, 3, 4]", "\"big\""}) {
    const Payload p("mass = 1\ninertia = " + bad + "\n");
    EXPECT_NE(p.line().find("is not 3 principal moments or a 3×3 matrix"), std::string::npos)
        << p.line();
  }
  for (const std::string bad :
       {"[[1, 0, 0], [0, 1], [0, 0, 1]]", "[[1, 0, 0], 2, [0, 0, 1]]", "[1, [0, 1, 0], 3]"}) {
    const Payload p("mass = 1\ninertia = " + bad + "\n");
    EXPECT_NE(p.line().find("is not a list of 3 numbers"), std::string::npos) << p.line();
  }
}

TEST(PartReader, AMatrixThatIsNotSymmetricIsRefused) {
  const Payload p("mass = 1\ninertia = [[3, 0.1, 0], [0.1000001, 4, 0], [0, 0, 5]]\n");
  EXPECT_NE(p.line().find("is not symmetric"), std::string::npos) << p.line();
}

TEST(PartReader, AnInertiaThatNoBodyHasIsRefused) {
  const auto line = [](const std::string& inertia) {
    return Payload("mass = 1\ninertia = " + inertia + "\n").line();
  };
  for (const std::string bad :
       {"[-1, 1, 1]", "[1, -1e-6, 1]", "[-1, -1, -1]", "[[1, 2, 0], [2, 1, 0], [0, 0, 2]]"})
    EXPECT_NE(line(bad).find("is not positive definite"), std::string::npos) << line(bad);
  for (const std::string bad :
       {"[1, 1, 2.001]", "[1, 3, 1]", "[2.1, 1, 1]", "[[2, 1, 0], [1, 2, 0], [0, 0, 4.5]]"})
    EXPECT_NE(line(bad).find("one principal moment exceeds the sum of the other two"),
              std::string::npos)
        << line(bad);
}

// A flat plate is the limit: I_z = I_x + I_y exactly, in any axes.
TEST(PartReader, EveryInertiaOfABodyIsAcceptedAndNoOther) {
  Random random(2);
  const auto read = [](const Sym3<double>& I) {
    RigidPayload<double> p;
    p.inertia = I;
    std::ostringstream text;
    text << write_part(p);
    return Payload(text.str());
  };
  for (int i = 0; i < 300; ++i) {
    const double size = std::pow(10.0, random.number(-6, 6));
    const double a = random.number(0.01, 1), b = random.number(0.01, 1);
    const Mat3<double> R = random.rotation();
    EXPECT_TRUE(read(random.inertia(size)).problems.empty());
    const auto plate = [&](double over) {
      return rotate(R, Sym3<double>::diagonal(size * a, size * b, size * (a + b) * (1 + over)));
    };
    EXPECT_TRUE(read(plate(0)).problems.empty());
    EXPECT_FALSE(read(plate(1e-6)).problems.empty());
    EXPECT_FALSE(
        read(rotate(R, Sym3<double>::diagonal(size * a, size * a, -1e-6 * size))).problems.empty());
  }
}

TEST(PartReader, AQuaternionMustBeOfUnitLength) {
  const auto read = [](const std::string& q) {
    return Reading<AttitudeControl<double>>("body = \"hub\"\nK = 1\nP = 1\nattitude = " + q + "\n");
  };
  EXPECT_TRUE(read("[0, 0, 0, 1]").problems.empty());
  EXPECT_EQ(read("[0, 1, 0, 0]").part.attitude, (Quaternion<double>{0, 1, 0, 0}));
  // Written with seven digits: made one.
  const auto seven = read("[0.7071068, 0.7071068, 0, 0]");
  EXPECT_TRUE(seven.problems.empty()) << seven.line();
  EXPECT_NEAR(norm_squared(seven.part.attitude), 1, 1e-15);
  for (const std::string bad : {"[1, 1, 0, 0]", "[0, 0, 0, 0]", "[0.7, 0.7, 0, 0]"})
    EXPECT_NE(read(bad).line().find("is not a unit quaternion (scalar first)"), std::string::npos)
        << read(bad).line();
  EXPECT_NE(read("[1, 0, 0]").line().find("is not a list of 4 numbers"), std::string::npos);
}

TEST(PartReader, OneInputInTwoUnitsIsRefused) {
  const Slosh s(kSlosh + "displacement = 0.1\ndisplacement_mm = 100\n");
  EXPECT_NE(s.line().find("given twice, with different units"), std::string::npos) << s.line();
}

// Only numbers have units; a suffix on a table must not be swallowed.
TEST(PartReader, AUnitSuffixOnATableIsNotSwallowed) {
  const Reading<AttitudeControl<double>> c(
      "body = \"hub\"\nK = 1\nP = 1\nangle_deg = { type = \"step\", to = 90 }\n");
  if (c.problems.empty()) {
    EXPECT_DOUBLE_EQ(c.part.angle.to, M_PI / 2);
  }
}

TEST(PartReader, AnUnknownKeyIsAnsweredWithTheNearestName) {
  const auto said = [](const std::string& key) { return Slosh(kSlosh + key + " = 1\n").line(); };
  EXPECT_EQ(said("stifness"),
            "file.toml:3:12  part.stifness — no such input of slosh_mass; did you mean "
            "\"stiffness\" [N/m]?");
  EXPECT_NE(said("Damping").find("did you mean \"damping\" [N·s/m]?"), std::string::npos);
  EXPECT_NE(said("postion").find("did you mean \"position\" [m]?"), std::string::npos);
  EXPECT_EQ(said("temperature").find("did you mean"), std::string::npos);
}

TEST(PartReader, NearestIsNearInSpellingOrNothing) {
  const std::vector<std::string_view> names = {"stiffness", "damping", "mass", "rate"};
  EXPECT_EQ(find_nearest("stiffness", names), "stiffness");
  EXPECT_EQ(find_nearest("stiffnes", names), "stiffness");
  EXPECT_EQ(find_nearest("dampign", names), "damping");
  EXPECT_EQ(find_nearest("mas", names), "mass");
  EXPECT_EQ(find_nearest("banana", names), "");
  EXPECT_EQ(find_nearest("anything", {}), "");
  // Of two the nearer.
  const std::vector<std::string_view> close = {"rates", "rate", "gate"};
  EXPECT_EQ(find_nearest("rate", close), "rate");
}

// One line per problem, whatever was written there.
TEST(PartReader, AProblemIsOneLineOfText) {
  for (const std::string value :
       {"{ a = 1, b = 2, c = [1, 2, 3] }", "\"\"\"two\nlines\"\"\"",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]",
        "[\"a long text\", \"another long text\", \"and one more long text\", \"and the last\"]",
        "[{ a = 1 }, { b = 2 }]"}) {
    for (const std::string key : {"mass", "position", "axis"}) {
      const Slosh s(key == "mass"   ? "axis = [1, 0, 0]\nmass = " + value
                    : key == "axis" ? "mass = 1\naxis = " + value
                                    : kSlosh + "position = " + value);
      EXPECT_EQ(s.line().find('\n'), std::string::npos) << s.line();
      EXPECT_LT(s.line().size(), 200u);
    }
  }
}

// Cut short, a text of wide letters must not end in half of one.
TEST(PartReader, AProblemIsValidText) {
  for (int before = 0; before < 4; ++before) {
    std::string word(static_cast<std::size_t>(before), 'x');
    for (int i = 0; i < 40; ++i) word += "é";
    const std::string line = Slosh("axis = [1, 0, 0]\nmass = \"" + word + "\"\n").line();
    for (std::size_t i = 0; i < line.size();) {
      const auto lead = static_cast<unsigned char>(line[i]);
      const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
      ASSERT_TRUE(lead < 0x80 || lead >= 0xC0) << line;
      for (std::size_t k = 1; k < length; ++k) {
        ASSERT_LT(i + k, line.size()) << line;
        ASSERT_EQ(static_cast<unsigned char>(line[i + k]) & 0xC0, 0x80) << line;
      }
      i += length;
    }
  }
}

// --- there and back ------------------------------------------------------------------------------

template <class Part>
void expect_comes_back(const Part& part) {
  std::ostringstream text;
  text << write_part(part);
  Part back;
  Problems problems{"written.toml", {}};
  read_part(toml::parse(text.str()), back, "part", problems);
  for (const Problem& p : problems.list) ADD_FAILURE() << describe(p) << "\n" << text.str();
  for (const std::string& name : test::find_differences(part, back))
    ADD_FAILURE() << Part::type << "." << name << " came back different from\n" << text.str();
}

template <class Examine>
void for_each_part_there_is(Examine&& examine) {
  for_each_type(Components<double>{}, examine);
  for_each_type(Forces<double>{}, examine);
  for_each_type(Controls<double>{}, examine);
}

TEST(PartReader, EveryPartComesBackFromAFileUnchanged) {
  Random random(3);
  for_each_part_there_is([&]<class Part>() {
    for (int i = 0; i < 30; ++i) {
      Part part;
      test::fill_part(part, random);
      expect_comes_back(part);
      if (::testing::Test::HasFailure()) return;
    }
  });
}

TEST(PartReader, DefaultsComeBackFromAFileUnchanged) {
  for_each_part_there_is([]<class Part>() { expect_comes_back(Part{}); });
}

TEST(PartReader, EveryInputIsWrittenOut) {
  const toml::table t = write_part(HingedPanel<double>{});
  HingedPanel<double> p;
  for_each_field(p, [&](const auto& field, const auto&) {
    EXPECT_TRUE(t.contains(field.name)) << field.name;
  });
}

TEST(PartReader, NumbersComeBackToTheLastBit) {
  Random random(4);
  std::vector<double> numbers = {0.1,    1.0 / 3, 1e-300, 1.7976931348623157e308,
                                 5e-324, -0.0,    1e22,   123456789012345678.0,
                                 3,      -2.5e-7};
  for (int i = 0; i < 300; ++i)
    numbers.push_back(random.number() * std::pow(10.0, random.number(-30, 30)));
  for (double x : numbers) {
    SpringDamper<double> s;
    s.body_1 = s.body_2 = "hub";
    s.point_1 = {x, -x, 1};
    expect_comes_back(s);
  }
}

TEST(PartReader, TextsComeBackLetterByLetter) {
  for (const std::string word :
       {"hub", "", "two words", "quo\"te", "back\\slash", "tab\tnew\nline", "Ωµ é", "'", "#"}) {
    ExternalLoad<double> l;
    l.body = word;
    expect_comes_back(l);
  }
}

}  // namespace
}  // namespace berth::part_reader_test
