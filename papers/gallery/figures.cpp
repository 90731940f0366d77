// SPDX-License-Identifier: Apache-2.0
#include "papers/gallery/figures.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "papers/gallery/toml_table.h"

namespace berth {
namespace {

using Texts = std::map<std::string, std::string>;

// "$mass" is the text of that name in [texts], which may contain others.
std::string with_texts(const std::string& text, const Texts& texts, int depth = 0) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t from = std::min(text.find('$', at), text.size());
    out += text.substr(at, from - at);
    if (from == text.size()) break;
    at = from + 1;
    while (at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    const std::string name = text.substr(from + 1, at - from - 1);
    if (!texts.contains(name) || depth > 8)
      throw std::runtime_error(fmt::format("\"{}\": there is no text {}", text, name));
    out += with_texts(texts.at(name), texts, depth + 1);
  }
  return out;
}

// Numbers as they stand in the file: 1e4 is written 10000.
std::string as_written(const toml::node& node) {
  if (const auto word = node.value_exact<std::string>()) return *word;
  return fmt::format("{}", node.value<double>().value_or(NAN));
}

// Each of the cases so far with each of the values.
void vary(std::vector<FigureCase>& cases, TomlTable table) {
  const toml::array& values = table.array("values");
  const auto key = table.need<std::string>("set");
  const auto name = table.get<std::string>("as", "");
  const auto label = table.get<std::string>("label", "");
  std::vector<FigureCase> out;
  for (const FigureCase& one : cases)
    for (const toml::node& node : values) {
      FigureCase c = one;
      const std::string text = as_written(node);
      c.settings.push_back(key + "=" + text);
      c.label += (c.label.empty() ? "" : " ") + label + text;
      if (!name.empty()) c.values.emplace_back(name, node.value<double>().value_or(NAN));
      out.push_back(std::move(c));
    }
  table.finish();
  cases = std::move(out);
}

FigureLine read_line(TomlTable table, const Texts& texts) {
  FigureLine line;
  line.label = table.get<std::string>("label", "");
  line.x = table.list<std::string>("x", line.x);
  line.y = table.list<std::string>("y");
  line.marks = table.get("marks", false);
  line.dashed = table.get("dashed", false);
  line.at = table.list<double>("at");
  line.across = table.get<std::string>("across", "");
  for (const auto k : table.list<std::int64_t>("cases"))
    line.cases.push_back(static_cast<std::size_t>(k));
  if (table.has("over")) {
    TomlTable over = table.table("over");
    const auto from = over.need<double>("from"), to = over.need<double>("to");
    const auto count = over.need<std::int64_t>("count");
    for (std::int64_t i = 0; i < count; ++i)
      line.over.push_back(from +
                          (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
    over.finish();
  }
  for (auto* expressions : {&line.x, &line.y})
    for (std::string& e : *expressions) e = with_texts(e, texts);
  if (line.x.size() != line.y.size()) table.fail("x and y must be of one length");
  table.finish();
  return line;
}

void read_range(TomlTable& table, const char* key, double& from, double& to) {
  const std::vector<double> range = table.list<double>(key);
  if (range.empty()) return;
  if (range.size() != 2) table.fail(fmt::format("{} must be [from, to]", key));
  from = range[0], to = range[1];
}

Figure read_figure(TomlTable table, const std::string& paper, const Texts& texts) {
  Figure f;
  f.paper = paper;
  f.number = table.need<std::string>("number");
  f.title = table.need<std::string>("title");
  f.scenario = table.need<std::string>("scenario");
  f.settings = table.list<std::string>("set");
  f.channels = table.list<std::string>("channels");
  f.statement = table.need<std::string>("paper");
  f.here = with_texts(table.need<std::string>("here"), texts);
  f.reason = with_texts(table.get<std::string>("why", ""), texts);
  for (TomlTable& c : table.tables("cases")) {
    FigureCase one{c.need<std::string>("label"), c.list<std::string>("set"),
                   c.get<std::string>("scenario", ""), c.get("dashed", false)};
    c.finish();
    f.cases.push_back(std::move(one));
  }
  if (f.cases.empty()) f.cases.push_back({});
  for (const TomlTable& one : table.tables("vary")) vary(f.cases, one);
  for (const TomlTable& line : table.tables("lines")) f.lines.push_back(read_line(line, texts));
  // The channels over time, when nothing else is said.
  if (f.lines.empty())
    for (const std::string& c : f.channels)
      f.lines.push_back({f.channels.size() > 1 ? c : "", {"time"}, {c}});
  f.plot.x_label = table.get("x_label", f.plot.x_label);
  f.panel.y_label = table.need<std::string>("y_label");
  f.plot.log_x = table.get("log_x", false);
  f.panel.log_y = table.get("log_y", false);
  read_range(table, "x_range", f.plot.x_from, f.plot.x_to);
  read_range(table, "y_range", f.panel.y_from, f.panel.y_to);
  const auto size = table.list<std::int64_t>("size", {f.plot.width, f.plot.height});
  f.plot.width = static_cast<int>(size.at(0)), f.plot.height = static_cast<int>(size.at(1));
  table.finish();
  return f;
}

// Two points of every bucket are enough for a picture of some hundred pixels. Paths turn back: of
// those every row counts.
constexpr std::size_t kBuckets = 400;

PlotLine thinned(PlotLine line) {
  const std::size_t n = line.x.size();
  if (n <= 2 * kBuckets || !std::is_sorted(line.x.begin(), line.x.end())) return line;
  PlotLine out = line;
  out.x.clear(), out.y.clear();
  for (std::size_t k = 0; k < kBuckets; ++k) {
    const std::size_t from = k * n / kBuckets, to = (k + 1) * n / kBuckets;
    std::size_t low = from, high = from;
    for (std::size_t i = from; i < to; ++i) {
      if (line.y[i] < line.y[low]) low = i;
      if (line.y[i] > line.y[high]) high = i;
    }
    for (const std::size_t i : {std::min(low, high), std::max(low, high)}) {
      out.x.push_back(line.x[i]);
      out.y.push_back(line.y[i]);
    }
  }
  return out;
}

// The points of a line in one context: those of its columns, or its corners.
void add_points(const FigureLine& line, const ExpressionContext& context, PlotLine& out) {
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    const ExpressionValue x = evaluate(line.x[k], context), y = evaluate(line.y[k], context);
    const std::size_t rows = std::max(x.rows.size(), y.rows.size());
    for (std::size_t i = 0; i < rows; ++i) {
      out.x.push_back(x.rows[x.column ? i : 0]);
      out.y.push_back(y.rows[y.column ? i : 0]);
    }
  }
}

void draw_in_case(const FigureLine& line, const FigureCase& one, const ExpressionContext& context,
                  std::vector<PlotLine>& out) {
  std::string label = one.label;
  if (!line.label.empty()) label += (label.empty() ? "" : ", ") + line.label;
  PlotLine start{label, {}, {}, line.marks, line.dashed || one.dashed};
  if (!line.at.empty()) {
    for (const double t : line.at) {
      out.push_back(start);
      out.back().label += fmt::format("{:g} s", t);
      ExpressionContext then = context;
      then.instant = t;
      add_points(line, then, out.back());
    }
    return;
  }
  out.push_back(start);
  if (line.over.empty()) add_points(line, context, out.back());
  for (const double s : line.over) {
    ExpressionContext with = context;
    with.parameter = s;
    add_points(line, with, out.back());
  }
}

}  // namespace

std::vector<Paper> read_papers(const std::filesystem::path& folder) {
  std::map<std::int64_t, Paper> papers;
  std::error_code not_there;
  for (const auto& entry : std::filesystem::directory_iterator(folder, not_there)) {
    const std::string file = (entry.path() / "figures.toml").string();
    if (!std::filesystem::exists(file)) continue;
    try {
      const toml::table root = read_toml(file);
      TomlTable all(root, file);
      TomlTable head = all.table("paper");
      Paper paper{entry.path().filename().string(),
                  head.need<std::string>("title"),
                  head.need<std::string>("authors"),
                  {}};
      const auto order = head.need<std::int64_t>("order");
      head.finish();
      Texts texts;
      TomlTable text = all.table("texts");
      for (const std::string& key : text.keys()) texts[key] = text.need<std::string>(key);
      for (const TomlTable& figure : all.tables("figure"))
        paper.figures.push_back(read_figure(figure, paper.name, texts));
      all.finish();
      papers[order] = std::move(paper);
    } catch (const toml::parse_error& e) {
      throw std::runtime_error(
          fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
    }
  }
  std::vector<Paper> out;
  for (auto& [order, paper] : papers) out.push_back(std::move(paper));
  return out;
}

std::vector<PlotLine> draw_lines(const Figure& figure, const std::vector<FigureRun>& runs) {
  std::vector<PlotLine> out;
  const auto draw = [&](const FigureLine& line, std::size_t k) {
    draw_in_case(line, figure.cases[k], {runs, k}, out);
  };
  for (const FigureLine& line : figure.lines)
    if (!line.across.empty()) {
      out.push_back({line.across, {}, {}, line.marks, line.dashed});
      for (std::size_t k = 0; k < runs.size(); ++k)
        if (figure.cases[k].label.starts_with(line.across)) add_points(line, {runs, k}, out.back());
    } else if (!line.cases.empty()) {
      for (const std::size_t k : line.cases) draw(line, k - 1);
    }
  // Case by case, as the legend is read.
  for (std::size_t k = 0; k < runs.size(); ++k)
    for (const FigureLine& line : figure.lines)
      if (line.across.empty() && line.cases.empty()) draw(line, k);
  for (PlotLine& line : out) {
    if (figure.panel.log_y)
      for (double& y : line.y) y = std::fabs(y);
    line = thinned(line);
  }
  return out;
}

}  // namespace berth
