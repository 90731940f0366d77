// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/vary.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "berth/record/input_file.h"
#include "berth/scalar/elementary.h"

namespace berth {

const char* const kVaryForms =
    "log(a,b,n), lin(a,b,n), [v1,v2,…], normal(mean,deviation), uniform(a,b), "
    "truncated_normal(mean,deviation,a,b), lognormal(median,deviation), triangular(a,peak,b), "
    "discrete(v1:w1,…) or table(x1:p1,…)";

namespace {

using Kind = DistributionKind;

struct Form {
  std::string_view name, arguments;
  std::size_t count;  // of numbers
  Spread spread;
  Kind kind = Kind::uniform;
};
constexpr Form kForms[] = {
    {"lin", "a,b,n", 3, Spread::lin},
    {"log", "a,b,n", 3, Spread::log},
    {"normal", "mean,deviation", 2, Spread::random, Kind::normal},
    {"uniform", "a,b", 2, Spread::random, Kind::uniform},
    {"truncated_normal", "mean,deviation,a,b", 4, Spread::random, Kind::truncated_normal},
    {"lognormal", "median,deviation", 2, Spread::random, Kind::lognormal},
    {"triangular", "a,peak,b", 3, Spread::random, Kind::triangular},
    {"discrete", "v1:w1,v2:w2,…", 0, Spread::random, Kind::discrete},
    {"table", "x1:p1,x2:p2,…", 0, Spread::random, Kind::table},
};
constexpr std::size_t kMostPairs = 100'000;
constexpr std::size_t kLargestTable = 32u << 20;  // [bytes]

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// The whole text as a finite number.
std::optional<double> to_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

// Quotes and brackets of a list, read character by character.
class Nesting {
 public:
  // Takes the next character. Whether it is outside of them.
  bool is_outside(char c) {
    if (quote_) {
      const bool ends = c == quote_ && !is_escaped_;
      is_escaped_ = c == '\\' && quote_ == '"' && !is_escaped_;
      if (ends) quote_ = 0;
      return false;
    }
    if (c == '"' || c == '\'') {
      quote_ = c;
    } else if (c == '[' || c == '{') {
      ++depth_;
    } else if (c == ']' || c == '}') {
      --depth_;
    } else {
      return depth_ == 0;
    }
    return false;
  }
  bool is_closed() const { return quote_ == 0 && depth_ == 0; }

 private:
  int depth_ = 0;
  char quote_ = 0;
  bool is_escaped_ = false;
};

bool is_closed(std::string_view text) {
  Nesting nesting;
  for (const char c : text) nesting.is_outside(c);
  return nesting.is_closed();
}

// Parts between separators; those inside of brackets or quotes do not count.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  Nesting nesting;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (nesting.is_outside(text[i]) && text[i] == separator) {
      parts.push_back(trim(text.substr(from, i - from)));
      from = i + 1;
    }
  parts.push_back(trim(text.substr(from)));
  return parts;
}

// Of a table: below the value with that probability.
struct Pairs {
  std::vector<double> values, cumulative;
};

// Draws become their own distribution, linear between them; equal ones are set apart by the last digit.
void spread_draws(Pairs& pairs) {
  std::vector<double>& x = pairs.values;
  std::sort(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0 && x[i] <= x[i - 1])
      x[i] = std::nextafter(x[i - 1], std::numeric_limits<double>::infinity());
    pairs.cumulative.push_back(static_cast<double>(i) / static_cast<double>(x.size() - 1));
  }
}

// Lines of x and p, or of draws x alone, separated by commas, semicolons or spaces; the first may name the
// columns. What is wrong, else nothing.
std::optional<std::string> read_pairs(const std::filesystem::path& path, Pairs& pairs) {
  InputFile file(path, "table");
  if (file.is_missing()) return fmt::format("there is no file {} with the table", path.string());
  std::istringstream in(file.read(kLargestTable + 1));
  if (!file.problem().empty()) return fmt::format("{} {}", path.string(), file.problem());
  if (in.view().size() > kLargestTable) return fmt::format("{} is too large", path.string());
  std::size_t width = 0;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string_view content = trim(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    std::string spaced(content);
    std::replace_if(
        spaced.begin(), spaced.end(), [](char c) { return c == ';' || c == '\t' || c == ' '; },
        ',');
    std::vector<std::string_view> fields = split(spaced, ',');
    std::erase(fields, "");
    const auto x = fields.empty() ? std::nullopt : to_number(fields.front());
    const auto p = fields.size() > 1 ? to_number(fields[1]) : std::optional(0.0);
    if (!x && width == 0 && number == 1) continue;
    if (width == 0) width = fields.size();
    if (!x || !p || fields.size() != width || width > 2)
      return fmt::format("{}:{}: \"{}\" is no line of {}", path.string(), number, content,
                         width == 1 ? "one number" : "a value and its cumulative probability");
    pairs.values.push_back(*x);
    if (width == 2) pairs.cumulative.push_back(*p);
    if (pairs.values.size() > kMostPairs)
      return fmt::format("{} has more than {} lines", path.string(), kMostPairs);
  }
  if (width == 1) spread_draws(pairs);
  return std::nullopt;
}

Distribution build_distribution(Kind kind, const std::vector<double>& x) {
  switch (kind) {
    case Kind::normal: return Distribution::normal(x[0], x[1]);
    case Kind::truncated_normal: return Distribution::truncated_normal(x[0], x[1], x[2], x[3]);
    case Kind::lognormal: return Distribution::lognormal(x[0], x[1]);
    case Kind::triangular: return Distribution::triangular(x[0], x[1], x[2]);
    default: return Distribution::uniform(x[0], x[1]);
  }
}

// What stands in the brackets.
std::vector<double> list_numbers(const Distribution& d) {
  switch (d.kind) {
    case Kind::normal:
    case Kind::lognormal: return {d.center, d.spread};
    case Kind::truncated_normal: return {d.center, d.spread, d.low, d.high};
    case Kind::triangular: return {d.low, d.center, d.high};
    default: return {d.low, d.high};
  }
}

class VaryReader {
 public:
  VaryReader(const std::string& text, const std::filesystem::path& folder, Problems& problems)
      : text_(text), folder_(folder), problems_(problems) {}

  std::optional<Vary> read() {
    const std::size_t equals = text_.find('=');
    if (equals == std::string::npos || trim(std::string_view(text_).substr(0, equals)).empty()) {
      refuse("", fmt::format("\"{}\": write it as KEY={}", text_, kVaryForms));
      return std::nullopt;
    }
    vary_.key = trim(std::string_view(text_).substr(0, equals));
    // Where a craft comes from is worked into the scenario that the sweep file carries.
    if (vary_.key.starts_with("spacecraft.") && vary_.key.ends_with(".from"))
      refuse("cannot be varied: a sweep file stands alone, without the files of craft");
    const std::string_view spread = trim(std::string_view(text_).substr(equals + 1));
    if (spread.starts_with('[') && spread.ends_with(']')) {
      fill_list(split(spread.substr(1, spread.size() - 2), ','), spread);
    } else {
      read_spread(spread);
    }
    if (bad_) return std::nullopt;
    return std::move(vary_);
  }

 private:
  void refuse(std::string key, std::string message) {
    bad_ = true;
    problems_.add(Place{0, 0, "--vary"}, std::move(key), std::move(message));
  }
  void refuse(std::string message) { refuse(vary_.key, std::move(message)); }

  // Numbers where all of them are, else texts.
  void fill_list(const std::vector<std::string_view>& parts, std::string_view whole) {
    if (parts.size() == 1 && parts[0].empty())
      return refuse("the list is empty: name at least one value");
    // What follows would all be one value.
    for (const std::string_view part : parts)
      if (!is_closed(part))
        return refuse(fmt::format("a quote or a bracket in {} is not closed", part));
    const bool all_numbers =
        std::all_of(parts.begin(), parts.end(), [](auto p) { return to_number(p).has_value(); });
    for (const std::string_view part : parts) {
      if (part.empty()) return refuse(fmt::format("{} has a comma too many", whole));
      vary_.values.push_back(all_numbers ? Cell(*to_number(part)) : Cell(std::string(part)));
    }
  }

  void read_spread(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')'))
      return refuse(fmt::format("{} is no range: write {}; one value alone is [{}]",
                                text.empty() ? "nothing" : text, kVaryForms, text));
    const std::string_view name = trim(text.substr(0, open));
    const auto* const form = std::find_if(std::begin(kForms), std::end(kForms),
                                          [&](const Form& f) { return f.name == name; });
    if (form == std::end(kForms)) {
      std::vector<std::string_view> names;
      for (const Form& f : kForms) names.push_back(f.name);
      const std::string_view near = find_nearest(name, names);
      return refuse(fmt::format("there is no {}(…); {}", name,
                                near.empty() ? fmt::format("write {}", kVaryForms)
                                             : fmt::format("did you mean {}?", near)));
    }
    vary_.spread = form->spread;
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    const std::vector<std::string_view> parts = split(inside, ',');
    if (form->kind == Kind::discrete) return read_discrete(parts, text);
    if (form->kind == Kind::table) return read_table(parts, trim(inside), text);
    read_numbers(*form, parts, text);
  }

  void read_numbers(const Form& form, const std::vector<std::string_view>& parts,
                    std::string_view text) {
    std::vector<double> numbers;
    for (const std::string_view part : parts) {
      const std::optional<double> number = to_number(part);
      if (!number) return refuse(fmt::format("\"{}\" in {} is not a number", part, text));
      numbers.push_back(*number);
    }
    if (numbers.size() != form.count)
      return refuse(fmt::format("{} takes {} numbers, not {}: {}({})", form.name, form.count,
                                numbers.size(), form.name, form.arguments));
    if (vary_.is_random()) return take(build_distribution(form.kind, numbers));
    vary_.a = numbers[0];
    vary_.b = numbers[1];
    fill_values(numbers[2]);
  }

  void take(Distribution distribution) {
    vary_.distribution = std::move(distribution);
    if (const auto fault = vary_.distribution.find_fault()) refuse(*fault);
  }

  // value:weight, … ; without weights all are alike.
  void read_discrete(const std::vector<std::string_view>& parts, std::string_view text) {
    std::vector<std::string_view> values;
    std::vector<double> weights;
    for (const std::string_view part : parts) {
      const std::vector<std::string_view> pair = split(part, ':');
      const std::optional<double> weight = pair.size() > 1 ? to_number(pair.back()) : 1.0;
      if (pair.size() > 2 || !weight)
        return refuse(fmt::format("\"{}\" in {} is no value:weight", part, text));
      values.push_back(pair.front());
      weights.push_back(*weight);
    }
    fill_list(values, text);
    if (!bad_) take(Distribution::discrete(std::move(weights)));
  }

  // x:p, … or the name of a file.
  void read_table(const std::vector<std::string_view>& parts, std::string_view inside,
                  std::string_view text) {
    Pairs pairs;
    if (parts.size() == 1 && inside.find(':') == std::string_view::npos) {
      if (auto why = read_pairs(folder_ / std::filesystem::path(std::string(inside)), pairs))
        return refuse(*why);
    } else {
      for (const std::string_view part : parts) {
        const std::vector<std::string_view> pair = split(part, ':');
        const auto x = to_number(pair.front()), p = to_number(pair.back());
        if (pair.size() != 2 || !x || !p)
          return refuse(fmt::format("\"{}\" in {} is no value:probability", part, text));
        pairs.values.push_back(*x), pairs.cumulative.push_back(*p);
      }
    }
    take(Distribution::table(std::move(pairs.values), std::move(pairs.cumulative)));
  }

  void fill_values(double n) {
    if (!(n >= 1) || n != std::floor(n))
      return refuse(fmt::format("{} values: the number of values is 1, 2, 3 …", n));
    if (n > static_cast<double>(kMostCases))
      return refuse(fmt::format("{} values: a sweep has at most {} cases", n, kMostCases));
    const bool is_log = vary_.spread == Spread::log;
    if (is_log && !(vary_.a > 0 && vary_.b > 0))
      return refuse(fmt::format("log({},{},…): a logarithm needs ends above 0", vary_.a, vary_.b));
    // Decades come out whole this way, and the ends as they were written.
    const double first = is_log ? log10(vary_.a) : vary_.a;
    const double last = is_log ? log10(vary_.b) : vary_.b;
    vary_.values.reserve(
        static_cast<std::size_t>(n));  // 40 bytes each: ten million are 400 MB, not twice that
    for (double i = 0; i < n; ++i) {
      const double x = n == 1 ? first : (first * (n - 1 - i) + last * i) / (n - 1);
      const double value = is_log ? pow(10, x) : x;
      vary_.values.emplace_back(i == 0 ? vary_.a : i == n - 1 ? vary_.b : value);
    }
  }

  const std::string& text_;
  const std::filesystem::path& folder_;
  Problems& problems_;
  Vary vary_;
  bool bad_ = false;
};

std::string text_of(const Cell& value) {
  const double* const number = std::get_if<double>(&value);
  return number ? fmt::format("{}", *number) : std::get<std::string>(value);
}

std::string describe_random(const Vary& v) {
  const Distribution& d = v.distribution;
  const auto* const form = std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& f) {
    return f.spread == Spread::random && f.kind == d.kind;
  });
  std::string inside;
  const auto add = [&](const std::string& text) { inside += (inside.empty() ? "" : ",") + text; };
  if (d.kind == Kind::discrete || d.kind == Kind::table) {
    for (std::size_t i = 0; i < d.probabilities.size(); ++i)
      add(fmt::format("{}:{}",
                      d.is_discrete() ? text_of(v.values[i]) : fmt::format("{}", d.values[i]),
                      d.probabilities[i]));
  } else {
    for (const double x : list_numbers(d)) add(fmt::format("{}", x));
  }
  return fmt::format("{}={}({})", v.key, form->name, inside);
}

}  // namespace

std::optional<Vary> read_vary(const std::string& text, const std::filesystem::path& folder,
                              Problems& problems) {
  return VaryReader(text, folder, problems).read();
}

std::string to_setting(const std::string& key, const Cell& value) {
  return key + "=" + text_of(value);
}

std::string describe(const Vary& v) {
  switch (v.spread) {
    case Spread::lin: return fmt::format("{}=lin({},{},{})", v.key, v.a, v.b, v.values.size());
    case Spread::log: return fmt::format("{}=log({},{},{})", v.key, v.a, v.b, v.values.size());
    case Spread::random: return describe_random(v);
    case Spread::list: break;
  }
  std::string list;
  for (const Cell& value : v.values) list += (list.empty() ? "" : ",") + text_of(value);
  return fmt::format("{}=[{}]", v.key, list);
}

}  // namespace berth
