// SPDX-License-Identifier: Apache-2.0
#include "berth/model/unit.h"

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "berth/scenario/scenario.h"

namespace berth::unit_test {
namespace {

TEST(UnitSuffix, StandsOnceInTheTable) {
  std::set<std::string_view> seen;
  for (const UnitSuffix& s : kUnitSuffixes) {
    EXPECT_TRUE(seen.insert(s.suffix).second) << s.suffix;
    EXPECT_TRUE(s.suffix.starts_with('_')) << s.suffix;
    EXPECT_GT(s.factor, 0) << s.suffix;
    EXPECT_EQ(find_suffix(s.suffix), &s);
  }
}

TEST(UnitSuffix, HasTheObviousOnes) {
  for (const char* suffix :
       {"_N",   "_mN",    "_kN",     "_Nm",    "_mNm", "_Hz", "_mrad", "_rad", "_arcsec", "_arcmin",
        "_deg", "_deg_s", "_mrad_s", "_rpm",   "_mm",  "_cm", "_m",    "_km",  "_mm_s",   "_cm_s",
        "_m_s", "_km_s",  "_g",      "_kg",    "_t",   "_s",  "_ms",   "_us",  "_min",    "_h",
        "_N_m", "_N_mm",  "_kN_m",   "_N_s_m", "_mNs", "_Ns", "_kg_m2"})
    EXPECT_TRUE(find_suffix(suffix)) << suffix;
  EXPECT_FALSE(find_suffix("_mg"));
}

TEST(UnitSuffix, OfAKeyIsTheLongestThatFits) {
  EXPECT_EQ(find_suffix_of("rate_deg_s")->suffix, "_deg_s");
  EXPECT_EQ(find_suffix_of("stiffness_kN_m")->suffix, "_kN_m");
  EXPECT_EQ(find_suffix_of("mass"), nullptr);
  EXPECT_EQ(find_suffix_of("_m"), nullptr);
}

TEST(KeyUnit, IsThatOfTheInputOrOfAFittingSuffix) {
  EXPECT_EQ(find_key_unit("rate", "rate", unit::rad_per_s)->factor, 1);
  EXPECT_DOUBLE_EQ(find_key_unit("rate_deg_s", "rate", unit::rad_per_s)->factor, M_PI / 180);
  EXPECT_DOUBLE_EQ(find_key_unit("f_Hz", "f", unit::rad_per_s)->factor, 2 * M_PI);
  EXPECT_FALSE(find_key_unit("rate_mm", "rate", unit::rad_per_s));
  EXPECT_FALSE(find_key_unit("rates", "rate", unit::rad_per_s));
}

TEST(Unit, OfAProfileIsThatOfItsInput) {
  EXPECT_EQ(find_unit(unit::of_input, unit::metre), unit::metre);
  EXPECT_EQ(find_unit(unit::of_input_per_s, unit::metre), unit::m_per_s);
  EXPECT_EQ(find_unit(unit::of_input_per_s, unit::rad), unit::rad_per_s);
  EXPECT_EQ(find_unit(unit::second, unit::metre), unit::second);
  EXPECT_EQ(find_unit(unit::of_input, unit::of_input), unit::of_input);
  EXPECT_TRUE(find_key_unit("from_mm", "from", unit::of_input));
  EXPECT_FALSE(find_key_unit("from_kg", "from", unit::of_input));
}

// --- no key has two meanings ---------------------------------------------------------------------

template <class M>
struct Inner {
  static void walk(auto&&) {}
};

template <HasFields Part>
void walk_parts(auto&& visit);

template <HasFields P>
struct Inner<P> {
  static void walk(auto&& visit) { walk_parts<P>(visit); }
};
template <class V>
struct Inner<std::vector<V>> : Inner<V> {};
template <class V>
struct Inner<std::optional<V>> : Inner<V> {};
template <class... Parts>
struct Inner<std::variant<Parts...>> {
  static void walk(auto&& visit) { (Inner<Parts>::walk(visit), ...); }
};

// visit(names of all inputs of a table), for every table a file may have.
template <HasFields Part>
void walk_parts(auto&& visit) {
  Part part{};
  std::vector<std::string_view> names;
  const auto add = [&](const auto& field, const auto& member) {
    names.push_back(field.name);
    Inner<std::remove_cvref_t<decltype(member)>>::walk(visit);
  };
  for_each_field(part, add);
  if constexpr (HasChoice<Part>) {
    const auto add_chosen = [&]<class... Parts>(const std::variant<Parts...>&) {
      const auto one = [&]<class P>() {
        std::vector<std::string_view> all = names;
        P chosen{};
        for_each_field(chosen, [&](const auto& field, const auto& member) {
          all.push_back(field.name);
          Inner<std::remove_cvref_t<decltype(member)>>::walk(visit);
        });
        visit(all);
      };
      (one.template operator()<Parts>(), ...);
    };
    add_chosen(part.*Part::choice().member);
  } else {
    visit(names);
  }
}

TEST(UnitSuffix, MakesNoInputOfAnother) {
  int tables = 0;
  walk_parts<Scenario>([&](const std::vector<std::string_view>& names) {
    ++tables;
    for (std::string_view a : names)
      for (std::string_view b : names)
        EXPECT_FALSE(b.size() > a.size() && b.starts_with(a) && find_suffix(b.substr(a.size())))
            << a << " " << b;
  });
  EXPECT_GT(tables, 50);
}

// --- the page ------------------------------------------------------------------------------------

TEST(UnitsPage, ListsTheTable) {
  std::ifstream in(std::string(BERTH_SOURCE_DIR) + "/docs/units.md");
  ASSERT_TRUE(in);
  std::vector<std::string> rows;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("| ") && line.find("`_") != std::string::npos)
      rows.push_back(line.substr(0, line.rfind(" | ")));
  ASSERT_EQ(rows.size(), std::size(kUnitSuffixes));
  std::size_t i = 0;
  for (const UnitSuffix& s : kUnitSuffixes) {
    std::ostringstream row;
    row << "| " << s.si.symbol << " | `" << s.suffix << "` | " << s.symbol;
    EXPECT_EQ(rows[i++], row.str());
  }
}

}  // namespace
}  // namespace berth::unit_test
