// SPDX-License-Identifier: Apache-2.0
#include "berth/model/words.h"

#include <fmt/format.h>

#include "berth/model/suggest.h"

namespace berth {

std::string refuse_word(std::string_view word, const Word* words, std::size_t count) {
  std::vector<std::string_view> all;
  std::string list;
  for (const Word* w = words; w != words + count; ++w) {
    if (!w->former.empty() && w->former == word)
      return fmt::format("\"{}\" is called \"{}\" now", word, w->word);
    all.push_back(w->word);
    list += (list.empty() ? "" : ", ") + std::string(w->word);
  }
  const std::string_view near = find_nearest(word, all);
  return fmt::format("\"{}\" is not one of {}{}", word, list,
                     near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

}  // namespace berth
