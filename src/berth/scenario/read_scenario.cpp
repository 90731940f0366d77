// SPDX-License-Identifier: Apache-2.0

// From text to structs.

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "berth/scenario/override.h"
#include "berth/scenario/part_reader.h"
#include "berth/scenario/scenario.h"
#include "berth/scenario/toml_depth.h"

namespace berth {

// Reads the alternative of a variant whose type the table names, or complains with the choices.
template <class... Parts>
void read_variant(const NodeReader& r, std::variant<Parts...>& part,
                  const std::set<std::string, std::less<>>& also,
                  const std::string& type_key = "type") {
  const toml::table* table = r.node.as_table();
  if (!table) return r.refuse("a table");
  r.problems.places.insert_or_assign(r.path, place_of(*table));
  const std::vector<std::string_view> types{Parts::type...};
  const toml::node* given = table->get(type_key);
  if (!given || !given->is_string()) {
    std::string all;
    for (std::string_view t : types) all += (all.empty() ? "" : ", ") + std::string(t);
    return r.problems.add(place_of(given ? *given : *table), r.path + "." + type_key,
                          fmt::format("is missing: one of {}", all));
  }
  const std::string type = *given->value<std::string>();
  const auto try_type = [&]<class Part>() {
    if (Part::type != type) return false;
    Part fresh;
    read_part(*table, fresh, r.path, r.problems, also);
    part = std::move(fresh);
    return true;
  };
  if ((try_type.template operator()<Parts>() || ...)) return;
  const std::string_view near = find_nearest(type, types);
  std::string all;
  for (std::string_view t : types) all += (all.empty() ? "" : ", ") + std::string(t);
  r.problems.add(place_of(*given), r.path + "." + type_key,
                 near.empty() ? fmt::format("\"{}\" is not one of {}", type, all)
                              : fmt::format("no type \"{}\"; did you mean \"{}\"?", type, near));
}

template <class V>
void read_key(const NodeReader& r, std::string_view key, V& to, bool must = false) {
  const toml::table* table = r.node.as_table();
  if (!table) return;
  const std::string path = r.path + "." + std::string(key);
  if (const toml::node* node = table->get(key)) {
    r.problems.places.insert_or_assign(path, place_of(*node));
    NodeReader{*node, 1, unit::none, Range::any, path, r.problems}.read(to);
  } else if (must) {
    r.problems.add(place_of(*table), path, "is missing: what all else calls it");
  }
}

void read_node(const NodeReader& r, ComponentSpec& to) {
  read_variant(r, to.part, {"type", "name", "on", "shape"});
  read_key(r, "name", to.name, true);
  read_key(r, "on", to.on);
  read_key(r, "shape", to.shape);
}
void read_node(const NodeReader& r, ForceSpec& to) {
  read_variant(r, to.part, {"type", "name"});
  read_key(r, "name", to.name, true);
}
void read_node(const NodeReader& r, ControlSpec& to) {
  read_variant(r, to.part, {"type", "name", "enabled", "task"});
  read_key(r, "name", to.name, true);
  read_key(r, "enabled", to.enabled);
  read_key(r, "task", to.task);
}

// A dock has the inputs of its constraint and those all docks share. A key of neither is told with the
// names of both.
void read_node(const NodeReader& r, DockSpec& to) {
  const toml::table* table = r.node.as_table();
  if (!table) return r.refuse("a table");
  std::set<std::string, std::less<>> all;
  for (const auto& [key, node] : *table) all.emplace(key.str());
  read_variant(r, to.part, all);
  read_key(r, "name", to.name, true);
  read_part(*table, to.options, r.path, r.problems, all);
  const auto report = [&](const auto& constraint) {
    using C = std::remove_cvref_t<decltype(constraint)>;
    if ((*table)["type"].value_or(std::string_view()) != C::type) return;  // told already
    std::vector<std::pair<std::string_view, Unit>> inputs;
    const auto add = [&](const auto& field, const auto&) {
      inputs.emplace_back(field.name, field.unit);
    };
    for_each_field(constraint, add);
    for_each_field(to.options, add);
    for (const auto& [key, node] : *table) {
      const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
        return find_meaning(key.str(), input.first, input.second).known;
      });
      if (!known && key.str() != "type" && key.str() != "name")
        report_unknown_key(key.str(), node, C::type, inputs, r.path + "." + std::string(key.str()),
                           r.problems);
    }
  };
  std::visit(report, to.part);
}

// The table of a contact that has kinds of its own: { type = …, … }, or the type alone. Without one
// the default stands; a number alone is the one input of that default.
template <class Any>
void read_choice(const NodeReader& r, std::string_view key, Any& to, std::string_view fallback,
                 std::string_view number = {}) {
  const toml::table* table = r.node.as_table();
  const toml::node* given = table ? table->get(key) : nullptr;
  if (!given) return;
  const std::string path = r.path + "." + std::string(key);
  r.problems.places.insert_or_assign(path, place_of(*given));
  toml::table written;
  if (given->is_string()) {
    written.insert("type", *given->value<std::string>());
  } else if (given->is_number() && !number.empty()) {
    written.insert("type", fallback);
    written.insert(number, *given->value<double>());
  } else if (const toml::table* inner = given->as_table(); inner && !inner->contains("type")) {
    written = *inner;
    written.insert("type", fallback);
  } else {
    return read_variant(NodeReader{*given, 1, unit::none, Range::any, path, r.problems}, to,
                        {"type"});
  }
  // What is written here has no place in the file: it is where the short form stands.
  const std::size_t known = r.problems.list.size();
  read_variant(NodeReader{written, 1, unit::none, Range::any, path, r.problems}, to, {"type"});
  for (std::size_t i = known; i < r.problems.list.size(); ++i)
    if (r.problems.list[i].place.line == 0) r.problems.list[i].place = place_of(*given);
  for (auto& [where, place] : r.problems.places)
    if (where.starts_with(path) && place.line == 0) place = place_of(*given);
}

// A contact has the inputs of its surface and those all contacts share.
void read_node(const NodeReader& r, ContactSpec& to) {
  const toml::table* table = r.node.as_table();
  if (!table) return r.refuse("a table");
  std::set<std::string, std::less<>> all;
  for (const auto& [key, node] : *table) all.emplace(key.str());
  read_variant(r, to.surface, all, "surface");
  read_key(r, "name", to.name, true);
  read_part(*table, to.options, r.path, r.problems, all);
  read_choice(r, "probe", to.probe, "point");
  read_choice(r, "law", to.law, "spring_dashpot");
  read_choice(r, "friction", to.friction, "coulomb", "coefficient");
  read_choice(r, "compensation", to.compensation, "none");
  if (!table->contains("law"))
    r.problems.add(place_of(*table), r.path + ".law",
                   "is missing: { type = \"spring_dashpot\", stiffness = … } or another law");
  const auto report = [&](const auto& surface) {
    using S = std::remove_cvref_t<decltype(surface)>;
    if ((*table)["surface"].value_or(std::string_view()) != S::type) return;  // told already
    std::vector<std::pair<std::string_view, Unit>> inputs;
    const auto add = [&](const auto& field, const auto&) {
      inputs.emplace_back(field.name, field.unit);
    };
    for_each_field(surface, add);
    for_each_field(to.options, add);
    for (std::string_view own : {"surface", "name", "probe", "law", "friction", "compensation"})
      inputs.emplace_back(own, unit::none);
    for (const auto& [key, node] : *table) {
      const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
        return find_meaning(key.str(), input.first, input.second).known;
      });
      if (!known)
        report_unknown_key(key.str(), node, S::type, inputs, r.path + "." + std::string(key.str()),
                           r.problems);
    }
  };
  std::visit(report, to.surface);
}

template <class Part>
toml::table write_typed(const Part& part, const std::string& name) {
  toml::table out = write_part(part);
  out.insert("type", Part::type);
  out.insert("name", name);
  return out;
}
toml::table write_node(const ComponentSpec& c) {
  toml::table out = std::visit([&](const auto& p) { return write_typed(p, c.name); }, c.part);
  if (!c.on.empty()) out.insert("on", c.on);
  if (!c.shape.empty()) {
    toml::array shapes;
    for (const ShapeSpec& s : c.shape) shapes.push_back(write_part(s));
    out.insert("shape", std::move(shapes));
  }
  return out;
}
toml::table write_node(const DockSpec& d) {
  toml::table out = std::visit([&](const auto& p) { return write_typed(p, d.name); }, d.part);
  toml::table options = write_part(d.options);
  for (auto&& [key, node] : options) out.insert(key, std::move(node));
  return out;
}
toml::table write_node(const ContactSpec& c) {
  const auto typed = [](const auto& any) {
    return std::visit(
        [](const auto& p) {
          toml::table out = write_part(p);
          out.insert("type", std::remove_cvref_t<decltype(p)>::type);
          return out;
        },
        any);
  };
  toml::table out = write_part(c.options);
  std::visit(
      [&](const auto& s) {
        toml::table own = write_part(s);
        for (auto&& [key, node] : own) out.insert(key, std::move(node));
        out.insert("surface", s.type);
      },
      c.surface);
  out.insert("name", c.name);
  out.insert("probe", typed(c.probe));
  out.insert("law", typed(c.law));
  out.insert("friction", typed(c.friction));
  out.insert("compensation", typed(c.compensation));
  return out;
}
toml::table write_node(const ForceSpec& f) {
  return std::visit([&](const auto& p) { return write_typed(p, f.name); }, f.part);
}
toml::table write_node(const ControlSpec& c) {
  toml::table out = std::visit([&](const auto& p) { return write_typed(p, c.name); }, c.part);
  out.insert("enabled", c.enabled);
  if (c.task) out.insert("task", write_part(*c.task));
  return out;
}

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
std::optional<std::string> read_text(const std::filesystem::path& path, Problems& problems) {
  const auto refuse = [&](std::string why) {
    problems.add(Place{}, "", std::move(why));
    return std::nullopt;
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return refuse("there is no such file" + near_file(path));
  if (std::filesystem::is_directory(status)) return refuse("is a folder, not a scenario file");
  if (std::filesystem::is_regular_file(status)) {
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error && size > kLargestFile)
      return refuse(fmt::format("is {} MB large; a scenario has at most {} MB", size >> 20,
                                kLargestFile >> 20));
  }
  std::ifstream in(path, std::ios::binary);
  std::string text(kLargestFile + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (!in.eof() && in.fail())) return refuse("cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kLargestFile) return refuse("is too large for a scenario");
  if (text.find('\0') != std::string::npos) return refuse("is not a text file");
  return text;
}

std::optional<toml::table> parse(const std::string& text, const std::string& name,
                                 Problems& problems) {
  if (has_deep_key(text)) {
    problems.add(Place{}, "", "has a line with over 200 dots: no key is nested as deeply");
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
  const std::optional<std::string> text = read_text(path, inside);
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

// The tables of a text, with its settings and the craft it takes from other files worked in.
std::optional<toml::table> find_tables(std::string_view text, const std::string& name,
                                       const std::vector<std::string>& overrides,
                                       const std::filesystem::path& folder, Problems& problems) {
  std::optional<toml::table> root = parse(std::string(text), name, problems);
  if (!root) return root;
  // Where a craft comes from is set first: all other settings may change what it brings.
  const auto apply = [&](bool sources) {
    for (const std::string& o : overrides)
      if (sets_source(o) == sources) apply_override(*root, o, problems);
  };
  apply(true);
  if (toml::array* craft = (*root)["spacecraft"].as_array())
    for (toml::node& c : *craft)
      if (toml::table* table = c.as_table()) include_craft(*table, folder, problems);
  if (toml::table* craft = (*root)["spacecraft"].as_table())
    include_craft(*craft, folder, problems);
  apply(false);
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

}  // namespace

std::optional<std::string> read_scenario_file(const std::filesystem::path& path,
                                              Problems& problems) {
  return read_text(path, problems);
}

std::string expand_scenario(std::string_view text, const std::string& name,
                            const std::vector<std::string>& overrides,
                            const std::filesystem::path& folder, Problems& problems) {
  const std::optional<toml::table> root = find_tables(text, name, overrides, folder, problems);
  return root ? write_tables(*root) : "";
}

ReadScenario read_scenario_text(std::string_view text, const std::string& name,
                                const std::vector<std::string>& overrides,
                                const std::filesystem::path& folder) {
  ReadScenario out;
  out.problems.file = name;
  const std::optional<toml::table> root = find_tables(text, name, overrides, folder, out.problems);
  if (root) read_part(*root, out.scenario, "", out.problems);
  return out;
}

ReadScenario read_scenario(const std::filesystem::path& path,
                           const std::vector<std::string>& overrides) {
  Problems problems{path.string(), {}};
  const std::optional<std::string> text = read_text(path, problems);
  if (!text) return {{}, std::move(problems)};
  return read_scenario_text(*text, path.string(), overrides, path.parent_path());
}

std::string write_scenario(const Scenario& scenario) { return write_tables(write_part(scenario)); }

}  // namespace berth
