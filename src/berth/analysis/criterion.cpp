// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/criterion.h"

#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace berth {
namespace {

std::string_view cut_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" <>=()\"") == std::string_view::npos;
}

}  // namespace

std::optional<Criterion> read_criterion(std::string_view text, const char* option,
                                        Problems& problems) {
  const auto refuse = [&](const std::string& why) {
    problems.add(
        Place{0, 0, option}, "",
        fmt::format("\"{}\" {}: write a verdict, as_expected, or a number and its limit, as in "
                    "contacts.tip.force_peak > 400",
                    text, why));
    return std::nullopt;
  };
  const std::size_t sign = text.find_first_of("<>");
  Criterion out;
  out.name = cut_spaces(text.substr(0, sign));
  if (!is_word(out.name)) return refuse("is not one word");
  if (sign == std::string_view::npos) return out;
  out.above = text[sign] == '>';
  std::string_view number = cut_spaces(text.substr(sign + 1));
  if (number.starts_with('=')) number = cut_spaces(number.substr(1));
  double limit = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), limit);
  if (error != std::errc{} || end != number.data() + number.size() || !std::isfinite(limit))
    return refuse("has no limit that is a number");
  out.limit = limit;
  return out;
}

std::string describe(const Criterion& c) {
  return c.limit ? fmt::format("{} {} {}", c.name, c.above ? '>' : '<', *c.limit) : c.name;
}

std::optional<std::size_t> find_number_place(const std::string& path,
                                             const std::vector<Collected>& columns,
                                             const char* option, Problems& problems) {
  std::vector<std::string_view> names;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].is_text || columns[c].width > 1) continue;
    if (columns[c].path == path) return find_place(columns, c);
    names.push_back(columns[c].path);
  }
  const std::string_view near = find_nearest(path, names);
  problems.add(Place{0, 0, option}, path,
               near.empty()
                   ? "is no number of the summary; --collect names what is kept"
                   : fmt::format("is no number that is collected; did you mean {}?", near));
  return std::nullopt;
}

void check_word(const Criterion& criterion, const CaseStore& store, CaseRange range,
                const char* option, Problems& problems) {
  if (criterion.is_number() || criterion.name == "as_expected") return;
  std::set<std::string> words;
  store.for_each(range.first, range.last, [&](std::uint64_t, const CaseResult& r) {
    words.insert(r.verdict.empty() ? r.outcome : r.verdict);
  });
  if (words.contains(criterion.name)) return;
  const std::vector<std::string_view> views(words.begin(), words.end());
  const std::string_view near = find_nearest(criterion.name, views);
  if (!near.empty())
    problems.add(Place{0, 0, option}, "",
                 fmt::format("no case has ended as {}; did you mean {}?", criterion.name, near));
}

Judge::Judge(const Criterion& criterion, const std::vector<Collected>& columns, const char* option,
             Problems& problems)
    : criterion_(criterion) {
  if (criterion.is_number())
    place_ = find_number_place(criterion.name, columns, option, problems).value_or(0);
}

bool Judge::is_met(const CaseResult& r) const {
  if (criterion_.is_number()) return find_excess(r) > 0;
  if (criterion_.name == "as_expected") return r.as_expected;
  return r.verdict == criterion_.name || (r.verdict.empty() && r.outcome == criterion_.name);
}

double Judge::find_excess(const CaseResult& r) const {
  if (!criterion_.is_number()) return is_met(r) ? 1 : -1;
  const double excess = r.numbers[place_] - *criterion_.limit;
  return criterion_.above ? excess : -excess;
}

}  // namespace berth
