// SPDX-License-Identifier: Apache-2.0
#include "berth/model/unit.h"

namespace berth {

Unit find_unit(Unit own, Unit around) {
  if (around == unit::of_input || around == unit::none) return own;
  if (own == unit::of_input) return around;
  if (own != unit::of_input_per_s) return own;
  if (around == unit::rad) return unit::rad_per_s;
  if (around == unit::metre) return unit::m_per_s;
  if (around == unit::newton) return unit::N_per_s;
  return own;
}

bool fits(const UnitSuffix& suffix, Unit unit) {
  // A profile whose input is not known: of a controller that an event names.
  if (unit == unit::of_input)
    return suffix.si == unit::rad || suffix.si == unit::metre || suffix.si == unit::newton;
  if (unit == unit::of_input_per_s)
    return suffix.si == unit::rad_per_s || suffix.si == unit::m_per_s;
  return suffix.si == unit;
}

const UnitSuffix* find_suffix(std::string_view suffix) {
  for (const UnitSuffix& s : kUnitSuffixes)
    if (s.suffix == suffix) return &s;
  return nullptr;
}

const UnitSuffix* find_suffix_of(std::string_view key) {
  const UnitSuffix* best = nullptr;
  for (const UnitSuffix& s : kUnitSuffixes)
    if (key.size() > s.suffix.size() && key.ends_with(s.suffix) &&
        (!best || s.suffix.size() > best->suffix.size()))
      best = &s;
  return best;
}

std::vector<std::string_view> list_suffixes(Unit unit) {
  std::vector<std::string_view> out;
  for (const UnitSuffix& s : kUnitSuffixes)
    if (fits(s, unit)) out.push_back(s.suffix);
  return out;
}

std::optional<KeyUnit> find_key_unit(std::string_view key, std::string_view field, Unit unit) {
  if (key == field) return KeyUnit{1, unit.symbol};
  if (!key.starts_with(field)) return std::nullopt;
  const UnitSuffix* s = find_suffix(key.substr(field.size()));
  if (!s || !fits(*s, unit)) return std::nullopt;
  return KeyUnit{s->factor, s->symbol};
}

}  // namespace berth
