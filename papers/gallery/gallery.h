// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gallery — runs the scenarios of the papers and draws their figures.
//
//   DIR/post_docking_03.svg …   each figure
//   DIR/index.html              all of them on one page
//   DIR/gallery.md              the same as text with links
//   DIR/verification.md         reference numbers and ours, when all papers are drawn
//
// A figure whose picture is there, made by the same version from the same scenario and row of the
// table, is kept: an interrupted gallery goes on where it was.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "papers/gallery/figures.h"

namespace berth {

struct GalleryOptions {
  std::filesystem::path papers = "papers";  // a folder for each paper
  std::filesystem::path out = "gallery";
  std::string only;  // a paper; empty = all
  std::function<bool()> interrupted;
  // After every figure: how many are done, which was last, how many there are.
  std::function<void(std::size_t done, std::size_t all, const std::string& last)> progress;
};

struct DrawnFigure {
  Figure figure;
  std::string file;     // in DIR
  std::string command;  // that runs it
  std::string value;    // what came out
  bool was_there = false;
};

struct GalleryResult {
  std::vector<Paper> papers;
  std::vector<DrawnFigure> figures;
  bool complete = true;             // not interrupted
  std::vector<std::string> missed;  // reference numbers that are off by more than their tolerance
};

// Throws a RecordError when a file cannot be written, std::runtime_error when a scenario does not run.
GalleryResult make_gallery(const GalleryOptions& options);

// As a page, and as text.
std::string write_gallery_page(const GalleryResult& result, const std::filesystem::path& folder);
std::string write_gallery_text(const GalleryResult& result, const std::filesystem::path& papers,
                               const std::string& image_folder);

}  // namespace berth
