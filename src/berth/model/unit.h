// SPDX-License-Identifier: Apache-2.0
#pragma once

// Units of inputs, and the suffixes a key may carry in place of them: `rate_deg_s = 7`.
//
// A unit carries its exponents of mass, length and time (an angle is a number), so that a test can
// restate any part in another system of units. kUnitSuffixes is the one list of suffixes: reading,
// settings, sweeps, `describe` and docs/units.md go by it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

struct Unit {
  std::string_view symbol;
  int kg = 0, m = 0, s = 0;

  constexpr bool operator==(const Unit& other) const { return symbol == other.symbol; }
};

namespace unit {
inline constexpr Unit none{"-"};
inline constexpr Unit kg{"kg", 1, 0, 0};
inline constexpr Unit metre{"m", 0, 1, 0};
inline constexpr Unit second{"s", 0, 0, 1};
inline constexpr Unit rad{"rad"};
inline constexpr Unit m_per_s{"m/s", 0, 1, -1};
inline constexpr Unit rad_per_s{"rad/s", 0, 0, -1};
inline constexpr Unit per_s{"1/s", 0, 0, -1};
inline constexpr Unit m_per_s2{"m/s²", 0, 1, -2};
inline constexpr Unit rad_per_s2{"rad/s²", 0, 0, -2};
inline constexpr Unit kg_m{"kg·m", 1, 1, 0};
inline constexpr Unit kg_m2{"kg·m²", 1, 2, 0};
inline constexpr Unit newton{"N", 1, 1, -2};
inline constexpr Unit N_per_s{"N/s", 1, 1, -3};
inline constexpr Unit N_m{"N·m", 1, 2, -2};
inline constexpr Unit joule{"J", 1, 2, -2};
inline constexpr Unit watt{"W", 1, 2, -3};
inline constexpr Unit N_per_m{"N/m", 1, 0, -2};
inline constexpr Unit N_s_per_m{"N·s/m", 1, 0, -1};
inline constexpr Unit N_m_per_rad{"N·m/rad", 1, 2, -2};
inline constexpr Unit N_m_s_per_rad{"N·m·s/rad", 1, 2, -1};
inline constexpr Unit N_m_per_rad_s{"N·m/(rad·s)", 1, 2, -3};
inline constexpr Unit N_per_m_s{"N/(m·s)", 1, 0, -3};
inline constexpr Unit N_s{"N·s", 1, 1, -1};
inline constexpr Unit N_m_s{"N·m·s", 1, 2, -1};
inline constexpr Unit per_s2{"1/s²", 0, 0, -2};
inline constexpr Unit m3_per_s2{"m³/s²", 0, 3, -2};
inline constexpr Unit s_per_m{"s/m", 0, -1, 1};

// Of a profile: the unit of the input it is given for, and that per second.
inline constexpr Unit of_input{"of the input"};
inline constexpr Unit of_input_per_s{"of the input, per s"};
}  // namespace unit

// The unit of an input inside of another: a profile has that of the input it is given for.
Unit find_unit(Unit own, Unit around);

struct UnitSuffix {
  std::string_view suffix;
  Unit si;        // of the inputs that take it
  double factor;  // to SI
  std::string_view symbol;
};

inline constexpr double kPi = 3.141592653589793238462643;
inline constexpr UnitSuffix kUnitSuffixes[] = {
    {"_m", unit::metre, 1, "m"},
    {"_um", unit::metre, 1e-6, "µm"},
    {"_mm", unit::metre, 1e-3, "mm"},
    {"_cm", unit::metre, 1e-2, "cm"},
    {"_km", unit::metre, 1e3, "km"},
    {"_m_s", unit::m_per_s, 1, "m/s"},
    {"_mm_s", unit::m_per_s, 1e-3, "mm/s"},
    {"_cm_s", unit::m_per_s, 1e-2, "cm/s"},
    {"_km_s", unit::m_per_s, 1e3, "km/s"},
    {"_m_s2", unit::m_per_s2, 1, "m/s²"},
    {"_mm_s2", unit::m_per_s2, 1e-3, "mm/s²"},
    {"_rad", unit::rad, 1, "rad"},
    {"_mrad", unit::rad, 1e-3, "mrad"},
    {"_urad", unit::rad, 1e-6, "µrad"},
    {"_deg", unit::rad, kPi / 180, "deg"},
    {"_arcmin", unit::rad, kPi / 10800, "arcmin"},
    {"_arcsec", unit::rad, kPi / 648000, "arcsec"},
    {"_rad_s", unit::rad_per_s, 1, "rad/s"},
    {"_mrad_s", unit::rad_per_s, 1e-3, "mrad/s"},
    {"_deg_s", unit::rad_per_s, kPi / 180, "deg/s"},
    {"_arcsec_s", unit::rad_per_s, kPi / 648000, "arcsec/s"},
    {"_rpm", unit::rad_per_s, kPi / 30, "rpm"},
    {"_Hz", unit::rad_per_s, 2 * kPi, "Hz"},
    {"_s", unit::second, 1, "s"},
    {"_us", unit::second, 1e-6, "µs"},
    {"_ms", unit::second, 1e-3, "ms"},
    {"_min", unit::second, 60, "min"},
    {"_h", unit::second, 3600, "h"},
    {"_kg", unit::kg, 1, "kg"},
    {"_g", unit::kg, 1e-3, "g"},
    {"_t", unit::kg, 1e3, "t"},
    {"_kg_m", unit::kg_m, 1, "kg·m"},
    {"_g_mm", unit::kg_m, 1e-6, "g·mm"},
    {"_g_cm", unit::kg_m, 1e-5, "g·cm"},
    {"_kg_m2", unit::kg_m2, 1, "kg·m²"},
    {"_kg_mm2", unit::kg_m2, 1e-6, "kg·mm²"},
    {"_g_mm2", unit::kg_m2, 1e-9, "g·mm²"},
    {"_g_cm2", unit::kg_m2, 1e-7, "g·cm²"},
    {"_N", unit::newton, 1, "N"},
    {"_uN", unit::newton, 1e-6, "µN"},
    {"_mN", unit::newton, 1e-3, "mN"},
    {"_kN", unit::newton, 1e3, "kN"},
    {"_Nm", unit::N_m, 1, "N·m"},
    {"_uNm", unit::N_m, 1e-6, "µN·m"},
    {"_mNm", unit::N_m, 1e-3, "mN·m"},
    {"_kNm", unit::N_m, 1e3, "kN·m"},
    {"_N_m", unit::N_per_m, 1, "N/m"},
    {"_N_mm", unit::N_per_m, 1e3, "N/mm"},
    {"_kN_m", unit::N_per_m, 1e3, "kN/m"},
    {"_N_s_m", unit::N_s_per_m, 1, "N·s/m"},
    {"_N_s_mm", unit::N_s_per_m, 1e3, "N·s/mm"},
    {"_kN_s_m", unit::N_s_per_m, 1e3, "kN·s/m"},
    {"_Ns", unit::N_s, 1, "N·s"},
    {"_mNs", unit::N_s, 1e-3, "mN·s"},
    {"_kNs", unit::N_s, 1e3, "kN·s"},
    {"_Nms", unit::N_m_s, 1, "N·m·s"},
    {"_mNms", unit::N_m_s, 1e-3, "mN·m·s"},
    {"_Nm_rad", unit::N_m_per_rad, 1, "N·m/rad"},
    {"_mNm_rad", unit::N_m_per_rad, 1e-3, "mN·m/rad"},
    {"_kNm_rad", unit::N_m_per_rad, 1e3, "kN·m/rad"},
    {"_Nm_deg", unit::N_m_per_rad, 180 / kPi, "N·m/deg"},
    {"_Nms_rad", unit::N_m_s_per_rad, 1, "N·m·s/rad"},
    {"_mNms_rad", unit::N_m_s_per_rad, 1e-3, "mN·m·s/rad"},
    {"_Nms_deg", unit::N_m_s_per_rad, 180 / kPi, "N·m·s/deg"},
    {"_m3_s2", unit::m3_per_s2, 1, "m³/s²"},
    {"_km3_s2", unit::m3_per_s2, 1e9, "km³/s²"},
};

// Whether an input of this unit takes the suffix.
bool fits(const UnitSuffix& suffix, Unit unit);
// The row of a suffix, its leading _ included; null: there is none.
const UnitSuffix* find_suffix(std::string_view suffix);
// The longest suffix a key ends in; null: none.
const UnitSuffix* find_suffix_of(std::string_view key);
// Suffixes that inputs of this unit take.
std::vector<std::string_view> list_suffixes(Unit unit);

// What a key stands for, `field` being the name of an input of this unit: itself, or the input in
// another unit. Nothing: it is not this input.
struct KeyUnit {
  double factor = 1;  // to SI
  std::string_view symbol;
};
std::optional<KeyUnit> find_key_unit(std::string_view key, std::string_view field, Unit unit);

}  // namespace berth
