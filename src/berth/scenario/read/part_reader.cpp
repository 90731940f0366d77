// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/part_reader.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace berth {
namespace {

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

NodeReader NodeReader::member(const toml::array& array, std::size_t i) const {
  return {array[i], factor, unit, range, path + "." + label_of(array[i], i), problems};
}

const toml::table* NodeReader::plain_table() const {
  const toml::table* table = node.as_table();
  if (!table) {
    refuse("a table");
  } else if (factor != 1) {
    refuse("a number: only numbers take a unit suffix");
    return nullptr;
  }
  return table;
}

// { type = …, … }, or the type alone. A table without a type is the first part that has inputs; a number
// is the input of the part that says so with by_number.
void NodeReader::read_one_of(
    const Forms& forms,
    const std::function<void(const toml::table&, std::size_t)>& read_one) const {
  const auto read_table = [&](const toml::table& table) {
    problems.places.insert_or_assign(path, place_of(table));
    if (const auto found = find_type(table, "type", forms.types, path, problems))
      read_one(table, *found);
  };
  toml::table written;
  if (node.is_string()) {
    written.insert("type", *node.value<std::string>());
  } else if (node.is_number() && !forms.number.empty()) {
    written.insert("type", forms.of_number);
    written.insert(forms.number, *number_of(node));
  } else if (const toml::table* inner = node.as_table()) {
    if (inner->contains("type")) return read_table(*inner);
    written = *inner;
    written.insert("type", forms.first_with_inputs);
  } else {
    return refuse("a table");
  }
  // What is written here has no place in the file: it is where the short form stands.
  const std::size_t known = problems.list.size();
  read_table(written);
  for (std::size_t i = known; i < problems.list.size(); ++i)
    if (problems.list[i].place.line == 0) problems.list[i].place = place_of(node);
  for (auto& [where, place] : problems.places)
    if (where.starts_with(path) && place.line == 0) place = place_of(node);
}

}  // namespace berth
