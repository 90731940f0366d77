// SPDX-License-Identifier: Apache-2.0
#include "berth/run/condition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace berth {
namespace {

constexpr int kDeepest = 100;  // parentheses within one another

}  // namespace

// Recursive descent: or → and → comparison | ( or ).
class Condition::Reader {
 public:
  Reader(std::string_view text, const Channels& channels, Condition& to)
      : text_(text), channels_(channels), to_(to), steps_(to.steps_) {}

  void read() {
    read_or();
    skip_space();
    if (at_ < text_.size()) refuse("expected 'and' or 'or'");
  }

 private:
  void read_or() {
    read_and();
    while (take_word("or")) {
      read_and();
      steps_.push_back({Step::join_or});
    }
  }
  void read_and() {
    read_one();
    while (take_word("and")) {
      read_one();
      steps_.push_back({Step::join_and});
    }
  }
  void read_one() {
    skip_space();
    if (!take("(")) return read_comparison();
    if (++depth_ > kDeepest) refuse("too many parentheses");
    read_or();
    skip_space();
    if (!take(")")) refuse("a closing parenthesis is missing");
    --depth_;
  }
  void read_comparison() {
    const std::string_view name = take_name();
    const std::optional<ChannelNumber> number = channels_.find_number(name);
    if (!number) refuse_channel(name);
    skip_space();
    Inequality c;
    if (take(">=") || take(">")) {
      c.greater = true;
    } else if (!take("<=") && !take("<")) {
      refuse("expected < or >");
    }
    skip_space();
    const char* from = text_.data() + at_;
    const auto [end, error] = std::from_chars(from, text_.data() + text_.size(), c.value);
    if (error != std::errc() || !std::isfinite(c.value)) refuse("expected a number");
    at_ += static_cast<std::size_t>(end - from);
    c.place = number->place;
    c.kind = number->channel->width == 1 ? number->channel->kind : Kind::smooth;
    c.needs = number->channel->needs;
    steps_.push_back({Step::compare, static_cast<int>(to_.inequalities_.size())});
    to_.inequalities_.push_back(c);
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool take_word(std::string_view word) {
    skip_space();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(word)) return false;
    if (rest.size() > word.size() && is_name(rest[word.size()])) return false;
    at_ += word.size();
    return true;
  }
  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
  }
  std::string_view take_name() {
    skip_space();
    const std::size_t from = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == from) refuse("expected the name of a channel");
    return text_.substr(from, at_ - from);
  }

  [[noreturn]] void refuse(std::string_view what) const {
    throw ConditionError(fmt::format("\"{}\": {} at character {}", text_, what, at_ + 1));
  }
  [[noreturn]] void refuse_channel(std::string_view name) const {
    if (const Channel* c = channels_.find(name))
      throw ConditionError(fmt::format("\"{}\": {} has {} numbers; name one, as in {}.x", text_,
                                       name, c->width, name));
    // The nearest channel: the longest common beginning is a good guess for dotted names.
    std::string_view best;
    std::size_t longest = 0;
    for (const Channel& c : channels_.list()) {
      const auto [a, b] = std::mismatch(name.begin(), name.end(), c.name.begin(), c.name.end());
      const auto common = static_cast<std::size_t>(a - name.begin());
      if (common > longest) longest = common, best = c.name;
    }
    throw ConditionError(fmt::format("\"{}\": no channel named {}{}", text_, name,
                                     best.empty() ? "" : fmt::format("; near it is {}", best)));
  }

  std::string_view text_;
  const Channels& channels_;
  Condition& to_;
  std::vector<Step>& steps_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Condition::Condition(std::string_view text, const Channels& channels) {
  Reader(text, channels, *this).read();
  for (const Inequality& c : inequalities_) places_.push_back(c.place);
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

template <class T, class Get, class And, class Or>
T Condition::evaluate(Get&& get, And&& both, Or&& either) const {
  // Each pair of parentheses leaves at most the left sides of an `or` and an `and` waiting.
  std::array<T, 2 * kDeepest + 3> stack;
  std::size_t n = 0;
  for (const Step& s : steps_) {
    if (s.kind == Step::compare) {
      stack[n++] = get(static_cast<std::size_t>(s.comparison));
      continue;
    }
    const T b = stack[--n];
    stack[n - 1] = s.kind == Step::join_and ? both(stack[n - 1], b) : either(stack[n - 1], b);
  }
  return stack[0];
}

bool Condition::holds(std::span<const char> truth) const {
  return evaluate<char>([&](std::size_t i) { return truth[i]; },
                        [](char a, char b) { return static_cast<char>(a && b); },
                        [](char a, char b) { return static_cast<char>(a || b); }) != 0;
}

bool Condition::holds_at(std::span<const double> row) const { return margin(row) >= 0; }

double Condition::margin(std::span<const double> row) const {
  return evaluate<double>(
      [&](std::size_t i) {
        return inequalities_[i].margin(row[static_cast<std::size_t>(inequalities_[i].place)]);
      },
      [](double a, double b) { return std::min(a, b); },
      [](double a, double b) { return std::max(a, b); });
}

}  // namespace berth
