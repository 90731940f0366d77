// SPDX-License-Identifier: Apache-2.0
#include "berth/app/gallery_command.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "berth/model/suggest.h"
#include "berth/report/gallery.h"

namespace berth {

CLI::App& GalleryCommand::add_to(CLI::App& app) {
  CLI::App& c = *app.add_subcommand("gallery", "draw the figures of the four papers");
  c.add_option("-o,--out", out, "folder; default: gallery, here");
  c.add_option("--only", only, "one paper: post_docking, contact, closed_chain, impacts");
  c.add_flag("--quiet", quiet, "no progress, no summary");
  return c;
}

int GalleryCommand::run() {
  std::vector<std::string> names;
  for (const Paper& p : list_papers()) names.push_back(p.name);
  if (!only.empty() && std::find(names.begin(), names.end(), only) == names.end()) {
    complain("berth: no paper {}{}\n", only, suggest(only, names));
    return kBadInput;
  }
  std::error_code not_there;
  if (std::filesystem::exists(out, not_there) && !std::filesystem::is_directory(out, not_there)) {
    complain("berth: {} is not a folder\n", out);
    return kBadInput;
  }
  GalleryOptions options;
  options.out = out;
  options.only = only;
  options.interrupted = [] { return g_signal != 0; };
  const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!quiet)
    options.progress = [&](std::size_t done, std::size_t all, const std::string& last) {
      complain("{}{} of {}  {}{}", terminal ? "\r\033[K" : "", done, all, last,
               terminal ? "" : "\n");
    };
  const GalleryResult result = make_gallery(options);
  if (!quiet && terminal) complain("\r\033[K");
  if (!result.complete) {
    complain("Interrupted: {} figures are drawn; the same command goes on from there\n",
             result.figures.size());
    return kStopped;
  }
  if (!quiet)
    print(fmt::format("{} figures in {}, {} of them as they were: open {}\n", result.figures.size(),
                      out,
                      std::count_if(result.figures.begin(), result.figures.end(),
                                    [](const DrawnFigure& f) { return f.was_there; }),
                      (std::filesystem::path(out) / "index.html").string()));
  return kDone;
}

}  // namespace berth
