// SPDX-License-Identifier: Apache-2.0
#include "berth/scenario/read/override.h"

#include <algorithm>

#include <fmt/format.h>

#include "berth/record/json_text.h"
#include "berth/scenario/read/part_reader.h"
#include "berth/scenario/read/toml_depth.h"

namespace berth {
namespace {

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> segments;
  std::size_t from = 0;
  for (;;) {
    const std::size_t dot = path.find('.', from);
    segments.emplace_back(path.substr(from, dot - from));
    if (dot == std::string_view::npos) return segments;
    from = dot + 1;
  }
}

// The value under the key "value". What is no TOML is a text.
toml::table parse_value(const std::string& value) {
  const auto try_parse = [](const std::string& text) -> std::optional<toml::table> {
    try {
      return toml::parse("value = " + text, kSetting);
    } catch (const toml::parse_error&) {
      return std::nullopt;
    }
  };
  // Only one value may come of it: "1\nother = 2" is a text, not two keys.
  if (auto parsed = try_parse(value); parsed && parsed->size() == 1) return std::move(*parsed);
  toml::table text = toml::parse("value = \"\"", kSetting);
  *text["value"].as_string() = value;
  return text;
}

// The same input in another unit.
bool is_same_input(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (!a.empty() && !b.empty() && a[0] != b[0]) return false;
  const auto stem = [](std::string_view key, const UnitSuffix* suffix) {
    return suffix ? key.substr(0, key.size() - suffix->suffix.size()) : key;
  };
  const UnitSuffix *of_a = find_suffix_of(a), *of_b = find_suffix_of(b);
  if (of_a && of_b) return stem(a, of_a) == stem(b, of_b) && of_a->si == of_b->si;
  return stem(a, of_a) == stem(b, of_b);
}

bool is_rival(std::string_view key, std::string_view other) {
  // Ways to say the same.
  constexpr std::string_view attitudes[] = {"quaternion_BN", "sigma_BN", "euler", "euler_deg"};
  constexpr std::string_view sizes[] = {"semi_major_axis", "semi_major_axis_km", "altitude",
                                        "altitude_km"};
  const auto are_both = [&](const auto& list) {
    return std::ranges::find(list, key) != std::end(list) &&
           std::ranges::find(list, other) != std::end(list);
  };
  return are_both(attitudes) || are_both(sizes) || is_same_input(other, key);
}

}  // namespace

void remove_rivals(toml::table& table, std::string_view key) {
  for (auto it = table.begin(); it != table.end();)
    it = is_rival(key, it->first.str()) ? table.erase(it) : std::next(it);
}

bool has_rivals(const toml::table& table, std::string_view key) {
  return std::any_of(table.begin(), table.end(), [&](const auto& entry) {
    return entry.first != key && is_rival(key, entry.first.str());
  });
}

std::string_view components_of(const toml::array& list) {
  const bool is_vector =
      (list.size() == 3 || list.size() == 4) &&
      std::all_of(list.begin(), list.end(), [](const toml::node& n) { return n.is_number(); });
  return is_vector ? std::string_view("wxyz").substr(4 - list.size()) : "";
}

bool is_named(const toml::table& table, std::string_view name) {
  return table["name"].value<std::string_view>() == name;
}

void apply_override(toml::table& root, const std::string& setting, Problems& problems) {
  const std::size_t equals = setting.find('=');
  const Place here{0, 0, std::string(kSetting)};
  if (equals == std::string::npos || equals == 0)
    return problems.add(here, setting, "write it as table.name.key=VALUE");
  // As a file is; in what is written of a scenario it would become another text.
  if (!is_utf8(setting)) return problems.add(here, "", "a setting is text in UTF-8");
  const std::string path = setting.substr(0, equals);
  const std::vector<std::string> segments = split_path(path);
  if (segments.size() > kDeepestToml || find_too_deep("value = " + setting.substr(equals + 1)))
    return problems.add(here, "",
                        fmt::format("the setting is nested over {} levels deep", kDeepestToml));

  // Walk to the table that holds the key. A list (of tables, or one table standing for it) is
  // entered by the name of a member.
  toml::table* table = &root;
  std::string walked;
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    const std::string& segment = segments[i];
    walked += (i ? "." : "") + segment;
    toml::node* node = table->get(segment);
    if (!node) {
      table->insert(segment, std::move(*parse_value("{}").get("value")));
      node = table->get(segment);
    }
    if (node->is_string()) {  // a kind by its name alone: law = "spring_dashpot"
      toml::table kind = parse_value("{}");
      kind["value"].as_table()->insert("type", *node->value<std::string>());
      table->insert_or_assign(segment, std::move(*kind.get("value")));
      node = table->get(segment);
    }
    if (toml::table* next = node->as_table()) {
      table = next;
      if (i + 2 < segments.size() && is_named(*table, segments[i + 1]))
        walked += "." + segments[++i];
      continue;
    }
    toml::array* list = node->as_array();
    if (!list) return problems.add(here, path, fmt::format("{} is not a table", walked));
    if (const std::string_view letters = components_of(*list); !letters.empty()) {
      const std::size_t place =
          segments[i + 1].size() == 1 ? letters.find(segments[i + 1]) : letters.npos;
      if (place == letters.npos || i + 2 != segments.size())
        return problems.add(
            here, path,
            fmt::format("the components of {} are {}", walked, fmt::join(letters, ", ")));
      toml::table value = parse_value(setting.substr(equals + 1));
      list->replace(list->cbegin() + static_cast<std::ptrdiff_t>(place),
                    std::move(*value.get("value")));
      return;
    }
    if (i + 2 >= segments.size())
      return problems.add(here, path, fmt::format("{} is a list: name one of its members", walked));
    const std::string& name = segments[++i];
    walked += "." + name;
    toml::table* member = nullptr;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < list->size(); ++k) {
      names.push_back(NodeReader::label_of((*list)[k], k));
      if (names.back() == name) member = (*list)[k].as_table();
    }
    if (!member) {
      const std::vector<std::string_view> views(names.begin(), names.end());
      const std::string_view near = find_nearest(name, views);
      std::string all;
      for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
      return problems.add(
          here, path,
          near.empty() ? fmt::format("no {} named {}; there is {}", segment, name, all)
                       : fmt::format("no {} named {}; did you mean {}?", segment, name, near));
    }
    table = member;
  }
  const std::string& key = segments.back();
  if (key.empty()) return problems.add(here, path, "the key is empty");
  remove_rivals(*table, key);
  toml::table value = parse_value(setting.substr(equals + 1));
  table->insert_or_assign(key, std::move(*value.get("value")));
}

}  // namespace berth
