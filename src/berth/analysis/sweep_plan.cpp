// SPDX-License-Identifier: Apache-2.0
#include "berth/analysis/sweep_plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "berth/math/philox.h"
#include "berth/scalar/elementary.h"

namespace berth {
namespace {

constexpr std::string_view kForms =
    "log(a,b,n), lin(a,b,n), [v1,v2,…], normal(mean,deviation) or uniform(a,b)";

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

// Parts between commas; those inside of brackets or quotes do not count.
std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(trim(text.substr(from, i - from)));
      from = i + 1;
    }
  }
  parts.push_back(trim(text.substr(from)));
  return parts;
}

// Reads one --vary; adds a problem and returns nothing when it cannot be understood.
class VaryReader {
 public:
  VaryReader(const std::string& text, Problems& problems) : text_(text), problems_(problems) {}

  std::optional<Vary> read() {
    const std::size_t equals = text_.find('=');
    if (equals == std::string::npos || trim(std::string_view(text_).substr(0, equals)).empty()) {
      refuse("", fmt::format("\"{}\": write it as KEY={}", text_, kForms));
      return std::nullopt;
    }
    vary_.key = trim(std::string_view(text_).substr(0, equals));
    // Where a craft comes from is worked into the scenario that the sweep file carries.
    if (vary_.key.starts_with("spacecraft.") && vary_.key.ends_with(".from"))
      refuse("cannot be varied: a sweep file stands alone, without the files of craft");
    const std::string_view spread = trim(std::string_view(text_).substr(equals + 1));
    if (spread.starts_with('[') && spread.ends_with(']')) {
      read_list(spread.substr(1, spread.size() - 2));
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

  void read_list(std::string_view inside) {
    if (trim(inside).empty()) return refuse("the list is empty: name at least one value");
    const std::vector<std::string_view> parts = split_list(inside);
    const bool all_numbers =
        std::all_of(parts.begin(), parts.end(), [](auto p) { return to_number(p).has_value(); });
    for (const std::string_view part : parts) {
      if (part.empty()) return refuse(fmt::format("[{}] has a comma too many", inside));
      if (all_numbers) {
        vary_.values.emplace_back(*to_number(part));
      } else {
        vary_.values.emplace_back(std::string(part));
      }
    }
  }

  void read_spread(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')'))
      return refuse(fmt::format("{} is no range: write {}; one value alone is [{}]",
                                text.empty() ? "nothing" : text, kForms, text));
    const std::string_view name = trim(text.substr(0, open));
    constexpr std::string_view names[] = {"lin", "log", "normal", "uniform"};
    constexpr Spread spreads[] = {Spread::lin, Spread::log, Spread::normal, Spread::uniform};
    const auto* const found = std::find(std::begin(names), std::end(names), name);
    if (found == std::end(names)) {
      const std::string_view near = find_nearest(name, names);
      return refuse(fmt::format(
          "there is no {}(…); {}", name,
          near.empty() ? fmt::format("write {}", kForms) : fmt::format("did you mean {}?", near)));
    }
    vary_.spread = spreads[found - std::begin(names)];

    std::vector<double> numbers;
    const std::vector<std::string_view> parts =
        split_list(text.substr(open + 1, text.size() - open - 2));
    for (const std::string_view part : parts) {
      const std::optional<double> number = to_number(part);
      if (!number) return refuse(fmt::format("\"{}\" in {} is not a number", part, text));
      numbers.push_back(*number);
    }
    const std::size_t wanted = vary_.is_random() ? 2 : 3;
    if (numbers.size() != wanted)
      return refuse(fmt::format("{} takes {} numbers, not {}: {}", name, wanted, numbers.size(),
                                vary_.spread == Spread::normal ? "normal(mean,deviation)"
                                : vary_.is_random()            ? "uniform(a,b)"
                                                               : fmt::format("{}(a,b,n)", name)));
    vary_.a = numbers[0];
    vary_.b = numbers[1];
    if (vary_.spread == Spread::normal && vary_.b < 0)
      return refuse(fmt::format("a standard deviation of {} is negative", vary_.b));
    if (vary_.spread == Spread::uniform && !(vary_.a < vary_.b))
      return refuse(
          fmt::format("{} does not lie below {}: write the lower end first", vary_.a, vary_.b));
    if (!vary_.is_random()) fill_values(numbers[2]);
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
    for (double i = 0; i < n; ++i) {
      const double x = n == 1 ? first : (first * (n - 1 - i) + last * i) / (n - 1);
      const double value = is_log ? pow(10, x) : x;
      vary_.values.emplace_back(i == 0 ? vary_.a : i == n - 1 ? vary_.b : value);
    }
  }

  const std::string& text_;
  Problems& problems_;
  Vary vary_;
  bool bad_ = false;
};

std::string text_of(const Cell& value) {
  const double* const number = std::get_if<double>(&value);
  return number ? fmt::format("{}", *number) : std::get<std::string>(value);
}

}  // namespace

std::string to_setting(const std::string& key, const Cell& value) {
  return key + "=" + text_of(value);
}

std::string describe(const Vary& v) {
  switch (v.spread) {
    case Spread::lin: return fmt::format("{}=lin({},{},{})", v.key, v.a, v.b, v.values.size());
    case Spread::log: return fmt::format("{}=log({},{},{})", v.key, v.a, v.b, v.values.size());
    case Spread::normal: return fmt::format("{}=normal({},{})", v.key, v.a, v.b);
    case Spread::uniform: return fmt::format("{}=uniform({},{})", v.key, v.a, v.b);
    case Spread::list: break;
  }
  std::string list;
  for (const Cell& value : v.values) list += (list.empty() ? "" : ",") + text_of(value);
  return fmt::format("{}=[{}]", v.key, list);
}

bool SweepPlan::is_random() const {
  return std::any_of(keys.begin(), keys.end(), [](const Vary& v) { return v.is_random(); });
}

std::uint64_t SweepPlan::cases() const {
  std::uint64_t count = samples;
  for (const Vary& v : keys)
    if (!v.is_random()) count *= v.values.size();
  return count;
}

Cell SweepPlan::value(std::uint64_t number, std::size_t key) const {
  const std::uint64_t sample = number % samples;
  std::uint64_t point = number / samples;  // (1)
  const Vary& v = keys[key];
  if (v.is_random()) {
    const auto j = static_cast<std::uint32_t>(
        std::count_if(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(key),
                      [](const Vary& other) { return other.is_random(); }));
    if (v.spread == Spread::normal) return v.a + v.b * find_normal(seed, sample, j);
    const double u = find_uniform(seed, sample, j);
    return v.a * (1 - u) + v.b * u;
  }
  for (std::size_t k = keys.size() - 1; k > key; --k)
    if (!keys[k].is_random()) point /= keys[k].values.size();
  return v.values[point % v.values.size()];
}

std::vector<std::string> SweepPlan::settings(std::uint64_t number) const {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < keys.size(); ++k)
    list.push_back(to_setting(keys[k].key, value(number, k)));
  return list;
}

SweepPlan build_sweep_plan(const std::vector<std::string>& vary, std::uint64_t samples,
                           std::uint64_t seed, Problems& problems) {
  SweepPlan plan;
  plan.seed = seed;
  const auto refuse = [&](const char* option, const std::string& key, std::string message) {
    problems.add(Place{0, 0, option}, key, std::move(message));
  };
  if (vary.empty()) refuse("--vary", "", fmt::format("nothing is varied: --vary KEY={}", kForms));
  for (const std::string& text : vary) {
    std::optional<Vary> one = VaryReader(text, problems).read();
    if (!one) continue;
    if (std::any_of(plan.keys.begin(), plan.keys.end(),
                    [&](const Vary& other) { return other.key == one->key; }))
      refuse("--vary", one->key, "is varied twice");
    plan.keys.push_back(std::move(*one));
  }
  if (!problems.empty()) return plan;

  if (plan.is_random() && samples == 0)
    refuse("--samples", "", "is missing: how often the random keys are drawn");
  if (!plan.is_random() && samples > 0)
    refuse("--samples", "", "nothing is random here: vary a key by normal(…) or uniform(…) too");
  if (!problems.empty()) return plan;
  plan.samples = std::max<std::uint64_t>(samples, 1);

  double count = static_cast<double>(plan.samples);
  for (const Vary& v : plan.keys)
    if (!v.is_random()) count *= static_cast<double>(v.values.size());
  if (count > static_cast<double>(kMostCases))
    refuse("--vary", "", fmt::format("these are {} cases; the most is {}", count, kMostCases));
  return plan;
}

}  // namespace berth
