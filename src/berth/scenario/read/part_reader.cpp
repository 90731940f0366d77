// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/part_reader.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth {
namespace {

// Inputs that had another name once.
struct Renamed {
  std::string_view former, now;
};
constexpr Renamed kRenamed[] = {
    {"tell", "report"},  // of an event
    {"hit", "impact"},   // likewise
};

// What else people call an input.
constexpr Renamed kSynonyms[] = {
    {"depth", "length"},
    {"com", "centre_of_mass"},
    {"cog", "centre_of_mass"},
    {"center_of_mass", "centre_of_mass"},
    {"quaternion", "quaternion_BN"},
    {"mrp", "sigma_BN"},
    {"sigma", "sigma_BN"},
    {"euler_angles", "euler"},
    {"omega", "omega_BN_B"},
    {"angular_velocity", "omega_BN_B"},
    {"sma", "semi_major_axis"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"mu", "friction"},
    {"coefficient_of_restitution", "restitution"},
    {"noise", "noise_position"},
    {"fov", "field_of_view"},
    {"rotate", "rotation"},
    {"glb", "gltf"},
};

// Inputs that belong to another part now.
struct Moved {
  std::string_view part, key, to;
};
constexpr std::string_view kToNavigation =
    "is an input of a sensor now: [[sensor]] type = \"relative_pose\", which navigation names";
constexpr Moved kMoved[] = {
    {"approach", "bias", kToNavigation},
    {"approach", "noise_position", kToNavigation},
    {"approach", "noise_velocity", kToNavigation},
    {"approach", "seed", kToNavigation},
};

std::string text_of(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& n) { text << n; });
  std::string s = text.str();
  // One line, not too long, and never half of a wide letter.
  std::replace_if(
      s.begin(), s.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  if (s.size() <= 60) return s;
  std::size_t end = 57;
  while (end > 0 && (static_cast<unsigned char>(s[end]) & 0xC0) == 0x80) --end;
  return s.substr(0, end) + "...";
}

// Any number, whole ones too: the library would refuse those that a double cannot hold exactly.
std::optional<double> number_of(const toml::node& node) {
  if (const auto* x = node.as_floating_point()) return x->get();
  if (const auto* x = node.as_integer()) return static_cast<double>(x->get());
  return std::nullopt;
}

// Positive definite, and each principal moment no larger than the sum of the other two — both
// judged without eigenvalues: I and ½ tr(I) 1 − I have positive (non-negative) leading minors.
bool is_semidefinite(const Sym3<double>& s, double slack) {
  const double m1 = s.xx, m2 = s.xx * s.yy - s.xy * s.xy;
  const double m2b = s.xx * s.zz - s.xz * s.xz, m2c = s.yy * s.zz - s.yz * s.yz;
  const double m3 =
      s.xx * m2c - s.xy * (s.xy * s.zz - s.yz * s.xz) + s.xz * (s.xy * s.yz - s.yy * s.xz);
  const double t = trace(s);
  return m1 >= -slack * t && s.yy >= -slack * t && s.zz >= -slack * t && m2 >= -slack * t * t &&
         m2b >= -slack * t * t && m2c >= -slack * t * t && m3 >= -slack * t * t * t;
}

}  // namespace

Place place_of(const toml::node& node) {
  const toml::source_position at = node.source().begin;
  const toml::source_path_ptr& path = node.source().path;
  if (path && *path == kSetting) return {0, 0, *path};
  return {static_cast<int>(at.line), static_cast<int>(at.column), path ? *path : std::string()};
}

bool check_number(double value, Range range, Unit unit, Place place, const std::string& path,
                  Problems& problems) {
  const bool plain = unit == unit::none || unit == unit::of_input || unit == unit::of_input_per_s;
  const auto refuse = [&](std::string_view rule) {
    problems.add(place, path,
                 fmt::format("{}{} {}", value, plain ? "" : fmt::format(" {}", unit.symbol), rule));
    return false;
  };
  if (!std::isfinite(value)) return refuse("is not a finite number");
  if (range == Range::positive && !(value > 0)) return refuse("must be positive");
  if ((range == Range::not_negative || range == Range::period) && value < 0)
    return refuse("must not be negative");
  return true;
}

void NodeReader::refuse(const std::string& wanted) const {
  problems.add(place_of(node), path, fmt::format("{} is not {}", text_of(node), wanted));
}

bool NodeReader::numbers(std::size_t count, double* out) const {
  const toml::array* array = node.as_array();
  if (!array || array->size() != count) {
    refuse(fmt::format("a list of {} numbers", count));
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<double> x = number_of((*array)[i]);
    if (!x) {
      refuse(fmt::format("a list of {} numbers", count));
      return false;
    }
    out[i] = *x * factor;
    if (!check_number(out[i], Range::any, unit, place_of(node), path, problems)) return false;
  }
  return true;
}

std::string NodeReader::label_of(const toml::node& node, std::size_t i) {
  if (const toml::table* table = node.as_table())
    if (const auto name = (*table)["name"].value<std::string>()) return *name;
  return std::to_string(i + 1);
}

void NodeReader::read(double& to) const {
  const std::optional<double> x = number_of(node);
  if (!x) return refuse("a number");
  if (check_number(*x * factor, range, unit, place_of(node), path, problems)) to = *x * factor;
}
void NodeReader::read(int& to) const {
  const std::optional<std::int64_t> x =
      node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
  if (!x || *x < -2147483647 || *x > 2147483647) return refuse("a whole number");
  if (check_number(static_cast<double>(*x), range, unit, place_of(node), path, problems))
    to = static_cast<int>(*x);
}
void NodeReader::read(bool& to) const {
  if (!node.is_boolean()) return refuse("true or false");
  to = *node.value<bool>();
}
std::optional<std::string> NodeReader::text() const {
  if (!node.is_string()) {
    refuse("a text in quotes");
    return std::nullopt;
  }
  return *node.value<std::string>();
}
void NodeReader::read(std::string& to) const {
  if (std::optional<std::string> word = text()) to = std::move(*word);
}
void NodeReader::read(Vec3<double>& to) const {
  double v[3];
  if (!numbers(3, v)) return;
  to = {v[0], v[1], v[2]};
  if (range != Range::unit_vector) return;
  const double largest = std::max({std::fabs(to.x), std::fabs(to.y), std::fabs(to.z)});
  if (!(largest > 0)) return refuse("a direction: its length is zero");
  // Of unit length already, as far as digits can show: kept as written. Else brought near one before
  // it is squared, however long or short it is.
  if (largest <= 1 && std::fabs(norm(to) - 1) <= 1e-14) return;
  to = normalised(Vec3<double>{to.x / largest, to.y / largest, to.z / largest});
}
void NodeReader::read(Sym3<double>& to) const {
  // Three numbers are the diagonal; three rows of three the full matrix.
  const toml::array* array = node.as_array();
  if (!array || array->size() != 3) return refuse("3 principal moments or a 3×3 matrix");
  if ((*array)[0].is_array()) {
    double m[3][3];
    for (std::size_t i = 0; i < 3; ++i)
      if (!NodeReader{(*array)[i], factor, unit, range, path, problems}.numbers(3, m[i])) return;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j)
        if (std::fabs(m[i][j] - m[j][i]) > 1e-12 * (std::fabs(m[i][i]) + std::fabs(m[j][j])))
          return refuse("symmetric");
    to = {m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]};
  } else {
    double d[3];
    if (!numbers(3, d)) return;
    to = Sym3<double>::diagonal(d[0], d[1], d[2]);
  }
  if (range != Range::inertia || to == Sym3<double>{}) return;
  if (!(trace(to) > 0) || !is_semidefinite(to, 1e-14)) return refuse("positive definite");
  const Sym3<double> rest = Sym3<double>::diagonal(0.5 * trace(to)) - to;
  if (!is_semidefinite(rest, 1e-12))
    return refuse("an inertia: one principal moment exceeds the sum of the other two");
}
void NodeReader::read(Quaternion<double>& to) const {
  double q[4];
  if (!numbers(4, q)) return;
  to = {q[0], q[1], q[2], q[3]};
  const double n = norm_squared(to);
  if (std::fabs(n - 1) > 1e-6) return refuse("a unit quaternion (scalar first)");
  // Nearer to one than the digits of a file can show: kept as written.
  if (std::fabs(n - 1) > 1e-14) to = canonical(to);
}
void NodeReader::read(std::array<double, 2>& to) const { numbers(2, to.data()); }

std::string in_brackets(Unit unit) {
  return unit == unit::none ? "" : fmt::format(" [{}]", unit.symbol);
}

void report_unknown_key(std::string_view key, const toml::node& node, std::string_view part,
                        const std::vector<InputName>& inputs, const std::string& path,
                        Problems& problems) {
  if (problems.is_full()) return problems.add(place_of(node), path, "");  // counted, not reported
  for (const Renamed& r : kRenamed)
    if (r.former == key)
      for (const InputName& input : inputs)
        if (input.name == r.now)
          return problems.add(place_of(node), path, fmt::format("is called \"{}\" now", r.now),
                              Problem::unknown_key, r.now);
  for (const Renamed& r : kSynonyms)
    if (r.former == key)
      for (const InputName& input : inputs)
        if (input.name == r.now)
          return problems.add(place_of(node), path, fmt::format("is called \"{}\" here", r.now),
                              Problem::unknown_key, r.now);
  for (const Moved& m : kMoved)
    if (m.part == part && m.key == key)
      return problems.add(place_of(node), path, std::string(m.to));
  std::string message = fmt::format("no such input of {}", part);
  // An input with a unit it does not have.
  for (const InputName& input : inputs) {
    if (!key.starts_with(input.name) || !find_suffix(key.substr(input.name.size()))) continue;
    const std::vector<std::string_view> suffixes = list_suffixes(input.unit);
    message += suffixes.empty() ? fmt::format("; {} has no unit", input.name)
                                : fmt::format("; {} is in {}, or with {}", input.name,
                                              input.unit.symbol, fmt::join(suffixes, ", "));
    return problems.add(place_of(node), path, message, Problem::unknown_key, input.name);
  }
  std::vector<std::string_view> names;
  for (const InputName& input : inputs) names.push_back(input.name);
  std::string_view near = find_nearest(key, names);
  // With a unit after it, the name alone may be what is misspelt.
  if (const UnitSuffix* suffix = find_suffix_of(key); suffix && near.empty())
    near = find_nearest(key.substr(0, key.size() - suffix->suffix.size()), names);
  if (near.empty()) message += fmt::format("; there is {}", fmt::join(names, ", "));
  for (const InputName& input : inputs)
    if (input.name == near)
      message += fmt::format("; did you mean \"{}\"{}?", input.name, in_brackets(input.unit));
  problems.add(place_of(node), path, message, Problem::unknown_key, near);
}

void report_key_of_others(std::string_view key, const toml::node& node, std::string_view part,
                          const std::vector<std::string_view>& owners, const std::string& path,
                          Problems& problems) {
  problems.add(
      place_of(node), path,
      fmt::format("no such input of {}; {} belongs to {}", part, key, fmt::join(owners, ", ")));
}

void report_own_keys(const toml::table& table, const std::vector<std::string_view>& types,
                     const std::string& path, Problems& problems) {
  problems.add(place_of(table), path,
               fmt::format("needs exactly one of {}", fmt::join(types, ", ")));
}

std::optional<std::size_t> find_type(const toml::table& table, std::string_view key,
                                     const std::vector<std::string_view>& types,
                                     const std::string& path, Problems& problems) {
  const std::string at = path + "." + std::string(key);
  const toml::node* given = table.get(key);
  if (!given || !given->is_string()) {
    problems.add(place_of(given ? *given : table), at,
                 fmt::format("is missing: one of {}", fmt::join(types, ", ")));
    return std::nullopt;
  }
  const std::string type = *given->value<std::string>();
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i] == type) return i;
  const std::string_view near = find_nearest(type, types);
  problems.add(place_of(*given), at,
               near.empty() ? fmt::format("\"{}\" is not one of {}", type, fmt::join(types, ", "))
                            : fmt::format("no type \"{}\"; did you mean \"{}\"?", type, near));
  return std::nullopt;
}

}  // namespace berth
