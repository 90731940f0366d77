// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures as files: SVG, PDF or PNG.

#include <filesystem>
#include <memory>
#include <optional>

#include "berth/report/canvas.h"

namespace berth {

enum class PictureFormat : unsigned char { svg, pdf, png };
// By the ending of a file's name.
std::optional<PictureFormat> find_picture_format(const std::filesystem::path& file);

// White. A PNG has two dots for each px, a PDF 0.75 pt.
std::unique_ptr<Canvas> make_canvas(PictureFormat format, int width, int height,
                                    const std::string& title);

}  // namespace berth
