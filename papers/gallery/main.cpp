// SPDX-License-Identifier: Apache-2.0

// The program `berth_gallery`: the figures and reference numbers of papers/, drawn and compared. Exit
// codes: 0 done; 1 interrupted, a scenario did not run or a file could not be written; 2 bad input.

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "berth/interruption.h"
#include "berth/model/suggest.h"
#include "berth/program/console.h"
#include "berth/program/process.h"
#include "berth/version.h"
#include "papers/gallery/gallery.h"

namespace berth {
namespace {

enum ExitCode { kDone = 0, kStopped = 1, kBadInput = 2 };

// What is wrong with the words of the command; empty when nothing is.
std::string find_fault(const GalleryOptions& options) {
  std::vector<std::string> names;
  for (const Paper& p : read_papers(options.papers)) names.push_back(p.name);
  if (names.empty())
    return fmt::format("no papers in {}; --papers names their folder", options.papers.string());
  if (!options.only.empty() && std::find(names.begin(), names.end(), options.only) == names.end())
    return fmt::format("no paper {}{}", options.only, suggest(options.only, names));
  std::error_code not_there;
  if (std::filesystem::exists(options.out, not_there) &&
      !std::filesystem::is_directory(options.out, not_there))
    return fmt::format("{} is not a folder", options.out.string());
  return {};
}

int run_gallery(GalleryOptions options, bool quiet) {
  if (const std::string fault = find_fault(options); !fault.empty()) {
    complain("berth_gallery: {}\n", fault);
    return kBadInput;
  }
  options.interrupted = is_asked_to_end;
  StatusLine line(!quiet);
  if (!quiet)
    options.progress = [&](std::size_t done, std::size_t all, const std::string& last) {
      const std::string text = fmt::format("{} of {}  {}", done, all, last);
      if (line.is_shown()) {
        line.show(text);
      } else {
        complain("{}\n", text);
      }
    };
  const GalleryResult result = make_gallery(options);
  line.clear();
  if (!result.complete) {
    complain("Interrupted: {} figures are drawn; the same command goes on from there\n",
             result.figures.size());
    return kStopped;
  }
  if (!quiet)
    print(fmt::format("{} figures in {}, {} of them as they were: open {}\n", result.figures.size(),
                      options.out.string(),
                      std::count_if(result.figures.begin(), result.figures.end(),
                                    [](const DrawnFigure& f) { return f.was_there; }),
                      (options.out / "index.html").string()));
  for (const std::string& m : result.missed) complain("reference number missed: {}\n", m);
  return result.missed.empty() ? kDone : kStopped;
}

int run_program(int argc, char** argv) {
  CLI::App app("berth_gallery draws the figures of the papers and compares their numbers.",
               "berth_gallery");
  app.set_version_flag("--version", std::string("berth_gallery ") + version);
  std::string papers = "papers", out = "gallery", only;
  bool quiet = false;
  app.add_option("--papers", papers, "folder of the papers; default: papers, here");
  app.add_option("-o,--out", out, "folder; default: gallery, here");
  app.add_option("--only", only, "one paper: post_docking, contact, closed_chain, impacts");
  app.add_flag("--quiet", quiet, "no progress, no summary");
  try {
    app.parse(argc, argv);
    GalleryOptions options;
    // Without a slash at its end, so that its parent is that of the folder.
    options.papers = std::filesystem::path(papers).lexically_normal();
    if (!options.papers.has_filename()) options.papers = options.papers.parent_path();
    options.out = out;
    options.only = only;
    return run_gallery(options, quiet);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    complain("berth_gallery: {}\nberth_gallery --help shows what it can do\n", e.what());
    return kBadInput;
  } catch (const Interrupted&) {
    complain("berth_gallery: interrupted\n");
    return kStopped;
  } catch (const std::exception& e) {
    complain("berth_gallery: {}\n", e.what());
    return kStopped;
  }
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  berth::prepare_process();
  return berth::end_output(berth::run_program(argc, argv));
}
