// SPDX-License-Identifier: Apache-2.0
#include "berth/app/report_command.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "berth/analysis/sweep_table.h"
#include "berth/app/picture.h"
#include "berth/program/output_list.h"
#include "berth/record/input_file.h"
#include "berth/record/part_file.h"
#include "berth/record/record_error.h"
#include "berth/report/channel_choice.h"
#include "berth/report/page.h"
#include "berth/report/plot.h"
#include "berth/report/sweep_page.h"

namespace berth {
namespace {

// A result that cannot be read is bad input, not a failure of ours.
template <class Read>
auto read_or_refuse(Problems& problems, Read&& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const RecordError& e) {
    problems.add(Place{}, "", e.what());
    return std::nullopt;
  }
}

// What is written is none of the results.
void check_output(const char* role, const std::string& out, const std::vector<std::string>& files,
                  Problems& problems) {
  for (const std::string& file : files) note_input("result", file);
  OutputList outputs;
  outputs.add("--out", role, out);
  outputs.check(problems);
}

struct Page {
  std::string_view frame;  // its template
  PageData data;
};

int refuse_plainly(const Problems& problems) {
  for (const Problem& p : problems.list) complain("berth: {}\n", p.message);
  return kBadInput;
}

}  // namespace

CLI::App& ReportCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("report", "make the page of recorded runs, or of a sweep");
  c.add_option("RESULT", files, "result files (HDF5); several runs are laid over one another")
      ->required();
  c.add_option("-o,--out", out, "the page; default: that of the first result, .html, beside it");
  c.add_flag("--difference", difference,
             "open the plots on what further results do more than the first");
  c.add_flag("--quiet", quiet, "say nothing");
  return c;
}

int ReportCommand::run() {
  Problems problems;
  if (difference && files.size() < 2)
    problems.add(Place{}, "", "--difference needs two results or more");
  const std::string page = out.empty()
                               ? std::filesystem::path(files.front())
                                     .replace_extension(difference ? ".difference.html" : ".html")
                                     .string()
                               : out;
  check_output("page", page, files, problems);
  if (!problems.empty()) return refuse_plainly(problems);
  PageOptions options;
  options.difference = difference;
  const std::vector<std::filesystem::path> results(files.begin(), files.end());
  // A sweep has a page of its own kind; it is laid over nothing.
  const auto read = [&] {
    if (results.size() == 1 && is_sweep(results.front()))
      return Page{
          sweep_template(),
          build_sweep_page_data(results.front(), std::filesystem::path(page).parent_path())};
    return Page{page_template(), build_page_data(results, options)};
  };
  const std::optional<Page> made = read_or_refuse(problems, read);
  if (!made) return refuse_plainly(problems);
  for (const std::string& file : files) note_unverified(file);
  const std::string text = fill_template(made->frame, made->data);
  PartFile file(page);
  file.write(text);
  file.keep();
  if (!quiet)
    print(fmt::format("Wrote {} ({:.1f} MB): open it in a browser\n", page,
                      1e-6 * static_cast<double>(text.size())));
  return kDone;
}

CLI::App& PlotCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("plot", "draw channels of a recorded run as SVG, PDF or PNG");
  c.add_option("RESULT", file, "result file (HDF5)")->required();
  c.add_option("CHANNEL", channels,
               "channels: servicer.rate, joint.force_N.x, joint.violation_*; see berth describe")
      ->required();
  c.add_option("-o,--out", out,
               "the picture, .svg, .pdf or .png; default: that of the result, .svg, beside it");
  c.add_option("--from", from, "[s] first time");
  c.add_option("--to", to, "[s] last time");
  c.add_flag("--log", log, "logarithmic axis");
  c.add_option("--title", title, "default: that of the scenario");
  c.add_option("--width", width, "[px]")->check(CLI::Range(200, 4000));
  c.add_option("--height", height, "[px]; default: by the number of units")
      ->check(CLI::Range(150, 4000));
  c.add_flag("!--no-events", events, "without the lines of events");
  c.add_flag("--quiet", quiet, "say nothing");
  return c;
}

namespace {

// What people want to see in a plot of loads and gaps; a contact that bounces only begins.
std::vector<PlotMark> find_marks(const ResultFile& result) {
  std::vector<PlotMark> marks;
  for (const RecordedEvent& e : result.events)
    if (e.kind == "event" || e.kind == "latch" || e.kind == "release" || e.kind == "contact_on" ||
        e.kind == "impact")
      marks.push_back({e.t, e.kind == "event" ? e.name : e.kind + " " + e.name});
  return marks;
}

}  // namespace

int PlotCommand::run() {
  constexpr std::size_t most_lines = 32;
  Problems problems;
  if (out.empty()) out = std::filesystem::path(file).replace_extension(".svg").string();
  check_output("picture", out, {file}, problems);
  const std::optional<PictureFormat> format = find_picture_format(out);
  if (!format)
    problems.add(Place{}, "", fmt::format("--out {}: a picture ends in .svg, .pdf or .png", out));
  if (from && to && !(*from < *to))
    problems.add(Place{}, "", fmt::format("--from {} is not before --to {}", *from, *to));

  struct Picture {
    std::vector<PlotPanel> panels;
    PlotOptions options;
  };
  const auto read = [&] {
    Picture picture;
    const ResultFile result(file);
    std::vector<ChosenNumber> numbers;
    for (const std::string& name : channels) {
      std::string problem;
      for (ChosenNumber& n : choose_numbers(result, name, problem))
        if (std::none_of(numbers.begin(), numbers.end(),
                         [&](const ChosenNumber& other) { return other.label == n.label; }))
          numbers.push_back(std::move(n));
      if (!problem.empty()) problems.add(Place{}, "", problem);
    }
    if (numbers.size() > most_lines)
      problems.add(Place{}, "",
                   fmt::format("{} lines are too many for a picture; at most {}", numbers.size(),
                               most_lines));
    if (!problems.empty()) return picture;
    // A panel for each unit, in the order they are asked for.
    std::vector<std::string> units;
    for (const ChosenNumber& n : numbers) {
      const auto at = std::find(units.begin(), units.end(), n.unit);
      const auto k = static_cast<std::size_t>(at - units.begin());
      if (at == units.end()) {
        units.push_back(n.unit);
        picture.panels.push_back({.lines = {}, .log_y = log});
      }
      const Series s = read_series(n, from.value_or(-INFINITY), to.value_or(INFINITY),
                                   2 * static_cast<std::size_t>(width));
      picture.panels[k].lines.push_back({n.label, s.t, s.y});
      if (log)
        for (double& y : picture.panels[k].lines.back().y) y = std::fabs(y);
    }
    for (std::size_t k = 0; k < units.size(); ++k) {
      PlotPanel& p = picture.panels[k];
      p.y_label = p.lines.size() == 1 ? fmt::format("{} [{}]", p.lines.front().label, units[k])
                                      : fmt::format("[{}]", units[k]);
    }
    PlotOptions& o = picture.options;
    o.title = title.empty() ? result.title : title;
    o.width = width;
    o.height = height.value_or(180 + 240 * static_cast<int>(units.size()));
    if (from) o.x_from = *from;
    if (to) o.x_to = *to;
    if (events) o.events = find_marks(result);
    return picture;
  };
  const std::optional<Picture> picture = read_or_refuse(problems, read);
  if (!problems.empty()) return refuse_plainly(problems);
  note_unverified(file);
  PartFile to_file(out);
  const PlotOptions& o = picture->options;
  const std::unique_ptr<Canvas> canvas = make_canvas(*format, o.width, o.height, o.title);
  draw_plot(picture->panels, o, *canvas);
  to_file.write(canvas->finish());
  to_file.keep();
  if (!quiet) print(fmt::format("Wrote {}\n", out));
  return kDone;
}

}  // namespace berth
