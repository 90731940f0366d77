// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page of a run: the viewer's template with its three holes filled. One file, opened offline.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "berth/report/page_data.h"

namespace berth {

// The template the program carries; see viewer/.
std::string_view page_template();

// Throws a RecordError when the template lacks a hole.
std::string fill_template(std::string_view page, const PageData& data);

// Reads results, writes their page under another name and renames it.
void write_page(const std::vector<std::filesystem::path>& results,
                const std::filesystem::path& page, const PageOptions& options = {});

// Beside a result: docking.html of docking.h5.
std::filesystem::path find_page_of(const std::filesystem::path& result);

// & < > " ' as a page writes them.
std::string escape_html(std::string_view text);

// JSON for a script element of a page: nothing in it may resemble the element's end, or a comment.
std::string escape_script(std::string_view json);

}  // namespace berth
