// SPDX-License-Identifier: Apache-2.0
#include "berth/report/page.h"

#include <array>

#include <fmt/format.h>

#include "berth/record/part_file.h"
#include "berth/record/record_error.h"

namespace berth {

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string escape_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

// Holes are searched for in the template alone: a scenario may contain anything.
std::string fill_template(std::string_view page, const PageData& data) {
  const std::array<std::string_view, 3> holes{"@BERTH_TITLE@", "@BERTH_HEAD@", "@BERTH_DATA@"};
  std::array<std::size_t, 3> at;
  for (std::size_t k = 0; k < 3; ++k) {
    at[k] = page.find(holes[k]);
    if (at[k] == std::string_view::npos || (k > 0 && at[k] < at[k - 1]))
      throw RecordError("the page's template", fmt::format("has no {} in its place", holes[k]));
  }
  const std::array<std::string, 3> fillings{escape_html(data.title), data.head,
                                            to_base64(data.block.bytes())};
  std::string out;
  out.reserve(page.size() + data.head.size() + fillings[2].size());
  std::size_t from = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    out += page.substr(from, at[k] - from);
    out += fillings[k];
    from = at[k] + holes[k].size();
  }
  return out += page.substr(from);
}

std::filesystem::path find_page_of(const std::filesystem::path& result) {
  std::filesystem::path page = result;
  page.replace_extension(".html");
  if (page == result) page += ".html";
  return page;
}

void write_page(const std::vector<std::filesystem::path>& results,
                const std::filesystem::path& page, const PageOptions& options) {
  const std::string text = fill_template(page_template(), build_page_data(results, options));
  PartFile file(page);
  file.write(text);
  file.keep();
}

}  // namespace berth
