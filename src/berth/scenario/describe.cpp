// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/describe.h"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "berth/scenario/scenario.h"

namespace berth {
namespace {

struct BuiltIn {
  const char* name;
  const char* text;
};
const BuiltIn kBuiltIns[] = {
#include "berth/built_in.inc"
};

std::string_view range_text(Range range) {
  switch (range) {
    case Range::positive: return "> 0";
    case Range::not_negative:
    case Range::period: return "≥ 0";
    case Range::unit_vector: return "direction";
    case Range::inertia: return "inertia";
    case Range::any: return "";
  }
  return "";
}

template <class M>
struct KindOf {
  static std::string text() { return "table"; }
};
template <>
struct KindOf<double> {
  static std::string text() { return "number"; }
};
template <>
struct KindOf<int> {
  static std::string text() { return "whole number"; }
};
template <>
struct KindOf<bool> {
  static std::string text() { return "true | false"; }
};
template <>
struct KindOf<std::string> {
  static std::string text() { return "text"; }
};
template <>
struct KindOf<Vec3<double>> {
  static std::string text() { return "3 numbers"; }
};
template <>
struct KindOf<Sym3<double>> {
  static std::string text() { return "3 or 3×3 numbers"; }
};
template <>
struct KindOf<Quaternion<double>> {
  static std::string text() { return "4 numbers"; }
};
template <>
struct KindOf<std::array<double, 2>> {
  static std::string text() { return "[from, to]"; }
};
template <HasKeywords E>
struct KindOf<OneOf<E>> {
  static std::string text() { return fmt::format("{}", fmt::join(list_keywords<E>(), " | ")); }
};
template <Named kind>
struct KindOf<Ref<kind>> {
  static std::string text() { return std::string(text_of(kind).kind); }
};
template <class... Parts>
struct KindOf<std::variant<Parts...>> {
  static std::string types() {
    return fmt::format("{}", fmt::join(std::vector<std::string_view>{Parts::type...}, " | "));
  }
  static std::string text() { return "table: " + types(); }
};
template <class V>
struct KindOf<std::optional<V>> : KindOf<V> {};
template <class V>
struct KindOf<std::vector<V>> {
  static std::string text() { return "list of " + KindOf<V>::text(); }
};

// The keywords an input may be, with what each means; nothing for other inputs.
template <class M>
struct KeywordsOf {
  static void add(std::string_view, std::string&) {}
};
template <class V>
struct KeywordsOf<std::optional<V>> : KeywordsOf<V> {};
template <HasKeywords E>
struct KeywordsOf<OneOf<E>> {
  static void add(std::string_view input, std::string& out) {
    constexpr auto keywords = keywords_of(E{});
    std::size_t width = 0;
    for (const Keyword& w : keywords) width = std::max(width, w.keyword.size());
    out += fmt::format("\n  {} =\n", input);
    for (const Keyword& w : keywords)
      out +=
          fmt::format("    {:<{}}  {}\n", fmt::format("\"{}\"", w.keyword), width + 2, w.meaning);
  }
};

// The default as it would be written in a file.
template <class M>
std::string default_text(const M& value) {
  if constexpr (is_optional<M>) {
    return "—";
  } else if constexpr (is_list<M> || HasFields<M>) {
    return "";
  } else if constexpr (is_reference<M>) {
    return value.name;
  } else if constexpr (std::same_as<M, std::string>) {
    return value.empty() ? "" : value;
  } else if constexpr (std::same_as<M, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::same_as<M, double> || std::same_as<M, int>) {
    return fmt::format("{:g}", static_cast<double>(value));
  } else if constexpr (std::same_as<M, Vec3<double>>) {
    return fmt::format("[{:g}, {:g}, {:g}]", value.x, value.y, value.z);
  } else {
    return "";
  }
}

std::size_t columns_of(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
std::string pad(std::string text, std::size_t width) {
  const std::size_t used = columns_of(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

// A keyword: the default of an input that is one of several.
template <HasKeywords E>
std::string default_text(const OneOf<E>& value) {
  return std::string(value.keyword());
}
// The part that stands when none is named.
template <class... Parts>
std::string default_text(const std::variant<Parts...>&) {
  return std::string(std::get<0>(std::tuple{Parts::type...}));
}

std::string unit_text(Unit unit) {
  return unit == unit::of_input || unit == unit::of_input_per_s ? "(input)"
                                                                : std::string(unit.symbol);
}

// Calls visit.operator()<Part>() for each part a variant may hold.
template <class... Parts, class Visit>
void each_of(const std::variant<Parts...>&, Visit&& visit) {
  (visit.template operator()<Parts>(), ...);
}

template <HasFields Part>
std::string table_of_inputs() {
  std::vector<std::array<std::string, 5>> rows{{"input", "unit", "kind", "default", "meaning"}};
  std::string keywords;
  Part part{};
  const auto add = [&](const auto& f, const auto& member) {
    using M = std::remove_cvref_t<decltype(member)>;
    std::string kind = KindOf<M>::text();
    if (!range_text(f.range).empty()) kind += ", " + std::string(range_text(f.range));
    rows.push_back({std::string(f.name), unit_text(f.unit), kind,
                    f.is_required ? (f.unless.empty() ? "required" : "or " + std::string(f.unless))
                                  : default_text(member),
                    std::string(f.meaning)});
    KeywordsOf<M>::add(f.name, keywords);
  };
  if constexpr (HasChoice<Part>) {
    constexpr auto choice = Part::choice();
    using Variant = std::remove_cvref_t<decltype(part.*choice.member)>;
    if constexpr (choice.key == kByOwnKey) {
      each_of(part.*choice.member, [&]<class P>() {
        const P blank{};
        const std::size_t first = rows.size();
        for_each_field(blank, add);
        rows[first][3] = "one of them";
      });
    } else {
      rows.push_back({std::string(choice.key), "-", KindOf<Variant>::types(), "required",
                      "which; it adds its own inputs to these"});
    }
  }
  for_each_field(part, add);
  std::array<std::size_t, 5> width{};
  for (const auto& row : rows)
    for (std::size_t k = 0; k < 5; ++k) width[k] = std::max(width[k], columns_of(row[k]));
  std::string out;
  for (const auto& row : rows) {
    out += "  ";
    for (std::size_t k = 0; k < 4; ++k) out += pad(row[k], width[k] + 2);
    out += row[4] + "\n";
  }
  return out + keywords;
}

std::string describe_units() {
  std::string out;
  std::string_view si;
  for (const UnitSuffix& s : kUnitSuffixes) {
    if (s.si.symbol != si) out += "  " + pad(std::string(s.si.symbol), 12);
    if (s.si.symbol == si) out += std::string(14, ' ');
    si = s.si.symbol;
    out += pad(std::string(s.suffix), 12) + pad(std::string(s.symbol), 12) +
           fmt::format("{:.15g}\n", s.factor);
  }
  return "  inputs in   suffix      stands for  factor\n" + out;
}

struct Described {
  std::string name, where, text;
};

// Every table and part there is.
std::vector<Described> all_described() {
  std::vector<Described> out;
  const auto add_table = [&]<class Part>(const std::string& name, const std::string& where,
                                         const std::string& page = "") {
    std::string text = table_of_inputs<Part>();
    if (const auto example = find_built_in(page)) text += "\nExample:\n\n" + *example;
    out.push_back({name, where, text});
  };
  add_table.operator()<Scenario>("scenario", "the whole file");
  add_table.operator()<TimeSpec>("time", "[time]");
  add_table.operator()<IntegratorSpec>("integrator", "[integrator]");
  add_table.operator()<OrbitSpec>("orbit", "[orbit]");
  add_table.operator()<GravitySpec>("gravity", "[gravity]");
  add_table.operator()<RecordSpec>("record", "[record]");
  add_table.operator()<RecordGroupSpec>("record.group", "[[record.group]]");
  add_table.operator()<SpacecraftSpec>("spacecraft", "[[spacecraft]]");
  add_table.operator()<StateSpec>("state", "[spacecraft.state]");
  add_table.operator()<PortSpec>("port", "[[spacecraft.port]]");
  add_table.operator()<ShapeSpec>("shape", "shape = [{ … }] of a spacecraft, component or body");
  add_table.operator()<PlacementSpec>("placement", "[spacecraft.placement]");
  add_table.operator()<FreeBodySpec>("body", "[[body]]");
  add_table.operator()<DockSpec>("dock", "[[dock]], whatever its type", "docks");
  add_table.operator()<DockSpec>("loop", "[[loop]], whatever its type");
  add_table.operator()<ContactSpec>("contact", "[[contact]], whatever its surface", "contact");
  add_table.operator()<StabilitySpec>("stability", "[stability]");
  add_table.operator()<LiveSpec>("live", "[live]");
  add_table.operator()<FacilitySpec>("facility", "[facility]");
  add_table.operator()<RobotSpec>("robot", "[[facility.robot]]");
  add_table.operator()<ForceSensorSpec>("force_sensor", "[facility.sensor]");
  add_table.operator()<CaptureSpec>("capture", "[[capture]]", "capture");
  add_table.operator()<EnvelopeSpec>("envelope", "[capture.envelope]");
  add_table.operator()<SweepSpec>("sweep", "[sweep]");
  add_table.operator()<OptimiseSpec>("optimise", "[optimise]", "optimise");
  add_table.operator()<DispersedInput>("dispersion", "[[dispersion.input]]", "sweep");
  add_table.operator()<CorrelationSpec>("correlation", "[[dispersion.correlation]]");
  add_table.operator()<ForceSpec>("force", "[[force]], whatever its type");
  add_table.operator()<SensorSpec>("sensor", "[[sensor]], whatever its type");
  add_table.operator()<ControlSpec>("control", "[[control]], whatever its type");
  add_table.operator()<External<double>>("external", "[[external]]", "external");
  add_table.operator()<ExternalCommand<double>>("command", "commands = [{ … }] of an external");
  add_table.operator()<SilenceRule>("silent", "silent = { … } of an external");
  add_table.operator()<ComponentSpec>("component", "[[spacecraft.component]], whatever its type");
  add_table.operator()<EventSpec>("event", "[[event]]");
  add_table.operator()<ActionSpec>("action", "do = [{…}] of an event");
  add_table.operator()<ExpectSpec>("expect", "[expect]");
  add_table.operator()<Profile<double>>("profile", "reference of a controller", "control/profile");
  add_table.operator()<TaskSpec>("task", "[control.task] of a controller of joints",
                                 "control/task");
  add_table.operator()<MeasureSpec>("measure", "[[measure]]");
  add_table.operator()<ArmLink<double>>("link", "[[spacecraft.component.link]] of a robot_arm");
  add_table.operator()<Thruster<double>>("thruster", "[[force.thruster]] of a thruster_set");
  const auto add_part = [&]<class Part>(const std::string& folder, const std::string& where) {
    std::string text = table_of_inputs<Part>();
    if (const auto example = find_built_in(folder + "/" + std::string(Part::type)))
      text += "\nExample:\n\n" + *example;
    out.push_back({std::string(Part::type), where, text});
  };
  for_each_type(Components<double>{}, [&]<class P>() {
    add_part.template operator()<P>("components", "[[spacecraft.component]]");
  });
  for_each_type(ListedForces<double>{},
                [&]<class P>() { add_part.template operator()<P>("forces", "[[force]]"); });
  for_each_type(Constraints<double>{},
                [&]<class P>() { add_part.template operator()<P>("constraints", "[[dock]]"); });
  const auto add_kind = [&](auto list, const std::string& where) {
    for_each_type(list, [&]<class P>() {
      if (P::type != "none") add_part.template operator()<P>("contact", where);
    });
  };
  add_kind(Surfaces<double>{}, "surface of a [[contact]]");
  add_kind(Probes<double>{}, "probe of a [[contact]]");
  add_kind(ContactLaws<double>{}, "law of a [[contact]]");
  add_kind(Frictions<double>{}, "friction of a [[contact]]");
  add_kind(Compensations<double>{}, "compensation of a [[contact]]");
  for_each_type(Sensors<double>{},
                [&]<class P>() { add_part.template operator()<P>("sensors", "[[sensor]]"); });
  for_each_type(Controls<double>{},
                [&]<class P>() { add_part.template operator()<P>("control", "[[control]]"); });
  out.push_back({"units", "suffixes of keys, as in rate_deg_s = 7", describe_units()});
  return out;
}

}  // namespace

std::optional<std::string> find_built_in(const std::string& name) {
  for (const BuiltIn& b : kBuiltIns)
    if (b.name && name == b.name) return std::string(b.text);
  return std::nullopt;
}

std::vector<std::string> built_in_scenarios() {
  std::vector<std::string> names;
  for (const BuiltIn& b : kBuiltIns)
    if (b.name && std::string_view(b.name).starts_with("scenarios/"))
      names.emplace_back(std::string_view(b.name).substr(10));
  return names;
}

std::vector<std::string> describable() {
  std::vector<std::string> names;
  for (const Described& d : all_described()) names.push_back(d.name);
  return names;
}

std::string describe_all() {
  std::string out = "Tables and parts of a scenario (berth describe NAME shows one):\n\n";
  for (const Described& d : all_described()) out += fmt::format("  {:<18}{}\n", d.name, d.where);
  return out +
         "\nA key may end in a unit instead of SI: berth describe units lists the suffixes.\n";
}

std::optional<std::string> describe_one(const std::string& name) {
  for (const Described& d : all_described())
    if (d.name == name) return fmt::format("{} — {}\n\n{}", d.name, d.where, d.text);
  return std::nullopt;
}

}  // namespace berth
