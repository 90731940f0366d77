// SPDX-License-Identifier: Apache-2.0
#include "berth/model/keywords.h"

#include <fmt/format.h>

#include "berth/model/suggest.h"

namespace berth {

std::string refuse_keyword(std::string_view keyword, const Keyword* keywords, std::size_t count) {
  std::vector<std::string_view> all;
  std::string list;
  for (const Keyword* w = keywords; w != keywords + count; ++w) {
    if (!w->former.empty() && w->former == keyword)
      return fmt::format("\"{}\" is called \"{}\" now", keyword, w->keyword);
    all.push_back(w->keyword);
    list += (list.empty() ? "" : ", ") + std::string(w->keyword);
  }
  const std::string_view near = find_nearest(keyword, all);
  return fmt::format("\"{}\" is not one of {}{}", keyword, list,
                     near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

}  // namespace berth
