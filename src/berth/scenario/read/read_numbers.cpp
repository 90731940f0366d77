// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/read_numbers.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "berth/scenario/read/override.h"
#include "berth/scenario/read/part_reader.h"

namespace berth {
namespace {

// "state.position.y" ↦ "state" and "position.y"
struct Cut {
  std::string_view first, rest;
  bool is_last;
};
Cut cut_segment(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {path, {}, true};
  return {path.substr(0, dot), path.substr(dot + 1), false};
}

using Number = std::variant<std::int64_t, double>;

// A decimal number that TOML reads as the same; nothing for all else, even if it is one.
std::optional<Number> find_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  const auto skip_digits = [&] {
    const char* const first = at;
    while (at != end && std::isdigit(static_cast<unsigned char>(*at))) ++at;
    return at - first;
  };
  if (at != end && *at == '-') ++at;
  const bool begins_with_zero = at != end && *at == '0';
  const auto whole = skip_digits();
  if (whole == 0 || (begins_with_zero && whole > 1)) return std::nullopt;
  const auto parse = [&](auto value) -> std::optional<Number> {
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
  };
  if (at == end) return parse(std::int64_t{});
  if (*at == '.') {
    ++at;
    if (skip_digits() == 0) return std::nullopt;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != end && (*at == '+' || *at == '-')) ++at;
    if (skip_digits() == 0) return std::nullopt;
  }
  return at == end ? parse(double{}) : std::nullopt;
}

template <class M>
inline constexpr bool is_plain_number = std::same_as<M, double> || std::same_as<M, int>;
template <class V>
inline constexpr bool is_plain_number<std::optional<V>> = is_plain_number<V>;

template <class M>
inline constexpr bool is_vector = std::same_as<M, Vec3<double>> || std::same_as<M, Sym3<double>> ||
                                  std::same_as<M, Quaternion<double>>;
template <class V>
inline constexpr bool is_vector<std::optional<V>> = is_vector<V>;

class NumberReader {
 public:
  // False when the setting must be read otherwise.
  bool read(const toml::table& root, const std::string& setting, Scenario& scenario) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) return false;
    const std::optional<Number> number = find_number(std::string_view(setting).substr(equals + 1));
    if (!number) return false;
    number_ = *number;
    return in_table(scenario, root, std::string_view(setting).substr(0, equals), unit::none) &&
           problems_.empty();
  }

 private:
  // Where a number goes: the input it belongs to, and how that is read.
  struct Input {
    double factor;  // of the unit suffix
    Unit unit;
    Range range;
  };

  template <HasFields Part>
  bool in_table(Part& part, const toml::table& table, std::string_view path, Unit around) {
    const Cut cut = cut_segment(path);
    const toml::node* node = table.get(cut.first);
    if (!node || (cut.is_last && has_rivals(table, cut.first))) return false;
    bool is_read = false;
    for_each_field(part, [&](const auto& field, auto& member) {
      if (is_read) return;
      const Unit unit = find_unit(field.unit, around);
      if (const std::optional<KeyUnit> meant = find_key_unit(cut.first, field.name, unit))
        is_read = in_input(member, *node, cut, {meant->factor, unit, field.range});
    });
    if constexpr (HasChoice<Part>)
      if (!is_read)
        is_read = std::visit([&](auto& chosen) { return in_table(chosen, table, path, around); },
                             part.*Part::choice().member);
    return is_read;
  }

  // The rest of the path leads into a table; the name of one that has it may stand in between.
  template <HasFields Part>
  bool enter(Part& part, const toml::node& node, std::string_view rest, Unit around) {
    const toml::table* table = node.as_table();
    if (!table) return false;
    const Cut cut = cut_segment(rest);
    const bool is_name = !cut.is_last && is_named(*table, cut.first);
    return in_table(part, *table, is_name ? cut.rest : rest, around);
  }

  template <class M>
  requires is_plain_number<M>
  bool in_input(M& to, const toml::node& node, const Cut& cut, const Input& input) {
    if (!cut.is_last || !node.is_number()) return false;
    read_value(to, input);
    return true;
  }
  // A component of a list of numbers. Several settings may change it.
  template <class M>
  requires is_vector<M>
  bool in_input(M& to, const toml::node& node, const Cut& cut, const Input& input) {
    const toml::array* list = node.as_array();
    if (!list || cut.is_last) return false;
    const std::string_view letters = components_of(*list);
    const std::size_t place = cut.rest.size() == 1 ? letters.find(cut.rest) : letters.npos;
    if (place == letters.npos) return false;
    auto changed = std::find_if(changed_.begin(), changed_.end(),
                                [&](const Changed& c) { return c.list == list; });
    if (changed == changed_.end()) changed = changed_.insert(changed, Changed{list, *list});
    const auto at = changed->now.cbegin() + static_cast<std::ptrdiff_t>(place);
    std::visit([&](auto value) { changed->now.replace(at, value); }, number_);
    NodeReader{changed->now, input.factor, input.unit, input.range, "", problems_}.read(to);
    return true;
  }
  template <HasFields Part>
  bool in_input(Part& to, const toml::node& node, const Cut& cut, const Input& input) {
    return !cut.is_last && enter(to, node, cut.rest, input.unit);
  }
  template <HasFields Part>
  bool in_input(std::optional<Part>& to, const toml::node& node, const Cut& cut,
                const Input& input) {
    return to && in_input(*to, node, cut, input);
  }
  // A part in a table of its own, or the number that stands for it.
  template <class... Parts>
  bool in_input(std::variant<Parts...>& to, const toml::node& node, const Cut& cut, const Input&) {
    return std::visit(
        [&]<class P>(P& part) {
          if (!cut.is_last) return enter(part, node, cut.rest, unit::none);
          bool is_read = false;
          if constexpr (TakesNumber<P>)
            for_each_field(part, [&]<class M>(const auto& field, M& member) {
              if constexpr (std::same_as<M, double>) {
                if (!node.is_number() || field.name != P::by_number) return;
                read_value(member, {1, find_unit(field.unit, unit::none), field.range});
                is_read = true;
              }
            });
          return is_read;
        },
        to);
  }
  // A member of a list, by its name; one table stands for a list of one.
  template <HasFields Part>
  bool in_input(std::vector<Part>& to, const toml::node& node, const Cut& cut, const Input& input) {
    if (cut.is_last) return false;
    if (node.is_table()) return to.size() == 1 && enter(to[0], node, cut.rest, input.unit);
    const toml::array* list = node.as_array();
    const Cut inside = cut_segment(cut.rest);
    if (!list || inside.is_last || list->size() != to.size()) return false;
    std::size_t found = to.size();
    for (std::size_t i = 0; i < to.size(); ++i)
      if (NodeReader::label_of((*list)[i], i) == inside.first) found = i;
    if (found == to.size() || !(*list)[found].is_table()) return false;
    return in_table(to[found], *(*list)[found].as_table(), inside.rest, input.unit);
  }
  bool in_input(const auto&, const toml::node&, const Cut&, const Input&) { return false; }

  void read_value(auto& to, const Input& input) {
    std::visit(
        [&](auto value) {
          const toml::value node{value};
          NodeReader{node, input.factor, input.unit, input.range, "", problems_}.read(to);
        },
        number_);
  }

  Number number_;
  struct Changed {
    const toml::array* list;
    toml::array now;
  };
  std::vector<Changed> changed_;
  Problems problems_;  // there are some: nobody reads them
};

}  // namespace

bool read_numbers(const toml::table& root, const std::vector<std::string>& settings,
                  Scenario& scenario) {
  NumberReader reader;
  return std::all_of(settings.begin(), settings.end(),
                     [&](const std::string& s) { return reader.read(root, s, scenario); });
}

}  // namespace berth
