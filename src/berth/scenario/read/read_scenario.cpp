// SPDX-License-Identifier: Apache-2.0

// From text to structs.

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "berth/record/hdf5_file.h"
#include "berth/record/input_file.h"
#include "berth/scenario/read/load_models.h"
#include "berth/scenario/read/override.h"
#include "berth/scenario/read/part_reader.h"
#include "berth/scenario/read/part_writer.h"
#include "berth/scenario/read/read_numbers.h"
#include "berth/scenario/read/toml_depth.h"
#include "berth/scenario/scenario.h"

namespace berth {

namespace {

constexpr std::uintmax_t kLargestFile = 4u << 20;  // [bytes]

// The scenario file in the same folder whose name is nearest to one that is not there.
std::string near_file(const std::filesystem::path& missing) {
  const std::string whole = missing.string() + ".toml";
  std::error_code error;
  if (std::filesystem::exists(whole, error)) return fmt::format("; did you mean {}?", whole);
  const std::filesystem::path folder = missing.has_parent_path() ? missing.parent_path() : ".";
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".toml") names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = find_nearest(missing.filename().string(), views);
  return near.empty() ? ""
                      : fmt::format("; did you mean {}?", (missing.parent_path() / near).string());
}

// The text of a file, or a problem: missing, a folder, too large, not text.
std::optional<std::string> read_text(const std::filesystem::path& path, const char* role,
                                     Problems& problems) {
  const auto refuse = [&](std::string why) {
    problems.add(Place{}, "", std::move(why));
    return std::nullopt;
  };
  InputFile in(path, role);
  const std::string text = in.read(kLargestFile + 1);
  if (in.is_missing()) return refuse(in.problem() + near_file(path));
  if (!in.problem().empty()) return refuse(in.problem());
  if (find_hdf5(text))
    return refuse(
        "is a result, not a scenario: berth report shows it, berth run --case replays a case of a "
        "sweep");
  if (text.size() > kLargestFile)
    return refuse(fmt::format("is too large: a scenario has at most {} MB", kLargestFile >> 20));
  if (text.find('\0') != std::string::npos) return refuse("is not a text file");
  return text;
}

std::optional<toml::table> parse(const std::string& text, const std::string& name,
                                 Problems& problems) {
  if (const std::optional<TomlPlace> at = find_too_deep(text)) {
    problems.add(Place{at->line, at->column, name}, "",
                 fmt::format("tables and lists are nested over {} levels deep", kDeepestToml));
    return std::nullopt;
  }
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    const toml::source_position at = e.source().begin;
    problems.add(Place{static_cast<int>(at.line), static_cast<int>(at.column), name}, "",
                 std::string(e.description()));
    return std::nullopt;
  }
}

// Keys of `over` laid upon `base`: tables merge, members of lists with the same name merge, all else
// is replaced. Nodes are moved: a copy would forget its place in the file.
void lay_over(toml::table& base, toml::table&& over) {
  for (auto&& [key, node] : over) {
    toml::node* there = base.get(key);
    if (!there) remove_rivals(base, key.str());
    if (there && there->is_table() && node.is_table()) {
      lay_over(*there->as_table(), std::move(*node.as_table()));
    } else if (there && there->is_array_of_tables() && node.is_array_of_tables()) {
      toml::array& list = *there->as_array();
      for (toml::node& member : *node.as_array()) {
        toml::table& table = *member.as_table();
        const auto name = table["name"].value<std::string>();
        toml::table* same = nullptr;
        for (toml::node& other : list)
          if (name && (*other.as_table())["name"].value<std::string>() == name)
            same = other.as_table();
        if (same) {
          lay_over(*same, std::move(table));
        } else {
          list.push_back(std::move(table));
        }
      }
    } else {
      base.insert_or_assign(key, std::move(node));
    }
  }
}

// Models of an included craft are beside its file: `from` says where that is.
void move_models(toml::node& node, const std::filesystem::path& from) {
  if (toml::array* list = node.as_array())
    for (toml::node& member : *list) move_models(member, from);
  if (toml::table* table = node.as_table())
    for (auto&& [key, value] : *table) {
      toml::value<std::string>* name = key == "gltf" ? value.as_string() : nullptr;
      if (name) *name = (from / name->get()).string();
      if (key == "shape" || key == "component" || key == "gltf") move_models(value, from);
    }
}

// `from = "file.toml"`: the craft of that file, with what stands here laid over it.
void include_craft(toml::table& craft, const std::filesystem::path& folder, Problems& problems,
                   int depth = 0) {
  const toml::node* from = craft.get("from");
  if (!from || !from->is_string()) return;
  const std::string name = *from->value<std::string>();
  if (name.empty()) return;  // as a written-out scenario has it
  const auto refuse = [&](const std::string& why) {
    problems.add(place_of(*from), "spacecraft.from", fmt::format("\"{}\" {}", name, why));
  };
  if (depth > 8) return refuse("includes itself");
  const std::filesystem::path path = folder / name;
  Problems inside{path.string(), {}};
  const std::optional<std::string> text = read_text(path, "craft", inside);
  std::optional<toml::table> file = text ? parse(*text, path.string(), inside) : std::nullopt;
  if (!file) {
    for (const Problem& p : inside.list) refuse(p.message);
    return;
  }
  // Either a whole scenario with one craft, or the inputs of a craft alone.
  toml::table base;
  if (toml::array* list = (*file)["spacecraft"].as_array()) {
    if (list->size() != 1 || !(*list)[0].is_table())
      return refuse("must hold exactly one spacecraft");
    base = std::move(*(*list)[0].as_table());
  } else {
    base = std::move(*file);
  }
  include_craft(base, path.parent_path(), problems, depth + 1);
  base.erase("from");
  move_models(base, std::filesystem::path(name).parent_path());
  lay_over(base, std::move(craft));
  base.erase("from");
  craft = std::move(base);
}

// "spacecraft.<name>.from=FILE"
bool sets_source(std::string_view setting) {
  const std::string_view path = setting.substr(0, setting.find('='));
  return path.starts_with("spacecraft.") && path.ends_with(".from") &&
         std::count(path.begin(), path.end(), '.') == 2;
}

// Works settings, and the craft that a file takes from others, into its tables.
void complete_tables(toml::table& root, const std::vector<std::string>& overrides,
                     const std::filesystem::path& folder, Problems& problems) {
  // Where a craft comes from is set first: all other settings may change what it brings.
  const auto apply = [&](bool sources) {
    for (const std::string& o : overrides)
      if (sets_source(o) == sources) apply_override(root, o, problems);
  };
  apply(true);
  if (toml::array* craft = root["spacecraft"].as_array())
    for (toml::node& c : *craft)
      if (toml::table* table = c.as_table()) include_craft(*table, folder, problems);
  if (toml::table* craft = root["spacecraft"].as_table()) include_craft(*craft, folder, problems);
  apply(false);
}

std::optional<toml::table> find_tables(std::string_view text, const std::string& name,
                                       const std::vector<std::string>& overrides,
                                       const std::filesystem::path& folder, Problems& problems) {
  std::optional<toml::table> root = parse(std::string(text), name, problems);
  if (root) complete_tables(*root, overrides, folder, problems);
  return root;
}

std::string write_tables(const toml::table& tables) {
  // Texts with escapes on one line: the formatter's literal strings may hold quotes that end them.
  // And ASCII alone: some readers of result files stop at anything else.
  const toml::format_flags flags =
      toml::toml_formatter::default_flags &
      ~(toml::format_flags::allow_literal_strings | toml::format_flags::allow_multi_line_strings |
        toml::format_flags::allow_unicode_strings);
  std::ostringstream out;
  out << toml::toml_formatter{tables, flags} << "\n";
  return out.str();
}

// What a capture is to join is not joined yet.
void open_captured_docks(Scenario& scenario) {
  for (const CaptureSpec& capture : scenario.capture)
    for (DockSpec& dock : scenario.dock)
      if (!dock.engaged && (dock.name == capture.dock.name || dock.name == capture.soft.name))
        dock.engaged = false;
}

}  // namespace

std::optional<std::string> read_scenario_file(const std::filesystem::path& path,
                                              Problems& problems) {
  return read_text(path, "scenario", problems);
}

std::string expand_scenario(std::string_view text, const std::string& name,
                            const std::vector<std::string>& overrides,
                            const std::filesystem::path& folder, Problems& problems) {
  const std::optional<toml::table> root = find_tables(text, name, overrides, folder, problems);
  return root ? write_tables(*root) : "";
}

struct ParsedScenario::Tables {
  std::optional<toml::table> root;
  Problems problems;
  // Without settings: the tables with all that they include, and what was read of them. None when
  // something is wrong.
  toml::table completed{};
  std::optional<Scenario> known{};

  // With the tables as they are after the settings.
  ReadScenario read(const std::vector<std::string>& overrides, toml::table& tables) const {
    ReadScenario out{{}, problems};
    if (!root) return out;
    tables = *root;
    complete_tables(tables, overrides, "", out.problems);
    read_part(tables, out.scenario, "", out.problems);
    open_captured_docks(out.scenario);
    return out;
  }
};

ParsedScenario::ParsedScenario(std::string_view text, const std::string& name) {
  Tables tables{{}, {name, {}}};
  tables.root = parse(std::string(text), name, tables.problems);
  ReadScenario read = tables.read({}, tables.completed);
  if (read.problems.empty()) tables.known = std::move(read.scenario);
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

ReadScenario ParsedScenario::read(const std::vector<std::string>& overrides) const {
  toml::table tables;
  return tables_->read(overrides, tables);
}

std::optional<ReadScenario> ParsedScenario::read_numbers(
    const std::vector<std::string>& overrides) const {
  if (!tables_->known) return std::nullopt;
  std::optional<ReadScenario> out{{*tables_->known, {tables_->problems.file, {}}}};
  if (!berth::read_numbers(tables_->completed, overrides, out->scenario)) out.reset();
  return out;
}

ReadScenario read_scenario_text(std::string_view text, const std::string& name,
                                const std::vector<std::string>& overrides,
                                const std::filesystem::path& folder, const ModelFiles* stored) {
  ReadScenario out;
  out.problems.file = name;
  const std::optional<toml::table> root = find_tables(text, name, overrides, folder, out.problems);
  if (root) read_part(*root, out.scenario, "", out.problems);
  open_captured_docks(out.scenario);
  load_models(out.scenario, folder, stored, out.problems);
  return out;
}

ReadScenario read_scenario(const std::filesystem::path& path,
                           const std::vector<std::string>& overrides) {
  Problems problems{path.string(), {}};
  const std::optional<std::string> text = read_text(path, "scenario", problems);
  if (!text) return {{}, std::move(problems)};
  return read_scenario_text(*text, path.string(), overrides, path.parent_path());
}

std::string write_scenario(const Scenario& scenario) { return write_tables(write_part(scenario)); }

}  // namespace berth
