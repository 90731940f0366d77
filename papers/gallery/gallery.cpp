// SPDX-License-Identifier: Apache-2.0
#include "papers/gallery/gallery.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "berth/analysis/stability.h"
#include "berth/ensemble/threads.h"
#include "berth/program/output_list.h"
#include "berth/record/input_file.h"
#include "berth/record/json_text.h"
#include "berth/record/part_file.h"
#include "berth/report/page.h"
#include "berth/simulate.h"
#include "berth/version.h"
#include "papers/gallery/numbers.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

// What is run: figures that need the same share it.
struct RunPlan {
  std::string scenario;
  std::vector<std::string> settings;
  auto operator<=>(const RunPlan&) const = default;
};

RunPlan plan_of(const Figure& figure, const FigureCase& one) {
  RunPlan plan{one.scenario.empty() ? figure.scenario : one.scenario, figure.settings};
  plan.settings.insert(plan.settings.end(), one.settings.begin(), one.settings.end());
  return plan;
}

std::string read_whole(const std::filesystem::path& path) {
  return InputFile(path, "").read(std::size_t{1} << 32);
}

void write_whole(const std::filesystem::path& path, const std::string& text) {
  OutputList outputs;
  outputs.add("--out", "picture or page", path);
  Problems problems;
  outputs.check(problems);
  if (!problems.empty()) throw std::runtime_error(describe(problems.list.front()));
  PartFile file(path);
  file.write(text);
  file.keep();
}

// FNV-1a: short, and the same everywhere.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 14695981039346656037u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

// "3" as "03", so that files stand in order.
std::string padded(const std::string& number) {
  const bool one_digit = number.size() == 1 || !(number[1] >= '0' && number[1] <= '9');
  return one_digit ? "0" + number : number;
}

std::string quoted(const std::string& word) {
  return word.find_first_of(" []{}\"*()") == std::string::npos ? word : "'" + word + "'";
}

// Of the paper, of another one, or beside them all.
std::filesystem::path find_scenario(const std::filesystem::path& papers, const std::string& name) {
  const std::string file = name + ".toml";
  for (const auto& entry : std::filesystem::directory_iterator(papers))
    if (std::filesystem::exists(entry.path() / file)) return entry.path() / file;
  return papers.parent_path() / "scenarios" / file;
}

// As it is typed in the folder that holds `papers`.
std::string scenario_path(const std::filesystem::path& papers, const std::string& name) {
  return find_scenario(papers, name).lexically_relative(papers.parent_path()).generic_string();
}

std::string command_of(const Figure& figure, const std::filesystem::path& papers) {
  const RunPlan plan = plan_of(figure, figure.cases.front());
  std::string text = fmt::format("berth {} {}", figure.channels.empty() ? "stability" : "run",
                                 scenario_path(papers, plan.scenario));
  for (const std::string& s : plan.settings) text += " --set " + quoted(s);
  return text;
}

class GalleryMaker {
 public:
  GalleryMaker(const GalleryOptions& options, const std::vector<Paper>& papers) : o_(options) {
    for (const Paper& paper : papers)
      if (o_.only.empty() || paper.name == o_.only)
        figures_.insert(figures_.end(), paper.figures.begin(), paper.figures.end());
    for (const Figure& f : figures_)
      for (const FigureCase& c : f.cases) {
        const RunPlan plan = plan_of(f, c);
        channels_[plan].insert(f.channels.begin(), f.channels.end());
        ++uses_[plan];
      }
  }

  GalleryResult make() {
    std::filesystem::create_directories(o_.out);
    GalleryResult result;
    for (const Figure& figure : figures_) {
      if (o_.interrupted && o_.interrupted()) {
        result.complete = false;
        return result;
      }
      DrawnFigure drawn{figure, fmt::format("{}_{}.svg", figure.paper, padded(figure.number)),
                        command_of(figure, o_.papers), "", false};
      drawn.was_there = keep(drawn);
      if (!drawn.was_there && !draw(drawn)) {
        result.complete = false;
        return result;
      }
      for (const FigureCase& c : figure.cases)
        if (const RunPlan plan = plan_of(figure, c); --uses_[plan] == 0) runs_.erase(plan);
      result.figures.push_back(std::move(drawn));
      if (o_.progress)
        o_.progress(result.figures.size(), figures_.size(), result.figures.back().figure.title);
    }
    return result;
  }

 private:
  // All that a figure depends on, but the code that draws it: that goes with the version.
  std::string key_of(const Figure& f) const {
    std::string all = version;
    all += read_whole(o_.papers / f.paper / "figures.toml");
    for (const FigureCase& c : f.cases) {
      const RunPlan plan = plan_of(f, c);
      all += c.label + "\n" + read_whole(find_scenario(o_.papers, plan.scenario));
      for (const std::string& s : plan.settings) all += s + "\n";
    }
    return fmt::format("{:016x}", hash_of(all));
  }

  // The picture that is there already, when it is the one that would be drawn.
  bool keep(DrawnFigure& drawn) const {
    const std::string text = read_whole(o_.out / drawn.file);
    const std::string head = fmt::format("<!-- berth {} ", key_of(drawn.figure));
    const std::size_t from = text.find(head);
    if (from == std::string::npos) return false;
    const std::size_t begin = from + head.size(), end = text.find(" -->", begin);
    if (end == std::string::npos) return false;
    const Json value = Json::parse(text.substr(begin, end - begin), nullptr, false);
    if (!value.is_string()) return false;
    drawn.value = value.get<std::string>();
    return true;
  }

  bool draw(DrawnFigure& drawn) {
    const Figure& f = drawn.figure;
    std::vector<RunPlan> missing;
    for (const FigureCase& c : f.cases)
      if (const RunPlan plan = plan_of(f, c);
          !runs_.contains(plan) && std::find(missing.begin(), missing.end(), plan) == missing.end())
        missing.push_back(plan);
    std::vector<std::shared_ptr<const RunTable>> found(missing.size());
    std::vector<std::string> failed(missing.size());
    for_each_in_threads(missing.size(), 0, [&](std::size_t k) {
      try {
        found[k] = f.channels.empty() ? find_margin(missing[k]) : run(missing[k]);
      } catch (const std::exception& e) {
        failed[k] = e.what();
      }
    });
    if (o_.interrupted && o_.interrupted()) return false;
    for (std::size_t k = 0; k < missing.size(); ++k) {
      if (!failed[k].empty())
        throw std::runtime_error(
            fmt::format("{} {}, {}: {}", f.paper, f.number, missing[k].scenario, failed[k]));
      runs_[missing[k]] = found[k];
    }
    std::vector<FigureRun> runs;
    for (const FigureCase& c : f.cases)
      runs.push_back({c.label, c.values, runs_.at(plan_of(f, c)).get()});
    PlotPanel panel = f.panel;
    panel.lines = draw_lines(f, runs);
    PlotOptions plot = f.plot;
    plot.title = fmt::format("Fig. {}  {}", f.number, f.title);
    drawn.value = fill_text(f.here, runs);
    // What came out is kept with the picture. A comment must not end early.
    std::string reported = to_text(Json(drawn.value));
    for (std::size_t at; (at = reported.find("--")) != std::string::npos;)
      reported.replace(at, 2, "-\\u002d");
    write_whole(o_.out / drawn.file, fmt::format("{}<!-- berth {} {} -->\n",
                                                 draw_plot({panel}, plot), key_of(f), reported));
    return true;
  }

  ReadScenario read(const RunPlan& plan) const {
    return read_scenario(find_scenario(o_.papers, plan.scenario), plan.settings);
  }
  static void check(const Problems& problems) {
    if (!problems.empty()) throw std::runtime_error(describe(problems.list.front()));
  }

  // Recorded as CSV: the HDF5 library serves one thread at a time.
  std::shared_ptr<const RunTable> run(const RunPlan& plan) {
    ReadScenario read_in = read(plan);
    Scenario& s = read_in.scenario;
    const std::set<std::string>& wanted = channels_.at(plan);
    s.record.channels.clear();
    // "joint.force_N.x" is recorded with its vector.
    for (const std::string& c : wanted) {
      s.record.channels.push_back(c);
      if (const std::size_t dot = c.rfind('.'); dot + 2 == c.size())
        s.record.channels.push_back(c.substr(0, dot));
    }
    const BuiltScenario built = build_scenario(s, read_in.problems);
    check(read_in.problems);
    const std::filesystem::path table = o_.out / fmt::format(".run{}.csv", number_.fetch_add(1));
    SimulateOptions options;
    options.csv = table;
    options.interrupted = o_.interrupted;
    Summary summary = simulate(s, built, options);
    auto out = std::make_shared<RunTable>(read_whole(table));
    std::filesystem::remove(table);
    out->summary = std::move(summary);
    return out;
  }

  std::shared_ptr<const RunTable> find_margin(const RunPlan& plan) const {
    ReadScenario read_in = read(plan);
    const BuiltScenario built = build_scenario(read_in.scenario, read_in.problems);
    check(read_in.problems);
    StabilityOptions options;
    options.energy = false;
    const StabilityResult r = find_stability(read_in.scenario, built, options, read_in.problems);
    check(read_in.problems);
    auto out = std::make_shared<RunTable>();
    out->numbers = {{"mass", r.loop.mass},
                    {"stiffness", r.loop.stiffness},
                    {"damping", r.loop.damping},
                    {"h_critical", r.h_critical}};
    return out;
  }

  const GalleryOptions& o_;
  std::vector<Figure> figures_;
  std::map<RunPlan, std::set<std::string>> channels_;
  std::map<RunPlan, int> uses_;
  std::map<RunPlan, std::shared_ptr<const RunTable>> runs_;
  std::atomic<int> number_ = 0;
};

// The gallery of one paper, in the order of its figures.
template <class Each>
void for_each_paper(const GalleryResult& result, Each&& each) {
  for (const Paper& paper : result.papers) {
    std::vector<const DrawnFigure*> some;
    for (const DrawnFigure& f : result.figures)
      if (f.figure.paper == paper.name) some.push_back(&f);
    if (!some.empty()) each(paper, some);
  }
}

}  // namespace

GalleryResult make_gallery(const GalleryOptions& options) {
  const std::vector<Paper> papers = read_papers(options.papers);
  GalleryResult result = GalleryMaker(options, papers).make();
  result.papers = papers;
  if (!result.complete) return result;
  write_whole(options.out / "index.html", write_gallery_page(result, options.out));
  write_whole(options.out / "gallery.md", write_gallery_text(result, options.papers, ""));
  if (!options.only.empty()) return result;
  std::vector<ReferenceNumber> numbers = read_numbers(options.papers);
  find_numbers(
      numbers, [&](const std::string& name) { return find_scenario(options.papers, name); },
      options.interrupted);
  if (options.interrupted && options.interrupted()) {
    result.complete = false;
    return result;
  }
  write_whole(options.out / "verification.md", write_verification(numbers));
  for (const ReferenceNumber& n : numbers)
    if (n.is_missed())
      result.missed.push_back(fmt::format("{}, {}: {:.12g}, not {:.12g} ± {:g}", n.heading, n.what,
                                          n.found, n.value, n.tolerance));
  return result;
}

std::string write_gallery_page(const GalleryResult& result, const std::filesystem::path& folder) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>berth: the figures of four papers</title>\n<style>\n"
      ":root { color-scheme: light dark; }\n"
      "body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: "
      "0 "
      "1rem; }\n"
      "figure { margin: 2.5rem 0; }\nimg { width: 100%; max-width: 45rem; height: auto; }\n"
      "code { font-size: 0.85em; overflow-wrap: anywhere; }\n"
      "dt { font-weight: bold; }\ndd { margin: 0 0 0.4rem 0; }\n</style>\n</head>\n<body>\n";
  out += fmt::format(
      "<h1>The figures of four papers</h1>\n<p>Drawn by berth {} from its own runs.</p>\n",
      version);
  for_each_paper(result, [&](const Paper& paper, const std::vector<const DrawnFigure*>& figures) {
    out += fmt::format("<h2>{}</h2>\n<p>{}</p>\n", escape_html(paper.title),
                       escape_html(paper.authors));
    for (const DrawnFigure* f : figures) {
      const std::string svg = read_whole(folder / f->file);
      const auto* bytes = reinterpret_cast<const unsigned char*>(svg.data());
      out += fmt::format(
          "<figure id=\"{}\">\n<h3>Fig. {} {}</h3>\n<img alt=\"{}\" "
          "src=\"data:image/svg+xml;base64,{}\">\n<dl>\n<dt>The paper</dt><dd>{}</dd>\n"
          "<dt>Here</dt><dd>{}</dd>\n",
          f->file, f->figure.number, escape_html(f->figure.title), escape_html(f->figure.title),
          to_base64({bytes, svg.size()}), escape_html(f->figure.statement), escape_html(f->value));
      if (!f->figure.reason.empty())
        out += fmt::format("<dt>Why</dt><dd>{}</dd>\n", escape_html(f->figure.reason));
      out += fmt::format("<dt>Scenario</dt><dd><code>{}</code></dd>\n</dl>\n</figure>\n",
                         escape_html(f->command));
    }
  });
  return out + "</body>\n</html>\n";
}

std::string write_gallery_text(const GalleryResult& result, const std::filesystem::path& papers,
                               const std::string& image_folder) {
  std::string out =
      "# The figures of four papers\n\n"
      "`berth_gallery` runs the scenarios of [papers](../papers) and draws these. Every figure "
      "says "
      "what its paper\n"
      "states, what comes out here, and why, where the two differ or the paper leaves it open.\n";
  for_each_paper(result, [&](const Paper& paper, const std::vector<const DrawnFigure*>& figures) {
    out += fmt::format("\n## {}\n\n{}\n", paper.title, paper.authors);
    for (const DrawnFigure* f : figures) {
      out += fmt::format("\n### Fig. {} {}\n\n![{}]({}{})\n\n", f->figure.number, f->figure.title,
                         f->figure.title, image_folder, f->file);
      out += fmt::format("- **The paper:** {}\n- **Here:** {}\n", f->figure.statement, f->value);
      if (!f->figure.reason.empty()) out += fmt::format("- **Why:** {}\n", f->figure.reason);
      out += fmt::format("- `{}`\n", f->command);
      // Of several cases the command shows the first; the others differ by these settings.
      if (f->figure.cases.size() > 1) {
        out += "- Cases:";
        for (const FigureCase& c : f->figure.cases) {
          out += fmt::format("{} {}", &c == f->figure.cases.data() ? "" : ";", c.label);
          if (!c.scenario.empty()) out += fmt::format(" `{}`", scenario_path(papers, c.scenario));
          for (const std::string& s : c.settings) out += fmt::format(" `--set {}`", quoted(s));
        }
        out += "\n";
      }
    }
  });
  return out;
}

}  // namespace berth
